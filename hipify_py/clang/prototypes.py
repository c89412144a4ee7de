"""The prototypes that real headers declare, as one line of text each: a developer's tool, not a user's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clang import cindex

_K = cindex.CursorKind
_FUNCTIONS = (_K.FUNCTION_DECL, _K.FUNCTION_TEMPLATE)


def prototypes(headers: Sequence[str], arguments: Sequence[str]) -> dict[str, str]:
    """Read the functions at file scope that headers declare; of overloads, plain functions count before templates.

    Args:
        headers: Names of headers as they are included; those that are not there are skipped.
        arguments: What libclang needs to find and read them.

    Returns:
        Name -> ``hipError_t hipMalloc(void **ptr, size_t size)``.
    """
    plain: dict[str, str] = {}
    templates: dict[str, str] = {}
    for header in headers:
        source = f"#if __has_include(<{header}>)\n#include <{header}>\n#endif\n"
        unit = cindex.Index.create().parse("prototypes.cu", args=list(arguments), unsaved_files=[("prototypes.cu", source)])
        for cursor in _functions(unit.cursor):
            found = plain if cursor.kind == _K.FUNCTION_DECL else templates
            if cursor.spelling not in found:
                found[cursor.spelling] = _prototype(cursor)
    return templates | plain


def _functions(scope: cindex.Cursor) -> Iterator[cindex.Cursor]:
    for cursor in scope.get_children():
        if cursor.kind in (_K.LINKAGE_SPEC, _K.UNEXPOSED_DECL):
            yield from _functions(cursor)
        elif cursor.kind in _FUNCTIONS and cursor.spelling:
            yield cursor


def _prototype(function: cindex.Cursor) -> str:
    parameters = ", ".join(_parameter(each) for each in function.get_children() if each.kind == _K.PARM_DECL)
    return f"{_joined(function.result_type.spelling, function.spelling)}({parameters})"


def _parameter(parameter: cindex.Cursor) -> str:
    kind, name = parameter.type.spelling, parameter.spelling
    default = " = ..." if any(child.kind.is_expression() for child in parameter.get_children()) else ""
    array = kind.find("[")
    if name and array > 0:
        return f"{_joined(kind[:array].rstrip(), name)}{kind[array:]}{default}"
    return (_joined(kind, name) if name and "(" not in kind else kind) + default


def _joined(kind: str, name: str) -> str:
    return f"{kind}{name}" if kind.endswith(("*", "&")) else f"{kind} {name}"
