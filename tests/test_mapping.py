"""The mapping tables: their shape, their vocabularies, and names that were once wrong."""

import csv
import re
from pathlib import Path

import pytest

import hipify_py.mapping
from hipify_py.clang.declared import Declaration
from hipify_py.mapping import Kind, MappingTable, Support
from hipify_py.mapping.public import verdict
from hipify_py.mapping.records import COLUMNS, HEADER_COLUMNS
from hipify_py.mapping.renaming import candidates
from hipify_py.mapping.verdicts import Report, Version, check_row, compare_arities, find_counterpart

FOLDER = Path(hipify_py.mapping.__file__).parent
LIBRARIES = sorted(
    path.stem for path in FOLDER.glob("*.csv") if path.read_text(encoding="utf-8").splitlines()[0] == ",".join(COLUMNS)
)


def rows_of(stem):
    with (FOLDER / f"{stem}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def table():
    return MappingTable.load()


@pytest.mark.parametrize("library", LIBRARIES)
class TestEachTable:
    def test_is_sorted_and_unique(self, library):
        names = [row["cuda"] for row in rows_of(library)]
        assert names == sorted(set(names))

    def test_uses_the_closed_vocabularies(self, library):
        for row in rows_of(library):
            assert row["kind"] in {kind.value for kind in Kind}, row
            assert row["support"] in {support.value for support in Support}, row
            assert re.fullmatch(r"(\d+\.\d+)?", row["hip_since"]), row

    def test_has_a_hip_name_exactly_where_it_is_supported(self, library):
        for row in rows_of(library):
            assert bool(row["hip"]) == (row["support"] != "no"), row
            assert row["hip"] or not row["hip_since"], row

    def test_leaves_no_cuda_in_hip_names(self, library):
        for row in rows_of(library):
            assert not re.match(r"cuda[A-Z_]|CUDA|cu[A-Z]|CU_|nvrtc|NVRTC|curand|cublas|cufft|cusparse", row["hip"]), (
                row
            )

    def test_is_read_without_a_csv_parser_as_with_one(self, library, table):
        for row in rows_of(library):
            mapping = table.lookup(row["cuda"].encode())
            assert mapping is not None
            read = mapping._asdict() | {"support": mapping.support.value}
            assert read == row | {"library": library}

    def test_says_its_advice_on_one_line(self, library):
        for row in rows_of(library):
            assert len(row["advice"]) < 160, row
            assert row["advice"] == row["advice"].strip(), row


def test_no_name_is_in_two_tables():
    names = [row["cuda"] for library in LIBRARIES for row in rows_of(library)]
    assert len(names) == len(set(names)) == len(MappingTable.load())


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("cudaMalloc", "hipMalloc"),
        ("cudaHostAlloc", "hipHostMalloc"),
        ("cudaMallocHost", "hipHostMalloc"),
        ("cudaFreeHost", "hipHostFree"),
        ("cudaHostAllocMapped", "hipHostMallocMapped"),
        ("cudaHostAllocPortable", "hipHostMallocPortable"),
        ("cudaThreadSynchronize", "hipDeviceSynchronize"),
        ("cudaThreadExit", "hipDeviceReset"),
        ("CUDA_SUCCESS", "hipSuccess"),
        ("cudaSuccess", "hipSuccess"),
        ("CUresult", "hipError_t"),
        ("cudaError_t", "hipError_t"),
        ("CUdeviceptr", "hipDeviceptr_t"),
        ("cuMemAlloc", "hipMalloc"),
        ("cuMemAlloc_v2", "hipMalloc"),
        ("cudaDeviceProp", "hipDeviceProp_t"),
        ("cublasCreate_v2", "hipblasCreate"),
        ("cublasSgemm", "hipblasSgemm"),
        ("cublasSgemm_v2", "hipblasSgemm"),
        ("CUBLAS_OP_T", "HIPBLAS_OP_T"),
        ("CUDA_R_16F", "HIP_R_16F"),
        ("curand_init", "hiprand_init"),
        ("cufftExecC2C", "hipfftExecC2C"),
        ("cusparseCreate", "hipsparseCreate"),
        ("nvrtcGetPTX", "hiprtcGetCode"),
        ("nvtxRangePushA", "roctxRangePushA"),
        ("nvtxRangePop", "roctxRangePop"),
        ("ncclAllReduce", "ncclAllReduce"),
        ("__nv_bfloat16", "__hip_bfloat16"),
        ("half", "half"),
        ("__half2", "__half2"),
        ("sin", "sin"),
        ("__sinf", "__sinf"),
        ("float4", "float4"),
        ("make_float4", "make_float4"),
        ("atomicAdd", "atomicAdd"),
        ("__shfl", "__shfl"),
        ("__syncthreads", "__syncthreads"),
        ("threadIdx", "threadIdx"),
        ("cuComplex", "hipComplex"),
        ("cuCmulf", "hipCmulf"),
        ("thrust::cuda::par", "thrust::hip::par"),
    ],
)
def test_known_names(table, cuda, hip):
    mapping = table.lookup(cuda.encode())
    assert mapping is not None
    assert mapping.hip == hip
    assert mapping.support is Support.YES
    assert cuda.encode() in table


