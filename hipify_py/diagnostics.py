"""What the rules have to say: Edit, Fix and Diagnostic, in clang's and ruff's words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hipify_py.source import SourceRange

#: How HPY001 begins where a source is the reason, not the machine.
REFUSED = "libclang was not asked about this source"


class Severity(Enum):
    """How much a diagnostic matters; only errors change the exit status by themselves."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


class Applicability(Enum):
    """Whether a fix is applied: safe ones always, unsafe ones when asked for, display-only ones never."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY_ONLY = "display-only"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the bytes ``start <= offset < end`` of the source by ``text``; ``start == end`` inserts.

    ``code`` names the rule it came from (for counts and ``--ignore``).
    """

    start: int
    end: int
    text: bytes
    code: str

    @property
    def range(self) -> SourceRange:
        """What the edit replaces."""
        return SourceRange(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that belong together: all are applied, or none."""

    edits: tuple[Edit, ...]
    applicability: Applicability = Applicability.SAFE


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding at one place of the source.

    Args:
        code: A stable code of :mod:`hipify_py.codes`, such as ``HPY102``.
        severity: Note, warning or error.
        message: One line: the fact, then the action; names in backticks.
        range: What it is about (byte offsets in the source).
        fix: What would cure it, if that is known.
    """

    code: str
    severity: Severity
    message: str
    range: SourceRange
    fix: Fix | None = None


#: What a rule yields. A bare Edit is a routine safe rewrite that nobody needs to read about one by one;
#: a bare Fix is a safe group of them; a Diagnostic is shown to the person.
Finding = Edit | Fix | Diagnostic


def edits_of(finding: Finding) -> tuple[Edit, ...]:
    """What a finding would change."""
    if isinstance(finding, Edit):
        return (finding,)
    fix = finding if isinstance(finding, Fix) else finding.fix
    return () if fix is None else fix.edits
