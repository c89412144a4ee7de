"""Check the mapping tables against real headers: ``python -m hipify_py.mapping.check --help``.

A developer's command. It reads what HIP's headers declare (and CUDA's, where they are given), corrects ``support`` and
``hip_since``, and says what it found. Nothing is written without ``--write``.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hipify_py.mapping.declared import Declaration, cuda_installation, hip_installation
from hipify_py.mapping.header_lists import CUDA_HEADERS, HIP_HEADERS
from hipify_py.mapping.records import COLUMNS, Kind, Support
from hipify_py.mapping.renaming import ADVICE, candidates, kind_in, library_of

Row = dict[str, str]
Names = dict[str, Declaration]

#: Kinds that compilers know without a declaration, so that headers can neither confirm nor deny them.
_UNDECLARED = {Kind.ATTRIBUTE.value, Kind.BUILTIN.value, Kind.NAMESPACE.value}

#: Tables whose HIP side is no header of an installation: nothing to check.
_UNCHECKED = {"dnn", "nvml", "cupti", "libcudacxx"}

#: Tables of names that HIP mostly leaves alone: a C library's function of that name is no proof.
_SAME_NAMES = {"device", "low_precision", "nccl"}


@dataclass(frozen=True, slots=True)
class Version:
    """What one HIP version declares; ``first`` marks the version that stands for everything older, too."""

    number: str
    names: Names
    first: bool


@dataclass(slots=True)
class Report:
    """What a check changed or noticed: the names, by what happened to them."""

    events: dict[str, list[str]] = field(default_factory=dict)

    def add(self, event: str, name: str) -> None:
        """Note one name."""
        self.events.setdefault(event, []).append(name)

    def lines(self, verbose: bool) -> Iterable[str]:
        """Tell the counts, and the names too if ``verbose``."""
        for event, names in sorted(self.events.items()):
            yield f"{event}: {len(names)}"
            if verbose:
                yield from (f"  {name}" for name in sorted(names))


def read_tables(folder: Path) -> dict[str, list[Row]]:
    """Read every table of names in a folder, by library; files with other columns are left alone."""
    tables = {}
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) == COLUMNS:
                tables[path.stem] = list(reader)
    return tables


def write_tables(folder: Path, tables: dict[str, list[Row]]) -> None:
    """Write the tables back, each sorted by its CUDA names."""
    for library, rows in tables.items():
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: row["cuda"]))
        (folder / f"{library}.csv").write_text(text.getvalue(), encoding="utf-8")


def check_row(row: Row, library: str, versions: Sequence[Version], report: Report) -> None:
    """Correct one row by what each HIP version (oldest first) declares.

    Args:
        row: The row; changed in place.
        library: Its table.
        versions: The versions whose headers for this library were found; others neither confirm nor deny.
        report: Where changes are noted.

    """
    if not versions or row["kind"] in _UNDECLARED:
        return
    if row["roc"].isidentifier() and not any(row["roc"] in version.names for version in versions):
        report.add(f"{library}: ROCm name not declared, dropped", row["roc"])
        if f"`{row['roc']}`" in row["advice"]:
            row["advice"] = ADVICE.get(library, "")
        row["roc"] = ""
    name = row["hip"]
    if not name or name == "int" or name.startswith(("__builtin_", "__HIP")) or library in _UNCHECKED:
        return
    declared = [version for version in versions if _declares(version.names, library, name)]
    newest = versions[-1]
    if not declared and _number(row["hip_since"]) > _number(newest.number):
        return
    if newest not in declared:
        event = f"gone from HIP {newest.number}" if declared else "denied by the headers"
        report.add(f"{library}: {event}", f"{row['cuda']} -> {name}")
        row.update(hip="", support=Support.NO.value, hip_since="")
        if declared:
            row["advice"] = row["advice"] or f"HIP {newest.number} no longer has `{name}`"
        return
    since, oldest = _number(row["hip_since"]), versions[0]
    if oldest.first and declared[0] is oldest:
        row["hip_since"] = oldest.number
    elif since == (0,) or (oldest.first and since <= _number(oldest.number)):
        row["hip_since"] = declared[0].number


def compare_arities(row: Row, hip: Names, cuda: Names, report: Report) -> None:
    """Mark a row whose function takes no number of arguments in HIP that it takes in CUDA; advise where some differ."""
    theirs, ours = _forms(row["cuda"], cuda), hip.get(row["hip"])
    if ours is None or row["support"] != Support.YES.value or ours.accepts_as_many(theirs):
        return
    counts = [" or ".join(map(str, sorted({high for _, high in side.arities}))) for side in (theirs, ours)]
    event = "some forms take other arguments"
    if not ours.accepts_some_of(theirs):
        event, row["support"] = "takes other arguments", Support.CHANGED.value
    elif row["kind"] == Kind.DEVICE_FUNCTION.value:
        return  # CUDA's headers overload device functions for types that only they have
    row["advice"] = row["advice"] or f"CUDA's takes {counts[0]} arguments, HIP's {counts[1]}"
    report.add(event, f"{row['cuda']} -> {row['hip']} ({counts[0]}; {counts[1]})")


def find_counterpart(row: Row, library: str, hip: Version, cuda: Names, report: Report) -> None:
    """Fill a row without counterpart if HIP declares the name that CUDA's would become, with as many arguments."""
    theirs = _forms(row["cuda"], cuda)
    for name in candidates(row["cuda"]):
        ours = hip.names.get(name)
        if ours is None or not _declares(hip.names, library, name):
            continue
        if name == row["cuda"] and library not in _SAME_NAMES:
            continue
        is_function = row["kind"] in (Kind.FUNCTION.value, Kind.DEVICE_FUNCTION.value)
        if is_function and not (ours.arities and ours.accepts_as_many(theirs)):
            continue
        row.update(hip=name, support=Support.YES.value, hip_since=hip.number, advice="")
        report.add(f"{library}: counterpart found", f"{row['cuda']} -> {name}")
        return


