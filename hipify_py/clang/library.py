"""libclang, loaded when it is first needed, and the few functions that its Python bindings leave out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from ctypes import POINTER, Structure, byref, c_int, c_uint, c_void_p
from dataclasses import dataclass
from functools import cache
from typing import Any

from hipify_py.source import SourceRange

#: CXTranslationUnit_DetailedPreprocessingRecord (for the skipped ranges), CXTranslationUnit_KeepGoing (cindex has no
#: name for it): a header that is not found must not end diagnostics and template instantiation.
OPTIONS = 0x01 | 0x200
#: An own libclang, in place of the one that comes with the package.
LIBRARY_FILE = "LIBCLANG_LIBRARY_FILE"

#: Cursor, Type, SourceLocation, TranslationUnit and Diagnostic of clang.cindex, which has no types of its own.
Cursor = Any
Type = Any
Place = Any
Unit = Any
Message = Any

_ERROR = 3
_UNKNOWN = re.compile(r"(use of undeclared identifier|unknown type name|unknown class name) '(\w+)'")
#: Bytes that libclang's own decoding could stumble over: each becomes one letter, so that offsets stay, and what was
#: part of a name still is. NUL would end a string on its way through ctypes.
_ASCII = bytes(0x20 if byte == 0 else byte if byte < 0x80 else 0x61 + byte % 26 for byte in range(256))
_BOM = b"\xef\xbb\xbf"


class UnavailableError(Exception):
    """There is no libclang, or it does not work; the text says why, in one line."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An error of libclang's in the main file: its byte offset and its message."""

    offset: int
    message: str


class _SourceRangeList(Structure):
    _fields_ = (("count", c_uint), ("ranges", c_void_p))


class Library:
    """A working libclang."""

    def __init__(self) -> None:
        try:
            from clang import cindex  # noqa: PLC0415 - loaded when it is first needed
        except ImportError as error:
            raise UnavailableError(f"the Python package `libclang` is not installed ({error})") from error
        # A second Library of one process must not set the file again: cindex refuses once it is loaded.
        own = os.environ.get(LIBRARY_FILE)
        if own and not cindex.Config.loaded:
            cindex.Config.set_library_file(own)
        try:
            self._lib: Any = cindex.conf.lib
            self._index, self._unit_type = _without_globals(cindex, self._lib)
        except (cindex.LibclangError, OSError, AttributeError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise UnavailableError(f"libclang cannot be loaded ({reason})") from error
        self.cindex: Any = cindex
        self._declare()

    def _declare(self) -> None:
        """Give ctypes the signatures of what cindex leaves out."""
        location, file = self.cindex.SourceLocation, self.cindex.c_object_p
        wanted = (
            ("clang_getFileLocation", [location, POINTER(file), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)], None),
            ("clang_File_isEqual", [file, file], c_int),
            ("clang_getSkippedRanges", [self.cindex.TranslationUnit, file], POINTER(_SourceRangeList)),
            ("clang_disposeSourceRangeList", [POINTER(_SourceRangeList)], None),
            ("clang_getSpecializedCursorTemplate", [self.cindex.Cursor], self.cindex.Cursor),
            ("clang_getNumOverloadedDecls", [self.cindex.Cursor], c_uint),
            ("clang_getOverloadedDecl", [self.cindex.Cursor, c_uint], self.cindex.Cursor),
        )
        for name, arguments, result in wanted:
            function = getattr(self._lib, name)
            function.argtypes = arguments
            function.restype = result

    def parse(self, name: str, data: bytes, flags: Sequence[str], files: Sequence[tuple[str, bytes]]) -> Parsed:
        """Parse bytes as the file of this name, with other files that need not exist.

        Raises:
            UnavailableError: libclang gave no translation unit.
        """
        cindex = self.cindex
        unsaved = [(name, printable(data)), *files]
        try:
            unit = self._unit_type.from_source(name, list(flags), unsaved_files=unsaved, options=OPTIONS,
                                               index=self._index)
        except (cindex.TranslationUnitLoadError, OSError, ValueError) as error:
            raise UnavailableError(f"libclang cannot parse this source ({error})") from error
        return Parsed(self, unit, name)


def _without_globals(cindex: Unit, lib: Unit) -> tuple[Unit, Unit]:
    """An index, and the class of the translation units made with it, that can be freed when a process ends.

    The finalisers of cindex look for its globals, which may be gone by then; the index lives as long as the process.
    """
    class Index(cindex.Index):  # type: ignore[misc]
        def __del__(self) -> None:
            pass

    class TranslationUnit(cindex.TranslationUnit):  # type: ignore[misc]
        def __del__(self) -> None:
            lib.clang_disposeTranslationUnit(self)

    return Index(lib.clang_createIndex(0, 0)), TranslationUnit


