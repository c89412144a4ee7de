"""HPY214 argument-type: calls whose HIP function has the same arguments, one of them of another type.

What it does
------------
Reports, once a source, each function whose HIP counterpart takes or returns another type, by a table that was read from
the headers of both sides (``mapping/differences.csv``). Where the two differ in ``const`` only, it speaks up where
libclang knows that the argument points to something constant.

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
No fix is offered: it is the declaration of a variable that has to change, and all that it is used for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.call_forms import CallForm
from hipify_py.call_forms import load as call_forms
from hipify_py.diagnostics import Diagnostic, Finding, Severity
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
        types = [each for each in known if each.what == "result" or each.what.startswith(_ARGUMENT)]
        for index in unit.occurrences.get(name, ()) if types else ():
            found = list(_call(unit, index, types, written_anew.get(name, ())))
            yield from found
            if found:
                break


def _call(unit: TranslationUnit, index: int, known: list[Difference], forms: tuple[CallForm, ...]) -> Iterator[Finding]:
    """What to say about one use of a name; nothing where a form of the call is about as many arguments."""
    tokens = unit.tokens
    if is_member_access(tokens, index) or unit.qualifier(index) or unit.is_user_name(index):
        return
    mapping = unit.table.lookup(tokens.name(index))
    if mapping is None or mapping.support is Support.NO or mapping.cuda.encode() in unit.table.own:
        return
    if unit.settings.target_libraries == "roc" and mapping.roc and mapping.hip == mapping.roc:
        return  # the table is about the portable libraries
    limit = unit.limit(index)
    start = call_open(tokens, index, limit)
    call = arguments(tokens, start, limit) if start is not None else None
    if call is None or any(form.least <= len(call.arguments) <= form.most for form in forms):
        return
    told = [_told(each) for each in sorted(known, key=_place) if _matters(unit, each, call)]
    if told:
        yield Diagnostic(CODE, Severity.NOTE, f"`{mapping.hip}` takes other types than `{mapping.cuda}`: {', '.join(told)}; "
                         "change what is given to it", unit.range(index))


def _place(difference: Difference) -> int:
    """The number of an argument; the result comes first."""
    return int(difference.what[len(_ARGUMENT):]) if difference.what.startswith(_ARGUMENT) else 0


def _told(difference: Difference) -> str:
    what = "its result" if difference.what == "result" else difference.what
    return f"{what} is `{difference.ours}` in place of `{difference.theirs}`"


def _matters(unit: TranslationUnit, difference: Difference, call: ArgumentList) -> bool:
    """Whether a difference bears on this call: one in ``const`` alone does where something constant is given."""
    if _CONST.sub("", difference.theirs) != _CONST.sub("", difference.ours):
        return True
    if not difference.what.startswith(_ARGUMENT):
        return False
    place = _place(difference) - 1
    if place >= len(call.arguments) or call.arguments[place].empty:
        return False
    given = unit.semantics.type_of(call.arguments[place].first, call.arguments[place].end)
    # What the pointer itself is does not matter, only what it points to.
    return given is not None and given.removesuffix("const").count("const") > difference.ours.count("const")
