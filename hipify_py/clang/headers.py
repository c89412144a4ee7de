"""Where ``#include`` leads: the person's own headers are read from disk, each other one becomes an empty file.

So do copies of CUDA's headers, in an SDK or a tree: our own declarations take their place.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
    """What a source includes: path and text of the headers found on disk, and the names of those that are not there.

    ``copies`` are the paths of headers of CUDA's that were found and not read.
    """

    files: tuple[tuple[str, bytes], ...]
    missing: tuple[str, ...]
    copies: tuple[str, ...] = ()

    @property
    def texts(self) -> Iterator[bytes]:
        """The texts alone."""
        return (text for _, text in self.files)


def find(name: str, data: bytes, folders: Sequence[str], originals: Mapping[str, Path] | None = None,
         is_copy: Callable[[str, Path], bool] | None = None) -> Headers:
    """Follow the includes of a source, through the headers beside it and in the folders of ``-I``.

    Args:
        name: The source's path.
        data: Its text.
        folders: Where to look for headers.
        originals: Real paths of files that need not be there yet, and the files whose text they will have.
        is_copy: Whether a file, included by this name, is CUDA's own and not to be read.
    """
    originals = originals or {}
    files: list[tuple[str, bytes]] = []
    missing: dict[str, None] = {}
    copies: dict[str, None] = {}
    seen: set[Path] = set()
    size = 0
    # The folder of each text, and the folder of the file that it was read from, where that is another one.
    queue = [(here := str(Path(name).parent), here, data)]
    around = [(each, each) for each in folders]
    while queue:
        folder, origin, text = queue.pop()
        for quoted, angled in _INCLUDE.findall(text):
            wanted = (quoted or angled).decode("utf-8", "replace")
            found = _lookup(wanted, ([(folder, origin)] if quoted else []) + around, originals)
            if found is None:
                missing[wanted] = None
                continue
            spelled, path = found
            if is_copy is not None and spelled not in copies and Path(spelled) not in seen and is_copy(wanted, path):
                copies[spelled] = None
            if spelled in copies:
                continue
            if Path(spelled) not in seen and len(seen) < MAX_FILES and size < MAX_BYTES:
                seen.add(Path(spelled))
                content = _read(path)
                size += len(content)
                files.append((spelled, content))
                queue.append((spelled.rpartition("/")[0], str(path.parent), content))
    return Headers(tuple(files), tuple(missing), tuple(copies))


def _lookup(name: str, folders: Sequence[tuple[str, str]], originals: Mapping[str, Path]) -> tuple[str, Path] | None:
    """Where a header is, as clang spells it (a file that exists in memory alone is found by that), and what to read."""
    for folder, origin in folders:
        path = name if name.startswith("/") else f"{folder.rstrip('/')}/{name}"
        try:
            if originals and (original := originals.get(os.path.realpath(path))) is not None:
                return path, original
            if Path(path).is_file():
                return path, Path(path)
            if origin != folder and Path(origin, name).is_file():
                return path, Path(origin, name)
        except (OSError, ValueError):
            return None
    return None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()[:MAX_BYTES]
    except OSError:
        return b""
