"""The kernels of ``tests/wave_corpus``: their labels and arguments, and the plain port that a search and replace gives.

Nothing of a device is in here, so that ``tools/record_references.py`` can run the same kernels on an NVIDIA GPU.
"""

from __future__ import annotations

import ctypes
import re
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hipify_py.lexer import TokenKind, lex

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).parent / "wave_corpus"
_TYPES = {
    "char": np.int8, "unsigned char": np.uint8, "short": np.int16, "int": np.int32, "unsigned": np.uint32,
    "float": np.float32, "double": np.float64,
}
_ARGUMENT = re.compile(r"(?P<type>[a-z]+(?: char)?)(?:\[(?P<size>\d+)\])? (?P<rest>\S.*)")
INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include\b.*\n", re.MULTILINE)
MACRO = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
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


def comparable(entry: Entry, buffers: list[np.ndarray]) -> dict[str, np.ndarray]:
    """The buffers of a run that kernels may have changed, by the number of the argument; in order where none is kept."""
    made, unordered = arguments(entry)
    arrays = [(index, free) for index, free in enumerate(unordered) if isinstance(made[index], np.ndarray)]
    return {f"{entry.name}.{index}": np.sort(buffer) if free else buffer
            for (index, free), buffer in zip(arrays, buffers, strict=True) if not np.array_equal(buffer, made[index])}
