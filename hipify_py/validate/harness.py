"""The C++ around a case's kernels, out of templates: host functions that give their addresses, or a program of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jinja2


def module_text(source: str, kernels: Sequence[str], symbols: Sequence[str]) -> str:
    """The source of a shared library with the kernels of a case.

    Args:
        source: The file to include, the translation.
        kernels: As C++ names them, ``dot_kernel<float, 256>``: by these numbers :class:`hipify_py.validate.device.Library`
            finds them.
        symbols: Names of ``__constant__`` and ``__device__`` variables.
    """
    return _environment().get_template("module.hip.j2").render(source=source, kernels=list(kernels), symbols=list(symbols))


def program_text(**parts: object) -> str:
    """The source of a program of its own; the parts are those of the template ``program.hip.j2``."""
    return _environment().get_template("program.hip.j2").render(**parts)


@cache
def _environment() -> jinja2.Environment:
    import jinja2  # noqa: PLC0415 - start-up time

    return jinja2.Environment(
        loader=jinja2.PackageLoader("hipify_py.validate", "templates"), undefined=jinja2.StrictUndefined, autoescape=False,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
