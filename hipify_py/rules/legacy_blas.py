"""HPY219 legacy-blas: calls of cuBLAS's first interface, which had no handle.

What it does
------------
In a source that includes ``cublas.h`` and not ``cublas_v2.h``, reports each call of a function that hipBLAS has under the
same name with a handle in front, where the call has fewer arguments than that.

Why is this bad
---------------
Both interfaces use the same names. The rename is right, the call does not compile: hipBLAS wants the handle first, scalars by
their address, and a place for a result that the old function returned.

Example
-------
Reported::

    #include <cublas.h>

    void scale(int n, float *x) { cublasSscal(n, 2.f, x, 1); }

Fix safety
----------
No fix is offered: where the handle comes from, and what becomes of errors, is the program's own matter.
"""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.diagnostics import Diagnostic, Finding, Severity
from hipify_py.mapping import Support
from hipify_py.names import is_member_access, qualifier
from hipify_py.syntax import arguments, call_open
from hipify_py.unit import TranslationUnit

CODE = "HPY219"
_OLD, _NEW = b"cublas.h", b"cublas_v2.h"
_HANDLE = "hipblasHandle_t"


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a warning for each call without a handle."""
    headers = {each.header.name for each in unit.directives if each.header is not None}
    if _OLD not in headers or _NEW in headers:
        return
    from hipify_py.mapping.signatures import Side, signature  # noqa: PLC0415 - a large table, for few sources
    from hipify_py.mapping.signatures import arguments as parameters  # noqa: PLC0415

    tokens = unit.tokens
    for name, places in unit.occurrences.items():
        mapping = unit.table.lookup(name)
        if mapping is None or mapping.library != "blas" or mapping.support is Support.NO:
            continue
        wanted = parameters(signature(Side.HIP, mapping.hip))
        if not wanted or not wanted[0].startswith(_HANDLE):
            continue
        for index in places:
            bracket = call_open(tokens, index, unit.limit(index))
            call = None if bracket is None else arguments(tokens, bracket, unit.limit(index))
            if call is None or len(call.arguments) >= len(wanted) or is_member_access(tokens, index) or qualifier(
                    tokens, index) or unit.is_user_name(index) or unit.regions.is_frozen(tokens.start(index)):
                continue
            yield Diagnostic(CODE, Severity.WARNING, f"`{name.decode()}` is a call of cuBLAS's legacy interface, which is not "
                             f"supported: `{mapping.hip}` takes other arguments ({len(wanted)} of them, a handle first, scalars "
                             "by their address, the result by a pointer): write it anew", unit.range(index))
