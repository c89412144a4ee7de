"""EditSet: only what the edits cover changes, conflicts raise, places map back, groups stay whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py.diagnostics import Edit
from hipify_py.edits import EditConflictError, EditSet, resolve

DATA = bytes(range(97, 123)) * 2


@st.composite
def one_edit(draw, size: int = len(DATA)) -> Edit:
    start = draw(st.integers(0, size))
    return Edit(start, draw(st.integers(start, min(size, start + 6))), draw(st.binary(max_size=4)), "HPY101")


@st.composite
def apart(draw) -> list[Edit]:
    """Edits that do not conflict, in any order."""
    bounds = sorted(draw(st.lists(st.integers(0, len(DATA)), max_size=20, unique=True)))
    edits = [Edit(start, end, draw(st.binary(max_size=4)), "HPY101") for start, end in zip(bounds[::2],
    bounds[1::2], strict=False)]
    edits += [Edit(place, place, draw(st.binary(min_size=1, max_size=3)), "HPY104")
              for place in draw(st.sets(st.sampled_from([0, len(DATA), *bounds]), max_size=4))]
    return draw(st.permutations([edit for edit in edits if not any(
        other.start < edit.start < other.end for other in edits)]))


def conflict(first: Edit, second: Edit) -> bool:
    """The definition, written for any order."""
    if first == second:
        return False
    if first.start == first.end == second.start == second.end:
        return not any(each.text.endswith((b"\n", b"\r")) for each in (first, second))
    return max(first.start, second.start) < min(first.end, second.end) or any(
        a.start == a.end and b.start < a.start < b.end for a, b in ((first, second), (second, first)))


@given(apart())
def test_apply_changes_only_what_edits_cover(edits) -> None:
    result = EditSet(edits).apply(DATA)
    place = done = 0
    for edit in EditSet(edits):
        kept = DATA[done : edit.start]
        assert result[place : place + len(kept)] == kept
        place += len(kept)
        assert result[place : place + len(edit.text)] == edit.text
        place += len(edit.text)
        done = edit.end
    assert result[place:] == DATA[done:]


def test_whole_lines_at_one_place_stand_as_they_were_given() -> None:
    edits = [Edit(0, 0, b"#include <a>\n", "B"), Edit(0, 0, b"#if 1\n", "A"), Edit(0, 0, b"x ", "C")]
    assert EditSet(edits).apply(b"end") == b"#include <a>\n#if 1\nx end"
    assert resolve([edits[2:], edits[:1], edits[1:2]])[0].apply(b"end") == b"#include <a>\n#if 1\nx end"


@given(apart())
def test_covering_maps_every_byte_back(edits) -> None:
    collection = EditSet(edits)
    result = collection.apply(DATA)
    for offset in range(len(result)):
        edit, origin = collection.covering(offset)
        if edit is None:
            assert result[offset] == DATA[origin]
            assert not any(each.start <= origin < each.end for each in edits)
        else:
            assert edit in edits
            assert origin == edit.start
            assert result[offset : offset + 1] in (edit.text[i : i + 1] for i in range(len(edit.text)))
    kept = [collection.covering(offset)[1] for offset in range(len(result)) if collection.covering(offset)[0] is None]
    assert kept == [place for place in range(len(DATA)) if not any(each.start <= place < each.end for each in edits)]


@given(st.lists(one_edit(), max_size=6))
def test_conflicts_raise_and_nothing_else_does(edits) -> None:
    if any(conflict(first, second) for place, first in enumerate(edits) for second in edits[place:]):
        with pytest.raises(EditConflictError):
            EditSet(edits)
    else:
        EditSet(edits)


@given(st.lists(st.lists(one_edit(), max_size=3), max_size=7))
def test_resolve_takes_groups_whole_and_the_earlier_ones_first(groups) -> None:
    chosen, refused = resolve(groups)
    left_out = {index for index, _ in refused}
    assert [index for index, _ in refused] == sorted(left_out)
    expected: list[Edit] = []
    for index, group in enumerate(groups):
        fits = not any(conflict(a, b) for place, a in enumerate(group) for b in [*expected, *group[place:]])
        assert fits == (index not in left_out)
        if fits:
            expected += group
    assert set(chosen) == set(expected)
    for index, error in refused:
        assert conflict(error.first, error.second)
        assert error.first in groups[index] or error.second in groups[index]


def test_a_chain_of_conflicts_leaves_out_every_other() -> None:
    groups = [[Edit(0, 2, b"a", "HPY101")], [Edit(1, 4, b"b", "HPY101")], [Edit(3, 6, b"c", "HPY101")]]
    chosen, refused = resolve(groups)
    assert chosen.apply(b"012345") == b"a2c"
    assert [index for index, _ in refused] == [1]


@pytest.mark.parametrize(("edits", "result"), [
    ([], b"abcdef"),
    ([Edit(0, 0, b">", "X")], b">abcdef"),
    ([Edit(6, 6, b"<", "X")], b"abcdef<"),
    ([Edit(2, 4, b"", "X")], b"abef"),
    ([Edit(2, 2, b"(", "X"), Edit(2, 4, b"X", "Y"), Edit(4, 4, b")", "X")], b"ab(X)ef"),
    ([Edit(2, 4, b"X", "Y"), Edit(4, 6, b"Z", "Y"), Edit(2, 4, b"X", "Y")], b"abXZ"),
    ([Edit(2, 2, b"k(", "A"), Edit(2, 2, b"line\n", "B")], b"abline\nk(cdef"),
    ([Edit(1, 2, b"", "X"), Edit(2, 3, b"", "X"), Edit(3, 4, b"-", "X")], b"a-ef"),
])
def test_apply(edits, result) -> None:
    assert EditSet(edits).apply(b"abcdef") == result
    assert EditSet(reversed(edits)).apply(b"abcdef") == result


@pytest.mark.parametrize("edits", [
    [Edit(1, 3, b"x", "A"), Edit(2, 4, b"y", "B")],
    [Edit(1, 3, b"x", "A"), Edit(1, 3, b"y", "A")],
    [Edit(1, 4, b"x", "A"), Edit(2, 2, b"y", "B")],
    [Edit(2, 2, b"x", "A"), Edit(2, 2, b"y", "A")],
    [Edit(0, 9, b"x", "A"), Edit(1, 1, b"y", "B"), Edit(5, 7, b"z", "C")],
])
def test_conflicts(edits) -> None:
    with pytest.raises(EditConflictError, match="conflicting edits at bytes"):
        EditSet(edits)
