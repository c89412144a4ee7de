"""Names that came to HIP late and that plain C or C++ can stand in for: what to write for an older HIP, and where. Pure.

``mapping/fallbacks.csv`` has the macro that takes a name's place before the version in ``since``, and a definition that
the macro needs, if any. The preprocessor of the compiler that builds the translation decides by ``HIP_VERSION``, so one
text serves every HIP: a newer one uses what its own headers declare.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import groupby
from typing import TYPE_CHECKING

from hipify_py.names import is_member_access, qualifier
from hipify_py.settings import OLDEST, Version, is_newer

if TYPE_CHECKING:
    from hipify_py.directives import Directive
    from hipify_py.unit import TranslationUnit


@dataclass(frozen=True, slots=True)
class Fallback:
    """One HIP name and what stands in for it.

    Args:
        hip: The name.
        since: The first HIP that has it.
        macro: The name as it is defined, with its parameters.
        text: What it expands to.
        definition: C++ in front of the macro; empty if it needs none.
    """

    hip: str
    since: str
    macro: str
    text: str
    definition: str

    @property
    def lines(self) -> list[str]:
        """The definition, to be written between ``#if`` and ``#endif``; one may stand in a header and its source."""
        define = f"#define {self.macro} {self.text}"
        if not self.definition:
            return [define]
        return [f"#ifndef {self.hip}", *self.definition.split("\n"), define, "#endif"]


@cache
def load() -> dict[str, Fallback]:
    """HIP name -> what stands in for it."""
    text = resources.files("hipify_py").joinpath("mapping/fallbacks.csv").read_text(encoding="utf-8")
    found = {}
    for row in csv.DictReader(text.splitlines()):
        name = row["hip"].partition("(")[0]
        found[name] = Fallback(name, row["since"], row["hip"], row["text"], row["definition"].replace("\\n", "\n"))
    return found


def write(wanted: list[Fallback]) -> list[str]:
    """The lines that define these names for a HIP that lacks them."""
    lines = []
    ordered = sorted(wanted, key=lambda each: (Version.parse(each.since).major, Version.parse(each.since).minor, each.hip))
    for since, group in groupby(ordered, key=lambda each: each.since):
        version = Version.parse(since)
        lines.append(f"#if defined(HIP_VERSION) && HIP_VERSION < {version.major * 10_000_000 + version.minor * 100_000}"
                     f"  // what HIP has since {since}")
        lines += [line for each in group for line in each.lines]
        lines.append("#endif")
    return lines


class Fallbacks:
    """The young names of one source, and the place where they can be defined."""

    def __init__(self, unit: TranslationUnit) -> None:
        self.unit = unit

    def has(self, hip: str) -> bool:
        """Whether a name is defined by this source for a HIP that lacks it."""
        return hip in self.wanted and self.place is not None

    @cached_property
    def _uses(self) -> dict[str, list[int]]:
        """HIP name -> the tokens that become it."""
        unit, known = self.unit, load()
        rocm = unit.settings.rocm or OLDEST
        found: dict[str, list[int]] = {}
        for name, places in unit.occurrences.items():
            mapping = unit.table.lookup(name)
            fallback = None if mapping is None or name in unit.table.own else known.get(mapping.hip)
            if fallback is None or not is_newer(fallback.since, rocm):
                continue
            uses = [index for index in places if not (is_member_access(unit.tokens, index) or qualifier(unit.tokens, index)
                                                      or unit.is_user_name(index))]
            if uses:
                found.setdefault(fallback.hip, []).extend(uses)
        return found

    @cached_property
    def wanted(self) -> dict[str, Fallback]:
        """The young names that the translation uses."""
        return {name: load()[name] for name in sorted(self._uses)}

    def first_use(self, hip: str) -> int:
        """The first token that becomes this name."""
        return min(self._uses[hip])

    @cached_property
    def place(self) -> int | None:
        """Behind which byte the definitions go: the last include that every HIP reads in front of all uses; None: nowhere."""
        bound = min(self._expanded(), default=len(self.unit.tokens))
        found = [each for each in self.unit.directives.of(b"include", b"import")
                 if each.first < bound and self._always(each)]
        return self._end(found[-1]) if found else None

    def _expanded(self) -> Iterator[int]:
        """The tokens at which the names have to be known: uses in code, and the macros that hold others."""
        unit = self.unit
        holders = set()
        for index in (index for uses in self._uses.values() for index in uses):
            directive = unit.directives.containing(index)
            if directive is None:
                yield index
            elif directive.macro is not None:
                holders.add(unit.tokens.name(directive.macro.name))
        if holders:
            yield from (index for index in unit.tokens.identifiers()
                        if unit.tokens.name(index) in holders and unit.directives.containing(index) is None)

    def _always(self, include: Directive) -> bool:
        """Whether an include stands in no condition but an include guard."""
        branch = self.unit.directives.branch_at(include.range.start)
        while branch is not None:
            if branch.chain not in self.unit.regions.include_guards:
                return False
            branch = branch.chain.parent
        return True

    def _end(self, include: Directive) -> int:
        """The first byte of the line behind a directive."""
        data, end = self.unit.data, self.unit.source.line_range(max(include.range.end - 1, include.range.start)).end
        return end + (2 if data[end : end + 2] == b"\r\n" else min(1, len(data) - end))
