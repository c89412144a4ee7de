"""``-p BUILD``: the ``-I``, ``-D``, ``-U`` and ``-std`` that a build uses for a file, from its compile_commands.json.

What nvcc hands on to the host's compiler counts too, and what stands in files of options, where CMake puts include folders.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hipify_py.files import InputError, reason

NAME = "compile_commands.json"

#: Clang's, gcc's and nvcc's spellings -> the option that they mean; longer ones first.
_SPELLINGS = {"--system-include": "-I", "--include-path": "-I", "-include-path": "-I", "-isystem": "-I", "-iquote": "-I",
              "-I": "-I", "--define-macro": "-D", "-D": "-D", "--undefine-macro": "-U", "-U": "-U", "--std": "-std",
              "-std": "-std"}
#: Options whose value is a file of options, and those whose value is more options with commas between them.
_FILES = frozenset(("--options-file", "-optf"))
_HANDED_ON = frozenset(("-Xcompiler", "--compiler-options"))


@dataclass(frozen=True, slots=True)
class Flags:
    """What counts of one compile command; folders are absolute."""

    include_dir: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    std: str | None = None
    undefine: tuple[str, ...] = ()


def options_of(build: Path, source: Path) -> Flags:
    """The flags of a source; a file that the build does not compile, such as a header, gets the folders of all sources.

    Args:
        build: A compile_commands.json, or its folder.
        source: The file.

    Raises:
        InputError: There is no such database, or it is not one.
    """
    command = database(build).get(os.path.realpath(source))
    return Flags(_folders(build)) if command is None else _flags(*command)


@cache
def _folders(build: Path) -> tuple[str, ...]:
    """The ``-I`` folders of all sources."""
    return tuple(dict.fromkeys(folder for command in database(build).values() for folder in _flags(*command).include_dir))


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


def _expanded(place: str, words: Iterable[str], inside: frozenset[str] = frozenset()) -> Iterator[str]:
    """The words with those of files of options, and what is handed on to the host's compiler."""
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in _FILES:
            for each in (value if equals else next(rest, "")).split(","):
                yield from _of_file(place, each, inside)
        elif word.startswith("@"):
            yield from _of_file(place, word[1:], inside)
        elif name in _HANDED_ON:
            yield from (value if equals else next(rest, "")).strip("\"'").split(",")
        else:
            yield word


def _of_file(place: str, name: str, inside: frozenset[str]) -> Iterator[str]:
    """The words in a file of options; none if it is not there (yet), or in a file of itself."""
    if name in inside:
        return
    try:
        words = shlex.split(Path(place, name).read_text("utf-8", "surrogateescape"))
    except (OSError, ValueError):
        return
    yield from _expanded(place, words, inside | {name})


def _flags(place: str, words: tuple[str, ...]) -> Flags:
    """Pick what is ours; both ``-Idir`` and ``-I dir``, ``-isystem`` and nvcc's own long spellings count."""
    found: dict[str, list[str]] = {"-I": [], "-D": [], "-std": [], "-U": []}
    rest = _expanded(place, words)
    for word in rest:
        spelling = next((each for each in _SPELLINGS if word.startswith(each)), None)
        if spelling is None:
            continue
        value = word[len(spelling) :].removeprefix("=") or next(rest, "")
        # nvcc's long spellings take several values, with commas between them.
        found[_SPELLINGS[spelling]] += value.split(",") if word.startswith("--") else [value]
    folders, macros, standards, gone = found.values()
    standard = standards[-1] if standards else None
    return Flags(tuple(os.path.normpath(Path(place, each)) for each in folders if each), tuple(macros), standard,
                 tuple(gone))


def forget() -> None:
    """Read the databases anew from now on."""
    database.cache_clear()
    _folders.cache_clear()
