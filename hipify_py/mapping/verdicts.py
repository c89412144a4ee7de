"""What the headers say about one row of the tables: confirmed, denied, filled, or marked as changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.mapping.compare import Difference, Names, Spellings, constants, missing_members, order, types, values
from hipify_py.mapping.public import verdicts
from hipify_py.mapping.records import COLUMNS, Kind, Support
from hipify_py.mapping.renaming import candidates, kind_in
from hipify_py.mapping.rows import Row

if TYPE_CHECKING:
    from hipify_py.clang.declared import Declaration

#: Kinds that compilers know without a declaration, so that headers can neither confirm nor deny them.
_UNDECLARED = {Kind.ATTRIBUTE.value, Kind.BUILTIN.value, Kind.NAMESPACE.value}

#: Tables whose HIP side is no header of an installation: nothing to check.
UNCHECKED = {"dnn", "nvml", "cupti", "libcudacxx", "libdevice"}

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
            row["advice"] = ""
        row["roc"] = ""
    name = row["hip"]
    if not name or name == "int" or name.startswith(("__builtin_", "__HIP")) or library in UNCHECKED:
        return
    declared = [version for version in versions if _declares(version.names, library, name)]
    newest = versions[-1]
    if not declared and number_of(row["hip_since"]) > number_of(newest.number):
        report.add(f"newer than the newest headers of {library} here, not checked", f"{row['cuda']} -> {name}")
        return
    if newest not in declared:
        event = f"gone from HIP {newest.number}" if declared else "denied by the headers"
        report.add(f"{library}: {event}", f"{row['cuda']} -> {name}")
        row.update(hip="", support=Support.NO.value, hip_since="")
        if declared:
            row["advice"] = row["advice"] or f"HIP {newest.number} no longer has `{name}`"
        return
    since, oldest = number_of(row["hip_since"]), versions[0]
    if oldest.first and declared[0] is oldest:
        row["hip_since"] = oldest.number
    elif since == (0,) or (oldest.first and since <= number_of(oldest.number)):
        row["hip_since"] = declared[0].number


def compare_arities(row: Row, hip: Names, cuda: Names, report: Report) -> None:
    """Mark a row whose function takes no number of arguments in HIP that it takes in CUDA; advise where some differ."""
    theirs, ours = forms_of(row["cuda"], cuda), hip.get(row["hip"])
    if theirs is None or ours is None or row["support"] != Support.YES.value or ours.accepts_as_many(theirs):
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
    theirs = forms_of(row["cuda"], cuda)
    for name in candidates(row["cuda"]):
        ours = hip.names.get(name)
        if ours is None or not _declares(hip.names, library, name):
            continue
        if name == row["cuda"] and library not in _SAME_NAMES:
            continue
        is_function = row["kind"] in (Kind.FUNCTION.value, Kind.DEVICE_FUNCTION.value)
        if is_function and not (theirs and ours.arities and ours.accepts_as_many(theirs)):
            continue
        row.update(hip=name, support=Support.YES.value, hip_since=hip.number, advice="")
        report.add(f"{library}: counterpart found", f"{row['cuda']} -> {name}")
        return


def add_missing(tables: dict[str, list[Row]], cuda: Names, include: Path, report: Report) -> None:
    """Add a row, as yet without counterpart, for each public name of CUDA's headers that no table has."""
    known = {row["cuda"] for rows in tables.values() for row in rows}
    for name, verdict in verdicts(cuda, include):
        if name in known or not verdict.table:
            continue
        versioned = next((cuda[other].kind for other in _versions_of(name)[:-1] if other in cuda), None)
        kind = kind_in(verdict.table, cuda[name].kind, versioned)
        row = dict.fromkeys(COLUMNS, "") | {"cuda": name, "kind": kind.value, "support": Support.NO.value}
        tables.setdefault(verdict.table, []).append(row)
        known.add(name)
        report.add(f"{verdict.table}: added from CUDA's headers", name)


def _declares(names: Names, library: str, name: str) -> bool:
    return name in names and (library not in _SAME_NAMES or names[name].is_for_the_device)


def forms_of(name: str, cuda: Names) -> Declaration | None:
    """Find what a name stands for in CUDA's headers, whose macros put a version behind it (``cuMemAlloc_v2``)."""
    for _ in range(3):
        found = cuda.get(name)
        if found is None or found.canonical not in cuda or not cuda[found.canonical].arities:
            return found
        name = found.canonical
    return cuda.get(name)


def _versions_of(name: str) -> list[str]:
    return [f"{name}_v4", f"{name}_v3", f"{name}_v2", name]


def number_of(version: str) -> tuple[int, ...]:
    """A version to compare by."""
    return tuple(int(part) for part in version.split(".")) if version else (0,)


def find_differences(row: Row, hip: Names, cuda: Names, names: Spellings) -> Iterator[Difference]:
    """Compare one row's two sides: types, numbers, the order of members."""
    theirs, ours = forms_of(row["cuda"], cuda), hip.get(row["hip"])
    if theirs is None or ours is None:
        return
    if row["kind"] == Kind.FUNCTION.value and row["support"] != Support.CHANGED.value:
        yield from types(row["cuda"], theirs, ours, names)
    elif row["kind"] in (Kind.ENUMERATOR.value, Kind.MACRO.value):
        yield from values(row["cuda"], theirs, ours)
    elif row["kind"] == Kind.TYPE.value:
        yield from order(row["cuda"], theirs, ours)
        yield from constants(row["cuda"], theirs, names, cuda, hip)


def base_name(struct: str) -> str:
    """The name of a structure without what tells its tag and its versions apart."""
    return re.sub(r"(?:_v\d+|V\d|_st|_union|_t)+$", "", struct)


def members_without_answer(row: Row, hip: Names, cuda: Names, answered: set[tuple[str, str]]) -> Iterator[str]:
    """Find the members of CUDA's structure that HIP's lacks and ``members.csv`` does not know."""
    theirs, ours = cuda.get(row["cuda"]), hip.get(row["hip"])
    if row["kind"] == Kind.TYPE.value and theirs is not None and ours is not None:
        for member in missing_members(theirs, ours):
            if (base_name(row["cuda"]), member) not in answered:
                yield f"{row['cuda']}.{member} ({row['hip']})"
