"""The report as GitHub's workflow commands: an annotation at the line, in the log of the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hipify_py.diagnostics import Severity

if TYPE_CHECKING:
    from hipify_py.files import FileResult
    from hipify_py.tree import Failure

_LEVELS = {Severity.NOTE: "notice", Severity.WARNING: "warning", Severity.ERROR: "error"}


def render(results: Sequence[FileResult], failures: Sequence[Failure]) -> str:
    """One line a diagnostic and a failure."""
    lines = []
    for result in results:
        source = result.translation.source
        for each in result.translation.diagnostics:
            start, end = source.location(each.range.start), source.location(each.range.end)
            lines.append(f"::{_LEVELS[each.severity]} file={_property(source.name)},line={start.line},"
                         f"col={start.column},endLine={end.line},endColumn={end.column},title={each.code}::"
                         f"{_message(source.name)}:{start.line}:{start.column}: {_message(each.message)} "
                         f"[{each.code}]")
    lines.extend(f"::error file={_property(str(failure.path))},title=hipify-py::{_message(failure.message)}"
                 for failure in failures)
    return "".join(line + "\n" for line in lines)


def _message(text: str) -> str:
    """Text as the runner's parser wants it."""
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
