"""Qualified names of CUDA's C++ libraries: through aliases and using directives, and only theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.engine import translate
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


def test_a_header_of_ones_own_keeps_its_names(tmp_path: Path) -> None:
    (tmp_path / "cub").mkdir()
    (tmp_path / "cub" / "cub.cuh").write_text("namespace cub { template <class T, int N> struct BlockReduce {}; }\n")
    source = b'#include "cub/cub.cuh"\n__global__ void k() { cub::BlockReduce<int, 4> a; cub::BlockReduce<int, 8> b; }\n'
    result = translate(source, filename=str(tmp_path / "a.cu"))
    assert b'#include "cub/cub.cuh"' in result.text and b"cub::BlockReduce<int, 4> a; cub::" in result.text
    assert b"hipcub" not in result.text
    assert [(each.code, result.source.location(each.range.start).line) for each in result.diagnostics] == [("HPY118", 2)]
    elsewhere = translate(source.replace(b'"cub/cub.cuh"', b"<cub/cub.cuh>"), filename=str(tmp_path / "a.cu"))
    assert b"hipcub::BlockReduce<int, 4> a; hipcub::" in elsewhere.text
