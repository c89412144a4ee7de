"""The cache of translations, by the hash of all that goes into one: a file each in the user's cache folder.

An entry that is broken, for whatever reason, is as good as none: each carries its own hash. Writers never wait for each
other: an entry appears whole or not at all, and two that write the same one write the same bytes.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from hipify_py.build_files import build_file
from hipify_py.caches import digest, files_digest
from hipify_py.settings import Settings
from hipify_py.tree.disk import Disk, is_odd, stamp_of

#: Bytes of all entries together above which the oldest go, and what is left then.
LIMIT, KEPT = 256_000_000, 200_000_000
_MAGIC = b"hipify-py translation 1\n"
_TOTAL = "size"
_DAY = 86_400.0
_ENTRY = re.compile(r"[0-9a-f]{30}(?:\.\d+\.tmp)?")
#: Of the package, what a translation does not depend on.
_APART = frozenset(("build", "cli", "compat", "cpu", "report", "tree", "validate"))


class Cache:
    """Encoded translations by key.

    Args:
        folder: Where they lie; it is made when there is the first one.
        limit: Bytes above which the entries that were not used for longest go.
    """

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self.folder = folder / "translations"
        self._limit = limit
        self._written = 0
        self._usable = True

    def get(self, key: str) -> bytes | None:
        """The entry of a key, None if there is none or it is broken."""
        path = self._path(key)
        try:
            data = path.read_bytes()
            packed = data[len(_MAGIC) + 32 :]
            if data[: len(_MAGIC)] != _MAGIC or data[len(_MAGIC) : len(_MAGIC) + 32] != sha256(packed).digest():
                return None
            self._note_use(path)
            return zlib.decompress(packed)
        except (OSError, zlib.error):
            return None

    def put(self, key: str, data: bytes) -> None:
        """Keep an entry; where that does not work (a full or read-only disk), there is none and nothing is said."""
        if not self._usable:
            return
        path = self._path(key)
        packed = zlib.compress(data, 1)
        temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(_MAGIC + sha256(packed).digest() + packed)
            temporary.replace(path)
            self._written += len(packed)
        except OSError:
            self._usable = False
            with suppress(OSError):
                temporary.unlink(missing_ok=True)

    def close(self) -> None:
        """Let the oldest entries go if all are too large together. The total is a note of all runs, checked when it tells."""
        if not self._written:
            return
        note = self.folder / _TOTAL
        try:
            total = int(note.read_text()) + self._written
        except (OSError, ValueError):
            total = self._limit + 1
        self._written = 0
        try:
            if total > self._limit:
                total = self._prune()
            temporary = note.with_name(f"{_TOTAL}.{os.getpid()}.tmp")
            temporary.write_text(str(total))
            temporary.replace(note)
        except OSError:
            return

    def _prune(self) -> int:
        """Delete down to the share that is kept; what a killed run left goes too. Returns the bytes that remain."""
        found: list[tuple[float, int, str]] = []
        for shard in os.scandir(self.folder):
            if shard.is_dir() and len(shard.name) == 2:
                for entry in os.scandir(shard.path):
                    if _ENTRY.fullmatch(entry.name):
                        status = entry.stat()
                        found.append((status.st_mtime, status.st_size, entry.path))
        total = sum(size for _, size, _ in found)
        newest = max((time for time, _, _ in found), default=0.0)
        goal = self._limit if total <= self._limit else self._limit * KEPT // LIMIT
        for time, size, path in sorted(found):
            if total > goal or (path.endswith(".tmp") and time < newest - _DAY):
                with suppress(FileNotFoundError):
                    os.unlink(path)  # noqa: PTH108 - scandir gives text
                total -= size
        return total

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key[2:]

    def _note_use(self, path: Path) -> None:
        """Make an entry young again, once a day at most."""
        import time  # noqa: PLC0415 - the clock decides what is old, never what a translation is

        if time.time() - path.stat().st_mtime > _DAY:
            os.utime(path)


def key_of(name: str, data: bytes, settings: Settings, disk: Disk) -> str | None:
    """The key of a translation, None if it depends on more than is known.

    It holds the bytes of the source, the headers that it names and those that are missing, the settings and the
    translator itself. Where the tree lies does not count.
    """
    base = os.path.basename(name)  # noqa: PTH119
    if is_odd(data) or build_file(base) is not None or _depends_on_more(settings):
        return None
    renamed = dict(settings.renamed_sources)
    plain = replace(settings, renamed_sources=())
    parts: list[str | bytes] = [translator(), base, repr(plain), data]
    order: dict[str, int] = {}
    for mention, path in disk.around(name, data, folders(settings)):
        if path is None:
            parts += (mention.name, "-")
            continue
        seen = disk.seen(path)
        if seen.odd:
            return None
        number = order.setdefault(path, len(order))
        new = renamed.get(os.path.realpath(path), "") if renamed else ""
        parts += (mention.name, f"{number}", seen.digest, new)
    return digest(parts)


def _depends_on_more(settings: Settings) -> bool:
    """Whether settings name files or code whose state nobody knows: rules of plug-ins, headers of ``-include``."""
    if settings.clang_args:
        from hipify_py.clang.flags import filtered  # noqa: PLC0415 - start-up time

        return bool(settings.rules) or "-include" in filtered(settings.clang_args)
    return bool(settings.rules)


def still(name: str, data: bytes, settings: Settings, disk: Disk) -> bool:
    """Whether the headers of a source are what they were when its key was worked out."""
    paths = {path for _, path in disk.around(name, data, folders(settings)) if path is not None}
    return all(disk.seen(path).stamp == stamp_of(path) for path in paths)


def folders(settings: Settings) -> Sequence[str]:
    """The folders that ``#include`` looks in."""
    if not settings.clang_args:
        return settings.include_dirs
    from hipify_py.clang.flags import include_dirs  # noqa: PLC0415 - start-up time

    return include_dirs(settings)


@cache
def translator() -> str:
    """What translates: the state of this package and of libclang."""
    from importlib.util import find_spec  # noqa: PLC0415 - start-up time

    root = Path(__file__).resolve().parent.parent
    files = [path for path in root.rglob("*") if path.suffix in (".py", ".csv", ".h")
             and path.relative_to(root).parts[0] not in _APART]
    own = os.environ.get("LIBCLANG_LIBRARY_FILE")
    found = find_spec("clang")
    places = [own] if own else [str(path) for each in (found.submodule_search_locations or () if found else ())
                                for path in sorted(Path(each, "native").glob("*"))]
    return digest((files_digest(root, files), *(f"{place} {stamp_of(place)}" for place in places)))
