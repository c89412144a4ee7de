"""Lines of a source as pieces of text, each with what it is: for colours, and to mark what was edited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from hipify_py.report.text import printable

#: The kinds of pygments' tokens that get a colour, the most particular first, and their classes in the page.
_CLASSES = (("Comment.Preproc", "p"), ("Comment", "c"), ("Literal.String", "s"), ("Literal.Number", "m"), ("Keyword", "k"))
#: A file above this (in bytes) is shown without colours: pygments takes a second a megabyte.
_LIMIT = 1_000_000
_LINE_FEED = re.compile("\n")


@dataclass(frozen=True, slots=True)
class Mark:
    """Bytes that were edited, and the code of the rule."""

    start: int
    end: int
    code: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text of a line, in one kind and edited or not."""

    text: str
    kind: str
    code: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line, without its end."""

    pieces: tuple[Piece, ...]


def lines_of(data: bytes, marks: Sequence[Mark]) -> list[Line]:
    """The lines of a text; line feeds end them.

    Args:
        data: The text; bytes that are no UTF-8 are shown as escapes.
        marks: What was edited, by place.
    """
    text = data.decode("utf-8", "surrogateescape")
    kinds = _kinds(text) if len(data) <= _LIMIT else []
    codes = _in_characters(data, marks)
    cuts = sorted({0, len(text), *(place for span in (*kinds, *codes) for place in span[:2]),
                   *(match.start() + step for match in _LINE_FEED.finditer(text) for step in (0, 1))})
    lines: list[list[Piece]] = [[]]
    kind, code = _Cursor(kinds), _Cursor(codes)
    for start, end in pairwise(cuts):
        if text[start] == "\n":
            lines.append([])
        else:
            shown = "".join(part if part == "\t" else printable(part) for part in _parts(text[start:end].rstrip("\r")))
            if shown:
                lines[-1].append(Piece(shown, kind.at(start), code.at(start)))
    if not lines[-1] and len(lines) > 1:
        lines.pop()
    return [Line(tuple(each)) for each in lines]


class _Cursor:
    """The value of the span at a place; places come in order."""

    def __init__(self, spans: Sequence[tuple[int, int, str]]) -> None:
        self._spans = spans
        self._next = 0

    def at(self, place: int) -> str:
        while self._next < len(self._spans) and self._spans[self._next][1] <= place:
            self._next += 1
        if self._next < len(self._spans) and self._spans[self._next][0] <= place:
            return self._spans[self._next][2]
        return ""


def _parts(text: str) -> Iterator[str]:
    """Tabs apart from the rest: the page shows them as they are."""
    for number, part in enumerate(text.split("\t")):
        if number:
            yield "\t"
        yield part


def _in_characters(data: bytes, marks: Sequence[Mark]) -> list[tuple[int, int, str]]:
    """Marks by their places in the decoded text."""
    if data.isascii():
        return [(mark.start, mark.end, mark.code) for mark in marks]
    found, done, place = [], 0, 0
    for mark in marks:
        place += len(data[done : mark.start].decode("utf-8", "surrogateescape"))
        size = len(data[mark.start : mark.end].decode("utf-8", "surrogateescape"))
        found.append((place, place + size, mark.code))
        done, place = mark.end, place + size
    return found


def _kinds(text: str) -> list[tuple[int, int, str]]:
    """Spans of text with a class; none without pygments."""
    try:
        from pygments.lexers.c_cpp import CppLexer  # noqa: PLC0415 - an extra
    except ImportError:
        return []
    found = []
    for start, kind, value in CppLexer(ensurenl=False, stripnl=False).get_tokens_unprocessed(text):
        name = _class_of(str(kind).removeprefix("Token."))
        if name and value:
            found.append((start, start + len(value), name))
    return found


@cache
def _class_of(kind: str) -> str:
    return next((name for start, name in _CLASSES if kind == start or kind.startswith(start + ".")), "")
