"""Names by their looks, and what the source itself declares as far as tokens show."""

from __future__ import annotations

import time

import pytest
from hypothesis import given

from hipify_py.lexer import lex
from hipify_py.names import is_member_access, lexical_scopes, looks_like_cuda, may_be_declared, qualifier, seems_declared
from tests.fragments import cuda_like


@pytest.mark.parametrize("name", [
    "cudaMalloc", "cudaError_t", "cuMemAlloc_v2", "cuStreamCreate", "cublasSgemm", "cublas_handle", "cufftExecC2C", "cudnnCreate",
    "__cudaRegisterFunction", "__nv_bfloat16", "nv_bfloat162",
    "__CUDACC__", "__NVCC__", "ncclAllReduce", "nvrtcCompileProgram", "cusolverDnCreate", "CUdevResource", "CU_NEW_FLAG",
    "CUDA_ERROR_NEW", "CUDNN_STATUS_NEW", "nvVideoDecode", "nppiFilter_8u_C1R", "nvshmem_init", "OptixResult", "NVJPEG_CHROMA",
])
def test_looks_like_cuda(name) -> None:
    assert looks_like_cuda(name.encode())


@pytest.mark.parametrize("name", [
    "cuda", "cudatoolkit", "cudamalloc", "customer", "current", "cut", "cuFoo", "curandom", "culling", "accumulate", "hipMalloc",
    "CUDA", "USE_CUDA", "CU_", "CUT_OFF", "CUB", "nvcc", "nvPoints", "optics", "nppl",
    "useCudaMalloc", "cu", "cube_Size", "MY_CUDA_VERSION", "cupy", "float4", "x", "",
])
def test_does_not_look_like_cuda(name) -> None:
    assert not looks_like_cuda(name.encode())


def place(code: str, name: str = "NAME") -> tuple:
    tokens = lex(code.encode())
    return tokens, next(index for index in range(len(tokens)) if tokens.name(index) == name.encode())


@pytest.mark.parametrize("code", [
    "int NAME;", "int NAME = 1;", "float *NAME = 0;", "void f(int NAME) {}", "void f(int NAME, int b) {}", "auto NAME = 1;",
    "T NAME(1);", "T NAME{1};", "int NAME[3];", "struct NAME {};", "class NAME : public B {};", "enum NAME { A };",
    "struct NAME;", "using NAME = int;", "#define NAME 1\n", "#undef NAME\n", "std::vector<int> NAME;",
    "std::vector<int> NAME(3);",
    "std::map<int, float> NAME = {};", "const T &NAME = x;",
    "void f(T &NAME);", "void f(int a, T &NAME) {}", "S(T &NAME) : a(NAME) {}", "std::vector<std::vector<int>> NAME;",
    "void NAME(int);", "int NAME : 3;", "for (int NAME : list) {}", "float *__restrict__ NAME;", "const char **NAME;",
    "typedef struct { int a; } NAME;", "typedef enum kind : int { A } NAME;", "struct __align__(8) s { int a; } NAME = {1};",
    "static const struct { int a; } NAME[] = {{1}};", "union u { int a; } NAME, *other;",
])
def test_declared(code) -> None:
    assert seems_declared(*place(code))


@pytest.mark.parametrize("code", [
    "NAME(a);", "return NAME;", "return NAME(a);", "x = NAME;", "f(NAME);", "f(a, NAME);", "auto x = a * NAME;", "a > NAME(b);",
    "if (a > NAME(b)) {}", "x = a > NAME;", "case NAME:", "else NAME(a);", "NAME x;", "const NAME x;", "static NAME x;",
    "static NAME (*pointer)(int);", "typedef NAME (*pointer)(int);", "void f(const NAME);", "throw NAME(a);", "sizeof(NAME)",
    "x->NAME(a);", "NAME", "operator NAME()", "do NAME(a); while (b);", "new NAME(a)", "using ::NAME;", "if (a & NAME) {",
    "class B : public NAME {", "(NAME)0;", "f(a & NAME);", "x = a && NAME(b);", "extern NAME x;", "#ifdef NAME\n", "goto NAME;",
    "a < b && c > NAME(d);",
    "void f() { int a; } NAME;", "struct s { int a; } NAME();", "if (a) { b(); } NAME = 1;",
    "int a[] = {1}, b = 2; { } NAME[0] = 1;",
])
def test_not_declared(code) -> None:
    assert not seems_declared(*place(code))


@pytest.mark.parametrize(("code", "found"), [
    ("a.NAME", True), ("a->NAME", True), ("a . /* c */ NAME", True), ("{.NAME = 1}", True), ("this->NAME", True),
    ("NAME", False), ("a::NAME", False), ("f(a...NAME", False), ("1. NAME", False),
])
def test_member(code, found) -> None:
    assert is_member_access(*place(code)) is found


