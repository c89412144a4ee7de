"""A validation from its cases to its report: prepare, compile for the targets, run, compare; a crash costs one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.cpu.toolchain import BuildError
from hipify_py.files import InputError
from hipify_py.validate import prepare
from hipify_py.validate.case import Case, CaseError, Launch, Variant, size_label
from hipify_py.validate.findings import of_build, of_outcome
from hipify_py.validate.jobs import Job, Outcome
from hipify_py.validate.processes import DiedError, HungError, Worker
from hipify_py.validate.results import CaseResult, Compiled, Finding, Kind, Place, Report, Run, Status
from hipify_py.validate.targets import Target

if TYPE_CHECKING:
    from hipify_py.settings import Settings

#: A sanitizer makes a kernel this much slower.
_SLOWER = 20.0
#: Seconds on top of a case's limit for the inputs and the reference, and for the device's own watchdog to speak first.
_GRACE = 10.0
#: Launches for the time of a variant on a GPU.
_REPEAT = 20
#: Findings of kernels that ran to their end, in their own buffers.
_HARMLESS = (Kind.MISMATCH, Kind.WAVE_SIZE, Kind.INPUT_CHANGED, Kind.CASE)
#: Characters of what a run has printed that are kept.
_PRINTED = 4000
_Built = Path | BuildError


@dataclass(frozen=True, slots=True)
class Options:
    """How to validate.

    Args:
        settings: How to translate, of each case's source.
        targets: hipcc compiles for these; empty: for none.
        waves: Sizes of a wave on the CPU device.
        sanitize: ``address``, ``thread``, ``undefined`` or None.
        seed: Of the random inputs.
        timeout: Seconds for one run, instead of the case's.
        jobs: Compilers that run at once.
    """

    settings: Callable[[Case], Settings]
    targets: tuple[str, ...] = ()
    waves: tuple[int, ...] = (32, 64)
    sanitize: str | None = None
    seed: int = 0
    timeout: float | None = None
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class _Ready:
    """A case with everything on its way that it needs to run."""

    case: Case
    translated: prepare.Translated | None
    libraries: dict[tuple[Variant, int], Future[_Built]]
    compiled: list[Future[Compiled]]
    findings: tuple[Finding, ...] = ()


class Validation:
    """One call of :func:`hipify_py.validate`.

    Args:
        target: The device.
        worker: A worker for it; :meth:`run` ends it.
        options: How.
        tell: Is called with each case's result as it comes.
    """

    def __init__(self, target: Target, worker: Worker, options: Options,
                 tell: Callable[[CaseResult], None] | None = None) -> None:
        self._target, self._options, self._tell = target, options, tell
        self._worker: Worker | None = worker
        self._opened = False

    def run(self, cases: Sequence[Case]) -> Report:
        """Validate cases, one after the other.

        Raises:
            InputError: The device cannot be opened.
        """
        start = time.perf_counter()
        pool = ThreadPoolExecutor(max(1, self._options.jobs))
        results: list[CaseResult] = []
        try:
            for ready in [self._prepare(case, pool) for case in cases]:
                results.append(self._case(ready))
                if self._tell is not None:
                    self._tell(results[-1])
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            if self._worker is not None:
                self._worker.stop()
        notes = [*self._target.notes]
        for text in dict.fromkeys(each.text for result in results for each in result.compiled if each.ok is None):
            notes.append(f"not compiled: {text}")
        return Report(tuple(results), self._target.name, self._target.evidence, self._options.seed, self._options.sanitize or "",
                      tuple(notes), time.perf_counter() - start)

    # -- before it runs

    def _prepare(self, case: Case, pool: ThreadPoolExecutor) -> _Ready:
        try:
            found = prepare.translated(case, self._options.settings(case))
        except InputError as error:
            return _Ready(case, None, {}, [], (Finding(Kind.CASE, str(error)),))
        errors = tuple(Finding(Kind.TRANSLATION, f"{each.message} [{each.code}]", (Place(each.file, each.line),))
                       for each in found.remarks if each.severity == "error")
        folders = prepare.include_dirs(case, found)
        libraries: dict[tuple[Variant, int], Future[_Built]] = {}
        compiled: list[Future[Compiled]] = []
        for variant in case.variants():
            source = prepare.harness(case, found, variant)
            for wave in self._waves(case):
                libraries[variant, wave] = pool.submit(self._build, case, variant, wave, source, folders)
            from hipify_py.validate.compile import compile_for  # noqa: PLC0415 - start-up time

            compiled += (pool.submit(compile_for, target, source, folders, case.macros(variant))
                         for target in self._options.targets)
        return _Ready(case, found, libraries, compiled, errors)

    def _build(self, case: Case, variant: Variant, wave: int, source: Path, folders: tuple[Path, ...]) -> _Built:
        """The library of a variant, or why there is none."""
        try:
            if not self._target.is_cpu:
                from hipify_py.validate.compile import build_library  # noqa: PLC0415 - only with a GPU

                return build_library(self._target.architecture, source, folders, case.macros(variant))
            from hipify_py.cpu.build import build_module  # noqa: PLC0415 - only for the CPU device

            return build_module(source, wave=wave, include_dirs=folders, defines=case.macros(variant),
                                sanitize=self._options.sanitize,  # type: ignore[arg-type]
                                instances=prepare.instances(case, variant))
        except BuildError as error:
            return error

    def _waves(self, case: Case) -> tuple[int, ...]:
        """The sizes of a wave that the device has and the case is written for."""
        return tuple(wave for wave in case.waves if wave in self._target.waves(self._options.waves))

    # -- running

    def _case(self, ready: _Ready) -> CaseResult:
        case, findings = ready.case, list(ready.findings)
        runs: list[Run] = []
        if not self._waves(case):
            lanes = " and ".join(map(str, case.waves))
            findings.append(Finding(Kind.CASE, f"it is written for waves of {lanes} lanes only, which were not asked for or are "
                                    f"not what {self._target.name} has"))
        if ready.translated is not None:
            for variant in case.variants():
                runs += self._variant(ready, variant, findings)
        compiled = _of_all_variants([each.result() for each in ready.compiled])
        findings += (Finding(Kind.COMPILE, f"hipcc refuses it for {each.target}: {each.text}") for each in compiled
                     if each.ok is False)
        return CaseResult(case.name, str(case.path), compiled, tuple(runs), tuple(findings))

    def _variant(self, ready: _Ready, variant: Variant, findings: list[Finding]) -> list[Run]:
        case, found = ready.case, ready.translated
        assert found is not None
        libraries: dict[int, Path] = {}
        for wave in self._waves(case):
            built = ready.libraries[variant, wave].result()
            if isinstance(built, BuildError):
                findings.append(of_build(built, found.sources))
                return []
            libraries[wave] = built
        runs: list[Run] = []
        launches, symbols = case.filled(variant), prepare.symbols_of(case)
        for number, record, label in self._sizes(case, findings):
            for wave, library in libraries.items():
                job = (case, variant, launches, library, number, record, wave, self._options.seed, symbols)
                runs.append(self._one(job, label, found))
        return runs

    def _sizes(self, case: Case, findings: list[Finding]) -> list[tuple[int, bool, str]]:
        """The runs of a case: number, whether it is recorded, label."""
        found = [(number, False, size_label(dict(size))) for number, size in enumerate(case.sizes)] if case.reference else []
        if case.recorded is not None:
            from hipify_py.validate.recorded import labels  # noqa: PLC0415 - start-up time

            try:
                found += [(number, True, f"{label} (recorded)") for number, label in enumerate(labels(case.recorded))]
            except CaseError as error:
                findings.append(Finding(Kind.CASE, str(error)))
        return found

    def _one(self, parts: tuple[Case, Variant, tuple[Launch, ...], Path, int, bool, int, int, tuple[str, ...]], label: str,
             found: prepare.Translated) -> Run:
        """One run in the worker."""
        case, variant, launches, library, number, record, wave, seed, symbols = parts
        repeat = _REPEAT if case.sweep and not self._target.is_cpu else 0
        run = Run(case.name, str(variant), label, wave, self._target.name, self._target.evidence, Status.ERROR)
        limit = (self._options.timeout or case.timeout) * (_SLOWER if self._options.sanitize else 1.0)
        worker = self._ready_worker()
        start = time.perf_counter()
        try:
            outcome = worker.ask(Job(case, variant, launches, library, number, record, wave, seed, symbols, repeat, limit),
                                 limit + _GRACE)
        except HungError:
            outcome = Outcome(error=(Kind.HANG, f"it did not end within {limit:g} s and was stopped: look for a loop without "
                                     "an end, or raise `timeout`"))
        except DiedError as error:
            outcome = Outcome(error=(Kind.CRASH, f"the process that ran it died: {error}"))
        printed = worker.printed()
        findings = of_outcome(outcome, printed, case, found, wave)
        if any(each.kind not in _HARMLESS for each in findings):
            # What the kernel has done to the process nobody knows: the next run gets a fresh one.
            self._worker, self._opened = None, False
            worker.stop()
        status = Status.PASSED if not findings else Status.ERROR if outcome.error else Status.FAILED
        return replace(run, status=status, comparisons=outcome.comparisons, findings=tuple(findings),
                       milliseconds=outcome.milliseconds, seconds=time.perf_counter() - start,
                       reference=outcome.reference, timed=repeat > 0, printed=printed[-_PRINTED:])

    def _ready_worker(self) -> Worker:
        if self._worker is None:
            self._worker = self._target.start()
        if not self._opened:
            self._target.open(self._worker)
            self._worker.printed()  # what its start has to say is no kernel's
            self._opened = True
        return self._worker


def _of_all_variants(found: Sequence[Compiled]) -> tuple[Compiled, ...]:
    """One answer a target: the first that is no success, else success."""
    answers: dict[str, Compiled] = {}
    for each in found:
        if each.target not in answers or (answers[each.target].ok and not each.ok):
            answers[each.target] = each
    return tuple(answers.values())
