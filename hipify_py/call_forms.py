"""The table of call forms: CUDA calls that HIP spells with other arguments, and the stencils that say how. Pure.

A stencil is the HIP call as a person would write it, with ``{0}`` for the first argument and ``{2:}`` for the third
and all behind it::

    hipMemcpyToSymbol(HIP_SYMBOL({0}), {1:})
    hipGraphInstantiate({0}, {1}, nullptr, nullptr, {2})
    hipMemPrefetchAsync({0}, {1}, {2}.id, {4})

A stencil without brackets (``hipEventCreate``) is the name alone: the arguments stay. ``{0[1]}`` is the second element
of an argument in braces. ``hipFuncSetAttribute<>(...)`` drops the template arguments of the call. A stencil that starts
with ``=`` is an expression in place of the whole call; ``{*1}`` is what the argument points to (``s`` for ``&s``)::

    =({*1} = hipGetErrorString({0}), hipSuccess)

``{cusparseSpSM_analysis.10}`` is the argument that an earlier call of that function was given; the row has to ask for such
a call (``9:earlier:cusparseSpSM_analysis.10``: with the same argument 9).
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import resources
from itertools import pairwise

COLUMNS = ("cuda", "count", "when", "hip", "since", "until", "note")
_PLACEHOLDER = re.compile(r"\{(\d+)(:|\[(\d+)\])?\}")
_ANY_PLACEHOLDER = re.compile(r"(\{\*?\d+\})")
_COUNT = re.compile(r"(\d+)(?:-(\d+)|(\+))?|\*|value")
_MANY = 1_000
_NAMED_CAST = re.compile(r"\b(?:reinterpret|const|static)_cast<([^<>]*)>")


class Test(Enum):
    """What a condition asks about an argument."""

    TYPE = "type"      #: it is a variable (or a temporary) of the named type
    CONST = "const"    #: what it points to is const
    BRACES = "braces"  #: it is a list in braces
    PLAIN = "plain"    #: it is no cast
    COMMAS = "commas"  #: it has a comma that the preprocessor would split at
    NULL = "null"      #: it is a null pointer by its spelling
    STRING = "string"  #: it is a string literal
    C = "c"            #: the source is C (no argument is looked at)
    MENTIONS = "mentions"  #: the source has the name anywhere (no argument is looked at)
    IS = "is"          #: it is this one word
    HAS = "has"        #: the word stands somewhere in it
    EARLIER = "earlier"  #: an earlier call of the named function has the same one, and an argument that may be written again
    ROC = "roc"        #: ROCm's own libraries are the target (no argument is looked at)


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a row, ``2:type:cudaMemLocation``; ``!`` in front turns it round."""

    test: Test
    argument: int = 0
    name: str = ""
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """One argument of the HIP call.

    Args:
        before: Text in front of the CUDA argument, or the whole text if there is no ``argument``.
        argument: Which CUDA argument stands here; None for a constant.
        rest: All arguments from ``argument`` on stand here.
        element: Only this element of the argument's braces stands here.
        after: Text behind the argument.
    """

    before: str
    argument: int | None = None
    rest: bool = False
    element: int | None = None
    after: str = ""


@dataclass(frozen=True, slots=True)
class Stencil:
    """The HIP call: its name, and its arguments (None: as they are); or an expression in place of the call.

    The pieces of an expression are text and placeholders (``{0}``, ``{*1}``) by turns.
    """

    name: str
    slots: tuple[Slot, ...] | None = None
    drops_template: bool = False
    expression: tuple[str, ...] = ()

    @property
    def in_order(self) -> bool:
        """Whether the CUDA arguments keep their order, so that each can stay where it is."""
        places = [slot.argument for slot in self.slots or () if slot.argument is not None]
        return all(left < right for left, right in pairwise(places))


