"""pytest runs cases: ``case.toml`` files below the folders that pytest looks at become tests, one a case and size of a wave.

    pytest kernels/ --hipify-py

Without ``--hipify-py`` (or ``hipify_py = true`` in pytest's configuration) nothing is collected: a plug-in that is installed
changes nobody's tests. Needs the extra ``validate``.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hipify_py.validate.results import CaseResult, Report


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plug-in."""
    group = parser.getgroup("hipify-py")
    group.addoption("--hipify-py", action="store_true", help="collect case.toml files, and validate them")
    group.addoption("--hipify-py-device", default="auto", metavar="auto|gpu|cpu", help="where cases run")
    group.addoption("--hipify-py-sanitize", choices=("address", "thread", "undefined"), help="watch the kernels")
    group.addoption("--hipify-py-seed", type=int, help="of the random inputs")
    parser.addini("hipify_py", "collect case.toml files, and validate them", type="bool", default=False)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A case file is a collector."""
    wanted = parent.config.getoption("--hipify-py") or parent.config.getini("hipify_py")
    if wanted and file_path.suffix == ".toml" and file_path.name.startswith("case"):
        return CaseFile.from_parent(parent, path=file_path)
    return None


class CaseFile(pytest.File):
    """One case file: a test for each choice of its constants and each size of a wave."""

    def collect(self) -> Iterable[pytest.Item]:
        """The tests of the file."""
        from hipify_py.files import InputError  # noqa: PLC0415 - only when asked for
        from hipify_py.validate.reader import load_case  # noqa: PLC0415

        try:
            case = load_case(self.path)
        except InputError as error:
            raise self.CollectError(str(error)) from None
        for variant in map(str, case.variants()):
            for wave in case.waves:
                name = " ".join(filter(None, (case.name, variant, f"wave {wave}")))
                yield CaseItem.from_parent(self, name=name, variant=variant, wave=wave)

    def validated(self) -> CaseResult:
        """The result of the case; it is run once for all of its tests."""
        if not hasattr(self, "_result"):
            from hipify_py.validate import validate  # noqa: PLC0415 - only when asked for

            option = self.config.getoption
            report: Report = validate(self.path, targets=(), device=option("--hipify-py-device"),
                                      sanitize=option("--hipify-py-sanitize"), seed=option("--hipify-py-seed"))
            self._seed = report.seed
            self._result = report.cases[0]
        return self._result

    @property
    def seed(self) -> int:
        """Of the inputs of the run."""
        return self._seed


class CaseItem(pytest.Item):
    """One choice of constants with one size of a wave."""

    def __init__(self, *, variant: str, wave: int, **keywords: Any) -> None:  # noqa: ANN401 - pytest's own
        super().__init__(**keywords)
        self._variant, self._wave = variant, wave

    def runtest(self) -> None:
        """Run the case, once for the whole file, and look at this part."""
        from hipify_py.report.validation import finding_line  # noqa: PLC0415 - only when asked for

        assert isinstance(self.parent, CaseFile)
        result = self.parent.validated()
        found = list(result.findings)
        runs = [run for run in result.runs if run.variant == self._variant and run.wave == self._wave]
        for run in runs:
            found += run.findings
            self.user_properties += [(f"{run.size}: max error", run.max_abs), (f"{run.size}: evidence", run.evidence)]
        if found:
            lines = list(dict.fromkeys(finding_line(each) for each in found))
            raise CaseFailedError("\n".join([*lines, f"seed {self.parent.seed}"]))
        if not runs:
            pytest.skip(f"the device has no waves of {self._wave} lanes")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ANN401
        """The findings alone, without a traceback through ours."""
        from hipify_py.files import InputError  # noqa: PLC0415 - only when asked for

        if isinstance(excinfo.value, (CaseFailedError, InputError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the test stands."""
        return self.path, 0, self.name


class CaseFailedError(Exception):
    """A case has findings; the text has them."""
