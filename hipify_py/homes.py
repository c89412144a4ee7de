"""Where a name is declared: its namespaces, or that it is a member, a local variable or a parameter.

Tables of the person's own name what their headers declare at file scope or in namespaces; a member or a local variable of
the same name is another thing. libclang is asked first (:meth:`hipify_py.clang.Semantics.home`); from tokens alone, the
declarations in the source itself decide, and a name that it does not declare has no home here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.names import Home, is_member_access, lexical_scopes, seems_declared
from hipify_py.syntax import closing_angle

if TYPE_CHECKING:
    from hipify_py.unit import TranslationUnit

_RECORDS = frozenset((b"struct", b"class", b"union", b"enum"))
_LEADING = frozenset((b"typedef", b"static", b"const", b"extern", b"inline", b"export", b"constexpr", b"volatile"))
_LIST_BEFORE, _LIST_BEHIND = frozenset((b"{", b",")), frozenset((b",", b"}", b"=", b";", b":", b"["))
_STATEMENT_ENDS = frozenset((b";", b"{", b"}"))
#: What ends a function's head: a brace behind it is no class's (``struct s *f() {``).
_BEHIND_PARAMETERS = frozenset((b")", b"const", b"noexcept", b"override", b"try"))
_TYPE = rb"(?:(?:enum\b|const\b|::)\s*)*(\w+)"
_LONGEST = 200  #: tokens in front of a brace that are looked at


class Around(Enum):
    """What a name stands right inside of."""

    NAMESPACE = "namespace"  #: or the file
    RECORD = "record"
    BLOCK = "block"  #: or round brackets


class Homes:
    """The homes of the names of one source."""

    def __init__(self, unit: TranslationUnit) -> None:
        self._unit = unit
        self._tokens = unit.tokens
        self._declared: dict[bytes, tuple[Home, ...]] = {}
        self._aliased: dict[bytes, bytes] = {}
        self._inner: dict[bytes, list[tuple[int, int]]] = {}

    def of(self, index: int) -> Home | None:
        """The home of the unqualified name at a token; None if nothing here shows one."""
        if is_member_access(self._tokens, index):
            return Home(inner=True)
        known = self._unit.semantics.home(index)
        return known if known is not None else self._by_tokens(index)

    def _by_tokens(self, index: int) -> Home | None:
        tokens, name = self._tokens, self._tokens.name(index)
        if seems_declared(tokens, index) or self._is_in_list(index):
            return self._around(index)
        if name not in self._inner:
            self._inner[name] = [(first, end) for first, end in lexical_scopes(tokens, name) if self._around(first).inner]
        if any(first <= index < end for first, end in self._inner[name]):
            return Home(inner=True)
        around = self.scope(index)
        homes = self._declarations(name)
        for size in range(len(around), -1, -1):
            if Home(around[:size]) in homes:
                return Home(around[:size])
        named = [path[:-1] for opens, path in self._usings if not opens and path[-1] == name and len(path) > 1]
        found = next(iter((*named, *(scope for scope in self._opened if Home(scope) in homes))), None)
        return None if found is None else Home(found)

    def _around(self, index: int) -> Home:
        """The home of what is declared at a token."""
        directive = self._unit.directives.containing(index)
        if directive is not None:
            return Home()
        scope, around = enclosing(self._tokens, index)
        behind = self._tokens.next_code(index)
        # In a block, `TYPE name(` may be a prototype, or a macro in front of a call: its name is no variable's for sure.
        called = behind < len(self._tokens) and self._tokens.text(behind) == b"("
        return Home(scope, around is Around.RECORD or (around is not Around.NAMESPACE and not called))

    def _is_in_list(self, index: int) -> bool:
        """Whether a name is an enumerator of an ``enum class``, or a further member in ``int a, b;``."""
        tokens = self._tokens
        before, behind = tokens.previous_code(index), tokens.next_code(index)
        return (before >= 0 and behind < len(tokens) and tokens.text(before) in _LIST_BEFORE
                and tokens.text(behind) in _LIST_BEHIND and enclosing(tokens, index)[1] is Around.RECORD)

    def guesses(self, index: int) -> Iterator[tuple[bytes, ...]]:
        """The namespaces that a name without a home here could be looked up in, the nearest first."""
        around = self.scope(index)
        yield from (around[:size] for size in range(len(around), -1, -1))
        yield from self._opened

    def scope(self, index: int) -> tuple[bytes, ...]:
        """The namespaces whose blocks hold a token."""
        return enclosing(self._tokens, index)[0]

    def is_imported(self, index: int, namespace: bytes) -> bool:
        """Whether a ``using ::NAME;`` in a namespace called so brings the name at a token, a global one, into it."""
        name = self._tokens.name(index)
        return any(path == (name,) and self.scope(place)[-1:] == (namespace,) for place, path in self._imports)

    def aliased(self, name: bytes) -> bytes:
        """The type that the source gives a name to (``using NAME = TYPE;``, ``typedef TYPE NAME;``); else the name itself."""
        if name not in self._aliased:
            alias = re.escape(name)
            found = re.search(rb"\busing\s+" + alias + rb"\s*=\s*" + _TYPE + rb"\s*;|\btypedef\s+" + _TYPE + rb"\s+" + alias +
                              rb"\s*;", self._unit.data)
            self._aliased[name] = name if found is None else found[1] or found[2]
        return self._aliased[name]

    def _declarations(self, name: bytes) -> tuple[Home, ...]:
        """The homes of what the source declares under a name, members and the like apart."""
        if name not in self._declared:
            places = [each for each in self._unit.occurrences.get(name, ()) if seems_declared(self._tokens, each)]
            self._declared[name] = tuple(home for home in map(self._around, places) if not home.inner)
        return self._declared[name]

    @property
    def _usings(self) -> list[tuple[bool, tuple[bytes, ...]]]:
        """The ``using a::b;`` of the source (False), and its ``using namespace a;`` (True)."""
        return [(opens, path) for opens, _, path in self._all_usings]

    @property
    def _imports(self) -> list[tuple[int, tuple[bytes, ...]]]:
        """The ``using a::b;`` of the source, each with the token that it starts at."""
        return [(place, path) for opens, place, path in self._all_usings if not opens]

    @cached_property
    def _all_usings(self) -> list[tuple[bool, int, tuple[bytes, ...]]]:
        """Whether each opens a namespace, its token, and the path that it names."""
        tokens, found = self._tokens, []
        for index in tokens.identifiers() if tokens.contains(b"using") else ():
            if tokens.text(index) != b"using":
                continue
            place = tokens.next_code(index)
            opens = place < len(tokens) and tokens.text(place) == b"namespace"
            parts: list[bytes] = []
            place = tokens.next_code(place) if opens else place
            while place < len(tokens) and (tokens.text(place) == b"::" or tokens.kind(place) == TokenKind.IDENTIFIER):
                if tokens.text(place) != b"::":
                    parts.append(tokens.name(place))
                place = tokens.next_code(place)
            if parts and place < len(tokens) and tokens.text(place) == b";":
                found.append((opens, index, tuple(parts)))
        return found

    @cached_property
    def _opened(self) -> list[tuple[bytes, ...]]:
        return [path for opens, path in self._usings if opens]


def enclosing(tokens: TokenStream, index: int) -> tuple[tuple[bytes, ...], Around]:
    """The named namespaces around a token, and what stands right around it."""
    scope: tuple[bytes, ...] = ()
    around = Around.NAMESPACE
    bracket = tokens.enclosing(index)
    while bracket >= 0:
        opened = _opened(tokens, bracket)
        if isinstance(opened, tuple):
            scope = (*opened, *scope)
        elif around is Around.NAMESPACE:
            around = opened
        bracket = tokens.enclosing(bracket)
    return scope, around


def _opened(tokens: TokenStream, bracket: int) -> tuple[bytes, ...] | Around:
    """What a bracket opens: the names of namespaces (none for ``extern "C"``), or something else."""
    if tokens.text(bracket) != b"{":
        return Around.BLOCK if tokens.text(bracket) == b"(" else ()
    words: list[int] = []
    place = tokens.previous_code(bracket)
    while place >= 0 and tokens.text(place) not in _STATEMENT_ENDS and len(words) < _LONGEST:
        partner = tokens.partner(place)
        words.append(place)
        place = tokens.previous_code(partner if 0 <= partner < place else place)
    words.reverse()
    words = [each for each in words if not _in_directive(tokens, each)]
    texts = [tokens.text(each) for each in words]
    if b"namespace" in texts:
        where = texts.index(b"namespace")
        if where and texts[where - 1] == b"inline":
            return ()
        return tuple(tokens.name(each) for each in words[where + 1 :]
                     if tokens.kind(each) == TokenKind.IDENTIFIER and tokens.text(each) != b"inline")
    if len(texts) == 2 and texts[0] == b"extern" and tokens.kind(words[1]) == TokenKind.STRING:
        return ()
    return _record(tokens, words)


def _record(tokens: TokenStream, words: list[int]) -> tuple[bytes, ...] | Around:
    """What the words in front of a brace make of it: a class, nothing (a plain ``enum``) or a block."""
    place = 0
    while place < len(words):
        text = tokens.text(words[place])
        if text == b"template" and place + 1 < len(words):
            close = closing_angle(tokens, words[place + 1])
            place = next((at for at, word in enumerate(words) if close is not None and word > close), len(words))
        elif text in _LEADING:
            place += 1
        elif text in _RECORDS and tokens.text(words[-1]) not in _BEHIND_PARAMETERS:
            following = tokens.text(words[place + 1]) if place + 1 < len(words) else b""
            return () if text == b"enum" and following not in _RECORDS else Around.RECORD
        else:
            return Around.BLOCK
    return Around.BLOCK


def _in_directive(tokens: TokenStream, index: int) -> bool:
    """Whether a token stands in a preprocessor line."""
    line = tokens.data.rfind(b"\n", 0, tokens.start(index)) + 1
    return tokens.data[line : tokens.start(index) + 1].lstrip().startswith(b"#")
