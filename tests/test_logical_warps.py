"""HPY312: CUB's collectives of a warp without a width."""

from __future__ import annotations

import pytest

from tests.rewrites import codes, hip, run

WRITTEN = [
    ("using W = cub::WarpReduce<int>;", "using W = hipcub::WarpReduce<int, 32>;"),
    ("using W = ::cub::WarpScan<float>;", "using W = ::hipcub::WarpScan<float, 32>;"),
    ("namespace c = cub;\nusing W = c::WarpReduce<int>;", "namespace c = hipcub;\nusing W = c::WarpReduce<int, 32>;"),
    ("using namespace cub;\nusing W = WarpReduce<int>;", "using namespace hipcub;\nusing W = WarpReduce<int, 32>;"),
    ("template <class T> using W = cub::WarpReduce<std::pair<T, int>>;",
     "template <class T> using W = hipcub::WarpReduce<std::pair<T, int>, 32>;"),
    ("using W = Wrap<cub::WarpReduce<int>>;", "using W = Wrap<hipcub::WarpReduce<int, 32>>;"),
    ("using W = cub::WarpExchange<int, 4>;", "using W = hipcub::WarpExchange<int, 4, 32>;"),
]
NO_OPS = [
    "using W = hipcub::WarpReduce<int>;", "using W = cub::WarpReduce<int, 16>;", "using W = cub::WarpReduce<int, W2>;",
    "using W = mine::WarpReduce<int>;", "using W = WarpReduce<int>;", "using W = cub::BlockReduce<int, 32>;",
    "// cub::WarpReduce<int>",
]


@pytest.mark.parametrize(("before", "after"), WRITTEN)
def test_written(before: str, after: str) -> None:
    assert hip(before) == after
    assert "HPY312" in codes(run(before))


@pytest.mark.parametrize("text", NO_OPS)
def test_no_ops(text: str) -> None:
    assert "HPY312" not in codes(run(text))


@pytest.mark.parametrize("text", [
    "using W = cub::WarpReduce<int>;\n__device__ int lane() { return threadIdx.x % warpSize; }",
    "using W = cub::WarpLoad<int, 4>;"])
def test_reported(text: str) -> None:
    result = run(text)
    assert "HPY312" in codes(result)
    assert ", 32>" not in result.text.decode()
