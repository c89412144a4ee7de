"""Buffers as numpy arrays: what lies in memory, and the values that distributions, references and comparisons see.

The two differ for bf16, which numpy does not have: it is stored as its 16 bits and seen as float32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hipify_py.validate.case import Array, Case, CaseError, Launch
from hipify_py.validate.expressions import ExpressionError, Value, evaluate
from hipify_py.validate.layout import DTYPES, Pointer, Scalar, Struct, Type

Values = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Buffer:
    """A buffer of one run: its elements and its shape, the lanes of a vector or struct not counted."""

    name: str
    element: Scalar | Struct
    shape: tuple[int, ...]

    @property
    def dtype(self) -> str:
        """The dtype of its numbers; ``struct`` if they are of several."""
        return self.element.dtype if isinstance(self.element, Scalar) else "struct"

    @property
    def full_shape(self) -> tuple[int, ...]:
        """The shape of the array of its values."""
        if isinstance(self.element, Scalar) and self.element.lanes > 1:
            return (*self.shape, self.element.lanes)
        return self.shape

    def empty(self) -> Values:
        """An array for what lies in memory, filled with 0xA5."""
        kind = storage(self.element)
        size = int(np.prod(self.full_shape, dtype=np.int64)) * kind.itemsize
        return np.full(size, 0xA5, np.uint8).view(kind).reshape(self.full_shape)

    def store(self, values: Values) -> Values:
        """Values as they lie in memory.

        Raises:
            ValueError: They do not have the buffer's shape.
        """
        if values.size != int(np.prod(self.full_shape, dtype=np.int64)):
            raise ValueError(f"`{self.name}` has the shape {values.shape}, not {self.full_shape}")
        values = values.reshape(self.full_shape)
        if self.dtype == "bf16":
            return np.ascontiguousarray(to_bf16(values))
        return np.ascontiguousarray(values, storage(self.element))

    def load(self, stored: Values) -> Values:
        """What lies in memory, as values."""
        return from_bf16(stored) if self.dtype == "bf16" else stored


def storage(element: Scalar | Struct) -> np.dtype[Any]:
    """The numpy dtype of what lies in memory; of one lane for vectors."""
    if isinstance(element, Scalar):
        return np.dtype(DTYPES[element.dtype][0])
    names, formats, offsets = [], [], []
    for field in element.fields:
        inner: Any = np.dtype(np.uint64) if isinstance(field.type, Pointer) else storage(field.type)
        lanes = field.type.lanes if isinstance(field.type, Scalar) else 1
        shape = (*((field.count,) if field.count > 1 else ()), *((lanes,) if lanes > 1 else ()))
        names.append(field.name)
        formats.append((inner, shape) if shape else inner)
        offsets.append(field.offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": element.size})


def to_bf16(values: Values) -> Values:
    """The bits of the nearest bf16 numbers, ties to even."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    return np.where(np.isnan(values), np.uint32(0x7FC0), rounded).astype(np.uint16)


def from_bf16(bits: Values) -> Values:
    """The float32 numbers that bf16 bits stand for."""
    return (np.asarray(bits, np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32)


def buffer_of(case: Case, launches: Sequence[Launch], array: Array, names: Mapping[str, Value]) -> Buffer:
    """The buffer of an array in one run.

    Raises:
        CaseError: Nothing says what its elements are, or its shape is none.
    """
    group = next(each for each in ("inputs", "outputs", "scratch") if any(a.name == array.name for a in getattr(case, each)))
    key = f"{group}.{array.name}"
    where = f"{case.path}:{case.line(key)}"
    element: Scalar | Struct | None = Scalar(array.dtype) if array.dtype else None
    if element is None:
        element = _element(launches, array.name)
    if element is None:
        raise CaseError(f'{where}: `{key}`: no parameter says what its elements are: write `dtype = "fp32"`')
    if isinstance(element, Struct):
        element = element.flat() or element
    try:
        shape = tuple(int(evaluate(each, names)) for each in array.shape)
    except ExpressionError as error:
        raise CaseError(f"{where}: `{key}.shape`: {error}") from None
    if any(each < 0 for each in shape):
        raise CaseError(f"{where}: `{key}.shape` is {shape}: no length is negative")
    return Buffer(array.name, element, shape)


def _element(launches: Sequence[Launch], name: str) -> Scalar | Struct | None:
    """What the parameters, or the members of structs, that take a buffer point to."""
    for launch in launches:
        given = dict(launch.arguments)
        for parameter in launch.parameters:
            value = given.get(parameter.name, parameter.name)
            kinds: list[tuple[Value, Type]] = []
            if isinstance(parameter.type, Struct) and isinstance(value, tuple):
                members = {field.name: field.type for field in parameter.type.fields}
                kinds = [(each, members[member]) for member, each in value]
            elif not isinstance(value, tuple):
                kinds = [(value, parameter.type)]
            for each, kind in kinds:
                if each == name and isinstance(kind, Pointer) and isinstance(kind.element, (Scalar, Struct)):
                    return kind.element
    return None
