"""One call of the translator from start to end: plan, run, report, depfile. What the command line does."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from hipify_py.config import Options, forget, options_for
from hipify_py.files import FileResult, InputError, check_output, check_text, same_file, write_atomic
from hipify_py.report import Mode, Report
from hipify_py.tree import Destination, Failure, Job, Task, plan, run_job, run_jobs

STDIN = "-"
_STDIN_NAME = "<stdin>"


@dataclass(frozen=True, slots=True)
class Session:
    """What one call asks for.

    Args:
        inputs: Files, folders, or ``-``.
        options: What the call chose; pyproject.toml is asked for the rest.
        report: Where results and failures go.
        output: A file for the only input, ``-`` for standard output.
        output_dir: A folder for all outputs.
        inplace: Replace the inputs.
        backup: Keep ``NAME.prehip`` then.
        diff: Print the differences, write nothing.
        check: Write nothing, count outputs that are missing or stale.
        write: Write at all.
        build: Where compile_commands.json is.
        jobs: How many processes; 0: one a core.
        depfile: Where Make's dependencies go.
        stdin_filename: What standard input is called.
        fail_on_write: A file that was written makes the status 1.
    """

    inputs: tuple[str, ...]
    options: Options
    report: Report
    output: str | None = None
    output_dir: str | None = None
    inplace: bool = False
    backup: bool = False
    diff: bool = False
    check: bool = False
    write: bool = True
    build: str | None = None
    jobs: int = 1
    depfile: str | None = None
    stdin_filename: str | None = None
    fail_on_write: bool = False

    def run(self) -> int:
        """Do it; return the exit status.

        Raises:
            InputError: The call as a whole is wrong.
        """
        forget()
        self._check_call()
        self.options.settings()
        strict = self._read_options()
        if self.depfile is not None:
            check_output(Path(self.depfile))
        task = Task(options=self.options, write=self._writes, backup=self.backup, build=self._build)
        results = self._run_stdin(task) if STDIN in self.inputs else self._run_files(task)
        if self.depfile is not None:
            self._write_depfile(Path(self.depfile), results)
        return self.report.finish(strict=strict, fail_on_write=self.fail_on_write)

    @property
    def _writes(self) -> bool:
        return self.write and not self.diff and not self.check and self.output != "-"

    def _check_call(self) -> None:
        if not self.inputs:
            raise InputError("no input: name a CUDA source, or `-` for standard input (see `hipify-py --help`)")
        for text in (*self.inputs, self.output or "", self.output_dir or ""):
            if "\0" in text:
                raise InputError(f"`{text}` has a NUL byte in it and names no file")
        if STDIN in self.inputs and len(self.inputs) > 1:
            raise InputError("`-` (standard input) stands alone: translate the other files apart")
        if self.report.owns_stdout and self._text_to_stdout:
            raise InputError(f"`--output-format {self.report.form.value}` and the translation both go to standard "
                             "output: write the translation to a file with `-o`")
        if self.jobs < 0:
            raise InputError(f"`-j {self.jobs}` is no number of processes: give 1 or more, or 0 for one a core")

    @property
    def _text_to_stdout(self) -> bool:
        return self.write and not self.check and (
            self.diff or self.output == "-" or (STDIN in self.inputs and self.output is None))

    def _run_stdin(self, task: Task) -> list[FileResult]:
        if self.inplace or self.output_dir is not None or self.check:
            raise InputError("standard input has no place on disk: use `-o FILE`, or leave it for standard output")
        name = Path(self.stdin_filename or _STDIN_NAME)
        data = sys.stdin.buffer.read()
        check_text(name, data)
        to_file = self.output is not None and self.output != "-" and self._writes
        target = Path(self.output) if self.output is not None and self.output != "-" else name
        outcome = run_job(Job(name, target), replace(task, write=to_file), read=lambda _: data)
        return self._take([outcome], show=not to_file and self.write)

    def _run_files(self, task: Task) -> list[FileResult]:
        to_stdout = self.output == "-"
        where = Destination(Path(self.output) if self.output is not None and not to_stdout else None,
                            None if self.output_dir is None else Path(self.output_dir),
                            self.inplace, compare=not self._writes)
        todo = plan([Path(each) for each in self.inputs], where, self._exclude())
        for report in filter(None, (self.depfile, self.report.stats_file)):
            for job in todo.jobs:
                if any(place is not None and same_file(Path(report), place) for place in (job.source, job.output)):
                    raise InputError(f"`{report}` is the input or the output of a translation too: write the report elsewhere")
        if to_stdout and len(todo.jobs) + len(todo.problems) > 1:
            raise InputError("`-o -` takes one input: use `--output-dir` for several")
        for path, message in todo.problems:
            self.report.failure(Failure(path, message))
        processes = self.jobs or os.cpu_count() or 1
        outcomes = run_jobs(todo.jobs, task, processes, make_folders=self.output_dir is not None)
        return self._take(outcomes, show=to_stdout)

    def _take(self, outcomes: Iterable[FileResult | Failure], show: bool) -> list[FileResult]:
        """Hand results to the report, as they come."""
        results = []
        for outcome in outcomes:
            if isinstance(outcome, Failure):
                self.report.failure(outcome)
                continue
            if self.diff:
                self.report.diff(outcome)
            elif show:
                self.report.text(outcome)
            self.report.result(outcome, self._mode(show))
            results.append(outcome)
        return results

    def _mode(self, show: bool) -> Mode:
        if self.check:
            return Mode.CHECK
        if show and not self.diff:
            return Mode.SHOW
        return Mode.WRITE if self._writes else Mode.LOOK

    def _exclude(self) -> tuple[str, ...]:
        patterns = set(self.options.exclude)
        for each in self.inputs:
            if Path(each).is_dir():
                patterns.update(options_for(Path(each) / "x", self.options).exclude)
        return tuple(sorted(patterns))

    def _read_options(self) -> bool:
        """Read what stands beside the inputs, so that a fault there is said once; return whether warnings count."""
        strict = False
        for each in self.inputs:
            path = Path(self.stdin_filename or _STDIN_NAME) if each == STDIN else Path(each)
            found = options_for(path / "x" if path.is_dir() else path, self.options, self._build)
            strict = strict or bool(found.strict)
        return strict

    @property
    def _build(self) -> Path | None:
        return None if self.build is None else Path(self.build)

    def _write_depfile(self, path: Path, results: list[FileResult]) -> None:
        from hipify_py.report.depfile import depfile  # noqa: PLC0415 - only when asked for

        rules = [(result.output or result.path, result.path,
                  options_for(result.path, self.options, self._build).include_dir) for result in results]
        write_atomic(path, depfile(rules))
