"""A baseline: findings that a project has looked at and lives with. They are neither printed nor counted.

The file is JSON, made to be committed: a finding is known by its file (as seen from the baseline's folder), its code and the
text of its line, so that it stays known when lines are added above; how many there are of one kind counts too.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.files import InputError, reason, write_atomic

if TYPE_CHECKING:
    from hipify_py.diagnostics import Diagnostic
    from hipify_py.engine import Translation
    from hipify_py.files import FileResult

_Key = tuple[str, str, str]
_VERSION = 1


class Baseline:
    """The accepted findings of a project.

    Args:
        path: Its file.
        update: Accept everything that is found, and write that at the end.
    """

    def __init__(self, path: str, *, update: bool = False) -> None:
        self._path, self._update = Path(path), update
        self._left = Counter() if update else _read(self._path)
        self._found: Counter[_Key] = Counter()

    def filtered(self, result: FileResult) -> FileResult:
        """A result without the findings that are accepted."""
        translation = result.translation
        kept = tuple(each for each in translation.diagnostics if not self._accepts(self._key(result, translation, each)))
        return result if len(kept) == len(translation.diagnostics) else replace(
            result, translation=replace(translation, diagnostics=kept))

    def write(self) -> None:
        """Write the file, if it is to be brought up to date."""
        if not self._update:
            return
        rows = [{"file": file, "code": code, "line": line, "count": count}
                for (file, code, line), count in sorted(self._found.items())]
        text = json.dumps({"version": _VERSION, "findings": rows}, indent=1, ensure_ascii=False) + "\n"
        write_atomic(self._path, text.encode())

    def _accepts(self, key: _Key) -> bool:
        self._found[key] += 1
        if self._update:
            return True
        self._left[key] -= 1
        return self._left[key] >= 0

    def _key(self, result: FileResult, translation: Translation, diagnostic: Diagnostic) -> _Key:
        source = translation.source
        span = source.line_range(diagnostic.range.start)
        line = source.data[span.start : span.end].decode("utf-8", "backslashreplace").strip()
        folder = self._path.absolute().parent
        return Path(os.path.relpath(result.path, folder)).as_posix(), diagnostic.code, line


def _read(path: Path) -> Counter[_Key]:
    advice = "make one with `--update-baseline`"
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"the baseline `{path}` cannot be read: {reason(error)}: {advice}") from None
    except ValueError as error:
        raise InputError(f"the baseline `{path}` is no JSON ({error}): {advice}") from None
    try:
        if data["version"] != _VERSION:
            raise ValueError
        return Counter({(str(row["file"]), str(row["code"]), str(row["line"])): int(row["count"]) for row in data["findings"]})
    except (KeyError, TypeError, ValueError):
        raise InputError(f"the baseline `{path}` is none of version {_VERSION}: {advice}") from None
