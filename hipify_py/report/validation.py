"""The report of a validation: a table for a terminal, JSON for programs, JUnit XML for continuous integration."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hipify_py.report.text import paint as painted
from hipify_py.report.text import printable

if TYPE_CHECKING:
    from hipify_py.validate.results import CaseResult, Compiled, Finding, Report, Run

#: Findings of one case that are printed in full; the others are counted.
SHOWN = 8
HEADER = ("case", "compiled for", "ran on", "wave", "sizes", "max error", "ULP", "time", "result")
_WIDTHS = (24, 22, 10, 4, 5, 9, 8, 9, 6)
_VERSION = 1


def header() -> str:
    """The first line of the table."""
    return _line(HEADER)


def rows(result: CaseResult, *, paint: bool = False, verbose: bool = False) -> list[str]:
    """The lines of a case: one for each choice of its constants and size of a wave, the worst of all sizes in it.

    Args:
        result: The case.
        paint: In colours.
        verbose: A line for each size, and below it what the kernel has printed.
    """
    groups: dict[tuple[str, int, str], list[Run]] = {}
    for run in result.runs:
        groups.setdefault((run.variant, run.wave, run.size if verbose else ""), []).append(run)
    lines = []
    for number, ((variant, wave, size), runs) in enumerate(groups.items()):
        name = " ".join(filter(None, (result.case, variant, size)))
        # What is wrong with the case as a whole is told beside the targets.
        passed = all(run.status.value == "passed" for run in runs) and not (number == 0 and result.findings)
        if variant and variant == result.fastest:
            name += " (fastest)"
        compiled = targets(result.compiled) if number == 0 else ""
        lines.append(_line((name, compiled, runs[0].device, str(wave), str(len(runs)), _number(max(run.max_abs for run in runs)),
                            _number(max(run.max_ulp for run in runs)), _time(sum(run.milliseconds for run in runs)),
                            _verdict(passed, paint))))
        if verbose:
            lines += (f"    | {printable(line)}" for line in runs[0].printed.splitlines())
    if not groups:
        lines.append(_line((result.case, targets(result.compiled), "-", "-", "-", "-", "-", "-", _verdict(False, paint))))
    return lines


def explain(result: CaseResult) -> list[str]:
    """The findings of a case, a line each."""
    lines: list[str] = []
    seen: dict[str, int] = {}
    for run in (None, *result.runs):
        for finding in result.findings if run is None else run.findings:
            text = finding_line(finding)
            parts = (result.case,) if run is None else (result.case, run.variant, run.size, f"wave {run.wave}")
            where = " ".join(filter(None, parts))
            seen[text] = seen.get(text, 0) + 1
            if seen[text] == 1:
                lines.append(f"{text} [{where}]")
    if len(lines) > SHOWN:
        lines = [*lines[:SHOWN], f"... and {len(lines) - SHOWN} more findings of {result.case} (`--json FILE` has them all)"]
    return lines


def finding_line(finding: Finding) -> str:
    """One finding: the place, what it is, who was at it."""
    text = f"{finding.places[0]}: " if finding.places else ""
    text += f"error: {finding.kind.value}: "
    if finding.kernel:
        text += f"`{finding.kernel}`: "
    text += finding.message
    if finding.thread is not None and finding.block is not None:
        text += f" (block {_dim(finding.block)}, thread {_dim(finding.thread)})"
    elif finding.block is not None:
        text += f" (block {_dim(finding.block)})"
    others = [str(each) for each in finding.places[1:4]]
    return printable(text + (f"; see also {', '.join(others)}" if others else ""))


def summary(report: Report) -> str:
    """The last line."""
    good = sum(case.passed for case in report.cases)
    count = len(report.cases)
    text = f"{good} of {count} case{'' if count == 1 else 's'} passed, {sum(len(case.runs) for case in report.cases)} runs " \
           f"in {report.seconds:.1f} s; evidence: {report.evidence}"
    if report.sanitize:
        text += f", sanitizer {report.sanitize}"
    return f"{text}; seed {report.seed}"


def targets(compiled: Sequence[Compiled]) -> str:
    """What hipcc took, in one cell: a target that was not tried is in brackets, one that failed has an exclamation mark."""
    marks = {True: "{}", False: "{}!", None: "({})"}
    return " ".join(marks[each.ok].format(each.target) for each in compiled) or "-"


def as_json(report: Report) -> str:
    """The whole report."""
    from dataclasses import asdict  # noqa: PLC0415 - start-up time

    data = _plain(asdict(report))
    data = {"version": _VERSION, "passed": report.passed, **data}
    for case, result in zip(data["cases"], report.cases, strict=True):
        case |= {"passed": result.passed, "fastest": result.fastest}
    return json.dumps(data, indent=1) + "\n"


def as_junit(report: Report) -> str:
    """The report as JUnit XML: a suite a case, a test a run, and one a target of hipcc."""
    from xml.etree import ElementTree as ET  # noqa: PLC0415 - only when asked for

    runs = [run for case in report.cases for run in case.runs]
    suites = ET.Element("testsuites", name="hipify-py validate", tests=str(len(runs)), time=f"{report.seconds:.3f}")
    for case in report.cases:
        suite = ET.SubElement(suites, "testsuite", name=case.case, file=case.path)
        properties = ET.SubElement(suite, "properties")
        for name, value in (("device", report.device), ("evidence", report.evidence), ("seed", str(report.seed)),
                            ("sanitize", report.sanitize), ("fastest", case.fastest)):
            if value:
                ET.SubElement(properties, "property", name=name, value=value)
        bad, tests, skipped = 0, 0, 0
        for each in case.compiled:
            test = ET.SubElement(suite, "testcase", classname=case.case, name=f"hipcc {each.target}")
            tests += 1
            if each.ok is None:
                skipped += 1
                ET.SubElement(test, "skipped", message=_xml(each.text))
            elif not each.ok:
                bad += 1
                ET.SubElement(test, "failure", type="compile", message=_xml(each.text))
        for run in case.runs:
            tests += 1
            bad += run.status.value != "passed"
            _junit_run(suite, run)
        for finding in case.findings:
            if finding.kind.value == "compile":
                continue  # told above
            tests += 1
            bad += 1
            test = ET.SubElement(suite, "testcase", classname=case.case, name=finding.kind.value)
            ET.SubElement(test, "failure", type=finding.kind.value, message=_xml(finding_line(finding)))
        suite.attrib.update(tests=str(tests), failures=str(bad), skipped=str(skipped),
                            time=f"{sum(run.seconds for run in case.runs):.3f}")
    suites.attrib["failures"] = str(sum(int(suite.attrib["failures"]) for suite in suites))
    ET.indent(suites)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _junit_run(suite: Any, run: Run) -> None:  # noqa: ANN401 - an Element
    from xml.etree import ElementTree as ET  # noqa: PLC0415

    name = " ".join(filter(None, (run.variant, run.size, f"wave {run.wave}")))
    test = ET.SubElement(suite, "testcase", classname=run.case, name=name, time=f"{run.seconds:.3f}")
    properties = ET.SubElement(test, "properties")
    for key, value in (("ran on", run.device), ("evidence", run.evidence), ("wave", str(run.wave)),
                       ("max error", f"{run.max_abs:.6g}"), ("max ULP", f"{run.max_ulp:.6g}"),
                       ("device time ms", f"{run.milliseconds:.4f}"), ("reference", run.reference)):
        ET.SubElement(properties, "property", name=key, value=value)
    for finding in run.findings:
        ET.SubElement(test, "failure", type=finding.kind.value, message=_xml(finding_line(finding)))


def _plain(value: Any) -> Any:  # noqa: ANN401 - any data
    """Enums by their values, infinities as text: JSON has neither."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if hasattr(value, "value") and hasattr(value, "name"):
        return value.value
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return value


def _line(cells: Iterable[str]) -> str:
    """A line of the table; behind a cell that is too wide, the columns are back in their places as soon as there is room."""
    text, start = "", 0
    for cell, width in zip(cells, _WIDTHS, strict=True):
        text = f"{text}  {cell}" if len(text) > start - 2 > 0 else text.ljust(start) + cell
        start += width + 2
    return text


def _verdict(passed: bool, paint: bool) -> str:
    text = "passed" if passed else "FAILED"
    return painted(text, 32 if passed else 31) if paint else text


def _number(value: float) -> str:
    return "0" if value == 0 else f"{value:.2g}"


def _time(milliseconds: float) -> str:
    return f"{milliseconds:.2f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.2f} s"


def _dim(values: tuple[int, int, int]) -> str:
    return "(" + ",".join(str(value) for value in values) + ")"


def _xml(text: str) -> str:
    return "".join(char for char in text if char >= " ")
