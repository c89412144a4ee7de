"""Comparing the two sides of a row: types after mapping, numbers, members."""

from __future__ import annotations

import shutil

import pytest

from hipify_py.clang.declared import Declaration, Signature
from hipify_py.mapping.c_reader import UnreadableError, compare_readers, functions
from hipify_py.mapping.compare import Difference, Spellings, missing_members, order, types, values
from hipify_py.mapping.records import Kind
from hipify_py.mapping.verdicts import Report, base_name, forms_of

NAMES = Spellings({"cudaStream_t": "hipStream_t", "cuComplex": "hipComplex", "CUdeviceptr": "hipDeviceptr_t"},
                  {"hipComplex": "HIP_vector_type<float, 2>", "hipDeviceptr_t": "void *"})


def function(*parameters, result="int"):
    pairs = tuple(each if isinstance(each, tuple) else (each, each) for each in parameters)
    return Declaration(Kind.FUNCTION, signatures={Signature((result, result), pairs)})


@pytest.mark.parametrize(("theirs", "ours"), [
    ("cudaStream_t", ("hipStream_t", "ihipStream_t *")),
    ("const cuComplex *", ("const hipFloatComplex *", "const HIP_vector_type<float, 2> *")),
    ("cuComplex const *", ("const hipComplex *", "const HIP_vector_type<float, 2> *")),
    ("CUdeviceptr", "void *"),
    ("struct cudaPos", "cudaPos"),
    ("int", "long long"),
    ("int *", "const int *"),
    ("int *", "void *"),
    ("const float *", "const void *"),
    ("float *__restrict", "float *"),
    ("const int", "int"),
])
def test_types_that_agree(theirs, ours):
    assert types("cudaX", function(theirs), function(ours), NAMES) == []


@pytest.mark.parametrize(("theirs", "ours"), [
    ("int *", "size_t *"),
    ("const void *", "void *"),
    ("const float *", "void *"),
    ("size_t", "int"),
    ("cudaStream_t", "hipEvent_t"),
    ("const char *const *", "const char **"),
    ("void *", "int *"),
])
def test_types_that_differ(theirs, ours):
    pairs = {"size_t": "unsigned long"}
    theirs, ours = ((each, pairs.get(each, each)) for each in (theirs, ours))
    assert [each.what for each in types("cudaX", function("int", theirs), function("int", ours), NAMES)] == ["argument 2"]


def test_the_nearest_form_counts():
    ours = function("float *")
    ours.signatures |= function("int *").signatures | function("int *", "int").signatures
    assert types("cudaX", function("int *"), ours, NAMES) == []
    assert types("cudaX", function("char", "char", "char"), ours, NAMES) == []  # another number is another matter


def test_results():
    assert types("cudaX", function(result="int"), function(result="char *"), NAMES) == [
        Difference("cudaX", "result", "int", "char*")]


def test_numbers():
    one, other, unknown = (Declaration(Kind.ENUMERATOR, value=value) for value in (0, 111, None))
    assert values("CUBLAS_OP_N", one, other) == [Difference("CUBLAS_OP_N", "value", "0", "111")]
    assert values("CUBLAS_OP_N", one, one) == values("CUBLAS_OP_N", one, unknown) == []


def test_members():
    theirs = Declaration(Kind.TYPE, members=(("a", "int"), ("b", "int"), ("reserved", "int")))
    ours = Declaration(Kind.TYPE, members=(("b", "int"), ("a", "int")))
    assert order("cudaS", theirs, ours) == [Difference("cudaS", "order", "a b", "b a")]
    assert order("cudaS", theirs, theirs) == []
    assert missing_members(theirs, ours) == []
    assert missing_members(theirs, Declaration(Kind.TYPE, members=(("b", "int"),))) == ["a"]
    assert missing_members(theirs, Declaration(Kind.TYPE)) == []  # an opaque type has none to lack


@pytest.mark.parametrize("name", ["CUmemLocation", "CUmemLocation_v1", "CUmemLocation_st", "CUmemLocation_v1_st"])
def test_names_of_one_struct(name):
    assert base_name(name) == "CUmemLocation"


def test_macros_stand_for_versions():
    names = {"cuF": Declaration(Kind.MACRO, canonical="cuF_v2"), "cuF_v2": function("int"), "cuG": function()}
    names["cuF_v2"].arities = {(1, 1)}
    assert forms_of("cuF", names) is names["cuF_v2"]
    assert forms_of("cuG", names) is names["cuG"]
    assert forms_of("cuH", names) is None


class TestSecondReader:
    @pytest.fixture(autouse=True)
    def headers(self, tmp_path):
        if shutil.which("cc") is None:
            pytest.skip("no C compiler to preprocess with")
        text = "#include <stddef.h>\ntypedef int R;\nextern R curandA(void);\n" \
               "R __attribute__((visibility(\"default\"))) curandB(const float *x, size_t n);\nR curandC(int, ...);\n"
        (tmp_path / "curand.h").write_text(text)
        (tmp_path / "nccl.h").write_text("class X { int y; };\n")
        self.folder = tmp_path

    def test_functions(self):
        assert functions(self.folder, "curand.h") == {"curandA": (0, 0), "curandB": (2, 2), "curandC": (1, 99)}

    def test_what_cannot_be_read(self):
        with pytest.raises(UnreadableError, match="pycparser cannot read `nccl"):
            functions(self.folder, "nccl.h")
        with pytest.raises(UnreadableError, match="cannot run `no-such-compiler`"):
            functions(self.folder, "curand.h", ("no-such-compiler",))
        with pytest.raises(UnreadableError, match="cannot be preprocessed"):
            functions(self.folder, "no_such_header.h")

    def test_readers_that_differ(self):
        place = {str(self.folder / "curand.h")}
        names = {"curandA": Declaration(Kind.FUNCTION, place, {(0, 0)}, function().signatures),
                 "curandB": Declaration(Kind.FUNCTION, place, {(3, 3)}, function().signatures),
                 "curandD": Declaration(Kind.FUNCTION, place, {(1, 1)}, function("int").signatures)}
        report = Report()
        compare_readers(self.folder, names, report)
        events = {event: found for event, found in report.events.items() if "no such header" not in event}
        assert events["both readers agree on CUDA's functions"] == ["curandA"]
        assert events["second reader: another number of arguments"] == ["curand.h: curandB (2; {(3, 3)})"]
        assert events["second reader: a function that libclang did not see"] == ["curand.h: curandC"]
        assert events["libclang alone sees, the header hides it from C"] == ["curand.h: curandD"]
        assert len(events["second reader: could not read"]) == 1
