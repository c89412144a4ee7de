"""Cooperative groups: votes of tiles and reductions in terms of what every HIP has; other groups' stay or are reported."""

from __future__ import annotations

import pytest

from hipify_py.settings import Version
from tests.rewrites import codes, hip, run

HEAD = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
TILE = "cg::thread_block_tile<32> t = cg::tiled_partition<32>(cg::this_thread_block()); "
LANES = " >> (__lane_id() & ~(t.size() - 1))) & (~0ull >> (64 - t.size())))"

REWRITES = [
    ("t.any(v > 0);", "(((__ballot(v > 0)" + LANES + " != 0);"),
    ("if (t.all(f(v, 1))) v = 0;", "if ((((__ballot(!(f(v, 1)))" + LANES + " == 0)) v = 0;"),
    ("unsigned b = t.ballot(v);", "unsigned b = (unsigned int)((__ballot(v)" + LANES + ";"),
    ("v = cg::reduce(t, v + 1, cg::plus<int>());",
     "v = ([&] { auto cg_value = v + 1; for (unsigned int cg_step = t.size() / 2; cg_step > 0; cg_step /= 2) "
     "cg_value = cg_value + t.shfl_xor(cg_value, cg_step); return cg_value; }());"),
    ("v = cooperative_groups::reduce(t, v, cooperative_groups::less<int>{});",
     "v = ([&] { auto cg_value = v; for (unsigned int cg_step = t.size() / 2; cg_step > 0; cg_step /= 2) "
     "cg_value = min(cg_value, t.shfl_xor(cg_value, cg_step)); return cg_value; }());"),
    ("v = cg::inclusive_scan(t, v, cg::greater<int>());",
     "v = ([&] { auto cg_value = v; for (unsigned int cg_step = 1; cg_step < t.size(); cg_step *= 2) { auto cg_below = "
     "t.shfl_up(cg_value, cg_step); if (t.thread_rank() >= cg_step) cg_value = max(cg_below, cg_value); } "
     "return cg_value; }());"),
    ("v = cg::exclusive_scan(t, v);",
     "v = ([&] { auto cg_value = v; for (unsigned int cg_step = 1; cg_step < t.size(); cg_step *= 2) { auto cg_below = "
     "t.shfl_up(cg_value, cg_step); if (t.thread_rank() >= cg_step) cg_value = cg_below + cg_value; } { auto cg_below = "
     "t.shfl_up(cg_value, 1); return t.thread_rank() ? cg_below : decltype(cg_below){}; } }());"),
]
KEPT = [
    "v = t.shfl_down(v, 1);",
    "t.sync();",
    "own.any(v);",
    "v = s.all(1) + v;",
    "v = own::reduce(t, v, own::plus<int>());",
    "v = reduce(v);",
    "// t.any(v)",
]


def kernel(body: str) -> str:
    return (HEAD + "struct S { __device__ int all(int); };\nnamespace own { template <class T> struct plus {};\n"
            "template <class G, class T, class F> __device__ T reduce(G, T, F); }\n"
            "__device__ int f(int, int);\n__global__ void k(int v, S s) { " + TILE + body + " }\n")


def body(text: str) -> str:
    return text[text.index("void k(int v, S s) { ") :]


@pytest.mark.parametrize("semantics", [True, False])
@pytest.mark.parametrize(("before", "after"), REWRITES)
def test_rewrites(before: str, after: str, semantics: bool) -> None:
    source = kernel(before)
    result = run(source, semantics=semantics)
    assert body(result.text.decode()) == body(source).replace(before, after)
    assert not [each for each in codes(result) if each != "HPY301"]


@pytest.mark.parametrize("text", KEPT)
def test_kept(text: str) -> None:
    assert body(hip(kernel(text))) == body(kernel(text))


def test_other_headers_of_the_groups_are_hips_one() -> None:
    text = hip(HEAD.replace("groups.h>\n", "groups.h>\n#include <cooperative_groups/reduce.h>\n"))
    assert text.count("#include <hip/hip_cooperative_groups.h>") == 1
    assert "reduce.h" not in text


def test_votes_of_active_threads_are_the_waves() -> None:
    source = HEAD + "__global__ void k(int *v) { cg::coalesced_group a = cg::coalesced_threads(); v[0] = a.any(v[1]); }\n"
    assert "v[0] = __any(v[1]);" in hip(source)
    ballot = run(source.replace("any", "ballot"))
    assert "a.ballot(v[1])" in ballot.text.decode()
    assert "HPY213" in codes(ballot)


def test_a_hip_that_has_votes_keeps_them() -> None:
    source = kernel("v = t.any(v) + t.match_any(v);")
    assert body(hip(source, rocm=Version(7, 0))) == body(source)
    assert "HPY213" in codes(run(source))


