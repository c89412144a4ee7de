"""What a build file's translation collects: reported edits, and the Translation made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hipify_py.diagnostics import Applicability, Diagnostic, Edit, Fix, Severity
from hipify_py.edits import resolve
from hipify_py.source import SourceFile, SourceRange, renamed

if TYPE_CHECKING:
    from hipify_py.engine import Translation
    from hipify_py.settings import Settings


@dataclass(slots=True)
class Findings:
    """Edits and reports over one build file; text is Latin-1, so that its offsets are those of the bytes."""

    source: SourceFile
    settings: Settings
    text: str = ""
    diagnostics: list[Diagnostic] = field(default_factory=list)
    removed: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.text = self.source.data.decode("latin-1")

    @property
    def newline(self) -> str:
        """The line end of the file."""
        return self.source.newline.decode("latin-1")

    def edit(self, start: int, end: int, text: str, code: str, message: str, *, severity: Severity = Severity.NOTE,
             place: tuple[int, int] | None = None) -> None:
        """Replace ``start <= offset < end``, and say so; ``place`` is what the report points at, if not that."""
        self.edits([(start, end, text)], code, message, severity=severity, place=place)

    def edits(self, edits: Sequence[tuple[int, int, str]], code: str, message: str, *,
              severity: Severity = Severity.NOTE, place: tuple[int, int] | None = None) -> None:
        """The same with several places that belong together."""
        made = tuple(Edit(start, end, text.encode("latin-1", "replace"), code)
                     for start, end, text in (self._clipped(*each) for each in edits) if self.text[start:end] != text)
        if made:
            first, last = place or (made[0].start, made[0].end)
            self.diagnostics.append(Diagnostic(code, severity, message, SourceRange(first, last),
                                               Fix(made, Applicability.SAFE)))

    def _clipped(self, start: int, end: int, text: str) -> tuple[int, int, str]:
        """Two words that go take the comma or blank between them once."""
        if not text:
            for first, last in self.removed:
                if first <= start < last < end:
                    start = last
                elif start < first < end <= last:
                    end = first
            self.removed.append((start, end))
        return start, end, text

    def report(self, start: int, end: int, code: str, message: str, severity: Severity = Severity.WARNING) -> None:
        """Say something about a place that stays as it is."""
        self.diagnostics.append(Diagnostic(code, severity, message, SourceRange(start, end)))

    def renamed(self, name: str) -> str | None:
        """The new name of a source that is translated under another one in the same run; None if it keeps its own."""
        if not self.settings.renamed_sources or "$" in name:
            return None
        import os  # noqa: PLC0415 - paths are compared only where there are such sources

        here = os.path.dirname(self.source.name)  # noqa: PTH120 - the source's name is text
        wanted = os.path.normpath(os.path.join(here, name))  # noqa: PTH118
        for path, new in self.settings.renamed_sources:
            if path == wanted or path.endswith("/" + wanted.removeprefix("./")):
                return os.fsdecode(renamed(os.fsencode(name), os.fsencode(path), os.fsencode(new)))
        return None

    def finish(self) -> Translation:
        """Apply what was collected."""
        from hipify_py.engine import Translation  # noqa: PLC0415 - the engine asks us

        kept = [each for each in self.diagnostics if self.settings.reports(each.code)]
        kept.sort(key=lambda each: (each.range.start, each.range.end, each.code))
        with_fix = [index for index, each in enumerate(kept) if each.fix is not None]
        edits, refused = resolve([kept[index].fix.edits for index in with_fix])  # type: ignore[union-attr]
        lost = {with_fix[index] for index, _ in refused}  # a part of what a larger edit replaces
        shown = tuple(each for index, each in enumerate(kept) if index not in lost)
        data = self.source.data
        return Translation(self.source, edits.apply(data) if len(edits) else data, edits, shown)


def without_blank(text: str, start: int, end: int) -> tuple[int, int]:
    """What to delete for a word to go: the word and the blanks in front of it, or behind it at the start of a line."""
    first = start
    while first > 0 and text[first - 1] in " \t":
        first -= 1
    if first == 0 or text[first - 1] in "\r\n\"'(;=":
        last = end
        while last < len(text) and text[last] in " \t":
            last += 1
        # a word alone behind `=` keeps the blank in front of it
        return (start, last) if first == start or text[first - 1] != "=" else (first, end)
    return first, end


def whole_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """The lines of a command, line end included, where nothing else stands on them; otherwise just the command."""
    first = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop + 1
    if text[first:start].strip() or text[end:stop].strip():
        return start, end
    return first, stop
