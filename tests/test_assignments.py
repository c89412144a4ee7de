"""Assignments that only CUDA's types allow."""

from __future__ import annotations

import pytest

from tests.rewrites import hip

REWRITES = [
    ("dim3 g; g = make_uint3(n, 1, 1);", "dim3 g; g = dim3(n, 1, 1);"),
    ("dim3 g = make_uint3(n, 1, 1);", "dim3 g = dim3(n, 1, 1);"),
    ("half2 s; s = {};", "half2 s; s = half2{};"),
    ("__half h; h = { };", "__half h; h = __half{ };"),
]
KEPT = [
    "uint3 g; g = make_uint3(n, 1, 1);",
    "f(make_uint3(n, 1, 1));",
    "dim3 h; uint3 g; g = make_uint3(n, 1, 1);",
    "half2 s = {};",
    "half2 s; s = half2{};",
    "float2 s; s = {};",
    "half2 *s; s = {};",
    "dim3 g; g = dim3(1);",
]


@pytest.mark.parametrize(("before", "after"), REWRITES)
def test_named(before: str, after: str) -> None:
    assert hip("void f(int n) { " + before + " }\n") == "void f(int n) { " + after + " }\n"


@pytest.mark.parametrize("text", KEPT)
def test_kept(text: str) -> None:
    assert hip("void f(int n) { " + text + " }\n") == "void f(int n) { " + text + " }\n"