@pytest.mark.parametrize(
    "cuda",
    [
        "__ldcs",
        "cudnnCreate",
        "nvmlInit",
        "cuptiSubscribe",
        "cuda::atomic",
        "nvcuda::wmma::fragment",
        "cublasXtSgemm",
        "cuMemcpyPeer",
        "cublasInit",
        "cudaGetExportTable",
        "__grid_constant__",
        "__ldca",
        "atomicAdd_block",
    ],
)
def test_names_without_a_counterpart(table, cuda):
    mapping = table.lookup(cuda.encode())
    assert mapping is not None
    assert mapping.support is Support.NO
    assert mapping.hip == ""


@pytest.mark.parametrize(
    "cuda", ["cudaGraphInstantiate", "__shfl_down_sync", "__ballot_sync", "__syncwarp", "CUDA_VERSION"]
)
def test_names_that_take_other_arguments(table, cuda):
    mapping = table.lookup(cuda.encode())
    assert mapping.support is Support.CHANGED
    assert mapping.advice


@pytest.mark.parametrize("name", [b"saturate", b"any", b"main", b"x", b"hipMalloc", b"std", b"printf_like", b""])
def test_other_names_are_unknown(table, name):
    assert table.lookup(name) is None
    assert name not in table


def test_a_lookup_is_made_once(table):
    assert table.lookup(b"cudaMemcpy") is table.lookup(b"cudaMemcpy")
    assert MappingTable.load() is MappingTable.load("hip")


def test_roc_names_on_demand(table):
    mapping = table.lookup(b"cublasSgemm")
    assert mapping.hip == "hipblasSgemm"
    roc = MappingTable.load("roc")
    assert roc.lookup(b"cublasSgemm").hip == "rocblas_sgemm"
    for name in (b"cudaMalloc", b"cudaStream_t", b"CUDA_R_32F", b"__half", b"cufftExecC2C"):
        assert roc.lookup(name) == table.lookup(name)
    changed = roc.lookup(b"cublasGemmEx")
    assert (changed.hip, changed.support, changed.advice) == (
        "rocblas_gemm_ex", Support.CHANGED, "24 arguments instead of 19")
    lost = roc.lookup(b"cusolverDnSgetrf_bufferSize")
    assert (lost.hip, lost.support) == ("", Support.NO)
    assert lost.advice == ("rocSOLVER does not have it; `hipsolverDnSgetrf_bufferSize` is of the portable library, for "
                           "`--target-libraries hip`")
    assert roc.lookup(b"cudnnCreate").hip == "miopenCreate"
    assert roc.header(b"cublas_v2.h").hip == "rocblas/rocblas.h"
    with pytest.raises(ValueError, match="`hip` or `roc`"):
        MappingTable.load("amd")


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("cuda_runtime.h", "hip/hip_runtime.h"),
        ("cuda.h", "hip/hip_runtime.h"),
        ("cuda_runtime_api.h", "hip/hip_runtime_api.h"),
        ("device_launch_parameters.h", "hip/hip_runtime.h"),
        ("math_constants.h", "hip/hip_math_constants.h"),
        ("cublas_v2.h", "hipblas/hipblas.h"),
        ("cublasLt.h", "hipblaslt/hipblaslt.h"),
        ("cusparse.h", "hipsparse/hipsparse.h"),
        ("curand.h", "hiprand/hiprand.h"),
        ("curand_kernel.h", "hiprand/hiprand_kernel.h"),
        ("cufft.h", "hipfft/hipfft.h"),
        ("cusolverDn.h", "hipsolver/hipsolver.h"),
        ("nvrtc.h", "hip/hiprtc.h"),
        ("cub/cub.cuh", "hipcub/hipcub.hpp"),
        ("cub/device/device_reduce.cuh", "hipcub/hipcub.hpp"),
        ("nccl.h", "rccl/rccl.h"),
        ("cuda_fp16.h", "hip/hip_fp16.h"),
        ("cuda_bf16.h", "hip/hip_bf16.h"),
        ("cuda_fp8.h", "hip/hip_fp8.h"),
        ("cuComplex.h", "hip/hip_complex.h"),
        ("cooperative_groups.h", "hip/hip_cooperative_groups.h"),
        ("nvToolsExt.h", "roctracer/roctx.h"),
        ("nvtx3/nvToolsExt.h", "roctracer/roctx.h"),
        ("thrust/system/cuda/execution_policy.h", "thrust/system/hip/execution_policy.h"),
    ],
)
def test_headers(table, cuda, hip):
    header = table.header(cuda.encode())
    assert (header.cuda, header.hip, header.support) == (cuda, hip, Support.YES)


