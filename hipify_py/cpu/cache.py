"""The cache of built libraries: files by the hash of all that went into them, outside of the source tree."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from hipify_py.caches import FOLDER, digest, files_digest, folder

__all__ = ["FOLDER", "digest", "folder", "own_files_digest", "publish", "read_inputs", "write_inputs"]
HERE = Path(__file__).resolve().parent


@cache
def own_files_digest() -> str:
    """The state of the device's own headers, sources and builder."""
    return files_digest(HERE, (path for path in HERE.rglob("*")
                               if path.suffix in (".h", ".cpp", ".def", ".py") and path.is_file()))


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
