"""Names that look like CUDA's and stand in no table: whether they can be somebody's own, declared out of sight.

The tables hold every public name of CUDA 12.9 to 13.5, so that most such names are a person's own (``cudaCheckError``). What
the source or a header of the person's declares is nobody's business; the rest is reported, louder where nothing that the
source includes could declare it.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from hipify_py.conditions import Value, evaluate, truth
from hipify_py.lexer import TokenKind, TokenStream, lex
from hipify_py.mapping.families import Family, What, family
from hipify_py.names import ends_type, previous_in_line, qualifier, seems_declared

if TYPE_CHECKING:
    from hipify_py.directives import Branch, Directives
    from hipify_py.unit import TranslationUnit

#: Headers of the languages and of the systems: none of them declares a name that looks like CUDA's.
_STANDARD = re.compile(
    r"[a-z_]+|(?:assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|malloc|math|memory|setjmp|signal|std\w+|"
    r"string|strings|tgmath|threads|time|uchar|values|wchar|wctype|unistd|pthread|sched|semaphore|dlfcn|dirent|fcntl|getopt|"
    r"libgen|poll|pwd|regex|netdb|termios|utime|omp|mpi|x86intrin|[a-z]{1,2}mmintrin|windows|io|direct|process)\.h|"
    r"(?:sys|bits|arpa|net|netinet|linux|asm|ext|experimental|hip|hipcub|rocprim|hipblas|hiprand|hipfft)/.*")
#: What other sources include: what these have declared before it is out of sight.
_INCLUDED = (".cuh", ".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".inc", ".tpp")
_LONGEST = 400  #: tokens in front of a declarator that are looked at
#: What stands among a template's parameters beside words and numbers.
_PARAMETERS = frozenset((b"<", b">", b",", b"=", b"...", b"::", b"*", b"&"))
_CAPITALS = re.compile(rb"[A-Z0-9_]+")
_CONDITIONS = frozenset((b"if", b"elif", b"ifdef", b"ifndef", b"elifdef", b"elifndef", b"undef", b"pragma"))


class Unknowns:
    """The unknown names of one source."""

    def __init__(self, unit: TranslationUnit) -> None:
        self._unit = unit
        self._own: dict[bytes, bool] = {}
        self._switched: dict[Branch, Family | None] = {}

    def is_own(self, index: int) -> bool:
        """Whether the unknown name at a token is a person's own, by where it stands or is declared."""
        unit, name = self._unit, self._unit.tokens.name(index)
        if is_own_macro(unit.tokens, unit.directives, index):
            return True
        known = self._own.get(name)
        if known is None:
            known = self._own[name] = unit.seems_declared(name) or self._is_listed(name) or self._is_in_headers(
                name) or self._is_declared(index)
        return known

    def _is_declared(self, index: int) -> bool:
        """Whether libclang sees what the name at a token is: declarators come in more forms than tokens tell apart."""
        from hipify_py.clang import Origin  # noqa: PLC0415 - libclang loads when it is needed

        return self._unit.semantics.origin(index) is Origin.USER

    def _is_listed(self, name: bytes) -> bool:
        return any(is_listed(self._unit.tokens, index) for index in self._unit.occurrences.get(name, ()))

    def _is_in_headers(self, name: bytes) -> bool:
        """Whether a header of the person's declares a name."""
        word = re.compile(rb"\b" + re.escape(name) + rb"\b")
        return any(_declares(text, name) for text in self._headers if word.search(text))

    @cached_property
    def _headers(self) -> tuple[bytes, ...]:
        unit = self._unit
        return tuple(unit.semantics.around.headers.texts) if unit.semantics.available else ()

    @cached_property
    def may_be_declared_elsewhere(self) -> bool:
        """Whether something declares names here that was not read: a header that was not found, or whoever includes this."""
        unit = self._unit
        if unit.source.name.endswith(_INCLUDED):
            return True
        if unit.semantics.available:
            missing = unit.semantics.around.headers.missing
        else:
            missing = tuple(each.header.name.decode("utf-8", "replace") for each in unit.directives if each.header is not None)
        return not all(_STANDARD.fullmatch(each) or unit.table.header(each.encode()) or family(each.encode(), What.HEADER)
                       or family(each.encode(), What.SAME) for each in missing)

    def absent(self, index: int) -> tuple[Branch, Family] | None:
        """The branch around a token that only a header of a library without counterpart switches on, and the library.

        ``helper_cuda.h`` of CUDA's samples has such branches, ``#ifdef NV_NPPIDEFS_H``: HIP never compiles them.
        """
        unit = self._unit
        branch = unit.directives.branch_at(unit.tokens.start(index))
        while branch is not None:
            if branch not in self._switched:
                self._switched[branch] = self._switch(branch)
            found = self._switched[branch]
            if found is not None:
                return branch, found
            branch = branch.chain.parent
        return None

    def _switch(self, branch: Branch) -> Family | None:
        node = self._unit.regions.condition(branch)
        guards = [] if node is None else [found for name in sorted(node.names()) if (found := family(name, What.GUARD))]
        if node is None or not guards or branch.chain in self._unit.regions.include_guards:
            return None
        return guards[0] if truth(evaluate(node, _without_families)) is False else None


