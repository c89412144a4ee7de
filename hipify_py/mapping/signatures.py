"""The signatures on both sides of a mapping, for ``hipify-py query``: facts read from the real headers.

``python -m hipify_py.mapping.signatures`` (a developer's command) writes ``signatures.csv`` from the headers of CUDA and
HIP; translating does not load it.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Sequence
from enum import Enum
from functools import cache
from importlib import resources
from pathlib import Path

FILE = "signatures.csv"


class Side(Enum):
    """Whose function a signature is."""

    CUDA = "cuda"
    HIP = "hip"


@cache
def _all() -> dict[tuple[str, str], str]:
    text = resources.files("hipify_py.mapping").joinpath(FILE).read_text(encoding="utf-8")
    return {(side, name): prototype for side, name, prototype in csv.reader(text.splitlines()[1:])}


def signature(side: Side, name: str) -> str:
    """The prototype of a function, ``hipError_t hipFree(void *ptr)``; empty if it is none, or not known.

    Args:
        side: Whose function it is; device functions are often called the same on both.
        name: Its name.
    """
    return _all().get((side.value, name), "")


def arguments(prototype: str) -> list[str]:
    """The parameters of a prototype, each as it is written."""
    inside = prototype.partition("(")[2].rpartition(")")[0]
    found, depth, start = [], 0, 0
    for place, letter in enumerate(inside):
        depth += letter in "(<["
        depth -= letter in ")>]"
        if letter == "," and depth == 0:
            found.append(inside[start:place].strip())
            start = place + 1
    rest = inside[start:].strip()
    return [*found, rest] if rest else found


def generate(hip_root: Path, cuda_includes: Sequence[Path]) -> str:
    """Read the headers and put the signatures of all functions of our tables together.

    Args:
        hip_root: A root with ``usr/include/hip``.
        cuda_includes: Folders of CUDA headers, the newest last; it wins.

    Returns:
        The text of the CSV.
    """
    from hipify_py.clang.declared import cuda_installation, hip_installation, system_words  # noqa: PLC0415
    from hipify_py.clang.prototypes import prototypes  # noqa: PLC0415 - a developer's command
    from hipify_py.mapping import MappingTable  # noqa: PLC0415
    from hipify_py.mapping.header_lists import CUDA_HEADERS, HIP_HEADERS  # noqa: PLC0415

    theirs: dict[str, str] = {}
    hip = hip_installation(hip_root, [header for group in HIP_HEADERS.values() for header in group])
    system = system_words(hip_root)
    for include in cuda_includes:
        theirs |= prototypes(CUDA_HEADERS, cuda_installation(include, (), system=system).arguments)
    ours = prototypes(hip.headers, hip.arguments)
    table = MappingTable.load()
    rows = set()
    for key in table:
        mapping = table.lookup(key)
        if mapping is None or not mapping.kind.endswith("function"):
            continue
        if prototype := _versioned(theirs, mapping.cuda):
            rows.add((Side.CUDA.value, mapping.cuda, prototype))
        rows |= {(Side.HIP.value, name, ours[name]) for name in (mapping.hip, mapping.roc) if name in ours}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("side", "name", "signature"))
    writer.writerows(sorted(rows))
    return text.getvalue()


def _versioned(known: dict[str, str], name: str) -> str:
    """What a name stands for in CUDA's headers: macros make the second version of it, ``cublas.h`` (legacy) apart."""
    second = f"{name}_v2"
    if second in known and (name not in known or name.startswith("cublas")):
        return known[second].replace(second, name)
    return known.get(name, "")


def main(words: Sequence[str] | None = None) -> int:
    """Write ``signatures.csv`` beside this module."""
    parser = argparse.ArgumentParser(prog="python -m hipify_py.mapping.signatures", description=generate.__doc__)
    parser.add_argument("--hip-root", type=Path, required=True, help="a root with usr/include/hip")
    parser.add_argument("--cuda-include", type=Path, action="append", required=True, help="a folder of CUDA headers; repeat, "
                        "the newest last")
    options = parser.parse_args(words)
    text = generate(options.hip_root, options.cuda_include)
    (Path(__file__).parent / FILE).write_text(text, encoding="utf-8")
    sys.stdout.write(f"{text.count(chr(10)) - 1} signatures\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
