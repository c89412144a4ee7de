"""Copies of CUDA's headers, in an SDK or a tree, are CUDA's; what a person wrote under such a name stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.engine import Translation, translate
from hipify_py.mapping import MappingTable
from hipify_py.own_headers import is_copy, is_cudas, is_nvidias
from hipify_py.settings import Settings
from tests.rewrites import codes

#: As NVIDIA's headers begin, in several times of theirs.
HEADS = [
    b"/*\n * Copyright 1993-2023 NVIDIA Corporation.  All rights reserved.\n */\n",
    b"/*****\n * Copyright (c) 2011, Somebody Else.  All rights reserved.\n"
    b" * Copyright (c) 2011-2018, NVIDIA CORPORATION.  All rights reserved.\n */\n",
    b"// SPDX-FileCopyrightText: Copyright (c) 2023 NVIDIA CORPORATION & AFFILIATES.\n",
]
PROGRAM = b"""#include "cub/cub.cuh"
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
__global__ void k() { typedef cub::BlockReduce<int, 32> sum; }
int f(cudaStream_t *s) {
  nvtxRangePushA("a");
  return cudaStreamCreateWithFlags(s, cudaStreamNonBlocking) == cudaSuccess;
}
"""
HIP = b"""#include "hipcub/hipcub.hpp"
#include <hip/hip_runtime.h>
#include <roctracer/roctx.h>
__global__ void k() { typedef hipcub::BlockReduce<int, 32> sum; }
int f(hipStream_t *s) {
  roctxRangePushA("a");
  return hipStreamCreateWithFlags(s, hipStreamNonBlocking) == hipSuccess;
}
"""


def put(folder: Path, name: str, text: bytes) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(text)


def program(folder: Path, source: bytes = PROGRAM, **settings: object) -> Translation:
    return translate(source, filename=str(folder / "a.cu"), settings=Settings(**settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("head", HEADS, ids=["runtime", "cub", "spdx"])
@pytest.mark.parametrize("semantics", [True, False])
def test_a_copy_beside_the_source_is_replaced_and_it_is_said(tmp_path, head, semantics) -> None:
    put(tmp_path, "cub/cub.cuh", head + b"namespace cub { template <typename T, int N> struct BlockReduce {}; }\n")
    result = program(tmp_path, semantics=semantics, verify=semantics)
    assert result.text == HIP
    [said] = [each for each in result.diagnostics if each.code == "HPY118"]
    assert "`hipcub/hipcub.hpp` took its place" in said.message


def test_an_sdk_on_the_include_path_changes_nothing(tmp_path) -> None:
    sdk = tmp_path / "sdk" / "include"
    put(sdk, "cuda_runtime.h", HEADS[0] + b"#include \"cuda_runtime_api.h\"\n")
    put(sdk, "cuda_runtime_api.h", HEADS[0] + b"typedef struct CUstream_st *cudaStream_t;\nenum { cudaStreamNonBlocking = 1 };\n"
        b"enum cudaError { cudaSuccess };\nextern \"C\" enum cudaError cudaStreamCreateWithFlags(cudaStream_t *s, unsigned f);\n")
    put(sdk, "cub/cub.cuh", HEADS[1] + b"namespace cub { template <typename T, int N> struct BlockReduce {}; }\n")
    put(sdk, "nvtx3/nvToolsExt.h", HEADS[2] + b"extern \"C\" int nvtxRangePushA(const char *);\n")
    source = PROGRAM.replace(b'"cub/cub.cuh"', b"<cub/cub.cuh>")
    expected = program(tmp_path, source)
    for settings in ({"include_dirs": (str(sdk),)}, {"clang_args": (f"-I{sdk}",)}, {"clang_args": ("-isystem", str(sdk))},
                     {"include_dirs": (str(sdk),), "semantics": False, "verify": False}):
        result = program(tmp_path, source, **settings)
        assert result.text == expected.text == HIP.replace(b'"hipcub/hipcub.hpp"', b"<hipcub/hipcub.hpp>")
        assert codes(result) == codes(expected)


def test_a_copy_is_known_below_other_folders(tmp_path) -> None:
    put(tmp_path, "third_party/nvtx3/nvToolsExt.h", HEADS[2] + b"extern \"C\" int nvtxRangePushA(const char *);\n")
    source = b"#include \"third_party/nvtx3/nvToolsExt.h\"\nvoid f() { nvtxRangePushA(\"a\"); }\n"
    result = program(tmp_path, source)
    assert result.text == b"#include \"roctracer/roctx.h\"\nvoid f() { roctxRangePushA(\"a\"); }\n"
    assert codes(result) == ["HPY118"]


def test_a_copy_without_counterpart_is_an_error(tmp_path) -> None:
    put(tmp_path, "cuda/atomic", HEADS[2])
    put(tmp_path, "nppi_filters.h", HEADS[0])
    result = program(tmp_path, b"#include \"cuda/atomic\"\n#include \"nppi_filters.h\"\n")
    assert codes(result) == ["HPY402", "HPY402"]


@pytest.mark.parametrize("head", [b"", b"// Written by somebody who likes NVIDIA.\n", b"// Copyright 2020 Somebody\n"])
def test_a_header_of_ones_own_stays(tmp_path, head) -> None:
    put(tmp_path, "cuda.h", head + b"#include <cuda_runtime.h>\n")
    source = b"#include <hip/hip_runtime.h>\n#include \"cuda.h\"\n"
    assert program(tmp_path, source).text == source
    assert codes(program(tmp_path, source)) == []


def test_a_sample_header_of_nvidias_is_no_copy_of_cudas(tmp_path) -> None:
    put(tmp_path, "helper_cuda.h", HEADS[0] + b"#define checkCudaErrors(x) x\n")
    source = b"#include <hip/hip_runtime.h>\n#include \"helper_cuda.h\"\nvoid f() { checkCudaErrors(1); }\n"
    assert program(tmp_path, source).text == source


def test_the_pieces(tmp_path) -> None:
    table = MappingTable.load()
    assert is_cudas(table, b"a/b/cub/cub.cuh")
    assert not is_cudas(table, b"a/b/mine.cuh")
    assert not is_nvidias(b" " * 5000 + HEADS[0])
    assert not is_copy(table, b"cuda.h", tmp_path / "none")


OWN_CUB = b"#pragma once\nnamespace cub { template <typename T, int N> struct BlockReduce {}; }\n"


@pytest.mark.parametrize("semantics", [True, False])
@pytest.mark.parametrize("source", [
    b"#include \"cub/cub.cuh\"\n#include <hip/hip_runtime.h>\n__global__ void k() { cub::BlockReduce<int, 32> a; }\n",
    b"#include \"cub/cub.cuh\"\n#include <hip/hip_runtime.h>\nnamespace c = cub;\n__global__ void k() { "
    b"c::BlockReduce<int, 32> a; ::cub::BlockReduce<int, 2> b; }\n",
])
def test_a_header_of_ones_own_keeps_its_namespace(tmp_path, source, semantics) -> None:
    put(tmp_path, "cub/cub.cuh", OWN_CUB)
    result = program(tmp_path, source, semantics=semantics, verify=semantics)
    assert result.text == source
    [said] = [each for each in result.diagnostics if each.code == "HPY118"]
    assert "`cub::` is declared by a header of your own, `cub/cub.cuh`" in said.message


def test_so_does_that_header_itself(tmp_path) -> None:
    own = OWN_CUB + b"inline cub::BlockReduce<int, 2> sum;\n"
    assert translate(own, filename=str(tmp_path / "cub" / "cub.cuh")).text == own


@pytest.mark.parametrize(("name", "text"), [
    ("cub/cub.cuh", b"#include <cub/block/block_reduce.cuh>\n"),   # leads to CUB
    ("traits.cuh", b"namespace cub { template <> struct Traits<int> {}; }\n"),   # adds to CUB
])
def test_other_headers_leave_the_namespace_to_cuda(tmp_path, name, text) -> None:
    put(tmp_path, name, text)
    source = b"#include \"%s\"\n__global__ void k() { cub::BlockReduce<int, 32> a; }\n" % name.encode()
    result = program(tmp_path, source)
    assert b"hipcub::BlockReduce<int, 32> a;" in result.text
    assert "HPY118" not in codes(result)


def test_a_copy_of_a_header_that_hip_has_by_the_same_name_is_told(tmp_path) -> None:
    put(tmp_path, "thrust/sort.h", HEADS[0])
    result = program(tmp_path, b"#include \"thrust/sort.h\"\n")
    assert codes(result) == ["HPY118"]
    assert "HIP's has the same name" in result.diagnostics[0].message
    put(tmp_path, "thrust/sort.h", b"int a;\n")
    assert codes(program(tmp_path, b"#include \"thrust/sort.h\"\n")) == []