def _without_families(name: bytes) -> tuple[bool | None, Value]:
    """A world in which no header of such a library is there."""
    return (None, None) if family(name, What.GUARD) is None else (False, None)


def is_own_macro(tokens: TokenStream, directives: Directives, index: int) -> bool:
    """Whether an unknown name can only be a macro of the person's: ``CUDA_CHECK(...)``, ``#ifdef CUDA_FAST``.

    All macros with arguments that CUDA's headers have are in the tables.
    """
    if not _CAPITALS.fullmatch(tokens.name(index)):
        return False
    behind = tokens.next_code(index)
    if behind < len(tokens) and tokens.text(behind) == b"(":
        return True
    directive = directives.containing(index)
    return directive is not None and directive.keyword in _CONDITIONS


def is_listed(tokens: TokenStream, index: int) -> bool:
    """Whether a list declares a name: ``enum mode { NAME, OTHER };``, ``int first, NAME = 2;``, ``template <int NAME>``."""
    before, behind = previous_in_line(tokens, index), tokens.next_code(index)
    if before < 0 or behind >= len(tokens):
        return False
    if tokens.kind(before) == TokenKind.IDENTIFIER or tokens.text(before) == b"...":
        return tokens.text(behind) in (b">", b",", b"=") and _is_template(tokens, index)
    if tokens.text(before) not in (b"{", b",", b"*") or tokens.text(behind) not in (
            b",", b"=", b"}", b";", b"["):
        return False
    bracket = tokens.enclosing(index)
    if bracket >= 0 and tokens.text(bracket) != b"{":
        return False
    return _is_enum(tokens, bracket) or (tokens.text(behind) != b"}" and _is_declaration(tokens, index, bracket))


def _is_template(tokens: TokenStream, index: int) -> bool:
    """Whether a token stands among the parameters of a template."""
    word, last = previous_in_line(tokens, index), max(0, index - _LONGEST)
    while word > last and (tokens.kind(word) in (TokenKind.IDENTIFIER, TokenKind.NUMBER) or tokens.text(word) in _PARAMETERS):
        if tokens.text(word) == b"template":
            return True
        word = previous_in_line(tokens, word)
    return word >= 0 and tokens.text(word) == b"template"


def _is_enum(tokens: TokenStream, bracket: int) -> bool:
    """Whether a brace opens an enumeration."""
    word = tokens.previous_code(bracket) if bracket >= 0 else -1
    while word >= 0 and (tokens.kind(word) == TokenKind.IDENTIFIER or tokens.text(word) in (b":", b"::")):
        if tokens.text(word) == b"enum":
            return True
        word = tokens.previous_code(word)
    return False


def _is_declaration(tokens: TokenStream, index: int, bracket: int) -> bool:
    """Whether the statement in front of a token begins with a type and another declarator, ``int first, NAME``."""
    start, commas, first = index, 0, max(bracket, index - _LONGEST)
    while (before := previous_in_line(tokens, start)) > first and tokens.text(before) not in (b";", b"{"):
        if tokens.text(before) == b"}":
            if commas and ends_type(tokens, before):
                return True
            break
        commas += tokens.text(before) == b","
        start = min(before, partner) if (partner := tokens.partner(before)) >= 0 else before
    if not commas or tokens.kind(start) != TokenKind.IDENTIFIER:
        return False
    second = tokens.next_code(start)
    return tokens.kind(second) == TokenKind.IDENTIFIER or tokens.text(second) in (b"*", b"&", b"<", b"::")


def _declares(text: bytes, name: bytes) -> bool:
    """Whether a header's text declares a name."""
    tokens = lex(text)
    places = (tokens.index_at(match.start()) for match in re.finditer(rb"\b" + re.escape(name) + rb"\b", text))
    return any((seems_declared(tokens, place) or is_listed(tokens, place)) and not qualifier(tokens, place)
               for place in places if tokens.kind(place) == TokenKind.IDENTIFIER and tokens.name(place) == name)
