"""HPY111, HPY112, HPY113, HPY114: macros that tell which compiler, which GPU and which CUDA version is at work.

What it does
------------
*Which compiler* (HPY111): ``__CUDACC__`` and ``__NVCC__`` become ``__HIPCC__``, ``__CUDA__`` becomes ``__HIP__``.
In a source that tells CUDA's compiler and HIP apart somewhere, they mean nvcc everywhere in it, stay, and are
reported.

*Device pass, and which GPU* (HPY112): ``__CUDA_ARCH__`` as a yes or no becomes ``__HIP_DEVICE_COMPILE__``, defined
in the same passes. As a number, it is 0 under HIP, for both passes. An AMD GPU is taken for compute capability
7.0, the newest whose features it has without exception, unless 7.0 is only refused there (``assert(false);``,
``__trap();``, an empty function): then for the next that has code without PTX. Where that makes a comparison come out
differently than 0 would, HIP is added to it. The comparison is reported either way.

*Which version* (HPY113): HIP is taken for CUDA 12.0, in the same manner.

*Split by platform* (HPY114): a region where the author has already given HIP its own branch stays as it is; a note
says so, once.

Why is this bad
---------------
HIP defines none of these macros. Left alone, each test is false or compares 0: code for the device drops out, and
the branch for the oldest GPU or toolkit is compiled, without a word.

Example
-------
Bad::

    #if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
    #if CUDART_VERSION < 11020

Good::

    #if !defined(__HIP_DEVICE_COMPILE__) || (__CUDA_ARCH__ >= 600 || defined(__HIP_DEVICE_COMPILE__))
    #if (CUDART_VERSION < 11020 && !defined(__HIPCC__))

Fix safety
----------
The renames of HPY111 and of ``defined(__CUDA_ARCH__)`` are safe. A changed comparison keeps its value for nvcc and
takes the newer branch for HIP, which only a person can say is the right one: it is applied and reported. In a
source by name for a host compiler (``.c``, ``.cpp``, ``.h`` ...) versions ask for ``__HIP_PLATFORM_AMD__``, which
is defined there too. What can't be decided (``==``, values in code, unknown thresholds) is reported only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from hipify_py import capability, conditions
from hipify_py.conditions import SOME, Node, Value
from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.directives import Directive
from hipify_py.lexer import TokenKind
from hipify_py.names import looks_like_cuda
from hipify_py.regions import COMPILER_MACROS
from hipify_py.source import SourceRange
from hipify_py.unit import TranslationUnit

_CONDITIONALS = frozenset((b"if", b"ifdef", b"ifndef", b"elif", b"elifdef", b"elifndef"))
_ARCH = capability.ARCH
_DEVICE = b"__HIP_DEVICE_COMPILE__"
#: Compiler macros with a twin that HIP's compiler defines in the same place.
_TWINS = {b"__CUDACC__": b"__HIPCC__", b"__NVCC__": b"__HIPCC__", b"__CUDA__": b"__HIP__",
          b"__CUDACC_RTC__": b"__HIPCC_RTC__"}
#: Options of nvcc that hipcc has always on.
_ALWAYS_ON = frozenset((b"__CUDACC_EXTENDED_LAMBDA__", b"__CUDACC_RELAXED_CONSTEXPR__"))
#: Further macros about the GPU; HIP defines none of them, and no AMD GPU is what they ask for.
_OTHER_ARCH = frozenset((b"__CUDA_ARCH_LIST__", b"__CUDA_ARCH_FEAT_SM90_ALL", b"__CUDA_ARCH_FEAT_SM100_ALL",
                         b"__CUDA_ARCH_SPECIFIC__", b"__CUDA_ARCH_FAMILY_SPECIFIC__", b"__CUDACC_DEBUG__"))
_VERSIONS = capability.VERSIONS
_NUMBERS = frozenset((_ARCH, *_VERSIONS))
_COMPARISONS = frozenset((b"<", b">", b"<=", b">=", b"==", b"!="))


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Answer the macros of CUDA's compiler, in conditions, in macros and in code."""
    known = constants(unit)
    others = capability.by_directive(unit, known)
    for directive in unit.directives:
        if directive.keyword in _CONDITIONALS and not unit.regions.is_frozen(directive.range.start):
            yield from _Guard(unit, directive, known, others.get(directive.first, capability.USUAL)).findings()
    yield from _elsewhere(unit)
    yield from _splits(unit)


