"""One CUDA function for each row of mapping/ptx.csv, and what its PTX computes, from the PTX ISA manual's definitions.

The model is written from the manual alone: it shares no expression with the table. It was compared with an NVIDIA H200
(driver 580) on random inputs and edge cases, instruction by instruction, and corrected where the two differed.
"""

from __future__ import annotations

import csv
import itertools
import re
from dataclasses import dataclass
from importlib import resources

from hipify_py.ptx_table import resolved

_LETTERS = {"8": ("r", "unsigned int"), "16": ("h", "unsigned short"), "32": ("r", "unsigned int"),
            "64": ("l", "unsigned long long")}
#: How a type is made of the bits of a word, and back.
_READ = {"float": "__uint_as_float((unsigned int){})", "double": "__longlong_as_double((long long){})"}
_WRITE = {"float": "__float_as_uint({})", "double": "(unsigned long long)__double_as_longlong({})"}
NO_VALUE = ("ld", "st", "atom", "red", "bar", "membar", "fence", "trap", "brkpt", "prefetch", "nanosleep", "vote", "shfl",
            "activemask", "barrier")


@dataclass(frozen=True)
class Row:
    """One concrete instruction of a row."""

    opcode: str
    types: dict[str, str]
    specs: tuple[str, ...]
    cpp: str

    def kind(self, spec: str) -> str:
        """The type of an operand's spec."""
        return resolved(spec.partition(":")[2].rstrip("?"), self.types)


def rows() -> list[Row]:
    """Each row that has C++, once for each of its types."""
    text = resources.files("hipify_py").joinpath("mapping/ptx.csv").read_text(encoding="utf-8")
    found = []
    for row in csv.DictReader(text.splitlines()):
        if not row["cpp"]:
            continue
        known = dict(each.split("=") for each in row["types"].split(";")) if row["types"] else {}
        opcode = re.sub(r"\[[^\]]*\]|~|\*", "", row["opcode"])
        opcode = re.sub(r"\((\w+)[^)]*\)", r"\1", opcode)
        for choice in itertools.product(*(words.split() for words in known.values())):
            types = dict(zip(known, choice, strict=True))
            concrete = re.sub(r"(?<=\.)[A-Z](?=\.|$)", lambda match, types=types: types[match.group()], opcode)
            if concrete.startswith(("prefetch", "applypriority", "discard")):
                concrete += ".global.L2"
            found.append(Row(concrete, types, tuple(row["operands"].split()), row["cpp"]))
    return found


def letter(kind: str) -> tuple[str, str]:
    """The constraint and the C++ type for an operand of a type."""
    if kind in ("f32", "f64"):
        return ("f", "float") if kind == "f32" else ("d", "double")
    return _LETTERS[kind[1:]]


