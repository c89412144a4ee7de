"""How a CUDA name and its HIP counterpart differ in what the headers of both sides declare.

Names agree after mapping: ``cudaStream_t`` on the one side and ``hipStream_t`` on the other are the same type. What is
left is a :class:`Difference`, a row of ``differences.csv``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hipify_py.clang.declared import Declaration, Signature

Names = Mapping[str, "Declaration"]

COLUMNS = ("cuda", "what", "theirs", "ours")

_WORD = re.compile(r"[A-Za-z_]\w*(?:::\w+)*")
_NOISE = re.compile(r"\b(?:struct|enum|union|class|__restrict|__restrict__|volatile)\b")
_NUMBERS = frozenset(
    (
        *("char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long"),
        *("long long", "unsigned long long", "float", "double", "bool", "_Bool"),
    )
)


class Difference(NamedTuple):
    """One thing in which a name and its counterpart differ.

    Args:
        cuda: The CUDA name.
        what: ``argument 3`` or ``result`` (types), ``value`` (of an enumerator or a macro; of an enumeration: its first
            enumerator that differs, with its value), ``order`` (of the members of a structure that both have: it matters
            to ``{a, b}``).
        theirs: CUDA's, under HIP's names where these are known.
        ours: HIP's.

    """

    cuda: str
    what: str
    theirs: str
    ours: str


class Spellings(NamedTuple):
    """What stands for what.

    Args:
        mapped: CUDA's names to HIP's.
        aliases: HIP's typedefs to what they come to.

    """

    mapped: Mapping[str, str]
    aliases: Mapping[str, str]

    def of(self, written: str) -> str:
        """A type of CUDA's as HIP's compiler would see it."""
        hip = _WORD.sub(lambda match: self.mapped.get(match[0]) or match[0], _NOISE.sub(" ", written))
        return plain(_WORD.sub(lambda match: self.aliases.get(match[0]) or match[0], hip), {})


def plain(written: str, mapped: Mapping[str, str]) -> str:
    """A type under HIP's names, without words and spaces that make no difference."""
    text = _WORD.sub(lambda match: mapped.get(match[0]) or match[0], _NOISE.sub(" ", written))
    text = re.sub(r"\bconst (\w[\w :]*?)(?= ?\*|$)", r"\1 const", " ".join(text.split()))
    text = re.sub(r"\s*([*&\[\](),])\s*", r"\1", text).replace("[]", "*")
    return re.sub(r"(?:(?<=[*&])| )const$", "", text)  # of the parameter itself: nobody's business


def types(cuda: str, theirs: Declaration, ours: Declaration, names: Spellings) -> list[Difference]:
    """Where the types of a function differ, in the form of HIP's that comes nearest to one of CUDA's.

    Only forms with as many arguments are compared: another number is another matter (a changed signature).
    """
    best: list[Difference] | None = None
    for one in sorted(theirs.signatures, key=repr):
        for other in sorted(ours.signatures, key=repr):
            if len(one.parameters) == len(other.parameters):
                found = list(_signature(cuda, one, other, names))
                best = found if best is None or len(found) < len(best) else best
    return best or []


def _signature(cuda: str, theirs: Signature, ours: Signature, names: Spellings) -> Iterator[Difference]:
    if not _same(theirs.result, ours.result, names) and ours.result[1] != "void":
        yield Difference(cuda, "result", plain(theirs.result[0], names.mapped), plain(ours.result[0], {}))
    for number, (one, other) in enumerate(zip(theirs.parameters, ours.parameters, strict=True), start=1):
        if not (_same(one, other, names) or _passes(one, other, names)):
            yield Difference(cuda, f"argument {number}", plain(one[0], names.mapped), plain(other[0], {}))


def _same(theirs: tuple[str, str], ours: tuple[str, str], names: Spellings) -> bool:
    wanted = {plain(each, {}) for each in ours}
    return any(plain(each, names.mapped) in wanted or names.of(each) in wanted for each in theirs)


def _passes(theirs: tuple[str, str], ours: tuple[str, str], names: Spellings) -> bool:
    """Whether what is right for CUDA's parameter converts by itself and means the same in HIP's."""
    one, other = names.of(theirs[0]), plain(ours[1], {})
    if one in _NUMBERS and other in _NUMBERS:
        return _SIZES.get(other, 4) >= _SIZES.get(one, 4)
    if not (one.endswith("*") and other.endswith("*")):
        return False
    bare, wanted = one[:-1], other[:-1]
    if wanted.removesuffix(" const") == "void":
        return wanted.endswith(" const") or not bare.endswith(" const")
    return bare == wanted.removesuffix(" const")


_SIZES = {
    **{"char": 1, "signed char": 1, "unsigned char": 1, "bool": 1, "_Bool": 1, "short": 2, "unsigned short": 2},
    **{"long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8, "double": 8},
}


#: Names whose number says how many there are, or which release it is: nobody passes them on.
_COUNTS = re.compile(r".*(?:_MAX|Max|Count|_END|_UNDEFINED|Undefined|VERSION\w*|_MAJOR|_MINOR|_PATCH)|nccl(?:Num|Max)\w*")
#: From what part of an enumeration's numbers on they are another set: a few odd ones are told one by one.
_MANY = 0.25


def values(cuda: str, theirs: Declaration, ours: Declaration) -> list[Difference]:
    """The numbers of an enumerator or a macro, where both are known and differ."""
    if theirs.value is None or ours.value is None or theirs.value == ours.value or _COUNTS.fullmatch(cuda):
        return []
    return [Difference(cuda, "value", str(theirs.value), str(ours.value))]


def constants(cuda: str, theirs: Declaration, names: Spellings, cuda_names: Names, hip_names: Names) -> list[Difference]:
    """The first enumerator of an enumeration whose number differs, where many do."""
    compared, found = 0, []
    for constant in theirs.constants:
        one, other = cuda_names.get(constant), hip_names.get(names.mapped.get(constant, ""))
        if one is None or other is None or None in (one.value, other.value) or _COUNTS.fullmatch(constant):
            continue
        compared += 1
        if one.value != other.value:
            found.append(Difference(cuda, "value", f"{constant} {one.value}", f"{names.mapped[constant]} {other.value}"))
    return found[:1] if len(found) > compared * _MANY else []


def order(cuda: str, theirs: Declaration, ours: Declaration) -> list[Difference]:
    """The order of the members that both structures have, where it differs."""
    shared = {name for name, _ in theirs.members} & {name for name, _ in ours.members}
    first, second = ([name for name, _ in side.members if name in shared] for side in (theirs, ours))
    return [Difference(cuda, "order", " ".join(first), " ".join(second))] if first != second else []


def missing_members(theirs: Declaration, ours: Declaration) -> list[str]:
    """The members of CUDA's structure that HIP's lacks; padding and what is reserved is nobody's business."""
    if not theirs.members or not ours.members:
        return []
    known = {name for name, _ in ours.members}
    return [name for name, _ in theirs.members if name not in known and not _PADDING.fullmatch(name)]


_PADDING = re.compile(r"(?:reserved|unused|pad|dummy|_)\w*")
