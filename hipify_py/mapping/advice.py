"""What a colleague would say about a name without counterpart: its row's own sentence, or that of its family.

``advice.csv`` holds the families in order: the first row whose library and pattern (as of a shell, ``*`` and ``[ab]``) fit a
name speaks for it. Each library ends with a row for all of it, so that no name goes without.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from fnmatch import translate
from functools import cache
from importlib import resources

from hipify_py.mapping.records import Mapping, Support

FILE = "advice.csv"
EVERY = "*"


@cache
def families(library: str) -> tuple[tuple[str, str], ...]:
    """List the patterns that speak for the names of a library, each with its sentence, in order."""
    text = resources.files("hipify_py.mapping").joinpath(FILE).read_text(encoding="utf-8")
    return tuple((name, advice) for table, name, advice in list(csv.reader(text.splitlines()))[1:] if table in (library, EVERY))


@cache
def _pattern(library: str) -> tuple[re.Pattern[str], Sequence[str]]:
    """All patterns of a library as one expression, whose last group tells which of them it was."""
    rows = families(library)
    # Empty groups mark the branches: `lastindex` is the number of the one that matched.
    return re.compile("|".join(f"{translate(name)}()" for name, _ in rows) or r"(?!)"), [advice for _, advice in rows]


def advice_for(mapping: Mapping) -> str:
    """Say what to do about a name: empty where HIP has it as it is, or where the row is a person's own without a word."""
    if mapping.advice or mapping.support is not Support.NO:
        return mapping.advice
    expression, sentences = _pattern(mapping.library)
    found = expression.match(mapping.cuda)
    return sentences[(found.lastindex or 1) - 1] if found else ""
