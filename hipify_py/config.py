"""Options from ``[tool.hipify-py]`` of pyproject.toml and from the command line, merged into Settings.

The keys of the table are the command line's long options without their dashes: ``style``, ``rocm``, ``include-dir`` ...
The table that counts is that of the nearest pyproject.toml at or above the input that has one; the command line wins
over it, it wins over the defaults.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from hipify_py import plugins, tables
from hipify_py.files import InputError, reason
from hipify_py.settings import Settings, Syntax, Version

_STYLES = {"classic": Syntax.HIP, "native": Syntax.CUDA}
_SYNTAXES = {member.value: member for member in Syntax}
_TARGETS = ("hip", "roc")
TABLE = "[tool.hipify-py]"


@dataclass(frozen=True, slots=True)
class Options:
    """What somebody chose; None (or nothing) where they did not. The names are those of the options.

    Args:
        style: ``classic`` or ``native``: short for the two that follow.
        launch_syntax: ``hip`` or ``cuda``.
        thread_indices: ``hip`` or ``cuda``.
        unsafe_fixes: Apply likely fixes too.
        select: Codes, their prefixes or names that are reported.
        ignore: Codes, their prefixes or names that are not.
        rocm: ``X.Y``.
        offload_arch: Targets such as ``gfx90a``.
        target_libraries: ``hip`` or ``roc``.
        include_dir: As ``-I``.
        define: As ``-D``.
        std: As ``-std=``.
        clang_args: More arguments for libclang.
        skip_inactive: Leave ``#if`` branches that are not compiled as they are.
        verify: Parse the result as HIP.
        strict: Warnings count as errors.
        exclude: Patterns, as in .gitignore, of what to leave out of folders.
        include: Patterns of the files of folders that are sources.
        mappings: Tables of one's own (``--mapping``).
        annotate: Write the diagnostics as comments.
        plugins: Whether installed plug-ins take part.
    """

    style: str | None = None
    launch_syntax: str | None = None
    thread_indices: str | None = None
    unsafe_fixes: bool | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rocm: str | None = None
    offload_arch: tuple[str, ...] = ()
    target_libraries: str | None = None
    include_dir: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    std: str | None = None
    clang_args: tuple[str, ...] = ()
    skip_inactive: bool | None = None
    verify: bool | None = None
    strict: bool | None = None
    exclude: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    mappings: tuple[str, ...] = ()
    plugins: bool | None = None
    annotate: bool | None = None

    def over(self, other: Options) -> Options:
        """These options, and those of ``other`` where these say nothing; folders, macros and patterns add up."""
        chosen = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and value != ():
                chosen[field.name] = value
        if "style" in chosen:  # the short form replaces what stood below it
            other = replace(other, launch_syntax=None, thread_indices=None)
        chosen |= {"include_dir": self.include_dir + other.include_dir, "define": other.define + self.define,
                   "clang_args": other.clang_args + self.clang_args, "exclude": other.exclude + self.exclude,
                   "mappings": other.mappings + self.mappings}
        return replace(other, **chosen)

    def settings(self) -> Settings:
        """The settings that these options mean.

        Raises:
            InputError: A value is none of the allowed ones.
        """
        default, found = Settings(), plugins.installed() if self.plugins is not False else plugins.Plugins()
        style = _STYLES[_choice("style", self.style or "classic", tuple(_STYLES))]
        launches, indices = style, style
        if self.launch_syntax is not None:
            launches = _SYNTAXES[_choice("launch-syntax", self.launch_syntax, tuple(_SYNTAXES))]
        if self.thread_indices is not None:
            indices = _SYNTAXES[_choice("thread-indices", self.thread_indices, tuple(_SYNTAXES))]
        return Settings(
            launch_syntax=launches,
            thread_indices=indices,
            unsafe_fixes=bool(self.unsafe_fixes),
            select=codes("select", self.select),
            ignore=codes("ignore", self.ignore),
            rocm=None if self.rocm is None else _version(self.rocm),
            offload_arch=self.offload_arch,
            target_libraries=_choice("target-libraries", self.target_libraries or "hip", _TARGETS),
            include_dirs=self.include_dir,
            defines=self.define,
            standard=self.std or default.standard,
            clang_args=self.clang_args,
            skip_inactive=bool(self.skip_inactive),
            verify=True if self.verify is None else self.verify,
            mappings=(*found.mappings, *(row for each in self.mappings for row in tables.read_mappings(each))),
            rules=found.rules,
            annotate=bool(self.annotate),
        )


def options_for(path: Path, chosen: Options, build: Path | None = None) -> Options:
    """All options of one input: the command line's, then its compile command's, then its pyproject.toml's.

    Raises:
        InputError: The pyproject.toml or the compile_commands.json is wrong.
    """
    if build is not None:
        from hipify_py.compile_commands import options_of  # noqa: PLC0415 - only with -p

        flags = options_of(build, path)
        chosen = replace(chosen, include_dir=chosen.include_dir + flags.include_dir,
                         define=flags.define + chosen.define, std=chosen.std or flags.std,
                         clang_args=tuple(f"-U{each}" for each in flags.undefine) + chosen.clang_args)
    return chosen.over(_project_options(path.absolute().parent))


def patterns_for(folder: Path) -> tuple[Path, tuple[str, ...], tuple[str, ...]] | None:
    """The folder of the pyproject.toml that counts for a folder, and the patterns in it to include and to exclude.

    Raises:
        InputError: The pyproject.toml is wrong.
    """
    found = _project(folder.absolute())
    return None if found is None else (found[0], found[1].include, found[1].exclude)


def forget() -> None:
    """Read pyproject.toml and compile_commands.json files anew from now on: a call starts with what is on disk."""
    from hipify_py import compile_commands  # noqa: PLC0415 - only with -p

    _project.cache_clear()
    tables.forget()
    _read.cache_clear()
    compile_commands.forget()


def codes(option: str, given: tuple[str, ...]) -> tuple[str, ...]:
    """Codes as :class:`Settings` holds them: names (``no-counterpart``) become their codes.

    Raises:
        InputError: No code starts so.
    """
    if not given:
        return ()
    from hipify_py import foreign  # noqa: PLC0415 - start-up time
    from hipify_py.codes import CODES  # noqa: PLC0415

    by_name = {row.name: code for code, row in CODES.items()}
    found = []
    for word in given:
        code = by_name.get(word, word.upper())
        if foreign.CODE.fullmatch(code):
            found.append(code)
            continue
        if not any(known.startswith(code) for known in CODES) or not code:
            near = _near(word, [*by_name, *CODES])
            raise InputError(f"`{word}` in `{option}` is no code{near}; `hipify-py explain` lists them")
        found.append(code)
    return tuple(found)


def read_table(path: Path) -> Options:
    """The options in one pyproject.toml; none if it has no ``[tool.hipify-py]``.

    Raises:
        InputError: It is no TOML, or a key or value of the table is wrong; file and, if known, line are named.
    """
    return _read(path) or Options()


def _project_options(folder: Path) -> Options:
    """The options of the nearest pyproject.toml with our table, at or above a folder."""
    found = _project(folder)
    return Options() if found is None else found[1]


@cache
def _project(folder: Path) -> tuple[Path, Options] | None:
    """The nearest pyproject.toml's folder and options."""
    for place in (folder, *folder.parents):
        path = place / "pyproject.toml"
        try:
            there = path.is_file()
        except OSError as error:
            raise InputError(f"`{path}` cannot be looked for: {reason(error)}") from None
        options = _read(path) if there else None
        if options is not None:
            return place, options
    return None


