"""Words that hipcc reads otherwise than nvcc: `register`, `__noinline__` in an attribute, `__grid_constant__`."""

from __future__ import annotations

import pytest

from tests.rewrites import codes, hip, run


@pytest.mark.parametrize(("before", "after"), [
    ("__global__ void k(const __grid_constant__ P p, int *o) { *o = p.a; }\n",
     "__global__ void k(const P p, int *o) { *o = p.a; }\n"),
    ("__global__ void k(__grid_constant__ const P p) {}\n", "__global__ void k(const P p) {}\n"),
    ("__global__ void k(const P __grid_constant__ p) {}\n", "__global__ void k(const P p) {}\n"),
    ("#define PARAMETER(T) const __grid_constant__ T\n", "#define PARAMETER(T) const T\n"),
    ("void f() { register int i = 0; for (register int j = 0; j < i; ++j) {} }\n",
     "void f() { int i = 0; for (int j = 0; j < i; ++j) {} }\n"),
    ("__attribute__((__noinline__)) int f();\n", "__attribute__((noinline)) int f();\n"),
    ("void CUDART_CB done(void *p);\n", "void done(void *p);\n"),
    ("typedef void (CUDART_CB *done_t)(void *);\n", "typedef void (*done_t)(void *);\n"),
    ("#define CALLBACK CUDA_CB\nint x;\n", "#define CALLBACK \nint x;\n"),
    ("static int CUDAAPI /* as theirs */ f();\n", "static int /* as theirs */ f();\n"),
])
def test_rewrites(before: str, after: str) -> None:
    assert hip(before) == after
    assert codes(run(before, verify=False)) == []


@pytest.mark.parametrize("source", [
    "#define __grid_constant__\n",
    "// const __grid_constant__ P p\n",
    "const char *s = \"__grid_constant__\";\n",
    "#ifdef __HIPCC__\nint x;\n#else\n__global__ void k(const __grid_constant__ P p);\n#endif\n",
    "#define CUDART_CB __stdcall\nvoid CUDART_CB f();\n",
    "// void CUDART_CB done(void *p);\n",
    "int register_count(int registers);\n",
    "void f() { register int i asm(\"r1\"); }\n",
    "__attribute__((noinline)) int f();\n",
])
def test_kept(source: str) -> None:
    assert hip(source) == source


def test_a_test_for_a_calling_convention_is_reported() -> None:
    found = run("#ifdef CUDART_CB\nint x;\n#endif\n")
    assert codes(found) == ["HPY401"]
    assert b"#ifdef CUDART_CB" in found.text


def test_register_stays_in_c_and_before_17() -> None:
    assert "register" in hip("void f() { register int i; }\n", standard="c++14")
    assert "register" in hip("void f() { register int i; }\n", name="input.c")


def test_assume_is_clangs_in_device_code() -> None:
    assert hip("__global__ void k(int n) { __assume(n > 0); }\n") == "__global__ void k(int n) { __builtin_assume(n > 0); }\n"
    msvc = "int f(int n) { __assume(n > 0); return n; }\n"
    assert hip(msvc) == msvc


@pytest.mark.parametrize(("before", "after"), [
    ("void CUDART_CB done(cudaStream_t s, cudaError_t e, void *p);", "void done(hipStream_t s, hipError_t e, void *p);"),
    ("typedef cudaError_t (CUDARTAPI *Free)(void *);", "typedef hipError_t (*Free)(void *);"),
    ("#define MY_CALL CUDAAPI\n", "#define MY_CALL \n"), ("CUresult CUDAAPI mine(int);", "hipError_t mine(int);"),
])
def test_calling_conventions_go(before: str, after: str) -> None:
    assert hip(before).strip() == after.strip()


@pytest.mark.parametrize("text", ["// void CUDART_CB f();", "#ifdef CUDART_CB\n#endif"])
def test_what_is_no_calling_convention_stays(text: str) -> None:
    assert hip(text) == text
