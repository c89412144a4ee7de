"""A kernel's signature, written as a C prototype, taken apart by pycparser.

>>> [p.name for p in parse("void add(const float *a, float *b, int n)").parameters]
['a', 'b', 'n']
"""

from __future__ import annotations

import os
import pickle
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from hipify_py.caches import digest, folder
from hipify_py.validate.layout import Parameter, Pointer, Scalar, Struct, Type, scalars

#: What a person may leave in the prototype, and C does not know.
_DROPPED = re.compile(r"\b(?:__global__|__host__|__device__|__restrict__|__restrict|static|extern|inline|constexpr)\b")
#: A struct: C++ names it without the word.
_TAG = re.compile(r"\bstruct\s+(\w+)\s*\{")
_C_WORDS = frozenset(("_Bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned"))

#: What a kept signature depends on, beside its text.
_CODE = (Path(__file__), Path(__file__).with_name("layout.py"), Path(__file__).with_name("types.csv"))

#: What pycparser's tree consists of; its classes have no types.
Node = Any


class SignatureError(ValueError):
    """The prototype cannot be used; the text says why and what to write."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The name and the parameters of a kernel."""

    name: str
    parameters: tuple[Parameter, ...]


def parse(prototype: str, declarations: str = "") -> Signature:
    """Read a prototype.

    Args:
        prototype: ``void add(const float *a, float *b, int n)``.
        declarations: Structs and typedefs that it uses, in C.

    Raises:
        SignatureError: It cannot be parsed, or a type is not known.
    """
    return _parse(prototype, declarations)


