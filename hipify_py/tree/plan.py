"""Which files a call means, and where the translation of each goes."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.build_files import build_file
from hipify_py.files import RENAMED_SUFFIXES, InputError, default_output, reason, same_file
from hipify_py.tree.builds import cuda_build_files
from hipify_py.tree.disk import Disk
from hipify_py.tree.patterns import NO_SOURCE_SUFFIXES, Patterns, Walk

if TYPE_CHECKING:
    from hipify_py.mapping.own import Row

_CUDA = re.compile(r"cuda", re.IGNORECASE)
_HIP = {"CUDA": "HIP", "Cuda": "Hip"}


@dataclass(frozen=True, slots=True)
class Job:
    """One file to translate and where its translation belongs; None if nobody said where, and it keeps its name.

    Args:
        source: The file.
        output: Where its translation goes.
        renamed: The end of the output's path, where it differs from the source's: as many parts as includes can name.
    """

    source: Path
    output: Path | None
    renamed: str = ""


@dataclass(frozen=True, slots=True)
class Other:
    """A file of a folder that no translation concerns, and where it goes along with the others."""

    source: Path
    output: Path


@dataclass(frozen=True, slots=True)
class Plan:
    """The jobs in a stable order, what goes along, and what cannot be done, as (input, one line)."""

    jobs: tuple[Job, ...]
    problems: tuple[tuple[Path, str], ...]
    others: tuple[Other, ...] = ()
    #: Folders that were looked through and hold sources, none of them with CUDA in it.
    without_cuda: tuple[Path, ...] = ()
    #: The build files of the folders that CUDA concerns: they are not translated along with the sources.
    builds: tuple[Path, ...] = ()


class Others(Enum):
    """What becomes of the files of a folder that no translation concerns."""

    LEAVE = "leave"
    COPY = "copy"
    LINK = "link"


def _no_patterns(_: Path) -> Sequence[Patterns]:
    return ()


def _no_folders(_: Path) -> Sequence[str]:
    return ()


def _no_rows(_: Path) -> tuple[Row, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Search:
    """How folders are looked through.

    Args:
        include: Patterns of the files that are sources, relative to the folder; see :class:`Patterns`.
        exclude: Patterns of what to leave out.
        project: More patterns for a folder, such as those of its pyproject.toml.
        gitignore: Leave out what .gitignore files name.
        rename: ``cuda`` in the names of files and folders becomes ``hip``.
        others: What becomes of files that no translation concerns.
        builds: Translate the build files that CUDA concerns, too.
        folders_of: The ``-I`` folders of a source.
        mappings_of: Rows of the person's own tables, for a folder.
        disk: The memory of the run.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    project: Callable[[Path], Sequence[Patterns]] = _no_patterns
    gitignore: bool = True
    rename: bool = False
    others: Others = Others.LEAVE
    builds: bool = False
    folders_of: Callable[[Path], Sequence[str]] = _no_folders
    mappings_of: Callable[[Path], tuple[Row, ...]] = _no_rows
    disk: Disk = field(default_factory=Disk)

    def renamed(self, inner: Path) -> Path:
        """What a place below the input is called in the output, its suffix apart."""
        return Path(*map(without_cuda, inner.parts)) if self.rename else inner


