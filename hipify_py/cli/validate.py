"""``hipify-py validate CASES``: translate, compile, run, compare."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from hipify_py.config import Options
    from hipify_py.validate.results import CaseResult, Report

_EPILOG = """\
A case is a `case.toml` beside a kernel: what it is launched with, and what has to come out (docs/validate.md). Kernels run
on an AMD GPU if hip-python finds one, else on a CPU device with waves of 32 and of 64 lanes. A pass there is evidence for
the source, not for what hipcc makes of it.

exit status: 0 all cases passed; 1 a finding; 2 a case or the call is wrong, or the device is not there.
"""


class _Parser(argparse.ArgumentParser):
    """Errors as one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"hipify-py: error: {message} (see `hipify-py validate --help`)\n")


def main(argv: Sequence[str]) -> int:
    """Validate what the arguments name; return the exit status."""
    try:
        given = _parser().parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    from hipify_py.files import InputError

    try:
        return _emit(given) if given.emit_harness else _validate(given)
    except InputError as error:
        sys.stderr.write(f"hipify-py: error: {error}\n")
        return 2


def _parser() -> _Parser:
    parser = _Parser(prog="hipify-py validate", description="Run translated kernels and compare them with their references.",
                     epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("cases", nargs="+", metavar="CASE", help="a case.toml, its folder, or a folder of such folders")
    add("--device", default="auto", metavar="auto|gpu|cpu", help="where to run (auto: a GPU if there is one)")
    add("--wave", type=int, choices=(32, 64), action="append", help="only this size of a wave on the CPU device")
    add("--offload-arch", action="append", default=[], metavar="GFX", help="let hipcc compile for these too "
        "(default gfx90a; `none`: do not)")
    add("--sanitize", choices=("address", "thread", "undefined"), help="watch the kernels on the CPU device: accesses out of "
        "bounds, races between threads, undefined behaviour")
    add("--seed", type=int, help="of the random inputs; the same seed gives the same inputs")
    add("--timeout", type=float, metavar="SECONDS", help="for one run, instead of what the case says")
    add("--json", metavar="FILE", help="write the report there; `-` is standard output")
    add("--junit", metavar="FILE", help="... as JUnit XML")
    add("-j", "--jobs", type=int, default=0, metavar="N", help="compilers at once (default: one a core)")
    add("-q", "--quiet", action="store_true", help="only findings and the last line")
    add("-v", "--verbose", action="store_true", help="a line for each size, and what kernels print")
    add("--unsafe-fixes", action=argparse.BooleanOptionalAction, help="translate with fixes that are likely right")
    add("--emit-harness", metavar="DIR", help="run nothing; write a HIP program for each case there, with inputs and expected "
        "outputs in it")
    return parser


def _validate(given: argparse.Namespace) -> int:
    from hipify_py.validate import DEFAULT_TARGETS, validate

    quiet = given.quiet or given.json == "-"
    printer = _Printer(quiet, given.verbose)
    targets = tuple(part for each in given.offload_arch for part in each.split(",") if part) or DEFAULT_TARGETS
    report = validate(
        given.cases, targets=() if targets == ("none",) else targets, device=given.device,
        waves=tuple(given.wave or (32, 64)), sanitize=given.sanitize, seed=given.seed, timeout=given.timeout,
        jobs=given.jobs, options=_options(given), tell=printer.case)
    printer.finish(report)
    _write_reports(given, report)
    return 0 if report.passed else 1


def _options(given: argparse.Namespace) -> Options:
    from hipify_py.config import Options

    return Options(unsafe_fixes=given.unsafe_fixes)


def _emit(given: argparse.Namespace) -> int:
    from hipify_py.validate import emit_harness

    for path in emit_harness(given.cases, given.emit_harness, seed=given.seed, options=_options(given)):
        print(path)  # noqa: T201 - the command's output
    return 0


class _Printer:
    """The table as it grows, then what is wrong."""

    def __init__(self, quiet: bool, verbose: bool) -> None:
        self._quiet, self._verbose = quiet, verbose
        self._begun = False
        self._explained: list[str] = []

    def case(self, result: CaseResult) -> None:
        """Print the lines of a case."""
        from hipify_py.report import validation

        if not self._quiet:
            if not self._begun:
                print(validation.header())  # noqa: T201 - the command's output
                self._begun = True
            print("\n".join(validation.rows(result, paint=_colour(), verbose=self._verbose)), flush=True)  # noqa: T201
        self._explained += validation.explain(result)

    def finish(self, report: Report) -> None:
        """Print the findings, the notes and the last line."""
        from hipify_py.report import validation

        for line in (*self._explained, *report.notes, validation.summary(report)):
            sys.stderr.write(line + "\n")


def _colour() -> bool:
    from hipify_py.report import _colour as wanted

    return wanted(sys.stdout)


def _write_reports(given: argparse.Namespace, report: Report) -> None:
    from hipify_py.files import write_atomic
    from hipify_py.report import validation

    if given.json == "-":
        sys.stdout.write(validation.as_json(report))
    elif given.json:
        write_atomic(Path(given.json), validation.as_json(report).encode())
    if given.junit:
        write_atomic(Path(given.junit), validation.as_junit(report).encode())
