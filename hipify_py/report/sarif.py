"""The report as SARIF 2.1.0, which code hosts show beside the source."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from hipify_py.codes import CODES
from hipify_py.diagnostics import Applicability, Diagnostic, Fix

if TYPE_CHECKING:
    from hipify_py.files import FileResult
    from hipify_py.source import SourceFile, SourceRange
    from hipify_py.tree import Failure

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(results: Sequence[FileResult], failures: Sequence[Failure]) -> str:
    """The report of a run, with a line end at the end."""
    from hipify_py import __version__  # noqa: PLC0415 - only the version

    found = [_result(each, result.translation.source) for result in results for each in result.translation.diagnostics]
    used = sorted({each["ruleId"] for each in found})
    for each in found:
        each["ruleIndex"] = used.index(each["ruleId"])
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "hipify-py", "version": __version__, "rules": [_rule(code) for code in used]}},
        "invocations": [{
            "executionSuccessful": not failures,
            "toolExecutionNotifications": [
                {"level": "error", "message": {"text": _text(failure.message)},
                 "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(str(failure.path))}}}]}
                for failure in failures],
        }],
        "columnKind": "unicodeCodePoints",
        "results": found,
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    row = CODES.get(code)
    rule: dict[str, Any] = {"id": code}
    if row is not None:
        rule |= {"name": row.name, "shortDescription": {"text": row.summary}}
    return rule


def _result(diagnostic: Diagnostic, source: SourceFile) -> dict[str, Any]:
    uri = {"uri": _uri(source.name)}
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "level": diagnostic.severity.value,
        "message": {"text": _text(diagnostic.message)},
        "locations": [{"physicalLocation": {"artifactLocation": uri, "region": _region(diagnostic.range, source)}}],
    }
    fix = diagnostic.fix
    if fix is not None and fix.edits and fix.applicability is not Applicability.DISPLAY_ONLY:
        result["fixes"] = [_fix(fix, uri, source)]
    return result


def _fix(fix: Fix, uri: dict[str, str], source: SourceFile) -> dict[str, Any]:
    replacements = [{"deletedRegion": _region(edit.range, source),
                     "insertedContent": {"text": _text(edit.text.decode("utf-8", "surrogateescape"))}}
                    for edit in fix.edits]
    return {"artifactChanges": [{"artifactLocation": uri, "replacements": replacements}]}


def _region(place: SourceRange, source: SourceFile) -> dict[str, int]:
    """Lines, columns and bytes; SARIF counts columns in characters, we in bytes."""
    start, end = source.location(place.start), source.location(place.end)
    return {"startLine": start.line, "startColumn": _column(place.start, source),
            "endLine": end.line, "endColumn": _column(place.end, source),
            "byteOffset": place.start, "byteLength": place.end - place.start}


def _column(offset: int, source: SourceFile) -> int:
    start = offset - source.location(offset).column + 1
    return len(source.data[start:offset].decode("utf-8", "replace")) + 1


def _uri(path: str) -> str:
    """A path as SARIF wants it: relative ones stay so, absolute ones become ``file:`` URIs."""
    if Path(path).is_absolute():
        return "file://" + quote(os.fsencode(path))
    return quote(os.fsencode(path))


def _text(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