def function(row: Row, number: int, *, lut: int = 0x96) -> str:
    """A CUDA function ``f<number>`` with the instruction; inputs from the bits in ``in``, outputs to those in ``out``.

    An address is that of ``in``, and counts as an input: the words of memory at it are the next inputs too.
    """
    outputs: list[tuple[str, str]] = []
    inputs: list[tuple[str, str, str]] = []
    written = _written(row)
    pieces, before, after = [], "", ""

    def place(spec: str) -> str:
        nonlocal before, after
        name, _, _ = spec.partition(":")
        if spec.startswith("["):
            inputs.append(("l", "", "in"))
            return f"[@I{len(inputs) - 1}]"
        if spec.startswith("#"):
            return hex(lut)
        if spec == "_":
            return "0xffffffff"
        if ":" not in spec:
            return "%" + spec if spec.startswith("%") else spec
        kind = row.kind(spec)
        if kind == "pred":
            if name in written:
                outputs.append(("r", "unsigned int"))
                before += ".reg .pred q; "
                after += f"selp.u32 @O{len(outputs) - 1}, 1, 0, q; "
                return "q"
            register = f"p{name}"
            inputs.append(("r", "unsigned int", name))
            before += f".reg .pred {register}; setp.ne.u32 {register}, @I{len(inputs) - 1}, 0; "
            return register
        constraint, type_ = letter(kind)
        if name in written:
            outputs.append((constraint, type_))
            return f"@O{len(outputs) - 1}"
        inputs.append((constraint, type_, name))
        return f"@I{len(inputs) - 1}"

    for spec in row.specs:
        if spec.startswith("{"):
            pieces.append("{" + ", ".join(place(each) for each in spec[1:-1].split(",")) + "}")
        else:
            pieces.append(place(spec))
    body = f"{row.opcode} {', '.join(pieces)};"
    if "{cc}" in row.cpp:
        before = ("mov.u32 @C, 0; add.cc.u32 @C, @I_, 0xffffffff; " if "c." in row.opcode.split("cc")[0] or row.opcode[:4] in (
            "addc", "subc", "madc") else "") + before
        if ".cc" in row.opcode:
            after += "addc.u32 @C, 0, 0; " if not row.opcode.startswith("sub") else "subc.u32 @C, 0, 0; "
    template = before + body + " " + after
    if "@C" in template:
        outputs.append(("r", "unsigned int"))
        template = template.replace("@C", f"@O{len(outputs) - 1}")
    if "@I_" in template:
        inputs.append(("r", "unsigned int", "carry"))
        template = template.replace("@I_", f"@I{len(inputs) - 1}")
    template = re.sub(r"@O(\d+)", lambda match: "%" + match.group(1), template)
    template = re.sub(r"@I(\d+)", lambda match: "%" + str(len(outputs) + int(match.group(1))), template)
    lines = [f"    {type_} o{index} = 0;" for index, (_, type_) in enumerate(outputs)]
    lines += [f"    {type_} i{index} = {_READ.get(type_, f'({type_}){{}}').format(f'in[{index}]')};"
              for index, (_, type_, _) in enumerate(inputs) if type_]
    outs = ", ".join(f'"={constraint}"(o{index})' for index, (constraint, _) in enumerate(outputs))
    ins = ", ".join(f'"{constraint}"({f"i{index}" if type_ else "in"})' for index, (constraint, type_, _) in enumerate(inputs))
    lines.append(f'    asm volatile("{{ {template} }}" : {outs} : {ins});')
    lines += [f"    out[{index}] = {_WRITE.get(type_, '(unsigned long long){}').format(f'o{index}')};"
              for index, (_, type_) in enumerate(outputs)]
    return (f"// {row.opcode} {' '.join(row.specs)}\n"
            f"__device__ void f{number}(unsigned long long *in, unsigned long long *out) {{\n"
            + "\n".join(lines) + "\n}\n")


def _written(row: Row) -> set[str]:
    names = set(re.findall(r"\{(\w+)\} = ", row.cpp))
    if row.specs and row.specs[0].startswith("d:"):
        names.add("d")
    return names


def has_model(row: Row) -> bool:
    """Whether the instruction has a value of integers that the model computes."""
    family = row.opcode.split(".")[0]
    if family in NO_VALUE or family.startswith(("prefetch", "apply", "discard")):
        return False
    kinds = [row.kind(spec) for spec in row.specs if ":" in spec and not spec.startswith("{")]
    return bool(kinds) and all(kind[0] in "us" or kind == "pred" for kind in kinds) and not any(
        spec.startswith(("%", "[", "{")) for spec in row.specs) and "ushort" not in row.cpp


# The model ------------------------------------------------------------------------------------------------------------

def signed(value: int, bits: int) -> int:
    """Two's complement."""
    value %= 1 << bits
    return value - (1 << bits) if value >> (bits - 1) else value


def _as(value: int, kind: str) -> int:
    if kind == "pred":
        return int(value != 0)
    bits = int(kind[1:])
    return signed(value, bits) if kind[0] == "s" else value % (1 << bits)


