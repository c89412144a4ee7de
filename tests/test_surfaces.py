"""Reads and writes of surfaces: HIP's one form of each, boundary modes taken out, those that clamp reported."""

from __future__ import annotations

import pytest

from hipify_py.diagnostics import Severity
from tests.rewrites import codes, hip, run

FRAME = "__global__ void k(cudaSurfaceObject_t s, float v, float4 q, int x, int y) {{ {} }}\n"
HIP_FRAME = FRAME.replace("cuda", "hip")


@pytest.mark.parametrize(("before", "after"), [
    ("v = surf2Dread<float>(s, x * 4, y);",
     "v = ([&] { float surf_value; surf2Dread(&surf_value, s, x * 4, y); return surf_value; }());"),
    ("v = surf2Dread<float>(s, x * 4, y, cudaBoundaryModeZero);",
     "v = ([&] { float surf_value; surf2Dread(&surf_value, s, x * 4, y); return surf_value; }());"),
    ("q = surf1Dread<float4>(s, threadIdx.x * 16);",
     "q = ([&] { float4 surf_value; surf1Dread(&surf_value, s, hipThreadIdx_x * 16); return surf_value; }());"),
    ("surf2Dread(&v, s, x * 4, y, cudaBoundaryModeTrap);", "surf2Dread(&v, s, x * 4, y);"),
    ("surf2Dread<float>(&v, s, x * 4, y);", "surf2Dread<float>(&v, s, x * 4, y);"),
    ("surf3Dwrite(q, s, x * 16, y, 1, cudaBoundaryModeZero);", "surf3Dwrite(q, s, x * 16, y, 1);"),
    ("surf2DLayeredwrite<float>(v, s, x, y, 2 , /* no */ cudaBoundaryModeTrap );",
     "surf2DLayeredwrite<float>(v, s, x, y, 2  );"),
    ("surf2Dwrite(v, s, x * 4, y);", "surf2Dwrite(v, s, x * 4, y);"),
])
def test_rewrites(before: str, after: str) -> None:
    assert hip(FRAME.format(before)) == HIP_FRAME.format(after)
    assert codes(run(FRAME.format(before), verify=False)) == []


@pytest.mark.parametrize("mode", ["cudaBoundaryModeClamp", "mode"])
def test_modes_that_clamp_are_told(mode: str) -> None:
    result = run(FRAME.format(f"surf2Dwrite(v, s, x, y, {mode});"), verify=False)
    said = [each for each in result.diagnostics if each.code == "HPY217"]
    assert [each.severity for each in said] == [Severity.WARNING]
    assert b"surf2Dwrite(v, s, x, y);" in result.text


def test_layered_cube_maps_are_an_error() -> None:
    result = run(FRAME.format("surfCubemapLayeredwrite(v, s, x, y, 7);"), verify=False)
    assert [each.severity for each in result.diagnostics if each.code == "HPY217"] == [Severity.ERROR]


@pytest.mark.parametrize("source", [
    "template <class T> void surf2Dwrite(T v, int a, int b, int c, int d);\nvoid f() { surf2Dwrite(1.f, 2, 3, 4, 5); }\n",
    "void f(S s) { s.surf2Dwrite(1, 2, 3, 4, 5); }\n",
    "// surf2Dread<float>(s, x, y, cudaBoundaryModeZero)\n",
])
def test_kept(source: str) -> None:
    assert hip(source) == source


def test_all_compile(compile_hip) -> None:
    compile_hip(run(FRAME.format(
        "v = surf2Dread<float>(s, x * 4, y); q = surf1Dread<float4>(s, x * 16, cudaBoundaryModeTrap); surf2Dread(&v, s, x, y, "
        "cudaBoundaryModeTrap); surf3Dwrite(q, s, x * 16, y, 1, cudaBoundaryModeZero); surf2Dwrite(v + q.x, s, x, y);")).text)
