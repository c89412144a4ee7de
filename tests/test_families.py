"""Libraries that no table lists name by name: their names are errors with advice, a person's own are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.engine import translate
from hipify_py.mapping import MappingTable
from hipify_py.mapping.families import family
from tests.rewrites import codes, run


@pytest.mark.parametrize(("text", "library"), [
    ("nppiAddC_8u_C1RSfs(0);", "NPP"), ("NppiSize s;", "NPP"), ("npps_status = nppsZero_32f(p, n);", "NPP"),
    ("optixInit();", "OptiX"), ("OptixModule m;", "OptiX"), ("auto r = OPTIX_SUCCESS;", "OptiX"), ("nvshmem_init();", "NVSHMEM"),
    ("nvjpegCreateSimple(&h);", "nvJPEG"), ("cutensorCreate(&h);", "cuTENSOR"), ("cuFileDriverOpen();", "cuFile"),
    ("cuvidCreateDecoder(&d, 0);", "NVDEC"), ("cudssCreate(&h);", "cuDSS"), ("AMGX_initialize();", "AmgX"),
    ("nvJitLinkCreate(&h, 0, 0);", "nvJitLink"),
])
def test_their_names_are_reported(text: str, library: str) -> None:
    result = run(f"void f() {{ {text} }}\n")
    assert "HPY401" in codes(result)
    assert any(f"(it is {library}'s)" in each.message for each in result.diagnostics)
    assert text in result.text.decode()


@pytest.mark.parametrize("text", [
    "void optixFun(); void f() { optixFun(); }", "struct NppOwn { int x; }; NppOwn n;",
    "#define OPTIX_LOG(x) x\nint i = OPTIX_LOG(1);",
    "int i = p->nppiCount;", "int i = mine::optixInit();", "// nppiAddC()", "const char *s = \"optixInit\";",
    "int snppi, optic, ANPP_X;", "float __nv_mine(float x) { return x; } float y = __nv_mine(1);",
    "int CUDA_CHECK_ALL(int);", "MY_CU_MEM(x);",
])
def test_a_persons_own_are_not(text: str) -> None:
    assert codes(run(text + "\n")) == []


def test_those_of_an_own_header_are_not(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("void optixFun(int);\n")
    source = b'#include "own.h"\nvoid f() { optixFun(1); }\n'
    assert translate(source, filename=str(tmp_path / "a.cu")).diagnostics == ()


@pytest.mark.parametrize(("name", "instead"), [
    ("__nv_sinf", "sinf"), ("__nv_fast_sinf", "__sinf"), ("__nv_clz", "__clz"),
    ("__nv_isnand", "isnan"), ("__nv_vadd4", "__vadd4"),
])
def test_libdevice_is_reported_with_what_to_call(name: str, instead: str) -> None:
    result = run(f"__device__ float f(float x) {{ return {name}(x); }}\n")
    assert codes(result) == ["HPY401"]
    assert result.diagnostics[0].message.endswith(f": call `{instead}`")


@pytest.mark.parametrize("name", ["CUDA_ERROR_ODD", "CU_MEM_ODD_THING", "CU_DEVICE_ATTRIBUTE_ODD", "cudaOddThing", "cuOddThing"])
def test_unknown_names_of_cudas_own_look_are_noted(name: str) -> None:
    assert codes(run(f"int i = {name};\n")) == ["HPY102"]


def test_nvstd_has_no_counterpart() -> None:
    assert codes(run("nvstd::function<int()> f;\n")) == ["HPY401"]


def test_the_tables_know_better() -> None:
    for name in MappingTable.load():
        found = family(name)
        assert found is None or found.library in ("NVML", "nvJitLink", "the PTX compiler"), (name, found)
