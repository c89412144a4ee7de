"""What each kernel counts its lanes in: groups of 32, as every CUDA warp has, or waves of any size, ``warpSize``.

A kernel and the device functions and macros of this source that it shares form one *family*: what is written for its warp
collectives has to agree in all of it, or sums go wrong on a wave of 64 lanes. A family's mode is decided by what it
mentions: numbers that stand for lanes (``% 32``, ``>> 5``, ``offset = 16``), constants of 32 named after warps or lanes
(in this source, in its own headers, or where it is launched), ``warpSize``, and by whether its votes can be widened.

*Groups* is always right: with an explicit width of 32, votes cut down to 32 lanes and ``warpSize`` as 32, each half of a
64-lane wave is a CUDA warp. *Wave* is chosen where a family counts in ``warpSize`` alone, as its author wanted it, and
everything that holds a vote can be widened to 64 bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from hipify_py import votes
from hipify_py.directives import Directives
from hipify_py.functions import Functions
from hipify_py.lexer import TokenKind, TokenStream, lex
from hipify_py.names import is_member_access, seems_declared

if TYPE_CHECKING:
    from hipify_py.unit import TranslationUnit

_NAMES = re.compile(rb"warp|lane|wave|^WS$", re.IGNORECASE)
COLLECTIVE = re.compile(rb"\b__(?:shfl|ballot|any|all|match|reduce|activemask|syncwarp)\w*\s*\(|"
                        rb"\b(?:tiled_partition|(?:load_matrix|store_matrix|mma)_sync)\b")
_HIP = re.compile(rb"#[ \t]*include[ \t]*[<\"]hip/")
_SHUFFLE = re.compile(rb"__shfl\w*")
_VOTE = re.compile(rb"__(?:ballot|any|all|activemask|match_any|match_all)(?:_sync)?")
_COUNT = re.compile(rb"\b(?:32|31|5|16|0[xX]1[fF]|0[xX]20)[uUlL]*\b")
_SUSPECT = re.compile(rb"(?:32|31|16|0[xX]1[fF]|0[xX]20|0[xX]10)[uUlL]*")
_WARP_SIZE = re.compile(rb"\bwarpSize\b")
#: A constant, a member or an enumerator with its value.
_NAMED = re.compile(rb"\b([A-Za-z_]\w*)\s*[={]\s*((?:32|31|16|0[xX]1[fF]|0[xX]20|0[xX]10)[uUlL]*)\b")
#: Operator in front of a number that makes it a lane count, its half, its mask or its logarithm.
_OPERATORS = {b"%": (32,), b"&": (31,), b">>": (5,), b"<<": (5,), b"/": (32,), b"<": (32,), b"*": (32,)}
_INDEX = re.compile(rb"thread|tid|lane|warp|idx|^t$|^tx$|^i$|^id$|block_?dim|blockSize", re.IGNORECASE)
#: Stands among a family's constants for a number in the host code that launches it.
_HOST = b"32"
_AXES = (b"x", b"y", b"z")


def matters(unit: TranslationUnit) -> bool:
    """Whether the source, or a header of its own, has warp collectives or asks for the warp size."""
    if COLLECTIVE.search(unit.data) or _WARP_SIZE.search(unit.data):
        return True
    return (re.search(rb"#[ \t]*include[ \t]*\"", unit.data) is not None and b"__global__" in unit.data
            and any(COLLECTIVE.search(text) for text in _headers(unit)))


def _headers(unit: TranslationUnit) -> Iterable[bytes]:
    """The texts of the source's own headers, as far as they are on disk."""
    return unit.semantics.around.headers.texts if unit.semantics.available else ()


class Mode(Enum):
    """What the lanes of a family are counted in."""

    GROUPS = "groups of 32 lanes"
    WAVE = "the wave"


