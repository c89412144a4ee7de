"""Recorded references: inputs and outputs of runs elsewhere, on an NVIDIA GPU for example, in one ``.npz`` a case.

Arrays are named ``RUN/in/NAME`` and ``RUN/out/NAME``, with RUN the sizes, ``n=255 m=3``; ``origin`` is a text that says
where, by what and when they were recorded. bf16 numbers are recorded as float32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.validate.case import CaseError, size_label

if TYPE_CHECKING:
    from hipify_py.validate.elements import Values


@dataclass(frozen=True, slots=True)
class Record:
    """One run: its sizes, what went in and what came out."""

    sizes: tuple[tuple[str, int], ...]
    inputs: Mapping[str, Values]
    outputs: Mapping[str, Values]
    origin: str = ""


@lru_cache(maxsize=4)
def read(path: Path) -> tuple[Record, ...]:
    """The runs of a file.

    Raises:
        CaseError: It is no such file.
    """
    import numpy as np  # noqa: PLC0415 - who only asks for labels needs none

    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (OSError, ValueError) as error:
        raise CaseError(f"`{path}` cannot be read as recorded outputs: {error}") from None
    origin = str(arrays.pop("origin", "recorded"))
    runs: dict[str, dict[str, dict[str, Values]]] = {}
    for name, array in arrays.items():
        label, _, rest = name.partition("/")
        group, _, buffer = rest.partition("/")
        if group not in ("in", "out") or not buffer:
            raise CaseError(f"`{path}`: the array `{name}` is not named `SIZES/in/NAME` or `SIZES/out/NAME`")
        runs.setdefault(label, {"in": {}, "out": {}})[group][buffer] = array
    try:
        return tuple(Record(_sizes(label), run["in"], run["out"], origin) for label, run in runs.items())
    except ValueError:
        raise CaseError(f"`{path}`: sizes are written as `n=255 m=3`") from None


def write(path: Path, records: Sequence[Record], origin: str) -> None:
    """Write runs, compressed; the same runs give the same bytes."""
    import numpy as np  # noqa: PLC0415 - who only asks for labels needs none

    arrays: dict[str, Values] = {"origin": np.array(origin)}
    for record in records:
        label = size_label(dict(record.sizes))
        for group, values in (("in", record.inputs), ("out", record.outputs)):
            arrays.update({f"{label}/{group}/{name}": array for name, array in values.items()})
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def labels(path: Path) -> list[str]:
    """The labels of the runs of a file, without numpy: they are the names of its members."""
    import zipfile  # noqa: PLC0415 - start-up time

    try:
        with zipfile.ZipFile(path) as archive:
            found = [name.partition("/")[0] for name in archive.namelist() if "/" in name]
    except (OSError, zipfile.BadZipFile) as error:
        raise CaseError(f"`{path}` cannot be read as recorded outputs: {error}") from None
    return list(dict.fromkeys(found))


def _sizes(label: str) -> tuple[tuple[str, int], ...]:
    return tuple((name, int(value)) for name, _, value in (word.partition("=") for word in label.split()))
