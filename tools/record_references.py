#!/usr/bin/env python3
"""Record what the CUDA kernels of cases compute, on an NVIDIA GPU: reference.npz for `hipify-py validate`.

tools/record_references.py OUT.tar CASE...: builds each case's original source with nvcc, runs its smaller sizes with seeded
inputs, and puts NAME/reference.npz into the archive; with --waves FOLDER the kernels of a corpus too, as waves.npz, with
--corpus those of tests/wave_corpus, as corpus.npz. Needs nvcc, an NVIDIA GPU, numpy, pycparser and jinja2; no HIP.
"""

from __future__ import annotations

import argparse
import ctypes
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hipify_py.validate import execute, harness, prepare, recorded
from hipify_py.validate.case import Case, Variant
from hipify_py.validate.device import DeviceError, Library
from hipify_py.validate.jobs import Job
from hipify_py.validate.reader import find_cases, load_case
from hipify_py.validate.results import Kind
from tests import wave_programs

SEED = 20
#: Arrays of one run, in bytes: larger sizes are left to numpy.
LIMIT = 100_000


class Cuda:
    """What a run asks of a device, by CUDA's runtime."""

    def __init__(self, name: str) -> None:
        self.name, self.architecture, self.wave, self.is_cpu = name, "sm_90", 32, False
        self._runtime = ctypes.CDLL(str(next(Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")).rglob("libcudart.so"))))
        self._buffers: list[int] = []

    def _call(self, name: str, *arguments: object) -> None:
        code = getattr(self._runtime, name)(*arguments)
        if code:
            raise DeviceError(name, code, str(code), "see CUDA's list of errors")

    def malloc(self, size: int) -> int:
        pointer = ctypes.c_void_p()
        self._call("cudaMalloc", ctypes.byref(pointer), ctypes.c_size_t(max(size, 1)))
        self._buffers.append(int(pointer.value or 0))
        return self._buffers[-1]

    def copy_to(self, pointer: int, array: np.ndarray) -> None:
        self._copy(ctypes.c_void_p(pointer), array.ctypes.data_as(ctypes.c_void_p), array.nbytes, 1)

    def copy_from(self, array: np.ndarray, pointer: int) -> None:
        self._copy(array.ctypes.data_as(ctypes.c_void_p), ctypes.c_void_p(pointer), array.nbytes, 2)

    def _copy(self, target: ctypes.c_void_p, source: ctypes.c_void_p, size: int, kind: int) -> None:
        self._call("cudaMemcpy", target, source, ctypes.c_size_t(size), kind)

    def allow_shared(self, kernel: int, size: int) -> None:
        self._call("cudaFuncSetAttribute", ctypes.c_void_p(kernel), 8, size)

    def call(self, name: str, shadow: int) -> int:
        """The two calls that a library makes, under their HIP names."""
        result = ctypes.c_void_p()
        self._call(name.replace("hip", "cuda", 1), ctypes.byref(result), ctypes.c_void_p(shadow))
        return int(result.value or 0)

    def load_library(self, path: Path) -> Library:
        return Library(self, ctypes.CDLL(str(path)))  # type: ignore[arg-type]

    def launch_address(self, kernel: int, *, grid: tuple[int, ...], block: tuple[int, ...], arguments: list[object],
                       shared: int = 0, cooperative: bool = False) -> None:
        class Dim(ctypes.Structure):
            _fields_ = (("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint))

        pointers = (ctypes.c_void_p * max(len(arguments), 1))(*(ctypes.cast(each, ctypes.c_void_p) for each in arguments))
        name = "cudaLaunchCooperativeKernel" if cooperative else "cudaLaunchKernel"
        self._call(name, ctypes.c_void_p(kernel), Dim(*grid), Dim(*block), pointers, ctypes.c_size_t(shared), None)

    def synchronize(self) -> None:
        self._call("cudaDeviceSynchronize")

    def timer(self) -> Cuda:
        return self

    def start(self) -> None:
        """Nothing is timed."""

    def stop(self) -> float:
        return 0.0

    def free_all(self) -> None:
        for each in self._buffers:
            self._call("cudaFree", ctypes.c_void_p(each))
        self._buffers.clear()


class Recorder(execute._Run):
    """A run that keeps its outputs."""

    def record(self, sizes: dict[str, int]) -> recorded.Record:
        self.outcome()
        values, _ = self._read_back()
        outputs = {name: self._buffers[name].load(value) for name, value in values.items()}
        return recorded.Record(tuple(sizes.items()), self._data.values, outputs)


def build(source: str, folder: Path, name: str, flags: list[str]) -> Path:
    """Compile a source with nvcc as a shared library."""
    text, library = folder / f"{name}.cu", folder / f"{name}.so"
    text.write_text(source)
    subprocess.run(["nvcc", "-shared", "-Xcompiler", "-fPIC", "-O2", "-std=c++17", "-arch=sm_90", "-cudart=shared", *flags,
                    "-o", str(library), str(text)], check=True)
    return library


def library_of(case: Case, folder: Path) -> Path:
    """The original kernels of a case, built."""
    variant: Variant = next(iter(case.variants()))
    launches, symbols = case.filled(variant), prepare.symbols_of(case)
    text = harness.module_text(str(case.source.resolve()), [each.kernel for each in launches], symbols)
    flags = [f"-I{each}" for each in (case.source.parent, *case.include_dirs)] + [f"-D{each}" for each in case.macros(variant)]
    return build(text.replace("hip/hip_runtime.h", "cuda_runtime.h"), folder, case.name.replace("/", "_"), flags)


def record(case: Case, library: Path, device: Cuda, folder: Path, origin: str) -> bytes | None:
    """The records of a case as a file's bytes; None if none is small enough."""
    variant: Variant = next(iter(case.variants()))
    launches, symbols = case.filled(variant), prepare.symbols_of(case)
    runner = execute.Runner(None)
    records = []
    for number, size in enumerate(case.sizes):
        job = Job(case, variant, launches, library, number, False, 32, SEED, symbols, 0, 60.0)
        data = runner._data_of(job)
        if sum(each.nbytes for each in (*data.values.values(), *data.expected.values())) > LIMIT:
            continue
        try:
            records.append(Recorder(device, job, data).record(dict(size)))  # type: ignore[arg-type]
        finally:
            device.free_all()
    if not records:
        return None
    target = folder / "reference.npz"
    recorded.write(target, records, origin)
    return target.read_bytes()


def waves(folder: Path, device: Cuda, work: Path, instances: dict[str, str]) -> bytes:
    """What each kernel of a corpus writes, by name."""
    inputs = np.random.default_rng(3).integers(0, 10, 512).astype(np.int32)
    outputs = {}
    def built(path: Path) -> Path:
        kernel = instances.get(path.stem, path.stem)
        text = harness.module_text(str(path.resolve()), [kernel], []).replace("hip/hip_runtime.h", "cuda_runtime.h")
        return build(text, work, path.stem, [])

    paths = sorted(folder.glob("*/*.cu"))
    with ThreadPoolExecutor() as pool:
        libraries = list(pool.map(built, paths))
    for path, file in zip(paths, libraries, strict=True):
        library = device.load_library(file)
        source, target = device.malloc(inputs.nbytes), device.malloc(4096)
        device.copy_to(source, inputs)
        device.copy_to(target, np.zeros(1024, np.int32))
        values = (ctypes.c_void_p(source), ctypes.c_void_p(target), ctypes.c_int(512))
        arguments = [ctypes.pointer(each) for each in values]
        device.launch_address(library.kernel(0), grid=(2, 1, 1), block=(256, 1, 1), arguments=arguments)
        device.synchronize()
        outputs[path.stem] = np.zeros(1024, np.int32)
        device.copy_from(outputs[path.stem], target)
        device.free_all()
    result = io.BytesIO()
    np.savez_compressed(result, **outputs)
    return result.getvalue()


#: What CUDA 8 called the collectives, which no GPU of today has.
LEGACY = """#include <cuda_runtime.h>
#define __shfl(value, lane) __shfl_sync(~0u, value, lane)
#define __shfl_down(value, delta) __shfl_down_sync(~0u, value, delta)
#define __ballot(predicate) __ballot_sync(~0u, predicate)
"""


def corpus(device: Cuda, work: Path) -> bytes:
    """What each kernel of tests/wave_corpus changes, by its name and the number of the argument."""
    outputs: dict[str, np.ndarray] = {}

    def built(entry: wave_programs.Entry) -> Path:
        source = str((wave_programs.FOLDER / f"{entry.name}.cu").resolve())
        text = harness.module_text(source, [entry.kernel], []).replace("hip/hip_runtime.h", "cuda_runtime.h")
        return build(LEGACY + text if entry.name.startswith("legacy") else text, work, entry.name, [])

    entries = list(wave_programs.CORPUS.values())
    with ThreadPoolExecutor() as pool:
        libraries = list(pool.map(built, entries))
    for entry, file in zip(entries, libraries, strict=True):
        made, _ = wave_programs.arguments(entry)
        pointers = [device.malloc(each.nbytes) if isinstance(each, np.ndarray) else None for each in made]
        for each, pointer in zip(made, pointers, strict=True):
            if pointer is not None:
                device.copy_to(pointer, each)
        values = [each if pointer is None else ctypes.c_void_p(pointer) for each, pointer in zip(made, pointers, strict=True)]
        device.launch_address(device.load_library(file).kernel(0), grid=entry.grid, block=entry.block, shared=entry.shared,
                              arguments=[ctypes.pointer(each) for each in values])
        device.synchronize()
        buffers = [each.copy() for each in made if isinstance(each, np.ndarray)]
        for buffer, pointer in zip(buffers, [each for each in pointers if each is not None], strict=True):
            device.copy_from(buffer, pointer)
        outputs |= wave_programs.comparable(entry, buffers)
        device.free_all()
    result = io.BytesIO()
    np.savez_compressed(result, **outputs)
    return result.getvalue()


def main() -> int:
    """Record everything that is asked for; what fails is told and left out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive")
    parser.add_argument("case", nargs="*", type=Path)
    parser.add_argument("--waves", type=Path)
    parser.add_argument("--corpus", action="store_true")
    given = parser.parse_args()
    asked = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True,
                           text=True, check=True).stdout.splitlines()[0]
    name, driver = (each.strip() for each in asked.split(","))
    version = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=True).stdout
    release = version.partition("release ")[2].partition(",")[0]
    device = Cuda(name)
    origin = f"the CUDA source on an {name}, driver {driver}, CUDA {release}, {date.today().isoformat()}"
    failed = 0
    with tempfile.TemporaryDirectory() as work, tarfile.open(given.archive, "w") as archive:
        def add(path: str, data: bytes) -> None:
            entry = tarfile.TarInfo(path)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))

        cases = [load_case(path) for path in find_cases(given.case)]
        with ThreadPoolExecutor() as pool:
            libraries = list(pool.map(lambda case: library_of(case, Path(work)), cases))
        for case, library in zip(cases, libraries, strict=True):
            try:
                data = record(case, library, device, Path(work), origin)
            except Exception as error:
                failed += 1
                print(f"{case.name}: {Kind.DEVICE.value}: {error}")
                continue
            print(f"{case.name}: {0 if data is None else len(data)} bytes")
            if data is not None and case.path.stem == "case":
                add(f"{case.path.parent.name}/reference.npz", data)
        if given.waves is not None:
            add("waves.npz", waves(given.waves, device, Path(work), {"matvec_32_block": "matvec_32_block<32>"}))
        if given.corpus:
            add("corpus.npz", corpus(device, Path(work)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
