"""Tables of the person's own: names and headers that no table of ours has, or that are to become something else.

A CSV file has a first line with the columns ``cuda,hip`` and, where wanted, ``roc``, ``kind``, ``support``,
``hip_since`` and ``advice``; a row is a name or, by its suffix (``.h``, ``.hpp``, ``.cuh`` ...) or a ``/`` in it, a header::

    cuda,hip,advice
    myCudaAlloc,myHipAlloc,
    my/cuda_pool.h,my/hip_pool.h,
    myCudaGraph,,there is no such thing in our HIP layer

A JSON file is one object, ``{"old": "new"}``. An empty new name means that there is no counterpart. Pure: text in, rows out.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from collections.abc import Mapping as Pairs

from hipify_py.mapping.records import COLUMNS, OWN, HeaderMapping, Kind, Mapping, Support

Row = Mapping | HeaderMapping
_NAME = re.compile(r"(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*")
_HEADER = re.compile(r"[^\s<>\"/]+\.(?:h|hh|hpp|hxx|h\+\+|cuh|inl|inc)|[^\s<>\"]*[^\s<>\"/]/[^\s<>\"/*][^\s<>\"]*")
_SINCE = re.compile(r"\d+\.\d+")


class TableError(ValueError):
    """A table is malformed: one line with file, line and what to do."""


def from_pairs(name: str, pairs: Pairs[str, str]) -> tuple[Row, ...]:
    """Make rows of ``{"old": "new"}``.

    Args:
        name: Who gives them, for messages.
        pairs: Old names or headers, and the new ones.

    Raises:
        TableError: One of them is no name.
    """
    wrong = next((each for pair in pairs.items() for each in pair if not isinstance(each, str)), None)
    if wrong is not None:
        raise TableError(f'{name}: `{wrong!r}` is no string: a table is {{"old": "new"}}')
    return tuple(_row(name, {"cuda": old, "hip": new}) for old, new in pairs.items())


def parse(name: str, data: bytes) -> tuple[Row, ...]:
    """Read a table of the person's own.

    Args:
        name: The file's name, for messages; one that ends with ``.json`` is JSON.
        data: Its bytes, UTF-8.

    Returns:
        The rows, as they stand.

    Raises:
        TableError: It is neither such a CSV nor such a JSON, a cell is outside its vocabulary, or a name stands twice.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TableError(f"{name}:{line}: not UTF-8: save the table as UTF-8") from None
    cells = _json(name, text) if name.lower().endswith(".json") else _csv(name, text)
    rows: list[Row] = []
    lines: dict[str, int] = {}
    for line, row in cells:
        place = f"{name}:{line}"
        made = _row(place, row)
        if made.cuda in lines:
            raise TableError(f"{place}: `{made.cuda}` stands in line {lines[made.cuda]} already: keep one of them")
        lines[made.cuda] = line
        rows.append(made)
    return tuple(rows)


def _json(name: str, text: str) -> list[tuple[int, dict[str, str]]]:
    try:
        pairs = json.loads(text, object_pairs_hook=list)
    except json.JSONDecodeError as error:
        raise TableError(f"{name}:{error.lineno}: no valid JSON: {error.msg}") from None
    if not text.lstrip().startswith("{") or not all(isinstance(new, str) for _, new in pairs):
        raise TableError(f'{name}:1: a table in JSON is one object of strings: {{"old": "new"}}')
    found = []
    place = 0
    for old, new in pairs:
        # Keys stand in order; one with escapes is not found, and keeps the line of the key in front of it.
        place = max(place, text.find(json.dumps(old, ensure_ascii=False), place))
        found.append((text.count("\n", 0, place) + 1, {"cuda": old, "hip": new}))
        place += 1
    return found


def _csv(name: str, text: str) -> list[tuple[int, dict[str, str]]]:
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    found: list[tuple[int, dict[str, str]]] = []
    columns: list[str] = []
    try:
        for cells in reader:
            words = [cell.strip() for cell in cells]
            if not any(words):
                continue
            if not columns:
                columns = _columns(f"{name}:{reader.line_num}", words)
            elif len(words) > len(columns):
                raise TableError(f"{name}:{reader.line_num}: {len(words)} cells for {len(columns)} columns: put quotes "
                                 "around a cell that holds a comma")
            else:
                found.append((reader.line_num, dict(zip(columns, words, strict=False))))
    except csv.Error as error:
        raise TableError(f"{name}:{reader.line_num}: no valid CSV: {error}") from None
    if not columns:
        raise TableError(f"{name}:1: the table is empty: its first line is `cuda,hip`")
    return found


def _columns(place: str, words: list[str]) -> list[str]:
    unknown = next((word for word in words if word not in COLUMNS), None)
    if unknown is not None or not {"cuda", "hip"} <= set(words) or len(set(words)) < len(words):
        what = f"`{unknown}` is no column" if unknown is not None else "the columns `cuda` and `hip` stand there once each"
        raise TableError(f"{place}: {what}: the first line names some of `{','.join(COLUMNS)}`")
    return words


def _row(place: str, cells: dict[str, str]) -> Row:
    cuda, hip = cells["cuda"], cells.get("hip", "")
    support = cells.get("support", "") or (Support.YES if hip else Support.NO).value
    known = {member.value: member for member in Support}
    if support not in known:
        raise TableError(f"{place}: `{support}` is no support: it is one of {_listed(known)}")
    if (known[support] is Support.NO) is bool(hip):
        raise TableError(f"{place}: `{cuda}` has support `{support}` and the HIP name `{hip}`: `no` goes with no name")
    advice = cells.get("advice", "")
    if _HEADER.fullmatch(cuda):
        if hip and not _HEADER.fullmatch(hip):
            raise TableError(f"{place}: `{hip}` is no header: write it as between the brackets of `#include`")
        return HeaderMapping(cuda, hip, OWN, known[support], False, advice)
    for word in filter(None, (cuda, hip, cells.get("roc", ""))):
        if not _NAME.fullmatch(word):
            raise TableError(f"{place}: `{word}` is no name: write an identifier such as `cudaMalloc`, or a header's name")
    if not cuda:
        raise TableError(f"{place}: the cell `cuda` is empty: it holds the name that is to be replaced")
    kind = cells.get("kind", "")
    if kind and kind not in {member.value for member in Kind}:
        raise TableError(f"{place}: `{kind}` is no kind: it is one of {_listed(member.value for member in Kind)}")
    since = cells.get("hip_since", "")
    if since and not _SINCE.fullmatch(since):
        raise TableError(f"{place}: `{since}` is no version of HIP: write it as `6.4`")
    return Mapping(cuda, hip, cells.get("roc", ""), OWN, kind, known[support], since, advice)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)
