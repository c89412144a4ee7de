"""The table of PTX instructions and what each is in C++ (``mapping/ptx.csv``). Pure.

A row describes *one* instruction::

    opcode             types           operands              cpp                                note
    mul.wide.T         T=u32 s32       d:T.w a:T b:T         ({T.w}){a} * {b}
    ld[.weak]~.global~.T  T=u8 ... f64  d:T? [p]             *({T} *){p}
    bar.sync                           0                     __syncthreads()

* ``opcode``: ``[.x|.y]`` may stand there, ``(x|y)`` is one of them, ``~`` any cache hints, ``*`` anything; a capital
  letter is one of the words that ``types`` has for it.
* ``operands``: ``d:TYPE`` a register, an immediate or an operand of the statement, read or written as that type;
  ``d:TYPE?`` may be a pointer of the program; ``[p]`` an address; ``{a:u32,b:u32}`` a vector; ``#n`` an immediate;
  ``%name``, ``0x1f`` and ``-1`` themselves; ``_`` anything, unread.
* ``cpp``: an expression, which is the first operand's new value if that is called ``d``; or statements parted by
  semicolons, among them ``{d} = ...``. Empty: the instruction has no counterpart, ``note`` is the advice.
  ``{T}`` is the C++ type, ``{T.u}`` the unsigned one, ``{T.w}`` the one of double width; ``{cc}`` the carry, ``{t}`` a
  variable of its own, ``{lane}`` the lane's number, ``{wall}`` a clock of constant rate.
* ``note``: with a ``cpp``, what is not the same to the last bit.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import resources

COLUMNS = ("opcode", "types", "operands", "cpp", "note")
CPP_TYPES = {
    "u8": "unsigned char", "s8": "signed char", "u16": "unsigned short", "s16": "short", "u32": "unsigned int",
    "s32": "int", "u64": "unsigned long long", "s64": "long long", "f32": "float", "f64": "double", "pred": "bool",
}
#: Words that types stand for in the opcode and that are constants of HIP in C++.
_WORDS = {
    "cta": "__HIP_MEMORY_SCOPE_WORKGROUP", "cluster": "__HIP_MEMORY_SCOPE_AGENT", "gpu": "__HIP_MEMORY_SCOPE_AGENT",
    "sys": "__HIP_MEMORY_SCOPE_SYSTEM", "relaxed": "__ATOMIC_RELAXED", "acquire": "__ATOMIC_ACQUIRE",
    "release": "__ATOMIC_RELEASE", "acq_rel": "__ATOMIC_ACQ_REL",
}
_HINTS = (r"(?:\.(?:nc|ca|cg|cs|lu|wb|wt|cop|noftz_|evict_(?:first|last|normal|unchanged)|"
          r"L1::\w+|L2::(?!cache_hint)\w+))*")
_OPCODE = re.compile(r"\[([^\]]*)\]|(~)|(\*)|(\.)|(?<=\.)([A-Z])(?=\.|$|\[|~)|([a-z0-9_:]+|[()|])")
_FAMILY = re.compile(r"[a-z]\w*")


class OperandKind(Enum):
    """What an operand of a row is."""

    VALUE = "value"
    ADDRESS = "address"
    VECTOR = "vector"
    LITERAL = "literal"  #: a number, or ``%name``
    ANY = "any"


@dataclass(frozen=True, slots=True)
class OperandSpec:
    """One operand of a row.

    Args:
        kind: What it is.
        name: Its name in the stencil, or the literal.
        type: ``u32``, or a variable: ``T``, ``T.w``; empty for an immediate.
        pointer: It may be a pointer of the program.
        parts: The elements of a vector.
    """

    kind: OperandKind
    name: str = ""
    type: str = ""
    pointer: bool = False
    parts: tuple[OperandSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One row, read."""

    opcode: re.Pattern[str]
    operands: tuple[OperandSpec, ...] | None
    cpp: str
    note: str

    def types(self, opcode: str) -> dict[str, str] | None:
        """What the row's variables are for an opcode; None if it is not about that opcode."""
        match = self.opcode.fullmatch(opcode)
        return None if match is None else match.groupdict()


