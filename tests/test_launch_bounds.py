"""Launch bounds: the second number is reported, the third taken out, the one-number form stays."""

from __future__ import annotations

import pytest

from hipify_py.diagnostics import Applicability
from tests.rewrites import HIP, codes, hip, lines, run


@pytest.mark.parametrize(("numbers", "shown"), [
    ("256, 4", None), ("256, 8", "8"), ("128, 8", "4"), ("1024, 2", "8"), ("64, 3", "1"), ("0x100u, 2", None)])
def test_literals_are_converted(numbers: str, shown: str | None) -> None:
    result = run(f"__global__ void __launch_bounds__({numbers}) k(float *v) {{}}\n")
    assert codes(result) == ["HPY304"]
    fix = result.diagnostics[0].fix
    if fix is None:
        assert shown is None or numbers.endswith(f", {shown}")
    else:
        assert fix.applicability is Applicability.DISPLAY_ONLY
        assert shown is None or fix.edits[0].text == shown.encode()
    assert "launch bounds" in result.diagnostics[0].message


@pytest.mark.parametrize("source", [
    "template <int T, int B> __global__ void __launch_bounds__(T, B) k(float *v) {}\n",
    "#define BOUNDS(t, b) __launch_bounds__(t, b)\n",
    "__global__ void __launch_bounds__(N * 2, 2048 / N) k(float *v) {}\n",
])
def test_others_are_reported_without_a_fix(source: str) -> None:
    result = run(source)
    assert lines(result, "HPY304") == [1]
    assert result.diagnostics[0].fix is None
    assert result.text.decode() == HIP + source


@pytest.mark.parametrize("source", [
    "__global__ void __launch_bounds__(256) k(float *v) {}\n",
    "__global__ void __launch_bounds__((256)) k(float *v) {}\n",
    "__global__ void __launch_bounds__(f(1, 2)) k(float *v) {}\n",
    "__global__ void __launch_bounds__(256, 1) k(float *v) {}\n",
    "#define __launch_bounds__(a, b)\n",
    "// __launch_bounds__(256, 2)\n",
    "const char *s = \"__launch_bounds__(256, 2)\";\n",
    "#ifdef __HIPCC__\n__global__ void __launch_bounds__(256, 2) k(float *v) {}\n#endif\n",
    "#error __launch_bounds__(256, 2)\n",
])
def test_silent(source: str) -> None:
    assert "HPY304" not in codes(run(source))


def test_the_third_number_is_taken_out() -> None:
    assert hip("__global__ void __launch_bounds__(256, 2, 4) k(float *v) {}\n") == (
        "__global__ void __launch_bounds__(256, 2) k(float *v) {}\n")


@pytest.mark.parametrize(("before", "after"), [
    ("__launch_bounds__(Shape<T, 4>::threads)", "__launch_bounds__((Shape<T, 4>::threads))"),
    ("__launch_bounds__(Shape<T, 4>::threads, Shape<T, 4>::blocks)",
     "__launch_bounds__((Shape<T, 4>::threads), (Shape<T, 4>::blocks))"),
    ("__launch_bounds__((Shape<T, 4>::threads))", "__launch_bounds__((Shape<T, 4>::threads))"),
    ("__launch_bounds__(int(Shape<T, 4>::threads))", "__launch_bounds__(int(Shape<T, 4>::threads))"),
    ("__launch_bounds__(Shape<T>::threads)", "__launch_bounds__(Shape<T>::threads)"),
    ("__launch_bounds__(threads<T, 4>())", "__launch_bounds__((threads<T, 4>()))"),
])
def test_an_argument_with_commas_is_put_into_brackets(before: str, after: str) -> None:
    kernel = "template <class T> __global__ void {} k(T *v);\n"
    assert hip(kernel.format(before)) == kernel.format(after)


def test_a_macro_that_hands_its_arguments_on_is_followed() -> None:
    source = ("#define BOUNDS(...) __launch_bounds__(__VA_ARGS__)\n__global__ void BOUNDS(128, 8) a(float *v);\n"
              "__global__ void BOUNDS(128) b(float *v);\n__global__ void BOUNDS(128, 1) c(float *v);\n")
    result = run(source)
    assert lines(result, "HPY304") == [2]
    assert result.text.decode() == HIP + source


def test_a_macro_that_does_something_else_is_not() -> None:
    source = ("#define BOUNDS(...) __launch_bounds__(128)\n__global__ void BOUNDS(128, 8) a(float *v);\n"
              "#define FIRST(a, ...) __launch_bounds__(a)\n__global__ void FIRST(128, 8) b(float *v);\n")
    assert codes(run(source)) == []


@pytest.mark.parametrize(("before", "after"), [
    ("__global__ void __maxnreg__(32) k(float *v) {}\n", "__global__ void k(float *v) {}\n"),
    ("#define FEW __maxnreg__(N * 2)\n", "#define FEW \n"),
])
def test_bound_on_registers_is_taken_out(before: str, after: str) -> None:
    assert hip(before).strip() == after.strip()
    assert lines(run(before), "HPY304") == [1]


def test_block_size_is_an_error() -> None:
    assert run("__global__ void __block_size__((128, 1, 1)) k(float *v) {}\n").errors == 1
