"""The only place that imports clang.cindex: what libclang knows about a source.

Coverage comes from the lexer; libclang answers questions, and ``SILENT`` or None is an answer too. There is no CUDA SDK:
a stub header with the names that the source uses is made for each parse (:mod:`hipify_py.clang.stubs`).
"""

from __future__ import annotations

from hipify_py.clang.answers import Function, Origin
from hipify_py.clang.library import Problem
from hipify_py.clang.semantics import NoSemantics, Semantics

__all__ = ["Function", "NoSemantics", "Origin", "Problem", "Semantics"]
