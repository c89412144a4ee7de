"""Tables of the person's own on disk."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.files import InputError, reason

if TYPE_CHECKING:
    from hipify_py.mapping.own import Row


def read_mappings(path: str | os.PathLike[str]) -> tuple[Row, ...]:
    """Read a table of one's own, for :class:`Settings`.

    Args:
        path: A CSV with the columns ``cuda,hip`` (and those of our tables that are wanted), or a JSON object
            ``{"old": "new"}``.

    Returns:
        Its rows: ``Settings(mappings=read_mappings("my_api.csv"))``.

    Raises:
        InputError: It cannot be read, or is malformed; file and line are named.
    """
    return _read(os.fspath(path))


def forget() -> None:
    """Read tables anew from now on."""
    _read.cache_clear()


@cache
def _read(path: str) -> tuple[Row, ...]:
    from hipify_py.mapping import own  # noqa: PLC0415 - only with a table of one's own

    if not path:
        raise InputError("a table without a name is asked for: give `--mapping` a CSV or JSON file")
    try:
        return own.parse(path, Path(path).read_bytes())
    except own.TableError as error:
        raise InputError(str(error)) from None
    except (OSError, ValueError) as error:
        raise InputError(f"the table `{path}` cannot be read: {reason(error)}") from None
