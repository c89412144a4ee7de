"""What goes into a run: fresh random numbers from a seed, files, and functions of reference.py."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hipify_py.validate.case import Case, CaseError, Input
from hipify_py.validate.elements import Buffer, Values, from_bf16, storage, to_bf16
from hipify_py.validate.expressions import ExpressionError, Value, evaluate
from hipify_py.validate.layout import FLOATS, Scalar, Struct

Generator = np.random.Generator
Options = Mapping[str, float]


def generator(seed: int, *parts: str) -> Generator:
    """The random numbers of one run: those of the seed, the case and the size."""
    return np.random.default_rng([seed, *(byte for part in parts for byte in part.encode())])


def make(case: Case, array: Input, buffer: Buffer, names: Mapping[str, Value], rng: Generator, module: object) -> Values:
    """The values of an input.

    Args:
        case: For messages and files.
        array: What the case says of it.
        buffer: Its elements and shape.
        names: What names mean in expressions.
        rng: The source of random numbers.
        module: reference.py, for its functions; None without one.

    Raises:
        CaseError: A file or a function does not give such an array.
    """
    key = f"inputs.{array.name}"
    where = f"{case.path}:{case.line(key)}: `{key}`"
    if array.file:
        return _fit(where, buffer, read(case, array, buffer))
    if array.function:
        function = getattr(module, array.function, None)
        if not callable(function):
            raise CaseError(f"{where}: reference.py has no function `{array.function}`")
        made = call(function, {**names, "rng": rng})
        if isinstance(made, dict):
            if array.name not in made:
                raise CaseError(f"{where}: `{array.function}` returns no `{array.name}`, only {', '.join(sorted(made))}")
            made = made[array.name]
        return _fit(where, buffer, np.asarray(made))
    try:
        options = {name: evaluate(value, names) for name, value in array.options}
    except ExpressionError as error:
        raise CaseError(f"{where}: {error}") from None
    if isinstance(buffer.element, Struct):
        return _structs(buffer, array.distribution, options, rng)
    return draw(buffer.element.dtype, buffer.full_shape, array.distribution, options, rng)


def draw(dtype: str, shape: tuple[int, ...], distribution: str, options: Options, rng: Generator) -> Values:
    """Numbers of a dtype; those of bf16 as the float32 numbers that they are."""
    kind = np.dtype(np.float32) if dtype == "bf16" else storage(Scalar(dtype))
    if dtype == "bool" and not distribution:
        return rng.integers(0, 2, shape).astype(np.bool_)
    name = distribution or ("uniform" if dtype in FLOATS else "integers")
    if name == "integers" or (name == "uniform" and dtype not in FLOATS):
        low, high = int(options.get("low", 0)), int(options.get("high", 100))
        made = rng.integers(low, max(high, low + 1), shape)
    else:
        made = _DRAW[name](rng, shape, options)
    values = made.astype(kind)
    return from_bf16(to_bf16(values)) if dtype == "bf16" else values


def call(function: Callable[..., Any], known: Mapping[str, Any]) -> Any:  # noqa: ANN401 - whatever a person returns
    """Call a function with those of the known values that it has parameters for."""
    parameters = inspect.signature(function).parameters.values()
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters):
        return function(**known)
    return function(**{each.name: known[each.name] for each in parameters if each.name in known})


def read(case: Case, array: Input, buffer: Buffer) -> Values:
    """The array of a file beside the case: ``.npy``, ``.npz`` (under the input's name) or raw bytes."""
    path = case.path.parent / array.file
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as archive:
                return np.asarray(archive[array.name])
        if path.suffix == ".npy":
            return np.asarray(np.load(path, allow_pickle=False))
        stored = np.fromfile(path, storage(buffer.element))
        return buffer.load(stored)
    except (OSError, ValueError, KeyError) as error:
        raise CaseError(f"{case.path}:{case.line(f'inputs.{array.name}')}: `{path}` cannot be read: {error}") from None


def _fit(where: str, buffer: Buffer, values: Values) -> Values:
    """Values in the shape of their buffer."""
    if values.size != int(np.prod(buffer.full_shape, dtype=np.int64)):
        raise CaseError(f"{where}: the array has the shape {values.shape}, the case asks for {buffer.full_shape}")
    if isinstance(buffer.element, Scalar) and buffer.dtype != "bf16":
        values = values.astype(storage(buffer.element))
    return values.reshape(buffer.full_shape)


def _structs(buffer: Buffer, distribution: str, options: Options, rng: Generator) -> Values:
    made = buffer.empty()
    made[...] = np.zeros((), made.dtype)
    assert isinstance(buffer.element, Struct)
    for field in buffer.element.fields:
        if isinstance(field.type, Scalar):
            part = made[field.name]
            part[...] = draw(field.type.dtype, part.shape, distribution, options, rng)
    return made


def _special(rng: Generator, shape: tuple[int, ...], options: Options) -> Values:
    """Ordinary numbers with zeros, infinities, the largest and the smallest float32 numbers among them."""
    del options
    info = np.finfo(np.float32)
    odd = np.array([0.0, -0.0, np.inf, -np.inf, info.max, -info.max, info.tiny, info.smallest_subnormal], np.float64)
    values = rng.normal(size=shape)
    return np.where(rng.random(shape) < 0.25, rng.choice(odd, shape), values)


def _range(rng: Generator, shape: tuple[int, ...], options: Options) -> Values:
    del rng
    count = int(np.prod(shape, dtype=np.int64))
    return (options.get("start", 0) + options.get("step", 1) * np.arange(count)).reshape(shape)


_DRAW: dict[str, Callable[[Generator, tuple[int, ...], Options], Values]] = {
    "uniform": lambda rng, shape, o: rng.uniform(o.get("low", -1.0), o.get("high", 1.0), shape),
    "normal": lambda rng, shape, o: rng.normal(o.get("mean", 0.0), o.get("std", 1.0), shape),
    "constant": lambda rng, shape, o: np.full(shape, o.get("value", 0)),
    "range": _range,
    "permutation": lambda rng, shape, o: rng.permutation(int(np.prod(shape, dtype=np.int64))).reshape(shape),
    "special": _special,
}
