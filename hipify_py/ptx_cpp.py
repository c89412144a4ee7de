"""From PTX instructions to C++: fits rows of the table to instructions and fills in their stencils. Pure.

Names of the C++ written: ``ptx_0`` is the statement's operand 0, ``ptx_name`` the register ``name``, ``ptx_0t`` a
stencil's own variable and ``ptx_0c`` the carry (no register's name starts with a digit).
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from hipify_py.ptx import AsmStatement, Instruction, Program
from hipify_py.ptx_table import CPP_TYPES, OperandKind, OperandSpec, PtxTable, Row, plain, resolved, spelled

STORAGE = {"h": "u16", "r": "u32", "l": "u64", "f": "f32", "d": "f64", "n": "n"}
TEMPORARY, CARRY = "ptx_0t", "ptx_0c"
_OPERAND = re.compile(r"%(?:(\d+)|\[(\w+)\])")
_INTEGER = re.compile(r"([-+~]?)\s*(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uU]?")
_FLOAT = re.compile(r"([-+]?)(?:0[fF]([0-9a-fA-F]{8})|0[dD]([0-9a-fA-F]{16})|(\d*\.\d*(?:[eE][-+]?\d+)?))")
_ADDRESS = re.compile(r"\[\s*([^\]+]+?)\s*(?:\+\s*(-?\w+)\s*)?\]")
_PLACEHOLDER = re.compile(r"\{(\w+)(\.\w)?\}")
_ASSIGNMENT = re.compile(r"\{(\w+)\} = (.*)", re.DOTALL)


class MisfitError(ValueError):
    """A row is not about this instruction; the text, if there is one, is advice."""


@dataclass(frozen=True, slots=True)
class Site:
    """What the place of a statement says.

    Args:
        texts: How to write each operand of the statement.
        pointer: Whether an operand could be a pointer of the program.
        lane: ``{lane}`` in C++.
        wall: ``{wall}``, a clock of constant rate, in C++.
        narrow: Votes and masks are those of 32 lanes.
        halves: The source includes the header of half-precision numbers.
        builtin: ``threadIdx_x`` to C++.
    """

    texts: tuple[str, ...]
    pointer: Callable[[int], bool]
    lane: str
    wall: str
    narrow: bool
    halves: bool
    builtin: Callable[[str], str]


@dataclass(slots=True)
class Result:
    """One instruction in C++: statements, what they use, and what is to be said."""

    statements: list[str]
    uses: list[int] = field(default_factory=list)
    note: str = ""
    single: bool = False
    reads_carry: bool = False
    writes_carry: bool = False


@dataclass(frozen=True, slots=True)
class Operand:
    """A value: how it is written and what it is stored as (``u32``, ``pred``; ``imm`` for a number)."""

    text: str
    storage: str
    number: int | None = None
    index: int | None = None


class Translator:
    """Translates the instructions of one statement."""

    def __init__(self, statement: AsmStatement, program: Program, table: PtxTable, site: Site) -> None:
        self._statement = statement
        self._program = program
        self._table = table
        self._site = site

    def translate(self, instruction: Instruction) -> Result:
        """One instruction in C++.

        Raises:
            MisfitError: The table has no counterpart; with its advice.
        """
        advice = ""
        for row, types in self._table.matching(instruction.opcode):
            if not row.cpp:
                if row.operands is None or self._looks_alike(row, instruction):
                    advice = advice or row.note
                continue
            try:
                return self._fill(row, types, instruction)
            except MisfitError as reason:
                advice = advice or str(reason)
        raise MisfitError(advice)

    def _looks_alike(self, row: Row, instruction: Instruction) -> bool:
        specs = row.operands or ()
        return len(specs) == len(instruction.operands) and all(
            spec.kind is OperandKind.ANY or spec.name == text for spec, text in zip(specs, instruction.operands, strict=True))

    def _fill(self, row: Row, types: dict[str, str], instruction: Instruction) -> Result:
        if row.operands is None or len(row.operands) != len(instruction.operands):
            raise MisfitError
        if "_ushort" in row.cpp and not self._site.halves:
            raise MisfitError("include `hip/hip_fp16.h` and use its functions")
        bound: dict[str, tuple[str, OperandSpec]] = {}
        for spec, text in zip(row.operands, instruction.operands, strict=True):
            self._bind(spec, text, bound)
        result = Result([], note=row.note)
        filler = _Filler(self, types, bound, result)
        parts = row.cpp.split("; ")
        if row.operands and row.operands[0].name == "d" and not _ASSIGNMENT.match(row.cpp) and len(parts) == 1:
            parts = ["{d} = " + row.cpp]
        for part in parts:
            result.statements.append(filler.statement(part))
        result.single = len(parts) == 1 and not instruction.predicate and "{cc}" not in row.cpp
        result.reads_carry = "{cc}" in row.cpp.replace("{cc} = ", "")
        result.writes_carry = "{cc} = " in row.cpp
        if instruction.predicate:
            condition = self.operand(instruction.predicate)
            if condition.storage != "pred":
                raise MisfitError
            sign = "!" if instruction.negated else ""
            result.statements = [f"if ({sign}{condition.text}) {{ {'; '.join(result.statements)}; }}"]
        elif TEMPORARY in "".join(result.statements):
            result.statements = [f"{{ {'; '.join(result.statements)}; }}"]
        return result

    def _bind(self, spec: OperandSpec, text: str, bound: dict[str, tuple[str, OperandSpec]]) -> None:
        """Tie an operand of the row to one of the instruction."""
        if spec.kind is OperandKind.ANY:
            return
        if spec.kind is OperandKind.LITERAL:
            if not _same_literal(spec.name, text):
                raise MisfitError
        elif spec.kind is OperandKind.VECTOR:
            parts = [each.strip() for each in text.strip("{} ").split(",")]
            if not text.startswith("{") or len(parts) != len(spec.parts):
                raise MisfitError
            for each, part in zip(spec.parts, parts, strict=True):
                self._bind(each, part, bound)
        elif text[:1] in ("[", "{") and spec.kind is not OperandKind.ADDRESS:
            raise MisfitError
        else:
            bound[spec.name] = text, spec

    def operand(self, text: str) -> Operand:
        """What an operand's text is."""
        match = _OPERAND.fullmatch(text)
        if match is not None:
            operands = self._statement.operands
            index = int(match.group(1)) if match.group(1) else next(
                (place for place, each in enumerate(operands) if each.name == match.group(2)), len(operands))
            if index >= len(operands) or operands[index].constraint not in STORAGE:
                raise MisfitError
            return Operand(self._site.texts[index], STORAGE[operands[index].constraint], index=index)
        number = _integer(text)
        if number is not None:
            return Operand(text, "imm", number)
        if _FLOAT.fullmatch(text):
            return Operand(text, "imm")
        name = text.lstrip("%")
        kind = self._program.registers.get(name)
        if kind is None or (plain(kind) not in CPP_TYPES):
            raise MisfitError
        return Operand("ptx_" + name.replace("$", "_"), _stored(plain(kind)))

    @property
    def statement(self) -> AsmStatement:
        """The statement."""
        return self._statement

    @property
    def site(self) -> Site:
        """Its place."""
        return self._site


