"""Guards: which branches of ``#if`` HIP never compiles, and which the author has already written for HIP.

A chain of branches whose conditions ask for a macro of HIP's is an author's own split between the platforms. Each of
its branches is looked at in two worlds, one where HIP compiles and one where CUDA does, with every other macro unknown:

* alive in one of them only: it is HIP's own code, or code that HIP never sees; either way it stays as it is (*frozen*);
* possibly alive in both, or in none (the branch for plain host compilers): it is translated like all other code.

The conditions of such a chain are frozen too: renaming ``__CUDACC__`` in front of an ``#elif __HIPCC__`` would hand
HIP the CUDA branch and leave its own one dead.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from hipify_py import conditions
from hipify_py.conditions import SOME, Node, Value
from hipify_py.directives import Branch, Conditional
from hipify_py.lexer import TokenKind
from hipify_py.source import SourceRange

if TYPE_CHECKING:
    from hipify_py.unit import TranslationUnit

#: HIP, ROCM or AMD as a word of a macro's name: ``__HIPCC__``, ``USE_ROCM``, ``GGML_USE_HIPBLAS``, ``__AMDGCN__``.
_HIP = re.compile(
    rb"(?:\w*_)?(?:HIP(?:CC|RTC|BLAS|FFT|RAND|SPARSE|SOLVER|CUB|DNN)?|ROCM|AMDGCN|AMDGPU|HCC)(?:_\w*)?|"
    rb"__gfx\w+__|__GFX\d+__")
#: HIP itself, over NVIDIA's compiler.
_HIP_ON_NVIDIA = re.compile(rb"\w*HIP_PLATFORM_(?:NVIDIA|NVCC)\w*")
#: Set while HIP compiles, but not in each of its passes or for each of its targets.
_HIP_SOMETIMES = re.compile(
    rb"__HIP_DEVICE_COMPILE__|__AMDGCN\w*|__AMDGPU\w*|__gfx\w+__|__GFX\d+__|\w*_VERSION\w*|__HIP_ARCH_\w+|"
    rb"__HIP_NO_\w+|__HIP_(?:ENABLE|USE|DISABLE)_\w+")
#: What hipcc or its headers define, or say so.
_FROM_HIP = re.compile(rb"__|HIP_|HIP[A-Z]*_VERSION|ROCM?_VERSION|\w*(?:_H|_HPP)_?$")
_CUDA = re.compile(rb"(?:\w*_)?(?:CUDA|CUDART|CUDACC|CUDNN|CUBLAS|NVCC|NVIDIA)(?:_\w*)?")
#: Which compiler is at work, in CUDA's words.
COMPILER_MACROS = frozenset((b"__CUDACC__", b"__NVCC__"))
#: Names and headers that are HIP's own: what a branch holds that was written for it.
_HIP_CODE = re.compile(rb"#[ \t]*include[ \t]*[<\"](?:hip|roc|miopen)\w*/|"
                       rb"\bhip(?:[A-Z]|blas|fft|rand|sparse|cub)\w*[ \t]*\(")
_HIP_HEADER = re.compile(rb"[<\"]\s*(?:hip|roc)\w*/")
_CUDA_HEADER = re.compile(rb"[<\"]\s*(?:cuda|cu[a-z]+)\w*(?:\.h|/)")


def is_hip_macro(name: bytes) -> bool:
    """Whether a macro is HIP's, or a person's way to say that HIP compiles."""
    return _HIP.fullmatch(name) is not None


class Regions:
    """The frozen parts of a source.

    Attributes:
        frozen: Their ranges, in order, without overlap.
        chains: The conditionals that an author has split by platform.
        include_guards: The conditionals that are include guards (or give a macro its default).
        tells_apart: The source asks for CUDA's compiler *or else* HIP somewhere: there, ``__CUDACC__`` means nvcc in
            all of it, and is no other word for "a GPU compiler".
    """

    def __init__(self, unit: TranslationUnit) -> None:
        self._unit = unit
        self.frozen: list[SourceRange] = []
        self.chains: list[Conditional] = []
        self._conditions: dict[int, Node | None] = {}
        self._frozen_branches: set[Branch | None] = set()
        self.include_guards = _include_guards(unit)
        asking = [chain for chain in unit.directives.conditionals if chain not in self.include_guards]
        self.tells_apart = any(self._opposes(chain) for chain in asking) or self._has_twins(asking)
        for chain in unit.directives.conditionals:
            if chain.parent in self._frozen_branches:
                self._frozen_branches.update(chain.branches)
            elif chain not in self.include_guards and (
                    self.mentions_hip(chain) or (self.tells_apart and self._asks_for_compiler(chain))):
                self._freeze(chain)
        if unit.settings.skip_inactive:
            self.frozen.extend(getattr(unit.semantics, "skipped", ()))
        self.frozen = _merged(self.frozen)
        self._starts = [region.start for region in self.frozen]

    def is_frozen(self, offset: int) -> bool:
        """Whether an offset lies in a part that stays as it is."""
        place = bisect_right(self._starts, offset) - 1
        return place >= 0 and offset < self.frozen[place].end

    def is_frozen_branch(self, branch: Branch | None) -> bool:
        """Whether a branch, or one that it stands in, stays as it is."""
        return branch in self._frozen_branches

    def condition(self, branch: Branch) -> Node | None:
        """The condition of a branch, parsed; None for ``#else`` and for what can't be parsed."""
        key = branch.directive.first
        if key not in self._conditions:
            self._conditions[key] = conditions.of_directive(self._unit.tokens, branch.directive)
        return self._conditions[key]

    def _names(self, chain: Conditional) -> set[bytes]:
        """All identifiers in the conditions of a chain."""
        tokens = self._unit.tokens
        return {tokens.name(index) for branch in chain.branches
                for index in range(branch.directive.arguments, branch.directive.end)
                if tokens.kind(index) == TokenKind.IDENTIFIER}

    def mentions_hip(self, chain: Conditional) -> bool:
        """Whether a condition of a chain asks for HIP, by a macro or by ``__has_include(<hip/...>)``."""
        names = self._names(chain)
        if any(is_hip_macro(name) for name in names):
            return True
        return b"__has_include" in names and any(
            _HIP_HEADER.search(self._unit.data, branch.directive.range.start, branch.directive.range.end)
            for branch in chain.branches)

    def own_switch(self, chain: Conditional) -> bytes | None:
        """The macro of the project's own that alone leads to HIP's side; None if hipcc or the source defines it."""
        names = {name for name in self._names(chain) if is_hip_macro(name)}
        defines = self._unit.directives.of(b"define")
        given = {self._unit.tokens.name(each.macro.name) for each in defines if each.macro is not None}
        if len(names) != 1 or not names.isdisjoint(given) or any(map(_FROM_HIP.match, names)):
            return None
        return names.pop()

    def _asks_for_compiler(self, chain: Conditional) -> bool:
        return not self._names(chain).isdisjoint(COMPILER_MACROS)

    def _opposes(self, chain: Conditional) -> bool:
        """Whether a chain gives CUDA's compiler one branch and HIP another: by its conditions, or by HIP code."""
        if not self._asks_for_compiler(chain):
            return False
        if self.mentions_hip(chain):
            return True
        live = self._live(chain)
        return any(hip is not False and cuda is False
                   and _HIP_CODE.search(self._unit.data, branch.body.start, branch.body.end)
                   for branch, (hip, cuda) in zip(chain.branches, live, strict=True))

    def _has_twins(self, chains: list[Conditional]) -> bool:
        """Whether ``#ifdef __CUDACC__`` and ``#ifdef __HIPCC__``, each with no other branch, stand side by side."""
        cuda, hip = set(), set()
        for chain in chains:
            if len(chain.branches) > 1:
                continue
            names = self._names(chain)
            if any(is_hip_macro(name) and not _HIP_SOMETIMES.fullmatch(name) for name in names):
                live = self._live(chain)[0]
                if live[0] is not False and live[1] is False:
                    hip.add(chain.parent)
            elif not names.isdisjoint(COMPILER_MACROS) and self._live(chain)[0][0] is False:
                cuda.add(chain.parent)
        return not cuda.isdisjoint(hip)

    def _live(self, chain: Conditional) -> list[tuple[bool | None, bool | None]]:
        """Whether each branch is compiled where HIP compiles, and where CUDA does."""
        left: list[bool | None] = [True, True]
        found = []
        for branch in chain.branches:
            node = self.condition(branch)
            is_else = branch.directive.keyword == b"else"
            states: list[bool | None] = []
            for world, evaluator in enumerate((self._in_hip, self._in_cuda)):
                test = True if is_else else None if node is None else conditions.truth(evaluator(node))
                states.append(conditions.both(left[world], test))
                left[world] = conditions.both(left[world], conditions.negation(test))
            found.append((states[0], states[1]))
        return found

    def _in_hip(self, node: Node) -> Value:
        return conditions.evaluate(self._resolved(node, hip=True), _hip_world)

    def _in_cuda(self, node: Node) -> Value:
        return conditions.evaluate(self._resolved(node, hip=False), _cuda_world)

    def _resolved(self, node: Node, *, hip: bool) -> Node:
        """The condition with ``__has_include(<hip/..>)`` and ``BACKEND == BACKEND_HIP`` decided for one world."""
        if node.kind == "call" and node.text == b"__has_include":
            text = self._unit.data[self._unit.tokens.start(node.first) : self._unit.tokens.start(node.end)]
            for pattern, answer in ((_HIP_HEADER, hip), (_CUDA_HEADER, not hip)):
                if pattern.search(text):
                    return Node("number", b"1" if answer else b"0", node.first, node.end)
        if node.kind == "binary" and node.text in (b"==", b"!=") and all(part.kind == "name" for part in node.parts):
            left, right = (part.text for part in node.parts)
            for pattern, chosen in ((_HIP, hip), (_CUDA, not hip)):
                if bool(pattern.fullmatch(left)) != bool(pattern.fullmatch(right)):
                    return Node("number", b"1" if chosen == (node.text == b"==") else b"0", node.first, node.end)
        if not node.parts:
            return node
        parts = tuple(self._resolved(part, hip=hip) for part in node.parts)
        return Node(node.kind, node.text, node.first, node.end, parts, node.name)

    def _freeze(self, chain: Conditional) -> None:
        """Freeze the conditions of a split chain, and the branches that only one platform compiles."""
        self.chains.append(chain)
        for branch, (hip, cuda) in zip(chain.branches, self._live(chain), strict=True):
            self.frozen.append(branch.directive.range)
            if (hip is False) != (cuda is False):
                self._frozen_branches.add(branch)
                self.frozen.append(branch.body)


