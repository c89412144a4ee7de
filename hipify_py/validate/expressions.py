"""The arithmetic of case files: ``(n + 255) / 256`` with the sizes as names. Read, never run as Python.

    >>> evaluate("(n + 255) / 256", {"n": 1000})
    4

Integers divide as in C, towards zero; everything else is Python's.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache

Number = int | float
#: What a name may stand for: a number, or a text that stays one (a type of a template).
Value = int | float | str


class ExpressionError(ValueError):
    """The text is no expression, or a name in it is not known."""


def evaluate(text: Value, names: Mapping[str, Value]) -> Number:
    """The value of an expression; a number stands for itself.

    Args:
        text: Numbers, names, ``+ - * / % ** << >> & | ^ ~``, comparisons, ``a if c else b``, and calls of ``min``,
            ``max``, ``abs`` and ``ceil_div``.
        names: What the names stand for.

    Raises:
        ExpressionError: It is none; the text says why.
    """
    if not isinstance(text, str):
        return text
    try:
        return _value(_parse(text), names)
    except ExpressionError as error:
        raise ExpressionError(f"`{text}`: {error}") from None
    except (ArithmeticError, TypeError, ValueError) as error:
        raise ExpressionError(f"`{text}`: {error}") from None


def names_in(text: Value) -> frozenset[str]:
    """The names that an expression uses.

    Raises:
        ExpressionError: The text is no expression.
    """
    if not isinstance(text, str):
        return frozenset()
    try:
        _value(_parse(text), _Ones())
    except ExpressionError as error:
        raise error if str(error).startswith(f"`{text}`") else ExpressionError(f"`{text}`: {error}") from None
    except (ArithmeticError, TypeError, ValueError):
        pass  # that depends on the numbers
    called = {id(node.func) for node in ast.walk(_parse(text)) if isinstance(node, ast.Call)}
    return frozenset(node.id for node in ast.walk(_parse(text)) if isinstance(node, ast.Name) and id(node) not in called)


class _Ones(dict[str, Value]):
    """Every name stands for 1: enough to see whether an expression is one."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> int:
        return 1


@lru_cache(maxsize=512)
def _parse(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ExpressionError(f"`{text}` is no expression") from None


def _divide(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        quotient = abs(left) // abs(right)
        return quotient if (left < 0) == (right < 0) else -quotient
    return left / right


def _remainder(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return left - right * int(_divide(left, right))
    return left % right


def _power(left: Number, right: Number) -> Number:
    if isinstance(right, int) and not -64 <= right <= 64:
        raise ExpressionError(f"an exponent is between -64 and 64, not {right}")
    result: Number = left**right
    return result


def _shift(left: int, right: int) -> int:
    if not isinstance(right, int) or not 0 <= right <= 64:
        raise ExpressionError(f"a shift is by 0 to 64 bits, not {right}")
    return left << right


_BINARY: dict[type[ast.operator], Callable[..., Number]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: _divide, ast.FloorDiv: operator.floordiv,
    ast.Mod: _remainder, ast.Pow: _power, ast.LShift: _shift, ast.RShift: operator.rshift, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor,
}
_UNARY: dict[type[ast.unaryop], Callable[..., Number]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert, ast.Not: operator.not_,
}
_COMPARE: dict[type[ast.cmpop], Callable[..., bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_CALLS: dict[str, Callable[..., Number]] = {
    "min": min, "max": max, "abs": abs, "ceil_div": lambda a, b: -(-a // b),
}


def _value(node: ast.expr, names: Mapping[str, Value]) -> Number:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.Name):
        if node.id not in names:
            known = ", ".join(f"`{name}`" for name in sorted(names)) or "none"
            raise ExpressionError(f"`{node.id}` is no name that is known here (known: {known})")
        value = names[node.id]
        if isinstance(value, str):
            raise ExpressionError(f"`{node.id}` stands for the text `{value}`, not for a number")
        return value
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](_value(node.left, names), _value(node.right, names))
    if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        return _UNARY[type(node.op)](_value(node.operand, names))
    if isinstance(node, ast.IfExp):
        return _value(node.body if _value(node.test, names) else node.orelse, names)
    if isinstance(node, ast.Compare) and all(type(op) in _COMPARE for op in node.ops):
        values = [_value(each, names) for each in (node.left, *node.comparators)]
        return int(all(_COMPARE[type(op)](values[i], values[i + 1]) for i, op in enumerate(node.ops)))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS and not node.keywords:
        return _CALLS[node.func.id](*(_value(each, names) for each in node.args))
    raise ExpressionError(f"`{ast.unparse(node)}` is not allowed: numbers, names, + - * / % and calls of "
                          f"{', '.join(sorted(_CALLS))}")
