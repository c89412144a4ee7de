"""Members of cooperative groups that HIP lacks, by the class of the group; all others stay."""

from __future__ import annotations

import pytest

from hipify_py.diagnostics import Severity
from hipify_py.settings import Syntax, Version
from tests.rewrites import codes, hip, run

HEAD = ("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\nstruct Mine { __device__ int num_threads(); };\n"
        "__device__ unsigned f(const cg::thread_group &any, cg::grid_group grid, cg::thread_block &block, Mine mine) {\n"
        "auto tile = cg::tiled_partition<32>(block); auto here = cg::coalesced_threads();\nreturn ")
BLOCKS = "((unsigned long long)hipGridDim_x * hipGridDim_y * hipGridDim_z)"
REWRITES = [
    ("block.num_threads()", "block.size()"),
    ("tile.num_threads() + here.num_threads()", "tile.size() + here.size()"),
    ("any.num_threads()", "any.size()"),
    ("grid.num_threads()", "grid.size()"),
    ("cg::this_thread_block().num_threads()", "cg::this_thread_block().size()"),
    ("cg::tiled_partition<16>(block).num_threads()", "cg::tiled_partition<16>(block).size()"),
    ("grid.num_blocks()", BLOCKS),
    ("cg::this_grid().num_blocks() + 1", BLOCKS + " + 1"),
    ("cooperative_groups::this_grid( ) . num_blocks( )", BLOCKS),
    ("grid.block_rank()", "(hipBlockIdx_x + hipGridDim_x * (hipBlockIdx_y + (unsigned long long)hipGridDim_y * hipBlockIdx_z))"),
    ("block.dim_threads().x", "dim3(hipBlockDim_x, hipBlockDim_y, hipBlockDim_z).x"),
    ("grid.group_dim().x", "dim3(hipGridDim_x, hipGridDim_y, hipGridDim_z).x"),
    ("block.group_dim().x", "block.group_dim().x"),
    ("grid.block_index().y", "dim3(hipBlockIdx_x, hipBlockIdx_y, hipBlockIdx_z).y"),
]


def body(text: str) -> str:
    return text[text.index("return ") + 7 : text.rindex("; }")]


@pytest.mark.parametrize("semantics", [True, False])
@pytest.mark.parametrize(("before", "after"), REWRITES)
def test_rewrites(before: str, after: str, semantics: bool) -> None:
    result = run(HEAD + before + "; }\n", semantics=semantics)
    assert body(result.text.decode()) == after
    assert [each for each in codes(result) if each not in ("HPY001", "HPY301", "HPY208")] == []


@pytest.mark.parametrize("text", ["mine.num_threads()", "block.size()", "num_threads(3)", "block.num_threads(3)",
                                  "grid.thread_rank()", "tile.dim_threads()", "mine.num_blocks()"])
def test_kept(text: str) -> None:
    assert body(hip(HEAD + text + "; }\n")) == text


def test_indices_keep_their_style() -> None:
    assert body(hip(HEAD + "grid.num_blocks(); }\n", thread_indices=Syntax.CUDA)) == (
        "((unsigned long long)gridDim.x * gridDim.y * gridDim.z)")


def test_a_tile_of_a_tile_is_an_error() -> None:
    result = run(HEAD + "cg::tiled_partition<8>(tile).size(); }\n")
    assert [each.severity for each in result.diagnostics if each.code == "HPY218"] == [Severity.ERROR]
    assert "HPY218" not in codes(run(HEAD + "cg::tiled_partition<8>(block).size(); }\n"))


def test_it_compiles(compile_hip_current) -> None:
    calls = " + ".join(before for before, _ in REWRITES)
    compile_hip_current(run(HEAD + calls + "; }\n").text)


@pytest.mark.parametrize(("rocm", "said"), [(None, [Severity.NOTE]), (Version(5, 2), [Severity.WARNING]), (Version(6, 4), [])])
def test_what_an_older_hip_lacks_is_told(rocm: Version | None, said: list[Severity]) -> None:
    result = run(HEAD + "tile.meta_group_rank(); }\n", rocm=rocm)
    assert [each.severity for each in result.diagnostics if each.code == "HPY218"] == said


def test_split_barriers_are_errors() -> None:
    source = HEAD + "0; }\n__device__ void g(cg::thread_block b) { auto t = b.barrier_arrive(); b.barrier_wait(std::move(t)); }\n"
    said = [each.severity for each in run(source).diagnostics if each.code == "HPY218"]
    assert said == [Severity.ERROR, Severity.ERROR]
