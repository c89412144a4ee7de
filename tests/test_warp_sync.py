"""Warp collectives: 32-lane sources keep groups of 32, whole-wave sources get 64 bits, and nothing is half done."""

from __future__ import annotations

import pytest

from hipify_py.diagnostics import Severity
from hipify_py.settings import Version
from tests.rewrites import hip

COUNTS_32 = "__device__ int id() { return threadIdx.x % 32; }\n"
WHOLE = "__device__ int id() { return threadIdx.x % warpSize; }\n"

BARRIER = "(__threadfence_block(), __builtin_amdgcn_wave_barrier())"

NARROW = [
    ("v += __shfl_down_sync(0xffffffff, v, 16);", "v += __shfl_down(v, 16, 32);"),
    ("v = __shfl_xor_sync(MASK, v, m);", "v = __shfl_xor(v, m, 32);"),
    ("v = __shfl_up_sync(m, v, 1, 16);", "v = __shfl_up(v, 1, 16);"),
    ("v = __shfl_sync(__activemask(), f(v, 1), 0);", "v = __shfl(f(v, 1), 0, 32);"),
    ("v = __shfl_down(v, 16);", "v = __shfl_down(v, 16, 32);"),
    ("n = __popc(__ballot_sync(~0u, v > 0));", "n = __popc((unsigned int)(__ballot(v > 0) >> (__lane_id() & 32u)));"),
    ("n = __ballot_sync(0xffff, v);", "n = ((unsigned int)(__ballot(v) >> (__lane_id() & 32u)) & (0xffff));"),
    ("if (__any_sync(-1, v)) f();", "if (((unsigned int)(__ballot(v) >> (__lane_id() & 32u)) != 0)) f();"),
    ("if (__all_sync(-1, v)) f();", "if (((unsigned int)(__ballot(!(v)) >> (__lane_id() & 32u)) == 0)) f();"),
    ("unsigned m = __activemask();", "unsigned m = (unsigned int)(__ballot(1) >> (__lane_id() & 32u));"),
    ("__syncwarp();", BARRIER + ";"),
    ("__syncwarp(m);", BARRIER + ";"),
]

WIDE = [
    ("v += __shfl_down_sync(0xffffffff, v, d);", "v += __shfl_down(v, d);"),
    ("unsigned int m = __ballot_sync(~0u, v);", "unsigned long long m = __ballot(v);"),
    ("unsigned m = __activemask(); n = __popc(m);", "unsigned long long m = __ballot(1); n = __popcll(m);"),
    ("int m = __ballot_sync(~0u, v); n = __ffs(m) - __popc(m & ((1u << l) - 1));",
     "unsigned long long m = __ballot(v); n = __ffsll(m) - __popcll(m & ((1ull << l) - 1));"),
    ("if (__any_sync(0xffffffff, v)) f();", "if (__any(v)) f();"),
    ("if (__all_sync(0xf, v)) f();", "if (((__ballot(!(v)) & (0xf)) == 0)) f();"),
]


@pytest.mark.parametrize(("before", "after"), NARROW)
def test_groups_of_32_stay(before: str, after: str) -> None:
    prefix = COUNTS_32.replace("threadIdx.x", "hipThreadIdx_x")
    assert hip_cuda(COUNTS_32, before) == prefix + "__device__ void k() { id(); " + after + " }\n"


@pytest.mark.parametrize(("before", "after"), WIDE)
def test_the_whole_wave_takes_part(before: str, after: str) -> None:
    prefix = WHOLE.replace("threadIdx.x", "hipThreadIdx_x")
    assert hip_cuda(WHOLE, before) == prefix + "__device__ void k() { id(); " + after + " }\n"


def hip_cuda(prefix: str, body: str) -> str:
    """Translate as a CUDA source (no HIP include yet); the include that is added is cut off."""
    from hipify_py.engine import translate

    text = translate(("#include <cuda_runtime.h>\n" + prefix + "__device__ void k() { id(); " + body + " }\n").encode(),
                     filename="input.cu").text.decode()
    return text.partition("\n")[2]


def test_a_source_that_is_hip_already_keeps_its_collectives() -> None:
    text = COUNTS_32.replace("threadIdx.x", "hipThreadIdx_x")
    text += "__device__ void k() { v = __shfl_down(v, 16); n = __ballot(v); }\n"
    assert hip(text) == text


def test_own_functions_of_these_names_stay() -> None:
    text = "int f(int (*__any)(int, int)) { return __any(1, 2); }\n"
    assert hip(text) == text


def test_both_ways_of_counting_become_32() -> None:
    from hipify_py.engine import translate

    source = b"#include <cuda_runtime.h>\n__global__ void k(int v) {\n  int a = threadIdx.x % 32, b = threadIdx.x / warpSize;\n" \
             b"  v = __shfl_down_sync(~0u, v, a + b);\n}\n"
    result = translate(source, filename="input.cu")
    assert b"b = hipThreadIdx_x / 32;\n  v = __shfl_down(v, a + b, 32);" in result.text
    assert {(each.code, each.severity) for each in result.diagnostics} == {("HPY301", Severity.NOTE), ("HPY302", Severity.NOTE)}


def test_hip_7_keeps_the_masks_and_widens_them() -> None:
    from hipify_py.engine import translate
    from hipify_py.settings import Settings

    source = b"#include <cuda_runtime.h>\n__global__ void k(int v) { v = __shfl_down_sync(0xffffffff, v, 1); __syncwarp(); }\n"
    text = translate(source, filename="input.cu", settings=Settings(rocm=Version(7, 0))).text
    assert b"__shfl_down_sync(0xffffffffffffffffull, v, 1, 32); __syncwarp();" in text


def test_own_macros_of_these_names_stay_with_their_uses() -> None:
    text = "#if OLD\n#define __shfl_up(v, d) __shfl_up_sync(0xffffffff, v, d)\n#endif\n" \
           "__device__ int f(int v) { return __shfl_up(v, 16); }\n"
    assert "return __shfl_up(v, 16);" in hip_cuda(text, "")


@pytest.mark.parametrize(("prefix", "before", "after"), [
    ("", "n = __popc(__ballot_sync(0xffffffff, v));", "n = __popc((unsigned int)(__ballot(v) >> (__lane_id() & 32u)));"),
    ("", "if (__ballot_sync(~0u, v) == 0xffffffff) f();",
     "if ((unsigned int)(__ballot(v) >> (__lane_id() & 32u)) == 0xffffffff) f();"),
    (WHOLE, "n = __popc(__ballot_sync(0xffffffff, v));", "n = __popcll(__ballot(v));"),
    (WHOLE, "n = __ffs(__ballot_sync(0xffffffff, v));", "n = __ffsll(__ballot(v));"),
])
def test_a_vote_that_is_used_where_it_stands(prefix: str, before: str, after: str) -> None:
    assert hip_cuda(prefix, before).endswith("__device__ void k() { id(); " + after + " }\n")


def test_a_vote_is_cut_once() -> None:
    from hipify_py.engine import translate

    first = translate(b"int n = __ballot(x);\n", filename="a.c").text
    assert b"__ballot(x) >> (__lane_id() & 32u)" in first
    assert translate(first, filename="a.c").text == first
