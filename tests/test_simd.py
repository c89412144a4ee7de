"""CUDA's SIMD intrinsics as C++: what is written computes what CUDA's documentation says, on the CPU device."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

from hipify_py.engine import translate
from hipify_py.simd import templates
from tests.cpu.support import build, device, np
from tests.rewrites import codes, hip, run

COUNT = 200
NAMES = {name: count for name, count, _ in templates()}
DOTS = ("__dp4a", "__dp2a_lo", "__dp2a_hi")
EDGES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x80808080, 0x7F7F7F7F, 0x80018001)


def signed(value: int, bits: int) -> int:
    value %= 1 << bits
    return value - (1 << bits) if value >> (bits - 1) else value


def reference(name: str, words: list[int]) -> int:
    """The function, from the names' grammar: ``__v`` operation, ``s`` or ``u``, saturation, parts."""
    match = re.fullmatch(r"__vi(addmax|addmin|max3|min3|max|min)_([su])(32|16x2)(_relu)?", name)
    if match:
        operation, sign, shape, relu = match.groups()
        width, is_signed = (32, sign == "s") if shape == "32" else (16, sign == "s")
    else:
        operation, parts = re.fullmatch(r"__v(\w+?)([24])", name).groups()  # type: ignore[union-attr]
        width, relu = 32 // int(parts), None
        is_signed = operation in ("abs", "neg", "absss", "negss", "addss", "subss") or (
            operation.endswith("s") and operation not in ("addus", "subus", "abs"))
    cut = (lambda value: signed(value, width)) if is_signed else (lambda value: value % (1 << width))
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
    result = total = 0
    for at in range(0, 32, width):
        part = [cut(word >> at) for word in words]
        value = _part(operation, part, low, high, cut)
        value = max(value, 0) if relu else value
        total += value
        result |= value % (1 << width) << at
    return (total if "sad" in operation else result) % 2**32


def _part(operation: str, part: list[int], low: int, high: int, cut: object) -> int:
    x, y, z = (*part, 0, 0)[:3]
    clamp = lambda value: max(low, min(high, value))  # noqa: E731
    bare = operation[:-1] if operation[-1] in "su" and operation not in ("abs", "absss", "negss", "addss", "addus", "subss",
                                                                          "subus") else operation
    tests = {"eq": x == y, "ne": x != y, "ge": x >= y, "gt": x > y, "le": x <= y, "lt": x < y}
    if bare[:3] in ("cmp", "set"):
        holds = tests[bare[3:]]
        return -int(holds) if bare[:3] == "cmp" else int(holds)
    return {
        "abs": lambda: abs(x), "neg": lambda: -x, "absss": lambda: clamp(abs(x)), "negss": lambda: clamp(-x),
        "add": lambda: x + y, "sub": lambda: x - y, "addss": lambda: clamp(x + y), "addus": lambda: clamp(x + y),
        "subss": lambda: clamp(x - y), "subus": lambda: clamp(x - y), "absdiff": lambda: abs(x - y), "sad": lambda: abs(x - y),
        "max": lambda: max(x, y), "min": lambda: min(x, y), "hadd": lambda: (x + y) >> 1,
        "avg": lambda: (x + y) >> 1 if x + y < 0 else (x + y + 1) >> 1,
        "max3": lambda: max(part), "min3": lambda: min(part),
        "addmax": lambda: max(cut(x + y), z), "addmin": lambda: min(cut(x + y), z),  # type: ignore[operator]
    }[bare]()


def dot(name: str, words: list[int], is_signed: bool) -> int:
    a, b, total = words
    for i in range(4 if name == "__dp4a" else 2):
        size = 8 if name == "__dp4a" else 16
        left = a >> size * i
        right = b >> (8 * i if name == "__dp4a" else 8 * i + 16 * name.endswith("hi"))
        total += signed(left, size) * signed(right, 8) if is_signed else left % (1 << size) * (right % 256)
    return total % 2**32