@pytest.mark.parametrize(("code", "expected"), [
    ("NAME", None), ("::NAME", b""), ("mine::NAME", b"mine"), ("a::mine :: NAME", b"mine"), ("return ::NAME", b""),
    ("const ::NAME x", b""), ("f(::NAME)", b""), ("T<a>::NAME", b">"), ("using ::NAME;", b""), ("x = ::NAME", b""),
    ("struct ::NAME x", b""), ("; ::NAME(x)", b""), ("mi\\\nne::NAME", b"mine"),
])
def test_qualifier(code, expected) -> None:
    assert qualifier(*place(code)) == expected


@pytest.mark.parametrize(("code", "expected"), [
    ("void f() { int NAME; NAME = 1; } NAME", "NAME; NAME = 1; "),
    ("void f(dim3 NAME) { NAME.x; } NAME", "NAME) { NAME.x; "),
    ("void f(dim3 NAME); NAME", None),
    ("int NAME; NAME", None),
    ("void f() { { int NAME; { NAME; } } NAME; }", "NAME; { NAME; } "),
    ("void f() { NAME(a); }", None),
    ("void f() { int NAME; { int NAME; } }", "NAME; { int NAME; } "),
    ("struct S { S(int NAME) : a(NAME) { NAME; } };", "NAME) : a(NAME) { NAME; "),
    ("void f() { int NAME;", None),
    ("if (flags & NAME) { NAME; }", None),
    ("while (f(flags * NAME)) { NAME; }", None),
    ("void f(T &NAME) { NAME; }", "NAME) { NAME; "),
    ("auto l = [](int NAME) { return NAME; };", "NAME) { return NAME; "),
])
def test_lexical_scopes(code, expected) -> None:
    tokens = lex(code.encode())
    found = [tokens.data[tokens.start(first) : tokens.start(end)].decode() for first, end in lexical_scopes(tokens, b"NAME")]
    assert found == ([] if expected is None else [expected])


@given(cuda_like())
def test_nothing_raises(data) -> None:
    tokens = lex(data)
    for index in tokens.identifiers():
        seems_declared(tokens, index)
        is_member_access(tokens, index)
        qualifier(tokens, index)
        assert all(first < end for first, end in lexical_scopes(tokens, tokens.name(index)))


@pytest.mark.parametrize("piece", [b"{int cudaX;", b"int cudaX;", b"a > cudaX(1), ", b"* cudaX;", b"f(int cudaX){", b"cudaX;{}",
                                   b"void f(int cudaX){}"], ids=repr)
def test_hostile_input_takes_linear_time(piece) -> None:
    def spent(size: int) -> float:
        tokens = lex(piece * (size // len(piece)))
        started = time.process_time()
        lexical_scopes(tokens, b"cudaX")
        return time.process_time() - started

    assert min(spent(160_000) for _ in range(2)) < 64 * max(min(spent(10_000) for _ in range(2)), 0.002)


def test_looks_is_linear_on_a_long_name() -> None:
    started = time.process_time()
    assert not looks_like_cuda(b"cuAa" + b"A" * 200_000 + b"$")
    assert time.process_time() - started < 2


DECLARES = [
    b"int NAME;", b"int *NAME = 0;", b"int a, NAME;", b"enum { A, NAME };", b"enum { NAME = 1 };", b"void f(int NAME);",
    b"int (*NAME)(int);", b"auto [NAME, b] = c;", b"template <class NAME> void f();", b"std::vector<int> NAME;",
    b"#define NAME 1\n", b"using NAME = int;", b"struct NAME { };", b"int NAME[3];", b"T &&NAME = x;", b"using a::NAME;",
    b"for (int NAME : x) ;", b"int NAME{3};", b"typedef int NAME;", b"int NAME(int);",
]
CANNOT = [
    b"NAME(p);", b"return NAME;", b"x = NAME;", b"f(NAME, 1);", b"f(a, NAME);", b"f(a, NAME(b));", b"a.NAME = 1;",
    b"NAME x;", b"const NAME &x = y;", b"static NAME *x;", b"ok = ok && NAME(p) == 0;", b"if (NAME(p)) ;", b"case NAME:",
    b"NAME.x", b"a * NAME.x;", b"template <class T>\nNAME f();", b"!NAME;", b"a == NAME ? b : c;", b"(NAME)x;",
    b"#include <x>\nNAME x;",
]


@pytest.mark.parametrize("text", DECLARES)
def test_may_be_declared(text: bytes) -> None:
    tokens = lex(text)
    assert may_be_declared(tokens, tokens.index_at(text.index(b"NAME")))


@pytest.mark.parametrize("text", CANNOT)
def test_cannot_be_declared(text: bytes) -> None:
    tokens = lex(text)
    assert not may_be_declared(tokens, tokens.index_at(text.index(b"NAME")))


def test_a_block_of_a_linkage_is_no_scope() -> None:
    tokens = lex(b'extern "C" { int NAME(int a) { return 0; } }')
    assert lexical_scopes(tokens, b"NAME") == []
    tokens = lex(b'extern "C" { int f() { int NAME = 0; return NAME; } }')
    assert len(lexical_scopes(tokens, b"NAME")) == 1
