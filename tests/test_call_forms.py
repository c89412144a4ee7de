"""Calls that HIP spells with other arguments, and arithmetic on the driver's pointers."""

from __future__ import annotations

import csv
from importlib import resources

import pytest

from hipify_py import call_forms
from hipify_py.call_forms import COLUMNS, Slot, as_c, load, parse_row, parse_stencil
from hipify_py.engine import translate
from hipify_py.mapping import MappingTable
from hipify_py.settings import Settings, Version

PLAIN = Settings(verify=False, semantics=False)
PRELUDE = "#include <hip/hip_runtime.h>\n"


def run(source: str, filename: str = "a.cu", settings: Settings = PLAIN) -> tuple[str, list[str]]:
    """The translated text, and the codes of the diagnostics, by place."""
    result = translate((PRELUDE + source).encode(), filename=filename, settings=settings)
    return result.text.decode().removeprefix(PRELUDE), [each.code for each in result.diagnostics]


@pytest.mark.parametrize(("before", "after"), [
    ("cudaMemcpyToSymbol(w, h, 4);", "hipMemcpyToSymbol(HIP_SYMBOL(w), h, 4);"),
    ("cudaMemcpyToSymbol( w /* a */ ,\n  h, 4);", "hipMemcpyToSymbol( HIP_SYMBOL(w) /* a */ ,\n  h, 4);"),
    ("::cudaMemcpyToSymbol(ns::w, h, 4);", "::hipMemcpyToSymbol(HIP_SYMBOL(ns::w), h, 4);"),
    ("cudaMemcpyToSymbol(t<A, 2>, h, 4);", "hipMemcpyToSymbol(HIP_SYMBOL((t<A, 2>)), h, 4);"),
    ("cudaMemcpyToSymbolAsync(w, h, 4, 0, cudaMemcpyHostToDevice, s);",
     "hipMemcpyToSymbolAsync(HIP_SYMBOL(w), h, 4, 0, hipMemcpyHostToDevice, s);"),
    ("cudaMemcpyToSymbolAsync(w, h, 4);", "hipMemcpyToSymbolAsync(HIP_SYMBOL(w), h, 4, 0, hipMemcpyHostToDevice);"),
    ("cudaMemcpyFromSymbol(h, w, 4);", "hipMemcpyFromSymbol(h, HIP_SYMBOL(w), 4);"),
    ("cudaGetSymbolAddress((void **)&p, w);", "hipGetSymbolAddress((void **)&p, HIP_SYMBOL(w));"),
    ("cudaGetSymbolSize(&n, w);", "hipGetSymbolSize(&n, HIP_SYMBOL(w));"),
    ("#define UP(s, ...) cudaMemcpyToSymbol(s, __VA_ARGS__)", "#define UP(s, ...) hipMemcpyToSymbol(HIP_SYMBOL(s), __VA_ARGS__)"),
    ("CHECK(cudaMemcpyToSymbol(w, h, 4)); x();", "CHECK(hipMemcpyToSymbol(HIP_SYMBOL(w), h, 4)); x();"),
    ("cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);",
     "hipFuncSetCacheConfig(reinterpret_cast<const void*>(k), hipFuncCachePreferL1);"),
    ("cudaFuncSetAttribute(k<2, T>, cudaFuncAttributeMaxDynamicSharedMemorySize, 9);",
     "hipFuncSetAttribute(reinterpret_cast<const void*>(k<2, T>), hipFuncAttributeMaxDynamicSharedMemorySize, 9);"),
    ("cudaFuncSetAttribute<void(int)>(k, a, 9);", "hipFuncSetAttribute(reinterpret_cast<const void*>(k), a, 9);"),
    ("cudaFuncGetAttributes(&a, (const void *)k);", "hipFuncGetAttributes(&a, (const void *)k);"),
    ("cudaLaunchKernel(&k, g, b, args);", "hipLaunchKernel(reinterpret_cast<const void*>(&k), g, b, args);"),
    ("cudaLaunchCooperativeKernel(k, g, b, args);", "hipLaunchCooperativeKernel(k, g, b, args, 0, 0);"),
    ("cudaGraphInstantiate(&e, g);", "hipGraphInstantiate(&e, g, nullptr, nullptr, 0);"),
    ("cudaGraphInstantiate(&e, g, flags());", "hipGraphInstantiateWithFlags(&e, g, flags());"),
    ("cudaGraphInstantiate(&e, g, NULL, NULL, 0);", "hipGraphInstantiate(&e, g, NULL, NULL, 0);"),
    ("cudaEventCreate(&e);", "hipEventCreate(&e);"),
    ("cudaEventCreate(&e, cudaEventDisableTiming);", "hipEventCreateWithFlags(&e, hipEventDisableTiming);"),
    ("cudaStreamWaitEvent(s, e);", "hipStreamWaitEvent(s, e, 0);"),
    ("cudaMemPrefetchAsync(p, n, 0, s);", "hipMemPrefetchAsync(p, n, 0, s);"),
    ("cudaMemLocation at; cudaMemPrefetchAsync(p, n, at, 0, s);", "hipMemLocation at; hipMemPrefetchAsync(p, n, at.id, s);"),
    ("cudaMemPrefetchAsync(p, n, {cudaMemLocationTypeHost, 0}, 0, s);", "hipMemPrefetchAsync(p, n, hipCpuDeviceId, s);"),
    ("cudaMemAdvise(p, n, a, cudaMemLocation{cudaMemLocationTypeHost, 0});", "hipMemAdvise(p, n, a, hipCpuDeviceId);"),
    ("cudaFuncSetAttribute((void *)k, a, cudaSharedmemCarveoutMaxShared);", "hipFuncSetAttribute((void *)k, a, 100);"),
    ("cudaFuncSetCacheConfig((void (*)(int *, int))k, c);",
     "hipFuncSetCacheConfig(reinterpret_cast<const void*>((void (*)(int *, int))k), c);"),
    ("#define CARVEOUT cudaSharedmemCarveoutDefault\n", "#define CARVEOUT -1\n"),
    ("cudaMemPrefetchAsync(p, n, {cudaMemLocationTypeDevice, d}, 0, s);", "hipMemPrefetchAsync(p, n, d, s);"),
    ("cudaMemAdvise(p, n, cudaMemAdviseSetReadMostly, {.type = cudaMemLocationTypeDevice, .id = 3});",
     "hipMemAdvise(p, n, hipMemAdviseSetReadMostly, 3);"),
    ("cudaGraphAddDependencies(g, a, b, nullptr /* e */, 1);", "hipGraphAddDependencies(g, a, b,  /* e */ 1);"),
    ("cudaGraphNodeGetDependencies(n, d, // d\n  e, // e\n  &k);", "hipGraphNodeGetDependencies(n, d, // d\n   // e\n  &k);"),
    ("cudaStreamGetCaptureInfo(s, &t, &i, &g, &d, &e, &n);", "hipStreamGetCaptureInfo_v2(s, &t, &i, &g, &d, &n);"),
    ("cudaMallocPitch(&p, &n, 1, 2);", "hipMallocPitch(reinterpret_cast<void**>(&p), &n, 1, 2);"),
    ("f(cudaMallocHost);", "f(hipMallocHost);"),
    ("cuCtxCreate(&c, nullptr, 0, d);", "hipCtxCreate(&c, 0, d);"),
    ("cuCtxCreate(&c, 0, d);", "hipCtxCreate(&c, 0, d);"),
    ("void f(const float *h) { cuMemcpyHtoD(d, h + 2, 4); }", "void f(const float *h) { hipMemcpyHtoD(d, (void*)(h + 2), 4); }"),
    ("void f(float *h) { cuMemcpyHtoD(d, h, 4); }", "void f(float *h) { hipMemcpyHtoD(d, h, 4); }"),
    ("cuMemcpy(d, s, 4);", "hipMemcpy(d, s, 4, hipMemcpyDefault);"),
    ("int i = __bfloat162int_rn(b[1] + b[2]);", "int i = __float2int_rn(__bfloat162float(b[1] + b[2]));"),
    ("unsigned u = __bfloat162uint_rz(b);", "unsigned u = static_cast<unsigned int>(__bfloat162float(b));"),
    ("b = __short2bfloat16_rn(s);", "b = __float2bfloat16(static_cast<float>(s));"),
    ("auto v = make_bfloat162(a, b);", "auto v = __halves2bfloat162(a, b);"),
    ("u = __nv_atomic_load_n(p, __NV_ATOMIC_RELAXED);", "u = __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);"),
    ("__nv_atomic_store_n(p, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);",
     "__hip_atomic_store(p, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);"),
    ("__nv_atomic_sub(p, a + b, __NV_ATOMIC_SEQ_CST);",
     "__hip_atomic_fetch_add(p, -(a + b), __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM);"),
    ("__nv_atomic_compare_exchange_n(p, &e, 3, true, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);",
     "__hip_atomic_compare_exchange_strong(p, &e, 3, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);"),
    ("__nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);", "__threadfence_block();"),
    ("if (cuGetErrorString(r, &s) != CUDA_SUCCESS) x();", "if ((s = hipGetErrorString(r), hipSuccess) != hipSuccess) x();"),
])
def test_rewritten(before: str, after: str) -> None:
    text, codes = run(before)
    assert text == after
    assert "HPY901" not in codes
    assert run(after)[0] == after


