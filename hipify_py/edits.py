"""EditSet: a conflict-free set of edits by construction, applied in one pass."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import pairwise

from hipify_py.diagnostics import Edit

_LINE_ENDS = (b"\n", b"\r")
#: Type code of the arrays of offsets: sources end below 4 GB.
_OFFSET = "I"


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
    is of whole lines: it comes first, and several of whole lines stand in the order in which they were given. An
    insertion in front of a replaced range, or right behind one, is fine. The same edit twice is one edit.

    Raises:
        EditConflictError: Two of the edits conflict.
    """

    __slots__ = ("_codes", "_ends", "_places", "_starts", "_texts")

    def __init__(self, edits: Iterable[Edit] = ()) -> None:
        self._starts = array(_OFFSET)
        self._ends = array(_OFFSET)
        self._texts: list[bytes] = []
        self._codes: list[str] = []
        self._places = array(_OFFSET)
        ordered = sorted(dict.fromkeys(edits), key=_key)
        for first, second in pairwise(ordered):
            if _conflict(first, second):
                raise EditConflictError(first, second)
        for edit in ordered:
            self._append(edit.start, edit.end, edit.text, edit.code)

    def _append(self, start: int, end: int, text: bytes, code: str) -> None:
        self._starts.append(start)
        self._ends.append(end)
        self._texts.append(text)
        self._codes.append(code)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EditSet) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[Edit]:
        return map(Edit, self._starts, self._ends, self._texts, self._codes)

    def apply(self, data: bytes) -> bytes:
        """The source with all edits made; every byte outside them is the same byte."""
        result = BytesIO()
        write = result.write
        view = memoryview(data)
        done = 0
        for start, end, text in zip(self._starts, self._ends, self._texts, strict=True):
            write(view[done:start])
            write(text)
            done = end
        write(view[done:])
        return result.getvalue()

    def covering(self, offset: int) -> tuple[Edit | None, int]:
        """Where an offset of the result came from.

        Returns:
            The edit whose text holds it, if there is one, and the offset in the source (inside an edit: its start).
        """
        if not self._places:
            shift = 0
            for start, end, text in zip(self._starts, self._ends, self._texts, strict=True):
                self._places.append(start + shift)
                shift += len(text) - (end - start)
        # The last edit that starts here or before; of several, those in front are deletions.
        index = bisect_right(self._places, offset) - 1
        if index < 0:
            return None, offset
        start, end, text, place = self._starts[index], self._ends[index], self._texts[index], self._places[index]
        if offset < place + len(text):
            return Edit(start, end, text, self._codes[index]), start
        return None, offset - place - len(text) + end


class EditLog:
    """Edits in the order in which they are found, in groups that are taken whole or not at all.

    Kept as arrays, 32 bytes an edit where an :class:`Edit` takes 200: a source of 50 MB can need a million.
    """

    __slots__ = ("_codes", "_ends", "_firsts", "_groups", "_known", "_starts", "_texts")

    def __init__(self, groups: Iterable[Sequence[Edit]] = ()) -> None:
        self._starts = array(_OFFSET)
        self._ends = array(_OFFSET)
        self._texts: list[bytes] = []
        self._codes: list[str] = []
        self._groups = array(_OFFSET)
        self._firsts = array(_OFFSET)
        self._known: dict[bytes, bytes] = {}
        for group in groups:
            self.add(group)

    def add(self, edits: Sequence[Edit]) -> None:
        """Add one group."""
        number = len(self._firsts)
        self._firsts.append(len(self._texts))
        for edit in edits:
            self._starts.append(edit.start)
            self._ends.append(edit.end)
            self._texts.append(self._known.setdefault(edit.text, edit.text))
            self._codes.append(edit.code)
            self._groups.append(number)

    def __len__(self) -> int:
        return len(self._firsts)

    def group(self, number: int) -> list[Edit]:
        """The edits of one group."""
        end = self._firsts[number + 1] if number + 1 < len(self._firsts) else len(self._texts)
        return [self._edit(index) for index in range(self._firsts[number], end)]

    def resolve(self) -> tuple[EditSet, list[tuple[int, EditConflictError]]]:
        """Join the groups; an earlier group wins over a later one.

        Returns:
            The conflict-free set, and the number of each group that was left out with the conflict that did it.
        """
        order = self._order()
        refused: dict[int, EditConflictError] = {}
        if self._any_conflict(order):
            rivals: dict[int, list[tuple[int, EditConflictError]]] = {}
            for loser, winner, conflict in _conflicts((self._edit(index), self._groups[index]) for index in order):
                rivals.setdefault(loser, []).append((winner, conflict))
            for number in sorted(rivals):
                # A group that is itself left out takes nobody's place.
                lost = next((conflict for winner, conflict in rivals[number] if winner not in refused), None)
                if lost is not None:
                    refused[number] = lost
        chosen = EditSet()
        last = -1
        for index in order:
            if self._groups[index] not in refused and (last < 0 or not self._same(last, index)):
                chosen._append(self._starts[index], self._ends[index], self._texts[index], self._codes[index])
                last = index
        return chosen, list(refused.items())

    def _edit(self, index: int) -> Edit:
        return Edit(self._starts[index], self._ends[index], self._texts[index], self._codes[index])

    def _same(self, first: int, second: int) -> bool:
        return (self._starts[first] == self._starts[second] and self._ends[first] == self._ends[second]
                and self._texts[first] == self._texts[second] and self._codes[first] == self._codes[second])

    def _order(self) -> array[int]:
        """The indices of the edits, by place, as EditSet sorts them; one number a sort key, for the memory's sake."""
        shift = len(self._texts).bit_length()
        keys = [((start << 2 | (end > start) << 1 | (not text.endswith(_LINE_ENDS))) << shift) | index
                for index, (start, end, text) in enumerate(zip(self._starts, self._ends, self._texts, strict=True))]
        keys.sort()
        mask = (1 << shift) - 1
        return array(_OFFSET, (key & mask for key in keys))

    def _any_conflict(self, order: array[int]) -> bool:
        """Whether two neighbours want the same place and are not the same edit."""
        starts, ends = self._starts, self._ends
        for first, second in pairwise(order):
            if (ends[first] > starts[second] or ends[second] == starts[first]) and not self._same(
                    first, second) and _conflict(self._edit(first), self._edit(second)):
                return True
        return False


def resolve(groups: Sequence[Sequence[Edit]]) -> tuple[EditSet, list[tuple[int, EditConflictError]]]:
    """Join groups of edits, each taken whole or not at all; an earlier group wins over a later one.

    Returns:
        The conflict-free set, and the index of each group that was left out with the conflict that did it.
    """
    return EditLog(groups).resolve()


def _conflicts(flat: Iterable[tuple[Edit, int]]) -> Iterator[tuple[int, int, EditConflictError]]:
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
    return edit.text.endswith(_LINE_ENDS)


def _conflict(first: Edit, second: Edit) -> bool:
    """Whether two neighbours (the first does not start behind the second) want the same place."""
    return first.end > second.start or (
        first.start == first.end == second.start == second.end and not (_is_lines(first) or _is_lines(second)))
