"""HPY306 texture-reference: texture and surface references are deprecated in HIP and gone from CUDA 12.

What it does
------------
Reports each declaration of a texture or surface reference and each call that binds one. The names are translated all the
same, for HIP still has texture references; it never had ``surface<>`` (an error). Texture and surface objects stay
without a word.

Why is this bad
---------------
CUDA 12 has removed references and HIP has deprecated them; some AMD GPUs have no texture units at all.

Example
-------
Bad::

    texture<float, 2, cudaReadModeElementType> relief;
    cudaBindTextureToArray(relief, hills, d);

Good::

    texture<float, 2, hipReadModeElementType> relief;     // still deprecated: pass a hipTextureObject_t to the kernel
    hipBindTextureToArray(relief, hills, d);

Fix safety
----------
The rename is safe; moving to objects is left to a person, for kernels and launches change with it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.lexer import TokenKind
from hipify_py.mapping import Support
from hipify_py.names import is_member_access, qualifier
from hipify_py.syntax import closing_angle
from hipify_py.unit import TranslationUnit

CODE = "HPY306"


@cache
def _table() -> dict[bytes, tuple[str, str]]:
    """Name -> how it is used, and advice."""
    text = resources.files("hipify_py").joinpath("mapping/textures.csv").read_text(encoding="utf-8")
    return {row["name"].encode(): (row["use"], row["advice"]) for row in csv.DictReader(text.splitlines())}


@cache
def _names() -> re.Pattern[bytes]:
    return re.compile(rb"\b(?:" + b"|".join(sorted(_table())) + rb")\b")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a warning for each declaration and each binding of a reference."""
    tokens = unit.tokens
    for match in _names().finditer(unit.data):
        index = tokens.index_at(match.start())
        if tokens.start(index) != match.start() or tokens.text(index) != match.group() or (
                tokens.kind(index) != TokenKind.IDENTIFIER or unit.is_handled(index)):
            continue
        if unit.regions.is_frozen(match.start()) or is_member_access(tokens, index) or qualifier(tokens, index):
            continue
        directive = unit.directives.containing(index)
        if directive is not None and (directive.macro is None or directive.macro.name == index):
            continue
        use, advice = _table()[match.group()]
        if _is_use(unit, index, use) and not unit.is_user_name(index):
            yield from _report(unit, index, use, advice)


def _is_use(unit: TranslationUnit, index: int, use: str) -> bool:
    """Whether the name stands where its kind of name does."""
    tokens, limit = unit.tokens, unit.limit(index)
    behind = tokens.next_code(index, limit)
    if behind >= limit:
        return False
    if use == "call":
        return tokens.text(behind) in (b"(", b"<")
    if use == "type":
        return tokens.kind(behind) == TokenKind.IDENTIFIER
    close = closing_angle(tokens, behind, limit) if tokens.text(behind) == b"<" else None
    if close is None:
        return False
    name = tokens.next_code(close, limit)
    before = tokens.previous_code(index)
    if before >= 0 and tokens.text(before) in (b"class", b"struct", b"template"):
        return False
    inside = unit.data[tokens.end(behind) : tokens.start(close)]
    return name < limit and tokens.kind(name) == TokenKind.IDENTIFIER and (
        b"," in inside or re.search(rb"\b(?:float|int|uint|u?char|u?short|unsigned|void|T)\w*\b", inside) is not None)


def _report(unit: TranslationUnit, index: int, use: str, advice: str) -> Iterator[Finding]:
    name, span = unit.tokens.name(index), unit.range(index)
    mapping = unit.table.lookup(name)
    known = mapping is not None and mapping.support is not Support.NO and bool(mapping.hip)
    if use == "missing" or (use == "call" and not known):
        yield Diagnostic(CODE, Severity.ERROR, f"`{name.decode()}` (texture and surface references) is unsupported by HIP and "
                         f"removed from CUDA 12: {advice}", span)
        return
    target = mapping.hip.encode() if mapping is not None else name
    edits = () if target == name else (Edit(span.start, span.end, target, "HPY101"),)
    yield Diagnostic(CODE, Severity.WARNING, f"`{name.decode()}`: texture references are deprecated in HIP and removed from "
                     f"CUDA 12: {advice}", span, Fix(edits) if edits else None)
