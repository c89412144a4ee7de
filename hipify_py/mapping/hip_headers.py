"""Which of HIP's headers declares a name, for ``hipify-py query``: facts read from the real headers.

Most names of a table stand in its main header; ``hip_headers.csv`` has the others, and is written by ``python -m
hipify_py.mapping.hip_headers`` (a developer's command). Translating does not load it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path

from hipify_py.mapping.records import Mapping
from hipify_py.mapping.table import MappingTable

FILE = "hip_headers.csv"
_MOST = 3


def headers_for(tables: MappingTable, mapping: Mapping) -> tuple[str, ...]:
    """The HIP headers to include for the counterpart of a name, most often one; none if nobody knows."""
    known = _elsewhere().get(mapping.hip)
    return (known,) if known is not None else _main(tables, mapping.library)


@cache
def _elsewhere() -> dict[str, str]:
    text = resources.files("hipify_py.mapping").joinpath(FILE).read_text(encoding="utf-8")
    return dict(line.split(",", 1) for line in text.splitlines()[1:])


@cache
def _main(tables: MappingTable, table: str) -> tuple[str, ...]:
    """The main header of a library; all of them where none is that, unless each is for something else."""
    found = sorted({row.hip for row in map(tables.header, tables.headers())
                    if row is not None and row.hip and row.library == table and "*" not in row.cuda})
    wanted = (f"hip{table}/hip{table}.h", f"roc{table}/roc{table}.h", "hip/hip_runtime.h")
    return next(((each,) for each in wanted if each in found), tuple(found) if len(found) <= _MOST else ())


def generate(hip_root: Path) -> str:
    """Find the names of our tables that stand in other headers than their library's main one.

    Args:
        hip_root: A root with ``usr/include/hip``.

    Returns:
        The text of the CSV.
    """
    from hipify_py.clang.declared import Installation, hip_installation  # noqa: PLC0415 - a developer's command
    from hipify_py.mapping.header_lists import HIP_HEADERS  # noqa: PLC0415

    arguments = hip_installation(hip_root, ()).arguments
    visible = {header: frozenset(Installation((header,), arguments).read()) for group in HIP_HEADERS.values()
               for header in group}
    rows: dict[str, str] = {}
    for target in ("hip", "roc"):
        tables = MappingTable.load(target)
        for mapping in _mapped(tables):
            main = _main(tables, mapping.library)
            candidates = sorted(HIP_HEADERS.get(mapping.library) or HIP_HEADERS[""],
                                key=lambda header: (header not in main[:1] or len(main) > 1, not header.startswith(target)))
            declaring = [header for header in candidates if mapping.hip in visible[header]]
            if declaring and main != (declaring[0],):
                rows.setdefault(mapping.hip, declaring[0])
    return "".join(("hip,header\n", *(f"{name},{header}\n" for name, header in sorted(rows.items()))))


def _mapped(tables: MappingTable) -> Iterator[Mapping]:
    return (row for row in map(tables.lookup, tables) if row is not None and row.hip)


def main(words: Sequence[str] | None = None) -> int:
    """Write ``hip_headers.csv`` beside this module."""
    parser = argparse.ArgumentParser(prog="python -m hipify_py.mapping.hip_headers", description=generate.__doc__)
    parser.add_argument("--hip-root", type=Path, required=True, help="a root with usr/include/hip")
    text = generate(parser.parse_args(words).hip_root)
    (Path(__file__).parent / FILE).write_text(text, encoding="utf-8")
    sys.stdout.write(f"{text.count(chr(10)) - 1} names in other headers than their library's main one\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
