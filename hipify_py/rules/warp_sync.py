"""HPY302 warp-mask, HPY303 narrow-vote: warp collectives mean the same on 32 and 64 lanes.

What it does
------------
Rewrites ``__shfl_*_sync``, votes and ``__syncwarp``. HIP before 7.0 has warp collectives without masks only, HIP 7.0
wants 64-bit masks. A CUDA warp has 32 lanes, an AMD wave 32 or 64. The source decides what is kept:

* It counts in 32s (``% 32``, ``>> 5``, ``offset = 16``): the 32-lane logic stays. A shuffle gets an explicit width of 32,
  a vote is cut down to the 32 lanes that belong together.
* It counts in ``warpSize``, or keeps votes without any number: the whole wave takes part. Votes become 64 bits wide, with
  the variables that hold them, ``__popc`` and ``__ffs``.

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
needed; other masks are applied to the vote. Where the source counts both in 32s and in ``warpSize``, each place is
reported. ``__match_*`` and ``__reduce_*`` have no counterpart before HIP 7.0 and are reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.rules.warp_evidence import Evidence, gather
from hipify_py.source import SourceRange
from hipify_py.syntax import Argument, ArgumentList, arguments
from hipify_py.unit import TranslationUnit

CODE = "HPY302"
_CALLS = re.compile(rb"\b__(?:shfl(?:_up|_down|_xor)?|ballot|any|all)(?:_sync)?\b|\b__(?:activemask|syncwarp)\b|"
                    rb"\b__(?:match_any|match_all|reduce_\w+)_sync\b")
_FULL = re.compile(rb"\(?(?:0[xX][fF]{8}|~0|-1|4294967295|UINT_MAX)[uUlL]*\)?|0[xX][fF]{16}[uUlL]*|__activemask\(\)")
_HALF = b" >> (__lane_id() & 32u))"
_WIDE = b"0xffffffffffffffffull"


@dataclass(frozen=True, slots=True)
class _Call:
    """One collective: its name's token, the name without ``_sync``, its arguments and whether it has a mask."""

    name: int
    base: bytes
    list: ArgumentList
    masked: bool

    @property
    def plain(self) -> tuple[Argument, ...]:
        """The arguments behind the mask."""
        return self.list.arguments[1:] if self.masked else self.list.arguments


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a diagnostic with its fix for each warp collective."""
    tokens = unit.tokens
    places = list(_CALLS.finditer(unit.data))
    if not places:
        return
    evidence = gather(unit)
    keep_masks = unit.settings.rocm is not None and unit.settings.rocm.major >= 7
    done = 0
    for match in places:
        index = tokens.index_at(match.start())
        if match.start() < done or tokens.start(index) != match.start() or tokens.kind(index) != TokenKind.IDENTIFIER:
            continue
        if tokens.text(index) != match.group() or unit.regions.is_frozen(match.start()) or unit.is_user_name(index):
            continue
        call = _read(unit, index)
        if call is None:
            continue
        if not call.masked and evidence.already_hip:
            continue
        for finding in _answer(unit, call, evidence, keep_masks):
            if isinstance(finding, Diagnostic) and finding.fix is not None:
                done = max(done, *(edit.end for edit in finding.fix.edits if edit.start < tokens.end(call.list.close)))
            yield finding


def _read(unit: TranslationUnit, index: int) -> _Call | None:
    tokens, limit = unit.tokens, unit.limit(index)
    name = tokens.text(index)
    bracket = tokens.next_code(index, limit)
    if bracket >= limit or tokens.text(bracket) != b"(":
        return None
    found = arguments(tokens, bracket, limit)
    if found is None:
        return None
    masked = name.endswith(b"_sync")
    base = name[: -len(b"_sync")] if masked else name
    needed = {b"__shfl": 2, b"__shfl_up": 2, b"__shfl_down": 2, b"__shfl_xor": 2, b"__ballot": 1, b"__any": 1, b"__all": 1,
              b"__activemask": 0, b"__syncwarp": 0}.get(base, 1)
    if len(found.arguments) < needed + masked:
        return None
    directive = unit.directives.containing(index)
    if directive is not None and directive.macro is not None and directive.macro.name == index:
        return None
    return _Call(index, base, found, masked)


def _answer(unit: TranslationUnit, call: _Call, evidence: Evidence, keep_masks: bool) -> Iterator[Finding]:
    """The finding for one collective: by what it is and by what the source counts in."""
    base = call.base
    if base.startswith(b"__shfl"):
        yield _shuffle(unit, call, evidence, keep_masks)
    elif base == b"__syncwarp":
        if not keep_masks:
            yield _report(unit, call, Severity.NOTE, "`__syncwarp` exists since HIP 7.0 only: a block-wide memory fence was "
                          "written, which orders what the lanes of one wave do in lockstep",
                          [_whole(unit, call, b"__threadfence_block()")])
    elif base.startswith((b"__match", b"__reduce")):
        since = "since HIP 7.0 (`--rocm 7.0`)" if base.startswith(b"__match") else "in no HIP"
        if not (keep_masks and base.startswith(b"__match")):
            yield _report(unit, call, Severity.ERROR, f"`{base.decode()}_sync` is available {since}: a warp-wide operation "
                          "with a 64-bit mask; replace it by shuffles or a vote", _wide_mask(unit, call))
        if not evidence.counts_32 and base.startswith(b"__match"):
            yield from _widen(unit, call)
    else:
        yield from _vote(unit, call, evidence, keep_masks)


def _shuffle(unit: TranslationUnit, call: _Call, evidence: Evidence, keep_masks: bool) -> Diagnostic:
    """A shuffle: without its mask, with a width where the source counts in 32s."""
    tokens = unit.tokens
    edits: list[Edit] = []
    if call.masked:
        edits += _wide_mask(unit, call) if keep_masks else _drop_mask(tokens, call)
    narrow = not evidence.uses_warp_size and len(call.plain) == 2
    if narrow:
        close = tokens.start(call.list.close)
        edits.append(Edit(close, close, b", 32", CODE))
    name = tokens.text(call.name).decode()
    if evidence.uses_warp_size and evidence.counts_32 and len(call.plain) == 2:
        return _report(unit, call, Severity.WARNING, f"`{name}` stands in a source that counts both in 32s and in `warpSize`: "
                       "on a 64-lane wave it reaches all 64 lanes; use one of the two", edits)
    what = ("a width of 32 keeps the 32-lane warps of CUDA on 64-lane waves" if narrow
            else "it works on the whole wave of 32 or 64 lanes" if len(call.plain) == 2 else "its width stays")
    mask = "its 32-bit lane mask was widened" if keep_masks else "its lane mask was dropped" if call.masked else "no mask"
    return _report(unit, call, Severity.NOTE, f"`{name}`: {mask}, {what}; check that the lanes have not diverged here", edits)


def _vote(unit: TranslationUnit, call: _Call, evidence: Evidence, keep_masks: bool) -> Iterator[Finding]:
    """``__ballot``, ``__any``, ``__all`` and ``__activemask``: cut to 32 lanes, or widened to the wave."""
    tokens = unit.tokens
    name = tokens.text(call.name).decode()
    base = call.base
    start, close = call.name, call.list.close
    counted = _counted(unit, call)
    stored = tokens.text(tokens.previous_code(start)) == b"="
    # A vote that no 64-bit variable holds is CUDA's 32 lanes, unless the source counts in whole waves.
    narrow = not evidence.whole_wave or (not evidence.uses_warp_size and base == b"__ballot" and not stored)
    mask = call.list.arguments[0] if call.masked else None
    partial = mask is not None and not _is_full(unit, mask)
    also = b""
    if partial and mask is not None:
        text = tokens.data[tokens.start(mask.first) : tokens.end(mask.end - 1)]
        also = b" & (" + text + b")"
    if keep_masks and not narrow and call.masked:
        yield _report(unit, call, Severity.NOTE, f"`{name}`: the vote and its lane mask are 64 bits wide now",
                      _wide_mask(unit, call))
        yield from _widen(unit, call)
        return
    negate = base == b"__all" and (narrow or partial)
    ballot = narrow or partial or base in (b"__ballot", b"__activemask")
    if not ballot:
        edits = _drop_mask(tokens, call) if call.masked else []
        if edits:
            yield _report(unit, call, Severity.NOTE, f"`{name}`: its lane mask was dropped, the whole wave votes", edits)
        return
    left = b"__ballot(" + (b"!(" if negate else b"")
    right = b")" if negate else b""
    if narrow:
        left, right = b"(unsigned int)(" + left, right + b")" + _HALF
    else:
        right += b")"
    test = {b"__any": b" != 0", b"__all": b" == 0"}.get(base, b"")
    if also:
        left, right = b"(" + left, right + also + b")"
    if test:
        left, right = b"(" + left, right + test + b")"
    if base == b"__activemask":
        edits = [Edit(tokens.start(start), tokens.end(close), left + b"1" + right, CODE)]
    elif not call.masked and not narrow:
        edits = []
    else:
        edits = [Edit(tokens.start(start), tokens.start(call.plain[0].first), left, CODE),
                 Edit(tokens.start(close), tokens.end(close), right, CODE)]
    if edits and not narrow and counted is not None:
        edits.append(counted)
    elif edits and not narrow and not test and not stored:
        yield _report(unit, call, Severity.WARNING, f"`{name}`: the vote has 64 lanes here and is used as it stands: make sure "
                      "that what takes it is 64 bits wide", edits)
        return
    what = ("is cut to the 32 lanes of a CUDA warp, on 64-lane waves too" if narrow
            else "has a bit for each lane of the wave, 64 on most AMD GPUs")
    if edits:
        yield _report(unit, call, Severity.NOTE, f"`{name}`: the vote {what}", edits)
    if not narrow and not test:
        yield from _widen(unit, call)


def _counted(unit: TranslationUnit, call: _Call) -> Edit | None:
    """The edit that widens ``__popc`` or ``__ffs`` right around a vote."""
    tokens = unit.tokens
    bracket = tokens.previous_code(call.name)
    counter = tokens.previous_code(bracket) if bracket >= 0 and tokens.text(bracket) == b"(" else -1
    if counter < 0 or tokens.text(counter) not in _WIDER:
        return None
    return Edit(tokens.start(counter), tokens.end(counter), _WIDER[tokens.text(counter)], CODE)


def _widen(unit: TranslationUnit, call: _Call) -> Iterator[Finding]:
    """Widen the variable that is initialised by a vote, with the bit counts and shifts that work on it."""
    tokens = unit.tokens
    equals = tokens.previous_code(call.name)
    if equals < 0 or tokens.text(equals) != b"=":
        return
    variable = tokens.previous_code(equals)
    last = tokens.previous_code(variable)
    first = last + 1
    while first > 0 and tokens.text(tokens.previous_code(first)) in _NARROW:
        first = tokens.previous_code(first)
    if first > last or tokens.kind(variable) != TokenKind.IDENTIFIER:
        yield _report(unit, call, Severity.WARNING, "this vote of 64 lanes is stored in a variable that is declared elsewhere: "
                      "make sure that it is 64 bits wide", [])
        return
    name = tokens.text(variable)
    edits = [Edit(tokens.start(first), tokens.end(last), b"unsigned long long", CODE)]
    edits += _wide_uses(unit, variable, name)
    yield Diagnostic("HPY303", Severity.NOTE, f"`{name.decode()}` holds a lane mask: it was widened to 64 bits, with the bit "
                     "counts and shifts that work on it", unit.range(variable), Fix(tuple(edits)))


_NARROW = frozenset((b"unsigned", b"int", b"uint32_t", b"uint", b"int32_t", b"signed"))
_WIDER = {b"__popc": b"__popcll", b"__ffs": b"__ffsll", b"__brev": b"__brevll"}


def _wide_uses(unit: TranslationUnit, variable: int, name: bytes) -> Iterator[Edit]:
    """``__popc(votes & ((1u << lane) - 1))`` -> ``__popcll(votes & ((1ull << lane) - 1))`` in the variable's block."""
    tokens = unit.tokens
    depth = 0
    for index in range(variable + 1, min(len(tokens), variable + 20_000)):
        kind = tokens.kind(index)
        if kind == TokenKind.PUNCTUATION:
            spelling = tokens.text(index)
            depth += (spelling == b"{") - (spelling == b"}")
            if depth < 0:
                return
        elif kind == TokenKind.IDENTIFIER and tokens.text(index) in _WIDER:
            bracket = tokens.next_code(index)
            found = arguments(tokens, bracket) if bracket < len(tokens) and tokens.text(bracket) == b"(" else None
            if found is None:
                continue
            inner = range(found.open, found.close)
            if not any(tokens.text(place) == name for place in inner):
                continue
            yield Edit(tokens.start(index), tokens.end(index), _WIDER[tokens.text(index)], CODE)
            for place in inner:
                behind = tokens.next_code(place)
                if tokens.kind(place) == TokenKind.NUMBER and tokens.text(place).rstrip(b"uU") == b"1" and (
                        tokens.text(behind) == b"<<"):
                    yield Edit(tokens.start(place), tokens.end(place), b"1ull", CODE)