def without_cuda(name: str) -> str:
    """A file's or folder's name with ``hip`` for ``cuda``, in the same case."""
    return _CUDA.sub(lambda match: _HIP.get(match[0], "hip"), name)


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a call says that its output goes; at most one of the first three.

    Args:
        output: The output of the only input.
        output_dir: The folder for all outputs; the files of a folder keep their places below it.
        inplace: Outputs replace their inputs.
        compare: Nothing will be written: a file that keeps its name and has no output is compared with itself.
        root: With ``output_dir``: all inputs lie below this folder, and keep their places below it.
    """

    output: Path | None = None
    output_dir: Path | None = None
    inplace: bool = False
    compare: bool = False
    root: Path | None = None

    def inner(self, path: Path, folder: Path) -> Path:
        """The place of a file in the output, its name apart: below the folder that was named, or below the root.

        Raises:
            InputError: It lies outside of the root.
        """
        if self.root is None:
            return path.relative_to(folder)
        try:
            return Path(os.path.normpath(path.absolute())).relative_to(os.path.normpath(self.root.absolute()))
        except ValueError:
            raise InputError(f"`{path}` lies outside of `{self.root}`: give a `--root` that holds all inputs") from None

    def of(self, path: Path, inner: Path) -> Path | None:
        """Where one file goes, None if nobody said; ``inner`` is its place below the folder that was named.

        Raises:
            InputError: It would replace its input, which nobody asked for.
        """
        suffix = RENAMED_SUFFIXES.get(path.suffix.lower())
        if self.inplace:
            return path
        target = self.output
        if self.output_dir is not None:
            target = self.output_dir / (inner.with_suffix(suffix) if suffix else inner)
        if target is None and suffix is None:
            return path if self.compare else None
        target = target or default_output(path)
        if same_file(path, target):
            raise InputError(f"`{target}` is the input itself: use `-i` to translate in place, or another output")
        return target


def plan(paths: Sequence[Path], to: Destination, search: Search | None = None) -> Plan:
    """Work out the jobs of one call.

    Args:
        paths: Files and folders, as the person named them.
        to: Where outputs go.
        search: How to look through folders.

    Raises:
        InputError: The call as a whole makes no sense.
    """
    search = search or Search()
    if to.root is not None and to.output_dir is None:
        raise InputError("`--root` says below which folder files keep their places: give where they go, with `--output-dir DIR`")
    if sum((to.output is not None, to.output_dir is not None, to.inplace)) > 1:
        raise InputError("`-o`, `--output-dir` and `-i` each say where the output goes: give one of them")
    if to.output is not None and len(paths) > 1:
        raise InputError(f"`-o` names one output and there are {len(paths)} inputs: use `--output-dir`")
    if to.output_dir is None and (search.rename or search.others is not Others.LEAVE):
        raise InputError("`--rename-paths`, `--copy-others` and `--link-others` make another tree: give its place with "
                         "`--output-dir DIR`")
    parts: list[Plan] = []
    for path in paths:
        try:
            parts.append(_folder(path, to, search) if path.is_dir() else
                         Plan((_source(path, to, search),), ()))
        except InputError as error:
            parts.append(Plan((), ((path, str(error)),)))
        except OSError as error:
            parts.append(Plan((), ((path, f"`{path}` cannot be read: {reason(error)}"),)))
    kept, clashes = _without_clashes([job for part in parts for job in part.jobs], to.inplace)
    outputs = {os.path.realpath(job.output or job.source) for job in kept}
    others = tuple(other for part in parts for other in part.others if os.path.realpath(other.output) not in outputs)
    problems = [problem for part in parts for problem in part.problems]
    return Plan(tuple(kept), tuple(problems + clashes), others, tuple(path for part in parts for path in part.without_cuda),
                tuple(dict.fromkeys(path for part in parts for path in part.builds)))


def _source(path: Path, to: Destination, search: Search) -> Job:
    """The job of a file that was named.

    Raises:
        InputError: It is no source, by its name.
    """
    if path.suffix.lower() in NO_SOURCE_SUFFIXES and build_file(str(path)) is None:
        raise InputError(f"`{path}` is no C++ or CUDA source by its name: leave it out (`hipify-py - --stdin-filename x.cu` "
                         "takes any text)")
    return _job(path, to.inner(path, path.parent), to, search)


def _job(path: Path, inner: Path, to: Destination, search: Search) -> Job:
    """The job of one file; ``inner`` is its place below the folder that was named."""
    output = to.of(path, search.renamed(inner))
    if output is None or to.inplace or (output.name == inner.name and not search.rename):
        return Job(path, output)
    end = Path(*output.parts[-len(inner.parts):])
    return Job(path, output, end.as_posix() if end != inner else "")


def _folder(folder: Path, to: Destination, search: Search) -> Plan:
    from hipify_py.mapping import MappingTable  # noqa: PLC0415 - a single file may not need the tables
    from hipify_py.tree.graph import Graph  # noqa: PLC0415

    if to.output is not None:
        raise InputError(f"`{folder}` is a folder: `-o` is for one file, use `--output-dir DIR` or `-i`")
    if to == Destination():
        raise InputError(f"`{folder}` is a folder: say where its translation goes with `--output-dir DIR` or `-i`")
    patterns = [Patterns(Path(os.path.realpath(folder)), search.include, search.exclude), *search.project(folder)]
    walk = Walk(folder, patterns, search.gitignore, to.output_dir)
    files = list(walk)
    sources = [path for path, is_source in files if is_source]
    if not sources and not walk.problems:
        raise InputError(f"`{folder}` holds no C++ or CUDA source: check the name, and `--exclude`, `--include` and .gitignore "
                         "if there are such")
    table = MappingTable.load(mappings=search.mappings_of(folder))
    concerned = Graph(search.disk, search.folders_of, table).concerned(
        sources, lambda path: search.rename and search.renamed(path.relative_to(folder)) != path.relative_to(folder))
    builds = cuda_build_files(path for path, is_source in files if not is_source)
    taken = {*concerned, *builds} if search.builds else concerned
    jobs: list[Job] = []
    problems = list(walk.problems)
    for path in (*sources, *(builds if search.builds else ())):
        if path in taken:
            try:
                jobs.append(_job(path, to.inner(path, folder), to, search))
            except InputError as error:
                problems.append((path, str(error)))
    others = []
    if search.others is not Others.LEAVE and to.output_dir is not None:
        others = [Other(path, to.output_dir / search.renamed(to.inner(path, folder)))
                  for path, _ in files if path not in taken]
    return Plan(tuple(jobs), tuple(problems), tuple(others), () if jobs or problems else (folder,),
                () if search.builds else tuple(builds))


def _without_clashes(jobs: list[Job], inplace: bool) -> tuple[list[Job], list[tuple[Path, str]]]:
    """Each output once: the same file named twice is one job, two files with one output are a problem of both."""
    owners: dict[str, list[Job]] = {}
    for job in jobs:
        owners.setdefault(os.path.realpath(job.output or job.source), []).append(job)
    kept: list[Job] = []
    problems: list[tuple[Path, str]] = []
    for group in owners.values():
        first = group[0]
        others = [job for job in group[1:] if not same_file(job.source, first.source)]
        if not others or inplace:
            kept.append(first)
            continue
        clash = (first, *others)
        names = ", ".join(f"`{job.source}`" for job in clash if job.output is not None)
        target = next(job.output for job in clash if job.output is not None)
        message = f"`{target}` would be the output of {names}: translate them apart, or into different folders"
        if any(job.output is None for job in clash):
            message = f"`{target}` is an input, and the output of {names} too: leave it out, or give `--output-dir DIR`"
        problems.extend((job.source, message) for job in clash)
    return kept, problems
