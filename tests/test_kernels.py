"""The kernels of the repository, as text: the exact form that the first two have to take, and nothing left over."""

from __future__ import annotations

import re

import pytest

import hipify_py
from tests.conftest import KERNELS

#: The only bytes that may change in the kernels (not the launchers) of add and matmul.
EXACT = [
    (b"#include <cuda_runtime.h>", b"#include <hip/hip_runtime.h>"),
    *((f"{cuda}.{axis}".encode(), f"{hip}_{axis}".encode())
      for cuda, hip in [("threadIdx", "hipThreadIdx"), ("blockIdx", "hipBlockIdx"), ("blockDim", "hipBlockDim"),
                        ("gridDim", "hipGridDim")]
      for axis in "xyz"),
]


def device_part(text: bytes) -> bytes:
    """The file up to the end of its first function."""
    return text[: text.index(b"\n}\n") + 3]


def translate(kernel):
    return hipify_py.translate(kernel.read_bytes(), filename=str(kernel))


@pytest.mark.parametrize("name", ["add", "matmul"])
def test_exact_form(name) -> None:
    path = KERNELS / name / "kernel.cu"
    source = path.read_bytes()
    expected = device_part(source)
    for cuda, hip in EXACT:
        expected = expected.replace(cuda, hip)
    text = translate(path).text
    assert device_part(text) == expected
    assert text.startswith(b"#include <hip/hip_runtime.h>\n\n")


def test_add_in_full() -> None:
    assert device_part(translate(KERNELS / "add" / "kernel.cu").text) == (
        b"#include <hip/hip_runtime.h>\n"
        b"\n"
        b"__global__ void add(const float *a, const float *b, float *c, int n) {\n"
        b"    int idx = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;\n"
        b"    if (idx < n) {\n"
        b"        c[idx] = a[idx] + b[idx];\n"
        b"    }\n"
        b"}\n")


def test_no_errors(kernel) -> None:
    translation = translate(kernel)
    assert [each for each in translation.diagnostics if each.severity.value == "error"] == []


def test_no_cuda_name_is_left(kernel) -> None:
    """Comments and strings keep theirs, and so do the authors' own macros and functions."""
    code = re.sub(rb'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', b"", translate(kernel).text, flags=re.DOTALL)
    left = set(re.findall(rb"\b(?:cuda[A-Z_]\w*|CUDA_\w+|\w*<<<)", code))
    assert left <= {b"cudaCheck", b"cuda_check", b"CUDA_CHECK"}


def test_a_second_run_changes_nothing(kernel) -> None:
    first = translate(kernel).text
    assert hipify_py.translate(first, filename=str(kernel.with_suffix(".hip"))).text == first
