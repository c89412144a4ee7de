"""``hipify-py FILE...``: translate."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hipify_py.cli.arguments import familiar, parser

if TYPE_CHECKING:
    import argparse

    from hipify_py.config import Options


def main(argv: Sequence[str]) -> int:
    """Translate what the arguments name; return the exit status."""
    ours = parser()
    words, clang = familiar(argv, ours)
    try:
        given = ours.parse_args(words)
    except SystemExit as stop:
        return int(stop.code or 0)
    if given.version:
        from hipify_py import __version__

        print(f"hipify-py {__version__}")  # noqa: T201 - the command's output
        return 0
    from hipify_py.files import InputError

    if given.reverse_map is not None:
        from hipify_py.cli import revert

        return revert.main([given.reverse_map, *(["--cache-dir", given.cache_dir] if given.cache_dir else [])])
    try:
        return _translate(given, clang)
    except InputError as error:
        sys.stderr.write(f"hipify-py: error: {error}\n")
        return 2


def _translate(given: argparse.Namespace, clang: list[str]) -> int:
    from hipify_py.files import InputError
    from hipify_py.report import Form, Report
    from hipify_py.session import Session
    from hipify_py.tree import Others

    if given.copy_others and given.link_others:
        raise InputError("`--copy-others` and `--link-others` exclude each other: give one of them")

    if given.update_baseline and given.baseline is None:
        raise InputError("`--update-baseline` writes the file of `--baseline FILE`: name one")
    baseline = None
    if given.baseline is not None:
        from hipify_py.report.baseline import Baseline

        baseline = Baseline(given.baseline, update=given.update_baseline)
    options = _options(given, clang)
    report = Report(Form(given.output_format), quiet=given.quiet, quiet_warnings=given.quiet_warnings,
                    stats=given.stats or given.examine, stats_csv=given.stats_csv, stats_file=given.stats_file,
                    baseline=baseline)
    session = Session(
        inputs=tuple(given.inputs), options=options, report=report, output=given.output, output_dir=given.output_dir,
        root=given.root,
        inplace=given.inplace, backup=given.backup, diff=given.diff, check=given.check,
        write=not (given.no_output or given.examine), build=given.build, jobs=given.jobs, executor=given.executor,
        gitignore=given.gitignore, rename_paths=given.rename_paths,
        others=Others.COPY if given.copy_others else Others.LINK if given.link_others else Others.LEAVE, cache=given.cache,
        build_files=given.build_files, cache_dir=given.cache_dir, depfile=given.depfile,
        stdin_filename=given.stdin_filename, fail_on_write=given.exit_non_zero_on_fix)
    return session.run()


def _options(given: argparse.Namespace, clang: list[str]) -> Options:
    from hipify_py.config import Options

    return Options(
        style=given.style, launch_syntax=given.launch_syntax, thread_indices=given.thread_indices,
        unsafe_fixes=given.unsafe_fixes, select=_split(given.select), ignore=_split(given.ignore), rocm=given.rocm,
        offload_arch=_split(given.offload_arch), target_libraries=given.target_libraries,
        include_dir=tuple(given.include_dir), define=tuple(given.define), std=given.std,
        clang_args=(*given.clang_arg, *clang), skip_inactive=given.skip_inactive, verify=given.verify,
        strict=given.strict, exclude=_split(given.exclude), include=_split(given.include), mappings=tuple(given.mapping),
        plugins=given.plugins, annotate=given.annotate)


def _split(values: list[str]) -> tuple[str, ...]:
    """Values that may be given apart or with commas."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())
