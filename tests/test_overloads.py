"""Functions that HIP has for fewer types: what is written computes the same, what cannot be written is an error."""

from __future__ import annotations

from functools import cache

import pytest

from hipify_py.diagnostics import Severity
from hipify_py.engine import translate
from hipify_py.settings import Settings, Version
from tests.cpu.support import build, device, np
from tests.rewrites import codes, hip, lines, run

HALF = "#include <hip/hip_fp16.h>\n"
BF16 = "#include <cuda_bf16.h>\n"
KERNELS = """#include <cuda_fp16.h>
#include <cuda_bf16.h>
typedef __nv_bfloat16 bf16;
__global__ void add_half(half *sums, const half *v, half *first) {
    half old = atomicAdd(sums + threadIdx.x % 5, v[threadIdx.x]);
    if (threadIdx.x < 5) first[threadIdx.x] = old;
}
__global__ void add_half2(half2 *sums, const half2 *v) { atomicAdd(&sums[threadIdx.x % 3], v[threadIdx.x]); }
__global__ void add_bf16(bf16 *sums, const bf16 *v) { atomicAdd(sums + threadIdx.x % 5, v[threadIdx.x]); }
__global__ void ends(const half2 *a, const half2 *b, half2 *c) {
    half2 x = a[threadIdx.x];
    c[2 * threadIdx.x] = __hmax2(x, b[threadIdx.x]);
    c[2 * threadIdx.x + 1] = __hmin2(x /* first */, b[threadIdx.x]);
}
__global__ void loads(const bf16 *a, const ushort4 *u, bf16 *b, ushort4 *v) {
    b[threadIdx.x] = __ldg(a + threadIdx.x);
    v[threadIdx.x] = __ldg(&u[threadIdx.x]);
}
__global__ void vectors(float2 *a, float4 *b, long long *bits, unsigned long long *old) {
    atomicAdd(a, make_float2(1, threadIdx.x));
    atomicAdd(b + 1, make_float4(1, 2, 3, threadIdx.x));
    atomicOr(bits, 1ll << threadIdx.x);
    atomicAnd(&bits[1], ~(1ll << threadIdx.x));
    old[threadIdx.x] = atomicXor(bits + 2, -1ll);
}
__global__ void swap(unsigned short *a, unsigned short *old) {
    old[threadIdx.x] = atomicCAS(a + threadIdx.x, (unsigned short)(threadIdx.x % 2), (unsigned short)(100 + threadIdx.x));
}
__global__ void tangents(const half2 *a, half2 *b, half *c) {
    b[threadIdx.x] = h2tanh_approx(a[threadIdx.x]);
    half low = __low2half(a[threadIdx.x]);
    c[threadIdx.x] = htanh(low);
}
__global__ void bf16_tangents(__nv_bfloat162 *a, bf16 *b) { *a = h2tanh(*a); *b = htanh_approx(*b); }
__global__ void cut(const bf16 *a, const bf16 *b, bf16 *c) { c[threadIdx.x] = __hadd_sat(a[threadIdx.x], b[threadIdx.x]); }
"""


@cache
def module():
    result = translate(KERNELS.encode())
    assert [each.code for each in result.diagnostics if each.severity is Severity.ERROR] == []
    return device().load(build.build_module(result.text, wave=32, name="overloads.hip"))


def launch(kernel: str, arrays: list[np.ndarray], threads: int) -> None:
    own = device()
    buffers = [own.upload(array) for array in arrays]
    try:
        own.launch(module().function(kernel), grid=(1, 1, 1), block=(threads, 1, 1), arguments=buffers)
        for array, buffer in zip(arrays, buffers, strict=True):
            own.copy_from(array, buffer)
    finally:
        own.free_all()


def bf16(values: np.ndarray) -> np.ndarray:
    """Numbers with few bits, as bfloat16."""
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def floats(words: np.ndarray) -> np.ndarray:
    return (words.astype(np.uint32) << 16).view(np.float32)


def test_sums_of_half() -> None:
    values = (np.arange(100) % 7).astype(np.float16)
    sums, first = np.zeros(5, np.float16), np.zeros(5, np.float16)
    launch("add_half", [sums, values, first], 100)
    assert np.array_equal(sums, values.reshape(20, 5).sum(0))
    assert np.array_equal(first, np.zeros(5))


