"""Where libclang sees a declaration stand."""

from __future__ import annotations

from hipify_py.clang.library import Cursor, Parsed
from hipify_py.names import Home


def home(parsed: Parsed, target: Cursor) -> Home:
    """The home of what is declared at a cursor."""
    kinds = parsed.kinds
    if target.kind in (kinds.MACRO_DEFINITION, kinds.MACRO_INSTANTIATION):
        return Home()
    functions = (kinds.FUNCTION_DECL, kinds.FUNCTION_TEMPLATE)
    scope: list[bytes] = []
    parent = target.semantic_parent
    while parent is not None and parent.kind != kinds.TRANSLATION_UNIT:
        if parent.kind == kinds.NAMESPACE:
            if parent.spelling and not parsed.is_inline(parent):
                scope.append(parent.spelling.encode())
        # A prototype in a block declares what lives outside of it.
        elif parent.kind not in (kinds.LINKAGE_SPEC, kinds.UNEXPOSED_DECL) and not _is_seen_through(
                parsed, target, parent) and (target.kind not in functions or parent.kind not in functions):
            return Home(inner=True)
        parent = parent.semantic_parent
    return Home(tuple(reversed(scope)))


def _is_seen_through(parsed: Parsed, target: Cursor, parent: Cursor) -> bool:
    """Whether a parent is an ``enum`` whose enumerators are names of the scope around it."""
    kinds = parsed.kinds
    return bool(target.kind == kinds.ENUM_CONSTANT_DECL and parent.kind == kinds.ENUM_DECL and not parent.is_scoped_enum())
