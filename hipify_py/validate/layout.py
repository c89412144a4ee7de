"""Types of kernel parameters: what a name of C is in memory. Plain data, no numpy, so that reading a case is quick."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

#: dtype of case files -> (numpy's name of what is stored, bytes). A bf16 is stored as its bits.
DTYPES = {
    "fp16": ("float16", 2), "fp32": ("float32", 4), "fp64": ("float64", 8), "bf16": ("uint16", 2),
    "int8": ("int8", 1), "int16": ("int16", 2), "int32": ("int32", 4), "int64": ("int64", 8),
    "uint8": ("uint8", 1), "uint16": ("uint16", 2), "uint32": ("uint32", 4), "uint64": ("uint64", 8), "bool": ("bool", 1),
}
#: Other spellings that case files may use.
SPELLINGS = {"float16": "fp16", "half": "fp16", "float32": "fp32", "float": "fp32", "float64": "fp64", "double": "fp64",
             "bfloat16": "bf16", "int": "int32"}
FLOATS = frozenset(("fp16", "fp32", "fp64", "bf16"))


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number, or a short vector of them.

    Args:
        dtype: A key of :data:`DTYPES`.
        lanes: 1, or that of ``float4`` and its like.
    """

    dtype: str
    lanes: int = 1

    @property
    def size(self) -> int:
        """Bytes."""
        return DTYPES[self.dtype][1] * self.lanes

    @property
    def alignment(self) -> int:
        """Bytes; a vector of two or four is aligned as a whole."""
        return self.size if self.lanes in (2, 4) else DTYPES[self.dtype][1]


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer to elements; None: ``void *``."""

    element: Type | None
    const: bool = False
    size: int = 8
    alignment: int = 8


@dataclass(frozen=True, slots=True)
class Field:
    """A member of a struct: `count` elements from `offset` on."""

    name: str
    type: Type
    offset: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct, laid out as C does."""

    name: str
    fields: tuple[Field, ...]
    size: int
    alignment: int

    @classmethod
    def of(cls, name: str, members: list[tuple[str, Type, int]]) -> Struct:
        """Lay members (name, type, count) out."""
        offset, alignment, fields = 0, 1, []
        for member, kind, count in members:
            offset = _up(offset, kind.alignment)
            fields.append(Field(member, kind, offset, count))
            offset += kind.size * count
            alignment = max(alignment, kind.alignment)
        return cls(name, tuple(fields), _up(offset, alignment), alignment)

    def flat(self) -> Scalar | None:
        """The struct as so many equal numbers in a row; None if it is not that."""
        dtype, lanes = "", 0
        for field in self.fields:
            inner = field.type.flat() if isinstance(field.type, Struct) else field.type
            if not isinstance(inner, Scalar) or (dtype and inner.dtype != dtype):
                return None
            dtype = inner.dtype
            lanes += inner.lanes * field.count
        return Scalar(dtype, lanes) if dtype and lanes * DTYPES[dtype][1] == self.size else None


Type = Scalar | Pointer | Struct


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel."""

    name: str
    type: Type


def _up(value: int, to: int) -> int:
    return (value + to - 1) // to * to


@cache
def scalars() -> dict[str, Scalar]:
    """The types that C++ for GPUs knows by name."""
    with (Path(__file__).parent / "types.csv").open(encoding="utf-8", newline="") as file:
        return {row["c"]: Scalar(row["dtype"], int(row["lanes"])) for row in csv.DictReader(file)}
