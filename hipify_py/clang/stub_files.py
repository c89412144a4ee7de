"""Write the stub headers for all names of the tables: ``python -m hipify_py.clang.stub_files FOLDER``, or ``make stubs``.

A developer's command, to look at what libclang is given in place of an SDK: translating makes a stub for each source,
with the names in that source, and writes no file. One stub with everything is the test that the tables yield
declarations that agree with each other.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from hipify_py.clang.flags import Dialect
from hipify_py.clang.stubs import Words, cuda_header, hip_header
from hipify_py.mapping import MappingTable, Support


def stub_files(table: MappingTable) -> dict[str, bytes]:
    """Make the stub of CUDA and that of HIP (what has a counterpart, under HIP's spelling), by the names of the files."""
    rows = [row for row in map(table.lookup, sorted(table)) if row is not None and "::" not in row.cuda]
    words = Words.of([b" ".join(row.cuda.encode() for row in rows)])
    mapped = Words.of([b" ".join(row.cuda.encode() for row in rows if row.support is not Support.NO)])
    return {"cuda_stub.h": cuda_header(words, table, Dialect.CUDA), "hip_stub.h": hip_header(mapped, mapped, table, Dialect.HIP)}


def main(words: Sequence[str] | None = None) -> int:
    """Write the files and say what they are."""
    parser = argparse.ArgumentParser(prog="python -m hipify_py.clang.stub_files", description=main.__doc__)
    parser.add_argument("folder", type=Path, help="where to write; it is made if it is not there")
    options = parser.parse_args(words)
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, text in stub_files(MappingTable.load()).items():
        path = options.folder / name
        path.write_bytes(text)
        sys.stdout.write(f"{path}: {text.count(10)} lines\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