class Parsed:
    """One parse of one source."""

    def __init__(self, library: Library, unit: Unit, name: str) -> None:
        self._library = library
        self._lib: Any = library._lib
        self._unit = unit
        self._file = unit.get_file(name)
        self._name = str(self._file.name)
        self.kinds: Any = library.cindex.CursorKind

    @property
    def root(self) -> Cursor:
        """The cursor of the translation unit."""
        return self._unit.cursor

    def cursor(self, offset: int) -> Cursor | None:
        """The innermost cursor at a byte offset of the main file; inside macro arguments too."""
        cindex = self._library.cindex
        location = cindex.SourceLocation.from_offset(self._unit, self._file, offset)
        found = cindex.Cursor.from_location(self._unit, location)
        return None if found is None or found.kind.is_invalid() else found

    def offset(self, location: Place) -> int:
        """The byte offset of a location; in an argument of a macro, where the argument stands."""
        return self._place(location)[1]

    def _place(self, location: Place) -> tuple[bool, int]:
        """Whether a location is in the main file (what a macro makes is where the macro is used), and its offset."""
        file, line, column, offset = self._library.cindex.c_object_p(), c_uint(), c_uint(), c_uint()
        self._lib.clang_getFileLocation(location, byref(file), byref(line), byref(column), byref(offset))
        # Files that exist in memory alone are all one to clang_File_isEqual.
        inside = bool(file) and bool(self._lib.clang_File_isEqual(file, self._file)) and (
            str(self._library.cindex.File(file).name) == self._name)
        return inside, offset.value

    def file_of(self, cursor: Cursor) -> str:
        """The name of the file a cursor stands in; empty for what clang declares by itself."""
        file = cursor.location.file
        return "" if file is None else str(file.name)

    def overloads(self, cursor: Cursor) -> Iterator[Cursor]:
        """The functions that a name could mean."""
        for number in range(self._lib.clang_getNumOverloadedDecls(cursor)):
            yield self._owned(self._lib.clang_getOverloadedDecl(cursor, number))

    def template(self, cursor: Cursor) -> Cursor | None:
        """The template that a function is made from."""
        found = self._lib.clang_getSpecializedCursorTemplate(cursor)
        return None if found is None or found.kind.is_invalid() else self._owned(found)

    def is_inline(self, namespace: Cursor) -> bool:
        """Whether a namespace is an inline one."""
        return bool(self._lib.clang_Cursor_isInlineNamespace(namespace))

    def _owned(self, cursor: Cursor) -> Cursor:
        """A cursor that ctypes made, tied to its translation unit as cindex does."""
        cursor._tu = self._unit
        return cursor

    def skipped(self) -> tuple[SourceRange, ...]:
        """What the preprocessor left out of the main file, from behind each ``#if`` to its ``#endif``."""
        found = self._lib.clang_getSkippedRanges(self._unit, self._file)
        if not found:
            return ()
        extent = self._library.cindex.SourceRange
        content = found.contents
        ranges = (extent * content.count).from_address(content.ranges) if content.count else ()
        result = tuple(SourceRange(self.offset(each.start), self.offset(each.end)) for each in ranges)
        self._lib.clang_disposeSourceRangeList(found)
        return result

    def diagnostics(self) -> Iterator[Message]:
        """What libclang has to say, about our headers too."""
        return iter(self._unit.diagnostics)

    def errors(self) -> tuple[Problem, ...]:
        """The errors that libclang has in the main file."""
        problems = []
        for diagnostic in self.diagnostics():
            if diagnostic.severity >= _ERROR:
                inside, offset = self._place(diagnostic.location)
                if inside:
                    problems.append(Problem(offset, diagnostic.spelling))
        return tuple(problems)


    def unknown_names(self) -> dict[str, bool]:
        """The names, in any file, that nobody has declared, and whether each is a type."""
        found: dict[str, bool] = {}
        for diagnostic in self.diagnostics():
            match = _UNKNOWN.search(diagnostic.spelling) if diagnostic.severity >= _ERROR else None
            if match is not None:
                found.setdefault(match[2], match[1] != "use of undeclared identifier")
        return found


def printable(data: bytes) -> bytes:
    """The same bytes as far as they are ASCII, a placeholder of the same length for the rest."""
    if data.startswith(_BOM):
        data = b"   " + data[3:]
    return data.translate(_ASCII)


@cache
def load() -> Library | UnavailableError:
    """The library of this process, or why there is none; asked once."""
    try:
        return Library()
    except UnavailableError as error:
        return error
