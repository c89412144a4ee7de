"""What the questions are answered with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Origin(Enum):
    """Who declared the thing that a name refers to."""

    CUDA = "cuda"      #: our stub header, that is: CUDA
    USER = "user"      #: the source, or a header of the person's
    SILENT = "silent"  #: libclang has no answer


@dataclass(frozen=True, slots=True)
class Function:
    """A function that a name refers to.

    Args:
        name: As the source spells it.
        is_kernel: Whether it is ``__global__``.
        is_template: Whether it is, or is made from, a template.
        parameters: How many parameters it has.
        overloaded: Whether the source has another function of this name.
    """

    name: str
    is_kernel: bool
    is_template: bool
    parameters: int
    overloaded: bool
