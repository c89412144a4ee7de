"""``hipify-py query NAME``: what a CUDA name, header or library is called in HIP."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

_EPILOG = """\
examples:
  hipify-py query cudaMemcpyAsync                 counterpart, header, since which HIP, both signatures
  hipify-py query cub::BlockReduce cublas_v2.h    several at once; headers too, with or without brackets
  hipify-py query cuBLAS --rocm 6.4               a library: totals, and its names by support
  hipify-py query cudaMallocAsync --format json   for programs: see docs/json.md

Defaults (rocm, target-libraries, mappings, plugins) may stand in [tool.hipify-py] of pyproject.toml.

exit status: 0 all have a counterpart; 1 one has none, or none in the HIP of --rocm; 2 a name is in no table, or the
call is wrong.
"""


class _Parser(argparse.ArgumentParser):
    """Errors as one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"hipify-py: error: {message} (see `hipify-py query --help`)\n")


def main(argv: Sequence[str]) -> int:
    """Print the answer for each name; return 1 if one has no counterpart, 2 if no table knows one."""
    parser = _Parser(prog="hipify-py query", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
                     description="Say what a CUDA name, header or library is called in HIP, since when, and what differs.",
                     epilog=_EPILOG)
    parser.add_argument("name", nargs="+", metavar="NAME", help="such as cudaMalloc, cub::BlockReduce, cuda_fp16.h, cuBLAS")
    parser.add_argument("--rocm", metavar="X.Y", help="the HIP that has to have it")
    parser.add_argument("--target-libraries", metavar="hip|roc", help="hipBLAS and so on (default), or rocBLAS and so on")
    parser.add_argument("--mapping", action="append", default=[], metavar="FILE", help="a table of your own names (CSV or JSON)")
    parser.add_argument("--plugins", action=argparse.BooleanOptionalAction, help="let installed plug-ins take part (default)")
    parser.add_argument("--format", "--output-format", choices=("text", "json"), default="text", help="form of the answer")
    try:
        given = parser.parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    from pathlib import Path

    from hipify_py.config import Options, options_for
    from hipify_py.files import InputError
    from hipify_py.lookup import UnknownNameError, query
    from hipify_py.report import names

    try:
        chosen = Options(rocm=given.rocm, target_libraries=given.target_libraries, mappings=tuple(given.mapping),
                         plugins=given.plugins)
        settings = options_for(Path("query"), chosen).settings()
        answers = [query(name, settings=settings) for name in given.name]
    except (InputError, UnknownNameError) as error:
        sys.stderr.write(f"hipify-py: error: {error}\n")
        return 2
    if given.format == "json":
        import json

        sys.stdout.write(json.dumps([names.record(each) for each in answers], indent=2) + "\n")
    else:
        sys.stdout.write("".join(names.text(each) for each in answers))
    return 0 if all(each.has_counterpart for each in answers) else 1
