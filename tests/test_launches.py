"""Launches: what becomes a call, what keeps its chevrons, and that nothing else moves."""

from __future__ import annotations

import pytest

from hipify_py.settings import Syntax
from tests.rewrites import hip

CALLS = [
    ("k<<<g, b>>>(x);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, x);"),
    ("k<<<g, b, s>>>(x);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), s, 0, x);"),
    ("k<<<g, b, s, st>>>(x, y);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), s, st, x, y);"),
    ("k<<<1, 2>>>();", "hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0);"),
    ("k<<<dim3(n, 1), 64>>>(x);", "hipLaunchKernelGGL(k, dim3(n, 1), dim3(64), 0, 0, x);"),
    ("k<<<dim3(n) + m, 64>>>(x);", "hipLaunchKernelGGL(k, dim3(dim3(n) + m), dim3(64), 0, 0, x);"),
    ("k<<<{1, 2}, {64}>>>(x);", "hipLaunchKernelGGL(k, dim3(1, 2), dim3(64), 0, 0, x);"),
    ("k<<<(n + 1) / 2, (n)>>>(x);", "hipLaunchKernelGGL(k, dim3((n + 1) / 2), dim3(n), 0, 0, x);"),
    ("k<<<(a, b), 2>>>(x);", "hipLaunchKernelGGL(k, dim3((a, b)), dim3(2), 0, 0, x);"),
    ("k<T><<<1, 2>>>(x);", "hipLaunchKernelGGL(k<T>, dim3(1), dim3(2), 0, 0, x);"),
    ("k<A, B><<<1, 2>>>(x);", "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<A, B>), dim3(1), dim3(2), 0, 0, x);"),
    ("k<P<f, (8 >> 1)>, 64><<<1, 64>>>(x);",
     "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<P<f, (8 >> 1)>, 64>), dim3(1), dim3(64), 0, 0, x);"),
    ("k<P<Q<int>>><<<1, 64>>>(x);", "hipLaunchKernelGGL(k<P<Q<int>>>, dim3(1), dim3(64), 0, 0, x);"),
    ("k<<<1, sizeof(P<Q<int>>)>>>(x);", "hipLaunchKernelGGL(k, dim3(1), dim3(sizeof(P<Q<int>>)), 0, 0, x);"),
    ("k<<<1, 2, P<1, 2>::v>>>(x);", "hipLaunchKernelGGL(k, dim3(1), dim3(2), (P<1, 2>::v), 0, x);"),
    ("k<<<1, a < b ? a : b>>>(x);", "hipLaunchKernelGGL(k, dim3(1), dim3(a < b ? a : b), 0, 0, x);"),
    ("k<<<n >> 5, n << 1>>>(x);", "hipLaunchKernelGGL(k, dim3(n >> 5), dim3(n << 1), 0, 0, x);"),
    ("a::b::k<<<1, 2>>>(x);", "hipLaunchKernelGGL(a::b::k, dim3(1), dim3(2), 0, 0, x);"),
    ("::a::k<<<1, 2>>>(x);", "hipLaunchKernelGGL(::a::k, dim3(1), dim3(2), 0, 0, x);"),
    ("A<T>::template k<U><<<1, 2>>>(x);", "hipLaunchKernelGGL(A<T>::template k<U>, dim3(1), dim3(2), 0, 0, x);"),
    ("(*fn)<<<1, 2>>>(x);", "hipLaunchKernelGGL((*fn), dim3(1), dim3(2), 0, 0, x);"),
    ("table[i]<<<1, 2>>>(x);", "hipLaunchKernelGGL(table[i], dim3(1), dim3(2), 0, 0, x);"),
    ("o->fn[2]<<<1, 2>>>(x);", "hipLaunchKernelGGL(o->fn[2], dim3(1), dim3(2), 0, 0, x);"),
    ("k<<<cudaSuccess, 2, 0, cudaStreamPerThread>>>(cudaSuccess);",
     "hipLaunchKernelGGL(k, dim3(hipSuccess), dim3(2), 0, hipStreamPerThread, hipSuccess);"),
    ("k\n    <<<1,\n       2>>>\n    (x,\n     y);",
     "hipLaunchKernelGGL(k,\n    dim3(1),\n       dim3(2), 0, 0,\n    x,\n     y);"),
    ("k<<<1, 2 /* two */>>>(x /* x */);", "hipLaunchKernelGGL(k, dim3(1), dim3(2 /* two */), 0, 0, x /* x */);"),
    ("k<<<1, 2>>> /* none */ ();", "hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0 /* none */ );"),
    ("if (x) k<<<1, 2>>>(x); else k<<<2, 1>>>(x);",
     "if (x) hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, x); else hipLaunchKernelGGL(k, dim3(2), dim3(1), 0, 0, x);"),
    ("for (;;) k<<<1, 2>>>(x);", "for (;;) hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, x);"),
    ("do k<<<1, 2>>>(x); while (0);", "do hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, x); while (0);"),
    ("case 1: k<<<1, 2>>>(x);", "case 1: hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, x);"),
    ("again: k<<<1, 2>>>(x);", "again: hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, x);"),
    ("[&] { k<<<1, 2>>>(x); }();", "[&] { hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, x); }();"),
    ("TIMED(\"k\") k<<<1, 2>>>(x);", "TIMED(\"k\") hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, x);"),
]

