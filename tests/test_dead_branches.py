"""Findings in branches that HIP never compiles are notes; where work would be missing they stay errors."""

from __future__ import annotations

import pytest

from hipify_py.diagnostics import Severity
from tests.rewrites import run

CALL = "cudaGridDependencySynchronize();"
PTX = 'asm volatile("cp.async.wait_all;");'

NOTES = [
    f"#if CUDA_VERSION >= 12080\n{CALL}\n#else\n++x;\n#endif",
    f"#if CUDA_VERSION >= 12080\n{CALL}\n#endif",
    f"#if defined(CUDA_VERSION) && CUDART_VERSION < 11000\n{CALL}\n#endif",
    f"#if CUDART_VERSION < 12080\n++x;\n#else\n{CALL}\n#endif",
    f"#if __CUDA_ARCH__ >= 800\n{PTX}\n#else\n++x;\n#endif",
    f"#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900\n{PTX}\n#elif __CUDA_ARCH__ >= 800\n{CALL}\n#else\n++x;\n#endif",
    f"#ifdef __PTX__\n{PTX}\n#else\n++x;\n#endif",
    f"#if __CUDA_ARCH__ >= 800\n#ifdef FAST\n{PTX}\n#endif\n#else\n++x;\n#endif",
]
ERRORS = [
    CALL,
    f"#if CUDA_VERSION >= 11000\n{CALL}\n#endif",
    f"#if CUDA_VERSION >= 12080 || MORE\n{CALL}\n#endif",
    f"#if CUDA_VERSION == 12080\n{CALL}\n#endif",
    f"#if __CUDA_ARCH__ >= 800\n{PTX}\n#endif",                           # nothing in its place
    f"#if __CUDA_ARCH__ >= 600\n{PTX}\n#else\n++x;\n#endif",
    f"#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800\n{CALL}\n#else\n++x;\n#endif",   # the host compiles it
    f"#ifdef __PTX__\n{PTX}\n#endif",
    f"#if OWN >= 800\n{PTX}\n#else\n++x;\n#endif",
    f"#if CUDNN_VERSION >= 8000\n{CALL}\n#endif",
]


def serious(body: str) -> list[str]:
    found = run(f"__device__ void f(int x) {{\n{body}\n}}\n").diagnostics
    return [each.code for each in found if each.severity is Severity.ERROR]


@pytest.mark.parametrize("body", NOTES)
def test_notes(body: str) -> None:
    assert serious(body) == []
    found = run(f"__device__ void f(int x) {{\n{body}\n}}\n").diagnostics
    assert any("HIP never compiles this branch" in each.message for each in found)


@pytest.mark.parametrize("body", ERRORS)
def test_errors(body: str) -> None:
    assert serious(body) in (["HPY401"], ["HPY403"])
