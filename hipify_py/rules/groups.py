"""HPY213 group-call: what HIP's cooperative groups have late, or not at all.

What it does
------------
Writes the votes of a tile (``tile.any(p)``, ``all``, ``ballot``) as HIP's ``__ballot``, cut down to the tile's lanes, and
``cg::reduce(tile, v, cg::plus<T>())`` as a loop of ``shfl_xor`` (with a function of the source in ``plus``'s place: of the
words of any type), ``cg::inclusive_scan`` and ``cg::exclusive_scan`` of a tile as one of ``shfl_up``. ``any`` and ``all``
of a ``coalesced_group`` become those of the wave.

Why is this bad
---------------
HIP's groups have votes since 7.0 (before, from 6.2 on, behind ``HIP_ENABLE_WARP_SYNC_BUILTINS``), and no ``reduce`` and no
scans.

Example
-------
Bad::

    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    float sum = cg::reduce(tile, v, cg::plus<float>());

Good::

    float sum = ([&] { auto cg_value = v; for (unsigned int cg_step = tile.size() / 2; cg_step > 0; cg_step /= 2)
                           cg_value = cg_value + tile.shfl_xor(cg_value, cg_step); return cg_value; }());

Fix safety
----------
All lanes of a tile take part in its calls, so that the lanes of the wave outside it change nothing: each vote is shifted
to the tile's first lane and masked by its size. The reduction adds in another order than CUDA's, which leaves its order
open. The scans keep theirs; an exclusive one is written where the first lane's result is nought: for sums and two
operators of bits. Sizes are powers of two on both sides. A group whose kind is not known is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.lexer import TokenKind
from hipify_py.syntax import Argument, ArgumentList, arguments
from hipify_py.unit import TranslationUnit

CODE = "HPY213"
_VOTES = re.compile(rb"\b(?:any|all|ballot)\s*\(")
_MATCHES = re.compile(rb"\bmatch_(?:any|all)\s*\(")
_REDUCE = re.compile(rb"\b(?:reduce|inclusive_scan|exclusive_scan)\s*\(")
_ALIAS = re.compile(rb"\bnamespace\s+(\w+)\s*=\s*(?:::\s*)?cooperative_groups\s*;")
#: The first major version of HIP whose groups have votes without a macro.
_HAVE_VOTES = 7
#: What a reduction's operator does with two values, by the name of CUDA's function object.
_OPERATORS = {b"plus": b"%s + %s", b"less": b"min(%s, %s)", b"greater": b"max(%s, %s)", b"bit_and": b"%s & %s",
              b"bit_or": b"%s | %s", b"bit_xor": b"%s ^ %s"}
#: How a function or a function object is given: ``join``, ``ns::join<float>``, ``Join()``, ``Join<T>{}``.
_NAMED = re.compile(rb"(?:\w+\s*::\s*)*[A-Za-z_]\w*(?:<[\w\s:,]*>)?(?:\(\)|\{\})?")
#: Those with which a first lane's exclusive scan is 0.
_NEUTRAL_ZERO = frozenset(_OPERATORS[name] for name in (b"plus", b"bit_or", b"bit_xor"))


class _Group(Enum):
    """What a cooperative group is."""

    TILE = "thread_block_tile"
    COALESCED = "coalesced_group"


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a fix for each call that HIP's groups lack."""
    if b"cooperative_groups" not in unit.data:
        return
    wanted = unit.settings.rocm
    if wanted is None or wanted.major < _HAVE_VOTES:
        yield from _votes(unit)
    yield from _reductions(unit)


def _votes(unit: TranslationUnit) -> Iterator[Finding]:
    for pattern in (_VOTES, _MATCHES):
        for match in pattern.finditer(unit.data):
            index = unit.tokens.index_at(match.start())
            receiver = _receiver(unit, index)
            if receiver is None or (call := _call(unit, index)) is None or len(call.arguments) < 1:
                continue
            group = _kind(unit, receiver)
            if group is None:
                continue
            name = unit.tokens.text(index)
            if pattern is _MATCHES:
                yield Diagnostic(CODE, Severity.ERROR, f"`{name.decode()}` is a member of HIP's groups since 7.0 only: raise "
                                 "`--rocm`, or compare the values with `shfl` in a loop", unit.range(index))
            elif group is _Group.TILE:
                yield from _tile_vote(unit, index, receiver, call)
            elif name == b"ballot":
                yield Diagnostic(CODE, Severity.ERROR, "`ballot` is a member of HIP's coalesced groups since 7.0 only: raise "
                                 "`--rocm`, or use `__ballot` and count its bits below the lane's", unit.range(index))
            else:
                yield Fix(tuple(_replace(unit, receiver.first, index + 1, b"__" + name)))


