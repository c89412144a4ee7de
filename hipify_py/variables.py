"""Which variables a source declares with a given type, from tokens: for types whose HIP counterpart behaves otherwise.

libclang knows better, but statements that it cannot understand drop out of its tree; declarations rarely do so here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.names import is_member_access, seems_declared
from hipify_py.syntax import closing, closing_angle

_QUALIFIERS = frozenset((b"const", b"volatile", b"&", b"&&", b"__restrict__", b"__restrict", b"__device__"))
_BEHIND_NAME = frozenset((b",", b";", b"=", b"[", b")", b"{", b"(", b":"))


@dataclass(frozen=True, slots=True)
class Variable:
    """One declaration: the token of the name; how many times it has to be dereferenced to reach the type."""

    index: int
    depth: int


class Variables:
    """The variables, parameters and members of one type."""

    def __init__(self, tokens: TokenStream, uses_of_type: Sequence[int]) -> None:
        self._tokens = tokens
        self.by_name: dict[bytes, list[Variable]] = {}
        for index in uses_of_type:
            self._read(index)
        self._places: dict[bytes, list[int]] = {}
        self._mine: dict[bytes, list[int]] = {}
        self._others: dict[bytes, list[int]] = {}
        if self.by_name:
            for index in tokens.identifiers():
                name = tokens.text(index)
                if name in self.by_name:
                    self._places.setdefault(name, []).append(index)

    def places(self, name: bytes) -> list[int]:
        """All tokens of one of the names."""
        return self._places.get(name, [])

    def at(self, index: int) -> Variable | None:
        """The declaration that the name at this token refers to, if it is one of this type: the nearest one above."""
        name = self._tokens.text(index)
        mine = self.by_name.get(name)
        if mine is None:
            return None
        indices = self._indices(name)
        above = bisect_left(indices, index)
        if above < len(indices) and indices[above] == index:
            return None
        if above == 0:
            return mine[-1] if is_member_access(self._tokens, index) else None
        others = self._declared_otherwise(name)
        between = bisect_left(others, indices[above - 1])
        return mine[above - 1] if between == len(others) or others[between] > index else None

    def _indices(self, name: bytes) -> list[int]:
        """Where a name is declared with the type."""
        found = self._mine.get(name)
        if found is None:
            self.by_name[name].sort(key=lambda each: each.index)
            found = self._mine[name] = [each.index for each in self.by_name[name]]
        return found

    def _declared_otherwise(self, name: bytes) -> list[int]:
        """Where a name is declared with another type."""
        found = self._others.get(name)
        if found is None:
            mine = set(self._indices(name))
            found = self._others[name] = [
                place for place in self._places[name] if place not in mine and seems_declared(self._tokens, place)
                and not is_member_access(self._tokens, place)]
        return found

    def _read(self, index: int) -> None:
        """Take in what the type name at this token declares."""
        tokens = self._tokens
        depth = 0
        place = tokens.next_code(index)
        before = tokens.previous_code(index)
        while place < len(tokens) and tokens.text(place) == b"const":
            place = tokens.next_code(place)
        if before >= 0 and tokens.text(before) in (b"<", b"const"):
            less = before if tokens.text(before) == b"<" else tokens.previous_code(before)
            close = closing_angle(tokens, less) if less >= 0 and tokens.text(less) == b"<" else None
            if close is not None and tokens.text(close) == b">" and tokens.text(place) in (b">", b","):
                depth, place = 1, tokens.next_code(close)
        while place < len(tokens):
            stars, place = self._stars(place)
            if place >= len(tokens) or tokens.kind(place) != TokenKind.IDENTIFIER:
                return
            name, behind = place, tokens.next_code(place)
            if behind >= len(tokens) or tokens.text(behind) not in _BEHIND_NAME:
                return
            subscripts = 0
            while behind < len(tokens) and tokens.text(behind) == b"[":
                subscripts += 1
                close = closing(tokens, behind)
                if close is None:
                    return
                behind = tokens.next_code(close)
            self.by_name.setdefault(tokens.text(name), []).append(Variable(name, depth + stars + subscripts))
            comma = self._comma(behind)
            if comma is None:
                return
            place = tokens.next_code(comma)

    def _stars(self, place: int) -> tuple[int, int]:
        """Pass over ``*`` and qualifiers; how many stars there were."""
        tokens, stars = self._tokens, 0
        while place < len(tokens) and (tokens.text(place) == b"*" or tokens.text(place) in _QUALIFIERS):
            stars += tokens.text(place) == b"*"
            place = tokens.next_code(place)
        return stars, place

    def _comma(self, place: int) -> int | None:
        """The comma that ends this declarator, if another follows."""
        tokens = self._tokens
        while place < len(tokens):
            text = tokens.text(place)
            if text == b",":
                return place
            if text in (b"(", b"[", b"{"):
                close = closing(tokens, place)
                if close is None:
                    return None
                place = close
            elif text in (b";", b")", b"}", b"]"):
                return None
            place = tokens.next_code(place)
        return None
