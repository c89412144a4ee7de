"""HPY209 device-pointer-arithmetic: `CUdeviceptr` is an integer, `hipDeviceptr_t` a `void*`.

What it does
------------
Finds sums, differences and integer operations on variables of the driver API's pointer type and casts them so that
they count bytes as before. What has no such form (``base++``) is reported.

Why is this bad
---------------
After the rename the operand is a ``void*``, on which C++ does no arithmetic.

Example
-------
Bad::

    out[i] = base + i * each;

Good::

    out[i] = (hipDeviceptr_t)((char*)base + i * each);

Fix safety
----------
``char*`` arithmetic counts bytes, as the integer did. A variable is recognised by the nearest declaration above it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.expressions import ADDITIVE, end_of, is_binary, is_cast, start_of, sum_around
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.names import is_member_access
from hipify_py.syntax import closing, opening
from hipify_py.unit import TranslationUnit
from hipify_py.variables import Variables

CODE = "HPY209"
RENAMED = "HPY101"
#: Types that are integers in CUDA and pointers in HIP.
_TYPES = (b"CUdeviceptr", b"CUdeviceptr_v2")
_INTEGER_OPERATORS = frozenset((b"%", b"&", b"|", b"^", b"*", b"/", b">>"))
_COMPARISONS = frozenset((b"<", b">", b"<=", b">="))
_INTEGERS = frozenset((b"size_t", b"uintptr_t", b"intptr_t", b"uint64_t", b"int64_t", b"long", b"int", b"unsigned",
                       b"ptrdiff_t", b"uint32_t"))
_PRINTING = frozenset((b"printf", b"fprintf", b"snprintf", b"sprintf"))
_OPENING = frozenset((b"(", b"[", b"{"))
_CLOSING = frozenset((b")", b"]", b"}"))


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a fix for each expression that treats a device pointer as an integer."""
    for type_name in _TYPES:
        uses = unit.occurrences.get(type_name, [])
        mapping = unit.table.lookup(type_name)
        if not uses or mapping is None or all(unit.is_user_name(index) for index in uses):
            continue
        target = mapping.hip.encode()
        yield from _Pointers(unit, uses, target).findings()
        for index in uses:
            # The type has its answer here: nothing is left to say about it where all its arithmetic was found.
            if not (unit.is_handled(index) or unit.is_user_name(index) or is_member_access(unit.tokens, index)
                    or unit.qualifier(index)):
                yield Edit(unit.tokens.start(index), unit.tokens.end(index), target, RENAMED)


