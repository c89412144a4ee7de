"""Where a string goes, from tokens: into which calls, directly, by a variable, or by a parameter of a function here."""

from __future__ import annotations

from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.syntax import arguments, call_open, closing, opening

_STEPS = 64
_WORDS = frozenset((b"if", b"for", b"while", b"switch", b"return", b"sizeof", b"catch"))


class Flow:
    """The string literals that reach one argument of some calls."""

    def __init__(self, tokens: TokenStream, calls: list[int], argument: int | None) -> None:
        """Follow the arguments of the calls at these name tokens back to literals.

        Args:
            tokens: The source.
            calls: The tokens of the functions' names.
            argument: Which argument matters; None for all of them.
        """
        self._tokens = tokens
        self._names: dict[bytes, list[int]] | None = None
        self._seen: set[bytes] = set()
        #: The first tokens of the literals.
        self.literals: set[int] = set()
        self._pending: list[bytes] = []
        for index in calls:
            self._take_call(index, argument)
        steps = 0
        while self._pending and steps < _STEPS:
            self._follow(self._pending.pop())
            steps += 1

    def _take_call(self, index: int, argument: int | None) -> None:
        bracket = call_open(self._tokens, index)
        call = None if bracket is None else arguments(self._tokens, bracket)
        if call is None:
            return
        for number, each in enumerate(call.arguments):
            if argument is None or number == argument:
                self._take(each.first, each.end)

    def _take(self, first: int, end: int) -> None:
        """Note the literals and the names of an expression."""
        tokens = self._tokens
        for place in range(first, min(end, len(tokens))):
            kind = tokens.kind(place)
            if kind in (TokenKind.STRING, TokenKind.RAW_STRING):
                self.literals.add(place)
            elif kind == TokenKind.IDENTIFIER:
                name = tokens.text(place)
                if name not in self._seen and name not in _WORDS:
                    self._seen.add(name)
                    self._pending.append(name)

    def _places(self, name: bytes) -> list[int]:
        if self._names is None:
            self._names = {}
            for index in self._tokens.identifiers():
                self._names.setdefault(self._tokens.text(index), []).append(index)
        return self._names.get(name, [])

    def _follow(self, name: bytes) -> None:
        """Where a name gets its value: ``name = ...``, ``name[] = {...}``, ``name(...)``, a macro, a parameter."""
        tokens = self._tokens
        for index in self._places(name):
            behind = tokens.next_code(index)
            while behind < len(tokens) and tokens.text(behind) == b"[":
                close = closing(tokens, behind)
                if close is None:
                    break
                behind = tokens.next_code(close)
            before = tokens.previous_code(index)
            text = tokens.text(behind) if behind < len(tokens) else b""
            if before >= 0 and tokens.text(before) == b"define":
                self._take(index + 1, self._line_end(index))
            elif text in (b"=", b"+="):
                self._take(behind + 1, self._statement_end(behind))
            elif text in (b"(", b"{") and before >= 0 and tokens.kind(before) == TokenKind.IDENTIFIER \
                    and tokens.text(before) not in _WORDS:
                close = closing(tokens, behind)
                if close is not None and not self._is_function(close):
                    self._take(behind + 1, close)
            elif text in (b",", b")"):
                self._parameter(index)

    def _parameter(self, index: int) -> None:
        """If the name at this token is a parameter, its function's callers give it its value."""
        tokens = self._tokens
        before = tokens.previous_code(index)
        if before < 0 or not (tokens.kind(before) == TokenKind.IDENTIFIER or tokens.text(before) in (b"*", b"&", b">")):
            return
        place, position = before, 0
        while place >= 0 and tokens.text(place) != b"(":
            if tokens.text(place) in (b";", b"{", b"}"):
                return
            if tokens.text(place) in (b")", b"]"):
                start = opening(tokens, place)
                if start is None:
                    return
                place = start
            position += tokens.text(place) == b","
            place = tokens.previous_code(place)
        close = closing(tokens, place) if place >= 0 else None
        name = tokens.previous_code(place) if place > 0 else -1
        if close is None or name < 0 or tokens.kind(name) != TokenKind.IDENTIFIER or not self._is_function(close):
            return
        for call in self._places(tokens.text(name)):
            if call != name:
                self._take_call(call, position)

    def _is_function(self, close: int) -> bool:
        """Whether a body follows the closing bracket of a list of parameters."""
        behind = self._tokens.next_code(close)
        return behind < len(self._tokens) and self._tokens.text(behind) in (b"{", b"const", b"noexcept", b"->", b":")

    def _statement_end(self, place: int) -> int:
        tokens = self._tokens
        while place < len(tokens) and tokens.text(place) != b";":
            if tokens.text(place) in (b"(", b"{", b"["):
                close = closing(tokens, place)
                if close is None:
                    return place
                place = close
            elif tokens.text(place) in (b")", b"}"):
                return place
            place = tokens.next_code(place)
        return place

    def _line_end(self, place: int) -> int:
        tokens = self._tokens
        while place < len(tokens) and tokens.kind(place) != TokenKind.NEWLINE:
            place += 1
        return place
