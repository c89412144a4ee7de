"""Which lines of a file and of its translation stand beside each other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipify_py.report.diff import CONTEXT, Change, changes, split_lines

if TYPE_CHECKING:
    from hipify_py.files import FileResult


@dataclass(frozen=True, slots=True)
class Row:
    """Lines beside each other, from 0; None where one side has none."""

    old: int | None
    new: int | None
    changed: bool


def hunks(result: FileResult, told: Collection[int]) -> list[list[Row]]:
    """The rows that are worth showing, in groups with nothing left out in between.

    Args:
        result: A translation.
        told: Lines of the source that somebody is told of, from 0.
    """
    old = split_lines(result.translation.source.data)
    changed = changes(result, old) if result.translation.changed else []
    rows = _rows(len(old), changed, told)
    wanted = [row.changed or (row.old in told) for row in rows]
    groups: list[list[Row]] = []
    last = None
    for number in _near(wanted):
        if last is None or number != last + 1:
            groups.append([])
        groups[-1].append(rows[number])
        last = number
    return groups


def _rows(count: int, changed: Sequence[Change], told: Collection[int]) -> list[Row]:
    """All rows of a file; what is told of behind its last line gets one too."""
    rows: list[Row] = []
    line = shift = 0
    for start, end, new in changed:
        rows += (Row(each, each + shift, False) for each in range(line, start))
        for each in range(max(end - start, len(new))):
            rows.append(Row(start + each if start + each < end else None,
                            start + shift + each if each < len(new) else None, True))
        line, shift = end, shift + len(new) - (end - start)
    rows += (Row(each, each + shift, False) for each in range(line, count))
    if count in told:
        rows.append(Row(count, None, False))
    return rows


def _near(wanted: Sequence[bool]) -> list[int]:
    """The numbers of the rows that are wanted, and of some around each."""
    found: list[int] = []
    for number, each in enumerate(wanted):
        if each:
            first = max(number - CONTEXT, found[-1] + 1 if found else 0)
            found += range(first, min(number + CONTEXT + 1, len(wanted)))
    return found
