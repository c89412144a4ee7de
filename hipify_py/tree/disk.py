"""What sources name on disk, each file looked at once a run: the headers for a cache's key and for the include graph.

It follows ``#include`` as :mod:`hipify_py.clang.headers` does, whatever the conditions around it, and also notes the names
in ``__has_include`` and in macros, about which the rules ask the disk.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from hipify_py.source import HEADER_LIMIT

_FILE = rb'(?:"([^"\r\n]+)"|<([^>\r\n]+)>)'
_NAMED = re.compile(rb"^[ \t]*#[ \t]*(?:(include(?:_next)?|import)[ \t]*|define[ \t]+\w+[ \t]+)" + _FILE, re.MULTILINE)
_ASKED = re.compile(rb"(__has_include)\w*[ \t]*\([ \t]*" + _FILE)
#: An include whose name a macro makes, whose line is spelled so that the above does not see it, or that stands in a string.
_ODD = re.compile(rb"#(?:[ \t]*(?:/\*|\\\r?\n)|[ \t]*(?:include(?:_next)?|import)\b[ \t]*(?:[^\"<\s]|\\\r?\n))|"
                  rb"(?:\"|\\n)[ \t]*#[ \t]*include")


@dataclass(frozen=True, slots=True)
class Mention:
    """A file that a source names.

    Args:
        name: As it is written.
        quoted: Whether it is looked for beside the source too.
        included: Whether by an ``#include``; other mentions are questions whether it is there.
    """

    name: bytes
    quoted: bool
    included: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """What a file held when it was read.

    Args:
        digest: Of its bytes; empty if it could not be read.
        mentions: What it names, in order.
        odd: Whether it may name more than was understood: nothing is known then about what it reads.
        stamp: Its time and size, to notice that it has changed since.
    """

    digest: bytes
    mentions: tuple[Mention, ...]
    odd: bool
    stamp: tuple[int, int] | None


class Disk:
    """A run's memory of the files around its sources; no contents are kept."""

    def __init__(self) -> None:
        self._seen: dict[str, Seen] = {}
        self._places: dict[tuple[str, bytes], str | None] = {}
        self._last: tuple[bytes, tuple[Mention, ...]] = (b"", ())

    def seen(self, path: str) -> Seen:
        """What a header holds."""
        known = self._seen.get(path)
        if known is None:
            stamp = stamp_of(path)
            try:
                data = Path(path).read_bytes()[:HEADER_LIMIT]
            except (OSError, ValueError):
                known = Seen(b"", (), False, stamp)
            else:
                known = Seen(sha256(data).digest(), mentions(data), is_odd(data), stamp)
            self._seen[path] = known
        return known

    def mentions(self, data: bytes) -> tuple[Mention, ...]:
        """What a source names; asked several times about one, then about the next."""
        if self._last[0] is not data:
            self._last = data, mentions(data)
        return self._last[1]

    def find(self, mention: Mention, folder: str, folders: Sequence[str]) -> str | None:
        """Where a mention in a file of ``folder`` leads: beside it, then into the folders of ``-I``; None: nowhere."""
        for place in ((folder, *folders) if mention.quoted else folders):
            found = self._place(place, mention.name)
            if found is not None:
                return found
        return None

    def _place(self, folder: str, name: bytes) -> str | None:
        key = (folder, name)
        if key not in self._places:
            path = os.path.join(folder, os.fsdecode(name))  # noqa: PTH118 - asked for each include of each file
            try:
                self._places[key] = path if os.path.isfile(path) else None  # noqa: PTH113
            except ValueError:
                self._places[key] = None
        return self._places[key]

    def around(self, name: str, data: bytes, folders: Sequence[str]) -> Iterator[tuple[Mention, str | None]]:
        """All that a source names, directly or through headers, and where that is; each header is entered once."""
        entered: set[str] = set()
        todo: list[tuple[str, tuple[Mention, ...]]] = [(os.path.dirname(name), self.mentions(data))]  # noqa: PTH120
        while todo:
            folder, named = todo.pop()
            for mention in named:
                path = self.find(mention, folder, folders)
                yield mention, path
                if path is not None and path not in entered:
                    entered.add(path)
                    todo.append((os.path.dirname(path), self.seen(path).mentions))  # noqa: PTH120


def mentions(data: bytes) -> tuple[Mention, ...]:
    """What a source names, in order; what it only asks for comes last."""
    named = [Mention(match[2] or match[3], bool(match[2]), bool(match[1])) for match in _NAMED.finditer(data)]
    if b"__has_include" in data:
        named += [Mention(match[2] or match[3], bool(match[2]), False) for match in _ASKED.finditer(data)]
    return tuple(named)


def is_odd(data: bytes) -> bool:
    """Whether a source may include what :func:`mentions` does not tell."""
    return _ODD.search(data) is not None


def stamp_of(path: str) -> tuple[int, int] | None:
    """The time and the size of a file, None if there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 - asked for each header of each file
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size
