"""What the instructions of mapping/ptx.csv do beyond integers in registers: numbers, memory and the lanes of a warp.

From the PTX ISA manual's definitions alone, as :mod:`tests.ptx_programs` has it for integers. Words of memory and registers
are their bits, as Python integers.
"""

from __future__ import annotations

import math
import re
import struct
from fractions import Fraction

import numpy as np

from tests.ptx_programs import Row, has_model

#: What gives a number that no definition fixes (clocks), or ends the program.
NO_RESULT = ("%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi", "%smid")
ENDS = ("trap", "brkpt")
#: Relative error that `approx` may have: the manual's bounds, and those of the fast functions that stand in.
APPROXIMATE = 2e-3
_WARP = ("vote", "shfl", "activemask", "bar", "barrier")
_SIZES = {"8": 1, "16": 2, "32": 4, "64": 8}


def is_here(row: Row) -> bool:
    """Whether the row is this module's: it has no model of integers, and an effect that is defined."""
    return not has_model(row) and row.opcode.split(".")[0] not in ENDS


def is_approximate(row: Row) -> bool:
    """Whether the result is not defined to the last bit."""
    return "approx" in row.opcode


def bits(value: object, kind: str) -> int:
    """A number's bits as a type."""
    if kind == "f32":
        with np.errstate(all="ignore"):
            return int(np.float32(value).view(np.uint32))
    if kind == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    if kind == "pred":
        return int(bool(value))
    return int(value) % (1 << int(kind[1:]))  # type: ignore[call-overload]


def number(word: int, kind: str) -> object:
    """The number that bits are as a type: Python's floats hold both of PTX's."""
    if kind == "f32":
        return struct.unpack("<f", struct.pack("<I", word % 2**32))[0]
    if kind == "f64":
        return struct.unpack("<d", struct.pack("<Q", word % 2**64))[0]
    if kind == "pred":
        return word % 2**32 != 0
    size = int(kind[1:])
    word %= 1 << size
    return word - (1 << size) if kind[0] == "s" and word >> (size - 1) else word


def inputs(row: Row) -> list[str]:
    """The types of the words of ``in``, in order; ``p`` for the place that an address counts for."""
    found = []
    for spec in row.specs:
        if spec.startswith("["):
            found.append("p")
        elif spec.startswith("{"):
            if not _writes(row, spec):
                found += [row.kind(each) for each in spec[1:-1].split(",")]
        elif ":" in spec and not _writes(row, spec):
            found.append(row.kind(spec))
    return found


def outputs(row: Row) -> list[str]:
    """The types of the words of ``out``."""
    for spec in row.specs[:1]:
        if _writes(row, spec):
            kinds = [row.kind(each) for each in (spec[1:-1].split(",") if spec.startswith("{") else [spec])]
            return [{"u8": "u32", "s8": "s32"}.get(kind, kind) for kind in kinds]  # the least register has 16 bits; GCC's, 32
    return []


def _writes(row: Row, spec: str) -> bool:
    """The first operand, unless it is what a store or a reduction takes."""
    return (spec == row.specs[0] and ":" in spec and not spec.startswith("[")
            and row.opcode.split(".")[0] not in ("st", "red", "nanosleep"))


def run(row: Row, memory: list[list[int]], geometry: dict[str, list[int]]) -> tuple[list[list[int]], list[list[int]]]:
    """What lanes, each with its eight words of memory, have in ``out`` and in memory afterwards; CUDA's warps of 32.

    ``geometry`` has the value of each special register for each lane.
    """
    after = [list(words) for words in memory]
    family = row.opcode.split(".")[0]
    kinds = inputs(row)
    if family in _WARP:
        group = len(memory) if family in ("bar", "barrier") else 32
        found = []
        for start in range(0, len(memory), group):
            part = [[number(word, kind) for word, kind in zip(words, kinds, strict=False)]
                    for words in memory[start:start + group]]
            found += [_together(row, part, lane) for lane in range(len(part))]
        return [[bits(value, kind) for kind, value in zip(outputs(row), values, strict=True)] for values in found], after
    result = []
    for lane, words in enumerate(after):
        if len(row.specs) > 1 and row.specs[1] in geometry:
            values = [geometry[row.specs[1]][lane]]
        elif "p" in kinds:
            values = _memory(row, words)
        else:
            values = _alone(row, [number(word, kind) for word, kind in zip(words, kinds, strict=False)], words)
        result.append([bits(value, kind) for kind, value in zip(outputs(row), values, strict=True)])
    return result, after