@lru_cache(maxsize=256)
def _parse(prototype: str, declarations: str) -> Signature:
    """What was found before, in the cache folder; else by pycparser, which takes as long to import as numpy's half."""
    record = _record(prototype, declarations)
    if record is not None:
        with suppress(Exception):  # not there, cut short, of another Python: it is made anew
            found = pickle.loads(record.read_bytes())
            if isinstance(found, Signature):
                return found
    found = _read(prototype, declarations)
    if record is not None:
        with suppress(OSError):
            record.parent.mkdir(parents=True, exist_ok=True)
            own = record.with_name(f"{record.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
            own.write_bytes(pickle.dumps(found))
            own.replace(record)
    return found


def _record(prototype: str, declarations: str) -> Path | None:
    """Where a signature is kept; None where there is no cache folder."""
    try:
        parts = [f"{path.stat().st_size} {path.stat().st_mtime_ns}" for path in _CODE]
        return folder() / "validate" / "signatures" / digest([*parts, sys.version, prototype, declarations])
    except (OSError, RuntimeError):
        return None


def _read(prototype: str, declarations: str) -> Signature:
    from pycparser import c_ast, c_parser  # noqa: PLC0415 - start-up time

    text = _DROPPED.sub(" ", prototype).strip().rstrip(";")
    if "&" in text:
        raise SignatureError(f"`{prototype}` has a reference: write a pointer, which is what the launch passes")
    if "<" in text:
        raise SignatureError(f"`{prototype}` has a template's arguments: name the instance with `kernel`")
    names = sorted(name for name in scalars() if " " not in name and name not in _C_WORDS)
    tags = _TAG.findall(declarations)
    prelude = " ".join([*(f"typedef int {name};" for name in names), *(f"typedef struct {tag} {tag};" for tag in tags)])
    try:
        tree = c_parser.CParser().parse(f"{prelude} {_DROPPED.sub(' ', declarations)}\n;{text};")
    except Exception as error:  # its class moved between the versions of pycparser
        raise SignatureError(f"`{prototype}` is no C prototype ({error}): write `void name(const float *a, int n)`") from None
    reader = _Reader(c_ast)
    for node in tree.ext[len(names) + len(tags) : -1]:
        reader.declare(node)
    last = tree.ext[-1]
    if not isinstance(last, c_ast.Decl) or not isinstance(last.type, c_ast.FuncDecl):
        raise SignatureError(f"`{prototype}` is no prototype: write `void name(const float *a, int n)`")
    return Signature(last.name, tuple(reader.parameters(last.type)))


class _Reader:
    """Types out of pycparser's tree."""

    def __init__(self, c_ast: Node) -> None:
        self._ast = c_ast
        self._typedefs: dict[str, Type] = {}
        self._structs: dict[str, Struct] = {}

    def declare(self, node: Node) -> None:
        """Take note of a struct or a typedef."""
        if isinstance(node, self._ast.Typedef):
            self._typedefs[node.name] = self.type(node.type)
        elif isinstance(node, self._ast.Decl):
            self.type(node.type)

    def parameters(self, function: Node) -> list[Parameter]:
        """The parameters of a function."""
        found: list[Parameter] = []
        for number, node in enumerate(function.args.params if function.args else ()):
            if isinstance(node, self._ast.EllipsisParam):
                raise SignatureError("`...` is nothing that a kernel can take")
            if node.name is None:
                if self._is_void(node):
                    return []
                raise SignatureError(f"parameter {number + 1} has no name: give it one")
            found.append(Parameter(node.name, self.type(node.type)))
        return found

    def type(self, node: Node) -> Type:
        """The type that a node declares."""
        ast = self._ast
        if isinstance(node, (ast.PtrDecl, ast.ArrayDecl)):
            inner = node.type
            if isinstance(inner, ast.TypeDecl) and getattr(inner.type, "names", None) == ["void"]:
                return Pointer(None, "const" in inner.quals)
            quals = getattr(inner, "quals", None) or []
            return Pointer(self.type(inner), "const" in quals)
        if isinstance(node, ast.TypeDecl):
            return self.type(node.type)
        if isinstance(node, ast.Struct):
            return self._struct(node)
        if isinstance(node, ast.IdentifierType):
            return self._named(node.names)
        raise SignatureError(f"{type(node).__name__} is a type that is not supported here: pass a pointer, a number or a struct")

    def _named(self, names: list[str]) -> Type:
        name = " ".join(names)
        if name in self._typedefs:
            return self._typedefs[name]
        known = scalars().get(name) or scalars().get(_canonical(names))
        if known is not None:
            return known
        raise SignatureError(f"the type `{name}` is not known: declare it in `declarations`")

    def _struct(self, node: Node) -> Struct:
        name = node.name or "struct"
        if node.decls is None:
            if name not in self._structs:
                raise SignatureError(f"the struct `{name}` is not known: declare it in `declarations`")
            return self._structs[name]
        members: list[tuple[str, Type, int]] = []
        for member in node.decls:
            kind, count = member.type, 1
            while isinstance(kind, self._ast.ArrayDecl):
                count *= _constant(kind.dim, member.name)
                kind = kind.type
            members.append((member.name, self.type(kind), count))
        made = Struct.of(name, members)
        self._structs[name] = made
        self._typedefs[name] = made  # C++ names a struct by its name alone
        return made

    def _is_void(self, node: Node) -> bool:
        return isinstance(node.type, self._ast.TypeDecl) and getattr(node.type.type, "names", None) == ["void"]


def _constant(node: Node, name: str) -> int:
    value = getattr(node, "value", None)
    if value is None or not str(value).isdigit():
        raise SignatureError(f"the length of the member `{name}` has to be a number")
    return int(value)


def _canonical(words: list[str]) -> str:
    """C's words for an integer in the order of the table: ``long unsigned`` is ``unsigned long``."""
    kept = [word for word in words if word not in ("signed", "int")]
    if "char" in words and "signed" in words:
        kept = ["signed", "char"]
    return " ".join(sorted(kept, key=lambda word: word != "unsigned")) or "int"


def describe(kind: Type) -> str:
    """A type for messages."""
    if isinstance(kind, Scalar):
        return kind.dtype if kind.lanes == 1 else f"{kind.dtype} x {kind.lanes}"
    if isinstance(kind, Pointer):
        return "a pointer" if kind.element is None else f"a pointer to {describe(kind.element)}"
    return f"struct {kind.name}"
