"""HPY117 one-function-for-two: definitions of two CUDA functions that HIP has one function for.

What it does
------------
Finds functions and macros that the source defines under names of CUDA's, as a library does that is loaded in front of the
CUDA runtime, or a header that wraps it. Where two of them become one HIP name (``cudaMalloc`` and ``cuMemAlloc`` are both
``hipMalloc``), each but the first is reported.

Why is this bad
---------------
The translation defines the same function or macro twice: it does not compile, or the last macro wins without a word.

Example
-------
Reported::

    extern "C" cudaError_t cudaMalloc(void **p, size_t n) { return log(p, n); }
    extern "C" CUresult cuMemAlloc(CUdeviceptr *p, size_t n) { return log(p, n); }  // reported

Fix safety
----------
None is offered: which of the two bodies is to stay is a person's decision. Definitions in branches of one ``#if`` that
exclude each other, in other namespaces, members, and C++ overloads with another number of parameters are no matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hipify_py.diagnostics import Diagnostic, Finding, Severity
from hipify_py.homes import Around, enclosing
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.mapping import Kind
from hipify_py.names import is_linkage, is_member_access, previous_in_line, qualifier, seems_declared
from hipify_py.rules.collisions import exclusive
from hipify_py.syntax import arguments
from hipify_py.unit import TranslationUnit

_FUNCTIONS = frozenset((Kind.FUNCTION.value, Kind.DEVICE_FUNCTION.value, Kind.MACRO.value))
_BEHIND_PARAMETERS = frozenset((b"noexcept", b"throw"))


@dataclass(frozen=True, slots=True)
class _Definition:
    """A definition of one of CUDA's names: its token, its namespaces, how many parameters it has, whether its name is C's."""

    place: int
    name: bytes
    scope: tuple[bytes, ...]
    parameters: int
    is_c: bool
    is_macro: bool

    def repeats(self, other: _Definition) -> bool:
        """Whether HIP's compiler takes the two for one, once they have one name."""
        return self.name != other.name and self.is_macro is other.is_macro and (self.is_macro or (
            self.scope == other.scope and (self.is_c or other.is_c or self.parameters == other.parameters)))


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Report definitions that become one."""
    groups: dict[str, list[bytes]] = {}
    for name in unit.occurrences:
        mapping = unit.table.lookup(name)
        if mapping is not None and mapping.kind in _FUNCTIONS and mapping.hip and b"::" not in name:
            groups.setdefault(mapping.hip, []).append(name)
    for target, names in groups.items():
        if len(names) > 1:
            yield from _repeated(unit, target, names)


def _repeated(unit: TranslationUnit, target: str, names: list[bytes]) -> Iterator[Finding]:
    places = sorted(index for name in names for index in unit.occurrences[name])
    earlier: list[_Definition] = []
    for each in filter(None, (_definition(unit, index) for index in places)):
        first = next((other for other in earlier
                      if each.repeats(other) and not exclusive(unit, other.place, each.place)), None)
        earlier.append(each)
        if first is not None:
            line = unit.source.location(unit.tokens.start(first.place)).line
            what = "macro" if each.is_macro else "function"
            yield Diagnostic("HPY117", Severity.WARNING,
                             f"`{each.name.decode()}` and `{first.name.decode()}` are one {what} in HIP (`{target}`): this "
                             f"definition repeats the one in line {line}; keep one of them", unit.range(each.place))


def _definition(unit: TranslationUnit, index: int) -> _Definition | None:
    """What is defined at a token under one of CUDA's names; None if nothing is, or it keeps its name."""
    tokens, name = unit.tokens, unit.tokens.name(index)
    directive = unit.directives.containing(index)
    if directive is not None:
        macro = directive.macro
        if macro is None or macro.name != index or directive.keyword != b"define" or unit.is_user_name(index):
            return None
        return _Definition(index, name, (), len(macro.parameters or ()), False, True)
    opened = tokens.next_code(index)
    if opened >= len(tokens) or tokens.text(opened) != b"(" or is_member_access(tokens, index) or qualifier(tokens, index) or (
            not seems_declared(tokens, index)):
        return None
    listed = arguments(tokens, opened)
    if listed is None:
        return None
    behind = tokens.next_code(listed.close)
    while behind < len(tokens) and tokens.text(behind) in _BEHIND_PARAMETERS:
        behind = tokens.next_code(behind)
    if behind >= len(tokens) or tokens.text(behind) != b"{":
        return None
    scope, around = enclosing(tokens, index)
    if around is not Around.NAMESPACE or unit.is_user_name(index):
        return None
    return _Definition(index, name, scope, len(listed.arguments), unit.source.is_c or _is_extern_c(tokens, index), False)


def _is_extern_c(tokens: TokenStream, index: int) -> bool:
    """Whether a function is declared ``extern "C"``, itself or by a block around it."""
    word = previous_in_line(tokens, index)
    while word >= 0 and tokens.text(word) not in (b";", b"{", b"}"):
        if tokens.kind(word) == TokenKind.STRING:
            return True
        word = previous_in_line(tokens, word)
    bracket = tokens.enclosing(index)
    while bracket >= 0:
        if is_linkage(tokens, bracket):
            return True
        bracket = tokens.enclosing(bracket)
    return False
