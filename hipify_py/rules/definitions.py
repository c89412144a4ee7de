"""HPY307 already-in-hip: functions that the source defines and HIP has too.

What it does
------------
Puts a definition that clashes with one of HIP's own headers (``mapping/definitions.csv``) between
``#if !defined(__HIPCC__)`` and ``#endif``: CUDA keeps it, HIP takes its own. Arithmetic operators on vector types, as in
``helper_math.h``, are those that are ambiguous beside HIP's; the others (``operator+``, vector and scalar) are left, for
C++ prefers the source's. An operator that does something else than its name on each element (complex numbers) is only
reported.

Why is this bad
---------------
hipcc stops: ``use of overloaded operator '+=' is ambiguous``, ``redefinition of 'atomicAdd'``.

Example
-------
Bad::

    inline __host__ __device__ void operator+=(float2 &a, float2 b) { a.x += b.x; a.y += b.y; }

Good::

    #if !defined(__HIPCC__)
    inline __host__ __device__ void operator+=(float2 &a, float2 b) { a.x += b.x; a.y += b.y; }
    #endif

Fix safety
----------
Which signatures clash was found by compiling all of them with HIP 5.2 and 6.4. An operator is guarded only where its body
names each element with the operator. Of the functions, HIP's do what CUDA's of the same name do; that the source's does
too (an ``atomicMax`` on floats for GPUs that have none) is likely and not proved, so the note asks for a look. Templates,
members and definitions with other parameters stay.
"""

from __future__ import annotations

import csv
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from hipify_py import conditions
from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.functions import ends_directive
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.names import is_member_access, qualifier
from hipify_py.regions import COMPILER_MACROS
from hipify_py.source import SourceRange
from hipify_py.syntax import Argument, arguments, closing, opening
from hipify_py.unit import TranslationUnit

CODE = "HPY307"
_VECTOR = re.compile(r"(?:u?(?:char|short|int|long|longlong)|float|double)([1-4])")
_SHORT = {"unsigned": "unsigned int", "uint": "unsigned int", "ulong": "unsigned long", "unsigned long long int":
          "unsigned long long", "unsigned long int": "unsigned long", "long long int": "long long", "long int": "long",
          "unsigned long long": "unsigned long long", "uint32_t": "unsigned int", "int32_t": "int"}
_TYPE_WORDS = frozenset(("unsigned", "signed", "int", "long", "short", "char", "float", "double", "bool"))
_DROPPED = frozenset((b"const", b"volatile", b"__restrict__", b"__restrict", b"register", b"&"))


@dataclass(frozen=True, slots=True)
class _Definition:
    """One function: token indices of its first specifier, its name and the end of its body."""

    first: int
    name: str
    place: int
    end: int
    when: str
    same: bool


@cache
def _table() -> dict[str, dict[str, str]]:
    """Name -> parameter types -> when HIP has it."""
    text = resources.files("hipify_py").joinpath("mapping/definitions.csv").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {}
    for row in csv.DictReader(text.splitlines()):
        found.setdefault(row["name"], {})[row["parameters"]] = row["when"]
    return found


