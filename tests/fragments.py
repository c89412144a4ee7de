"""Hypothesis strategies: bytes that look like C, and fragments that look like CUDA."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from hipify_py.mapping import MappingTable

BLANKS = (b" ", b"\t", b"\n", b"\r\n", b"\r", b"\f", b"\\\n", b"\\\r\n", b"\\ \n", b"// c\n", b"/* c */", b"/**/",
          b"  ")
ODD = (b"\x00", b"\xef\xbb\xbf", b"\xff", b"\xe9", b"\xc3\xa9", b"\\", b"'", b'"', b"`", b"@", b"$", b"/*", b"//",
       b'R"(',
       b'R"x(', b')x"', b')"', b"'a", b'"a', b"\\'", b'\\"', b"u8", b"L'", b"?" b"?/", b"%:", b"<:", b"'\\''", b"1'")
LITERALS = (b'"a"', b'"a\\"b"', b'u8"x"', b'L"x"', b'"x"_s', b'"x"sv', b'"x"ABC', b'R"(a"b)"', b'R"x()")x"',
            b'LR"(\n)"', b"'a'",
            b"'\\n'", b"u'a'", b"0", b"1.5f", b"1'000", b"0x1F", b"0xE+1", b"1e-5", b".5", b"1_km", b"1...2",
            b"0b1'0")
PUNCTUATION = (b"<<<", b">>>", b">>", b"<<", b"<", b">", b">>=", b"<<=", b"<=>", b"(", b")", b"[", b"]", b"{", b"}",
               b",", b";",
               b"::", b".", b"->", b"->*", b".*", b"...", b"=", b"==", b"&", b"&&", b"*", b"+", b"#", b"##", b"?",
               b":", b"!", b"~")
LINES = (b"\n#if 0\n", b"\n#if X\n", b"\n#ifdef __CUDACC__\n", b"\n#ifdef __HIP_PLATFORM_AMD__\n", b"\n#else\n",
         b"\n#elif Y\n",
         b"\n#endif\n", b"\n#define F(a, b) a##b\n", b"\n#define M \\\n  x\\\n", b"\n#define F(",
         b"\n#define F\\\n(x) x\n",
         b"\n#pragma once\n", b"\n#error don't\n", b"\n#", b"\n#include", b"\n#undef", b"\n # define")
WORDS = (b"x", b"if", b"return", b"int", b"struct", b"using", b"template", b"typename", b"namespace", b"auto",
         b"const", b"void",
         b"float", b"kernel", b"u", b"R", b"L", b"u8", b"extern", b"__global__", b"x\\\ny", b"dim3", b"mine",
         b"static")
HEADERS = (b"\n#include <cuda_runtime.h>\n", b"\n#include <cuda.h>\n", b'\n#include "cuda_runtime.h"\n',
           b"\n#include <cublas_v2.h>\n",
           b"\n#include <cub/cub.cuh>\n", b"\n#include <stdio.h>\n", b'\n#include "mine.cuh"\n',
           b"\n#include <hip/hip_runtime.h>\n",
           b"\n#include <cooperative_groups.h>\n", b"\n#include <math_functions.h>\r\n",
           b"\n#if __has_include(<cuda.h>)\n",
           b"\n#if CUDART_VERSION >= 11000\n", b"\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700\n",
           b"\n#ifndef A_H\n#define A_H\n")
STATEMENTS = (
    b"k<<<1, 2>>>(a, b);", b"k<float, (8 >> 1)><<<dim3(n, 1), {1, 2}, 0, stream>>>(a);", b"k<<<g, b>>>();",
    b"k<<<g", b">>>(a)",
    b"int i = blockIdx.x * blockDim.x + threadIdx.x;", b"dim3 t = threadIdx;",
    b"cudaMalloc((void **)&p, n * sizeof(float));",
    b"cudaMemcpyToSymbol(c, p, n);", b"CHECK(cudaFree(p));", b"cudaError_t e = cudaGetLastError();",
    b"cudaLaunchKernel(",
    b"struct S { int cudaSuccess; };", b"mine::cudaFree(p);", b"::cudaFree(p);", b"using ::cudaMalloc;",
    b"s.cudaSuccess",
    b"void f(dim3 threadIdx) { threadIdx.x; }", b"cuda##Fn", b"#cudaFree", b"#define cudaFoo(x) cudaFree(x)\n",
    b"__shfl_down_sync(0xffffffff, v, 16)", b"__syncwarp();", b"atomicAdd(&x, 1.0);", b'asm volatile("bar.sync 0;");',
    b'printf("cudaMalloc failed");', b"nvrtcCreateProgram(&p, src, 0, 0, 0, 0);", b"cudaDeviceProp p; p.warpSize;",
    b"cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, n);", b"__launch_bounds__(256, 2)",
    b"extern __shared__ float s[];", b"cg::this_grid().sync();",
    b"cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 1, 0);",
    b"cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);", b"thrust::cuda::par.on(s)", b"cuda::std::atomic<int>",
    b"cudaFoo1()", b"CU_FOO", b"CUDA_FOO(CUDA_BAR, CU_FOO)", b"enum { CU_FOO, CUDA_BAR = 2 };", b"int a, CU_FOO;",
    b"nppiFoo_8u(NPP_FOO, NppiFoo())", b"#ifdef NV_NPPIDEFS_H\nNppStatus s; cudaFree(p);\n#endif\n", b"#ifdef CUDA_BAR\n",
    b"template <int CU_FOO>", b"NV_IF_TARGET(NV_IS_DEVICE, (a;))")


@cache
def names() -> tuple[bytes, ...]:
    """All names of the tables."""
    return tuple(MappingTable.load())


def pieces(*more: tuple[bytes, ...]) -> st.SearchStrategy[bytes]:
    """Bytes put together from pieces, with arbitrary ones among them."""
    return st.lists(st.one_of(*map(st.sampled_from, more), st.binary(max_size=3)), max_size=40).map(b"".join)


def c_like() -> st.SearchStrategy[bytes]:
    """What stresses a lexer: every kind of token, cut off and glued together."""
    return pieces(BLANKS, ODD, LITERALS, PUNCTUATION, LINES, WORDS)


def cuda_like() -> st.SearchStrategy[bytes]:
    """What stresses the rules: CUDA's names, statements and headers in C-like surroundings."""
    return st.lists(st.one_of(
        st.sampled_from(STATEMENTS), st.deferred(lambda: st.sampled_from(names())), st.sampled_from(HEADERS),
        st.sampled_from(STATEMENTS), st.deferred(lambda: st.sampled_from(names())),
        *map(st.sampled_from, (BLANKS, ODD, LITERALS, PUNCTUATION, LINES, WORDS))), max_size=30).map(b" ".join)


def glued() -> st.SearchStrategy[bytes]:
    """CUDA-like pieces without the blank between them."""
    return st.lists(st.one_of(*map(st.sampled_from, (
        STATEMENTS, HEADERS, BLANKS, LITERALS, PUNCTUATION, LINES, WORDS))), max_size=25).map(b"".join)
