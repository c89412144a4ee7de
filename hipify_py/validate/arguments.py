"""The arguments of a launch as bytes, and where in them the addresses of buffers go."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hipify_py.validate.case import Argument, Case, CaseError, Launch
from hipify_py.validate.elements import Buffer, storage
from hipify_py.validate.expressions import ExpressionError, Value, evaluate
from hipify_py.validate.layout import Pointer, Scalar, Struct, Type

#: The bytes of an argument, and the buffers whose addresses belong at which offsets.
Packed = tuple[bytes, tuple[tuple[int, str], ...]]


class Arguments:
    """Expressions of a case, with the names of one run.

    Args:
        case: For messages.
        names: What names mean.
    """

    def __init__(self, case: Case, names: Mapping[str, Value]) -> None:
        self._case, self._names = case, names

    def packed(self, launch: Launch) -> list[Packed]:
        """Each argument of a launch.

        Raises:
            CaseError: An expression has no value.
        """
        given = dict(launch.arguments)
        return [self._pack(each.type, given.get(each.name, each.name)) for each in launch.parameters]

    def dimensions(self, key: str, texts: tuple[Value, ...]) -> tuple[int, int, int]:
        """A grid or a block.

        Raises:
            CaseError: An expression has no value.
        """
        x, y, z = [*(self.whole(key, text) for text in texts), 1, 1][:3]
        return x, y, z

    def whole(self, key: str, text: Value) -> int:
        """A whole number of the launch.

        Raises:
            CaseError: The expression has no value.
        """
        return int(self._number(key, text))

    def _pack(self, kind: Type, given: Argument) -> Packed:
        if isinstance(kind, Pointer):
            return bytes(kind.size), () if given == "nullptr" else ((0, str(given)),)
        if isinstance(kind, Struct):
            assert isinstance(given, tuple)
            result, pointers = bytearray(kind.size), []
            members = dict(given)
            for member in kind.fields:
                part, inner = self._pack(member.type, members[member.name])
                for number in range(member.count):
                    at = member.offset + number * len(part)
                    result[at : at + len(part)] = part
                    pointers += [(at + offset, name) for offset, name in inner]
            return bytes(result), tuple(pointers)
        assert not isinstance(given, tuple)
        values = np.array([self._number("arguments", given)] * kind.lanes)
        stored = np.float32 if kind.dtype == "bf16" else storage(Scalar(kind.dtype))
        return Buffer("", Scalar(kind.dtype), (kind.lanes,)).store(values.astype(stored)).tobytes(), ()

    def _number(self, key: str, text: Value) -> int | float:
        try:
            return evaluate(text, self._names)
        except ExpressionError as error:
            raise CaseError(f"{self._case.path}:{self._case.line(key)}: `{key}`: {error}") from None
