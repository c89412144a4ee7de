"""Launches that have too many threads in one direction for HIP, by constants."""

from __future__ import annotations

import pytest

from hipify_py.diagnostics import Severity
from tests.rewrites import codes, hip, run


@pytest.mark.parametrize("launch", [
    "k<<<2147483647, 1024>>>(p);", "k<<<1u << 23, 512>>>(p);", "k<<<dim3(1 << 24, 2), dim3(256, 2)>>>(p);",
    "k<<<BLOCKS, THREADS>>>(p);",
])
def test_too_many_threads(launch: str) -> None:
    result = run(f"#define BLOCKS (1 << 23)\nconstexpr int THREADS = 512;\nvoid f(int *p) {{ {launch} }}\n")
    said = [each for each in result.diagnostics if each.code == "HPY311"]
    assert [each.severity for each in said] == [Severity.WARNING]
    assert "2**32" in said[0].message


@pytest.mark.parametrize("launch", [
    "k<<<4194303, 1024>>>(p);", "k<<<1 << 22, 512>>>(p);", "k<<<n, 1024>>>(p);", "k<<<dim3(65535, 65535), 1024>>>(p);",
    "k<<<grid, block>>>(p);", "k<<<dim3(n, 1), dim3(32, 32)>>>(p);", "k<<<f(1 << 30), 1024>>>(p);",
])
def test_others(launch: str) -> None:
    assert "HPY311" not in codes(run(f"void f(int *p, int n) {{ {launch} }}\n"))


def test_nothing_is_changed() -> None:
    source = "void f(int *p) { k<<<1 << 23, 1024>>>(p); }\n"
    assert hip(source) == "void f(int *p) { hipLaunchKernelGGL(k, dim3(1 << 23), dim3(1024), 0, 0, p); }\n"
