"""What integer constants of a source are worth: literals, sums and products of them, and names that stand for them. Pure."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable

_SUFFIX = re.compile(rb"(?<![\w.])(0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*)[uUlLzZ]*(?![\w.])")
_SHAPE = re.compile(rb"[\w\s+\-*/%<>&|()']{1,120}")
#: Definitions inside definitions: more is a table, not a size.
_DEPTH = 6


def _quotient(left: int, right: int) -> int:
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: _quotient,
    ast.Mod: lambda left, right: left - _quotient(left, right) * right, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.LShift: lambda left, right: left << min(right, 64), ast.RShift: operator.rshift,
}


class Constants:
    """The integer constants of one source."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._known: dict[str, int | None] = {}

    def value(self, text: bytes) -> int | None:
        """What an expression is worth; None where it is no constant, or more than one definition gives it a value."""
        return self._value(text, 0)

    def _value(self, text: bytes, depth: int) -> int | None:
        if depth > _DEPTH or not _SHAPE.fullmatch(text) or b"**" in text or b"//" in text:
            return None
        plain = _SUFFIX.sub(lambda match: str(_literal(match[1])).encode(), text)
        try:
            tree = ast.parse(plain.decode().strip(), mode="eval").body
            return self._walk(tree, depth)
        except (SyntaxError, UnicodeDecodeError, ArithmeticError, ValueError, RecursionError):
            return None

    def _walk(self, tree: ast.expr, depth: int) -> int | None:
        if isinstance(tree, ast.Constant):
            return tree.value if type(tree.value) is int else None
        if isinstance(tree, ast.Name):
            return self._named(tree.id, depth)
        if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, (ast.USub, ast.UAdd)):
            inner = self._walk(tree.operand, depth)
            return inner if inner is None or isinstance(tree.op, ast.UAdd) else -inner
        if isinstance(tree, ast.BinOp) and type(tree.op) in _OPERATORS:
            left, right = self._walk(tree.left, depth), self._walk(tree.right, depth)
            return None if left is None or right is None else _OPERATORS[type(tree.op)](left, right)
        return None

    def _named(self, name: str, depth: int) -> int | None:
        """What the one ``#define``, ``const`` or ``constexpr`` of a name says."""
        if name not in self._known:
            self._known[name] = None  # a name that stands for itself
            word = re.escape(name.encode())
            macros = re.findall(rb"^[ \t]*#[ \t]*define[ \t]+" + word + rb"[ \t]+([^\r\n]*?)[ \t]*(?://[^\r\n]*)?\r?$",
                                self._data, re.MULTILINE)
            typed = re.findall(rb"\b(?:constexpr|const)\b[^;=(){}]*\b" + word + rb"\s*=\s*([^;,{}]+)", self._data)
            others = re.findall(rb"\b(?:int|unsigned|size_t|long|auto)\s+" + word + rb"\b|\benum\b[^;]*\b" + word + rb"\b",
                                self._data)
            if len(macros) + len(typed) == 1 and len(others) <= len(typed):
                self._known[name] = self._value((macros + typed)[0].strip(), depth + 1)
        return self._known[name]


def _literal(text: bytes) -> int:
    digits = text.replace(b"'", b"")
    if digits[:1] == b"0" and digits.isdigit() and len(digits) > 1:
        return int(digits, 8)
    return int(digits, 0)


