"""HPY214 argument-type: calls whose HIP function has the same arguments, one of them of another type.

What it does
------------
Reports, once a source, each function whose HIP counterpart takes or returns another type, by a table that was read from
the headers of both sides (``mapping/differences.csv``). Where the two differ in ``const`` only, it speaks up where
libclang knows that the argument points to something constant, and casts it away; so it does with types of the same bits
(``mapping/same_bits.csv``: a half precision number is a ``hipblasHalf``).

Why is this bad
---------------
The name is renamed, the call has as many arguments as it needs, and the compiler refuses it: an ``int`` for the size of
a workspace, where hipSPARSE writes a ``size_t``.

Example
-------
Reported::

    int size;
    cusparseScsr2gebsr_bufferSize(handle, dir, m, n, a, values, rows, columns, 4, 4, &size);  // argument 11 is a size_t*

Fix safety
----------
A ``const_cast`` is safe as far as HIP's function writes nothing through a pointer that CUDA's does not write through: its
headers leave out a ``const``. For any other type no fix is offered: it is the declaration of a variable that has to change,
and all that it is used for.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Generator, Iterator
from functools import cache
from importlib import resources

from hipify_py.call_forms import load as call_forms
from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.mapping import Support
from hipify_py.mapping.compare import Difference
from hipify_py.mapping.differences import load
from hipify_py.names import is_member_access
from hipify_py.syntax import ArgumentList, arguments, call_open
from hipify_py.unit import TranslationUnit

CODE = "HPY214"
_ARGUMENT = "argument "
_CONST = re.compile(r"\s*const")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a note for the first call of each function that HIP gives other types."""
    written_anew = call_forms()
    for name, known in load().items():
        if name in written_anew:
            continue
        types = [each for each in known if each.what == "result" or each.what.startswith(_ARGUMENT)]
        told = False
        for index in unit.occurrences.get(name, ()) if types else ():
            told = yield from _call(unit, index, types, told)


def _call(unit: TranslationUnit, index: int, known: list[Difference], told: bool) -> Generator[Finding, None, bool]:
    """What to say about one use of a name; returns whether its types were told by now."""
    tokens = unit.tokens
    if is_member_access(tokens, index) or unit.qualifier(index) or unit.is_user_name(index):
        return told
    mapping = unit.table.lookup(tokens.name(index))
    if mapping is None or mapping.support is Support.NO or mapping.cuda.encode() in unit.table.own:
        return told
    if unit.settings.target_libraries == "roc" and mapping.roc and mapping.hip == mapping.roc:
        return told  # the table is about the portable libraries
    limit = unit.limit(index)
    start = call_open(tokens, index, limit)
    call = arguments(tokens, start, limit) if start is not None else None
    if call is None:
        return told
    found = [each for each in sorted(known, key=_place) if _matters(unit, each, call)]
    edits = tuple(edit for each in found if _is_cast_away(each) for edit in _cast(unit, each, call))
    fix = Fix(edits) if edits and not unit.regions.is_frozen(unit.tokens.start(index)) else None
    if found and not told:
        advice = "a cast was written" if fix is not None and 2 * len(found) == len(edits) else "change what is given to it"
        yield Diagnostic(CODE, Severity.NOTE, f"`{mapping.hip}` takes other types than `{mapping.cuda}`: "
                         f"{', '.join(map(_told, found))}; {advice}", unit.range(index), fix)
    elif fix is not None:
        yield fix
    return told or bool(found)


def _const_only(difference: Difference) -> bool:
    """Whether two types are the same but for ``const``."""
    return difference.what.startswith(_ARGUMENT) and (
        _CONST.sub("", difference.theirs) == _CONST.sub("", difference.ours))


def _is_cast_away(difference: Difference) -> bool:
    """Whether a cast of the argument is all that it takes."""
    return _const_only(difference) or _same_bits(difference)


def _same_bits(difference: Difference) -> bool:
    """Whether two pointers lead to one thing under two names: a half precision number is 16 bits to hipBLAS."""
    if not difference.what.startswith(_ARGUMENT) or not difference.ours.endswith("*"):
        return False
    return any(re.sub(rf"\b{cuda}\b", hip, difference.theirs) == difference.ours for cuda, hip in _twins())


@cache
def _twins() -> tuple[tuple[str, str], ...]:
    """Pairs of types of the same bits: the one that CUDA's functions take, the one that HIP's do."""
    text = resources.files("hipify_py").joinpath("mapping/same_bits.csv").read_text(encoding="utf-8")
    return tuple((row["cuda"], row["hip"]) for row in csv.DictReader(text.splitlines()))


def _cast(unit: TranslationUnit, difference: Difference, call: ArgumentList) -> Iterator[Edit]:
    """Cast one argument to what HIP's function takes."""
    tokens, place = unit.tokens, _place(difference) - 1
    if place >= len(call.arguments):
        return  # a macro holds the arguments
    argument = call.arguments[place]
    start, end = tokens.start(argument.first), tokens.end(argument.end - 1)
    plain = unit.source.is_c or not _const_only(difference)
    cast = f"({difference.ours})(" if plain else f"const_cast<{difference.ours}>("
    yield Edit(start, start, cast.encode(), CODE)
    yield Edit(end, end, b")", CODE)


def _place(difference: Difference) -> int:
    """The number of an argument; the result comes first."""
    return int(difference.what[len(_ARGUMENT):]) if difference.what.startswith(_ARGUMENT) else 0


def _told(difference: Difference) -> str:
    what = "its result" if difference.what == "result" else difference.what
    return f"{what} is `{difference.ours}` in place of `{difference.theirs}`"


def _matters(unit: TranslationUnit, difference: Difference, call: ArgumentList) -> bool:
    """Whether a difference bears on this call: one in ``const`` alone does where something constant is given."""
    if not _const_only(difference):
        return True
    place = _place(difference) - 1
    if place >= len(call.arguments) or call.arguments[place].empty:
        return False
    given = unit.semantics.type_of(call.arguments[place].first, call.arguments[place].end)
    # What the pointer itself is does not matter, only what it points to, on each level.
    return given is not None and any(
        "const" in mine and "const" not in wanted
        for mine, wanted in zip(given.split("*")[:-1], difference.ours.split("*"), strict=False))
