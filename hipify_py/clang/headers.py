"""Where ``#include`` leads: the person's own headers are read from disk, each other one becomes an empty file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hipify_py.source import HEADER_LIMIT

_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:\"([^\"\r\n]+)\"|<([^>\r\n]+)>)", re.MULTILINE)
#: The folder of our headers; it need not exist, libclang is given their text. It is deep, so that `../../x.h` stays
#: in it.
FOLDER = "/hipify-py/include/a/b/c/d/e"
#: How much is read for one source.
MAX_FILES, MAX_BYTES = 200, HEADER_LIMIT


@dataclass(frozen=True, slots=True)
class Headers:
    """What a source includes: path and text of the headers found on disk, and the names of those that are not there."""

    files: tuple[tuple[str, bytes], ...]
    missing: tuple[str, ...]

    @property
    def texts(self) -> Iterator[bytes]:
        """The texts alone."""
        return (text for _, text in self.files)


def find(name: str, data: bytes, folders: Sequence[str], originals: Mapping[str, Path] | None = None) -> Headers:
    """Follow the includes of a source, through the headers beside it and in the folders of ``-I``.

    Args:
        name: The source's path.
        data: Its text.
        folders: Where to look for headers.
        originals: Real paths of files that need not be there yet, and the files whose text they will have.
    """
    originals = originals or {}
    files: list[tuple[str, bytes]] = []
    missing: dict[str, None] = {}
    seen: set[Path] = set()
    size = 0
    queue = [(Path(name).parent, data)]
    while queue:
        folder, text = queue.pop()
        for quoted, angled in _INCLUDE.findall(text):
            wanted = (quoted or angled).decode("utf-8", "replace")
            path = _lookup(wanted, ([folder] if quoted else []) + [Path(each) for each in folders], originals)
            if path is None:
                missing[wanted] = None
            elif path not in seen and len(seen) < MAX_FILES and size < MAX_BYTES:
                seen.add(path)
                content = _read(originals.get(os.path.realpath(path), path) if originals else path)
                size += len(content)
                files.append((str(path) if path.is_absolute() else f"./{path}", content))  # as clang spells it
                queue.append((path.parent, content))
    return Headers(tuple(files), tuple(missing))


def _lookup(name: str, folders: Sequence[Path], originals: Mapping[str, Path]) -> Path | None:
    for folder in folders:
        path = folder / name
        try:
            if (originals and os.path.realpath(path) in originals) or path.is_file():
                return path
        except (OSError, ValueError):
            return None
    return None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()[:MAX_BYTES]
    except OSError:
        return b""
