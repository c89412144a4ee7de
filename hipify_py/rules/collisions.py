"""HPY115: two CUDA types, or two CUDA enumerators, that are one in HIP.

What it does
------------
Finds function overloads and template specialisations that differ only in CUDA types which HIP has one type for
(``CUresult`` and ``cudaError_t`` are both ``hipError_t``), and ``case`` labels of one ``switch`` that become the
same label. Each but the first is reported. (Definitions of functions that become one: HPY117.)

Why is this bad
---------------
The translation defines the same function, specialisation or label twice, and does not compile.

Example
-------
Reported::

    const char *word(cudaError_t e);
    const char *word(CUresult e);  // reported: becomes the same overload

Fix safety
----------
None is offered: which of the two bodies is to stay is a person's decision.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from hipify_py.diagnostics import Diagnostic, Finding, Severity
from hipify_py.directives import Branch
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.mapping import Kind
from hipify_py.syntax import Argument, closing, closing_angle, opening, opening_angle, split
from hipify_py.unit import TranslationUnit

#: Types that CUDA itself spells in two ways, by spelling of the rest: one type already, so they can't be overloaded.
_HANDLES = frozenset((
    "stream", "event", "graph", "graphexec", "graphnode", "function", "mempool", "memorypool", "userobject", "kernel",
    "library", "externalmemory", "externalsemaphore", "uuid", "surfobject", "surfaceobject", "texobject",
    "textureobject", "hostfn"))
_SUFFIXES = ("_t", "_st", "_enum", "_union", "_v1", "_v2")
#: Pairs of names for one CUDA type that no spelling shows.
_SAME = ({"CUresult", "cudaError_enum"}, {"cublasDataType_t", "cudaDataType"}, {"curandState", "curandStateXORWOW"},
         {"CUmemoryPool", "cudaMemPool_t"}, {"nv_bfloat16", "__nv_bfloat16"}, {"nv_bfloat162", "__nv_bfloat162"},
         {"half", "__half"}, {"half2", "__half2"}, {"cuComplex", "cuFloatComplex", "cufftComplex"},
         {"cuDoubleComplex", "cufftDoubleComplex"})
_SAME_NAMES = {name: min(group) for group in _SAME for name in group}
_NOT_NAMES = frozenset((b"if", b"while", b"for", b"switch", b"return", b"sizeof", b"catch", b"decltype", b"alignof",
                        b"noexcept", b"static_assert", b"defined", b"__attribute__", b"__declspec", b"alignas"))
_BEHIND_PARAMETERS = frozenset((b"{", b";", b"const", b"noexcept", b"override", b"final", b"->", b"=", b":", b"try"))
_TYPE_WORDS = frozenset((b"const", b"volatile", b"int", b"char", b"short", b"long", b"float", b"double", b"bool",
                         b"void", b"unsigned", b"signed", b"auto", b"struct", b"enum", b"class"))


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Report what collides once two CUDA names have become one."""
    targets = _merged_types(unit)
    if targets:
        yield from _redefinitions(unit, targets)
    yield from _labels(unit)


@dataclass(frozen=True, slots=True)
class _Definition:
    """A declaration that names a merged type: where it is reported, what it declares, and with which types."""

    place: int
    what: str
    name: bytes
    key: tuple[object, ...]
    types: tuple[bytes, ...]


def _identity(name: str) -> str:
    """What is the same for all of CUDA's own names of one type."""
    plain = name
    while plain.endswith(_SUFFIXES):
        plain = plain[: plain.rindex("_")]
    plain = _SAME_NAMES.get(name, _SAME_NAMES.get(plain, plain))
    bare = plain.removeprefix("cuda").removeprefix("CU").replace("_", "").lower()
    return bare if bare in _HANDLES else plain


def _merged_types(unit: TranslationUnit) -> dict[bytes, str]:
    """The CUDA types of this source that share their HIP type with another one of it, and that HIP type."""
    groups: dict[str, dict[bytes, str]] = {}
    for name in unit.occurrences:
        mapping = unit.table.lookup(name)
        if mapping is not None and mapping.kind == Kind.TYPE.value and mapping.hip and b"::" not in name:
            groups.setdefault(mapping.hip, {})[name] = _identity(mapping.cuda)
    return {name: target for target, names in groups.items() if len(set(names.values())) > 1 for name in names}


