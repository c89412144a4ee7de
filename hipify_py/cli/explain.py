"""``hipify-py explain CODE``: the page of a code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    """Print the page of each code, or the table of codes without one; return the exit status."""
    parser = argparse.ArgumentParser(prog="hipify-py explain", description="Print the page of a diagnostic's code; "
                                     "without one, the table of codes.")
    parser.add_argument("code", nargs="*", metavar="CODE", help="such as HPY401, or its name: no-counterpart")
    try:
        given = parser.parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    from hipify_py.report.pages import page, table

    if not given.code:
        sys.stdout.write(table())
        return 0
    for word in given.code:
        text = page(word)
        if text is None:
            sys.stderr.write(f"hipify-py: error: `{word}` is no code: `hipify-py explain` lists them\n")
            return 2
        sys.stdout.write(text)
    return 0
