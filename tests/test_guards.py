"""Guards: what each condition says under nvcc and HIP, asked of a real preprocessor, and what is reported."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from hipify_py.engine import Translation, translate
from hipify_py.settings import Settings

HIP = "#include <hip/hip_runtime.h>\n"


def run(source: str, name: str = "input.cu", **settings: object) -> Translation:
    chosen = Settings(semantics=False, **settings)  # type: ignore[arg-type]
    first = translate(source.encode(), filename=name, settings=chosen)
    assert translate(first.text, filename=name, settings=chosen).text == first.text
    return first


def codes(source: str) -> list[str]:
    return [each.code for each in run(source).diagnostics]


REWRITES = [
    ("#ifdef __CUDACC__", "#ifdef __HIPCC__"),
    ("#if __CUDACC__ // gpu", "#if __HIPCC__ // gpu"),
    ("#if defined __NVCC__ && !defined( __CUDACC__ )", "#if defined __HIPCC__ && !defined( __HIPCC__ )"),
    ("#if defined(__clang__) && defined(__CUDA__)", "#if defined(__clang__) && defined(__HIP__)"),
    ("#ifndef __CUDA_ARCH__", "#ifndef __HIP_DEVICE_COMPILE__"),
    ("#if !__CUDA_ARCH__", "#if !__HIP_DEVICE_COMPILE__"),
    ("#if __CUDA_ARCH__ >= 600", "#if (__CUDA_ARCH__ >= 600 || defined(__HIP_DEVICE_COMPILE__))"),
    ("#if (__CUDA_ARCH__ < 600)", "#if (__CUDA_ARCH__ < 600 && !defined(__HIP_DEVICE_COMPILE__))"),
    ("#if 600 <= __CUDA_ARCH__ /* c */", "#if (600 <= __CUDA_ARCH__ || defined(__HIP_DEVICE_COMPILE__)) /* c */"),
    ("#if __CUDA_ARCH__ / 100 >= 7", "#if (__CUDA_ARCH__ / 100 >= 7 || defined(__HIP_DEVICE_COMPILE__))"),
    ("#if __CUDA_ARCH__ != 0", "#if (__CUDA_ARCH__ != 0 || defined(__HIP_DEVICE_COMPILE__))"),
    ("#if __CUDA_ARCH__ >= 800", "#if __CUDA_ARCH__ >= 800"),
    ("#if __CUDA_ARCH__ < 750", "#if __CUDA_ARCH__ < 750"),
    ("#if __CUDA_ARCH__ == 700", "#if __CUDA_ARCH__ == 700"),
    ("#if __CUDA_ARCH__ >= UNKNOWN", "#if __CUDA_ARCH__ >= UNKNOWN"),
    ("#if CUDART_VERSION >= 11020", "#if (CUDART_VERSION >= 11020 || defined(__HIPCC__))"),
    ("#if CUDA_VERSION < 9000 || A", "#if (CUDA_VERSION < 9000 && !defined(__HIPCC__)) || A"),
    ("#if CUDA_VERSION >= 12010", "#if CUDA_VERSION >= 12010"),
    ("#ifdef CUDART_VERSION", "#if defined(CUDART_VERSION) || defined(__HIPCC__)"),
    ("#  ifndef CUDA_VERSION // c", "#  if !(defined(CUDA_VERSION) || defined(__HIPCC__)) // c"),
    ("#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1102",
     "#if (__CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1102 || defined(__HIPCC__))"),
    ("#if CUSPARSE_VERSION >= 11000", "#if (CUSPARSE_VERSION >= 11000 || defined(__HIPCC__))"),
    ("#if CUDNN_VERSION >= 8000", "#if CUDNN_VERSION >= 8000"),
    ("#ifndef __CUDACC_EXTENDED_LAMBDA__", "#if !(defined(__CUDACC_EXTENDED_LAMBDA__) || defined(__HIPCC__))"),
    ("#if USE_CUDA && HAVE_CUDA >= 3", "#if USE_CUDA && HAVE_CUDA >= 3"),
    ("#if defined(MY__CUDACC__)", "#if defined(MY__CUDACC__)"),
    ("#if defined(__CUDACC__) || defined(__HIPCC__)", "#if defined(__CUDACC__) || defined(__HIPCC__)"),
    ("#if __CUDA_ARCH__ >= 700 || defined(__HIPCC__)", "#if __CUDA_ARCH__ >= 700 || defined(__HIPCC__)"),
]


@pytest.mark.parametrize(("before", "after"), REWRITES)
def test_conditions(before: str, after: str) -> None:
    assert run(f"{before}\nint i;\n#endif\n").text.decode() == f"{after}\nint i;\n#endif\n"


def test_a_threshold_of_the_source_itself() -> None:
    assert b"(__CUDA_ARCH__ >= MINIMUM || defined(__HIP_DEVICE_COMPILE__))" in run(
        "#define MINIMUM (6 * 100)\n#if __CUDA_ARCH__ >= MINIMUM\n#endif\n").text


def test_a_host_source_asks_for_the_platform() -> None:
    assert run("#if CUDART_VERSION >= 11020\n#endif\n", "a.cpp").text == (
        b"#if (CUDART_VERSION >= 11020 || defined(__HIP_PLATFORM_AMD__))\n#endif\n")


#: Condition, and whether HIP takes it on the host, and on the device.
TRUTH = [
    ("defined(__CUDACC__)", True, True),
    ("defined(__CUDA_ARCH__)", False, True),
    ("!defined(__CUDA_ARCH__)", True, False),
    ("__CUDA_ARCH__", False, True),
    ("__CUDA_ARCH__ >= 600", False, True),
    ("__CUDA_ARCH__ < 600", True, False),
    ("__CUDA_ARCH__ > 699 && __CUDA_ARCH__ >= 300", False, True),
    ("defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600", False, True),
    ("defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600", False, False),
    ("defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 600 || CUDA_VERSION < 8000)", False, False),
    ("!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600", True, True),
    ("!defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 530", True, False),
    ("!(__CUDA_ARCH__ < 350)", False, True),
    ("__CUDA_ARCH__ >= 800", False, False),
    ("defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800", False, True),
    ("__CUDA_ARCH__ <= 0", True, False),
    ("CUDART_VERSION >= 11020", True, True),
    ("CUDART_VERSION < 11020", False, False),
    ("!defined(CUDART_VERSION) || CUDART_VERSION < 9000", False, False),
    ("defined(CUDART_VERSION) && (CUDART_VERSION >= 11020)", True, True),
    ("CUDART_VERSION >= 12030", False, False),
    ("CUDART_VERSION / 1000 > 10 && CUDA_VERSION > 9000", True, True),
    ("(__CUDACC_VER_MAJOR__ * 10000 + __CUDACC_VER_MINOR__ * 100 < 120200) && defined(__NVCC__)", True, True),
    ("CUDART_VERSION ? 1 : 0", True, True),
]
#: What the same conditions may see under nvcc: the macros, and nothing of HIP's.
NVCC = [{"__CUDACC__": 1, "__NVCC__": 1, "CUDART_VERSION": version, "CUDA_VERSION": version,
         "__CUDACC_VER_MAJOR__": version // 1000, "__CUDACC_VER_MINOR__": version % 1000 // 10} | arch
        for version in (8000, 11020, 12040) for arch in ({}, {"__CUDA_ARCH__": 520}, {"__CUDA_ARCH__": 900})]


def taken(text: str, macros: dict[str, int]) -> bool:
    """Whether the preprocessor keeps the branch."""
    cpp = shutil.which("cpp")
    if cpp is None:
        pytest.skip("no C preprocessor was found")
    command = [cpp, "-P", "-undef", *(f"-D{name}={value}" for name, value in macros.items())]
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return "taken" in result.stdout


@pytest.mark.parametrize(("condition", "host", "device"), TRUTH)
def test_truth(condition: str, host: bool, device: bool) -> None:
    before = f"#if {condition}\ntaken\n#endif\n"
    after = run(before).text.decode()
    assert taken(after, {"__HIPCC__": 1, "__HIP__": 1}) == host
    assert taken(after, {"__HIPCC__": 1, "__HIP__": 1, "__HIP_DEVICE_COMPILE__": 1}) == device
    if "defined(__CUDA_ARCH__)" in condition or "CUDACC" in condition or condition == "__CUDA_ARCH__":
        return  # renamed: HIP's macro is not nvcc's
    for macros in NVCC:
        assert taken(after, macros) == taken(before, macros), macros


def test_every_number_is_reported() -> None:
    source = ("#if __CUDA_ARCH__ >= 600\n#elif __CUDA_ARCH__ >= 900\n#elif CUDART_VERSION < 9000\n#endif\n"
              "#define A __CUDA_ARCH__\n")
    result = run(source)
    assert [(each.code, result.source.location(each.range.start).line) for each in result.diagnostics] == [
        ("HPY112", 1), ("HPY112", 2), ("HPY113", 3), ("HPY112", 5)]
    assert all("compute capability" in each.message or "version" in each.message for each in result.diagnostics)


def test_a_plain_guard_is_not_reported() -> None:
    assert codes("#ifdef __CUDACC__\n#ifdef __CUDA_ARCH__\n#endif\n#endif\n") == []


def test_in_code_and_in_macros() -> None:
    source = HIP + "#define GPU __CUDACC__\n#define DEVICE defined(__CUDA_ARCH__)\nint v = CUDART_VERSION;\n"
    result = run(source)
    assert result.text.decode() == (
        HIP + "#define GPU __HIPCC__\n#define DEVICE defined(__HIP_DEVICE_COMPILE__)\nint v = HIP_VERSION;\n")
    assert [each.code for each in result.diagnostics] == ["HPY113"]
    assert codes(HIP + "int a = __CUDA_ARCH__;\n") == ["HPY112"]


@pytest.mark.parametrize("condition", [
    "#if FOO(__CUDA_ARCH__)", "#if __CUDA_ARCH__ >=", "#if (((", "#if", "#ifdef", "#if 'a' == __CUDA_ARCH__ >= 1",
    "#if __CUDA_ARCH__ & 1", "#if 1 / 0 > CUDART_VERSION", "#if " + "(" * 500 + "1" + ")" * 500, "#elif __CUDA_ARCH__",
])
def test_odd_conditions_do_no_harm(condition: str) -> None:
    source = f"{condition}\nint i;\n#endif\n"
    run(source)


def test_ignored_codes_leave_the_text() -> None:
    source = "#if __CUDA_ARCH__ >= 600\n#endif\n"
    assert run(source, ignore=("HPY112",)).text.decode() == source


@pytest.mark.parametrize(("condition", "macro"), [
    ("#ifdef USE_ROCM", "USE_ROCM"), ("#if !defined(GGML_USE_HIP)", "GGML_USE_HIP"), ("#if defined(__HIP_PLATFORM_AMD__)", ""),
    ("#if defined(USE_ROCM) || defined(__HIPCC__)", ""), ("#define USE_ROCM 1\n#ifdef USE_ROCM", ""),
])
def test_a_switch_of_the_projects_own_is_named(condition: str, macro: str) -> None:
    source = f"{condition}\nint a = hipSuccess;\n#else\nint b = cudaSuccess;\n#endif\n"
    if "!" in condition:
        source = f"{condition}\nint b = cudaSuccess;\n#else\nint a = hipSuccess;\n#endif\n"
    said = [each.message for each in run(source).diagnostics if each.code == "HPY114"]
    assert len(said) == 1
    assert (f"`-D{macro}`" in said[0]) if macro else ("-D" not in said[0])
