"""Run the jobs of a call, one after the other or in processes; the order of results is the order of jobs."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hipify_py.config import Options, options_for
from hipify_py.engine import translate
from hipify_py.files import (
    FileResult,
    InputError,
    default_output,
    keep_backup,
    read_source,
    reason,
    same_file,
    write_atomic,
)
from hipify_py.settings import Settings
from hipify_py.tree.plan import Destination, Job, plan


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that was not translated, and why, in one line."""

    path: Path
    message: str


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done with each job.

    Args:
        options: What the command line chose; pyproject.toml is asked for the rest, unless ``settings`` stands.
        settings: All of the settings, for callers of the API.
        write: Write the outputs; otherwise only find out which of them are stale.
        backup: Keep ``NAME.prehip`` of files that are changed in place.
        build: The folder or file of ``compile_commands.json``, for each file's flags.
        renamed: Real path and new name of each source whose output is called otherwise (see Settings).
    """

    options: Options = field(default_factory=Options)
    settings: Settings | None = None
    write: bool = True
    backup: bool = False
    build: Path | None = None
    renamed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TreeResult:
    """What became of many files, in a stable order."""

    files: tuple[FileResult, ...]
    failures: tuple[Failure, ...]


def translate_tree(paths: Sequence[str | os.PathLike[str]] | str | os.PathLike[str],
                   output_dir: str | os.PathLike[str] | None = None, *, settings: Settings | None = None,
                   jobs: int = 1, exclude: Sequence[str] = (), backup: bool = False) -> TreeResult:
    """Translate files and folders.

    Args:
        paths: One path or several; folders are searched for C++ and CUDA sources.
        output_dir: Where the results go, in the layout of the input, ``.cu`` as ``.hip``; default: in place.
        settings: How to translate; default: :class:`~hipify_py.settings.Settings`.
        jobs: How many processes.
        exclude: Patterns of paths to leave out of folders.
        backup: Keep ``NAME.prehip`` of files that are changed in place.

    Returns:
        The results and the failures; a file that cannot be read or written never stops the others.
    """
    single = isinstance(paths, (str, os.PathLike))
    given = [Path(paths)] if single else [Path(path) for path in paths]  # type: ignore[arg-type,union-attr]
    target = None if output_dir is None else Path(output_dir)
    todo = plan(given, Destination(output_dir=target, inplace=target is None), exclude)
    task = Task(settings=settings or Settings(), backup=backup)
    files: list[FileResult] = []
    failures = [Failure(path, message) for path, message in todo.problems]
    for outcome in run_jobs(todo.jobs, task, jobs, make_folders=True):
        if isinstance(outcome, Failure):
            failures.append(outcome)
        else:
            files.append(outcome)
    return TreeResult(tuple(files), tuple(failures))


def run_jobs(todo: Sequence[Job], task: Task, processes: int = 1, *,
             make_folders: bool = False) -> Iterator[FileResult | Failure]:
    """Run jobs; results come in the order of the jobs.

    Args:
        todo: The jobs.
        task: What to do with each.
        processes: How many run at a time.
        make_folders: Create the folders of outputs.
    """
    task = replace(task, renamed=tuple((os.path.realpath(job.source), job.output.name) for job in todo
                                       if job.output is not None and job.output.name != job.source.name
                                       and len(todo) > 1))
    if processes <= 1 or len(todo) <= 1:
        for job in todo:
            yield run_job(job, task, make_folders)
        return
    yield from _parallel(todo, task, processes, make_folders)


def _parallel(todo: Sequence[Job], task: Task, processes: int, make_folders: bool) -> Iterator[FileResult | Failure]:
    """Run jobs in processes; a process that dies takes only its own file with it."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - start-up time
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    pool = ProcessPoolExecutor(min(processes, len(todo)), initializer=_ignore_interrupts)
    try:
        futures = [pool.submit(run_job, job, task, make_folders) for job in todo]
        for job, future in zip(todo, futures, strict=True):
            try:
                yield future.result()
            except BrokenProcessPool:
                yield _alone(job, task, make_folders)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _alone(job: Job, task: Task, make_folders: bool) -> FileResult | Failure:
    """Run a job that was lost with a process again, in one of its own."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - start-up time
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    with ProcessPoolExecutor(1, initializer=_ignore_interrupts) as pool:
        try:
            return pool.submit(run_job, job, task, make_folders).result()
        except BrokenProcessPool:
            return Failure(job.source, f"`{job.source}` was not translated: its process died (out of memory, or a "
                           "fault in libclang); please report it")


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the main process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run_job(job: Job, task: Task, make_folders: bool = False,
            read: Callable[[Path], bytes] = read_source) -> FileResult | Failure:
    """Translate one file; whatever goes wrong becomes a Failure."""
    try:
        return _run(job, task, make_folders, read)
    except InputError as error:
        return Failure(job.source, str(error))
    except MemoryError:
        return Failure(job.source, f"`{job.source}` does not fit into memory: split it, or use a larger machine")
    except Exception as error:
        if os.environ.get("HIPIFY_PY_DEBUG"):
            raise
        return Failure(job.source, f"`{job.source}` was not translated: internal error, {type(error).__name__}: "
                       f"{' '.join(str(error).split())}; please report it (HIPIFY_PY_DEBUG=1 shows where)")


def _run(job: Job, task: Task, make_folders: bool, read: Callable[[Path], bytes]) -> FileResult:
    settings = task.settings
    if settings is None:
        settings = options_for(job.source, task.options, task.build).settings()
    if task.renamed:
        settings = replace(settings, renamed_sources=task.renamed)
    data = read(job.source)
    translation = translate(data, filename=str(job.source), settings=settings)
    if job.output is None:
        if translation.changed:
            default_output(job.source)  # says what to do
        return FileResult(job.source, job.source, translation)
    if not task.write:
        return FileResult(job.source, job.output, translation, stale=_stale(job.output, translation.text))
    kept = None
    if task.backup and translation.changed and same_file(job.source, job.output):
        kept = keep_backup(job.source, data)
    if make_folders:
        _make_folder(job.output.parent)
    written = write_atomic(job.output, translation.text, like=job.source)
    return FileResult(job.source, job.output, translation, written, written, kept)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"`{folder}` is a file: the output needs a folder there") from None
    except OSError as error:
        raise InputError(f"the folder `{folder}` cannot be created: {reason(error)}") from None


def _stale(output: Path, text: bytes) -> bool:
    """Whether an output lacks the result."""
    try:
        return output.read_bytes() != text
    except OSError:
        return True
