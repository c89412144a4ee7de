"""``hipify-py query``: what the tables say about names, headers and libraries, and what differs between two signatures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipify_py.cli import main
from hipify_py.mapping import MappingTable, Support
from hipify_py.mapping.libraries import LIBRARIES, library
from hipify_py.mapping.signatures import Side, arguments, signature
from hipify_py.report.names import UnknownNameError, answer, rule
from hipify_py.settings import Version


@pytest.fixture(scope="module")
def tables() -> MappingTable:
    return MappingTable.load()


@pytest.mark.parametrize(("name", "lines"), [
    ("cudaMalloc", ["cudaMalloc -> hipMalloc", "  header: <hip/hip_runtime.h>", "  since: HIP 5.2 or older",
                    "  CUDA signature: cudaError_t cudaMalloc(void **devPtr, size_t size)",
                    "  HIP signature: hipError_t hipMalloc(void **ptr, size_t size)", "  rule: HPY101"]),
    ("::cublasSgemm", ["cublasSgemm -> hipblasSgemm", "  library: cuBLAS (function)", "  header: <hipblas/hipblas.h>",
                       "  in ROCm's own library: rocblas_sgemm (--target-libraries roc)"]),
    ("cudaGraphInstantiate", ["    3 arguments: hipGraphInstantiateWithFlags({0}, {1}, {2})", "    5 arguments instead of 3",
                              "  rule: HPY203"]),
    ("threadIdx", ["threadIdx -> threadIdx", "  rule: HPY202"]),
    ("__shfl_down_sync", ["  rule: HPY302"]),
    ("__ldcg", ["__ldcg: no name in HIP, written in another way", "    1 arguments: (*({0}))", "  rule: HPY211"]),
    ("cub::BlockReduce", ["cub::BlockReduce -> hipcub::BlockReduce"]),
    ("cub::detail::choose", ["cub::detail::choose -> hipcub::detail::choose"]),
    ("thrust::cuda::par", ["thrust::cuda::par -> thrust::hip::par"]),
    ("<cublas_v2.h>", ["<cublas_v2.h> -> <hipblas/hipblas.h>"]),
    ('"cuda_runtime.h"', ["<cuda_runtime.h> -> <hip/hip_runtime.h>"]),
    ("#include <curand_kernel.h>", ["<curand_kernel.h> -> <hiprand/hiprand_kernel.h>"]),
    ("hipMallocManaged", ["hipMallocManaged: a HIP name, the counterpart of cuMemAllocManaged, cudaMallocManaged"]),
])
def test_answers(tables: MappingTable, name: str, lines: list[str]) -> None:
    found = answer(tables, name)
    assert found.has_counterpart
    text = found.text().splitlines()
    assert [line for line in lines if line not in text] == []


@pytest.mark.parametrize("name", ["cudaGraphConditionalHandleCreate", "cuda::std::atomic", "nvcuda::wmma::unheard_of", "nvml.h",
                                  "CUPTI", "cuptiActivityEnable"])
def test_no_counterpart(tables: MappingTable, name: str) -> None:
    found = answer(tables, name)
    assert not found.has_counterpart
    assert "no counterpart" in found.text()


@pytest.mark.parametrize(("name", "near"), [
    ("cudaMallc", "near: cudaMalloc,"), ("CUDAMALLOC", "near: cudaMalloc,"), ("cublass", "cublas"), ("\udcff", "in no table"),
    ("", "an empty name"), ("std::vector", "in no table"), ("my.h", "in no table"), ("::", "an empty name"),
])
def test_unknown(tables: MappingTable, name: str, near: str) -> None:
    with pytest.raises(UnknownNameError, match=near) as error:
        answer(tables, name)
    assert "\n" not in str(error.value)


def test_the_version_that_is_asked_for(tables: MappingTable) -> None:
    late = answer(tables, "__float2bfloat16", Version(5, 4))
    assert not late.has_counterpart
    assert "  missing: HIP 5.4 does not have it" in late.text()
    assert answer(tables, "__float2bfloat16", Version(7, 0)).has_counterpart
    assert answer(tables, "cudaMalloc", Version(4, 0)).has_counterpart  # 5.2 stands for everything older, too


@pytest.mark.parametrize("name", ["cuBLAS", "blas", "CUBLAS", "hipblas", "rocBLAS"])
def test_a_library_by_any_of_its_names(tables: MappingTable, name: str) -> None:
    found = answer(tables, name)
    assert found.what == "library"
    rows = [row for row in map(tables.lookup, tables) if row is not None and row.library == "blas"]
    without = sum(row.support is Support.NO for row in rows)
    head, *rest = found.text().splitlines()
    assert head.startswith(f"cuBLAS -> hipBLAS or rocBLAS: {len(rows)} names")
    assert head.endswith(f"{without} without")
    assert "    cublasSgemm -> hipblasSgemm" in rest
    assert "    <cublas_v2.h> -> <hipblas/hipblas.h>" in rest


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


def test_arguments_of_a_signature() -> None:
    assert arguments("int f(void)") == ["void"]
    assert arguments("int f()") == []
    assert arguments("T f(std::pair<int, int> a, void (*g)(int, int), char b[2] = ...)") == [
        "std::pair<int, int> a", "void (*g)(int, int)", "char b[2] = ..."]


def test_equal_signatures_do_not_differ(tables: MappingTable) -> None:
    for name in ("cudaMemcpyAsync", "cudaStreamCreateWithFlags", "cublasDgemm", "cufftExecC2C", "cusolverDnDpotrf",
                 "cusparseSpMV", "curandGenerateUniform", "cuModuleGetFunction", "nvrtcCompileProgram", "ncclAllReduce"):
        assert "differs" not in dict(answer(tables, name).facts), answer(tables, name).text()
    differs = dict(answer(tables, "cudaMemPrefetchAsync").facts)["differs"]
    assert "argument 3: `int device` instead of `struct cudaMemLocation location`" in differs


def test_rules_are_codes(tables: MappingTable) -> None:
    from hipify_py.codes import CODES

    assert {rule(row) for row in map(tables.lookup, tables) if row is not None} <= set(CODES)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.csv").write_text("cuda,hip\nmyAlloc,myHipAlloc\n")
    assert main(["query", "myAlloc", "--mapping", str(tmp_path / "own.csv"), "--format", "json"]) == 0
    [record] = json.loads(capsys.readouterr().out)
    assert (record["name"], record["hip"], record["library"]) == ("myAlloc", "myHipAlloc", "a table of your own (function)")
    assert main(["query", "cublasSgemm", "--target-libraries", "roc"]) == 0
    assert capsys.readouterr().out.startswith("cublasSgemm -> rocblas_sgemm\n")
    assert main(["query", "cudaMalloc", "cuptiActivityEnable"]) == 1
    assert main(["query", "__float2bfloat16", "--rocm", "5.4"]) == 1
    capsys.readouterr()
    for wrong in (["nonsense"], ["cudaMalloc", "--rocm", "six"], ["cudaMalloc", "--mapping", "none.csv"],
                  ["cudaFree", "nonsense"]):
        assert main(["query", *wrong]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("hipify-py: error: ")
        assert err.count("\n") == 1


def test_a_library_without_a_table_answers_by_its_spelling(tables: MappingTable) -> None:
    name = answer(tables, "nppiFilterBox_8u_C1R")
    assert name.text().startswith("nppiFilterBox_8u_C1R: no counterpart in HIP\n  library: NPP (by its spelling")
    assert (name.what, name.has_counterpart) == ("name", False)
    header = answer(tables, "<optix_stubs.h>")
    assert header.text().startswith("<optix_stubs.h>: no counterpart in HIP\n  library: OptiX ")
    assert header.what == "header"
