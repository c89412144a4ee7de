"""Which headers on disk are a person's own, and which are copies of CUDA's: in an SDK on the include path, or in the tree.

``-I /usr/local/cuda/include`` in a build, or ``third_party/cub``, must not make ``<cuda_runtime.h>`` a header of one's own:
it has to become HIP's as it would if it were not there. A copy has a name that the tables know and NVIDIA's copyright at its
head; a person's own ``cuda.h`` lacks that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.mapping import HeaderMapping, MappingTable
from hipify_py.mapping.families import What, family
from hipify_py.mapping.records import OWN

if TYPE_CHECKING:
    from hipify_py.unit import TranslationUnit

#: How far into a file its copyright is looked for, in bytes.
HEAD = 4096
_NVIDIA = re.compile(rb"(?i)copyright[^\n]{0,80}\bnvidia\b|\bnvidia\b[^\n]{0,80}copyright|"
                     rb"\bnvidia\b[^\n]{0,40}all rights reserved")
#: Headers that tell an SDK's folder.
_SDK = ("cuda_runtime_api.h", "../cuda_runtime_api.h")


def own_header(unit: TranslationUnit, name: bytes, *, angled: bool) -> Path | None:
    """Find the header of this name beside the source (for quotes) or in a folder of ``-I``."""
    folders: Sequence[str] = unit.settings.include_dirs
    if unit.settings.clang_args:
        from hipify_py.clang.flags import include_dirs  # noqa: PLC0415 - start-up time

        folders = include_dirs(unit.settings)
    places = [Path(folder) for folder in folders]
    if not angled and not unit.source.name.startswith("<"):
        places.insert(0, Path(unit.source.name).parent)
    try:
        relative = name.decode()
        return next((folder / relative for folder in places if (folder / relative).is_file()), None)
    except (OSError, ValueError):
        return None


def is_own_header(unit: TranslationUnit, name: bytes, *, angled: bool) -> bool:
    """Whether such a header is there and no copy of CUDA's: a person's own."""
    path = own_header(unit, name, angled=angled)
    return path is not None and not is_copy(unit.table, name, path)


def is_nvidias(head: bytes) -> bool:
    """Whether the head of a file has NVIDIA's copyright in it."""
    return _NVIDIA.search(head, 0, HEAD) is not None


def is_cudas(table: MappingTable, name: bytes) -> bool:
    """Whether a header, as it is included, has a name of CUDA's or of another library of NVIDIA's, folders in front or not."""
    return any(_row(table, each) is not None or family(each, What.HEADER) or family(each, What.SAME) for each in _endings(name))


def original(table: MappingTable, name: bytes) -> HeaderMapping | None:
    """Find the row of the header that a copy, included by this name, is one of; None if no table has it."""
    return next((row for each in _endings(name) if (row := _row(table, each)) is not None), None)


def is_copy(table: MappingTable, name: bytes, path: Path) -> bool:
    """Whether a file that is included by this name is a copy of a header of CUDA's.

    A file that cannot be read is none.
    """
    if name.startswith(b"/") or not is_cudas(table, name):
        return False  # a path into an SDK is no name of a header
    try:
        with path.open("rb") as file:
            return is_nvidias(file.read(HEAD))
    except OSError:
        return False


def is_of_sdk(name: bytes, path: Path) -> bool:
    """Whether a header lies in an SDK, where it is no surprise."""
    root = Path(*path.parts[: len(path.parts) - name.count(b"/") - 1])
    return any((root / each).is_file() for each in _SDK)


def own_namespaces(unit: TranslationUnit, roots: frozenset[bytes]) -> dict[bytes, str]:
    """Find which of CUDA's namespaces a header of the person's own declares in place of CUDA's, and the name of that header.

    Only headers of CUDA's names count (``cub/cub.cuh``): other ones may add to a namespace of CUDA's.
    """
    found: dict[bytes, str] = {}
    for name, text in _own_texts(unit):
        row = original(unit.table, name)
        for root in sorted(roots) if row is not None else ():
            mapping = unit.table.lookup(root)
            if row is not None and mapping is not None and mapping.library == row.library and re.search(
                    rb"\bnamespace\s+" + re.escape(root) + rb"\s*(?:::[\s\w:]*)?\{", text):
                found.setdefault(root, row.cuda)
    return found


def _own_texts(unit: TranslationUnit) -> Iterator[tuple[bytes, bytes]]:
    """The names and texts of the source, if it is a header itself, and of the person's own headers that it includes."""
    name = unit.source.name.encode("utf-8", "surrogateescape").lstrip(b"/")
    if not is_nvidias(unit.data):
        yield name, unit.data
    if unit.semantics.available:
        for path, text in unit.semantics.around.headers.files:
            yield path.encode("utf-8", "surrogateescape").lstrip(b"/"), text
        return
    for directive in unit.directives:
        if directive.header is None or original(unit.table, directive.header.name) is None:
            continue
        own = own_header(unit, directive.header.name, angled=directive.header.angled)
        text = b"" if own is None else _read(own)
        if not is_nvidias(text):
            yield directive.header.name, text


def _read(path: Path) -> bytes:
    """The text of a header; none where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def is_somebodys(row: HeaderMapping, name: bytes) -> bool:
    """Whether a row of libcu++ is not about this header: its own have no suffix, ``cuda/pair.cuh`` is in somebody's folder."""
    return row.library == "libcudacxx" and b"." in name.rpartition(b"/")[2]


def _row(table: MappingTable, name: bytes) -> HeaderMapping | None:
    row = table.header(name)
    return None if row is None or row.library == OWN or is_somebodys(row, name) else row


def _endings(name: bytes) -> Iterator[bytes]:
    """A path and what is left of it without its first folders: ``third_party/cub/cub.cuh``, ``cub/cub.cuh``, ``cub.cuh``."""
    while True:
        yield name
        name = name.partition(b"/")[2]
        if not name:
            return
