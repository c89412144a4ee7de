"""The rules, in the order in which they run: one idea a module.

A rule is a function that takes a :class:`~hipify_py.unit.TranslationUnit` and yields findings; it changes nothing.
Earlier rules win: a token that one has edited or reported is ``handled`` for those behind it, and the renames come last
of those that edit, so that every CUDA name that nobody wanted gets its answer there. Behind them stand two that only
add what is to be known about a renamed name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from hipify_py.diagnostics import Finding
from hipify_py.unit import TranslationUnit

Rule = Callable[[TranslationUnit], Iterator[Finding]]


@cache
def named(names: tuple[str, ...]) -> tuple[Rule, ...]:
    """Rules from elsewhere, by ``module:function``.

    Raises:
        ImportError, AttributeError: There is no such module or function.
    """
    from pkgutil import resolve_name  # noqa: PLC0415 - only with rules from elsewhere

    return tuple(resolve_name(name) for name in names)


def load() -> tuple[Rule, ...]:
    """All rules in their order."""
    from hipify_py.rules import (  # noqa: PLC0415 - one import list, the order is the order of the rules
        argument_types,
        assignments,
        atomics,
        builtins,
        call_forms,
        collisions,
        definitions,
        device_limits,
        device_pointers,
        enumerator_values,
        groups,
        guards,
        includes,
        inline_ptx,
        intrinsics,
        language,
        launch_bounds,
        launches,
        macros,
        members,
        namespaces,
        own_names,
        renames,
        strings,
        textures,
        warp_evidence,
        warp_sync,
    )

    return (
        own_names.check, guards.check, includes.check, inline_ptx.check, device_limits.check, launches.check, builtins.check,
        language.check, assignments.check, call_forms.check,
        device_pointers.check, macros.check, strings.check, groups.check, namespaces.check, warp_sync.check,
        warp_evidence.check, collisions.check, members.check, definitions.check, launch_bounds.check, textures.check,
        atomics.check, intrinsics.check, renames.check, argument_types.check, enumerator_values.check,
    )
