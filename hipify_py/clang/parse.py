"""One parse of one source: stubs, flags and headers put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipify_py.clang import headers, stubs
from hipify_py.clang.flags import Dialect, Side, clang_flags, include_dirs
from hipify_py.clang.library import Library, Parsed

if TYPE_CHECKING:
    from hipify_py.unit import TranslationUnit

#: The file that declares CUDA; what the other one declares is the C++ library's.
STUB = f"{headers.FOLDER}/stub.h"
STANDARD = f"{headers.FOLDER}/std.h"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a source: the headers on disk and the words of them all."""

    headers: headers.Headers
    words: stubs.Words

    @classmethod
    def of(cls, unit: TranslationUnit, text: bytes) -> Surroundings:
        """Look around for a text of this unit (the source itself, or its translation)."""
        found = headers.find(unit.source.name, text, include_dirs(unit.settings))
        return cls(found, stubs.Words.of((text, *found.texts)))


def parse_cuda(library: Library, unit: TranslationUnit, around: Surroundings, side: Side) -> Parsed:
    """Parse the source as CUDA (or as C, by its name).

    Raises:
        UnavailableError: libclang gave nothing.
    """
    dialect = Dialect.C if unit.source.is_c else Dialect.CUDA
    return _parse(library, unit, unit.data, around, dialect, side, stubs.cuda_header(around.words, unit.table, dialect))


def parse_hip(library: Library, unit: TranslationUnit, text: bytes, around: Surroundings, side: Side) -> Parsed:
    """Parse a translation as HIP.

    Raises:
        UnavailableError: libclang gave nothing.
    """
    dialect = Dialect.C if unit.source.is_c else Dialect.HIP
    words = stubs.Words.of((unit.data, text, *around.headers.texts))
    return _parse(library, unit, text, around, dialect, side, stubs.hip_header(words, around.words, unit.table, dialect))


def _parse(library: Library, unit: TranslationUnit, text: bytes, around: Surroundings, dialect: Dialect, side: Side,
           stub: bytes) -> Parsed:
    files = [(STUB, stub), (STANDARD, stubs.standard_header(around.words, dialect)),
             *((f"{headers.FOLDER}/{name}", b"") for name in around.headers.missing)]
    flags = clang_flags(unit.settings, dialect, side, headers.FOLDER)
    return library.parse(unit.source.name or "<source>", text, flags, files)
