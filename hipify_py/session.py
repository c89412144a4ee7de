"""One call of the translator from start to end: plan, run, report, depfile. What the command line does."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hipify_py.caches import folder
from hipify_py.config import Options, forget, options_for, patterns_for
from hipify_py.files import FileResult, InputError, check_output, check_text, same_file, write_atomic
from hipify_py.report import Mode, Report
from hipify_py.tree import Destination, Failure, Job, Others, Patterns, Plan, Search, Task, plan, run_job, run_jobs
from hipify_py.tree.records import Records

#: The output and the source of a result, for the depfile; results themselves are not kept.
Made = tuple[Path, Path]
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
        root: The folder below which inputs keep their places in it; None: each folder that is named.
        inplace: Replace the inputs.
        backup: Keep ``NAME.prehip`` then.
        diff: Print the differences, write nothing.
        check: Write nothing, count outputs that are missing or stale.
        write: Write at all.
        build: Where compile_commands.json is.
        jobs: How many processes; 0: one a core.
        executor: ``dask://HOST:PORT`` instead of processes.
        gitignore: Leave out of folders what .gitignore files name.
        rename_paths: ``cuda`` in the names of outputs becomes ``hip``.
        others: What becomes of files of folders that no translation concerns.
        build_files: Translate the build files of folders that CUDA concerns, too.
        cache: Keep translations, and use those that were kept.
        cache_dir: Where; default: the user's cache folder.
        depfile: Where Make's dependencies go.
        stdin_filename: What standard input is called.
        fail_on_write: A file that was written makes the status 1.
    """

    inputs: tuple[str, ...]
    options: Options
    report: Report
    output: str | None = None
    output_dir: str | None = None
    root: str | None = None
    inplace: bool = False
    backup: bool = False
    diff: bool = False
    check: bool = False
    write: bool = True
    build: str | None = None
    jobs: int = 0
    executor: str | None = None
    gitignore: bool = True
    rename_paths: bool = False
    others: Others = Others.LEAVE
    build_files: bool = False
    cache: bool = True
    cache_dir: str | None = None
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
        kept = self._cache_folder()
        tree = None if self.output_dir is None else Path(self.output_dir)
        task = Task(options=self.options, write=self._writes, backup=self.backup, build=self._build,
                    make_folders=tree is not None, tree=tree, cache=kept if self.cache else None, state=kept)
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

    def _run_stdin(self, task: Task) -> list[Made]:
        if self.inplace or self.output_dir is not None or self.check:
            raise InputError("standard input has no place on disk: use `-o FILE`, or leave it for standard output")
        name = Path(self.stdin_filename or _STDIN_NAME)
        to_file = self.output is not None and self.output != "-" and self._writes
        target = Path(self.output) if self.output is not None and self.output != "-" else name
        if to_file:
            self._check_reports([Job(name, target)])
        data = sys.stdin.buffer.read()
        check_text(name, data)
        # What is generated from a stream is recorded nowhere: nobody could map it back.
        outcome = run_job(Job(name, target), replace(task, write=to_file, record=False), read=lambda _: data)
        return self._take([outcome], show=not to_file and self.write)

    def _run_files(self, task: Task) -> list[Made]:
        to_stdout = self.output == "-"
        where = Destination(Path(self.output) if self.output is not None and not to_stdout else None, task.tree,
                            self.inplace, not self._writes, None if self.root is None else Path(self.root))
        todo = plan([Path(each) for each in self.inputs], where, self._search(task))
        self._check_reports(todo.jobs)
        if to_stdout and len(todo.jobs) + len(todo.problems) > 1:
            raise InputError("`-o -` takes one input: use `--output-dir` for several")
        for path, message in todo.problems:
            self.report.failure(Failure(path, message))
        for path in todo.without_cuda:
            self.report.remark(f"{path}: none of its sources has CUDA in it, nothing to do")
        made = self._run_jobs(todo, task, to_stdout)
        if todo.others:
            self._bring(todo)
        if task.tree is not None:
            self.report.orphans(Records(task.tree).orphans(), self._mode(to_stdout))
        self.report.builds(todo.builds)
        return made

    def _run_jobs(self, todo: Plan, task: Task, to_stdout: bool) -> list[Made]:
        if self.executor is None:
            return self._take(run_jobs(todo.jobs, task, self.jobs or cores()), to_stdout, len(todo.jobs))
        from hipify_py.tree.cluster import cluster  # noqa: PLC0415 - only with --executor

        with cluster(self.executor, todo.jobs[0].source if todo.jobs else None) as pool:
            made = self._take(run_jobs(todo.jobs, task, pool=pool), to_stdout, len(todo.jobs))
            pool.close()
        if pool.lost:
            self.report.remark(f"`{self.executor}` lost {pool.lost} of the files with its workers: they were translated here")
        return made

    def _bring(self, todo: Plan) -> None:
        """Let the other files of folders go along."""
        from hipify_py.tree.others import bring  # noqa: PLC0415 - only when asked for

        stale = 0
        for outcome in bring(todo.others, self.others, self._writes):
            if isinstance(outcome, Failure):
                self.report.failure(outcome)
            else:
                stale += outcome.stale
        self.report.others(len(todo.others), stale, self._mode(False))

    def _search(self, task: Task) -> Search:
        options, build = self.options, self._build
        return Search(options.include, options.exclude, _patterns_of, self.gitignore, self.rename_paths, self.others,
                      self.build_files, lambda path: options_for(path, options, build).include_dir,
                      lambda folder: options_for(folder / "x", options).settings().mappings, task.disk)

    def _check_reports(self, jobs: Sequence[Job]) -> None:
        """Refuse to write a report over a source or an output."""
        for report in filter(None, (self.depfile, self.report.stats_file)):
            for job in jobs:
                if any(place is not None and _same_place(Path(report), place) for place in (job.source, job.output)):
                    raise InputError(f"`{report}` is the input or the output of a translation too: write the report elsewhere")

    def _take(self, outcomes: Iterable[FileResult | Failure], show: bool, total: int = 1) -> list[Made]:
        """Hand results to the report, as they come."""
        from hipify_py.report.progress import Progress  # noqa: PLC0415 - start-up time

        progress = Progress(total)
        made: list[Made] = []
        try:
            for outcome in outcomes:
                progress.clear()
                if isinstance(outcome, Failure):
                    self.report.failure(outcome)
                else:
                    if self.diff:
                        self.report.diff(outcome)
                    elif show:
                        self.report.text(outcome)
                    self.report.result(outcome, self._mode(show))
                    if self.depfile is not None:
                        made.append((outcome.output or outcome.path, outcome.path))
                progress.step()
        finally:
            progress.clear()
        return made

    def _mode(self, show: bool) -> Mode:
        if self.check:
            return Mode.CHECK
        if show and not self.diff:
            return Mode.SHOW
        return Mode.WRITE if self._writes else Mode.LOOK

    def _read_options(self) -> bool:
        """Read what stands beside the inputs, so that a fault there is said once; return whether warnings count."""
        strict = False
        for each in self.inputs:
            path = Path(self.stdin_filename or _STDIN_NAME) if each == STDIN else Path(each)
            try:
                found = options_for(path / "x" if path.is_dir() else path, self.options, self._build)
            except OSError:
                continue  # a path that cannot be looked at: said where it is to be translated
            strict = strict or bool(found.strict)
        return strict

    @property
    def _build(self) -> Path | None:
        return None if self.build is None else Path(self.build)

    def _cache_folder(self) -> Path | None:
        """Where translations and the records of single outputs are kept; None where the user has no such folder."""
        if self.cache_dir is not None:
            return Path(self.cache_dir)
        try:
            return folder()
        except RuntimeError:
            return None

    def _write_depfile(self, path: Path, made: list[Made]) -> None:
        from hipify_py.report.depfile import depfile  # noqa: PLC0415 - only when asked for

        write_atomic(path, depfile([(output, source, options_for(source, self.options, self._build).include_dir)
                                    for output, source in made]))


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _patterns_of(folder: Path) -> list[Patterns]:
    """What the pyproject.toml of a folder says about files."""
    found = patterns_for(folder)
    return [] if found is None else [Patterns(Path(os.path.realpath(found[0])), found[1], found[2])]


def _same_place(path: Path, other: Path) -> bool:
    """Whether two paths lead to one file, or would if there was one."""
    return same_file(path, other) or os.path.realpath(path) == os.path.realpath(other)