class _Guard:
    """One ``#if``, ``#ifdef`` or ``#elif``."""

    def __init__(self, unit: TranslationUnit, directive: Directive, constants: dict[bytes, Value], counts_as: int) -> None:
        self.unit = unit
        self.constants = constants
        self.counts_as = counts_as
        self.tokens = unit.tokens
        self.directive = directive
        self.version_macro = _version_macro(unit)

    def findings(self) -> Iterator[Finding]:
        """Go through the atoms of the condition: what ``&&``, ``||`` and ``!`` join."""
        node = conditions.of_directive(self.tokens, self.directive)
        if node is not None:
            yield from self._logic(node)
            return
        yield from self._all_reported(self.directive.arguments, self.directive.end, "this condition can't be read")

    def _all_reported(self, first: int, end: int, action: str) -> Iterator[Finding]:
        """Report every number among these tokens; compiler macros are renamed all the same."""
        for index in range(first, end):
            if self.tokens.kind(index) == TokenKind.IDENTIFIER:
                name = self.tokens.name(index)
                if name in _TWINS:
                    yield from self._compiler(name, index)
                elif name in _NUMBERS:
                    yield self._report(name, index, action)

    def _logic(self, node: Node) -> Iterator[Finding]:
        if node.kind in ("paren", "ternary") or (node.kind == "unary" and node.text == b"!") or (
                node.kind == "binary" and node.text in (b"&&", b"||")):
            for part in node.parts:
                yield from self._logic(part)
        elif node.kind in ("defined", "name"):
            yield from self._yes_or_no(node)
        else:
            yield from self._comparison(node)

    def _compiler(self, name: bytes, index: int) -> Iterator[Finding]:
        """``__CUDACC__`` and its like, at a token."""
        if name in COMPILER_MACROS and self.unit.regions.tells_apart:
            yield _left_alone(self.unit, name, index)
        else:
            yield Edit(self.tokens.start(index), self.tokens.end(index), _TWINS[name], "HPY111")

    def _yes_or_no(self, node: Node) -> Iterator[Finding]:
        """A macro asked for with ``defined`` or by its value alone."""
        name = node.text
        if name in _TWINS:
            yield from self._compiler(name, node.name)
        elif name == _ARCH:
            yield Edit(self.tokens.start(node.name), self.tokens.end(node.name), _DEVICE, "HPY112")
        elif name in _ALWAYS_ON:
            yield self._report(name, node.name, "hipcc has it always on: HIP was added to the test",
                               self._or_hip(node, self.version_macro))
        elif name in _VERSIONS:
            if _VERSIONS[name] is None:
                yield self._report(name, node.name, "HIP defines no such version, so the test is false there: check "
                                   "that the other branch is right")
            else:
                yield self._report(name, node.name, "HIP was added to the test", self._or_hip(node, self.version_macro))
        elif name in _OTHER_ARCH:
            yield self._report(name, node.name, "HIP does not define it, so the test is false there: check that the "
                               "other branch is right")

    def _comparison(self, node: Node) -> Iterator[Finding]:
        """A comparison of numbers, or anything else that is no logic."""
        twins = [part for part in node.walk() if part.name >= 0 and part.text in _TWINS]
        for part in twins:
            yield from self._compiler(part.text, part.name)
        asked = [part for part in node.walk() if part.name >= 0 and part.text in _NUMBERS]
        for part in node.walk():
            if part.kind == "call":
                yield from self._all_reported(part.first, part.end, "check by hand what this test is to say for HIP")
        others = [part for part in node.walk() if part.name >= 0 and part.text in _OTHER_ARCH]
        for part in others:
            yield self._report(part.text, part.name, "HIP does not define it: check this test")
        if not asked:
            return
        first, *rest = asked
        is_arch = {part.text == _ARCH for part in asked}
        if node.kind != "binary" or node.text not in _COMPARISONS or len(is_arch) > 1 or twins or others:
            for part in asked:
                yield self._report(part.text, part.name, "check by hand what this test is to say for HIP")
            return
        if len({part.text for part in asked} & {name for name, version in _VERSIONS.items() if version is None}):
            for part in asked:
                yield self._report(part.text, part.name, "HIP defines no such version, so it counts as 0: check that "
                                   "the right branch is taken")
            return
        macro = _DEVICE if is_arch == {True} else self.version_macro
        wanted, undefined = self._value(node, known=True), self._value(node, known=False)
        exact = node.text in (b"==", b"!=") and not self._against_zero(node)
        if wanted is None or undefined is None or exact:
            yield self._report(first.text, first.name, "check by hand what this test is to say for HIP")
        elif wanted == undefined:
            yield self._report(first.text, first.name, f"the test is {'true' if wanted else 'false'} there: check "
                               "that it takes the right branch")
        else:
            edits = self._or_hip(node, macro) if wanted else self._and_not_hip(node, macro)
            yield self._report(first.text, first.name, f"HIP was {'added to' if wanted else 'taken out of'} the test: "
                               "check that it takes the right branch", edits)
        for part in rest:
            yield self._report(part.text, part.name, "see the report on the same test")

    def _value(self, node: Node, *, known: bool) -> bool | None:
        """The comparison's result where HIP counts as a CUDA, or where the macros are undefined."""

        def world(name: bytes) -> tuple[bool | None, Value]:
            if name in _NUMBERS:
                value = (self.counts_as if name == _ARCH else _VERSIONS[name]) if known else 0
                return known, value
            return None, self.constants.get(name)

        value = conditions.evaluate(node, world)
        return None if value is SOME else conditions.truth(value)

    @staticmethod
    def _against_zero(node: Node) -> bool:
        return any(part.kind == "number" and part.text == b"0" for part in node.parts)

    def _or_hip(self, node: Node, macro: bytes) -> tuple[Edit, ...]:
        return self._wrapped(node, b" || defined(" + macro + b")")

    def _and_not_hip(self, node: Node, macro: bytes) -> tuple[Edit, ...]:
        return self._wrapped(node, b" && !defined(" + macro + b")")

    def _wrapped(self, node: Node, more: bytes) -> tuple[Edit, ...]:
        """Put ``more`` behind a part of the condition, both in brackets."""
        tokens, word = self.tokens, self.directive.keyword
        start, end = tokens.start(node.first), tokens.end(tokens.previous_code(node.end))
        code = _code(node.text if node.name >= 0 else next(part.text for part in node.walk() if part.text in _NUMBERS))
        if word in (b"if", b"elif"):
            before, behind = tokens.previous_code(node.first), tokens.next_code(node.end - 1, self.directive.end)
            enclosed = (before > self.directive.first and tokens.text(before) == b"(" and behind < self.directive.end
                        and tokens.text(behind) == b")")
            if enclosed:
                return (Edit(end, end, more, code),)
            return (Edit(start, start, b"(", code), Edit(end, end, more + b")", code))
        keyword = tokens.next_code(self.directive.first, self.directive.end)
        plain = b"elif" if word.startswith(b"el") else b"if"
        negated = word.endswith(b"ndef")
        return (Edit(tokens.start(keyword), tokens.end(keyword), plain, code),
                Edit(start, start, b"!(defined(" if negated else b"defined(", code),
                Edit(end, end, b")" + more + (b")" if negated else b""), code))

    def _report(self, name: bytes, index: int, action: str, edits: tuple[Edit, ...] = ()) -> Diagnostic:
        found = _report(self.unit, name, index, action, edits)
        fact = _FACTS["HPY112"] if self.counts_as == capability.USUAL else capability.fact(self.counts_as)
        return replace(found, message=found.message.replace(_FACTS["HPY112"], fact))


