"""Where the runtime's header goes because of another header's needs. The page of what is done is that of HPY104."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hipify_py.directives import Branch, Directive
from hipify_py.unit import TranslationUnit

#: Uses macros of the runtime's header without including it, up to HIP 5.
_GROUPS = b"hip/hip_cooperative_groups.h"


def place_in_front(unit: TranslationUnit, includes: Sequence[Directive], targets: Mapping[int, bytes], runtime: bytes,
                   scope: Callable[[Directive], Branch | None]) -> int | None:
    """Where to put the runtime's header so that it stands in front of cooperative groups.

    Args:
        unit: The source.
        includes: Its includes, in order.
        targets: What each leads to in HIP, by its first token.
        runtime: The runtime's header.
        scope: Gives the branch of an include that HIP might not compile.

    Returns:
        The start of a line; None if it stands there, or nowhere (then it is added in front of all), or nobody knows.
    """
    place: int | None = None
    for each in includes:
        if scope(each) is not None:
            continue
        target = targets[each.first]
        if target == runtime:
            return place
        header = each.header
        if target == _GROUPS and place is None and header is not None and header.name != target:
            start = unit.source.line_range(each.range.start).start
            if unit.data[start : each.range.start].strip(b" \t"):
                return None
            place = start
    return None
