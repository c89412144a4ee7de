"""HPY119: names that an older HIP lacks, and the definitions that stand in for them."""

from __future__ import annotations

import pytest

from hipify_py import fallbacks
from hipify_py.engine import translate
from hipify_py.mapping import MappingTable
from hipify_py.settings import Settings, Version
from tests.rewrites import codes, run

SPARSE = """#include <cuda_runtime.h>
#include <cusparse.h>

#define CHECK(call) \\
    if (cusparseStatus_t s = (call)) return cusparseGetErrorString(s)

const char *start(cusparseHandle_t *h) {
    CHECK(cusparseCreate(h));
    return cusparseGetErrorName(CUSPARSE_STATUS_SUCCESS);
}
"""
GUARD = "#if defined(HIP_VERSION) && HIP_VERSION < 60000000"


def translated(text: str, **settings: object) -> str:
    return translate(text.encode(), filename="a.cu", settings=Settings(**settings)).text.decode()  # type: ignore[arg-type]


def test_the_definitions_stand_behind_the_includes() -> None:
    result = translate(SPARSE.encode(), filename="a.cu")
    text = result.text.decode()
    assert text.index("#include <hipsparse/hipsparse.h>") < text.index(GUARD) < text.index("#define CHECK")
    assert text.count(GUARD) == 1
    assert codes(result) == ["HPY119", "HPY119"]
    assert all("since HIP 6.0" in each.message for each in result.diagnostics)


@pytest.mark.parametrize(("version", "defined"), [((5, 2), True), ((5, 7), True), ((6, 0), False), ((6, 4), False)])
def test_the_oldest_hip_that_matters_decides(version: tuple[int, int], defined: bool) -> None:
    result = translate(SPARSE.encode(), filename="a.cu", settings=Settings(rocm=Version(*version)))
    assert (GUARD in result.text.decode()) is defined
    assert result.errors == 0


def test_a_second_run_changes_nothing() -> None:
    once = translated(SPARSE)
    assert translated(once) == once


def test_every_fallback_is_of_a_name_that_the_tables_write() -> None:
    table = MappingTable.load()
    written = {mapping.hip: mapping for name in table if (mapping := table.lookup(name)) is not None}
    for name, each in fallbacks.load().items():
        assert name in written, name
        assert Version.parse(each.since) and written[name].hip_since == each.since, name
        assert each.macro.startswith(name) and each.text


@pytest.mark.parametrize("text", [
    "#include <cuda_runtime.h>\nstruct S { int cusparseGetErrorString; };\nint f(S s) { return s.cusparseGetErrorString; }\n",
    "#include <cuda_runtime.h>\nnamespace mine { int cudaDeviceSetLimit; }\nint f() { return mine::cudaDeviceSetLimit; }\n",
    "#include <cuda_runtime.h>\n// cudaStreamLegacy\nvoid f() { cudaDeviceSynchronize(); }\n",
])
def test_no_ops(text: str) -> None:
    assert "HIP_VERSION" not in translated(text)


def test_only_includes_that_every_hip_reads_and_in_front_of_the_first_use() -> None:
    text = ("#include <cuda_runtime.h>\n#ifdef FAST\n#include \"fast.h\"\n#endif\n"
            "void f() { cudaStreamSynchronize(cudaStreamLegacy); }\n"
            "#include <cstdio>\n")
    lines = translated(text).splitlines()
    assert lines[:4] == ["#include <hip/hip_runtime.h>",
                         "#if defined(HIP_VERSION) && HIP_VERSION < 60200000  // what HIP has since 6.2",
                         "#define hipStreamLegacy ((hipStream_t)0)", "#endif"]


def test_inside_an_include_guard() -> None:
    text = ("#ifndef A_H\n#define A_H\n#include <cuda_runtime.h>\n"
            "inline void f() { cudaStreamSynchronize(cudaStreamLegacy); }\n#endif\n")
    assert "#include <hip/hip_runtime.h>\n#if defined(HIP_VERSION)" in translated(text)


def test_without_an_include_in_front_it_is_a_note() -> None:
    result = translate(b"void f() { cudaStreamSynchronize(cudaStreamLegacy); }\n", filename="a.cu")
    assert "HPY208" in codes(result) and "HIP_VERSION" not in result.text.decode()


def test_line_ends_stay() -> None:
    text = translated("#include <cuda_runtime.h>\r\nvoid f() { cudaStreamSynchronize(cudaStreamLegacy); }\r\n")
    assert text.count("\r\n") == text.count("\n") == 5


def test_a_repeated_include_that_goes_is_no_matter() -> None:
    text = "#include <cuda_runtime.h>\n#include <cuda.h>\ncudaStream_t s = cudaStreamLegacy;\n"
    assert translated(text) == ("#include <hip/hip_runtime.h>\n#if defined(HIP_VERSION) && HIP_VERSION < 60200000  // what HIP "
                                "has since 6.2\n#define hipStreamLegacy ((hipStream_t)0)\n#endif\nhipStream_t s = "
                                "hipStreamLegacy;\n")


def test_not_in_kernels_for_the_runtime_compiler() -> None:
    result = run('const char *k = "extern \\"C\\" __global__ void k(void *s) { s = cudaStreamLegacy; }";\n'
                 "void f(nvrtcProgram *p) { nvrtcCreateProgram(p, k, 0, 0, 0, 0); }\n")
    assert "HIP_VERSION" not in result.text.decode()


def test_all_compile_with_the_hip_that_lacks_them(compile_hip) -> None:
    """Each runtime name's definition is C++ that an old HIP takes; the libraries' are in test_libraries."""
    known = [each for name, each in fallbacks.load().items() if name.startswith(("hip", "HIP_")) and not name.startswith(
        ("hipsparse", "hiprand"))]
    uses = {"hipDeviceSetLimit": "hipError_t a = hipDeviceSetLimit(hipLimitStackSize, 4096);",
            "hipEventRecordWithFlags": "hipError_t b = hipEventRecordWithFlags(0, 0, hipEventRecordDefault);",
            "hipGraphUpload": "hipError_t c = hipGraphUpload(nullptr, nullptr);"}
    plain = [f"auto v{number} = {each.hip};" for number, each in enumerate(known) if "(" not in each.macro]
    compile_hip("\n".join(["#include <hip/hip_runtime.h>", "#include <hip/library_types.h>", *fallbacks.write(known),
                           *plain, *uses.values(), ""]).encode())
