"""Launches and runtime calls in device code, and shared memory that no block has, are reported; all else is silent."""

from __future__ import annotations

import pytest

from hipify_py.diagnostics import Severity
from tests.rewrites import codes, hip, lines, run


@pytest.mark.parametrize("source", [
    "__global__ void parent(int *v) {\nchild<<<1, 32>>>(v);\n}\n",
    "__device__ void parent(int *v) {\nif (v) { child<<<1, 32, 0, s>>>(v); }\n}\n",
    "template <int N> __global__ void __launch_bounds__(N) parent(int *v) {\nchild<N><<<1, 32>>>(v);\n}\n",
    "static __global__\n void parent(int *v) { child<<<1, 32>>>(v); }\n",
])
def test_launches_in_device_code(source: str) -> None:
    result = run(source)
    assert lines(result, "HPY404") == [2]
    assert result.errors == 1
    assert "dynamic parallelism" in next(each for each in result.diagnostics if each.code == "HPY404").message


@pytest.mark.parametrize("call", ["cudaDeviceSynchronize()", "cudaGetLastError()", "cudaMalloc(&p, 4)",
                                  "cudaMemcpyAsync(a, b, 4, k, 0)"])
def test_runtime_calls_in_device_code(call: str) -> None:
    source = f"__global__ void k(int *a, int *b) {{\n{call};\n}}\n"
    result = run(source)
    assert lines(result, "HPY404") == [2]
    assert "cuda" + call[4:12] not in hip(source)


@pytest.mark.parametrize("source", [
    "void host(int *v) { child<<<1, 32>>>(v); cudaDeviceSynchronize(); }\n",
    "__global__ void k(int *v) {}\nvoid host(int *v) { k<<<1, 32>>>(v); cudaDeviceSynchronize(); }\n",
    "__global__ void k(int *v);\nvoid host(int *v) { k<<<1, 32>>>(v); }\n",
    "__host__ __device__ void f(int *v) { cudaDeviceSynchronize(); }\n",
    "__device__ __host__ void f(int *v) { cudaDeviceSynchronize(); }\n",
    "__device__ int table[2] = {1, 2};\nvoid host() { cudaDeviceSynchronize(); }\n",
    "#define KERNEL __global__ void\nvoid host() { cudaDeviceSynchronize(); }\n",
    "__global__ void k(S s) { s.cudaMalloc(3); mine::cudaFree(3); }\n",
    "// __global__ void k() { child<<<1, 1>>>(); }\n",
])
def test_host_code_is_silent(source: str) -> None:
    assert "HPY404" not in codes(run(source))


@pytest.mark.parametrize("source", [
    "void f() { k<<<1, 32, 96 * 1024>>>(); }\n",
    "void f() { k<<<1, 32, 98304, 0>>>(); }\n",
    "void f() { cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304); }\n",
    "void f() { cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, (99 * 1024)); }\n",
    "__global__ void k() { __shared__ float t[160][128]; }\n",
    "__global__ void k() { __shared__ double t[10000]; }\n",
])
def test_too_much_shared_memory(source: str) -> None:
    said = [each for each in run(source).diagnostics if each.code == "HPY308"]
    assert [each.severity for each in said] == [Severity.WARNING]


@pytest.mark.parametrize("source", [
    "void f() { k<<<1, 32, 64 * 1024>>>(); }\n",
    "void f() { k<<<1, 32, bytes>>>(); }\n",
    "void f() { k<<<100000, 32>>>(); }\n",
    "void f() { k<<<1, 32, 96 * sizeof(float)>>>(); }\n",
    "void f() { cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes); }\n",
    "__global__ void k() { __shared__ float t[32][33]; }\n",
    "__global__ void k() { extern __shared__ float t[]; }\n",
    "__global__ void k() { __shared__ float t[N][100000]; }\n",
    "__global__ void k() { __shared__ Mine t[100000]; }\n",
])
def test_enough_shared_memory(source: str) -> None:
    assert "HPY308" not in codes(run(source))


def test_launches_through_macros() -> None:
    source = ("#define LAUNCH(k, ...) k<<<1, 1>>>(__VA_ARGS__)\n#define AGAIN(v) LAUNCH(rec, v)\n"
              "__global__ void rec(int *v) {\n    LAUNCH(rec, v);\n    AGAIN(v);\n}\nvoid host(int *v) { LAUNCH(rec, v); }\n")
    assert lines(run(source), "HPY404") == [4, 5]
