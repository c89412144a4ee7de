"""`--emit-harness`: a case as a HIP program of its own, with the translation, the inputs and what is expected in one file.

Nothing but hipcc is needed to build it and a GPU to run it, so that it can be taken to another machine.
"""

from __future__ import annotations

import base64
import os
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hipify_py.files import InputError, read_source, reason, write_atomic
from hipify_py.settings import Settings
from hipify_py.validate import prepare
from hipify_py.validate.arguments import Arguments
from hipify_py.validate.case import Case, Tolerance, Variant, size_label
from hipify_py.validate.compare import DEFAULT_ULP
from hipify_py.validate.elements import Buffer, Values, buffer_of
from hipify_py.validate.execute import Data, data_of
from hipify_py.validate.harness import program_text
from hipify_py.validate.jobs import Job
from hipify_py.validate.layout import FLOATS

#: Bytes of arrays in one program; a compiler takes long for more.
LIMIT = 4_000_000
#: How the program reads an element of each dtype.
_READERS = {"fp16": "fp16", "bf16": "bf16", "fp32": "element<float>", "fp64": "element<double>"}


@dataclass(frozen=True, slots=True)
class _Buffer:
    name: str
    symbol: str
    size: int
    data: str | None
    expected: str | None
    bound: str
    count: int
    reader: str


@dataclass(frozen=True, slots=True)
class _Argument:
    bytes: str
    pointers: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class _Launch:
    kernel: str
    grid: str
    block: str
    shared: int
    cooperative: bool
    arguments: tuple[_Argument, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    label: str
    buffers: tuple[_Buffer, ...]
    launches: tuple[_Launch, ...]


def emit(cases: Sequence[Case], folder: Path, seed: int, settings: Callable[[Case], Settings]) -> list[Path]:
    """Write a program for each case, and each choice of its constants.

    Args:
        cases: What to write.
        folder: Where; it is made.
        seed: Of the random inputs.
        settings: How to translate.

    Returns:
        The programs; headers of a case lie beside its program.

    Raises:
        InputError: A case is wrong, too large, or the folder cannot be written.
    """
    written: list[Path] = []
    for case in cases:
        found = prepare.translated(case, settings(case))
        errors = [each for each in found.remarks if each.severity == "error"]
        if errors:
            raise InputError(f"{errors[0].file}:{errors[0].line}: {errors[0].message} [{errors[0].code}]")
        for variant in case.variants():
            written.append(_write(case, variant, found, folder, seed))
    return written


def _write(case: Case, variant: Variant, found: prepare.Translated, folder: Path, seed: int) -> Path:
    stem = "-".join([case.name, *(f"{name}{value}" for name, value in variant.constants)])
    headers = [Path(path) for path in found.sources.origins if Path(path) != found.main]
    path = folder / f"{stem}.hip"
    if headers:
        path = folder / stem / found.main.relative_to(found.folder).parent / f"{stem}.hip"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"`{path.parent}` cannot be made: {reason(error)}") from None
    for header in headers:
        target = folder / stem / header.relative_to(found.folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(target, header.read_bytes())
    text = program_text(
        name=case.name, case=os.path.relpath(case.path), seed=seed, file=path.name, stem=path.stem, macros=case.macros(variant),
        source=case.source.name, text=read_source(found.main).decode("utf-8", "surrogateescape"),
        runs=_runs(case, variant, seed))
    write_atomic(path, text.encode("utf-8", "surrogateescape"))
    return path


def _runs(case: Case, variant: Variant, seed: int) -> list[_Run]:
    jobs = [Job(case, variant, case.filled(variant), Path(), number, False, 0, seed, ()) for number in range(len(case.sizes))]
    runs: list[_Run] = []
    total = 0
    for job in jobs if case.reference else []:
        run = _run(job, data_of(job))
        total += sum(len(each.data or "") + len(each.expected or "") for each in run.buffers)
        if total > LIMIT:
            break
        runs.append(run)
    if not runs:
        raise InputError(f"`{case.path}`: its first size does not fit a program, or it has no `reference.py`: put a small "
                         "size first")
    return runs


def _run(job: Job, data: Data) -> _Run:
    case = job.case
    outputs = {each.name: each for each in case.outputs}
    buffers: list[_Buffer] = []
    arrays = {each.name: each for each in (*case.scratch, *case.outputs, *case.inputs)}
    for name, array in arrays.items():
        buffer = buffer_of(case, job.launches, array, data.names)
        values = data.values.get(name)
        stored = buffer.empty() if values is None else buffer.store(values)
        symbol = array.symbol
        expected, bound, reader = None, '""', "nullptr"
        if name in outputs:
            expected, bound, reader = _expected(buffer, data.expected[name], outputs[name].tolerance)
        buffers.append(_Buffer(name, symbol, stored.nbytes, None if values is None else _text(stored), expected, bound,
                               int(stored.size), reader))
    given = Arguments(case, data.names)
    launches = []
    for launch in job.launches:
        grid = given.dimensions("grid", launch.grid)
        if 0 in grid:
            continue
        parts = []
        for raw, pointers in given.packed(launch):
            parts.append(_Argument(", ".join(str(byte) for byte in raw), pointers))
        block = given.dimensions("block", launch.block)
        launches.append(_Launch(launch.kernel, ", ".join(map(str, grid)), ", ".join(map(str, block)),
                                given.whole("shared", launch.shared), launch.cooperative, tuple(parts)))
    return _Run(size_label(dict(case.sizes[job.size])) or "run", tuple(buffers), tuple(launches))


def _expected(buffer: Buffer, expected: Values, tolerance: Tolerance) -> tuple[str, str, str]:
    """The expected values, how far each may be off, and how the program reads an element."""
    if buffer.dtype not in FLOATS:
        return _text(buffer.store(expected)), '""', "nullptr"
    values = expected.astype(np.float64).reshape(buffer.full_shape)
    if tolerance == Tolerance():
        tolerance = Tolerance(ulp=DEFAULT_ULP)
    with np.errstate(all="ignore"):
        bound = (tolerance.abs or 0.0) + (tolerance.rel or 0.0) * np.abs(values)
        bound = np.maximum(bound, (tolerance.ulp or 0.0) * _spacing(buffer, values))
    return _text(values), _text(np.where(np.isfinite(bound), bound, 0.0)), _READERS[buffer.dtype]


def _spacing(buffer: Buffer, values: Values) -> Values:
    """The distance of each value to the next number of the dtype."""
    spacing: Values
    if buffer.dtype == "bf16":
        spacing = np.exp2(np.floor(np.log2(np.maximum(np.abs(values), 2.0**-126))) - 7)
    else:
        spacing = np.abs(np.spacing(np.abs(buffer.store(values)))).astype(np.float64)
    return spacing


def _text(values: Values) -> str:
    """An array as C's strings, in base64; never empty, for a compiler wants a string."""
    text = base64.b64encode(np.ascontiguousarray(values).tobytes()).decode()
    return "\n".join(f'        "{line}"' for line in textwrap.wrap(text, 112)) or '        ""'
