"""The rules, in the order in which they run: one idea a module.

A rule is a function that takes a :class:`~hipify_py.unit.TranslationUnit` and yields findings; it changes nothing.
Earlier rules win: a token that one has edited or reported is ``handled`` for those behind it, and the renames come last
of those that edit, so that every CUDA name that nobody wanted gets its answer there. Behind them stand those that only
add what is to be known about a renamed name. What a plug-in's rule or a table of the person's own says about a token is
settled: later edits that begin there are left out without a word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hipify_py.diagnostics import Finding
from hipify_py.unit import TranslationUnit

Rule = Callable[[TranslationUnit], Iterator[Finding]]


def persons(names: tuple[str, ...]) -> tuple[Rule, ...]:
    """The rules whose findings are settled: those from elsewhere, by ``module:function``, and the person's own tables."""
    from hipify_py.rules import own_names  # noqa: PLC0415 - as below

    if not names:
        return (own_names.check,)
    from hipify_py.foreign import ForeignRule  # noqa: PLC0415 - only with rules from elsewhere

    return (*map(ForeignRule, names), own_names.check)


def load() -> tuple[Rule, ...]:
    """Our rules in their order, behind those of :func:`persons`."""
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
        grid_limits,
        group_members,
        groups,
        guards,
        header_guards,
        includes,
        inline_ptx,
        interposers,
        intrinsics,
        language,
        launch_bounds,
        launches,
        legacy_blas,
        lockstep,
        logical_warps,
        macros,
        members,
        namespaces,
        overloads,
        renames,
        strings,
        surfaces,
        textures,
        warp_evidence,
        warp_match,
        warp_sync,
        young_names,
    )

    return (
        guards.check, header_guards.check, includes.check, inline_ptx.check, device_limits.check, grid_limits.check,
        launches.check, builtins.check, language.check, assignments.check, call_forms.check, device_pointers.check, macros.check,
        strings.check, groups.check, group_members.check, namespaces.check, warp_sync.check, warp_match.check,
        warp_evidence.check, collisions.check, members.check, definitions.check, launch_bounds.check, textures.check,
        surfaces.check, atomics.check, overloads.check, intrinsics.check, renames.check, interposers.check,
        argument_types.check, enumerator_values.check, legacy_blas.check, logical_warps.check, young_names.check, lockstep.check,
    )