class _Filler:
    """Fills in one stencil."""

    def __init__(self, translator: Translator, types: dict[str, str], bound: dict[str, tuple[str, OperandSpec]],
                 result: Result) -> None:
        self._of = translator
        self._types = types
        self._bound = bound
        self._result = result

    def statement(self, part: str) -> str:
        """One statement of a stencil."""
        match = _ASSIGNMENT.fullmatch(part)
        if match is None or match.group(1) == "cc":
            return self._text(part)
        text, spec = self._bound[match.group(1)]
        value = self._text(match.group(2))
        if text == "_":
            return f"(void)({value})"
        return self._assignment(self._of.operand(text), spec, value)

    def _assignment(self, target: Operand, spec: OperandSpec, value: str) -> str:
        """``target = value``, converted to what the target is stored as."""
        kind = resolved(spec.type, self._types)
        if target.index is None:
            if target.storage == "imm":
                raise MisfitError
        elif not self._of.statement.operands[target.index].output:
            raise MisfitError
        if target.index is not None:
            self._result.uses.append(target.index)
        if kind != target.storage:
            value = _converted(value, kind, target.storage)
        if (spec.pointer and target.index is not None and target.storage == "u64" and self._of.site.pointer(target.index)):
            value = f"(__typeof__({target.text}))({value})"
        return f"{target.text} = {value}"

    def _text(self, stencil: str) -> str:
        return _PLACEHOLDER.sub(self._placeholder, stencil)

    def _placeholder(self, match: re.Match[str]) -> str:
        name, change = match.group(1), match.group(2) or ""
        site = self._of.site
        if name[0].isupper():
            word = spelled(name + change, self._types)
            if word is None:
                raise MisfitError
            return word
        if name in self._bound:
            text, spec = self._bound[name]
            return self._address(text) if spec.kind is OperandKind.ADDRESS else self._value(text, spec)
        if name in ("lane32", "half"):
            if not site.narrow:
                raise MisfitError("this source counts in whole waves, of 64 lanes on most AMD GPUs, and the result of the "
                             "instruction has 32 bits: use HIP's 64-bit `__ballot` and `__lanemask_lt()`")
            return "(__lane_id() & 31u)" if name == "lane32" else "(__lane_id() & 32u)"
        fixed = {"lane": site.lane, "wall": site.wall, "t": TEMPORARY, "cc": CARRY}.get(name)
        if fixed is not None:
            return fixed
        return self._lop3() if name == "lop3" else site.builtin(name)

    def _read(self, text: str) -> Operand:
        operand = self._of.operand(text)
        if operand.index is not None:
            self._result.uses.append(operand.index)
        return operand

    def _value(self, text: str, spec: OperandSpec) -> str:
        """An operand as a value of the row's type."""
        kind = resolved(spec.type, self._types) if spec.type else ""
        if not kind:
            number = _integer(text)
            if number is None:
                raise MisfitError
            return str(number)
        if text.startswith("!"):
            operand = self._read(text[1:].strip())
            if kind != "pred" or operand.storage != "pred":
                raise MisfitError
            return "!" + operand.text
        operand = self._read(text)
        if operand.storage == "imm":
            return _literal(text, kind)
        if operand.storage == kind and kind in ("f32", "f64", "pred"):
            return operand.text
        if operand.storage == "n":
            return f"({CPP_TYPES[kind]}){operand.text}"
        if kind[0] in "us" and operand.storage[0] == "u" and kind != "u16":
            bits, stored = int(kind[1:]), int(operand.storage[1:])
            if bits > stored:
                raise MisfitError
            local = operand.text.startswith("ptx_") and operand.index is None
            return operand.text if local and kind == operand.storage else f"({CPP_TYPES[kind]}){operand.text}"
        if kind == operand.storage:
            return f"({CPP_TYPES[kind]}){operand.text}"
        return _converted(operand.text, operand.storage, kind)

    def _address(self, text: str) -> str:
        match = _ADDRESS.fullmatch(text)
        if match is None:
            raise MisfitError
        base = self._read(match.group(1))
        if base.storage != "u64":
            raise MisfitError("an address of 32 bits: AMD's address spaces other than the generic one have no such numbers")
        if match.group(2) is None:
            return base.text
        offset = _integer(match.group(2))
        if offset is None:
            raise MisfitError
        return f"((char *){base.text} + {offset})" if offset else base.text

    def _lop3(self) -> str:
        """The boolean expression of a ``lop3`` with its table as an immediate."""
        number = _integer(self._bound["lut"][0])
        if number is None:
            raise MisfitError("its table is no number: write the bits out with `&`, `|` and `^`")
        names = [self._value(*self._bound[name]) for name in "abc"]
        return _boolean(number & 255, names)


