"""The mapping tables in memory: raw lines by CUDA name, each parsed when it is first looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import repeat

from hipify_py.mapping.libraries import LIBRARIES
from hipify_py.mapping.records import HeaderMapping, Kind, Mapping, Support

_SUPPORT = {member.value: member for member in Support}
_TARGETS = ("hip", "roc")
#: Makes a Mapping without the call of a Python function that its own constructor is.
_new: Callable[[type[Mapping], tuple[object, ...]], Mapping] = tuple.__new__

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

    __slots__ = ("_header_cache", "_headers", "_rows", "own", "own_headers", "own_targets", "own_words", "target_libraries")

    def __init__(self, files: dict[str, bytes], target_libraries: str = "hip",
                 mappings: Sequence[Mapping | HeaderMapping] = ()) -> None:
        """Index the tables.

        Args:
            files: The text of each CSV file by its name without ``.csv``; ``headers`` is the table of headers.
            target_libraries: ``hip`` for the portable libraries (hipBLAS), ``roc`` for ROCm's own (rocBLAS).
            mappings: Rows of the person's own, which win over those of the files; a later one wins over an earlier.

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
            names = [line[:line.index(b",")] for line in lines]
            if library == "headers":
                self._headers = dict(zip(names, lines, strict=True))
            else:
                self._rows.update(zip(names, zip(repeat(library), lines, strict=False), strict=False))
        #: The names in the rows of the person's own, and the last words of the qualified ones.
        self.own = frozenset(each.cuda.encode() for each in mappings if isinstance(each, Mapping))
        self.own_words = frozenset(name.rpartition(b"::")[2] for name in self.own)
        #: The words of what they become.
        self.own_targets = frozenset(word for each in mappings if isinstance(each, Mapping)
                                     for word in (*each.hip.split("::"), *each.roc.split("::")) if word)
        #: The person's own headers, and what they become.
        self.own_headers = {each.cuda: each.hip for each in mappings if isinstance(each, HeaderMapping)}
        for row in mappings:
            self._add(row)

    def _add(self, row: Mapping | HeaderMapping) -> None:
        """Let a row of the person's own take the place of ours; what it leaves open stays as ours has it."""
        key = row.cuda.encode()
        if isinstance(row, HeaderMapping):
            ours = self.header(key)
            self._header_cache[key] = row if ours is None else row._replace(main=ours.main)
            self._headers.setdefault(key, b"")
            return
        known = self.lookup(key)
        if self.target_libraries == "roc" and row.roc:
            row = row._replace(hip=row.roc)
        kind = row.kind or (known.kind if known is not None else Kind.FUNCTION.value)
        self._rows[key] = row._replace(kind=kind, library=known.library if known is not None else row.library)

    @classmethod
    def load(cls, target_libraries: str = "hip", mappings: tuple[Mapping | HeaderMapping, ...] = ()) -> MappingTable:
        """Read the tables that come with the package, at the first call; later calls share them.

        Args:
            target_libraries: ``hip`` or ``roc``, as for the constructor.
            mappings: Rows of the person's own (:func:`hipify_py.mapping.own.parse`).

        Raises:
            ValueError: for any other ``target_libraries``.

        """
        return _load(target_libraries, mappings)

    def lookup(self, name: bytes) -> Mapping | None:
        """Find the row of an identifier or qualified name (``thrust::cuda::par``); None if no table knows it.

        Where the table was loaded for ``roc``, the row's ``hip`` and ``support`` are those of ROCm's own library.
        """
        row = self._rows.get(name)
        if row is None or isinstance(row, Mapping):
            return row
        library, line = row
        # As _fields, written out: a first lookup is what translating pays for most names.
        cuda, hip, roc, kind, support, since, advice = line.decode().split(",", 6)
        if advice and advice[0] == '"':
            advice = advice[1:-1].replace('""', '"')
        mapping = _new(Mapping, (cuda, hip, roc, library, kind, _SUPPORT[support], since, advice))
        if self.target_libraries == "roc" and library in _roc_libraries():
            mapping = _for_roc(mapping)
        self._rows[name] = mapping
        return mapping

    def __contains__(self, name: bytes) -> bool:
        return name in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._rows)

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
def _roc_libraries() -> dict[str, str]:
    """The tables whose libraries ROCm has in a form of its own, and its name."""
    return {"blas": "rocBLAS", "sparse": "rocSPARSE", "solver": "rocSOLVER", "rand": "rocRAND", "dnn": "MIOpen"}


@cache
def _roc_changed() -> dict[str, tuple[str, str]]:
    """CUDA functions whose counterpart in ROCm's own library takes other arguments: the number of both.

    They were found by comparing the headers of CUDA 12.9 with those of ROCm 6.4; where the numbers are the same, the order
    is another one.
    """
    text = resources.files("hipify_py.mapping").joinpath("roc_changed.csv").read_text(encoding="utf-8")
    rows = (line.split(",") for line in text.splitlines()[1:])
    return {cuda: (mine, theirs) for cuda, mine, theirs in rows}


def _for_roc(row: Mapping) -> Mapping:
    """A row as it stands where ROCm's own libraries are the target."""
    if row.kind == Kind.MACRO.value and not row.roc:
        return row
    if not row.roc:
        if not row.hip:
            return row._replace(support=Support.NO)  # its own advice speaks, or its family's
        advice = (f"{_roc_libraries()[row.library]} does not have it; `{row.hip}` is of the portable library, for "
                  "`--target-libraries hip`")
        return row._replace(hip="", support=Support.NO, advice=advice)
    changed = _roc_changed().get(row.cuda)
    if changed is not None:
        mine, theirs = changed
        advice = "its arguments stand in another order" if mine == theirs else f"{theirs} arguments instead of {mine}"
        return row._replace(hip=row.roc, support=Support.CHANGED, advice=advice)
    return row._replace(hip=row.roc, support=Support.YES, advice="", hip_since="")


@cache
def _load(target_libraries: str, mappings: tuple[Mapping | HeaderMapping, ...]) -> MappingTable:
    folder = resources.files("hipify_py.mapping")
    names = sorted((*(each.table for each in LIBRARIES), "headers"))
    files = {name: folder.joinpath(f"{name}.csv").read_bytes() for name in names}
    return MappingTable(files, target_libraries, mappings)
