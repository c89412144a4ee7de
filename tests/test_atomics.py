"""Atomics of a block's scope become the device's; the other scopes stay."""

from __future__ import annotations

import pytest

from tests.rewrites import codes, hip, run


@pytest.mark.parametrize("name", ["Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "CAS", "And", "Or", "Xor"])
def test_block_scope(name: str) -> None:
    source = "__global__ void k(unsigned *v) {{ atomic{}{}(v, 1u{}); }}\n"
    more = ", 2u" if name == "CAS" else ""
    assert hip(source.format(name, "_block", more)) == source.format(name, "", more)
    assert codes(run(source.format(name, "_block", more))) == []


def test_in_a_macro() -> None:
    assert hip("#define ADD(p) atomicAdd_block(p, 1)\n") == "#define ADD(p) atomicAdd(p, 1)\n"


@pytest.mark.parametrize("source", [
    "__global__ void k(int *v) { atomicAdd(v, 1); }\n",
    "__global__ void k(int *v) { atomicAdd_system(v, 1); }\n",
    "__global__ void k(S s) { s.atomicAdd_block(1); }\n",
    "__global__ void k(int *v) { mine::atomicAdd_block(v, 1); }\n",
    "__global__ void k(int *v) { atomicFrobnicate_block(v, 1); }\n",
    "__device__ int atomicAdd_block(int *p, int v) { return *p += v; }\n__global__ void k(int *v) { atomicAdd_block(v, 1); }\n",
    "// atomicAdd_block(v, 1)\n",
])
def test_kept(source: str) -> None:
    assert hip(source) == source
