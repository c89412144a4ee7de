"""Words that hipcc does not take: `__grid_constant__` goes, a person's own and what is only named like it stays."""

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
