"""HPY302 warp-mask, HPY303 narrow-vote: warp collectives mean the same on 32 and 64 lanes.

What it does
------------
Rewrites ``__shfl_*_sync``, votes and ``__syncwarp``. HIP before 7.0 has warp collectives without masks only, HIP 7.0
wants 64-bit masks. A CUDA warp has 32 lanes, an AMD wave 32 or 64. The kernel, with the functions it shares, decides:

* It counts in 32s (``% 32``, ``>> 5``, ``offset = 16``), or holds votes in 32 bits that cannot be widened: the 32-lane
  logic stays. A shuffle gets an explicit width of 32, a vote is cut down to the 32 lanes that belong together.
* It counts in ``warpSize`` alone: the whole wave takes part. Votes become 64 bits wide, with the variables that hold them,
  ``__popc`` and ``__ffs``.

``__syncwarp`` becomes a fence and a barrier of the wave, which the compiler moves no memory access across.

Why is this bad
---------------
A mask of 32 bits leaves out half the lanes of a 64-lane wave; a vote in an ``unsigned`` loses them; a shuffle without a
width reaches into lanes that were another warp.

Example
-------
Bad::

    v += __shfl_down_sync(0xffffffff, v, 16);

Good::

    v += __shfl_down(v, 16, 32);

Fix safety
----------
The lanes of a wave run in lockstep where control flow has not diverged, so that a mask that names all lanes is not
needed; other masks are applied to the vote. What a kernel counts in is decided once for all of it (HPY301), so that its
collectives agree.
"""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py import votes
from hipify_py.collectives import Call, What, calls, is_full, text_of
from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.lanes import Mode
from hipify_py.lexer import TokenStream
from hipify_py.source import SourceRange
from hipify_py.unit import TranslationUnit

