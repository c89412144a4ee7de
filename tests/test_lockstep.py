"""Unrolled tails of reductions in volatile memory are told, with the tests that lead to them; nothing else is."""

from __future__ import annotations

import pytest

from hipify_py.engine import translate
from hipify_py.source import SourceFile

STEPS = "s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t +  8]; s[t] += s[t + 4];"


def told(source: str) -> list[int]:
    result = translate(source.encode())
    place = SourceFile("input.cu", source.encode()).location
    return [place(each.range.start).line for each in result.diagnostics if each.code == "HPY313"]


def test_in_the_kernel_itself() -> None:
    assert told("__global__ void k(float *o) {\n__shared__ volatile float s[64]; int t = threadIdx.x;\nif (t < 32) {\n"
                + STEPS + "\n}\n}\n") == [3, 4]


def test_in_a_function_that_the_kernel_calls() -> None:
    assert told("__device__ void tail(volatile float *s, int t) {\n" + STEPS + "\n}\n__global__ void k(float *o) {\n"
                "__shared__ float s[64];\nif (threadIdx.x < 32)\ntail(s, threadIdx.x); }\n") == [2, 6]


@pytest.mark.parametrize("source", [
    "__global__ void k(float *o) { __shared__ float s[64]; int t = threadIdx.x; if (t < 32) { " + STEPS + " } }\n",
    "__device__ void tail(volatile float *s, int t) { " + STEPS.replace("; ", "; __syncwarp(); ") + " }\n",
    "#include <hip/hip_runtime.h>\n__device__ void tail(volatile float *s, int t) { " + STEPS + " }\n",
    "__global__ void k(volatile int *s, int t) { s[t] += s[t + 16]; if (t < 32) s[t] = 0; }\n",
    "// volatile float *s: s[t] += s[t + 16]; s[t] += s[t + 8];\n__global__ void k() {}\n",
])
def test_all_else_is_silent(source: str) -> None:
    assert told(source) == []
