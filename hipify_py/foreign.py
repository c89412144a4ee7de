"""Rules from elsewhere: what they find is checked before it counts, for nobody here has tested them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Fix, edits_of
from hipify_py.unit import TranslationUnit

#: What a code of a plug-in's looks like; ``HPY`` is ours.
CODE = re.compile(r"(?!HPY)[A-Z]{2,8}\d{1,4}")


@dataclass(frozen=True, slots=True)
class ForeignRule:
    """A rule that was not made here.

    Args:
        name: Where it is, ``module:function``.
    """

    name: str

    def __call__(self, unit: TranslationUnit) -> Iterator[Finding]:
        """Yield what the rule finds.

        Raises:
            ImportError, AttributeError: There is no such module or function.
            ValueError: A finding has a code of ours, or none, or is no place or text of the source.
        """
        for finding in _resolve(self.name)(unit):
            _check(finding, len(unit.data))
            yield finding


def _resolve(name: str) -> Callable[[TranslationUnit], Iterator[Finding]]:
    from pkgutil import resolve_name  # noqa: PLC0415 - only with rules from elsewhere

    found: Callable[[TranslationUnit], Iterator[Finding]] = resolve_name(name)
    return found


def _check(finding: object, size: int) -> None:
    if not isinstance(finding, (Diagnostic, Edit, Fix)):
        raise ValueError(f"a rule yields Diagnostics, Fixes and Edits, not `{type(finding).__name__}`")
    codes = [finding.code] if isinstance(finding, Diagnostic) else []
    for edit in edits_of(finding):
        if not isinstance(edit.text, bytes) or not 0 <= edit.start <= edit.end <= size:
            raise ValueError(f"the edit `{edit}` is no bytes for a place of the source")
        codes.append(edit.code)
    wrong = next((code for code in codes if not CODE.fullmatch(code)), None)
    if wrong is not None:
        raise ValueError(f"the code `{wrong}` is not one of a plug-in's own, such as `ACME1`")
    if isinstance(finding, Diagnostic) and not 0 <= finding.range.start <= finding.range.end <= size:
        raise ValueError(f"the diagnostic {finding.code} points outside of the source")
