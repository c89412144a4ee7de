"""What is said about a name that a table knows: its counterpart, or why there is none for this HIP."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.diagnostics import Diagnostic, Edit, Finding, Severity
from hipify_py.mapping import Mapping, Support
from hipify_py.mapping.advice import advice_for
from hipify_py.settings import OLDEST, is_newer
from hipify_py.source import SourceRange
from hipify_py.unit import TranslationUnit


def answer(unit: TranslationUnit, mapping: Mapping, span: SourceRange, told: set[str], *,
           edits: tuple[Edit, ...] | None = None) -> Iterator[Finding]:
    """What becomes of a name in one place: renamed, or reported with the tables' advice.

    Args:
        unit: The source.
        mapping: The name's row.
        span: Where it stands.
        told: The names whose differences were told once already; it is added to.
        edits: What renames it here; default: the counterpart in its place.
    """
    target = mapping.hip
    if mapping.support is Support.NO or not target:
        advice = advice_for(mapping) or "replace it by hand"
        whose = "own table" if mapping.cuda.encode() in unit.table.own else "unsupported"
        yield Diagnostic("HPY401", Severity.ERROR, f"`{mapping.cuda}` has no HIP counterpart ({whose}): {advice}", span)
        return
    wanted = unit.settings.rocm
    young = is_newer(mapping.hip_since, wanted or OLDEST) and not unit.fallbacks.has(target)
    if wanted is not None and young:
        yield Diagnostic("HPY401", Severity.ERROR, f"`{target}`, the counterpart of `{mapping.cuda}`, is not available in HIP "
                         f"{wanted}; it exists since HIP {mapping.hip_since}: raise `--rocm` or replace it by hand", span)
        return
    yield from (Edit(span.start, span.end, target.encode(), "HPY101"),) if edits is None else edits
    if mapping.support is Support.YES and mapping.cuda not in told:
        told.add(mapping.cuda)
        if mapping.advice:
            yield Diagnostic("HPY208", Severity.NOTE, f"`{target}` differs from `{mapping.cuda}`: {mapping.advice}", span)
        elif young:
            yield Diagnostic("HPY208", Severity.NOTE, f"`{target}` exists since HIP {mapping.hip_since}: an older HIP needs "
                             f"another way (`--rocm {OLDEST}` reports it)", span)
    if mapping.support is Support.CHANGED:
        advice = mapping.advice or "compare the two signatures"
        yield Diagnostic("HPY204", Severity.WARNING, f"`{target}` takes other arguments than `{mapping.cuda}` (changed "
                         f"signature): {advice}", span)
