"""HPY308 shared-memory, HPY404 device-side: what CUDA's device can do and AMD's cannot.

What it does
------------
Reports (HPY404, an error) kernel launches inside ``__global__`` and ``__device__`` functions, and calls of the runtime's
functions there; reports (HPY308, a warning) sizes of shared memory above the 64 KiB that a block has on AMD GPUs, where a
constant says so: a third launch parameter, ``cudaFuncSetAttribute``, a ``__shared__`` array.

Why is this bad
---------------
HIP has no dynamic parallelism and no device runtime: ``hipDeviceSynchronize`` is a host function. A launch with more
shared memory than there is fails at run time only.

Example
-------
Bad::

    __global__ void parent(int *v) { child<<<1, 32>>>(v); cudaDeviceSynchronize(); }

Good::

    void parent(int *v) { child<<<1, 32>>>(v); cudaDeviceSynchronize(); }    // from the host, or a loop in one kernel

Fix safety
----------
No fix: the work has to move to the host or into one kernel. The launch and the calls are translated like all others.
``__host__ __device__`` functions are left out, for their calls may be the host's.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from hipify_py.constants import Constants
from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.directives import Macro
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.mapping import Kind, Support
from hipify_py.names import is_member_access
from hipify_py.rules.launches import find
from hipify_py.source import SourceRange
from hipify_py.syntax import Argument, call_open, closing
from hipify_py.unit import TranslationUnit

CODE = "HPY404"
SHARED = "HPY308"
_LIMIT = 64 * 1024
_ATTRIBUTE = b"cudaFuncAttributeMaxDynamicSharedMemorySize"
_SPACES = re.compile(rb"\b__(?:global|device)__\b")
_SHARED = re.compile(rb"\b__shared__\s+(?:__align__\(\d+\)\s+)?(?:static\s+|volatile\s+|const\s+)*"
                     rb"((?:unsigned\s+|signed\s+)?\w+)\s+\w+\s*((?:\[[^\]\[;]*\]\s*)+);")
_SIZES = {b"char": 1, b"bool": 1, b"short": 2, b"half": 2, b"__half": 2, b"int": 4, b"unsigned": 4, b"float": 4, b"half2": 4,
          b"long": 8, b"double": 8, b"size_t": 8, b"float2": 8, b"float3": 12, b"float4": 16, b"int4": 16, b"double2": 16}
_RUNTIME = re.compile(rb"cuda[A-Z]\w*")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield an error for each launch and runtime call in device code, and a warning for each too large shared memory."""
    constants = Constants(unit.data)
    bodies = _device_bodies(unit) if _SPACES.search(unit.data) else []
    for launch in find(unit) if b"<<<" in unit.data else ():
        if launch.directive is not None and launch.directive.macro is not None and bodies:
            yield from _through_macro(unit, launch.directive.macro, bodies)
        if _inside(bodies, launch.open):
            yield _nested(SourceRange(unit.tokens.start(launch.open), unit.tokens.end(launch.open)))
        if len(launch.configuration.arguments) > 2:
            yield from _too_large(unit, launch.configuration.arguments[2], constants)
    if bodies:
        yield from _runtime_calls(unit, bodies)
    yield from _attributes(unit, constants)
    yield from _arrays(unit, constants)


def _nested(span: SourceRange) -> Diagnostic:
    return Diagnostic(CODE, Severity.ERROR, "device-side launch (dynamic parallelism) has no counterpart in HIP, unsupported: "
                      "launch from the host, or loop inside one kernel", span)


def _through_macro(unit: TranslationUnit, macro: Macro, bodies: list[tuple[int, int]]) -> Iterator[Finding]:
    """The uses in device code of a macro that launches, and of those that use it."""
    tokens = unit.tokens
    wanted, seen = [tokens.name(macro.name)], set[bytes]()
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        for match in re.finditer(rb"\b" + re.escape(name) + rb"\b", unit.data):
            index = tokens.index_at(match.start())
            if tokens.start(index) != match.start() or tokens.kind(index) != TokenKind.IDENTIFIER:
                continue
            directive = unit.directives.containing(index)
            if directive is not None:
                if directive.macro is not None and directive.macro.body[0] <= index < directive.macro.body[1]:
                    wanted.append(tokens.name(directive.macro.name))
            elif _inside(bodies, index) and not unit.regions.is_frozen(match.start()):
                yield _nested(unit.range(index))


