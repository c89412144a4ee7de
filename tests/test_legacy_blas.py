"""HPY219: calls of cuBLAS's first interface."""

from __future__ import annotations

import pytest

from hipify_py.engine import translate
from tests.rewrites import codes

REPORTED = ["cublasSscal(n, 2.f, x, 1);", "float r = cublasSnrm2(n, x, 1);", "cublasSaxpy(n, 2.f, x, 1, x, 1);",
            "cublasSgemm('n', 'n', n, n, n, 1.f, x, n, x, n, 0.f, x, n);"]
NO_OPS = ["cublasSscal(h, n, &a, x, 1);", "cublasSetVector(n, 4, x, 1, x, 1);", "s.cublasSscal(n, 2.f, x, 1);",
          "mine::cublasSscal(1);"]


def found(header: str, text: str) -> list[str]:
    return codes(translate(f"#include <{header}>\nvoid f(int n, float *x) {{ {text} }}\n".encode(), filename="a.cu"))


@pytest.mark.parametrize("text", REPORTED)
def test_reported(text: str) -> None:
    assert "HPY219" in found("cublas.h", text)


@pytest.mark.parametrize("text", NO_OPS)
def test_no_ops(text: str) -> None:
    assert "HPY219" not in found("cublas.h", text)


@pytest.mark.parametrize("text", REPORTED)
def test_the_second_interface_is_no_matter(text: str) -> None:
    assert "HPY219" not in found("cublas_v2.h", text)
