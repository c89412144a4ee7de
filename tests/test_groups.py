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
     "v = [&] { auto r = v + 1; for (unsigned int n = t.size() / 2; n > 0; n /= 2) r = r + t.shfl_xor(r, n); return r; }();"),
    ("v = cooperative_groups::reduce(t, v, cooperative_groups::less<int>{});",
     "v = [&] { auto r = v; for (unsigned int n = t.size() / 2; n > 0; n /= 2) r = min(r, t.shfl_xor(r, n)); return r; }();"),
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
    source = kernel("v = cg::inclusive_scan(t, v, cg::plus<int>());")
    assert "HPY401" in codes(run(source))
