"""EditSet: a conflict-free set of edits by construction, applied in one pass."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from hipify_py.diagnostics import Edit


class EditConflictError(ValueError):
    """Two edits want the same bytes, or insert at the same place."""

    def __init__(self, first: Edit, second: Edit) -> None:
        super().__init__(f"conflicting edits at bytes {first.start}-{first.end} ({first.code}) and "
                         f"{second.start}-{second.end} ({second.code})")
        self.first = first
        self.second = second


class EditSet:
    """Edits over one source, sorted by place.

    Two edits may not overlap, and two insertions may not stand at one place (their order would be a guess), unless one
    is of whole lines: it comes first. An insertion in front of a replaced range, or right behind one, is fine. The same
    edit twice is one edit.

    Raises:
        EditConflictError: Two of the edits conflict.
    """

    __slots__ = ("_edits", "_places")

    def __init__(self, edits: Iterable[Edit] = ()) -> None:
        self._edits: list[Edit] = sorted(dict.fromkeys(edits), key=_key)
        self._places: list[int] = []
        for first, second in pairwise(self._edits):
            if _conflict(first, second):
                raise EditConflictError(first, second)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EditSet) and self._edits == other._edits

    def __hash__(self) -> int:
        return hash(tuple(self._edits))

    def __len__(self) -> int:
        return len(self._edits)

    def __iter__(self) -> Iterator[Edit]:
        return iter(self._edits)

    def apply(self, data: bytes) -> bytes:
        """The source with all edits made; every byte outside them is the same byte."""
        pieces: list[bytes | memoryview] = []
        view = memoryview(data)
        done = 0
        for edit in self._edits:
            pieces.append(view[done : edit.start])
            pieces.append(edit.text)
            done = edit.end
        pieces.append(view[done:])
        return b"".join(pieces)

    def covering(self, offset: int) -> tuple[Edit | None, int]:
        """Where an offset of the result came from.

        Returns:
            The edit whose text holds it, if there is one, and the offset in the source (inside an edit: its start).
        """
        if not self._places:
            shift = 0
            for edit in self._edits:
                self._places.append(edit.start + shift)
                shift += len(edit.text) - (edit.end - edit.start)
        # The last edit that starts here or before; of several, those in front are deletions.
        index = bisect_right(self._places, offset) - 1
        if index < 0:
            return None, offset
        edit, place = self._edits[index], self._places[index]
        if offset < place + len(edit.text):
            return edit, edit.start
        return None, offset - place - len(edit.text) + edit.end


def resolve(groups: Sequence[Sequence[Edit]]) -> tuple[EditSet, list[tuple[int, EditConflictError]]]:
    """Join groups of edits, each taken whole or not at all; an earlier group wins over a later one.

    Returns:
        The conflict-free set, and the index of each group that was left out with the conflict that did it.
    """
    flat = sorted(((edit, index) for index, group in enumerate(groups) for edit in group),
                  key=lambda pair: (_key(pair[0]), pair[1]))
    rivals: dict[int, list[tuple[int, EditConflictError]]] = {}
    for loser, winner, conflict in _conflicts(flat):
        rivals.setdefault(loser, []).append((winner, conflict))
    refused: dict[int, EditConflictError] = {}
    for index in sorted(rivals):
        # A group that is itself left out takes nobody's place.
        lost = next((conflict for winner, conflict in rivals[index] if winner not in refused), None)
        if lost is not None:
            refused[index] = lost
    return EditSet(edit for edit, index in flat if index not in refused), list(refused.items())


def _conflicts(flat: list[tuple[Edit, int]]) -> Iterator[tuple[int, int, EditConflictError]]:
    """The later and the earlier group of every two edits that conflict."""
    active: list[tuple[Edit, int]] = []
    for pair in flat:
        edit, group = pair
        if active:
            active = [each for each in active if each[0].end > edit.start or each[0].end == each[0].start == edit.start]
            for other, rival in active:
                if other != edit and _conflict(other, edit):
                    yield max(rival, group), min(rival, group), EditConflictError(other, edit)
        active.append(pair)


def _key(edit: Edit) -> tuple[int, int, bool]:
    return edit.start, edit.end, not _is_lines(edit)


def _is_lines(edit: Edit) -> bool:
    """Whether an edit ends with a line end: such an insertion stands in front of one inside the line."""
    return edit.text.endswith((b"\n", b"\r"))


def _conflict(first: Edit, second: Edit) -> bool:
    """Whether two neighbours (the first does not start behind the second) want the same place."""
    return first.end > second.start or (
        first.start == first.end == second.start == second.end and _is_lines(first) == _is_lines(second))
