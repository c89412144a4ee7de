"""From a case's source to what runs: translate it and its headers, put the harness around it, build. All of it is cached.

The translations of a case lie in a folder of the cache that is named by the hash of all that went into them; what is
built from them lies in the cache of the CPU device. A second run of an unchanged case only reads.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from hipify_py.cpu import cache as store
from hipify_py.files import read_source
from hipify_py.report.depfile import local_headers
from hipify_py.settings import Settings
from hipify_py.validate.case import Case, Variant
from hipify_py.validate.places import Origin, Sources, line_map

_PLAN = "plan.json"
_PACKAGE = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Remark:
    """A diagnostic of the translation, as plain data."""

    severity: str
    code: str
    message: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Translated:
    """A case's translation on disk.

    Args:
        folder: In the cache.
        root: The folder of the project that it mirrors.
        main: The translation of the case's source.
        sources: Its files and those that they come from.
        remarks: What the translation has to say.
    """

    folder: Path
    root: Path
    main: Path
    sources: Sources
    remarks: tuple[Remark, ...]


def translated(case: Case, settings: Settings) -> Translated:
    """Translate a case's source and the local headers that it includes, or find that done.

    Raises:
        InputError: A file cannot be read.
    """
    settings = replace(settings, include_dirs=(*(str(each) for each in case.include_dirs), *settings.include_dirs),
                       defines=(*settings.defines, *case.defines))
    files = [case.source, *local_headers(case.source, settings.include_dirs)]
    data = {path.resolve(): read_source(path) for path in files}
    parts: list[str | bytes] = ["translation", _translator(), repr(settings)]
    for path, text in data.items():
        parts += (str(path), text)
    folder = store.folder() / "validate" / store.digest(parts)
    plan = _read_plan(folder)
    return plan if plan is not None else _translate(folder, case, data, settings)


def harness(case: Case, found: Translated, variant: Variant) -> Path:
    """The source of the library with the kernels of a variant, in the folder of its translation."""
    kernels = [launch.kernel for launch in case.filled(variant)]
    symbols = symbols_of(case)
    path = found.folder / f"module-{store.digest([*kernels, '|', *symbols])[:16]}.hip"
    if not path.is_file():
        from hipify_py.validate.harness import module_text  # noqa: PLC0415 - start-up time

        _write(path, module_text(found.main.relative_to(found.folder).as_posix(), kernels, symbols).encode())
    return path


def symbols_of(case: Case) -> tuple[str, ...]:
    """The variables that a case reads or writes, in the order of their numbers in the harness."""
    arrays = (*case.inputs, *case.outputs, *case.scratch)
    return tuple(dict.fromkeys(array.symbol for array in arrays if array.symbol))


def include_dirs(case: Case, found: Translated) -> tuple[Path, ...]:
    """Where the headers of a translation are looked for: each folder's translation, then the folder itself."""
    folders = [found.main.parent]
    for each in case.include_dirs:
        place = each.resolve()
        if place.is_relative_to(found.root):
            folders.append(found.folder / place.relative_to(found.root))
        folders.append(each)
    return tuple(folders)


def instances(case: Case, variant: Variant) -> tuple[str, ...]:
    """The kernels of a variant that are instances of templates."""
    return tuple(dict.fromkeys(launch.kernel for launch in case.filled(variant) if "<" in launch.kernel))


def _translate(folder: Path, case: Case, data: dict[Path, bytes], settings: Settings) -> Translated:
    from hipify_py.engine import translate  # noqa: PLC0415 - start-up time

    root = Path(os.path.commonpath([path.parent for path in data]))
    main = case.source.resolve()
    origins: dict[str, Origin] = {}
    remarks: list[Remark] = []
    for path, text in data.items():
        result = translate(text, filename=str(path), settings=settings)
        target = folder / path.relative_to(root)
        if path == main:
            target = target.with_suffix(".hip")
        _write(target, result.text)
        shown = str(case.source) if path == main else os.path.relpath(path)
        origins[str(target)] = Origin(shown, line_map(text, result.edits))
        remarks += (Remark(each.severity.value, each.code, each.message, shown, result.source.location(each.range.start).line)
                    for each in result.diagnostics)
    target = (folder / main.relative_to(root)).with_suffix(".hip")
    plan = {
        "main": str(target), "root": str(root),
        "origins": {path: [origin.source, origin.lines] for path, origin in origins.items()},
        "remarks": [[each.severity, each.code, each.message, each.file, each.line] for each in remarks],
    }
    _write(folder / _PLAN, json.dumps(plan, indent=1).encode())
    return Translated(folder, root, target, Sources(origins), tuple(remarks))


def _read_plan(folder: Path) -> Translated | None:
    try:
        plan = json.loads((folder / _PLAN).read_bytes())
        origins = {path: Origin(source, tuple((a, b) for a, b in lines)) for path, (source, lines) in plan["origins"].items()}
        remarks = tuple(Remark(*each) for each in plan["remarks"])
        return Translated(folder, Path(plan["root"]), Path(plan["main"]), Sources(origins), remarks)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    temporary.write_bytes(data)
    temporary.replace(path)


@cache
def _translator() -> str:
    """The state of the translator: its files by name, size and time."""
    parts: list[str] = []
    for path in sorted(_PACKAGE.rglob("*")):
        if path.suffix in (".py", ".csv", ".h", ".j2") and "__pycache__" not in path.parts:
            status = path.stat()
            parts.append(f"{path.relative_to(_PACKAGE)} {status.st_size} {status.st_mtime_ns}")
    return store.digest(parts)


def kernels_of(case: Case) -> Sequence[str]:
    """The kernels of a case by their bare names."""
    return tuple(dict.fromkeys(launch.kernel.partition("<")[0].strip() for launch in case.launches))
