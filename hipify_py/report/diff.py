"""A translation as a unified diff, made from its edits: no search for differences, so that large files cost nothing."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify_py.files import FileResult

#: How many lines are shown around a change.
CONTEXT = 3
#: The old lines ``first <= i < end`` become these.
Change = tuple[int, int, list[bytes]]


def unified(result: FileResult, *, colour: bool = False) -> bytes:
    """The difference between a source and its translation, as ``diff -u`` writes it; empty if there is none.

    The bytes of the lines are those of the files, whatever their encoding; ``patch`` applies it.
    """
    translation = result.translation
    if not translation.changed:
        return b""
    old_name = str(result.path).encode("utf-8", "surrogateescape")
    new_name = str(result.output or result.path).encode("utf-8", "surrogateescape")
    old = split_lines(translation.source.data)
    hunks = changes(result, old)
    out = [_line(b"--- " + old_name + b"\n", 1, colour), _line(b"+++ " + new_name + b"\n", 1, colour)]
    group: list[Change] = []
    shift = 0
    for change in hunks:
        if group and change[0] - group[-1][1] > 2 * CONTEXT:
            shift = _hunk(out, old, group, shift, colour)
            group = []
        group.append(change)
    _hunk(out, old, group, shift, colour)
    return b"".join(out)


def split_lines(data: bytes) -> list[bytes]:
    """Lines with their line feeds; only those end a line."""
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def changes(result: FileResult, old: list[bytes]) -> list[Change]:
    """Runs of changed lines: the old lines ``first <= i < end`` become these."""
    source = result.translation.source
    starts = [0, *accumulate(map(len, old))]
    # Lines end at line feeds alone here, and what stands behind the last one is a line, be it empty.
    firsts = starts if not old or old[-1].endswith(b"\n") else starts[:-1]
    found: list[Change] = []
    pieces: list[bytes] = []
    first = end = place = 0

    def close() -> None:
        if pieces:
            found.append(_trimmed(old, first, end, split_lines(b"".join(pieces) + source.data[place : starts[end]])))

    for edit in result.translation.edits:
        number = bisect_right(firsts, edit.start) - 1
        if not pieces or number > end:
            close()
            pieces, first, end, place = [], number, number, starts[number]
        pieces += [source.data[place : edit.start], edit.text]
        place = edit.end
        end = max(end, min(len(old), bisect_right(firsts, max(edit.start, edit.end - 1))))
        # What swallows a line end joins the next line to it.
        tail = next((piece for piece in reversed(pieces) if piece), b"\n")
        if place == starts[end] and edit.end > edit.start and not tail.endswith(b"\n") and end < len(old):
            end += 1
    close()
    return found


def _trimmed(old: list[bytes], first: int, end: int, new: list[bytes]) -> Change:
    """A change without the lines at its ends that are the same on both sides: an edit may only add a line beside its own."""
    start, stop = 0, len(new)
    while first < end and start < stop and old[end - 1] == new[stop - 1]:
        end, stop = end - 1, stop - 1
    while first < end and start < stop and old[first] == new[start]:
        first, start = first + 1, start + 1
    return first, end, new[start:stop]


def _hunk(out: list[bytes], old: list[bytes], group: list[Change], shift: int,
          colour: bool) -> int:
    """Write one hunk; return by how many lines the new file is ahead behind it."""
    first, last = max(0, group[0][0] - CONTEXT), min(len(old), group[-1][1] + CONTEXT)
    body: list[bytes] = []
    place, added = first, 0
    for start, end, new in group:
        body += [_line(b" " + line, 0, colour) for line in old[place:start]]
        body += [_line(b"-" + line, 31, colour) for line in old[start:end]]
        body += [_line(b"+" + line, 32, colour) for line in new]
        added += len(new) - (end - start)
        place = end
    body += [_line(b" " + line, 0, colour) for line in old[place:last]]
    count = last - first
    head = f"@@ -{_span(first, count)} +{_span(first + shift, count + added)} @@\n"
    out.append(_line(head.encode(), 36, colour))
    out += body
    return shift + added


def _span(first: int, count: int) -> str:
    start = first + 1 if count else first
    return str(start) if count == 1 else f"{start},{count}"


def _line(line: bytes, colour: int, on: bool) -> bytes:
    end = b"" if line.endswith(b"\n") else b"\n\\ No newline at end of file\n"
    if not on or not colour:
        return line + end
    text = line.rstrip(b"\n")
    return b"\x1b[%dm" % colour + text + b"\x1b[0m" + (end or b"\n")
