"""HPY301 wave-size: what a kernel counts its lanes in, 32s or `warpSize`.

What it does
------------
Finds out, for each kernel with the device functions and macros that it shares, what its lanes are counted in: numbers that
stand for the 32 lanes of a CUDA warp (``threadIdx.x % 32``, ``& 31``, ``>> 5``, ``/ 32``, loops that start at 16, constants
of 32 named after warps or lanes, here, in its headers, or where it is launched), or ``warpSize``. Each number is told. A
kernel that uses both, or has votes in 32 bits that cannot all be widened, keeps groups of 32 lanes: its ``warpSize``
becomes 32.

Why is this bad
---------------
An AMD wave has 64 lanes on gfx9 (MI series) and 32 on gfx10 and later. Code with 32 in it compiles everywhere; it is
right on 64 lanes only if all of it keeps to groups of 32.

Example
-------
Bad::

    int lane = threadIdx.x % 32, warp = threadIdx.x / warpSize;

Good::

    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

Fix safety
----------
``warpSize`` is 32 on every CUDA GPU, so that 32 says the same; the collectives of the kernel are written so that groups
of 32 lanes stay together (HPY302). The fixes of a kernel are made for all of it or not at all. A function of a header that
counts otherwise than the kernel that calls it is a warning: both files have to agree. Host code that asks a device for its
``warpSize`` gets 64 on gfx9. A source that is HIP already keeps its numbers; kernels that mix both are a warning. With
``--offload-arch`` of nothing but gfx10 or later the numbers are not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.lanes import Mode, matters
from hipify_py.lexer import TokenKind
from hipify_py.names import is_member_access
from hipify_py.unit import TranslationUnit

CODE = "HPY301"
_WARP_SIZE = re.compile(rb"\bwarpSize\b|\bcudaDevAttrWarpSize\b|\bCU_DEVICE_ATTRIBUTE_WARP_SIZE\b")
_COMPARED = re.compile(rb"\b(warpSize)\s*(?:[=!<>]=|[<>])\s*32\b|"
                       rb"\b32\s*(?:[=!<>]=|[<>])\s*\w[\w.>\[\]-]*?(?:\.|->)(warpSize)\b")
_TOGETHER = re.compile(rb"\b(\w+)\s*=\s*(?:\w+\s*::\s*)*coalesced_threads\s*\(")
#: The leader of such a group adds a number that says nothing of the group: groups are counted.
_LEADER = (rb"\b%s\s*\.\s*thread_rank\s*\(\s*\)\s*==\s*0[uU]?\s*\)\s*\{?\s*(?:[\w\s*]+=\s*)?"
           rb"atomic(?:Add|Sub)\w*\s*\([^;{}]*,\s*\d+[uUlL]*\s*\)\s*;")
_ASKS = (b"cudaDevAttrWarpSize", b"CU_DEVICE_ATTRIBUTE_WARP_SIZE")
_NARROW_TARGET = re.compile(r"gfx1\d")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Report each number that stands for the lanes of a warp; make ``warpSize`` 32 in kernels that keep groups of 32."""
    warp_sizes = list(_WARP_SIZE.finditer(unit.data))
    if not (warp_sizes or matters(unit) or _TOGETHER.search(unit.data)):
        return
    if unit.lanes.already_hip:
        yield from _mixed(unit)
        return
    if not _only_narrow_targets(unit):
        yield from _told(unit)
        yield from _asked(unit, [match.start() for match in warp_sizes])
        yield from _compared(unit)
    yield from _groups(unit)
    for index, mode, family in unit.lanes.foreign_calls:
        name = unit.tokens.text(index).decode("utf-8", "replace")
        here = "32s" if family.mode is Mode.GROUPS else "`warpSize`"
        there = "32s" if mode is Mode.GROUPS else "`warpSize`"
        yield Diagnostic(CODE, Severity.WARNING, f"`{name}` of a header counts its lanes in {there}, this kernel in {here}: on "
                         "a 64-lane wave the two differ; let both use one of them", unit.range(index))


def _mixed(unit: TranslationUnit) -> Iterator[Finding]:
    """In a source that is HIP already: the numbers of kernels that count both ways; which is meant, nobody says."""
    for family in unit.lanes.families:
        for index in family.counts if family.collective and family.warp_sizes else ():
            if not unit.regions.is_frozen(unit.tokens.start(index)):
                yield Diagnostic(CODE, Severity.WARNING, f"`{unit.tokens.text(index).decode()}` stands for 32 lanes in a kernel "
                                 "that uses `warpSize`, 64 on gfx9, too: use one of them", unit.range(index))


