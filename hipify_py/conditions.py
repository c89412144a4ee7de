"""Conditions of ``#if``: parsed into a small tree, and evaluated where some macros are known and others are not."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from hipify_py.directives import Directive
from hipify_py.lexer import TokenKind, TokenStream


class _Some:
    """The value of a macro that is not zero and otherwise unknown."""


SOME = _Some()
#: What a condition evaluates to: a number, ``SOME``, or None for unknown.
Value = int | _Some | None
#: Whether a macro is defined (None: unknown), and its value.
World = Callable[[bytes], tuple[bool | None, Value]]


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a condition.

    Args:
        kind: ``defined``, ``name``, ``number``, ``call`` (``__has_include(...)`` and its like), ``paren``, ``unary``,
            ``binary``, ``ternary`` or ``unknown``.
        text: The operator, or the name.
        first: Index of its first token.
        end: Index one past its last token.
        parts: Its operands.
        name: Index of the name's token, for ``defined``, ``name`` and ``call``.
    """

    kind: str
    text: bytes
    first: int
    end: int
    parts: tuple[Node, ...] = field(default=())
    name: int = -1

    def walk(self) -> Iterator[Node]:
        """This node and all below it."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def names(self) -> set[bytes]:
        """All macros that the condition asks about."""
        return {node.text for node in self.walk() if node.name >= 0}


_LEVELS = {
    b"||": 1, b"or": 1, b"&&": 2, b"and": 2, b"|": 3, b"^": 4, b"&": 5, b"==": 6, b"!=": 6, b"<": 7, b">": 7, b"<=": 7,
    b">=": 7, b"<<": 8, b">>": 8, b"+": 9, b"-": 9, b"*": 10, b"/": 10, b"%": 10}
_ALIASES = {b"or": b"||", b"and": b"&&", b"not": b"!"}
_ARITHMETIC: dict[bytes, Callable[[int, int], int]] = {
    b"|": operator.or_, b"^": operator.xor, b"&": operator.and_, b"==": operator.eq, b"!=": operator.ne,
    b"<": operator.lt, b">": operator.gt, b"<=": operator.le, b">=": operator.ge, b"+": operator.add,
    b"-": operator.sub, b"*": operator.mul}
_NUMBER = re.compile(rb"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)[uUlLzZ]*")
#: Nesting beyond this is not parsed: a hostile line must not end Python's stack.
_DEPTH = 60


class _Parser:
    def __init__(self, tokens: TokenStream, first: int, end: int) -> None:
        self.tokens = tokens
        self.end = end
        self.place = first if first < end and not tokens.is_trivia(first) else tokens.next_code(first, end)

    def text(self) -> bytes:
        return self.tokens.text(self.place) if self.place < self.end else b""

    def step(self) -> int:
        """Go to the next token; the index of the one left behind."""
        place = self.place
        self.place = self.tokens.next_code(place, self.end)
        return place

    def expression(self, level: int, depth: int) -> Node | None:
        left = self.unary(depth)
        while left is not None:
            text = self.text()
            if text == b"?" and level == 0:
                left = self.ternary(left, depth)
                continue
            found = _LEVELS.get(text, 0)
            if found == 0 or found < max(level, 1):
                return left
            self.step()
            right = self.expression(found + 1, depth + 1)
            if right is None:
                return None
            left = Node("binary", _ALIASES.get(text, text), left.first, right.end, (left, right))
        return None

    def ternary(self, test: Node, depth: int) -> Node | None:
        self.step()
        yes = self.expression(0, depth + 1)
        if yes is None or self.text() != b":":
            return None
        self.step()
        no = self.expression(0, depth + 1)
        return None if no is None else Node("ternary", b"?", test.first, no.end, (test, yes, no))

    def unary(self, depth: int) -> Node | None:
        text = self.text()
        if depth > _DEPTH or not text:
            return None
        if text in (b"!", b"-", b"+", b"~", b"not"):
            first = self.step()
            part = self.unary(depth + 1)
            return None if part is None else Node("unary", _ALIASES.get(text, text), first, part.end, (part,))
        if text == b"(":
            first = self.step()
            part = self.expression(0, depth + 1)
            if part is None or self.text() != b")":
                return None
            return Node("paren", b"(", first, self.step() + 1, (part,))
        kind = self.tokens.kind(self.place)
        if kind in (TokenKind.NUMBER, TokenKind.CHARACTER):
            first = self.step()
            return Node("number", text, first, first + 1)
        if kind != TokenKind.IDENTIFIER:
            return None
        name = self.tokens.name(self.place)
        return self.defined() if name == b"defined" else self.named(name)

    def defined(self) -> Node | None:
        first = self.step()
        wrapped = self.text() == b"("
        if wrapped:
            self.step()
        if self.place >= self.end or self.tokens.kind(self.place) != TokenKind.IDENTIFIER:
            return None
        place = self.step()
        end = place + 1
        if wrapped:
            if self.text() != b")":
                return None
            end = self.step() + 1
        return Node("defined", self.tokens.name(place), first, end, (), place)

    def named(self, name: bytes) -> Node | None:
        first = self.step()
        if self.text() != b"(":
            return Node("name", name, first, first + 1, (), first)
        depth = 0
        while self.place < self.end:
            text = self.text()
            place = self.step()
            depth += (text == b"(") - (text == b")")
            if depth == 0:
                return Node("call", name, first, place + 1, (), first)
        return None


def parse(tokens: TokenStream, first: int, end: int) -> Node | None:
    """Parse the tokens ``first <= i < end`` as a condition; None if they are none."""
    parser = _Parser(tokens, first, end)
    node = parser.expression(0, 0)
    return node if node is not None and parser.place >= end else None


def of_directive(tokens: TokenStream, directive: Directive) -> Node | None:
    """The condition of an ``#if``, ``#ifdef``, ``#elif`` ... (``#ifndef X`` is ``!defined X``); None for ``#else``."""
    word = directive.keyword
    if word in (b"if", b"elif"):
        return parse(tokens, directive.arguments, directive.end)
    place = directive.arguments
    if word == b"else" or place >= directive.end or tokens.kind(place) != TokenKind.IDENTIFIER:
        return None
    node = Node("defined", tokens.name(place), place, place + 1, (), place)
    return Node("unary", b"!", place, place + 1, (node,)) if word.endswith(b"ndef") else node