@cache
def _read(path: Path) -> Options | None:
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {reason(error)}") from None
    if b"hipify-py" not in text:
        return None  # most projects: no TOML parser needed
    if sys.version_info >= (3, 11):
        import tomllib  # noqa: PLC0415 - start-up time
    else:
        import tomli as tomllib  # noqa: PLC0415
    try:
        table = tomllib.loads(text.decode()).get("tool", {}).get("hipify-py")
    except (ValueError, AttributeError) as error:
        raise InputError(f"{path}:{_error_line(error)}: no valid TOML: {error}") from None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise InputError(f"{path}: `tool.hipify-py` is no table: write `{TABLE}`")
    return _options(path, cast("Mapping[str, object]", table), text.decode())


def _options(path: Path, table: Mapping[str, object], text: str) -> Options:
    values: dict[str, Any] = {}
    kinds = {field.name.replace("_", "-"): str(field.type) for field in fields(Options)}
    for key, value in table.items():
        place = f"{path}:{_line_of(text, key)}"
        kind = kinds.get(key)
        if kind is None:
            raise InputError(f"{place}: `{key}` is no option of {TABLE}{_near(key, list(kinds))}")
        values[key.replace("-", "_")] = _value(place, key, kind, value)
    folder = path.parent
    values["mappings"] = tuple(str(folder / each) for each in values.get("mappings", ()))
    values["include_dir"] = tuple(str(folder / each) for each in values.get("include_dir", ()))
    options = Options(**values)
    try:
        options.settings()
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return options


def _value(place: str, key: str, kind: str, value: object) -> object:
    """A TOML value as the field's type."""
    if kind.startswith("tuple"):
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise InputError(f'{place}: `{key}` takes a list of strings: `{key} = ["..."]`')
        return tuple(items)
    if kind.startswith("bool"):
        if not isinstance(value, bool):
            raise InputError(f"{place}: `{key}` takes `true` or `false`")
        return value
    if not isinstance(value, str):
        raise InputError(f'{place}: `{key}` takes a string: `{key} = "{value}"`')
    return value


def _choice(option: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise InputError(f"`{value}` is no value of `{option}`: it is {' or '.join(f'`{each}`' for each in allowed)}")
    return value


def _version(text: str) -> Version:
    try:
        return Version.parse(text)
    except ValueError as error:
        raise InputError(f"`rocm`: {error}") from None


def _near(word: str, known: list[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only for a message

    near = get_close_matches(word, known, 1)
    return f" (did you mean `{near[0]}`?)" if near else ""


def _line_of(text: str, key: str) -> int:
    """The line of a key in our table, or of the table."""
    number = 1
    inside = False
    for index, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare.startswith("["):
            inside = bare.startswith(TABLE)
            number = index if inside else number
        elif inside and bare.partition("=")[0].strip().strip("\"'") == key:
            return index
    return number


def _error_line(error: Exception) -> int:
    """The line in a TOML parser's message (``... (at line 3, column 5)``)."""
    words = str(error).replace(",", " ").split()
    for word, number in pairwise(words):
        if word == "line" and number.isdigit():
            return int(number)
    return 1

