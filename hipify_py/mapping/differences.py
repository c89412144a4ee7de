"""What is on record about names whose HIP counterpart differs: ``differences.csv``, as the check of the headers wrote it."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources

from hipify_py.mapping.compare import Difference

FILE = "differences.csv"


@cache
def load() -> dict[bytes, tuple[Difference, ...]]:
    """Read the table, by CUDA name."""
    text = resources.files("hipify_py.mapping").joinpath(FILE).read_text(encoding="utf-8")
    found: dict[bytes, tuple[Difference, ...]] = {}
    for row in list(csv.reader(text.splitlines()))[1:]:
        difference = Difference(*row)
        key = difference.cuda.encode()
        found[key] = (*found.get(key, ()), difference)
    return found
