"""What the headers of a CUDA or HIP installation declare, read with libclang: a developer's tool, not a user's.

The check of the mapping tables (:mod:`hipify_py.mapping.check`) compares what this finds on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clang import cindex

from hipify_py.mapping.records import Kind

_K = cindex.CursorKind
_SCOPES = {_K.NAMESPACE, _K.LINKAGE_SPEC, _K.UNEXPOSED_DECL}
_FUNCTIONS = {_K.FUNCTION_DECL, _K.FUNCTION_TEMPLATE}
_RECORDS = {_K.STRUCT_DECL, _K.UNION_DECL}
_TYPES = _RECORDS | {
    _K.CLASS_DECL,
    _K.ENUM_DECL,
    _K.TYPEDEF_DECL,
    _K.TYPE_ALIAS_DECL,
    _K.TYPE_ALIAS_TEMPLATE_DECL,
    _K.CLASS_TEMPLATE,
}

#: Namespaces whose members count, by their qualified name; ``std`` and the libraries' insides do not.
_OPEN = ("cooperative_groups", "thrust", "hipcub", "nvcuda", "rocwmma")
_NUMBER = re.compile(r"\(?(-?(?:0[xX][0-9a-fA-F]+|\d+))[uUlL]*\)?")
_ALIAS = re.compile(r"__CUDA_API_PT[DS][SZ]\(([A-Za-z]\w+)\)|([A-Za-z]\w+)")
_VARIADIC = 99
#: CXTranslationUnit_KeepGoing, for which cindex has no name: a header that is not there (``GL/gl.h``) ends nothing.
_KEEP_GOING = 0x200


@dataclass(frozen=True, slots=True)
class Signature:
    """The types of one form of a function: as they are written, and what they come to without typedefs.

    Args:
        result: What it returns, both ways.
        parameters: What it takes, both ways for each.

    """

    result: tuple[str, str]
    parameters: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Declaration:
    """One name: what it is, the files that declare it, and what its kind has to tell.

    Args:
        kind: What it is; a macro for a function counts as what it stands for where both are declared.
        files: The headers that declare it.
        arities: The smallest and largest number of arguments of each overload of a function.
        signatures: The types of each overload; empty for templates, whose types are the caller's.
        value: Of an enumerator, or of a macro that is a whole number.
        members: Of a structure or union: each name and the type as written; unnamed ones are looked into.
        constants: Of an enumeration: the names of its enumerators.
        canonical: Of a typedef: what it comes to. Of a macro: the one name it stands for (``cuMemAlloc_v2``).
        guard: Whether it is a macro whose only use is that a header is read once.

    """

    kind: Kind
    files: set[str] = field(default_factory=set)
    arities: set[tuple[int, int]] = field(default_factory=set)
    signatures: set[Signature] = field(default_factory=set)
    value: int | None = None
    members: tuple[tuple[str, str], ...] = ()
    constants: tuple[str, ...] = ()
    canonical: str = ""
    guard: bool = False

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

    def merge(self, other: Declaration) -> None:
        """Take over what another header says about the same name."""
        self.files |= other.files
        if self.kind is Kind.MACRO and other.kind is not Kind.MACRO:
            self.kind = other.kind
        self.arities |= other.arities
        self.signatures |= other.signatures
        self.value = other.value if self.value is None else self.value
        self.members = self.members or other.members
        self.constants = self.constants or other.constants
        self.canonical = self.canonical or other.canonical
        self.guard = self.guard or other.guard


@dataclass(frozen=True, slots=True)
class Installation:
    """Headers of one version on this machine.

    Args:
        headers: The headers to read; those that are not there are skipped.
        arguments: What libclang needs to find and read them.
        alone: Those of the headers that cannot stand beside the others, such as ``cublas.h`` beside ``cublas_v2.h``.

    """

    headers: tuple[str, ...]
    arguments: tuple[str, ...]
    alone: frozenset[str] = frozenset()

    def read(self) -> dict[str, Declaration]:
        """Collect every name that the headers declare, macros included; members of open namespaces are qualified.

        Errors inside the headers do not matter: libclang recovers and what it could not read is missing.
        """
        names: dict[str, Declaration] = {}
        guards = _Guards()
        together = tuple(header for header in self.headers if header not in self.alone)
        for headers in (together, *((header,) for header in self.headers if header in self.alone)):
            for name, declaration in _declared(headers, self.arguments, guards):
                known = names.get(name)
                if known is None:
                    names[name] = declaration
                else:
                    known.merge(declaration)
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


def system_words(root: Path) -> tuple[str, ...]:
    """What makes libclang find clang's own headers and the C library's below a root: without them, ``size_t`` is an int.

    Raises:
        FileNotFoundError: as for :func:`hip_installation`.

    """
    return tuple(word for word in hip_installation(root, ()).arguments if word.startswith(("-resource-dir=", "--sysroot=")))


def cuda_installation(
    include: Path, headers: Sequence[str], alone: frozenset[str] = frozenset(), system: Sequence[str] = ()
) -> Installation:
    """Describe CUDA headers in one include folder; device headers are read as clang reads CUDA.

    Args:
        include: The folder that holds ``cuda_runtime.h`` and ``crt``.
        headers: Names of headers as they are included.
        alone: Those that cannot stand beside the others.
        system: :func:`system_words`; names and numbers of arguments are right without them, types are not.

    Raises:
        FileNotFoundError: if ``cuda_runtime.h`` is not in the folder.

    """
    if not (include / "cuda_runtime.h").exists():
        raise FileNotFoundError(f"no `cuda_runtime.h` in `{include}`: give the folder of the CUDA headers")
    arguments = (
        *("-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib", "-std=c++17"),
        *("-D__CUDACC__", "-D__CUDA_ARCH__=900", "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=9"),
        *("-Wno-everything", "-ferror-limit=0", f"-I{include}", f"-I{include / 'cccl'}", "-include", "cuda_runtime.h"),
        *system,
    )
    return Installation(tuple(headers), arguments, alone)


class _Guards:
    """The macros that only keep a header from being read twice, by file."""

    _FIRST = re.compile(r"#\s*(?:ifndef\s+(\w+)|if\s+!\s*defined\s*\(?\s*(\w+)\s*\)?)[^\n]*\n\s*#\s*define\s+(\w+)")
    _COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    def of(self, file: str) -> str:
        """The guard of a file; empty if it has none. It is the first thing in it: asked for, then defined."""
        if file not in self._found:
            text = self._COMMENTS.sub("", Path(file).read_text(encoding="latin-1"))
            match = self._FIRST.match(text.lstrip())
            self._found[file] = match[3] if match and match[3] in (match[1], match[2]) else ""
        return self._found[file]


def _declared(headers: Sequence[str], arguments: Sequence[str], guards: _Guards) -> Iterator[tuple[str, Declaration]]:
    source = "".join(f"#if __has_include(<{header}>)\n#include <{header}>\n#endif\n" for header in headers)
    unit = cindex.Index.create().parse(
        "declared.cu",
        args=list(arguments),
        unsaved_files=[("declared.cu", source)],
        options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD | _KEEP_GOING,
    )
    yield from _walk(unit.cursor, "", guards)


def _walk(scope: cindex.Cursor, prefix: str, guards: _Guards) -> Iterator[tuple[str, Declaration]]:
    for cursor in scope.get_children():
        kind, name = cursor.kind, cursor.spelling
        file = cursor.location.file.name if cursor.location.file else ""
        files = {file}
        if kind in _SCOPES:
            if kind is not _K.NAMESPACE or not name or name.startswith(("THRUST_", "__v")):
                yield from _walk(cursor, prefix, guards)
            elif name in _OPEN or prefix:
                yield prefix + name, Declaration(Kind.NAMESPACE, files)
                yield from _walk(cursor, f"{prefix}{name}::", guards)
        elif kind is _K.USING_DECLARATION:
            for child in cursor.get_children():
                if child.kind is not _K.NAMESPACE_REF:
                    yield prefix + child.spelling, Declaration(Kind.BUILTIN, files)
        elif kind in _FUNCTIONS and name:
            signatures = {_signature(cursor)} if kind is _K.FUNCTION_DECL else set()
            yield prefix + name, Declaration(Kind.FUNCTION, files, {_arity(cursor)}, signatures)
        elif kind in _TYPES:
            yield from _type(cursor, prefix, files)
        elif kind is _K.MACRO_DEFINITION and file and not prefix:
            text = "".join(token.spelling for token in list(cursor.get_tokens())[1:6])
            yield name, Declaration(Kind.MACRO, files, value=_macro_value(text), canonical=_macro_name(text),
                                    guard=guards.of(file) == name)
        elif kind is _K.VAR_DECL and name:
            yield prefix + name, Declaration(Kind.BUILTIN, files)


def _type(cursor: cindex.Cursor, prefix: str, files: set[str]) -> Iterator[tuple[str, Declaration]]:
    name = cursor.spelling
    meant, canonical = cursor, ""
    if cursor.kind is _K.TYPEDEF_DECL:
        target = cursor.underlying_typedef_type.get_canonical()
        meant, canonical = target.get_declaration(), target.spelling
    if name and "(" not in name:
        members = tuple(_members(meant)) if meant.kind in _RECORDS else ()
        constants = tuple(_constants(meant)) if meant.kind is _K.ENUM_DECL else ()
        yield prefix + name, Declaration(Kind.TYPE, files, members=members, constants=constants, canonical=canonical)
    if cursor.kind is _K.ENUM_DECL:
        for member in cursor.get_children():
            if member.kind is _K.ENUM_CONSTANT_DECL:
                yield prefix + member.spelling, Declaration(Kind.ENUMERATOR, set(files), value=member.enum_value)


def _constants(enumeration: cindex.Cursor) -> Iterator[str]:
    return (child.spelling for child in enumeration.get_children() if child.kind is _K.ENUM_CONSTANT_DECL)


def _members(record: cindex.Cursor) -> Iterator[tuple[str, str]]:
    """The members of a structure; what an unnamed one inside holds counts as its own, as in the language."""
    for child in record.get_children():
        if child.kind is _K.FIELD_DECL and child.spelling:
            yield child.spelling, child.type.spelling
        elif child.kind in _RECORDS and cindex.conf.lib.clang_Cursor_isAnonymousRecordDecl(child):
            yield from _members(child)


def _macro_value(text: str) -> int | None:
    """The whole number that a macro stands for, as far as its text is just that."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    digits = match[1].lstrip("-")
    octal = digits.startswith("0") and digits.isdigit() and len(digits) > 1
    number = int(digits, 8 if octal else 0)
    return -number if match[1].startswith("-") else number


def _macro_name(text: str) -> str:
    """The name that a macro stands for; CUDA's driver chooses between streams with a macro around it."""
    match = _ALIAS.fullmatch(text)
    return match[1] or match[2] if match else ""


def _both(written: cindex.Type) -> tuple[str, str]:
    return written.spelling, written.get_canonical().spelling


def _signature(function: cindex.Cursor) -> Signature:
    parameters = [child for child in function.get_children() if child.kind is _K.PARM_DECL]
    return Signature(_both(function.result_type), tuple(_both(parameter.type) for parameter in parameters))


def _arity(function: cindex.Cursor) -> tuple[int, int]:
    parameters = [child for child in function.get_children() if child.kind is _K.PARM_DECL]
    defaults = sum(
        1 for parameter in parameters if any(child.kind.is_expression() for child in parameter.get_children())
    )
    variadic = function.type.kind is cindex.TypeKind.FUNCTIONPROTO and function.type.is_function_variadic()
    return len(parameters) - defaults, _VARIADIC if variadic else len(parameters)
