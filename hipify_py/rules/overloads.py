"""HPY215 missing-overload: functions that HIP has for fewer types than CUDA.

What it does
------------
Looks, with libclang, at the type of an argument of the functions in ``mapping/overloads.csv``: ``atomicAdd`` of half and
bfloat16 becomes a loop of ``atomicCAS``, one of ``float4`` four, ``__ldg`` of what HIP has no ``__ldg`` for a plain load,
and ``__hmax2`` of ``half2`` is written out. A call without such a form is an error, with advice.

Why is this bad
---------------
The name is the same in HIP, but no overload takes the type: the compiler refuses it.

Example
-------
Bad::

    __device__ float2 f(half2 *sums, half2 a, half2 b) { return __half22float2(__hmax2(a, b)); }

Good::

    __device__ float2 f(half2 *sums, half2 a, half2 b) { return __half22float2(([](__half2 a, __half2 b) { ... }(a, b))); }

Fix safety
----------
The results are the same to the last bit; the loop of ``atomicCAS`` is slower than an instruction of the GPU's own. A
function of the source with the same name, an argument whose type libclang does not know, and a call with another number
of arguments stay.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.lexer import TokenKind
from hipify_py.names import is_member_access
from hipify_py.settings import Version
from hipify_py.syntax import ArgumentList, arguments, call_open
from hipify_py.unit import TranslationUnit

CODE = "HPY215"
_KNOWN = Version.parse("6.4")
_CONST = re.compile(r"\b(?:const|volatile)\b ?")


@dataclass(frozen=True, slots=True)
class _Row:
    """One overload: which argument has which type, the pieces of C++ around the arguments (none: no counterpart), advice."""

    argument: int
    type: str
    pieces: tuple[bytes, ...]
    until: Version | None
    note: str


@cache
def _table() -> dict[bytes, dict[int, tuple[_Row, ...]]]:
    """Name -> number of arguments -> overloads."""
    text = resources.files("hipify_py").joinpath("mapping/overloads.csv").read_text(encoding="utf-8")
    found: dict[bytes, dict[int, tuple[_Row, ...]]] = {}
    for row in csv.DictReader(text.splitlines()):
        count = int(row["count"])
        pieces = tuple(piece.encode() for piece in re.split(r"\{\d\}", row["hip"])) if row["hip"] else ()
        if pieces and len(pieces) != count + 1:
            raise ValueError(f"overloads.csv: `{row['cuda']}`: each argument once, in order")
        until = Version.parse(row["until"]) if row["until"] else None
        forms = found.setdefault(row["cuda"].encode(), {})
        forms[count] = (*forms.get(count, ()), _Row(int(row["argument"]), row["type"], pieces, until, row["note"]))
    return found


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a fix or an error for each call that no overload of HIP's takes."""
    for name, forms in _table().items():
        for index in unit.occurrences.get(name, ()):
            if not (is_member_access(unit.tokens, index) or unit.qualifier(index) or unit.seems_declared(name)
                    or unit.is_user_name(index)):
                yield from _call(unit, index, forms)


def _call(unit: TranslationUnit, index: int, forms: dict[int, tuple[_Row, ...]]) -> Iterator[Finding]:
    tokens, limit = unit.tokens, unit.limit(index)
    bracket = call_open(tokens, index, limit)
    if bracket is None or unit.regions.is_frozen(tokens.start(index)):
        return
    call = arguments(tokens, bracket, limit)
    if call is None or any(each.empty for each in call.arguments):
        return
    wanted = unit.settings.rocm
    for row in forms.get(len(call.arguments), ()):
        place = call.arguments[row.argument]
        newer = row.until is not None and wanted is not None and (
            (wanted.major, wanted.minor) >= (row.until.major, row.until.minor))
        if newer or (
                _plain(unit.semantics.type_of(place.first, place.end)) != row.type):
            continue
        name = tokens.name(index).decode()
        shown = row.type if row.argument else row.type.rstrip(" *")
        if not row.pieces and wanted is None and row.until is not None and not _is_ahead(row.until):
            yield Diagnostic(CODE, Severity.NOTE, f"HIP before {row.until} has no `{name}` for `{shown}`: {row.note}",
                             unit.range(index))
        elif not row.pieces:
            yield Diagnostic(CODE, Severity.ERROR, f"HIP has no `{name}` for `{shown}` (unsupported): "
                             f"{row.note}", unit.range(index))
        elif not unit.is_handled(index):
            fix = Fix(tuple(_edits(unit, index, call, row.pieces)))
            yield fix if not row.note else Diagnostic(
                CODE, Severity.NOTE, f"HIP has no `{name}` for `{row.type.rstrip(' *')}`: {row.note}", unit.range(index), fix)
        return


def _is_ahead(version: Version) -> bool:
    """Whether a version is newer than the HIP that the tables were made from."""
    return (version.major, version.minor) > (_KNOWN.major, _KNOWN.minor)


def _plain(known: str | None) -> str:
    """A type without qualifiers and references."""
    return _CONST.sub("", known or "").rstrip("& ").strip()


def _edits(unit: TranslationUnit, index: int, call: ArgumentList, pieces: tuple[bytes, ...]) -> Iterator[Edit]:
    tokens = unit.tokens
    yield Edit(tokens.start(index), tokens.end(call.open), pieces[0], CODE)
    for comma, piece in zip(call.commas, pieces[1:-1], strict=True):
        blank = comma + 1
        end = tokens.end(blank) if tokens.kind(blank) == TokenKind.WHITESPACE else tokens.end(comma)
        yield Edit(tokens.start(comma), end, piece, CODE)
    yield Edit(tokens.start(call.close), tokens.end(call.close), pieces[-1], CODE)
