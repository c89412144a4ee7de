"""Texture and surface references are reported where they are declared and bound; objects are not."""

from __future__ import annotations

import pytest

from hipify_py.diagnostics import Severity
from tests.rewrites import codes, hip, lines, run


@pytest.mark.parametrize(("before", "after"), [
    ("texture<float, 2, cudaReadModeElementType> t;\n", "texture<float, 2, hipReadModeElementType> t;\n"),
    ("texture<float> t;\n", "texture<float> t;\n"),
    ("static texture<uint2, 1> t;\n", "static texture<uint2, 1> t;\n"),
    ("void f(texture<float4, 1, cudaReadModeElementType> &t);\n", "void f(texture<float4, 1, hipReadModeElementType> &t);\n"),
    ("void f() { cudaBindTexture(0, t, p, n); }\n", "void f() { hipBindTexture(0, t, p, n); }\n"),
    ("void f() { cudaBindTextureToArray(t, a, d); }\n", "void f() { hipBindTextureToArray(t, a, d); }\n"),
    ("void f() { cudaUnbindTexture(t); }\n", "void f() { hipUnbindTexture(t); }\n"),
    ("#define BIND(t, p) cudaBindTexture(0, t, p)\n", "#define BIND(t, p) hipBindTexture(0, t, p)\n"),
])
def test_references_are_renamed_and_reported(before: str, after: str) -> None:
    result = run(before)
    assert hip(before) == after
    if "&t" not in before:
        assert lines(result, "HPY306") == [1]
        assert result.errors == 0


@pytest.mark.parametrize("source", [
    "surface<void, cudaSurfaceType2D> s;\n",
    "surface<void, 2> s;\n",
    "void f() { cudaBindSurfaceToArray(s, a); }\n",
    "void f() { cuModuleGetSurfRef(&r, m, \"s\"); }\n",
])
def test_surface_references_are_errors(source: str) -> None:
    said = [each for each in run(source).diagnostics if each.code == "HPY306"]
    assert [each.severity for each in said] == [Severity.ERROR]


@pytest.mark.parametrize("source", [
    "__global__ void k(cudaTextureObject_t texture, float *o) { o[0] = tex2D<float>(texture, 0, 0); }\n",
    "void f(cudaTextureObject_t *t) { cudaCreateTextureObject(t, nullptr, nullptr, nullptr); }\n",
    "__global__ void k(cudaSurfaceObject_t surface) { surf2Dwrite(1.f, surface, 0, 0); }\n",
    "int texture = 3; bool b = texture < 4;\n",
    "int surface(int a); int c = surface(1);\n",
    "struct Image { int texture; };\n",
    "namespace mine { template <class T> struct texture { T *p; }; }\nmine::texture<float> t;\n",
    "std::string texture;\n",
    "// texture<float, 2> t;\n",
])
def test_silent(source: str) -> None:
    assert "HPY306" not in codes(run(source))
