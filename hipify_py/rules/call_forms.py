"""HPY203 call-form, HPY204 changed-signature: calls that HIP spells with other arguments.

What it does
------------
Rewrites the calls that stand in ``mapping/call_forms.csv``: symbols go into ``HIP_SYMBOL``, kernels are cast to
``const void*``, arguments that HIP lacks are dropped and those it wants besides are added. The arguments themselves
stay where they are, with their comments; only the text between them changes. A call that HIP has, but that means
something else or needs a hand, is reported (HPY204).

Why is this bad
---------------
A new name alone does not compile: ``hipFuncSetAttribute`` takes a ``const void*``, ``hipGraphInstantiate`` five
arguments.

Example
-------
Bad::

    cudaMemcpyToSymbol(weights, host, sizeof(host));
    cudaFuncSetCacheConfig(blur, cudaFuncCachePreferL1);

Good::

    hipMemcpyToSymbol(HIP_SYMBOL(weights), host, sizeof(host));
    hipFuncSetCacheConfig(reinterpret_cast<const void*>(blur), hipFuncCachePreferL1);

Fix safety
----------
The number of arguments, and where it matters a type, decide which form is meant; a call that fits no row of the table
keeps its arguments and only gets HIP's name. Forms that may mean something else come with a warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hipify_py.call_forms import CallForm, Condition, Slot, Stencil, Test, as_c, load
from hipify_py.constness import points_to_const
from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.earlier_calls import earlier
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.names import is_member_access
from hipify_py.settings import Version
from hipify_py.syntax import Argument, ArgumentList, arguments, call_open, closing, split
from hipify_py.unit import TranslationUnit
from hipify_py.variables import Variables

CODE = "HPY203"
REPORT = "HPY204"
_OLDEST = Version(5, 2)
_NAMED_CASTS = frozenset((b"reinterpret_cast", b"static_cast", b"const_cast"))
_CAST_WORDS = frozenset((b"const", b"void", b"char", b"volatile", b"unsigned", b"struct"))
_OPEN = {b"(": b")", b"[": b"]", b"{": b"}"}


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield a fix for each call whose form differs, and a diagnostic where that is not all."""
    for name, forms in load().items():
        for index in unit.occurrences.get(name, ()):
            yield from _call(unit, index, forms)


def _call(unit: TranslationUnit, index: int, forms: tuple[CallForm, ...]) -> Iterator[Finding]:
    """One use of a name of the table."""
    tokens = unit.tokens
    if unit.is_handled(index) or is_member_access(tokens, index) or unit.qualifier(index):
        return
    if unit.is_user_name(index):
        return
    directive = unit.directives.containing(index)
    if directive is not None and (directive.macro is None or index < directive.macro.body[0]):
        return  # the name that is defined, and its parameters, are no call
    limit = unit.limit(index)
    open_index = call_open(tokens, index, limit)
    call = None if open_index is None else arguments(tokens, open_index, limit)
    if open_index is not None and call is None:
        return
    for form in forms:
        if _fits(unit, form, call, index):
            yield from _rewrite(unit, index, form, call)
            return


def _rewrite(unit: TranslationUnit, index: int, form: CallForm, call: ArgumentList | None) -> Iterator[Finding]:
    """Yield what a row says about a call."""
    stencil = _filled(unit, form, call)
    edits = () if stencil is None else tuple(_edits(unit, index, stencil, call))
    fix = Fix(edits) if edits else None
    if form.note:
        yield Diagnostic(REPORT, Severity.WARNING, f"`{form.cuda.decode()}` takes other arguments in HIP: {form.note}",
                         unit.range(index), fix)
    elif fix is not None:
        yield fix


