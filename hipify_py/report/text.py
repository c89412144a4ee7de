"""Text for people: one line a diagnostic, as compilers write it, then the source line with a caret."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hipify_py.diagnostics import Applicability, Diagnostic, Fix, Severity
from hipify_py.report import Mode
from hipify_py.source import SourceFile, SourceRange

if TYPE_CHECKING:
    from hipify_py.engine import Translation
    from hipify_py.files import FileResult
    from hipify_py.tree import Failure

#: How many failed files the last line names; each has had its own line.
_NAMED = 5
#: How many lines are told where the same was found again.
_LINES = 8
_CUDA_INCLUDE = re.compile(rb"#[ \t]*include[ \t]*[<\"](?:cuda|cu(?:blas|fft|rand|sparse|solver|dnn)|nvrtc)")
#: Columns of a source line that are shown; longer lines are clipped around the caret.
WIDTH = 120
_TAB = 4
_ORDER = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
_COLOURS = {Severity.NOTE: 36, Severity.WARNING: 35, Severity.ERROR: 31}
#: How a fix is announced.
HOW = {Applicability.SAFE: "fix", Applicability.UNSAFE: "fix, with --unsafe-fixes",
       Applicability.DISPLAY_ONLY: "suggestion"}
#: What was done with many files.
_DONE = {Mode.WRITE: "translated", Mode.SHOW: "translated", Mode.CHECK: "checked, nothing written", Mode.LOOK:
         "looked at, nothing written"}
#: Whether it is written, whether the translation has changed -> what is said about an output that was edited by hand.
_EDITED = {
    (True, True): "; merged with the edits by hand in the output",
    (True, False): "; the output was up to date, with edits by hand",
    (False, True): "; the output is stale, and edited by hand",
    (False, False): "; the output is up to date, with edits by hand"}


def grouped(diagnostics: Sequence[Diagnostic]) -> list[list[Diagnostic]]:
    """Diagnostics that say the same, each group at the place of its first."""
    groups: dict[tuple[str, Severity, str], list[Diagnostic]] = {}
    for each in diagnostics:
        groups.setdefault((each.code, each.severity, each.message), []).append(each)
    return list(groups.values())


def show(translation: Translation, diagnostic: Diagnostic, others: Sequence[Diagnostic] = (), *, colour: bool = False) -> str:
    """A diagnostic with its source line, a caret and the fix; the first line alone says all that is needed.

    Args:
        translation: Where it was found.
        diagnostic: What was found.
        others: The same, further down. A person at a terminal is told their lines; a program, which looks for a place and
            a message in each line, gets the first line of each, as far as they are few.
        colour: For a terminal.
    """
    source = translation.source
    place = source.location(diagnostic.range.start)
    lines = [_head(source, diagnostic, colour)]
    if source.data:
        margin = " " * max(5, len(str(place.line)))
        text, start, length = excerpt(source, diagnostic.range)
        mark = " " * start + "^" + "~" * (length - 1)
        lines.append(f"{place.line:>{len(margin)}} | {text}")
        lines.append(f"{margin} | {paint(mark, 32) if colour else mark}")
        if diagnostic.fix is not None and diagnostic.fix.edits:
            lines.append(f"{margin} = {HOW[diagnostic.fix.applicability]}: {describe(diagnostic.fix, source)}")
        if colour and others:
            lines.append(f"{margin} = the same {_lines_of(others, source)}")
        elif others:
            by_line = {source.location(each.range.start).line: each for each in reversed(others)}
            apart = [by_line[line] for line in sorted(by_line)]
            lines.extend(_head(source, each, colour) for each in apart[:_LINES])
            if len(apart) > _LINES:
                lines.append(f"{margin} = the same {_lines_of(apart[_LINES:], source)}")
    return "\n".join(lines)


def _head(source: SourceFile, diagnostic: Diagnostic, colour: bool) -> str:
    place = source.location(diagnostic.range.start)
    severity = diagnostic.severity.value
    if colour:
        severity = paint(severity, _COLOURS[diagnostic.severity])
    where = f"{printable(source.name)}:{place.line}:{place.column}"
    return f"{where}: {severity}: {printable(diagnostic.message)} [{diagnostic.code}]"


def summary(result: FileResult, mode: Mode) -> str:
    """One line about a file. A count never stands right behind a name and a colon: tools would take it for a line."""
    translation = result.translation
    head = printable(str(result.path))
    if result.output is not None and mode is not Mode.SHOW and result.output != result.path:
        head += f" -> {printable(str(result.output))}"
    if translation.changed:
        edits = _count(len(translation.edits), "edit")
        made = result.written or mode is Mode.SHOW
        text = f"{head}: made {edits}" if made else f"{head}: {'needs' if result.stale else 'has'} {edits}"
    else:
        # A fault in what is already HIP still wants a look.
        text = f"{head}: {_why_unchanged(translation.source)}, nothing to do"
    for severity in _ORDER:
        number = translation.count(severity)
        text += f", {_count(number, severity.value)}" if number else ""
    if result.backup is not None:
        text += f"; the original is kept as {printable(str(result.backup))}"
    elif result.conflicts:
        text += f"; {_count(result.conflicts, 'conflict')} with edits by hand in the output: resolve what stands between " \
                "`<<<<<<<` and `>>>>>>>`"
    elif result.edited:
        text += _EDITED[mode is Mode.WRITE, result.written or result.stale]
    elif mode is Mode.CHECK and result.output != result.path:
        text += "; the output is missing or stale" if result.stale else "; the output is up to date"
    elif mode is Mode.WRITE and result.output != result.path:
        if not result.written:
            text += "; the output was up to date"
        elif not translation.changed:
            text += "; copied as it is"
    return text


def total(files: int, edits: int, severities: Counter[Severity], failures: Sequence[Failure], mode: Mode = Mode.WRITE,
          stale: int = 0) -> str:
    """The line below many files."""
    parts = [_count(edits, "edit"), *(_count(severities[each], each.value) for each in _ORDER if severities[each])]
    if mode is Mode.CHECK:
        parts.insert(0, f"{_count(stale, 'output')} missing or stale" if stale else "all outputs are up to date")
    text = f"{_count(files, 'file')} {_DONE[mode]}: {', '.join(parts)}"
    if not failures:
        return text
    names = [printable(str(failure.path)) for failure in failures[:_NAMED]]
    more = f" and {len(failures) - _NAMED} more" if len(failures) > _NAMED else ""
    return f"{text}; {_count(len(failures), 'file')} failed: {', '.join(names)}{more}"


def is_hip(source: SourceFile) -> bool:
    """Whether a source includes HIP."""
    return b"hip/hip_" in source.data or b"hipblas" in source.data or b"hipLaunchKernel" in source.data


def _why_unchanged(source: SourceFile) -> str:
    if not is_hip(source):
        return "no CUDA in it"
    return "CUDA and HIP side by side in it" if _CUDA_INCLUDE.search(source.data) else "already HIP"


def _lines_of(found: Sequence[Diagnostic], source: SourceFile) -> str:
    """Where else something was found: ``in line 7``, ``in lines 7, 9 and 12``."""
    numbers = list(dict.fromkeys(str(source.location(each.range.start).line) for each in found))
    if len(numbers) == 1:
        return f"in line {numbers[0]}"
    shown, more = numbers[:_LINES], len(numbers) - _LINES
    return f"in lines {', '.join(shown)} and {more} more" if more > 0 else f"in lines {', '.join(shown[:-1])} and {shown[-1]}"


def excerpt(source: SourceFile, place: SourceRange) -> tuple[str, int, int]:
    """The line at a place as text for a terminal.

    Returns:
        The text (tabs spread, odd bytes shown as escapes, clipped), the column of the place in it from 0, and how many
        columns to mark.
    """
    line = source.line_range(place.start)
    # A line of megabytes is not shown whole, and is not walked whole either.
    start = max(line.start, place.start - 2 * WIDTH)
    end = min(line.end, place.start + 2 * WIDTH)
    before = _spread(source.data[start : place.start])
    marked = _spread(source.data[place.start : max(place.start, min(place.end, end))], len(before))
    after = _spread(source.data[max(place.start, min(place.end, end)) : end], len(before) + len(marked))
    text = before + marked + after
    first = 0
    if len(before) > WIDTH * 2 // 3 and len(text) > WIDTH:
        first = len(before) - WIDTH // 3
    clipped = text[first : first + WIDTH]
    column = len(before) - first
    if first or start > line.start:
        clipped = "..." + clipped[3:] if column >= 3 else clipped
    if first + WIDTH < len(text) or end < line.end:
        clipped = clipped[:WIDTH] + "..."
    return clipped.rstrip(), column, max(1, min(len(marked), WIDTH - column))


def describe(fix: Fix, source: SourceFile) -> str:
    """A fix in one line: what is replaced by what."""
    parts = []
    for edit in fix.edits[:3]:
        old, new = _short(source.data[edit.start : edit.end]), _short(edit.text)
        if not old:
            parts.append(f"add `{new}`")
        elif not new:
            parts.append(f"remove `{old}`")
        else:
            parts.append(f"`{old}` -> `{new}`")
    more = len(fix.edits) - 3
    return "; ".join(parts) + (f"; and {more} more" if more > 0 else "")


def printable(text: str) -> str:
    """Text in one line without control characters; undecodable bytes of file names become escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def paint(text: str, colour: int) -> str:
    """Text in bold and a colour."""
    return f"\x1b[1;{colour}m{text}\x1b[0m"


def _escape(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return os.fsencode(char.encode("unicode_escape")).decode("ascii")


def _short(data: bytes) -> str:
    text = " ".join(printable(data[:200].decode("utf-8", "surrogateescape").replace("\t", " ").replace("\r", "")
                              .replace("\n", " ")).split())
    return text if len(text) <= 60 else text[:57] + "..."


def _spread(data: bytes, column: int = 0) -> str:
    """Bytes as terminal columns, starting at a column."""
    result: list[str] = []
    for char in data.decode("utf-8", "surrogateescape"):
        piece = " " * (_TAB - column % _TAB) if char == "\t" else printable(char)
        result.append(piece)
        column += len(piece)
    return "".join(result)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
