"""The JSON report, version 1; ``docs/json.md`` describes it field by field."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hipify_py.diagnostics import Diagnostic, Edit, Severity
from hipify_py.report.counts import by_code

if TYPE_CHECKING:
    from hipify_py.files import FileResult
    from hipify_py.source import SourceFile, SourceRange
    from hipify_py.tree import Failure

#: Raised when a field changes its meaning or goes; new fields may come without it.
SCHEMA_VERSION = 1


def render(results: Sequence[FileResult], failures: Sequence[Failure]) -> str:
    """The report of a run, with a line end at the end."""
    from hipify_py import __version__  # noqa: PLC0415 - only the version

    document = {
        "schema": SCHEMA_VERSION,
        "tool": {"name": "hipify-py", "version": __version__},
        "files": [_file(result) for result in results],
        "failures": [{"path": _text(str(failure.path)), "message": _text(failure.message)} for failure in failures],
        "summary": {
            "files": len(results),
            "failures": len(failures),
            "edits": sum(len(result.translation.edits) for result in results),
            **{f"{severity.value}s": sum(result.translation.count(severity) for result in results)
               for severity in Severity},
        },
    }
    return json.dumps(document, indent=2) + "\n"


def _file(result: FileResult) -> dict[str, Any]:
    translation = result.translation
    return {
        "path": _text(str(result.path)),
        "output": None if result.output is None else _text(str(result.output)),
        "changed": translation.changed,
        "written": result.written,
        "stale": result.stale,
        "edited": result.edited,
        "conflicts": result.conflicts,
        "edits": len(translation.edits),
        "edits_by_code": dict(sorted(by_code(translation).items())),
        "diagnostics": [_diagnostic(each, translation.source) for each in translation.diagnostics],
    }


def _diagnostic(diagnostic: Diagnostic, source: SourceFile) -> dict[str, Any]:
    fix = diagnostic.fix
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": _text(diagnostic.message),
        "location": _range(diagnostic.range, source),
        "fix": None if fix is None else {
            "applicability": fix.applicability.value,
            "edits": [_edit(edit, source) for edit in fix.edits],
        },
    }


def _edit(edit: Edit, source: SourceFile) -> dict[str, Any]:
    return {"location": _range(edit.range, source), "text": _text(edit.text.decode("utf-8", "surrogateescape"))}


def _range(place: SourceRange, source: SourceFile) -> dict[str, int]:
    start, end = source.location(place.start), source.location(place.end)
    return {"line": start.line, "column": start.column, "end_line": end.line, "end_column": end.column,
            "offset": place.start, "length": place.end - place.start}


def _text(text: str) -> str:
    """Text that is Unicode: undecodable bytes become escapes, since JSON has none of them."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
