"""Findings out of what a run, a build or a comparison has given."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hipify_py.cpu.toolchain import BuildError
from hipify_py.validate.case import Case
from hipify_py.validate.jobs import Outcome
from hipify_py.validate.logs import findings as read_log
from hipify_py.validate.places import Sources
from hipify_py.validate.prepare import Remark, Translated
from hipify_py.validate.results import Comparison, Finding, Kind, Place

_ERROR_LINE = re.compile(r"(/[^\s:]+):(\d+)(?::\d+)?: (?:fatal )?error: (.*)")
#: Codes of the translation's remarks on the size of a wave.
_WAVE_CODES = ("HPY3",)


def of_build(error: BuildError, sources: Sources) -> Finding:
    """A translation that the compiler of the device refuses; with the line of the source."""
    match = _ERROR_LINE.search(error.log)
    place = sources.place(match[1], int(match[2])) if match else None
    text = f"it does not compile: {match[3]}" if match and place else str(error)
    return Finding(Kind.BUILD, text, (place,) if place else ())


def of_outcome(outcome: Outcome, printed: str, case: Case, found: Translated, wave: int) -> list[Finding]:
    """What is wrong with a run.

    Args:
        outcome: What the worker has answered, or what became of it.
        printed: What it has printed.
        case: The case.
        found: Its translation.
        wave: The size of the wave.
    """
    seen = read_log(printed, found.sources)
    if outcome.error is not None:
        kind, text = outcome.error
        told = [each for each in seen if each.kind is not Kind.CASE]
        # The device, or a sanitizer, has said it better than the error of the call or the death of the process.
        if told and kind in (Kind.DEVICE, Kind.CRASH, Kind.HANG):
            return told
        tail = f" ({_last_line(printed)})" if kind is Kind.CRASH and _last_line(printed) else ""
        return [*told, Finding(kind, text + tail, _kernels(case, found.sources), _names(case))]
    result = list(seen)
    for each in outcome.comparisons:
        if each.wrong:
            result.append(Finding(Kind.MISMATCH, _mismatch(each), _written(case, found.sources, each.name), _names(case)))
    for each in outcome.disagreements:
        result.append(Finding(Kind.WAVE_SIZE, f"`{each.name}` is not the same with waves of 32 and of 64 lanes: "
                              f"{_elements(each)}, {each.actual} with {wave} and {each.expected} with {96 - wave}: "
                              "look for a number that stands for the size of a wave",
                              _wave_places(found.remarks) or _kernels(case, found.sources), _names(case)))
    for name in outcome.changed:
        result.append(Finding(Kind.INPUT_CHANGED, f"the kernel has written into `{name}`, which is no output of the case: "
                              "name it under `[outputs]` or `[scratch]` if that is meant",
                              _written(case, found.sources, name), _names(case)))
    return result


def _mismatch(each: Comparison) -> str:
    text = f"`{each.name}`: {_elements(each)} is {each.actual}, expected {each.expected} (max error {each.max_abs:.3g}"
    text += f", {each.max_ulp:.3g} ULP)" if each.max_ulp else ")"
    if each.nans:
        text += f"; {each.nans} NaN"
    if each.untouched:
        text += f"; {each.untouched} never written"
    return text


def _elements(each: Comparison) -> str:
    index = "".join(f"[{number}]" for number in each.index)
    return f"{each.wrong} of {each.elements} elements differ, the first `{each.name}{index}`"


def _written(case: Case, sources: Sources, buffer: str) -> tuple[Place, ...]:
    """Where the kernels write a buffer; else where they begin."""
    found: list[Place] = []
    for launch in case.launches:
        given = dict(launch.arguments)
        for variant in case.variants()[:1]:
            for parameter in launch.filled(dict(variant.constants), case.declarations).parameters:
                if given.get(parameter.name, parameter.name) == buffer:
                    found += sources.writes(launch.kernel, parameter.name)
    return tuple(dict.fromkeys(found)) or _kernels(case, sources)


def _kernels(case: Case, sources: Sources) -> tuple[Place, ...]:
    places = [sources.kernel(launch.kernel) for launch in case.launches]
    return tuple(dict.fromkeys(place for place in places if place is not None))


def _names(case: Case) -> str:
    return ", ".join(dict.fromkeys(launch.kernel for launch in case.launches))


def _wave_places(remarks: Sequence[Remark]) -> tuple[Place, ...]:
    places = [Place(each.file, each.line) for each in remarks if each.code.startswith(_WAVE_CODES)]
    return tuple(dict.fromkeys(places))


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""
