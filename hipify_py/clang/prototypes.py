"""The prototypes and the type names that real headers declare, as text: a developer's tool, not a user's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from clang import cindex

_K = cindex.CursorKind
_FUNCTIONS = (_K.FUNCTION_DECL, _K.FUNCTION_TEMPLATE)
_TAG = re.compile(r"\b(?:enum|struct|union) (?=\w)")
_ALIASES = (_K.TYPEDEF_DECL, _K.TYPE_ALIAS_DECL)


@dataclass(frozen=True, slots=True)
class Prototypes:
    """What headers declare at file scope.

    Args:
        functions: Name -> ``hipError_t hipMalloc(void **ptr, size_t size)``, one for each overload, templates last.
        aliases: Name of a type -> what it stands for in the end: ``hipDevice_t`` -> ``int``.
    """

    functions: dict[str, list[str]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)

    def update(self, other: Prototypes) -> None:
        """Let what another has take the place of what is here."""
        self.functions.update(other.functions)
        self.aliases.update(other.aliases)


def prototypes(headers: Sequence[str], arguments: Sequence[str]) -> Prototypes:
    """Read the functions and the names of types at file scope that headers declare.

    Args:
        headers: Names of headers as they are included; those that are not there are skipped. What an earlier one declares
            counts.
        arguments: What libclang needs to find and read them.
    """
    found = Prototypes()
    for header in headers:
        source = f"#if __has_include(<{header}>)\n#include <{header}>\n#endif\n"
        unit = cindex.Index.create().parse("prototypes.cu", args=list(arguments), unsaved_files=[("prototypes.cu", source)])
        here: dict[str, tuple[list[str], list[str]]] = {}
        for cursor in _declarations(unit.cursor):
            if cursor.kind in _FUNCTIONS:
                texts = here.setdefault(cursor.spelling, ([], []))[cursor.kind == _K.FUNCTION_TEMPLATE]
                text = _prototype(cursor)
                if text not in texts:
                    texts.append(text)
            else:
                found.aliases.setdefault(cursor.spelling, cursor.underlying_typedef_type.get_canonical().spelling)
        for name, (plain, templates) in here.items():
            found.functions.setdefault(name, plain + templates)
    return found


def _declarations(scope: cindex.Cursor) -> Iterator[cindex.Cursor]:
    for cursor in scope.get_children():
        if cursor.kind in (_K.LINKAGE_SPEC, _K.UNEXPOSED_DECL):
            yield from _declarations(cursor)
        elif cursor.kind in (*_FUNCTIONS, *_ALIASES) and cursor.spelling:
            yield cursor


def _prototype(function: cindex.Cursor) -> str:
    parameters = ", ".join(_parameter(each) for each in function.get_children() if each.kind == _K.PARM_DECL)
    # The tags of C (`enum cudaMemcpyKind kind`) say nothing that the names do not.
    return _TAG.sub("", f"{_joined(function.result_type.spelling, function.spelling)}({parameters})")


def _parameter(parameter: cindex.Cursor) -> str:
    kind, name = parameter.type.spelling, parameter.spelling
    default = " = ..." if any(child.kind.is_expression() for child in parameter.get_children()) else ""
    array = kind.find("[")
    if name and array > 0:
        return f"{_joined(kind[:array].rstrip(), name)}{kind[array:]}{default}"
    return (_joined(kind, name) if name and "(" not in kind else kind) + default


def _joined(kind: str, name: str) -> str:
    return f"{kind}{name}" if kind.endswith(("*", "&")) else f"{kind} {name}"
