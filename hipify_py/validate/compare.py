"""What came out, beside what should have: the largest errors, and the first element that is wrong. NaN never passes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hipify_py.validate.case import Tolerance
from hipify_py.validate.elements import Buffer, Values, to_bf16
from hipify_py.validate.layout import FLOATS, Struct
from hipify_py.validate.results import Comparison

#: Where a case names no tolerance: integers are exact, floating-point numbers may differ by this many ULP.
DEFAULT_ULP = 4.0
_SIGNED = {2: np.int16, 4: np.int32, 8: np.int64}


@dataclass(frozen=True, slots=True)
class _Part:
    """Numbers of one dtype: actual and expected values, and what of them passes."""

    abs: float
    rel: float
    ulp: float
    wrong: np.ndarray[Any, np.dtype[np.bool_]]
    nans: int


def compare(buffer: Buffer, stored: Values, expected: Values, tolerance: Tolerance) -> Comparison:
    """Compare an output with its reference.

    Args:
        buffer: The output.
        stored: What lies in its memory.
        expected: The reference's values, in any dtype that holds them.
        tolerance: How far they may be apart.

    Raises:
        ValueError: The reference has another shape.
    """
    if expected.size != stored.size:
        raise ValueError(f"the reference of `{buffer.name}` has the shape {expected.shape}, the output {buffer.full_shape}")
    actual = buffer.load(stored)
    expected = expected.reshape(buffer.full_shape)
    if isinstance(buffer.element, Struct):
        parts = [_part(_dtype_of(actual[name]), actual[name], expected[name], tolerance) for name in actual.dtype.names or ()]
        wrong = np.zeros(actual.shape, np.bool_)
        for part in parts:
            wrong |= part.wrong.reshape(*actual.shape, -1).any(-1)
    else:
        parts = [_part(buffer.dtype, actual, expected, tolerance)]
        wrong = parts[0].wrong
    count = int(np.count_nonzero(wrong))
    index: tuple[int, ...] = ()
    texts = ("", "")
    if count:
        index = tuple(int(each) for each in np.unravel_index(int(np.argmax(wrong)), wrong.shape)) if wrong.shape else ()
        texts = (_text(actual[index]), _text(expected[index]))
    return Comparison(
        name=buffer.name, elements=int(stored.size), wrong=count, index=index, actual=texts[0], expected=texts[1],
        max_abs=max((part.abs for part in parts), default=0.0), max_rel=max((part.rel for part in parts), default=0.0),
        max_ulp=max((part.ulp for part in parts), default=0.0), nans=sum(part.nans for part in parts),
        untouched=_untouched(stored, wrong))


def _part(dtype: str, actual: Values, expected: Values, tolerance: Tolerance) -> _Part:
    if not actual.size:
        return _Part(0.0, 0.0, 0.0, np.zeros(actual.shape, np.bool_), 0)
    if dtype not in FLOATS:
        return _integers(actual, expected, tolerance)
    a, e = actual.astype(np.float64), expected.astype(np.float64)
    nan = np.isnan(a) | np.isnan(e)
    with np.errstate(all="ignore"):
        same = a == e  # infinities too
        difference = np.where(same, 0.0, np.abs(a - e))
        relative = np.where(same, 0.0, difference / np.abs(e))
        distance = np.where(same, 0.0, _ulps(dtype, actual, expected))
        if tolerance == Tolerance():
            tolerance = Tolerance(ulp=DEFAULT_ULP)
        good = same.copy()
        if tolerance.abs is not None or tolerance.rel is not None:
            bound = (tolerance.abs or 0.0) + (tolerance.rel or 0.0) * np.abs(e)
            good |= np.isfinite(e) & (difference <= bound)
        if tolerance.ulp is not None:
            good |= np.isfinite(e) & np.isfinite(a) & (distance <= tolerance.ulp)
    wrong = ~good | nan
    return _Part(_largest(difference), _largest(relative), _largest(distance), wrong, int(np.count_nonzero(nan)))


def _integers(actual: Values, expected: Values, tolerance: Tolerance) -> _Part:
    # A long double holds every integer of 64 bits.
    a, e = actual.astype(np.longdouble), expected.astype(np.longdouble)
    difference = np.abs(a - e)
    with np.errstate(all="ignore"):
        relative = np.where(difference == 0, 0.0, difference / np.abs(e))
    bound = (tolerance.abs or 0.0) + (tolerance.rel or 0.0) * np.abs(e)
    # Written so that NaN, of a reference in floating point, is wrong.
    return _Part(_largest(difference), _largest(relative), 0.0, ~(difference <= bound), 0)


def _ulps(dtype: str, actual: Values, expected: Values) -> Values:
    """Floating-point numbers of the dtype that lie between two values."""
    if dtype == "bf16":
        a, e = to_bf16(actual), to_bf16(expected)
    else:
        a, e = actual, expected.astype(actual.dtype)
    left, right = _ordered(a), _ordered(e)
    # Without a sign, so that the distance of the largest from the smallest number fits too.
    distance: Values = np.where(left >= right, left.view(np.uint64) - right.view(np.uint64),
                                right.view(np.uint64) - left.view(np.uint64)).astype(np.float64)
    return distance


def _ordered(values: Values) -> Values:
    """Bits as whole numbers that grow with the values."""
    bits = np.ascontiguousarray(values).view(_SIGNED[values.dtype.itemsize])
    lowest = np.iinfo(bits.dtype).min
    return np.where(bits < 0, lowest - bits.astype(np.int64), bits.astype(np.int64))


def _largest(values: Values) -> float:
    """The largest number; NaN stands for infinity here, so that it shows."""
    return float(np.max(np.where(np.isnan(values), np.inf, values)))


def _untouched(stored: Values, wrong: Values) -> int:
    """Wrong elements that still hold the poison: nobody wrote them."""
    if not stored.size or not wrong.any():
        return 0
    size = stored.dtype.itemsize
    poisoned = (np.ascontiguousarray(stored).reshape(-1).view(np.uint8).reshape(-1, size) == 0xA5).all(1)
    return int(np.count_nonzero(poisoned & wrong.reshape(-1)))


def _dtype_of(values: Values) -> str:
    return {"float16": "fp16", "float32": "fp32", "float64": "fp64"}.get(values.dtype.name, values.dtype.name)


def _text(value: object) -> str:
    return f"{value:.9g}" if isinstance(value, (float, np.floating)) else str(value)
