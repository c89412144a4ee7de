"""HPY201 launch: kernel launches become `hipLaunchKernelGGL`.

What it does
------------
Writes ``k<<<grid, block, shared, stream>>>(args)`` as ``hipLaunchKernelGGL(k, dim3(grid), dim3(block), shared, stream,
args)``, with ``0`` for a shared memory size or a stream that was left out. A kernel with commas of its own is put into
``HIP_KERNEL_NAME``. ``--launch-syntax cuda`` leaves every launch as it is.

Why is this bad
---------------
It is not: hipcc takes the chevrons too. The call form is what HIP's documentation and most ports use, and what host
compilers other than hipcc can be taught.

Example
-------
Bad::

    scale<float, 4><<<(n + 255) / 256, 256>>>(x, n);

Good::

    hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<float, 4>), dim3((n + 255) / 256), dim3(256), 0, 0, x, n);

Fix safety
----------
``hipLaunchKernelGGL`` is a macro around a statement. A launch that is (part of) an expression, that has preprocessor
lines or a macro with commas between its chevrons, or whose shape is not certain, keeps the chevrons, which
mean the same to hipcc.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hipify_py.diagnostics import Edit, Finding, Fix
from hipify_py.directives import Directive
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.settings import Syntax
from hipify_py.syntax import (
    REACH,
    Argument,
    ArgumentList,
    arguments,
    closing,
    closing_angle,
    has_comma,
    opening,
    opening_angle,
    split,
)
from hipify_py.unit import TranslationUnit

CODE = "HPY201"
_CONTROL = frozenset((b"if", b"for", b"while", b"switch", b"constexpr"))
_CLOSING_ANGLES = frozenset((b">", b">>", b">>>"))


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch: token indices, and the byte range of its ``>>>`` (which may share a token with a ``>``)."""

    kernel: Argument
    open: int
    configuration: ArgumentList
    close: tuple[int, int]
    call: ArgumentList
    directive: Directive | None


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield one fix for each launch that is a statement."""
    if unit.settings.launch_syntax is not Syntax.HIP:
        return
    several: frozenset[bytes] | None = None
    for launch in find(unit):
        if several is None:
            several = _several(unit)
        if _is_statement(unit, launch) and not _has_directives(unit, launch) and not _uses(unit, launch, several):
            yield Fix(tuple(_edits(unit.tokens, launch)))


def find(unit: TranslationUnit) -> Iterator[Launch]:
    """All launches of a source whose shape is certain, outside frozen regions."""
    tokens = unit.tokens
    for index in tokens.punctuators(b"<<<"):
        if unit.regions.is_frozen(tokens.start(index)):
            continue
        directive = unit.directives.containing(index)
        if directive is None:
            # The kernel's name ends at a directive: the `>` of `#include <a.h>` closes nothing of it.
            earlier = unit.directives.preceding(index)
            low = 0 if earlier is None else earlier.end
        else:
            low = directive.macro.body[0] if directive.macro else directive.end
        high = len(tokens) if directive is None else directive.end
        kernel = _kernel(tokens, index, low)
        if kernel is None or tokens.text(kernel.first) == b"operator":
            continue
        for templates in (True, False):
            close = _close(tokens, index, high, templates)
            if close is None:
                continue
            last, start, end = close
            bracket = tokens.next_code(last, high)
            if bracket >= high or tokens.text(bracket) != b"(":
                continue
            call = arguments(tokens, bracket, high)
            # A `>>>` that closes the configuration and a list in one token leaves the list's part in front.
            configuration = split(tokens, index, tokens.index_at(start))
            if call is not None and 2 <= len(configuration.arguments) <= 4 and not any(
                    argument.empty for argument in configuration.arguments):
                yield Launch(kernel, index, configuration, (start, end), call, directive)
                break


def _kernel(tokens: TokenStream, chevron: int, low: int) -> Argument | None:
    """The expression in front of ``<<<``: a name with its qualifiers and template arguments, or ``(*pointer)``."""
    place = tokens.previous_code(chevron)
    end = place + 1
    first: int | None = None
    while place >= low:
        spelling = tokens.text(place)
        if spelling in _CLOSING_ANGLES:
            angle = opening_angle(tokens, place, low)
            if angle is None:
                return None
            place = tokens.previous_code(angle)
            if place < low or tokens.kind(place) != TokenKind.IDENTIFIER:
                return None
            continue
        if spelling in (b")", b"]"):
            bracket = opening(tokens, place, low)
            if bracket is None:
                return None
            first = bracket
            before = tokens.previous_code(bracket)
            if before >= low and (tokens.text(before) in (b"]", b">") or (
                    tokens.kind(before) == TokenKind.IDENTIFIER and (
                        spelling == b"]" or tokens.text(before) not in (b"return", b"else", b"do", b"throw")))):
                # `table[i]<<<`, `pick(n)<<<`, but not the condition of `if (n) (*k)<<<`.
                if spelling == b")" and tokens.text(before) in _CONTROL:
                    break
                place = before
                continue
            if before < low or tokens.text(before) not in (b".", b"->", b"::"):
                break
            place = tokens.previous_code(before)
            continue
        if tokens.kind(place) != TokenKind.IDENTIFIER:
            break
        first = place
        before = tokens.previous_code(place)
        if before < low:
            break
        joint = tokens.text(before)
        if joint == b"template":
            before = tokens.previous_code(before)
            joint = tokens.text(before) if before >= low else b""
        if joint == b"::":
            first = before
            scope = tokens.previous_code(before)
            if scope < low or not (tokens.text(scope) in _CLOSING_ANGLES or _may_qualify(tokens, scope)):
                break
            place = scope
            continue
        if joint in (b".", b"->", b"##"):
            place = tokens.previous_code(before)
            continue
        break
    return None if first is None or first < low else Argument(first, end)


def _may_qualify(tokens: TokenStream, index: int) -> bool:
    """Whether the token in front of a ``::`` is a scope's name, rather than a word of the language."""
    return tokens.kind(index) == TokenKind.IDENTIFIER and tokens.text(index) not in (b"return", b"else", b"do")


