"""HPY312 logical-warp: CUB's collectives of a warp, whose width has another default in hipCUB.

What it does
------------
Writes the width, 32, into ``cub::WarpReduce<T>`` and its like where the source leaves it out. In a source that uses
``warpSize`` as well, which of the two is meant is for a person to say: the place is reported.

Why is this bad
---------------
CUB's default is a warp of 32 threads, hipCUB's the wave of the GPU: 64 on gfx9. A kernel that has a ``TempStorage`` for each
32 threads lets two groups of 32 write into one result. It compiles all the same.

Example
-------
Bad::

    #include <cub/cub.cuh>

    using Sum = cub::WarpReduce<int>;

Good::

    #include <hipcub/hipcub.hpp>

    using Sum = hipcub::WarpReduce<int, 32>;

Fix safety
----------
Safe: 32 is what CUB takes. A width that is written stays, and so does a name of the source's own.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.lexer import TokenKind
from hipify_py.names import is_member_access
from hipify_py.syntax import closing, closing_angle
from hipify_py.unit import TranslationUnit

CODE = "HPY312"
_ALIAS = re.compile(rb"\bnamespace\s+(\w+)\s*=\s*(?:::\s*)?cub\s*;")
_USING = re.compile(rb"\busing\s+namespace\s+(?:::\s*)?cub\s*;")
_WARP_SIZE = re.compile(rb"\bwarpSize\b|\bWARP_THREADS\b")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a fix or a report for each collective without a width."""
    if b"cub" not in unit.data:
        return
    spaces = frozenset((b"cub", *_ALIAS.findall(unit.data)))
    opened = _USING.search(unit.data) is not None
    for match in _pattern().finditer(unit.data):
        index = unit.tokens.index_at(match.start())
        if unit.tokens.start(index) == match.start() and unit.tokens.kind(index) == TokenKind.IDENTIFIER:
            yield from _use(unit, index, spaces, opened)


def _use(unit: TranslationUnit, index: int, spaces: frozenset[bytes], opened: bool) -> Iterator[Finding]:
    tokens, limit = unit.tokens, unit.limit(index)
    before = tokens.previous_code(index)
    scoped = before > 0 and tokens.text(before) == b"::"
    owner = tokens.previous_code(before) if scoped else -1
    if is_member_access(tokens, index) or unit.regions.is_frozen(tokens.start(index)) or (
            tokens.name(owner) not in spaces if scoped and owner >= 0 else not opened or unit.seems_declared(
                tokens.name(index))):
        return
    less = tokens.next_code(index, limit)
    if less >= limit or tokens.text(less) != b"<":
        return
    close = closing_angle(tokens, less, limit)
    if close is None:
        return
    given, inner = _arguments(unit, less, close)
    name = tokens.name(index).decode()
    width = _table()[name]
    if given >= width:
        return
    fact = f"`{name}` without a width means a warp of 32 threads in CUB and the wave in hipCUB, 64 on gfx9"
    if _WARP_SIZE.search(unit.data) or given < width - 1:
        yield Diagnostic(CODE, Severity.WARNING, f"{fact}: write the width that this kernel counts in", unit.range(index))
    else:
        place = tokens.start(close) + inner  # of a `>>`, the first character may close a list inside this one
        yield Diagnostic(CODE, Severity.NOTE, f"{fact}: 32 was written, so that the kernel keeps groups of 32 lanes",
                         unit.range(index), Fix((Edit(place, place, b", 32", CODE),)))


def _arguments(unit: TranslationUnit, less: int, close: int) -> tuple[int, int]:
    """How many arguments a template argument list has, and how many lists inside it end with the same token."""
    tokens, place, count, inner = unit.tokens, less + 1, 1, 0
    while place < close:
        text = tokens.text(place)
        end = closing(tokens, place) if text in (b"(", b"[", b"{") else closing_angle(tokens, place) if text == b"<" else None
        if end is not None and end >= close:
            inner += 1
            # What is left belongs to the list inside, but for further lists that end here as well.
            inner += sum(tokens.text(each) == b"<" and closing_angle(tokens, each) == close for each in range(place + 1, close))
            break
        place = place + 1 if end is None else end + 1
        count += text == b","
    return count, inner


@cache
def _table() -> dict[str, int]:
    """Name -> the number of template arguments up to the width, which stands last of them."""
    text = resources.files("hipify_py").joinpath("mapping/logical_warps.csv").read_text(encoding="utf-8")
    return {row["name"]: int(row["width"]) for row in csv.DictReader(text.splitlines())}


@cache
def _pattern() -> re.Pattern[bytes]:
    return re.compile(rb"\b(?:" + b"|".join(name.encode() for name in _table()) + rb")\b")
