"""``hipify-py doctor``: what this machine has, and what works with it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    """Print what is there; return 1 if translating itself does not work in full."""
    parser = argparse.ArgumentParser(prog="hipify-py doctor", description="Look for hipcc, libclang, compilers, "
                                     "hip-python and GPUs, and say what works.")
    try:
        parser.parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    from hipify_py.report.machine import examine

    text, well = examine()
    sys.stdout.write(text)
    return 0 if well else 1