@pytest.mark.parametrize("source", [
    "hipMemcpyToSymbol(HIP_SYMBOL(w), h, 4);",
    "mine::cudaMemcpyToSymbol(w, h, 4);",
    "s.cudaEventCreate(&e, 1);",
    "// cudaMemcpyToSymbol(w, h, 4)\n",
    'puts("cudaFuncSetAttribute(k, a, 1)");',
    "struct S { int cudaGraphInstantiate; };",
])
def test_left_alone(source: str) -> None:
    assert run(source)[0] == source


@pytest.mark.parametrize(("source", "text"), [
    ("cudaGraphInstantiate(__VA_ARGS__);", "hipGraphInstantiate(__VA_ARGS__);"),
    ("cudaGraphExecUpdate(e, g, &info);", "hipGraphExecUpdate(e, g, &info);"),
    ("cudaMemPrefetchAsync(p, n, where(), 0, s);", "hipMemPrefetchAsync(p, n, where().id, s);"),
    ('cudaMemcpyToSymbol("w", h, 4);', 'hipMemcpyToSymbol("w", h, 4);'),
])
def test_reported(source: str, text: str) -> None:
    assert run(source) == (text, ["HPY204"])


def test_c_gets_no_cplusplus() -> None:
    assert run("cudaFuncSetCacheConfig(k, c);", "a.c")[0] == "hipFuncSetCacheConfig((const void*)(k), c);"
    assert run("cudaMallocHost(&p, n);", "a.c")[0] == "hipHostMalloc(&p, n, 0);"
    assert as_c("reinterpret_cast<const void*>(x), nullptr") == "(const void*)(x), NULL"


