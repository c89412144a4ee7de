"""Include guards of CUDA's headers in conditions."""

from __future__ import annotations

import pytest

from hipify_py.rules import header_guards
from tests.conftest import ROOT, Compiler
from tests.rewrites import codes, hip, run

REWRITES = [
    ("#ifdef __DRIVER_TYPES_H__\n#endif\n", "#ifdef HIP_INCLUDE_HIP_DRIVER_TYPES_H\n#endif\n"),
    ("#ifndef CUBLAS_API_H_ // cuBLAS\n#endif\n", "#ifndef HIPBLAS_H // cuBLAS\n#endif\n"),
    ("#if defined(_CUFFT_H_) && defined CURAND_H_\n#endif\n", "#if defined(HIPFFT_H_) && defined HIPRAND_H_\n#endif\n"),
    ("#if 0\n#elif defined(CUSOLVER_COMMON_H_)\n#endif\n", "#if 0\n#elif defined(HIPSOLVER_H)\n#endif\n"),
    ("#if !defined(__CUDA_RUNTIME_API_H__)\n#error\n#endif\n",
     "#if !defined(HIP_INCLUDE_HIP_HIP_RUNTIME_API_H)\n#error\n#endif\n"),
]
NO_OPS = [
    "#ifndef CUBLAS_API_H_\n#define CUBLAS_API_H_\n#endif\n",  # a copy of the header: the guard is its own
    "#ifdef MY_CUBLAS_API_H_\n#endif\n",
    "// #ifdef __DRIVER_TYPES_H__\n",
    "const char *text = \"__DRIVER_TYPES_H__\";\n",
    "#ifdef __HIP_PLATFORM_AMD__\n#include <hipblas/hipblas.h>\n#elif defined(CUBLAS_API_H_)\n#endif\n",  # split by its author
]


@pytest.mark.parametrize(("cuda", "expected"), REWRITES)
def test_rewrites(cuda: str, expected: str) -> None:
    assert hip(cuda) == expected
    assert hip(expected) == expected
    assert "HPY102" not in codes(run(cuda))


@pytest.mark.parametrize("cuda", NO_OPS)
def test_no_ops(cuda: str) -> None:
    assert hip(cuda) == cuda


def test_guards_of_libraries_stay_where_rocs_own_are_asked_for() -> None:
    text = "#if defined(CUBLAS_API_H_) || defined(__DRIVER_TYPES_H__)\n#endif\n"
    assert hip(text, target_libraries="roc") == text.replace("__DRIVER_TYPES_H__", "HIP_INCLUDE_HIP_DRIVER_TYPES_H")


def test_the_table_is_sorted_and_each_name_stands_once() -> None:
    lines = (ROOT / "hipify_py/mapping/header_guards.csv").read_text(encoding="utf-8").splitlines()[1:]
    names = [line.partition(",")[0] for line in lines]
    assert names == sorted(set(names))


def test_the_runtime_defines_the_guards_that_are_its_own(compile_hip: Compiler) -> None:
    guards = sorted({each.decode() for each in header_guards._guards().values() if each.startswith(b"HIP_INCLUDE_")})
    lines = [f"#ifndef {each}\n#error {each}\n#endif\n" for each in guards]
    compile_hip(("#include <hip/hip_runtime.h>\n#include <hip/hip_fp16.h>\n#include <hip/hip_complex.h>\n"
                 + "".join(lines)).encode())