def _drop_mask(tokens: TokenStream, call: _Call) -> list[Edit]:
    """The name without ``_sync`` and the arguments without the mask."""
    mask, value = call.list.arguments[0], call.list.arguments[1]
    return [Edit(tokens.start(call.name), tokens.end(call.name), call.base, CODE),
            Edit(tokens.start(mask.first), tokens.start(value.first), b"", CODE)]


def _wide_mask(unit: TranslationUnit, call: _Call) -> list[Edit]:
    """The mask in 64 bits: all lanes where it named all, else converted."""
    tokens = unit.tokens
    if not call.masked:
        return []
    mask = call.list.arguments[0]
    start, end = tokens.start(mask.first), tokens.end(mask.end - 1)
    text = tokens.data[start:end]
    if text.startswith(b"__activemask"):
        return [Edit(start, end, b"__ballot(1)", CODE)]
    if text.startswith((b"(unsigned long long)", b"__ballot(")) or text == _WIDE:
        return []
    return [Edit(start, end, _WIDE if _is_full(unit, mask) else b"(unsigned long long)(" + text + b")", CODE)]


def _is_full(unit: TranslationUnit, mask: Argument) -> bool:
    """Whether a mask names all lanes: a literal, or a macro or constant of the source that is one."""
    tokens = unit.tokens
    text = tokens.data[tokens.start(mask.first) : tokens.end(mask.end - 1)]
    if _FULL.fullmatch(text):
        return True
    if not re.fullmatch(rb"[A-Za-z_]\w*", text):
        return False
    value = re.search(rb"\b" + text + rb"\b[ \t]*=?[ \t]*([^;,\r\n]+?)[ \t]*(?:;|,|//|/\*|\r?\n)", unit.data)
    return value is not None and _FULL.fullmatch(value.group(1).strip()) is not None


def _whole(unit: TranslationUnit, call: _Call, text: bytes) -> Edit:
    """Replace the whole call."""
    return Edit(unit.tokens.start(call.name), unit.tokens.end(call.list.close), text, CODE)


def _report(unit: TranslationUnit, call: _Call, severity: Severity, message: str, edits: list[Edit]) -> Diagnostic:
    start, end = unit.tokens.start(call.name), unit.tokens.end(call.name)
    return Diagnostic(CODE, severity, message, SourceRange(start, end), Fix(tuple(edits)) if edits else None)
