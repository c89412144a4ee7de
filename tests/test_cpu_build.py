"""The builder of modules: the lowering, the cache, headers, hiprtc, errors."""

import ctypes
import time

import pytest

from hipify_py.cpu.build import BuildError, build_module, build_runtime
from hipify_py.cpu.lower import lower
from hipify_py.cpu.rtc import wave_of

UNCHANGED = [
    b"int main() { return 0; }\n",
    b"#define S __shared__ float s[3];\n",
    b"// __shared__ float x[2];\n",
    b'const char* s = "k<<<1, 2>>>(3)";\n',
    b"a << b >> c;",
    b"struct S { __device__ int f(); };",
    b"__global__ void k(int);",
    b"template <class T> __global__ void k(T* x) { *x = 0; }",
    b"extern __device__ int x;",
    b"__device__ float f(float x) { return x; }",
    b"",
]
LOWERED = [
    (b"void f() { extern __shared__ float s[]; }", b"void f() { float* s = ::hipcpu::dynamic_shared<float >(); }"),
    (b"void f() { __shared__ float s[N]; }", b"void f() { auto& s = ::hipcpu::shared_variable<float [ N ] >([]{}); }"),
    (
        b"void f() { __shared__ int a, b[2]; }",
        b"void f() { auto& a = ::hipcpu::shared_variable<int >([]{}); auto& b = ::hipcpu::shared_variable<int [ 2 ] >([]{}); }",
    ),
    (b"void f() { __shared__ unsigned int a; }", b"void f() { auto& a = ::hipcpu::shared_variable<unsigned int >([]{}); }"),
    (
        b"void f() { __shared__ typename A<T, 3>::B t; }",
        b"void f() { auto& t = ::hipcpu::shared_variable<typename A < T , 3 > :: B >([]{}); }",
    ),
    (
        b"void f() { volatile __shared__ int a[3]; }",
        b"void f() { auto& a = ::hipcpu::shared_variable<volatile int [ 3 ] >([]{}); }",
    ),
    (
        b"extern __shared__ int s[]; void f() { s[0] = 1; } void g() { }",
        b" void f() { int* s = ::hipcpu::dynamic_shared<int >(); s[0] = 1; } void g() { }",
    ),
    (b"__global__ void k(int* x) { *x = 1; }", b'__global__ void k(int* x) { *x = 1; } HIPCPU_KERNEL("k", k)'),
    (
        b"template <> __global__ void k<int>(int* x) { }",
        b'template <> __global__ void k<int>(int* x) { } HIPCPU_KERNEL("k < int >", k < int >)',
    ),
    (b"template __global__ void k<int>(int*);", b'template __global__ void k<int>(int*); HIPCPU_KERNEL("k < int >", k < int >)'),
    (b"__global__ void __launch_bounds__(256) k() { }", b'__global__ void __launch_bounds__(256) k() { } HIPCPU_KERNEL("k", k)'),
    (b"__constant__ float c[3], d;", b"__constant__ float c[3], d; HIPCPU_SYMBOL(c) HIPCPU_SYMBOL(d)"),
    (b"__device__ int n = 3;", b"__device__ int n = 3; HIPCPU_SYMBOL(n)"),
    (b"namespace a { __device__ S s{1, 2}; }", b"namespace a { __device__ S s{1, 2}; HIPCPU_SYMBOL(s) }"),
    (b"void f() { k<<<1, 2>>>(3); }", b"void f() { ::hipcpu::configure(k, 1, 2)(3); }"),
    (b"void f() { a::k<T, (1 > 2)><<<g, b, s, t>>>(x); }", b"void f() { ::hipcpu::configure(a::k<T, (1 > 2)>, g, b, s, t)(x); }"),
]


@pytest.mark.parametrize("source", UNCHANGED)
def test_what_is_left_as_it_is(source):
    assert lower(source) == source


@pytest.mark.parametrize(("source", "lowered"), LOWERED)
def test_what_is_lowered(source, lowered):
    assert b" ".join(lower(source).split()) == b" ".join(lowered.split())


@pytest.mark.parametrize(("source", "lowered"), LOWERED)
def test_lines_stay(source, lowered):
    spread = source.replace(b" ", b"\n")
    assert lower(spread).count(b"\n") == spread.count(b"\n")
    del lowered


KERNEL = b'#include "part.h"\nextern "C" __global__ void k(int* x) { x[threadIdx.x] = value(); }\n'


