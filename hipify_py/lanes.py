"""What integer constants are worth on waves of 32 and of 64 lanes: ``WARP_SIZE - 1`` is (31, 31), ``warpSize / 2`` (16, 32).

Pure: texts of tokens in, pairs of numbers out. A constant whose two values differ counts in ``warpSize``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

#: What an expression is worth on a wave of 32 lanes and on one of 64.
Pair = tuple[int, int]
Operation = Callable[[int, int], int]

_NUMBER = re.compile(rb"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)(?:[uU]?[lL]{0,2}|[lL]{1,2}[uU])")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_WORDS = re.compile(rb"0[xX][0-9a-fA-F]+\w*|[A-Za-z0-9_]+|<<|>>|::|\S")
_TYPES = frozenset((b"int", b"unsigned", b"long", b"short", b"size_t", b"uint32_t", b"int32_t", b"uint64_t", b"char", b"signed",
                    b"const", b"uint", b"unsigned int"))
#: Operator -> how tightly it binds, what it computes.
_BINARY: dict[bytes, tuple[int, Operation]] = {
    b"|": (1, lambda a, b: a | b), b"^": (2, lambda a, b: a ^ b), b"&": (3, lambda a, b: a & b),
    b"<<": (4, lambda a, b: a << b if 0 <= b < 64 else 0), b">>": (4, lambda a, b: a >> b if 0 <= b < 64 else 0),
    b"+": (5, lambda a, b: a + b), b"-": (5, lambda a, b: a - b),
    b"*": (6, lambda a, b: a * b), b"/": (6, lambda a, b: a // b if b else 0), b"%": (6, lambda a, b: a % b if b else 0),
}
_DEPTH = 12


def number(text: bytes) -> int | None:
    """The value of an integer literal; None if it is none."""
    found = _NUMBER.fullmatch(text.replace(b"'", b""))
    if found is None:
        return None
    digits = found.group(1)
    if len(digits) > 1 and digits[:1] == b"0" and digits[1:2].isdigit():
        return int(digits, 8) if not set(digits) & set(b"89") else None
    return int(digits, 0)


def words(text: bytes) -> list[bytes]:
    """A short expression in tokens, for the evaluation."""
    return _WORDS.findall(text)


@dataclass(slots=True)
class Constants:
    """The integer constants of a source, by name: macros, ``const`` variables, enumerators, defaults of templates.

    Args:
        texts: Name -> its expression, in tokens. ``warpSize`` needs no entry.
        shadowed: Names with two different meanings: they have no value.
    """

    texts: dict[bytes, Sequence[bytes]] = field(default_factory=dict)
    shadowed: set[bytes] = field(default_factory=set)
    _known: dict[bytes, Pair | None] = field(default_factory=dict)

    def add(self, name: bytes, text: Sequence[bytes]) -> None:
        """Enter a constant; two different expressions under one name leave it without a value."""
        if len(text) > 24:
            return
        if name in self.texts and list(self.texts[name]) != list(text):
            self.shadowed.add(name)
        self.texts[name] = text

    def named(self, name: bytes, depth: int = 0) -> Pair | None:
        """What a name is worth."""
        if name == b"warpSize":
            return 32, 64
        if name in self.shadowed or name not in self.texts or depth > _DEPTH:
            return None
        if name not in self._known:
            self._known[name] = None
            self._known[name] = self.value(self.texts[name], depth + 1)
        return self._known[name]

    def value(self, text: Sequence[bytes], depth: int = 0) -> Pair | None:
        """What an expression is worth; None if it is no constant."""
        if not text or len(text) > 24:
            return None
        parsed = self._sum(text, 0, 0, depth)
        return parsed[0] if parsed is not None and parsed[1] == len(text) else None

    def _sum(self, text: Sequence[bytes], place: int, level: int, depth: int) -> tuple[Pair, int] | None:
        left = self._unary(text, place, depth)
        while left is not None and left[1] < len(text):
            (low, high), place = left
            known = _BINARY.get(text[place])
            if known is None or known[0] < level + (level > 0):
                break
            right = self._sum(text, place + 1, known[0], depth)
            if right is None:
                return None
            left = (known[1](low, right[0][0]), known[1](high, right[0][1])), right[1]
        return left

    def _unary(self, text: Sequence[bytes], place: int, depth: int) -> tuple[Pair, int] | None:
        if place >= len(text) or depth > _DEPTH:
            return None
        word = text[place]
        if word == b"(":
            end = place + 1
            while end < len(text) and text[end] in _TYPES:
                end += 1
            if place + 1 < end < len(text) and text[end] == b")":
                return self._unary(text, end + 1, depth)
            inner = self._sum(text, place + 1, 0, depth)
            return (inner[0], inner[1] + 1) if inner is not None and inner[1] < len(text) and text[inner[1]] == b")" else None
        if word in (b"-", b"+"):
            inner = self._unary(text, place + 1, depth)
            if inner is None or word == b"+":
                return inner
            return (-inner[0][0], -inner[0][1]), inner[1]
        literal = number(word)
        if literal is not None:
            return (literal, literal), place + 1
        if _NAME.fullmatch(word) and text[place + 1 : place + 2] not in ([b"("], [b"."], [b"::"], [b"["], [b"->"]):
            value = self.named(word, depth)
            return None if value is None else (value, place + 1)
        return None
