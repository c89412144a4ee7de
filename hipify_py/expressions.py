"""Operands and sums around a token, without a parser: where a term begins and ends."""

from __future__ import annotations

from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.syntax import closing, opening, opening_angle

ADDITIVE = frozenset((b"+", b"-"))
MULTIPLICATIVE = frozenset((b"*", b"/", b"%"))
_UNARY = frozenset((b"*", b"&", b"-", b"+", b"~", b"!"))
_JOINTS = frozenset((b".", b"->", b"::"))
_STATEMENTS = frozenset((b"return", b"else", b"case", b"throw", b"do", b"goto", b"co_return", b"co_yield"))
_CONTROL = frozenset((b"if", b"while", b"for", b"switch", b"catch", b"constexpr"))
_CAST_PUNCTUATION = frozenset((b"*", b"&", b"::", b"<", b">", b",", b"&&"))
_TYPES = frozenset((b"char", b"int", b"long", b"short", b"unsigned", b"signed", b"float", b"double", b"void", b"bool"))


def ends_operand(tokens: TokenStream, index: int) -> bool:
    """Whether an operand ends with this token, so that an operator behind it has two sides."""
    if index < 0:
        return False
    kind = tokens.kind(index)
    if kind == TokenKind.IDENTIFIER:
        return tokens.text(index) not in _STATEMENTS
    if kind in (TokenKind.NUMBER, TokenKind.CHARACTER, TokenKind.STRING, TokenKind.RAW_STRING):
        return True
    if tokens.text(index) == b")":
        start = opening(tokens, index)
        return start is not None and not is_cast(tokens, start, index) and not _is_control(tokens, start)
    return tokens.text(index) in (b"]", b"++", b"--")


def is_binary(tokens: TokenStream, operator: int) -> bool:
    """Whether an operator has an operand on its left."""
    return ends_operand(tokens, tokens.previous_code(operator))


def is_cast(tokens: TokenStream, start: int, end: int) -> bool:
    """Whether the round brackets at these tokens hold a type, and something to cast follows."""
    before, behind = tokens.previous_code(start), tokens.next_code(end)
    if before >= 0 and (tokens.text(before) in (b"]", b")") or (
            tokens.kind(before) == TokenKind.IDENTIFIER and tokens.text(before) not in _STATEMENTS)):
        return False
    if before >= 0 and tokens.text(before) == b">":
        return False
    inside = [place for place in range(start + 1, end) if not tokens.is_trivia(place)]
    if not inside or any(tokens.kind(place) != TokenKind.IDENTIFIER and tokens.text(place) not in _CAST_PUNCTUATION
                         for place in inside):
        return False
    if tokens.kind(inside[0]) != TokenKind.IDENTIFIER and tokens.text(inside[0]) != b"::":
        return False
    if behind >= len(tokens):
        return False
    if tokens.kind(behind) in (TokenKind.IDENTIFIER, TokenKind.NUMBER):
        return True
    known = tokens.text(inside[-1]) == b"*" or any(tokens.text(place) in _TYPES for place in inside)
    last = tokens.text(inside[-1])
    return tokens.text(behind) in (b"(", b"&", b"*", b"~", b"-") and (known or last.endswith((b"_t", b"ptr")))


def start_of(tokens: TokenStream, last: int) -> int:
    """The first token of the operand that ends with ``last``: casts and unary operators in front of it included."""
    place = _start_of_primary(tokens, last)
    while True:
        before = tokens.previous_code(place)
        if before < 0:
            return place
        text = tokens.text(before)
        if text == b")":
            start = opening(tokens, before)
            if start is None or not is_cast(tokens, start, before):
                return place
            place = start
        elif text in _UNARY and not is_binary(tokens, before):
            place = before
        else:
            return place


def _start_of_primary(tokens: TokenStream, last: int) -> int:
    """The first token of a name with scopes, calls, subscripts and members, that ends with ``last``."""
    place = last
    while True:
        text = tokens.text(place)
        before = tokens.previous_code(place)
        if text in (b")", b"]"):
            start = opening(tokens, place)
            if start is None:
                return place
            before = tokens.previous_code(start)
            if before >= 0 and tokens.text(before) == b">":
                less = opening_angle(tokens, before)
                name = -1 if less is None else tokens.previous_code(less)
                if name < 0 or tokens.kind(name) != TokenKind.IDENTIFIER:
                    return start
                place = name
                continue
            if before >= 0 and (tokens.text(before) in (b"]", b")") or (
                    tokens.kind(before) == TokenKind.IDENTIFIER and tokens.text(before) not in _STATEMENTS)) \
                    and not _is_control(tokens, start) and not _is_cast_in_front(tokens, before):
                place = before
                continue
            place = start
            before = tokens.previous_code(place)
        if before >= 0 and tokens.text(before) in _JOINTS:
            left = tokens.previous_code(before)
            if left < 0 or not (tokens.kind(left) == TokenKind.IDENTIFIER or tokens.text(left) in (b")", b"]")):
                return before
            place = left
            continue
        return place


def _is_control(tokens: TokenStream, start: int) -> bool:
    before = tokens.previous_code(start)
    return before >= 0 and tokens.text(before) in _CONTROL


def _is_cast_in_front(tokens: TokenStream, close: int) -> bool:
    start = opening(tokens, close) if tokens.text(close) == b")" else None
    return start is not None and (is_cast(tokens, start, close) or _is_control(tokens, start))


def end_of(tokens: TokenStream, first: int, limit: int) -> int:
    """One past the operand that starts with ``first``: unary operators, casts, calls, subscripts, members."""
    place = first
    while place < limit and tokens.text(place) in _UNARY | {b"++", b"--"}:
        place = tokens.next_code(place, limit)
    end = place
    while place < limit:
        text = tokens.text(place)
        if text in (b"(", b"[", b"{"):
            close = closing(tokens, place, limit)
            if close is None:
                return end
            end = close + 1
            if text == b"(" and is_cast(tokens, place, close):
                return end_of(tokens, tokens.next_code(close, limit), limit)
        elif tokens.kind(place) == TokenKind.PUNCTUATION and text not in _JOINTS | {b"++", b"--"}:
            return end
        else:
            end = place + 1
        behind = tokens.next_code(place if text not in (b"(", b"[", b"{") else end - 1, limit)
        if behind >= limit or (tokens.text(behind) not in _JOINTS | {b"(", b"[", b"++", b"--"} and text not in _JOINTS):
            return end
        place = behind
    return end


def sum_around(tokens: TokenStream, first: int, end: int, limit: int) -> tuple[int, int, bool]:
    """The sum of terms that an operand stands in.

    Returns:
        Its first token, one past its last, and whether the operand itself is a factor of a product in it.
    """
    product = False
    start = first
    while True:
        before = tokens.previous_code(start)
        if before < 0 or tokens.text(before) not in ADDITIVE | MULTIPLICATIVE or not is_binary(tokens, before):
            break
        product |= start == first and tokens.text(before) in MULTIPLICATIVE
        start = start_of(tokens, tokens.previous_code(before))
    stop = end
    while True:
        behind = tokens.next_code(stop - 1, limit)
        if behind >= limit or tokens.text(behind) not in ADDITIVE | MULTIPLICATIVE:
            break
        product |= stop == end and tokens.text(behind) in MULTIPLICATIVE
        right = end_of(tokens, tokens.next_code(behind, limit), limit)
        if right <= behind:
            break
        stop = right
    return start, stop, product
