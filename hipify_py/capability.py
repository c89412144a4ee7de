"""What HIP counts as where CUDA is asked for numbers: CUDA 12.0, and 7.0 unless that is only refused.

An AMD GPU has the features of compute capability 7.0 without exception, and some of those behind it (arithmetic in
bfloat16, for one). Where a chain gives 7.0 a branch that does nothing but refuse (``assert(false);``, ``__trap();``,
``printf("not supported");``, ``#error``, or nothing at all, with the chain as the whole body of a function), the next
capability whose branch does some work stands for HIP's, if that work has no PTX and no name without a counterpart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from hipify_py import conditions
from hipify_py.conditions import SOME, Value
from hipify_py.directives import Branch, Conditional
from hipify_py.lexer import TokenKind
from hipify_py.mapping import Support
from hipify_py.unit import TranslationUnit

ARCH = b"__CUDA_ARCH__"
#: What a GPU counts as where nothing speaks against it.
USUAL = 700
_NEWER = (800, 860, 890, 900, 1000, 1200)
#: What the version macros are in CUDA 12.0, the version that HIP is taken for. None: no version of HIP's corresponds.
VERSIONS: dict[bytes, int | None] = {
    b"CUDART_VERSION": 12000, b"CUDA_VERSION": 12000, b"__CUDA_API_VERSION": 12000, b"__CUDART_API_VERSION": 12000,
    b"__CUDACC_VER__": 120000, b"__CUDACC_VER_MAJOR__": 12, b"__CUDACC_VER_MINOR__": 0, b"__CUDACC_VER_BUILD__": 0,
    b"CUBLAS_VERSION": 120000, b"CUBLAS_VER_MAJOR": 12, b"CUBLAS_VER_MINOR": 0, b"CUSPARSE_VERSION": 12000,
    b"CUSPARSE_VER_MAJOR": 12, b"CUSPARSE_VER_MINOR": 0, b"CUFFT_VERSION": 11000, b"CUFFT_VER_MAJOR": 11,
    b"CURAND_VERSION": 10300, b"CURAND_VER_MAJOR": 10, b"CUSOLVER_VERSION": 11400, b"CUSOLVER_VER_MAJOR": 11,
    b"CUDNN_VERSION": None, b"CUDNN_MAJOR": None, b"CUDNN_MINOR": None, b"CUDNN_PATCHLEVEL": None,
    b"CUB_VERSION": None, b"CUTENSOR_VERSION": None, b"NVTX_VERSION": None, b"NVML_API_VERSION": None,
    b"CUPTI_API_VERSION": None}
_COMPILERS = frozenset((b"__CUDACC__", b"__NVCC__", b"__CUDA__"))
_ASM = frozenset((b"asm", b"__asm__", b"__asm"))
#: One statement that refuses, blanks between its tokens taken out.
_REFUSAL = re.compile(
    rb"\w*(?:assert|ASSERT|CHECK)\w*\((?:false|0|!\").*|(?:__trap|abort|__builtin_trap|__builtin_unreachable)\(\)|"
    rb"(?:std::)?f?printf\(.*|(?:asm|__asm__)(?:volatile)?\(\"trap;?\".*|"
    rb"\w*(?i:not_?supported|not_?implemented|unsupported|unimplemented|unreachable)\w*\(.*|throw.*", re.DOTALL)
_RETURN = re.compile(rb"return\b.*", re.DOTALL)


def by_directive(unit: TranslationUnit, constants: Mapping[bytes, Value]) -> dict[int, int]:
    """The first token of each ``#if`` and ``#elif`` whose chain counts a GPU as another capability -> that one."""
    inside = {unit.directives.containing(index) for index in unit.occurrences.get(ARCH, ())}
    found = {}
    for chain in unit.directives.conditionals if inside else ():
        if any(branch.directive in inside for branch in chain.branches):
            chosen = of_chain(unit, chain, constants)
            if chosen != USUAL:
                found.update({branch.directive.first: chosen for branch in chain.branches})
    return found


