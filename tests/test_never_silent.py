"""Nothing CUDA passes silently: a name that is left has a diagnostic, and the checker of that is no rubber stamp."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from hipify_py.edits import EditSet
from hipify_py.engine import Translation, translate
from hipify_py.settings import Settings
from hipify_py.source import SourceFile
from tests.conftest import GOLDEN, KERNELS
from tests.fragments import cuda_like
from tests.leftovers import leftovers

SOURCES = [*sorted(KERNELS.glob("*/kernel.cu")), *sorted(GOLDEN.glob("**/*.cu"))]
TOKENS = Settings(semantics=False, verify=False)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.stem}")
@pytest.mark.parametrize("options", [Settings(), Settings(unsafe_fixes=True), Settings(target_libraries="roc"), TOKENS],
                         ids=["default", "unsafe", "roc", "tokens"])
def test_every_cuda_name_is_answered(path, options) -> None:
    assert leftovers(translate(path.read_bytes(), filename=str(path), settings=options), options) == []


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cuda_like())
def test_every_cuda_name_of_a_fragment_is_answered(source) -> None:
    assert leftovers(translate(source, filename="a.cu", settings=TOKENS), TOKENS) == []


def untouched(source: bytes) -> Translation:
    return Translation(SourceFile("a.cu", source), source, EditSet(), ())


@pytest.mark.parametrize(("source", "names"), [
    (b"void f() { cudaFree(p); }", [b"cudaFree"]),
    (b"#include <cuda_runtime.h>\n#include <cublas_v2.h>\n", [b"cuda_runtime.h", b"cublas_v2.h"]),
    (b"#define FREE(p) cudaFree(p)\n#if 0\ncudaMalloc(&p, 1);\n#endif\n", [b"cudaFree", b"cudaMalloc"]),
    (b"cudaNotInAnyTable(1);", [b"cudaNotInAnyTable"]),
    (b"::cudaFree(p); auto e = cudaErrorUnknown;", [b"cudaFree", b"cudaErrorUnknown"]),
    (b"// cudaFree\nauto s = \"cudaFree\";\n#error cudaFree\n", []),
    (b"s.cudaSuccess; mine::cudaFree(p);", []),
    (b"#ifdef __HIP_PLATFORM_AMD__\nhipFree(p);\n#else\ncudaFree(p);\n#endif\n", []),
    (b"hipFree(p); __syncthreads(); float4 v;", []),
])
def test_the_checker_sees_what_a_translation_leaves(source, names) -> None:
    assert [each.name for each in leftovers(untouched(source), TOKENS)] == names
