"""What is still CUDA in a translation without anybody having said so."""

from __future__ import annotations

from dataclasses import dataclass

from hipify_py.directives import Directives
from hipify_py.engine import Translation
from hipify_py.lexer import TokenStream, lex
from hipify_py.mapping import MappingTable
from hipify_py.names import is_member_access, looks_like_cuda, qualifier
from hipify_py.settings import Settings
from hipify_py.unit import TranslationUnit

_PROSE = frozenset((b"error", b"warning", b"line", b"ident"))


@dataclass(frozen=True)
class Leftover:
    """A piece of the result that is CUDA's: its spelling and where it came from in the source."""

    name: bytes
    line: int
    column: int


def leftovers(translation: Translation, settings: Settings | None = None) -> list[Leftover]:
    """All CUDA names and headers of the result that have neither an edit nor a diagnostic.

    Each token of the result is mapped back through the edits. It is answered if a diagnostic stands at the place it
    came from; it is nobody's business in a region that the author has split by platform, in the text of ``#error``,
    as a member, in a scope of the source's own, and where the source declares it itself.
    """
    settings = settings or Settings()
    table = MappingTable.load(settings.target_libraries)
    unit = TranslationUnit(translation.source, settings, table)
    tokens = lex(translation.text)
    directives = Directives(tokens)
    spans = [each.range for each in translation.diagnostics]
    found = []

    def check(offset: int, name: bytes, *, identifier: bool) -> None:
        edit, origin = translation.edits.covering(offset)
        if unit.regions.is_frozen(origin) or any(span.start <= origin < span.end for span in spans):
            return
        if edit is None and identifier:
            index = unit.tokens.index_at(origin)
            if is_member_access(unit.tokens, index) or qualifier(unit.tokens, index) or unit.is_user_name(index):
                return
            if name not in table and unit.unknowns.is_own(index):
                return
        place = translation.source.location(origin)
        found.append(Leftover(name, place.line, place.column))

    for index in tokens.identifiers():
        name = tokens.name(index)
        if is_cuda(table, name) or is_cuda(table, qualified(tokens, index)):
            directive = directives.containing(index)
            if directive is None or (directive.keyword not in _PROSE and directive.header is None):
                check(tokens.start(index), name, identifier=True)
    for directive in directives:
        header = directive.header
        if header is not None:
            mapping = table.header(header.name)
            if mapping is not None and mapping.hip.encode() != header.name:
                check(header.range.start + 1, header.name, identifier=False)
    return found


def is_cuda(table: MappingTable, name: bytes) -> bool:
    """Whether a name means nothing to HIP: it has another one there, or none, or looks like CUDA's."""
    mapping = table.lookup(name)
    if mapping is None:
        return looks_like_cuda(name)
    return mapping.hip.encode() != name


def qualified(tokens: TokenStream, index: int) -> bytes:
    """The name with the scopes in front of it, ``cub::BlockReduce``; from its last component."""
    parts = [tokens.name(index)]
    while True:
        colons = tokens.previous_code(index)
        if colons < 0 or tokens.text(colons) != b"::":
            return b"::".join(reversed(parts))
        index = tokens.previous_code(colons)
        if index < 0 or tokens.kind(index) != 4:
            return b"::".join(reversed(parts))
        parts.append(tokens.name(index))
