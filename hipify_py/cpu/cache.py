"""The cache of built libraries: files by the hash of all that went into them, outside of the source tree."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

#: Names the folder of the cache.
FOLDER = "HIPIFY_PY_CACHE"
HERE = Path(__file__).resolve().parent


def folder() -> Path:
    """``$HIPIFY_PY_CACHE``, else ``hipify-py`` in the user's cache folder."""
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


@cache
def own_files_digest() -> str:
    """The state of the device's own headers, sources and builder."""
    files = sorted(path for path in HERE.rglob("*") if path.suffix in (".h", ".cpp", ".def", ".py") and path.is_file())
    parts: list[str | bytes] = []
    for path in files:
        parts += (path.relative_to(HERE).as_posix(), path.read_bytes())
    return digest(parts)


def publish(built: Path, final: Path) -> Path:
    """Move a finished file to its place, in one step; another process may have been faster."""
    final.parent.mkdir(parents=True, exist_ok=True)
    built.replace(final)
    return final


def read_inputs(manifest: Path) -> bool:
    """Whether the files that a module was made of, beside its source, are what they were."""
    try:
        recorded = json.loads(manifest.read_text(encoding="utf-8"))
        return all(file_digest(Path(name)) == value for name, value in recorded.items())
    except (OSError, ValueError):
        return False


def file_digest(path: Path) -> str:
    """The hash of one file; empty when it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def write_inputs(manifest: Path, files: Iterable[Path]) -> None:
    """Record the files that a module was made of."""
    text = json.dumps({str(path): file_digest(path) for path in sorted(set(files))}, indent=1)
    temporary = manifest.with_suffix(f".{os.getpid()}.tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(manifest)
