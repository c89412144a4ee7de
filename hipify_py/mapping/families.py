"""Libraries of NVIDIA's that the tables do not list name by name: which one a name belongs to, by its spelling."""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib import resources
from typing import NamedTuple


class Family(NamedTuple):
    """One library: what it is called, and what a colleague would say about its names."""

    library: str
    advice: str


@cache
def _all() -> tuple[re.Pattern[bytes], tuple[Family, ...]]:
    """All patterns as one expression, whose last group tells which of them it was."""
    text = resources.files("hipify_py.mapping").joinpath("families.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    # Empty groups mark the branches: `lastindex` is the number of the one that matched.
    pattern = "|".join(f"(?:{row['names']})()" for row in rows)
    return re.compile(pattern.encode()), tuple(Family(row["library"], row["advice"]) for row in rows)


def family(name: bytes) -> Family | None:
    """The library that a name belongs to by its spelling; None if it is none of these."""
    expression, found = _all()
    match = expression.fullmatch(name)
    return None if match is None else found[(match.lastindex or 1) - 1]


def family_called(library: str) -> Family | None:
    """The family of a library's name, in any case; None if it is none of these."""
    return next((each for each in _all()[1] if each.library.casefold() == library.casefold()), None)