def truth(value: Value) -> bool | None:
    """Whether a value counts as true; None if unknown."""
    return True if isinstance(value, _Some) else None if value is None else value != 0


def _known(value: bool | None) -> Value:
    return None if value is None else int(value)


def both(left: bool | None, right: bool | None) -> bool | None:
    """Three-valued *and*."""
    if left is False or right is False:
        return False
    return True if left and right else None


def negation(value: bool | None) -> bool | None:
    """Three-valued *not*."""
    return None if value is None else not value


def evaluate(node: Node, world: World) -> Value:
    """What a condition is in a world in which only some macros are known."""
    match node.kind:
        case "paren":
            return evaluate(node.parts[0], world)
        case "number":
            found = _NUMBER.fullmatch(node.text.replace(b"'", b""))
            if found is None:
                return None
            digits = found.group(1)
            octal = len(digits) > 1 and digits.isdigit() and digits[:1] == b"0"
            try:
                return int(digits, 8 if octal else 0)
            except ValueError:
                return None
        case "defined":
            return _known(world(node.text)[0])
        case "name":
            return world(node.text)[1]
        case "call":
            return None
        case "unary":
            return _unary(node, evaluate(node.parts[0], world))
        case "ternary":
            test = truth(evaluate(node.parts[0], world))
            return None if test is None else evaluate(node.parts[1 if test else 2], world)
    left, right = (evaluate(part, world) for part in node.parts)
    if node.text == b"&&":
        return _known(both(truth(left), truth(right)))
    if node.text == b"||":
        return _known(negation(both(negation(truth(left)), negation(truth(right)))))
    if not isinstance(left, int) or not isinstance(right, int):
        return None
    return _binary(node.text, left, right)


def _unary(node: Node, value: Value) -> Value:
    if node.text == b"!":
        return _known(negation(truth(value)))
    if not isinstance(value, int):
        return None
    return -value if node.text == b"-" else ~value if node.text == b"~" else value


def _binary(text: bytes, left: int, right: int) -> Value:
    if text in (b"/", b"%"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if text == b"/" else left - quotient * right
    if text in (b"<<", b">>"):
        if not 0 <= right < 64:
            return None
        return left << right if text == b"<<" else left >> right
    return int(_ARITHMETIC[text](left, right))