def test_sums_of_half2() -> None:
    values = (np.arange(120) % 11).astype(np.float16)
    sums = np.ones(6, np.float16)
    launch("add_half2", [sums, values], 60)
    assert np.array_equal(sums, 1 + values.reshape(20, 6).sum(0))


def test_sums_of_bfloat16() -> None:
    values = (np.arange(100) % 3).astype(np.float32)
    sums = bf16(np.zeros(5))
    launch("add_bf16", [sums, bf16(values)], 100)
    assert np.array_equal(floats(sums), values.reshape(20, 5).sum(0))


def test_the_larger_and_the_smaller() -> None:
    draw = np.random.default_rng(5)
    a, b = draw.normal(size=64).astype(np.float16), draw.normal(size=64).astype(np.float16)
    a[3] = np.nan
    c = np.zeros((32, 2, 2), np.float16)
    launch("ends", [a, b, c], 32)
    assert np.array_equal(c[:, 0].ravel(), np.fmax(a, b))
    assert np.array_equal(c[:, 1].ravel(), np.fmin(a, b))


def test_loads() -> None:
    a, u = np.arange(16, dtype=np.uint16), np.arange(64, dtype=np.uint16)
    b, v = np.zeros_like(a), np.zeros_like(u)
    launch("loads", [a, u, b, v], 16)
    assert np.array_equal(a, b)
    assert np.array_equal(u, v)


def test_saturation() -> None:
    a, b = np.array([0.25, 0.75, -1.0, 0.5]), np.array([0.5, 0.75, 0.5, 0.5])
    c = bf16(np.zeros(4))
    launch("cut", [bf16(a), bf16(b), c], 4)
    assert np.array_equal(floats(c), [0.75, 1.0, 0.0, 1.0])


def test_tangents() -> None:
    a = np.linspace(-3, 3, 32).astype(np.float16)
    b, c = np.zeros_like(a), np.zeros(16, np.float16)
    launch("tangents", [a, b, c], 16)
    assert np.allclose(b, np.tanh(a.astype(np.float32)), atol=5e-4)
    assert np.array_equal(c, b[::2])
    x = bf16(np.linspace(-2, 2, 4))
    pair, one = x[:2].copy(), x[2:3].copy()
    launch("bf16_tangents", [pair, one], 1)
    assert np.allclose(floats(np.append(pair, one)), np.tanh(floats(x[:3])), atol=4e-3)


def test_sums_of_vectors_and_bits() -> None:
    a, b = np.zeros(2, np.float32), np.zeros(8, np.float32)
    bits, old = np.array([0, -1, 5], np.int64), np.zeros(40, np.uint64)
    launch("vectors", [a, b, bits, old], 40)
    assert np.array_equal(a, [40, 780])
    assert np.array_equal(b, [0, 0, 0, 0, 40, 80, 120, 780])
    assert bits.tolist() == [2**40 - 1, ~(2**40 - 1), 5]
    assert sorted(set(old.tolist())) == [5, 2**64 - 6]


