"""HPY101 renamed, HPY102 unknown-name, HPY208 differs, HPY401 no-counterpart: every CUDA name has an answer.

What it does
------------
Looks up each identifier (in code, macro bodies and inactive branches; not in comments and strings) in the mapping
tables and renames it. A name without counterpart is reported (HPY401, an error), and so is a name of another library of
NVIDIA's (NPP, OptiX, NVSHMEM, nvJPEG, cuFile, cuTENSOR ...), known by its spelling. A name that is spelled like one of CUDA's,
stands in no table and is declared neither in the source nor in a header that was found is reported too (HPY102): as a
warning where all that the source includes was seen, as a note where a header that was not found could declare it. Macros
in capitals that are called (``CUDA_CHECK(...)``) or tested (``#ifdef CUDA_FAST``) are the person's own. Once a source, a
counterpart that is known to differ in something that compiles is told (HPY208, a note).

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
``s.cudaSuccess``, ``mine::cudaFree``, a local variable (an enumerator behind its type, ``cudaError_t::cudaSuccess``,
is CUDA's). Where libclang is silent, the tokens around the name decide.
"""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py import counterparts
from hipify_py.diagnostics import Diagnostic, Finding, Severity
from hipify_py.directives import Branch
from hipify_py.mapping import Kind, Mapping
from hipify_py.mapping.families import family
from hipify_py.names import is_member_access, looks_like_cuda
from hipify_py.source import SourceRange
from hipify_py.unit import TranslationUnit

#: Its functions are declared by who uses them: no header of CUDA's does.
_LIBDEVICE = "libdevice"
_PROSE = frozenset((b"error", b"warning", b"line", b"ident"))


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield an edit or a diagnostic for each CUDA name that no earlier rule took."""
    tokens = unit.tokens
    prose = [directive for directive in unit.directives.all
             if directive.keyword in _PROSE or directive.header is not None]
    differing: set[str] = set()
    absent: set[Branch] = set()
    skipped = {index for directive in prose for index in range(directive.first, directive.end)} if prose else set()
    for index in unit.candidates:
        if index in skipped or unit.is_handled(index):
            continue
        name = tokens.name(index)
        mapping = unit.table.lookup(name)
        if mapping is not None and (mapping.hip.encode() == name or mapping.kind == Kind.NAMESPACE.value):
            continue
        if _is_member(unit, index, mapping) or unit.qualifier(index):
            continue
        own = unit.is_user_name(index) and not _is_of_libdevice(unit, index, mapping)
        if own or (mapping is None and unit.unknowns.is_own(index)):
            continue
        if mapping is None:
            yield from _unknown(unit, index, name, absent)
        else:
            yield from counterparts.answer(unit, mapping, unit.range(index), differing)


def _is_of_libdevice(unit: TranslationUnit, index: int, mapping: Mapping | None) -> bool:
    """Whether a name that the source declares is libdevice's all the same: declared, and defined nowhere here."""
    if mapping is None or mapping.library != _LIBDEVICE:
        return False
    tokens = unit.tokens
    for place in unit.occurrences.get(tokens.name(index), ()):
        bracket = tokens.next_code(place)
        if bracket >= len(tokens) or tokens.text(bracket) != b"(":
            return False
        close = tokens.partner(bracket)
        behind = tokens.next_code(close) if close > bracket else len(tokens)
        if behind < len(tokens) and tokens.text(behind) == b"{":
            return False
    return True


def _is_member(unit: TranslationUnit, index: int, mapping: Mapping | None) -> bool:
    """Whether a name is a member; a type behind an arrow is what a function returns (``auto f() -> cudaError_t``)."""
    if not is_member_access(unit.tokens, index):
        return False
    arrow = unit.tokens.text(unit.tokens.previous_code(index)) == b"->"
    return not (arrow and mapping is not None and mapping.kind == Kind.TYPE.value)


def _unknown(unit: TranslationUnit, index: int, name: bytes, absent: set[Branch]) -> Iterator[Finding]:
    """A name that no table knows: of a library without one, or one that only looks like CUDA's."""
    shown = name.decode("utf-8", "replace")
    known = family(name)
    switched = None if known is None else unit.unknowns.absent(index)
    if switched is not None:
        branch, switch = switched
        if branch not in absent:
            absent.add(branch)
            yield Diagnostic("HPY401", Severity.NOTE, f"this branch is compiled only where {switch.library}'s header is "
                             "included, which has no HIP counterpart: it may go",
                             SourceRange(branch.directive.range.start, branch.body.end))
    elif known is not None:
        yield Diagnostic("HPY401", Severity.ERROR,
                         f"`{shown}` has no HIP counterpart (it is {known.library}'s): {known.advice}", unit.range(index))
    elif looks_like_cuda(name):
        hidden = unit.unknowns.may_be_declared_elsewhere
        yield Diagnostic("HPY102", Severity.NOTE if hidden else Severity.WARNING,
                         f"`{shown}` looks like a CUDA name but is unknown, for it is in no table" + (
                             "; it was left as it is: check where it is declared" if hidden else
                             ", and nothing here declares it; it was left as it is: replace it by hand, or include its "
                             "declaration"), unit.range(index))
