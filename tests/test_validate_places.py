"""Lines of translations led back to the source, and what logs of the CPU device and of sanitizers say."""

from __future__ import annotations

from pathlib import Path

import pytest

import hipify_py
from hipify_py.validate.logs import findings
from hipify_py.validate.places import Origin, Sources, line_map
from hipify_py.validate.results import Kind

SOURCE = """\
// a comment with __global__ void other(
__constant__ float c[4];
template <typename T>
__global__ void __launch_bounds__(128) scale(const T *in, T *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == n) { out[i] = 0; }
    if (out[i] == in[i]) return;
    out[i].x += in[i];  // out[i] = 1
    atomicAdd(&out[0], in[i]);
}
__global__ void last(float *out) { *out = 1; }
void host(float *x) { scale<float><<<1, 2>>>(x, x, 3); }
"""


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    result = hipify_py.translate(SOURCE.encode(), filename="k.cu")
    hip = tmp_path / "k.hip"
    hip.write_bytes(result.text)
    return Sources({str(hip): Origin(str(path), line_map(SOURCE.encode(), result.edits))})


def test_every_line_leads_back(sources: Sources) -> None:
    (hip, origin), = sources.origins.items()
    lines, there = SOURCE.splitlines(), Path(hip).read_text().splitlines()
    assert len(there) > len(lines)  # an include was added
    for word in ("__constant__", "__launch_bounds__", "atomicAdd", "void last", "void host"):
        number = next(n for n, line in enumerate(there, 1) if word in line)
        assert word in lines[origin.line(number) - 1]
    assert sources.place("/elsewhere/k.hip", 3) is None


def test_lines_that_vanish_and_appear() -> None:
    from hipify_py.diagnostics import Edit

    data = b"a\nb\nc\nd\ne\n"
    origin = Origin("k.cu", line_map(data, [Edit(0, 0, b"1\n2\n", "X"), Edit(4, 8, b"", "X")]))
    text = b"1\n2\na\nb\ne\n".split()
    assert [origin.line(n) for n in range(3, 6)] == [1, 2, 5] and text[2:] == [b"a", b"b", b"e"]


def test_kernels_and_what_they_write(sources: Sources) -> None:
    place = sources.kernel("scale<float>")
    assert place is not None and place.line == 4
    assert sources.kernel("ns::last").line == 12  # type: ignore[union-attr]
    assert sources.kernel("other") is None and sources.kernel("host") is None
    assert [each.line for each in sources.writes("scale", "out")] == [7, 9, 10]
    assert [each.line for each in sources.writes("last", "out")] == [12]
    assert sources.writes("scale", "in") == ()


def test_logs(sources: Sources) -> None:
    hip = next(iter(sources.origins))
    text = f"""\
hello from a kernel
hipcpu: kernel scale: out-of-bounds access at byte offset 400 of a 400-byte buffer, block (1,2,3) thread (4,5,6), at /none.so+0x12
hipcpu: kernel last: {hip}:14: void last(float*): device-side assertion `x > 0' failed, block (0,0,0) thread (1,0,0)
hipcpu: kernel last: block (7,0,0): threads wait at different barriers (lines 14 and 15)
hipcpu: kernel last: block (0,0,0): warning: 3 of 4 threads had ended or wait elsewhere when the others waited
{hip}:14:5: runtime error: signed integer overflow
"""
    undefined, access, asserted, barriers = findings(text, sources)
    assert (undefined.kind, undefined.places[0].line) == (Kind.UNDEFINED, 12)
    assert (access.kind, access.block, access.thread, access.places[0].line) == (Kind.OUT_OF_BOUNDS, (1, 2, 3), (4, 5, 6), 4)
    assert (asserted.kind, asserted.places[0].line) == (Kind.FAULT, 12) and asserted.message.startswith("device-side assertion")
    assert (barriers.kind, [each.line for each in barriers.places]) == (Kind.FAULT, [12, 13])
    assert barriers.message == "threads wait at different barriers"
