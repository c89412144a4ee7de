"""HPY120 header-guard: the include guard of a CUDA header, asked for in a condition.

What it does
------------
Writes the guard of HIP's header for that of the CUDA header whose counterpart it is, by
``hipify_py/mapping/header_guards.csv``: ``__DRIVER_TYPES_H__``, ``CUBLAS_API_H_``, ``_CUFFT_H_`` and others.

Why is this bad
---------------
``#ifdef CUBLAS_API_H_`` is how a header says "if the program has included cuBLAS". No header of HIP defines it: what
stands behind it drops out without a word, and is missed where it is called, if at all.

Example
-------
Bad::

    #ifdef __DRIVER_TYPES_H__
    const char *name(hipError_t error) { return hipGetErrorName(error); }
    #endif

Good::

    #ifdef HIP_INCLUDE_HIP_DRIVER_TYPES_H
    const char *name(hipError_t error) { return hipGetErrorName(error); }
    #endif

Fix safety
----------
The guards are those of HIP 5.2 to 6.4, and like CUDA's no documented names: a later release may call them otherwise.
A guard that the source defines itself is its own and stays, and so are those of libraries with
``--target-libraries roc``, whose headers are others.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from importlib import resources

from hipify_py.diagnostics import Edit, Finding
from hipify_py.lexer import TokenKind
from hipify_py.unit import TranslationUnit

_CONDITIONALS = (b"if", b"ifdef", b"ifndef", b"elif", b"elifdef", b"elifndef")
#: How the guards of the runtime's own headers begin.
_RUNTIME = b"HIP_INCLUDE_"


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield an edit for each guard of a CUDA header in a condition."""
    guards = _guards()
    tokens = unit.tokens
    own: set[bytes] | None = None
    for directive in unit.directives.of(*_CONDITIONALS):
        for index in range(directive.arguments, directive.end):
            if tokens.kind(index) != TokenKind.IDENTIFIER:
                continue
            name = tokens.name(index)
            hip = guards.get(name)
            if hip is None or unit.regions.is_frozen(tokens.start(index)):
                continue
            if unit.settings.target_libraries == "roc" and not hip.startswith(_RUNTIME):
                continue
            own = _defined(unit) if own is None else own
            if name not in own:
                yield Edit(tokens.start(index), tokens.end(index), hip, "HPY120")


def _defined(unit: TranslationUnit) -> set[bytes]:
    """The macros that the source defines itself."""
    return {unit.tokens.name(each.macro.name) for each in unit.directives.of(b"define") if each.macro is not None}


@cache
def _guards() -> dict[bytes, bytes]:
    text = resources.files("hipify_py").joinpath("mapping/header_guards.csv").read_text(encoding="utf-8")
    return {row["cuda"].encode(): row["hip"].encode() for row in csv.DictReader(text.splitlines())}
