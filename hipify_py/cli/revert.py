"""``hipify-py revert FILE:LINE``: which line of the CUDA source a line of its translation comes from."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    """Print ``SOURCE:LINE`` for each place; return 2 if one cannot be mapped."""
    parser = argparse.ArgumentParser(prog="hipify-py revert", description="Map lines of translations back to the lines of the "
                                     "CUDA sources that they come from: for a debugger, a compiler's message, a review.")
    parser.add_argument("place", nargs="+", metavar="FILE:LINE", help="a line of a file that hipify-py wrote")
    parser.add_argument("--cache-dir", metavar="DIR", help="as for the translation")
    try:
        given = parser.parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    from pathlib import Path

    from hipify_py.caches import folder
    from hipify_py.files import InputError
    from hipify_py.tree.lines import origin

    try:
        cache = Path(given.cache_dir) if given.cache_dir else folder()
    except RuntimeError:  # a user without a home folder
        cache = None
    status = 0
    for place in given.place:
        # A compiler's `FILE:LINE:COLUMN: error` may be pasted as it is.
        name, line = _split(place)
        try:
            if line is None:
                raise InputError(f"`{place}` is no place: write `FILE:LINE`")
            found = origin(Path(name), line, cache)
        except InputError as error:
            sys.stderr.write(f"hipify-py: error: {error}\n")
            status = 2
            continue
        print(f"{found.source}:{found.line}")  # noqa: T201 - the command's output
        if found.by_hand:
            sys.stderr.write(f"{place}: this line was edited by hand; {found.source}:{found.line} is what it stands at\n")
        if found.outdated:
            sys.stderr.write(f"{place}: `{found.source}` has changed since: the line is one of the text that was translated\n")
    return status


def _split(place: str) -> tuple[str, int | None]:
    """The file and the line of ``FILE:LINE`` or ``FILE:LINE:COLUMN``."""
    parts = place.rstrip(": ").split(":")
    while len(parts) > 2 and parts[-1].strip().isdigit() and parts[-2].isdigit():
        parts.pop()
    if len(parts) < 2 or not parts[-1].isdigit():
        return place, None
    return ":".join(parts[:-1]), int(parts[-1])
