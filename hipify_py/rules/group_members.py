"""HPY218 group-member: members of cooperative groups that HIP's groups lack.

What it does
------------
Writes ``num_threads()`` of a group as ``size()``, and what a ``grid_group`` or a ``thread_block`` knows of the launch
(``num_blocks()``, ``block_rank()``, ``dim_threads()``) in terms of ``blockIdx``, ``gridDim`` and ``blockDim``, by
``mapping/group_members.csv``; ``group_dim()`` of a grid, which counts blocks in CUDA and the threads of a block in HIP, as
``gridDim``. Reported are tiles made of a tile, for HIP makes tiles of blocks only, split barriers (``barrier_arrive()``),
and what HIP 5.2 lacks (``meta_group_rank()``).

Why is this bad
---------------
CUDA 11 gave the members new names, which HIP's classes do not have: the compiler refuses them.

Example
-------
Bad::

    auto block = cg::this_thread_block();
    for (int i = block.thread_rank(); i < n; i += block.num_threads()) sum += x[i];

Good::

    auto block = cg::this_thread_block();
    for (int i = block.thread_rank(); i < n; i += block.size()) sum += x[i];

Fix safety
----------
The same numbers on both sides. An object counts as a group where libclang or a declaration in the source says so; others
stay.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.expressions import start_of
from hipify_py.lexer import TokenKind
from hipify_py.settings import Syntax, is_newer
from hipify_py.syntax import arguments, closing_angle, opening, opening_angle
from hipify_py.unit import TranslationUnit

CODE = "HPY218"
_ADVICE = ("!", "?")
#: The HIP that is known to have what 5.2 lacks.
_KNOWN = "6.4"
_PARTITION = re.compile(rb"\btiled_partition\b")
_INDEX = re.compile(r"\{(\w)(\w+)\.(\w)\}")
#: What gives a group of which class.
_MAKERS = {b"this_thread_block": "thread_block", b"this_grid": "grid_group", b"coalesced_threads": "coalesced_group",
           b"tiled_partition": "thread_block_tile"}
#: The classes; one that is part of another's name comes behind it.
_CLASSES = ("thread_block_tile", "thread_block", "grid_group", "coalesced_group", "thread_group")


@cache
def _table() -> dict[bytes, dict[str, str]]:
    """Member -> class -> what HIP has in its place."""
    text = resources.files("hipify_py").joinpath("mapping/group_members.csv").read_text(encoding="utf-8")
    found: dict[bytes, dict[str, str]] = {}
    for row in csv.DictReader(text.splitlines()):
        found.setdefault(row["member"].encode(), {})[row["group"]] = row["hip"]
    return found


@cache
def _names() -> re.Pattern[bytes]:
    return re.compile(rb"\b(?:" + b"|".join(sorted(_table())) + rb")\b")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a fix for each member that HIP's groups lack."""
    if b"cooperative_groups" not in unit.data:
        return
    for match in _names().finditer(unit.data):
        yield from _member(unit, unit.tokens.index_at(match.start()), match.group())
    for match in _PARTITION.finditer(unit.data):
        yield from _tile_of_tile(unit, unit.tokens.index_at(match.start()))


def _member(unit: TranslationUnit, index: int, name: bytes) -> Iterator[Finding]:
    tokens, limit = unit.tokens, unit.limit(index)
    dot, bracket = tokens.previous_code(index), tokens.next_code(index, limit)
    if tokens.text(index) != name or dot < 0 or tokens.text(dot) not in (b".", b"->") or bracket >= limit or (
            unit.is_handled(index) or unit.regions.is_frozen(tokens.start(index))):
        return
    call = arguments(tokens, bracket, limit) if tokens.text(bracket) == b"(" else None
    last = tokens.previous_code(dot)
    if call is None or last < 0:
        return
    written = _table()[name].get(_class(unit, last) or "")
    if written is not None and written[:1] in _ADVICE:
        yield from _advised(unit, index, written)
        return
    if written is None or any(not each.empty for each in call.arguments):
        return
    if written.startswith("."):
        yield Edit(tokens.start(index), tokens.end(index), written[1:].encode(), CODE)
        return
    first = start_of(tokens, last)
    while (scope := tokens.previous_code(first)) >= 0 and tokens.text(scope) == b"::":
        first = tokens.previous_code(scope)
    text = _INDEX.sub(lambda part: _spelled(part, unit.settings.thread_indices), written)
    edits = [Edit(tokens.start(first), tokens.end(first), text.encode(), CODE)]
    edits += [Edit(tokens.start(place), tokens.end(place), b"", CODE) for place in range(first + 1, call.close + 1)]
    yield Fix(tuple(edits))