class _Pointers:
    """The expressions of one source with device pointers of one type in them."""

    def __init__(self, unit: TranslationUnit, uses: Sequence[int], target: bytes) -> None:
        self.unit = unit
        self.tokens = unit.tokens
        self.target = target
        self.variables = Variables(unit.tokens, uses)
        self.operands = sorted({pair for pair in self._all_operands(uses) if pair is not None})
        self.by_start = dict(self.operands)
        self.done: set[tuple[int, int]] = set()

    def findings(self) -> Iterator[Finding]:
        """What is to be said about each operand."""
        for first, end in self.operands:
            if not self.unit.regions.is_frozen(self.tokens.start(first)):
                yield from self._operand(first, end)

    def _all_operands(self, uses: Sequence[int]) -> Iterator[tuple[int, int] | None]:
        for name in self.variables.by_name:
            for index in self.variables.places(name):
                yield self._variable(index)
        for index in uses:
            yield self._cast(index)

    def _variable(self, index: int) -> tuple[int, int] | None:
        """The operand that a variable's name belongs to, if it is a device pointer and not cast to something else."""
        tokens, limit = self.tokens, self.unit.limit(index)
        variable = self.variables.at(index)
        if variable is None:
            return None
        depth, end = variable.depth, index + 1
        called = tokens.text(tokens.next_code(variable.index)) == b"("
        while True:
            behind = tokens.next_code(end - 1, limit)
            text = tokens.text(behind) if behind < limit else b""
            if text == b"[" or (text == b"(" and called):
                close = closing(tokens, behind, limit)
                if close is None:
                    return None
                depth -= text == b"["
                called = called and text != b"("
                end = close + 1
            else:
                break
        first = index
        while True:
            before = tokens.previous_code(first)
            if before < 0 or tokens.text(before) not in (b".", b"->", b"::"):
                break
            left = tokens.previous_code(before)
            if left < 0:
                break
            first = start_of(tokens, left) if tokens.text(left) in _CLOSING else left
        before = tokens.previous_code(first)
        if depth == 1 and before >= 0 and tokens.text(before) == b"*" and not is_binary(tokens, before):
            first, depth = before, 0
            before = tokens.previous_code(first)
        if depth != 0 or before < 0:
            return None
        if tokens.text(before) in (b"&", b"*", b"!") and not is_binary(tokens, before):
            return None
        if tokens.text(before) == b")":
            start = opening(tokens, before)
            if start is not None and is_cast(tokens, start, before):
                return None
        return first, end

    def _cast(self, index: int) -> tuple[int, int] | None:
        """The operand that a cast to the type makes: ``(CUdeviceptr)p``, ``reinterpret_cast<CUdeviceptr>(p)``."""
        tokens, limit = self.tokens, self.unit.limit(index)
        before, behind = tokens.previous_code(index), tokens.next_code(index, limit)
        if before < 0 or behind >= limit:
            return None
        left, right = tokens.text(before), tokens.text(behind)
        if left == b"(" and right == b")" and is_cast(tokens, before, behind):
            return before, end_of(tokens, before, limit)
        if left == b"<" and right == b">":
            word, bracket = tokens.previous_code(before), tokens.next_code(behind, limit)
            if word >= 0 and tokens.text(word).endswith(b"_cast") and bracket < limit:
                close = closing(tokens, bracket, limit)
                return None if close is None else (word, close + 1)
        return None

    def _operand(self, first: int, end: int) -> Iterator[Finding]:
        tokens, limit = self.tokens, self.unit.limit(first)
        before, behind = tokens.previous_code(first), tokens.next_code(end - 1, limit)
        left = tokens.text(before) if before >= 0 else b""
        right = tokens.text(behind) if behind < limit else b""
        if left in (b"~", b"-") and not is_binary(tokens, before):
            yield from self._complement(first)
        elif right in (b"++", b"--") or left in (b"++", b"--"):
            yield self._report(first, end, "write it as a sum of a `char*`")
        elif right in (b"+=", b"-="):
            yield self._compound(first, end, behind)
        elif right in ADDITIVE or (left in ADDITIVE and is_binary(tokens, before)):
            yield from self._sum(first, end)
        elif right in _INTEGER_OPERATORS or (left in _INTEGER_OPERATORS and is_binary(tokens, before)):
            yield self._integer(first, b"(uintptr_t)")
            yield from self._whole(before)
        elif self._is_compared_with_number(before, behind):
            yield self._integer(first, b"(uintptr_t)")
        elif left == b"<<" and is_binary(tokens, before):
            yield self._integer(first, b"(unsigned long long)")
        elif left == b"=" and right in (b";", b",") and self._declares_integer(before):
            yield self._integer(first, b"(uintptr_t)")
        elif left in (b"(", b",") and right in (b")", b",") and self._called(before) in _PRINTING:
            yield self._integer(first, b"(unsigned long long)")
        elif left == b"(" and right == b")":
            yield from self._in_static_cast(before)

    def _sum(self, first: int, end: int) -> Iterator[Finding]:
        """A sum or difference with this operand in it."""
        tokens, limit = self.tokens, self.unit.limit(first)
        start, stop, product = sum_around(tokens, first, end, limit)
        if product:
            yield self._integer(first, b"(uintptr_t)")
            return
        if (start, stop) in self.done:
            return
        self.done.add((start, stop))
        inside = [place for place in self._top_level(start, stop) if place in self.by_start and not sum_around(
            tokens, place, self.by_start[place], limit)[2]]
        before, behind = tokens.previous_code(start), tokens.next_code(stop - 1, limit)
        left = tokens.text(before) if before >= 0 else b""
        if len(inside) > 2:
            yield self._report(start, stop, "cast the operands to `uintptr_t` by hand")
        elif self._is_integer_context(before, behind) or (left == b"=" and self._declares_integer(before)):
            for place in inside:
                yield self._integer(place, b"(uintptr_t)")
            yield from self._whole(before)
        elif len(inside) == 2:
            yield Fix(tuple(self._insert(place, b"(char*)") for place in inside))
        elif inside and inside[0] == start:
            yield Fix((self._insert(start, b"(" + self.target + b")((char*)"), self._append(stop, b")")))
        elif inside:
            yield Fix((self._insert(start, b"(" + self.target + b")("), self._insert(inside[0], b"(char*)"),
                       self._append(stop, b")")))

    def _compound(self, first: int, end: int, operator: int) -> Finding:
        """``base += n``: the pointer is written twice."""
        tokens, limit = self.tokens, self.unit.limit(first)
        text = b"".join(tokens.text(place) for place in range(first, end))
        stop = self._end_of_expression(operator + 1, limit)
        if b"(" in text or b"++" in text or b"--" in text or stop is None:
            return self._report(first, end, "write it as a sum of a `char*`")
        right = tokens.next_code(operator, limit)
        ends = sum_around(tokens, right, end_of(tokens, right, limit), limit)[1]
        brackets = ends != stop or tokens.text(operator) == b"-="
        opening_text = b"= (" + self.target + b")((char*)" + text + b" " + tokens.text(operator)[:1]
        return Fix((Edit(tokens.start(operator), tokens.end(operator), opening_text, CODE),
                    *([self._insert(right, b"(")] if brackets else []),
                    self._append(stop, b"))" if brackets else b")")))

    def _integer(self, first: int, cast: bytes) -> Finding:
        return self._insert(first, cast)

    def _whole(self, before: int) -> Iterator[Finding]:
        """Cast a whole right-hand side back, where a bit trick on a pointer is assigned to a pointer."""
        tokens = self.tokens
        place = before
        while place >= 0 and tokens.text(place) not in (b"=", b";", b"{", b"}", b"return"):
            place = tokens.previous_code(place)
        if place < 0 or tokens.text(place) != b"=":
            return
        target = tokens.previous_code(place)
        name = target if tokens.kind(target) == TokenKind.IDENTIFIER else start_of(tokens, target)
        if tokens.kind(name) != TokenKind.IDENTIFIER or tokens.text(name) not in self.variables.by_name:
            return
        stop = self._end_of_expression(place + 1, self.unit.limit(place))
        if stop is not None:
            yield Fix((self._insert(tokens.next_code(place), b"(" + self.target + b")("), self._append(stop, b")")))

    def _complement(self, first: int) -> Iterator[Finding]:
        """``~base`` and ``~(CUdeviceptr)255`` are integers."""
        tokens = self.tokens
        name = tokens.next_code(first)
        if tokens.text(first) == b"(" and tokens.text(name) in _TYPES:
            yield Edit(tokens.start(name), tokens.end(name), b"uintptr_t", CODE)
        else:
            yield self._integer(first, b"(uintptr_t)")

    def _in_static_cast(self, bracket: int) -> Iterator[Finding]:
        """``static_cast<size_t>(base)`` has to reinterpret now."""
        tokens = self.tokens
        greater = tokens.previous_code(bracket)
        if tokens.text(greater) != b">":
            return
        place = greater
        while place >= 0 and tokens.text(place) not in (b"<", b";", b"{", b"}"):
            place = tokens.previous_code(place)
        word = tokens.previous_code(place) if place >= 0 else -1
        inside = [tokens.text(each) for each in range(place + 1, greater)]
        if word >= 0 and tokens.text(word) == b"static_cast" and b"*" not in inside and inside[-1] in _INTEGERS:
            yield Edit(tokens.start(word), tokens.end(word), b"reinterpret_cast", CODE)

    # Questions --------------------------------------------------------------------------------------------------------

    def _top_level(self, start: int, stop: int) -> Iterator[int]:
        place = start
        while place < stop:
            yield place
            if place not in self.by_start and self.tokens.text(place) in _OPENING:
                close = closing(self.tokens, place, stop)
                place = place if close is None else close
            place += 1

    def _is_integer_context(self, before: int, behind: int) -> bool:
        """Whether an integer operator takes the sum, brackets around it included."""
        tokens = self.tokens
        while before >= 0 and behind < len(tokens) and tokens.text(before) == b"(" and tokens.text(behind) == b")":
            outer = tokens.previous_code(before)
            if outer >= 0 and tokens.kind(outer) == TokenKind.IDENTIFIER and tokens.text(outer) != b"return":
                return False
            before, behind = outer, tokens.next_code(behind)
        return (behind < len(tokens) and tokens.text(behind) in _INTEGER_OPERATORS) or (
            before >= 0 and tokens.text(before) in _INTEGER_OPERATORS and is_binary(tokens, before))

    def _is_compared_with_number(self, before: int, behind: int) -> bool:
        for operator, other in ((before, self.tokens.previous_code(before) if before >= 0 else -1),
                                (behind, self.tokens.next_code(behind))):
            if operator < 0 or not 0 <= other < len(self.tokens) or self.tokens.kind(other) != TokenKind.NUMBER:
                continue
            text = self.tokens.text(operator)
            if text in _COMPARISONS or (text in (b"==", b"!=") and self.tokens.text(other) != b"0"):
                return True
        return False

    def _declares_integer(self, equals: int) -> bool:
        """Whether ``=`` initialises a variable of an integer type."""
        name = self.tokens.previous_code(equals)
        before = self.tokens.previous_code(name) if name >= 0 else -1
        return before >= 0 and self.tokens.text(before) in _INTEGERS

    def _called(self, place: int) -> bytes:
        """The name of the call whose argument list holds this bracket or comma."""
        tokens = self.tokens
        for _ in range(400):
            text = tokens.text(place)
            if text == b"(":
                name = tokens.previous_code(place)
                return tokens.text(name) if name >= 0 else b""
            if text in (b";", b"{", b"}"):
                return b""
            if text in (b")", b"]"):
                start = opening(tokens, place)
                if start is None:
                    return b""
                place = start
            place = tokens.previous_code(place)
            if place < 0:
                return b""
        return b""

    def _end_of_expression(self, place: int, limit: int) -> int | None:
        """One past the last token of an expression: in front of ``;``, ``,`` or a closing bracket."""
        tokens = self.tokens
        while place < limit:
            text = tokens.text(place)
            if text in (b";", b",") or text in _CLOSING:
                return tokens.previous_code(place) + 1
            if text in _OPENING:
                close = closing(tokens, place, limit)
                if close is None:
                    return None
                place = close
            place += 1
        return None

    # Findings ---------------------------------------------------------------------------------------------------------

    def _insert(self, place: int, text: bytes) -> Edit:
        at = self.tokens.start(place)
        return Edit(at, at, text, CODE)

    def _append(self, stop: int, text: bytes) -> Edit:
        at = self.tokens.end(stop - 1)
        return Edit(at, at, text, CODE)

    def _report(self, first: int, end: int, advice: str) -> Diagnostic:
        text = _text(self.tokens, first, end)
        return Diagnostic(CODE, Severity.WARNING, f"`{text}` does arithmetic on a device pointer, which is a `void*` in "
                          f"HIP: {advice}", self.unit.range(first, end))


def _text(tokens: TokenStream, first: int, end: int) -> str:
    """The source between two tokens on one line, for a message."""
    return b" ".join(tokens.data[tokens.start(first) : tokens.end(end - 1)].split()).decode("utf-8", "replace")
