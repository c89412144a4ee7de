"""Kernels that the rules' author has not seen: half of them compute something else on a wave of 64 lanes, half do not.

The labels stand in ``tests/wave_corpus/corpus.toml`` and are proved on the CPU device. A *plain port* takes HIP's names
and drops the lane masks, no more: with 32 lanes it gives what CUDA gives, with 64 lanes it gives the same for the kernels
that are right and something else (or a fault) for those that are wrong. What the translator writes has to give CUDA's
result with both, unless it says at warning level that it does not.
"""

from __future__ import annotations

import ctypes
import re
import sys
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from hipify_py.diagnostics import Severity
from hipify_py.engine import Translation, translate
from hipify_py.lexer import TokenKind, lex
from tests.cpu.support import build, device, devices, np

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).parent / "wave_corpus"
#: What says that a kernel depends on the size of a wave.
WAVE_CODES = frozenset(("HPY301", "HPY302", "HPY303", "HPY309"))
#: A launch that waits for lanes that never come is ended: that is a difference too.
SECONDS = 10.0

_TYPES = {
    "char": np.int8, "unsigned char": np.uint8, "short": np.int16, "int": np.int32, "unsigned": np.uint32,
    "float": np.float32, "double": np.float64,
}
_ARGUMENT = re.compile(r"(?P<type>[a-z]+(?: char)?)(?:\[(?P<size>\d+)\])? (?P<rest>\S.*)")
_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include\b.*\n", re.MULTILINE)
_MACRO = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_LANE = re.compile(rb'asm(?: volatile)?\("mov\.u32 %0, %%?(laneid|lanemask_lt);" : "=r"\((\w+)\)\);')
_REGISTERS = {b"laneid": b"__lane_id()", b"lanemask_lt": b"(unsigned)__lanemask_lt()"}
#: The collectives that take a mask in front, and their names without.
_MASKED = {
    **{f"__{name}_sync".encode(): f"__{name}".encode() for name in (
        "shfl", "shfl_up", "shfl_down", "shfl_xor", "ballot", "any", "all", "match_any", "match_all")},
    **{name: name for name in (b"__reduce_add_sync", b"__reduce_max_sync")},
}


@dataclass(frozen=True)
class Entry:
    """A kernel of the corpus and how it is run."""

    name: str
    wrong: bool
    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    arguments: tuple[str, ...]

    @property
    def source(self) -> bytes:
        return (FOLDER / f"{self.name}.cu").read_bytes()


#: What the rules neither cure nor tell of loudly.
KNOWN: frozenset[str] = frozenset()
UNTOLD = pytest.mark.xfail(strict=True, reason="wrong with 64 lanes, and no rule says so yet")


def _entry(name: str, table: dict) -> Entry:
    wide = lambda value: (*(value if isinstance(value, list) else [value]), 1, 1)[:3]  # noqa: E731
    labels = table.keys() & {"wrong", "right"}
    assert len(labels) == 1, f"{name}: one label"
    return Entry(name, "wrong" in labels, table.get("kernel", name), wide(table["grid"]), wide(table["block"]),
                 table.get("shared", 0), tuple(table["arguments"]))


CORPUS = {name: _entry(name, table) for name, table in tomllib.loads((FOLDER / "corpus.toml").read_text()).items()}
WRONG = tuple(name for name, entry in CORPUS.items() if entry.wrong)
RIGHT = tuple(name for name, entry in CORPUS.items() if not entry.wrong)


