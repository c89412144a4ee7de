"""What a run says: diagnostics and summaries for people and machines, counts, and the exit status."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from hipify_py.files import FileResult
    from hipify_py.report.baseline import Baseline
    from hipify_py.tree import Failure


class Form(Enum):
    """The form of the report."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    HTML = "html"


class Mode(Enum):
    """What a run does with translations."""

    WRITE = "write"
    SHOW = "show"    #: print them
    CHECK = "check"  #: only find out which outputs are missing or stale
    LOOK = "look"    #: nothing, report only


class Report:
    """Owns what is printed and what is counted; text as it comes, the other forms at the end.

    Args:
        form: The form of the diagnostics.
        quiet: No summaries, but for outputs that are missing, stale or in conflict where that decides the exit status.
        quiet_warnings: No notes and warnings either.
        stats: Print counts by code at the end.
        stats_csv: ... as CSV.
        stats_file: ... into this file, as CSV.
        baseline: Findings that are accepted: they are neither printed nor counted.
    """

    def __init__(self, form: Form = Form.TEXT, *, quiet: bool = False, quiet_warnings: bool = False,
                 stats: bool = False, stats_csv: bool = False, stats_file: str | None = None,
                 baseline: Baseline | None = None) -> None:
        self.baseline = baseline
        self.form = form
        self.quiet = quiet
        self.quiet_warnings = quiet_warnings
        self.stats = stats
        self.stats_csv = stats_csv
        self.stats_file = stats_file
        #: What stands at the end needs all results; otherwise only counts are kept, for a tree may be large.
        self._keep = form is not Form.TEXT or stats or stats_csv or stats_file is not None
        self.results: list[FileResult] = []
        self.files = 0
        self.edits = 0
        self.conflicts = 0
        self.failures: list[Failure] = []
        self.severities: Counter[Severity] = Counter()
        self.stale = 0
        self.written = 0
        self._mode = Mode.WRITE

    @property
    def owns_stdout(self) -> bool:
        """Whether standard output is the report's."""
        return self.form is not Form.TEXT

    def failure(self, failure: Failure) -> None:
        """A file that was not translated."""
        from hipify_py.report.text import printable  # noqa: PLC0415 - start-up time

        self.failures.append(failure)
        _say(f"hipify-py: {_bold('error', 31)}: {printable(failure.message)}")

    def text(self, result: FileResult) -> None:
        """Print a translation."""
        sys.stdout.flush()
        binary = getattr(sys.stdout, "buffer", None)
        if binary is None:
            sys.stdout.write(result.translation.text.decode("utf-8", "surrogateescape"))
        else:
            binary.write(result.translation.text)
            binary.flush()

    def diff(self, result: FileResult) -> None:
        """Print how a translation differs from its source."""
        from hipify_py.report.diff import unified  # noqa: PLC0415 - only when asked for

        from_stdout = getattr(sys.stdout, "buffer", None)
        data = unified(result, colour=_colour(sys.stdout))
        if from_stdout is None:
            sys.stdout.write(data.decode("utf-8", "replace"))
        else:
            sys.stdout.flush()
            from_stdout.write(data)
            from_stdout.flush()

    def result(self, result: FileResult, mode: Mode) -> None:
        """A file that was translated."""
        if self.baseline is not None:
            result = self.baseline.filtered(result)
        translation = result.translation
        self._mode = mode
        if self._keep:
            self.results.append(result)
        self.files += 1
        self.edits += len(translation.edits)
        self.conflicts += result.conflicts
        self.severities.update(each.severity for each in translation.diagnostics)
        self.stale += mode is Mode.CHECK and result.stale
        self.written += result.written
        if self.form is not Form.TEXT and self.quiet:
            return
        from hipify_py.report.text import grouped, show, summary  # noqa: PLC0415 - start-up time

        if self.form is Form.TEXT:
            for first, *others in grouped(translation.diagnostics):
                if self._shown(first):
                    _say(show(translation, first, others, colour=_colour(sys.stderr)))
        # What makes the exit status 1 is said even where all else is well.
        if not self.quiet or result.conflicts or (mode is Mode.CHECK and result.stale):
            _say(summary(result, mode))

    def remark(self, text: str) -> None:
        """Something about the run that is no fault of a file."""
        self._stated(text, False)

    def _stated(self, text: str, decides: bool) -> None:
        """Say a line; ``decides``: it makes the exit status 1, so that ``-q`` does not keep it back."""
        if decides or not self.quiet:
            from hipify_py.report.text import printable  # noqa: PLC0415 - start-up time

            _say(printable(text))

    def others(self, count: int, stale: int, mode: Mode) -> None:
        """Files that went along untranslated; ``stale`` of them were missing or different."""
        self.stale += stale if mode is Mode.CHECK else 0
        self.written += stale if mode is Mode.WRITE else 0
        state = "stale or missing" if mode is not Mode.WRITE else "brought along"
        self._stated(f"other files: {count}, {stale} of them {state}", mode is Mode.CHECK and stale > 0)

    def orphans(self, outputs: Sequence[Path], mode: Mode) -> None:
        """Outputs of earlier runs whose sources are gone: nobody keeps them up to date."""
        if outputs:
            self.stale += len(outputs) if mode is Mode.CHECK else 0
            names = ", ".join(map(str, outputs[:5])) + (" ..." if len(outputs) > 5 else "")
            self._stated(f"outputs whose sources are gone: {len(outputs)}, remove them if nobody needs them ({names})",
                         mode is Mode.CHECK)

    def builds(self, paths: Sequence[Path]) -> None:
        """Build files of the folders that are CUDA's still; told where sources were written, and the build is next."""
        if paths and self.written:
            names = ", ".join(map(str, paths[:5])) + (" ..." if len(paths) > 5 else "")
            self.remark(f"build files with CUDA in them: {len(paths)}, `--build-files` takes them along ({names})")

    def finish(self, *, strict: bool = False, fail_on_write: bool = False) -> int:
        """Print what stands at the end; return the exit status."""
        if self.baseline is not None:
            self.baseline.write()
        if self.form is not Form.TEXT:
            self._print_machine_form()
        self._print_stats()
        if not self.quiet and self.files + len(self.failures) > 1:
            from hipify_py.report.text import total  # noqa: PLC0415

            _say(total(self.files, self.edits, self.severities, self.failures, self._mode, self.stale))
        if self.failures:
            return 2
        look = self.severities[Severity.ERROR] or (strict and self.severities[Severity.WARNING])
        return 1 if look or self.stale or self.conflicts or (fail_on_write and self.written) else 0

    def _shown(self, diagnostic: Diagnostic) -> bool:
        return diagnostic.severity is Severity.ERROR or not self.quiet_warnings

    def _print_machine_form(self) -> None:
        if self.form is Form.JSON:
            from hipify_py.report.json import render  # noqa: PLC0415
        elif self.form is Form.SARIF:
            from hipify_py.report.sarif import render  # noqa: PLC0415
        elif self.form is Form.HTML:
            from hipify_py.report.html import render  # noqa: PLC0415
        else:
            from hipify_py.report.github import render  # noqa: PLC0415
        sys.stdout.write(render(self.results, self.failures))

    def _print_stats(self) -> None:
        if not (self.stats or self.stats_csv or self.stats_file):
            return
        from hipify_py.files import write_atomic  # noqa: PLC0415
        from hipify_py.report.stats import as_csv, as_text  # noqa: PLC0415

        if self.stats_file is not None:
            write_atomic(Path(self.stats_file), as_csv(self.results).encode("utf-8", "surrogateescape"))
        if self.stats_csv:
            sys.stdout.write(as_csv(self.results))
        elif self.stats:
            _say(as_text(self.results))


def _say(text: str) -> None:
    """One message; a terminal that cannot show a character gets an escape."""
    stream = sys.stderr
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    stream.flush()


def _bold(text: str, colour: int) -> str:
    from hipify_py.report.text import paint  # noqa: PLC0415

    return paint(text, colour) if _colour(sys.stderr) else text


def _colour(stream: object) -> bool:
    """Whether a stream shows colours: NO_COLOR and FORCE_COLOR decide, then whether it is a terminal."""
    from os import environ  # noqa: PLC0415

    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty()) and environ.get("TERM") != "dumb"