def _redefinitions(unit: TranslationUnit, targets: dict[bytes, str]) -> Iterator[Finding]:
    """Overloads and specialisations that become the same one."""
    scopes = _Scopes(unit.tokens)
    found = {each.place: each for name in targets for index in unit.occurrences[name]
             for each in (_definition(unit, scopes, index, targets),) if each is not None}
    first: dict[tuple[object, ...], _Definition] = {}
    for place in sorted(found):
        each = found[place]
        earlier = first.setdefault(each.key, each)
        mine = [_identity(name.decode()) for name in each.types]
        theirs = [_identity(name.decode()) for name in earlier.types]
        if mine == theirs or exclusive(unit, earlier.place, place):
            continue
        here, there = next((a, b) for a, b, x, y in zip(each.types, earlier.types, mine, theirs, strict=True) if x != y)
        line = unit.source.location(unit.tokens.start(earlier.place)).line
        yield Diagnostic("HPY115", Severity.WARNING,
                         f"`{here.decode()}` and `{there.decode()}` are the same type in HIP (`{targets[here]}`): this "
                         f"{each.what} of `{each.name.decode()}` repeats the one in line {line}; keep one of them",
                         unit.range(place))


def _definition(unit: TranslationUnit, scopes: _Scopes, index: int, targets: dict[bytes, str]) -> _Definition | None:
    """The overload or specialisation whose parameters or arguments name the type at this token."""
    tokens = unit.tokens
    if unit.directives.containing(index) is not None:
        return None
    start = _list_start(tokens, index)
    if start is None:
        return None
    if tokens.text(start) == b"<":
        behind_arguments = _parameters_behind(tokens, start)
        if behind_arguments is None:
            return _specialisation(unit, scopes, start, targets)
        start = behind_arguments
    close = closing(tokens, start)
    if close is None:
        return None
    behind = tokens.next_code(close)
    if behind >= len(tokens) or tokens.text(behind) not in _BEHIND_PARAMETERS:
        return None
    name = tokens.previous_code(start)
    named = b""
    arguments: tuple[object, ...] = ()
    argument_types: tuple[bytes, ...] = ()
    if name >= 0 and tokens.text(name) == b">":  # f<CUresult>(CUresult)
        less = opening_angle(tokens, name)
        if less is None:
            return None
        arguments, argument_types = _signature(tokens, split(tokens, less, name).arguments, targets, named=False)
        name = tokens.previous_code(less)
    operator = name
    while operator >= 0 and tokens.kind(operator) == TokenKind.PUNCTUATION and tokens.text(operator) not in b";{}":
        operator = tokens.previous_code(operator)
    if operator >= 0 and tokens.text(operator) == b"operator":
        named = b"operator" + b"".join(tokens.text(each) for each in range(operator + 1, start)
                                       if not tokens.is_trivia(each))
        name = operator
    elif name >= 0 and tokens.kind(name) == TokenKind.IDENTIFIER and tokens.text(name) not in _NOT_NAMES:
        named = tokens.name(name)
    scope = scopes.names(name)
    if not named or not (_is_declared(tokens, name) or scope[:1] == (named,)):
        return None
    signature, types = _signature(tokens, split(tokens, start, close).arguments, targets, named=True)
    what = "specialisation (or overload)" if arguments else "overload"
    return _Definition(name, what, named,
                       (scope, named, arguments, signature, tokens.text(behind) == b"const"),
                       argument_types + types)


def _parameters_behind(tokens: TokenStream, less: int) -> int | None:
    """The ``(`` of ``template <> R f<...>(...)``, for the ``<`` of its arguments; None where it is no such thing."""
    greater = closing_angle(tokens, less)
    if greater is None or tokens.text(greater) != b">":
        return None
    behind = tokens.next_code(greater)
    if behind >= len(tokens) or tokens.text(behind) != b"(":
        return None
    place = tokens.previous_code(less)
    while place >= 0 and tokens.text(place) not in (b";", b"{", b"}", b"(", b"template"):
        place = tokens.previous_code(place)
    return behind if place >= 0 and tokens.text(place) == b"template" else None


