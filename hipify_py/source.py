"""Source files as bytes: offsets inside, lines and columns only where a person reads."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

BOM = b"\xef\xbb\xbf"


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
    data: bytes
    _lines: list[int] = field(default_factory=list, repr=False, compare=False)

    @property
    def bom(self) -> bool:
        """Whether the file starts with a UTF-8 byte order mark."""
        return self.data.startswith(BOM)

    @property
    def newline(self) -> bytes:
        """The line end of the first line; a line feed where there is none."""
        first = self.data.find(b"\n")
        return b"\r\n" if first > 0 and self.data[first - 1 : first] == b"\r" else b"\n"

    @property
    def is_c(self) -> bool:
        """Whether this is plain C, by its name: no C++ may be written into it."""
        return self.name.endswith(".c")

    def location(self, offset: int) -> Location:
        """The line and column of a byte offset, in O(log lines) after the first call."""
        if not self._lines:
            self._lines.append(0)
            self._lines.extend(match.end() for match in re.finditer(rb"\n", self.data))
        line = bisect_right(self._lines, offset)
        start = self._lines[line - 1]
        if line == 1 and self.bom:
            start = min(len(BOM), offset)
        return Location(line, offset - start + 1)

    def line_range(self, offset: int) -> SourceRange:
        """The line that holds an offset, without its line end."""
        start = self.data.rfind(b"\n", 0, offset) + 1
        end = self.data.find(b"\n", offset)
        end = len(self.data) if end < 0 else end
        if end > start and self.data[end - 1 : end] == b"\r":
            end -= 1
        return SourceRange(start, max(start, end))
