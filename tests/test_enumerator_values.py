"""HPY310: numbers of enumerators that differ in HIP."""

from __future__ import annotations

import pytest

from tests.rewrites import codes, hip, run

REPORTED = [
    ("int op = CUBLAS_OP_N;", "`HIPBLAS_OP_N` is 111, `CUBLAS_OP_N` is 0"),
    ("int op{CUBLAS_OP_N};", "111"),
    ("g((int)CUBLAS_OP_T);", "`HIPBLAS_OP_T` is 112"),
    ("g(static_cast<int>(CUBLAS_OP_T));", "112"),
    ("g(int(CUSOLVER_EIG_MODE_VECTOR));", "202"),
    ("if (CUBLAS_OP_N == 0) g(1);", "111"),
    ("if (1 != CUBLAS_OP_T) g(1);", "112"),
    ("cublasOperation_t t = (cublasOperation_t)1;", "a `hipblasOperation_t` is made from a number"),
    ("cublasOperation_t t = static_cast<cublasOperation_t>(n);", "`CUBLAS_OP_N` is 0, `HIPBLAS_OP_N` is 111"),
    ("for (int i = 1; i < 9; i++) cudaDeviceGetAttribute(&n, (cudaDeviceAttr)i, 0);", "`hipDeviceAttribute_t` is made"),
    ("h((cublasFillMode_t)(n + 1));", "hipblasFillMode_t"),
]
NO_OPS = [
    "cublasOperation_t t = CUBLAS_OP_N;",
    "h(CUBLAS_OP_N);",
    "if (t == CUBLAS_OP_N) g(1);",
    "switch (t) { case CUBLAS_OP_N: break; }",
    "cublasOperation_t t = (cublasOperation_t)CUBLAS_OP_N;",
    "cublasOperation_t s; g((cublasOperation_t)s);",
    "int k = cudaMemcpyHostToDevice;",                         # the same number
    "h((cudaMemcpyKind)1);",
    "int e = cudaSuccess; h((cudaError_t)e);",                 # two odd numbers of a hundred
    "size_t s = sizeof(cublasOperation_t);",
    "mine::CUBLAS_OP_N == 0;",
    "// int op = CUBLAS_OP_N;",
]


@pytest.mark.parametrize(("text", "words"), REPORTED)
def test_reported(text, words):
    result = run(f"void g(int); void f(int n) {{ {text} }}\n")
    found = [each for each in result.diagnostics if each.code == "HPY310"]
    assert len(found) == 1
    assert words in found[0].message
    assert found[0].severity.value == "warning"


@pytest.mark.parametrize("text", NO_OPS)
def test_no_ops(text):
    assert "HPY310" not in codes(run(f"void g(int); void f() {{ {text} }}\n"))


def test_the_name_is_renamed_all_the_same():
    assert hip("int op = CUBLAS_OP_N;") == "int op = HIPBLAS_OP_N;"
    assert hip("auto t = (cublasOperation_t)1;") == "auto t = (hipblasOperation_t)1;"


def test_the_persons_own_name():
    assert "HPY310" not in codes(run("namespace mine { enum { CUBLAS_OP_N }; int x = CUBLAS_OP_N; }\n"))
