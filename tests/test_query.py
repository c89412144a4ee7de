"""``hipify-py query``: what the tables say about names, headers and libraries, and what differs between two signatures."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import hipify_py
from hipify_py import Settings, Support, Topic, UnknownNameError, Version, query
from hipify_py.cli import main
from hipify_py.engine import translate
from hipify_py.lookup import rule
from hipify_py.mapping import Kind, Mapping, MappingTable, own
from hipify_py.mapping.hip_headers import headers_for
from hipify_py.mapping.libraries import LIBRARIES, library
from hipify_py.mapping.signatures import Side, arguments, differences, meaning, signature
from hipify_py.report.names import record, text


@pytest.fixture(scope="module")
def tables() -> MappingTable:
    return MappingTable.load()


@pytest.mark.parametrize(("name", "lines"), [
    ("cudaMalloc", ["cudaMalloc -> hipMalloc", "  include: <hip/hip_runtime.h>", "  since: HIP 5.2 or older",
                    "  CUDA signature: cudaError_t cudaMalloc(void **devPtr, size_t size)",
                    "  HIP signature: hipError_t hipMalloc(void **ptr, size_t size)", "  rule: HPY101"]),
    ("::cublasSgemm", ["cublasSgemm -> hipblasSgemm", "  library: cuBLAS (function)", "  include: <hipblas/hipblas.h>",
                       "  in ROCm's own library: rocblas_sgemm (--target-libraries roc)"]),
    ("cudaGraphInstantiate", ["    3 arguments: hipGraphInstantiateWithFlags({0}, {1}, {2})", "    5 arguments instead of 3",
                              "  rule: HPY203"]),
    ("threadIdx.x", ["threadIdx -> threadIdx", "  rule: HPY202"]),
    ("__shfl_down_sync", ["  rule: HPY302"]),
    ("__CUDACC__", ["  rule: HPY111"]),
    ("CUDA_VERSION", ["  rule: HPY113", "  note: takes other arguments in HIP, or means something else"]),
    ("__ldcg", ["__ldcg: no name in HIP, written in another way", "    1 arguments: (*({0}))", "  rule: HPY211"]),
    ("__half", ["__half -> __half", "  include: <hip/hip_fp16.h>"]),
    ("curand_init", ["  include: <hiprand/hiprand_kernel.h>"]),
    ("curandGenerateUniform", ["  include: <hiprand/hiprand.h>"]),
    ("cudaMalloc(&p, 4);", ["cudaMalloc -> hipMalloc"]),
    ("cub::BlockReduce<int, 128>", ["cub::BlockReduce -> hipcub::BlockReduce", "  include: <hipcub/hipcub.hpp>",
                                    "  advice: only its namespace is in a table: check that HIP has the name"]),
    ("cub::detail::choose", ["cub::detail::choose -> hipcub::detail::choose"]),
    ("thrust::cuda::par", ["thrust::cuda::par -> thrust::hip::par"]),
    ("thrust::sort", ["thrust::sort -> thrust::sort"]),
    ("thrust/sort.h", ["<thrust/sort.h> -> <thrust/sort.h>"]),
    ("<cublas_v2.h>", ["<cublas_v2.h> -> <hipblas/hipblas.h>", "  rule: HPY103"]),
    ('"cuda_runtime.h"', ["<cuda_runtime.h> -> <hip/hip_runtime.h>"]),
    ("#include <curand_kernel.h>", ["<curand_kernel.h> -> <hiprand/hiprand_kernel.h>"]),
    ("cub/block/block_reduce.cuh", ["<cub/block/block_reduce.cuh> -> <hipcub/hipcub.hpp>"]),
    ("hipMallocManaged", ["hipMallocManaged: HIP's already, the counterpart of cuMemAllocManaged, cudaMallocManaged"]),
    ("hipblas/hipblas.h", ["hipblas/hipblas.h: HIP's already, the counterpart of cublas.h, cublas_api.h, cublas_v2.h"]),
])
def test_answers(name: str, lines: list[str]) -> None:
    found = query(name)
    assert found.has_counterpart
    said = text(found).splitlines()
    assert [line for line in lines if line not in said] == []


@pytest.mark.parametrize(("name", "code"), [
    ("cudaGraphConditionalHandleCreate", ""), ("cuda::std::atomic", ""), ("nvcuda::wmma::unheard_of", ""), ("nvml.h", "HPY402"),
    ("CUPTI", ""), ("cuptiActivityEnable", ""), ("NPP", ""), ("nppiFilterBox_8u_C1R", ""),
])
def test_no_counterpart(name: str, code: str) -> None:
    found = query(name)
    assert not found.has_counterpart
    assert found.rule == code
    assert "no counterpart" in text(found)


@pytest.mark.parametrize(("name", "near"), [
    ("cudaMallc", "near: cudaMalloc,"), ("CUDAMALLOC", "near: cudaMalloc,"), ("cublass", "cublas"), ("\udcff", "in no table"),
    ("", "an empty name"), ("  ", "an empty name"), ("<>", "an empty name"), ("std::vector", "in no table"),
    ("my.h", "in no table"), ("::", "in no table"), ("cub::", "near: cub"), ("cub::\udcff", "in no table"), ("a\nb", "`a b`"),
    ("cg::reduce", r"near: cooperative_groups::reduce\)"), ("wmma::fragment", "near: nvcuda::wmma::fragment"),
    ("c.u.b", "in no table"), ("cudaMalloc cudaFree", "in no table"), ("*", "in no table"), ("-1", "in no table"),
    ("x" * 5000, "in no table"),
])
def test_unknown(name: str, near: str) -> None:
    with pytest.raises(UnknownNameError, match=near) as error:
        query(name)
    assert "\n" not in str(error.value)


def test_the_version_that_is_asked_for() -> None:
    late = query("__float2bfloat16", settings=Settings(rocm=Version(5, 4)))
    assert not late.has_counterpart
    assert "  missing: HIP 5.4 does not have it" in text(late)
    assert query("__float2bfloat16", settings=Settings(rocm=Version(7, 0))).has_counterpart
    assert query("cudaMalloc", settings=Settings(rocm=Version(4, 0))).has_counterpart  # 5.2 stands for everything older, too


@pytest.mark.parametrize("name", ["cuBLAS", "blas", "CUBLAS", "hipblas", "rocBLAS"])
def test_a_library_by_any_of_its_names(tables: MappingTable, name: str) -> None:
    found = query(name)
    assert (found.topic, found.hip) == (Topic.LIBRARY, "hipBLAS or rocBLAS")
    rows = [row for row in map(tables.lookup, tables) if row is not None and row.library == "blas"]
    without = [row for row in rows if row.support is Support.NO]
    assert found.totals[Support.NO] == len(without) > 0
    assert sum(found.totals.values()) == len(rows)
    head, *rest = text(found).splitlines()
    assert head.startswith(f"cuBLAS -> hipBLAS or rocBLAS: {len(rows)} names")
    assert f"{len(without)} without counterpart" in head
    assert rest.index("    cublasSgemm -> hipblasSgemm") < rest.index("  without counterpart:")
    assert sum(line.startswith("    ") for line in rest[rest.index("  without counterpart:") :]) == len(without)
    assert "    <cublas_v2.h> -> <hipblas/hipblas.h>" in rest


def test_what_the_check_of_the_headers_has_found() -> None:
    assert query("CUBLASLT_MATMUL_DESC_A_SCALE_POINTER").differs == ("its number is 5 instead of 17",)
    assert query("cuptiActivityEnable").advice != ""


@pytest.mark.parametrize("name", ["cub", "thrust", "CUB", "rocThrust"])
def test_a_namespace_is_a_library(name: str) -> None:
    assert query(name).topic is Topic.LIBRARY


def test_a_library_of_an_older_version() -> None:
    older, newer = (query("NCCL", settings=Settings(rocm=version)).totals for version in (Version(5, 2), Version(7, 0)))
    assert older[Support.YES] < newer[Support.YES]
    assert sum(older.values()) == sum(newer.values())


def test_every_table_is_a_library(tables: MappingTable) -> None:
    used = {row.library for row in map(tables.lookup, tables) if row is not None}
    assert used == {each.table for each in LIBRARIES}
    assert library("cuda") is None
    for each in LIBRARIES:
        assert library(each.table) == library(each.cuda) == each


def test_signatures_are_those_of_names_in_the_tables(tables: MappingTable) -> None:
    functions = [row for row in map(tables.lookup, tables) if row is not None and row.kind == "function" and row.hip]
    known = [row for row in functions if signature(Side.CUDA, row.cuda) and signature(Side.HIP, row.hip)]
    assert len(known) > 0.85 * len(functions)
    for row in known:
        assert f"{row.cuda}(" in signature(Side.CUDA, row.cuda)
    assert signature(Side.HIP, "cudaMalloc") == ""
    # Of overloads, those that belong together are shown.
    assert signature(Side.CUDA, "curand_init").count(",") == signature(Side.HIP, "hiprand_init").count(",")
    assert meaning(Side.HIP, "hipDevice_t") == "int"
    assert meaning(Side.HIP, "no_such_type") == ""


def test_arguments_of_a_signature() -> None:
    assert arguments("int f(void)") == ["void"]
    assert arguments("int f()") == []
    assert arguments("T f(std::pair<int, int> a, void (*g)(int, int), char b[2] = ...)") == [
        "std::pair<int, int> a", "void (*g)(int, int)", "char b[2] = ..."]


@pytest.mark.parametrize(("cuda", "hip"), [
    ("int f(cudaStream_t s)", "int f(hipStream_t stream = ...)"),
    ("int f(const float *const A[])", "int f(float *const *B)"),
    ("int f(CUdevice d)", "int f(int device)"),
    ("int f(enum cudaMemcpyKind kind)", "int f(hipMemcpyKind kind)"),
    ("int f(int a)", "int f(int a, int b = ...)"),
    ("int f(unsigned int)", "int f(unsigned int n)"),
])
def test_alike(tables: MappingTable, cuda: str, hip: str) -> None:
    assert list(differences(tables, cuda, hip)) == []


@pytest.mark.parametrize(("cuda", "hip", "said"), [
    ("int f(int a)", "int f(int a, int b)", ["2 arguments instead of 1"]),
    ("int f(size_t n)", "int f(int n)", ["argument 1: `int n` instead of `size_t n`"]),
    ("int f(void *p)", "int f(void **p)", ["argument 1: `void **p` instead of `void *p`"]),
    ("int f(float *a[])", "int f(float *a)", ["argument 1: `float *a` instead of `float *a[]`"]),
])
def test_different(tables: MappingTable, cuda: str, hip: str, said: list[str]) -> None:
    assert list(differences(tables, cuda, hip)) == said


def test_equal_signatures_do_not_differ() -> None:
    for name in ("cudaMemcpyAsync", "cudaStreamCreateWithFlags", "cublasDgemm", "cufftExecC2C", "cusolverDnDpotrf",
                 "cusparseSpMV", "curandGenerateUniform", "cuModuleGetFunction", "nvrtcCompileProgram", "ncclAllReduce",
                 "cublasSgemmBatched", "cuMemAllocAsync"):
        assert query(name).differs == (), name
    assert "argument 3: `int device` instead of `cudaMemLocation location`" in query("cudaMemPrefetchAsync").differs


def test_every_counterpart_has_a_header(tables: MappingTable) -> None:
    known = set()
    for row in map(tables.lookup, tables):
        if row is not None and row.hip and row.library not in ("thrust", "dnn", "cub"):
            headers = headers_for(tables, row)
            assert len(headers) >= 1, row
            known.update(headers)
    assert {"hip/hip_runtime.h", "hip/hip_bf16.h", "hip/hip_complex.h", "hipfft/hipfftXt.h", "hip/hiprtc.h"} <= known
    assert all("/" in each and not each.startswith("cu") for each in known)


def snippet(row: Mapping) -> str:
    """A source that uses a name as its kind is used."""
    name = row.cuda
    if row.kind in (Kind.FUNCTION.value, Kind.DEVICE_FUNCTION.value):
        count = len([each for each in arguments(signature(Side.CUDA, name)) if each != "void"])
        given = ", ".join(f"a{number}" for number in range(count))
        return f"{'__device__ ' * row.kind.startswith('device')}void f(int a0) {{ {name}({given}); }}\n"
    return {Kind.TYPE.value: f"void f({name} x) {{ {name} y; }}\n", Kind.NAMESPACE.value: f"using namespace {name};\n",
            Kind.MACRO.value: f"#ifdef {name}\nint x = {name};\n#endif\n"}.get(
                row.kind, f"__device__ void f() {{ int y = {name}{'.x' * (name in INDICES)}; }}\n")


INDICES = ("threadIdx", "blockIdx", "blockDim", "gridDim")


def test_the_rule_is_the_one_that_rewrites(tables: MappingTable) -> None:
    rows = [row for row in map(tables.lookup, sorted(tables)) if row is not None and row.support is not Support.NO][::23]
    wrong = []
    for row in rows:
        source = snippet(row).encode()
        result = translate(source, settings=Settings(semantics=False, verify=False))
        codes = {edit.code for edit in result.edits if edit.end > edit.start} | {each.code for each in result.diagnostics}
        # A rule about certain calls, or certain definitions, alone has nothing to say about others.
        if rule(row) and rule(row) not in codes and rule(row) not in ("HPY203", "HPY302", "HPY307", "HPY306"):
            wrong.append((row.cuda, rule(row), codes))
        # HPY217 is about the arguments of a surface's call, HPY119 adds to the name that the rename writes.
        if not rule(row) and codes - {"HPY104", "HPY208", "HPY204", "HPY217", "HPY119"}:
            wrong.append((row.cuda, "", codes))
    assert len(rows) > 200
    assert wrong == []


def test_what_is_written_in_another_way_is_no_loss(tables: MappingTable) -> None:
    rows = [row for row in map(tables.lookup, sorted(tables)) if row is not None and row.support is Support.NO
            and row.library in ("device", "low_precision", "cooperative_groups", "driver")]
    said = {row.cuda: query(row.cuda) for row in rows}
    checked = [row for row in rows if row.kind.endswith("function") and "::" not in row.cuda]
    assert len(checked) > 300
    for row in checked:
        source = snippet(row).encode()
        codes = {each.code for each in translate(source, settings=Settings(semantics=False, verify=False)).diagnostics}
        # A texture's call is reported, with the way to go.
        assert ("HPY401" in codes or "HPY306" in codes) is not said[row.cuda].has_counterpart, row
    reduce = ("namespace cg = cooperative_groups; __device__ int f(cg::thread_block_tile<32> t) "
              "{ return cg::reduce(t, 1, cg::plus<int>()); }")
    assert said["cooperative_groups::reduce"].rule in {edit.code for edit in translate(reduce.encode()).edits}
    assert query("cudaBindTexture").rule == "HPY306"
    assert "hipCreateTextureObject" in query("cudaBindTexture").advice
    assert query("__float2bfloat16_rn").forms == ("1 arguments: __float2bfloat16",)


def test_answers_are_plain_values() -> None:
    found = query("cudaMalloc")
    assert pickle.loads(pickle.dumps(found)) == found
    assert {found} == {query("cudaMalloc")}
    assert record(found) == {
        "name": "cudaMalloc", "topic": "name", "has_counterpart": True, "hip": "hipMalloc", "library": "CUDA runtime",
        "kind": "function", "support": "yes", "headers": ["hip/hip_runtime.h"], "since": "5.2",
        "cuda_signature": "cudaError_t cudaMalloc(void **devPtr, size_t size)",
        "hip_signature": "hipError_t hipMalloc(void **ptr, size_t size)", "rule": "HPY101"}
    assert hipify_py.query is query


def test_names_of_ones_own() -> None:
    rows = own.parse("own.csv", b"cuda,hip,hip_since\ncudaFree,poolFree,\nmyLate,hipLate,7.0\npool::cudaTake,pool::hipTake,\n"
                     b"pool/cuda.h,pool/hip.h,\nmySame,mySame,\n")
    found = query("cudaFree", settings=Settings(mappings=rows))
    assert (found.hip, found.library, found.headers, found.rule) == ("poolFree", "", (), "HPY116")
    assert query("pool::cudaTake(3)", settings=Settings(mappings=rows)).hip == "pool::hipTake"
    assert query("<pool/cuda.h>", settings=Settings(mappings=rows)).hip == "pool/hip.h"
    assert not query("myLate", settings=Settings(mappings=rows, rocm=Version(6, 4))).has_counterpart
    assert query("mySame", settings=Settings(mappings=rows)).rule == ""
    assert text(query("myLate", settings=Settings(mappings=rows))) == (
        "myLate -> hipLate\n  library: a table of your own (function)\n  since: HIP 7.0\n  rule: HPY116\n")


def test_rocms_own_libraries() -> None:
    settings = Settings(target_libraries="roc")
    assert query("cublasSgemm", settings=settings).hip == "rocblas_sgemm"
    assert query("cublasSgemm", settings=settings).headers == ("rocblas/rocblas.h",)
    assert query("curand_init", settings=settings).headers == ("rocrand/rocrand_kernel.h",)
    assert query("cudnnConvolutionForward", settings=settings).has_counterpart
    assert not query("cudnnConvolutionForward").has_counterpart


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.csv").write_text("cuda,hip\nmyAlloc,myHipAlloc\n")
    for form in ("--format", "--output-format"):
        assert main(["query", "myAlloc", "--mapping", "own.csv", form, "json"]) == 0
        [found] = json.loads(capsys.readouterr().out)
        assert (found["name"], found["hip"], found["rule"]) == ("myAlloc", "myHipAlloc", "HPY116")
    assert main(["query", "cuBLAS", "--format=json"]) == 0
    [found] = json.loads(capsys.readouterr().out)
    assert {"cuda": "cublasSgemm", "hip": "hipblasSgemm", "support": "yes"} in found["names"]
    assert found["totals"]["no"] == sum(each["support"] == "no" for each in found["names"])
    assert main(["query", "cublasSgemm", "--target-libraries", "roc"]) == 0
    assert capsys.readouterr().out.startswith("cublasSgemm -> rocblas_sgemm\n")
    assert main(["query", "cudaMalloc", "cuptiActivityEnable"]) == 1
    assert main(["query", "__float2bfloat16", "--rocm", "5.4"]) == 1
    assert main(["query", "--help"]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("wrong", [
    ["nonsense"], ["cudaMalloc", "--rocm", "six"], ["cudaMalloc", "--mapping", "none.csv"], ["cudaFree", "nonsense"], [],
    ["cudaFree", "--no-such-option"], ["cudaFree", "--format", "xml"], ["cudaFree", "--target-libraries", "both"],
    ["cudaFree", "--mapping", ""],
])
def test_a_wrong_call_is_one_line(wrong: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                  monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["query", *wrong]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("hipify-py: error: ")
    assert err.count("\n") == 1


def test_the_project_is_heard(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.hipify-py]\nrocm = "5.4"\nmappings = ["own.json"]\ntarget-libraries = "roc"\n')
    (tmp_path / "own.json").write_text('{"myAlloc": "myHipAlloc"}')
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    assert main(["query", "myAlloc", "cublasSgemm"]) == 0
    out = capsys.readouterr().out
    assert "myAlloc -> myHipAlloc\n" in out
    assert "cublasSgemm -> rocblas_sgemm\n" in out
    assert main(["query", "__float2bfloat16"]) == 1
    assert main(["query", "__float2bfloat16", "--rocm", "7.0"]) == 0
    (tmp_path / "own.json").write_text('{"my Alloc": "myHipAlloc"}')
    capsys.readouterr()
    from hipify_py.config import forget

    forget()
    assert main(["query", "cudaFree"]) == 2
    assert "own.json:1: `my Alloc` is no name" in capsys.readouterr().err


def test_translating_reads_no_signatures(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("void f(void *p) { cudaFree(p); }\n")
    code = ("import sys; from hipify_py.cli import main; status = main(['a.cu', '-o', '-']); "
            "print('hipify_py.lookup' in sys.modules, 'hipify_py.mapping.signatures' in sys.modules); sys.exit(status)")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True,
                          env={**os.environ})
    assert done.stdout.endswith("False False\n")


def test_a_library_without_a_table_answers_by_its_spelling() -> None:
    for spelled, topic in (("nppiFilterBox_8u_C1R", Topic.NAME), ("<optix_stubs.h>", Topic.HEADER),
                           ("nvcomp/lz4.h", Topic.HEADER)):
        found = query(spelled)
        assert (found.topic, found.has_counterpart, bool(found.advice)) == (topic, False, True)