def test_a_newer_hip_needs_less() -> None:
    newer = Settings(verify=False, semantics=False, rocm=Version(6, 0))
    assert run("cuGetErrorString(r, &s);", settings=newer)[0] == "hipDrvGetErrorString(r, &s);"


@pytest.mark.parametrize(("before", "after"), [
    ("o = base + i * each;", "o = (hipDeviceptr_t)((char*)base + i * each);"),
    ("o = i * each + base;", "o = (hipDeviceptr_t)(i * each + (char*)base);"),
    ("base += n;", "base = (hipDeviceptr_t)((char*)base + n);"),
    ("base -= n + 1;", "base = (hipDeviceptr_t)((char*)base - (n + 1));"),
    ("f(base + 4, n);", "f((hipDeviceptr_t)((char*)base + 4), n);"),
    ("size_t d = base - other;", "size_t d = (uintptr_t)base - (uintptr_t)other;"),
    ("f(base - other);", "f((char*)base - (char*)other);"),
    ("if (base % 256) f();", "if ((uintptr_t)base % 256) f();"),
    ("base = (base + 255) & ~(CUdeviceptr)255;",
     "base = (hipDeviceptr_t)(((uintptr_t)base + 255) & ~(uintptr_t)255);"),
    ("v[0] = v[1] + n;", "v[0] = (hipDeviceptr_t)((char*)v[1] + n);"),
    ("size_t a = base;", "size_t a = (uintptr_t)base;"),
    ('printf("%llx", base);', 'printf("%llx", (unsigned long long)base);'),
    ("size_t a = static_cast<size_t>(base);", "size_t a = reinterpret_cast<size_t>(base);"),
])
def test_device_pointers(before: str, after: str) -> None:
    declared = "void g(CUdeviceptr base, CUdeviceptr other, CUdeviceptr *v, size_t n) {\n"
    translated = declared.replace("CUdeviceptr", "hipDeviceptr_t")
    assert run(declared + before + "}")[0] == translated + after + "}"
    assert run(translated + after + "}")[0] == translated + after + "}"


@pytest.mark.parametrize("body", [
    "if (base == 0 || !base || base < other) f();", "f(&base);", "auto p = (float*)base + 1;", "v = v + 1;", "s->n = n + 1;",
    "int k = n + n;", "f(base, n + 1);",
])
def test_other_arithmetic_stays(body: str) -> None:
    declared = "void g(CUdeviceptr base, CUdeviceptr other, CUdeviceptr *v, size_t n) {\n"
    assert run(declared + body + "}")[0] == declared.replace("CUdeviceptr", "hipDeviceptr_t") + body + "}"


