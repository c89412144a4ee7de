"""What cases run on: a real AMD GPU where hip-python finds one, else the CPU device; and the libraries that run there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from hipify_py.files import InputError
from hipify_py.validate.processes import DiedError, HungError, Worker

#: The driver of AMD GPUs: without it no runtime finds one, and none needs to be asked.
_DRIVERS = ("/dev/kfd", "/dev/dxg")
#: Seconds that a worker may take to import what it needs and to open its device.
_START = 60.0
CPU_EVIDENCE = "source-level, CPU device"


class Wish(Enum):
    """Which device is asked for."""

    AUTO = "auto"
    GPU = "gpu"
    CPU = "cpu"


@dataclass(frozen=True, slots=True)
class Target:
    """A device that was found.

    Args:
        name: For people.
        architecture: ``gfx90a``; empty for the CPU device.
        wave: Lanes of its waves; 0: what the module is built for.
        runtime: The folder of the CPU device's runtime; None: hip-python finds the GPU's.
        environment: What its workers need in their environment.
        notes: What a person should know.
    """

    name: str
    architecture: str
    wave: int
    runtime: Path | None
    environment: Mapping[str, str]
    notes: tuple[str, ...] = ()

    @property
    def is_cpu(self) -> bool:
        """Whether it is the CPU device."""
        return self.runtime is not None

    @property
    def evidence(self) -> str:
        """What a pass on this device means."""
        return CPU_EVIDENCE if self.is_cpu else f"run on {self.name} ({self.architecture})"

    def waves(self, wished: tuple[int, ...]) -> tuple[int, ...]:
        """The sizes of a wave to run with."""
        return wished if self.is_cpu else (self.wave,)

    def start(self) -> Worker:
        """A worker for this device, which may still be starting."""
        return Worker(self.environment)

    def open(self, worker: Worker) -> None:
        """Let a worker open the device.

        Raises:
            InputError: It cannot.
        """
        try:
            answer = worker.ask(str(self.runtime or ""), _START)
        except (DiedError, HungError) as error:
            last = (worker.printed().strip().splitlines() or ["it says nothing"])[-1]
            if "No module named" in last:
                raise InputError(f"{last.partition(': ')[2] or last}: `pip install hipify-py[validate]`") from None
            raise InputError(f"the process that runs kernels does not start ({error}): {last}") from None
        if isinstance(answer, str):
            raise InputError(answer)


def find(wish: Wish, sanitize: str | None, worker: Worker | None = None) -> tuple[Target, Worker]:
    """The device to run on, and a worker for it, which may still be starting.

    Args:
        wish: Which one.
        sanitize: The sanitizer that is to watch.
        worker: One that was started before; it is used or stopped.

    Raises:
        InputError: The GPU that is asked for is not there, or the CPU device cannot be built.
    """
    try:
        if sanitize and wish is Wish.GPU:
            raise InputError("`--sanitize` works on the CPU device: leave `--device gpu` out")
        reason = ""
        if wish is not Wish.CPU and not sanitize:
            missing = not any(Path(path).exists() for path in _DRIVERS)
            worker = worker or Worker()
            found = f"{_DRIVERS[0]} is missing" if missing else _gpu(worker)
            if isinstance(found, Target):
                return found, worker
            if not missing:
                worker.stop()  # it has loaded the GPU's runtime
                worker = None
            reason = found
            if wish is Wish.GPU:
                raise InputError(f"no AMD GPU: {reason}: leave `--device gpu` out to run on the CPU device")
        note = f"no AMD GPU: using the CPU device ({reason})" if reason else ""
        target = _cpu(sanitize, (note,) if note else ())
        return target, worker or target.start()
    except BaseException:
        if worker is not None:
            worker.stop()
        raise


def _gpu(worker: Worker) -> Target | str:
    """The AMD GPU that a worker opens, or why there is none."""
    try:
        answer = worker.ask("", _START)
    except (DiedError, HungError) as error:
        return f"hip-python does not start: {error}"
    if isinstance(answer, str):
        return answer.removeprefix("no AMD GPU (").removesuffix(")")
    name, architecture, wave = answer
    return Target(name, architecture, wave, None, {})


def _cpu(sanitize: str | None, notes: tuple[str, ...]) -> Target:
    from hipify_py.cpu.build import BuildError, build_runtime, sanitizer_environment  # noqa: PLC0415 - only for the CPU device

    try:
        runtime = build_runtime()
        environment = sanitizer_environment(sanitize) if sanitize else {}  # type: ignore[arg-type]
    except BuildError as error:
        raise InputError(f"the CPU device cannot be built: {error}") from None
    environment = dict(environment)
    if sanitize:
        option = {"address": "ASAN_OPTIONS", "thread": "TSAN_OPTIONS", "undefined": "UBSAN_OPTIONS"}[sanitize]
        # The first report ends the process: what comes after it is seldom true, and the thread is known then.
        environment[option] = ":".join(filter(None, (environment.get(option, ""), "halt_on_error=1")))
        environment["OPENBLAS_NUM_THREADS"] = "1"
    return Target("CPU device", "", 0, runtime, environment, notes)


def wish_from(text: str) -> Wish:
    """The device that a word names.

    Raises:
        InputError: It names none.
    """
    try:
        return Wish(text)
    except ValueError:
        raise InputError(f"`{text}` is no device: it is `auto`, `gpu` or `cpu`") from None


def seed_from_system() -> int:
    """A seed that nobody has chosen."""
    return int.from_bytes(os.urandom(4), "little")
