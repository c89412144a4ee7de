"""Findings that the source itself accepts: ``// hipify-py: ignore[HPY301]`` on their line, or alone on the line above."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hipify_py.diagnostics import Diagnostic
from hipify_py.source import SourceFile

_COMMENT = re.compile(rb"(?://|/\*|#)[ \t]*hipify-py:[ \t]*ignore(?:\[([\w\-, \t]*)\])?")


def without_accepted(file: SourceFile, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The diagnostics that no comment accepts. What they changed in the text stays changed.

    Args:
        file: The source.
        diagnostics: Those about it.
    """
    comments = _comments(file) if b"hipify-py:" in file.data else {}
    for each in diagnostics:
        codes = comments.get(file.location(each.range.start).line)
        if codes is None or not (codes == () or any(each.code.startswith(code) for code in codes)):
            yield each


def _comments(file: SourceFile) -> dict[int, tuple[str, ...]]:
    """Line -> the codes (or their prefixes) that are accepted there, names told by their codes; no code: all."""
    from hipify_py.codes import CODES  # noqa: PLC0415 - few sources have such a comment

    numbers = {each.name.upper(): code for code, each in CODES.items()}
    found: dict[int, tuple[str, ...]] = {}
    for match in _COMMENT.finditer(file.data):
        words = [word.strip().upper() for word in (match[1] or b"").decode().split(",") if word.strip()]
        codes = tuple(numbers.get(word, word) for word in words)
        line = file.location(match.start()).line
        start = file.line_range(match.start()).start
        alone = not file.data[start : match.start()].strip()
        for number in (line, line + 1) if alone else (line,):
            # Several comments may be about one line; one without codes is about everything.
            known = found.get(number)
            found[number] = codes if known is None else () if () in (known, codes) else known + codes
    return found
