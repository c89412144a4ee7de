"""The mapping tables in memory: raw lines by CUDA name, each parsed when it is first looked up."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources

from hipify_py.mapping.records import COLUMNS, HEADER_COLUMNS, HeaderMapping, Mapping, Support

_SUPPORT = {member.value: member for member in Support}
_TARGETS = ("hip", "roc")

#: First lines of the tables of names and of headers; other tables of the package lie beside them.
_FIRST_LINES = (",".join(COLUMNS).encode(), ",".join(HEADER_COLUMNS).encode())

#: A row of ``headers.csv`` whose last part is this stands for each header below its folder.
_FOLDER_MARK = b"*"


def _fields(line: bytes) -> list[str]:
    """Split a row into its cells; only the last one (advice) may be quoted, which spares a CSV parser."""
    cells = line.decode().split(",", 6)
    last = cells[6]
    if last.startswith('"'):
        cells[6] = last[1:-1].replace('""', '"')
    return cells


class MappingTable:
    """Every CUDA name the project knows, and what HIP calls it.

    The rows come from the ``*.csv`` files beside this module: one file a library, one name a line, sorted. They were
    made from the published lists of both APIs and are checked against real CUDA and HIP headers by
    ``python -m hipify_py.mapping.check``. Keys are bytes, as the lexer makes them; rows are parsed at their first
    lookup, because a translation needs some tens of the thousands there are.
    """

    __slots__ = ("_header_cache", "_headers", "_rows", "target_libraries")

    def __init__(self, files: dict[str, bytes], target_libraries: str = "hip") -> None:
        """Index the tables.

        Args:
            files: The text of each CSV file by its name without ``.csv``; ``headers`` is the table of headers.
            target_libraries: ``hip`` for the portable libraries (hipBLAS), ``roc`` for ROCm's own (rocBLAS).

        Raises:
            ValueError: for any other ``target_libraries``.

        """
        if target_libraries not in _TARGETS:
            raise ValueError(f"target_libraries is `{target_libraries}`; it is `hip` or `roc`")
        self.target_libraries = target_libraries
        self._rows: dict[bytes, Mapping | tuple[str, bytes]] = {}
        self._headers: dict[bytes, bytes] = {}
        self._header_cache: dict[bytes, HeaderMapping | None] = {}
        for library, text in files.items():
            lines = text.splitlines()[1:]
            if library == "headers":
                self._headers = {line.partition(b",")[0]: line for line in lines}
            else:
                self._rows.update([(line.partition(b",")[0], (library, line)) for line in lines])

    @classmethod
    def load(cls, target_libraries: str = "hip") -> MappingTable:
        """Read the tables that come with the package, at the first call; later calls share them.

        Args:
            target_libraries: ``hip`` or ``roc``, as for the constructor.

        Raises:
            ValueError: for any other ``target_libraries``.

        """
        return _load(target_libraries)

    def lookup(self, name: bytes) -> Mapping | None:
        """Find the row of an identifier or qualified name (``thrust::cuda::par``); None if no table knows it."""
        row = self._rows.get(name)
        if row is None or isinstance(row, Mapping):
            return row
        library, line = row
        cuda, hip, roc, kind, support, since, advice = _fields(line)
        mapping = self._rows[name] = Mapping(cuda, hip, roc, library, kind, _SUPPORT[support], since, advice)
        return mapping

    def __contains__(self, name: bytes) -> bool:
        return name in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._rows)

    def target(self, mapping: Mapping, target_libraries: str | None = None) -> str:
        """Choose the name to write for a row: ROCm's own where asked for and known, else HIP's; may be empty.

        Args:
            mapping: A row of this table.
            target_libraries: ``hip`` or ``roc``; what the table was loaded for if left out.

        """
        wanted = self.target_libraries if target_libraries is None else target_libraries
        return mapping.roc if wanted == "roc" and mapping.roc else mapping.hip

    def header(self, name: bytes) -> HeaderMapping | None:
        """Find what to include instead of a CUDA header; None if the tables know no such header.

        A row such as ``cub/*`` stands for each header below that folder. Where the table was loaded for ``roc``, the
        answer's ``hip`` is the header of ROCm's own library.
        """
        if name not in self._header_cache:
            self._header_cache[name] = self._find_header(name)
        return self._header_cache[name]

    def headers(self) -> Iterator[bytes]:
        """List the names in the table of headers, folder patterns (``cub/*``) included."""
        return iter(self._headers)

    def _find_header(self, name: bytes) -> HeaderMapping | None:
        line = self._headers.get(name)
        folder = name
        while line is None and b"/" in folder:
            folder = folder.rpartition(b"/")[0]
            line = self._headers.get(folder + b"/" + _FOLDER_MARK)
        if line is None:
            return None
        _, hip, roc, library, support, main, advice = _fields(line)
        if self.target_libraries == "roc" and roc:
            hip = roc
        status = _SUPPORT[support] if support != "no" or not hip else Support.CHANGED
        return HeaderMapping(name.decode(), hip, library, status, main == "yes", advice)


@cache
def _load(target_libraries: str) -> MappingTable:
    folder = resources.files("hipify_py.mapping")
    entries = sorted((each for each in folder.iterdir() if each.name.endswith(".csv")), key=lambda each: each.name)
    files = {entry.name[: -len(".csv")]: entry.read_bytes() for entry in entries}
    return MappingTable({name: text for name, text in files.items() if text.startswith(_FIRST_LINES)},
                        target_libraries)