@cache
def _names() -> re.Pattern[bytes]:
    plain = sorted(name for name in _table() if not name.startswith("operator"))
    return re.compile(rb"\boperator\b|\b(?:" + "|".join(plain).encode() + rb")\b")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a note with a guard for each definition that HIP has too."""
    places = [match.start() for match in _names().finditer(unit.data)]
    bodies = _bodies(unit.tokens) if places else []
    found = [each for place in places if (each := _definition(unit, place, bodies)) is not None]
    guarded = [each for each in found if each.same]
    for each in found:
        if not each.same:
            yield _report(unit, each, Severity.WARNING, "is ambiguous beside HIP's own, which works on each element: give it "
                          "another name", None)
    group: list[_Definition] = []
    for each in guarded:
        if group and unit.data[unit.tokens.start(group[-1].end) : unit.tokens.start(each.first)].strip():
            yield from _guard(unit, group)
            group = []
        group.append(each)
    yield from _guard(unit, group)


def _guard(unit: TranslationUnit, group: list[_Definition]) -> Iterator[Finding]:
    """A note about the definitions of a group, with the fix of all."""
    if not group:
        return
    tokens, newline = unit.tokens, unit.source.newline
    start, end = tokens.start(group[0].first), tokens.start(group[-1].end)
    line = unit.source.line_range(start)
    begin = line.start if not unit.data[line.start : start].strip() else start
    open_text = b"#if !defined(__HIPCC__)" + newline
    rest = unit.data[end : unit.source.line_range(end).end].strip()
    stop = end if rest and not rest.startswith(b"//") else unit.source.line_range(end).end
    close_text = newline + b"#endif" + (newline if stop == end and rest else b"")
    fix = Fix((Edit(begin, begin, open_text if begin == line.start else newline + open_text, CODE),
               Edit(stop, stop, close_text, CODE)))
    first, more = group[0], len(group) - 1
    said = "clashes with HIP's own: it was put into `#if !defined(__HIPCC__)`"
    if any(each.when != "elementwise" for each in group):
        said += ", look whether HIP's does the same"
    yield _report(unit, first, Severity.NOTE, said + (f", with {more} more behind it" if more else ""), fix)


def _report(unit: TranslationUnit, each: _Definition, severity: Severity, said: str, fix: Fix | None) -> Diagnostic:
    span = SourceRange(unit.tokens.start(each.place), unit.tokens.end(each.place))
    return Diagnostic(CODE, severity, f"the definition of `{each.name}` {said}", span, fix)


def _definition(unit: TranslationUnit, offset: int, bodies: list[tuple[int, int]]) -> _Definition | None:
    """The definition whose name stands at an offset, if HIP has one of the same parameters."""
    tokens = unit.tokens
    place = tokens.index_at(offset)
    if tokens.start(place) != offset or tokens.kind(place) != TokenKind.IDENTIFIER or unit.regions.is_frozen(offset):
        return None
    if unit.directives.containing(place) is not None or is_member_access(tokens, place) or qualifier(tokens, place) is not None:
        return None
    name, bracket = tokens.text(place).decode(), tokens.next_code(place)
    if name == "operator" and bracket < len(tokens):
        name, bracket = name + tokens.text(bracket).decode("utf-8", "replace"), tokens.next_code(bracket)
    known = _table().get(name)
    if known is None or bracket >= len(tokens) or tokens.text(bracket) != b"(":
        return None
    found = arguments(tokens, bracket)
    body = len(tokens) if found is None else tokens.next_code(found.close)
    if found is None or body >= len(tokens) or tokens.text(body) != b"{":
        return None
    close = closing(tokens, body)
    first = _specifiers(tokens, place)
    if close is None or first is None or _inside(bodies, first) or _is_dead(unit, offset):
        return None
    kinds = [_parameter(tokens, each) for each in found.arguments]
    specifiers = unit.data[tokens.start(first) : offset]
    if re.search(rb"\btemplate\b", specifiers):
        return None
    when = known.get(" ".join(kind for kind, _ in kinds))
    vectors = {kind for kind, _ in kinds}
    if when is None and len(vectors) == 1 and len(kinds) == 2 and _VECTOR.fullmatch(kinds[0][0]):
        when = known.get("<vector> <vector>")
    if when is None or (when == "device" and b"__device__" not in specifiers):
        return None
    same = when != "elementwise" or _is_elementwise(unit.data[tokens.end(body) : tokens.start(close)], name, kinds)
    return _Definition(first, name, place, close + 1, when, same)


def _specifiers(tokens: TokenStream, place: int) -> int | None:
    """The first token of the declaration that a name stands in; None where it has no type."""
    first, before = place, tokens.previous_code(place)
    while before >= 0:
        text = tokens.text(before)
        if text in (b";", b"}", b"{") or ends_directive(tokens, before, first):
            break
        if text == b")":
            match = opening(tokens, before)
            if match is None:
                return None
            before = match
            text = b"("
        elif text in (b",", b"(", b"=", b"return", b":", b"?"):
            return None
        first, before = before, tokens.previous_code(before)
    return first if first != place else None


def _bodies(tokens: TokenStream) -> list[tuple[int, int]]:
    """The outermost braces that are no namespace's: bodies of functions and classes, as ranges of tokens."""
    found: list[tuple[int, int]] = []
    for place in tokens.punctuators(b"{"):
        if found and place < found[-1][1]:
            continue
        word = tokens.previous_code(place)
        names = (word, tokens.previous_code(word) if word >= 0 else -1)
        close = closing(tokens, place)
        if close is not None and not any(each >= 0 and tokens.text(each) in (b"namespace", b"extern") for each in names):
            found.append((place, close))
    return found


