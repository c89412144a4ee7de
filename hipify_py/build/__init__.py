"""hipify-py inside a build: translate sources, and the headers that they bring, into a folder of the build.

    >>> from hipify_py.build import translate_sources
    >>> translate_sources(["src/k.cu", "bind.cpp"], out="build/hip")    # doctest: +SKIP
    ['build/hip/src/k.hip', 'build/hip/bind.cpp']

The originals stay as they are. Outputs that would not change keep their time, so that nothing is compiled again for them.
``HipifyPy.cmake``, ``hipify-py.mk`` and ``hipify-py.meson`` beside this file call ``python -m hipify_py.build``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from hipify_py.files import RENAMED_SUFFIXES, FileResult, InputError, read_source, reason, write_atomic
from hipify_py.settings import Settings

#: What was translated from what, in the output folder.
MANIFEST = ".hipify-py.json"


@dataclass(frozen=True, slots=True)
class Step:
    """A file to translate and where its translation goes."""

    source: Path
    output: Path


def cmake_dir() -> Path:
    """The folder of ``HipifyPy.cmake``, ``HipifyPyConfig.cmake`` and the toolchain file."""
    return Path(__file__).parent / "cmake"


def make_fragment() -> Path:
    """The file that a makefile includes."""
    return Path(__file__).parent / "make" / "hipify-py.mk"


def translate_sources(sources: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str], *,
                      include_dirs: Sequence[str | os.PathLike[str]] = (), root: str | os.PathLike[str] = ".",
                      settings: Settings | None = None) -> list[str]:
    """Translate sources for a build; call it where the list of sources is needed, in a setup.py for example.

    The headers that they include from below ``root`` are translated too and keep their places relative to the sources, so
    that ``#include "..."`` finds the translated ones. For ``#include <...>`` put ``out`` + the include folder first.

    Args:
        sources: CUDA and C++ sources, and whatever else the list holds: other files are returned as they are.
        out: The folder for the results, in the layout of the sources below ``root``.
        include_dirs: Folders for ``#include``, as the compiler gets them.
        root: The folder whose layout is kept.
        settings: How to translate.

    Returns:
        The paths to compile, in the order of ``sources``: ``.cu`` as ``.hip``.

    Raises:
        InputError: A source cannot be read, lies outside ``root``, or an output cannot be written.
    """
    base, target = Path(root), Path(out)
    settings = _with_dirs(settings, include_dirs)
    steps: dict[str, Step] = {}
    results: list[str] = []
    for each in sources:
        path = Path(each)
        if path.suffix.lower() not in _TRANSLATED:
            results.append(str(each))
            continue
        step = Step(path, target / _renamed(_inside(path, base)))
        steps.setdefault(os.path.realpath(path), step)
        results.append(step.output.as_posix())
    for step in list(steps.values()):
        for header in headers(step.source, settings, base):
            steps.setdefault(os.path.realpath(header), Step(header, target / _inside(header, base)))
    settings = replace(settings, renamed_sources=tuple((real, step.output.name) for real, step in steps.items()
                                                       if step.output.name != step.source.name))
    manifest = _Manifest(target)
    for step in steps.values():
        key = _key(step.source, settings, base)
        if not manifest.is_current(step.output, key):
            manifest.record(step.output, key, run(step, settings))
    manifest.write()
    return results


def run(step: Step, settings: Settings) -> FileResult:
    """Translate one file, and log what needs a look.

    Raises:
        InputError: It cannot be read or written.
    """
    from hipify_py.engine import translate  # noqa: PLC0415 - importing this package stays cheap
    from hipify_py.report import log  # noqa: PLC0415

    translation = translate(read_source(step.source), filename=str(step.source), settings=settings)
    log.diagnostics(translation)
    try:
        step.output.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder `{step.output.parent}` cannot be created: {reason(error)}") from None
    written = write_atomic(step.output, translation.text, like=step.source)
    return FileResult(step.source, step.output, translation, written, written)


def headers(source: Path, settings: Settings, root: Path) -> list[Path]:
    """The headers below ``root`` that a source brings."""
    from hipify_py.report.depfile import local_headers  # noqa: PLC0415 - importing this package stays cheap

    real = os.path.realpath(root)
    return [path for path in local_headers(source, settings.include_dirs)
            if os.path.commonpath((os.path.realpath(path), real)) == real]


_TRANSLATED = frozenset((".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".c++"))


def _with_dirs(settings: Settings | None, include_dirs: Sequence[str | os.PathLike[str]]) -> Settings:
    settings = settings or Settings()
    return replace(settings, include_dirs=(*settings.include_dirs, *(str(each) for each in include_dirs)))


def _renamed(path: Path) -> Path:
    suffix = RENAMED_SUFFIXES.get(path.suffix.lower())
    return path if suffix is None else path.with_suffix(suffix)


def _inside(path: Path, root: Path) -> Path:
    """The place of a file below the root."""
    try:
        return Path(os.path.realpath(path)).relative_to(os.path.realpath(root))
    except ValueError:
        raise InputError(f"`{path}` lies outside `{root}`, whose layout the output keeps: give a `root` that holds "
                         "it") from None


def _key(source: Path, settings: Settings, root: Path) -> str:
    """What a translation depends on: the version, the settings, the source and its headers."""
    from hipify_py import __version__  # noqa: PLC0415 - only the version

    digest = sha256(f"{__version__}\0{settings!r}\0".encode("utf-8", "surrogateescape"))
    for path in (source, *headers(source, settings, root)):
        digest.update(f"{path}\0".encode("utf-8", "surrogateescape"))
        digest.update(sha256(read_source(path)).digest())
    return digest.hexdigest()


class _Manifest:
    """Output -> the key that it was made with, and the hash of what was written."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / MANIFEST
        self.entries: dict[str, list[str]] = {}
        try:
            entries = json.loads(self.path.read_bytes())
        except (OSError, ValueError):
            return  # none, or a broken one: all is translated
        if isinstance(entries, dict):
            self.entries = {name: entry for name, entry in entries.items() if isinstance(entry, list) and len(entry) == 2}

    def is_current(self, output: Path, key: str) -> bool:
        """Whether an output is what this key made, untouched since."""
        entry = self.entries.get(self._name(output))
        try:
            return entry is not None and entry[0] == key and entry[1] == sha256(output.read_bytes()).hexdigest()
        except OSError:
            return False

    def record(self, output: Path, key: str, result: FileResult) -> None:
        """Note a translation; one with something to look at is told again the next time."""
        self.entries[self._name(output)] = ["" if result.translation.errors else key,
                                            sha256(result.translation.text).hexdigest()]

    def write(self) -> None:
        """Save it."""
        if self.entries:
            write_atomic(self.path, (json.dumps(self.entries, indent=0, sort_keys=True) + "\n").encode())

    def _name(self, output: Path) -> str:
        return output.relative_to(self.path.parent).as_posix()
