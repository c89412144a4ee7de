#!/usr/bin/env python3
"""Compare the wave-size diagnostics of a translation with the lines that a human port changed.

tools/wave_sites.py EDITS.json HECBENCH: for each program whose human port changed a warp width (S01) or a mask (S03),
whether a HPY30x diagnostic stands on one of the CUDA lines that were changed. EDITS.json is a list of such edits by class,
with `file` and the CUDA lines; HECBENCH the folder of the programs.
"""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path

import hipify_py

CLASSES = ("S01", "S03")
CODES = ("HPY301", "HPY302", "HPY303", "HPY309", "HPY213")


def programs(edits: dict[str, object]) -> set[str]:
    """The programs that the classes name."""
    found: set[str] = set()
    for name, entry in edits["classes"].items():  # type: ignore[attr-defined]
        if name.startswith(CLASSES):
            found |= set(entry.get("programs", entry) if isinstance(entry, dict) else entry)
    return found


def changed_lines(cuda: Path, hip: Path) -> set[int]:
    """The lines of a CUDA source that its HIP port does not have."""
    left, right = (path.read_text(errors="replace").splitlines() for path in (cuda, hip))
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    return {line + 1 for tag, start, end, _, _ in matcher.get_opcodes() if tag != "equal" for line in range(start, end)}


def main() -> int:
    """Print the programs without such a diagnostic, and the share of those with one."""
    edits, root = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
    hit = total = 0
    for program in sorted(programs(edits)):
        name = program.removesuffix("-cuda").removesuffix("-hip")
        folder = root / "src" / f"{name}-cuda"
        if not folder.is_dir():
            continue
        total += 1
        seen = False
        for cuda in sorted([*folder.rglob("*.cu"), *folder.rglob("*.cuh"), *folder.rglob("*.h")]):
            hip = root / "src" / f"{name}-hip" / cuda.relative_to(folder)
            # A file that the port has no longer was moved and edited: all of it counts.
            every = range(1, cuda.read_bytes().count(b"\n") + 2)
            lines = changed_lines(cuda, hip) if hip.is_file() else set(every)
            result = hipify_py.translate(cuda.read_bytes(), filename=str(cuda))
            seen = seen or any(each.code in CODES and result.source.location(each.range.start).line in lines
                               for each in result.diagnostics)
        hit += seen
        if not seen:
            print(f"no diagnostic on a changed line: {name}")
    print(f"{hit} of {total} programs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
