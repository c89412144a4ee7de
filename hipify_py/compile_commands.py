"""``-p BUILD``: the ``-I``, ``-D`` and ``-std`` that a build uses for a file, from its compile_commands.json."""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hipify_py.files import InputError, reason

NAME = "compile_commands.json"

#: Clang's, gcc's and nvcc's spellings -> the option that they mean; longer ones first.
_SPELLINGS = {"--system-include": "-I", "--include-path": "-I", "-include-path": "-I", "-isystem": "-I", "-I": "-I",
              "--define-macro": "-D", "-D": "-D", "--std": "-std", "-std": "-std"}


@dataclass(frozen=True, slots=True)
class Flags:
    """What counts of one compile command; folders are absolute."""

    include_dir: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    std: str | None = None


def options_of(build: Path, source: Path) -> Flags:
    """The flags of a source; none for a file that the build does not compile, such as a header.

    Args:
        build: A compile_commands.json, or its folder.
        source: The file.

    Raises:
        InputError: There is no such database, or it is not one.
    """
    return _flags(*database(build).get(os.path.realpath(source), ("", ())))


@cache
def database(build: Path) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Real path of a source -> the folder and the words of its first command."""
    path = build / NAME if build.is_dir() else build
    try:
        entries = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"`{path}` cannot be read ({reason(error)}): configure the build so that it writes one, with "
                         "CMake `-DCMAKE_EXPORT_COMPILE_COMMANDS=ON`") from None
    except ValueError as error:
        raise InputError(f"`{path}` is no JSON: {error}") from None
    commands: dict[str, tuple[str, tuple[str, ...]]] = {}
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(f"`{path}` is no compilation database: a list of `directory`, `file` and `command` belongs "
                         "there")
    for entry in entries:
        place = str(entry.get("directory", "."))
        words = _words(path, entry)
        if not isinstance(entry.get("file"), str):
            raise InputError(f"`{path}` has an entry without `file`")
        commands.setdefault(os.path.realpath(Path(place, entry["file"])), (place, words))
    return commands


def _words(path: Path, entry: dict[str, Any]) -> tuple[str, ...]:
    try:
        if "arguments" in entry:
            return tuple(str(word) for word in entry["arguments"])
        return tuple(shlex.split(str(entry.get("command", ""))))
    except (TypeError, ValueError) as error:
        raise InputError(f"`{path}`: the command of `{entry.get('file')}` cannot be read: {error}") from None


def _flags(place: str, words: tuple[str, ...]) -> Flags:
    """Pick what is ours; both ``-Idir`` and ``-I dir``, ``-isystem`` and nvcc's own long spellings count."""
    found: dict[str, list[str]] = {"-I": [], "-D": [], "-std": []}
    rest = iter(words)
    for word in rest:
        spelling = next((each for each in _SPELLINGS if word.startswith(each)), None)
        if spelling is None:
            continue
        value = word[len(spelling) :].removeprefix("=") or next(rest, "")
        # nvcc's long spellings take several values, with commas between them.
        found[_SPELLINGS[spelling]] += value.split(",") if word.startswith("--") else [value]
    folders, macros, standards = found.values()
    standard = standards[-1] if standards else None
    return Flags(tuple(os.path.normpath(Path(place, each)) for each in folders if each), tuple(macros), standard)
