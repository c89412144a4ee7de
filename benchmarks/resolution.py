"""``python benchmarks/resolution.py [FILE.cu | FOLDER ...]``: how much of real sources libclang resolves with the stubs.

Without a CUDA SDK, libclang knows a CUDA name only if a stub header declares it (``hipify_py/clang/stubs.py`` makes one
for each source, from the mapping tables). This counts the CUDA names outside comments, strings and inactive branches
that have a declaration in libclang's tree, and the kernel launches that have a node. Without arguments it reads the
kernels and library programs of this repository.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hipify_py.clang import Origin  # noqa: E402
from hipify_py.clang.flags import Side  # noqa: E402
from hipify_py.mapping import Kind, MappingTable  # noqa: E402
from hipify_py.settings import Settings  # noqa: E402
from hipify_py.source import SourceFile  # noqa: E402
from hipify_py.unit import TranslationUnit  # noqa: E402

OWN = ("kernels", "tests/libraries", "examples")


@dataclass
class Count:
    """How many there are and how many libclang resolved."""

    names: int = 0
    resolved: int = 0
    launches: int = 0
    nodes: int = 0

    def add(self, other: Count) -> None:
        """Add the counts of another file."""
        self.names += other.names
        self.resolved += other.resolved
        self.launches += other.launches
        self.nodes += other.nodes


def measure(path: Path) -> Count:
    """Count one source."""
    table = MappingTable.load()
    unit = TranslationUnit(SourceFile(str(path), path.read_bytes()), Settings(), table)
    count = Count()
    for index in unit.candidates:
        mapping = table.lookup(unit.tokens.name(index))
        place = unit.tokens.start(index)
        if mapping is None or mapping.kind == Kind.ATTRIBUTE.value or unit.directives.containing(index) is not None:
            continue
        if any(place in skipped for skipped in unit.semantics.skipped):
            continue
        count.names += 1
        count.resolved += unit.semantics.origin(index) is not Origin.SILENT
    parsed = unit.semantics.parsed(Side.HOST)
    for index in unit.tokens.punctuators(b"<<<"):
        if unit.directives.containing(index) is not None or any(
                unit.tokens.start(index) in skipped for skipped in unit.semantics.skipped):
            continue
        count.launches += 1
        # Where a launch has no node, its configuration is in no expression either.
        inside = unit.tokens.start(unit.tokens.next_code(index))
        cursor = parsed.cursor(inside) if parsed is not None else None
        count.nodes += cursor is not None and cursor.kind.is_expression()
    return count


def sources(names: list[str]) -> list[Path]:
    """The sources to read: those named, those in folders, or this repository's."""
    paths = [Path(name) for name in names] or [ROOT / name for name in OWN]
    return sorted(found for path in paths for found in (path.rglob("*.cu") if path.is_dir() else [path]))


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a source, or a folder of sources")
    parser.add_argument("--verbose", action="store_true", help="a line for each file that is not resolved in full")
    options = parser.parse_args()
    total, files = Count(), sources(options.paths)
    for path in files:
        count = measure(path)
        total.add(count)
        if options.verbose and (count.resolved < count.names or count.nodes < count.launches):
            print(f"{path}: {count.resolved} of {count.names} names, {count.nodes} of {count.launches} launches")
    share = 100 * total.resolved / total.names if total.names else 0.0
    print(f"{len(files)} files: {total.resolved} of {total.names} CUDA names ({share:.1f} %), "
          f"{total.nodes} of {total.launches} launches have a node in libclang's tree")


if __name__ == "__main__":
    main()