def _filled(unit: TranslationUnit, form: CallForm, call: ArgumentList | None) -> Stencil | None:
    """The stencil of a row, with what earlier calls were given in it."""
    stencil = form.stencil
    for condition in form.when:
        if condition.test is Test.EARLIER and stencil is not None and call is not None:
            text = (_earlier(unit, condition, call) or b"").decode("utf-8", "surrogateescape")
            stencil = replace(stencil, slots=tuple(replace(slot, before=slot.before.replace(f"{{{condition.name}}}", text))
                                                   for slot in stencil.slots or ()))
    return stencil


# Which row ------------------------------------------------------------------------------------------------------------

def _fits(unit: TranslationUnit, form: CallForm, call: ArgumentList | None, index: int) -> bool:
    """Whether a row is about this use of its name."""
    oldest = unit.settings.rocm or _OLDEST
    if form.since and not _at_least(oldest, form.since):
        return False
    if form.until and _at_least(oldest, form.until):
        return False
    if call is None:
        count = -1
    else:
        count = len(call.arguments)
        if form.exact and any(_is_pack(unit.tokens, each) for each in call.arguments):
            return False
    return form.least <= count <= form.most and all(
        _holds(unit, condition, call) is not condition.negated for condition in form.when)


def _at_least(version: Version, bound: str) -> bool:
    other = Version.parse(bound)
    return (version.major, version.minor) >= (other.major, other.minor)


def _is_pack(tokens: TokenStream, argument: Argument) -> bool:
    """Whether an argument may stand for several: ``__VA_ARGS__``, ``args...``."""
    return not argument.empty and tokens.text(argument.end - 1) in (b"__VA_ARGS__", b"...")


def _holds(unit: TranslationUnit, condition: Condition, call: ArgumentList | None) -> bool:
    """Whether the argument is what a condition asks for (negation left out)."""
    tokens, test = unit.tokens, condition.test
    if test is Test.C:
        return unit.source.is_c
    if test is Test.MENTIONS:
        return condition.name.encode() in unit.occurrences
    if test is Test.ROC:
        return unit.settings.target_libraries == "roc"
    if call is None or condition.argument >= len(call.arguments):
        return False
    argument = call.arguments[condition.argument]
    if argument.empty:
        return False
    if test is Test.BRACES:
        return tokens.text(argument.first) == b"{"
    if test is Test.PLAIN:
        return not _is_cast(tokens, argument)
    if test is Test.COMMAS:
        return _has_bare_comma(tokens, argument)
    if test is Test.NULL:
        return argument.end == argument.first + 1 and tokens.text(argument.first) in (b"0", b"NULL", b"nullptr")
    if test is Test.IS:
        return argument.end == argument.first + 1 and tokens.text(argument.first) == condition.name.encode()
    if test is Test.HAS:
        return any(tokens.text(place) == condition.name.encode() for place in range(argument.first, argument.end))
    if test is Test.STRING:
        return tokens.kind(argument.first) == TokenKind.STRING
    if test is Test.EARLIER:
        return _earlier(unit, condition, call) is not None
    if test is Test.CONST:
        return points_to_const(tokens, argument)
    return _has_type(unit, argument, condition.name.encode())


def _earlier(unit: TranslationUnit, condition: Condition, call: ArgumentList) -> bytes | None:
    name, _, place = condition.name.partition(".")
    return earlier(unit, call, name.encode(), condition.argument, int(place))


def _is_cast(tokens: TokenStream, argument: Argument) -> bool:
    """Whether an argument begins with a cast to a pointer."""
    first = argument.first
    if tokens.text(first) in _NAMED_CASTS:
        return True
    if tokens.text(first) != b"(":
        return False
    close = closing(tokens, first, argument.end)
    if close is None or close + 1 >= argument.end:
        return False
    inside = [tokens.text(place) for place in range(first + 1, close) if not tokens.is_trivia(place)]
    if b"(" in inside:
        return False  # to a pointer to a function
    return bool(inside) and (inside[-1] == b"*" or (inside[0] in _CAST_WORDS and b"*" in inside))


