"""HPY310 enumerator-value: an enumerator that has another number in HIP stands for an integer, or comes from one.

What it does
------------
Looks for the names whose number differs (``mapping/differences.csv``, read from the headers of both sides) where the
number matters: converted to an integer (``(int)CUBLAS_OP_N``, ``int op = CUBLAS_OP_N``), compared with one, or an
enumeration made from an integer (``(cublasOperation_t)1``, ``static_cast<cudaDeviceAttr>(i)``).

Why is this bad
---------------
It compiles. ``CUBLAS_OP_N`` is 0 and ``HIPBLAS_OP_N`` is 111: what was stored in a file, handed over from Fortran or
Python, or counted in a loop means something else, or nothing.

Example
-------
Reported::

    int op = CUBLAS_OP_N;                      // 0 in CUDA, 111 in HIP
    gemm((cublasOperation_t)transposed);       // 0 is CUBLAS_OP_N, but no hipblasOperation_t

Fix safety
----------
No fix is offered: write a function that turns the number into an enumerator, name by name.
"""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.diagnostics import Diagnostic, Finding, Severity
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.mapping import Kind, Support
from hipify_py.mapping.compare import Difference
from hipify_py.mapping.differences import load
from hipify_py.names import is_member_access
from hipify_py.unit import TranslationUnit

CODE = "HPY310"
_INTEGERS = frozenset((
    b"int", b"unsigned", b"long", b"short", b"char", b"size_t", b"uint32_t", b"int32_t", b"uint64_t", b"int64_t", b"uint8_t",
    b"int8_t", b"uint16_t", b"int16_t"))
_COMPARED = frozenset((b"==", b"!=", b"<", b">", b"<=", b">="))
_CASTS = frozenset((b"static_cast", b"reinterpret_cast"))


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a warning where the number of an enumerator, or an enumerator of a number, is asked for."""
    for name, known in load().items():
        difference = next((each for each in known if each.what == "value"), None)
        for index in unit.occurrences.get(name, ()) if difference is not None else ():
            mapping = unit.table.lookup(name)
            if mapping is None or mapping.support is Support.NO or name in unit.table.own or _is_not_it(unit, index):
                continue
            assert difference is not None
            if mapping.kind == Kind.TYPE.value:
                operand = _cast_operand(unit.tokens, index)
                if operand is not None and _comes_from_a_number(unit, operand):
                    yield _of_type(unit, index, difference, mapping.hip)
            elif _is_a_number(unit.tokens, index):
                yield Diagnostic(CODE, Severity.WARNING, f"`{mapping.hip}` is {difference.ours}, `{mapping.cuda}` is "
                                 f"{difference.theirs}: do not store or hand over the number", unit.range(index))


def _of_type(unit: TranslationUnit, index: int, difference: Difference, hip: str) -> Diagnostic:
    theirs, ours = difference.theirs.split(), difference.ours.split()
    return Diagnostic(CODE, Severity.WARNING, f"a `{hip}` is made from a number, and the numbers differ: `{theirs[0]}` is "
                      f"{theirs[1]}, `{ours[0]}` is {ours[1]}; choose the enumerator by name", unit.range(index))


def _is_not_it(unit: TranslationUnit, index: int) -> bool:
    tokens = unit.tokens
    directive = unit.directives.containing(index)
    if directive is not None and directive.macro is None:
        return True
    return bool(is_member_access(tokens, index) or unit.qualifier(index) or unit.is_user_name(index))


def _before(tokens: TokenStream, index: int, count: int) -> list[bytes]:
    """The tokens in front of one, the nearest first; as many as there are."""
    found = []
    for _ in range(count):
        index = tokens.previous_code(index)
        if index < 0:
            break
        found.append(tokens.text(index))
    return found


def _is_a_number(tokens: TokenStream, index: int) -> bool:
    """Whether an enumerator is converted to an integer where it stands."""
    before = _before(tokens, index, 6)
    match before:
        case [b")", word, b"(", *_] if word in _INTEGERS:  # (int)NAME
            return True
        case [b"(", b">", word, b"<", cast, *_] if word in _INTEGERS and cast in _CASTS:
            return True
        case [b"(", word, *_] if word in _INTEGERS and _follows(tokens, index, b")"):  # int(NAME)
            return True
        case [b"=" | b"{", _, word, *_] if word in _INTEGERS:  # int x = NAME
            return True
    return _compared_with_number(tokens, index)


def _compared_with_number(tokens: TokenStream, index: int) -> bool:
    left = tokens.previous_code(index)
    if left >= 0 and tokens.text(left) in _COMPARED:
        other = tokens.previous_code(left)
        return other >= 0 and tokens.kind(other) == TokenKind.NUMBER
    right = tokens.next_code(index)
    if right < len(tokens) and tokens.text(right) in _COMPARED:
        other = tokens.next_code(right)
        return other < len(tokens) and tokens.kind(other) == TokenKind.NUMBER
    return False


def _follows(tokens: TokenStream, index: int, text: bytes) -> bool:
    after = tokens.next_code(index)
    return after < len(tokens) and tokens.text(after) == text


def _cast_operand(tokens: TokenStream, index: int) -> int | None:
    """The first token of what is cast to the enumeration that is named here; None if nothing is."""
    after = tokens.next_code(index)
    if after >= len(tokens):
        return None
    match [tokens.text(after), *_before(tokens, index, 3)]:
        case [b">", b"<", cast, *_] if cast in _CASTS:
            operand = tokens.next_code(tokens.next_code(after))
        case [b")", b"(", *rest] if not rest or rest[0] in _BEFORE_CAST:
            operand = tokens.next_code(after)
        case _:
            return None
    return operand if operand < len(tokens) else None


def _comes_from_a_number(unit: TranslationUnit, operand: int) -> bool:
    """Whether a cast's operand is no enumerator: a number, something in brackets, or a variable that may be one."""
    tokens = unit.tokens
    if tokens.kind(operand) == TokenKind.NUMBER or tokens.text(operand) == b"(":
        return True
    if tokens.kind(operand) != TokenKind.IDENTIFIER or unit.table.lookup(tokens.name(operand)) is not None:
        return False
    known = unit.semantics.type_of(operand, operand + 1)
    return known is None or any(word.encode() in _INTEGERS for word in known.split())


_BEFORE_CAST = frozenset((b"(", b",", b"=", b"return", b"?", b":", b"{", b"==", b"!=", b";", b"[", b"||", b"&&", b"case"))
