"""The tables of this package: nvcc's flags, CUDA's libraries, CMake's names. Loaded once, when first asked."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Flag:
    """An nvcc flag: whether it takes a value, where it counts (``any``, or ``nvcc``'s flags only), what becomes of it."""

    flag: str
    value: str
    scope: str
    action: str
    hip: str
    note: str


@dataclass(frozen=True, slots=True)
class Library:
    """A CUDA library: its HIP name for the linker (none: not needed), its CMake target and package."""

    cuda: str
    hip: str
    target: str
    package: str
    support: str
    note: str


@dataclass(frozen=True, slots=True)
class Name:
    """A CMake variable, property, command or package, and what becomes of it."""

    name: str
    kind: str
    hip: str
    action: str
    note: str


@cache
def flags() -> dict[str, Flag]:
    """Flag (``-ftz=true`` included) -> row."""
    return {row[0]: Flag(*row) for row in _rows("flags.csv")}


@cache
def libraries() -> dict[str, Library]:
    """Library, as the linker or ``CUDA::`` names it -> row."""
    return {row[0]: Library(*row) for row in _rows("libraries.csv")}


@cache
def cmake_names(kind: str) -> dict[str, Name]:
    """The names of one kind; commands in lower case."""
    return {row[0]: Name(*row) for row in _rows("cmake_names.csv") if row[1] == kind}


def library(name: str) -> Library | None:
    """A library by the linker's name: ``cublas``, ``cublas_static``, ``CUDA::cublas``, ``libcublas.so``; None if unknown."""
    table = libraries()
    bare = name.removeprefix("CUDA::")
    if bare.startswith("lib") and bare.endswith((".so", ".a")):
        bare = bare[3:].rpartition(".")[0]
    found = table.get(bare) or table.get(bare.removesuffix("_static").removesuffix("_static_nocallback"))
    if found is not None and found.support == "target" and not name.startswith("CUDA::") and "::" not in name:
        return None  # `toolkit` is a library's name only behind `CUDA::`
    return found


def library_of_variable(name: str) -> Library | None:
    """The library behind FindCUDA's ``CUDA_cublas_LIBRARY`` or ``CUDA_CUBLAS_LIBRARIES``; None for other names."""
    if not name.startswith("CUDA_") or not name.endswith(("_LIBRARY", "_LIBRARIES")):
        return None
    wanted = name[5:].rpartition("_LIBRAR")[0].lower()
    return next((row for key, row in libraries().items() if key.lower() == wanted), None)


def _rows(name: str) -> list[list[str]]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return list(csv.reader(text.splitlines()))[1:]
