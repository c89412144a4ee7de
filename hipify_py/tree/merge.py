"""Three-way merge of texts by lines: what a person changed and what the translator changed, from what it wrote before.

Own code because the library for this, merge3, is under the GPL, and because `git merge-file` would need Git at run time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

OURS = b"<<<<<<< edited by hand"
MIDDLE = b"======="
THEIRS = b">>>>>>> translated now"


@dataclass(frozen=True, slots=True)
class Merged:
    """A merged text, and how many places in it both sides changed, each between marks as Git writes them."""

    text: bytes
    conflicts: int


def merge(base: bytes | None, edited: bytes, translated: bytes) -> Merged:
    """Merge two texts that come from a third.

    Args:
        base: What both come from. None if it is lost: each difference of the two is a conflict then.
        edited: What stands on disk.
        translated: What the translator makes now.
    """
    ours, theirs = edited.splitlines(keepends=True), translated.splitlines(keepends=True)
    origin = _common(ours, theirs) if base is None else base.splitlines(keepends=True)
    newline = b"\r\n" if edited.count(b"\r\n") * 2 > edited.count(b"\n") else b"\n"
    result: list[bytes] = []
    conflicts = 0
    for old, mine, new in _chunks(origin, ours, theirs):
        if mine == new or (new == old and base is not None):
            result += mine
        elif mine == old and base is not None:
            result += new
        else:
            conflicts += 1
            result += (OURS + newline, *_ended(mine, newline), MIDDLE + newline, *_ended(new, newline), THEIRS + newline)
    return Merged(b"".join(result), conflicts)


def unresolved(text: bytes) -> int:
    """How many conflicts that :func:`merge` marked are still in a text."""
    return sum(line.rstrip() == OURS for line in text.split(b"\n")) if OURS in text else 0


def _common(ours: Sequence[bytes], theirs: Sequence[bytes]) -> list[bytes]:
    """The lines of both, in order."""
    return [line for start, _, size in SequenceMatcher(None, ours, theirs).get_matching_blocks()
            for line in ours[start : start + size]]


def _chunks(base: Sequence[bytes], ours: Sequence[bytes],
            theirs: Sequence[bytes]) -> Iterator[tuple[Sequence[bytes], Sequence[bytes], Sequence[bytes]]]:
    """The three texts cut at the lines that all of them share."""
    done = (0, 0, 0)
    for start, mine, new, size in _shared(base, ours, theirs):
        if (start, mine, new) != done:
            yield base[done[0] : start], ours[done[1] : mine], theirs[done[2] : new]
        if size:
            yield base[start : start + size], ours[mine : mine + size], theirs[new : new + size]
        done = (start + size, mine + size, new + size)


def _shared(base: Sequence[bytes], ours: Sequence[bytes], theirs: Sequence[bytes]) -> Iterator[tuple[int, int, int, int]]:
    """The stretches of the base that both others have: their start in each, and their length; an empty one at the end."""
    left = SequenceMatcher(None, base, ours).get_matching_blocks()
    right = SequenceMatcher(None, base, theirs).get_matching_blocks()
    first = second = 0
    while first < len(left) and second < len(right):
        a, b = left[first], right[second]
        start, end = max(a.a, b.a), min(a.a + a.size, b.a + b.size)
        if start < end:
            yield start, a.b + start - a.a, b.b + start - b.a, end - start
        if a.a + a.size <= b.a + b.size:
            first += 1
        else:
            second += 1
    yield len(base), len(ours), len(theirs), 0


def _ended(lines: Sequence[bytes], newline: bytes) -> list[bytes]:
    """Lines of which the last one has its line end."""
    if lines and not lines[-1].endswith((b"\n", b"\r")):
        return [*lines[:-1], lines[-1] + newline]
    return list(lines)