def _advised(unit: TranslationUnit, index: int, written: str) -> Iterator[Finding]:
    """What no HIP has (``!``), or HIP 5.2 has not (``?``), with advice."""
    name, wanted = unit.tokens.text(index).decode(), unit.settings.rocm
    if written.startswith("!"):
        yield Diagnostic(CODE, Severity.ERROR, f"HIP's cooperative groups have no `{name}` (unsupported): {written[1:]}",
                         unit.range(index))
    elif wanted is None or is_newer(_KNOWN, wanted):
        yield Diagnostic(CODE, Severity.NOTE if wanted is None else Severity.WARNING,
                         f"HIP 5.2 has no `{name}`, HIP {_KNOWN} has it: for an older one, {written[1:]}", unit.range(index))


def _spelled(part: re.Match[str], syntax: Syntax) -> str:
    """``blockIdx.x`` as the settings want it."""
    initial, rest, axis = part.groups()
    return f"hip{initial.upper()}{rest}_{axis}" if syntax is Syntax.HIP else f"{initial}{rest}.{axis}"


def _class(unit: TranslationUnit, last: int) -> str | None:
    """The class of the group that an expression ending at this token is, or None."""
    tokens = unit.tokens
    if tokens.text(last) == b")":
        maker = tokens.previous_code(opening(tokens, last) or 0)
        if maker >= 0 and tokens.text(maker) == b">":  # of `tiled_partition<32>(block)`
            maker = tokens.previous_code(opening_angle(tokens, maker) or 0)
        return _MAKERS.get(tokens.text(maker)) if maker >= 0 else None
    if tokens.kind(last) != TokenKind.IDENTIFIER:
        return None
    known = unit.semantics.type_of(start_of(tokens, last), last + 1)
    for each in _CLASSES:
        if known is not None and re.search(rf"\b{each}\b", known):
            return each
    if known is not None and "auto" not in known and "int" not in known.split():
        return None
    name = re.escape(tokens.text(last))
    for made_by, each in _MAKERS.items():
        if re.search(rb"\bauto\s*&*\s*" + name + rb"\s*=\s*(?:\w+\s*::\s*)*" + made_by + rb"\b", unit.data):
            return each
    for each in _CLASSES:
        if re.search(rb"\b" + each.encode() + rb"\b\s*(?:<[^;{}]*>)?\s*(?:const\s*)?[&*]*\s*" + name + rb"\b", unit.data):
            return each
    return None


def _tile_of_tile(unit: TranslationUnit, index: int) -> Iterator[Finding]:
    """``tiled_partition<8>(tile)``: HIP has no tiles of tiles."""
    tokens, limit = unit.tokens, unit.limit(index)
    angle = tokens.next_code(index, limit)
    if tokens.text(index) != b"tiled_partition" or angle >= limit or tokens.text(angle) != b"<" or (
            unit.regions.is_frozen(tokens.start(index))):
        return
    close = closing_angle(tokens, angle, limit)
    bracket = tokens.next_code(close, limit) if close is not None else limit
    call = arguments(tokens, bracket, limit) if bracket < limit and tokens.text(bracket) == b"(" else None
    if call is None or len(call.arguments) != 1 or call.arguments[0].empty:
        return
    if _class(unit, call.arguments[0].end - 1) == "thread_block_tile":
        yield Diagnostic(CODE, Severity.ERROR, "HIP makes tiles of blocks only, none of a tile: partition the block; "
                         "`meta_group_rank` then counts through the block", unit.range(index))