def _groups(unit: TranslationUnit) -> Iterator[Finding]:
    """Report groups of the threads that are together where it matters how many they are: up to 64 on gfx9."""
    tokens = unit.tokens
    for name in set(_TOGETHER.findall(unit.data)):
        for match in re.finditer(rb"\b" + re.escape(name) + rb"\s*\.\s*(?:size|num_threads)\s*\(", unit.data):
            index = tokens.index_at(match.start())
            if tokens.kind(index) != TokenKind.IDENTIFIER or unit.regions.is_frozen(match.start()):
                continue
            bracket = tokens.enclosing(index)
            call = tokens.previous_code(bracket) if bracket >= 0 and tokens.text(bracket) == b"(" else -1
            # What a leader adds for all of its group comes to the same however large the groups are.
            if call < 0 or not tokens.text(call).startswith(b"atomic"):
                yield Diagnostic(CODE, Severity.WARNING, f"`{name.decode()}` holds the threads of a wave that are together, up "
                                 "to 64 on gfx9 where CUDA has 32: make sure that their number may differ", unit.range(index))
        for match in re.finditer(_LEADER % re.escape(name), unit.data):
            index = tokens.index_at(match.start())
            if tokens.kind(index) == TokenKind.IDENTIFIER and not unit.regions.is_frozen(match.start()):
                yield Diagnostic(CODE, Severity.WARNING, f"one thread of `{name.decode()}` counts its group; groups have up to "
                                 "64 threads on gfx9 where CUDA has 32, so there are fewer: count threads, or make sure that the "
                                 "number of groups may differ", unit.range(index))


def _only_narrow_targets(unit: TranslationUnit) -> bool:
    """Whether all targets have waves of 32 lanes."""
    targets = unit.settings.offload_arch
    return bool(targets) and all(_NARROW_TARGET.match(target) for target in targets)


def _told(unit: TranslationUnit) -> Iterator[Finding]:
    tokens = unit.tokens
    for family in unit.lanes.families:
        if not (family.collective or family.mixed):
            continue
        for index in family.counts:
            if not unit.regions.is_frozen(tokens.start(index)):
                yield Diagnostic(CODE, Severity.NOTE, f"`{tokens.text(index).decode()}` stands for the 32 lanes of a warp; an "
                                 "AMD wave has 64 on gfx9: this kernel keeps groups of 32 lanes; check what else relies on it",
                                 unit.range(index))
        if family.mode is not Mode.GROUPS:
            continue
        why = ("beside numbers that mean 32" if family.counts_32 else "and its votes are kept in 32 bits")
        for index in family.warp_sizes:
            if not unit.regions.is_frozen(tokens.start(index)):
                span = unit.range(index)
                yield Diagnostic(CODE, Severity.NOTE, f"`warpSize` is 64 on gfx9, this kernel uses it {why}: it became 32, so "
                                 "that the kernel keeps groups of 32 lanes", span,
                                 Fix((Edit(span.start, span.end, b"32", CODE),)))
    for index in _constants(unit):
        yield Diagnostic(CODE, Severity.NOTE, f"`{tokens.text(index).decode()}` stands for the 32 lanes of a warp; an AMD wave "
                         "has 64 on gfx9: what uses it keeps groups of 32 lanes; check what else relies on it",
                         unit.range(index))


def _constants(unit: TranslationUnit) -> Iterator[int]:
    """The numbers outside of device code that a kernel with collectives goes by."""
    used = {name for each in unit.lanes.families if each.collective or each.mixed for name in each.constants}
    inside = {index for each in unit.lanes.families for index in each.counts}
    for index, name in unit.lanes.constant_numbers:
        if name in used and index not in inside and not unit.regions.is_frozen(unit.tokens.start(index)):
            yield index


def _compared(unit: TranslationUnit) -> Iterator[Finding]:
    """Report where the host compares a device's warp size with 32 (``prop.warpSize == 32``)."""
    tokens = unit.tokens
    for match in _COMPARED.finditer(unit.data):
        index = tokens.index_at(match.start(1) if match.start(1) >= 0 else match.start(2))
        if tokens.kind(index) == TokenKind.IDENTIFIER and is_member_access(tokens, index) and not unit.regions.is_frozen(
                tokens.start(index)):
            yield Diagnostic(CODE, Severity.NOTE, "the warp size of a device is 64 on gfx9: this comparison with 32 comes out "
                             "otherwise there; check what depends on it", unit.range(index))


def _asked(unit: TranslationUnit, places: list[int]) -> Iterator[Finding]:
    """Report where the host asks for the warp size, if kernels here keep groups of 32."""
    tokens = unit.tokens
    if not any(each.mode is Mode.GROUPS and each.collective for each in unit.lanes.families):
        return
    for offset in places:
        index = tokens.index_at(offset)
        if tokens.kind(index) != TokenKind.IDENTIFIER or unit.regions.is_frozen(offset):
            continue
        if tokens.text(index) in _ASKS or is_member_access(tokens, index):
            yield Diagnostic(CODE, Severity.NOTE, "the warp size of a device is 64 on gfx9, while the kernels here keep groups "
                             "of 32 lanes: check what is computed from it", unit.range(index), _renamed(unit, index))


def _renamed(unit: TranslationUnit, index: int) -> Fix | None:
    """The rename of the name at a token, which what is said about it would else stand in the way of."""
    mapping, span = unit.table.lookup(unit.tokens.name(index)), unit.range(index)
    if mapping is None or not mapping.hip or mapping.hip.encode() == unit.tokens.name(index):
        return None
    return Fix((Edit(span.start, span.end, mapping.hip.encode(), "HPY101"),))
