"""HPY309 warp-match: `__match_any_sync`, `__match_all_sync` and `__reduce_*_sync` as loops over the lanes.

What it does
------------
Writes a loop of shuffles in the place of ``__match_*_sync`` (for HIP before 7.0) and ``__reduce_*_sync`` (which no HIP has),
over the 32 lanes of a CUDA warp, or over the wave where the kernel counts in ``warpSize``.

Why is this bad
---------------
hipcc does not know the names.

Example
-------
Bad::

    unsigned sum = __reduce_add_sync(0xffffffff, v);

Good::

    unsigned sum = [](auto mine, unsigned int members) {
        members &= (unsigned int)(__ballot(1) >> (__lane_id() & 32u));
        auto result = mine;
        for (unsigned int lane = 0; lane < 32; ++lane) {
            auto other = __shfl(mine, lane, 32);
            if (lane != (__lane_id() & 31u) && (members >> lane & 1)) result = result + other;
        }
        return result; }(v, 0xffffffff);

Fix safety
----------
All lanes that are active go through the loop together, each lane's value is read by all others, and lanes that are not in
the mask are left out, so that the result is CUDA's. It takes 32 (or 64) steps where NVIDIA's GPUs take one.
"""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py import votes
from hipify_py.collectives import Call, What, calls, is_full, text_of
from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.lanes import Mode
from hipify_py.rules.warp_sync import HAS_MASKS, widen
from hipify_py.unit import TranslationUnit

CODE = "HPY309"
_KINDS = (What.MATCH_ANY, What.MATCH_ALL, What.REDUCE)
_FUNCTIONS = (b"min", b"max")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a note with a fix for each match and reduction of a warp that HIP lacks."""
    masks = unit.settings.rocm is not None and unit.settings.rocm.major >= HAS_MASKS
    for call in calls(unit):
        what = call.collective.what
        groups = unit.lanes.family(call.name).mode is Mode.GROUPS
        if what not in _KINDS or (masks and what is not What.REDUCE and not groups):
            continue
        name = unit.tokens.text(call.name).decode()
        since = "in no HIP" if what is What.REDUCE else "in HIP since 7.0 only, with masks of 64 bits"
        over = "the 32 lanes of a CUDA warp" if groups else "the lanes of the wave"
        yield Diagnostic(CODE, Severity.NOTE, f"`{name}` is {since}: a loop over {over} was written", unit.range(call.name),
                         Fix(tuple(_edits(unit, call, groups))))
        if unit.lanes.family(call.name).widens and what is not What.REDUCE and votes.can_widen(unit.tokens, call.name):
            yield from widen(unit, call)


def _edits(unit: TranslationUnit, call: Call, groups: bool) -> Iterator[Edit]:
    """The loop in front of the values, which stay where they are, and the mask behind them."""
    tokens = unit.tokens
    lanes = b"unsigned int" if groups else b"unsigned long long"
    mask = call.list.arguments[0]
    members = (b"~0u" if groups else b"~0ull") if is_full(unit, mask) else text_of(unit, mask)
    same = b", int *same" if call.collective.what is What.MATCH_ALL else b""
    text = b"[](auto mine" + same + b", " + lanes + b" members) { " + _body(call, lanes, groups) + b" }("
    yield Edit(tokens.start(call.name), tokens.end(call.name), text, CODE)
    first = call.plain[0].first
    for place in range(call.name + 1, first):
        yield Edit(tokens.start(place), tokens.end(place), b"", CODE)
    close = tokens.start(call.list.close)
    yield Edit(close, close, b", " + members, CODE)


def _body(call: Call, lanes: bytes, groups: bool) -> bytes:
    active = b"(unsigned int)(__ballot(1) >> (__lane_id() & 32u))" if groups else b"__ballot(1)"
    count, width, own = (b"32", b", 32", b"(__lane_id() & 31u)") if groups else (b"warpSize", b"", b"__lane_id()")
    loop = b"for (unsigned int lane = 0; lane < " + count + b"; ++lane) "
    read = b"__shfl(mine, lane" + width + b")"
    head = b"members &= " + active + b"; "
    if call.collective.what is What.REDUCE:
        operator = call.collective.operator
        both = operator + b"(result, other)" if operator in _FUNCTIONS else b"result " + operator + b" other"
        return (head + b"auto result = mine; " + loop + b"{ auto other = " + read + b"; if (lane != " + own +
                b" && (members >> lane & 1)) result = " + both + b"; } return result;")
    found = (head + lanes + b" found = 0; " + loop + b"found |= (" + lanes + b")(" + read + b" == mine) << lane; ")
    if call.collective.what is What.MATCH_ANY:
        return found + b"return found & members;"
    return found + b"*same = (found & members) == members; return *same ? members : 0;"
