"""What a validation has found: frozen data, for the reports and for Python."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Status(Enum):
    """How a run ended."""

    PASSED = "passed"
    FAILED = "failed"      #: it ran, and something is wrong
    ERROR = "error"        #: it could not be run to its end


class Kind(Enum):
    """What a finding is about."""

    TRANSLATION = "translation"      #: the source does not translate without errors
    BUILD = "build"                  #: the translation does not compile for the device
    COMPILE = "compile"              #: hipcc refuses it
    MISMATCH = "mismatch"            #: an output is not what the reference says
    WAVE_SIZE = "wave-size"          #: the sizes of a wave do not give the same
    INPUT_CHANGED = "input-changed"  #: the kernel wrote into a buffer that is none of its outputs
    OUT_OF_BOUNDS = "out-of-bounds"  #: an access outside of a buffer
    FAULT = "fault"                  #: a trap, an assertion, a division by zero, divergent barriers
    HANG = "hang"                    #: the watchdog ended it
    RACE = "race"                    #: two threads, one place, no order
    UNDEFINED = "undefined"          #: undefined behaviour of C++
    MEMORY = "out-of-memory"         #: the device has not so much memory
    CRASH = "crash"                  #: the process died
    DEVICE = "device"                #: a call of HIP failed
    CASE = "case"                    #: the case, or its reference.py, is wrong


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a source."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong.

    Args:
        kind: What it is about.
        message: One line: the fact, and what to do.
        places: Where in the source, the most telling first.
        kernel: The kernel's name, if it is known.
        block, thread: Who was at it, if that is known.
    """

    kind: Kind
    message: str
    places: tuple[Place, ...] = ()
    kernel: str = ""
    block: tuple[int, int, int] | None = None
    thread: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """An output beside its reference. Without a wrong element, `index` and the texts are empty."""

    name: str
    elements: int
    wrong: int
    index: tuple[int, ...]
    actual: str
    expected: str
    max_abs: float
    max_rel: float
    max_ulp: float
    nans: int = 0
    untouched: int = 0


@dataclass(frozen=True, slots=True)
class Compiled:
    """Whether hipcc takes the translation, for one target. `ok` is None where nothing was tried; `text` says why."""

    target: str
    ok: bool | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One run: a case, one choice of its constants, one size, one size of a wave.

    Args:
        case: The case's name.
        variant: The constants, ``TILE=16``; empty without a sweep.
        size: ``n=255``.
        wave: Lanes of a wave.
        device: What it ran on.
        evidence: What a pass means there.
        status: How it ended.
        comparisons: Each output beside its reference.
        findings: What is wrong.
        milliseconds: Of the launches, by the device; the shortest of several if `timed` is set.
        seconds: Of the whole run.
        reference: Where the expected outputs come from.
        timed: Whether the time is good for comparing variants.
        printed: What the kernel, or what watched it, has printed; the end of it, if it is long.
    """

    case: str
    variant: str
    size: str
    wave: int
    device: str
    evidence: str
    status: Status
    comparisons: tuple[Comparison, ...] = ()
    findings: tuple[Finding, ...] = ()
    milliseconds: float = 0.0
    seconds: float = 0.0
    reference: str = ""
    timed: bool = False
    printed: str = ""

    @property
    def max_abs(self) -> float:
        """The largest absolute error of all outputs."""
        return max((each.max_abs for each in self.comparisons), default=0.0)

    @property
    def max_ulp(self) -> float:
        """The largest error in ULP of all outputs."""
        return max((each.max_ulp for each in self.comparisons), default=0.0)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """All of one case: its targets, its runs, and what is wrong with the case as a whole."""

    case: str
    path: str
    compiled: tuple[Compiled, ...] = ()
    runs: tuple[Run, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether it ran, all runs passed, and nothing else is wrong."""
        return not self.findings and bool(self.runs) and all(run.status is Status.PASSED for run in self.runs)

    @property
    def fastest(self) -> str:
        """The choice of constants with the shortest times, all sizes together; empty where nothing was timed or chosen.

        Times of the CPU device say nothing about a GPU and are not compared.
        """
        times: dict[str, float] = {}
        for run in self.runs:
            if not run.timed or run.status is not Status.PASSED:
                return ""
            times[run.variant] = times.get(run.variant, 0.0) + run.milliseconds
        return min(times, key=lambda variant: times[variant]) if len(times) > 1 else ""

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """Those of the case and of its runs."""
        return (*self.findings, *(finding for run in self.runs for finding in run.findings))


@dataclass(frozen=True, slots=True)
class Report:
    """A validation.

    Args:
        cases: In the order in which they were named.
        device: What they ran on.
        evidence: What a pass means there.
        seed: Of the random inputs; the same seed gives the same inputs.
        sanitize: The sanitizer that watched, or an empty text.
        notes: What was not done, and why.
    """

    cases: tuple[CaseResult, ...]
    device: str
    evidence: str
    seed: int
    sanitize: str = ""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether all cases passed."""
        return bool(self.cases) and all(case.passed for case in self.cases)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All of all cases."""
        return tuple(finding for case in self.cases for finding in case.all_findings)