def _elsewhere(unit: TranslationUnit) -> Iterator[Finding]:
    """The macros in code and in the bodies of other macros."""
    tokens = unit.tokens
    for name in sorted(_TWINS):
        for index in unit.calls(name):
            if not _in_condition(unit, index):
                if name in COMPILER_MACROS and unit.regions.tells_apart:
                    yield _left_alone(unit, name, index)
                else:
                    yield Edit(tokens.start(index), tokens.end(index), _TWINS[name], "HPY111")
    for index in unit.calls(_ARCH):
        if _in_condition(unit, index):
            continue
        directive = unit.directives.containing(index)
        if directive is not None and directive.keyword not in (b"define", b"undef"):
            continue
        if directive is not None and _asks_defined(unit, index):
            yield Edit(tokens.start(index), tokens.end(index), _DEVICE, "HPY112")
        else:
            severity = Severity.ERROR if directive is None else Severity.WARNING
            yield _report(unit, _ARCH, index, "it can't be used as a value: write down what HIP needs here, by "
                          f"`{_DEVICE.decode()}`", severity=severity)
    for name in sorted(_VERSIONS):
        mapping = unit.table.lookup(name)
        target = "" if mapping is None else mapping.hip
        for index in unit.calls(name) if target else ():
            directive = unit.directives.containing(index)
            if directive is None or (directive.macro is not None and directive.macro.name != index):
                edit = Edit(tokens.start(index), tokens.end(index), target.encode(), "HPY113")
                yield _report(unit, name, index, f"it became `{target}`, whose numbers are others", (edit,))


