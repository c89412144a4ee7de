"""The report as one HTML file: an overview, then each file side by side with its translation and the diagnostics in place.

It opens without a network and holds no dates and no absolute paths. With pygments (the extra ``html``) sources are in colours.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipify_py.codes import CODES
from hipify_py.diagnostics import Diagnostic, Severity
from hipify_py.report.counts import by_code, found_by_code
from hipify_py.report.highlight import Line, Mark, lines_of
from hipify_py.report.layout import Row, hunks
from hipify_py.report.text import HOW, describe, printable

if TYPE_CHECKING:
    import jinja2

    from hipify_py.engine import Translation
    from hipify_py.files import FileResult
    from hipify_py.tree import Failure


@dataclass(frozen=True, slots=True)
class Note:
    """A diagnostic as it is shown."""

    severity: str
    code: str
    name: str
    message: str
    place: str
    fix: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A line of both sides, or the gap between two hunks (no numbers on either side), and the notes below it."""

    kind: str
    old: Line | None
    new: Line | None
    old_number: int
    new_number: int
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A file of the report."""

    anchor: str
    name: str
    output: str
    edits: int
    severities: tuple[tuple[str, int], ...]
    rows: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """What was found of one code, in all files together."""

    code: str
    name: str
    edits: int
    found: int


def render(results: Sequence[FileResult], failures: Sequence[Failure]) -> str:
    """The report of a run, with a line end at the end."""
    from hipify_py import __version__  # noqa: PLC0415 - only the version

    paths = [str(each.path) for each in results] + [str(each.output) for each in results if each.output is not None]
    names = Names([*paths, *(str(each.path) for each in failures)])
    pages = [_page(number, each, names) for number, each in enumerate(results, 1)]
    severities = Counter(diagnostic.severity for each in results for diagnostic in each.translation.diagnostics)
    return _environment().get_template("report.html.j2").render(
        version=__version__, pages=pages, codes=_codes(results), edits=sum(page.edits for page in pages),
        severities=[(each.value, severities[each]) for each in reversed(Severity)],
        failures=[(names.of(str(each.path)), names.within(each.message)) for each in failures]) + "\n"


class Names:
    """Paths as they are shown: absolute ones from the folder on that all of them have in common."""

    def __init__(self, paths: Iterable[str]) -> None:
        folders = sorted({os.path.dirname(each) for each in paths if os.path.isabs(each)})  # noqa: PTH117, PTH120
        self._common = os.path.commonpath(folders).rstrip(os.sep) + os.sep if folders else ""

    def of(self, path: str) -> str:
        """A path, as text in one line."""
        return printable(path.removeprefix(self._common) if self._common else path)

    def within(self, text: str) -> str:
        """A message, in one line, with the paths in it."""
        return printable(text.replace(self._common, "") if len(self._common) > 1 else text)


def _page(number: int, result: FileResult, names: Names) -> Page:
    translation = result.translation
    output = "" if result.output is None or result.output == result.path else names.of(str(result.output))
    counts = Counter(each.severity for each in translation.diagnostics)
    return Page(f"file-{number}", names.of(str(result.path)), output, len(translation.edits),
                tuple((each.value, counts[each]) for each in reversed(Severity) if counts[each]),
                tuple(_rows(result, names)))


def _rows(result: FileResult, names: Names) -> Iterable[Shown]:
    """The lines that changed or that are told of, with some around them."""
    translation = result.translation
    data = translation.source.data
    notes: dict[int, list[Note]] = {}
    for each in translation.diagnostics:
        notes.setdefault(data.count(b"\n", 0, each.range.start), []).append(_note(each, translation, names))
    groups = hunks(result, notes)
    if not groups:
        return
    old, new = lines_of(data, _old_marks(translation)), lines_of(translation.text, _new_marks(translation))
    for group in groups:
        yield Shown("gap", None, None, 0, 0, ())
        for row in group:
            yield _shown(row, old, new, notes)


def _shown(row: Row, old: Sequence[Line], new: Sequence[Line], notes: dict[int, list[Note]]) -> Shown:
    below = () if row.old is None else tuple(notes.get(row.old, ()))
    # Behind the last line end there is no line, but an empty file and the end of a file can be told of.
    left = None if row.old is None or row.old >= len(old) else old[row.old]
    right = None if row.new is None or row.new >= len(new) else new[row.new]
    return Shown("changed" if row.changed else "same", left, right, 0 if left is None else (row.old or 0) + 1,
                 0 if right is None else (row.new or 0) + 1, below)


def _note(diagnostic: Diagnostic, translation: Translation, names: Names) -> Note:
    source, fix = translation.source, diagnostic.fix
    place = source.location(diagnostic.range.start)
    row = CODES.get(diagnostic.code)
    text = "" if fix is None or not fix.edits else f"{HOW[fix.applicability]}: {names.within(describe(fix, source))}"
    return Note(diagnostic.severity.value, diagnostic.code, "" if row is None else row.name, names.within(diagnostic.message),
                f"{place.line}:{place.column}", text)


def _old_marks(translation: Translation) -> list[Mark]:
    return [Mark(edit.start, edit.end, edit.code) for edit in translation.edits if edit.end > edit.start]


def _new_marks(translation: Translation) -> list[Mark]:
    marks, shift = [], 0
    for edit in translation.edits:
        if edit.text:
            marks.append(Mark(edit.start + shift, edit.start + shift + len(edit.text), edit.code))
        shift += len(edit.text) - (edit.end - edit.start)
    return marks


def _codes(results: Sequence[FileResult]) -> list[Code]:
    edits: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for each in results:
        edits += by_code(each.translation)
        found += found_by_code(each.translation)
    return [Code(code, CODES[code].name if code in CODES else "", edits[code], found[code]) for code in sorted({*edits, *found})]


def _environment() -> jinja2.Environment:
    import jinja2  # noqa: PLC0415 - start-up time

    return jinja2.Environment(loader=jinja2.PackageLoader("hipify_py.report", "templates"), undefined=jinja2.StrictUndefined,
                              autoescape=True, trim_blocks=True, lstrip_blocks=True)
