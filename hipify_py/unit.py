"""TranslationUnit: one source with all that the rules ask about it, each thing worked out once."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hipify_py import regions
from hipify_py.directives import Directives
from hipify_py.fallbacks import Fallbacks
from hipify_py.homes import Homes
from hipify_py.lexer import TokenStream, lex
from hipify_py.mapping import Kind, Mapping, MappingTable
from hipify_py.names import Home, lexical_scopes, looks_like_cuda, may_be_declared, qualifier, seems_declared
from hipify_py.settings import Settings
from hipify_py.source import SourceFile, SourceRange
from hipify_py.unknown import Unknowns

if TYPE_CHECKING:
    from hipify_py.clang import Semantics
    from hipify_py.lanes import Lanes

#: Above this size (bytes) libclang is not asked: its AST takes about a hundred times the source's memory.
SEMANTICS_LIMIT = 4_000_000


class Marks:
    """A set of byte offsets, one bit each: a set of a million numbers takes 60 MB."""

    __slots__ = ("_bits",)

    def __init__(self, size: int) -> None:
        self._bits = bytearray((size >> 3) + 1)

    def __contains__(self, offset: int) -> bool:
        return bool(self._bits[offset >> 3] >> (offset & 7) & 1)

    def add(self, offset: int) -> None:
        """Mark an offset."""
        self._bits[offset >> 3] |= 1 << (offset & 7)

    def update(self, offsets: Iterable[int]) -> None:
        """Mark several offsets."""
        for offset in offsets:
            self.add(offset)


class TranslationUnit:
    """One source under translation. Rules read it; only the engine writes ``handled``."""

    def __init__(self, source: SourceFile, settings: Settings, table: MappingTable) -> None:
        self.source = source
        self.settings = settings
        self.table = table
        #: Offsets of tokens that an earlier rule has edited or reported.
        self.handled = Marks(len(source.data))
        self._scopes: dict[bytes, list[tuple[int, int]]] = {}
        self._declared: dict[bytes, bool] = {}
        self._possible: dict[bytes, bool] = {}

    @property
    def data(self) -> bytes:
        """The bytes of the source."""
        return self.source.data

    @cached_property
    def tokens(self) -> TokenStream:
        """The source, lexed."""
        return lex(self.source.data)

    @cached_property
    def directives(self) -> Directives:
        """The preprocessor's lines."""
        return Directives(self.tokens)

    @cached_property
    def regions(self) -> regions.Regions:
        """Which parts HIP never compiles, and which are HIP's own."""
        return regions.Regions(self)

    @cached_property
    def candidates(self) -> Sequence[int]:
        """Indices of all identifiers that are in the tables or look like CUDA, outside frozen regions."""
        tokens, table, frozen = self.tokens, self.table, self.regions.frozen
        verdicts: dict[bytes, bool] = {}
        found = array("I")
        for index in tokens.identifiers():
            name = tokens.text(index)
            wanted = verdicts.get(name)
            if wanted is None:
                plain = tokens.name(index)
                wanted = verdicts[name] = plain in table or plain in table.own_words or looks_like_cuda(plain)
            if wanted:
                found.append(index)
        if frozen:
            return array("I", (index for index in found if not self.regions.is_frozen(tokens.start(index))))
        return found

    @cached_property
    def occurrences(self) -> dict[bytes, Sequence[int]]:
        """Candidate name -> the indices of its tokens."""
        places: dict[bytes, array[int]] = {}
        for index in self.candidates:
            name = self.tokens.name(index)
            known = places.get(name)
            if known is None:
                known = places[name] = array("I")
            known.append(index)
        return dict(places)

    @cached_property
    def semantics(self) -> Semantics:
        """What libclang knows; it is parsed when a rule first asks."""
        from hipify_py.clang import NoSemantics, Semantics  # noqa: PLC0415 - libclang loads when it is needed

        if not self.settings.semantics or len(self.data) > SEMANTICS_LIMIT:
            return NoSemantics()
        return Semantics(self)

    @cached_property
    def lanes(self) -> Lanes:
        """What the kernels count their lanes in."""
        from hipify_py.lanes import Lanes  # noqa: PLC0415 - few sources have warp collectives

        return Lanes.of(self)

    def is_user_name(self, index: int) -> bool:
        """Whether the identifier at this token is the person's own: libclang's answer, or the tokens' where it has none."""
        name = self.tokens.name(index)
        if name in self._macro_parameters and name in self._parameters_around(index):
            return True
        if name in self._labels and self._is_label(index):
            return True
        if name in self.table.own:
            return self.own_row(index) is None or (row := self.table.lookup(name)) is None or row.hip.encode() == name
        if not self._may_be_declared(name):
            return False
        # A macro over one of CUDA's names is renamed with its uses; one over a name that stays is the author's.
        if name in self._own_macros and (mapping := self.table.lookup(name)) is not None:
            return mapping.hip.encode() == name
        from hipify_py.clang import Origin  # noqa: PLC0415 - libclang loads when it is needed

        origin = self.semantics.origin(index)
        if origin is not Origin.SILENT:
            return origin is Origin.USER
        scopes = self._scopes.get(self.tokens.name(index))
        if scopes is None:
            name = self.tokens.name(index)
            scopes = self._scopes[name] = lexical_scopes(self.tokens, name)
        return any(first <= index < end for first, end in scopes)

    def qualifier(self, index: int) -> bytes | None:
        """What stands in front of a name's ``::``, as :func:`hipify_py.names.qualifier` has it, if that is a scope of its own.

        ``rt::cudaFree`` is CUDA's where ``namespace rt`` has a ``using ::cudaFree;``, and ``cudaError_t::cudaSuccess`` is,
        for its scope is an ``enum`` of CUDA's: they count as ``::cudaFree`` and ``::cudaSuccess``.
        """
        found = qualifier(self.tokens, index)
        mapping = self.table.lookup(self.tokens.name(index)) if found else None
        if not found or mapping is None:
            return found
        place = self.tokens.previous_code(self.tokens.previous_code(index))
        if mapping.kind == Kind.ENUMERATOR.value and self._is_type(self.homes.aliased(found)) and not (
                self._is_type(found) and self.is_user_name(place)):
            return b""
        if self.homes.is_imported(index, found):
            return b""
        from hipify_py.clang import Origin  # noqa: PLC0415 - libclang loads when it is needed

        semantics = self.semantics
        return b"" if semantics.origin(index) is Origin.CUDA and semantics.home(index) == Home() else found

    def _is_type(self, name: bytes) -> bool:
        mapping = self.table.lookup(name)
        return mapping is not None and mapping.kind == Kind.TYPE.value

    @cached_property
    def homes(self) -> Homes:
        """Where the names of this source are declared."""
        return Homes(self)

    @cached_property
    def unknowns(self) -> Unknowns:
        """What there is to know about names that no table has."""
        return Unknowns(self)

    @cached_property
    def fallbacks(self) -> Fallbacks:
        """The names that an older HIP lacks, and what stands in for them."""
        return Fallbacks(self)

    def own_row(self, index: int) -> Mapping | None:
        """The row of a table of the person's own for an unqualified name; None if it names another thing, or there is none.

        A row without a namespace is for what is declared at file scope, and for what is declared out of sight.
        """
        name = self.tokens.name(index)
        if name not in self.table.own_words or (
                name in self._macro_parameters and name in self._parameters_around(index)):
            return None
        if name in self._labels and self._is_label(index):
            return None
        home = self.homes.of(index)
        if home is not None and home.inner:
            return None
        scopes = self.homes.guesses(index) if home is None else (home.scope,)
        paths = (b"::".join((*scope, name)) for scope in scopes)
        found = next((path for path in paths if path in self.table.own), None)
        return None if found is None else self.table.lookup(found)

    @cached_property
    def _own_macros(self) -> frozenset[bytes]:
        """The names of the macros that this source defines, in any branch."""
        return frozenset(self.tokens.name(each.macro.name) for each in self.directives if each.macro is not None)

    @cached_property
    def _macro_parameters(self) -> frozenset[bytes]:
        """The names of all parameters of this source's macros."""
        return frozenset(name for each in self.directives if each.macro is not None for name in each.macro.parameters or ())

    def _parameters_around(self, index: int) -> tuple[bytes, ...]:
        """The parameters of the macro whose definition holds a token."""
        directive = self.directives.containing(index)
        return () if directive is None or directive.macro is None else directive.macro.parameters or ()

    @cached_property
    def _labels(self) -> frozenset[bytes]:
        """The words that a ``goto`` of this source leads to."""
        return frozenset(re.findall(rb"\bgoto\s+(\w+)", self.data)) if b"goto" in self.data else frozenset()

    def _is_label(self, index: int) -> bool:
        """Whether a token stands as a label: behind ``goto``, or in front of a colon where a statement begins."""
        tokens = self.tokens
        before, behind = tokens.previous_code(index), tokens.next_code(index)
        word = tokens.text(before) if before >= 0 else b""
        return word == b"goto" or (word in (b";", b"{", b"}", b":", b")") and behind < len(tokens)
                                   and tokens.text(behind) == b":")

    def _may_be_declared(self, name: bytes) -> bool:
        """Whether this source, or a header of the person's beside it, could declare a name: else nobody asks libclang."""
        known = self._possible.get(name)
        if known is None:
            tokens = self.tokens
            places = (tokens.index_at(match.start()) for match in re.finditer(rb"\b" + re.escape(name) + rb"\b", self.data))
            known = self._possible[name] = (
                any(may_be_declared(tokens, place) for place in places if tokens.name(place) == name)
                or (self.settings.semantics and self.semantics.in_headers(name)))
        return known

    def seems_declared(self, name: bytes) -> bool:
        """Whether this source seems to declare a name anywhere, a macro or a type included."""
        known = self._declared.get(name)
        if known is None:
            known = self._declared[name] = any(
                seems_declared(self.tokens, index) for index in self.occurrences.get(name, ()))
        return known

    def limit(self, index: int) -> int:
        """How far syntax reaches from a token: to the end of its directive, or of the source."""
        directive = self.directives.containing(index)
        return len(self.tokens) if directive is None else directive.end

    def calls(self, *names: bytes) -> Iterator[int]:
        """The tokens of these names, in order of place."""
        for name in names:
            yield from self.occurrences.get(name, ())

    def release(self) -> None:
        """Forget what was worked out about the tokens, once the rules have run: of a large source, most of the memory."""
        for name in ("tokens", "directives", "regions", "candidates", "occurrences", "homes", "lanes", "unknowns"):
            self.__dict__.pop(name, None)

    def range(self, first: int, end: int | None = None) -> SourceRange:
        """The bytes of one token, or of the tokens ``first <= i < end``."""
        return SourceRange(self.tokens.start(first), self.tokens.start(first + 1 if end is None else end))

    def is_handled(self, index: int) -> bool:
        """Whether an earlier rule has edited or reported this token."""
        return self.tokens.start(index) in self.handled
