"""One run on a device, start to end: make the inputs, launch, read the outputs back, compare. Lives in the worker."""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np

from hipify_py.validate import device as devices
from hipify_py.validate import inputs, recorded
from hipify_py.validate.arguments import Arguments
from hipify_py.validate.case import Argument, Array, Case, CaseError, Variant
from hipify_py.validate.compare import compare
from hipify_py.validate.elements import Buffer, Values, buffer_of
from hipify_py.validate.expressions import ExpressionError, Value, evaluate
from hipify_py.validate.jobs import Job, Outcome
from hipify_py.validate.results import Comparison, Kind

devices.preload()


@dataclass(slots=True)
class Data:
    """The inputs and what is expected of one size, kept for the other wave; and what came out."""

    key: tuple[object, ...]
    names: Mapping[str, Value]
    values: dict[str, Values]
    expected: dict[str, Values]
    reference: str
    outputs: dict[int, dict[str, Values]] = field(default_factory=dict)


class Runner:
    """The device of this process.

    Args:
        runtime: The folder of the CPU device's runtime; None: whatever hip-python finds.
    """

    def __init__(self, runtime: Path | None) -> None:
        if runtime is not None:
            devices.use_runtime(runtime)
        self._device: devices.Device | None = None
        self._data: Data | None = None

    def device_name(self) -> tuple[str, str, int] | str:
        """Name, architecture and wave of the device; a text if there is none."""
        try:
            self._device = devices.Device.open()
        except (devices.UnavailableError, devices.DeviceError) as error:
            return str(error)
        return self._device.name, self._device.architecture, self._device.wave

    def run(self, job: Job) -> Outcome:
        """Run a job; what goes wrong is part of the outcome."""
        assert self._device is not None
        self._device.limit_launches(job.limit)
        try:
            outcome = _Run(self._device, job, self._data_of(job)).outcome()
        except CaseError as error:
            outcome = Outcome(error=(Kind.CASE, str(error)))
        except devices.DeviceError as error:
            kind = Kind.MEMORY if error.name == "hipErrorOutOfMemory" else Kind.DEVICE
            outcome = Outcome(error=(kind, str(error)), error_code=error.code)
        except MemoryError as error:
            outcome = Outcome(error=(Kind.MEMORY, f"the arrays of the run do not fit the host's memory ({error})"))
        finally:
            self._device.free_all()
            devices.flush_output()
        return outcome

    def _data_of(self, job: Job) -> Data:
        if self._data is None or self._data.key != _key(job):
            self._data = data_of(job)
        return self._data


def data_of(job: Job) -> Data:
    """The inputs of a job and what is expected of it.

    Raises:
        CaseError: The case, its reference.py or its recorded file does not give them.
    """
    return _recorded(job) if job.record else _fresh(job)


def _key(job: Job) -> tuple[object, ...]:
    return job.case.path, job.variant, job.size, job.record, job.seed


def _fresh(job: Job) -> Data:
    case = job.case
    size = dict(case.sizes[job.size])
    names = _names(case, size, job.variant)
    module = _module(case.reference) if case.reference else None
    rng = inputs.generator(job.seed, case.name, repr(size))
    values: dict[str, Values] = {}
    for array in case.inputs:
        buffer = buffer_of(case, job.launches, array, names)
        # A function of reference.py may give several arrays of one kind: each call starts at the same numbers.
        own = inputs.generator(job.seed, case.name, repr(size), array.function) if array.function else rng
        try:
            values[array.name] = inputs.make(case, array, buffer, names, own, module)
        except (CaseError, MemoryError):
            raise
        except Exception as error:
            raise CaseError(f"{case.path}:{case.line(f'inputs.{array.name}')}: `inputs.{array.name}` cannot be made: "
                            f"{type(error).__name__}: {error}") from error
    return Data(_key(job), names, values, _expected(case, module, values, names, job), "numpy")


