"""Definitions that HIP has too are kept for CUDA alone; what does not clash, or means something else, stays."""

from __future__ import annotations

import pytest

from hipify_py.diagnostics import Severity
from tests.rewrites import HIP, codes, hip, lines, run

GUARDED = [
    "inline __host__ __device__ void operator+=(float2 &a, float2 b) { a.x += b.x; a.y += b.y; }",
    "__device__ float4 &operator*=(float4 &a, const float4 &b) { a.x *= b.x; a.y *= b.y; a.z *= b.z; a.w *= b.w; return a; }",
    "static __device__ void operator-=(int3 &p, int3 q) { p.x -= q.x; p.y -= q.y; p.z -= q.z; }",
    "inline __device__ void operator/=(uint2 &a, uint2 b) { a.x = a.x / b.x; a.y = a.y / b.y; }",
    "inline __device__ void operator+=(float3 &a, float3 b) { a = a + b; }",
    "__device__ float2 operator/(float2 a, float2 b) { return make_float2(a.x / b.x, a.y / b.y); }",
    "__device__ int2 operator*(int2 a, int2 b) { int2 r; r.x = b.x * a.x; r.y = b.y * a.y; return r; }",
    "__device__ double atomicAdd(double* address, double val) { return f(address, val); }",
    "static __inline__ __device__ double atomicAdd(double *a, double b) { return f(a, b); }",
    "__device__ __forceinline__ float atomicMin(float *a, float b) { return f(a, b); }",
    "__device__ unsigned long long int atomicMax(unsigned long long int *a, unsigned long long int b) { return f(a, b); }",
    "__device__ inline double __shfl_down(double v, unsigned int d, int w = 32) { return f(v, d, w); }",
    "__host__ __device__ inline float fmaxf(float a, float b) { return a > b ? a : b; }",
    "inline __device__ int min(int a, int b) { return a < b ? a : b; }",
]

KEPT = [
    "inline __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }",
    "inline __device__ void operator+=(float3 &a, float b) { a.x += b; a.y += b; a.z += b; }",
    "inline __device__ float3 operator*(float b, float3 a) { return make_float3(b * a.x, b * a.y, b * a.z); }",
    "inline __device__ void operator+=(Mine &a, Mine b) { a.x += b.x; }",
    "struct S { __device__ void operator+=(float2 b) { } };",
    "struct S { __device__ double atomicAdd(double *a, double b) { return b; } };",
    "template <class T> __device__ T atomicAdd(T *a, T b) { return b; }",
    "__device__ float4 atomicAdd(float4 *a, float4 b) { return b; }",
    "__device__ double atomicAdd(double *a, double b);",
    "__device__ double myAtomicAdd(double *a, double b) { return b; }",
    "__global__ void k(double *d) { atomicAdd(d, 1.0); }",
    "inline float4 make_float4(float3 a, float w) { return make_float4(a.x, a.y, a.z, w); }",
    "inline __device__ float3 fminf(float3 a, float3 b) { return a; }",
    "inline float fminf(float a, float b) { return a < b ? a : b; }",
    "#if !defined(__HIPCC__)\n__device__ double atomicAdd(double *a, double b) { return b; }\n#endif",
    "// __device__ double atomicAdd(double *a, double b) { return b; }",
    "namespace mine { struct V { float x; }; __device__ void operator+=(V &a, V b) { a.x += b.x; } }",
]


@pytest.mark.parametrize("source", GUARDED)
def test_guarded(source: str) -> None:
    result = run(source + "\n", semantics=False)
    assert result.text.decode() == f"{HIP}#if !defined(__HIPCC__)\n{source}\n#endif\n"
    assert codes(result) == ["HPY307"]


@pytest.mark.parametrize("source", GUARDED)
def test_a_second_run_changes_nothing(source: str) -> None:
    once = hip(source + "\n")
    assert hip(once) == once


@pytest.mark.parametrize("source", KEPT)
def test_kept(source: str) -> None:
    assert hip(source + "\n") == source + "\n"
    assert "HPY307" not in codes(run(source + "\n"))


def test_neighbours_share_a_guard() -> None:
    source = ("__device__ void operator+=(int2 &a, int2 b) { a.x += b.x; a.y += b.y; }\n\n"
              "__device__ void operator-=(int2 &a, int2 b) { a.x -= b.x; a.y -= b.y; } // minus\n")
    assert hip(source) == f"#if !defined(__HIPCC__)\n{source}#endif\n"


def test_two_on_a_line() -> None:
    source = "int x; __device__ double atomicAdd(double *a, double b) { return b; } int y;\n"
    assert hip(source) == ("int x; \n#if !defined(__HIPCC__)\n__device__ double atomicAdd(double *a, double b) { return b; }\n"
                           "#endif\n int y;\n")


@pytest.mark.parametrize("source", [
    "__device__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }\n",
    "__device__ void operator*=(float2 &a, float2 b) { a = cmul(a, b); }\n",
    "__device__ void operator+=(float2 &a, float2 b) { a.x += b.x; }\n",
])
def test_other_meanings_are_reported(source: str) -> None:
    result = run(source)
    assert result.text.decode() == HIP + source
    assert lines(result, "HPY307") == [1]
    assert result.diagnostics[0].severity is Severity.WARNING


@pytest.mark.parametrize("condition", ["#ifndef __CUDACC__", "#if !defined(__CUDACC__)", "#if __CUDA_ARCH__ < 600",
                                       "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600", "#if __CUDA_ARCH__ >= 600\n#else",
                                       "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600\n#else"])
def test_code_that_hip_never_compiles_stays(condition: str) -> None:
    assert "HPY307" not in codes(run(f"{condition}\ninline __device__ int max(int a, int b) {{ return a; }}\n#endif\n"))


@pytest.mark.parametrize("condition", ["#ifdef __CUDACC__", "#ifndef MINE_H", "#if __CUDA_ARCH__ >= 600", "#if MINE\n#else"])
def test_code_that_hip_may_compile_is_guarded(condition: str) -> None:
    assert "HPY307" in codes(run(f"{condition}\ninline __device__ int max(int a, int b) {{ return a; }}\n#endif\n"))


def test_crlf() -> None:
    from hipify_py.engine import translate

    source = b"#include <hip/hip_runtime.h>\r\n__device__ double atomicAdd(double *a, double b) { return b; }\r\n"
    assert translate(source).text == source.replace(b"__device__", b"#if !defined(__HIPCC__)\r\n__device__").replace(
        b"}\r\n", b"}\r\n#endif\r\n")
