"""The tables against real headers: every public name of CUDA is in one. It needs the headers, and counts.

``HIPIFY_CUDA_INCLUDES`` names folders of CUDA headers (as the wheels of PyPI unpack), with the path separator between
them: CUDA 12.9's and 13.0's. docs/api-support.md says how to get them.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from hipify_py.mapping import MappingTable
from hipify_py.mapping.public import UNDECIDED, public_headers, verdict, verdicts

INCLUDES = [Path(each) for each in os.environ.get("HIPIFY_CUDA_INCLUDES", "").split(os.pathsep) if each]
#: A header of each library whose names have to be there in full, and one that a table without it would lack.
REQUIRED = {
    "cuda_runtime_api.h": "cudaMalloc", "cuda.h": "cuInit", "nvrtc.h": "nvrtcVersion", "cublas_v2.h": "cublasCreate_v2",
    "cufft.h": "cufftPlan1d", "curand.h": "curandCreateGenerator", "curand_kernel.h": "curand_init",
    "cusparse.h": "cusparseCreate", "cusolverDn.h": "cusolverDnCreate", "cudnn.h": "cudnnCreate",
    "nccl.h": "ncclAllReduce", "nvtx3/nvToolsExt.h": "nvtxRangePushA",
    # Beyond what has to be complete:
    "cublasLt.h": "cublasLtMatmul", "cublasXt.h": "cublasXtCreate", "cufftXt.h": "cufftXtSetGPUs",
    "cusolverMg.h": "cusolverMgCreate", "cusolverRf.h": "cusolverRfCreate", "cusolverSp.h": "cusolverSpCreate",
    "cuComplex.h": "cuCmulf", "cuda_fp16.h": "__float2half", "cuda_bf16.h": "__float2bfloat16",
    "cuda_fp8.h": "__nv_cvt_float_to_fp8", "cooperative_groups.h": "cooperative_groups::this_grid",
    "cuda_pipeline.h": "__pipeline_commit", "mma.h": "nvcuda::wmma::mma_sync", "nvml.h": "nvmlInit_v2",
    "cupti.h": "cuptiSubscribe",
}


@pytest.fixture(scope="module", params=INCLUDES or [None], ids=lambda each: each.parent.name if each else "none")
def read(request):
    """The folder, and what its headers declare."""
    if request.param is None:
        pytest.skip("HIPIFY_CUDA_INCLUDES names no folders of CUDA headers")
    from hipify_py.clang.declared import cuda_installation
    from hipify_py.mapping.header_lists import ALONE

    return request.param, cuda_installation(request.param, public_headers(request.param), ALONE).read()


def test_every_public_name_is_in_a_table(read):
    include, names = read
    table = MappingTable.load()
    counted, missing, left_out = Counter(), defaultdict(list), defaultdict(list)
    for name, found in verdicts(names, include):
        if found.table:
            counted[found.table] += 1
            if name.encode() not in table:
                missing[found.table].append(name)
        else:
            left_out[found.reason].append(name)
    print(f"\n{include}: {sum(counted.values())} public names: " + ", ".join(f"{key} {n}" for key, n in sorted(counted.items())))
    for reason, excluded in sorted(left_out.items()):
        print(f"  left out, {reason}: {len(excluded)}, such as {', '.join(sorted(excluded)[:5])}")
    assert not left_out[UNDECIDED]
    assert not missing
    # A definition of "public" that leaves a library out would pass the lines above.
    wanted = "runtime driver rtc blas fft rand sparse solver dnn nccl nvtx device low_precision complex nvml cupti wmma"
    assert all(counted[each] > 20 for each in wanted.split())


def test_every_library_was_read(read):
    include, names = read
    for header, name in REQUIRED.items():
        assert (include / header).exists(), f"{include} has no {header}: unpack that wheel, too"
        assert name in names, f"{header} was not read"
        assert any(verdict(str(Path(file).relative_to(include)), name).table for file in names[name].files
                   if Path(file).is_relative_to(include)), name


def test_few_names_are_left_out_for_a_reason_that_is_ours(read):
    """Guards, other people's names and underscores aside, what is left out has to be a handful."""
    include, names = read
    ours = [name for name, found in verdicts(names, include)
            if found.reason.startswith(("a word of everybody's", "internal: a macro"))]
    assert len(ours) < 40, sorted(ours)


def test_a_table_with_a_hole_would_be_seen(read):
    """The count fails where a name is missing: it is not in the nature of the test to pass."""
    include, names = read
    assert any(found.table and name == "cudaMalloc" for name, found in verdicts(names, include))
    assert verdict("cuda_runtime_api.h", "cudaNoSuchName").table == "runtime"
    assert b"cudaNoSuchName" not in MappingTable.load()
