"""HPY313 lockstep: steps of a reduction in `volatile` memory, without a barrier between them.

What it does
------------
Finds memory declared ``volatile`` that is read 16 and 8 places further on with no barrier in between (the unrolled tail of
a reduction), and the tests ``< 32`` in front of it, here or where the function is called. Nothing is changed.

Why is this bad
---------------
Such code counts on the 32 lanes of a warp to run in lockstep. NVIDIA's GPUs since Volta do not promise it, and neither do
HIP's compilers; the lanes of an AMD wave do run so, 64 of them on gfx9.

Example
-------
Bad::

    if (t < 32) { volatile float *s = sums; s[t] += s[t + 16]; s[t] += s[t + 8]; }

Good::

    if (t < 32) { for (int d = 16; d; d >>= 1) v += __shfl_down(v, d, 32); }

Fix safety
----------
No fix: where barriers go depends on which lanes are there. Memory that is not ``volatile`` is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.diagnostics import Diagnostic, Finding, Severity
from hipify_py.functions import Functions
from hipify_py.lexer import TokenKind
from hipify_py.unit import TranslationUnit

CODE = "HPY313"
#: How far apart two steps may stand (bytes).
_REACH = 600
_STEP = re.compile(rb"\b(\w+)\s*\[([^\[\];]{1,60}?)\+\s*16\s*\]")
_TEST = re.compile(rb"<\s*(32|WARP_?SIZE|warp_?size|warpSize)\s*\)", re.IGNORECASE)
_HIP = re.compile(rb"#[ \t]*include[ \t]*[<\"]hip/")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a note for each such chain of steps, and for the tests that lead to it."""
    if b"volatile" not in unit.data or _HIP.search(unit.data):
        return
    tokens = unit.tokens
    functions = Functions(tokens, unit.directives)
    told: set[int] = set()
    for match in _STEP.finditer(unit.data):
        index = tokens.index_at(match.start())
        around = functions.around(index)
        if tokens.kind(index) != TokenKind.IDENTIFIER or around is None or not _is_chain(unit.data, match) or (
                unit.regions.is_frozen(match.start())):
            continue
        places = [match.start()] if around not in told else []
        for number in _tested(functions, around):
            if number not in told:
                told.add(number)
                each = functions.all[number]
                start, end = tokens.start(each.first), tokens.end(each.end - 1)
                places += [test.start(1) for test in _TEST.finditer(unit.data, start, end)]
        for place in places:
            yield Diagnostic(CODE, Severity.NOTE, "steps in `volatile` memory without a barrier count on the 32 lanes of a warp "
                             "in lockstep, which HIP does not promise: put barriers between them, or use shuffles",
                             unit.range(tokens.index_at(place)))


def _is_chain(data: bytes, match: re.Match[bytes]) -> bool:
    """Whether the step by 8 follows that by 16 with no barrier, in memory that is volatile."""
    name, offset = re.escape(match.group(1)), re.escape(match.group(2).strip())
    behind = data[match.end() : match.end() + _REACH]
    next_step = re.search(rb"\b" + name + rb"\s*\[\s*" + offset + rb"\s*\+\s*8\s*\]", behind)
    return (next_step is not None and b"sync" not in behind[: next_step.start()]
            and re.search(rb"\bvolatile\b[^;,(){}]*\b" + name + rb"\b", data) is not None)


def _tested(functions: Functions, around: int) -> list[int]:
    """The function of a chain, and those that mention it."""
    name = functions.all[around].name
    return [around, *(number for number, each in enumerate(functions.all)
                      if number != around and each.device and name in functions.words(number))]
