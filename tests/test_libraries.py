"""A program a library: each translates without an error and compiles with the libraries' own headers."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.diagnostics import Severity
from hipify_py.engine import Translation, translate
from hipify_py.settings import Settings, Version
from tests.conftest import CompileError

PROGRAMS = sorted((Path(__file__).parent / "libraries").glob("*.cu"))
#: What needs a setting: cuDNN has a counterpart in ROCm's own libraries alone.
SETTINGS = {"cudnn": Settings(target_libraries="roc")}
#: Which HIP header each program has to include in the end.
HEADERS = {
    "bf16": "hip/hip_bf16.h", "cooperative_groups": "hip/hip_cooperative_groups.h", "cub": "hipcub/hipcub.hpp",
    "cublas": "hipblas/hipblas.h", "cublaslt": "hipblaslt/hipblaslt.h", "cucomplex": "hip/hip_complex.h",
    "cudnn": "miopen/miopen.h", "cufft": "hipfft/hipfft.h", "curand": "hiprand/hiprand_kernel.h",
    "cusolver": "hipsolver/hipsolver.h", "cusparse": "hipsparse/hipsparse.h", "driver": "hip/hip_runtime.h",
    "fp16": "hip/hip_fp16.h", "nccl": "rccl/rccl.h", "nvrtc": "hip/hiprtc.h", "nvtx": "roctracer/roctx.h",
    "thrust": "thrust/sort.h",
}
#: What compiles with HIP 5.2 alone, or with one more package of the distribution.
OLD = {"cucomplex", "curand", "cusparse", "driver", "fp16", "nvrtc"}
OLD_PACKAGES = {"curand": "libhiprand-dev", "cusparse": "libhipsparse-dev"}


def translated(program: Path) -> Translation:
    return translate(program.read_bytes(), filename=str(program), settings=SETTINGS.get(program.stem))


def named(programs: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("program", programs, ids=[each.stem for each in programs])


def test_there_is_a_program_for_each_library() -> None:
    assert [each.stem for each in PROGRAMS] == sorted(HEADERS)


@named(PROGRAMS)
def test_translates_without_an_error(program: Path) -> None:
    result = translated(program)
    assert [each.message for each in result.diagnostics if each.severity is Severity.ERROR] == []
    assert HEADERS[program.stem].encode() in result.text
    again = translate(result.text, filename=str(program), settings=SETTINGS.get(program.stem))
    assert again.text == result.text


@named(PROGRAMS)
def test_compiles_with_the_headers_of_its_library(program: Path, compile_hip_current) -> None:
    compile_hip_current(translated(program).text)


@named([each for each in PROGRAMS if each.stem in OLD])
def test_compiles_with_the_hip_of_distributions(program: Path, compile_hip) -> None:
    result = translate(program.read_bytes(), filename=str(program), settings=Settings(rocm=Version(5, 2)))
    assert result.errors == 0
    try:
        compile_hip(result.text)
    except CompileError as error:
        if f"'{HEADERS[program.stem]}' file not found" in str(error) and program.stem in OLD_PACKAGES:
            pytest.skip(f"`{HEADERS[program.stem]}` is not installed: {OLD_PACKAGES[program.stem]} has it")
        raise


@pytest.mark.parametrize(("name", "first"), [
    ("bf16", "__nv_bfloat16"), ("cublaslt", "cublasLt")])
def test_what_hip_5_2_lacks_is_said_where_it_stands(name: str, first: str) -> None:
    program = next(each for each in PROGRAMS if each.stem == name)
    code = program.read_bytes()
    result = translate(code, filename=str(program), settings=Settings(rocm=Version(5, 2)))
    errors = [each for each in result.diagnostics if each.severity is Severity.ERROR]
    assert errors
    for each in errors:
        assert "is not available in HIP 5.2; it exists since HIP " in each.message
        left = code[each.range.start : each.range.end]
        assert f"`{left.decode()}`" in each.message
    assert any(code[each.range.start :].startswith(first.encode()) for each in errors)


def test_a_name_that_the_library_lacks_is_refused(compile_hip_current) -> None:
    text = translated(PROGRAMS[[each.stem for each in PROGRAMS].index("cublas")]).text
    with pytest.raises(CompileError, match="hipblasNoSuchCall"):
        compile_hip_current(text.replace(b"hipblasSgemm", b"hipblasNoSuchCall"))


def test_for_the_portable_libraries_each_name_of_cudnn_is_reported() -> None:
    program = next(each for each in PROGRAMS if each.stem == "cudnn")
    result = translate(program.read_bytes(), filename=str(program))
    reported = {each.range.start for each in result.diagnostics if each.code in ("HPY401", "HPY402")}
    code = program.read_bytes()
    for word in (b"cudnnHandle_t", b"cudnnConvolutionForward(", b"CUDNN_CROSS_CORRELATION", b"CUDNN_DATA_FLOAT"):
        assert code.index(word) in reported
    assert any("`--target-libraries roc` writes" in each.message for each in result.diagnostics)
