"""Reads case files. Every error names the file, the line, the key and what to write."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from hipify_py.files import reason
from hipify_py.validate.case import WAVES, Argument, Array, Case, CaseError, Input, Launch, Output, Tolerance
from hipify_py.validate.expressions import ExpressionError, Value, names_in
from hipify_py.validate.layout import DTYPES, SPELLINGS, Pointer, Struct
from hipify_py.validate.signature import SignatureError

#: How the elements of an input may be made -> the numbers that this takes.
DISTRIBUTIONS: dict[str, tuple[str, ...]] = {
    "uniform": ("low", "high"), "normal": ("mean", "std"), "integers": ("low", "high"), "constant": ("value",),
    "range": ("start", "step"), "permutation": (), "special": (),
}
_TOP = ("source", "kernel", "signature", "declarations", "include_dirs", "defines", "launch", "launches", "sizes", "values",
        "inputs", "outputs", "scratch", "arguments", "sweep", "reference", "recorded", "waves", "timeout")
_LAUNCH = ("kernel", "signature", "grid", "block", "shared", "cooperative", "arguments")
_ARRAY = ("shape", "dtype", "symbol")
_TOLERANCE = ("abs", "rel", "ulp")


def find_cases(paths: Sequence[str | Path]) -> list[Path]:
    """The case files that paths name: a file, a case's folder, or a folder of such folders.

    Raises:
        CaseError: A path leads to none.
    """
    found: dict[Path, None] = {}
    for each in paths:
        path = Path(each)
        if path.is_dir():
            cases = [*sorted(path.glob("case*.toml")), *sorted(path.glob("*/case*.toml"))]
            if not cases:
                raise CaseError(f"`{path}` holds no case: write a `case.toml` beside the kernel (see docs/validate.md)")
            found.update(dict.fromkeys(cases))
        elif path.suffix == ".toml" and path.is_file():
            found[path] = None
        elif path.exists():
            raise CaseError(f"`{path}` is no case: name a `case.toml`, its folder, or a folder of such folders")
        else:
            raise CaseError(f"`{path}` does not exist: check the name")
    return list(found)


def load_case(path: Path) -> Case:
    """Read a case file.

    Raises:
        CaseError: It cannot be read, is no TOML, or a key is missing, unknown or wrong.
    """
    if sys.version_info >= (3, 11):
        import tomllib  # noqa: PLC0415 - start-up time
    else:
        import tomli as tomllib  # noqa: PLC0415
    try:
        text = path.read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except OSError as error:
        raise CaseError(f"`{path}` cannot be read: {reason(error)}") from None
    except ValueError as error:
        raise CaseError(f"{path}: no valid TOML: {error}") from None
    return _Reader(path, text, table).case()


class _Reader:
    """One file on its way to a Case."""

    def __init__(self, path: Path, text: str, table: dict[str, Any]) -> None:
        self.path, self.table = path, table
        self.folder = path.parent
        self.lines = _lines_of_keys(text)

    def fail(self, key: str, message: str) -> CaseError:
        line = self.lines.get(key)
        while line is None and "." in key:
            key = key.rpartition(".")[0]
            line = self.lines.get(key)
        return CaseError(f"{self.path}:{line or 1}: {message}")

    def case(self) -> Case:
        self.known("", self.table, _TOP)
        name = self.folder.resolve().name
        suffix = self.path.stem.removeprefix("case").lstrip("-_.")
        inputs = tuple(self.input(key, value) for key, value in self.tables("inputs"))
        outputs = tuple(self.output(key, value) for key, value in self.tables("outputs"))
        scratch = tuple(self.array("scratch", key, value, Array) for key, value in self.tables("scratch"))
        sweep = tuple((key, self.list_of(f"sweep.{key}", value)) for key, value in self.items("sweep"))
        case = Case(
            path=self.path, name=f"{name}-{suffix}" if suffix else name, source=self.source(), launches=self.launches(),
            sizes=self.sizes(), values=tuple((key, self.value(f"values.{key}", value)) for key, value in self.items("values")),
            inputs=inputs, outputs=outputs, scratch=scratch, declarations=self.text("declarations", ""),
            include_dirs=tuple(_tidy(self.folder / each) for each in self.texts("include_dirs")), defines=self.texts("defines"),
            sweep=sweep,
            reference=self.beside("reference", "reference.py"), recorded=self.beside("recorded", "reference.npz"),
            waves=self.waves(), timeout=self.seconds(), lines=self.lines)
        self.check(case)
        return case

    # -- keys of the top

    def source(self) -> Path:
        path = _tidy(self.folder / self.text("source", "kernel.cu"))
        if not path.is_file():
            raise self.fail("source", f"`source`: `{path}` does not exist: name the file with the kernel")
        return path

    def beside(self, key: str, default: str) -> Path | None:
        name = self.text(key, "")
        path = self.folder / (name or default)
        if name and not path.is_file():
            raise self.fail(key, f"`{key}`: `{path}` does not exist: write it, or leave the key out")
        return path if path.is_file() else None

    def sizes(self) -> tuple[tuple[tuple[str, int], ...], ...]:
        listed = self.table.get("sizes", [{}])
        if not isinstance(listed, list) or not listed or not all(isinstance(each, dict) for each in listed):
            raise self.fail("sizes", "`sizes` takes a list of tables: `sizes = [{ n = 1 }, { n = 1000 }]`")
        for each in listed:
            for name, value in each.items():
                if not isinstance(value, int) or isinstance(value, bool):
                    raise self.fail("sizes", f"`sizes`: `{name}` takes a whole number, not `{value}`")
            if each.keys() != listed[0].keys():
                raise self.fail("sizes", f"`sizes`: each of them needs the names {', '.join(f'`{n}`' for n in listed[0])}")
        return tuple(tuple(each.items()) for each in listed)

    def waves(self) -> tuple[int, ...]:
        waves = self.table.get("waves", list(WAVES))
        if not isinstance(waves, list) or not waves or any(wave not in WAVES for wave in waves):
            raise self.fail("waves", "`waves` takes a list of 32 and 64: `waves = [32, 64]`")
        return tuple(sorted(set(waves)))

    def seconds(self) -> float:
        value = self.table.get("timeout", 30.0)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
            raise self.fail("timeout", f"`timeout` takes seconds above 0, not `{value}`")
        return float(value)

    def launches(self) -> tuple[Launch, ...]:
        if "launch" in self.table and "launches" in self.table:
            raise self.fail("launches", "`launch` and `launches` stand together: keep one of them")
        listed = self.table.get("launches")
        if listed is None:
            listed = [self.table.get("launch")]
        if not isinstance(listed, list) or not listed or not all(isinstance(each, dict) for each in listed):
            raise self.fail("launches" if "launches" in self.table else "launch", "`launch` is missing: write a table `[launch]` "
                            "with `grid` and `block`, or a list `[[launches]]` of such tables")
        key = "launches" if "launches" in self.table else "launch"
        return tuple(self.launch(key, each) for each in listed)

    def launch(self, key: str, table: dict[str, Any]) -> Launch:
        self.known(f"{key}.", table, _LAUNCH)
        prototype = table.get("signature", self.table.get("signature"))
        if not isinstance(prototype, str):
            raise self.fail(f"{key}.signature", "`signature` is missing: write the kernel's as a C prototype, "
                            '`signature = "void add(const float *a, float *c, int n)"`')
        kernel = table.get("kernel", self.table.get("kernel", prototype.partition("(")[0].split()[-1].lstrip("*")))
        for each in ("grid", "block"):
            if each not in table:
                raise self.fail(key, f"`{key}.{each}` is missing: write one to three sizes, `{each} = 256` or "
                                f'`{each} = ["(n + 15) / 16", 1]`')
        arguments = {**dict(self.items("arguments")), **table.get("arguments", {})}
        return Launch(
            kernel=str(kernel), prototype=prototype, grid=self.dimensions(f"{key}.grid", table["grid"]),
            block=self.dimensions(f"{key}.block", table["block"]), shared=self.value(f"{key}.shared", table.get("shared", 0)),
            cooperative=bool(table.get("cooperative", False)),
            arguments=tuple((name, self.argument(f"arguments.{name}", value)) for name, value in arguments.items()))

    def argument(self, key: str, value: object) -> Argument:
        if isinstance(value, dict):
            return tuple((name, self.value(f"{key}.{name}", each)) for name, each in value.items())
        return self.value(key, value)

    # -- buffers

    def array(self, group: str, name: str, table: dict[str, Any], kind: Callable[..., Array], **more: object) -> Array:
        key = f"{group}.{name}"
        if kind is Array:
            self.known(f"{key}.", table, _ARRAY)
        dtype = table.get("dtype", "")
        dtype = SPELLINGS.get(dtype, dtype)
        if dtype and dtype not in DTYPES:
            raise self.fail(key, f"`{key}`: `{dtype}` is no dtype{_near(str(dtype), DTYPES)}: one of {', '.join(DTYPES)}")
        if "shape" not in table and not more.get("file") and not more.get("function"):
            raise self.fail(key, f'`{key}.shape` is missing: write it as `shape = "n"` or `shape = ["m", "n"]`')
        shape = table.get("shape", [])
        items = shape if isinstance(shape, list) else [shape]
        symbol = table.get("symbol", "")
        symbol = name if symbol is True else symbol or ""
        return kind(name=name, shape=tuple(self.value(f"{key}.shape", each) for each in items), dtype=dtype,
                    symbol=str(symbol), **more)

    def input(self, name: str, table: dict[str, Any]) -> Input:
        key = f"inputs.{name}"
        distribution = table.get("distribution", "")
        if distribution and distribution not in DISTRIBUTIONS:
            raise self.fail(key, f"`{key}`: `{distribution}` is no distribution{_near(str(distribution), DISTRIBUTIONS)}: "
                            f"one of {', '.join(DISTRIBUTIONS)}")
        file, function = table.get("file", ""), table.get("function", "")
        if bool(distribution) + bool(file) + bool(function) > 1:
            raise self.fail(key, f"`{key}`: `distribution`, `file` and `function` exclude each other: keep one")
        if file and not (self.folder / file).is_file():
            raise self.fail(key, f"`{key}.file`: `{self.folder / file}` does not exist")
        allowed = DISTRIBUTIONS.get(distribution, ("low", "high") if not file and not function else ())
        self.known(f"{key}.", table, (*_ARRAY, "distribution", "file", "function", *allowed))
        options = tuple((each, self.value(f"{key}.{each}", table[each])) for each in allowed if each in table)
        return cast("Input", self.array("inputs", name, table, Input, distribution=distribution, options=options,
                                        file=str(file), function=str(function)))

    def output(self, name: str, table: dict[str, Any]) -> Output:
        key = f"outputs.{name}"
        self.known(f"{key}.", table, (*_ARRAY, *_TOLERANCE))
        for each in _TOLERANCE:
            value = table.get(each)
            if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0):
                raise self.fail(key, f"`{key}.{each}` takes a number that is not negative, not `{value}`")
        tolerance = Tolerance(*(table.get(each) for each in _TOLERANCE))
        same = self.table.get("inputs", {}).get(name)
        if "shape" not in table and isinstance(same, dict):
            table = {**{each: same[each] for each in _ARRAY if each in same}, **table}
        return cast("Output", self.array("outputs", name, table, Output, tolerance=tolerance))

    # -- pieces

    def known(self, prefix: str, table: dict[str, Any], allowed: Sequence[str]) -> None:
        for name in table:
            if name not in allowed:
                raise self.fail(f"{prefix}{name}", f"`{prefix}{name}` is no key of a case{_near(name, allowed)}: it is one of "
                                f"{', '.join(allowed)}")

    def items(self, key: str) -> list[tuple[str, Any]]:
        table = self.table.get(key, {})
        if not isinstance(table, dict):
            raise self.fail(key, f"`{key}` takes a table: write `[{key}]`")
        return list(table.items())

    def tables(self, key: str) -> list[tuple[str, dict[str, Any]]]:
        items = self.items(key)
        for name, value in items:
            if not isinstance(value, dict):
                raise self.fail(f"{key}.{name}", f'`{key}.{name}` takes a table: `{name} = {{ shape = "n" }}`')
        return items

    def text(self, key: str, default: str) -> str:
        value = self.table.get(key, default)
        if not isinstance(value, str):
            raise self.fail(key, f"`{key}` takes a string, not `{value}`")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(str(each) for each in self.list_of(key, self.table.get(key, [])))

    def list_of(self, key: str, value: object) -> tuple[Value, ...]:
        items = value if isinstance(value, list) else [value]
        if not all(isinstance(each, (int, float, str)) and not isinstance(each, bool) for each in items) or (
                not items and key.startswith("sweep")):
            raise self.fail(key, f"`{key}` takes a list of numbers or strings: `[8, 16, 32]`")
        return tuple(items)

    def dimensions(self, key: str, value: object) -> tuple[Value, ...]:
        items = value if isinstance(value, list) else [value]
        if not 1 <= len(items) <= 3:
            raise self.fail(key, f"`{key}` takes one to three sizes, not {len(items)}")
        return tuple(self.value(key, each) for each in items)

    def value(self, key: str, value: object) -> Value:
        if isinstance(value, bool):
            return int(value)
        if not isinstance(value, (int, float, str)):
            raise self.fail(key, f"`{key}` takes a number or an expression, not `{value}`")
        try:
            names_in(value)
        except ExpressionError as error:
            raise self.fail(key, f"`{key}`: {error}: write numbers, names and + - * / %") from None
        return value

    # -- what only the whole shows

    def check(self, case: Case) -> None:
        if not case.outputs:
            raise self.fail("outputs", "`outputs` is missing: name a buffer to compare, `[outputs]` `c = { shape = \"n\" }`")
        if case.reference is None and case.recorded is None:
            raise self.fail("reference", "there is no reference: write `reference.py` with a function `reference`, or record "
                            "a `reference.npz`")
        sizes = {name for size in case.sizes for name, _ in size}
        known = {*sizes, *(name for name, _ in case.sweep), *(name for name, _ in case.values)}
        buffers = {each.name for group in (case.inputs, case.outputs, case.scratch) for each in group}
        for key, text in self.expressions(case):
            for name in sorted(names_in(text) - known):
                raise self.fail(key, f"`{key}`: `{name}` is neither a size nor a value nor a constant of the sweep"
                                f"{_near(name, known)}")
        for variant in case.variants():
            try:
                launches = case.filled(variant)
            except SignatureError as error:
                raise self.fail("signature", f"`signature`: {error}") from None
            for launch in launches:
                self.check_launch(case, launch, buffers, known)

    def check_launch(self, case: Case, launch: Launch, buffers: set[str], known: set[str]) -> None:
        signature = launch.parsed
        assert signature is not None
        given = dict(launch.arguments)
        for name in given:
            if name not in {each.name for each in signature.parameters} and len(case.launches) == 1:
                raise self.fail(f"arguments.{name}", f"`arguments.{name}`: `{signature.name}` has no such parameter")
        for each in signature.parameters:
            value = given.get(each.name, each.name)
            if isinstance(each.type, Pointer):
                if value not in buffers and value != "nullptr":
                    raise self.fail("inputs", f"`{each.name}` of `{signature.name}` is a pointer without a buffer: describe it "
                                    f"under `[inputs]`, `[outputs]` or `[scratch]`, or give `nullptr` under `[arguments]`")
            elif isinstance(each.type, Struct):
                if not isinstance(value, tuple):
                    raise self.fail("arguments", f"`{each.name}` of `{signature.name}` is a struct: give its members, "
                                    f"`[arguments]` `{each.name} = {{ member = 1 }}`")
                self.check_members(each.name, each.type, dict(value), buffers, known)
            elif isinstance(value, tuple) or names_in(value) - known:
                raise self.fail(f"arguments.{each.name}", f"`{each.name}` of `{signature.name}` has no value: name a size so, "
                                f"or give it under `[arguments]`")

    def check_members(self, name: str, struct: Struct, members: dict[str, Value], buffers: set[str], known: set[str]) -> None:
        for member, value in members.items():
            kind = next((each.type for each in struct.fields if each.name == member), None)
            if kind is None:
                raise self.fail(f"arguments.{name}", f"`arguments.{name}`: the struct `{struct.name}` has no member `{member}`")
            if isinstance(kind, Pointer):
                if value not in buffers and value != "nullptr":
                    raise self.fail(f"arguments.{name}", f"`arguments.{name}.{member}`: `{value}` is no buffer of the case")
            elif names_in(value) - known:
                raise self.fail(f"arguments.{name}", f"`arguments.{name}.{member}`: `{value}` uses a name that is not known")
        for each in struct.fields:
            if each.name not in members:
                raise self.fail(f"arguments.{name}", f"`arguments.{name}`: the member `{each.name}` has no value")

    def expressions(self, case: Case) -> list[tuple[str, Value]]:
        found: list[tuple[str, Value]] = []
        key = "launches" if "launches" in self.table else "launch"
        for launch in case.launches:
            found += [(f"{key}.grid", each) for each in launch.grid] + [(f"{key}.block", each) for each in launch.block]
            found.append((f"{key}.shared", launch.shared))
        for group in ("inputs", "outputs", "scratch"):
            for array in getattr(case, group):
                found += [(f"{group}.{array.name}", each) for each in array.shape]
        for each in case.inputs:
            found += [(f"inputs.{each.name}", value) for _, value in each.options]
        return found


def _near(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, list(known), 1)
    return f" (did you mean `{near[0]}`?)" if near else ""


def _lines_of_keys(text: str) -> dict[str, int]:
    """The line of each key that begins one, with the table that it stands in."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare.startswith("["):
            table = bare.strip("[] ").partition("#")[0].strip(" ]")
            found.setdefault(table, number)
        elif "=" in bare and not bare.startswith("#"):
            key = bare.partition("=")[0].strip().strip("\"'")
            found.setdefault(f"{table}.{key}" if table else key, number)
    return found


def _tidy(path: Path) -> Path:
    """A path without ``..``, as messages show it; as it is where a link would make that another file."""
    tidy = Path(os.path.normpath(path))
    return tidy if tidy.resolve() == path.resolve() else path
