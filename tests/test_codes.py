"""The table of codes: in order, each once, with a page that speaks of it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from hipify_py.codes import CODES

SOURCE = Path(__file__).resolve().parent.parent / "hipify_py"


def test_codes_stand_once_and_in_order() -> None:
    written = re.findall(r'^    \("(HPY\d{3})"', (SOURCE / "codes.py").read_text(), re.MULTILINE)
    assert written == sorted(set(written))
    assert len({each.name for each in CODES.values()}) == len(CODES)


@pytest.mark.parametrize("code", sorted(CODES))
def test_the_page_speaks_of_the_code(code: str) -> None:
    page = importlib.import_module(CODES[code].module).__doc__ or ""
    assert code in page


def test_every_code_in_use_is_in_the_table() -> None:
    used = {code for path in SOURCE.rglob("*.py") for code in re.findall(r'"(HPY\d{3})"', path.read_text())}
    assert used <= set(CODES)