def _specialisation(unit: TranslationUnit, scopes: _Scopes, less: int, targets: dict[bytes, str]) -> _Definition | None:
    """``template <> struct NAME<...>``, or an explicit instantiation ``template class NAME<...>;``."""
    tokens = unit.tokens
    name = tokens.previous_code(less)
    if name < 0 or tokens.kind(name) != TokenKind.IDENTIFIER:
        return None
    word = tokens.previous_code(name)
    while word >= 0 and tokens.text(word) == b"::":
        word = tokens.previous_code(tokens.previous_code(word))
    if _is_variable(tokens, less):
        before = tokens.previous_code(_statement(tokens, less))
    elif word < 0 or tokens.text(word) not in (b"struct", b"class", b"union"):
        return None
    else:
        before = tokens.previous_code(word)
        if before < 0 or tokens.text(before) not in (b">", b"template"):
            return None
    depth, close = 1, tokens.next_code(less)
    while close < len(tokens) and tokens.text(close) not in (b"{", b";"):
        depth += {b"<": 1, b">": -1, b">>": -2}.get(tokens.text(close), 0)
        if depth <= 0:
            break
        close = tokens.next_code(close)
    if depth > 0 or close >= len(tokens):
        return None
    signature, types = _signature(tokens, split(tokens, less, close).arguments, targets, named=False)
    kind = "instantiation" if tokens.text(before) == b"template" else "specialisation"
    behind = tokens.next_code(close)
    declared = behind < len(tokens) and tokens.text(behind) == b";" and kind == "specialisation"
    return _Definition(name, f"{kind} (or overload)", tokens.name(name),
                       (scopes.names(name), kind, declared, tokens.name(name), signature), types)


def _statement(tokens: TokenStream, index: int) -> int:
    """The first token behind ``template <>`` in the statement of a token; the statement's first one if it has no such."""
    first, place = index, tokens.previous_code(index)
    while place >= 0 and tokens.text(place) not in (b";", b"{", b"}", b"(", b")"):
        if tokens.text(place) == b">" and tokens.text(tokens.previous_code(place)) == b"<":
            break
        first, place = place, tokens.previous_code(place)
    return first


def _is_variable(tokens: TokenStream, less: int) -> bool:
    """Whether this is the list of ``template <> constexpr T NAME<...> = value;``."""
    greater = closing_angle(tokens, less)
    behind = len(tokens) if greater is None else tokens.next_code(greater)
    if behind >= len(tokens) or tokens.text(behind) not in (b"=", b"{"):
        return False
    first = _statement(tokens, less)
    empty = [tokens.previous_code(first)]
    for _ in range(2):
        empty.append(tokens.previous_code(empty[-1]) if empty[-1] >= 0 else -1)
    words = {tokens.text(each) for each in range(first, less)}
    return empty[-1] >= 0 and [tokens.text(each) for each in empty] == [b">", b"<", b"template"] and words.isdisjoint(
        (b"struct", b"class", b"union", b"using"))


def _list_start(tokens: TokenStream, index: int) -> int | None:
    """The ``(`` of the parameters, or the ``<`` behind a name, that encloses a token; None if there is none."""
    place = tokens.previous_code(index)
    while place >= 0:
        text = tokens.text(place)
        if text in (b";", b"{", b"}") and tokens.kind(place) == TokenKind.PUNCTUATION:
            return None
        if text == b"(":
            return place
        if text == b")":
            other = opening(tokens, place)
            if other is None:
                return None
            place = other
        elif text in (b">", b">>", b">>>"):
            other = opening_angle(tokens, place)
            if other is None:
                return None
            place = other
        elif text == b"<" and tokens.kind(tokens.previous_code(place)) == TokenKind.IDENTIFIER:
            # Of the class that is specialised, or of a type inside a parameter list: `std::vector<CUresult> v`.
            word = tokens.previous_code(tokens.previous_code(place))
            while word >= 0 and tokens.text(word) == b"::":
                word = tokens.previous_code(tokens.previous_code(word))
            if (word >= 0 and tokens.text(word) in (b"struct", b"class", b"union")) or (
                    _parameters_behind(tokens, place) is not None) or _is_variable(tokens, place):
                return place
        place = tokens.previous_code(place)
    return None


def _signature(tokens: TokenStream, parameters: tuple[Argument, ...], targets: dict[bytes, str], *,
               named: bool) -> tuple[tuple[object, ...], tuple[bytes, ...]]:
    """The types of a list, as HIP will have them, and the merged CUDA types among them."""
    signature: list[object] = []
    types: list[bytes] = []
    for parameter in parameters:
        words: list[tuple[int, bytes]] = []
        for index in range(parameter.first, parameter.end):
            if tokens.is_trivia(index):
                continue
            if tokens.text(index) == b"=" and named:
                break
            words.append((index, tokens.name(index)))
        kinds = [word for word in words if tokens.kind(word[0]) == TokenKind.IDENTIFIER and word[1] not in (
            b"const", b"volatile", b"struct", b"enum", b"class")]
        # The last word is the parameter's name, if another one is the type; brackets of an array stay.
        if named and len(kinds) > 1 and kinds[-1][1] not in _TYPE_WORDS and kinds[-1][1] not in targets:
            before = tokens.previous_code(kinds[-1][0])
            if tokens.text(before) != b"::":
                words.remove(kinds[-1])
        types += [word for _, word in words if word in targets]
        signature.append(tuple(targets.get(word, word.decode("utf-8", "replace")) for _, word in words
                               if word not in (b"struct", b"enum", b"class")))
    return tuple(signature), tuple(types)


