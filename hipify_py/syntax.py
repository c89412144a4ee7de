"""Token-level syntax: brackets, argument lists and template argument lists, without a parser.

All functions work on token indices and give up (None) rather than guess; they never look further than ``REACH``
tokens, so that a hostile file with a million open brackets still translates in linear time.
"""

from __future__ import annotations

from dataclasses import dataclass

from hipify_py.lexer import TokenKind, TokenStream

REACH = 50_000
_OPEN = {b"(": b")", b"[": b"]", b"{": b"}"}
_CLOSE = {value: key for key, value in _OPEN.items()}
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
    stop = min(len(tokens) if limit is None else limit, index + REACH)
    stack: list[bytes] = []
    kind, text, punctuation = tokens.kind, tokens.text, TokenKind.PUNCTUATION
    for place in range(index, stop):
        if kind(place) != punctuation:
            continue
        spelling = text(place)
        if spelling in _OPEN:
            stack.append(_OPEN[spelling])
        elif spelling in _CLOSE:
            if not stack or stack.pop() != spelling:
                return None
            if not stack:
                return place
    return None


def opening(tokens: TokenStream, index: int, limit: int = 0) -> int | None:
    """The bracket that the one at ``index`` closes."""
    stop = max(limit, index - REACH)
    stack: list[bytes] = []
    for place in range(index, stop - 1, -1):
        if tokens.kind(place) != TokenKind.PUNCTUATION:
            continue
        spelling = tokens.text(place)
        if spelling in _CLOSE:
            stack.append(_CLOSE[spelling])
        elif spelling in _OPEN:
            if not stack or stack.pop() != spelling:
                return None
            if not stack:
                return place
    return None


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
    stop = min(len(tokens) if limit is None else limit, index + REACH)
    depth = 0
    place = index
    while place < stop:
        if tokens.kind(place) == TokenKind.PUNCTUATION:
            spelling = tokens.text(place)
            if spelling == b"<":
                depth += 1
            elif spelling in _ANGLES_CLOSE:
                depth -= _ANGLES_CLOSE[spelling]
                if depth <= 0:
                    return place
            elif spelling in _OPEN:
                match = closing(tokens, place, limit)
                if match is None:
                    return None
                place = match
            elif spelling in _CLOSE or spelling in (b";", b"&&", b"||", b"<<<"):
                return None
        place += 1
    return None


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
                match = closing_angle(tokens, place, close)
                if match is not None and _is_template(tokens, place, match):
                    place = match
        place += 1
    bounds = [open_index, *commas, close]
    found = []
    for left, right in zip(bounds, bounds[1:], strict=False):
        first = tokens.next_code(left, right)
        end = tokens.previous_code(right) + 1
        found.append(Argument(first, end) if first < right else Argument(right, right))
    if len(found) == 1 and found[0].empty:
        found = []
    return ArgumentList(open_index, close, tuple(found), tuple(commas))


def _may_be_template(tokens: TokenStream, index: int) -> bool:
    before = tokens.previous_code(index)
    return before >= 0 and tokens.kind(before) == TokenKind.IDENTIFIER


def _is_template(tokens: TokenStream, less: int, greater: int) -> bool:
    """Whether ``name < ... >`` is a template argument list rather than two comparisons: by what follows."""
    behind = tokens.next_code(greater)
    if behind >= len(tokens):
        return False
    if tokens.kind(behind) in (TokenKind.NUMBER, TokenKind.STRING, TokenKind.CHARACTER):
        return False
    follows = tokens.text(behind)
    if follows in (b"(", b"{", b"::", b",", b")", b"*", b"&", b"&&", b">", b">>", b">>>", b";", b"...", b"]", b"}", b"[",
                   b"<<<"):
        # a < b, c > (d): only what holds no arithmetic is taken for a list.
        inner = {tokens.text(place) for place in range(less + 1, greater) if tokens.kind(place) == 9}
        return not inner & {b"=", b"==", b"!=", b"&&", b"||", b"?", b";"}
    return False


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
