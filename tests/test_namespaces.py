"""Qualified names of CUDA's C++ libraries: through aliases and using directives, and only theirs."""

from __future__ import annotations

import pytest

from tests.rewrites import HIP, codes, hip, run

REWRITES = [
    ("cub::BlockReduce<int, 64> r;", "hipcub::BlockReduce<int, 64> r;"),
    ("::cub::BlockReduce<int, 64> r;", "::hipcub::BlockReduce<int, 64> r;"),
    ("using namespace cub;", "using namespace hipcub;"),
    ("namespace blk = ::cub;", "namespace blk = ::hipcub;"),
    ("k<cub::BLOCK_REDUCE_RAKING>(x);", "k<hipcub::BLOCK_REDUCE_RAKING>(x);"),
    ("thrust::sort(thrust::cuda::par.on(s), a, b);", "thrust::sort(thrust::hip::par.on(s), a, b);"),
    ("thrust::system::cuda::detail::f();", "thrust::system::hip::detail::f();"),
    ("namespace t = thrust; t::sort(t::cuda::par, a, b);", "namespace t = thrust; t::sort(t::hip::par, a, b);"),
]

KEPT = [
    "namespace cubic { int n; }",
    "cubic::n;",
    "own::cub::kItems;",
    "namespace own { namespace cub { int kItems; } }",
    "int cub = 1; f(cub);",
    "p->cub;",
    "thrust::sort(thrust::device, a, b);",
    "mine::cuda::version();",
    "at::cuda::getCurrentCUDAStream();",
    "c10::cuda::CUDAStream s;",
    "cv::cuda::GpuMat m;",
    "// cub::BlockReduce",
    "namespace cg = cooperative_groups; cg::thread_block b = cg::this_thread_block();",
]

REPORTED = [
    "using Counter = cuda::atomic<int>;",
    "::cuda::std::uint32_t n;",
    "namespace cg = cooperative_groups; int f() { return cg::reduce(t, 1); }",
    "using namespace nvcuda; wmma::fragment<int> f;",
    "using namespace cooperative_groups; int f() { return reduce(t, 1); }",
]


@pytest.mark.parametrize(("before", "after"), REWRITES)
def test_renamed(before: str, after: str) -> None:
    assert hip(before + "\n") == after + "\n"


@pytest.mark.parametrize("text", KEPT)
def test_kept_without_a_word(text: str) -> None:
    result = run(text + "\n")
    assert result.text.decode() == HIP + text + "\n"
    assert codes(result) == []


@pytest.mark.parametrize("text", REPORTED)
def test_reported(text: str) -> None:
    result = run(text + "\n")
    assert result.text.decode() == HIP + text + "\n"
    assert "HPY401" in codes(result)