def _together(row: Row, lanes: list[list[object]], me: int) -> list[object]:
    """Votes, shuffles and barriers."""
    words = row.opcode.split(".")
    if row.specs in (("0",), ("_",)):
        return []
    if words[0] == "activemask":
        return [(1 << len(lanes)) - 1]
    if words[0] == "shfl":
        value, distance = lanes[me]
        source = {"bfly": me ^ distance, "down": me + distance, "up": me - distance, "idx": distance}[  # type: ignore[operator]
            next(word for word in words if word in ("bfly", "down", "up", "idx"))]
        return [lanes[source][0] if 0 <= source < 32 else value]
    votes = [bool(each[0]) for each in lanes]
    mask = int(lanes[me][1]) if len(lanes[me]) > 1 else (1 << len(lanes)) - 1  # type: ignore[call-overload]
    yes = sum(vote << lane for lane, vote in enumerate(votes)) & mask
    if "ballot" in words:
        return [yes]
    if "popc" in words:
        return [sum(votes)]
    return [yes != 0 if "any" in words or "or" in words else yes == mask]


def _memory(row: Row, words: list[int]) -> list[object]:
    """Loads, stores and atomics at the lane's words, which are changed in place."""
    parts = row.opcode.split(".")
    family = parts[0]
    if family in ("prefetch", "applypriority", "discard"):
        return []
    kind = next(word for word in reversed(parts) if re.fullmatch(r"[usbf]\d+", word)).replace("b", "u")
    size = _SIZES[kind[1:]]
    count = next((int(part[1:]) for part in parts if part in ("v2", "v4")), 1)
    raw = bytearray(b"".join(word.to_bytes(8, "little") for word in words))
    place = [slice(index * size, (index + 1) * size) for index in range(count)]
    old = [number(int.from_bytes(raw[at], "little"), kind) for at in place]
    given = [number(words[index], kind) for index, each in enumerate(inputs(row)) if each != "p"]
    if family in ("ld", "ldu"):
        return old
    new = given if family == "st" else [_updated(parts, kind, old[0], given)]
    for at, value in zip(place, new, strict=True):
        raw[at] = bits(value, kind).to_bytes(size, "little")
    words[:] = [int.from_bytes(raw[index:index + 8], "little") for index in range(0, len(raw), 8)]
    return old if family == "atom" else []


def _updated(parts: list[str], kind: str, old: object, given: list[object]) -> object:
    """What an atomic operation leaves in memory."""
    b = given[0]
    operation = next(part for part in parts[1:] if part in (
        "add", "min", "max", "and", "or", "xor", "inc", "dec", "exch", "cas"))
    return {
        "add": lambda: _sum(old, b, kind),
        "min": lambda: min(old, b), "max": lambda: max(old, b),  # type: ignore[type-var]
        "and": lambda: old & b, "or": lambda: old | b, "xor": lambda: old ^ b,  # type: ignore[operator]
        "inc": lambda: 0 if old >= b else old + 1,  # type: ignore[operator]
        "dec": lambda: b if old == 0 or old > b else old - 1,  # type: ignore[operator]
        "exch": lambda: b,
        "cas": lambda: given[1] if old == b else old,
    }[operation]()


def _sum(a: object, b: object, kind: str) -> object:
    return _rounded(a + b, kind) if kind[0] == "f" else a + b  # type: ignore[operator]


def _rounded(value: float, kind: str) -> float:
    with np.errstate(all="ignore"):
        return float(np.float32(value)) if kind == "f32" else value


def _fused(a: float, b: float, c: float, kind: str) -> float:
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    return _rounded(float(exact), kind) if exact else a * b + c


def _alone(row: Row, values: list[object], words: list[int]) -> list[object]:
    """An instruction on registers: floating point, conversions, packing."""
    parts = row.opcode.split(".")
    op, kind = parts[0], parts[-1]
    if op == "nanosleep" or row.specs in ((), ("_",)) or op in ("membar", "fence"):
        return []
    if op == "mov" and len(outputs(row)) > 1:
        size = int(outputs(row)[0][1:])
        return [words[0] % (1 << size), words[0] >> size]
    if op == "mov" and len(values) > 1:
        return [values[0] | values[1] << int(inputs(row)[0][1:])]  # type: ignore[operator]
    if op in ("mov", "selp", "slct"):
        a, b, c = ([*values, 0, 1])[:3]
        return [a if op == "mov" or (c if op == "selp" else c >= 0) else b]  # type: ignore[operator]
    if op in ("set", "setp"):
        holds = _holds(parts[1], *values[:2])  # type: ignore[arg-type]
        return [holds if op == "setp" else -int(holds) if parts[2] in ("u32", "s32") else float(holds)]
    if op == "cvt":
        return [_converted(row, parts, values)]
    if kind in ("f16", "f16x2"):
        return [sum(bits16(_half_result(op, [half(word >> shift) for word in words[:len(values)]])) << shift
                    for shift in ((0, 16) if kind == "f16x2" else (0,)))]
    with np.errstate(all="ignore"):
        result = _function(op, *values) if len(values) == 1 else _arithmetic(op, values, kind)  # type: ignore[arg-type]
    result = _rounded(result, kind)
    if "sat" in parts:
        result = 0.0 if math.isnan(result) else min(max(result, 0.0), 1.0)
    return [result]


