"""Which files a call means, and where the translation of each goes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from hipify_py.files import RENAMED_SUFFIXES, InputError, default_output, same_file

#: What is looked at in a folder; a file that is named on the command line may be called anything.
SOURCE_SUFFIXES = frozenset((".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".h++",
                             ".inl", ".inc", ".ipp", ".tpp", ".txx"))


@dataclass(frozen=True, slots=True)
class Job:
    """One file to translate and where its translation belongs; None if nobody said where, and it keeps its name."""

    source: Path
    output: Path | None


@dataclass(frozen=True, slots=True)
class Plan:
    """The jobs in a stable order, and what cannot be done, as (input, one line)."""

    jobs: tuple[Job, ...]
    problems: tuple[tuple[Path, str], ...]


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a call says that its output goes; at most one of the first three.

    Args:
        output: The output of the only input.
        output_dir: The folder for all outputs; the files of a folder keep their places below it.
        inplace: Outputs replace their inputs.
        compare: Nothing will be written: a file that keeps its name and has no output is compared with itself.
    """

    output: Path | None = None
    output_dir: Path | None = None
    inplace: bool = False
    compare: bool = False

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


def plan(paths: Sequence[Path], to: Destination, exclude: Sequence[str] = ()) -> Plan:
    """Work out the jobs of one call.

    Args:
        paths: Files and folders, as the person named them.
        to: Where outputs go.
        exclude: Patterns (``*`` and ``?``) of paths and names to leave out of folders.

    Raises:
        InputError: The call as a whole makes no sense.
    """
    if sum((to.output is not None, to.output_dir is not None, to.inplace)) > 1:
        raise InputError("`-o`, `--output-dir` and `-i` each say where the output goes: give one of them")
    if to.output is not None and len(paths) > 1:
        raise InputError(f"`-o` names one output and there are {len(paths)} inputs: use `--output-dir`")
    jobs: list[Job] = []
    problems: list[tuple[Path, str]] = []
    for path in paths:
        try:
            if path.is_dir():
                jobs.extend(_folder(path, to, exclude))
            else:
                jobs.append(Job(path, to.of(path, Path(path.name))))
        except InputError as error:
            problems.append((path, str(error)))
    kept, clashes = _without_clashes(jobs, to.inplace)
    return Plan(tuple(kept), tuple(problems + clashes))


def sources(folder: Path, exclude: Sequence[str] = (), skip: Path | None = None) -> Iterator[Path]:
    """The sources below a folder, sorted; hidden folders, ``skip`` and what ``exclude`` matches are left out."""
    avoid = os.path.realpath(skip) if skip is not None else None
    for root, folders, names in os.walk(folder):
        here = Path(root)
        folders[:] = sorted(name for name in folders if not name.startswith(".")
                            and not _excluded(here / name, folder, exclude)
                            and os.path.realpath(here / name) != avoid)
        for name in sorted(names):
            path = here / name
            if path.suffix.lower() in SOURCE_SUFFIXES and not name.startswith(".") and path.is_file() \
                    and not _excluded(path, folder, exclude):
                yield path


def _excluded(path: Path, folder: Path, patterns: Sequence[str]) -> bool:
    inner = path.relative_to(folder).as_posix()
    return any(fnmatch(inner, pattern.rstrip("/")) or fnmatch(path.name, pattern.rstrip("/")) for pattern in patterns)


def _folder(folder: Path, to: Destination, exclude: Sequence[str]) -> Iterator[Job]:
    if to.output is not None:
        raise InputError(f"`{folder}` is a folder: `-o` is for one file, use `--output-dir DIR` or `-i`")
    if to == Destination():
        raise InputError(f"`{folder}` is a folder: say where its translation goes with `--output-dir DIR` or `-i`")
    found = False
    for path in sources(folder, exclude, to.output_dir):
        found = True
        yield Job(path, to.of(path, path.relative_to(folder)))
    if not found:
        raise InputError(f"`{folder}` holds no C++ or CUDA source: check the name, and `--exclude` if it is set")


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
        names = ", ".join(f"`{job.source}`" for job in (first, *others))
        problems.extend((job.source, f"`{job.output}` would be the output of {names}: translate them apart, or into "
                         "different folders") for job in (first, *others))
    return kept, problems