def _close(tokens: TokenStream, chevron: int, high: int, templates: bool) -> tuple[int, int, int] | None:
    """Where the configuration ends: the last token of its ``>>>`` and the byte range of these three characters.

    ``templates`` tells whether ``name <`` opens a template argument list or compares.
    """
    place = chevron + 1
    depth = 0
    stop = min(high, chevron + REACH)
    while place < stop:
        if tokens.kind(place) == TokenKind.PUNCTUATION:
            spelling = tokens.text(place)
            if spelling in _CLOSING_ANGLES:
                closed = min(depth, len(spelling))
                depth -= closed
                start = tokens.start(place) + closed
                if depth == 0 and tokens.data[start : start + 3] == b">>>":
                    last = tokens.index_at(start + 2)
                    if tokens.end(last) == start + 3:
                        return last, start, start + 3
            elif spelling in (b"(", b"[", b"{"):
                match = closing(tokens, place, stop)
                if match is None:
                    return None
                place = match
            elif spelling in (b")", b"]", b"}", b";", b"<<<"):
                return None  # the second `<<<` of `k<<<g k<<<1, 2>>>(p)` is the launch, if any is
            elif spelling == b"<" and templates and (
                    depth or tokens.kind(tokens.previous_code(place)) == TokenKind.IDENTIFIER) and (
                    closing_angle(tokens, place, stop) is not None):
                depth += 1
        place += 1
    return None


def _is_statement(unit: TranslationUnit, launch: Launch) -> bool:
    """Whether the launch stands where a statement does, and ends with a semicolon of its own."""
    tokens = unit.tokens
    high = len(tokens) if launch.directive is None else launch.directive.end
    behind = tokens.next_code(launch.call.close, high)
    if behind >= high or tokens.text(behind) != b";":
        return False
    low = 0 if launch.directive is None or launch.directive.macro is None else launch.directive.macro.body[0]
    before = _before(unit, launch.kernel.first, low)
    if before < low:
        return True
    spelling = tokens.text(before)
    if spelling in (b";", b"{", b"}", b"else", b"do"):
        return True
    if spelling == b")":
        bracket = opening(tokens, before, low)
        word = -1 if bracket is None else tokens.previous_code(bracket)
        if word < low or tokens.kind(word) != TokenKind.IDENTIFIER:
            return False
        return tokens.text(word) in _CONTROL or tokens.text(word).isupper()
    if spelling == b":":
        return _is_label(unit, before, low)
    return False


def _before(unit: TranslationUnit, index: int, low: int) -> int:
    """The code token in front of this one; outside a macro, preprocessor lines do not count."""
    before = unit.tokens.previous_code(index)
    while low == 0 and before >= 0:
        directive = unit.directives.containing(before)
        if directive is None:
            break
        before = unit.tokens.previous_code(directive.first)
    return before


def _is_label(unit: TranslationUnit, colon: int, low: int) -> bool:
    """Whether a colon ends a label, rather than being half of ``?:``."""
    tokens = unit.tokens
    place = _before(unit, colon, low)
    for _ in range(200):
        if place < low or tokens.text(place) in (b";", b"{", b"}", b"?"):
            break
        if tokens.text(place) in (b"case", b"default"):
            return True
        place = tokens.previous_code(place)
    # `name:` right behind the end of a statement
    return place < low or (tokens.text(place) != b"?" and tokens.next_code(tokens.next_code(place)) == colon)


def _has_directives(unit: TranslationUnit, launch: Launch) -> bool:
    """Whether preprocessor lines stand inside the launch."""
    if launch.directive is not None:
        return False
    tokens = unit.tokens
    start, end = tokens.start(launch.kernel.first), tokens.end(launch.call.close)
    return b"#" in tokens.data[start:end] and any(
        start < directive.range.start < end for directive in unit.directives.all)


def _several(unit: TranslationUnit) -> frozenset[bytes]:
    """The macros of the source that can stand for several arguments: ``#define SHARED(n) , n``."""
    macros = [each.macro for each in unit.directives.of(b"define") if each.macro is not None]
    return frozenset(unit.tokens.name(each.name) for each in macros if has_comma(unit.tokens, Argument(*each.body)))


