"""``hipify-py query NAME``: what a CUDA name or header is called in HIP."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    """Print the answer for each name; return 1 if one has no counterpart."""
    parser = argparse.ArgumentParser(prog="hipify-py query", description="Say what a CUDA name or header is called "
                                     "in HIP. Exit 1 if one has no counterpart or is unknown.")
    parser.add_argument("name", nargs="+", metavar="NAME", help="such as cudaMalloc, cublasSgemm, cuda_fp16.h")
    parser.add_argument("--target-libraries", choices=("hip", "roc"), default="hip", help="hipBLAS or rocBLAS ...")
    try:
        given = parser.parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    from hipify_py.mapping import MappingTable
    from hipify_py.report.names import answer

    tables = MappingTable.load(given.target_libraries)
    status = 0
    for name in given.name:
        text, known = answer(tables, name)
        sys.stdout.write(text)
        status = status if known else 1
    return status
