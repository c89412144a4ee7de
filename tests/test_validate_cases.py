"""Case files: what they hold, and errors that name the file, the line, the key and the remedy."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from hipify_py.validate.case import CaseError, Variant
from hipify_py.validate.expressions import ExpressionError, evaluate, names_in
from hipify_py.validate.layout import Pointer, Scalar, Struct
from hipify_py.validate.reader import find_cases, load_case
from hipify_py.validate.signature import SignatureError, parse
from tests.conftest import KERNELS

CASE = """\
signature = "void add(const float *a, const float *b, float *c, int n)"
sizes = [{ n = 1 }, { n = 300 }]

[launch]
grid = "(n + 255) / 256"
block = 256

[inputs]
a = { shape = "n" }
b = { shape = "n", distribution = "normal", mean = 2 }

[outputs]
c = { shape = "n", rel = 1e-6 }
"""


@pytest.fixture
def write(tmp_path: Path):
    folder = tmp_path / "add"
    folder.mkdir()
    (folder / "kernel.cu").write_text("__global__ void add(const float *a, const float *b, float *c, int n) {}\n")
    (folder / "reference.py").write_text("def reference(a, b):\n    return a + b\n")

    def written(text: str) -> Path:
        (folder / "case.toml").write_text(text)
        return folder / "case.toml"
    return written


def test_a_case(write) -> None:
    case = load_case(write(CASE))
    assert case.name == "add" and case.source.name == "kernel.cu" and case.waves == (32, 64)
    launch = case.filled(Variant())[0]
    assert launch.kernel == "add" and [each.name for each in launch.parameters] == ["a", "b", "c", "n"]
    assert launch.grid == ("(n + 255) / 256",) and launch.block == (256,)
    assert [dict(size) for size in case.sizes] == [{"n": 1}, {"n": 300}]
    assert case.inputs[1].options == (("mean", 2),) and case.outputs[0].tolerance.rel == 1e-6
    assert pickle.loads(pickle.dumps(case)) == case


def test_several_cases_of_a_folder(write) -> None:
    path = write(CASE)
    (path.parent / "case-large.toml").write_text(CASE.replace("300", "30_000"))
    found = [load_case(each) for each in find_cases([path.parent.parent])]
    assert [case.name for case in found] == ["add-large", "add"]
    assert find_cases([path, path.parent]) == [path, path.parent / "case-large.toml"]


def test_the_cases_of_the_repository() -> None:
    cases = [load_case(path) for path in find_cases([KERNELS])]
    assert {case.path.parent.name for case in cases} == {path.parent.name for path in KERNELS.glob("*/kernel.cu")}
    for case in cases:
        assert case.waves == (32, 64) and len(case.sizes) >= 2, case.path


def test_sweeps(write) -> None:
    text = CASE.replace("[launch]", "[sweep]\nTILE = [8, 16]\nKIND = ['x', 'y']\n\n[launch]")
    text = text.replace("block = 256", "block = 'TILE'")
    case = load_case(write('kernel = "k<{KIND}>"\n' + text))
    variants = case.variants()
    assert [str(each) for each in variants] == ["TILE=8 KIND=x", "TILE=8 KIND=y", "TILE=16 KIND=x", "TILE=16 KIND=y"]
    # What stands in the kernel's name is a template argument, the rest are macros.
    assert case.macros(variants[2]) == ("TILE=16",) and case.filled(variants[1])[0].kernel == "k<y>"


WRONG = [
    ("[launch]", "[launches]", 4, "`launch` is missing"),
    ("grid =", "gird =", 5, "`launch.gird` is no key of a case (did you mean `grid`?)"),
    ("signature = ", "signatur = ", 1, "(did you mean `signature`?)"),
    ("(n + 255) / 256", "(m + 255) / 256", 5, "`launch.grid`: `m` is neither a size nor a value nor a constant"),
    ("(n + 255) / 256", "n +", 5, "`launch.grid`: `n +` is no expression"),
    ("(n + 255) / 256", "__import__('os')", 5, "is not allowed"),
    ("block = 256", "block = [1, 2, 3, 4]", 6, "one to three sizes, not 4"),
    ("block = 256", "", 4, "`launch.block` is missing"),
    ("int n)", "int &n)", 1, "a reference: write a pointer"),
    ("int n)", "Thing n)", 1, "is no C prototype"),
    ("int n)", "int count)", 0, "`count` of `add` has no value"),
    ("a = {", "x = {", 0, "`a` of `add` is a pointer without a buffer"),
    ('"normal"', '"gauss"', 10, "`inputs.b`: `gauss` is no distribution"),
    ("mean = 2", "high = 2", 10, "`inputs.b.high` is no key of a case"),
    ('a = { shape = "n" }', "a = { }", 9, "`inputs.a.shape` is missing"),
    ('a = { shape = "n" }', 'a = { shape = "n", dtype = "fp3" }', 9, "`fp3` is no dtype (did you mean `fp32`?)"),
    ('a = { shape = "n" }', 'a = { shape = "n", file = "gone.npy" }', 9, "gone.npy` does not exist"),
    ("rel = 1e-6", "rel = -1", 13, "`outputs.c.rel` takes a number that is not negative"),
    ("rel = 1e-6", "relative = 1", 13, "`outputs.c.relative` is no key"),
    ("[outputs]\nc = { shape = \"n\", rel = 1e-6 }", "[scratch]\nc = { shape = 'n' }", 0, "`outputs` is missing"),
    ("{ n = 300 }", "{ n = 'x' }", 2, "`n` takes a whole number"),
    ("{ n = 300 }", "{ m = 3 }", 2, "each of them needs the names `n`"),
    ("sizes =", "source = 'gone.cu'\nsizes =", 2, "gone.cu` does not exist: name the file with the kernel"),
    ("sizes =", "reference = 'gone.py'\nsizes =", 2, "gone.py` does not exist"),
    ("sizes =", "waves = [16]\nsizes =", 2, "`waves` takes a list of 32 and 64"),
    ("sizes =", "timeout = 0\nsizes =", 2, "`timeout` takes seconds above 0"),
    ("sizes = [", "sizes = [[", 0, "no valid TOML"),
    ("[inputs]", "[arguments]\nq = 1\n[inputs]", 9, "`add` has no such parameter"),
]


@pytest.mark.parametrize(("old", "new", "line", "words"), WRONG, ids=[each[3][:40] for each in WRONG])
def test_errors_name_file_line_key_and_remedy(write, old: str, new: str, line: int, words: str) -> None:
    path = write(CASE.replace(old, new, 1))
    with pytest.raises(CaseError) as error:
        load_case(path)
    text = str(error.value)
    assert words in text and "\n" not in text
    assert text.startswith(f"{path}:{line}:" if line else f"{path}:")


def test_a_case_without_a_reference(write) -> None:
    path = write(CASE)
    (path.parent / "reference.py").unlink()
    with pytest.raises(CaseError, match="there is no reference: write"):
        load_case(path)


@pytest.mark.parametrize(("name", "words"), [
    ("gone", "does not exist"), ("empty", "holds no case"), ("kernel.cu", "is no case"),
])
def test_paths_that_lead_to_no_case(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "kernel.cu").write_text("")
    with pytest.raises(CaseError, match=words):
        find_cases([tmp_path / name])


# Expressions


@pytest.mark.parametrize(("text", "value"), [
    ("(n + 255) / 256", 4), ("n", 1000), (7, 7), ("-7 / 2", -3), ("-7 % 2", -1), ("7.0 / 2", 3.5), ("ceil_div(n, 16)", 63),
    ("min(n, 3) + max(1, 2)", 5), ("1 << 4 | 1", 17), ("n if n > 5 else 0", 1000), ("0 <= n < 5", 0), ("2 ** 10", 1024),
    ("not 0", 1), ("~0", -1), ("1e-3", 0.001),
])
def test_expressions(text: str, value: float) -> None:
    assert evaluate(text, {"n": 1000}) == value


@pytest.mark.parametrize("text", [
    "x", "n.real", "n[0]", "__import__('os')", "(lambda: 1)()", "[1, 2]", "'a' * 3", "1 / 0", "9 ** 99", "1 << 99", "n +", "",
    "print(n)", "min(n, key=1)", "n := 3", "f'{n}'", "True + 'a'", "name", "(" * 500,
])
def test_what_is_no_expression(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(text, {"n": 1000, "name": "text"})


def test_names_in_expressions() -> None:
    assert names_in("min(n, m) / 2") == {"n", "m"} and names_in(3) == frozenset()


# Signatures


def test_a_signature() -> None:
    signature = parse("__global__ void k(const float *__restrict__ a, half2 *b, unsigned long long n, float4 v, bool x)")
    assert signature.name == "k"
    assert [each.type for each in signature.parameters] == [
        Pointer(Scalar("fp32"), const=True), Pointer(Scalar("fp16", 2)), Scalar("uint64"), Scalar("fp32", 4), Scalar("bool")]


@pytest.mark.parametrize(("words", "dtype"), [
    ("long unsigned", "uint64"), ("unsigned", "uint32"), ("long long int", "int64"), ("short int", "int16"), ("signed", "int32"),
    ("unsigned char", "uint8"), ("signed char", "int8"), ("char", "int8"), ("size_t", "uint64"), ("__nv_bfloat16", "bf16"),
    ("int unsigned short", "uint16"), ("double", "fp64"),
])
def test_types_of_numbers(words: str, dtype: str) -> None:
    assert parse(f"void k({words} x)").parameters[0].type == Scalar(dtype)


def test_structs_are_laid_out_as_in_c() -> None:
    declared = "struct Inner { char c; double d[2]; }; typedef struct { int n; Inner in; const float *p; short s; } Outer;"
    outer, pointer = (each.type for each in parse("void k(Outer o, const struct Inner *p)", declared).parameters)
    assert isinstance(outer, Struct) and isinstance(pointer, Pointer) and isinstance(pointer.element, Struct)
    assert [(field.name, field.offset, field.count) for field in outer.fields] == [
        ("n", 0, 1), ("in", 8, 1), ("p", 32, 1), ("s", 40, 1)]
    assert (outer.size, outer.alignment) == (48, 8) and outer.flat() is None
    body = parse("void k(Body b)", "struct Body { float4 position; float4 velocity; };").parameters[0].type
    assert isinstance(body, Struct) and body.flat() == Scalar("fp32", 8) and body.alignment == 16


@pytest.mark.parametrize(("text", "words"), [
    ("void k(int &n)", "reference"), ("void k(float)", "no name"), ("void k(Matrix m)", "no C prototype"),
    ("int x", "no prototype"),
    ("void k<3>(int n)", "template"), ("void k(int n, ...)", "nothing that a kernel can take"), ("nonsense(", "no C prototype"),
    ("void k(struct Gone g)", "`Gone` is not known"),
])
def test_signatures_that_cannot_be_used(text: str, words: str) -> None:
    with pytest.raises(SignatureError, match=words):
        parse(text)
