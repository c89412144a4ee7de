"""The build files of a folder that CUDA concerns: `hipify-py FOLDER` names them, `hipify-py build-files FOLDER` takes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from hipify_py.build_files import build_file
from hipify_py.config import patterns_for
from hipify_py.tree.patterns import Patterns, Walk

#: What a build file that has to do with CUDA says somewhere.
_CUDA = re.compile(rb"cuda|nvcc|\.cuh?\b", re.IGNORECASE)
#: The file by which a folder is known as one that CMake or Meson have made, with makefiles that nobody writes.
_MADE = ("CMakeCache.txt", "meson-private", "build.ninja")


def cuda_build_files(paths: Iterable[Path]) -> list[Path]:
    """Those of some files that are build files with CUDA in them and were not made by a build, in their order."""
    made: dict[Path, bool] = {}
    return [path for path in paths if build_file(path.name) is not None and not _is_made(path.parent, made) and _says_cuda(path)]


def build_files_below(folder: Path) -> list[Path]:
    """The build files with CUDA in them below a folder, without what .gitignore or the project's pyproject.toml leave out.

    Raises:
        InputError: A pyproject.toml or a .gitignore is malformed.
    """
    found = patterns_for(folder)
    patterns = [] if found is None else [Patterns(found[0].resolve(), (), found[2])]
    return cuda_build_files(path for path, _ in Walk(folder, patterns))


def _is_made(folder: Path, known: dict[Path, bool]) -> bool:
    """Whether a folder, or one above it, is a build's."""
    if folder not in known:
        known[folder] = any((folder / name).exists() for name in _MADE) or (
            folder != folder.parent and _is_made(folder.parent, known))
    return known[folder]


def _says_cuda(path: Path) -> bool:
    try:
        return _CUDA.search(path.read_bytes()) is not None
    except OSError:
        return False