def model(row: Row, values: list[int], *, lut: int = 0x96) -> int:
    """What the instruction writes, as bits of its destination; ``values`` are the sources' bits."""
    words = row.opcode.split(".")
    op = words[0]
    sources = [spec for spec in row.specs[1:] if ":" in spec]
    kinds = [row.kind(spec) for spec in sources]
    args = [_as(value, kind) for value, kind in zip(values, kinds, strict=False)]
    kind = next((word for word in reversed(words) if re.fullmatch(r"[usb]\d+", word)), "u32")
    bits = int(kind[1:])
    typed = [_as(value, f"{'s' if kind[0] == 's' else 'u'}{bits}") for value in values]
    a, b, c, e = ([*args, 0, 0, 0, 0])[:4]
    if op in ("add", "sub") and "sat" in words:
        total = a + b if op == "add" else a - b
        return max(-2**31, min(2**31 - 1, total))
    if op in ("add", "sub"):
        return a + b if op == "add" else a - b
    if op in ("mul", "mad"):
        left, right = typed[0], typed[1]
        product = left * right
        part = product >> bits if "hi" in words else product
        return part + (c if op == "mad" else 0)
    if op in ("mul24", "mad24"):
        cut = (lambda v: signed(v, 24)) if kind[0] == "s" else (lambda v: v % (1 << 24))
        return cut(values[0]) * cut(values[1]) + (c if op == "mad24" else 0)
    if op in ("div", "rem"):
        left, right = typed[:2]
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if op == "div" else left - quotient * right
    if op == "sad":
        return c + abs(typed[0] - typed[1])
    if op in ("abs", "neg"):
        return abs(typed[0]) if op == "abs" else -typed[0]
    if op in ("min", "max", "vmin", "vmax"):
        return (min if "min" in op else max)(typed[0], typed[1])
    if op == "popc":
        return bin(values[0] % (1 << bits)).count("1")
    if op == "clz":
        return bits - (values[0] % (1 << bits)).bit_length()
    if op == "brev":
        return int(format(values[0] % (1 << bits), f"0{bits}b")[::-1], 2)
    if op == "bfind":
        value = typed[0]
        value = ~value if value < 0 else value
        top = value.bit_length() - 1
        return -1 if top < 0 else (bits - 1 - top if "shiftamt" in words else top)
    if op in ("and", "or", "xor"):
        return {"and": a & b, "or": a | b, "xor": a ^ b}[op]
    if op == "not":
        return int(not a) if words[1] == "pred" else ~a
    if op == "cnot":
        return int(a == 0)
    if op == "shl":
        return 0 if b >= bits else a << b
    if op == "shr":
        return typed[0] >> min(b, bits)
    if op == "shf":
        n = c % 32 if "wrap" in words else min(c, 32)
        both = (b << 32) | a
        return (both << n) >> 32 if words[1] == "l" else both >> n
    if op == "bfe":
        # The manual takes both numbers modulo 256; of 64 bits, the GPU takes them as they are.
        start, length = (b & 255, c & 255) if bits == 32 else (b, c)
        return _bfe(values[0], start, length, bits, kind[0] == "s")
    if op == "bfi":
        result = b
        start, length = (c & 255, e & 255) if bits == 32 else (c, e)
        for i in range(min(length, bits)):
            at = start + i
            if at < bits:
                result = (result & ~(1 << at)) | ((a >> i & 1) << at)
        return result
    if op == "prmt":
        both, result = (b << 32) | a, 0
        for i in range(4):
            pick = c >> 4 * i & 15
            byte = both >> 8 * (pick & 7) & 255
            result |= (255 * (byte >> 7) if pick & 8 else byte) << 8 * i
        return result
    if op == "lop3":
        return sum((lut >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i for i in range(32))
    if op in ("set", "setp"):
        left, right = typed[:2]
        holds = {"eq": left == right, "ne": left != right, "lt": left < right, "le": left <= right, "gt": left > right,
                 "ge": left >= right, "lo": left < right, "ls": left <= right, "hi": left > right,
                 "hs": left >= right}[words[1]]
        return int(holds) if op == "setp" else -int(holds)
    if op == "selp":
        return a if c else b
    if op == "slct":
        return a if c >= 0 else b
    if op == "mov":
        return a
    if op == "cvt":
        wanted = row.kind(row.specs[0])
        if "sat" in words:
            size = int(wanted[1:])
            low, high = (-(1 << (size - 1)), (1 << (size - 1)) - 1) if wanted[0] == "s" else (0, (1 << size) - 1)
            return max(low, min(high, a))
        return _as(a, wanted)
    if op in ("dp4a", "dp2a"):
        return _dot(words, values)
    if op == "vabsdiff":
        return abs(typed[0] - typed[1]) + (c if words[-1] == "add" else 0)
    if op in ("vshl", "vshr"):
        n = b % 32 if "wrap" in words else min(b, 32)
        return (a << n if op == "vshl" else a >> n) % 2**32 + (c if words[-1] == "add" else 0)
    raise NotImplementedError(row.opcode)


def _bfe(value: int, start: int, length: int, bits: int, has_sign: bool) -> int:
    value %= 1 << bits
    if not length:
        return 0
    sign = value >> min(start + length - 1, bits - 1) & 1 if has_sign else 0
    return sum((value >> (start + i) & 1 if i < length and start + i < bits else sign) << i for i in range(bits))


def _dot(words: list[str], values: list[int]) -> int:
    left, right = words[-2][0] == "s", words[-1][0] == "s"
    a, b, total = values[0], values[1], values[2]
    if words[0] == "dp4a":
        parts = [(a >> 8 * i & 255, 8, b >> 8 * i & 255) for i in range(4)]
    else:
        parts = [(a >> 16 * i & 65535, 16, b >> 8 * (i + 2 * (words[1] == "hi")) & 255) for i in range(2)]
    for one, size, other in parts:
        total += (signed(one, size) if left else one) * (signed(other, 8) if right else other)
    return total
