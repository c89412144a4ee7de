"""A translation as bytes, for the cache and for workers on other machines; the source itself is not in it."""

from __future__ import annotations

import json
from typing import Any

from hipify_py.diagnostics import Applicability, Diagnostic, Edit, Fix, Severity
from hipify_py.edits import EditSet
from hipify_py.engine import Translation
from hipify_py.source import SourceFile, SourceRange

#: Changes when the form does.
FORMAT = 1


def encode(translation: Translation) -> bytes:
    """The edits and the diagnostics; bytes are written as latin-1 text."""
    edits = translation.edits
    document = [[_edit(edit) for edit in edits],
                [[each.code, each.severity.value, each.message, each.range.start, each.range.end,
                  None if each.fix is None else [each.fix.applicability.value, [_edit(edit) for edit in each.fix.edits]]]
                 for each in translation.diagnostics]]
    return json.dumps(document, separators=(",", ":")).encode()


def decode(data: bytes, name: str, source: bytes) -> Translation:
    """The translation of a source.

    Raises:
        ValueError: The bytes are none that :func:`encode` made for this source.
    """
    try:
        edits, diagnostics = json.loads(data)
        found = EditSet(_read_edit(each) for each in edits)
        said = tuple(Diagnostic(code, Severity(severity), message, SourceRange(start, end), _read_fix(fix))
                     for code, severity, message, start, end, fix in diagnostics)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"no translation: {error}") from None
    file = SourceFile(name, source)
    return Translation(file, found.apply(source) if len(found) else source, found, said)


def _edit(edit: Edit) -> list[Any]:
    return [edit.start, edit.end, edit.text.decode("latin-1"), edit.code]


def _read_edit(row: list[Any]) -> Edit:
    start, end, text, code = row
    return Edit(start, end, text.encode("latin-1"), code)


def _read_fix(row: list[Any] | None) -> Fix | None:
    return None if row is None else Fix(tuple(_read_edit(each) for each in row[1]), Applicability(row[0]))
