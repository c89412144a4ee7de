"""Token-level syntax: brackets, argument lists and template argument lists, without a parser.

All functions work on token indices and give up (None) rather than guess. Brackets and template argument lists are
matched once for a source and remembered with its tokens, so that a hostile file with a million open ones still
translates in linear time.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from hipify_py.lexer import TokenKind, TokenStream

#: No template argument list is longer than this (tokens).
REACH = 50_000
_OPEN = {b"(": b")", b"[": b"]", b"{": b"}"}
_CLOSE = {value: key for key, value in _OPEN.items()}
_ARITHMETIC = frozenset((b"=", b"==", b"!=", b"?"))
_BEHIND_TEMPLATE = frozenset((b"(", b"{", b"::", b",", b")", b"*", b"&", b"&&", b">", b">>", b">>>", b";", b"...", b"]",
                              b"}", b"[", b"<<<"))
_ANGLES_CLOSE = {b">": 1, b">>": 2, b">>>": 3}
_ANGLES_OPEN = {b"<": 1, b"<<": 2, b"<<<": 3}


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: token indices ``first <= i < end``, white space and comments at its ends left out.

    An empty argument has ``first == end``.
    """

    first: int
    end: int

    @property
    def empty(self) -> bool:
        """Whether nothing stands there."""
        return self.first >= self.end


@dataclass(frozen=True, slots=True)
class ArgumentList:
    """A bracketed list: indices of its brackets and of the commas between its arguments."""

    open: int
    close: int
    arguments: tuple[Argument, ...]
    commas: tuple[int, ...]


def closing(tokens: TokenStream, index: int, limit: int | None = None) -> int | None:
    """The bracket that closes the one at ``index`` (round, square or curly)."""
    partner = tokens.partner(index)
    return partner if partner > index and (limit is None or partner < limit) else None


def opening(tokens: TokenStream, index: int, limit: int = 0) -> int | None:
    """The bracket that the one at ``index`` closes."""
    partner = tokens.partner(index)
    return partner if limit <= partner < index else None


def opening_angle(tokens: TokenStream, index: int, limit: int = 0) -> int | None:
    """The ``<`` whose template argument list ends with the token at ``index`` (``>``, ``>>`` or ``>>>``)."""
    stop = max(limit, index - REACH)
    depth = 0
    place = index
    while place >= stop:
        if tokens.kind(place) == TokenKind.PUNCTUATION:
            spelling = tokens.text(place)
            if spelling in _ANGLES_CLOSE:
                depth += _ANGLES_CLOSE[spelling]
            elif spelling in _ANGLES_OPEN:
                depth -= _ANGLES_OPEN[spelling]
                if depth <= 0:
                    return place if depth == 0 else None
            elif spelling in _CLOSE:
                match = opening(tokens, place, limit)
                if match is None:
                    return None
                place = match
            elif spelling in _OPEN or spelling == b";":
                return None
        place -= 1
    return None


def closing_angle(tokens: TokenStream, index: int, limit: int | None = None) -> int | None:
    """The token that closes the template argument list opened by the ``<`` at ``index``; None if it is a less-than.

    The token can be a ``>>`` or ``>>>`` that closes more than this list.
    """
    close, _ = _angle(tokens, index, limit)
    return close if close >= 0 else None


def _angle(tokens: TokenStream, index: int, limit: int | None) -> tuple[int, bool]:
    """What closes the ``<`` at this index (-1: nothing), and whether no comparison or assignment stands in between.

    One walk answers for every ``<`` that it comes by.
    """
    stop = len(tokens) if limit is None else limit
    answers = tokens.angles.setdefault(stop, {})
    known = answers.get(index)
    if known is not None:
        return known
    stop = min(stop, index + REACH)
    open_lists: list[int] = []
    arithmetic = -1
    place = index
    while place < stop:
        if tokens.kind(place) == TokenKind.PUNCTUATION:
            spelling = tokens.text(place)
            if spelling == b"<":
                open_lists.append(place)
            elif spelling in _ANGLES_CLOSE:
                for _ in range(min(_ANGLES_CLOSE[spelling], len(open_lists))):
                    start = open_lists.pop()
                    answers[start] = place, arithmetic < start
                if not open_lists:
                    break
            elif spelling in _OPEN:
                match = closing(tokens, place, limit)
                if match is None:
                    break
                place = match
            elif spelling in _ARITHMETIC:
                arithmetic = place
            elif spelling in _CLOSE or spelling in (b";", b"&&", b"||", b"<<<"):
                break
        place += 1
    for start in open_lists:
        answers[start] = -1, False
    return answers.get(index, (-1, False))


def arguments(tokens: TokenStream, open_index: int, limit: int | None = None) -> ArgumentList | None:
    """The arguments between the round bracket at ``open_index`` and the one that closes it.

    Commas inside brackets and inside the template argument lists of names do not separate.
    """
    close = closing(tokens, open_index, limit)
    return None if close is None else split(tokens, open_index, close)


def split(tokens: TokenStream, open_index: int, close: int) -> ArgumentList:
    """Split what stands between two tokens at its top-level commas."""
    commas: list[int] = []
    place = open_index + 1
    while place < close:
        if tokens.kind(place) == TokenKind.PUNCTUATION:
            spelling = tokens.text(place)
            if spelling == b",":
                commas.append(place)
            elif spelling in _OPEN:
                match = closing(tokens, place, close)
                place = place if match is None else match
            elif spelling == b"<" and _may_be_template(tokens, place):
                end, plain = _angle(tokens, place, close)
                if end >= 0 and plain and _ends_template(tokens, end):
                    place = end
        place += 1
    bounds = [open_index, *commas, close]
    found = []
    for left, right in pairwise(bounds):
        first = tokens.next_code(left, right)
        end = tokens.previous_code(right) + 1
        found.append(Argument(first, end) if first < right else Argument(right, right))
    if len(found) == 1 and found[0].empty:
        found = []
    return ArgumentList(open_index, close, tuple(found), tuple(commas))


def has_comma(tokens: TokenStream, argument: Argument) -> bool:
    """Whether a macro would take this for several arguments: a comma outside round brackets."""
    place = argument.first
    while place < argument.end:
        spelling = tokens.text(place)
        if spelling == b",":
            return True
        if spelling == b"(":
            place = closing(tokens, place, argument.end) or place
        place += 1
    return False


def _may_be_template(tokens: TokenStream, index: int) -> bool:
    before = tokens.previous_code(index)
    return before >= 0 and tokens.kind(before) == TokenKind.IDENTIFIER


def _ends_template(tokens: TokenStream, greater: int) -> bool:
    """Whether ``name < ... >`` is a template argument list rather than two comparisons: by what follows."""
    behind = tokens.next_code(greater)
    return behind < len(tokens) and tokens.text(behind) in _BEHIND_TEMPLATE


def call_open(tokens: TokenStream, name: int, limit: int | None = None) -> int | None:
    """The round bracket of a call of the name at this index, a template argument list between them included."""
    behind = tokens.next_code(name, limit)
    stop = len(tokens) if limit is None else limit
    if behind < stop and tokens.text(behind) == b"<":
        close = closing_angle(tokens, behind, limit)
        if close is None or tokens.text(close) != b">":
            return None
        behind = tokens.next_code(close, limit)
    return behind if behind < stop and tokens.text(behind) == b"(" else None