def _boolean(lut: int, names: list[str]) -> str:
    """The expression of three words whose value for bits (a, b, c) is bit ``4a + 2b + c`` of the table."""
    a, b, c = names
    if lut in (0, 255):
        return "0u" if lut == 0 else "~0u"
    known = {0x96: f"{a} ^ {b} ^ {c}", 0x69: f"~({a} ^ {b} ^ {c})", 0x80: f"{a} & {b} & {c}", 0xFE: f"{a} | {b} | {c}",
             0xE8: f"({a} & {b}) | ({a} & {c}) | ({b} & {c})", 0x01: f"~({a} | {b} | {c})", 0x7F: f"~({a} & {b} & {c})"}
    if lut in known:
        return known[lut]
    low, high = lut & 15, lut >> 4
    if low == high:
        return _two(low, b, c)
    if low == high ^ 15:
        return f"{a} ^ ({_two(low, b, c)})"
    parts = []
    for bits, word in ((high, a), (low, "~" + a)):
        if bits:
            parts.append(f"({word})" if bits == 15 else f"({word} & ({_two(bits, b, c)}))")
    return " | ".join(parts)


def _two(bits: int, b: str, c: str) -> str:
    """The expression of two words whose value for bits (b, c) is bit ``2b + c`` of the table."""
    return ["0u", f"~({b} | {c})", f"~{b} & {c}", f"~{b}", f"{b} & ~{c}", f"~{c}", f"{b} ^ {c}", f"~({b} & {c})",
            f"{b} & {c}", f"~({b} ^ {c})", c, f"~{b} | {c}", b, f"{b} | ~{c}", f"{b} | {c}", "~0u"][bits]


