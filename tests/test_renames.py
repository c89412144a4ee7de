"""Names: every CUDA name is renamed or reported; the person's own are left alone, and comments and strings too."""

from __future__ import annotations

import pytest

from hipify_py.diagnostics import Severity
from hipify_py.settings import Version
from tests.rewrites import HIP, codes, hip, lines, run

REWRITES = [
    ("cudaError_t e = cudaSuccess;", "hipError_t e = hipSuccess;"),
    ("::cudaError_t e = ::cudaMalloc(&p, n);", "::hipError_t e = ::hipMalloc(&p, n);"),
    ("using ::cudaMalloc;", "using ::hipMalloc;"),
    ("return ::cudaSuccess;", "return ::hipSuccess;"),
    ("auto f() -> cudaError_t;", "auto f() -> hipError_t;"),
    ("auto f = &cudaFree;", "auto f = &hipFree;"),
    ("std::unique_ptr<int, decltype(&cudaFreeHost)> p;", "std::unique_ptr<int, decltype(&hipHostFree)> p;"),
    ("f<cudaStream_t>(const cudaEvent_t);", "f<hipStream_t>(const hipEvent_t);"),
    ("#define RESET() cudaDeviceReset()", "#define RESET() hipDeviceReset()"),
    ("#if 0\ncudaFree(p);\n#endif", "#if 0\nhipFree(p);\n#endif"),
    ("CHECK(cudaMalloc(&p, 4))", "CHECK(hipMalloc(&p, 4))"),
    ("cuda\\\nFree(p);", "hipFree(p);"),
    ("struct cudaDeviceProp p;", "struct hipDeviceProp_t p;"),
    ("return cudaError_t::cudaSuccess;", "return hipError_t::hipSuccess;"),
    ("f(cudaMemcpyKind::cudaMemcpyDeviceToHost, ::cudaMemcpyKind::cudaMemcpyDefault);",
     "f(hipMemcpyKind::hipMemcpyDeviceToHost, ::hipMemcpyKind::hipMemcpyDefault);"),
    ("return CUresult::CUDA_SUCCESS;", "return hipError_t::hipSuccess;"),
    ("CUresult r = cuInit(0);", "hipError_t r = hipInit(0);"),
    ("auto e = cudaError_t::cudaSuccess;", "auto e = hipError_t::hipSuccess;"),
    ("f(::cudaMemcpyKind::cudaMemcpyDefault);", "f(::hipMemcpyKind::hipMemcpyDefault);"),
    ("using Err = cudaError_t;\nauto e = Err::cudaErrorUnknown;", "using Err = hipError_t;\nauto e = Err::hipErrorUnknown;"),
    ("typedef enum cudaError Err;\nauto e = Err::cudaSuccess;", "typedef enum hipError_t Err;\nauto e = Err::hipSuccess;"),
    ("namespace rt { using ::cudaFree; }\nint f() { return rt::cudaFree(0); }",
     "namespace rt { using ::hipFree; }\nint f() { return rt::hipFree(0); }"),
    ("namespace rt { using ::cudaStream_t; }\nrt::cudaStream_t s = other(x);",
     "namespace rt { using ::hipStream_t; }\nrt::hipStream_t s = other(x);"),
]

KEPT = [
    "goto cudaError;\ncudaError: return;",
    "#define FREE(cudaFree, p) cudaFree(p)",
    "// cudaMalloc",
    "/* cudaMalloc */",
    "s = \"cudaMalloc failed\";",
    "s = R\"x(cudaMalloc)x\";",
    "#error cudaMalloc is needed",
    "s.cudaSuccess = 1;",
    "s->cudaFree(p);",
    "mine::cudaFree(p);",
    "a::b::cudaSuccess;",
    "enum class cudaKind { cudaSuccess };\nauto k = cudaKind::cudaSuccess;",
    "struct Err { static int cudaSuccess; };\nint e = Err::cudaSuccess;",
    "namespace rt { using mine::cudaFree; }\nint f() { return rt::cudaFree(0); }",
    "enum class cudaWhy { cudaSuccess }; auto w = cudaWhy::cudaSuccess;",
    "struct S { int cudaSuccess; };",
    "int f() { int cudaSuccess = 3; return cudaSuccess; }",
    "int f(int cudaSuccess) { return cudaSuccess; }",
    "struct cudaGrid { int n; }; int cudaCells(cudaGrid g) { return g.n; }",
    "static int cudaDevicesSeen = 0;",
    "#define cudaCheck(x) (x)",
    "int cuRound(double x);",
    "namespace cudalib { int cudacount; }",
]


