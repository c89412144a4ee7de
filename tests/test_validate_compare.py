"""Inputs, comparisons and recorded references: what numpy does of a validation."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")

from hipify_py.validate import recorded  # noqa: E402
from hipify_py.validate.case import CaseError, Tolerance  # noqa: E402
from hipify_py.validate.compare import compare  # noqa: E402
from hipify_py.validate.elements import Buffer, from_bf16, to_bf16  # noqa: E402
from hipify_py.validate.inputs import draw, generator  # noqa: E402
from hipify_py.validate.layout import Field, Scalar, Struct  # noqa: E402

f32, f64 = np.float32, np.float64


def check(actual, expected, dtype="fp32", **tolerance):
    buffer = Buffer("c", Scalar(dtype), np.shape(actual))
    return compare(buffer, buffer.store(np.asarray(actual)), np.asarray(expected), Tolerance(**tolerance))


@pytest.mark.parametrize(("actual", "expected", "tolerance", "wrong"), [
    ([1.0], [1.0], {}, 0),
    ([1.0], [1.0 + 4 * 2**-23], {}, 0),  # the default: 4 ULP
    ([1.0], [1.0 + 5 * 2**-23], {}, 1),
    ([1.0], [1.0 + 2**-23], {"ulp": 0}, 1),
    ([1.0], [1.5], {"abs": 0.5}, 0),
    ([100.0], [101.0], {"rel": 0.01}, 0),
    ([100.0], [101.1], {"rel": 0.01}, 1),
    ([1e-30], [0.0], {"rel": 0.1}, 1),
    ([1e-30], [0.0], {"rel": 0.1, "abs": 1e-20}, 0),
    ([np.nan], [np.nan], {"abs": np.inf, "rel": 1, "ulp": 1e30}, 1),  # NaN never passes
    ([np.nan], [1.0], {"abs": np.inf}, 1),
    ([1.0], [np.nan], {"abs": np.inf}, 1),
    ([np.inf], [np.inf], {}, 0),
    ([np.inf], [-np.inf], {"rel": 1, "ulp": 1e30}, 1),
    ([np.inf], [3e38], {"ulp": 1e30}, 1),
    ([3e38], [np.inf], {"rel": 10.0}, 1),
    ([0.0], [-0.0], {"abs": 0}, 0),
    ([1.0], [-1.0], {"ulp": 10}, 1),
    ([], [], {}, 0),
])
def test_tolerances(actual, expected, tolerance, wrong):
    assert check(actual, expected, **tolerance).wrong == wrong


@pytest.mark.parametrize(("dtype", "actual", "expected", "tolerance", "wrong"), [
    ("int32", [1, 2, 3], [1, 2, 3], {}, 0),
    ("int32", [1, 2, 3], [1, 2, 4], {}, 1),
    ("int32", [1, 2, 3], [1, 2, 4], {"abs": 1}, 0),
    ("int64", [2**62 + 1], [2**62], {}, 1),
    ("uint64", [2**64 - 1], [2**64 - 2], {}, 1),
    ("uint8", [255], [0], {}, 1),
    ("int32", [5], [5.0], {}, 0),
    ("int32", [5], [5.5], {}, 1),
    ("bool", [True, False], [True, True], {}, 1),
    ("fp16", [1.0], [1.0 + 2**-10], {"ulp": 1}, 0),
    ("fp16", [1.0], [1.0 + 3 * 2**-10], {"ulp": 2}, 1),
    ("bf16", [1.0], [1.0 + 2**-7], {"ulp": 1}, 0),
    ("bf16", [1.0], [1.0 + 3 * 2**-7], {"ulp": 2}, 1),
    ("fp64", [1.0], [1.0 + 2**-52], {"ulp": 1}, 0),
    ("fp64", [1.0], [1.0 + 2**-50], {"ulp": 3}, 1),
])
def test_dtypes(dtype, actual, expected, tolerance, wrong):
    kind = np.uint64 if dtype == "uint64" else None
    assert check(np.asarray(actual, kind), np.asarray(expected, kind), dtype, **tolerance).wrong == wrong


def test_what_is_told_of_a_mismatch():
    found = check([[1.0, 2.0], [3.0, 4.5]], [[1.0, 2.0], [3.0, 4.0]], abs=0.1)
    assert (found.wrong, found.elements, found.index) == (1, 4, (1, 1))
    assert (found.actual, found.expected, found.max_abs, found.max_rel) == ("4.5", "4", 0.5, 0.125)
    assert check([1.0], [1.0 + 2**-23], ulp=1).max_ulp == 1
    assert check([np.nan, 1.0], [1.0, 1.0]).nans == 1 and check([np.nan], [1.0]).max_abs == np.inf


def test_elements_that_nobody_wrote_are_counted():
    buffer = Buffer("c", Scalar("fp32"), (4,))
    stored = buffer.empty()
    stored[0] = 1
    found = compare(buffer, stored, np.ones(4), Tolerance(abs=0.5))
    assert (found.wrong, found.untouched, found.index) == (3, 3, (1,))


def test_arrays_of_structs():
    struct = Struct.of("S", [("n", Scalar("int32"), 1), ("x", Scalar("fp32", 2), 1)])
    assert struct.fields[1] == Field("x", Scalar("fp32", 2), 8) and struct.size == 16
    buffer = Buffer("s", struct, (3,))
    expected = np.zeros(3, buffer.empty().dtype)
    expected["n"], expected["x"] = [1, 2, 3], 0.5
    stored = expected.copy()
    assert compare(buffer, stored, expected, Tolerance()).wrong == 0
    stored["x"][1, 1] = 0.75
    found = compare(buffer, stored, expected, Tolerance())
    assert (found.wrong, found.index, found.max_abs) == (1, (1,), 0.25)


def test_another_shape_is_an_error():
    with pytest.raises(ValueError, match="has the shape"):
        check([1.0, 2.0], [1.0])


def test_bf16_rounds_to_the_nearest_even():
    values = np.array([1.0, 1 + 2**-8, 1 + 3 * 2**-8, -2.5, 3e38, np.inf, 1e-40], f32)
    assert list(from_bf16(to_bf16(values))) == [1.0, 1.0, 1 + 2**-6, -2.5, f32(from_bf16(to_bf16(f32(3e38)))), np.inf,
                                                 f32(from_bf16(to_bf16(f32(1e-40))))]
    assert np.isnan(from_bf16(to_bf16(np.array([np.nan], f32)))).all()


# Inputs


def test_a_seed_gives_the_same_numbers():
    first, again, other = (draw("fp32", (100,), "normal", {}, generator(seed, "add", "n")) for seed in (1, 1, 2))
    assert np.array_equal(first, again) and not np.array_equal(first, other)
    assert not np.array_equal(first, draw("fp32", (100,), "normal", {}, generator(1, "sub", "n")))


@pytest.mark.parametrize(("dtype", "distribution", "options", "test"), [
    ("fp32", "", {}, lambda x: x.min() >= -1 and x.max() < 1 and x.std() > 0.4),
    ("fp32", "uniform", {"low": 2, "high": 3}, lambda x: x.min() >= 2 and x.max() <= 3),
    ("fp64", "normal", {"mean": 50, "std": 0.1}, lambda x: abs(x.mean() - 50) < 0.1),
    ("int32", "", {}, lambda x: x.min() >= 0 and x.max() < 100 and len(set(x)) > 50),
    ("int8", "integers", {"low": -5, "high": 5}, lambda x: set(x) == set(range(-5, 5))),
    ("uint8", "uniform", {"low": 0, "high": 256}, lambda x: x.max() > 200),
    ("fp32", "constant", {"value": 7}, lambda x: (x == 7).all()),
    ("int64", "range", {"start": 5, "step": 2}, lambda x: list(x[:3]) == [5, 7, 9]),
    ("int32", "permutation", {}, lambda x: sorted(x) == list(range(500))),
    ("fp32", "special", {}, lambda x: np.isinf(x).any() and (x == 0).any() and not np.isnan(x).any()),
    ("bool", "", {}, lambda x: x.any() and not x.all()),
    ("fp16", "", {}, lambda x: x.dtype == np.float16),
    ("bf16", "", {}, lambda x: np.array_equal(x, from_bf16(to_bf16(x)))),
])
def test_distributions(dtype, distribution, options, test):
    assert test(draw(dtype, (500,), distribution, options, generator(3)))


# Recorded references


def test_records_come_back(tmp_path):
    path = tmp_path / "reference.npz"
    records = [recorded.Record((("n", 3), ("m", 2)), {"a": np.arange(3, dtype=f32)}, {"c": np.ones((3, 2))}),
               recorded.Record((("n", 1), ("m", 1)), {"a": np.zeros(1, f32)}, {"c": np.zeros((1, 1))})]
    recorded.write(path, records, "a GPU, a driver, a day")
    assert recorded.labels(path) == ["n=3 m=2", "n=1 m=1"]
    first, second = recorded.read(path)
    assert first.sizes == (("n", 3), ("m", 2)) and first.origin == "a GPU, a driver, a day"
    assert np.array_equal(first.inputs["a"], [0, 1, 2]) and np.array_equal(second.outputs["c"], [[0]])
    before = path.read_bytes()
    recorded.write(path, records, "a GPU, a driver, a day")
    assert path.read_bytes() == before


def test_files_that_hold_no_records(tmp_path):
    path = tmp_path / "reference.npz"
    path.write_bytes(b"no archive")
    for function in (recorded.read, recorded.labels):
        with pytest.raises(CaseError, match="cannot be read"):
            function(path)
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    with pytest.raises(CaseError, match="is not named"):
        recorded.read(tmp_path / "other.npz")
