"""HPY211 intrinsic: device intrinsics that are plain C++ on AMD.

What it does
------------
Writes the calls of ``mapping/intrinsics.csv`` out: loads and stores with a cache hint become plain ones, ``__ldcv`` a
relaxed atomic load that goes to memory each time, copies of a pipeline plain copies, ``__dp4a`` a sum of products. Those of
``mapping/simd.csv`` (``__vadd4``, ``__vcmpgts2``, ``__viaddmax_s32``) become a loop over the parts of a word, which the
compiler unrolls. The arguments stay where they are.

Why is this bad
---------------
HIP has none of these functions, or has them for few types.

Example
-------
Bad::

    float a = __ldcs(in + i);
    __stcs(out + i, a);

Good::

    float a = (*(in + i));
    (*(out + i) = (a));

Fix safety
----------
A cache hint changes no value. A copy that is over at once is one of those that an asynchronous copy may be: what waits
for it finds it done. The SIMD functions are exact, and need C++14 where ``__dp4a`` is; ``__nanosleep`` sleeps for the
shortest time that there is. A call with another number of arguments, or a name that the source declares itself, stays.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from hipify_py.diagnostics import Edit, Finding, Fix
from hipify_py.lexer import TokenKind
from hipify_py.names import is_member_access
from hipify_py.simd import templates
from hipify_py.syntax import arguments
from hipify_py.unit import TranslationUnit

CODE = "HPY211"


@cache
def _table() -> dict[bytes, dict[int, tuple[bytes, ...]]]:
    """Name -> number of arguments -> the text in front of, between and behind them."""
    text = resources.files("hipify_py").joinpath("mapping/intrinsics.csv").read_text(encoding="utf-8")
    own = ((row["cuda"], int(row["count"]), row["hip"]) for row in csv.DictReader(text.splitlines()))
    found: dict[bytes, dict[int, tuple[bytes, ...]]] = {}
    for name, count, template in (*own, *templates()):
        pieces = tuple(re.split(r"\{\d\}", template))
        if len(pieces) != count + 1:
            raise ValueError(f"`{name}`: each argument once, in order")
        found.setdefault(name.encode(), {})[count] = tuple(piece.encode() for piece in pieces)
    return found


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a fix for each call of an intrinsic of the table."""
    for name, forms in _table().items():
        for index in unit.occurrences.get(name, ()):
            found = tuple(_edits(unit, index, forms))
            if found and not unit.is_user_name(index):
                yield Fix(found)


def _edits(unit: TranslationUnit, index: int, forms: dict[int, tuple[bytes, ...]]) -> Iterator[Edit]:
    tokens, limit = unit.tokens, unit.limit(index)
    bracket = tokens.next_code(index, limit)
    if unit.is_handled(index) or is_member_access(tokens, index) or unit.qualifier(index) or unit.seems_declared(
            tokens.name(index)) or bracket >= limit or tokens.text(bracket) != b"(":
        return
    found = arguments(tokens, bracket, limit)
    if found is None:
        return
    given = [each for each in found.arguments if not each.empty]
    pieces = forms.get(len(given))
    if pieces is None or (found.commas and len(given) != len(found.arguments)):
        return
    if not given:
        yield Edit(tokens.start(index), tokens.end(found.close), pieces[0], CODE)
        return
    yield Edit(tokens.start(index), tokens.end(bracket), pieces[0], CODE)
    for comma, piece in zip(found.commas, pieces[1:-1], strict=True):
        blank = comma + 1
        end = tokens.end(blank) if tokens.kind(blank) == TokenKind.WHITESPACE else tokens.end(comma)
        yield Edit(tokens.start(comma), end, piece, CODE)
    yield Edit(tokens.start(found.close), tokens.end(found.close), pieces[-1], CODE)
