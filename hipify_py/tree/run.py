"""Run the jobs of a call: from the cache, here, or in workers; the order of results is the order of jobs.

Workers translate and nothing else. This process reads sources, asks the cache and writes outputs, one by one, so that what
happens to a worker, or how many there are, changes no byte.
"""

from __future__ import annotations

import os
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.build_files import build_file
from hipify_py.config import Options, options_for
from hipify_py.diagnostics import REFUSED, Diagnostic
from hipify_py.engine import Translation
from hipify_py.files import FileResult, InputError, read_source, same_file
from hipify_py.settings import Settings
from hipify_py.tree.cache import Cache, folders, key_of, still
from hipify_py.tree.codec import decode, encode
from hipify_py.tree.disk import Disk
from hipify_py.tree.plan import Destination, Job, Search, plan
from hipify_py.tree.work import Fault, Work, attempt, internal
from hipify_py.tree.write import Writer

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from hipify_py.tree.pool import Handle, Pool

#: How many files are looked ahead, so that workers have something to do; bounds the memory.
WINDOW = 48
#: With fewer files than this to translate, starting processes takes longer than it saves.
FEW = 4
#: What a machine lacks, or a fault of ours: a result with one of these is not kept.
_PASSING = frozenset(("HPY001", "HPY902"))


