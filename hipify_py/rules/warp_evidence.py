"""HPY301 wave-size: what a source counts its lanes in, 32s or `warpSize`.

What it does
------------
Finds numbers that stand for the 32 lanes of a CUDA warp next to warp collectives: ``threadIdx.x % 32``, ``& 31``,
``>> 5``, ``/ 32``, loops that start at 16, constants of 32 named after warps or lanes.

Why is this bad
---------------
An AMD wave has 64 lanes on gfx9 (MI series) and 32 on gfx10 and later. Code with 32 in it compiles everywhere; it is
right on 64 lanes only if all of it keeps to groups of 32.

Example
-------
Bad::

    int lane = threadIdx.x % 32;

Good::

    int lane = threadIdx.x % warpSize;

Fix safety
----------
Reported, not changed: the collectives beside it are written so that groups of 32 lanes stay together (HPY302).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hipify_py.diagnostics import Diagnostic, Finding, Severity
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.names import is_member_access
from hipify_py.unit import TranslationUnit

CODE = "HPY301"
_NAMES = re.compile(rb"warp|lane|wave|^WS$", re.IGNORECASE)
_COLLECTIVE = re.compile(rb"\b__(?:shfl|ballot|any|all|match|reduce|activemask|syncwarp)\w*\s*\(|\btiled_partition\b")
_HIP = re.compile(rb"#[ \t]*include[ \t]*[<\"]hip/")
#: Operator in front of a number that makes it a lane count, its half, its mask or its logarithm.
_OPERATORS = {b"%": (32,), b"&": (31,), b">>": (5,), b"<<": (5,), b"/": (32,), b"<": (32,), b"*": (32,)}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a source counts in.

    Args:
        counts_32: Token indices of the numbers that stand for 32 lanes.
        uses_warp_size: Whether it uses ``warpSize``.
        shuffles: Whether it has a shuffle.
        already_hip: Whether it includes a HIP header: its collectives without masks are HIP's already.
    """

    counts_32: tuple[int, ...]
    uses_warp_size: bool
    shuffles: bool
    already_hip: bool

    @property
    def whole_wave(self) -> bool:
        """Whether votes are the wave's, rather than those of 32 lanes."""
        return self.uses_warp_size or not (self.counts_32 or self.shuffles)


def gather(unit: TranslationUnit) -> Evidence:
    """Read a source for what it counts its lanes in; cached by the unit's own token stream being cheap to scan."""
    places = tuple(_numbers(unit)) if _COLLECTIVE.search(unit.data) else ()
    return Evidence(places, any(_is_builtin(unit, match.start()) for match in re.finditer(rb"\bwarpSize\b", unit.data)),
                    b"__shfl" in unit.data, _HIP.search(unit.data) is not None)


def _is_builtin(unit: TranslationUnit, offset: int) -> bool:
    """Whether ``warpSize`` at this offset is the device variable, rather than a member of the device's properties."""
    index = unit.tokens.index_at(offset)
    return unit.tokens.kind(index) == TokenKind.IDENTIFIER and not is_member_access(unit.tokens, index)


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Report each number that stands for the lanes of a warp, in sources with warp collectives."""
    evidence = gather(unit)
    if evidence.already_hip:
        return
    both = evidence.uses_warp_size
    for index in evidence.counts_32:
        number = unit.tokens.text(index).decode()
        advice = ("`warpSize` is used beside it: on 64-lane waves the two differ; use one of them" if both else
                  "the warp collectives here keep groups of 32 lanes; check what else relies on it")
        yield Diagnostic(CODE, Severity.WARNING if both else Severity.NOTE,
                         f"`{number}` stands for the 32 lanes of a warp; an AMD wave has 64 on gfx9: {advice}",
                         unit.range(index))


def _numbers(unit: TranslationUnit) -> Iterator[int]:
    """Token indices of numbers that stand for 32 lanes."""
    tokens = unit.tokens
    for match in re.finditer(rb"\b(?:32|31|5|16|0[xX]1[fF]|0[xX]20)[uUlL]*\b", unit.data):
        index = tokens.index_at(match.start())
        if tokens.kind(index) != TokenKind.NUMBER or tokens.text(index) != match.group():
            continue
        if not unit.regions.is_frozen(match.start()) and _stands_for_lanes(unit, tokens, index):
            yield index


def _stands_for_lanes(unit: TranslationUnit, tokens: TokenStream, index: int) -> bool:
    value = int(tokens.text(index).rstrip(b"uUlL"), 0)
    before = tokens.previous_code(index)
    if before < 0:
        return False
    left = tokens.text(before)
    directive = unit.directives.containing(index)
    if directive is not None and directive.macro is not None and value == 32:
        return directive.macro.body[0] == index and _NAMES.search(tokens.text(directive.macro.name)) is not None
    if left == b"=":
        name = tokens.previous_code(before)
        if value == 32:
            return _NAMES.search(tokens.text(name)) is not None
        return value == 16 and _halves(tokens, name)
    if value in _OPERATORS.get(left, ()):
        return _indexes_threads(tokens, before)
    return False


def _halves(tokens: TokenStream, name: int) -> bool:
    """Whether ``for (int x = 16; ...)`` goes on by halving."""
    text = tokens.data[tokens.start(name) : tokens.start(name) + 160]
    word = re.escape(tokens.text(name))
    return re.search(rb";[^;]*;\s*" + word + rb"\s*(?:>>=\s*1|/=\s*2|=\s*" + word + rb"\s*(?:>>\s*1|/\s*2))", text) is not None


def _indexes_threads(tokens: TokenStream, operator: int) -> bool:
    """Whether the left side of an operator is a thread index, or a variable named after one."""
    word = tokens.previous_code(operator)
    if word < 0:
        return False
    if tokens.text(word) == b")":
        word = tokens.previous_code(word)
    if tokens.text(word) in (b"x", b"y", b"z"):
        owner = tokens.previous_code(tokens.previous_code(word))
        return owner >= 0 and tokens.text(owner) in (b"threadIdx", b"blockDim")
    return re.search(rb"thread|tid|lane|warp|idx|^t$|^tx$|^i$|^id$|block_?dim|blockSize", tokens.text(word),
                     re.IGNORECASE) is not None
