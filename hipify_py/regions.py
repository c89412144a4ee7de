"""Guards: which branches of ``#if`` HIP never compiles, and which the author has already written for HIP."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from hipify_py.directives import Branch, Conditional
from hipify_py.source import SourceRange

if TYPE_CHECKING:
    from hipify_py.unit import TranslationUnit

_HIP_MACROS = re.compile(rb"\b(?:__HIP\w*|HIP_VERSION\w*|USE_ROCM|USE_HIP|__HIP_PLATFORM_\w+|HIP_PLATFORM_\w+)\b")


class Regions:
    """The frozen regions of a source: an author's own split between CUDA and HIP.

    Where one conditional has a branch chosen by a macro of HIP's, the person has already said what HIP gets. All its
    branches stay as they are: HIP's is HIP, and the others are never compiled by it.
    """

    def __init__(self, unit: TranslationUnit) -> None:
        self._unit = unit
        self.frozen: list[SourceRange] = []
        self.chains: list[Conditional] = []
        covered = -1
        for chain in unit.directives.conditionals:
            first = chain.branches[0].directive.range
            if first.start < covered or not self._splits_platforms(chain):
                continue
            end = chain.endif.range.end if chain.endif else len(unit.data)
            self.frozen.append(SourceRange(first.start, end))
            self.chains.append(chain)
            covered = end
        self._starts = [region.start for region in self.frozen]

    def is_frozen(self, offset: int) -> bool:
        """Whether an offset lies in a region that the author has already split by platform."""
        place = bisect_right(self._starts, offset) - 1
        return place >= 0 and offset < self.frozen[place].end

    def _splits_platforms(self, chain: Conditional) -> bool:
        """Whether one branch is HIP's and another is not."""
        mentions = [bool(_HIP_MACROS.search(self.condition(branch))) for branch in chain.branches]
        return any(mentions)

    def condition(self, branch: Branch) -> bytes:
        """The text of a branch's directive behind its keyword."""
        tokens = self._unit.tokens
        return self._unit.data[tokens.start(branch.directive.arguments) : branch.directive.range.end]
