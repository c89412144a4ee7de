"""What is known of a case: a kernel, how it is launched, with what, and what has to come out. Frozen plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from hipify_py.files import InputError
from hipify_py.validate.expressions import Value, evaluate
from hipify_py.validate.layout import Parameter
from hipify_py.validate.signature import Signature, parse

WAVES = (32, 64)


class CaseError(InputError):
    """A case file is wrong: one line with the file, the key and the remedy."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far an element may be from its reference; it passes by any of the three. None: as the dtype's default says."""

    abs: float | None = None
    rel: float | None = None
    ulp: float | None = None


@dataclass(frozen=True, slots=True)
class Array:
    """A buffer of a case.

    Args:
        name: That of the parameter, or of the variable if `symbol` is set.
        shape: Expressions, one a dimension.
        dtype: Of its numbers; empty: that of the parameter.
        symbol: It is the ``__constant__`` or ``__device__`` variable of this name, empty: a buffer of its own.
    """

    name: str
    shape: tuple[Value, ...]
    dtype: str = ""
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Input(Array):
    """A buffer with something in it.

    Args:
        distribution: How it is filled: a key of :data:`hipify_py.validate.inputs.DISTRIBUTIONS`, or ``file``.
        options: Numbers and expressions of the distribution: ``low``, ``high``, ``mean`` ...
        file: An ``.npy``, ``.npz`` or raw file.
        function: A function of reference.py that makes it.
    """

    distribution: str = ""
    options: tuple[tuple[str, Value], ...] = ()
    file: str = ""
    function: str = ""


@dataclass(frozen=True, slots=True)
class Output(Array):
    """A buffer that is compared."""

    tolerance: Tolerance = Tolerance()


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch of a kernel.

    Args:
        kernel: As C++ names it: ``dot_kernel<float, 256>``.
        prototype: Its signature in C.
        grid: Blocks, one to three expressions.
        block: Threads of a block, one to three expressions.
        shared: Bytes of dynamic shared memory.
        cooperative: All blocks are there at once.
        arguments: By parameter: an expression, the name of a buffer, ``nullptr``, or the members of a struct. A
            parameter that is not named takes the buffer, size or value of its own name.
    """

    kernel: str
    prototype: str
    grid: tuple[Value, ...]
    block: tuple[Value, ...]
    shared: Value = 0
    cooperative: bool = False
    arguments: tuple[tuple[str, Argument], ...] = ()
    parsed: Signature | None = None

    def filled(self, constants: Mapping[str, Value], declarations: str) -> Launch:
        """The launch with the constants of a sweep in the places of ``{NAME}``, and its prototype taken apart."""
        prototype = _fill(self.prototype, constants)
        return replace(self, kernel=_fill(self.kernel, constants), prototype=prototype, parsed=parse(prototype, declarations))

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What the kernel takes; known of a launch that :meth:`filled` has made."""
        return self.parsed.parameters if self.parsed else ()


#: A number, an expression or a name, or the members of a struct.
Argument = Value | tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """One choice of the constants that a case sweeps over; empty where it does not."""

    constants: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.constants)


@dataclass(frozen=True, slots=True)
class Case:
    """All of a case.

    Args:
        path: The case file.
        name: That of its folder, and of the file if it is not ``case.toml``.
        source: The CUDA (or HIP) source.
        launches: In the order in which they run.
        sizes: The runs of the case, by their sizes.
        values: Expressions with a name, evaluated in their order.
        inputs, outputs, scratch: The buffers; one may be both an input and an output.
        declarations: Structs and typedefs of the signatures, in C.
        include_dirs: Folders of headers.
        defines: Macros.
        sweep: Constants and the values that each is tried with.
        reference: A Python file with a function ``reference``; None: there is none.
        recorded: A file with recorded inputs and outputs; None: there is none.
        waves: The sizes of a wave that the kernel is written for.
        timeout: Seconds that one run may take.
    """

    path: Path
    name: str
    source: Path
    launches: tuple[Launch, ...]
    sizes: tuple[tuple[tuple[str, int], ...], ...]
    values: tuple[tuple[str, Value], ...] = ()
    inputs: tuple[Input, ...] = ()
    outputs: tuple[Output, ...] = ()
    scratch: tuple[Array, ...] = ()
    declarations: str = ""
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    sweep: tuple[tuple[str, tuple[Value, ...]], ...] = ()
    reference: Path | None = None
    recorded: Path | None = None
    waves: tuple[int, ...] = WAVES
    timeout: float = 30.0
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, hash=False)

    def variants(self) -> list[Variant]:
        """All choices of the constants of the sweep; one empty one without a sweep."""
        names = [name for name, _ in self.sweep]
        return [Variant(tuple(zip(names, chosen, strict=True))) for chosen in product(*(values for _, values in self.sweep))]

    def filled(self, variant: Variant) -> tuple[Launch, ...]:
        """The launches of a variant."""
        return tuple(launch.filled(dict(variant.constants), self.declarations) for launch in self.launches)

    def macros(self, variant: Variant) -> tuple[str, ...]:
        """The macros of a variant: those of the case, and the constants that stand in no ``{NAME}``."""
        text = "".join(launch.kernel + launch.prototype for launch in self.launches)
        return (*self.defines, *(f"{name}={value}" for name, value in variant.constants if f"{{{name}}}" not in text))

    def names(self, size: Mapping[str, Value], variant: Variant) -> dict[str, Value]:
        """What names mean in the expressions of one run: sizes, constants, values."""
        known: dict[str, Value] = {**size, **dict(variant.constants)}
        for name, text in self.values:
            known[name] = evaluate(text, known)
        return known

    def line(self, key: str) -> int:
        """The line of a key in the file, 1 where it is not known."""
        return self.lines.get(key, 1)


def size_label(size: Mapping[str, object]) -> str:
    """A size for people: ``n=255``."""
    return " ".join(f"{name}={value}" for name, value in size.items())


def _fill(text: str, constants: Mapping[str, Value]) -> str:
    for name, value in constants.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text
