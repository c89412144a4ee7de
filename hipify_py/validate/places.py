"""Lines: from the translation back to the source, and from a kernel's name to where it stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hipify_py.diagnostics import Edit
from hipify_py.validate.results import Place

_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def line_map(data: bytes, edits: Iterable[Edit]) -> tuple[tuple[int, int], ...]:
    """Where a translation's lines come from: (line there, line of the source), each holding up to the next."""
    found = [(1, 1)]
    added = 0
    line, at = 1, 0
    for edit in edits:
        new, old = edit.text.count(b"\n"), data.count(b"\n", edit.start, edit.end)
        if new == old:
            continue
        line += data.count(b"\n", at, edit.end)
        at = edit.end
        added += new - old
        found.append((line + added, line))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of a translated file."""

    source: str
    lines: tuple[tuple[int, int], ...]

    def line(self, translated: int) -> int:
        """The line of the source that a line of the translation comes from."""
        there, here = self.lines[max(0, bisect_right(self.lines, (translated, 1 << 60)) - 1)]
        return here + max(0, translated - there)


class Sources:
    """The files of a case: translated path -> source.

    Args:
        origins: By the path of the translation.
    """

    def __init__(self, origins: Mapping[str, Origin]) -> None:
        self.origins = dict(origins)
        self._texts: dict[str, str] = {}

    def place(self, file: str, line: int) -> Place | None:
        """The place in a source that a compiler or a sanitizer means; None if the file is none of ours."""
        origin = self.origins.get(file) or self.origins.get(str(Path(file).resolve()))
        return None if origin is None else Place(origin.source, origin.line(line))

    def kernel(self, name: str) -> Place | None:
        """Where a kernel is defined."""
        for source, text in self._all():
            match = _definition(name).search(text)
            if match:
                return Place(source, text.count("\n", 0, match.start(1)) + 1)
        return None

    def writes(self, name: str, parameter: str) -> tuple[Place, ...]:
        """The lines of a kernel that assign to what a parameter points to; a few at most."""
        for source, text in self._all():
            match = _definition(name).search(text)
            if not match:
                continue
            begin = text.find("{", match.end())
            end = _closing(text, begin) if begin >= 0 else -1
            if end < 0:
                return ()
            word = re.escape(parameter)
            pattern = re.compile(rf"\b{word}\s*\[[^;=]*?\](?:\.\w+)?\s*(?:[-+*/|&^]|<<|>>)?=(?!=)|\*\s*{word}\s*=(?!=)"
                                 rf"|\batomic\w*\s*\(\s*&?\s*{word}\b")
            lines = [text.count("\n", 0, found.start()) + 1 for found in pattern.finditer(text, begin, end)]
            return tuple(Place(source, line) for line in dict.fromkeys(lines))[:4]
        return ()

    def _all(self) -> Sequence[tuple[str, str]]:
        for origin in self.origins.values():
            if origin.source not in self._texts:
                try:
                    text = Path(origin.source).read_text(encoding="utf-8", errors="replace")
                except OSError:
                    text = ""
                self._texts[origin.source] = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        return list(self._texts.items())


def _definition(name: str) -> re.Pattern[str]:
    bare = name.partition("<")[0].strip().rpartition("::")[2]
    return re.compile(rf"__global__(?:[^;{{}}()]|__launch_bounds__\s*\([^)]*\))*?\b({re.escape(bare)})\s*\(")


def _closing(text: str, begin: int) -> int:
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, begin):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return -1