@dataclass(slots=True)
class Family:
    """Functions that call each other, with what they mention.

    Args:
        names: Of its functions and macros.
        counts: Tokens of the numbers in them that stand for 32 lanes.
        constants: Names of constants of 32 that they mention.
        warp_sizes: Tokens of ``warpSize``.
        shuffles: Whether they have a shuffle.
        votes: Tokens of their votes.
        collective: Whether they have any warp collective.
        mode: What their lanes are counted in.
    """

    names: list[bytes] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    constants: set[bytes] = field(default_factory=set)
    warp_sizes: list[int] = field(default_factory=list)
    shuffles: bool = False
    votes: list[int] = field(default_factory=list)
    collective: bool = False
    mode: Mode = Mode.GROUPS

    @property
    def counts_32(self) -> bool:
        """Whether a number or a constant stands for 32 lanes."""
        return bool(self.counts or self.constants)

    @property
    def counts_or_warps(self) -> bool:
        """Whether it says anything about how many lanes there are."""
        return self.counts_32 or bool(self.warp_sizes)

    @property
    def mixed(self) -> bool:
        """Whether it says ``warpSize`` and means 32 lanes."""
        return self.mode is Mode.GROUPS and bool(self.warp_sizes)

    @property
    def widens(self) -> bool:
        """Whether variables that hold votes are widened: those of a whole wave, and votes that nothing else says 32 about."""
        return self.mode is Mode.WAVE or not (self.counts_or_warps or self.shuffles)

    def decide(self, tokens: TokenStream) -> None:
        """Choose the mode."""
        whole = bool(self.warp_sizes) and not self.counts_32
        self.mode = Mode.WAVE if whole and all(votes.can_widen(tokens, each) for each in self.votes) else Mode.GROUPS


