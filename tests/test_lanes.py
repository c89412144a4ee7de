"""Families of functions and what they count their lanes in; matches and reductions of a warp as loops."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.diagnostics import Severity
from hipify_py.engine import translate
from hipify_py.lanes import Mode
from hipify_py.mapping import MappingTable
from hipify_py.settings import Settings, Version
from hipify_py.source import SourceFile
from hipify_py.unit import TranslationUnit
from tests.rewrites import codes

HEAD = "#include <cuda_runtime.h>\n"


def modes(text: str, path: str = "a.cu") -> dict[str, Mode]:
    unit = TranslationUnit(SourceFile(path, (HEAD + text).encode()), Settings(), MappingTable.load())
    return {name.decode(): family.mode for family in unit.lanes.families for name in family.names}


def hip(text: str, **settings: object) -> str:
    result = translate((HEAD + text).encode(), filename="a.cu", settings=Settings(**settings))  # type: ignore[arg-type]
    return result.text.decode().partition("\n")[2]


SUM = "__device__ int sum(int v) { for (int d = warpSize / 2; d; d /= 2) v += __shfl_down_sync(~0u, v, d); return v; }\n"


@pytest.mark.parametrize(("text", "mode"), [
    ("__global__ void k(int v) { v = __shfl_sync(~0u, v, 0); }", Mode.GROUPS),
    ("__global__ void k(int v) { v = __shfl_sync(~0u, v, v % warpSize); }", Mode.WAVE),
    ("__global__ void k(int v) { v = __shfl_sync(~0u, v, threadIdx.x % 32) + warpSize; }", Mode.GROUPS),
    ("#define WARP 32\n__global__ void k(int v) { v = __shfl_sync(~0u, v, v % WARP) + warpSize; }", Mode.GROUPS),
    ("#define WARP (32)\n__global__ void k(int v) { v = __shfl_sync(~0u, v, v % WARP) + warpSize; }", Mode.GROUPS),
    ("constexpr int kLanes{32};\n__global__ void k(int v) { v = __shfl_sync(~0u, v, v % kLanes) + warpSize; }", Mode.GROUPS),
    ("#define WARP 32\n__global__ void k(int v) { v = __shfl_sync(~0u, v, v % warpSize); }", Mode.WAVE),
    ("__global__ void k(int v) { unsigned m = __ballot_sync(~0u, v); v = __popc(m) + warpSize; }", Mode.WAVE),
    ("__global__ void k(int v) { unsigned m = __ballot_sync(~0u, v); v = __clz(m) + warpSize; }", Mode.GROUPS),
    ("__global__ void k(int v, unsigned *m) { *m = __ballot_sync(~0u, v); v = warpSize; }", Mode.GROUPS),
    ("__global__ void k(int v) { unsigned m = __ballot_sync(~0u, v); if (m == 0) v = warpSize; }", Mode.WAVE),
    ("__global__ void k(int v) { unsigned m = __ballot_sync(~0u, v); if (m == ~0u) v = warpSize; }", Mode.GROUPS),
    ("__global__ void k(int v) { unsigned m = __ballot_sync(~0u, v), n = warpSize; }", Mode.GROUPS),
    ("__global__ void k(int v) { v = __popc(__ballot_sync(~0u, v) & 0xff) + warpSize; }", Mode.GROUPS),
    (SUM + "__global__ void k(int v) { v = sum(v); if (threadIdx.x % warpSize == 0) f(v); }", Mode.WAVE),
    (SUM + "__global__ void k(int v) { v = sum(v); if (threadIdx.x % 32 == 0) f(v); }", Mode.GROUPS),
    (SUM + "__global__ void other() { f(threadIdx.x % 32); }\n__global__ void k(int v) { v = sum(v); }", Mode.WAVE),
    (SUM + "__global__ void k(int v) { v = sum(v); }\nvoid run(int threads) { k<<<threads / 32, 32>>>(1); }", Mode.GROUPS),
    (SUM + "__global__ void k(int v) { v = sum(v); }\nvoid run() { const int warp = 32; k<<<4, warp>>>(1); }", Mode.GROUPS),
    (SUM + "__global__ void k(int v) { v = sum(v); }\nvoid run(int items) { k<<<items / 32, 64>>>(1); }", Mode.WAVE),
])
def test_modes(text: str, mode: Mode) -> None:
    assert modes(text)["k"] is mode


@pytest.mark.parametrize(("text", "mode"), [
    ("if (lane == 31) v = 0;", Mode.GROUPS), ("for (int c = lane; c < n; c += 32) v += c;", Mode.GROUPS),
    ("__shared__ int s[32]; s[lane] = v;", Mode.WAVE), ("int s[WARPS]; s[0] = v;", Mode.GROUPS), ("v += 33;", Mode.WAVE),
])
def test_beside_warp_size_any_32_may_mean_lanes(text: str, mode: Mode) -> None:
    head = "#define WARPS (256 / 32)\n__global__ void k(int v, int n) { int lane = threadIdx.x % warpSize; "
    assert modes(head + "v = __shfl_up_sync(~0u, v, 1); " + text + " }")["k"] is mode


@pytest.mark.parametrize(("constant", "use", "mode"), [
    ("struct Traits { static constexpr int width = 32; };", "Traits::width", Mode.GROUPS),
    ("template <class T> struct Traits { enum { kFew = 8, kMany = 32 }; };", "Traits<int>::kMany", Mode.GROUPS),
    ("namespace a { constexpr unsigned many{32u}; }", "a::many", Mode.GROUPS),
    ("const int mask = 0x1f;", "(mask + 1)", Mode.GROUPS),
    ("struct Traits { static constexpr int width = 48; };", "Traits::width", Mode.WAVE),
    ("struct Traits { static constexpr int width = 32; };", "other", Mode.WAVE),
    ("void host() { int width = 32; }", "width", Mode.WAVE),
    ("// width = 32\n", "width", Mode.WAVE),
])
def test_beside_warp_size_a_constant_of_32_may_mean_lanes_whatever_its_name(constant: str, use: str, mode: Mode) -> None:
    text = constant + ("\n__global__ void k(int v, int *b) { v += __shfl_xor_sync(~0u, v, warpSize / 2); "
                       f"b[threadIdx.x / {use}] = v; }}")
    assert modes(text)["k"] is mode


@pytest.mark.parametrize(("use", "told"), [
    ("out[0] = g.size();", True), ("int n = g.num_threads() * 2;", True),
    ("if (g.thread_rank() == 0) atomicAdd(out, g.size());", False),
    ("g.sync();", False), ("out[0] = h.size();", False),
    ("if (g.thread_rank() == 0) atomicAdd(out, 1);", True), ("if (g.thread_rank() == 0) { atomicSub(&out[2], 1u); }", True),
    ("if (h.thread_rank() == 0) atomicAdd(out, 1);", False), ("if (g.thread_rank() == 0) atomicAdd(out, sum);", False),
    ("if (g.thread_rank() == 0) atomicMax(out, 1);", False), ("if (g.thread_rank() == 0) out[0] = 1;", False),
])
def test_groups_of_whoever_is_there(use: str, told: bool) -> None:
    source = ("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int *out, V h) {\n"
              "cg::coalesced_group g = cg::coalesced_threads();\n" + use + "\n}\n")
    result = translate(source.encode(), filename="a.cu")
    assert ("HPY301" in {each.code for each in result.diagnostics if each.severity is Severity.WARNING}) is told


def test_one_mode_for_all_that_share_a_function() -> None:
    found = modes(SUM + "__global__ void a(int v) { sum(v); }\n__global__ void b(int v) { sum(v); f(threadIdx.x & 31); }\n")
    assert found == {"sum": Mode.GROUPS, "a": Mode.GROUPS, "b": Mode.GROUPS}


def test_warp_size_becomes_32_where_32_is_meant() -> None:
    source = "__global__ void k(int v) { int a = threadIdx.x / warpSize, b = threadIdx.x % 32; f(p.warpSize); }\n"
    assert "hipThreadIdx_x / 32, b = hipThreadIdx_x % 32; f(p.warpSize);" in hip(source)
    kept = source.replace("% 32", "% warpSize")
    assert "/ warpSize, b = hipThreadIdx_x % warpSize" in hip(kept)


def test_a_header_of_the_persons_counts_too(tmp_path: Path) -> None:
    (tmp_path / "warp.cuh").write_text("#define WARP_SIZE 32\n" + SUM)
    source = HEAD + '#include "warp.cuh"\n__global__ void k(int v) { v = sum(v); if (threadIdx.x % WARP_SIZE == 0) f(v); }\n'
    result = translate(source.encode(), filename=str(tmp_path / "a.cu"))
    [warning] = [each for each in result.diagnostics if each.severity is Severity.WARNING]
    assert warning.code == "HPY301"
    assert warning.message.startswith("`sum` of a header counts its lanes in `warpSize`, this kernel in 32s")
    (tmp_path / "warp.cuh").write_text("#define WARP_SIZE 32\n" + SUM.replace("warpSize / 2", "WARP_SIZE / 2"))
    result = translate(source.encode(), filename=str(tmp_path / "a.cu"))
    assert not [each for each in result.diagnostics if each.severity is not Severity.NOTE]


def test_the_host_that_asks_for_the_warp_size_is_told() -> None:
    source = (HEAD + "__global__ void k(int v) { v = __shfl_sync(~0u, v, 0); }\nint f(cudaDeviceProp &p) { return p.warpSize; }\n"
              "void g(int *n) { cudaDeviceGetAttribute(n, cudaDevAttrWarpSize, 0); }\n")
    result = translate(source.encode(), filename="a.cu")
    assert [result.source.location(each.range.start).line for each in result.diagnostics if each.code == "HPY301"] == [3, 4]
    plain = translate(source.replace("__shfl_sync(~0u, v, 0)", "v").encode(), filename="a.cu")
    assert "HPY301" not in {each.code for each in plain.diagnostics}


def test_targets_of_32_lanes_are_told_nothing() -> None:
    source = (HEAD + "__global__ void k(int v) { v = __shfl_sync(~0u, v, threadIdx.x % 32); }\n").encode()
    for targets, told in (((), True), (("gfx1100",), False), (("gfx90a", "gfx1100"), True), (("gfx942",), True)):
        result = translate(source, filename="a.cu", settings=Settings(offload_arch=targets))
        assert ("HPY301" in {each.code for each in result.diagnostics}) is told


MATCHES = [
    ("v = __match_any_sync(~0u, v);", True), ("v = __match_all_sync(m, v, &p);", True),
    ("v = __reduce_add_sync(0xffffffff, v + 1);", True), ("v = __reduce_max_sync(__activemask(), v);", True),
    ("int __reduce_add_sync(int, int);", False), ("q.__reduce_add_sync = 1;", False), ("// __match_any_sync(m, v)", False),
    ("v = __match_any(m, v);", False),
]


@pytest.mark.parametrize(("text", "rewritten"), MATCHES)
def test_matches_and_reductions(text: str, rewritten: bool) -> None:
    result = translate((HEAD + "__global__ void k(int v, unsigned m, int p) { " + text + " }\n").encode(), filename="a.cu")
    assert (b"[](auto mine" in result.text) is rewritten
    assert ("HPY309" in {each.code for each in result.diagnostics}) is rewritten
    assert not result.errors
    assert not [each for each in result.diagnostics if each.code.startswith("HPY9")]


def test_what_holds_a_match_is_widened() -> None:
    text = hip("__global__ void k(int *v) { int peers = __match_any_sync(~0u, *v); __syncwarp(peers); v[1] = __popc(peers); }\n")
    assert "unsigned long long peers = [](auto mine" in text
    assert "v[1] = __popcll(peers);" in text


def test_hip_7_has_matches_of_whole_waves() -> None:
    text = hip("__global__ void k(int *v) { unsigned m = __match_any_sync(~0u, v[0]); v[1] = __popc(m) + warpSize; }\n",
               rocm=Version(7, 0))
    assert "m = __match_any_sync(0xffffffffffffffffull, v[0])" in text


def test_they_compile(compile_hip) -> None:
    body = "".join(f"{{ {text} }} " for text, rewritten in MATCHES if rewritten)
    source = HEAD + "__global__ void k(int v, unsigned m, int p) { " + body + "}\n"
    compile_hip(translate(source.encode(), filename="a.cu").text)


def test_hip_that_mixes_both_is_a_warning() -> None:
    kernel = "__global__ void k(int v) { v = __shfl(v, 0); f(threadIdx.x % 32, threadIdx.x / warpSize); }\n"
    result = translate(("#include <hip/hip_runtime.h>\n" + kernel).encode(), filename="a.hip")
    assert [(each.code, each.severity) for each in result.diagnostics] == [("HPY301", Severity.WARNING)]
    assert b"% 32" in result.text and b"/ warpSize" in result.text
    for one in (kernel.replace("% 32", "% warpSize"), kernel.replace("/ warpSize", "/ 32")):
        assert translate(("#include <hip/hip_runtime.h>\n" + one).encode(), filename="a.hip").diagnostics == ()


@pytest.mark.parametrize("source", [
    "__global__ void k(int v) { int warpSize = 32; for (int d = warpSize / 2; d; d /= 2) v += __shfl_xor_sync(~0u, v, d); }\n",
    "__global__ void k(int v, int warpSize) { v = __shfl_sync(~0u, v, v % warpSize) + threadIdx.x % 32; }\n",
    "const int warpSize = 32;\n__global__ void k(int v) { v = __shfl_sync(~0u, v, v % warpSize); }\n",
    "#define warpSize 32\n__global__ void k(int v) { v = __shfl_sync(~0u, v, v % warpSize); }\n",
])
def test_a_persons_own_warp_size_is_left_alone(source: str) -> None:
    text = hip(source)
    assert text.count("warpSize") == source.count("warpSize")
    assert ", 32)" in text


@pytest.mark.parametrize(("test", "told"), [
    ("p.warpSize == 32", 1), ("32 != p.warpSize", 1), ("q->warpSize > 32", 1), ("q[0].warpSize <= 32", 1),
    ("p.warpSize == 64", 0), ("warp_size == 32", 0), ("p.warpSize == n", 0),
])
def test_comparisons_of_a_device_with_32(test: str, told: int) -> None:
    source = f"bool f(cudaDeviceProp p, cudaDeviceProp *q, int n, int warp_size) {{ return {test}; }}\n"
    result = translate(b"#include <cuda_runtime.h>\n" + source.encode())
    assert codes(result).count("HPY301") == told


def test_the_warp_size_of_a_device_is_renamed_where_it_is_told() -> None:
    kernel = "__global__ void k(int *v) { v[threadIdx.x] = __shfl_xor_sync(~0u, v[threadIdx.x % 32], 1); }\n"
    result = translate(b"#include <cuda_runtime.h>\n" + kernel.encode()
                       + b"void f(int *w) { cudaDeviceGetAttribute(w, cudaDevAttrWarpSize, 0); }\n")
    assert "HPY301" in codes(result)
    assert b"hipDeviceGetAttribute(w, hipDeviceAttributeWarpSize, 0)" in result.text


@pytest.mark.parametrize("macro", ["(threadIdx.x & 0x1f)", "threadIdx.x & 31", "(threadIdx.x % 32)"])
def test_macros_of_lanes_are_told(macro: str) -> None:
    kernel = "__global__ void k(int *v) { if (LANE == 3) v[0] = __shfl_sync(~0u, v[1], 2); }\n"
    result = translate(b"#include <cuda_runtime.h>\n#define LANE " + f"{macro}\n{kernel}".encode())
    found = [result.source.location(each.range.start).line for each in result.diagnostics if each.code == "HPY301"]
    assert 2 in found
