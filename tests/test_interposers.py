"""Definitions of two CUDA functions that HIP has one function for."""

from __future__ import annotations

import pytest

from tests.conftest import CompileError
from tests.rewrites import codes, hip, lines, run

REPEATED = [
    ("cudaError_t cudaFree(void *p) { return cudaSuccess; }\nCUresult cuMemFree(CUdeviceptr p) { return CUDA_SUCCESS; }\n",
     [2]),
    ("extern \"C\" cudaError_t cudaMalloc(void **p, size_t n) { return cudaSuccess; }\n"
     "extern \"C\" CUresult cuMemAlloc(CUdeviceptr *p, size_t n) { return CUDA_SUCCESS; }\n", [2]),
    ("extern \"C\" {\nCUresult cuMemAlloc(CUdeviceptr *p, size_t n) { return CUDA_SUCCESS; }\n"
     "CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t n) noexcept { return CUDA_SUCCESS; }\n}\n"
     "extern \"C\" {\ncudaError_t cudaMalloc(void **p, size_t n) { return cudaSuccess; }\n}\n", [3, 6]),
    ("cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }\ncudaError_t cudaThreadSynchronize() { return cudaSuccess; }\n",
     [2]),
    ("#define cudaMalloc(p, n) mine(p, n)\n#define cuMemAlloc(p, n) mine(p, n)\n", [2]),
    ("#define cudaThreadSynchronize mine\n#define cudaDeviceSynchronize mine\n", [2]),
    ("extern \"C\" cudaError_t cudaMallocHost(void **p, size_t n) { return cudaSuccess; }\n"
     "extern \"C\" cudaError_t cudaHostAlloc(void **p, size_t n, unsigned f) { return cudaSuccess; }\n", [2]),
]

APART = [
    "cudaError_t cudaFree(void *p) { return cudaSuccess; }\nCUresult cuMemFree(CUdeviceptr p);\n",
    "cudaError_t cudaFree(void *p) { return cudaSuccess; }\nvoid f() { cuMemFree(0); if (1) { cuMemFree(1); } }\n",
    "#ifdef D\ncudaError_t cudaFree(void *p) { return cudaSuccess; }\n#else\nCUresult cuMemFree(int p) { return 0; }\n#endif\n",
    "cudaError_t cudaMalloc(void **p, size_t n) { return cudaSuccess; }\ncudaError_t cudaFree(void *p) { return cudaSuccess; }\n",
    "cudaError_t cudaMalloc(void **p, size_t n) { return cudaSuccess; }\nvoid f(CUdeviceptr *p) { cuMemAlloc(p, 1); }\n",
    "cudaError_t cudaMalloc(void **p, size_t n);\nCUresult cuMemAlloc(CUdeviceptr *p, size_t n);\n",
    "cudaError_t cudaMalloc(void **p, size_t n);\ncudaError_t cudaMalloc(void **p, size_t n) { return cudaSuccess; }\n",
    "#ifdef DRIVER\nCUresult cuMemAlloc(CUdeviceptr *p, size_t n) { return CUDA_SUCCESS; }\n#else\n"
    "cudaError_t cudaMalloc(void **p, size_t n) { return cudaSuccess; }\n#endif\n",
    "#ifdef DRIVER\n#define cudaMalloc(p, n) a(p, n)\n#else\n#define cuMemAlloc(p, n) b(p, n)\n#endif\n",
    "namespace a { int cudaMalloc(int n) { return n; } }\nnamespace b { int cuMemAlloc(int n) { return n; } }\n",
    "struct S { int cudaMalloc(int n) { return n; } int cuMemAlloc(int n) { return n; } };\n",
    "int S::cudaMalloc(int n) { return n; }\nint S::cuMemAlloc(int n) { return n; }\n",
    "inline cudaError_t cudaMallocHost(void **p, size_t n) { return cudaSuccess; }\n"
    "inline cudaError_t cudaHostAlloc(void **p, size_t n, unsigned f) { return cudaSuccess; }\n",
    "#define A(p) cudaMalloc(p, 1)\n#define B(p) cuMemAlloc(p, 1)\n",
    "void f() { if (cudaMalloc(p, 1)) { cuMemAlloc(p, 1); } }\n",
]


@pytest.mark.parametrize(("text", "places"), REPEATED)
@pytest.mark.parametrize("semantics", [True, False])
def test_each_definition_but_the_first_is_reported(text, places, semantics) -> None:
    result = run(text, semantics=semantics, verify=semantics)
    assert lines(result, "HPY117") == places
    assert "cudaM" not in result.text.decode()
    assert "cuMem" not in result.text.decode()


@pytest.mark.parametrize("text", APART)
@pytest.mark.parametrize("semantics", [True, False])
def test_others_are_not(text, semantics) -> None:
    assert "HPY117" not in codes(run(text, semantics=semantics, verify=semantics))


def test_a_second_run_has_nothing_to_say() -> None:
    text = hip(REPEATED[1][0])
    assert hip(text) == text
    assert "HPY117" not in codes(run(text))


def test_the_compiler_agrees(compile_hip) -> None:
    head = "#include <hip/hip_runtime.h>\n"
    with pytest.raises(CompileError, match="hipMalloc"):
        compile_hip((head + hip(REPEATED[1][0])).encode())
    compile_hip((head + hip(APART[12])).encode())