def test_a_second_build_is_found_in_the_cache(tmp_path):
    source = tmp_path / "k.hip"
    source.write_bytes(KERNEL)
    header = tmp_path / "part.h"
    header.write_text("#pragma once\n__device__ inline int value() { __shared__ int s; s = 1; return s; }\n")
    first = build_module(source, wave=64)
    start = time.perf_counter()
    assert build_module(source, wave=64) == first
    assert time.perf_counter() - start < 0.3
    changed = first.stat().st_mtime_ns
    header.write_text("#pragma once\n__device__ inline int value() { return 2; }\n")
    build_module(source, wave=64)
    assert first.stat().st_mtime_ns != changed
    assert build_module(source, wave=32) != first
    assert build_module(source, wave=64, defines={"A": "1"}) != first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["k.hip", "part.h"]


def test_headers_of_include_folders(tmp_path):
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "part.h").write_text("static __device__ int value() { return V; }\n")
    assert build_module(KERNEL, wave=32, include_dirs=[tmp_path / "inc"], defines=["V=7"]).is_file()


def test_errors_are_one_line_with_the_line_of_the_source(tmp_path):
    source = tmp_path / "k.hip"
    source.write_text("__global__ void k(int* x) {\n  x[0] = nothing;\n}\n")
    with pytest.raises(BuildError) as error:
        build_module(source, wave=64)
    text = str(error.value)
    assert "\n" not in text and f"{source}:2:" in text and "nothing" in text
    with pytest.raises(BuildError, match="32 or 64"):
        build_module(source, wave=16)
    with pytest.raises(BuildError, match="cannot read"):
        build_module(tmp_path / "none.hip", wave=64)


@pytest.mark.parametrize(
    ("architecture", "wave"),
    [
        ("gfx906", 64),
        ("gfx90a:sramecc+:xnack-", 64),
        ("gfx942", 64),
        ("gfx1030", 32),
        ("gfx1100", 32),
        ("gfx1201", 32),
    ],
)
def test_waves_of_architectures(architecture, wave):
    assert wave_of(architecture) == wave


def test_headers_are_all_there(tmp_path):
    names = [
        "hip/hip_runtime.h",
        "hip/hip_runtime_api.h",
        "hip/hip_fp16.h",
        "hip/hip_bf16.h",
        "hip/hip_bfloat16.h",
        "hip/hip_complex.h",
        "hip/hip_cooperative_groups.h",
        "hip/hip_vector_types.h",
        "hip/hiprtc.h",
        "hiprand/hiprand_kernel.h",
    ]
    for wave in (32, 64):
        text = "".join(f"#include <{name}>\n" for name in names) + "__global__ void k() {}\n"
        assert build_module(text.encode(), wave=wave).is_file()


def test_hiprtc():
    from hipify_py.validate.device import runtime_compiler
    from tests.cpu.support import device, np

    own, hiprtc = device(), runtime_compiler()

    def check(answer):
        assert int(answer[0]) == 0, answer
        return answer[1] if len(answer) > 1 else None

    source = b"template <typename T> __global__ void fill(T* x, T v) { x[threadIdx.x] = v + warpSize; }\n"
    for architecture, wave in ((b"gfx90a", 64), (b"gfx1100", 32)):
        program = check(hiprtc.hiprtcCreateProgram(source, b"fill.hip", 0, None, None))
        check(hiprtc.hiprtcAddNameExpression(program, b"fill<int>"))
        options = [b"--offload-arch=" + architecture]
        check(hiprtc.hiprtcCompileProgram(program, len(options), options))
        name = check(hiprtc.hiprtcGetLoweredName(program, b"fill<int>"))
        code = bytearray(check(hiprtc.hiprtcGetCodeSize(program)))
        check(hiprtc.hiprtcGetCode(program, code))
        module = own.call("hipModuleLoadData", code)
        function = own.call("hipModuleGetFunction", module, str(name).encode() if not isinstance(name, bytes) else name)
        out = np.zeros(4, np.int32)
        pointer = own.upload(out)
        own.launch(function, grid=(1, 1, 1), block=(4, 1, 1), arguments=[pointer, ctypes.c_int(5)])
        own.copy_from(out, pointer)
        own.free(pointer)
        assert set(out) == {5 + wave}
        check(hiprtc.hiprtcDestroyProgram(program.createRef() if hasattr(program, "createRef") else program))
    program = check(hiprtc.hiprtcCreateProgram(b"nonsense", b"bad.hip", 0, None, None))
    assert int(hiprtc.hiprtcCompileProgram(program, 0, None)[0]) == 6
    log = bytearray(check(hiprtc.hiprtcGetProgramLogSize(program)))
    check(hiprtc.hiprtcGetProgramLog(program, log))
    assert b"bad.hip:1:" in log
    assert hiprtc.hiprtcVersion()[0].name == "HIPRTC_SUCCESS"


def test_the_runtime_is_built_once():
    start = time.perf_counter()
    assert build_runtime() == build_runtime()
    assert (build_runtime() / "lib" / "libamdhip64.so").is_file()
    del start