def test_what_no_loop_replaces_is_reported() -> None:
    for call in ("cg::exclusive_scan(t, v, cg::less<int>())", "cg::inclusive_scan(t, v, own)",
                 "cg::reduce(t, v, [](int a, int b) { return a; })", "cg::reduce(t, v, cg::unknown<int>())"):
        assert "HPY401" in codes(run(kernel(f"v = {call};")))


def test_scans_and_reductions_compute_what_cuda_does() -> None:
    """On the CPU device: every kind, on tiles of 32 and 8, with values of the program's that have the names of ours."""
    np = pytest.importorskip("numpy")
    from tests.cpu.support import build, device

    calls = ("cg::reduce(t, cg_step, cg::plus<int>())", "cg::reduce(t, cg_step, cg::less<int>())",
             "cg::inclusive_scan(t, cg_step)", "cg::inclusive_scan(t, cg_step, cg::greater<int>())",
             "cg::exclusive_scan(t, cg_step)", "cg::exclusive_scan(t, cg_step, cg::bit_or<int>())")
    lines = "".join(f"o[{number} * 128 + threadIdx.x] = {call};\n" for number, call in enumerate(calls))
    source = (HEAD + "#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>\n" + "".join(
        f"__global__ void k{size}(const int *x, int *o) {{ auto t = cg::tiled_partition<{size}>(cg::this_thread_block()); "
        f"int cg_step = x[threadIdx.x];\n{lines}}}\n" for size in (32, 8)))
    own, values = device(), np.random.default_rng(2).integers(0, 100, 128).astype(np.int32)
    text = run(source).text
    assert b"cg::reduce" not in text and b"_scan(" not in text
    for wave in (32, 64):
        module = own.load(build.build_module(text, wave=wave, name="scans.hip"))
        for size in (32, 8):
            out = np.zeros(6 * 128, np.int32)
            buffers = [own.upload(values), own.upload(out)]
            own.launch(module.function(f"k{size}"), grid=(1, 1, 1), block=(128, 1, 1), arguments=buffers)
            own.copy_from(out, buffers[1])
            own.free_all()
            tiles = values.reshape(-1, size)
            below = np.concatenate([np.zeros((len(tiles), 1), np.int32), tiles[:, :-1]], 1)
            wanted = [np.repeat(tiles.sum(1), size), np.repeat(tiles.min(1), size), tiles.cumsum(1),
                      np.maximum.accumulate(tiles, 1), below.cumsum(1), np.bitwise_or.accumulate(below, 1)]
            assert np.array_equal(out, np.concatenate([each.ravel() for each in wanted]))


@pytest.mark.parametrize("wave", [32, 64])
def test_reductions_with_a_function_of_the_source(wave: int) -> None:
    """A struct, whose words are exchanged, and a function object on doubles."""
    np = pytest.importorskip("numpy")
    from tests.cpu.support import build, device

    source = HEAD + """#include <cooperative_groups/reduce.h>
struct Best { float value; int lane; };
__device__ Best better(Best a, Best b) { return a.value > b.value || (a.value == b.value && a.lane < b.lane) ? a : b; }
template <class T> struct Add { __device__ T operator()(T a, T b) const { return a + b; } };
__global__ void k(const float *x, float *value, int *lane, double *sum) {
    cg::thread_block_tile<16> t = cg::tiled_partition<16>(cg::this_thread_block());
    Best mine{x[threadIdx.x], (int)threadIdx.x};
    Best found = cg::reduce(t, mine, better);
    value[threadIdx.x] = found.value;
    lane[threadIdx.x] = found.lane;
    sum[threadIdx.x] = cg::reduce(t, (double)x[threadIdx.x], Add<double>{});
}
"""
    result = run(source)
    assert "HPY401" not in codes(result)
    own, values = device(), np.random.default_rng(3).integers(0, 50, 64).astype(np.float32)
    module = own.load(build.build_module(result.text, wave=wave, name="own_reductions.hip"))
    outs = [np.zeros(64, np.float32), np.zeros(64, np.int32), np.zeros(64)]
    buffers = [own.upload(each) for each in (values, *outs)]
    own.launch(module.function("k"), grid=(1, 1, 1), block=(64, 1, 1), arguments=buffers)
    for out, buffer in zip(outs, buffers[1:], strict=True):
        own.copy_from(out, buffer)
    own.free_all()
    tiles = values.reshape(-1, 16)
    wanted = (tiles.max(1), tiles.argmax(1) + 16 * np.arange(4), tiles.sum(1))
    assert all(np.array_equal(out, np.repeat(each, 16)) for out, each in zip(outs, wanted, strict=True))
