"""Branches that HIP never compiles by the answers of :mod:`hipify_py.rules.guards`: what is found there is no error.

``#if CUDA_VERSION >= 12080`` around a function that HIP lacks, with the older way behind ``#else``, is right as it stands:
HIP counts as CUDA 12.0 and takes the older way. The finding stays, as a note that says so. Where nothing stands in the
branch's place for an AMD GPU (no ``#else`` to a test of ``__CUDA_ARCH__``), it stays an error: the work would be missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hipify_py import capability, conditions
from hipify_py.conditions import SOME, Node, Value
from hipify_py.diagnostics import Diagnostic, Severity
from hipify_py.directives import Branch, Conditional
from hipify_py.rules import guards
from hipify_py.source import SourceRange
from hipify_py.unit import TranslationUnit

_COMPILERS = frozenset((b"__CUDACC__", b"__NVCC__", b"__CUDA__"))
#: What clang defines where it compiles for NVIDIA's GPUs, and HIP's compiler nowhere.
_NEVER = frozenset((b"__PTX__", b"__NVPTX__"))
#: Findings about the conditions themselves.
_KEPT = frozenset(("HPY111", "HPY112", "HPY113", "HPY114"))


def as_notes(unit: TranslationUnit, found: list[Diagnostic]) -> list[Diagnostic]:
    """Make notes of the errors and warnings in branches that HIP never compiles."""
    serious = [each for each in found if each.severity is not Severity.NOTE and each.code not in _KEPT and each.fix is None]
    dead = _dead(unit) if serious else []
    if not dead:
        return found
    return [replace(each, severity=Severity.NOTE, message=f"{each.message}; HIP never compiles this branch")
            if each in serious and any(span.start <= each.range.start < span.end for span in dead) else each
            for each in found]


def _dead(unit: TranslationUnit) -> list[SourceRange]:
    """The bodies of the branches that HIP leaves out, on the host and on the device."""
    constants = guards.constants(unit)
    others = capability.by_directive(unit, constants)
    found: list[SourceRange] = []
    for chain in unit.directives.conditionals:
        nodes = [conditions.of_directive(unit.tokens, branch.directive) for branch in chain.branches]
        names = {part.text for node in nodes if node is not None for part in node.walk() if part.name >= 0}
        asks = any(name == capability.ARCH or name in _NEVER or capability.VERSIONS.get(name) for name in names)
        if not asks or any(map(_is_exact, nodes)):
            continue
        arch = others.get(chain.branches[0].directive.first, capability.USUAL)
        device, host = _states(chain, nodes, arch, constants), _states(chain, nodes, None, constants)
        if (capability.ARCH in names or not names.isdisjoint(_NEVER)) and True not in device:
            continue
        found.extend(branch.body for branch, states in zip(chain.branches, zip(device, host, strict=True), strict=True)
                     if states == (False, False))
    return found


def _is_exact(node: Node | None) -> bool:
    """Whether a condition can't be read, or asks for one certain number."""
    return node is not None and any(part.kind == "binary" and part.text in (b"==", b"!=") for part in node.walk())


def _states(chain: Conditional, nodes: list[Node | None], arch: int | None, constants: Mapping[bytes, Value]
            ) -> list[bool | None]:
    """Whether HIP compiles each branch, on a GPU of a capability or (None) on the host; None: it can't be told."""

    def world(name: bytes) -> tuple[bool | None, Value]:
        if name == capability.ARCH:
            return arch is not None, arch or 0
        if name in _NEVER:
            return False, 0
        version = capability.VERSIONS.get(name)
        if version is not None:
            return True, version
        return (True, SOME) if name in _COMPILERS else (None, constants.get(name))

    left: bool | None = True
    found = []
    for branch, node in zip(chain.branches, nodes, strict=True):
        test = _test(branch, node, world)
        found.append(conditions.both(left, test))
        left = conditions.both(left, conditions.negation(test))
    return found


def _test(branch: Branch, node: Node | None, world: conditions.World) -> bool | None:
    if branch.directive.keyword == b"else":
        return True
    return None if node is None else conditions.truth(conditions.evaluate(node, world))
