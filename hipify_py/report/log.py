"""Diagnostics as records of :mod:`logging`, for callers inside builds: each gets a line, at its severity's level."""

from __future__ import annotations

import logging

from hipify_py.diagnostics import Severity
from hipify_py.engine import Translation
from hipify_py.report.text import printable

LOG = logging.getLogger("hipify_py")
_LEVELS = {Severity.ERROR: logging.ERROR, Severity.WARNING: logging.WARNING, Severity.NOTE: logging.INFO}


def diagnostics(translation: Translation) -> None:
    """Log what needs a look in a translation."""
    source = translation.source
    for each in translation.diagnostics:
        place = source.location(each.range.start)
        LOG.log(_LEVELS[each.severity], "%s:%d:%d: %s: %s [%s]", printable(source.name), place.line, place.column,
                each.severity.value, printable(each.message), each.code)
