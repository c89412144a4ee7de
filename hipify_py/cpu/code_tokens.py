"""The code tokens of one source, without trivia and directives: where brackets close, and edits that keep the lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hipify_py.lexer import TokenKind, TokenStream, lex


@dataclass(frozen=True, slots=True)
class Patch:
    """Bytes from `start` to `end` and what stands in their place."""

    start: int
    end: int
    text: bytes


class CodeTokens:
    """One source by its code tokens; places count them."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.tokens: TokenStream = lex(data)
        self.patches: list[Patch] = []
        #: Token indices of code: no trivia, no directives.
        self.code = list(self._code())

    def _code(self) -> Iterator[int]:
        tokens = self.tokens
        directive = False
        for index in range(len(tokens)):
            kind = tokens.kind(index)
            if kind == TokenKind.NEWLINE:
                directive = False
            elif kind == TokenKind.PUNCTUATION and tokens.text(index) == b"#" and tokens.starts_line(index):
                directive = True
            elif kind > TokenKind.COMMENT and not directive:
                yield index

    def text(self, place: int) -> bytes:
        """The spelling of a token; empty outside the source."""
        return self.tokens.text(self.code[place]) if 0 <= place < len(self.code) else b""

    def start(self, place: int) -> int:
        """Where a token begins, in bytes."""
        return self.tokens.start(self.code[place])

    def end(self, place: int) -> int:
        """Where it ends."""
        return self.tokens.end(self.code[place])

    def is_name(self, place: int) -> bool:
        """Whether a token is an identifier."""
        return 0 <= place < len(self.code) and self.tokens.kind(self.code[place]) == TokenKind.IDENTIFIER

    def close(self, place: int) -> int:
        """The place of the bracket that closes the one at `place`; the last place if there is none."""
        pairs = {b"(": b")", b"[": b"]", b"{": b"}"}
        depth = 0
        while place < len(self.code):
            text = self.text(place)
            if text in pairs:
                depth += 1
            elif text in (b")", b"]", b"}"):
                depth -= 1
                if depth == 0:
                    return place
            place += 1
        return len(self.code) - 1

    def close_angle(self, place: int) -> int:
        """The place of the ``>`` that closes the ``<`` at `place`; -1 if it is no list of template arguments."""
        depth = 0
        while place < len(self.code):
            text = self.text(place)
            if text == b"<":
                depth += 1
            elif text in (b">", b">>", b">>>"):
                depth -= len(text)
                if depth <= 0:
                    return place
            elif text in (b"(", b"[", b"{"):
                place = self.close(place)
            elif text in (b";", b"}"):
                return -1
            place += 1
        return -1

    def open_angle(self, place: int) -> int:
        """The place of the ``<`` that opens what the ``>`` at `place` closes; -1 if there is none."""
        depth = 0
        while place >= 0:
            text = self.text(place)
            if text in (b">", b">>"):
                depth += len(text)
            elif text == b"<":
                depth -= 1
                if depth == 0:
                    return place
            elif text == b")":
                place = self.open(place)
            elif text in (b";", b"{", b"}"):
                return -1
            place -= 1
        return -1

    def open(self, place: int) -> int:
        """The place of the ``(`` that opens what the ``)`` at `place` closes; -1 if there is none."""
        depth = 0
        while place >= 0:
            depth += (self.text(place) == b")") - (self.text(place) == b"(")
            if depth == 0:
                return place
            place -= 1
        return -1

    def source(self, first: int, last: int) -> bytes:
        """The text from one place to another, both included, on one line."""
        return b" ".join(self.text(place) for place in range(first, last + 1))

    def replace(self, first: int, last: int, text: bytes) -> None:
        """Put a text in the place of tokens, both included; the lines between them stay."""
        start, end = self.start(first), self.end(last)
        newlines = self.data.count(b"\n", start, end)
        self.patches.append(Patch(start, end, text + b"\n" * newlines))

    def insert(self, offset: int, text: bytes) -> None:
        """Put a text in, at a byte."""
        self.patches.append(Patch(offset, offset, text))
