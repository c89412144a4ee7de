"""Answers about one source. Each question is worked out once per token."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from hipify_py import syntax
from hipify_py.clang import guard, library, scopes, types
from hipify_py.clang.answers import Function, Origin
from hipify_py.clang.blocks import Blocks
from hipify_py.clang.flags import Side
from hipify_py.clang.library import Cursor, Library, Parsed, Problem, UnavailableError
from hipify_py.clang.parse import GUESS, STANDARD, STUB, Surroundings, parse_cuda, with_guesses
from hipify_py.diagnostics import REFUSED
from hipify_py.lexer import TokenKind
from hipify_py.mapping import Kind
from hipify_py.names import Home
from hipify_py.source import SourceRange

if TYPE_CHECKING:
    from hipify_py.unit import TranslationUnit


_Key = TypeVar("_Key")
_Answer = TypeVar("_Answer")


def _remembered(memory: dict[_Key, _Answer], key: _Key, work: Callable[[_Key], _Answer]) -> _Answer:
    """Work an answer out once."""
    if key not in memory:
        memory[key] = work(key)
    return memory[key]


class Semantics:
    """Answers about one translation unit, parsed at the first question; where libclang fails, there are none."""

    def __init__(self, unit: TranslationUnit) -> None:
        #: Why there are no answers; empty as long as there are.
        self.reason = ""
        self._unit = unit
        self._tokens = unit.tokens
        self._around: Surroundings | None = None
        self._origins: dict[int, Origin] = {}
        self._own_scopes: dict[bytes, tuple[SourceRange, ...]] = {}
        self._device: dict[int, bool | None] = {}
        self._types: dict[tuple[int, int], str | None] = {}
        self._functions: dict[int, Function | None] = {}
        self._attributes: dict[int, bool] = {}

    @property
    def available(self) -> bool:
        """Whether libclang is there and may be asked about this source; the source is not parsed for this."""
        return self.library is not None and not self._refused

    @property
    def asked(self) -> bool:
        """Whether the source has been parsed."""
        return "_host" in self.__dict__

    def in_headers(self, name: bytes) -> bool:
        """Whether a header of the person's, found on disk, has this word in it."""
        word = re.compile(rb"\b" + re.escape(name) + rb"\b")
        return any(word.search(text) for text in self.around.headers.texts)

    @cached_property
    def library(self) -> Library | None:
        """The libclang of this process."""
        loaded = library.load()
        if isinstance(loaded, UnavailableError):
            self.reason = str(loaded)
            return None
        return loaded

    @property
    def around(self) -> Surroundings:
        """The headers beside the source, the words of them all, and what had to be guessed."""
        if self._around is None:
            self._around = Surroundings.of(self._unit)
        return self._around

    def parsed(self, side: Side) -> Parsed | None:
        """One side's parse; None where there is none."""
        return self._host if side is Side.HOST else self._device_side

    @cached_property
    def _host(self) -> Parsed | None:
        return self._parse(Side.HOST)

    @cached_property
    def _device_side(self) -> Parsed | None:
        return self._parse(Side.DEVICE)

    def _parse(self, side: Side) -> Parsed | None:
        library = self.library
        if library is None or not self.available:
            return None
        try:
            first = parse_cuda(library, self._unit, self.around, side)
            guessed = with_guesses(self._unit, self.around, first) if side is Side.HOST else None
            if guessed is None:
                return first
            self._around = guessed
            return parse_cuda(library, self._unit, guessed, side)
        except UnavailableError as error:
            self.reason = str(error)
            return None

    @cached_property
    def _refused(self) -> bool:
        """Whether the source could bring libclang down."""
        why = guard.refusal(self._tokens, self._unit.directives)
        if why:
            self.reason = f"{REFUSED}, which has {why}"
        return bool(why)

    @cached_property
    def skipped(self) -> tuple[SourceRange, ...]:
        """What the preprocessor leaves out with the macros of the settings."""
        return self._host.skipped() if self._host else ()

    @cached_property
    def errors(self) -> tuple[Problem, ...]:
        """What libclang could not make sense of, in the source itself."""
        return self._host.errors() if self._host else ()

    @cached_property
    def _blocks(self) -> Blocks:
        return Blocks(self._tokens)

    # Who declared it

    def origin(self, index: int) -> Origin:
        """Who declared what the identifier at this token names.

        A declaration of the person's own counts as theirs, a redeclaration of a function or type of CUDA's as CUDA's.
        Where a statement has no tree, a declaration of the same name in an enclosing scope decides.
        """
        return _remembered(self._origins, index, self._find_origin)

    def _find_origin(self, index: int) -> Origin:
        if self._host is None:
            return Origin.SILENT
        found = self._direct_origin(index)
        if found is not Origin.SILENT:
            return found
        if self._in_scope_of_own(index):
            return Origin.USER
        # `__restrict__` and its like are words of the language: they are no part of the tree.
        mapping = self._unit.table.lookup(self._tokens.name(index))
        return Origin.CUDA if mapping is not None and mapping.kind == Kind.ATTRIBUTE.value else Origin.SILENT

    def _direct_origin(self, index: int) -> Origin:
        """What the tree itself says about the name at a token."""
        name = self._tokens.name(index).decode("latin-1")
        cursor = self._named_cursor(index, name)
        if cursor is None:
            return Origin.SILENT
        targets = list(self._targets(cursor))
        verdicts = {self._origin_of(target, name) for target in targets}
        if len(verdicts) == 1:
            return verdicts.pop()
        # Overloads of both sides and no choice made: the stub's stand for anything, so the person's decide nothing.
        return Origin.SILENT

    def home(self, index: int) -> Home | None:
        """Where what the name at a token refers to is declared; None if nobody knows."""
        if self._host is None:
            return None
        cursor = self._named_cursor(index, self._tokens.name(index).decode("latin-1"))
        targets = list(self._targets(cursor)) if cursor is not None else []
        homes = {scopes.home(self._host, target) for target in targets if self._host.file_of(target) != GUESS}
        return homes.pop() if len(homes) == 1 else None

    def _named_cursor(self, index: int, name: str) -> Cursor | None:
        """The cursor at a token, if it is about the name there."""
        assert self._host is not None
        cursor = self._host.cursor(self._tokens.start(index))
        if cursor is None:
            return None
        spelling = cursor.spelling
        return cursor if spelling == name or spelling.rpartition(" ")[2].rpartition("::")[2] == name else None

    def _targets(self, cursor: Cursor) -> Iterator[Cursor]:
        """The declarations that a cursor names: more than one for overloads that libclang could not choose from."""
        assert self._host is not None
        kinds = self._host.kinds
        if cursor.kind == kinds.OVERLOADED_DECL_REF:
            yield from self._host.overloads(cursor)
            return
        if cursor.kind.is_declaration() or cursor.kind == kinds.MACRO_DEFINITION:
            yield cursor
            return
        target = cursor.referenced
        if target is None:
            return
        if target.kind == kinds.OVERLOADED_DECL_REF:
            yield from self._host.overloads(target)
        else:
            yield target

    def _origin_of(self, target: Cursor, name: str) -> Origin:
        """Whose a declaration is, by the file it stands in."""
        assert self._host is not None
        file = self._host.file_of(target)
        if file in (STUB, GUESS):
            return Origin.CUDA if file == STUB else Origin.SILENT
        if file == STANDARD or not file:
            parent = target.semantic_parent
            own = parent is not None and parent.kind == self._host.kinds.NAMESPACE
            return Origin.CUDA if not own and name.encode() in self._unit.table else Origin.USER
        return Origin.CUDA if self._redeclares(target, name) else Origin.USER

    def _redeclares(self, target: Cursor, name: str) -> bool:
        """Whether a declaration of the person's is one of CUDA's own, written again: an interposer, a forward one."""
        assert self._host is not None
        kinds = self._host.kinds
        mapping = self._unit.table.lookup(name.encode())
        if mapping is None:
            return False
        wanted = {"function": (kinds.FUNCTION_DECL,), "type": (kinds.TYPEDEF_DECL, kinds.STRUCT_DECL)}.get(mapping.kind, ())
        if target.kind not in wanted or (target.kind == kinds.STRUCT_DECL and target.is_definition()):
            return False
        parent = target.semantic_parent
        return parent is None or parent.kind in (kinds.TRANSLATION_UNIT, kinds.LINKAGE_SPEC, kinds.UNEXPOSED_DECL)

    def _in_scope_of_own(self, index: int) -> bool:
        """Whether a declaration of this name by the person encloses a token that has no tree."""
        assert self._host is not None
        place = self._tokens.start(index)
        scopes = _remembered(self._own_scopes, self._tokens.name(index), lambda name: tuple(self._scopes(name)))
        return any(place in scope for scope in scopes)

    def _scopes(self, name: bytes) -> Iterator[SourceRange]:
        """How far each declaration of a name in the source reaches."""
        assert self._host is not None
        kinds, text = self._host.kinds, name.decode("latin-1")
        for index in self._places(name):
            cursor = self._host.cursor(self._tokens.start(index))
            if cursor is None or cursor.spelling != text or not cursor.kind.is_declaration():
                continue
            if self._origin_of(cursor, text) is not Origin.USER:
                continue
            parent = cursor.lexical_parent
            if cursor.kind == kinds.PARM_DECL and parent is None:
                parent = cursor.semantic_parent
            if cursor.kind == kinds.FIELD_DECL or parent is None:
                continue
            start = self._tokens.start(index)
            if parent.kind == kinds.TRANSLATION_UNIT:
                yield SourceRange(start, len(self._unit.data))
            elif cursor.kind in (kinds.VAR_DECL, kinds.TYPEDEF_DECL, kinds.STRUCT_DECL):
                yield SourceRange(start, self._blocks.end_of_scope(index))
            else:
                yield SourceRange(start, self._host.offset(parent.extent.end))

    def _places(self, name: bytes) -> Sequence[int]:
        """The tokens of a name."""
        known = self._unit.occurrences.get(name)
        return known if known is not None else list(self._by_name.get(name, ()))

    @cached_property
    def _by_name(self) -> dict[bytes, list[int]]:
        found: dict[bytes, list[int]] = {}
        for index in self._tokens.identifiers():
            found.setdefault(self._tokens.name(index), []).append(index)
        return found

    # Where it runs

    def is_device_code(self, index: int) -> bool | None:
        """Whether the token stands in a function (or lambda) that runs on the device; None outside of functions."""
        return _remembered(self._device, index, self._find_device)

    def _find_device(self, index: int) -> bool | None:
        if self._host is None:
            return None
        for block in self._blocks.around(index):
            if self._blocks.is_device_lambda(block):
                return True
            function = self._function_of_block(block)
            if function is not None:
                return self._runs_on_device(function)
        return None

    def _function_of_block(self, block: int) -> Cursor | None:
        """The function whose body, or a part of it, opens at a token."""
        assert self._host is not None
        cursor = self._host.cursor(self._tokens.start(block))
        kinds = self._host.kinds
        if cursor is None or not (cursor.kind.is_statement() or cursor.kind.is_expression()):
            return None
        parent = cursor.semantic_parent
        functions = (kinds.FUNCTION_DECL, kinds.FUNCTION_TEMPLATE, kinds.CXX_METHOD, kinds.CONSTRUCTOR, kinds.DESTRUCTOR,
                     kinds.CONVERSION_FUNCTION)
        return parent if parent is not None and parent.kind in functions else None

    def _runs_on_device(self, function: Cursor) -> bool:
        assert self._host is not None
        kinds = self._host.kinds
        key = function.hash
        if key not in self._attributes:
            self._attributes[key] = any(child.kind in (kinds.CUDAGLOBAL_ATTR, kinds.CUDADEVICE_ATTR)
                                        for child in function.get_children())
        return self._attributes[key]

    # What it is

    def type_of(self, first: int, end: int) -> str | None:
        """The canonical type of the expression that is the tokens ``first <= i < end``; None if it depends, or is unknown."""
        return _remembered(self._types, (first, end), self._find_type)

    def _find_type(self, key: tuple[int, int]) -> str | None:
        first, end = key
        if self._host is None or first >= end:
            return None
        span = SourceRange(self._tokens.start(first), self._tokens.end(end - 1))
        cursor = self._host.cursor(span.start)
        if cursor is None:
            return None
        if end > first + 1:
            cursor = types.spanning(self._host, self._function_around(first), span)
        if cursor is None or not (cursor.kind.is_expression() or cursor.kind.is_declaration()):
            return None
        return types.spelled(cursor.type)

    def converted_type_of(self, index: int) -> str | None:
        """The canonical type that the name at this token has once it is converted for where it stands; None if unknown."""
        if self._host is None:
            return None
        span = SourceRange(self._tokens.start(index), self._tokens.end(index))
        cursor = types.spanning(self._host, self._function_around(index), span, converted=True)
        return None if cursor is None else types.spelled(cursor.type)

    def _function_around(self, index: int) -> Cursor | None:
        """The function whose body holds a token."""
        return next((function for block in self._blocks.around(index)
                     if (function := self._function_of_block(block)) is not None), None)

    def kernel_of(self, index: int) -> Function | None:
        """The function that the name at this token refers to; None if it is none, or nobody knows."""
        return _remembered(self._functions, index, self._find_function)

    def _find_function(self, index: int) -> Function | None:
        if self._host is None:
            return None
        name = self._tokens.name(index).decode("latin-1")
        cursor = self._named_cursor(index, name)
        targets = list(self._targets(cursor)) if cursor is not None else []
        if cursor is not None and targets and not any(types.is_function(self._host, target) for target in targets):
            return None
        functions = [target for target in targets if types.is_function(self._host, target)]
        siblings = self._declared_functions(self._tokens.name(index))
        chosen = (functions or siblings)[:1]
        if not chosen:
            return None
        usrs = {types.template_of(self._host, each).get_usr() for each in (*functions, *siblings)}
        return Function(name, self._is_kernel(chosen[0]), types.is_template(self._host, chosen[0]),
                        types.parameters(self._host, chosen[0]), len(usrs) > 1)

    def _declared_functions(self, name: bytes) -> list[Cursor]:
        """The functions of a name that the source declares."""
        assert self._host is not None
        found = []
        for index in self._places(name):
            cursor = self._named_cursor(index, name.decode("latin-1"))
            if cursor is not None and cursor.kind.is_declaration() and types.is_function(self._host, cursor):
                found.append(cursor)
        return found

    def _is_kernel(self, function: Cursor) -> bool:
        assert self._host is not None
        kind = self._host.kinds.CUDAGLOBAL_ATTR
        return any(child.kind == kind for child in types.template_of(self._host, function).get_children())

    # Where it goes

    def literal_reaches(self, index: int, function_names: frozenset[bytes]) -> bool | None:
        """Whether a string literal is an argument of one of these functions, itself or by a variable it initialises."""
        if self._host is None or self._tokens.kind(index) not in (TokenKind.STRING, TokenKind.RAW_STRING):
            return None
        if self._blocks.enclosing_call(index) & function_names:
            return True
        variable = self._blocks.initialised_by(index)
        if variable is None:
            return False
        declared = self._host.cursor(self._tokens.start(variable))
        name = self._tokens.name(variable)
        for function in function_names:
            for call in self._places(function):
                opened = syntax.call_open(self._tokens, call)
                listed = None if opened is None else syntax.arguments(self._tokens, opened)
                if listed is None:
                    continue
                for place in range(listed.open, listed.close):
                    if self._tokens.kind(place) == TokenKind.IDENTIFIER and self._tokens.name(place) == name and (
                            self._same_variable(place, declared)):
                        return True
        return False

    def _same_variable(self, index: int, declared: Cursor | None) -> bool:
        """Whether a name refers to this declaration; where the tree is silent, its name is enough."""
        assert self._host is not None
        cursor = self._host.cursor(self._tokens.start(index))
        target = None if cursor is None else cursor.referenced
        if declared is None or target is None or target.spelling != declared.spelling:
            return True
        return bool(target == declared)


class NoSemantics(Semantics):
    """No answers: libclang was not asked."""

    library = None
    _host = None
    _device_side = None

    def __init__(self, reason: str = "") -> None:
        self.reason = reason
        self._origins, self._device, self._types, self._functions = {}, {}, {}, {}

    def in_headers(self, name: bytes) -> bool:
        """No header was looked at."""
        return False
