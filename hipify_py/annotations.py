"""Diagnostics as comments in the translated text (``--annotate``): one line above what they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hipify_py.diagnostics import Diagnostic, Edit
from hipify_py.lexer import TokenKind
from hipify_py.unit import TranslationUnit

_MARK = b"hipify-py: "


def comments(unit: TranslationUnit, diagnostics: Iterable[Diagnostic]) -> Iterator[Edit]:
    """An insertion of a whole line for each diagnostic; what stands there already is not written twice.

    The line goes where a comment may stand: in front of a directive, of a string or a comment that began on an earlier
    line, and of a line that the one above continues into.
    """
    data, newline = unit.data, unit.source.newline
    for each in diagnostics:
        offset = _line_start(unit, each.range.start)
        end = offset
        while end < len(data) and data[end : end + 1] in (b" ", b"\t"):
            end += 1
        text = _MARK + f"{each.severity.value} {each.code}: {each.message}".encode("utf-8", "replace")
        text = b"/* " + text.replace(b"*/", b"* /") + b" */" if unit.source.is_c else b"// " + text.rstrip(b"\\")
        above = data[: offset].rstrip(b"\r\n").splitlines()[-8:] if offset else []
        if text not in (line.strip() for line in above):
            yield Edit(offset, offset, data[offset:end] + text + newline, each.code)


def _line_start(unit: TranslationUnit, offset: int) -> int:
    """The start of the line that a comment about this place may stand above."""
    tokens, data = unit.tokens, unit.data
    while True:
        directive = unit.directives.containing(tokens.index_at(offset)) if len(tokens) else None
        place = directive.range.start if directive is not None else offset
        start = unit.source.line_range(place).start
        index = tokens.index_at(start) if len(tokens) else 0
        inside = len(tokens) > 0 and tokens.start(index) < start and tokens.kind(index) != TokenKind.NEWLINE and (
            tokens.kind(index) != TokenKind.WHITESPACE)
        if inside:
            offset = tokens.start(index)
        elif start and data[:start].rstrip(b"\r\n").endswith(b"\\"):
            offset = start - 1 if data[start - 2 : start] != b"\r\n" else start - 2
        else:
            return start
