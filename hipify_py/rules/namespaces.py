"""HPY101 renamed, HPY401 no-counterpart, for qualified names: `cub::BlockReduce`, `thrust::cuda::par`, `cuda::atomic`.

What it does
------------
Follows each ``a::b::c`` that starts with a namespace of CUDA's C++ libraries, through ``namespace x = cub;`` and
``using namespace nvcuda;``, and looks up its longest known part: ``cub`` becomes ``hipcub``, ``thrust::cuda`` becomes
``thrust::hip``; what has no counterpart (libcu++, ``nvcuda::wmma``, ``cooperative_groups::reduce``) is reported.

Why is this bad
---------------
The headers of these libraries do not come with ROCm under these names.

Example
-------
Bad::

    using Sum = ::cub::BlockReduce<float, 128>;

Good::

    using Sum = ::hipcub::BlockReduce<float, 128>;

Fix safety
----------
Only a name that starts at such a namespace is touched: ``mine::cub::x``, ``cubic::x`` and a variable ``cub`` stay. Where a
header of the person's own under one of CUDA's names (``cub/cub.cuh``) declares the namespace, header and names stay together,
and a warning says so (HPY118).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from hipify_py import counterparts
from hipify_py.diagnostics import Diagnostic, Edit, Finding, Severity
from hipify_py.lexer import TokenKind
from hipify_py.mapping import Mapping, MappingTable
from hipify_py.names import is_member_access, qualifier, seems_declared
from hipify_py.own_headers import own_namespaces
from hipify_py.unit import TranslationUnit


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield an edit or a diagnostic for each qualified name of a CUDA library."""
    tokens = unit.tokens
    roots = _roots(unit.table)
    kept = own_namespaces(unit, frozenset(root for root in roots if unit.tokens.contains(root)))
    if kept:
        yield from _told(unit, kept)
        roots -= kept.keys()
    aliases, opened = _scopes(unit, roots)
    inner = {part for scope in opened for part in _children(unit.table, scope)}
    starts = roots | aliases.keys() | inner
    if not starts:
        return
    pattern = re.compile(rb"\b(?:" + b"|".join(re.escape(each) for each in sorted(starts)) + rb")\b")
    told: set[str] = set()
    for match in pattern.finditer(unit.data):
        index = tokens.index_at(match.start())
        if tokens.start(index) != match.start() or tokens.kind(index) != TokenKind.IDENTIFIER:
            continue
        name = tokens.name(index)
        if name not in starts or is_member_access(tokens, index) or qualifier(tokens, index):
            continue
        if unit.regions.is_frozen(match.start()) or _in_include(unit, index):
            continue
        chain = _chain(unit, index)
        before = tokens.previous_code(index)
        if len(chain) == 1 and not (before >= 0 and _names_namespace(unit, index, before)) and not (
                name in inner and _is_used(unit, index, name)):
            continue
        yield from _answer(unit, chain, aliases, opened, told)


def _told(unit: TranslationUnit, kept: dict[bytes, str]) -> Iterator[Finding]:
    """Say which namespaces are the person's own, where each is first used."""
    tokens = unit.tokens
    for root, header in sorted(kept.items()):
        places = (tokens.index_at(match.start()) for match in re.finditer(rb"\b" + re.escape(root) + rb"\b", unit.data))
        first = next((index for index in places if tokens.name(index) == root and len(_chain(unit, index)) > 1), None)
        if first is not None:
            name = root.decode()
            yield Diagnostic("HPY118", Severity.WARNING, f"`{name}::` is declared by a header of your own, `{header}`, and stays "
                             "as it is, like that header: where CUDA's library is meant, take the header out of the way",
                             unit.range(first))


def _answer(unit: TranslationUnit, chain: list[int], aliases: dict[bytes, tuple[bytes, ...]],
            opened: list[tuple[bytes, ...]], told: set[str]) -> Iterator[Finding]:
    """Look up the longest known part of one qualified name."""
    tokens = unit.tokens
    parts = tuple(tokens.name(index) for index in chain)
    alias = aliases.get(parts[0])
    readings = [(alias, parts[1:])] if alias else [((), parts), *((scope, parts) for scope in opened)]
    for prefix, rest in readings:
        for size in range(len(rest), -1, -1):
            path = b"::".join((*prefix, *rest[:size]))
            mapping = unit.table.lookup(path) if b"::" in path or size else None
            if mapping is None:
                continue
            if size or not prefix:
                written = chain[len(chain) - len(rest) :][:size]
                yield from _apply(unit, mapping, written, len(prefix), told)
            return