def _has_bare_comma(tokens: TokenStream, argument: Argument) -> bool:
    """Whether the preprocessor would split an argument in two: a comma outside round brackets."""
    depth = 0
    for place in range(argument.first, argument.end):
        text = tokens.text(place)
        depth += (text == b"(") - (text == b")")
        if text == b"," and depth == 0:
            return True
    return False


def _has_type(unit: TranslationUnit, argument: Argument, name: bytes) -> bool:
    """Whether an argument is a variable or a temporary of a type."""
    tokens = unit.tokens
    if tokens.text(argument.first) == name:
        return True
    variables = Variables(tokens, unit.occurrences.get(name, []))
    last = None
    for place in range(argument.first, argument.end):
        if tokens.kind(place) == TokenKind.IDENTIFIER:
            last = place
        elif tokens.text(place) not in (b".", b"->", b"::", b"this") and not tokens.is_trivia(place):
            if tokens.text(place) != b"[":
                return False
            break
    return last is not None and variables.at(last) is not None


# What changes ---------------------------------------------------------------------------------------------------------

def _edits(unit: TranslationUnit, index: int, stencil: Stencil, call: ArgumentList | None) -> Iterator[Edit]:
    """The edits that turn a call into the stencil's."""
    tokens = unit.tokens
    if stencil.expression:
        text = b"".join(piece.encode() if call is None else _piece(unit, piece, call) for piece in stencil.expression)
        yield Edit(tokens.start(index), tokens.end(index), text, CODE)
        if call is not None:
            yield from _delete(tokens, index + 1, call.close + 1)
        return
    name = stencil.name.encode()
    if name != tokens.text(index):
        yield Edit(tokens.start(index), tokens.end(index), name, CODE)
    if call is None or stencil.slots is None:
        return
    if stencil.drops_template:
        yield from _delete(tokens, index + 1, call.open)
    if stencil.in_order:
        yield from _in_place(unit, stencil.slots, call)
    else:
        text = b", ".join(_rendered(unit, slot, call) for slot in stencil.slots)
        yield Edit(tokens.end(call.open), tokens.end(call.open), text, CODE)
        yield from _delete(tokens, call.open + 1, call.close)


def _in_place(unit: TranslationUnit, slots: tuple[Slot, ...], call: ArgumentList) -> Iterator[Edit]:
    """Edits around arguments that stay where they are."""
    tokens = unit.tokens
    in_front: dict[int, bytes] = {}
    behind: dict[int, bytes] = {}
    kept: set[int] = set()
    waiting = b""
    last: int | None = None
    for slot in slots:
        if slot.argument is None:
            text = _text(unit, slot.before)
            if last is None:
                waiting += text + b", "
            else:
                behind[last] = behind.get(last, b"") + b", " + text
            continue
        argument = slot.argument
        if argument >= len(call.arguments):
            continue
        before, after = _around(unit, slot, call.arguments[argument])
        kept.add(argument)
        in_front[argument] = waiting + before
        behind[argument] = after
        waiting, last = b"", argument
        if slot.element is not None:
            yield from _element(tokens, call.arguments[argument], slot.element)
        if slot.rest:
            last = len(call.arguments) - 1
            kept.update(range(argument, len(call.arguments)))
    if waiting:
        yield Edit(tokens.end(call.open), tokens.end(call.open), waiting[:-2], CODE)
    final = max(kept, default=-1)
    for place, dropped in enumerate(call.arguments):
        if place in kept:
            continue
        if place < final:
            yield from _delete(tokens, dropped.first, call.arguments[place + 1].first)
        else:
            yield from _delete(tokens, call.commas[place - 1] if place else dropped.first, dropped.end)
    for argument, text in in_front.items():
        if text:
            at = tokens.start(call.arguments[argument].first)
            yield Edit(at, at, text, CODE)
    for argument, text in behind.items():
        if text:
            at = tokens.end(call.arguments[argument].end - 1)
            yield Edit(at, at, text, CODE)