def add_missing(tables: dict[str, list[Row]], cuda: Names, include: str, report: Report) -> None:
    """Add a row, as yet without counterpart, for each public name of CUDA's headers that no table has."""
    known = {row["cuda"] for rows in tables.values() for row in rows}
    for name, declaration in cuda.items():
        if name in known:
            continue
        places = (library_of(file, name) for file in sorted(declaration.files) if file.startswith(include))
        library = next((place for place in places if place), None)
        if library is None:
            continue
        versioned = next((cuda[other].kind for other in _versions_of(name)[:-1] if other in cuda), None)
        kind = kind_in(library, declaration.kind, versioned)
        row = dict.fromkeys(COLUMNS, "") | {"cuda": name, "kind": kind.value, "support": Support.NO.value}
        row["advice"] = ADVICE.get(library, "")
        tables.setdefault(library, []).append(row)
        known.add(name)
        report.add(f"{library}: added from CUDA's headers", name)


def _declares(names: Names, library: str, name: str) -> bool:
    return name in names and (library not in _SAME_NAMES or names[name].is_for_the_device)


def _forms(name: str, cuda: Names) -> Declaration:
    forms = Declaration(Kind.FUNCTION)
    # cublas.h and cublas_v2.h give one name to two calls; the tables mean the second.
    second = f"{name}_v2"
    for other in [second] if name.startswith("cublas") and second in cuda else _versions_of(name):
        if other in cuda:
            forms.arities |= cuda[other].arities
    return forms


def _versions_of(name: str) -> list[str]:
    return [f"{name}_v4", f"{name}_v3", f"{name}_v2", name]


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")) if version else (0,)


def _read_hip(roots: Sequence[Path], numbers: Sequence[str]) -> list[tuple[Path, Version]]:
    headers = [header for group in HIP_HEADERS.values() for header in group]
    return [
        (root, Version(number, hip_installation(root, headers).read(), first=index == 0))
        for index, (root, number) in enumerate(zip(roots, numbers, strict=True))
    ]


def _read_cuda(includes: Sequence[Path], tables: dict[str, list[Row]] | None, report: Report) -> Names:
    merged: Names = {}
    for include in includes:
        names = cuda_installation(include, CUDA_HEADERS).read()
        if tables is not None:
            add_missing(tables, names, str(include), report)
        for name, declaration in names.items():
            merged.setdefault(name, declaration).arities.update(declaration.arities)
    return merged


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hipify_py.mapping.check", description=__doc__)
    parser.add_argument(
        "--hip-root", type=Path, action="append", default=[], help="a root with usr/include/hip; repeat"
    )
    parser.add_argument("--hip-version", action="append", default=[], help="the HIP version there, oldest root first")
    parser.add_argument(
        "--library-version",
        action="append",
        default=[],
        metavar="LIBRARY=X.Y",
        help="a library whose newest headers are of another version; repeat",
    )
    parser.add_argument(
        "--cuda-include", type=Path, action="append", default=[], help="a folder of CUDA headers; repeat"
    )
    parser.add_argument("--add-missing", action="store_true", help="add CUDA's names that no table has")
    parser.add_argument("--find", action="store_true", help="look for counterparts of rows that have none")
    parser.add_argument("--write", action="store_true", help="write the corrected tables")
    parser.add_argument("--verbose", action="store_true", help="list the names, not only counts")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 if the tables agree with the headers (or were corrected), 1 if not, 2 for a wrong call."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not options.hip_root or len(options.hip_root) != len(options.hip_version):
        parser.error("give each --hip-root a --hip-version, oldest first")
    folder = Path(__file__).parent
    tables, report = read_tables(folder), Report()
    before = {library: [dict(row) for row in rows] for library, rows in tables.items()}
    cuda = _read_cuda(options.cuda_include, tables if options.add_missing else None, report)
    installed = _read_hip(options.hip_root, options.hip_version)
    exceptions = dict(item.split("=") for item in options.library_version)
    for library, rows in tables.items():
        header = HIP_HEADERS.get(library, HIP_HEADERS[""])[0]
        versions = [version for root, version in installed if (root / "usr/include" / header).exists()]
        if versions and library in exceptions:
            versions[-1] = replace(versions[-1], number=exceptions[library])
        for row in rows:
            check_row(row, library, versions, report)
            if library in _UNCHECKED or not versions:
                continue
            if row["hip"]:
                compare_arities(row, versions[-1].names, cuda, report)
            elif options.find:
                find_counterpart(row, library, versions[-1], cuda, report)
                check_row(row, library, versions, report)
    if options.write:
        write_tables(folder, tables)
    for line in report.lines(options.verbose):
        sys.stdout.write(line + "\n")
    sizes = Counter({library: len(rows) for library, rows in tables.items()})
    sys.stdout.write(f"{sum(sizes.values())} rows: " + ", ".join(f"{lib} {n}" for lib, n in sizes.items()) + "\n")
    return 0 if options.write or tables == before else 1


if __name__ == "__main__":
    sys.exit(main())
