"""A second reader for the C headers of CUDA: pycparser, which shares no line of code with libclang.

What both readers see of a header (names of functions, numbers of arguments) has to be the same; a difference means that
one of them lost something, and the check of the tables with it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pycparser import c_ast, c_parser

if TYPE_CHECKING:
    from hipify_py.mapping.compare import Names
    from hipify_py.mapping.verdicts import Report

#: The headers that are C: no templates, no overloads.
HEADERS = (
    *("cuda.h", "cuda_runtime_api.h", "nvrtc.h", "cublas_v2.h", "cublasLt.h", "cublasXt.h", "cufft.h", "cufftXt.h"),
    *("curand.h", "cusparse.h", "cusolverDn.h", "cusolverSp.h", "cusolverRf.h", "cusolverMg.h", "cudnn.h", "nccl.h"),
    *("nvml.h", "cudaGL.h", "cuda_gl_interop.h", "cuda_profiler_api.h", "cudaProfiler.h"),
)

#: GNU's and NVIDIA's words that C has not: each with what stands for it.
_STAND_INS = (
    *("__attribute__(x)=", "__extension__=", "__asm__(x)=", "__asm(x)=", "__inline=", "__inline__=", "__restrict="),
    *("__restrict__=", "__const=const", "__volatile__=", "__signed__=signed", "_Noreturn=", "__builtin_va_list=char*"),
    *("__host__=", "__device__=", "__forceinline__=", "__noinline__=", "__cudart_builtin__=", "__align__(n)="),
    *("_Float128=double", "_Float64x=double", "_Float64=double", "_Float32x=double", "_Float32=float", "__float128=double"),
    *("_Static_assert(...)=", "__declspec(x)=", "_Alignas(n)=", "__int128=long"),
    *("__alignof__(x)=8", "_Alignof(x)=8", "__builtin_offsetof(t,m)=0"),
)


class UnreadableError(Exception):
    """A header that the C compiler or pycparser cannot read: one line."""


def functions(include: Path, header: str, compiler: Sequence[str] = ("cc",)) -> dict[str, tuple[int, int]]:
    """Read the functions that one C header, and those of its folder that it includes, declare, with their numbers of arguments.

    Args:
        include: The folder of the header.
        header: Its name.
        compiler: The C compiler that preprocesses it.

    Raises:
        UnreadableError: There is no compiler, or the header is no C.

    """
    words = [*compiler, "-E", "-x", "c", "-std=c11", f"-I{include}", *(f"-D{each}" for each in _STAND_INS), "-"]
    try:
        done = subprocess.run(words, input=f"#include <{header}>\n", capture_output=True, text=True, check=True)
    except OSError as error:
        raise UnreadableError(f"cannot run `{compiler[0]}` ({error.strerror}): install a C compiler") from error
    except subprocess.CalledProcessError as error:
        raise UnreadableError(f"`{header}` cannot be preprocessed: {error.stderr.strip().splitlines()[0]}") from error
    try:
        return dict(_prototypes(c_parser.CParser().parse(done.stdout, header), include))
    except Exception as error:  # its ParseError has moved between the versions of pycparser
        raise UnreadableError(f"pycparser cannot read `{header}`: {error}") from error


def _prototypes(tree: c_ast.FileAST, include: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    for node in tree.ext:
        declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
        if not isinstance(declaration, c_ast.Decl) or not isinstance(declaration.type, c_ast.FuncDecl):
            continue
        # What the header includes of the system's (OpenGL) depends on the machine.
        if not str(getattr(declaration.coord, "file", "")).startswith(str(include)):
            continue
        given = declaration.type.args.params if declaration.type.args else []
        variadic = bool(given) and isinstance(given[-1], c_ast.EllipsisParam)
        count = len(given) - variadic
        if count == 1 and _is_void(given[0]):
            count = 0
        yield declaration.name, (count, 99 if variadic else count)


def _is_void(parameter: c_ast.Node) -> bool:
    kind = getattr(getattr(parameter, "type", None), "type", None)
    return isinstance(kind, c_ast.IdentifierType) and kind.names == ["void"]


def compare_readers(include: Path, names: Names, report: Report) -> None:
    """Note where pycparser sees other functions in CUDA's C headers than libclang, or other numbers of arguments.

    Args:
        include: The folder of the headers.
        names: What libclang found there.
        report: Where it is noted; a header that pycparser cannot read is noted, too.

    """
    agreed: set[str] = set()
    for header in HEADERS:
        if not (include / header).exists():
            report.add("second reader: no such header", f"{include}: {header}")
            continue
        try:
            found = functions(include, header)
        except UnreadableError as error:
            report.add("second reader: could not read", f"{include}: {error}")
            continue
        for name, (_, most) in found.items():
            known = names.get(name)
            if name.startswith("_"):
                continue  # of the C library, which differs between C and C++
            if known is None or not known.arities:
                report.add("second reader: a function that libclang did not see", f"{header}: {name}")
            elif all(most != high for _, high in known.arities):
                report.add("second reader: another number of arguments", f"{header}: {name} ({most}; {known.arities})")
            elif any(file.startswith(str(include)) for file in known.files):
                agreed.add(name)
        for name in _unseen(include / header, names, found):
            report.add("libclang alone sees, the header hides it from C", f"{header}: {name}")
    for name in agreed:
        report.add("both readers agree on CUDA's functions", name)


def _unseen(path: Path, names: Names, found: dict[str, tuple[int, int]]) -> list[str]:
    """List the functions that libclang saw in one header and pycparser did not; macros for others are none."""
    return sorted(name for name, each in names.items()
                  if str(path) in each.files and each.signatures and not each.canonical and name not in found)