def _apply(unit: TranslationUnit, mapping: Mapping, written: list[int], hidden: int, told: set[str]) -> Iterator[Finding]:
    """Rename the written part of a name, or report it; ``hidden`` components stand in an alias or a using."""
    tokens = unit.tokens
    if any(unit.is_handled(each) for each in written):
        return
    target = mapping.hip.encode().split(b"::")[hidden:]
    if len(target) == len(written):
        edits = tuple(Edit(tokens.start(index), tokens.end(index), part, "HPY101")
                      for index, part in zip(written, target, strict=True) if tokens.name(index) != part)
    else:
        edits = (Edit(tokens.start(written[0]), tokens.end(written[-1]), b"::".join(target), "HPY101"),)
    yield from counterparts.answer(unit, mapping, unit.range(written[0], written[-1] + 1), told, edits=edits)


def _chain(unit: TranslationUnit, index: int) -> list[int]:
    """The indices of the names in ``a::b::c``, from this one on."""
    tokens, limit = unit.tokens, unit.limit(index)
    found = [index]
    while True:
        colons = tokens.next_code(found[-1], limit)
        if colons >= limit or tokens.text(colons) != b"::":
            return found
        part = tokens.next_code(colons, limit)
        if part >= limit or tokens.kind(part) != TokenKind.IDENTIFIER:
            return found
        found.append(part)


def _names_namespace(unit: TranslationUnit, index: int, before: int) -> bool:
    """Whether a lone name stands in ``using namespace x;`` or ``namespace y = x;``."""
    tokens = unit.tokens
    if tokens.text(before) == b"::":
        before = tokens.previous_code(before)
    behind = tokens.next_code(index)
    if behind >= len(tokens) or tokens.text(behind) != b";":
        return False
    if tokens.text(before) == b"namespace":
        return True
    if tokens.text(before) != b"=":
        return False
    name = tokens.previous_code(before)
    return name > 0 and tokens.text(tokens.previous_code(name)) == b"namespace"


def _is_used(unit: TranslationUnit, index: int, name: bytes) -> bool:
    """Whether a lone name of an opened namespace is called or instantiated, and the source has no such name itself."""
    tokens = unit.tokens
    behind = tokens.next_code(index)
    if behind >= len(tokens) or tokens.text(behind) not in (b"(", b"<"):
        return False
    places = (tokens.index_at(match.start()) for match in re.finditer(rb"\b" + re.escape(name) + rb"\b", unit.data))
    return not any(tokens.name(place) == name and seems_declared(tokens, place) for place in places)


def _scopes(unit: TranslationUnit,
            roots: frozenset[bytes]) -> tuple[dict[bytes, tuple[bytes, ...]], list[tuple[bytes, ...]]]:
    """The namespace aliases of a source, and the namespaces that it opens by ``using namespace``."""
    tokens = unit.tokens
    aliases: dict[bytes, tuple[bytes, ...]] = {}
    opened: list[tuple[bytes, ...]] = []
    for match in re.finditer(rb"\bnamespace\b", unit.data):
        index = tokens.index_at(match.start())
        if tokens.start(index) != match.start() or tokens.kind(index) != TokenKind.IDENTIFIER:
            continue
        first = tokens.next_code(index)
        behind = tokens.next_code(first) if first < len(tokens) else first
        if behind >= len(tokens):
            continue
        using = tokens.text(tokens.previous_code(index)) == b"using" if index else False
        name = b""
        if not using:
            if tokens.text(behind) != b"=":
                continue
            name, first = tokens.name(first), tokens.next_code(behind)
        if first < len(tokens) and tokens.text(first) == b"::":
            first = tokens.next_code(first)
        if first >= len(tokens):
            continue
        path = tuple(tokens.name(part) for part in _chain(unit, first))
        path = (*aliases.get(path[0], path[:1]), *path[1:])
        if path[0] not in roots:
            continue
        if using:
            opened.append(path)
        else:
            aliases[name] = path
    return aliases, opened


def _in_include(unit: TranslationUnit, index: int) -> bool:
    directive = unit.directives.containing(index)
    return directive is not None and directive.header is not None


@cache
def _roots(table: MappingTable) -> frozenset[bytes]:
    """The outermost namespaces of the qualified names in the tables, and the lone namespaces there."""
    roots = {name.partition(b"::")[0] for name in table if b"::" in name}
    lone = (table.lookup(name) for name in list(table) if name.islower() and name.isalnum())
    return frozenset(roots | {row.cuda.encode() for row in lone if row is not None and row.kind == "namespace"})


@cache
def _children(table: MappingTable, scope: tuple[bytes, ...]) -> frozenset[bytes]:
    """The names right inside a namespace, as far as the tables know them."""
    prefix = b"::".join(scope) + b"::"
    return frozenset(name[len(prefix) :].partition(b"::")[0] for name in table if name.startswith(prefix))
