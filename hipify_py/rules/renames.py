"""HPY101 renamed, HPY102 unknown-name, HPY208 differs, HPY401 no-counterpart: every CUDA name has an answer.

What it does
------------
Looks up each identifier (in code, macro bodies and inactive branches; not in comments and strings) in the mapping
tables and renames it. A name without counterpart is reported (HPY401, an error); so is a name that is spelled like one
of CUDA's and stands in no table, unless the source declares it (HPY102, a note), and, once a source, a counterpart that
is known to differ in something that compiles (HPY208, a note).

Why is this bad
---------------
A CUDA name that is left does not compile with hipcc, or, in a macro that nobody expands today, fails tomorrow.

Example
-------
Bad::

    cudaMemcpyAsync(d, s, n, cudaMemcpyHostToDevice, stream);

Good::

    hipMemcpyAsync(d, s, n, hipMemcpyHostToDevice, stream);

Fix safety
----------
A rename is offered where the tables know the counterpart. Names that the source itself declares stay: a member
``s.cudaSuccess``, ``mine::cudaFree``, a local variable. Where libclang is silent, the tokens around the name decide.
"""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py import counterparts
from hipify_py.diagnostics import Diagnostic, Finding, Severity
from hipify_py.mapping import Kind, Mapping
from hipify_py.mapping.families import family
from hipify_py.names import is_member_access, looks_like_cuda, qualifier
from hipify_py.unit import TranslationUnit

_PROSE = frozenset((b"error", b"warning", b"line", b"ident"))


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield an edit or a diagnostic for each CUDA name that no earlier rule took."""
    tokens = unit.tokens
    prose = [directive for directive in unit.directives.all
             if directive.keyword in _PROSE or directive.header is not None]
    differing: set[str] = set()
    skipped = {index for directive in prose for index in range(directive.first, directive.end)} if prose else set()
    for index in unit.candidates:
        if index in skipped or unit.is_handled(index):
            continue
        name = tokens.name(index)
        mapping = unit.table.lookup(name)
        if mapping is not None and (mapping.hip.encode() == name or mapping.kind == Kind.NAMESPACE.value):
            continue
        if _is_member(unit, index, mapping) or qualifier(tokens, index):
            continue
        if (mapping is None and unit.seems_declared(name)) or unit.is_user_name(index):
            continue
        if mapping is None:
            yield from _unknown(unit, index, name)
        else:
            yield from counterparts.answer(unit, mapping, unit.range(index), differing)


def _is_member(unit: TranslationUnit, index: int, mapping: Mapping | None) -> bool:
    """Whether a name is a member; a type behind an arrow is what a function returns (``auto f() -> cudaError_t``)."""
    if not is_member_access(unit.tokens, index):
        return False
    arrow = unit.tokens.text(unit.tokens.previous_code(index)) == b"->"
    return not (arrow and mapping is not None and mapping.kind == Kind.TYPE.value)


def _unknown(unit: TranslationUnit, index: int, name: bytes) -> Iterator[Finding]:
    """A name that only looks like CUDA's: by its spelling, of a library that the tables do not list, or of none known."""
    library = family(name)
    if library is not None:
        yield Diagnostic("HPY401", Severity.ERROR, f"`{name.decode('utf-8', 'replace')}` is of {library.library}, which has no "
                         f"HIP counterpart of these names: {library.advice}", unit.range(index))
    elif looks_like_cuda(name):
        yield Diagnostic("HPY102", Severity.NOTE, f"`{name.decode('utf-8', 'replace')}` looks like a CUDA name but is in "
                         "no table; it was left as it is: check where it is declared", unit.range(index))
