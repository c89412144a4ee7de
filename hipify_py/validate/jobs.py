"""What a worker is asked and what it answers: plain data, without numpy, for both sides."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hipify_py.validate.case import Case, Launch, Variant
from hipify_py.validate.results import Comparison, Kind


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker is to run.

    Args:
        case: The case.
        variant: The choice of its constants.
        launches: Those of the variant, with their signatures.
        library: Built from the harness.
        size: The number of the size, or of the record if `record` is set.
        record: Whether inputs and outputs are recorded ones.
        wave: Of the library.
        seed: Of the random inputs.
        symbols: The variables, by their numbers in the library.
        repeat: More launches behind the one that counts, for the time alone.
        limit: Seconds that a launch may take.
    """

    case: Case
    variant: Variant
    launches: tuple[Launch, ...]
    library: Path
    size: int
    record: bool
    wave: int
    seed: int
    symbols: tuple[str, ...]
    repeat: int = 0
    limit: float = 30.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job.

    Args:
        comparisons: Each output beside its reference.
        disagreements: Outputs that are not what the other size of a wave gave.
        changed: Inputs that the kernel has written into.
        error: The kind and the text of what went wrong before a comparison.
        error_code: HIP's, if it was a call of HIP.
        milliseconds: The time of the launches, by the device.
        reference: Where the expected outputs come from.
    """

    comparisons: tuple[Comparison, ...] = ()
    disagreements: tuple[Comparison, ...] = ()
    changed: tuple[str, ...] = ()
    error: tuple[Kind, str] | None = None
    error_code: int = 0
    milliseconds: float = 0.0
    reference: str = ""
