"""Libraries of NVIDIA's that have no table: their names and headers are known by their spelling alone.

``families.csv`` has a row a pattern (as of a shell, ``*`` and ``[AB]``) of names, headers or include guards, with the library
and what a colleague would say; the first row that fits speaks. A library that HIP has a counterpart of, name by name, has a table
instead (:mod:`hipify_py.mapping.table`).
"""

from __future__ import annotations

import csv
import re
from enum import Enum
from fnmatch import translate
from functools import cache
from importlib import resources
from typing import NamedTuple

FILE = "families.csv"


class What(Enum):
    """What a pattern is of."""

    NAME = "name"
    HEADER = "header"
    GUARD = "guard"  #: a macro that says that the library's header was included
    SAME = "same"  #: a header that HIP has by the same name
    SAMPLES = "samples"  #: a header that comes with CUDA's samples, and not with the toolkit


class Family(NamedTuple):
    """One row.

    Args:
        pattern: What the name or header looks like.
        what: Which of them it is for.
        library: What NVIDIA calls the library.
        advice: What to do instead, in one sentence; empty for guards and what is the same.
    """

    pattern: str
    what: What
    library: str
    advice: str


@cache
def families() -> tuple[Family, ...]:
    """List all rows, in order."""
    text = resources.files("hipify_py.mapping").joinpath(FILE).read_text(encoding="utf-8")
    return tuple(Family(pattern, What(what), library, advice)
                 for pattern, what, library, advice in list(csv.reader(text.splitlines()))[1:])


def family(spelling: bytes, what: What = What.NAME) -> Family | None:
    """Find the row that speaks for a name, or for a header as it is written between the brackets; None if none does."""
    expression, rows = _pattern(what)
    found = expression.match(spelling)
    return rows[(found.lastindex or 1) - 1] if found else None


def family_called(library: str) -> Family | None:
    """Find a row of a library by what NVIDIA calls it, in any case; None if it is none of these."""
    return next((each for each in families() if each.advice and each.library.casefold() == library.casefold()), None)


@cache
def _pattern(what: What) -> tuple[re.Pattern[bytes], tuple[Family, ...]]:
    """All patterns as one expression, whose last group tells which of them it was."""
    rows = tuple(each for each in families() if each.what is what)
    return re.compile("|".join(f"{translate(each.pattern)}()" for each in rows).encode()), rows