def _uses(unit: TranslationUnit, launch: Launch, macros: frozenset[bytes]) -> bool:
    """Whether one of these macros stands between the chevrons."""
    first, end = launch.configuration.open, launch.configuration.close
    return bool(macros) and any(unit.tokens.name(index) in macros for index in range(first, end))


def _edits(tokens: TokenStream, launch: Launch) -> Iterator[Edit]:
    """The edits that turn the chevrons into a call; all text between them stays where it is."""
    kernel, configuration, call = launch.kernel, launch.configuration, launch.call
    named = has_comma(tokens, kernel)
    start = tokens.start(kernel.first)
    yield Edit(start, start, b"hipLaunchKernelGGL(" + (b"HIP_KERNEL_NAME(" if named else b""), CODE)
    grid, *rest = configuration.arguments
    opened, closed = _wrapping(tokens, grid, first=True)
    yield from _joint(tokens, tokens.end(kernel.end - 1), tokens.start(launch.open), tokens.end(launch.open),
                 tokens.start(grid.first), (b")," if named else b","), opened)
    yield from _braces(tokens, grid)
    for number, (comma, argument) in enumerate(zip(configuration.commas, rest, strict=False), 1):
        if closed:
            yield Edit(tokens.start(comma), tokens.end(comma), closed + b",", CODE)
        opened, closed = _wrapping(tokens, argument, first=number == 1)
        if opened:
            yield Edit(tokens.start(argument.first), tokens.start(argument.first), opened, CODE)
        if number == 1:
            yield from _braces(tokens, argument)
    tail = closed + b", 0" * (4 - len(configuration.arguments))
    chevrons, _ = launch.close
    last_end = tokens.end(configuration.arguments[-1].end - 1)
    last_end = min(last_end, chevrons)
    bracket_end = tokens.end(call.open)
    first_end = tokens.start(call.arguments[0].first) if call.arguments else bracket_end
    if call.arguments:
        yield from _joint(tokens, last_end, chevrons, bracket_end, first_end, tail + b",", b"")
    else:
        before = last_end if _blank(tokens.data[last_end:chevrons]) else chevrons
        if _blank(tokens.data[chevrons + 3 : bracket_end - 1]):
            yield Edit(before, bracket_end, tail, CODE)
        else:
            yield Edit(before, chevrons + 3, tail, CODE)
            yield Edit(bracket_end - 1, bracket_end, b"", CODE)


def _joint(tokens: TokenStream, left: int, start: int, end: int, right: int, text: bytes,
           behind: bytes) -> Iterator[Edit]:
    """Replace what stands between two arguments by ``text`` and ``behind``: white space is tidied, comments stay.

    ``left``..``right`` is all between them, ``start``..``end`` the three chevrons, with the call's bracket at its end or
    without.
    """
    data = tokens.data
    before, after, chevrons_end = data[left:start], data[end:right], start + 3
    first = left if _blank(before) and b"\n" not in before else start
    if end > chevrons_end and not _blank(data[chevrons_end : end - 1]):
        yield Edit(first, chevrons_end, text, CODE)
        yield Edit(end - 1, end, behind, CODE)
    elif not _blank(before):
        yield Edit(start, end, text + (b"" if after[:1].isspace() and not behind else b" ") + behind, CODE)
    elif not _blank(after):
        yield Edit(left, end, text + (before if b"\n" in before else b" ") + behind, CODE)
    else:
        gaps = (before, data[chevrons_end : end - 1] if end > chevrons_end else b"", after)
        gap = next((each for each in gaps if b"\n" in each), b" ")
        yield Edit(left, right, text + gap + behind, CODE)


def _wrapping(tokens: TokenStream, argument: Argument, *, first: bool) -> tuple[bytes, bytes]:
    """What goes in front of and behind a configuration argument (``first``: a dimension, else a plain value)."""
    opening_text = tokens.text(argument.first)
    if not first:
        return (b"(", b")") if has_comma(tokens, argument) else (b"", b"")
    last = argument.end - 1
    if opening_text == b"{" and closing(tokens, argument.first, argument.end) == last:
        return b"", b""
    if opening_text == b"dim3" and tokens.text(last) == b")":
        bracket = tokens.next_code(argument.first)
        if tokens.text(bracket) == b"(" and closing(tokens, bracket, argument.end) == last:
            return b"", b""
    if opening_text == b"(" and closing(tokens, argument.first, argument.end) == last and not split(
            tokens, argument.first, last).commas:
        return b"dim3", b""
    return b"dim3(", b")"


def _braces(tokens: TokenStream, argument: Argument) -> Iterator[Edit]:
    """``{1, 2}`` becomes ``dim3(1, 2)``: a brace would not keep its commas together inside a macro's argument."""
    last = argument.end - 1
    if tokens.text(argument.first) == b"{" and closing(tokens, argument.first, argument.end) == last:
        yield Edit(tokens.start(argument.first), tokens.end(argument.first), b"dim3(", CODE)
        yield Edit(tokens.start(last), tokens.end(last), b")", CODE)


def _blank(text: bytes) -> bool:
    return not text.strip()
