"""The names that macros make by ``##``: which pieces, for which uses.

A macro that pastes is followed through the macros that use it, to the tokens in which the arguments stand.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from hipify_py.directives import Macro
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.syntax import arguments
from hipify_py.unit import TranslationUnit

#: How deep macros in macros are followed.
_DEPTH = 4
#: Up to so many definitions of one name, a use may be of any of them.
_BRANCHES = 8


@dataclass(frozen=True, slots=True)
class Paste:
    """Identifiers joined by ``##`` in a macro's body, by token."""

    macro: Macro
    pieces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """One name that a use of a macro makes: the pieces' spellings, and the tokens that the arguments stand in."""

    pieces: tuple[bytes, ...]
    places: tuple[int, ...]

    @property
    def whole(self) -> bytes:
        """The pasted name."""
        return b"".join(self.pieces)


class MacroNames:
    """The macros of one source and the names they make.

    Args:
        unit: The source.
        macros: Those of its macros that count.
    """

    def __init__(self, unit: TranslationUnit, macros: list[Macro]) -> None:
        self.unit = unit
        self.tokens = unit.tokens
        self.macros = macros
        self.by_name: dict[bytes, list[Macro]] = {}
        for macro in macros:
            self.by_name.setdefault(unit.tokens.name(macro.name), []).append(macro)
        self._uses: dict[bytes, list[int]] | None = None

    def uses(self, name: bytes) -> list[int]:
        """The tokens where a macro is used: its name outside ``#define NAME``, ``#undef`` and the like."""
        if self._uses is None:
            self._uses = {}
            defined = {macro.name for macro in self.macros}
            for index in self.tokens.identifiers():
                text = self.tokens.text(index)
                if text in self.by_name and index not in defined and not self.unit.regions.is_frozen(
                        self.tokens.start(index)):
                    self._uses.setdefault(text, []).append(index)
        return self._uses.get(name, [])

    def _uses_of(self, macro: Macro) -> list[int]:
        """The uses that may be of this definition: all of its name, or up to the next one where there are many.

        A few definitions of one name stand in the branches of an ``#if``, and each use may be of any of them.
        """
        name = self.tokens.name(macro.name)
        uses, others = self.uses(name), self.by_name[name]
        if len(others) <= _BRANCHES:
            return uses
        place = bisect_right(others, macro.name, key=lambda each: each.name)
        end = others[place].name if place < len(others) else len(self.tokens)
        return uses[bisect_left(uses, macro.name) : bisect_left(uses, end)]

    def names(self, paste: Paste) -> tuple[list[Name], bool]:
        """The names that a paste makes in this source, and whether all its uses are known."""
        tokens = self.tokens
        parameters = paste.macro.parameters or ()
        if not any(tokens.text(piece) in parameters for piece in paste.pieces):
            return [Name(tuple(tokens.text(piece) for piece in paste.pieces), paste.pieces)], True
        found: list[Name] = []
        known = True
        for values in self._bindings(paste.macro, _DEPTH):
            if values is None:
                known = False
                continue
            texts: list[bytes] = []
            places: list[int] = []
            for piece in paste.pieces:
                text = tokens.text(piece)
                place = values.get(text, piece) if text in parameters else piece
                if place < 0 or tokens.kind(place) not in (TokenKind.IDENTIFIER, TokenKind.NUMBER):
                    known = known and place < 0
                    texts = []
                    break
                texts.append(tokens.text(place))
                places.append(place)
            if texts:
                found.append(Name(tuple(texts), tuple(places)))
        return found, known

    def _bindings(self, macro: Macro, depth: int) -> Iterator[dict[bytes, int] | None]:
        """For each use of a macro, the token of each parameter's argument (-1: it is not just one token)."""
        tokens, parameters = self.tokens, macro.parameters or ()
        if depth == 0:
            yield None
            return
        for use in self._uses_of(macro):
            limit = self.unit.limit(use)
            bracket = tokens.next_code(use, limit)
            if bracket >= limit or tokens.text(bracket) != b"(":
                continue
            call = arguments(tokens, bracket, limit)
            if call is None:
                yield None
                continue
            values = {}
            for parameter, argument in zip(parameters, call.arguments, strict=False):
                single = not argument.empty and argument.end == argument.first + 1
                values[parameter] = argument.first if single else -1
            outer = self._macro_around(use)
            passed = [name for name, place in values.items()
                      if outer is not None and place >= 0 and tokens.text(place) in (outer.parameters or ())]
            if outer is None or not passed:
                yield values
                continue
            for binding in self._bindings(outer, depth - 1):
                if binding is None:
                    yield None
                else:
                    yield values | {name: binding.get(tokens.text(values[name]), -1) for name in passed}

    def _macro_around(self, index: int) -> Macro | None:
        directive = self.unit.directives.containing(index)
        return None if directive is None else directive.macro

    def hip(self, name: bytes) -> bytes | None:
        """What HIP calls a name; None if it has none or no table knows it."""
        mapping = self.unit.table.lookup(name)
        return mapping.hip.encode() or None if mapping is not None else None


def pastes(tokens: TokenStream, macro: Macro) -> Iterator[Paste]:
    """The runs of identifiers that ``##`` joins in a macro's body (``, ## __VA_ARGS__`` joins no name)."""
    first, end = macro.body
    code = [place for place in range(first, end) if not tokens.is_trivia(place)]
    at = 0
    while at < len(code):
        pieces = [code[at]]
        while at + 2 < len(code) and tokens.text(code[at + 1]) == b"##":
            pieces.append(code[at + 2])
            at += 2
        at += 1
        if len(pieces) > 1 and tokens.kind(pieces[0]) == TokenKind.IDENTIFIER and all(
                tokens.kind(piece) in (TokenKind.IDENTIFIER, TokenKind.NUMBER) for piece in pieces):
            yield Paste(macro, tuple(pieces))