def _recorded(job: Job) -> Data:
    case = job.case
    assert case.recorded is not None
    record = recorded.read(case.recorded)[job.size]
    names = _names(case, dict(record.sizes), job.variant)
    missing = [each.name for each in case.inputs if each.name not in record.inputs]
    missing += [each.name for each in case.outputs if each.name not in record.outputs]
    if missing:
        raise CaseError(f"`{case.recorded}` has no array of `{missing[0]}`: record it again")
    return Data(_key(job), names, dict(record.inputs), dict(record.outputs), record.origin)


@cache
def _module(path: Path) -> ModuleType:
    """reference.py, loaded once, without a compiled copy beside it."""
    spec = importlib.util.spec_from_file_location(f"hipify_py_case_{path.parent.name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise CaseError(f"`{path}` cannot be loaded: {type(error).__name__}: {error}") from error
    finally:
        sys.dont_write_bytecode = before
    return module


def _names(case: Case, size: Mapping[str, int], variant: Variant) -> dict[str, Value]:
    try:
        return case.names(size, variant)
    except ExpressionError as error:
        raise CaseError(f"{case.path}:{case.line('values')}: `values`: {error}") from None


def _expected(case: Case, module: ModuleType | None, values: Mapping[str, Values], names: Mapping[str, Value],
              job: Job) -> dict[str, Values]:
    """What reference.py says; by output."""
    function = getattr(module, "reference", None)
    if not callable(function):
        raise CaseError(f"`{case.reference or case.path}` has no function `reference`: write one that returns the outputs")
    known: dict[str, object] = {name: value.copy() for name, value in values.items()}
    for launch in job.launches:
        for name, given in launch.arguments:
            known.setdefault(name, _number(given, names))
    try:
        made = inputs.call(function, {**known, **names})
    except Exception as error:
        raise CaseError(f"`{case.reference}`: `reference` has stopped: {type(error).__name__}: {error}") from error
    if not isinstance(made, dict):
        made = {case.outputs[0].name: made} if len(case.outputs) == 1 else {}
    missing = [each.name for each in case.outputs if each.name not in made]
    if missing:
        raise CaseError(f"`{case.reference}`: `reference` returns no `{missing[0]}`: return a dict with each output's name")
    return {each.name: np.asarray(made[each.name]) for each in case.outputs}


def _number(given: Argument, names: Mapping[str, Value]) -> object:
    """An argument as a reference sees it: a number, or a dict of a struct's members."""
    if isinstance(given, tuple):
        return {name: _number(value, names) for name, value in given}
    try:
        return evaluate(given, names)
    except ExpressionError:
        return given  # the name of a buffer


class _Run:
    """The launches of one job."""

    def __init__(self, device: devices.Device, job: Job, data: Data) -> None:
        self._device, self._job, self._data = device, job, data
        self._buffers: dict[str, Buffer] = {}
        self._stored: dict[str, Values] = {}
        self._addresses: dict[str, int] = {}

    def outcome(self) -> Outcome:
        job, data, case = self._job, self._data, self._job.case
        library = self._device.load_library(job.library)
        arrays = {each.name: each for each in (*case.scratch, *case.outputs, *case.inputs)}
        for array in arrays.values():
            self._place(array, library)
        milliseconds = self._timed(library)
        self._device.synchronize()
        outputs, changed = self._read_back()
        comparisons: list[Comparison] = []
        for each in case.outputs:
            buffer, expected = self._buffers[each.name], data.expected[each.name]
            try:
                comparisons.append(compare(buffer, outputs[each.name], expected, each.tolerance))
            except ValueError as error:
                raise CaseError(f"`{case.reference or case.recorded}`: {error}") from None
        if job.repeat:
            milliseconds = min(self._timed(library) for _ in range(job.repeat))
        return Outcome(tuple(comparisons), self._disagreements(outputs), changed, milliseconds=milliseconds,
                       reference=data.reference)

    def _place(self, array: Array, library: devices.Library) -> None:
        """Give a buffer its memory, and what goes in."""
        buffer = buffer_of(self._job.case, self._job.launches, array, self._data.names)
        self._buffers[array.name] = buffer
        values = self._data.values.get(array.name)
        try:
            stored = buffer.empty() if values is None else buffer.store(values)
        except ValueError as error:
            raise CaseError(f"`{self._job.case.path}`: {error}") from None
        self._stored[array.name] = stored
        if array.symbol:
            address, size = library.symbol(self._job.symbols.index(array.symbol))
            if stored.nbytes > size:
                raise CaseError(f"{self._job.case.path}: `{array.name}` has {stored.nbytes} bytes, the variable "
                                f"`{array.symbol}` only {size}")
        else:
            address = self._device.malloc(stored.nbytes)
        self._addresses[array.name] = int(address)
        self._device.copy_to(address, stored)

    def _launch_all(self, library: devices.Library) -> None:
        given = Arguments(self._job.case, self._data.names)
        for number, launch in enumerate(self._job.launches):
            kernel = library.kernel(number)
            sizes = library.parameter_sizes(number)
            wanted = tuple(each.type.size for each in launch.parameters)
            if sizes != wanted:
                raise CaseError(f"{self._job.case.path}:{self._job.case.line('signature')}: `{launch.kernel}` takes parameters "
                                f"of {_sizes(sizes)} bytes, the case's `signature` of {_sizes(wanted)}: bring it in line")
            arguments = [self._with_addresses(*each) for each in given.packed(launch)]
            shared = given.whole("shared", launch.shared)
            if shared > 48 << 10:
                self._device.allow_shared(kernel, shared)
            grid, block = given.dimensions("grid", launch.grid), given.dimensions("block", launch.block)
            if 0 in grid:
                continue  # nothing to do for an empty problem, as the launch of the host code would
            self._device.launch_address(kernel, grid=grid, block=block, arguments=arguments, shared=shared,
                                        cooperative=launch.cooperative)

    def _with_addresses(self, data: bytes, pointers: tuple[tuple[int, str], ...]) -> ctypes.Array[ctypes.c_char]:
        """An argument with the addresses of its buffers."""
        whole = bytearray(data)
        for offset, name in pointers:
            whole[offset : offset + 8] = self._addresses[name].to_bytes(8, sys.byteorder)
        return (ctypes.c_char * len(whole)).from_buffer_copy(whole)

    def _read_back(self) -> tuple[dict[str, Values], tuple[str, ...]]:
        """The outputs, and the names of the inputs that are not what they were."""
        outputs: dict[str, Values] = {}
        changed: list[str] = []
        wanted = {each.name for each in self._job.case.outputs}
        for name, stored in self._stored.items():
            if name not in wanted and name not in self._data.values:
                continue
            result = np.empty_like(stored)
            self._device.copy_from(result, self._addresses[name])
            if name in wanted:
                outputs[name] = result
            elif result.tobytes() != stored.tobytes():
                changed.append(name)
        return outputs, tuple(changed)

    def _disagreements(self, outputs: dict[str, Values]) -> tuple[Comparison, ...]:
        """The outputs beside those of the other wave, where that has run."""
        found: list[Comparison] = []
        for wave, others in self._data.outputs.items():
            if wave == self._job.wave:
                continue
            for each in self._job.case.outputs:
                buffer = self._buffers[each.name]
                found.append(compare(buffer, outputs[each.name], buffer.load(others[each.name]), each.tolerance))
        self._data.outputs[self._job.wave] = outputs
        return tuple(each for each in found if each.wrong)

    def _timed(self, library: devices.Library) -> float:
        """Launch all, and wait; milliseconds."""
        timer = self._device.timer()
        try:
            timer.start()
            self._launch_all(library)
            return timer.stop()
        finally:
            timer.close()


def _sizes(sizes: tuple[int, ...]) -> str:
    return "(" + ", ".join(str(each) for each in sizes) + ")"
