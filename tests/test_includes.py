"""Headers: replaced once, added where nvcc adds them, and the person's own ones left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.engine import translate
from hipify_py.settings import Settings

HIP = "#include <hip/hip_runtime.h>\n"
KERNEL = "__global__ void k() {}\n"


def text(source: str, name: str = "input.cu", **settings: object) -> str:
    """The translation; a second one must change nothing."""
    chosen = Settings(semantics=False, **settings)  # type: ignore[arg-type]
    first = translate(source.encode(), filename=name, settings=chosen).text
    assert translate(first, filename=name, settings=chosen).text == first
    return first.decode()


def said(source: str, name: str = "input.cu") -> list[tuple[str, str]]:
    result = translate(source.encode(), filename=name, settings=Settings(semantics=False))
    return [(each.code, each.message) for each in result.diagnostics]


REWRITES = [
    ("#include <cuda_runtime.h>\n", HIP),
    ('#include "cuda_runtime.h"\n', '#include "hip/hip_runtime.h"\n'),
    ("  #  include<cuda.h>// c\n", "  #  include<hip/hip_runtime.h>// c\n"),
    ("#include <cuda.h>\n#include <cuda_runtime.h>\n", HIP),
    ("#include <cuda.h>\r\n#include <cuda_runtime.h>\r\nint i;\r\n", "#include <hip/hip_runtime.h>\r\nint i;\r\n"),
    ("#include <cuda.h>\n#include <cuda_runtime.h>", HIP),
    ("#include <cuda.h>\n#include <cuda_runtime.h>  // why\n", HIP + "// why\n"),
    ("#include <cuda.h>\n/* a */ #include <cuda_runtime.h>\n", HIP + "/* a */ \n"),
    ("#include <hip/hip_runtime.h>\n#include <cuda_runtime.h>\n", HIP),
    ("#include <cub/block/block_reduce.cuh>\n#include <cub/warp/warp_scan.cuh>\n", "#include <hipcub/hipcub.hpp>\n"),
    ("#include <cublas_v2.h>\n#include <cufft.h>\n", "#include <hipblas/hipblas.h>\n#include <hipfft/hipfft.h>\n"),
    ("#include <cuda_runtime_api.h>\nvoid f() { cudaFree(0); }\n",
     "#include <hip/hip_runtime_api.h>\nvoid f() { hipFree(0); }\n"),
    ("#include <cuda_runtime_api.h>\n" + KERNEL, HIP + KERNEL),
    ("#include <cuda_runtime.h>\n#include <cuda_runtime_api.h>\n" + KERNEL,
     HIP + "#include <hip/hip_runtime_api.h>\n" + KERNEL),
    ("#define H <cuda_fp16.h>\n#include H\n", "#define H <hip/hip_fp16.h>\n#include H\n"),
    ('#define H "cuda_fp16.h"\n#include H\n', '#define H "hip/hip_fp16.h"\n#include H\n'),
    ("#if __has_include(<cuda_fp16.h>)\n#endif\n", "#if __has_include(<hip/hip_fp16.h>)\n#endif\n"),
    ("#ifdef A\n#include <cuda.h>\n#else\n#include <cuda_runtime.h>\n#endif\n",
     "#ifdef A\n" + HIP + "#else\n" + HIP + "#endif\n"),
    ("#include <cuda.h>\n#ifdef A\n#include <cuda_runtime.h>\n#endif\n", HIP + "#ifdef A\n#endif\n"),
    ("#ifdef A\n#include <cuda.h>\n#endif\n#include <cuda_runtime.h>\n", "#ifdef A\n" + HIP + "#endif\n" + HIP),
]

KEPT = [
    '#include "common/cuda_runtime.h"\n', '#include "no-cuda.h"\n', '#include "my.cuda_runtime.h"\n',
    '#include "lib/cuda.h"\n', '#include "cuda_utils.h"\n', '#include "cuda/pair.cuh"\n', "#include <cuda/mine.hpp>\n",
    "#include <thrust/device_vector.h>\n", "#include <ATen/cuda/CUDAContext.h>\n", "#include <c10/cuda/CUDAStream.h>\n",
    "#include <torch/extension.h>\n", '#include ""\n', "#include\n", "#include MACRO\n", '#define NAME "cuda.h"\n',
    "// #include <cuda.h>\n", "/*\n#include <cuda.h>\n*/\n", 'const char *s = "\\\n#include <cuda.h>";\n',
    "#include <hip/hip_runtime.h>\n#include <hip/hip_runtime.h>\n",
]


@pytest.mark.parametrize(("before", "after"), REWRITES)
def test_replaced(before: str, after: str) -> None:
    assert text(before) == after


@pytest.mark.parametrize("source", KEPT)
def test_kept(source: str) -> None:
    assert text(source) == source
    assert said(source) == []


LICENCE = "/* Copyright (c) somebody. */\n"

INSERTED = [
    (KERNEL, HIP + "\n" + KERNEL),
    ("#include <cstdio>\n" + KERNEL, HIP + "#include <cstdio>\n" + KERNEL),
    (LICENCE + KERNEL, LICENCE + HIP + "\n" + KERNEL),
    (LICENCE + "\n#include <cstdio>\n" + KERNEL, LICENCE + "\n" + HIP + "#include <cstdio>\n" + KERNEL),
    (LICENCE + "#include <cstdio>\n" + KERNEL, LICENCE + HIP + "#include <cstdio>\n" + KERNEL),
    ("// Does nothing.\n" + KERNEL, HIP + "\n// Does nothing.\n" + KERNEL),
    (LICENCE + "\n// Does nothing,\n// twice.\n" + KERNEL,
     LICENCE + "\n" + HIP + "\n// Does nothing,\n// twice.\n" + KERNEL),
    ("#pragma once\n" + KERNEL, "#pragma once\n" + HIP + "\n" + KERNEL),
    ("#pragma once\n\n#include <cstdio>\n" + KERNEL, "#pragma once\n\n" + HIP + "#include <cstdio>\n" + KERNEL),
    ("#ifndef A_H\n#define A_H\n" + KERNEL + "#endif\n",
     "#ifndef A_H\n#define A_H\n" + HIP + "\n" + KERNEL + "#endif\n"),
    ("#if !defined(A_H)\n#define A_H\n#include <cmath>\n" + KERNEL + "#endif  // A_H\n",
     "#if !defined(A_H)\n#define A_H\n" + HIP + "#include <cmath>\n" + KERNEL + "#endif  // A_H\n"),
    ("#ifndef N\n#define N 4\n#endif\n" + KERNEL, HIP + "\n#ifndef N\n#define N 4\n#endif\n" + KERNEL),
    ("#define _GNU_SOURCE\n#include <cmath>\n" + KERNEL, "#define _GNU_SOURCE\n" + HIP + "#include <cmath>\n" + KERNEL),
    ("#ifdef A\n#include <cmath>\n#endif\n" + KERNEL, HIP + "#ifdef A\n#include <cmath>\n#endif\n" + KERNEL),
    ("#ifdef A\n#include <cuda.h>\n#endif\n" + KERNEL, HIP + "#ifdef A\n" + HIP + "#endif\n" + KERNEL),
    ("void f() {}\n#include <cmath>\n" + KERNEL, HIP + "\nvoid f() {}\n#include <cmath>\n" + KERNEL),
    ("\ufeff" + KERNEL, "\ufeff" + HIP + "\n" + KERNEL),
    ("#include <cuda_fp16.h>\n" + KERNEL, HIP + "#include <hip/hip_fp16.h>\n" + KERNEL),
    ("void f() { cudaDeviceSynchronize(); }\n", HIP + "\nvoid f() { hipDeviceSynchronize(); }\n"),
    ("float4 f(float4 a) { return a; }\n", HIP + "\nfloat4 f(float4 a) { return a; }\n"),
    ("#define CHECK(e) if ((e) != cudaSuccess) abort();\n",
     HIP + "\n#define CHECK(e) if ((e) != hipSuccess) abort();\n"),
]

NOT_INSERTED = [
    "int main() { return 0; }\n",
    "struct S { int cudaSuccess; };\n",
    "#include <hip/hip_runtime.h>\n" + KERNEL,
    "#ifdef __HIPCC__\n#include <hip/hip_runtime.h>\n#endif\n" + KERNEL,
    "#ifdef A\n#include <hip/hip_runtime.h>\n" + KERNEL + "#endif\n",
    "#ifdef A\n#include <hip/hip_runtime.h>\n#endif\n#ifdef A\n" + KERNEL + "#endif\n",
    "void f() { hipMalloc(0, 0); }\n",
    "",
    "\n",
]


@pytest.mark.parametrize(("before", "after"), INSERTED)
def test_inserted(before: str, after: str) -> None:
    assert text(before) == after


@pytest.mark.parametrize("source", NOT_INSERTED)
def test_not_inserted(source: str) -> None:
    assert text(source) == source


def test_inserted_with_the_line_ends_of_the_file() -> None:
    assert text("#pragma once\r\n" + KERNEL.replace("\n", "\r\n")) == (
        "#pragma once\r\n#include <hip/hip_runtime.h>\r\n\r\n__global__ void k() {}\r\n")


@pytest.mark.parametrize("source", [
    "struct texture { int w; };\ndouble warpSize = sqrt(2.0) + max(1, 2);\n",
    "int4 f(int4 a);\n",
    "#ifdef __CUDACC__\n#define HD __host__ __device__\n#else\n#define HD\n#endif\n",
])
def test_a_host_source_without_the_runtime_gets_no_include(source: str) -> None:
    assert "#include" not in text(source, "input.h")


def test_c_gets_the_api() -> None:
    assert text("void f(void) { cudaFree(0); }\n", "a.c").startswith("#include <hip/hip_runtime_api.h>\n\n")
    assert text("#include <cuda_runtime.h>\nvoid f(void) { cudaFree(0); }\n", "a.c") == (
        "#include <hip/hip_runtime_api.h>\nvoid f(void) { hipFree(0); }\n")


@pytest.mark.parametrize(("header", "word"), [
    ("cuda/atomic", "libcu++"), ("cuda/std/array", "libcu++"), ("mma.h", "rocWMMA"), ("nvml.h", "smi"),
    ("cudaEGL.h", "OpenGL"), ("cutlass/gemm.h", "CUTLASS"),
])
def test_no_counterpart(header: str, word: str) -> None:
    source = f"#include <{header}>\n"
    assert text(source) == source
    [(code, message)] = said(source)
    assert code == "HPY402"
    assert f"`{header}`" in message
    assert word in message


@pytest.mark.parametrize(("before", "after"), [
    ('"/usr/local/cuda-12.0/include/cuda_runtime.h"', '"hip/hip_runtime.h"'),
    ("</opt/cuda/include/cublas_v2.h>", "<hipblas/hipblas.h>"),
    ('"C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v12.0\\include\\cuda_fp16.h"', '"hip/hip_fp16.h"')])
def test_a_path_into_the_sdk_becomes_hips_header(before: str, after: str) -> None:
    assert text(f"#include {before}\n") == f"#include {after}\n"


def test_a_path_into_the_sdk_to_what_hip_lacks_is_reported() -> None:
    [(code, message)] = said('#include "/usr/local/cuda-12.0/include/sys/unheard_of.h"\n')
    assert code == "HPY402"
    assert "CUDA SDK" in message


@pytest.mark.parametrize("source", [
    "#ifndef A_H\nstruct G { cudaStream_t s; };\n#define A_H\n#endif\n",
    "#ifndef A_H\n#define A_H\nstruct G { cudaStream_t s; };\n#endif\n"])
def test_a_guard_is_entered_wherever_its_define_stands(source: str) -> None:
    line = "#define A_H\n" if source.startswith("#ifndef A_H\n#define") else "#ifndef A_H\n"
    assert text(source, "a.h") == source.replace("cudaS", "hipS").replace(line, f"{line}{HIP}\n", 1)


def test_an_unknown_header_of_cudas_looks() -> None:
    assert [code for code, _ in said("#include <cuda_new_thing.h>\n")] == ["HPY402"]
    assert said('#include "cuda_new_thing.h"\n') == []


def test_a_header_beside_the_source_is_the_persons(tmp_path) -> None:
    (tmp_path / "cuda.h").touch()
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "npp.h").touch()
    name = str(tmp_path / "a.cu")
    assert text('#include "cuda.h"\n', name) == '#include "cuda.h"\n'
    assert text("#include <cuda.h>\n", name) == HIP
    assert text("#include <npp.h>\n", name, include_dirs=(str(tmp_path / "inc"),)) == "#include <npp.h>\n"


def test_roc_libraries() -> None:
    assert text("#include <cublas_v2.h>\n", target_libraries="roc") == "#include <rocblas/rocblas.h>\n"


def test_headers_of_the_samples_are_reported_where_they_are_not_found(tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    text = b"#include <cuda_runtime.h>\n#include <helper_cuda.h>\n"
    text += b"#include \"common/helper_cuda_drvapi.h\"\n#include \"my_helper.h\"\n"
    source.write_bytes(text)
    result = translate(text, filename=str(source))
    assert [each.code for each in result.diagnostics] == ["HPY402", "HPY402"]
    (tmp_path / "helper_cuda.h").write_text("#pragma once\n")
    found = translate(text, filename=str(source), settings=Settings(include_dirs=(str(tmp_path),)))
    assert [result.source.location(each.range.start).line for each in found.diagnostics] == [3]


def test_the_runtime_goes_in_front_of_cooperative_groups() -> None:
    text = "#include <cooperative_groups.h>\n#include <cuda_runtime.h>\n__global__ void k() {}\n"
    assert translate(text.encode()).text.decode() == (
        "#include <hip/hip_runtime.h>\n#include <hip/hip_cooperative_groups.h>\n__global__ void k() {}\n")
    right = "#include <cuda_runtime.h>\n#include <cooperative_groups.h>\n__global__ void k() {}\n"
    assert translate(right.encode()).text.decode() == (
        "#include <hip/hip_runtime.h>\n#include <hip/hip_cooperative_groups.h>\n__global__ void k() {}\n")
