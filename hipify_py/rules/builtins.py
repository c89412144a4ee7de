"""HPY202 thread-index: `threadIdx.x` becomes `hipThreadIdx_x`.

What it does
------------
Writes the axes of ``threadIdx``, ``blockIdx``, ``blockDim`` and ``gridDim`` as HIP's own names. Uses of the whole value as
a ``dim3`` stay, for HIP has them under the same name; as a ``uint3`` (a variable, an argument, what a function returns)
it gets its three axes, since HIP's builtins convert to ``dim3`` alone and can't be copied. ``--thread-indices cuda``
leaves the axes as they are.

Why is this bad
---------------
It is not: hipcc takes ``threadIdx.x`` too. HIP's spelling cannot be mistaken for a variable of one's own.

Example
-------
Bad::

    int i = blockIdx.x * blockDim.x + threadIdx.x;

Good::

    int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;

Fix safety
----------
HIP defines the one by the other. A variable or parameter of the source with such a name (``dim3 blockDim(16, 16);`` in
host code) is the person's own and is not touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.diagnostics import Edit, Finding
from hipify_py.lexer import TokenKind
from hipify_py.names import qualifier
from hipify_py.settings import Syntax
from hipify_py.unit import TranslationUnit

CODE = "HPY202"
_NAMES = re.compile(rb"\b(?:threadIdx|blockIdx|blockDim|gridDim)\b")
#: The builtin variables, and how HIP's names of their axes begin.
AXES_OF = {b"threadIdx": b"hipThreadIdx_", b"blockIdx": b"hipBlockIdx_", b"blockDim": b"hipBlockDim_",
           b"gridDim": b"hipGridDim_"}
_AXES = frozenset((b"x", b"y", b"z"))


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield one edit for each axis of a builtin variable, and for each that becomes a ``uint3``."""
    tokens = unit.tokens
    for match in _NAMES.finditer(unit.data):
        index = tokens.index_at(match.start())
        if tokens.kind(index) != TokenKind.IDENTIFIER or tokens.text(index) != match.group():
            continue
        before = tokens.previous_code(index)
        if before >= 0 and tokens.text(before) in (b".", b"->"):
            continue
        # `::threadIdx.x` stays as well: HIP's name is a macro, which `::` cannot stand in front of.
        if qualifier(tokens, index) is not None or unit.regions.is_frozen(match.start()) or unit.is_user_name(index):
            continue
        hip = unit.settings.thread_indices is Syntax.HIP
        axis = _axis(unit, index)
        if axis is None:
            if _is_uint3(unit, index):
                axes = (AXES_OF[match.group()] + each if hip else match.group() + b"." + each for each in (b"x", b"y", b"z"))
                yield Edit(match.start(), match.end(), b"make_uint3(" + b", ".join(axes) + b")", CODE)
        elif hip:
            yield Edit(match.start(), tokens.end(axis), AXES_OF[match.group()] + tokens.text(axis), CODE)


def _axis(unit: TranslationUnit, index: int) -> int | None:
    """The token of the axis behind a builtin variable; None where something else stands there."""
    tokens = unit.tokens
    dot = tokens.next_code(index)
    axis = tokens.next_code(dot) if dot < len(tokens) else dot
    if axis >= len(tokens) or tokens.text(dot) != b"." or tokens.text(axis) not in _AXES:
        return None
    gaps = unit.data[tokens.end(index) : tokens.start(dot)] + unit.data[tokens.end(dot) : tokens.start(axis)]
    return None if gaps.strip() else axis


def _is_uint3(unit: TranslationUnit, index: int) -> bool:
    """Whether the whole value is used as a ``uint3``: libclang's answer, or that of ``uint3 name = threadIdx``."""
    tokens = unit.tokens
    before, behind = tokens.previous_code(index), tokens.next_code(index)
    if before < 0 or tokens.text(before) == b"&" or (behind < len(tokens) and tokens.text(behind) == b"."):
        return False
    known = unit.semantics.converted_type_of(index)
    if known is not None:
        return known.removeprefix("const ") == "uint3"
    if tokens.text(before) != b"=" or behind >= len(tokens) or tokens.text(behind) not in (b";", b","):
        return False
    kind = tokens.previous_code(tokens.previous_code(before))
    return kind >= 0 and tokens.text(kind) == b"uint3"