def test_the_nearest_declaration_decides() -> None:
    source = "void f(CUdeviceptr p) { g(p); }\nint h(int p) { return p + 1; }"
    assert run(source)[0].endswith("int h(int p) { return p + 1; }")


def test_an_increment_is_reported() -> None:
    assert run("void f(CUdeviceptr p) { p++; }")[1] == ["HPY209"]


def test_the_table_is_whole() -> None:
    text = resources.files("hipify_py.mapping").joinpath("call_forms.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert tuple(rows[0]) == COLUMNS
    assert all(None not in row and None not in row.values() for row in rows)
    table = MappingTable.load()
    known = {mapping.hip for name in table if (mapping := table.lookup(name)) is not None}
    rocm = {mapping.roc for name in table if (mapping := table.lookup(name)) is not None}
    newer = {"hipMallocHost", "hipStreamGetCaptureInfo_v2", "hipMemcpy", "hipMemcpyAsync"}
    for name, forms in load().items():
        assert name in table, name
        for form in forms:
            if form.stencil is not None and form.stencil.name:
                roc = any(each.test is call_forms.Test.ROC and not each.negated for each in form.when)
                assert form.stencil.name in (rocm if roc else known | newer), form.stencil.name


def test_stencils() -> None:
    assert parse_stencil("hipX").slots is None
    assert parse_stencil("hipX()").slots == ()
    assert parse_stencil("hipX<>(f<a, b>({0}), {2:})").drops_template
    assert parse_stencil("hipX({0}, {2[1]}, {1})").slots == (Slot("", 0), Slot("", 2, False, 1), Slot("", 1))
    assert not parse_stencil("hipX({1}, {0})").in_order
    for wrong in ("hipX({0} + {1})", "1 2"):
        with pytest.raises(ValueError, match="`"):
            parse_stencil(wrong)


@pytest.mark.parametrize("change", [{"count": "some"}, {"hip": "", "note": ""}, {"when": "0:colour"}])
def test_a_wrong_row_is_refused(change: dict[str, str]) -> None:
    row = {"cuda": "cudaX", "count": "1", "when": "", "hip": "hipX", "since": "", "until": "", "note": "", **change}
    with pytest.raises(ValueError):
        parse_row(row)


def test_arguments_may_change_places(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"cuda": "cudaFree", "count": "2", "when": "", "hip": "hipFree({1}, {0})", "since": "", "until": "", "note": ""}
    monkeypatch.setattr("hipify_py.rules.call_forms.load", lambda: {b"cudaFree": (parse_row(row),)})
    assert run("cudaFree(a, cudaSuccess);")[0] == "hipFree(hipSuccess, a);"


SOLVE = """#include <cusparse.h>
void f() {{
    CHECK(cusparseSpSM_analysis(h, o, o, al, A, B, C, CUDA_R_32F, alg, d, {first}));
    cusparseSpSM_analysis(h, o, o, al, A, B, C, CUDA_R_32F, alg, e, other);
    {between}
    CHECK(cusparseSpSM_solve(h, o, o, al, A, B, C, CUDA_R_32F, alg, /* of A */ d));
}}
"""


@pytest.mark.parametrize("buffer", ["buffer", "plan->buffers[0]", "(const void *)buffer"])
def test_an_argument_that_an_earlier_call_had_is_given_again(buffer: str) -> None:
    result = translate(SOLVE.format(first=buffer, between="").encode())
    assert f"C, HIP_R_32F, alg, /* of A */ d, {buffer}));" in result.text.decode()
    assert [each.code for each in result.diagnostics if each.severity.value == "warning"] == ["HPY204"]


@pytest.mark.parametrize(("first", "between"), [
    ("make()", ""), ("buffer++", ""), ("one", "cusparseSpSM_analysis(h, o, o, al, A, B, C, CUDA_R_32F, alg, d, two);"),
    ("one", "} void g() {"), ("one", "s.cusparseSpSM_analysis(1); d = x; } void g() {"),
])
def test_an_argument_that_nobody_can_tell_is_reported_alone(first: str, between: str) -> None:
    result = translate(SOLVE.format(first=first, between=between).encode())
    assert "C, HIP_R_32F, alg, /* of A */ d));" in result.text.decode()
    assert [each.code for each in result.diagnostics if each.severity.value == "warning"] == ["HPY204"]
