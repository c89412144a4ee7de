"""The only place that imports clang.cindex: what libclang knows about a source.

Coverage comes from the lexer; libclang answers questions, and ``SILENT`` or None is an answer too.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify_py.unit import TranslationUnit


class Origin(Enum):
    """Who declared the thing that a name refers to."""

    CUDA = "cuda"      #: our stub header, that is: CUDA
    USER = "user"      #: the source, or a header of the person's
    SILENT = "silent"  #: libclang has no answer


class Semantics:
    """Answers about one translation unit, parsed at the first question."""

    def __init__(self, unit: TranslationUnit) -> None:
        self._unit = unit

    def origin(self, index: int) -> Origin:
        """Who declared what the identifier at this token names."""
        return Origin.SILENT


class NoSemantics(Semantics):
    """No answers: libclang was not asked."""

    def __init__(self) -> None:
        pass

    def origin(self, index: int) -> Origin:
        """Always silent."""
        return Origin.SILENT
