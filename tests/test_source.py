"""SourceFile: lines, columns and line ends, for any bytes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py.source import Location, SourceFile, SourceRange
from tests.fragments import c_like


@given(st.one_of(st.binary(), c_like()), st.integers(0, 200))
def test_locations_count_as_a_person_does(data, offset) -> None:
    offset = min(offset, len(data))
    source = SourceFile("a.cu", data)
    ends = [match.end() for match in re.finditer(rb"\r\n?|\n", data) if match.end() <= offset]
    start = ends[-1] if ends else min(3, offset) if source.bom else 0
    assert source.location(offset) == Location(len(ends) + 1, offset - start + 1)


@given(st.one_of(st.binary(), c_like()), st.integers(0, 200))
def test_the_line_range_holds_no_line_end(data, offset) -> None:
    offset = min(offset, len(data))
    found = SourceFile("a.cu", data).line_range(offset)
    assert 0 <= found.start <= found.end <= len(data)
    assert b"\n" not in data[found.start : found.end]
    assert b"\r" not in data[found.start : found.end]
    assert found.start == 0 or data[found.start - 1 : found.start] in (b"\n", b"\r")
    assert found.end == len(data) or data[found.end : found.end + 1] in (b"\n", b"\r")
    assert found.start <= offset


@pytest.mark.parametrize(("data", "newline"), [
    (b"", b"\n"), (b"a", b"\n"),
    (b"a\nb\r\n", b"\n"), (b"a\r\nb\n", b"\r\n"), (b"a\rb", b"\r"), (b"\r\n", b"\r\n"), (b"\n", b"\n"),
])
def test_newline_is_that_of_the_first_line(data, newline) -> None:
    assert SourceFile("a.cu", data).newline == newline


@pytest.mark.parametrize(("offset", "expected"), [
    (0, (0, 2)), (2, (0, 2)), (3, (0, 2)), (4, (4, 5)), (5, (4, 5)), (6, (6, 6)), (7, (7, 8)), (8, (7, 8)),
])
def test_line_range(offset, expected) -> None:
    assert SourceFile("a.cu", b"ab\r\nc\n\nd").line_range(offset) == SourceRange(*expected)


def test_a_byte_order_mark_takes_no_column() -> None:
    source = SourceFile("a.cu", b"\xef\xbb\xbfint\nx")
    assert source.bom
    assert source.location(3) == Location(1, 1)
    assert source.location(7) == Location(2, 1)


@pytest.mark.parametrize(("name", "is_c"), [("a.c", True), ("a.cu", False), ("a.cc", False), ("a.h", False), ("c", False)])
def test_c_by_its_name(name, is_c) -> None:
    assert SourceFile(name, b"").is_c is is_c


def test_a_range_is_half_open() -> None:
    assert 2 in SourceRange(2, 4)
    assert 4 not in SourceRange(2, 4)
    assert 2 not in SourceRange(2, 2)
