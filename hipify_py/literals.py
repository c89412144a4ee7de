"""String literals: what they say, and where each byte of it stands in the source."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hipify_py.lexer import TokenKind, TokenStream

_ESCAPE = re.compile(rb"\\(?:\r?\n|x[0-9A-Fa-f]+|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[0-7]{1,3}|.)", re.DOTALL)
_SIMPLE = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"0": b"\0", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_QUOTED = re.compile(rb"\A(?:u8|[uUL])?\"(.*)\"", re.DOTALL)
_RAW = re.compile(rb"\A(?:u8|[uUL])?R\"([^()\\\s\"]{0,16})\((.*)\)\1\"", re.DOTALL)
_KINDS = (TokenKind.STRING, TokenKind.RAW_STRING)


@dataclass(frozen=True, slots=True)
class Literal:
    """One literal: its pieces (``"a" "b"`` is one literal), what it says, and the source offset of each byte of that.

    Args:
        first: Its first token.
        end: One past its last token.
        value: The bytes that the program sees.
        starts: Source offset where each byte of the value is written; one more for the end of the last piece.
        ends: Source offset behind each byte of the value.
        pieces: For each byte of the value, the number of the piece it stands in.
        closing: For each piece, what ends it if it is a raw string; empty for an ordinary one.
    """

    first: int
    end: int
    value: bytes
    starts: Sequence[int]
    ends: Sequence[int]
    pieces: Sequence[int]
    closing: tuple[bytes, ...]

    def source_range(self, start: int, end: int) -> tuple[int, int] | None:
        """The source range of ``value[start:end]``; None if it reaches over two pieces."""
        if start == end:
            at = self.starts[start] if start < len(self.value) else self.ends[-1]
            return at, at
        if self.pieces[start] != self.pieces[end - 1]:
            return None
        return self.starts[start], self.ends[end - 1]

    def spell(self, text: bytes, at: int) -> bytes | None:
        """How to write a text at this place of the value; None if the piece cannot hold it."""
        piece = self.pieces[min(at, len(self.pieces) - 1)]
        closing = self.closing[piece]
        if closing:
            return None if closing in text else text
        return text.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\r", b"\\r").replace(b"\n", b"\\n").replace(
            b"\t", b"\\t")


def literals(tokens: TokenStream) -> Iterator[Literal]:
    """All string literals of a source, neighbouring pieces joined."""
    places = sorted([*tokens.of_kind(TokenKind.STRING), *tokens.of_kind(TokenKind.RAW_STRING)])
    at = 0
    while at < len(places):
        chosen = [places[at]]
        at += 1
        while at < len(places) and tokens.next_code(chosen[-1]) == places[at]:
            chosen.append(places[at])
            at += 1
        literal = _join(tokens, chosen)
        if literal is not None:
            yield literal


def _join(tokens: TokenStream, places: list[int]) -> Literal | None:
    """One literal from its pieces; None if one is unterminated."""
    value = bytearray()
    starts, ends, pieces = array("Q"), array("Q"), array("I")
    closings = []
    for number, place in enumerate(places):
        text, offset = tokens.text(place), tokens.start(place)
        if tokens.kind(place) == TokenKind.RAW_STRING:
            match = _RAW.match(text)
            if match is None:
                return None
            closings.append(b")" + match.group(1) + b'"')
            first, body = match.start(2), match.group(2)
            value += body
            starts.extend(range(offset + first, offset + first + len(body)))
            ends.extend(range(offset + first + 1, offset + first + len(body) + 1))
            pieces.extend([number] * len(body))
            continue
        match = _QUOTED.match(text)
        if match is None:
            return None
        closings.append(b"")
        position, stop = match.start(1), match.end(1)
        while position < stop:
            escape = _ESCAPE.search(text, position, stop)
            plain = stop if escape is None else escape.start()
            value += text[position:plain]
            starts.extend(range(offset + position, offset + plain))
            ends.extend(range(offset + position + 1, offset + plain + 1))
            if escape is None:
                break
            said = _said(escape.group())
            value += said
            starts.extend([offset + plain] * len(said))
            ends.extend([offset + escape.end()] * len(said))
            position = escape.end()
        pieces.extend([number] * (len(value) - len(pieces)))
    return Literal(places[0], places[-1] + 1, bytes(value), starts, ends, pieces, tuple(closings))


def _said(text: bytes) -> bytes:
    """What one character or escape sequence of an ordinary literal says."""
    if not text.startswith(b"\\") or len(text) == 1:
        return text
    body = text[1:]
    if body in (b"\n", b"\r\n"):
        return b""
    if body[:1] in (b"x", b"u", b"U") and len(body) > 1:
        number = int(body[1:], 16)
        return bytes((number,)) if number < 256 else b"?"
    if body.isdigit() and len(body) > 1:
        return bytes((int(body, 8) & 255,))
    return _SIMPLE.get(body, body)