class Lanes:
    """The families of one source."""

    def __init__(self, tokens: TokenStream, directives: Directives, inherited: dict[bytes, Mode], constants: set[bytes]) -> None:
        """Sort the functions of a source into families.

        Args:
            tokens: The source.
            directives: Its preprocessor lines.
            inherited: The modes of the device functions in its own headers.
            constants: The names of constants of 32 there.
        """
        self._tokens = tokens
        self.functions = Functions(tokens, directives)
        self.inherited = inherited
        self._parents = list(range(len(self.functions.all)))
        self._words = [self.functions.words(number) for number in range(len(self.functions.all))]
        self._join()
        self._families: dict[int, Family] = {}
        #: What stands outside of all functions.
        self.rest = Family()
        self.constants = set(constants)
        #: The numbers of constants of 32, with the constants' names.
        self.constant_numbers: list[tuple[int, bytes]] = []
        self._hosts: set[int] = set()
        self._gather(directives)
        #: Whether a HIP header is included: collectives without masks are HIP's, of whole waves, already.
        self.already_hip = _HIP.search(tokens.data) is not None
        for each in (*self._families.values(), self.rest):
            each.decide(tokens)
            if self.already_hip and each.warp_sizes:
                each.mode = Mode.WAVE

    @classmethod
    def of(cls, unit: TranslationUnit) -> Lanes:
        """The families of a unit's source, with what its own headers say."""
        inherited: dict[bytes, Mode] = {}
        constants: set[bytes] = set()
        if matters(unit):
            for text in _headers(unit):
                if COLLECTIVE.search(text) or _NAMES.search(text):
                    tokens = lex(text)
                    header = cls(tokens, Directives(tokens), {}, set())
                    constants |= header.constants
                    inherited |= {name: each.mode for each in header.families if each.collective and each.counts_or_warps
                                  for name in each.names}
        return cls(unit.tokens, unit.directives, inherited, constants)

    @property
    def families(self) -> Iterator[Family]:
        """All families, what stands outside of functions last."""
        yield from self._families.values()
        yield self.rest

    def family(self, index: int) -> Family:
        """The family of the function that holds a token."""
        number = self.functions.around(index)
        return self.rest if number is None else self._families.get(self._root(number), self.rest)

    @cached_property
    def foreign_calls(self) -> tuple[tuple[int, Mode, Family], ...]:
        """Calls of functions of the own headers that count in something else than the family here does."""
        found = []
        for index in self._tokens.identifiers() if self.inherited else ():
            mode = self.inherited.get(self._tokens.name(index))
            if mode is None or self._tokens.name(index) in self.functions.by_name:
                continue
            family = self.family(index)
            if family is not self.rest and family.counts_or_warps and family.mode is not mode:
                found.append((index, mode, family))
        return tuple(found)

    def _root(self, number: int) -> int:
        while self._parents[number] != number:
            self._parents[number] = self._parents[self._parents[number]]
            number = self._parents[number]
        return number

    def _join(self) -> None:
        """Join device functions with the device functions and macros that they name."""
        everything, by_name = self.functions.all, self.functions.by_name
        for number, each in enumerate(everything):
            if not each.device:
                continue
            for word in self._words[number] & by_name.keys():
                for other in by_name[word]:
                    if everything[other].device and other != number:
                        self._parents[self._root(other)] = self._root(number)

    def _gather(self, directives: Directives) -> None:
        for number, each in enumerate(self.functions.all):
            if each.device:
                self._families.setdefault(self._root(number), Family()).names.append(each.name)
        for index in _numbers(self._tokens, directives):
            holder = self.functions.around(index)
            name = _constant(self._tokens, directives, index)
            if name is not None:
                self.constants.add(name)
                self.constant_numbers.append((index, name))
            if holder is not None and self.functions.all[holder].device:
                self.family(index).counts.append(index)
            elif name is None and holder is None:
                self.rest.counts.append(index)
            elif name is None and holder is not None:
                self._hosts.add(holder)
                self.constant_numbers.append((index, _HOST))
        places = [self._tokens.index_at(match.start()) for match in _WARP_SIZE.finditer(self._tokens.data)]
        places = [index for index in places if self._tokens.kind(index) == TokenKind.IDENTIFIER
                  and not is_member_access(self._tokens, index)]
        # `int warpSize = 32;` in a function, as a parameter, or for the whole source is the person's own.
        own = {self.functions.around(index) for index in places if seems_declared(self._tokens, index)}
        for index in places if None not in own and b"warpSize" not in self.functions.by_name else ():
            if self.functions.around(index) not in own:
                self.family(index).warp_sizes.append(index)
        for match in COLLECTIVE.finditer(self._tokens.data):
            index = self._tokens.index_at(match.start())
            name = self._tokens.text(index)
            if self._tokens.kind(index) != TokenKind.IDENTIFIER or not match.group().startswith(name):
                continue
            family = self.family(index)
            family.collective = True
            family.shuffles = family.shuffles or _SHUFFLE.fullmatch(name) is not None
            if _VOTE.fullmatch(name):
                family.votes.append(index)
        self._mention()
        self._suspect(directives)

    def _suspect(self, directives: Directives) -> None:
        """Beside ``warpSize``, any 32, 31 or 16 may mean lanes: groups of 32 are right whether it does or not.

        The capacity of an array (``[32]``) says nothing: it holds for waves of 64, too.
        """
        if not any(each.warp_sizes and not each.counts_32 for each in self._families.values()):
            return
        suspects = set(self._named())
        for directive in directives:
            macro = directive.macro
            if macro is not None and macro.parameters is None:
                suspects |= {self._tokens.name(macro.name) for index in range(*macro.body) if self._may_mean_lanes(index)}
        for number, each in enumerate(self.functions.all):
            family = self._families.get(self._root(number)) if each.device else None
            if family is None or not family.warp_sizes or family.counts_32:
                continue
            family.counts += (index for index in range(each.head, each.end) if self._may_mean_lanes(index))
            family.constants |= self._words[number] & suspects

    def _named(self) -> Iterator[bytes]:
        """The names of constants outside of functions, of members and enumerators too, whose value may mean lanes."""
        for match in _NAMED.finditer(self._tokens.data):
            index = self._tokens.index_at(match.start(2))
            if self._tokens.kind(index) == TokenKind.NUMBER and self.functions.around(index) is None:
                yield match[1]

    def _may_mean_lanes(self, index: int) -> bool:
        tokens = self._tokens
        if tokens.kind(index) != TokenKind.NUMBER or not _SUSPECT.fullmatch(tokens.text(index)):
            return False
        before = tokens.previous_code(index)
        return before >= 0 and tokens.text(before) != b"["

    def _mention(self) -> None:
        """Note which constants a family mentions, and those where its kernels are launched."""
        everything = self.functions.all
        for number, each in enumerate(everything):
            if each.device:
                self._families[self._root(number)].constants |= self._words[number] & self.constants
                continue
            counts = {name for name in self._words[number] & self.constants if name != each.name}
            counts |= {_HOST} if number in self._hosts else set()
            for word in self._words[number] & self.functions.by_name.keys() if counts else ():
                for other in self.functions.by_name[word]:
                    if everything[other].device:
                        self._families[self._root(other)].constants |= counts