def _stored(kind: str) -> str:
    """What a register of a type is stored as: signs are the instructions' business."""
    return "u" + kind[1:] if kind[0] == "s" else kind


def _converted(text: str, kind: str, wanted: str) -> str:
    """A value of one type for a place of another, as PTX does it: same bits, or an extension to a wider register."""
    if kind[0] in "us" and wanted[0] in "us" and kind[1:].isdigit():
        if int(kind[1:]) > int(wanted[1:]):
            raise MisfitError
        return text if kind[1:] == wanted[1:] else f"({CPP_TYPES[kind]})({text})"
    functions = {("f32", "u32"): "__float_as_uint({})", ("f32", "s32"): "__float_as_int({})",
                 ("u32", "f32"): "__uint_as_float((unsigned int){})", ("s32", "f32"): "__int_as_float((int){})",
                 ("f64", "u64"): "(unsigned long long)__double_as_longlong({})",
                 ("f64", "s64"): "__double_as_longlong({})",
                 ("u64", "f64"): "__longlong_as_double((long long){})", ("s64", "f64"): "__longlong_as_double({})"}
    found = functions.get((kind, wanted))
    if found is None:
        raise MisfitError
    inner = text if re.fullmatch(r"\w+|\([^()]*\)", text) else f"({text})"
    return found.replace("{}", inner[1:-1] if "({})" in found and inner[0] == "(" else inner)


def _same_literal(wanted: str, text: str) -> bool:
    number = _integer(wanted)
    if number is None:
        return text == wanted
    found = _integer(text)
    return found is not None and found % 2**32 == number % 2**32


def _integer(text: str) -> int | None:
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    digits = match.group(2)
    if len(digits) > 1 and digits[0] == "0" and digits.isdigit():
        value = int(digits, 8) if set(digits) <= set("01234567") else int(digits)
    else:
        value = int(digits, 0)
    return {"-": -value, "~": ~value}.get(match.group(1), value)


def _literal(text: str, kind: str) -> str:
    """An immediate as a C++ literal of a type."""
    if kind[0] == "f":
        return _float_literal(text, kind)
    number = _integer(text)
    if number is None:
        raise MisfitError
    bits = int(kind[1:]) if kind[1:].isdigit() else 1
    if kind == "pred":
        return "true" if number else "false"
    if kind[0] == "u":
        number %= 2**bits
        shown = text.rstrip("uU") if _integer(text) == number else str(number)
        return f"{shown}{'ull' if bits == 64 else 'u'}"
    number = (number + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)
    suffix = "ll" if bits == 64 else ""
    if number == -(2 ** (bits - 1)) and bits >= 32:
        return f"({number + 1}{suffix} - 1)"
    return f"({number}{suffix})" if number < 0 else f"{number}{suffix}"


def _float_literal(text: str, kind: str) -> str:
    match = _FLOAT.fullmatch(text)
    if match is None:
        raise MisfitError
    sign, single, double, decimal = match.groups()
    value = float(decimal) if decimal is not None else float(
        struct.unpack(">f" if single else ">d", bytes.fromhex(single or double))[0])
    if not math.isfinite(value):
        if single is None or kind != "f32":
            raise MisfitError
        return f"({sign}__uint_as_float(0x{single}u))" if sign else f"__uint_as_float(0x{single}u)"
    shown = repr(value) + ("f" if kind == "f32" else "")
    return f"({sign}{shown})" if sign == "-" or shown.startswith("-") else shown
