"""One parse of one source: stubs, flags and headers put together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.clang import headers, stubs
from hipify_py.clang.flags import Dialect, Side, clang_flags, include_dirs
from hipify_py.clang.library import Library, Parsed, printable
from hipify_py.own_headers import is_copy

if TYPE_CHECKING:
    from hipify_py.unit import TranslationUnit

#: The file that declares CUDA; what the other one declares is the C++ library's.
STUB = f"{headers.FOLDER}/stub.h"
STANDARD = f"{headers.FOLDER}/std.h"
#: The file that declares what nobody knows.
GUESS = f"{headers.FOLDER}/guess.h"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a source: the headers on disk and the words of them all."""

    headers: headers.Headers
    words: stubs.Words
    guess: bytes = b""

    @classmethod
    def of(cls, unit: TranslationUnit) -> Surroundings:
        """Look around the source of a unit."""
        found = headers.find(unit.source.name, unit.data, include_dirs(unit.settings), is_copy=_copies(unit))
        return cls(found, stubs.Words.of((unit.data, *found.texts)))

    def of_translation(self, unit: TranslationUnit, text: bytes) -> Surroundings:
        """What stands around a translation: other headers are missing, and it has new words.

        It includes the person's sources under their new names, which nobody may have written yet.
        """
        originals = {place: Path(real) for real, new in unit.settings.renamed_sources for place in _new_places(real, new)}
        originals |= self._renamed_by_tables(unit)
        found = headers.find(unit.source.name, text, include_dirs(unit.settings), originals, _copies(unit))
        return replace(self, headers=found, words=self.words.joined(stubs.Words.of((text,))))

    def _renamed_by_tables(self, unit: TranslationUnit) -> dict[str, Path]:
        """The person's headers under the names that their own tables give them, where no file has those yet."""
        places = [(path, f"{path[: -len(old)]}{new}") for old, new in unit.table.own_headers.items()
                  for path, _ in self.headers.files if new and f"/{path}".endswith(f"/{old}")]
        return {os.path.realpath(new): Path(path) for path, new in places if not Path(new).exists()}


def _copies(unit: TranslationUnit) -> Callable[[str, Path], bool]:
    """Which headers on disk are CUDA's own."""
    return lambda name, path: is_copy(unit.table, name.encode("utf-8", "surrogateescape"), path)


def _new_places(real: str, new: str) -> Iterator[str]:
    """Where a renamed source is found: the folders at the front of its new path may still have their old names."""
    old, parts = Path(real).parts, Path(new).parts
    return (str(Path(*old[:-count], *parts[-count:])) for count in range(1, len(parts) + 1))


def parse_cuda(library: Library, unit: TranslationUnit, around: Surroundings, side: Side) -> Parsed:
    """Parse the source as CUDA (or as C, by its name).

    Raises:
        UnavailableError: libclang gave nothing.
    """
    dialect = Dialect.C if unit.source.is_c else Dialect.CUDA
    return _parse(library, unit, unit.data, around, (dialect, side), stubs.cuda_header(around.words, unit.table, dialect))


def with_guesses(unit: TranslationUnit, around: Surroundings, first: Parsed) -> Surroundings | None:
    """The surroundings with declarations of what a parse missed; None if that was nothing, or the source is C."""
    unknown = {} if unit.source.is_c else first.unknown_names()
    return replace(around, guess=stubs.guesses(unknown, around.words)) if unknown else None


def parse_hip(library: Library, unit: TranslationUnit, text: bytes, around: Surroundings, side: Side) -> Parsed:
    """Parse a translation as HIP.

    Raises:
        UnavailableError: libclang gave nothing.
    """
    dialect = Dialect.C if unit.source.is_c else Dialect.HIP
    stub = stubs.hip_header(around.words, unit.semantics.around.words, unit.table, dialect)
    return _parse(library, unit, text, around, (dialect, side), stub)


def _parse(library: Library, unit: TranslationUnit, text: bytes, around: Surroundings, mode: tuple[Dialect, Side],
           stub: bytes) -> Parsed:
    dialect, side = mode
    files = [(GUESS, around.guess), (STUB, stub), (STANDARD, stubs.standard_header(around.words, dialect)),
             *((f"{headers.FOLDER}/{name}", b"") for name in around.headers.missing),
             *((path, b"") for path in around.headers.copies),
             *((path, printable(_as_translated(content) if dialect is Dialect.HIP else content))
               for path, content in around.headers.files if dialect is Dialect.HIP or not content.isascii())]
    flags = clang_flags(unit.settings, dialect, side, headers.FOLDER)
    return library.parse(unit.source.name or "<source>", text, flags, files)


def _as_translated(header: bytes) -> bytes:
    """A header of the person's as it will be once it is translated too, as far as guards go (names: see the stub)."""
    for old, new in ((b"__CUDACC__", b"__HIPCC__"), (b"__NVCC__", b"__HIPCC__"),
                     (b"__CUDA_ARCH__", b"__HIP_DEVICE_COMPILE__")):
        header = header.replace(old, new)
    return header
