"""PyTorch's own names on ROCm, by a table, for both ways in which PyTorch has called them.

Until 2.10 a build for ROCm had its streams and guards under names of their own (``at::cuda::CUDAStream`` was
``at::hip::HIPStreamMasqueradingAsCUDA``), and an extension had to use those. Since then the C++ names are those of CUDA and
only the headers' paths differ. Which of the two a PyTorch wants is said by the version of its ``torch.utils.hipify``: 1 or 2.

The table's kinds: ``folder`` (each header below it is named by the rule for files), ``header``, ``name``, and ``scoped``
(a name in ``at::cuda`` and ``c10::cuda``, or out of sight). An empty cell leaves the name as it is.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from enum import Enum
from functools import cache
from importlib import resources, util
from pathlib import Path

from hipify_py.compat.torch_paths import hip_path
from hipify_py.mapping import HeaderMapping, Mapping, Support
from hipify_py.mapping.own import Row
from hipify_py.mapping.records import OWN

_SCOPES = (("at::cuda::", "at::hip::"), ("c10::cuda::", "c10::hip::"), ("", ""))
_VERSION = re.compile(r"__version__\s*=\s*['\"](\d+)")


class Generation(Enum):
    """How PyTorch calls what is CUDA's in its C++ names; the value is the column of the table."""

    MASQUERADING = "masquerading"  #: torch.utils.hipify 1, PyTorch up to 2.9
    DIRECT = "direct"  #: torch.utils.hipify 2, PyTorch from 2.10 on


def installed_generation() -> Generation:
    """What the installed PyTorch wants, without importing it; the newest one where there is none."""
    spec = util.find_spec("torch")
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        try:
            match = _VERSION.search(Path(place, "utils", "hipify", "version.py").read_text("utf-8"))
        except (OSError, ValueError):
            continue
        if match is not None:
            return Generation.MASQUERADING if int(match[1]) < 2 else Generation.DIRECT
    return Generation.DIRECT


def name_rows(generation: Generation) -> tuple[Row, ...]:
    """The rows of PyTorch's C++ names and macros."""
    rows: list[Row] = []
    for kind, cuda, hip in _table(generation):
        if not hip or kind not in ("name", "scoped"):
            continue
        for old, new in _SCOPES if kind == "scoped" else _SCOPES[-1:]:
            rows.append(Mapping(old + cuda, new + hip, "", OWN, "", Support.YES, "", ""))
    return tuple(rows)


def header_rows(names: Iterable[str], generation: Generation) -> tuple[Row, ...]:
    """The rows of those headers, of all that sources name, that are PyTorch's and are called otherwise on ROCm."""
    rows: list[Row] = []
    for name in sorted(set(names)):
        hip = _header(name, generation)
        if hip != name:
            rows.append(HeaderMapping(name, hip, OWN, Support.YES, False, ""))
    return tuple(rows)


def _header(name: str, generation: Generation) -> str:
    folders = []
    for kind, cuda, hip in _table(generation):
        if kind == "header" and cuda == name and hip:
            return hip
        if kind == "folder" and hip:
            folders.append(cuda + "/")
    return hip_path(name) if name.startswith(tuple(folders)) else name


@cache
def _table(generation: Generation) -> tuple[tuple[str, str, str], ...]:
    text = resources.files("hipify_py.compat").joinpath("torch_names.csv").read_text(encoding="utf-8")
    return tuple((row["kind"], row["cuda"], row[generation.value]) for row in csv.DictReader(text.splitlines()))
