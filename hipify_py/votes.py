"""Votes of a warp in variables of 32 bits: what has to change so that they hold 64 lanes, and whether all of it can."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.syntax import arguments, closing

NARROW = frozenset((b"unsigned", b"int", b"uint32_t", b"uint", b"int32_t", b"signed"))
#: Bit counts and their forms for 64 bits.
WIDER = {b"__popc": b"__popcll", b"__ffs": b"__ffsll"}
_TRUTH = re.compile(rb"__(?:any|all)(?:_sync)?")
_MASKED = re.compile(rb"__syncwarp|__\w+_sync")
_REACH = 20_000


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that is initialised by a vote: the tokens of its name and of the first and last word of its type."""

    name: int
    first: int
    last: int


def can_widen(tokens: TokenStream, index: int) -> bool:
    """Whether everything that a vote of 64 lanes goes into can be widened.

    Args:
        tokens: The source.
        index: The name of the vote: ``__ballot_sync``.
    """
    if _TRUTH.fullmatch(tokens.text(index)):
        return True
    bracket = tokens.next_code(index)
    call = arguments(tokens, bracket) if bracket < len(tokens) and tokens.text(bracket) == b"(" else None
    if call is None:
        return False
    behind = tokens.next_code(call.close)
    if counter(tokens, index) is not None:
        return behind < len(tokens) and tokens.text(behind) == b")"
    variable = variable_of(tokens, index)
    if variable is None or behind >= len(tokens) or tokens.text(behind) != b";":
        return False
    return all(_is_widened(tokens, use) for use in uses(tokens, variable))


def counter(tokens: TokenStream, index: int) -> int | None:
    """The ``__popc`` or ``__ffs`` right around a vote."""
    bracket = tokens.previous_code(index)
    name = tokens.previous_code(bracket) if bracket >= 0 and tokens.text(bracket) == b"(" else -1
    return name if name >= 0 and tokens.text(name) in WIDER else None


def variable_of(tokens: TokenStream, index: int) -> Variable | None:
    """The variable of 32 bits that is declared and initialised by a vote."""
    equals = tokens.previous_code(index)
    if equals < 0 or tokens.text(equals) != b"=":
        return None
    name = tokens.previous_code(equals)
    last = tokens.previous_code(name)
    first = last + 1
    while first > 0 and tokens.previous_code(first) >= 0 and tokens.text(tokens.previous_code(first)) in NARROW:
        first = tokens.previous_code(first)
    if first > last or tokens.kind(name) != TokenKind.IDENTIFIER:
        return None
    return Variable(name, first, last)


def uses(tokens: TokenStream, variable: Variable) -> Iterator[int]:
    """The tokens of a variable's name behind its declaration, to the end of its block."""
    name, depth = tokens.text(variable.name), 0
    for index in range(variable.name + 1, min(len(tokens), variable.name + _REACH)):
        kind = tokens.kind(index)
        if kind == TokenKind.PUNCTUATION:
            depth += (tokens.text(index) == b"{") - (tokens.text(index) == b"}")
            if depth < 0:
                return
        elif kind == TokenKind.IDENTIFIER and tokens.text(index) == name:
            yield index


def counts_around(tokens: TokenStream, use: int) -> int | None:
    """The ``__popc`` or ``__ffs`` whose argument holds a use, with nothing in it that stays 32 bits wide."""
    place = tokens.enclosing(use)
    while place >= 0 and tokens.text(place) == b"(":
        name = tokens.previous_code(place)
        if name >= 0 and tokens.text(name) in WIDER:
            return name
        if name >= 0 and tokens.kind(name) == TokenKind.IDENTIFIER:
            return None
        place = tokens.enclosing(place)
    return None


def ones(tokens: TokenStream, name: int) -> Iterator[int]:
    """The ``1`` and ``1u`` that are shifted in the arguments of a count: they have to be 64 bits wide, too."""
    bracket = tokens.next_code(name)
    close = closing(tokens, bracket)
    for place in range(bracket, close if close is not None else bracket):
        if tokens.kind(place) == TokenKind.NUMBER and tokens.text(place).rstrip(b"uU") == b"1" and (
                tokens.text(tokens.next_code(place)) == b"<<"):
            yield place


def _is_widened(tokens: TokenStream, use: int) -> bool:
    """Whether a use of the variable means the same in 64 bits once it is widened."""
    count = counts_around(tokens, use)
    if count is not None:
        return _is_mask_alone(tokens, use, count)
    before, behind = tokens.previous_code(use), tokens.next_code(use)
    left = tokens.text(before) if before >= 0 else b""
    right = tokens.text(behind) if behind < len(tokens) else b""
    if left == b"(" and right in (b",", b")") and _MASKED.fullmatch(tokens.text(tokens.previous_code(before))):
        return True  # a mask is dropped, or becomes as wide
    if left == b"!" and right in (b")", b"&&", b"||", b";"):
        return True
    if left in (b"(", b"&&", b"||") and right in (b"&&", b"||", b"?"):
        return True
    if left == b"(" and right == b")":
        word = tokens.previous_code(before)
        return word >= 0 and tokens.text(word) in (b"if", b"while")
    if right in (b"==", b"!=", b">"):
        number = tokens.next_code(behind)
        return number < len(tokens) and tokens.text(number).rstrip(b"uUlL") == b"0"
    return False


def _is_mask_alone(tokens: TokenStream, use: int, count: int) -> bool:
    """Whether the argument of a count is the variable, or the variable masked by shifted ones."""
    bracket = tokens.next_code(count)
    close = closing(tokens, bracket)
    if close is None:
        return False
    text = b"".join(tokens.text(place) for place in range(bracket + 1, close) if not tokens.is_trivia(place))
    name = re.escape(tokens.text(use))
    below = rb"\(?\(?1[uU]?<<[\w.]+\)?-1[uU]?\)?"
    return re.fullmatch(name + rb"(?:&" + below + rb")?|" + below + rb"&" + name, text) is not None
