"""The rows of the mapping tables, as a program sees them, and their closed vocabularies."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

#: The columns of every library's CSV file, in order. ``advice`` is last and the only one that may hold a comma.
COLUMNS = ("cuda", "hip", "roc", "kind", "support", "hip_since", "advice")

#: The columns of ``headers.csv``.
HEADER_COLUMNS = ("cuda", "hip", "roc", "library", "support", "main", "advice")


#: The ``library`` of rows from the person's own tables.
OWN = "own"


class Support(Enum):
    """Whether HIP has the name: ``hip`` of a row is empty exactly for :attr:`NO`."""

    YES = "yes"
    NO = "no"
    EXPERIMENTAL = "experimental"
    CHANGED = "changed-signature"


class Kind(Enum):
    """What a name is, in clang's words; ``builtin`` is ``threadIdx`` and its like, ``attribute`` is ``__global__``."""

    FUNCTION = "function"
    DEVICE_FUNCTION = "device-function"
    TYPE = "type"
    ENUMERATOR = "enumerator"
    MACRO = "macro"
    NAMESPACE = "namespace"
    BUILTIN = "builtin"
    ATTRIBUTE = "attribute"


class Mapping(NamedTuple):
    """One CUDA name.

    Args:
        cuda: The CUDA spelling; a qualified one (``thrust::cuda::par``) for names that live in a namespace.
        hip: The HIP spelling, the same as ``cuda`` where nothing changes, empty where there is no counterpart.
        roc: The name in ROCm's own library (rocBLAS, MIOpen), empty where unknown; its arguments often differ.
        library: The table the row stands in, such as ``runtime`` or ``blas``.
        kind: A value of :class:`Kind`.
        support: Whether HIP has it, and whether it takes the same arguments.
        hip_since: The HIP version known to declare it (``5.2`` also stands for everything older), empty if unknown.
        advice: What a colleague would say about it in one sentence, or empty.

    """

    cuda: str
    hip: str
    roc: str
    library: str
    kind: str
    support: Support
    hip_since: str
    advice: str


class HeaderMapping(NamedTuple):
    """One header that CUDA sources include.

    Args:
        cuda: The header as it is written between the brackets.
        hip: What to include instead; empty where there is none and the include must be reported.
        library: The table that holds the header's names.
        support: :attr:`Support.NO` exactly where ``hip`` is empty.
        main: The CUDA header makes the runtime and the device language available, and so must its replacement.
        advice: What a colleague would say about it in one sentence, or empty.

    """

    cuda: str
    hip: str
    library: str
    support: Support
    main: bool
    advice: str