def test_exchange_of_16_bits() -> None:
    a, old = np.zeros(7, np.uint16), np.full(7, 9, np.uint16)
    a[3] = 1
    launch("swap", [a, old], 7)
    assert a.tolist() == [100, 0, 102, 103, 104, 0, 106]
    assert old.tolist() == [0, 0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize(("before", "after"), [
    ("__device__ ushort4 f(const ushort4 *p) { return __ldg(p + 1); }\n",
     "__device__ ushort4 f(const ushort4 *p) { return (*(p + 1)); }\n"),
    ("__device__ half2 f(half2 a) { return __hmin2(a, a); }\n",
     "__device__ half2 f(half2 a) { return ([](__half2 a, __half2 b) { return "
     "__floats2half2_rn(fminf(__low2float(a), __low2float(b)), fminf(__high2float(a), __high2float(b))); }(a, a)); }\n"),
])
def test_what_is_written(before: str, after: str) -> None:
    assert hip(HALF + before) == HALF + after


@pytest.mark.parametrize("source", [
    "__device__ float f(float *p) { half x; return atomicAdd(p, 1.0f) + __ldg(p); }\n",
    "__device__ half atomicAdd(half *p, half v) { return *p = v; }\n__device__ half f(half *p) { return atomicAdd(p, *p); }\n",
    "__device__ half f(const half *p) { return __ldg(p); }\n",
    "__device__ half f(S s, half *p) { return s.atomicAdd(p, *p); }\n",
    "template <class T> __device__ T f(T *p, half) { return atomicAdd(p, T(1)); }\n",
    "// half: atomicAdd(p, *p)\n",
])
def test_kept(source: str) -> None:
    assert hip(HALF + source) == HALF + source
    assert "HPY215" not in codes(run(HALF + source))


@pytest.mark.parametrize("call", [
    "x = __shfl_xor_sync(0xffffffffu, x, 1)", "x = __shfl_down(x, 1)", "x = __hmax_nan(x, x)", "y = __hequ2(y, y)",
    "y = __shfl_sync(0xffffffffu, y, 0, 8)",
])
def test_what_cannot_be_written_is_an_error(call: str) -> None:
    result = run(f"{BF16}__device__ void f(__nv_bfloat16 x, __nv_bfloat162 y) {{ {call}; }}\n")
    said = [each for each in result.diagnostics if each.code == "HPY215"]
    assert [each.severity for each in said] == [Severity.ERROR]


def test_hip_7_shuffles_bfloat16() -> None:
    source = f"{BF16}__device__ __nv_bfloat16 f(__nv_bfloat16 x) {{ return __shfl_xor_sync(0xffffffffu, x, 1); }}\n"
    assert "HPY215" not in codes(run(source, rocm=Version(7, 0)))


def test_all_compile(compile_hip_current) -> None:
    compile_hip_current(translate(KERNELS.encode(), settings=Settings(rocm=Version(6, 4))).text)


def test_half_compiles(compile_hip) -> None:
    compile_hip(run(HALF + "__global__ void k(half *p, half2 *q, ushort4 *u) { atomicAdd(p, p[1]); atomicAdd(q, q[1]); "
                    "q[2] = __hmax2(q[1], q[0]); u[0] = __ldg(u + 1); atomicCAS(&u->x, u->y, u->z); atomicAdd((float2 *)p, "
                    "make_float2(1, 2)); atomicOr((long long *)p, 1ll); }\n").text)


@pytest.mark.parametrize("call", ["tex2D<float>(t, 0.5f, 0.5f, &resident)", "tex2DLod<float>(t, 0.5f, 0.5f, 1.f, &resident)",
                                  "tex2Dgather<float4>(t, 0.5f, 0.5f, &resident, 1).x"])
def test_sparse_textures_are_errors(call: str) -> None:
    result = run(f"__global__ void k(cudaTextureObject_t t, float *o) {{ bool resident; o[0] = {call}; }}\n")
    assert lines(result, "HPY215") == [1]
    assert result.errors == 1


def test_textures_without_the_flag_stay() -> None:
    source = "__global__ void k(cudaTextureObject_t t, float *o) { float v; tex2D(&v, t, 0.5f, 0.5f); o[0] = v; }\n"
    assert "HPY215" not in codes(run(source))


def test_half_shuffles_are_told_with_the_version() -> None:
    source = "#include <cuda_fp16.h>\n__global__ void k(__half2 *v) { v[0] = __shfl_down_sync(~0u, v[0], 8); }\n"
    assert [each.severity for each in run(source).diagnostics if each.code == "HPY215"] == [Severity.NOTE]
    assert [each.severity for each in run(source, rocm=Version(5, 2)).diagnostics if each.code == "HPY215"] == [Severity.ERROR]
    assert "HPY215" not in codes(run(source, rocm=Version(6, 4)))


def test_signed_minimum_of_64_bits() -> None:
    source = "__global__ void k(long long *v) { atomicMin(v, -5ll); }\n"
    assert "atomicCAS" in hip(source)
    assert hip(source, rocm=Version(6, 0)).count("atomicMin") == 1