def _asks_defined(unit: TranslationUnit, index: int) -> bool:
    """Whether ``defined`` stands in front of a name."""
    before = unit.tokens.previous_code(index)
    if before >= 0 and unit.tokens.text(before) == b"(":
        before = unit.tokens.previous_code(before)
    return before >= 0 and unit.tokens.text(before) == b"defined"


def _in_condition(unit: TranslationUnit, index: int) -> bool:
    directive = unit.directives.containing(index)
    return directive is not None and directive.keyword in _CONDITIONALS


def _splits(unit: TranslationUnit) -> Iterator[Finding]:
    """One report for each region that stays as its author has split it, if it holds CUDA names."""
    regions = unit.regions
    for chain in regions.chains:
        opening = chain.branches[0].directive
        if not regions.mentions_hip(chain):
            for branch in chain.branches:
                yield from _kept_macros(unit, branch.directive)
        elif any(_holds_cuda(unit, branch.body) for branch in chain.branches if regions.is_frozen_branch(branch)):
            own = regions.own_switch(chain)
            action = "delete the CUDA side if it is no longer needed" if own is None else (
                f"the build has to define `{own.decode()}` (`-D{own.decode()}`), hipcc does not")
            yield Diagnostic("HPY114", Severity.NOTE, "this region is already split between CUDA and HIP: it stays as "
                             f"it is; {action}", opening.range)


def _kept_macros(unit: TranslationUnit, directive: Directive) -> Iterator[Finding]:
    """``__CUDACC__`` where a source tells CUDA and HIP apart elsewhere: a report, for HIP loses this branch."""
    for index in range(directive.arguments, directive.end):
        name = unit.tokens.name(index)
        if name in COMPILER_MACROS:
            yield _left_alone(unit, name, index)


