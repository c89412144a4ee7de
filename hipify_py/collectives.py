"""The warp collectives of CUDA, by the table, and their calls in a source."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from hipify_py.lexer import TokenKind
from hipify_py.names import is_member_access, qualifier
from hipify_py.syntax import Argument, ArgumentList, arguments

if TYPE_CHECKING:
    from hipify_py.unit import TranslationUnit

_FULL = re.compile(rb"\(?(?:0[xX][fF]{8}|~0|-1|4294967295|UINT_MAX)[uUlL]*\)?|0[xX][fF]{16}[uUlL]*|__activemask\(\)")


class What(Enum):
    """What a collective does."""

    SHUFFLE = "shuffle"
    ANY = "any"
    ALL = "all"
    BALLOT = "ballot"
    ACTIVE = "active"
    BARRIER = "barrier"
    MATCH_ANY = "match-any"
    MATCH_ALL = "match-all"
    REDUCE = "reduce"


@dataclass(frozen=True, slots=True)
class Collective:
    """One row of the table: what a name does, with which operator, and how many arguments follow its mask at least."""

    what: What
    operator: bytes
    values: int


@dataclass(frozen=True, slots=True)
class Call:
    """One call: its name's token, the name without ``_sync``, what it is, its arguments and whether the first is a mask."""

    name: int
    base: bytes
    collective: Collective
    list: ArgumentList
    masked: bool

    @property
    def plain(self) -> tuple[Argument, ...]:
        """The arguments behind the mask."""
        return self.list.arguments[1:] if self.masked else self.list.arguments


@cache
def table() -> dict[bytes, Collective]:
    """All collectives by name."""
    text = resources.files("hipify_py.mapping").joinpath("collectives.csv").read_text(encoding="utf-8")
    found = {}
    for row in csv.DictReader(text.splitlines()):
        what, _, operator = row["what"].partition(" ")
        found[row["name"].encode()] = Collective(What(what), operator.encode(), int(row["values"]))
    return found


@cache
def _names() -> re.Pattern[bytes]:
    return re.compile(rb"\b(?:" + b"|".join(sorted(table(), reverse=True)) + rb")\b")


def calls(unit: TranslationUnit) -> Iterator[Call]:
    """The calls of collectives in a source, in order; own functions of these names and frozen regions left out."""
    tokens = unit.tokens
    for match in _names().finditer(unit.data):
        index = tokens.index_at(match.start())
        if tokens.start(index) != match.start() or tokens.kind(index) != TokenKind.IDENTIFIER:
            continue
        if tokens.text(index) != match.group() or unit.regions.is_frozen(match.start()) or unit.is_user_name(index):
            continue
        if unit.seems_declared(match.group()) or is_member_access(tokens, index) or qualifier(tokens, index):
            continue
        call = _read(unit, index)
        if call is not None:
            yield call


def _read(unit: TranslationUnit, index: int) -> Call | None:
    tokens, limit = unit.tokens, unit.limit(index)
    name = tokens.text(index)
    bracket = tokens.next_code(index, limit)
    if bracket >= limit or tokens.text(bracket) != b"(":
        return None
    found = arguments(tokens, bracket, limit)
    if found is None:
        return None
    collective, masked = table()[name], name.endswith(b"_sync")
    if len(found.arguments) < collective.values + masked:
        return None
    directive = unit.directives.containing(index)
    if directive is not None and directive.macro is not None and directive.macro.name == index:
        return None
    return Call(index, name[: -len(b"_sync")] if masked else name, collective, found, masked)


def text_of(unit: TranslationUnit, argument: Argument) -> bytes:
    """The bytes of an argument."""
    return unit.data[unit.tokens.start(argument.first) : unit.tokens.end(argument.end - 1)]


def is_full(unit: TranslationUnit, mask: Argument) -> bool:
    """Whether a mask names all lanes: a literal, or a macro or constant of the source that is one."""
    text = text_of(unit, mask)
    if _FULL.fullmatch(text):
        return True
    if not re.fullmatch(br"[A-Za-z_]\w*", text):
        return False
    value = re.search(rb"\b" + text + rb"\b[ \t]*=?[ \t]*([^;,\r\n]+?)[ \t]*(?:;|,|//|/\*|\r?\n)", unit.data)
    return value is not None and _FULL.fullmatch(value.group(1).strip()) is not None
