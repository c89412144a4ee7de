"""Source files as bytes: offsets inside, lines and columns only where a person reads."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field

#: How many bytes of one header are looked at.
HEADER_LIMIT = 4_000_000
BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n?|\n")


def _no_lines() -> array[int]:
    return array("Q")


@dataclass(frozen=True, slots=True, order=True)
class SourceRange:
    """A half-open range of byte offsets, ``start <= offset < end``."""

    start: int
    end: int

    def __contains__(self, offset: int) -> bool:
        return self.start <= offset < self.end


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place as editors count it: line and column from 1, columns in bytes (as clang does)."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One input, exactly as it stands on disk.

    Args:
        name: What the person called it; used in messages and to resolve local includes.
        data: The bytes, with byte order mark, line ends and odd encodings as they are.
    """

    name: str
    data: bytes = field(repr=False)
    _lines: array[int] = field(default_factory=_no_lines, repr=False, compare=False)

    @property
    def bom(self) -> bool:
        """Whether the file starts with a UTF-8 byte order mark."""
        return self.data.startswith(BOM)

    @property
    def newline(self) -> bytes:
        """The line end of the first line; a line feed where there is none."""
        match = _LINE_END.search(self.data)
        return match.group() if match else b"\n"

    @property
    def is_c(self) -> bool:
        """Whether this is plain C, by its name: no C++ may be written into it."""
        return self.name.endswith(".c")

    def location(self, offset: int) -> Location:
        """The line and column of a byte offset, in O(log lines) after the first call."""
        if not self._lines:
            self._lines.append(0)
            self._lines.extend(match.end() for match in _LINE_END.finditer(self.data))
        line = bisect_right(self._lines, offset)
        start = self._lines[line - 1]
        if line == 1 and self.bom:
            start = min(len(BOM), offset)
        return Location(line, offset - start + 1)

    def line_range(self, offset: int) -> SourceRange:
        """The line that holds an offset, without its line end."""
        start = max(self.data.rfind(b"\n", 0, offset), self.data.rfind(b"\r", 0, offset)) + 1
        if self.data[start - 1 : start + 1] == b"\r\n":
            # Between the two bytes of a line end: still the line that it ends.
            return SourceRange(self.line_range(start - 1).start, start - 1)
        match = _LINE_END.search(self.data, offset)
        return SourceRange(start, match.start() if match else len(self.data))


def renamed(path: bytes, old: bytes, new: bytes) -> bytes:
    """A path as a source writes it, for a file that moves from ``old`` to ``new``: its last parts become those of ``new``.

    Folders are replaced as far as they are those of ``old``: ``..`` and links stay as they are.
    """
    parts, before, after = path.split(b"/"), old.split(b"/"), new.split(b"/")
    for number in range(1, min(len(parts), len(after)) + 1):
        if number > 1 and (number > len(before) or parts[-number] != before[-number]):
            break
        parts[-number] = after[-number]
    return b"/".join(parts)