CODE = "HPY302"
#: The first major version of HIP whose collectives take masks.
HAS_MASKS = 7
_HALF = b" >> (__lane_id() & 32u))"
_WIDE = b"0xffffffffffffffffull"
_BARRIER = b"(__threadfence_block(), __builtin_amdgcn_wave_barrier())"
_TESTS = {What.ANY: b" != 0", What.ALL: b" == 0"}


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a diagnostic with its fix for each shuffle, vote and barrier of a warp."""
    keep_masks = unit.settings.rocm is not None and unit.settings.rocm.major >= HAS_MASKS
    done = 0
    for call in calls(unit):
        if unit.tokens.start(call.name) < done or (not call.masked and unit.lanes.already_hip):
            continue
        if call.masked:  # a vote in the mask goes with the mask
            done = max(done, unit.tokens.end(call.list.arguments[0].end - 1))
        yield from _answer(unit, call, keep_masks)


def _answer(unit: TranslationUnit, call: Call, keep_masks: bool) -> Iterator[Finding]:
    what = call.collective.what
    family = unit.lanes.family(call.name)
    groups = family.mode is Mode.GROUPS
    if what is What.SHUFFLE:
        yield _shuffle(unit, call, groups, keep_masks)
    elif what is What.BARRIER:
        if not keep_masks:
            yield report(unit, call, Severity.NOTE, "`__syncwarp` exists since HIP 7.0 only: a memory fence and a barrier of "
                         "the wave were written", [_whole(unit, call, _BARRIER)])
    elif what in (What.ANY, What.ALL, What.BALLOT, What.ACTIVE):
        yield from _vote(unit, call, groups, keep_masks)
        if family.widens and votes.can_widen(unit.tokens, call.name):
            yield from widen(unit, call)
    elif keep_masks and what in (What.MATCH_ANY, What.MATCH_ALL) and not groups:
        yield report(unit, call, Severity.NOTE, f"`{call.base.decode()}_sync`: its lane mask is 64 bits wide now",
                     wide_mask(unit, call))


def _shuffle(unit: TranslationUnit, call: Call, groups: bool, keep_masks: bool) -> Diagnostic:
    """A shuffle: without its mask, with a width of 32 where groups of 32 are kept."""
    tokens = unit.tokens
    edits: list[Edit] = []
    if call.masked:
        edits += wide_mask(unit, call) if keep_masks else _drop_mask(tokens, call)
    plain = len(call.plain) == call.collective.values
    if groups and plain:
        close = tokens.start(call.list.close)
        edits.append(Edit(close, close, b", 32", CODE))
    name = tokens.text(call.name).decode()
    what = ("a width of 32 keeps the 32-lane warps of CUDA on 64-lane waves" if groups and plain
            else "it works on the whole wave of 32 or 64 lanes" if plain else "its width stays")
    mask = "its 32-bit lane mask was widened" if keep_masks else "its lane mask was dropped" if call.masked else "no mask"
    return report(unit, call, Severity.NOTE, f"`{name}`: {mask}, {what}; check that the lanes have not diverged here", edits)


def _vote(unit: TranslationUnit, call: Call, narrow: bool, keep_masks: bool) -> Iterator[Finding]:
    """``__ballot``, ``__any``, ``__all`` and ``__activemask``: cut to 32 lanes, or widened to the wave."""
    tokens, what = unit.tokens, call.collective.what
    name = tokens.text(call.name).decode()
    start, close = call.name, call.list.close
    if unit.data.startswith(_HALF, tokens.end(close)):
        return  # it was cut by an earlier translation, in a source that includes no header of HIP's
    mask = call.list.arguments[0] if call.masked else None
    also = b" & (" + text_of(unit, mask) + b")" if mask is not None and not is_full(unit, mask) else b""
    if keep_masks and not narrow and call.masked:
        yield report(unit, call, Severity.NOTE, f"`{name}`: the vote and its lane mask are 64 bits wide now",
                     wide_mask(unit, call))
        return
    negate = what is What.ALL and (narrow or bool(also))
    if not (narrow or also or what in (What.BALLOT, What.ACTIVE)):
        edits = _drop_mask(tokens, call) if call.masked else []
        if edits:
            yield report(unit, call, Severity.NOTE, f"`{name}`: its lane mask was dropped, the whole wave votes", edits)
        return
    left = b"__ballot(" + (b"!(" if negate else b"")
    right = b")" if negate else b""
    if narrow:
        left, right = b"(unsigned int)(" + left, right + b")" + _HALF
    else:
        right += b")"
    if also:
        left, right = b"(" + left, right + also + b")"
    test = _TESTS.get(what, b"")
    if test:
        left, right = b"(" + left, right + test + b")"
    if what is What.ACTIVE:
        edits = [Edit(tokens.start(start), tokens.end(close), left + b"1" + right, CODE)]
    elif not call.masked and not narrow:
        edits = []
    else:
        edits = [Edit(tokens.start(start), tokens.start(call.plain[0].first), left, CODE),
                 Edit(tokens.start(close), tokens.end(close), right, CODE)]
    counter = None if narrow else votes.counter(tokens, call.name)
    if counter is not None:
        edits.append(Edit(tokens.start(counter), tokens.end(counter), votes.WIDER[tokens.text(counter)], CODE))
    said = ("is cut to the 32 lanes of a CUDA warp, on 64-lane waves too" if narrow
            else "has a bit for each lane of the wave, 64 on most AMD GPUs")
    if edits:
        yield report(unit, call, Severity.NOTE, f"`{name}`: the vote {said}", edits)

def widen(unit: TranslationUnit, call: Call) -> Iterator[Finding]:
    """Widen the variable that is initialised by a vote, with the bit counts and shifts that work on it."""
    tokens = unit.tokens
    variable = votes.variable_of(tokens, call.name)
    if variable is None:
        return
    edits = [Edit(tokens.start(variable.first), tokens.end(variable.last), b"unsigned long long", CODE)]
    for use in votes.uses(tokens, variable):
        count = votes.counts_around(tokens, use)
        if count is not None:
            edits.append(Edit(tokens.start(count), tokens.end(count), votes.WIDER[tokens.text(count)], CODE))
            edits += (Edit(tokens.start(one), tokens.end(one), b"1ull", CODE) for one in votes.ones(tokens, count))
    yield Diagnostic("HPY303", Severity.NOTE, f"`{tokens.text(variable.name).decode()}` holds a lane mask: it was widened to 64 "
                     "bits, with the bit counts and shifts that work on it", unit.range(variable.name),
                     Fix(tuple(dict.fromkeys(edits))))


def _drop_mask(tokens: TokenStream, call: Call) -> list[Edit]:
    """The name without ``_sync`` and the arguments without the mask."""
    mask, value = call.list.arguments[0], call.list.arguments[1]
    return [Edit(tokens.start(call.name), tokens.end(call.name), call.base, CODE),
            Edit(tokens.start(mask.first), tokens.start(value.first), b"", CODE)]


def wide_mask(unit: TranslationUnit, call: Call) -> list[Edit]:
    """The mask in 64 bits: all lanes where it named all, else converted."""
    tokens = unit.tokens
    mask = call.list.arguments[0]
    start, end = tokens.start(mask.first), tokens.end(mask.end - 1)
    text = unit.data[start:end]
    if text.startswith(b"__activemask"):
        return [Edit(start, end, b"__ballot(1)", CODE)]
    if text.startswith((b"(unsigned long long)", b"__ballot(")) or text == _WIDE:
        return []
    return [Edit(start, end, _WIDE if is_full(unit, mask) else b"(unsigned long long)(" + text + b")", CODE)]


def _whole(unit: TranslationUnit, call: Call, text: bytes) -> Edit:
    """Replace the whole call."""
    return Edit(unit.tokens.start(call.name), unit.tokens.end(call.list.close), text, CODE)


def report(unit: TranslationUnit, call: Call, severity: Severity, message: str, edits: list[Edit]) -> Diagnostic:
    """The diagnostic about a call, with its fix if there is one."""
    start, end = unit.tokens.start(call.name), unit.tokens.end(call.name)
    return Diagnostic(CODE, severity, message, SourceRange(start, end), Fix(tuple(edits)) if edits else None)
