"""Words that hipcc does not take: `__grid_constant__` and `register` go, a person's own and what is only named like it stays."""

from __future__ import annotations

import pytest

from tests.rewrites import codes, hip, run


@pytest.mark.parametrize(("before", "after"), [
    ("__global__ void k(const __grid_constant__ P p) {}", "__global__ void k(const P p) {}"),
    ("__global__ void k(__grid_constant__ const P p) {}", "__global__ void k(const P p) {}"),
    ("__global__ void k(__grid_constant__\n  const P p) {}", "__global__ void k(\n  const P p) {}"),
    ("#define CONST __grid_constant__\nint i;", "#define CONST \nint i;"),
    ("#define ARG(T, n) const __grid_constant__ T n\n", "#define ARG(T, n) const T n\n"),
])
def test_it_goes(before: str, after: str) -> None:
    assert hip(before) == after
    assert codes(run(before)) == []
    assert hip(after) == after


@pytest.mark.parametrize("text", [
    "// __grid_constant__", "const char *s = \"__grid_constant__\";", "int __grid_constant__x;",
    "#define __grid_constant__\n__global__ void k(const __grid_constant__ P p) {}", "f(p.grid_constant);",
])
def test_it_stays(text: str) -> None:
    assert hip(text) == text


@pytest.mark.parametrize(("before", "after"), [
    ("void f() { register int i = 0; for (register int j = 0; j < i; ++j) {} }\n",
     "void f() { int i = 0; for (int j = 0; j < i; ++j) {} }\n"),
    ("__attribute__((__noinline__)) int f();\n", "__attribute__((noinline)) int f();\n"),
])
def test_other_words(before: str, after: str) -> None:
    assert hip(before) == after
    assert codes(run(before, verify=False)) == []


@pytest.mark.parametrize("source", [
    "#ifdef __HIPCC__\nint x;\n#else\n__global__ void k(const __grid_constant__ P p);\n#endif\n",
    "int register_count(int registers);\n",
    "void f() { register int i asm(\"r1\"); }\n",
    "__attribute__((noinline)) int f();\n",
])
def test_other_words_stay(source: str) -> None:
    assert hip(source) == source


def test_register_stays_in_c_and_before_17() -> None:
    assert "register" in hip("void f() { register int i; }\n", standard="c++14")
    assert "register" in hip("void f() { register int i; }\n", name="input.c")
