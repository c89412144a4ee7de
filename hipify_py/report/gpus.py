"""The AMD GPUs of this machine as the driver lists them, and what to know about each: for ``hipify-py doctor``.

``gpus.csv`` says since which ROCm its libraries are built for an architecture (empty: for none), and which architecture it
can pass for, by ``HSA_OVERRIDE_GFX_VERSION``; from AMD's lists of supported GPUs and the practice of their users.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

#: Where the kernel's driver describes its devices.
NODES = Path("/sys/class/kfd/kfd/topology/nodes")
_OVERRIDE, _VISIBLE = "HSA_OVERRIDE_GFX_VERSION", "HIP_VISIBLE_DEVICES"
_TARGET = re.compile(r"^gfx_target_version (\d+)$", re.MULTILINE)


class Gpu(NamedTuple):
    """One architecture: its name, the cards, the first ROCm with libraries for it, its wave, what it can pass for."""

    gfx: str
    name: str
    rocm: str
    wave: str
    override: str


@cache
def _known() -> dict[str, Gpu]:
    text = resources.files("hipify_py.report").joinpath("gpus.csv").read_text(encoding="utf-8")
    return {row["gfx"]: Gpu(**row) for row in csv.DictReader(text.splitlines())}


def present(nodes: Path = NODES) -> list[str]:
    """The architectures of the machine's GPUs, one for each, in the driver's order."""
    found = []
    for path in sorted(nodes.glob("*/properties"), key=lambda each: (len(each.parent.name), each.parent.name)):
        try:
            match = _TARGET.search(path.read_text(encoding="ascii", errors="replace"))
        except OSError:
            continue
        number = int(match[1]) if match else 0  # 90010 is gfx90a; a CPU has 0
        if number:
            found.append(f"gfx{number // 10000}{number // 100 % 100:x}{number % 100:x}")
    return found


def described(gfx: str) -> str:
    """An architecture with its cards and its wave, as far as they are known."""
    row = _known().get(gfx)
    return gfx if row is None else f"{gfx} ({row.name}, waves of {row.wave})"


def advice(found: list[str], hip: tuple[int, int] | None, environment: Mapping[str, str] = os.environ) -> Iterator[str]:
    """What to do about the GPUs of a machine.

    Args:
        found: Their architectures.
        hip: The version of hipcc, if there is one.
        environment: The variables of the process.
    """
    override = environment.get(_OVERRIDE, "")
    for gfx in dict.fromkeys(found):
        row = _known().get(gfx)
        if row is None:
            yield f"{gfx}: not in our list: see whether your ROCm has libraries for it"
            continue
        since = tuple(int(part) for part in row.rocm.split(".")) if row.rocm else None
        if since is not None and (hip is None or hip >= since):
            continue
        if row.override and override == row.override:
            yield f"{gfx}: {_OVERRIDE}={override} is set, as it should be"
        elif row.override:
            target = "gfx" + row.override.replace(".", "")
            why = "ROCm's libraries are not built for it" if since is None else f"ROCm has libraries for it since {row.rocm}"
            yield f"{gfx}: {why}: set {_OVERRIDE}={row.override} and compile for {target}"
        else:
            yield f"{gfx}: ROCm has libraries for it since {row.rocm}: a newer ROCm is needed"
    if len(found) > 1 and _VISIBLE not in environment:
        yield f"{len(found)} GPUs: {_VISIBLE}=0 lets programs see the first alone"
