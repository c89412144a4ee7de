"""The CSV tables as a developer's command reads and writes them: dictionaries by column, nothing parsed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from hipify_py.mapping.compare import COLUMNS as DIFFERENCE_COLUMNS
from hipify_py.mapping.compare import Difference
from hipify_py.mapping.differences import FILE as DIFFERENCES
from hipify_py.mapping.records import COLUMNS

Row = dict[str, str]


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
        ordered = sorted(rows, key=lambda row: row["cuda"])
        _write(folder / f"{library}.csv", COLUMNS, ([row[column] for column in COLUMNS] for row in ordered))


def read_column(path: Path, column: str) -> set[str]:
    """Read one column of a table of any kind."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row[column] for row in csv.DictReader(file)}


def read_differences(folder: Path) -> list[Difference]:
    """Read what is on record about names that differ from their counterparts."""
    with (folder / DIFFERENCES).open(encoding="utf-8", newline="") as file:
        return [Difference(*row) for row in list(csv.reader(file))[1:]]


def write_differences(folder: Path, differences: Iterable[Difference]) -> None:
    """Write them back, sorted."""
    _write(folder / DIFFERENCES, DIFFERENCE_COLUMNS, sorted(differences))


def _write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    path.write_text(text.getvalue(), encoding="utf-8")
