"""``--depfile``: which local headers a translation depends on, in Make's syntax.

The headers are those that ``#include "..."`` and ``#include <...>`` lead to, searched as compilers do: beside the file
that includes (quotes only), then in the ``-I`` folders; conditions are not evaluated, so that the list holds for each
configuration.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)


def depfile(rules: Sequence[tuple[Path, Path, Sequence[str]]]) -> bytes:
    """Make's rules.

    Args:
        rules: Output, source and ``-I`` folders of each translation.
    """
    lines: list[bytes] = []
    headers: dict[Path, None] = {}
    for output, source, folders in rules:
        found = local_headers(source, folders)
        headers.update(dict.fromkeys(found))
        words = b" \\\n  ".join(_escaped(path) for path in (source, *found))
        lines.append(_escaped(output) + b": " + words + b"\n")
    # A header that is deleted must not stop Make: an empty rule each, as `gcc -MP` writes.
    lines.extend(_escaped(header) + b":\n" for header in headers)
    return b"".join(lines)


def local_headers(source: Path, folders: Sequence[str] = ()) -> list[Path]:
    """The headers that a source includes, directly or not, and that exist beside it or in ``folders``."""
    seen = {os.path.realpath(source)}
    found: list[Path] = []
    todo = [source]
    while todo:
        path = todo.pop()
        try:
            data = path.read_bytes()
        except OSError:
            continue
        fresh = []
        for match in _INCLUDE.finditer(data):
            header = _find(match, path.parent, folders)
            if header is None or os.path.realpath(header) in seen:
                continue
            seen.add(os.path.realpath(header))
            fresh.append(header)
        found += fresh
        todo += reversed(fresh)
    return found


def _find(match: re.Match[bytes], here: Path, folders: Sequence[str]) -> Path | None:
    name = os.fsdecode(match[1] or match[2])
    places = ([here] if match[1] else []) + [Path(folder) for folder in folders]
    for place in places:
        path = Path(os.path.normpath(place / name))
        if "\0" not in name and path.is_file():
            return path
    return None


def _escaped(path: Path) -> bytes:
    """A path for Make: blanks, ``#`` and ``$`` are special."""
    text = os.fsencode(path)
    return text.replace(b"\\ ", b"\\\\ ").replace(b" ", b"\\ ").replace(b"#", b"\\#").replace(b"$", b"$$")