def fact(chosen: int) -> str:
    """What is said of the macro where a GPU counts as ``chosen``."""
    return (f"has no value in HIP, where a GPU counts as compute capability {chosen // 100}.{chosen // 10 % 10} here, "
            "for 7.0 is only refused")


def of_chain(unit: TranslationUnit, chain: Conditional, constants: Mapping[bytes, Value]) -> int:
    """The capability that a GPU counts as in one chain of branches."""
    usual = _live(unit, chain, USUAL, constants)
    if usual is None or not (_refuses(unit, usual) if isinstance(usual, Branch) else _is_whole_body(unit, chain)):
        return USUAL
    for capability in _NEWER:
        other = _live(unit, chain, capability, constants)
        if isinstance(other, Branch) and other is not usual and not _refuses(unit, other) and _works(unit, other):
            return capability
    return USUAL


def _live(unit: TranslationUnit, chain: Conditional, capability: int, constants: Mapping[bytes, Value]
          ) -> Branch | bool | None:
    """The branch for a capability, in the pass for the device; False: there is none; None: it can't be told."""

    def world(name: bytes) -> tuple[bool | None, Value]:
        if name == ARCH:
            return True, capability
        return (True, SOME) if name in _COMPILERS else (None, constants.get(name))

    for branch in chain.branches:
        if branch.directive.keyword == b"else":
            return branch
        node = conditions.of_directive(unit.tokens, branch.directive)
        test = None if node is None else conditions.truth(conditions.evaluate(node, world))
        if test is None:
            return None
        if test:
            return branch
    return False


def _statements(unit: TranslationUnit, branch: Branch) -> list[list[bytes]] | None:
    """The code of a branch, split at its semicolons; None if directives stand in it."""
    found: list[list[bytes]] = [[]]
    tokens = unit.tokens
    index = tokens.index_at(branch.body.start) if branch.body.start < branch.body.end else len(tokens)
    while index < len(tokens) and tokens.start(index) < branch.body.end:
        if unit.directives.containing(index) is not None:
            return None
        if not tokens.is_trivia(index):
            if tokens.text(index) == b";":
                found.append([])
            else:
                found[-1].append(tokens.text(index))
        index += 1
    return [each for each in found if each]


def _refuses(unit: TranslationUnit, branch: Branch) -> bool:
    """Whether a branch does nothing but refuse, or is empty and stands for a whole function."""
    if any(each.keyword == b"error" and branch.body.start <= each.range.start < branch.body.end for each in unit.directives):
        return True
    statements = _statements(unit, branch)
    if statements is None:
        return False
    if not statements:
        return _is_whole_body(unit, branch.chain)
    joined = [b"".join(each[:1]) + (b" " if each[0] == b"return" else b"") + b"".join(each[1:]) for each in statements]
    refusing = [_REFUSAL.fullmatch(each) is not None for each in joined]
    return any(refusing) and all(each or _RETURN.fullmatch(text) for each, text in zip(refusing, joined, strict=True))


def _is_whole_body(unit: TranslationUnit, chain: Conditional) -> bool:
    """Whether nothing else stands in the braces around a chain, and these follow a list of parameters."""
    if chain.endif is None:
        return False
    tokens = unit.tokens
    before, behind = tokens.previous_code(chain.branches[0].directive.first), tokens.next_code(chain.endif.end - 1)
    if before < 0 or behind >= len(tokens) or tokens.text(before) != b"{" or tokens.text(behind) != b"}":
        return False
    return tokens.text(tokens.previous_code(before)) == b")"


def _works(unit: TranslationUnit, branch: Branch) -> bool:
    """Whether a branch has code, none of it PTX, and no name without a counterpart."""
    tokens, place = unit.tokens, unit.tokens.index_at(branch.body.start)
    code = False
    while place < len(tokens) and tokens.start(place) < branch.body.end:
        if unit.directives.containing(place) is None and not tokens.is_trivia(place):
            code = True
        if tokens.kind(place) == TokenKind.IDENTIFIER:
            mapping = unit.table.lookup(tokens.name(place))
            if tokens.text(place) in _ASM or (mapping is not None and mapping.support is Support.NO):
                return False
        place += 1
    return code