@dataclass(frozen=True, slots=True)
class CallForm:
    """One row of the table.

    Args:
        cuda: The CUDA name.
        least: The smallest number of arguments; -1 for a use of the name that is no call.
        most: The largest.
        exact: The number matters: a call whose arguments cannot be counted does not fit.
        when: All of these have to hold.
        stencil: The HIP call; None: the call is only reported.
        since: The first HIP version that has it, empty for any.
        until: The first HIP version that no longer needs it, empty for none.
        note: What a person has to look at afterwards; empty if the form means the same.
    """

    cuda: bytes
    least: int
    most: int
    exact: bool
    when: tuple[Condition, ...]
    stencil: Stencil | None
    since: str
    until: str
    note: str


def parse_stencil(text: str) -> Stencil:
    """Read a stencil.

    Raises:
        ValueError: It is not a name, or a name with one list of arguments.
    """
    if text.startswith("="):
        return Stencil("", None, False, tuple(_ANY_PLACEHOLDER.split(text[1:])))
    match = re.fullmatch(r"(\w+)(<>)?(?:\((.*)\))?", text, re.DOTALL)
    if match is None:
        raise ValueError(f"`{text}` is no stencil: write it as `hipName({{0}}, {{1:}})`")
    name, drops, inside = match.group(1), bool(match.group(2)), match.group(3)
    if inside is None:
        return Stencil(name, None, drops)
    return Stencil(name, tuple(_slot(part.strip()) for part in _split(inside)), drops)


def _split(text: str) -> list[str]:
    """The parts between top-level commas; placeholders hold none."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += char in "([{"
        depth -= char in ")]}"
        if char == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    tail = text[start:]
    return [*parts, tail] if parts or tail.strip() else []


def _slot(text: str) -> Slot:
    """One argument of a stencil.

    Raises:
        ValueError: It has more than one placeholder.
    """
    found = list(_PLACEHOLDER.finditer(text))
    if not found:
        return Slot(text)
    if len(found) > 1:
        raise ValueError(f"`{text}` has two placeholders: an argument stands in one place")
    match = found[0]
    element = None if match.group(3) is None else int(match.group(3))
    return Slot(text[: match.start()], int(match.group(1)), match.group(2) == ":", element, text[match.end() :])


def as_c(text: str) -> str:
    """The C spelling of a stencil's text: C's casts, and ``NULL``."""
    return _NAMED_CAST.sub(r"(\1)", text).replace("nullptr", "NULL")


def parse_row(row: dict[str, str]) -> CallForm:
    """Read one row of the table.

    Raises:
        ValueError: A cell is outside its vocabulary.
    """
    match = _COUNT.fullmatch(row["count"])
    if match is None:
        raise ValueError(f"`{row['count']}` is no number of arguments: write `3`, `3-5`, `3+`, `*` or `value`")
    if row["count"] == "value":
        least = most = -1
    elif row["count"] == "*":
        least, most = 0, _MANY
    else:
        least = int(match.group(1))
        most = int(match.group(2)) if match.group(2) else _MANY if match.group(3) else least
    when = tuple(_condition(word) for word in row["when"].split())
    stencil = parse_stencil(row["hip"]) if row["hip"] else None
    if stencil is None and not row["note"]:
        raise ValueError(f"the row of `{row['cuda']}` neither changes nor says anything")
    return CallForm(row["cuda"].encode(), least, most, most != _MANY, when, stencil,
                    row["since"], row["until"], row["note"])


def _condition(word: str) -> Condition:
    """Read ``2:type:NAME``, ``!0:plain``, ``c``, ``mentions:NAME``."""
    negated = word.startswith("!")
    parts = word.lstrip("!").split(":")
    argument = int(parts.pop(0)) if parts[0].isdigit() else 0
    return Condition(Test(parts[0]), argument, parts[1] if len(parts) > 1 else "", negated)


@cache
def load() -> dict[bytes, tuple[CallForm, ...]]:
    """The table: CUDA name -> its rows, in the order in which they are tried."""
    text = resources.files("hipify_py.mapping").joinpath("call_forms.csv").read_text(encoding="utf-8")
    table: dict[bytes, list[CallForm]] = {}
    for row in csv.DictReader(text.splitlines()):
        form = parse_row(row)
        table.setdefault(form.cuda, []).append(form)
    return {name: tuple(forms) for name, forms in table.items()}
