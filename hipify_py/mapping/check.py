"""Check the mapping tables against real headers: ``python -m hipify_py.mapping.check --help``, or ``make mapping-check``.

A developer's command. It reads what HIP's headers declare (and CUDA's, where they are given) and says where a row is
wrong: a counterpart that is not declared, other arguments, types, numbers or members than are on record. With
``--write`` it corrects the tables: ``support``, ``hip_since`` and ``differences.csv``.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.mapping.compare import Difference, Names, Spellings
from hipify_py.mapping.header_lists import ALONE, HIP_HEADERS
from hipify_py.mapping.public import public_headers
from hipify_py.mapping.rows import Row, read_column, read_differences, read_tables, write_differences, write_tables
from hipify_py.mapping.verdicts import (
    UNCHECKED,
    Report,
    Version,
    add_missing,
    base_name,
    check_row,
    compare_arities,
    find_counterpart,
    find_differences,
    forms_of,
    members_without_answer,
)

if TYPE_CHECKING:
    from hipify_py.clang.declared import Declaration

#: Events of a report that are news and not faults.
_NEWS = ("reported by", "newer than", "both readers", "libclang alone", "some forms")


def _read_hip(roots: Sequence[Path], numbers: Sequence[str]) -> list[tuple[Path, Version]]:
    from hipify_py.clang.declared import hip_installation  # noqa: PLC0415 - libclang, when it is needed

    headers = [header for group in HIP_HEADERS.values() for header in group]
    return [
        (root, Version(number, hip_installation(root, headers).read(), first=index == 0))
        for index, (root, number) in enumerate(zip(roots, numbers, strict=True))
    ]


def _read_cuda(includes: Sequence[Path], root: Path) -> list[tuple[Path, dict[str, Declaration]]]:
    from hipify_py.clang.declared import cuda_installation, system_words  # noqa: PLC0415

    system = system_words(root)
    return [(include, cuda_installation(include, public_headers(include), ALONE, system).read()) for include in includes]


def _merged(sides: Sequence[tuple[Path, dict[str, Declaration]]]) -> dict[str, Declaration]:
    """All versions of CUDA as one: a name is the newest's, and takes as many arguments as in any of them."""
    merged: dict[str, Declaration] = {}
    for _, names in reversed(sides):
        for name, declaration in names.items():
            arities = set((forms_of(name, names) or declaration).arities)
            if name in merged:
                merged[name].arities |= arities
            else:
                merged[name] = replace(declaration, arities=arities, canonical="")
    return merged


def check_libraries(
    tables: dict[str, list[Row]],
    installed: Sequence[tuple[Path, Version]],
    cuda: Sequence[tuple[Path, Names]],
    merged: Names,
    options: argparse.Namespace,
    report: Report,
) -> set[Difference]:
    """Check every row of every table whose HIP headers are there, and collect what differs.

    Args:
        tables: The rows; corrected in place.
        installed: The HIP versions, oldest first, each with its root.
        cuda: What each version of CUDA declares.
        merged: All of them as one.
        options: ``find`` and ``library_version`` of the command line.
        report: Where changes are noted.

    """
    exceptions = dict(item.split("=") for item in options.library_version)
    mapped = {row["cuda"]: row["hip"] for rows in tables.values() for row in rows if row["hip"]}
    folder = Path(__file__).parent
    with (folder / "members.csv").open(encoding="utf-8", newline="") as file:
        answered = {(base_name(row["struct"]), row["member"]) for row in csv.DictReader(file)}
    with_forms = read_column(folder / "call_forms.csv", "cuda")
    found: set[Difference] = set()
    for library, rows in tables.items():
        header = HIP_HEADERS.get(library, HIP_HEADERS[""])[0]
        versions = [version for root, version in installed if (root / "usr/include" / header).exists()]
        if versions and library in exceptions:
            versions[-1] = replace(versions[-1], number=exceptions[library])
        names = versions[-1].names if versions else {}
        spellings = Spellings(mapped, {name: each.canonical for name, each in names.items() if each.canonical})
        for row in rows:
            check_row(row, library, versions, report)
            if library in UNCHECKED or not versions:
                continue
            if row["hip"]:
                if row["cuda"] not in with_forms:
                    compare_arities(row, names, merged, report)
                for _, declared in cuda:
                    found.update(find_differences(row, names, declared, spellings))
                for member in members_without_answer(row, names, merged, answered):
                    report.add(f"{library}: members that HIP lacks and members.csv does not know", member)
            elif options.find:
                find_counterpart(row, library, versions[-1], merged, report)
                check_row(row, library, versions, report)
    return found


def report_facts(facts: Path, tables: dict[str, list[Row]], newest: Version, report: Report) -> None:
    """Note the names that another tool's list (columns cuda, hip_supported) calls unsupported and the headers have."""
    with facts.open(encoding="utf-8", newline="") as file:
        unsupported = {row["cuda"] for row in csv.DictReader(file) if row["hip_supported"] == "no"}
    for row in (row for rows in tables.values() for row in rows):
        if row["cuda"] in unsupported and row["hip"] in newest.names and row["support"] != "no":
            report.add("reported by --facts as unsupported, declared by the newest HIP", f"{row['cuda']} -> {row['hip']}")


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
        "--cuda-include", type=Path, action="append", default=[], help="a folder of CUDA headers; repeat, oldest first"
    )
    parser.add_argument("--facts", type=Path, help="another tool's list of names: a CSV with cuda and hip_supported")
    parser.add_argument("--second-reader", action="store_true", help="read the C headers with pycparser, too, and compare")
    parser.add_argument("--add-missing", action="store_true", help="add CUDA's names that no table has")
    parser.add_argument("--find", action="store_true", help="look for counterparts of rows that have none")
    parser.add_argument("--write", action="store_true", help="write the corrected tables and differences.csv")
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
    try:
        cuda = _read_cuda(options.cuda_include, options.hip_root[-1])
        installed = _read_hip(options.hip_root, options.hip_version)
    except FileNotFoundError as error:
        parser.error(str(error))
    if options.add_missing:
        for include, names in cuda:
            add_missing(tables, names, include, report)
    found = check_libraries(tables, installed, cuda, _merged(cuda), options, report)
    on_record = set(read_differences(folder)) if cuda else found
    for difference in found ^ on_record:
        event = "not on record" if difference in found else "on record, but the headers do not say so"
        report.add(f"differences: {event}", " | ".join(difference))
    if options.facts:
        report_facts(options.facts, tables, installed[-1][1], report)
    if options.second_reader:
        from hipify_py.mapping.c_reader import compare_readers  # noqa: PLC0415 - pycparser, when it is needed

        for include, names in cuda:
            compare_readers(include, names, report)
    if options.write:
        write_tables(folder, tables)
        if cuda:
            write_differences(folder, found)
    for line in report.lines(options.verbose):
        sys.stdout.write(line + "\n")
    sizes = Counter({library: len(rows) for library, rows in tables.items()})
    sys.stdout.write(f"{sum(sizes.values())} rows: " + ", ".join(f"{lib} {n}" for lib, n in sizes.items()) + "\n")
    sys.stdout.write(f"{len(found)} differences: " + ", ".join(
        f"{what} {n}" for what, n in sorted(Counter(each.what.partition(" ")[0] for each in found).items())) + "\n")
    faults = any(not event.startswith(_NEWS) for event in report.events)
    return 0 if options.write or (tables == before and not faults) else 1


if __name__ == "__main__":
    sys.exit(main())