def _tile_vote(unit: TranslationUnit, index: int, receiver: Argument, call: ArgumentList) -> Iterator[Finding]:
    """``tile.any(p)`` in terms of ``__ballot``: the text around ``p`` changes, ``p`` stays where it is."""
    tokens, name = unit.tokens, unit.tokens.text(index)
    tile = tokens.data[tokens.start(receiver.first) : tokens.end(receiver.end - 1)]
    negated = name == b"all"
    shifted = b" >> (__lane_id() & ~(" + tile + b".size() - 1))) & (~0ull >> (64 - " + tile + b".size())))"
    left = {b"any": b"(", b"all": b"(", b"ballot": b"(unsigned int)"}[name] + b"((__ballot("
    right = b")" + shifted + {b"any": b" != 0)", b"all": b" == 0)", b"ballot": b""}[name]
    if negated:
        left, right = left + b"!(", b")" + right
    yield Fix((*_replace(unit, receiver.first, call.open + 1, left), *_replace(unit, call.close, call.close + 1, right)))


def _reductions(unit: TranslationUnit) -> Iterator[Finding]:
    tokens = unit.tokens
    names = {b"cooperative_groups", *_ALIAS.findall(unit.data)}
    for match in _REDUCE.finditer(unit.data):
        index = tokens.index_at(match.start())
        call = _call(unit, index)
        scope = tokens.previous_code(index)
        name = tokens.text(index)
        least = 3 if name == b"reduce" else 2
        if call is None or not least <= len(call.arguments) <= 3 or scope < 0 or tokens.text(scope) != b"::":
            continue
        first = tokens.previous_code(scope)
        while tokens.previous_code(first) >= 0 and tokens.text(tokens.previous_code(first)) == b"::":
            first = tokens.previous_code(tokens.previous_code(first))
        if tokens.text(first) not in names:
            continue
        group, value = call.arguments[:2]
        operator = _operator(unit, call.arguments[2]) if len(call.arguments) == 3 else _OPERATORS[b"plus"]
        own = _own_operator(unit, call.arguments[2], names) if operator is None and name == b"reduce" else None
        if (operator is None and own is None) or _kind(unit, group) is not _Group.TILE or unit.is_handled(index):
            continue
        tile = tokens.data[tokens.start(group.first) : tokens.end(group.end - 1)]
        if operator is None:
            end = _own_loop(tile, own or b"")
        elif name == b"reduce":
            end = _loop(tile, operator)
        elif name == b"inclusive_scan" or operator in _NEUTRAL_ZERO:
            end = _scan(tile, operator, exclusive=name == b"exclusive_scan")
        else:
            continue
        yield Fix((*_replace(unit, first, value.first, b"([&] { auto cg_value = "),
                   *_replace(unit, value.end, call.close + 1, end)))


def _loop(tile: bytes, operator: bytes) -> bytes:
    """What follows the value of a lane: all lanes together."""
    step = operator % (b"cg_value", tile + b".shfl_xor(cg_value, cg_step)")
    return (b"; for (unsigned int cg_step = " + tile + b".size() / 2; cg_step > 0; cg_step /= 2) cg_value = " + step
            + b"; return cg_value; }())")


def _own_loop(tile: bytes, operator: bytes) -> bytes:
    """What follows the value of a lane where a function of the source joins two: of any type, so words are exchanged."""
    return (b"; for (unsigned int cg_step = " + tile + b".size() / 2; cg_step > 0; cg_step /= 2) { auto cg_other = cg_value; "
            b"unsigned int cg_words[(sizeof(cg_value) + 3) / 4] = {}; __builtin_memcpy(cg_words, &cg_value, sizeof(cg_value)); "
            b"for (auto &cg_word : cg_words) cg_word = " + tile + b".shfl_xor(cg_word, cg_step); "
            b"__builtin_memcpy(&cg_other, cg_words, sizeof(cg_value)); cg_value = " + operator + b"(cg_value, cg_other); } "
            b"return cg_value; }())")


