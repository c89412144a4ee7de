"""HPY217 surface-call: reads and writes of surface objects, which HIP has in one form each.

What it does
------------
Takes the boundary mode out of ``surf2Dread`` and ``surf2Dwrite`` and their kin, and writes a read that returns its value
as one that goes through a pointer, the only form in HIP. A mode that clamps is reported, and so are layered cube maps.

Why is this bad
---------------
HIP's functions take no mode and return nothing: the compiler refuses the call.

Example
-------
Bad::

    float v = surf2Dread<float>(relief, x * sizeof(float), y);
    surf2Dwrite(v, relief, x * sizeof(float), y, cudaBoundaryModeZero);

Good::

    float v = ([&] { float surf_value; surf2Dread(&surf_value, relief, x * sizeof(float), y); return surf_value; }());
    surf2Dwrite(v, relief, x * sizeof(float), y);

Fix safety
----------
AMD GPUs read 0 outside of a surface and write nothing there, which is the mode ``cudaBoundaryModeZero``. The default,
``cudaBoundaryModeTrap``, ends a CUDA program that does either. Coordinates count bytes in x on both sides.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from importlib import resources

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.names import is_member_access
from hipify_py.syntax import Argument, ArgumentList, arguments, closing_angle
from hipify_py.unit import TranslationUnit

CODE = "HPY217"
_CLAMP = b"BoundaryModeClamp"
_KNOWN = (b"cudaBoundaryModeZero", b"cudaBoundaryModeTrap")


@cache
def _table() -> dict[bytes, tuple[str, int]]:
    """Name -> what it does, and how many coordinates it takes."""
    text = resources.files("hipify_py").joinpath("mapping/surfaces.csv").read_text(encoding="utf-8")
    return {row["name"].encode(): (row["use"], int(row["coordinates"])) for row in csv.DictReader(text.splitlines())}


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a fix for each call that HIP's functions do not take."""
    for name, (use, coordinates) in _table().items():
        for index in unit.occurrences.get(name, ()):
            if unit.is_handled(index) or is_member_access(unit.tokens, index) or unit.qualifier(index) or (
                    unit.is_user_name(index) or unit.regions.is_frozen(unit.tokens.start(index))):
                continue
            if use == "missing":
                yield Diagnostic(CODE, Severity.ERROR, f"`{name.decode()}` takes the face and the layer one by one in HIP: "
                                 "divide the number that CUDA takes by 6", unit.range(index))
            else:
                yield from _call(unit, index, use == "read", coordinates)


def _call(unit: TranslationUnit, index: int, reads: bool, coordinates: int) -> Iterator[Finding]:
    tokens, limit = unit.tokens, unit.limit(index)
    bracket = tokens.next_code(index, limit)
    angle = closing_angle(tokens, bracket, limit) if bracket < limit and tokens.text(bracket) == b"<" else None
    first = bracket
    if angle is not None:
        bracket = tokens.next_code(angle, limit)
    call = arguments(tokens, bracket, limit) if bracket < limit and tokens.text(bracket) == b"(" else None
    if call is None or any(each.empty for each in call.arguments):
        return
    least = coordinates + 1  # the object and its coordinates
    returns = reads and angle is not None and (
        len(call.arguments) == least or (len(call.arguments) == least + 1 and not _is_pointer(unit, call.arguments[0])))
    count = least if returns else least + 1
    edits: list[Edit] = []
    if len(call.arguments) == count + 1:
        edits += _without_last(unit, call)
    elif len(call.arguments) != count:
        return
    if returns and angle is not None:
        name = tokens.name(index)
        type_start, type_end = tokens.start(tokens.next_code(first)), tokens.end(tokens.previous_code(angle))
        edits.append(Edit(tokens.start(index), type_start, b"([&] { ", CODE))
        edits.append(Edit(type_end, tokens.end(call.open), b" surf_value; " + name + b"(&surf_value, ", CODE))
        edits.append(Edit(tokens.start(call.close), tokens.end(call.close), b"); return surf_value; }())", CODE))
    if not edits:
        return
    fix = Fix(tuple(edits))
    mode = call.arguments[-1] if len(call.arguments) == count + 1 else None
    text = b"" if mode is None else unit.data[tokens.start(mode.first) : tokens.end(mode.end - 1)]
    if mode is None or text in _KNOWN:
        yield fix
        return
    what = "clamps coordinates" if _CLAMP in text else "may clamp coordinates"
    yield Diagnostic(CODE, Severity.WARNING, f"`{text.decode(errors='replace')}` {what}, and HIP's surfaces have no boundary "
                     "mode: clamp the coordinates in the kernel", unit.range(mode.first), fix)


def _is_pointer(unit: TranslationUnit, argument: Argument) -> bool:
    """Whether a read's first argument says where the value goes."""
    if unit.tokens.text(argument.first) == b"&":
        return True
    known = unit.semantics.type_of(argument.first, argument.end)
    return known is not None and known.endswith(("*", "]"))


def _without_last(unit: TranslationUnit, call: ArgumentList) -> Iterator[Edit]:
    """Take the last argument out, one edit a token, so that no later rule answers for one of them."""
    tokens, last = unit.tokens, call.arguments[-1]
    comma = call.commas[-1]
    yield Edit(tokens.start(comma), tokens.start(last.first), b"", CODE)
    for place in range(last.first, last.end):
        yield Edit(tokens.start(place), tokens.end(place), b"", CODE)
