"""What of a folder is looked at: .gitignore files, ``--include`` and ``--exclude``, and those of ``[tool.hipify-py]``.

Patterns are those of .gitignore, in all places. Those of the command line are relative to the folder that it names, those of
a pyproject.toml to that file's folder. Hidden files and folders are never looked at.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.files import InputError, reason

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

#: What is looked at in a folder; a file that is named on the command line may be called anything.
SOURCE_SUFFIXES = frozenset((".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".h++",
                             ".inl", ".inc", ".ipp", ".tpp", ".txx"))
#: What is certainly no source, so that a wrong name on the command line does no harm.
NO_SOURCE_SUFFIXES = frozenset((
    ".bat", ".cfg", ".cs", ".css", ".csv", ".diff", ".f90", ".go", ".htm", ".html", ".ini", ".ipynb", ".java", ".jl",
    ".js", ".json", ".log", ".lua", ".md", ".patch", ".pl", ".ps1", ".py", ".pyi", ".pyx", ".rb", ".rs", ".rst", ".sh",
    ".svg", ".tex", ".toml", ".ts", ".txt", ".xml", ".yaml", ".yml"))
_SUFFIX = re.compile(r"\.\w+$")


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns and the folder that they are relative to.

    Args:
        root: The folder.
        include: Only files that one of these matches are sources; one that ends with a suffix (``*.cuinc``) also makes
            files of that suffix sources. None: all of the known suffixes.
        exclude: What is left out, files and folders.
    """

    root: Path
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


@dataclass(slots=True)
class Walk:
    """A walk over a folder, sorted; what could not be read is in ``problems`` behind it.

    Args:
        folder: Where it starts.
        patterns: What to take and to leave out, each set by itself.
        gitignore: Whether to leave out what Git would.
        skip: A folder to stay out of: the output's.
    """

    folder: Path
    patterns: Sequence[Patterns] = ()
    gitignore: bool = True
    skip: Path | None = None
    problems: list[tuple[Path, str]] = field(default_factory=list)

    def __iter__(self) -> Iterator[tuple[Path, bool]]:
        """The files below the folder, and whether each is a source."""
        rules = _Rules(self)
        avoid = os.path.realpath(self.skip) if self.skip is not None else None
        for root, folders, names in os.walk(self.folder, onerror=self._unreadable):
            here = Path(root)
            rules.enter(here, ".gitignore" in names)
            folders[:] = sorted(name for name in folders if not name.startswith(".") and not rules.leave_out(here / name, "/")
                                and os.path.realpath(here / name) != avoid)
            for name in sorted(names):
                path = here / name
                if not name.startswith(".") and path.is_file() and not rules.leave_out(path):
                    yield path, rules.is_source(path)

    def _unreadable(self, error: OSError) -> None:
        path = Path(error.filename)
        self.problems.append((path, f"the folder `{path}` cannot be read ({reason(error)}): nothing in it was translated; "
                              "allow it, or leave it out with `--exclude`"))


class _Rules:
    """The patterns of one walk, compiled; pathspec is imported when there is the first one."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self._real = Path(os.path.realpath(walk.folder))
        self._exclude = [(each.root, spec(each.exclude, "exclude")) for each in walk.patterns if each.exclude]
        self._include = [(each.root, spec(each.include, "include")) for each in walk.patterns if each.include]
        self._suffixes = SOURCE_SUFFIXES | {match[0] for each in walk.patterns for pattern in each.include
                                            if (match := _SUFFIX.search(pattern))}
        self._ignores: list[tuple[Path, GitIgnoreSpec]] = []
        if walk.gitignore:
            outer = list(self._outer())
            # A folder that somebody names is looked at, though its parent's rules leave it out.
            if not _ignored(self._real, "/", outer):
                self._ignores = outer

    def enter(self, here: Path, has_ignores: bool) -> None:
        """Come to a folder: forget the rules of its siblings, learn its own."""
        if self._walk.gitignore:
            real = self._inside(here)
            self._ignores = [each for each in self._ignores if real.is_relative_to(each[0])]
            if has_ignores:
                self._read(real, here / ".gitignore", self._ignores)

    def leave_out(self, path: Path, mark: str = "") -> bool:
        """Whether a file, or a folder (``mark`` is ``/``), is left out."""
        if not self._exclude and not self._ignores:
            return False
        real = self._inside(path)
        return any(_matches(root, rules, real, mark) for root, rules in self._exclude) or (
            bool(self._ignores) and _ignored(real, mark, self._ignores))

    def is_source(self, path: Path) -> bool:
        """Whether a file is to be looked at as a source."""
        if path.suffix.lower() not in self._suffixes:
            return False
        real = self._inside(path)
        return all(_matches(root, rules, real, "") for root, rules in self._include)

    def _inside(self, path: Path) -> Path:
        """The path below the real folder, links in it as they are."""
        return self._real / path.relative_to(self._walk.folder)

    def _outer(self) -> Iterator[tuple[Path, GitIgnoreSpec]]:
        """The rules of the folders above, as far as the repository reaches."""
        top = next((place for place in (self._real, *self._real.parents) if (place / ".git").exists()), None)
        if top is None:
            return
        found: list[tuple[Path, GitIgnoreSpec]] = []
        self._read(top, top / ".git" / "info" / "exclude", found)
        for place in reversed((self._real, *self._real.parents)):
            if place != self._real and place.is_relative_to(top):
                self._read(place, place / ".gitignore", found)
        yield from found

    def _read(self, root: Path, path: Path, into: list[tuple[Path, GitIgnoreSpec]]) -> None:
        try:
            lines = path.read_text("utf-8", "surrogateescape").splitlines()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return
        except OSError as error:
            self._walk.problems.append((path, f"`{path}` cannot be read ({reason(error)}): allow it, or give "
                                        "`--no-gitignore`"))
            return
        into.append((root, spec([line for line in lines if _is_pattern(line)], str(path))))


def spec(lines: Sequence[str], where: str) -> GitIgnoreSpec:
    """Compile patterns.

    Raises:
        InputError: One of them is wrong.
    """
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - 20 ms, and most calls have no patterns

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError as error:
        raise InputError(f"`{where}`: {' '.join(str(error).split())}") from None


def _is_pattern(line: str) -> bool:
    """Whether a line of a .gitignore is one that Git understands; it passes over the others."""
    try:
        spec((line,), "")
    except InputError:
        return False
    return True


def _matches(root: Path, rules: GitIgnoreSpec, path: Path, mark: str) -> bool:
    return path.is_relative_to(root) and bool(rules.check_file(path.relative_to(root).as_posix() + mark).include)


def _ignored(path: Path, mark: str, ignores: Sequence[tuple[Path, GitIgnoreSpec]]) -> bool:
    """Whether the innermost rule that says something about a path ignores it."""
    for root, rules in reversed(ignores):
        if path != root and path.is_relative_to(root):
            said = rules.check_file(path.relative_to(root).as_posix() + mark).include
            if said is not None:
                return said
    return False
