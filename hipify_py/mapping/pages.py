"""API-support pages in Markdown, made from the tables: ``python -m hipify_py.mapping.pages FOLDER``, or ``make docs``.

A developer's command. One page for each library and an index with totals go to the folder; ``--summary FILE`` brings the
totals between the two marks of a page up to date that is kept with the sources.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hipify_py.mapping import Mapping, MappingTable, Support
from hipify_py.mapping.advice import advice_for
from hipify_py.mapping.differences import load as differences
from hipify_py.mapping.libraries import LIBRARIES, Library
from hipify_py.mapping.rows import read_column

BEGIN = "<!-- totals: made by `make docs` -->"
END = "<!-- end of totals -->"
_OLDEST = "5.2"


@cache
def _with_forms() -> set[str]:
    return read_column(Path(__file__).parent / "call_forms.csv", "cuda")


@dataclass(frozen=True, slots=True)
class Totals:
    """How the names of a library fare.

    Args:
        names: All of them.
        mapped: Those with a counterpart that takes the same arguments.
        changed: Those with a counterpart that takes others in some form (``call_forms.csv``), or means something else.
        without: Those without a counterpart in HIP's libraries.
        roc: Of these, those that ROCm's own library has a name for.

    """

    names: int
    mapped: int
    changed: int
    without: int
    roc: int

    @classmethod
    def of(cls, rows: Sequence[Mapping]) -> Totals:
        """Count the rows of a table."""
        without = [row for row in rows if row.support is Support.NO]
        changed = [row for row in rows if row.support is Support.CHANGED or (row.hip and row.cuda in _with_forms())]
        return cls(len(rows), len(rows) - len(without) - len(changed), len(changed), len(without),
                   sum(1 for row in without if row.roc))

    def cells(self) -> tuple[str, ...]:
        """The numbers as the cells of a line, the share of names with a counterpart last."""
        share = 100 * (self.mapped + self.changed) / self.names if self.names else 0
        numbers = (self.names, self.mapped, self.changed, self.without, self.roc)
        return (*(f"{number:,}" for number in numbers), f"{share:.0f} %")


def by_library(table: MappingTable) -> list[tuple[Library, list[Mapping]]]:
    """List the libraries with their rows, each sorted by its CUDA names."""
    rows = sorted(row for row in map(table.lookup, table) if row is not None)
    return [(library, [row for row in rows if row.library == library.table]) for library in LIBRARIES]


def line(cells: Iterable[str]) -> str:
    """One line of a Markdown table; a bar inside a cell would end it."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def summary(table: MappingTable, folder: str = "") -> str:
    """Make the table of totals, a line for each library.

    Args:
        table: The tables.
        folder: Where the pages are, to link to them; empty: no links.

    """
    heads = ("CUDA", "HIP", "ROCm's own", "names", "same arguments", "other arguments", "none", "of these in ROCm's own", "share")
    lines = [line(heads), line(["---"] * 3 + ["---:"] * 6)]
    everything: list[Mapping] = []
    for library, rows in by_library(table):
        name = f"[{library.cuda}]({folder}/{library.table}.md)" if folder else library.cuda
        lines.append(line((name, library.hip or "-", library.roc or "-", *Totals.of(rows).cells())))
        everything += rows
    lines.append(line(("**all**", "", "", *Totals.of(everything).cells())))
    return "\n".join(lines) + "\n"


def page(library: Library, rows: Sequence[Mapping]) -> str:
    """Make the page of one library: what it becomes, totals, and each name with what is to be known about it."""
    title = f"# {library.cuda}" + (f" and {library.hip}" if library.hip else "")
    head = ("names", "same arguments", "other arguments", "none", "of these in ROCm's own", "share")
    parts = [title, "", line(head), line(["---:"] * len(head)), line(Totals.of(rows).cells()), "",
             line(("CUDA", "HIP", "ROCm's own", "kind", "since HIP", "note")), line(["---"] * 6)]
    parts.extend(line((_code(row.cuda), _code(row.hip), _code(row.roc), row.kind, _since(row), note(row))) for row in rows)
    return "\n".join(parts) + "\n"


def note(row: Mapping) -> str:
    """What is to be known about a name: its advice, and what the headers of both sides say."""
    told = [advice_for(row)]
    if row.hip and (row.cuda in _with_forms() or (row.support is Support.CHANGED and not told[0])):
        told.append("takes other arguments")
    if row.support is Support.EXPERIMENTAL:
        told.append("experimental")
    for each in differences().get(row.cuda.encode(), ()):
        told.append(f"{each.what}: `{each.ours}` for `{each.theirs}`")
    return "; ".join(part for part in told if part)


def _since(row: Mapping) -> str:
    return f"{_OLDEST} or older" if row.hip_since == _OLDEST else row.hip_since


def _code(name: str) -> str:
    return f"`{name}`" if name else ""


def with_totals(text: str, totals: str) -> str:
    """Put totals between the marks of a page.

    Raises:
        ValueError: The page has no marks.

    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page needs a line `{BEGIN}` and, behind it, a line `{END}`")
    return f"{before}{BEGIN}\n\n{totals}\n{END}{after}"


def main(words: Sequence[str] | None = None) -> int:
    """Write the pages, and the totals into a page that is there already."""
    parser = argparse.ArgumentParser(prog="python -m hipify_py.mapping.pages", description=main.__doc__)
    parser.add_argument("folder", type=Path, help="where to write; it is made if it is not there")
    parser.add_argument("--summary", type=Path, help="a page with marks, to bring up to date")
    options = parser.parse_args(words)
    table = MappingTable.load()
    pages = {f"{library.table}.md": page(library, rows) for library, rows in by_library(table)}
    pages["index.md"] = f"# API support\n\n{summary(table, '.')}"
    if options.summary:
        try:
            brought = with_totals(options.summary.read_text(encoding="utf-8"), summary(table))
        except (OSError, ValueError) as error:
            parser.error(f"`{options.summary}` cannot be brought up to date: {error}")
        options.summary.write_text(brought, encoding="utf-8")
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (options.folder / name).write_text(text, encoding="utf-8")
    sys.stdout.write(f"{options.folder}: {len(pages)} pages\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