@cache
def module():
    body = []
    for name, count in NAMES.items():
        call = ", ".join(f"in[{index}]" for index in range(count))
        body.append(f"__global__ void t{name}(const unsigned *in, unsigned *out) {{ in += threadIdx.x * 4; "
                    f"out[threadIdx.x] = {name}({call}); }}\n")
    for name in DOTS:
        for sign in ("int", "unsigned"):
            body.append(f"__global__ void t{name}_{sign}(const unsigned *in, unsigned *out) {{ in += threadIdx.x * 4; "
                        f"out[threadIdx.x] = {name}(({sign})in[0], ({sign})in[1], ({sign})in[2]); }}\n")
    source = "".join(body)
    text = translate(b"#include <hip/hip_runtime.h>\n" + source.encode()).text
    return device().load(build.build_module(text, wave=32, name="simd.hip", optimize="-O1"))


def results(kernel: str, words: list[list[int]]) -> list[int]:
    own = device()
    given, out = np.array(words, np.uint32), np.zeros(COUNT, np.uint32)
    buffers = [own.upload(given), own.upload(out)]
    try:
        own.launch(module().function(kernel), grid=(1, 1, 1), block=(COUNT, 1, 1), arguments=buffers)
        own.copy_from(out, buffers[1])
    finally:
        own.free_all()
    return [int(word) for word in out]


def drawn(seed: int) -> list[list[int]]:
    draw = random.Random(seed)
    return [[draw.choice(EDGES) if draw.random() < 0.5 else draw.getrandbits(32) for _ in range(4)] for _ in range(COUNT)]


@pytest.mark.parametrize("name", NAMES)
def test_each_function(name: str) -> None:
    words = drawn(len(name))
    wanted = [reference(name, each[:NAMES[name]]) for each in words]
    assert results(f"t{name}", words) == wanted


@pytest.mark.parametrize("sign", ["int", "unsigned"])
@pytest.mark.parametrize("name", DOTS)
def test_dot_products(name: str, sign: str) -> None:
    words = drawn(len(name))
    assert results(f"t{name}_{sign}", words) == [dot(name, each[:3], sign == "int") for each in words]


def test_all_compile(compile_hip) -> None:
    calls = "".join(f"o[0] += {name}({', '.join(f'o[{index}]' for index in range(count))});\n" for name, count in NAMES.items())
    dots = "o[1] = __dp4a(c[0], c[1], 7); o[2] = __dp4a(u[0], u[1], 7u); o[s[__vadd4(o[1], o[2])]] = __dp2a_hi(o[0], o[1], o[2]);"
    source = f"__global__ void k(unsigned *o, const char4 *c, const uchar4 *u, int *s) {{\n{calls}{dots}\n}}\n"
    result = run(source)
    assert codes(result) == []
    compile_hip(result.text)


def test_what_is_written() -> None:
    before = "__device__ unsigned f(unsigned a, unsigned b) { return __vaddus2(a /* left */, b); }\n"
    assert hip(before) == (
        "__device__ unsigned f(unsigned a, unsigned b) { return ([](unsigned int a, unsigned int b) { unsigned int r = 0; "
        "for (int i = 0; i < 32; i += 16) { const int x = (unsigned short)(a >> i), y = (unsigned short)(b >> i); "
        "r |= ((unsigned int)(x + y > 65535 ? 65535 : x + y) & 0xffffu) << i; } return r; }(a /* left */, b)); }\n")


@pytest.mark.parametrize("source", [
    "__device__ unsigned __vadd4(unsigned a, unsigned b) { return a ^ b; }\n__device__ unsigned f() { return __vadd4(1, 2); }\n",
    "__device__ unsigned f(S s) { return s.__vadd4(1, 2); }\n",
    "// __vadd4(1, 2)\n",
])
def test_kept(source: str) -> None:
    assert hip(source) == source


@pytest.mark.parametrize("call", ["__vadd4(1)", "f(__vadd4)", "__vibmax_s32(1, 2, &p)"])
def test_what_is_no_such_call_is_reported(call: str) -> None:
    assert codes(run(f"__device__ void g(bool p) {{ {call}; }}\n")) == ["HPY401"]
