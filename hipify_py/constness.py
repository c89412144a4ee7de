"""Whether what an argument points to is const, by the nearest declaration above it: for where libclang knows no type."""

from __future__ import annotations

from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.syntax import Argument

_ENDS_DECLARATOR = frozenset((b",", b")", b"=", b";", b"[", b"{", b"(", b":"))
_IN_DECLARATOR = frozenset((b"*", b"&", b"&&", b"const", b"__restrict__", b"__restrict", b"restrict"))
_STATEMENT_WORDS = frozenset((b"return", b"else", b"case", b"throw", b"delete"))


def points_to_const(tokens: TokenStream, argument: Argument) -> bool:
    """Whether the variable at the root of an argument was declared with ``const`` (the nearest declaration above)."""
    root = argument.first
    while root < argument.end and tokens.text(root) in (b"&", b"*"):
        root = tokens.next_code(root)
    if root >= argument.end:
        return False
    if tokens.kind(root) in (TokenKind.STRING, TokenKind.RAW_STRING):
        return True
    if tokens.kind(root) != TokenKind.IDENTIFIER or tokens.text(tokens.next_code(root)) in (b"(", b"::"):
        return False
    name, place = tokens.text(root), root
    while True:
        at = tokens.data.rfind(name, 0, tokens.start(place))
        if at < 0:
            return False
        place = tokens.index_at(at)
        if tokens.start(place) != at or tokens.text(place) != name or not _is_declarator(tokens, place):
            continue
        before = tokens.previous_code(place)
        while before >= 0 and tokens.text(before) not in (b";", b"{", b"}", b"(", b",", b")"):
            if tokens.text(before) in (b"const", b"constexpr"):
                return True
            before = tokens.previous_code(before)
        return False


def _is_declarator(tokens: TokenStream, place: int) -> bool:
    """Whether a name has a type in front of it and the end of a declarator behind."""
    before, behind = tokens.previous_code(place), tokens.next_code(place)
    if before < 0 or behind >= len(tokens) or tokens.text(behind) not in _ENDS_DECLARATOR:
        return False
    while before >= 0 and tokens.text(before) in _IN_DECLARATOR:
        before = tokens.previous_code(before)
    if before < 0:
        return False
    text = tokens.text(before)
    return text == b">" or (tokens.kind(before) == TokenKind.IDENTIFIER and text not in _STATEMENT_WORDS)
