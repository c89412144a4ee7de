"""The pages of codes: a line of the table, then the docstring of the module that yields them."""

from __future__ import annotations

import inspect
from importlib import import_module

from hipify_py.codes import CODES, Code


def page(word: str) -> str | None:
    """The page of a code or of its name; None if there is no such code."""
    code = find(word)
    if code is None:
        return None
    try:
        text = inspect.cleandoc(import_module(code.module).__doc__ or "")
    except ImportError:
        text = ""
    shared = [each.code for each in CODES.values() if each.module == code.module and each.code != code.code]
    also = f"\n\nThe same page explains {', '.join(shared)}." if shared else ""
    return f"{code.code} ({code.name}): {code.summary}\n" + (f"\n{text}{also}\n" if text else "")


def find(word: str) -> Code | None:
    """A code by itself or by its name."""
    return CODES.get(word.upper()) or next((each for each in CODES.values() if each.name == word.lower()), None)


def table() -> str:
    """All codes, one a line."""
    width = max(len(each.name) for each in CODES.values())
    return "".join(f"{each.code}  {each.name:<{width}}  {each.summary}\n" for each in CODES.values())