def _inside(bodies: list[tuple[int, int]], index: int) -> bool:
    slot = bisect_right(bodies, (index, index)) - 1
    return slot >= 0 and bodies[slot][0] < index < bodies[slot][1]


def _is_dead(unit: TranslationUnit, offset: int) -> bool:
    """Whether the place is for compilers other than CUDA's, or for GPUs older than those that HIP counts as."""
    branch = unit.directives.branch_at(offset)
    while branch is not None:
        for other in branch.chain.branches:
            node = unit.regions.condition(other)
            is_else = other.directive.keyword == b"else"
            holds = True if is_else else None if node is None else conditions.truth(conditions.evaluate(node, _gpu_world))
            if other is branch:
                if holds is False:
                    return True
                break
            if holds is True:
                return True
        branch = branch.chain.parent
    return False


def _gpu_world(name: bytes) -> tuple[bool | None, conditions.Value]:
    """What a macro is where HIP compiles for a GPU, as the guards have it: one of compute capability 7.0."""
    if name in COMPILER_MACROS:
        return True, conditions.SOME
    return (True, 700) if name == b"__CUDA_ARCH__" else (None, None)


def _parameter(tokens: TokenStream, argument: Argument) -> tuple[str, str]:
    """The type of a parameter, written in one way and without ``const`` and ``&``, and its name."""
    words: list[str] = []
    for place in range(argument.first, argument.end):
        text = tokens.text(place)
        if text == b"=":
            break
        if not tokens.is_trivia(place) and text not in _DROPPED:
            words.append(text.decode("utf-8", "replace"))
    name = ""
    if len(words) > 1 and re.fullmatch(r"\w+", words[-1]) and words[-1] not in _TYPE_WORDS:
        name = words.pop()
    stars = "*" * words.count("*")
    base = " ".join(word for word in words if word != "*")
    return _SHORT.get(base, base) + stars, name


def _is_elementwise(body: bytes, name: str, kinds: list[tuple[str, str]]) -> bool:
    """Whether a body applies the operator to each pair of elements."""
    match = _VECTOR.fullmatch(kinds[0][0])
    sign = re.escape(name.removeprefix("operator").rstrip("="))
    left, right = (re.escape(each) for _, each in kinds)
    if match is None or not left or not right:
        return False
    text = body.decode("utf-8", "replace")
    if re.fullmatch(rf"\s*(?:return\s+)?{left}\s*=\s*{left}\s*{sign}\s*{right}\s*;\s*(?:return\s+{left}\s*;\s*)?", text):
        return True
    pairs = [(left, right), (right, left)] if sign in (r"\+", r"\*") else [(left, right)]
    used = len(re.findall(rf"\b(?:{left}|{right})\.[xyzw]\b", text))
    hits = sum(any(re.search(rf"\b{one}\.{axis}\s*{sign}=?\s*{other}\.{axis}\b", text) for one, other in pairs)
               for axis in "xyzw"[: int(match.group(1))])
    # `a.x = a.x + b.x` names three elements, `a.x += b.x` and `a.x + b.x` two.
    return hits == int(match.group(1)) and used in (2 * hits, 3 * hits)
