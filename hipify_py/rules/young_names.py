"""HPY119 young-name: names that an older HIP lacks get a definition for it.

What it does
------------
Writes, behind the includes, a definition of each name in ``mapping/fallbacks.csv`` that the translation uses and that an
older HIP lacks. ``HIP_VERSION`` decides: a HIP that has the name uses its own.

Why is this bad
---------------
The name is right for today's HIP and unknown to the HIP of many an installation: `hipsparseGetErrorString`, which every
macro that checks a status calls, came with ROCm 6.0.

Example
-------
Bad::

    #include <cuda_runtime.h>

    void wait() { cudaStreamSynchronize(cudaStreamLegacy); }

Good::

    #include <hip/hip_runtime.h>
    #if defined(HIP_VERSION) && HIP_VERSION < 60200000  // what HIP has since 6.2
    #define hipStreamLegacy ((hipStream_t)0)
    #endif

    void wait() { hipStreamSynchronize(hipStreamLegacy); }

Fix safety
----------
Safe for every HIP that has the names: their own stay. For an older one, a limit or an order that it cannot set is refused
or left as it is. ``--rocm X.Y`` says which HIP is the oldest that matters, and leaves out what that one has. A source that
uses the name in front of its includes gets no definition but a note (HPY208).
"""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py import fallbacks
from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.unit import TranslationUnit

CODE = "HPY119"


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield one insertion for all young names of a source, and a note for each."""
    young = unit.fallbacks
    if not young.wanted or young.place is None:
        return
    newline, place = unit.source.newline, young.place
    text = newline.join(line.encode() for line in fallbacks.write(list(young.wanted.values()))) + newline
    if place == len(unit.data) and not unit.data.endswith((b"\n", b"\r")):
        text = newline + text
    fix: Fix | None = Fix((Edit(place, place, text, CODE),))
    for each in young.wanted.values():
        yield Diagnostic(CODE, Severity.NOTE, f"`{each.hip}` exists since HIP {each.since}: a definition for an older version "
                         f"was added behind the includes (`--rocm {each.since}` leaves it out)",
                         unit.range(young.first_use(each.hip)), fix)
        fix = None
