"""Cache hints become plain accesses; each argument stays where it is."""

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


@pytest.mark.parametrize("name", ["__dp4a(1, 2, 3)", "__vsubss4(1, 2)", "__vabsdiffu4(1, 2)", "__nanosleep(100)", "__brkpt()"])
def test_what_has_no_counterpart_is_reported(name: str) -> None:
    assert "HPY401" in codes(run(f"__global__ void k() {{ {name}; }}\n"))
