"""Which curly brackets stand around a token, and what the tokens in front of them say."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py import syntax
from hipify_py.lexer import TokenKind, TokenStream

_BETWEEN = frozenset((b"mutable", b"noexcept", b"constexpr"))


class Blocks:
    """The curly brackets of a source, paired once."""

    def __init__(self, tokens: TokenStream) -> None:
        self._tokens = tokens
        self._opens: list[int] = []
        self._closes: dict[int, int] = {}
        self._parents: dict[int, int] = {}
        self._marks: list[tuple[int, int]] = []
        stack: list[int] = []
        braces = sorted([*tokens.punctuators(b"{"), *tokens.punctuators(b"}")])
        for index in braces:
            if tokens.text(index) == b"{":
                self._parents[index] = stack[-1] if stack else -1
                stack.append(index)
            elif stack:
                self._closes[stack.pop()] = index
            self._marks.append((index, stack[-1] if stack else -1))

    def around(self, index: int) -> Iterator[int]:
        """The opening brackets around a token, from the inside."""
        low, high = 0, len(self._marks)
        while low < high:
            middle = (low + high) // 2
            if self._marks[middle][0] <= index:
                low = middle + 1
            else:
                high = middle
        block = self._marks[low - 1][1] if low else -1
        while block >= 0:
            yield block
            block = self._parents[block]

    def end_of_scope(self, index: int) -> int:
        """The byte offset at which the innermost block around a token ends."""
        for block in self.around(index):
            close = self._closes.get(block)
            return len(self._tokens.data) if close is None else self._tokens.end(close)
        return len(self._tokens.data)

    def is_device_lambda(self, block: int) -> bool:
        """Whether a bracket opens the body of ``[...] __device__ (...) {``."""
        tokens = self._tokens
        place = tokens.previous_code(block)
        while place >= 0 and tokens.text(place) in _BETWEEN:
            place = tokens.previous_code(place)
        if place >= 0 and tokens.text(place) == b")":
            opened = syntax.opening(tokens, place)
            if opened is None:
                return False
            place = tokens.previous_code(opened)
        marked = False
        while place >= 0 and tokens.text(place) in (b"__device__", b"__host__"):
            marked = marked or tokens.text(place) == b"__device__"
            place = tokens.previous_code(place)
        return marked and place >= 0 and tokens.text(place) == b"]"

    def enclosing_call(self, index: int) -> frozenset[bytes]:
        """The names of the calls in whose brackets a token stands, inside its statement."""
        tokens, names, depth = self._tokens, set(), 0
        place = index - 1
        stop = max(0, index - syntax.REACH)
        while place >= stop:
            if tokens.kind(place) == TokenKind.PUNCTUATION:
                text = tokens.text(place)
                if text in (b")", b"]"):
                    depth += 1
                elif text in (b"(", b"["):
                    depth -= 1
                    before = tokens.previous_code(place)
                    if depth < 0 and text == b"(" and before >= 0 and tokens.kind(before) == TokenKind.IDENTIFIER:
                        names.add(tokens.name(before))
                    depth = max(depth, 0)
                elif text in (b";", b"{", b"}"):
                    break
            place -= 1
        return frozenset(names)

    def initialised_by(self, index: int) -> int | None:
        """The name of the variable that a literal is the value of: ``const char *name = "..."``, ``std::string name(...)``."""
        tokens = self._tokens
        place = tokens.previous_code(index)
        while place >= 0 and (tokens.kind(place) in (TokenKind.STRING, TokenKind.RAW_STRING)
                              or tokens.text(place) in (b"(", b"{", b",")):
            place = tokens.previous_code(place)
        if place >= 0 and tokens.text(place) == b"=":
            place = tokens.previous_code(place)
        while place >= 0 and tokens.text(place) == b"]":
            opened = syntax.opening(tokens, place)
            place = -1 if opened is None else tokens.previous_code(opened)
        return place if place >= 0 and tokens.kind(place) == TokenKind.IDENTIFIER else None