def _numbers(tokens: TokenStream, directives: Directives) -> Iterator[int]:
    """Token indices of numbers that stand for 32 lanes."""
    for match in _COUNT.finditer(tokens.data):
        index = tokens.index_at(match.start())
        if tokens.kind(index) == TokenKind.NUMBER and tokens.text(index) == match.group() and _stands_for_lanes(
                tokens, directives, index):
            yield index


def _constant(tokens: TokenStream, directives: Directives, index: int) -> bytes | None:
    """The constant whose value a number is."""
    directive = directives.containing(index)
    if directive is not None and directive.macro is not None:
        return tokens.name(directive.macro.name)
    before = tokens.previous_code(index)
    name = tokens.previous_code(before) if before >= 0 and tokens.text(before) in (b"=", b"{", b"(") else -1
    return tokens.name(name) if name >= 0 and _NAMES.search(tokens.text(name)) else None


def _stands_for_lanes(tokens: TokenStream, directives: Directives, index: int) -> bool:
    value = int(tokens.text(index).rstrip(b"uUlL"), 0)
    before = tokens.previous_code(index)
    if before < 0:
        return False
    left = tokens.text(before)
    directive = directives.containing(index)
    if directive is not None and directive.macro is not None and directive.macro.parameters is None:
        first = directive.macro.body[0]
        alone = first == index or (tokens.text(first) == b"(" and tokens.next_code(first) == index)
        if value == 32 and alone and _NAMES.search(tokens.text(directive.macro.name)) is not None:
            return True
    if left == b"=" or (left in (b"{", b"(") and value == 32 and _declares(tokens, before)):
        name = tokens.previous_code(before)
        if value == 32:
            return _NAMES.search(tokens.text(name)) is not None
        return value == 16 and _halves(tokens, name)
    if value in _OPERATORS.get(left, ()):
        return _indexes_threads(tokens, before)
    return False


def _declares(tokens: TokenStream, bracket: int) -> bool:
    """Whether a bracket opens the initialiser of ``constexpr int kWarp{32}``."""
    name = tokens.previous_code(bracket)
    kind = tokens.previous_code(name) if name >= 0 else -1
    return kind >= 0 and tokens.kind(name) == tokens.kind(kind) == TokenKind.IDENTIFIER and tokens.text(kind) != b"return"


def _halves(tokens: TokenStream, name: int) -> bool:
    """Whether ``for (int x = 16; ...)`` goes on by halving."""
    text = tokens.data[tokens.start(name) : tokens.start(name) + 160]
    word = re.escape(tokens.text(name))
    return re.search(rb";[^;]*;\s*" + word + rb"\s*(?:>>=\s*1|/=\s*2|=\s*" + word + rb"\s*(?:>>\s*1|/\s*2))", text) is not None


def _indexes_threads(tokens: TokenStream, operator: int) -> bool:
    """Whether the left side of an operator is a thread index, or a variable named after one."""
    word = tokens.previous_code(operator)
    if word < 0:
        return False
    if tokens.text(word) == b")":
        word = tokens.previous_code(word)
    if tokens.text(word) in _AXES:
        owner = tokens.previous_code(tokens.previous_code(word))
        return owner >= 0 and tokens.text(owner) in (b"threadIdx", b"blockDim")
    return _INDEX.search(tokens.text(word)) is not None
