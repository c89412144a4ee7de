"""What the headers of a CUDA or HIP installation declare, read with libclang: a developer's tool, not a user's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clang import cindex

from hipify_py.mapping.records import Kind

_K = cindex.CursorKind
_SCOPES = {_K.NAMESPACE, _K.LINKAGE_SPEC, _K.UNEXPOSED_DECL}
_FUNCTIONS = {_K.FUNCTION_DECL, _K.FUNCTION_TEMPLATE}
_TYPES = {
    _K.STRUCT_DECL,
    _K.CLASS_DECL,
    _K.UNION_DECL,
    _K.ENUM_DECL,
    _K.TYPEDEF_DECL,
    _K.TYPE_ALIAS_DECL,
    _K.TYPE_ALIAS_TEMPLATE_DECL,
    _K.CLASS_TEMPLATE,
}

#: Namespaces whose members count, by their qualified name; ``std`` and the libraries' insides do not.
_OPEN = ("cooperative_groups", "thrust", "hipcub", "nvcuda", "rocwmma")


@dataclass(slots=True)
class Declaration:
    """One name: what it is, the files that declare it, and how many arguments its overloads take."""

    kind: Kind
    files: set[str] = field(default_factory=set)
    arities: set[tuple[int, int]] = field(default_factory=set)

    @property
    def is_for_the_device(self) -> bool:
        """Whether HIP's or clang's own headers declare it, and not only the C library."""
        return any("/hip/" in file or "/__clang_" in file or "/rccl/" in file for file in self.files)

    def accepts_as_many(self, other: Declaration) -> bool:
        """Whether each form of the other can be called as one of this, as far as both are functions."""
        if not self.arities or not other.arities:
            return True
        return all(self._overlaps(arity) for arity in other.arities)

    def accepts_some_of(self, other: Declaration) -> bool:
        """Whether at least one form of the other can be called as one of this, as far as both are functions."""
        return not self.arities or not other.arities or any(self._overlaps(arity) for arity in other.arities)

    def _overlaps(self, other: tuple[int, int]) -> bool:
        return any(low <= other[1] and other[0] <= high for low, high in self.arities)


@dataclass(frozen=True, slots=True)
class Installation:
    """Headers of one version on this machine.

    Args:
        headers: The headers to read; those that are not there are skipped.
        arguments: What libclang needs to find and read them.

    """

    headers: tuple[str, ...]
    arguments: tuple[str, ...]

    def read(self) -> dict[str, Declaration]:
        """Collect every name that the headers declare, macros included; members of open namespaces are qualified.

        Errors inside the headers do not matter: libclang recovers and what it could not read is missing.
        """
        names: dict[str, Declaration] = {}
        for header in self.headers:
            for name, kind, file, arity in _declared(header, self.arguments):
                entry = names.setdefault(name, Declaration(kind))
                entry.files.add(file)
                if entry.kind is Kind.MACRO and kind is not Kind.MACRO:
                    entry.kind = kind
                if arity is not None:
                    entry.arities.add(arity)
        return names


def hip_installation(root: Path, headers: Sequence[str]) -> Installation:
    """Describe the HIP headers below a root, as distributions lay them out (``ROOT/usr/include/hip``).

    Args:
        root: ``/`` for this machine, or a folder with another system's tree.
        headers: Names of headers as they are included.

    Raises:
        FileNotFoundError: if there is no HIP or no clang with its own headers below the root.

    """
    if not (root / "usr/include/hip/hip_runtime.h").exists():
        raise FileNotFoundError(f"no `usr/include/hip/hip_runtime.h` below `{root}`: install the HIP headers there")
    resources = sorted(root.glob("usr/lib/llvm-*/lib/clang/*/include/__clang_hip_runtime_wrapper.h"))
    if not resources:
        raise FileNotFoundError(f"no clang resource folder below `{root}`: install hipcc there")
    arguments = (
        *("-x", "hip", "--cuda-device-only", "--offload-arch=gfx90a", "-nogpulib", "-std=c++17"),
        *("-D__HIP_PLATFORM_AMD__", "-DHIP_ENABLE_WARP_SYNC_BUILTINS", "-DMIOPEN_BETA_API=1", "-Wno-everything"),
        *(f"--sysroot={root}", f"-resource-dir={resources[-1].parent.parent}", f"-I{root / 'usr/include'}"),
    )
    return Installation(tuple(headers), arguments)


def cuda_installation(include: Path, headers: Sequence[str]) -> Installation:
    """Describe CUDA headers in one include folder; device headers are read as clang reads CUDA.

    Args:
        include: The folder that holds ``cuda_runtime.h`` and ``crt``.
        headers: Names of headers as they are included.

    Raises:
        FileNotFoundError: if ``cuda_runtime.h`` is not in the folder.

    """
    if not (include / "cuda_runtime.h").exists():
        raise FileNotFoundError(f"no `cuda_runtime.h` in `{include}`: give the folder of the CUDA headers")
    arguments = (
        *("-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib", "-std=c++17"),
        *("-D__CUDACC__", "-D__CUDA_ARCH__=900", "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=9"),
        *("-Wno-everything", "-ferror-limit=0", f"-I{include}", "-include", "cuda_runtime.h"),
    )
    return Installation(tuple(headers), arguments)


def _declared(header: str, arguments: Sequence[str]) -> Iterator[tuple[str, Kind, str, tuple[int, int] | None]]:
    source = f"#if __has_include(<{header}>)\n#include <{header}>\n#endif\n"
    unit = cindex.Index.create().parse(
        "declared.cu",
        args=list(arguments),
        unsaved_files=[("declared.cu", source)],
        options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD,
    )
    yield from _walk(unit.cursor, "")


def _walk(scope: cindex.Cursor, prefix: str) -> Iterator[tuple[str, Kind, str, tuple[int, int] | None]]:
    for cursor in scope.get_children():
        kind, name = cursor.kind, cursor.spelling
        file = cursor.location.file.name if cursor.location.file else ""
        if kind in _SCOPES:
            if kind is not _K.NAMESPACE or not name or name.startswith(("THRUST_", "__v")):
                yield from _walk(cursor, prefix)
            elif name in _OPEN or prefix:
                yield prefix + name, Kind.NAMESPACE, file, None
                yield from _walk(cursor, f"{prefix}{name}::")
        elif kind is _K.USING_DECLARATION:
            for child in cursor.get_children():
                if child.kind is not _K.NAMESPACE_REF:
                    yield prefix + child.spelling, Kind.BUILTIN, file, None
        elif kind in _FUNCTIONS and name:
            yield prefix + name, Kind.FUNCTION, file, _arity(cursor)
        elif kind in _TYPES:
            if name and "(" not in name:
                yield prefix + name, Kind.TYPE, file, None
            if kind is _K.ENUM_DECL:
                for member in cursor.get_children():
                    yield prefix + member.spelling, Kind.ENUMERATOR, file, None
        elif kind is _K.MACRO_DEFINITION and file and not prefix:
            yield name, Kind.MACRO, file, None
        elif kind is _K.VAR_DECL and name:
            yield prefix + name, Kind.BUILTIN, file, None


def _arity(function: cindex.Cursor) -> tuple[int, int]:
    parameters = [child for child in function.get_children() if child.kind is _K.PARM_DECL]
    defaults = sum(
        1 for parameter in parameters if any(child.kind.is_expression() for child in parameter.get_children())
    )
    variadic = function.type.kind is cindex.TypeKind.FUNCTIONPROTO and function.type.is_function_variadic()
    return len(parameters) - defaults, 99 if variadic else len(parameters)
