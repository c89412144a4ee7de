"""HPY311 grid-size: launches with more threads in one direction than an AMD GPU counts.

What it does
------------
Reports a launch whose blocks times threads come to 2**32 or more in one direction, where constants say so. Nothing is
changed.

Why is this bad
---------------
CUDA's limit is the number of blocks, 2**31 - 1 in x; HIP's is the number of threads. Such a launch returns
``hipErrorInvalidConfiguration`` and no thread runs.

Example
-------
Bad::

    fill<<<1 << 23, 1024>>>(p, n);

Good::

    fill<<<1 << 16, 1024>>>(p, n);    // and a loop in the kernel, by blockDim.x * gridDim.x

Fix safety
----------
No fix: the kernel has to be able to do more than one element a thread. Numbers that are known only at run time are not
looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.constants import Constants
from hipify_py.diagnostics import Diagnostic, Finding, Severity
from hipify_py.rules.launches import find
from hipify_py.source import SourceRange
from hipify_py.syntax import Argument, arguments
from hipify_py.unit import TranslationUnit

CODE = "HPY311"
_LIMIT = 1 << 32
_DIM3 = re.compile(rb"dim3\s*[({]")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a warning for each launch that is too large in one direction."""
    if b"<<<" not in unit.data:
        return
    constants = Constants(unit.data)
    for launch in find(unit):
        grid, block = launch.configuration.arguments[:2]
        sizes = (_sizes(unit, grid, constants), _sizes(unit, block, constants))
        for axis, (blocks, threads) in enumerate(zip(*sizes, strict=True)):
            if blocks is not None and threads is not None and blocks * threads >= _LIMIT:
                span = SourceRange(unit.tokens.start(grid.first), unit.tokens.end(block.end - 1))
                yield Diagnostic(CODE, Severity.WARNING, f"{blocks} blocks of {threads} threads in {'xyz'[axis]} are 2**32 "
                                 "threads or more, which HIP does not launch: launch fewer blocks and loop in the kernel", span)
                break


def _sizes(unit: TranslationUnit, argument: Argument, constants: Constants) -> tuple[int | None, int | None, int | None]:
    """A launch parameter in x, y and z; None for what no constant says."""
    tokens = unit.tokens
    text = unit.data[tokens.start(argument.first) : tokens.end(argument.end - 1)]
    if not _DIM3.match(text):
        return constants.value(text), 1, 1
    bracket = tokens.next_code(argument.first, argument.end)
    call = arguments(tokens, bracket, argument.end) if tokens.text(bracket) == b"(" else None
    if call is None or not call.arguments or any(each.empty for each in call.arguments):
        return None, None, None
    found = [constants.value(unit.data[tokens.start(each.first) : tokens.end(each.end - 1)]) for each in call.arguments[:3]]
    x, y, z = (*found, 1, 1)[:3]
    return x, y, z
