"""The speed of the CPU device against plain C loops of the same work: ``python -m benchmarks.cpu``.

Each figure is the best of several runs; the C loops are compiled with -O2 by the compiler that builds the modules, run in
the same process, and take one core. The two sides are timed in turn, since a busy machine slows both.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

MODULE = r"""
#include <hip/hip_runtime.h>
extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
extern "C" __global__ void gelu(const float* a, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = 0.5f * a[i] * (1.0f + erff(a[i] * 0.70710678f));
}
#define TS 16
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
    __shared__ float As[TS][TS], Bs[TS][TS];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * TS + ty, c = blockIdx.x * TS + tx;
    float s = 0;
    for (int t = 0; t < N / TS; t++) {
        As[ty][tx] = A[r * N + t * TS + tx];
        Bs[ty][tx] = B[(t * TS + ty) * N + c];
        __syncthreads();
        for (int k = 0; k < TS; k++) s += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[r * N + c] = s;
}
extern "C" __global__ void wave_sum(const float* x, float* o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.f;
    for (int d = warpSize / 2; d > 0; d >>= 1) v += __shfl_down(v, d);
    if (threadIdx.x % warpSize == 0) atomicAdd(o, v);
}
"""
PLAIN = r"""
#include <math.h>
void add(const float* a, const float* b, float* c, int n) { for (int i = 0; i < n; i++) c[i] = a[i] + b[i]; }
void gelu(const float* a, float* c, int n) { for (int i = 0; i < n; i++) c[i] = 0.5f * a[i] * (1.0f + erff(a[i] * 0.70710678f)); }
void matmul(const float* A, const float* B, float* C, int N) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < N; k++) s += A[i * N + k] * B[k * N + j];
            C[i * N + j] = s;
        }
}
void wave_sum(const float* x, float* o, int n) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; *o += s; }
"""


def best(run: Callable[[], object], repeats: int) -> float:
    """The shortest of several runs, in milliseconds."""
    shortest = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        shortest = min(shortest, time.perf_counter() - start)
    return shortest * 1e3


def measure(repeats: int) -> dict[str, dict[str, float]]:
    """Milliseconds by kernel: of the device with as many threads as the environment says, and of the plain loop."""
    import numpy as np

    from hipify_py.cpu.build import build_module, build_runtime
    from hipify_py.cpu.toolchain import find_compiler
    from hipify_py.validate.device import Device, use_runtime

    use_runtime(build_runtime())
    device = Device.open()
    module = device.load(build_module(MODULE.encode(), wave=64, name="benchmark.hip"))
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "plain.c"
        source.write_text(PLAIN)
        flags = ["-x", "c", "-O2", "-ffp-contract=off", "-shared", "-fPIC"]
        subprocess.run([*find_compiler().command, *flags, str(source), "-o", f"{folder}/plain.so", "-lm"], check=True)
        plain = ctypes.CDLL(f"{folder}/plain.so")

    generator = np.random.default_rng(0)
    n, side = 1 << 20, 256
    a, b, c = generator.random(n, np.float32), generator.random(n, np.float32), np.zeros(n, np.float32)
    buffers = [device.upload(array) for array in (a, b, c)]
    host = [ctypes.c_void_p(array.ctypes.data) for array in (a, b, c)]
    integer = ctypes.c_int
    works = {
        "add 1M": ("add", [0, 1, 2], integer(n), (n // 256, 1, 1), (256, 1, 1)),
        "gelu 1M": ("gelu", [0, 2], integer(n), (n // 256, 1, 1), (256, 1, 1)),
        "matmul 256": ("matmul", [0, 1, 2], integer(side), (side // 16, side // 16, 1), (16, 16, 1)),
        "shuffle sum 64K": ("wave_sum", [0, 2], integer(1 << 16), (256, 1, 1), (256, 1, 1)),
    }
    result = {}
    for title, (name, places, size, grid, block) in works.items():
        function = module.function(name)
        entry = getattr(plain, name)
        times = {"device": float("inf"), "plain": float("inf")}
        arguments = [*(buffers[place] for place in places), size]
        launch = partial(device.launch, function, grid=grid, block=block, arguments=arguments)
        loop = partial(entry, *(host[place] for place in places), size)
        for _ in range(repeats):
            times["device"] = min(times["device"], best(launch, 1))
            times["plain"] = min(times["plain"], best(loop, 1))
        result[title] = times
    start = time.perf_counter()
    build_module(MODULE.encode(), wave=64, name="benchmark.hip")
    result["module found in the cache"] = {"device": (time.perf_counter() - start) * 1e3, "plain": float("nan")}
    return result


def main() -> None:
    """Measure with one thread and with two, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        json.dump(measure(options.repeats), sys.stdout)
        return
    tables = {}
    for threads in (1, 2):
        answer = subprocess.run([sys.executable, "-m", "benchmarks.cpu", "--worker", f"--repeats={options.repeats}"], check=True,
                                capture_output=True, text=True, env={**os.environ, "HIPIFY_PY_CPU_THREADS": str(threads)})
        tables[threads] = json.loads(answer.stdout)
    print(f"{'':28}{'plain C':>10}{'1 core':>10}{'ratio':>8}{'2 cores':>10}{'gain':>7}")
    for title, one in tables[1].items():
        two = tables[2][title]
        plain = min(one["plain"], two["plain"])
        row = f"{title:28}{plain:10.2f}{one['device']:10.2f}{one['device'] / plain:8.2f}{two['device']:10.2f}"
        print(row + f"{one['device'] / two['device']:7.2f}")


if __name__ == "__main__":
    main()