KEPT = [
    "k<<<g\nk<<<1, 2>>>(a, b);",
    "return k<<<1, 2>>>(x);",
    "b ? k<<<1, 2>>>(x) : j<<<2, 1>>>(x);",
    "(k<<<1, 2>>>(x), n);",
    "(void)k<<<1, 2>>>(x);",
    "CHECK((k<<<1, 2>>>(x)));",
    "k<<<1, 2>>>(x), n = 1;",
    "k<<<CONFIG>>>(x);",
    "k<<<1, 2, 3, 4, 5>>>(x);",
    "k<<<1, >>>(x);",
    "k<<<1, 2>>>;",
    "k<<<1, 2>>",
    "k<<<",
    "<<<1, 2>>>(x);",
    "std::ostream& operator<<<int>(std::ostream&, int);",
    "n = a << b >> c;",
    "/* k<<<1, 2>>>(x); */",
    "s = \"k<<<1, 2>>>(x);\";",
    "hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, x);",
]


@pytest.mark.parametrize(("before", "after"), CALLS)
def test_becomes_a_call(before: str, after: str) -> None:
    assert hip("void f() { " + before + " }\n") == "void f() { " + after + " }\n"


@pytest.mark.parametrize("text", KEPT)
def test_keeps_its_chevrons(text: str) -> None:
    assert hip("void f() { " + text + " }\n") == "void f() { " + text + " }\n"


@pytest.mark.parametrize(("before", "after"), CALLS)
def test_native_syntax_only_renames(before: str, after: str) -> None:
    expected = before.replace("cudaSuccess", "hipSuccess").replace("cudaStreamPerThread", "hipStreamPerThread")
    assert hip("void f() { " + before + " }\n", launch_syntax=Syntax.CUDA) == "void f() { " + expected + " }\n"


def test_preprocessor_lines_between_the_chevrons() -> None:
    text = "void f() {\n  k<<<\n#ifdef A\n  1,\n#else\n  2,\n#endif\n  64>>>(x);\n}\n"
    assert hip(text) == text


def test_preprocessor_line_in_front() -> None:
    text = "void f() {\n#pragma once_more\n  k<<<1, 2>>>(x);\n}\n"
    assert "  hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, x);" in hip(text)


@pytest.mark.parametrize(("before", "after"), [
    ("#define L(k, g, ...) do { k<<<(g), 64>>>(__VA_ARGS__); } while (0)\n",
     "#define L(k, g, ...) do { hipLaunchKernelGGL(k, dim3(g), dim3(64), 0, 0, __VA_ARGS__); } while (0)\n"),
    ("#define L(name) name##_kernel<<<1, 2>>>(x);\n",
     "#define L(name) hipLaunchKernelGGL(name##_kernel, dim3(1), dim3(2), 0, 0, x);\n"),
    ("#define L(k) \\\n  k<<<1, \\\n      2>>>(x); \\\n  y\n",
     "#define L(k) \\\n  hipLaunchKernelGGL(k, dim3(1), \\\n      dim3(2), 0, 0, x); \\\n  y\n"),
    ("#define L k<<<1, 2>>>(x)\n", "#define L k<<<1, 2>>>(x)\n"),
    ("#define L(args) k<<<1, 2>>> args;\n", "#define L(args) k<<<1, 2>>> args;\n"),
])
def test_in_a_macro(before: str, after: str) -> None:
    assert hip(before) == after


def test_a_macro_with_commas_between_the_chevrons_keeps_them() -> None:
    source = ("#define SHARED(n) , n\n#define BLOCK dim3(32, 4)\n__global__ void k(int *v);\n"
              "void f(int *v) {{ {} }}\n")
    assert hip(source.format("k<<<1, 32 SHARED(16)>>>(v);")) == source.format("k<<<1, 32 SHARED(16)>>>(v);")
    assert hip(source.format("k<<<1, BLOCK>>>(v);")) == source.format(
        "hipLaunchKernelGGL(k, dim3(1), dim3(BLOCK), 0, 0, v);")