@pytest.mark.parametrize(("before", "after"), REWRITES)
def test_renamed(before: str, after: str) -> None:
    result = run(before + "\n")
    assert result.text.decode() == HIP + after + "\n"
    assert not [each for each in result.diagnostics if each.severity is Severity.ERROR]


@pytest.mark.parametrize("text", KEPT)
def test_kept_without_a_word(text: str) -> None:
    result = run(text + "\n")
    assert result.text.decode() == HIP + text + "\n"
    assert codes(result) == []


def test_shadowing_ends_with_its_block() -> None:
    text = "int f() { int cudaSuccess = 3; return cudaSuccess; }\nint g() { return cudaSuccess; }\n"
    assert hip(text) == text.replace("g() { return cudaSuccess", "g() { return hipSuccess")


def test_no_counterpart_is_an_error_and_stays() -> None:
    result = run("int a = cudaDevAttrClusterLaunch;\n")
    assert b"cudaDevAttrClusterLaunch" in result.text
    assert codes(result) == ["HPY401"]
    assert result.errors == 1


def test_ignored_codes_are_not_reported() -> None:
    assert codes(run("void f() { cudaFrobnicate(1); }\n", ignore=("HPY1",))) == []
    assert codes(run("void f() { cudaFrobnicate(1); }\n", select=("HPY4",))) == []


def test_rocm_version_leaves_what_is_newer() -> None:
    old = run("auto f = cudaMemcpyBatchAsync;\nauto g = cudaGraphAddNode;\n", rocm=Version(5, 2))
    assert b"cudaGraphAddNode" in old.text
    new = run("auto g = cudaGraphAddNode;\n", rocm=Version(9, 0))
    assert b"hipGraphAddNode" in new.text


def test_every_byte_around_the_names_stays() -> None:
    text = "\tcudaFree( p );  \r\n\x0c  cudaError_t\te ;\r\n"
    assert hip(text) == text.replace("cuda", "hip")


def test_a_macro_over_a_name_is_renamed_with_its_uses() -> None:
    text = "#define cudaFree(p) do { if (cudaFree(p) != cudaSuccess) abort(); } while (0)\nvoid f(int *p) { cudaFree(p); }\n"
    assert hip(text) == text.replace("cuda", "hip")


@pytest.mark.parametrize(("source", "word"), [
    ("void f(void **p) { cudaMallocManaged(p, 4); cudaMallocManaged(p, 8); }\n", "XNACK"),
    ("#define CUDA_API_PER_THREAD_DEFAULT_STREAM\n", "-fgpu-default-stream"),
    ("void f(cudaPointerAttributes *a, void *p) { cudaPointerGetAttributes(a, p); }\n", "6.0"),
    ("void f(int *v) { cudaDeviceGetAttribute(v, cudaDevAttrComputeCapabilityMajor, 0); }\n", "gfx"),
])
def test_what_compiles_and_differs_is_told_once(source: str, word: str) -> None:
    result = run(source, verify=False)
    assert [word in each.message for each in result.diagnostics] == [True]
    assert b"cuda" not in result.text.replace(b"__", b"") and b"CUDA_API" not in result.text


@pytest.mark.parametrize("name", ["CUBLAS_GEMM_DEFAULT_TENSOR_OP", "CUBLAS_GEMM_DFALT_TENSOR_OP"])
def test_tensor_cores_by_default_are_the_default(name: str) -> None:
    from hipify_py.engine import translate
    result = translate(f"#include <cublas_v2.h>\ncublasGemmAlgo_t algo = {name};\n".encode())
    assert b"hipblasGemmAlgo_t algo = HIPBLAS_GEMM_DEFAULT;" in result.text
    assert result.errors == 0


def test_libdevice_is_reported_where_it_is_declared() -> None:
    declared = "extern \"C\" __device__ float __nv_fast_expf(float);\n"
    assert lines(run(declared + "__global__ void k(float *v) { v[0] = __nv_fast_expf(v[0]); }\n"), "HPY401") == [1, 2]
    assert codes(run("__device__ float __nv_expf(float x) { return x; }\n")) == []