def half(word: int) -> float:
    """The number that 16 bits are."""
    return float(np.uint16(word & 0xFFFF).view(np.float16))


def bits16(value: float) -> int:
    """A number's bits as half precision."""
    with np.errstate(all="ignore"):
        return int(np.float16(value).view(np.uint16))


def _half_result(op: str, values: list[float]) -> float:
    with np.errstate(all="ignore"):
        return _function(op, *values) if len(values) == 1 else _arithmetic(op, values, "f64")


def _holds(test: str, a: float, b: float) -> bool:
    unordered = math.isnan(a) or math.isnan(b)
    if test in ("num", "nan"):
        return unordered is (test == "nan")
    if unordered:
        return len(test) == 3
    return {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b, "lo": a < b, "ls": a <= b,
            "hi": a > b, "hs": a >= b}[test[:2]]


def _function(op: str, a: float) -> float:
    one = np.float64(a)
    return float({
        "rcp": lambda: np.float64(1) / one, "sqrt": lambda: np.sqrt(one), "rsqrt": lambda: np.float64(1) / np.sqrt(one),
        "sin": lambda: np.sin(one), "cos": lambda: np.cos(one), "lg2": lambda: np.log2(one), "ex2": lambda: np.exp2(one),
        "tanh": lambda: np.tanh(one), "abs": lambda: abs(one), "neg": lambda: -one,
    }[op]())


def _arithmetic(op: str, values: list[float], kind: str) -> float:
    a, b = values[:2]
    if op in ("fma", "mad"):
        return _fused(a, b, values[2], kind)
    if op in ("min", "max"):
        return b if math.isnan(a) else a if math.isnan(b) else (min if op == "min" else max)(a, b)
    if op == "copysign":  # the manual: the sign of the first operand on the second
        return math.copysign(b, a)
    return float({
        "add": lambda: np.float64(a) + np.float64(b), "sub": lambda: np.float64(a) - np.float64(b),
        "mul": lambda: np.float64(a) * np.float64(b), "div": lambda: np.float64(a) / np.float64(b),
    }[op]())


def _converted(row: Row, parts: list[str], values: list[object]) -> object:
    """`cvt`: rounding to integers saturates, NaN is 0 there."""
    target, source = [part for part in parts if re.fullmatch(r"[usbf]\d+(x2)?", part)][:2]
    a = values[0]
    if target == "f16x2":
        return bits16(values[0]) << 16 | bits16(values[1])  # type: ignore[arg-type]
    if source == "f16":
        a = half(a)  # type: ignore[arg-type]
    mode = next((part for part in parts if part in ("rni", "rzi", "rmi", "rpi")), None)
    if mode and math.isfinite(a):  # type: ignore[arg-type]
        integer = {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}[mode](a)  # type: ignore[operator]
        a = math.copysign(integer, a) if target[0] == "f" else integer  # type: ignore[arg-type]
    if target == "f16":
        return bits16(a)  # type: ignore[arg-type]
    if target[0] == "f":
        a = _rounded(float(a), target) if isinstance(a, float) else float(Fraction(a))  # type: ignore[arg-type]
        if isinstance(values[0], int) and target == "f32" and source != "f16":
            a = float(np.float32(values[0]))
        return (0.0 if math.isnan(a) else min(max(a, 0.0), 1.0)) if "sat" in parts else a
    size = int(target[1:])
    low, high = (-(1 << (size - 1)), (1 << (size - 1)) - 1) if target[0] == "s" else (0, (1 << size) - 1)
    if math.isnan(a):  # type: ignore[arg-type]
        return 0
    return low if a == -math.inf else high if a == math.inf else max(low, min(high, a))  # type: ignore[type-var]

