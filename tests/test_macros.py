"""Names that macros put together."""

from __future__ import annotations

import pytest

from hipify_py.engine import translate
from hipify_py.settings import Settings

PLAIN = Settings(verify=False, semantics=False)
PRELUDE = "#include <hip/hip_runtime.h>\n"


def run(source: str) -> tuple[str, list[str]]:
    """The translated text, and the codes of the diagnostics, by place."""
    result = translate((PRELUDE + source).encode(), filename="a.cu", settings=PLAIN)
    return result.text.decode().removeprefix(PRELUDE), [each.code for each in result.diagnostics]


@pytest.mark.parametrize(("before", "after"), [
    ("#define RT(t) cuda##t\nint a = RT(Success);", "#define RT(t) hip##t\nint a = RT(Success);"),
    ("#define RT(t) cuda /* c */ ## \\\n  t\nRT(Error_t) f();", "#define RT(t) hip /* c */ ## \\\n  t\nRT(Error_t) f();"),
    ("#define RT(t) cuda##t\nint a = RT(MallocHost)(p, n);", "#define RT(t) hip##t\nint a = RT(HostMalloc)(p, n);"),
    ("#define RT(t) cuda##t\n#define OK(f, ...) (RT(f)(__VA_ARGS__) == RT(Success))\nint a = OK(FreeHost, p);",
     "#define RT(t) hip##t\n#define OK(f, ...) (RT(f)(__VA_ARGS__) == RT(Success))\nint a = OK(HostFree, p);"),
    ("#define COPY(k) cudaMemcpy##k\nint a = COPY(HostToDevice);", "#define COPY(k) hipMemcpy##k\nint a = COPY(HostToDevice);"),
    ("#define API(p) p##DeviceSynchronize()\nint a = API(cuda);", "#define API(p) p##DeviceSynchronize()\nint a = API(hip);"),
    ("#define E(n) cudaError##n\n#define D E(NotReady)\n", "#define E(n) hipError##n\n#define D E(NotReady)\n"),
    ("#define B(t, n) cublas##t##n\nint a = B(S, gemm)(h);", "#define B(t, n) hipblas##t##n\nint a = B(S, gemm)(h);"),
])
def test_rewritten(before: str, after: str) -> None:
    assert run(before) == (after, [])
    assert run(after)[0] == after


@pytest.mark.parametrize("source", [
    "#define NAME(x) #x\n",
    "#define CHECK(call) check((call), #call)\nCHECK(f());",
    "#define LOG(f, ...) printf(f, ##__VA_ARGS__)\n",
    "#define MINE(x) my_##x\nint MINE(cuda) = 3;",
    "#define CAT(a, b) a##b\nint CAT(x, y);",
    "int cudaCheck(int);\n#define RUN(x) cudaCheck(x)\n",
    "#define WRAP(x) x##_cuda\nint WRAP(f);",
])
def test_left_alone(source: str) -> None:
    assert run(source) == (source, [])


def test_a_macro_that_is_not_used_gets_a_warning() -> None:
    assert run("#define RT(t) cuda##t\n") == ("#define RT(t) hip##t\n", ["HPY105"])


def test_a_use_without_counterpart_is_an_error() -> None:
    text, codes = run("#define RT(t) cuda##t\nint a = RT(Malloc)(p, 1);\nint b = RT(LaunchKernelExC)(p);")
    assert text.startswith("#define RT(t) hip##t\n")
    assert codes == ["HPY105"]


def test_an_argument_that_serves_twice_stays() -> None:
    source = "#define RT(t) (log(#t), cuda##t)\nint a = RT(Malloc)(p, 1);\nint b = RT(MallocHost)(p, 1);"
    text, codes = run(source)
    assert text == source.replace("cuda", "hip")
    assert codes == ["HPY105"]


def test_a_name_made_from_a_cuda_name_follows_it() -> None:
    text, codes = run("#define PTR(f) decltype(&f) f##_ptr = f\nPTR(cudaFree);\nint a = cudaFree_ptr(p);")
    assert text.endswith("PTR(hipFree);\nint a = hipFree_ptr(p);")
    assert codes == ["HPY105"]


@pytest.mark.parametrize("source", [
    "#define LOAD(f) dlsym(lib, #f)\n",
    "#define PRE cuda\n#define CAT(a, b) a##b\nint a = CAT(PRE, Free)(p);",
    "#define RT(t) cuda##t\nint cudaMine(); int a = RT(Mine)() + RT(Success);",
])
def test_reported(source: str) -> None:
    text, codes = run(source)
    assert text == source
    assert "HPY105" in codes
