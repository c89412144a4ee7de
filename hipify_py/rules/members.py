"""HPY205: members of CUDA's structs that HIP's struct has under another name, in some versions only, or not at all.

What it does
------------
Looks at ``.member`` and ``->member`` of ``cudaDeviceProp``, ``cudaPointerAttributes`` and other structs by a table
(``mapping/members.csv``). What the HIP that was asked for (``--rocm``) has is left alone; what it has under
another name is renamed; all else is reported. A member of the same name that means something else in HIP is told once
(``major`` and ``minor`` of ``cudaDeviceProp``).

Why is this bad
---------------
The type is renamed and the member is not, so the compiler says that it is missing: with every HIP, or only with
the one of the next machine. Many members of ``hipDeviceProp_t`` came with HIP 6.0.

Example
-------
Reported::

    printf("%d", prop.deviceOverlap);                // reported: since HIP 6.0
    printf("%d", prop.sparseCudaArraySupported);     // renamed to sparseHipArraySupported, and reported

Fix safety
----------
A rename is safe: the member means the same. An object counts as one of the struct where libclang or a declaration
in the source says so; a long name that no other struct in the source declares counts by itself.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.lexer import TokenKind
from hipify_py.names import is_member_access, seems_declared
from hipify_py.settings import Version
from hipify_py.syntax import opening
from hipify_py.unit import TranslationUnit
from hipify_py.variables import Variables

#: A name of this length is its struct's own.
_UNMISTAKABLE = 11
#: The version that stands for everything older, too.
_OLDEST = "5.2"


@dataclass(frozen=True, slots=True)
class Member:
    """One row: the member of a CUDA struct.

    Args:
        struct: The struct.
        name: The member in CUDA.
        hip: The member in HIP, or the way to it (``gridDim.x``); empty if there is none.
        since: The first HIP that has it by this name.
        older: What earlier ones call it; empty if they have none.
        advice: What a colleague would say about it, or empty.
    """

    struct: str
    name: str
    hip: str
    since: str
    older: str
    advice: str


@cache
def members() -> dict[bytes, tuple[Member, ...]]:
    """The table, by name of the member."""
    text = resources.files("hipify_py.mapping").joinpath("members.csv").read_text(encoding="utf-8")
    table: dict[bytes, tuple[Member, ...]] = {}
    for row in csv.reader(text.splitlines()[1:]):
        member = Member(*row)
        key = member.name.encode()
        table[key] = (*table.get(key, ()), member)
    return table


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Rename or report the members that HIP's structs do not have as CUDA's do."""
    table = members()
    if not any(name in unit.data for name in table):
        return
    tokens = unit.tokens
    objects: dict[str, Variables] = {}
    places: dict[bytes, list[int]] = {}
    told: set[Member] = set()
    for index in tokens.identifiers():
        name = tokens.name(index)
        if name in table and not unit.regions.is_frozen(tokens.start(index)):
            places.setdefault(name, []).append(index)
    for name, indices in places.items():
        own = any(not is_member_access(tokens, index) and seems_declared(tokens, index) for index in indices)
        for index in indices:
            if not is_member_access(tokens, index):
                continue
            for member in table[name]:
                if member.struct not in objects:
                    uses = unit.occurrences.get(member.struct.encode(), [])
                    objects[member.struct] = Variables(tokens, uses)
                known = _is_of(unit, index, member, objects[member.struct])
                if known or (known is None and not own and len(name) >= _UNMISTAKABLE):
                    yield from _answer(unit, index, member, told)


def _is_of(unit: TranslationUnit, index: int, member: Member, objects: Variables) -> bool | None:
    """Whether the object in front of a member is of its struct; None if nobody knows."""
    tokens = unit.tokens
    dot = tokens.previous_code(index)
    last = tokens.previous_code(dot)
    start = last
    while start >= 0 and tokens.text(start) in (b"]", b")"):
        other = opening(tokens, start)
        if other is None:
            return None
        start = tokens.previous_code(other)
    if start < 0 or tokens.kind(start) != TokenKind.IDENTIFIER:
        return None
    if objects.at(start) is not None:
        return True
    if start != last:
        return None
    spelled = unit.semantics.type_of(start, last + 1)
    if spelled is None or "int" in spelled.split():  # libclang's stand-in for a type that it could not resolve
        return None
    return member.struct in spelled


def _answer(unit: TranslationUnit, index: int, member: Member, told: set[Member]) -> Iterator[Finding]:
    """What to say about one member of the table, for the HIP that was asked for."""
    if member.since == _OLDEST and member.hip == member.name:
        if member not in told:
            told.add(member)
            yield Diagnostic("HPY205", Severity.NOTE, f"the member `{member.name}` of `{member.struct}` means something else in "
                             f"HIP: {member.advice}", unit.range(index))
        return
    rocm = unit.settings.rocm
    shown = f"the member `{member.name}` of `{member.struct}`"
    advice = f": {member.advice}" if member.advice else ""
    span = unit.range(index)
    if not member.hip:
        yield Diagnostic("HPY205", Severity.ERROR, f"{shown} is missing in every HIP{advice}; take it out", span)
        return
    enough = member.since == _OLDEST or (rocm is not None and _at_least(rocm, member.since))
    target = member.hip if enough or not member.older else member.older if rocm is not None else member.name
    edits = (Edit(span.start, span.end, target.encode(), "HPY205"),) if target != member.name else ()
    if enough or (rocm is not None and member.older):
        yield from edits
        return
    if member.older:
        severity = Severity.NOTE
        action = f"before that it is `{member.older}`; say `--rocm` to get the right one"
    else:
        severity = Severity.WARNING
        action = "earlier ones have no such member" + (f"; it became `{target}`" if edits else "")
    name = f"as `{member.hip}` " if member.hip != member.name else ""
    yield Diagnostic("HPY205", severity, f"{shown} is there {name}since HIP {member.since}, {action}{advice}", span,
                     Fix(edits) if edits else None)


def _at_least(rocm: Version, since: str) -> bool:
    wanted = Version.parse(since)
    return (rocm.major, rocm.minor) >= (wanted.major, wanted.minor)