def _is_declared(tokens: TokenStream, name: int) -> bool:
    """Whether a function's name stands where it is declared: behind a type."""
    before = tokens.previous_code(name)
    qualified = before >= 0 and tokens.text(before) == b"::"
    while before >= 0 and tokens.text(before) == b"::":  # word S::f(CUresult)
        before = tokens.previous_code(tokens.previous_code(before))
    if before < 0:
        return qualified
    if tokens.kind(before) == TokenKind.IDENTIFIER:
        return tokens.text(before) not in (b"return", b"else", b"new", b"throw", b"case", b"goto", b"co_return", b"do")
    return tokens.text(before) in (b"*", b"&", b"&&", b">", b">>")


class _Scopes:
    """The curly brackets of a source, paired once."""

    def __init__(self, tokens: TokenStream) -> None:
        self._tokens = tokens
        self._places: list[int] = []
        self._inside: list[int] = []  # the bracket that is open behind each place
        self._parents: dict[int, int] = {}
        stack = [-1]
        for place in sorted((*tokens.punctuators(b"{"), *tokens.punctuators(b"}"))):
            if tokens.text(place) == b"{":
                self._parents[place] = stack[-1]
                stack.append(place)
            elif len(stack) > 1:
                stack.pop()
            self._places.append(place)
            self._inside.append(stack[-1])

    def block(self, index: int) -> int:
        """The ``{`` around a token; -1 if there is none."""
        place = bisect_right(self._places, index) - 1
        return self._inside[place] if place >= 0 else -1

    def names(self, index: int) -> tuple[object, ...]:
        """The namespaces and classes around a token; a block without a name is known by its place."""
        tokens, found, place = self._tokens, list[object](), self.block(index)
        while place >= 0:
            name = tokens.previous_code(place)
            word = tokens.previous_code(name) if name >= 0 else -1
            is_named = word >= 0 and tokens.text(word) in (b"namespace", b"::", b"struct", b"class")
            found.append(tokens.name(name) if is_named else place)
            place = self._parents[place]
        return tuple(found)


def exclusive(unit: TranslationUnit, first: int, second: int) -> bool:
    """Decide whether two tokens stand in two branches of one ``#if``, of which only one is compiled."""
    branches: dict[int, Branch] = {}
    for index in (first, second):
        branch = unit.directives.branch_at(unit.tokens.start(index))
        while branch is not None:
            if branches.setdefault(id(branch.chain), branch) is not branch:
                return True
            branch = branch.chain.parent
    return False


def _labels(unit: TranslationUnit) -> Iterator[Finding]:
    """Report ``case`` labels of one ``switch`` that become the same label."""
    tokens, table = unit.tokens, unit.table
    scopes: _Scopes | None = None
    seen: dict[tuple[int, str], tuple[bytes, int]] = {}
    for index in unit.candidates:
        word = tokens.previous_code(index)
        while word >= 0 and tokens.text(word) == b"::":
            word = tokens.previous_code(word)
            if word >= 0 and tokens.kind(word) == TokenKind.IDENTIFIER and tokens.text(word) != b"case":
                word = tokens.previous_code(word)
        if word < 0 or tokens.text(word) != b"case":
            continue
        name = tokens.name(index)
        mapping = table.lookup(name)
        if mapping is None or not mapping.hip or mapping.kind not in (Kind.ENUMERATOR.value, Kind.MACRO.value):
            continue
        scopes = scopes or _Scopes(tokens)
        target = mapping.hip
        earlier, place = seen.setdefault((scopes.block(word), target), (name, word))
        if earlier != name and not exclusive(unit, place, word):
            yield Diagnostic("HPY115", Severity.WARNING,
                             f"`{name.decode()}` and `{earlier.decode()}` are the same value in HIP (`{target}`): this "
                             "`case` is a duplicate that does not compile; keep one of them", unit.range(word))
