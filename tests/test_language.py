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
])
def test_rewrites(before: str, after: str) -> None:
    assert hip(before) == after
    assert codes(run(before, verify=False)) == []


@pytest.mark.parametrize("source", [
    "#define __grid_constant__\n",
    "// const __grid_constant__ P p\n",
    "const char *s = \"__grid_constant__\";\n",
    "#ifdef __HIPCC__\nint x;\n#else\n__global__ void k(const __grid_constant__ P p);\n#endif\n",
    "int register_count(int registers);\n",
    "void f() { register int i asm(\"r1\"); }\n",
    "__attribute__((noinline)) int f();\n",
])
def test_kept(source: str) -> None:
    assert hip(source) == source


def test_register_stays_in_c_and_before_17() -> None:
    assert "register" in hip("void f() { register int i; }\n", standard="c++14")
    assert "register" in hip("void f() { register int i; }\n", name="input.c")


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