@pytest.mark.parametrize(
    "cuda",
    [
        "mma.h",
        "cuda_occupancy.h",
        "cuda/std/atomic",
        "cuda/barrier",
        "cutlass/gemm/device/gemm.h",
        "cudnn.h",
        "nvml.h",
        "cute/tensor.hpp",
        "thrust/system/cuda/detail/util.h",
    ],
)
def test_headers_without_a_counterpart(table, cuda):
    header = table.header(cuda.encode())
    assert (header.hip, header.support) == ("", Support.NO)


@pytest.mark.parametrize("name", [b"stdio.h", b"thrust/device_vector.h", b"my/cub.h", b"hip/hip_runtime.h", b"cub"])
def test_other_headers_are_unknown(table, name):
    assert table.header(name) is None


def test_main_headers(table):
    assert all(table.header(name).main for name in (b"cuda.h", b"cuda_runtime.h", b"device_launch_parameters.h"))
    assert not any(table.header(name).main for name in (b"cublas_v2.h", b"curand.h", b"cub/cub.cuh"))


def test_the_table_of_headers():
    rows = rows_of("headers")
    names = [row["cuda"] for row in rows]
    assert names == sorted(set(names))
    for row in rows:
        assert tuple(row) == HEADER_COLUMNS
        assert row["main"] in ("yes", "no")
        assert bool(row["hip"]) == (row["support"] != "no"), row
        assert not row["hip"] or "/" in row["hip"], f"{row['hip']} lacks its folder"


def row_for(cuda, hip="", kind="function", since=""):
    support = "yes" if hip else "no"
    return dict.fromkeys(COLUMNS, "") | {"cuda": cuda, "hip": hip, "kind": kind, "support": support, "hip_since": since}


def function(*arities):
    return Declaration(Kind.FUNCTION, {"usr/include/hip/hip_runtime_api.h"}, set(arities))


OLD = Version("5.2", {"hipA": function((1, 1)), "hipGone": function((1, 1))}, first=True)
NEW = Version("6.4", {"hipA": function((1, 1)), "hipNew": function((2, 3))}, first=False)


@pytest.mark.parametrize(
    ("hip", "since", "expected", "expected_since"),
    [
        ("hipA", "", "hipA", "5.2"),
        ("hipNew", "", "hipNew", "6.4"),
        ("hipNew", "6.1", "hipNew", "6.1"),
        ("hipNew", "5.2", "hipNew", "6.4"),
        ("hipGone", "5.2", "", ""),
        ("hipNever", "6.0", "", ""),
        ("hipLater", "7.0", "hipLater", "7.0"),
    ],
)
def test_check_row(hip, since, expected, expected_since):
    row = row_for("cudaX", hip, since=since)
    check_row(row, "runtime", [OLD, NEW], Report())
    assert (row["hip"], row["hip_since"], row["support"]) == (expected, expected_since, "yes" if expected else "no")


def test_arities_decide_whether_the_signature_changed():
    row = row_for("cudaNew", "hipNew")
    compare_arities(row, NEW.names, {"cudaNew": function((4, 4))}, Report())
    assert row["support"] == "changed-signature"
    row = row_for("cudaNew", "hipNew")
    compare_arities(row, NEW.names, {"cudaNew": function((3, 3), (4, 4))}, Report())
    assert row["support"] == "yes"
    assert row["advice"] == "CUDA's takes 3 or 4 arguments, HIP's 3"


def test_counterparts_need_as_many_arguments():
    row = row_for("cudaNew")
    find_counterpart(row, "runtime", NEW, {"cudaNew": function((4, 4))}, Report())
    assert row["hip"] == ""
    find_counterpart(row, "runtime", NEW, {"cudaNew": function((2, 2))}, Report())
    assert (row["hip"], row["hip_since"]) == ("hipNew", "6.4")


def test_candidates():
    assert next(candidates("cublasSgemm")) == "hipblasSgemm"
    assert "hipEventRecordDefault" in candidates("CU_EVENT_RECORD_DEFAULT")
    assert "hipMemcpyPeer" not in candidates("cuMemcpyPeer")


@pytest.mark.parametrize(("header", "name", "table"), [
    ("cuda.h", "cuMemAlloc", "driver"),
    ("cublas_v2.h", "cublasSgemm", "blas"),
    ("sm_30_intrinsics.h", "__shfl_sync", "device"),
    ("crt/math_functions.h", "sinf", "device"),
    ("cudaTypedefs.h", "PFN_cuMemAlloc", "driver"),
    ("cuda_fp16.h", "__internal_float2half", ""),
    ("curand_kernel.h", "MRG32K3A_MOD1", ""),
    ("cufftw.h", "fftw_plan", ""),
])
def test_public_names(header, name, table):
    found = verdict(header, name)
    assert found.table == table
    assert bool(found.reason) != bool(found.table)