def _holds_cuda(unit: TranslationUnit, span: SourceRange) -> bool:
    """Whether a part holds a name or a header that would have been rewritten or reported elsewhere."""
    if any(_is_cuda(unit, unit.tokens.name(index)) for index in _identifiers(unit, span)):
        return True
    for directive in _directives(unit, span):
        mapping = None if directive.header is None else unit.table.header(directive.header.name)
        if mapping is not None and mapping.hip != mapping.cuda:
            return True
    return False


def _directives(unit: TranslationUnit, span: SourceRange) -> list[Directive]:
    """The directives in a part of the source."""
    every = unit.directives.all
    first = bisect_left(every, span.start, key=lambda each: each.range.start)
    return every[first : bisect_left(every, span.end, key=lambda each: each.range.start)]


def _identifiers(unit: TranslationUnit, span: SourceRange) -> Iterator[int]:
    tokens = unit.tokens
    index = tokens.index_at(span.start)
    while index < len(tokens) and tokens.start(index) < span.end:
        if tokens.kind(index) == TokenKind.IDENTIFIER:
            yield index
        index += 1


def _is_cuda(unit: TranslationUnit, name: bytes) -> bool:
    """Whether a name would have been rewritten or reported outside a split region."""
    mapping = unit.table.lookup(name)
    return looks_like_cuda(name) if mapping is None else mapping.hip != mapping.cuda


def constants(unit: TranslationUnit) -> dict[bytes, Value]:
    """The macros of this source that are defined once, as a plain number."""
    found: dict[bytes, Value] = {}
    for directive in unit.directives.of(b"define"):
        macro = directive.macro
        if macro is None:
            continue
        name = unit.tokens.name(macro.name)
        node = None if name in found or macro.parameters is not None else conditions.parse(unit.tokens, *macro.body)
        plain = node is not None and not node.names()
        found[name] = conditions.evaluate(node, lambda _: (None, None)) if node is not None and plain else None
    return found


def _version_macro(unit: TranslationUnit) -> bytes:
    """The macro by which a version test lets HIP through: one that the compiler of this source defines."""
    host = unit.source.name.endswith((".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".h", ".hh", ".hpp", ".hxx"))
    return b"__HIP_PLATFORM_AMD__" if host else b"__HIPCC__"


def code_of(name: bytes) -> str:
    """The code that answers for a macro of CUDA's compiler; empty for any other name."""
    known = name in _TWINS or name in _ALWAYS_ON or name in _NUMBERS or name in _OTHER_ARCH
    return _code(name) if known else ""


def _code(name: bytes) -> str:
    """The code of a macro's reports."""
    if name == _ARCH or name in _OTHER_ARCH:
        return "HPY112"
    return "HPY113" if name in _VERSIONS else "HPY111"


#: The fact, by code: what is true of the macro under HIP.
_FACTS = {"HPY111": "is a macro of nvcc's",
          "HPY112": "has no value in HIP, where a GPU counts as compute capability 7.0",
          "HPY113": "has no value in HIP, which counts as CUDA version 12.0"}


def _report(unit: TranslationUnit, name: bytes, index: int, action: str, edits: tuple[Edit, ...] = (), *,
            severity: Severity = Severity.WARNING) -> Diagnostic:
    code = _code(name)
    fact = "has no version in HIP" if name in _VERSIONS and _VERSIONS[name] is None else _FACTS[code]
    if name in _OTHER_ARCH:
        fact = "has no counterpart among HIP's compute capability macros"
    return Diagnostic(code, severity, f"`{name.decode()}` {fact}; {action}", unit.range(index),
                      Fix(edits) if edits else None)


def _left_alone(unit: TranslationUnit, name: bytes, index: int) -> Diagnostic:
    return Diagnostic("HPY111", Severity.WARNING, f"`{name.decode()}` stays, for this source tells CUDA's compiler and "
                      "HIP apart: HIP does not define it; check which branch is HIP's", unit.range(index))
