"""Collisions: overloads, specialisations and case labels that HIP has one name for."""

from __future__ import annotations

import pytest

from tests.rewrites import lines, run

COLLIDING = [
    ("void f(cudaError_t e);\nvoid f(CUresult e);\n", [2]),
    ("int f(const char *, const cudaError_t &e = cudaSuccess);\n"
     "int f(const char *what, const CUresult &r) { return 0; }\n", [2]),
    ("void f(cudaError_t);\nvoid f(cudaError_t) {}\nvoid f(CUresult);\nvoid f(CUresult) {}\n", [3, 4]),
    ("std::ostream &operator<<(std::ostream &o, CUresult e);\n"
     "std::ostream &operator<<(std::ostream &o, cudaError_t e);\n", [2]),
    ("template <> struct S<cudaError_t> {};\ntemplate <> struct S<CUresult> {};\n", [2]),
    ("template <> struct std::hash<cudaError_t> {};\ntemplate <> struct std::hash<CUresult> {};\n", [2]),
    ("template <> int f<cudaError_t>() { return 0; }\ntemplate <> int f<CUresult>() { return 0; }\n", [2]),
    ("template <> constexpr bool is_cu<cudaError_t> = true;\ntemplate <> constexpr bool is_cu<CUresult> = true;\n", [2]),
    ("template <> const char *name<cudaError_t>{\"a\"};\ntemplate <> const char *name<CUresult>{\"b\"};\n", [2]),
    ("template class V<cudaError_t>;\ntemplate class V<CUresult>;\n", [2]),
    ("struct S {\n  S(cudaError_t e);\n  S(CUresult e);\n};\n", [3]),
    ("namespace a {\nvoid f(cudaMemoryType t);\nvoid f(CUmemorytype t);\n}\n", [3]),
    ("void f(std::vector<cudaError_t> v);\nvoid f(std::vector<CUresult> v);\n", [2]),
    ("void f(int r) {\n switch (r) {\n case cudaSuccess: break;\n case CUDA_SUCCESS: break;\n }\n}\n", [4]),
]

APART = [
    "void f(cudaError_t e);\nvoid g(CUresult e);\n",
    "void f(cudaError_t e);\nvoid f(CUresult e, int i);\n",
    "void f(cudaError_t e);\nvoid f(cudaError_t e) {}\n",
    "void f(cudaStream_t s);\nvoid f(CUevent e, cudaStream_t s, CUstream t);\n",
    "void f(cudaStream_t s);\nvoid g() { CUstream s; f(s); }\n",
    "void f(cudaError e);\nvoid f(cudaError_t e) {}\n",
    "namespace a { void f(cudaError_t e); }\nnamespace b { void f(CUresult e); }\n",
    "struct A { void f(cudaError_t e); };\nstruct B { void f(CUresult e); };\n",
    "#ifdef D\nvoid f(CUresult e);\n#else\nvoid f(cudaError_t e);\n#endif\n",
    "void g(cudaError_t a, CUresult b) { f(cudaError_t(a)); f(CUresult(b)); }\n",
    "template <class E> struct S;\ntemplate <> struct S<cudaError_t> {};\nS<CUresult> s;\n",
    "void f(int a, int b) {\n switch (a) { case cudaSuccess: break; }\n switch (b) { case CUDA_SUCCESS: break; }\n}\n",
    "template <> constexpr bool is_cu<cudaError_t> = true;\nbool b = is_cu<CUresult>;\n",
    "bool a = is_cu<cudaError_t> = true;\nbool b = is_cu<CUresult> = true;\n",
    "template <> int a<cudaError_t> = 1;\ntemplate <> int b<CUresult> = 1;\n",
    "void f(cudaError_t e) { if (e) f(e); }\nCUresult r;\n",
    "cudaError_t f(); CUresult (",
    "void f(CUresult, cudaError_t",
]


@pytest.mark.parametrize(("source", "reported"), COLLIDING)
def test_colliding(source: str, reported: list[int]) -> None:
    result = run(source, semantics=False)
    assert lines(result, "HPY115") == reported
    assert b"CUresult" not in result.text
    for each in result.diagnostics:
        if each.code == "HPY115":
            assert "same type" in each.message or "same value" in each.message


@pytest.mark.parametrize("source", APART)
def test_apart(source: str) -> None:
    assert lines(run(source, semantics=False), "HPY115") == []