def passes(diagnostic: Diagnostic) -> bool:
    """Whether something may be otherwise the next time; that a source is none for libclang stays so."""
    return diagnostic.code in _PASSING and not diagnostic.message.startswith(REFUSED)


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
        make_folders: Create the folders of outputs.
        tree: The folder of all outputs, which holds their records; None: single outputs.
        cache: The user's cache folder, for translations; None: each file is translated anew.
        state: The folder for the records of single outputs that lie in no tree; None: nothing is recorded about them.
        record: Whether to record anything, and to look for edits by hand.
        disk: The memory of the run.
    """

    options: Options = field(default_factory=Options)
    settings: Settings | None = None
    write: bool = True
    backup: bool = False
    build: Path | None = None
    make_folders: bool = False
    tree: Path | None = None
    cache: Path | None = None
    state: Path | None = None
    record: bool = True
    disk: Disk = field(default_factory=Disk)


@dataclass(frozen=True, slots=True)
class TreeResult:
    """What became of many files, in a stable order."""

    files: tuple[FileResult, ...]
    failures: tuple[Failure, ...]


def translate_tree(paths: Sequence[str | os.PathLike[str]] | str | os.PathLike[str],
                   output_dir: str | os.PathLike[str] | None = None, *, settings: Settings | None = None,
                   jobs: int = 1, exclude: Sequence[str] = (), include: Sequence[str] = (), backup: bool = False,
                   gitignore: bool = True, rename_paths: bool = False, executor: Executor | None = None,
                   cache_dir: str | os.PathLike[str] | None = None) -> TreeResult:
    """Translate files and folders.

    Args:
        paths: One path or several; folders are searched for C++ and CUDA sources that CUDA concerns.
        output_dir: Where the results go, in the layout of the input, ``.cu`` as ``.hip``; default: in place. Outputs that were
            edited by hand since the last time are merged.
        settings: How to translate; default: :class:`~hipify_py.settings.Settings`.
        jobs: How many processes.
        exclude: Patterns, as in .gitignore, of what to leave out of folders.
        include: Patterns of the files that are taken; default: all C++ and CUDA sources.
        backup: Keep ``NAME.prehip`` of files that are changed in place.
        gitignore: Leave out what .gitignore files name.
        rename_paths: ``cuda`` in the names of files and folders becomes ``hip``; needs ``output_dir``.
        executor: Runs the translations instead of processes of our own; it is not shut down. Its workers have to see the
            headers under the same paths.
        cache_dir: Keep translations there, for the next time; default: nowhere.

    Returns:
        The results and the failures; a file that cannot be read or written never stops the others.

    Raises:
        InputError: The call as a whole makes no sense.
    """
    single = isinstance(paths, (str, os.PathLike))
    given = [Path(paths)] if single else [Path(path) for path in paths]  # type: ignore[arg-type,union-attr]
    target = None if output_dir is None else Path(output_dir)
    settings = settings or Settings()
    task = Task(settings=settings, backup=backup, make_folders=True, tree=target,
                cache=None if cache_dir is None else Path(cache_dir))
    around = folders(settings)
    search = Search(tuple(include), tuple(exclude), gitignore=gitignore, rename=rename_paths, folders_of=lambda _: around,
                    mappings_of=lambda _: settings.mappings, disk=task.disk)
    todo = plan(given, Destination(output_dir=target, inplace=target is None), search)
    files: list[FileResult] = []
    failures = [Failure(path, message) for path, message in todo.problems]
    pool = None
    if executor is not None:
        from hipify_py.tree.pool import Borrowed  # noqa: PLC0415 - start-up time

        pool = Borrowed(executor)
    try:
        for outcome in run_jobs(todo.jobs, task, jobs, pool=pool):
            if isinstance(outcome, Failure):
                failures.append(outcome)
            else:
                files.append(outcome)
    finally:
        if pool is not None:
            pool.close()
    return TreeResult(tuple(files), tuple(failures))


@dataclass(slots=True)
class _Ready:
    """A job with what was read for it, and its translation as far as it has come."""

    job: Job
    work: Work
    key: str | None
    found: Translation | None = None
    handle: Handle | None = None


def run_jobs(todo: Sequence[Job], task: Task, processes: int = 1, *,
             pool: Pool | None = None) -> Iterator[FileResult | Failure]:
    """Run jobs; results come in the order of the jobs.

    Args:
        todo: The jobs.
        task: What to do with each.
        processes: How many run at a time.
        pool: Where they run instead.
    """
    if task.write and any(job.output is not None and same_file(job.source, job.output) for job in todo):
        yield from _run_in_place(todo, task, processes, pool)
        return
    with _writer(task) as writer:
        for made in _translations(todo, task, processes, pool):
            yield made if isinstance(made, Failure) else _finish(writer, made[0].job, made[1])
        fault = writer.close()
        if fault:
            yield Failure(task.tree or Path(), fault)


def _run_in_place(todo: Sequence[Job], task: Task, processes: int, pool: Pool | None) -> Iterator[FileResult | Failure]:
    """Translate all files before the first is written: each is to see the headers of the others as they were."""
    packed: list[tuple[Job, bytes, bytes] | Failure] = []
    for made in _translations(todo, task, processes, pool):
        packed.append(made if isinstance(made, Failure) else (
            made[0].job, zlib.compress(made[0].work.data, 1), zlib.compress(encode(made[1]), 1)))
    packed.reverse()
    with _writer(task) as writer:
        while packed:
            each = packed.pop()
            if isinstance(each, Failure):
                yield each
            else:
                job, data, encoded = each
                translation = decode(zlib.decompress(encoded), str(job.source), zlib.decompress(data))
                yield _finish(writer, job, translation)


def run_job(job: Job, task: Task, read: Callable[[Path], bytes] = read_source) -> FileResult | Failure:
    """Translate one file by itself; whatever goes wrong becomes a Failure."""
    ready = _prepare(job, task, {}, None, read)
    if isinstance(ready, Failure):
        return ready
    outcome = _translation(ready, attempt(ready.work))
    if isinstance(outcome, Failure):
        return outcome
    with _writer(task) as writer:
        return _finish(writer, job, outcome)


def _writer(task: Task) -> Writer:
    return Writer(task.write, task.backup, task.make_folders, task.tree, task.state, task.record)


def _finish(writer: Writer, job: Job, translation: Translation) -> FileResult | Failure:
    try:
        return writer.finish(job, translation)
    except InputError as error:
        return Failure(job.source, str(error))
    except Exception as error:
        if os.environ.get("HIPIFY_PY_DEBUG"):
            raise
        return Failure(job.source, f"`{job.source}` {internal(error)}")


def _translations(todo: Sequence[Job], task: Task, processes: int,
                  pool: Pool | None) -> Iterator[tuple[_Ready, Translation] | Failure]:
    """The translations in order, from the cache or from where they are made; a few jobs are looked ahead."""
    renamed = {os.path.realpath(job.source): job.renamed for job in todo if job.renamed} if len(todo) > 1 else {}
    cache = None if task.cache is None else Cache(task.cache)
    own: Pool | None = None
    window = WINDOW if pool is None else 8 * WINDOW
    waiting: deque[_Ready | Failure] = deque()
    rest = iter(todo)
    try:
        while True:
            while len(waiting) < window and (job := next(rest, None)) is not None:
                ready = _prepare(job, task, renamed, cache)
                if pool is not None and isinstance(ready, _Ready) and ready.found is None:
                    ready.handle = pool.submit(ready.work)
                waiting.append(ready)
            if not waiting:
                return
            open_work = [each for each in waiting if isinstance(each, _Ready) and each.found is None]
            if pool is None and processes > 1 and len(open_work) >= FEW:
                from hipify_py.tree.pool import Processes  # noqa: PLC0415 - start-up time

                _warm_up()
                pool = own = Processes(processes)
                for each in open_work:
                    each.handle = pool.submit(each.work)
            first = waiting.popleft()
            yield first if isinstance(first, Failure) else _result(first, pool, cache, task.disk)
    finally:
        if own is not None:
            own.close()
        if cache is not None:
            cache.close()


def _result(ready: _Ready, pool: Pool | None, cache: Cache | None,
            disk: Disk) -> tuple[_Ready, Translation] | Failure:
    """Wait for one translation, and keep it."""
    if ready.found is not None:
        return ready, ready.found
    made = pool.result(ready.handle) if ready.handle is not None and pool is not None else attempt(ready.work)
    outcome = _translation(ready, made)
    if isinstance(outcome, Failure):
        return outcome
    if cache is not None and ready.key is not None and not any(
            map(passes, outcome.diagnostics)) and still(ready.work.name, ready.work.data, ready.work.settings, disk):
        cache.put(ready.key, made if isinstance(made, bytes) else encode(outcome))
    return ready, outcome


def _translation(ready: _Ready, made: bytes | Translation | Fault) -> Translation | Failure:
    if isinstance(made, Translation):
        return made
    if isinstance(made, Fault):
        return Failure(ready.job.source, f"`{ready.job.source}` {made.message}")
    return decode(made, ready.work.name, ready.work.data)


def _prepare(job: Job, task: Task, renamed: dict[str, str], cache: Cache | None,
             read: Callable[[Path], bytes] = read_source) -> _Ready | Failure:
    """Read a source and its settings, and ask the cache."""
    try:
        settings = task.settings
        if settings is None:
            settings = options_for(job.source, task.options, task.build).settings()
        data = read(job.source)
    except InputError as error:
        return Failure(job.source, str(error))
    except MemoryError:
        return Failure(job.source, f"`{job.source}` does not fit into memory: split it, or use a larger machine")
    except Exception as error:
        if os.environ.get("HIPIFY_PY_DEBUG"):
            raise
        return Failure(job.source, f"`{job.source}` {internal(error)}")
    name = str(job.source)
    if renamed:
        settings = replace(settings, renamed_sources=_concerned(name, data, settings, renamed, task.disk))
    ready = _Ready(job, Work(name, data, settings), None)
    if cache is not None:
        ready.key = key_of(name, data, settings, task.disk)
        ready.found = _cached(cache, ready)
    return ready


def _cached(cache: Cache, ready: _Ready) -> Translation | None:
    """What the cache has for a job, if it can be read."""
    encoded = None if ready.key is None else cache.get(ready.key)
    try:
        return None if encoded is None else decode(encoded, ready.work.name, ready.work.data)
    except ValueError:
        return None


def _concerned(name: str, data: bytes, settings: Settings, renamed: dict[str, str],
               disk: Disk) -> tuple[tuple[str, str], ...]:
    """Of the files that get another name, those that a source names."""
    if build_file(name) is not None:
        return tuple(renamed.items())
    here, around = os.path.dirname(name), folders(settings)  # noqa: PTH120
    places = (disk.find(each, here, around) for each in disk.mentions(data))
    real = dict.fromkeys(os.path.realpath(place) for place in places if place is not None)
    return tuple((each, renamed[each]) for each in real if each in renamed)


def _warm_up() -> None:
    """Load before processes are forked what each of them would load by itself."""
    from hipify_py import rules  # noqa: PLC0415 - start-up time
    from hipify_py.clang import library  # noqa: PLC0415

    rules.load()
    library.load()
