"""The user's cache folder, and what is called what in it: shared by the translations' cache and the CPU device's."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable
from pathlib import Path

#: Names the folder of the cache.
FOLDER = "HIPIFY_PY_CACHE"


def folder() -> Path:
    """``$HIPIFY_PY_CACHE``, else ``hipify-py`` in the user's cache folder (``$XDG_CACHE_HOME``, ``~/.cache``).

    Raises:
        RuntimeError: The user has no home folder and no variable names another one.
    """
    own = os.environ.get(FOLDER)
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    if base:
        return Path(base) / "hipify-py"
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "hipify-py"


def digest(parts: Iterable[str | bytes]) -> str:
    """A hash of a list of texts; no two lists that differ run together."""
    result = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        result.update(len(data).to_bytes(8, "little"))
        result.update(data)
    return result.hexdigest()[:32]


def files_digest(root: Path, files: Iterable[Path]) -> str:
    """A hash of the names below ``root`` and the contents of files."""
    parts: list[str | bytes] = []
    for path in sorted(files):
        parts += (path.relative_to(root).as_posix(), path.read_bytes())
    return digest(parts)