def _runtime_calls(unit: TranslationUnit, bodies: list[tuple[int, int]]) -> Iterator[Finding]:
    tokens = unit.tokens
    for index in unit.candidates:
        name = tokens.name(index)
        if not _RUNTIME.fullmatch(name) or not _inside(bodies, index) or unit.is_handled(index):
            continue
        mapping = unit.table.lookup(name)
        if mapping is None or mapping.kind != Kind.FUNCTION.value or mapping.support is Support.NO or not mapping.hip:
            continue
        if call_open(tokens, index) is None or is_member_access(tokens, index) or unit.qualifier(index) or (
                unit.is_user_name(index)):
            continue
        edit = Edit(tokens.start(index), tokens.end(index), mapping.hip.encode(), "HPY101")
        yield Diagnostic(CODE, Severity.ERROR, f"`{name.decode()}` in device code has no counterpart: HIP's runtime functions "
                         "run on the host only; move the call there", unit.range(index), Fix((edit,)))


def _attributes(unit: TranslationUnit, constants: Constants) -> Iterator[Finding]:
    """``cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304)``."""
    tokens = unit.tokens
    for index in unit.occurrences.get(_ATTRIBUTE, ()):
        comma = tokens.next_code(index)
        if comma < len(tokens) and tokens.text(comma) == b",":
            first = tokens.next_code(comma)
            end = first
            while end < len(tokens) and tokens.text(end) not in (b",", b";"):
                end = (closing(tokens, end) or end) if tokens.text(end) in (b"(", b"[") else end
                if tokens.text(end) == b")" and tokens.partner(end) < first:
                    break
                end = tokens.next_code(end)
            yield from _too_large(unit, Argument(first, end), constants)


def _arrays(unit: TranslationUnit, constants: Constants) -> Iterator[Finding]:
    for match in _SHARED.finditer(unit.data):
        index = unit.tokens.index_at(match.start())
        size = _SIZES.get(match.group(1).split()[-1])
        if unit.tokens.kind(index) != TokenKind.IDENTIFIER or size is None or unit.regions.is_frozen(match.start()):
            continue
        for extent in re.findall(rb"\[([^\]]*)\]", match.group(2)):
            number = constants.value(extent)
            if number is None:
                break
            size *= number
        else:
            if size > _LIMIT:
                yield _warning(size, unit.range(index))


def _too_large(unit: TranslationUnit, argument: Argument, constants: Constants) -> Iterator[Finding]:
    if argument.empty:
        return
    span = SourceRange(unit.tokens.start(argument.first), unit.tokens.start(argument.end))
    size = constants.value(unit.data[span.start : span.end].strip())
    if size is not None and size > _LIMIT:
        yield _warning(size, span)


def _warning(size: int, span: SourceRange) -> Diagnostic:
    return Diagnostic(SHARED, Severity.WARNING, f"{size} bytes of shared memory are not available on AMD GPUs, a block has 65536 "
                      "on most: use smaller tiles", span)


def _inside(bodies: list[tuple[int, int]], index: int) -> bool:
    slot = bisect_right(bodies, (index, index)) - 1
    return slot >= 0 and bodies[slot][0] < index < bodies[slot][1]


def _device_bodies(unit: TranslationUnit) -> list[tuple[int, int]]:
    """The bodies of functions that run on the device alone, as ranges of tokens."""
    tokens = unit.tokens
    found: list[tuple[int, int]] = []
    for match in _SPACES.finditer(unit.data):
        index = tokens.index_at(match.start())
        if tokens.text(index) != match.group() or unit.directives.containing(index) is not None or (
                found and index < found[-1][1]):
            continue
        body = _body(tokens, index)
        if body is not None and not _also_host(tokens, index, body[0]):
            found.append(body)
    return found


def _body(tokens: TokenStream, index: int) -> tuple[int, int] | None:
    """The braces behind the parameters of the function that a specifier belongs to."""
    place = tokens.next_code(index)
    parameters = False
    while place < len(tokens):
        text = tokens.text(place)
        if text == b"{":
            close = closing(tokens, place)
            return (place, close) if parameters and close is not None else None
        if text in (b";", b"=", b"}"):
            return None
        if text in (b"(", b"["):
            close = closing(tokens, place)
            if close is None:
                return None
            parameters = parameters or text == b"("
            place = close
        place = tokens.next_code(place)
    return None


def _also_host(tokens: TokenStream, index: int, body: int) -> bool:
    """Whether ``__host__`` stands among the specifiers."""
    start = index
    before = tokens.previous_code(index)
    while before >= 0 and tokens.kind(before) == TokenKind.IDENTIFIER and start - before < 32:
        if tokens.text(before) == b"__host__":
            return True
        start, before = before, tokens.previous_code(before)
    return b"__host__" in tokens.data[tokens.start(index) : tokens.start(body)]
