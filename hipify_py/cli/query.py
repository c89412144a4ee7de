"""``hipify-py query NAME``: what a CUDA name, header or library is called in HIP."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    """Print the answer for each name; return 1 if one has no counterpart, 2 if no table knows one."""
    parser = argparse.ArgumentParser(prog="hipify-py query", description="Say what a CUDA name, header or library is called "
                                     "in HIP, since when, and what differs. Exit 1 if one has no counterpart, 2 if one "
                                     "is unknown.")
    parser.add_argument("name", nargs="+", metavar="NAME", help="such as cudaMalloc, cub::BlockReduce, cuda_fp16.h, cuBLAS")
    parser.add_argument("--rocm", metavar="X.Y", help="the ROCm that has to have it")
    parser.add_argument("--target-libraries", choices=("hip", "roc"), default="hip", help="hipBLAS or rocBLAS ...")
    parser.add_argument("--mapping", action="append", default=[], metavar="FILE", help="a table of your own names")
    parser.add_argument("--format", "--output-format", choices=("text", "json"), default="text", help="form of the answer")
    try:
        given = parser.parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    from hipify_py.config import Options
    from hipify_py.files import InputError
    from hipify_py.mapping import MappingTable
    from hipify_py.report.names import UnknownNameError, answer

    answers = []
    try:
        settings = Options(rocm=given.rocm, target_libraries=given.target_libraries, mappings=tuple(given.mapping)).settings()
        tables = MappingTable.load(settings.target_libraries, settings.mappings)
        answers = [answer(tables, name, settings.rocm) for name in given.name]
    except (InputError, UnknownNameError) as error:
        sys.stderr.write(f"hipify-py: error: {error}\n")
        return 2
    if given.format == "json":
        import json

        sys.stdout.write(json.dumps([each.record() for each in answers], indent=2) + "\n")
    else:
        sys.stdout.write("".join(each.text() for each in answers))
    return 0 if all(each.has_counterpart for each in answers) else 1