def filled(kind: type, size: int, fill: str, draw: np.random.Generator) -> np.ndarray:
    """A buffer's contents at the start."""
    how, *numbers = fill.split()
    low, high = (float(each) for each in (*numbers, 0, 0)[:2])
    values = {
        "zeros": lambda: np.zeros(size),
        "fill": lambda: np.full(size, low),
        "arange": lambda: np.arange(size),
        "ints": lambda: draw.integers(int(low), int(high), size),
        "few": lambda: np.where(draw.random(size // 32) < 0.5, draw.integers(int(low), int(high), size // 32), -1)
        .repeat(32),
        "steps": lambda: np.where(np.arange(size) // 32 % 2, draw.uniform(-high, high, size), draw.uniform(low, high, size)),
        "forest": lambda: (draw.random(size) * (np.arange(size) + 1)).astype(int),
        "uniform": lambda: draw.uniform(low, high, size),
        "bits": lambda: draw.integers(0, 2**32, size, dtype=np.uint64),
        "offsets": lambda: np.concatenate([[0], np.cumsum(draw.integers(int(low), int(high), size - 1))]),
    }[how]()
    if how == "few":
        values = np.where(values < 0, draw.integers(int(low), int(high), size), values)
    return values.astype(kind)


def arguments(entry: Entry) -> tuple[list[object], list[bool]]:
    """Arrays and numbers for a launch, and for each whether its order does not count."""
    draw = np.random.default_rng(zlib.crc32(entry.name.encode()))
    made: list[object] = []
    unordered = []
    for text in entry.arguments:
        match = _ARGUMENT.fullmatch(text)
        assert match, text
        kind, rest = _TYPES[match["type"]], match["rest"].removesuffix(" unordered")
        unordered.append(rest != match["rest"])
        if match["size"]:
            made.append(filled(kind, int(match["size"]), rest, draw))
        else:
            value = np.array([float(rest)]).astype(kind)
            made.append((ctypes.c_char * value.nbytes).from_buffer_copy(value.tobytes()))
    return made, unordered


def plain(source: bytes) -> bytes:
    """HIP's names without lane masks and nothing else: what a search and replace gives."""
    source = _LANE.sub(lambda match: match[2] + b" = " + _REGISTERS[match[1]] + b";", source)
    tokens, out, skip = lex(source), [], 0
    for index in range(len(tokens)):
        if index < skip:
            continue
        text = tokens.text(index)
        if tokens.kind(index) == TokenKind.IDENTIFIER and text in _MASKED and tokens.text(index + 1) == b"(":
            depth, skip = 0, index + 2
            while depth or tokens.text(skip) != b",":
                depth += {b"(": 1, b")": -1}.get(tokens.text(skip), 0)
                skip += 1
            skip += 1
            out.append(_MASKED[text] + (b"(~0ull," if _MASKED[text] == text else b"("))
        elif text == b"__activemask":
            out.append(b"__ballot")
            skip = index + 2
            out.append(b"(1")
        else:
            out.append(text)
    return b"".join(out)


@cache
def translated(name: str) -> Translation:
    return translate(CORPUS[name].source, filename=f"{name}.cu")


def text_of(name: str, port: str) -> bytes:
    return plain(CORPUS[name].source) if port == "plain" else translated(name).text


@cache
def module(port: str, wave: int):
    """All kernels in one module, each in a namespace of its own: one build is shorter than seventy."""
    parts = [b"#include <hip/hip_runtime.h>\n#include <hip/hip_cooperative_groups.h>\n"]
    for name in CORPUS:
        body = _INCLUDE.sub(b"\n", text_of(name, port))
        parts.append(b"namespace n_%s {\n%s}\n" % (name.encode(), body))
        parts.extend(b"#undef %s\n" % macro for macro in dict.fromkeys(_MACRO.findall(body)))
    instances = tuple(f"n_{entry.name}::{entry.kernel}" for entry in CORPUS.values() if "<" in entry.kernel)
    return device().load(build.build_module(b"".join(parts), wave=wave, instances=instances, name=f"{port}.hip",
                                            optimize="-O1"))


@cache
def result(name: str, port: str, wave: int) -> tuple[np.ndarray, ...] | str:
    """All buffers as the kernel leaves them; the error's name if it fails."""
    entry, own = CORPUS[name], device()
    own.limit_launches(SECONDS)
    made, unordered = arguments(entry)
    buffers = [own.upload(each) if isinstance(each, np.ndarray) else each for each in made]
    try:
        own.launch(module(port, wave).function(f"n_{entry.name}::{entry.kernel}"), grid=entry.grid, block=entry.block,
                   shared=entry.shared, arguments=buffers)
        for array, buffer in zip(made, buffers, strict=True):
            if isinstance(array, np.ndarray):
                own.copy_from(array, buffer)
    except devices.DeviceError as error:
        return error.name
    finally:
        own.free_all()
    return tuple(np.sort(array) if free else array for array, free in zip(made, unordered, strict=True)
                 if isinstance(array, np.ndarray))


def same(one: tuple[np.ndarray, ...] | str, other: tuple[np.ndarray, ...] | str) -> bool:
    """Whether two runs computed the same: sums of floats may be rounded in another order."""
    if isinstance(one, str) or isinstance(other, str):
        return False
    return all(np.allclose(a, b, rtol=1e-4, atol=1e-6) if a.dtype.kind == "f" else np.array_equal(a, b)
               for a, b in zip(one, other, strict=True))


def cured(name: str, wave: int) -> bool:
    """Whether the translation computes with this many lanes what CUDA computes with 32."""
    return same(result(name, "plain", 32), result(name, "translated", wave))


def alarms(name: str, *, loud: bool = False) -> list[str]:
    """The diagnostics about waves: all, or those that are more than a note."""
    return [each.code for each in translated(name).diagnostics
            if each.code in WAVE_CODES and (not loud or each.severity is not Severity.NOTE)]


def test_the_corpus_is_whole() -> None:
    assert {path.stem for path in FOLDER.glob("*.cu")} == CORPUS.keys()
    assert len(CORPUS) >= 64
    assert len(WRONG) == len(RIGHT)


@pytest.mark.parametrize("name", CORPUS)
def test_the_label_is_true(name: str) -> None:
    truth = result(name, "plain", 32)
    assert not isinstance(truth, str), truth
    made, _ = arguments(CORPUS[name])
    before = [each for each in made if isinstance(each, np.ndarray)]
    assert not same(truth, tuple(before)), "the kernel does something"
    assert same(truth, result(name, "plain", 64)) is not CORPUS[name].wrong


@pytest.mark.parametrize(("name", "wave"), [
    pytest.param(name, wave, marks=[UNTOLD] if name in KNOWN and wave == 64 else [])
    for name in CORPUS for wave in (32, 64)])
def test_the_translation_computes_what_cuda_does(name: str, wave: int) -> None:
    assert cured(name, wave) or alarms(name, loud=True), "wrong, and nothing was said"


def test_fixes_are_for_32_lanes_too() -> None:
    assert [name for name in CORPUS if not cured(name, 32)] == []


def test_recall_and_false_alarms() -> None:
    missed = [name for name in WRONG if not alarms(name) and not (cured(name, 32) and cured(name, 64))]
    silent = {name for name in WRONG if not alarms(name, loud=True) and not (cured(name, 32) and cured(name, 64))}
    false = [name for name in RIGHT if alarms(name, loud=True)]
    recall, rate = 1 - len(missed) / len(WRONG), len(false) / len(RIGHT)
    print(f"recall {recall:.1%} of {len(WRONG)} ({1 - len(silent) / len(WRONG):.1%} cured or told at warning level), "
          f"false alarms {rate:.1%} of {len(RIGHT)}")
    assert recall >= 0.95, missed
    assert silent <= KNOWN, silent - KNOWN
    assert rate <= 0.05, false
