"""Counts over translations: edits by the code of the rule they came from, diagnostics by their code."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify_py.engine import Translation


def by_code(translation: Translation) -> Counter[str]:
    """Edits by code."""
    return Counter(edit.code for edit in translation.edits)


def found_by_code(translation: Translation) -> Counter[str]:
    """Diagnostics by code."""
    return Counter(diagnostic.code for diagnostic in translation.diagnostics)
