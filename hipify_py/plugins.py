"""Plug-ins: other distributions' tables of names and rules, found by their entry points.

``hipify_py.mappings``: an object that is, or a function without arguments that returns, the path of a table as
``--mapping`` takes it, or a dict ``{"old": "new"}``, or a list of these. Tables of a later entry point, by name, win over
those of an earlier one; ``pyproject.toml`` and ``--mapping`` win over all of them.

``hipify_py.rules``: a rule, that is a function from a TranslationUnit to findings as in ``hipify_py/rules``, or a module
with such a function ``check``; its codes are its own and do not begin with ``HPY``. Rules run in the order of their entry
points' names, in front of ours: a token that one edits or reports is settled. In ``pyproject.toml`` of a plug-in::

    [project.entry-points."hipify_py.mappings"]
    acme = "acme_hip:table"
    [project.entry-points."hipify_py.rules"]
    acme = "acme_hip.rules:check"
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from hipify_py.files import InputError
from hipify_py.tables import read_mappings

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from hipify_py.mapping.own import Row

MAPPINGS, RULES = "hipify_py.mappings", "hipify_py.rules"


@dataclass(frozen=True, slots=True)
class Plugins:
    """What is installed.

    Args:
        mappings: The rows of their tables.
        rules: Rules, as ``module:function``, so that they can be named in another process.
    """

    mappings: tuple[Row, ...] = ()
    rules: tuple[str, ...] = ()


@cache
def installed() -> Plugins:
    """Find and load the plug-ins of this environment.

    Raises:
        InputError: One cannot be loaded, or is not what its group wants; entry point and distribution are named.
    """
    if not _any():
        return Plugins()
    from importlib.metadata import entry_points  # noqa: PLC0415 - start-up time

    rows = [row for each in _sorted(entry_points(group=MAPPINGS)) for row in _rows(each)]
    return Plugins(tuple(rows), tuple(_rule(each) for each in _sorted(entry_points(group=RULES))))


def _any() -> bool:
    """Whether a distribution on the path names one of our groups: importlib.metadata takes 20 ms to say so."""
    for folder in sys.path:
        try:
            names = [name for name in os.listdir(folder or ".")  # noqa: PTH208 - names alone, of a large folder
                     if name.endswith((".dist-info", ".egg-info"))]
        except OSError:
            continue
        for name in names:
            with contextlib.suppress(OSError), (Path(folder) / name / "entry_points.txt").open("rb") as file:
                if b"[hipify_py." in file.read():
                    return True
    return False


def _sorted(found: Iterable[EntryPoint]) -> list[EntryPoint]:
    return sorted(found, key=lambda each: (each.name, each.value))


def _rule(entry: EntryPoint) -> str:
    """The rule of an entry point, as ``module:function``."""
    found = _loaded(entry)
    attribute = entry.attr
    if isinstance(found, ModuleType):
        attribute, found = "check", getattr(found, "check", None)
    if not callable(found):
        raise InputError(f"{_named(entry)} is no function: a rule takes a TranslationUnit and yields findings")
    return f"{entry.module}:{attribute}"


def _rows(entry: EntryPoint) -> Iterator[Row]:
    """The rows of what an entry point gives."""
    from hipify_py.mapping.own import TableError, from_pairs  # noqa: PLC0415 - only with a plug-in

    given = _loaded(entry)
    if callable(given):
        try:
            given = given()
        except Exception as error:
            raise InputError(f"{_named(entry)} failed: {_said(error)}: mend it, or use `--no-plugins`") from None
    for item in given if isinstance(given, (list, tuple)) else [given]:
        if not isinstance(item, (str, os.PathLike, dict)):
            raise InputError(f"{_named(entry)} gives no table: it has to be, or return, the path of a CSV or JSON file, or "
                             'a dict `{"old": "new"}`')
        try:
            yield from from_pairs("the dict", item) if isinstance(item, dict) else read_mappings(item)
        except (InputError, TableError) as error:
            raise InputError(f"{_named(entry)} has a wrong table: {error}") from None


def _loaded(entry: EntryPoint) -> object:
    try:
        return entry.load()
    except Exception as error:
        raise InputError(f"{_named(entry)} cannot be loaded: {_said(error)}: mend it, or use `--no-plugins`") from None


def _named(entry: EntryPoint) -> str:
    owner = f" of `{entry.dist.name}`" if entry.dist is not None else ""
    return f"the plug-in `{entry.name} = {entry.value}`{owner} ({entry.group})"


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
