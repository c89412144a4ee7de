"""Names that no table knows: reported where they can be CUDA's, left in peace where they are the person's own."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import pytest

from hipify_py.diagnostics import Severity
from hipify_py.engine import translate
from hipify_py.lexer import lex
from hipify_py.mapping import MappingTable
from hipify_py.mapping.families import What, families, family
from hipify_py.settings import Settings
from hipify_py.unknown import is_listed
from tests.leftovers import leftovers
from tests.rewrites import HIP, codes, hip, run

TOKENS = Settings(semantics=False, verify=False)


def severities(result) -> list[tuple[str, str]]:
    return [(each.code, each.severity.value) for each in result.diagnostics]


@pytest.mark.parametrize("name", [
    "cudaFrobnicate(1);", "cuFrobnicateAll(1);", "CUfrobnicator f;", "int a = CU_FROBNICATE;", "int a = CUDA_FROBNICATE + 1;",
    "nvFrobnicateAll(1);", "cublasFrobnicate(1);", "auto s = CUBLAS_STATUS_FROBNICATED;", "__nv_frobnicate(1);",
    "int x[] = {0, CU_FROBNICATE};",
])
def test_an_unknown_name_of_cudas_kind_is_a_warning(name) -> None:
    result = run(f"#include <vector>\n#include <cstdio>\nvoid f() {{ {name} }}\n")
    assert severities(result) == [("HPY102", "warning")]
    assert "nothing here declares it" in result.diagnostics[0].message
    assert leftovers(result) == []


@pytest.mark.parametrize(("name", "source"), [
    ("kernel.cu", "#include \"utils.h\"\nvoid f() { cudaFrobnicate(1); }\n"),
    ("kernel.cu", "#include <torch/extension.h>\nvoid f() { cudaFrobnicate(1); }\n"),
    ("kernel.cuh", "inline void f() { cudaFrobnicate(1); }\n"),
])
def test_it_is_a_note_where_a_header_out_of_sight_may_declare_it(name, source) -> None:
    result = run(source, name)
    assert severities(result) == [("HPY102", "note")]
    assert translate((HIP + source).encode(), filename=name, settings=TOKENS).diagnostics[0].severity is Severity.NOTE


@pytest.mark.parametrize("source", [
    "class cudaStencilSolver { int n; };\nvoid f() { cudaStencilSolver s; }\n",
    "struct cudaTimer;\nvoid f(cudaTimer *t);\n",
    "#define CUDA_CHECK(x) x\nvoid f() { CUDA_CHECK(1); }\n",
    "#include \"utils.h\"\nvoid f() { CUDA_CHECK(g()); CUBLAS_CALL(g()); CU_SAFE_CALL_NO_SYNC (g()); }\n",
    "void f() { CUDA_CHECK(g()); }\n",
    "#ifdef CUDA_FAST\n#endif\n#if defined(CU_OLD) || CUDA_LEVEL > 2\n#endif\n",
    "#ifndef CUDA_UTILS_H\n#define CUDA_UTILS_H\nint a;\n#endif\n",
    "enum mode { CUDA_OFF, CUDA_ON = 2, CUDA_AUTO };\nmode m = CUDA_AUTO;\n",
    "void f() { int cudaFirst = g(1, 2), *cudaSecond, cudaThird[3]; h(cudaSecond, cudaThird); }\n",
    "void f(int cudaCount) { g(cudaCount); }\n",
    "typedef struct cudaThing_s { int a; } cudaThing_t, *cudaThingPtr;\n"
    "int f(cudaThing_t *t, cudaThingPtr p) { return t->a + p->a; }\n",
    "typedef enum { A, B } cudaMode;\ncudaMode mode = A;\n",
    "static struct { int a; } cudaState, *cudaOther = &cudaState;\nint f() { return cudaState.a + cudaOther->a; }\n",
    "template <int CUDA_N> int f() { return CUDA_N; }\n",
    "auto f = [](int cudaCount) { return cudaCount; };\n",
    "int g() { return s.cudaCount + t->cuDataSize + mine::cudaCount + mine::CUDA_MAX; }\n",
    "int nvVertices, nvTotalPoints;\nint f() { return nvTotalPoints; }\n",
    "struct OptixTimer {};\nOptixTimer t;\n",
    "#define OPTIX_CHECK(x) x\nvoid f() { OPTIX_CHECK(1); }\n",
    "void f() { NPP_CHECK(g()); }\n",
    "// cudaFrobnicate\nauto s = \"CU_FROBNICATE nppiFilter\";\n#error CUDA_FROBNICATE\n",
    "#ifdef __HIP_PLATFORM_AMD__\nint a;\n#else\nint a = CU_FROBNICATE + nppiFilter();\n#endif\n",
])
def test_what_is_a_persons_own_stays_unsaid(source) -> None:
    assert hip(source) == source
    for result in (run(source), run(source, semantics=False, verify=False)):
        assert [code for code in codes(result) if code in ("HPY102", "HPY401")] == []
        assert leftovers(result) == []


@pytest.mark.parametrize("source", [
    "int a = 1, cudaSecond(2), *cudaThird{nullptr}, &cudaFourth = a;\nint f() { return cudaSecond + *cudaThird + cudaFourth; }\n",
    "struct S { int m; } cudaObject{1};\nint f() { return cudaObject.m; }\n",
    "template <class... cudaPack> int f(cudaPack...) { return sizeof...(cudaPack); }\n",
])
def test_libclang_knows_declarators_that_tokens_do_not(source) -> None:
    assert hip(source) == source
    assert codes(run(source)) == []


def test_what_a_header_on_disk_declares_stays_unsaid_and_what_it_only_uses_does_not(tmp_path) -> None:
    (tmp_path / "utils.h").write_text("#define CUDA_LANES 4\nvoid cudaCheckAll(int);\nclass cudaTimer;\nenum { CU_MINE };\n"
                                      "inline int g() { return cudaFrobnicate(); }\n")
    source = (HIP + "#include \"utils.h\"\nint f(cudaTimer *t) { cudaCheckAll(1); return CUDA_LANES + CU_MINE; }\n"
                    "int h() { return cudaFrobnicate(); }\n")
    result = translate(source.encode(), filename=str(tmp_path / "a.cu"))
    assert severities(result) == [("HPY102", "warning")]
    assert result.source.data[result.diagnostics[0].range.start :].startswith(b"cudaFrobnicate")


@pytest.mark.parametrize(("name", "library", "words"), [
    ("nppiFilterBox_8u_C1R", "NPP", "RPP"), ("NppiSize", "NPP", "RPP"), ("NPP_SUCCESS", "NPP", "RPP"),
    ("nppsMalloc_8u", "NPP", "RPP"), ("optixLaunch", "OptiX", "HIP RT"), ("OptixDeviceContext", "OptiX", "HIP RT"),
    ("nvshmem_float_put", "NVSHMEM", "rocSHMEM"), ("nvshmemx_barrier_all_on_stream", "NVSHMEM", "rocSHMEM"),
    ("nvjpegCreateSimple", "nvJPEG", "rocJPEG"), ("nvjpeg2kDecode", "nvJPEG2000", "OpenJPEG"),
    ("cuFileRead", "cuFile", "hipFile"), ("CUfileDescr_t", "cuFile", "hipFile"), ("CU_FILE_SUCCESS", "cuFile", "hipFile"),
    ("cutensorCreate", "cuTENSOR", "hipTensor"), ("CUTENSOR_OP_ADD", "cuTENSOR", "HIPTENSOR_"),
    ("cusparseLtInit", "cuSPARSELt", "hipSPARSELt"), ("nvgraphCreate", "nvGRAPH", "hipGRAPH"),
    ("nvcompBatchedLZ4CompressAsync", "nvCOMP", "hipCOMP"), ("cuvidCreateDecoder", "NVDEC", "rocDecode"),
    ("NvEncodeAPICreateInstance", "NVENC", "VA-API"), ("NV_PROVIDES_SM_70", "libcu++", "__HIP_DEVICE_COMPILE__"),
    ("cudssExecute", "cuDSS", "hipSOLVER"), ("cudnn_frontend", "cuDNN frontend", "MIOpen"),
])
def test_a_name_of_a_library_without_a_table_is_an_error_with_advice(name, library, words) -> None:
    result = run(f"#include \"mine.h\"\nauto a = {name};\n")
    assert severities(result) == [("HPY401", "error")]
    message = result.diagnostics[0].message
    assert message.startswith(f"`{name}` has no HIP counterpart (it is {library}'s): ")
    assert words in message
    assert leftovers(result) == []


@pytest.mark.parametrize("header", [
    "nppi_filtering_functions.h", "optix_stubs.h", "nvcomp/lz4.h", "nvgraph.h", "nvcuvid.h", "NvInfer.h", "custatevec.h", "npp.h",
    "nvshmem.h", "nvshmemx.h", "optix.h", "cufile.h", "cutensor.h", "nvjpeg.h", "nv/target", "nvfunctional",
])
def test_a_header_of_such_a_library_is_an_error(header) -> None:
    assert severities(run(f"#include <{header}>\n")) == [("HPY402", "error")]


def test_a_header_of_ones_own_under_such_a_name_is_not(tmp_path) -> None:
    (tmp_path / "optix_tools.h").write_text("int a;\n")
    result = translate(b"#include \"optix_tools.h\"\n", filename=str(tmp_path / "a.cu"))
    assert codes(result) == []
    assert codes(run("#include \"optix_tools.h\"\n")) == ["HPY402"]


def test_the_target_macros_of_libcudacxx_are_errors() -> None:
    result = run("__device__ int f() { NV_IF_ELSE_TARGET(NV_IS_DEVICE, (return 1;), (return 0;)) }\n"
                 "__device__ void g() { nvstd::function<int()> h; }\n")
    assert severities(result) == [("HPY401", "error")] * 3
    assert "__HIP_DEVICE_COMPILE__" in result.diagnostics[0].message


def test_a_branch_that_only_such_a_header_switches_on_is_one_note() -> None:
    source = ("#ifdef NV_NPPIDEFS_H\nconst char *word(NppStatus s) { return s == NPP_SUCCESS ? \"\" : 0; }\n"
              "cudaError_t e;\n#endif\n")
    result = run(source)
    assert severities(result) == [("HPY401", "note")]
    assert "where NPP's header is included" in result.diagnostics[0].message
    assert leftovers(result) == []
    assert hip(source) == source.replace("cuda", "hip")


@pytest.mark.parametrize("source", [
    "#ifdef USE_NPP\nNppStatus s;\n#endif\n", "#ifndef NV_NPPIDEFS_H\nNppStatus s;\n#endif\n",
    "#ifdef NV_NPPIDEFS_H\nint a;\n#else\nNppStatus s;\n#endif\n", "#if defined(NV_NPPIDEFS_H) || X\nNppStatus s;\n#endif\n",
])
def test_other_branches_are_none(source) -> None:
    assert severities(run(source)) == [("HPY401", "error")]


@pytest.mark.parametrize("code", [
    "enum { NAME, B };", "enum class m : int { A = 1, NAME };", "int a, NAME;", "void f() { T *a = g(1, 2), *NAME = 0; }",
    "void f() { std::vector<int> a, NAME; }", "int a = 1, NAME[3];", "ns::T a, NAME = 3;",
    "#include <a>\nint a, NAME;", "template <int NAME> int f();", "template <typename T, ns::T<3> *b, class... NAME> int f();",
])
def test_listed(code) -> None:
    tokens = lex(code.encode())
    assert is_listed(tokens, next(index for index in range(len(tokens)) if tokens.name(index) == b"NAME"))


@pytest.mark.parametrize("code", [
    "int x[] = { NAME, B };", "f(a, NAME, b);", "int x[] = {A, NAME, B };", "void f() { a = b, NAME = 3; }",
    "void f() { T x{a, NAME}; }", "void f() { g(); NAME = 3; }", "NAME", ", NAME;", "enum { A = f(B, NAME) };",
    "f<int, NAME>(x);",
    "#define X int a\n, NAME;", "a < b, NAME > c;", "template <int N> int f(int (NAME));",
])
def test_not_listed(code) -> None:
    tokens = lex(code.encode())
    assert not is_listed(tokens, next(index for index in range(len(tokens)) if tokens.name(index) == b"NAME"))


def test_no_pattern_takes_a_name_that_has_a_table() -> None:
    table = MappingTable.load()
    known = {name: found for name in table if (found := family(name)) is not None}
    # For what is newer than these tables.
    assert {found.library for found in known.values()} == {"NVML", "the PTX compiler"}
    assert [name for name in table.headers() if family(name, What.HEADER) is not None] == []


def test_each_pattern_says_something_and_none_hides_behind_another() -> None:
    rows = families()
    assert len(set(rows)) == len(rows)
    for number, row in enumerate(rows):
        assert (row.advice == "") == (row.what in (What.GUARD, What.SAME)), row
        assert len(row.advice) < 160, row
        assert row.advice == row.advice.strip(), row
        # A name made from the pattern is answered by the pattern itself: no earlier one swallows all of it.
        example = re.sub(r"\[(.)[^\]]*\]", r"\1", row.pattern).replace("?", "Q").replace("*", "Q")
        assert fnmatchcase(example, row.pattern)
        found = family(example.encode(), row.what)
        assert found is not None
        assert rows.index(found) == number, (row.pattern, found.pattern)


def test_a_second_run_says_the_same() -> None:
    first = run("void f() { cudaFrobnicate(nppiFilter()); }\n")
    again = translate(first.text, filename="input.cu")
    assert severities(again) == severities(first)
