"""Types and functions as libclang has them, told without the stubs' own names."""

from __future__ import annotations

import re

from hipify_py.clang.library import Cursor, Parsed, Type
from hipify_py.source import SourceRange

_HANDLE = re.compile(r"(?:struct )?__hipify_(\w+) \*")
_UNKNOWN = re.compile(r"__hipify_|<dependent type>|type-parameter-|\(lambda at|\(anonymous|\(unnamed|<bound member|<overloaded")


def spelled(found: Type) -> str | None:
    """The canonical spelling of a type; None for what depends on a template parameter or stands for the unknown."""
    text = _HANDLE.sub(lambda match: match[1], found.get_canonical().spelling)
    return None if not text or _UNKNOWN.search(text) else text


def spanning(parsed: Parsed, start: Cursor | None, span: SourceRange, *, converted: bool = False) -> Cursor | None:
    """The innermost cursor below this one that covers exactly these bytes; the outermost, with its conversions, if asked."""
    best: Cursor | None = None
    cursor = start
    while cursor is not None:
        below = None
        for child in cursor.get_children():
            extent = child.extent
            first, end = parsed.offset(extent.start), parsed.offset(extent.end)
            if first <= span.start and span.end <= end:
                below = child
                if (first, end) == (span.start, span.end) and child.kind.is_expression():
                    best = child
                    if converted:
                        return best
                break
        cursor = below
    return best


def is_function(parsed: Parsed, cursor: Cursor) -> bool:
    """Whether a cursor is a function, a method or a template of one."""
    kinds = parsed.kinds
    return cursor.kind in (kinds.FUNCTION_DECL, kinds.FUNCTION_TEMPLATE, kinds.CXX_METHOD)


def template_of(parsed: Parsed, function: Cursor) -> Cursor:
    """The template that a function is made from; the function itself if it is none."""
    found = parsed.template(function)
    return function if found is None else found


def is_template(parsed: Parsed, function: Cursor) -> bool:
    """Whether a function is a template or made from one."""
    return function.kind == parsed.kinds.FUNCTION_TEMPLATE or parsed.template(function) is not None


def parameters(parsed: Parsed, function: Cursor) -> int:
    """How many parameters a function has."""
    kind = parsed.kinds.PARM_DECL
    return sum(child.kind == kind for child in template_of(parsed, function).get_children())
