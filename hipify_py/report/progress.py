"""A progress bar on standard error, where that is a terminal and there are many files."""

from __future__ import annotations

import sys

#: Fewer files are done before anybody looks.
MANY = 20
_WIDTH = 30


class Progress:
    """One line that is drawn over; it has to be cleared before anything else is printed.

    Args:
        total: How many files there are.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        isatty = getattr(sys.stderr, "isatty", None)
        self._shown = total >= MANY and bool(isatty and isatty())
        self._drawn = ""

    def clear(self) -> None:
        """Take the bar away."""
        if self._drawn:
            sys.stderr.write("\r" + " " * len(self._drawn) + "\r")
            self._drawn = ""

    def step(self) -> None:
        """Count one file and draw the bar, as often as it changes."""
        self._done += 1
        if not self._shown:
            return
        full = _WIDTH * self._done // self._total
        line = f"[{'#' * full}{'.' * (_WIDTH - full)}] {self._done}/{self._total}"
        if self._done >= self._total:
            self.clear()
        elif line != self._drawn:
            sys.stderr.write("\r" + line)
            sys.stderr.flush()
            self._drawn = line
