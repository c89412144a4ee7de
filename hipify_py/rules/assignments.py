"""HPY212 typed-assignment: assignments that only CUDA's types allow.

What it does
------------
Writes ``dim3(...)`` for a ``make_uint3(...)`` that a ``dim3`` is set to, and names the type in ``h = {}`` for the half
types.

Why is this bad
---------------
CUDA's ``dim3`` takes a ``uint3``, HIP's has no such conversion. HIP's half types have several assignment operators that
``{}`` fits, so that the compiler finds no best one.

Example
-------
Bad::

    grid = make_uint3(n, 1, 1);
    sum2 = {};

Good::

    grid = dim3(n, 1, 1);
    sum2 = half2{};

Fix safety
----------
Both say what CUDA's own conversion did. Only variables that the source declares with these types are touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.diagnostics import Edit, Finding
from hipify_py.lexer import TokenKind
from hipify_py.unit import TranslationUnit
from hipify_py.variables import Variables

CODE = "HPY212"
_HALVES = (b"half2", b"__half2", b"half", b"__half")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield an edit for each such assignment."""
    if b"make_uint3" in unit.data and b"dim3" in unit.data:
        yield from _dimensions(unit)
    if re.search(rb"=\s*\{\s*\}", unit.data):
        for name in _HALVES:
            if name in unit.data:
                yield from _halves(unit, name)


def _uses(unit: TranslationUnit, name: bytes) -> list[int]:
    """The tokens of a name, outside frozen regions."""
    tokens = unit.tokens
    places = (tokens.index_at(match.start()) for match in re.finditer(rb"\b" + name + rb"\b", unit.data))
    return [place for place in places if tokens.kind(place) == TokenKind.IDENTIFIER and tokens.text(place) == name
            and not unit.regions.is_frozen(tokens.start(place))]


def _dimensions(unit: TranslationUnit) -> Iterator[Finding]:
    tokens = unit.tokens
    variables = Variables(tokens, _uses(unit, b"dim3"))
    for index in _uses(unit, b"make_uint3"):
        equals = tokens.previous_code(index)
        name = tokens.previous_code(equals) if equals >= 0 else -1
        if name < 0 or tokens.text(equals) != b"=" or unit.is_handled(index):
            continue
        declares = any(each.index == name for each in variables.by_name.get(tokens.text(name), ()))
        if declares or variables.at(name) is not None:
            yield Edit(tokens.start(index), tokens.end(index), b"dim3", CODE)


def _halves(unit: TranslationUnit, kind: bytes) -> Iterator[Finding]:
    tokens = unit.tokens
    variables = Variables(tokens, _uses(unit, kind))
    for name in variables.by_name:
        for index in variables.places(name):
            equals = tokens.next_code(index)
            brace = tokens.next_code(equals) if equals < len(tokens) else equals
            close = tokens.next_code(brace) if brace < len(tokens) else brace
            if close >= len(tokens) or (tokens.text(equals), tokens.text(brace), tokens.text(close)) != (b"=", b"{", b"}"):
                continue
            variable = variables.at(index)
            if variable is not None and variable.depth == 0:
                start = tokens.start(brace)
                yield Edit(start, start, kind, CODE)
