"""EditSet: a conflict-free set of edits by construction, applied in one pass."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

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
    """

    def __init__(self) -> None:
        self._edits: list[Edit] = []
        self._sorted = True
        self._keys: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self._edits)

    def __iter__(self) -> Iterator[Edit]:
        self._settle()
        return iter(self._edits)

    def _settle(self) -> None:
        if not self._sorted:
            self._edits.sort(key=_key)
            self._keys = [_key(edit) for edit in self._edits]
            self._sorted = True

    def add(self, edits: Iterable[Edit]) -> None:
        """Add edits as one group.

        Raises:
            EditConflictError: One of them conflicts with an edit of the set or of the group; nothing is added.
        """
        group = sorted(set(edits), key=_key)
        for first, second in zip(group, group[1:], strict=False):
            _check(first, second)
        self._settle()
        fresh = []
        for edit in group:
            key = _key(edit)
            left = bisect_left(self._keys, key)
            right = bisect_right(self._keys, key)
            if any(self._edits[place] == edit for place in range(left, right)):
                continue
            if left > 0:
                _check(self._edits[left - 1], edit)
            for place in range(left, min(right + 1, len(self._edits))):
                _check(edit, self._edits[place])
            fresh.append(edit)
        self._append(fresh)

    def _append(self, fresh: list[Edit]) -> None:
        if not fresh:
            return
        if not self._keys or _key(fresh[0]) > self._keys[-1]:
            self._edits += fresh
            self._keys += [_key(edit) for edit in fresh]
            return
        self._edits += fresh
        self._sorted = False

    def apply(self, data: bytes) -> bytes:
        """The source with all edits made; every byte outside them is the same byte."""
        pieces: list[bytes | memoryview] = []
        view = memoryview(data)
        done = 0
        for edit in self:
            pieces.append(view[done : edit.start])
            pieces.append(edit.text)
            done = edit.end
        pieces.append(view[done:])
        return b"".join(pieces)

    def to_source(self, offset: int) -> int:
        """The offset in the source that an offset in the result came from (the edit's start, inside one)."""
        shift = 0
        for edit in self:
            place = edit.start + shift
            if offset < place:
                break
            if offset < place + len(edit.text):
                return edit.start
            shift += len(edit.text) - (edit.end - edit.start)
        return offset - shift

    def covering(self, offset: int) -> Edit | None:
        """The edit whose replacement holds this offset of the result, if there is one."""
        shift = 0
        for edit in self:
            place = edit.start + shift
            if offset < place:
                return None
            if offset < place + len(edit.text):
                return edit
            shift += len(edit.text) - (edit.end - edit.start)
        return None


def _key(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def _check(first: Edit, second: Edit) -> None:
    """Raise where two neighbours (first does not start behind second) conflict."""
    if first == second:
        return
    if first.end > second.start or (first.start == first.end == second.start == second.end):
        raise EditConflictError(first, second)