def _scan(tile: bytes, operator: bytes, *, exclusive: bool) -> bytes:
    """What follows the value of a lane: that of the lanes below it, with its own or without."""
    step = operator % (b"cg_below", b"cg_value")
    result = b"return cg_value; }())"
    if exclusive:
        result = (b"{ auto cg_below = " + tile + b".shfl_up(cg_value, 1); return " + tile
                  + b".thread_rank() ? cg_below : decltype(cg_below){}; } }())")
    return (b"; for (unsigned int cg_step = 1; cg_step < " + tile + b".size(); cg_step *= 2) { auto cg_below = " + tile
            + b".shfl_up(cg_value, cg_step); if (" + tile + b".thread_rank() >= cg_step) cg_value = " + step + b"; } " + result)


def _replace(unit: TranslationUnit, first: int, end: int, text: bytes) -> Iterator[Edit]:
    """Put a text in the place of tokens, one edit each, so that no later rule answers for one of them."""
    tokens = unit.tokens
    yield Edit(tokens.start(first), tokens.end(first), text, CODE)
    for place in range(first + 1, end):
        yield Edit(tokens.start(place), tokens.end(place), b"", CODE)


def _operator(unit: TranslationUnit, function: Argument) -> bytes | None:
    """What CUDA's function object at an argument does: ``cg::plus<int>()`` or ``cg::plus<int>{}``."""
    text = unit.tokens.data[unit.tokens.start(function.first) : unit.tokens.end(function.end - 1)]
    match = re.fullmatch(rb"(?:\w+\s*::\s*)*(\w+)\s*(?:<.*>)?\s*(?:\(\s*\)|\{\s*\})", text, re.DOTALL)
    return None if match is None else _OPERATORS.get(match[1])


def _own_operator(unit: TranslationUnit, function: Argument, groups: set[bytes]) -> bytes | None:
    """A function, or a function object, of the source itself, as it is named in a call."""
    text = unit.tokens.data[unit.tokens.start(function.first) : unit.tokens.end(function.end - 1)]
    words = re.findall(rb"\w+", text)
    if _NAMED.fullmatch(text) is None or not groups.isdisjoint(words) or any(map(unit.table.lookup, words)):
        return None
    return text


def _call(unit: TranslationUnit, index: int) -> ArgumentList | None:
    """The argument list behind a name in code that HIP compiles."""
    tokens, limit = unit.tokens, unit.limit(index)
    if tokens.kind(index) != TokenKind.IDENTIFIER or unit.regions.is_frozen(tokens.start(index)):
        return None
    bracket = tokens.next_code(index, limit)
    return arguments(tokens, bracket, limit) if bracket < limit and tokens.text(bracket) == b"(" else None


def _receiver(unit: TranslationUnit, index: int) -> Argument | None:
    """The object in front of ``.any``: a name, or members of one."""
    tokens = unit.tokens
    dot = tokens.previous_code(index)
    if dot < 0 or tokens.text(dot) != b".":
        return None
    place = tokens.previous_code(dot)
    end = place + 1
    while place >= 0 and tokens.kind(place) == TokenKind.IDENTIFIER:
        joint = tokens.previous_code(place)
        if joint < 0 or tokens.text(joint) not in (b".", b"->"):
            return Argument(place, end)
        place = tokens.previous_code(joint)
    return None


def _kind(unit: TranslationUnit, group: Argument) -> _Group | None:
    """What a group is: libclang's answer, or that of its declaration in this source."""
    tokens = unit.tokens
    known = unit.semantics.type_of(group.first, group.end)
    for kind in _Group:
        if known is not None and kind.value in known:
            return kind
    if known is not None and "auto" not in known and "thread_group" not in known:
        return None
    name = re.escape(tokens.text(group.end - 1))
    if re.search(rb"\bthread_block_tile\s*<[^;{}]*>\s*(?:const\s*)?[&*]*\s*" + name + rb"\b|\bauto\s+" + name +
                 rb"\s*=\s*(?:\w+\s*::\s*)*tiled_partition\s*<", unit.data):
        return _Group.TILE
    if re.search(rb"\bcoalesced_group\s+" + name + rb"\b|\bauto\s+" + name + rb"\s*=\s*(?:\w+\s*::\s*)*coalesced_threads\s*\(",
                 unit.data):
        return _Group.COALESCED
    return None
