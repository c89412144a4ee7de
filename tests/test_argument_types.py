"""HPY214: calls whose HIP function takes another type."""

from __future__ import annotations

import pytest

from hipify_py.call_forms import load as call_forms
from hipify_py.mapping import MappingTable, Support
from hipify_py.mapping.differences import load
from tests.rewrites import codes, hip, lines, run

REPORTED = [
    ("cublasHgemm(ALL_OF_THEM);", "argument 7 is `hipblasHalf const*`"),
    ("int n; cusparseScsr2gebsr_bufferSize(h, d, 1, 1, a, v, r, c, 4, 4, &n);", "argument 11 is `size_t*` in place of `int*`"),
    ("const float *s; cusparseSpVV_bufferSize(h, o, x, y, s, t, &n);", "argument 5 is `void*` in place of `void const*`"),
    ("const char *const *n; nvrtcCreateProgram(&p, s, 0, 1, n, 0);", "argument 5 is `char const**`"),
    ("cublasHgemm_64(h, t, t, 1, 1, 1, al, a, 1, b, 1, be, c, 1);", "argument 7 is `hipblasHalf const*`"),
]
NO_OPS = [
    "float *s; cusparseSpVV_bufferSize(h, o, x, y, s, t, &n);",            # no const is lost
    "float *const s = 0; cusparseSpVV_bufferSize(h, o, x, y, s, t, &n);",
    "cusparseSpVV_bufferSize(h, o, x, y, unknown, t, &n);",                # nobody knows
    "const char *n[1]; nvrtcCreateProgram(&p, s, 0, 1, n, n);",
    "cuMemcpyHtoD(d, unknown, 4);",                                        # written anew by another rule
    "cuMemcpyHtoD_mine(d, s, 4);",
    "int n; s.cusparseScsr2gebsr_bufferSize(h, d, 1, 1, a, v, r, c, 4, 4, &n);",
    "int n; mine::cusparseScsr2gebsr_bufferSize(h, d, 1, 1, a, v, r, c, 4, 4, &n);",
    "auto p = &cuMemcpyDtoH;",
    "cusolverDnSgesvd_bufferSize(h, 1, 1, &n);",
    "// cusparseScsr2gebsr_bufferSize(h, d, 1, 1, a, v, r, c, 4, 4, &n);",
    'puts("cublasHgemm(h)");',
]


@pytest.mark.parametrize(("text", "words"), REPORTED)
def test_reported(text, words):
    result = run(f"void f() {{ {text} }}\n")
    found = [each for each in result.diagnostics if each.code == "HPY214"]
    assert len(found) == 1
    assert words in found[0].message
    assert found[0].severity.value == "note"


@pytest.mark.parametrize("text", NO_OPS)
def test_no_ops(text):
    assert "HPY214" not in codes(run(f"void f() {{ {text} }}\n"))


def test_told_once_and_still_renamed():
    call = "cublasHgemm(h, t, t, 1, 1, 1, al, a, 1, b, 1, be, c, 1);\n"
    result = run(f"void f() {{\n{call}{call}}}\n")
    assert lines(result, "HPY214") == [2]
    assert result.text.decode().count("hipblasHgemm(h, t, t, ") == 2
    own = "void f() { auto cublasHgemm = [](int) {}; cublasHgemm(1); }"
    assert hip(own) == own
    assert "HPY214" not in codes(run(own))


def test_a_const_that_hip_lacks_is_cast_away_in_each_call():
    text = ("void f(cublasHandle_t h, const float *const *a, float *const *b, const int *p, float **c, int *info) {\n"
            "    cublasSgetriBatched(h, 4, a, 4, p, c, 4, info, 1);\n"
            "    cublasSgetriBatched(h, 4, b, 4, nullptr, c, 4, info, 1);\n"
            "    cublasSgetriBatched(h, 4, (const float *const *)c, 4, nullptr, c, 4, info, 1);\n}\n")
    result = run(text)
    body = result.text.decode()
    assert "hipblasSgetriBatched(h, 4, const_cast<float*const*>(a), 4, const_cast<int*>(p), c, 4, info, 1);" in body
    assert "hipblasSgetriBatched(h, 4, b, 4, nullptr, c, 4, info, 1);" in body
    assert "const_cast<float*const*>((const float *const *)c)" in body
    assert lines(result, "HPY214") == [2]
    assert "a cast was written" in next(each.message for each in result.diagnostics if each.code == "HPY214")


def test_types_of_the_same_bits_are_cast():
    body = hip("void f(cublasHandle_t h, __half *x, __half one) {\n"
               "    cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, x, 4, x, 4, nullptr, x, 4);\n}\n")
    assert "4, 4, 4, (hipblasHalf const*)(&one), (hipblasHalf const*)(x), 4, " in body
    assert "(hipblasHalf const*)(nullptr), (hipblasHalf*)(x), 4);" in body


def test_const_counts_level_by_level():
    body = hip("void f(cublasHandle_t h, double *d, int *i) {\n"
               "    cublasDgetrsBatched(h, CUBLAS_OP_N, 4, 1, (const double **)&d, 4, nullptr, &d, 4, i, 1);\n}\n")
    assert "const_cast<double*const*>((const double **)&d), 4, nullptr, &d" in body


def test_c_casts_as_c_does():
    body = hip("void f(const float *const *a) { cublasSgetriBatched(0, 4, a, 4, 0, 0, 4, 0, 1); }", "input.c")
    assert "hipblasSgetriBatched(0, 4, (float*const*)(a), 4" in body


def test_every_function_that_differs_has_an_answer():
    """A row of differences.csv is told: by a call form, by this rule, or because the table calls the signature changed."""
    table, forms = MappingTable.load(), call_forms()
    functions = {name for name, known in load().items()
                 if any(each.what.partition(" ")[0] in ("argument", "result") for each in known)}
    assert len(functions) > 40
    for name in functions:
        mapping = table.lookup(name)
        assert mapping is not None and mapping.hip, name
        if name in forms or mapping.support is Support.CHANGED:
            continue
        given = ", ".join("constant" for _ in range(20))
        result = run(f"void f(const char *const *const *constant) {{ {name.decode()}({given}); }}\n")
        assert "HPY214" in codes(result), name
