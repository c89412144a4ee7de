"""EditSet: a conflict-free set of edits by construction, applied in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

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

    Two edits may not overlap, and two insertions may not stand at one place (their order would be a guess);
    an insertion in front of a replaced range, or right behind one, is fine. The same edit twice is one edit.

    Raises:
        EditConflictError: Two of the edits conflict.
    """

    def __init__(self, edits: Iterable[Edit] = ()) -> None:
        self._edits: list[Edit] = sorted(set(edits), key=_key)
        for first, second in zip(self._edits, self._edits[1:], strict=False):
            if _conflict(first, second):
                raise EditConflictError(first, second)

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
        shift = 0
        for edit in self._edits:
            place = edit.start + shift
            if offset < place:
                break
            if offset < place + len(edit.text):
                return edit, edit.start
            shift += len(edit.text) - (edit.end - edit.start)
        return None, offset - shift


def resolve(groups: Sequence[Sequence[Edit]]) -> tuple[EditSet, list[tuple[int, EditConflictError]]]:
    """Join groups of edits, each taken whole or not at all; an earlier group wins over a later one.

    Returns:
        The conflict-free set, and the index of each group that was left out with the conflict that did it.
    """
    refused: dict[int, EditConflictError] = {}
    while True:
        flat = sorted(((edit, index) for index, group in enumerate(groups) if index not in refused for edit in group),
                      key=lambda pair: (pair[0].start, pair[0].end, pair[1]))
        fresh = dict(_conflicts(flat))
        if not fresh:
            return EditSet(edit for edit, _ in flat), sorted(refused.items())
        refused.update(fresh)


def _conflicts(flat: list[tuple[Edit, int]]) -> Iterator[tuple[int, EditConflictError]]:
    """The later group of each conflicting pair of neighbours."""
    kept: tuple[Edit, int] | None = None
    for pair in flat:
        if kept is not None and kept[0] != pair[0] and _conflict(kept[0], pair[0]):
            yield max(kept[1], pair[1]), EditConflictError(kept[0], pair[0])
        if kept is None or pair[0].end >= kept[0].end:
            kept = pair


def _key(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def _conflict(first: Edit, second: Edit) -> bool:
    """Whether two neighbours (the first does not start behind the second) want the same place."""
    return first.end > second.start or first.start == first.end == second.start == second.end
