"""Regions: an author's own split between CUDA and HIP stays, what both compile is translated."""

from __future__ import annotations

import pytest

from hipify_py.engine import translate
from hipify_py.settings import Settings

HIP = "#include <hip/hip_runtime.h>\n"
#: ``@`` stands for CUDA code: a number says which one, and the expectation which of them are translated.
CASES = [
    ("#ifdef __HIPCC__\n@1\n#else\n@2\n#endif\n@3\n", "3"),
    ("#if defined(__CUDACC__)\n@1\n#elif defined(__HIPCC__)\n@2\n#else\n@3\n#endif\n", "3"),
    ("#ifndef USE_ROCM\n@1\n#else\n@2\n#endif\n", ""),
    ("#if defined(__CUDACC__) || defined(__HIPCC__)\n@1\n#else\n@2\n#endif\n", "12"),
    ("#if defined(USE_CUDA)\n@1\n#elif defined(USE_HIP)\n@2\n#else\n@3\n#endif\n", ""),
    ("#if defined(USE_CUDA) || defined(USE_ROCM)\n@1\n#endif\n", "1"),
    ("#if !defined(__HIP_DEVICE_COMPILE__)\n@1\n#else\n@2\n#endif\n", "1"),
    ("#ifdef __HIP_PLATFORM_NVIDIA__\n@1\n#elif defined(__HIP_PLATFORM_AMD__)\n@2\n#endif\n", ""),
    ("#if HIP_VERSION >= 60000000\n@1\n#else\n@2\n#endif\n", "2"),
    ("#if A && !defined(__HIPCC__)\n@1\n#elif A\n@2\n#else\n@3\n#endif\n", "23"),
    ("#if (__CUDA_ARCH__ >= 600 || defined(__HIP_DEVICE_COMPILE__))\n@1\n#else\n@2\n#endif\n", "12"),
    ("#if __has_include(<cuda_runtime.h>)\n@1\n#elif __has_include(<hip/hip_runtime.h>)\n@2\n#endif\n", ""),
    ("#if BACKEND == BACKEND_CUDA\n@1\n#elif BACKEND == BACKEND_HIP\n@2\n#endif\n", ""),
    ("#ifdef __CUDACC__\n@1\n#else\nhipFree(0);\n#endif\n#ifdef __NVCC__\n@2\n#endif\n@3\n", "3"),
    ("#ifdef __CUDACC__\n@1\n#endif\n#ifdef __HIPCC__\n@2\n#endif\n", ""),
    ("#ifdef __HIP_PLATFORM_AMD__\n@1\n#else\n@2\n#endif\n#ifdef __CUDACC__\n@3\n#endif\n", "3"),
    ("#ifdef __CUDACC__\n@1\n#else\n@2\n#endif\n", "12"),
    ("#ifdef __HIPCC__\n#if A\n@1\n#ifndef B\n#define B\n@2\n#endif\n#endif\n#endif\n@3\n", "3"),
    ("#ifndef HIP_THINGS_H\n#define HIP_THINGS_H\n@1\n#endif\n", "1"),
    ("#ifdef WHIPLASH\n@1\n#else\n@2\n#endif\n", "12"),
    ("#if 0\n@1\n#else\n@2\n#endif\n", "12"),
    ("#ifdef __HIPCC__\n@1\n", ""),
    ("#else\n@1\n#endif\n#endif\n@2\n", "12"),
]


@pytest.mark.parametrize(("source", "translated"), CASES)
def test_branches(source: str, translated: str) -> None:
    text = HIP + "".join(f"cudaEvent_t e{part[0]};{part[1:]}" if number else part
                         for number, part in enumerate(source.split("@")))
    result = translate(text.encode(), filename="a.cu", settings=Settings(semantics=False))
    found = "".join(digit for digit in "123" if f"hipEvent_t e{digit};".encode() in result.text)
    assert found == translated
    again = translate(result.text, filename="a.cu", settings=Settings(semantics=False))
    assert again.text == result.text


@pytest.mark.parametrize("condition", [
    "#if defined(__CUDACC__)", "#ifdef __NVCC__", "#if CUDART_VERSION >= 9000", "#if defined(__CUDA_ARCH__)"])
def test_the_conditions_of_a_split_stay(condition: str) -> None:
    source = f"{condition}\nint a;\n#elif defined(__HIP_PLATFORM_AMD__)\nint b;\n#endif\n"
    assert translate(source.encode(), filename="a.cu", settings=Settings(semantics=False)).text.decode() == source


def test_one_note_for_a_region_with_cuda_names() -> None:
    source = HIP + "#ifdef __HIPCC__\nint a;\n#else\ncudaFree(0); cuCtxDetach(c); cudaNoSuchThing();\n#endif\n"
    result = translate(source.encode(), filename="a.cu", settings=Settings(semantics=False))
    assert [(each.code, each.severity.value) for each in result.diagnostics] == [("HPY114", "note")]
    assert translate((HIP + "#ifdef __HIPCC__\nint a;\n#else\nint b;\n#endif\n").encode()).diagnostics == ()


def test_a_kept_compiler_macro_is_reported() -> None:
    source = HIP + "#if defined(__CUDACC__) || defined(__HIPCC__)\n#endif\n#ifdef __CUDACC__\nint a;\n#endif\n"
    result = translate(source.encode(), filename="a.cu", settings=Settings(semantics=False))
    assert result.text.decode() == source
    assert [each.code for each in result.diagnostics] == ["HPY111"]


def test_inactive_branches_stay_when_asked() -> None:
    source = HIP + "#if 0\ncudaEvent_t a;\n#else\ncudaEvent_t b;\n#endif\n"
    result = translate(source.encode(), filename="a.cu", settings=Settings(skip_inactive=True))
    assert b"hipEvent_t b;" in result.text
    if b"hipEvent_t a;" in result.text:
        pytest.skip("libclang did not answer")
    assert b"cudaEvent_t a;" in result.text


def test_many_nested_conditions_take_linear_time() -> None:
    depth = 20_000
    source = "#ifdef __HIPCC__\n" * depth + "cudaFree(0);\n" + "#endif\n" * depth
    assert translate(source.encode(), filename="a.cu", settings=Settings(semantics=False)).text.decode() == source
