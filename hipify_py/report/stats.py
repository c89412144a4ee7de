"""``--stats``: counts by code, as text for people and as CSV."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hipify_py.codes import CODES
from hipify_py.report.counts import by_code, found_by_code
from hipify_py.report.text import printable

if TYPE_CHECKING:
    from hipify_py.files import FileResult


def as_text(results: Sequence[FileResult]) -> str:
    """A table of all files together."""
    edits: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for result in results:
        edits += by_code(result.translation)
        found += found_by_code(result.translation)
    rows = [("code", "edits", "found", "what")]
    for code in sorted(set(edits) | set(found)):
        rows.append((code, str(edits[code]), str(found[code]), CODES[code].name if code in CODES else ""))
    rows.append(("all", str(edits.total()), str(found.total()), f"files: {len(results)}, "
                 f"changed: {sum(result.translation.changed for result in results)}"))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(f"{code:<{widths[0]}}  {number:>{widths[1]}}  {seen:>{widths[2]}}  {what}".rstrip()
                     for code, number, seen, what in rows)


def as_csv(results: Sequence[FileResult]) -> str:
    """One row a file and code: ``file,code,name,edits,diagnostics``."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("file", "code", "name", "edits", "diagnostics"))
    for result in results:
        edits, found = by_code(result.translation), found_by_code(result.translation)
        for code in sorted(set(edits) | set(found)):
            name = CODES[code].name if code in CODES else ""
            writer.writerow((printable(str(result.path)), code, name, edits[code], found[code]))
    return stream.getvalue()