def _hip_world(name: bytes) -> tuple[bool | None, Value]:
    """What HIP's compiler for AMD GPUs says of a macro."""
    if _HIP.fullmatch(name):
        if _HIP_ON_NVIDIA.fullmatch(name):
            return False, 0
        if _HIP_SOMETIMES.fullmatch(name):
            return (True, SOME) if b"VERSION" in name else (None, None)
        return True, SOME
    if name in COMPILER_MACROS or name.startswith((b"__CUDA", b"__NV")) or _CUDA.fullmatch(name):
        return False, 0
    return None, None


def _cuda_world(name: bytes) -> tuple[bool | None, Value]:
    """What nvcc says of a macro."""
    if _HIP.fullmatch(name):
        return (None, None) if _HIP_ON_NVIDIA.fullmatch(name) else (False, 0)
    return (True, SOME) if name in COMPILER_MACROS else (None, None)


def _include_guards(unit: TranslationUnit) -> set[Conditional]:
    """The conditionals that are include guards: ``#ifndef NAME`` with ``#define NAME`` as the next directive."""
    found = set()
    every = unit.directives.all
    following = {first.first: second for first, second in pairwise(every)}
    for chain in unit.directives.conditionals:
        opening = chain.branches[0].directive
        second = following.get(opening.first)
        if len(chain.branches) > 1 or second is None or second.macro is None or opening.arguments >= opening.end:
            continue
        name = unit.tokens.name(second.macro.name)
        words = [unit.tokens.name(index) for index in range(opening.arguments, opening.end)
                 if not unit.tokens.is_trivia(index)]
        if (opening.keyword == b"ifndef" and words[:1] == [name]) or (
                opening.keyword == b"if" and words in ([b"!", b"defined", name], [b"!", b"defined", b"(", name, b")"])):
            found.add(chain)
    return found


def _merged(ranges: list[SourceRange]) -> list[SourceRange]:
    """Sorted ranges with touching and overlapping ones joined."""
    merged: list[SourceRange] = []
    for each in sorted(ranges):
        if merged and each.start <= merged[-1].end:
            merged[-1] = SourceRange(merged[-1].start, max(merged[-1].end, each.end))
        else:
            merged.append(each)
    return merged
