"""What an earlier call of the same function was given: HIP asks for some arguments twice that CUDA keeps for itself.

``cusparseSpSM_solve`` works in the buffer that ``cusparseSpSM_analysis`` got for the same descriptor; HIP wants it again.
"""

from __future__ import annotations

from itertools import pairwise

from hipify_py.functions import Functions
from hipify_py.lexer import TokenKind
from hipify_py.names import is_member_access
from hipify_py.syntax import Argument, ArgumentList, arguments, call_open
from hipify_py.unit import TranslationUnit

#: What an expression without effects consists of beside names and numbers.
_PLAIN = frozenset((b".", b"->", b"::", b"[", b"]", b"&", b"*", b"(", b")"))


def earlier(unit: TranslationUnit, call: ArgumentList, name: bytes, key: int, place: int) -> bytes | None:
    """Find what was given to a function for the same thing, earlier in the function around a call.

    Args:
        unit: The source.
        call: The call.
        name: What the other function is called in CUDA.
        key: The argument, from 0, that has to be the same in both calls.
        place: The argument of the other call that is asked for.

    Returns:
        Its text, if all earlier calls for the same thing have the same one and it may be written again; else None.
    """
    wanted = _text(unit, call, key)
    functions = Functions(unit.tokens, unit.directives)
    around = functions.around(call.open)
    if wanted is None or around is None:
        return None
    found: set[bytes | None] = set()
    for index in unit.occurrences.get(name, ()):
        if not functions.all[around].head <= index < call.open or is_member_access(unit.tokens, index):
            continue
        limit = unit.limit(index)
        start = call_open(unit.tokens, index, limit)
        other = arguments(unit.tokens, start, limit) if start is not None else None
        if other is None or _text(unit, other, key) == wanted:
            found.add(None if other is None else _text(unit, other, place))
    return found.pop() if len(found) == 1 else None


def _text(unit: TranslationUnit, call: ArgumentList, place: int) -> bytes | None:
    """The text of an argument on one line, without comments; None if it does something, or is not there."""
    if place >= len(call.arguments) or call.arguments[place].empty:
        return None
    tokens, argument = unit.tokens, call.arguments[place]
    code = [each for each in _places(argument) if not tokens.is_trivia(each)]
    for each in code:
        if tokens.kind(each) not in (TokenKind.IDENTIFIER, TokenKind.NUMBER) and tokens.text(each) not in _PLAIN:
            return None
    if any(tokens.text(each) == b"(" and tokens.kind(before) == TokenKind.IDENTIFIER
           for before, each in pairwise(code)):
        return None  # a call
    text = b"".join(tokens.text(each) for each in _places(argument) if tokens.kind(each) != TokenKind.COMMENT)
    return b" ".join(text.split())


def _places(argument: Argument) -> range:
    return range(argument.first, argument.end)