def plain(name: str) -> str:
    """``b32`` is ``u32``: bits without a sign."""
    return "u" + name[1:] if name[:1] == "b" and name[1:].isdigit() else name


def resolved(name: str, types: dict[str, str]) -> str:
    """A type of a row, ``T.w`` say, for one opcode: ``u64``."""
    variable, _, change = name.partition(".")
    base = plain(types.get(variable, variable))
    if change and base[:1] in "us" and base[1:].isdigit():
        if change == "w":
            return base[0] + str(2 * int(base[1:]))
        return change + base[1:]
    return base


def spelled(name: str, types: dict[str, str]) -> str | None:
    """What a placeholder for a type or a word is in C++."""
    if name.partition(".")[0] not in types:
        return None
    base = resolved(name, types)
    return CPP_TYPES.get(base) or _WORDS.get(base)


@dataclass(frozen=True, slots=True)
class PtxTable:
    """All rows, by the first word of their opcode."""

    rows: dict[str, tuple[Row, ...]]

    def matching(self, opcode: str) -> list[tuple[Row, dict[str, str]]]:
        """The rows about an opcode, with their variables."""
        found = []
        for row in self.rows.get(opcode.partition(".")[0], ()):
            types = row.types(opcode)
            if types is not None:
                found.append((row, types))
        return found

    def knows(self, family: str) -> bool:
        """Whether this is the first word of an opcode of PTX's."""
        return family in self.rows


@cache
def load() -> PtxTable:
    """The table; a malformed row is an error of ours."""
    text = resources.files("hipify_py").joinpath("mapping/ptx.csv").read_text(encoding="utf-8")
    rows: dict[str, list[Row]] = {}
    reader = csv.reader(text.splitlines())
    if tuple(next(reader)) != COLUMNS:
        raise ValueError("ptx.csv: wrong header")
    for opcode, types, operands, cpp, note in reader:
        families = re.match(r"\(([^)]*)\)", opcode)
        row = Row(_pattern(opcode, types), None if operands == "*" else tuple(_spec(each) for each in operands.split()),
                  cpp, note)
        for family in families.group(1).split("|") if families else _FAMILY.findall(opcode)[:1]:
            rows.setdefault(family, []).append(row)
    return PtxTable({family: tuple(found) for family, found in rows.items()})


def _pattern(opcode: str, types: str) -> re.Pattern[str]:
    """The regular expression of an opcode's pattern."""
    known = dict(each.split("=") for each in types.split(";")) if types else {}
    seen: set[str] = set()

    def piece(match: re.Match[str]) -> str:
        optional, hints, anything, dot, variable, text = match.groups()
        if optional is not None:
            return "(?:" + optional.replace(".", r"\.") + ")?"
        if hints:
            return _HINTS
        if anything:
            return ".*"
        if dot:
            return r"\."
        if variable:
            if variable in seen:
                return f"(?P={variable})"
            seen.add(variable)
            return f"(?P<{variable}>{'|'.join(known[variable].split())})"
        return "(?:" if text == "(" else text

    return re.compile(_OPCODE.sub(piece, opcode))


def _spec(text: str) -> OperandSpec:
    if text.startswith("["):
        return OperandSpec(OperandKind.ADDRESS, text[1:-1])
    if text.startswith("{"):
        return OperandSpec(OperandKind.VECTOR, parts=tuple(_spec(each) for each in text[1:-1].split(",")))
    if text == "_":
        return OperandSpec(OperandKind.ANY)
    if text.startswith("#"):
        return OperandSpec(OperandKind.VALUE, text[1:])
    if ":" not in text:
        return OperandSpec(OperandKind.LITERAL, text)
    name, _, kind = text.partition(":")
    return OperandSpec(OperandKind.VALUE, name, kind.rstrip("?"), kind.endswith("?"))
