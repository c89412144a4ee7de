"""Which names of CUDA's headers are public, which table each goes to, and why the others are left out.

``public.csv`` says it in order: the first row whose header and name fit decides, by a table or by a reason. A name of a
CUDA header that fits no row is an open question, and counts against the tables.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify_py.clang.declared import Declaration

GUARD = "an include guard"
ELSEWHERE = "of the C library or the compiler"
UNDECIDED = "undecided: no row of public.csv fits"

#: Headers that are no part of the API of a CUDA library, by pattern.
_OTHER_HEADERS = re.compile(r"nvperf_\w+\.h|fatbinary_section\.h|host_(config|defines)\.h")
#: Folders beside the headers that hold public ones.
_FOLDERS = ("", "nvtx3/", "cooperative_groups/")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a name belongs: a table, or, where that is empty, the reason for which it is in none."""

    table: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Rule:
    header: re.Pattern[str]
    name: re.Pattern[str]
    verdict: Verdict


@cache
def _rules() -> tuple[_Rule, ...]:
    text = (resources.files("hipify_py.mapping") / "public.csv").read_text(encoding="utf-8")
    return tuple(
        _Rule(re.compile(row["header"]), re.compile(row["name"]), Verdict(row["table"], row["reason"]))
        for row in csv.DictReader(text.splitlines())
    )


def public_headers(include: Path) -> tuple[str, ...]:
    """List the headers of a CUDA include folder that people include, as they write them between the brackets."""
    found = [f"{folder}{path.name}" for folder in _FOLDERS for path in sorted((include / folder).glob("*.h"))]
    return tuple(name for name in found if not _OTHER_HEADERS.fullmatch(name))


def verdict(header: str, name: str) -> Verdict:
    """Say where a name of one header belongs.

    Args:
        header: The header below the include folder (``crt/sm_80_rt.h``).
        name: The name, qualified if it lives in a namespace.

    """
    for rule in _rules():
        if rule.header.fullmatch(header) and rule.name.fullmatch(name):
            return rule.verdict
    return Verdict("", UNDECIDED)


def verdicts(names: Mapping[str, Declaration], include: Path) -> Iterator[tuple[str, Verdict]]:
    """Say for each name that headers below an include folder declare where it belongs.

    Where several headers declare a name, one that calls it public decides.
    """
    root = f"{include.as_posix().rstrip('/')}/"
    for name, declaration in names.items():
        headers = sorted(file.removeprefix(root) for file in declaration.files if file.startswith(root))
        if not headers:
            yield name, Verdict("", ELSEWHERE)
        elif declaration.guard:
            yield name, Verdict("", GUARD)
        else:
            found = [verdict(header, name) for header in headers]
            yield name, next((each for each in found if each.table), found[0])
