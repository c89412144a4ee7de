"""Inline PTX as text: ``asm`` statements, their operands, and the instructions of their templates. Pure.

What lies here knows the shape of PTX, not its meaning: that is the table's (:mod:`hipify_py.ptx_table`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.syntax import closing

_WORDS = frozenset((b"asm", b"__asm__", b"__asm"))
_QUALIFIERS = frozenset((b"volatile", b"__volatile__", b"__volatile", b"inline", b"__inline__", b"goto", b"const"))
_STRINGS = (TokenKind.STRING, TokenKind.RAW_STRING)
_RAW = re.compile(rb"\AR\"([^()\\\s]{0,16})\((.*)\)\1\"\Z", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([abfnrtv\\'\"?])|x([0-9a-fA-F]+)|([0-7]{1,3})|[ \t]*(?:\r\n?|\n))")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "b": "\b"}
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_LABEL = re.compile(r"\s*[$%A-Za-z_][\w$=%{}]*\s*:(?!:)\s*")
_INSTRUCTION = re.compile(r"(?:@\s*(!?)\s*(%?[\w$]+)\s+)?([a-z]\w*(?:\.[\w:]+)*)\s*(.*)", re.DOTALL)
_REGISTER = re.compile(r"\.reg\s*(\.\w+)\s+(.*)", re.DOTALL)
_REGISTER_NAME = re.compile(r"%?([A-Za-z_$][\w$]*)(?:<(\d+)>)?")


class UnreadableError(ValueError):
    """A template that is no plain list of instructions; the text says why."""


@dataclass(frozen=True, slots=True)
class AsmOperand:
    """One operand: ``[name] "constraint" (expression)``.

    Args:
        name: Its symbolic name; empty for most.
        constraint: The letters without ``=``, ``+`` and ``&``: ``r``, ``l``, ``f`` ...
        output: It is written.
        both: It is read as well (``+r``).
        open: Token index of the expression's bracket.
        close: Token index of the bracket that closes it.
    """

    name: str
    constraint: str
    output: bool
    both: bool
    open: int
    close: int


@dataclass(frozen=True, slots=True)
class AsmStatement:
    """One ``asm`` statement.

    Args:
        first: Token index of ``asm``.
        open: Token index of its bracket.
        close: Token index of the bracket that closes it.
        template: The text of its strings, escapes resolved.
        complete: All of the template is strings: no macro stands between them.
        goto: It can jump.
        extended: It has a colon: ``%%`` is one ``%``.
        operands: Outputs and inputs, in order.
    """

    first: int
    open: int
    close: int
    template: str
    complete: bool
    goto: bool
    extended: bool
    operands: tuple[AsmOperand, ...]


@dataclass(frozen=True, slots=True)
class Instruction:
    """One PTX instruction.

    Args:
        opcode: With its suffixes: ``add.cc.u32``.
        operands: As they are written, white space at the ends left out.
        predicate: The register of ``@p``; empty for none.
        negated: ``@!p``.
    """

    opcode: str
    operands: tuple[str, ...]
    predicate: str = ""
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """A template: its registers (name to type, ``b32``) and its instructions."""

    registers: dict[str, str]
    instructions: tuple[Instruction, ...]


def statements(tokens: TokenStream) -> Iterator[AsmStatement]:
    """All ``asm`` statements of a source whose brackets are balanced."""
    done = 0
    for match in re.finditer(rb"\b(?:__asm__|__asm|asm)\b", tokens.data):
        index = tokens.index_at(match.start())
        if index < done or tokens.kind(index) != TokenKind.IDENTIFIER or tokens.name(index) not in _WORDS:
            continue
        found = _statement(tokens, index)
        if found is not None:
            done = found.close
            yield found


def _statement(tokens: TokenStream, index: int) -> AsmStatement | None:
    place = tokens.next_code(index)
    goto = False
    while place < len(tokens) and tokens.text(place) in _QUALIFIERS:
        goto = goto or tokens.text(place) == b"goto"
        place = tokens.next_code(place)
    if place >= len(tokens) or tokens.text(place) != b"(":
        return None
    close = closing(tokens, place)
    if close is None:
        return None
    sections = _sections(tokens, place, close)
    template, complete = _template(tokens, *sections[0])
    operands: list[AsmOperand] = []
    for number, (start, end) in enumerate(sections[1:3]):
        operands.extend(_operands(tokens, start, end, output=number == 0))
    return AsmStatement(index, place, close, template, complete, goto, len(sections) > 1, tuple(operands))


def _sections(tokens: TokenStream, open_index: int, close: int) -> list[tuple[int, int]]:
    """What stands between the colons, as ranges of tokens."""
    found: list[tuple[int, int]] = []
    start = place = open_index + 1
    while place < close:
        text = tokens.text(place) if tokens.kind(place) == TokenKind.PUNCTUATION else b""
        if text in (b"(", b"[", b"{"):
            place = closing(tokens, place, close) or place
        elif text in (b":", b"::"):
            found.append((start, place))
            if text == b"::":
                found.append((place + 1, place + 1))
            start = place + 1
        place += 1
    return [*found, (start, close)]


def _template(tokens: TokenStream, start: int, end: int) -> tuple[str, bool]:
    """The text of the strings between two tokens, and whether nothing else stands there."""
    pieces, complete = [], True
    for place in range(start, end):
        if tokens.kind(place) in _STRINGS:
            pieces.append(_unquoted(tokens.text(place)))
        elif not tokens.is_trivia(place):
            complete = False
            pieces.append("_")
    return "".join(pieces), complete and bool(pieces)


def _unquoted(literal: bytes) -> str:
    raw = _RAW.match(literal)
    if raw is not None:
        return raw.group(2).decode("utf-8", "replace")
    text = literal.decode("utf-8", "replace")
    return _ESCAPE.sub(_unescaped, text[text.find('"') + 1 : text.rfind('"')])


def _unescaped(match: re.Match[str]) -> str:
    letter, code, octal = match.groups()
    if letter:
        return _ESCAPES.get(letter, letter)
    if code or octal:
        return chr(int(code, 16) % 256 if code else int(octal, 8) % 256)
    return ""


def _operands(tokens: TokenStream, start: int, end: int, *, output: bool) -> Iterator[AsmOperand]:
    name, constraint = "", ""
    place = start
    while place < end:
        text = tokens.text(place)
        if tokens.kind(place) in _STRINGS:
            constraint += _unquoted(text)
        elif text in (b"(", b"["):
            close = closing(tokens, place, end)
            if close is None:
                return
            if text == b"[":
                name = tokens.data[tokens.end(place) : tokens.start(close)].strip().decode("utf-8", "replace")
            else:
                yield AsmOperand(name, constraint.strip("=+&% "), output, "+" in constraint, place, close)
                name, constraint = "", ""
            place = close
        place += 1


# The template ---------------------------------------------------------------------------------------------------------

def opcodes(template: str) -> list[str]:
    """The opcodes of a template, as far as it can be read."""
    return [found.group(3) for line in re.split(r"[;\n{}]", _COMMENT.sub(" ", template))
            if (found := _INSTRUCTION.match(_LABEL.sub("", line.strip(), count=1)))]


def read(statement: AsmStatement) -> Program:
    """The instructions of a template.

    Raises:
        UnreadableError: It has labels, directives other than ``.reg``, or pieces that macros put in.
    """
    if not statement.complete:
        raise UnreadableError("a macro puts its template together")
    if statement.goto:
        raise UnreadableError("it can jump out")
    text = _COMMENT.sub(" ", statement.template)
    if statement.extended:
        text = text.replace("%%", "%")
    registers: dict[str, str] = {}
    instructions: list[Instruction] = []
    for piece in _pieces(text):
        if piece.startswith("."):
            _declare(piece, registers)
            continue
        if _LABEL.match(piece):
            raise UnreadableError("it has a label")
        match = _INSTRUCTION.fullmatch(piece)
        if match is None:
            raise UnreadableError(f"`{' '.join(piece.split())[:40]}` is no instruction")
        negated, predicate, opcode, rest = match.groups()
        instructions.append(Instruction(opcode, tuple(_split(rest)), (predicate or "").lstrip("%"), bool(negated)))
    return Program(registers, tuple(instructions))


def _pieces(text: str) -> Iterator[str]:
    """The parts between semicolons; the braces of a block, which follow no opcode, are left out."""
    for part in text.split(";"):
        piece = part.strip()
        while piece[:1] in ("{", "}"):
            piece = piece[1:].strip()
        while piece.endswith("}") and piece.count("}") > piece.count("{"):
            piece = piece[:-1].strip()
        if piece:
            yield piece


def _declare(piece: str, registers: dict[str, str]) -> None:
    match = _REGISTER.fullmatch(piece)
    if match is None:
        raise UnreadableError(f"`{piece.split(maxsplit=1)[0]}` is no register declaration")
    kind = match.group(1)[1:]
    for item in match.group(2).split(","):
        name = _REGISTER_NAME.fullmatch(item.strip())
        if name is None:
            raise UnreadableError(f"`{item.strip()}` is no register")
        count = name.group(2)
        for register in [name.group(1)] if count is None else [f"{name.group(1)}{number}" for number in range(int(count) % 256)]:
            if register in registers:
                raise UnreadableError(f"`{register}` is declared twice")
            registers[register] = kind


def _split(text: str) -> Iterator[str]:
    """Operands at the commas outside brackets."""
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "[{(") - (letter in "]})")
        if letter == "," and depth == 0:
            yield text[start:place].strip()
            start = place + 1
    if text[start:].strip():
        yield text[start:].strip()
