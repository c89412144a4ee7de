"""Thread indices: axes become HIP's names, whole values and the person's own variables stay."""

from __future__ import annotations

import pytest

from hipify_py.settings import Syntax
from tests.rewrites import hip

REWRITES = [
    ("blockIdx.x * blockDim.x + threadIdx.x", "hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x"),
    ("threadIdx.y + blockIdx.z", "hipThreadIdx_y + hipBlockIdx_z"),
    ("gridDim . x", "hipGridDim_x"),
    ("(int)threadIdx.x", "(int)hipThreadIdx_x"),
    ("a[threadIdx.x]", "a[hipThreadIdx_x]"),
]

KEPT = [
    "dim3 t = threadIdx;",
    "(&threadIdx)->x;",
    "threadIdx.w;",
    "s.threadIdx.x;",
    "p->blockDim.x;",
    "mine::threadIdx.x;",
    "threadIdx /* x */ .x;",
    "::threadIdx.x;",
    "mythreadIdx.x;",
    "/* threadIdx.x */",
    "\"threadIdx.x\";",
]


@pytest.mark.parametrize(("before", "after"), REWRITES)
def test_axes(before: str, after: str) -> None:
    assert hip(f"__global__ void k(int *a) {{ a[0] = {before}; }}\n") == f"__global__ void k(int *a) {{ a[0] = {after}; }}\n"


@pytest.mark.parametrize("text", KEPT)
def test_kept(text: str) -> None:
    source = f"__global__ void k(int *a) {{ {text} }}\n"
    assert hip(source) == source


@pytest.mark.parametrize(("before", "after"), REWRITES)
def test_native(before: str, after: str) -> None:
    source = f"__global__ void k(int *a) {{ a[0] = {before}; }}\n"
    assert hip(source, thread_indices=Syntax.CUDA) == source


def test_a_uint3_gets_the_axes() -> None:
    source = ("__device__ int f(uint3 a, dim3 b);\n__device__ uint3 g() { return @threadIdx; }\n"
              "__global__ void k(int *p) { const uint3 t = @threadIdx; dim3 d = threadIdx;\n"
              "    auto a = @threadIdx; uint3 b(@blockDim);\n"
              "    p[0] = f(@threadIdx, blockDim) + f(@blockDim, threadIdx); d = blockDim; }\n")
    plain = source.replace("@", "")
    for syntax, axis in ((Syntax.HIP, "hip{}_{}"), (Syntax.CUDA, "{}.{}")):
        expected = source
        for name in ("threadIdx", "blockDim"):
            hip_name = name[0].upper() + name[1:] if syntax is Syntax.HIP else name
            axes = ", ".join(axis.format(hip_name, each) for each in "xyz")
            expected = expected.replace("@" + name, f"make_uint3({axes})")
        assert hip(plain, thread_indices=syntax) == expected


def test_without_libclang_a_uint3_variable_gets_the_axes() -> None:
    source = "__global__ void k() { uint3 t = threadIdx; f(threadIdx); }\n"
    axes = "make_uint3(hipThreadIdx_x, hipThreadIdx_y, hipThreadIdx_z)"
    assert hip(source, semantics=False) == source.replace("t = threadIdx", "t = " + axes)


@pytest.mark.parametrize("source", [
    "void host(int n) { dim3 blockDim(16, 16); dim3 gridDim((n + blockDim.x - 1) / blockDim.x); use(gridDim.x); }\n",
    "__device__ unsigned own(uint3 threadIdx) { return threadIdx.x; }\n",
    "struct S { dim3 gridDim; unsigned f() { return this->gridDim.x; } };\n",
])
def test_own_variables(source: str) -> None:
    assert hip(source) == source


def test_own_variable_ends_with_its_block() -> None:
    source = "void host() { { dim3 blockDim(4); use(blockDim.x); } }\n__global__ void k(int *a) { a[0] = blockDim.x; }\n"
    assert hip(source) == source.replace("a[0] = blockDim.x", "a[0] = hipBlockDim_x")


def test_parameters_of_a_macro_stay() -> None:
    text = "#define LINEAR(blockIdx, blockDim) (blockIdx.y * blockDim.x + threadIdx.x)\n"
    assert hip(text) == text.replace("threadIdx.x", "hipThreadIdx_x")


def test_in_a_macro() -> None:
    assert hip("#define TID (blockIdx.x + threadIdx.x)\n") == "#define TID (hipBlockIdx_x + hipThreadIdx_x)\n"
