"""Which line of a source a line of its translation comes from."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from hipify_py.files import InputError, read_source, reason
from hipify_py.tree.records import hash_of, search


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a line comes from.

    Args:
        source: The source.
        line: Its line, from 1.
        by_hand: The line stands in no translation: a person wrote it behind what comes from ``line``.
        outdated: The source has changed since; ``line`` is one of the text that was translated.
    """

    source: Path
    line: int
    by_hand: bool = False
    outdated: bool = False


def origin(output: Path, line: int, cache: Path | None) -> Origin:
    """The line of the source that a line of an output comes from.

    Args:
        output: A translation.
        line: A line of it, from 1.
        cache: The cache folder, where single outputs are recorded.

    Raises:
        InputError: Nobody knows the output, it cannot be read, or it has no such line.
    """
    try:
        text = output.read_bytes()
    except OSError as error:
        raise InputError(f"`{output}` cannot be read: {reason(error)}") from None
    count = len(text.splitlines())
    if not 1 <= line <= count:
        raise InputError(f"`{output}` has no line {line}: it has {count}")
    found = search(output, cache)
    if found is None:
        raise InputError(f"`{output}` is in no manifest: translate it again, then its lines are known")
    records, record = found
    by_hand = False
    if hash_of(text) != record.output_hash:
        base = records.base(record.output_hash)
        if base is None:
            raise InputError(f"`{output}` was edited and what was generated is lost: its lines cannot be mapped")
        line, by_hand = _before_edits(base, text, line)
    place = os.path.normpath(Path(os.path.realpath(records.root), record.source))
    source = Path(os.path.relpath(place))
    try:
        outdated = hash_of(read_source(source)) != record.source_hash
    except InputError:
        outdated = True
    return Origin(source, _at(record.lines, line), by_hand, outdated)


def _at(pairs: Sequence[tuple[int, int]], line: int) -> int:
    place = bisect_right(pairs, (line, 1 << 60)) - 1
    first, other = pairs[max(place, 0)]
    return other + line - first


def _before_edits(base: bytes, text: bytes, line: int) -> tuple[int, bool]:
    """The line of what was generated, and whether the line asked for is a person's."""
    matcher = SequenceMatcher(None, base.splitlines(), text.splitlines())
    for tag, first, last, start, end in matcher.get_opcodes():
        if start < line <= end:
            inside = tag == "equal" or (tag == "replace" and last - first == end - start)
            return (first + line - start if inside else max(first, 1)), tag != "equal"
    return 1, True
