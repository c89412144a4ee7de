"""Cache hints become plain accesses, other intrinsics plain C++; each argument stays where it is."""

from __future__ import annotations

import pytest

from tests.rewrites import codes, hip, run


@pytest.mark.parametrize(("before", "after"), [
    ("x = __ldcs(p);", "x = (*(p));"),
    ("x = __ldcg(p + i) + __ldca(&p[3]);", "x = (*(p + i)) + (*(&p[3]));"),
    ("x = __ldlu(__ldcs(q));", "x = (*((*(q))));"),
    ("x = __ldcv(p);", "x = __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);"),
    ("__stcs(p, x);", "(*(p) = (x));"),
    ("__stwt(p + f(1, 2), a < b ? a : b);", "(*(p + f(1, 2)) = (a < b ? a : b));"),
    ("if (x) __stcg(p, threadIdx.x); else __stwb(p,1);", "if (x) (*(p) = (hipThreadIdx_x)); else (*(p) = (1));"),
    ("__stcs(/* to */ p, // what\n x);", "(*(/* to */ p) = (// what\n x));"),
])
def test_cache_hints(before: str, after: str) -> None:
    source = "__global__ void k(float *p, float **q, float x, float a, float b, int i) {{ {} }}\n"
    assert hip(source.format(before)) == source.format(after)
    assert codes(run(source.format(before), verify=False)) == []


@pytest.mark.parametrize(("before", "after"), [
    ("u = umin(u, 3);", "u = min(static_cast<unsigned int>(u), static_cast<unsigned int>(3));"),
    ("l = llmax(l, u);", "l = max(static_cast<long long>(l), static_cast<long long>(u));"),
    ("float umax = 2; f(umax);", "float umax = 2; f(umax);"),
    ("x = s.umin(1, 2) + mine::umin(3, 4);", "x = s.umin(1, 2) + mine::umin(3, 4);"),
])
def test_the_least_and_greatest_of_one_type(before: str, after: str) -> None:
    source = "__global__ void k(unsigned u, long long l) {{ {} }}\n"
    assert hip(source.format(before)) == source.format(after)
    assert codes(run(source.format(before), verify=False)) == []


def test_in_a_macro() -> None:
    assert hip("#define LOAD(p) \\\n    __ldcs(p)\n") == "#define LOAD(p) \\\n    (*(p))\n"


@pytest.mark.parametrize("source", [
    "__global__ void k(const float *p, float x) { x = __ldg(p); }\n",
    "__global__ void k(S s, float *p) { s.__ldcs(p); }\n",
    "template <class T> __device__ T __ldcs(const T *p) { return *p; }\n__global__ void k(float *p) { p[1] = __ldcs(p); }\n",
    "// __ldcs(p)\n",
    "const char *s = \"__ldcs(p)\";\n",
])
def test_kept(source: str) -> None:
    assert hip(source) == source


@pytest.mark.parametrize("text", ["__ldcs(p, 2)", "__ldcs()", "f(__ldcs)"])
def test_what_is_no_such_call_is_reported(text: str) -> None:
    assert codes(run(f"__global__ void k(float *p) {{ {text}; }}\n")) == ["HPY401"]


@pytest.mark.parametrize(("before", "after"), [
    ("__nanosleep(100);", "((void)(100), __builtin_amdgcn_s_sleep(1));"),
    ("__brkpt();", "__builtin_debugtrap();"),
    ("__brkpt( );", "__builtin_debugtrap();"),
    ("i = __isShared(p);", "i = (unsigned int)__builtin_amdgcn_is_shared((const __attribute__((address_space(0))) void *)(p));"),
    ("__pipeline_memcpy_async(p, p + 4, 16);", "__builtin_memcpy(p, p + 4, 16);"),
    ("__pipeline_memcpy_async(p, p + 4, 16, 4);",
     "([](void *d, const void *s, size_t n, size_t z) { __builtin_memcpy(d, s, n - z); "
     "__builtin_memset((char *)d + (n - z), 0, z); }(p, p + 4, 16, 4));"),
    ("__pipeline_commit(); __pipeline_wait_prior(0);", "((void)0); ((void)(0));"),
])
def test_other_intrinsics(before: str, after: str) -> None:
    source = "__global__ void k(float *p, int i) {{ {} }}\n"
    assert hip(source.format(before)) == source.format(after)
    assert codes(run(source.format(before), verify=False)) == []


def test_intrinsics_compile(compile_hip) -> None:
    compile_hip(run("#include <cuda_pipeline.h>\n"
                    "__global__ void k(float *p, int i) { __shared__ float s[8]; __nanosleep(100); "
                    "__brkpt(); i = __isShared(p) + __isGlobal(p) + __isLocal(p); __pipeline_memcpy_async(s, p, 16, 4); "
                    "__pipeline_memcpy_async(s + 4, p, 16); __pipeline_commit(); __pipeline_wait_prior(0); "
                    "p[8] = s[i]; }\n").text)


@pytest.mark.parametrize("name", ["__pipeline_arrive_on(p)", "__prof_trigger(0)", "__cvta_generic_to_shared(p)", "__brkpt(1)"])
def test_what_has_no_counterpart_is_reported(name: str) -> None:
    assert "HPY401" in codes(run(f"__global__ void k() {{ {name}; }}\n"))


@pytest.mark.parametrize(("before", "after"), [
    ("__floats2bfloat162_rn(a, b)", "__halves2bfloat162(__float2bfloat16(a), __float2bfloat16(b))"),
    ("make_bfloat162(a, b)", "__halves2bfloat162(a, b)"),
])
def test_small_functions_that_hip_lacks(before: str, after: str) -> None:
    assert hip(f"__global__ void k() {{ f({before}); }}\n") == f"__global__ void k() {{ f({after}); }}\n"


def test_own_minimum_stays() -> None:
    source = "__device__ int umin(int a, int b) { return a < b ? a : b; }\n__global__ void k(int *v) { v[0] = umin(v[1], 2); }\n"
    assert hip(source) == source
