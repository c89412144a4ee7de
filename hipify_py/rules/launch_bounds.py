"""HPY304 launch-bounds: the second number of `__launch_bounds__` counts something else in HIP.

What it does
------------
Reports ``__launch_bounds__`` with a second argument, and shows the converted number where both are literals. A third
argument, which HIP's macro cannot take, is taken out, and so is ``__maxnreg__``, CUDA's bound on registers. The form with
one argument means the same and stays; so does a second argument of 1, the least of both units. An argument with commas of
its own (``Shape<T, N>::threads``) is put into brackets. Where a macro of the source hands its arguments on
(``#define BOUNDS(...) __launch_bounds__(__VA_ARGS__)``), each use is looked at.

Why is this bad
---------------
CUDA's second number is the *blocks per multiprocessor* that the compiler keeps registers free for. HIP hands it to
``amdgpu_waves_per_eu``: *warps per execution unit*. It compiles unchanged and asks for another occupancy: too high a
number makes the kernel spill registers, too low a one leaves the GPU half empty. HIP counts the
arguments with a macro, which takes every comma outside round brackets for the end of one.

Example
-------
Bad::

    __global__ void __launch_bounds__(256, 4) press(float *v);    // CUDA: 4 blocks of 256 threads on a multiprocessor

Good::

    __global__ void __launch_bounds__(256, 4) press(float *v);    // HIP: 4 waves on each of the 4 units of a CU

Fix safety
----------
Display-only: whether the same number of resident threads is best on another GPU has to be measured. HIP's documentation
gives ``MIN_WARPS_PER_EU = MIN_BLOCKS_PER_MULTIPROCESSOR * MAX_THREADS_PER_BLOCK / 32``, with 32 for CUDA's warp and the
multiprocessor taken for one execution unit. A compute unit has four of them (two per CU on RDNA) and a wave 64 threads on
gfx9, so that as many threads stay resident with ``blocks * threads / (64 * 4)``, rounded up and at most 8 (the waves that
every execution unit holds). That is the number shown. Taking out the third argument (blocks per cluster) is safe: AMD has
no clusters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.diagnostics import Applicability, Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.lexer import TokenKind
from hipify_py.syntax import Argument, arguments, closing, has_comma
from hipify_py.unit import TranslationUnit

CODE = "HPY304"
_NAME = b"__launch_bounds__"
_REGISTERS = b"__maxnreg__"
_WAVE, _UNITS, _MOST = 64, 4, 8


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a note for each launch bound with a second argument."""
    tokens = unit.tokens
    place = unit.data.find(_NAME)
    while place >= 0:
        index = tokens.index_at(place)
        if tokens.start(index) == place and tokens.name(index) == _NAME and tokens.kind(index) == TokenKind.IDENTIFIER:
            yield from _attribute(unit, index)
            yield from _handed_on(unit, index)
        place = unit.data.find(_NAME, place + 1)
    for index in unit.occurrences.get(_REGISTERS, ()):
        yield from _registers(unit, index)


def _registers(unit: TranslationUnit, index: int) -> Iterator[Finding]:
    """``__maxnreg__(32)``: taken out, for no number of AMD's registers stands for it."""
    tokens, limit = unit.tokens, unit.limit(index)
    directive = unit.directives.containing(index)
    bracket = tokens.next_code(index, limit)
    if bracket >= limit or tokens.text(bracket) != b"(" or unit.is_user_name(index) or (
            directive is not None and (directive.macro is None or directive.macro.name == index)):
        return
    close = closing(tokens, bracket, limit)
    if close is None:
        return
    end = tokens.end(close)
    while unit.data[end : end + 1] in (b" ", b"\t"):
        end += 1
    yield Diagnostic(CODE, Severity.WARNING, "`__maxnreg__` (a bound on registers, beside the launch bounds) is unsupported by "
                     "HIP: it was taken out; measure, and bound the registers with `__attribute__((amdgpu_num_vgpr(N)))` if "
                     "need be", unit.range(index), Fix((Edit(tokens.start(index), end, b"", CODE),)))


def _handed_on(unit: TranslationUnit, index: int) -> Iterator[Finding]:
    """The uses of a macro that is ``__launch_bounds__(__VA_ARGS__)``."""
    tokens = unit.tokens
    directive = unit.directives.containing(index)
    macro = None if directive is None else directive.macro
    if macro is None or macro.parameters != (b"__VA_ARGS__",) or macro.name == index:
        return
    bracket = tokens.next_code(index, macro.body[1])
    behind = [tokens.text(each) for each in range(bracket, macro.body[1]) if not tokens.is_trivia(each)]
    if behind[:3] != [b"(", b"__VA_ARGS__", b")"]:
        return
    name = tokens.name(macro.name)
    for match in re.finditer(rb"\b" + re.escape(name) + rb"\b", unit.data):
        use = tokens.index_at(match.start())
        if tokens.start(use) == match.start() and tokens.kind(use) == TokenKind.IDENTIFIER:
            yield from _attribute(unit, use)


def _attribute(unit: TranslationUnit, index: int) -> Iterator[Finding]:
    tokens, limit = unit.tokens, unit.limit(index)
    directive = unit.directives.containing(index)
    if unit.regions.is_frozen(tokens.start(index)) or (
            directive is not None and (directive.macro is None or directive.macro.name == index)):
        return
    bracket = tokens.next_code(index, limit)
    found = arguments(tokens, bracket, limit) if bracket < limit and tokens.text(bracket) == b"(" else None
    if found is None or any(each.empty for each in found.arguments):
        return
    for each in found.arguments[:2]:
        if has_comma(tokens, each):
            first, last = tokens.start(each.first), tokens.end(each.end - 1)
            yield Fix((Edit(first, first, b"(", CODE), Edit(last, last, b")", CODE)))
    if len(found.arguments) < 2:
        return
    threads, blocks = (_number(unit, each) for each in found.arguments[:2])
    if len(found.arguments) > 2:
        cut = Edit(tokens.start(found.commas[1]), tokens.start(found.close), b"", CODE)
        yield Diagnostic(CODE, Severity.WARNING, "the third number of these launch bounds, blocks per cluster, was taken out: "
                         "AMD has no clusters; the second counts warps per execution unit in HIP", unit.range(index), Fix((cut,)))
    elif blocks is None or blocks > 1:
        said, fix = "convert or drop it", None
        if blocks is not None and threads is not None:
            wanted = min(_MOST, -(-blocks * threads // (_WAVE * _UNITS)))
            said = f"`{wanted}` keeps as many threads resident"
            second = found.arguments[1]
            if wanted != blocks:
                edit = Edit(tokens.start(second.first), tokens.end(second.end - 1), str(wanted).encode(), CODE)
                fix = Fix((edit,), Applicability.DISPLAY_ONLY)
        yield Diagnostic(CODE, Severity.NOTE, "the second number of these launch bounds counts blocks per multiprocessor in CUDA "
                         f"and warps per execution unit in HIP: {said}", unit.range(index), fix)


def _number(unit: TranslationUnit, argument: Argument) -> int | None:
    """The value of an argument that is one integer literal."""
    tokens = unit.tokens
    if argument.end - argument.first != 1 or tokens.kind(argument.first) != TokenKind.NUMBER:
        return None
    try:
        return int(tokens.text(argument.first).rstrip(b"uUlL").replace(b"'", b""), 0)
    except ValueError:
        return None
