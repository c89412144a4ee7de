"""Files of a tree that no translation concerns go along on request: copied, or as links to the originals."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hipify_py.files import InputError, reason, same_file, write_atomic
from hipify_py.tree.plan import Other, Others
from hipify_py.tree.run import Failure
from hipify_py.tree.write import make_folder


@dataclass(frozen=True, slots=True)
class Brought:
    """What became of one: whether it was not, or not this, in its place before, and whether it is now."""

    path: Path
    stale: bool
    written: bool


def bring(others: Sequence[Other], how: Others, write: bool) -> Iterator[Brought | Failure]:
    """Copy or link files; one that is in its place already is left alone.

    Args:
        others: The files.
        how: As copies or as links.
        write: Do it; otherwise only find out what is missing or stale.
    """
    for other in others:
        try:
            yield _bring(other, how, write)
        except InputError as error:
            yield Failure(other.source, str(error))
        except OSError as error:
            yield Failure(other.source, f"`{other.source}` cannot be brought to `{other.output}`: {reason(error)}")


def _bring(other: Other, how: Others, write: bool) -> Brought:
    if how is Others.LINK:
        target = os.path.relpath(os.path.realpath(other.source), os.path.realpath(other.output.parent))
        stale = not other.output.is_symlink() or str(other.output.readlink()) != target
        if stale and write:
            make_folder(other.output.parent)
            if os.path.lexists(other.output) and not other.output.is_symlink():
                raise InputError(f"`{other.output}` is there and no link: remove it, or copy with `--copy-others`")
            # A link is made beside and renamed, so that there is always one.
            beside = other.output.with_name(f"{other.output.name}.{os.getpid()}.tmp")
            beside.symlink_to(target)
            beside.replace(other.output)
        return Brought(other.source, stale, stale and write)
    if other.output.is_symlink() and same_file(other.source, other.output):
        if write:
            other.output.unlink()  # a link of an earlier run
        stale = True
    else:
        stale = not _same(other.source, other.output)
    if stale and write:
        make_folder(other.output.parent)
        write_atomic(other.output, other.source.read_bytes(), like=other.source)
    return Brought(other.source, stale, stale and write)


def _same(source: Path, output: Path) -> bool:
    """Whether two files hold the same bytes."""
    try:
        return output.is_file() and source.stat().st_size == output.stat().st_size and (
            source.read_bytes() == output.read_bytes())
    except OSError:
        return False