def _around(unit: TranslationUnit, slot: Slot, argument: Argument) -> tuple[bytes, bytes]:
    """What goes in front of and behind an argument, with brackets where the argument needs them."""
    before, after = _text(unit, slot.before), _text(unit, slot.after)
    enclosed = before.endswith(b"(") and after.startswith(b")")
    if (before or after) and not enclosed and slot.element is None and not _is_primary(unit.tokens, argument):
        return before + b"(", b")" + after
    return before, after


def _text(unit: TranslationUnit, text: str) -> bytes:
    return (as_c(text) if unit.source.is_c else text).encode()


def _is_primary(tokens: TokenStream, argument: Argument) -> bool:
    """Whether an argument is one operand: a name with calls, members and subscripts behind it, or a literal."""
    place, operand = argument.first, False
    while place < argument.end:
        text = tokens.text(place)
        if tokens.is_trivia(place) or text in (b".", b"->", b"::"):
            pass
        elif text in _OPEN and (text != b"{" or operand):
            close = closing(tokens, place, argument.end)
            if close is None:
                return False
            place, operand = close, True
        elif tokens.kind(place) == TokenKind.PUNCTUATION:
            return False
        else:
            operand = True
        place += 1
    return True


def _element(tokens: TokenStream, argument: Argument, element: int) -> Iterator[Edit]:
    """Leave only one element of an argument in braces."""
    inside = split(tokens, argument.first, argument.end - 1)
    if element >= len(inside.arguments):
        return
    wanted = inside.arguments[element]
    first = wanted.first
    if tokens.text(first) == b".":
        equals = tokens.next_code(tokens.next_code(first))
        first = tokens.next_code(equals) if tokens.text(equals) == b"=" else first
    yield from _delete(tokens, argument.first, first)
    yield from _delete(tokens, wanted.end, argument.end)


def _delete(tokens: TokenStream, first: int, end: int) -> Iterator[Edit]:
    """Take tokens out, one edit each so that no later rule edits them; comments stay, in their white space."""
    comments = any(tokens.kind(place) == TokenKind.COMMENT for place in range(first, end))
    for place in range(first, end):
        if not tokens.is_trivia(place) or not comments:
            yield Edit(tokens.start(place), tokens.end(place), b"", CODE)


def _rendered(unit: TranslationUnit, slot: Slot, call: ArgumentList) -> bytes:
    """The text of one argument of a call whose arguments change places, with HIP's names."""
    if slot.argument is None:
        return _text(unit, slot.before)
    chosen = call.arguments[slot.argument :] if slot.rest else call.arguments[slot.argument : slot.argument + 1]
    parts = []
    for argument in chosen:
        before, after = _around(unit, slot, argument)
        text = b"".join(_renamed(unit, place) for place in range(argument.first, argument.end))
        parts.append(before + text + after)
    return b", ".join(parts)


def _piece(unit: TranslationUnit, piece: str, call: ArgumentList) -> bytes:
    """The text of one piece of an expression."""
    if not piece.startswith("{"):
        return _text(unit, piece)
    dereferenced = piece[1] == "*"
    argument = call.arguments[int(piece.strip("{*}"))]
    first = argument.first
    if dereferenced and unit.tokens.text(first) == b"&":
        first, dereferenced = unit.tokens.next_code(first), False
    text = b"".join(_renamed(unit, place) for place in range(first, argument.end))
    if dereferenced:
        return b"*" + text if _is_primary(unit.tokens, argument) else b"*(" + text + b")"
    return text


def _renamed(unit: TranslationUnit, index: int) -> bytes:
    """The text of a token, a name of CUDA's by its HIP name."""
    tokens = unit.tokens
    text = tokens.text(index)
    if tokens.kind(index) != TokenKind.IDENTIFIER:
        return text
    mapping = unit.table.lookup(tokens.name(index))
    if mapping is None or not mapping.hip or is_member_access(tokens, index) or unit.is_user_name(index):
        return text
    return mapping.hip.encode()
