"""The C++ compiler of the host: found, asked for its version, run."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from hipify_py.caches import digest, folder


class BuildError(Exception):
    """A compiler is missing or has found an error; the text is one line, `log` is all that the compiler said."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message)
        self.log = log


@dataclass(frozen=True, slots=True)
class Compiler:
    """A command that compiles C++.

    Args:
        command: The program and its first arguments.
        version: The first line of what it says of itself.
        gnu: Whether it is GNU's.
        machine: What it compiles for: ``x86_64``, ``aarch64``. A cross compiler's is not ours.
    """

    command: tuple[str, ...]
    version: str
    gnu: bool
    machine: str = ""

    @property
    def name(self) -> str:
        """How messages call it."""
        return " ".join(Path(part).name if number == 0 else part for number, part in enumerate(self.command))


@cache
def find_compiler(wish: str | None = None) -> Compiler:
    """The compiler that `$CXX` names, else g++, clang++, a numbered clang++ or the one of the package `ziglang`."""
    wish = wish or os.environ.get("CXX")
    if wish:
        return _ask(tuple(shlex.split(wish)))
    for name in ("g++", "clang++", "c++", *(f"clang++-{number}" for number in range(22, 13, -1))):
        path = shutil.which(name)
        if path:
            return _ask((path,))
    if find_spec("ziglang"):
        return _ask((sys.executable, "-m", "ziglang", "c++"))
    raise BuildError("no C++ compiler: install g++ or clang++, or `pip install hipify-py[zig]`, or set `CXX`")


def _ask(command: tuple[str, ...]) -> Compiler:
    """What a compiler says of itself; asked again only when its file has changed, since that takes two processes."""
    record = _record(command)
    try:
        version, gnu, machine = json.loads(record.read_bytes()) if record else ("", False, "")
        if version:
            return Compiler(command, version, gnu, machine)
    except (OSError, ValueError, TypeError):
        pass
    try:
        answer = _said(command, "--version")
        machine = _said(command, "-dumpmachine").strip().partition("-")[0]
    except (OSError, subprocess.CalledProcessError) as error:
        raise BuildError(f"the C++ compiler `{' '.join(command)}` does not run ({error})") from error
    version = answer.splitlines()[0] if answer else ""
    found = Compiler(command, version, "clang" not in answer.lower(), machine)
    if record:
        with suppress(OSError):  # a cache that cannot be written is told where something is built
            record.parent.mkdir(parents=True, exist_ok=True)
            own = record.with_suffix(f".{os.getpid()}-{os.urandom(4).hex()}.tmp")
            own.write_text(json.dumps([found.version, found.gnu, found.machine]), encoding="utf-8")
            own.replace(record)
    return found


def _said(command: tuple[str, ...], option: str) -> str:
    return subprocess.run([*command, option], capture_output=True, text=True, check=True).stdout


def _record(command: tuple[str, ...]) -> Path | None:
    """Where the answers of a compiler are kept; None for a script, whose answers depend on more than its own file."""
    path = shutil.which(command[0])
    if path is None or len(command) != 1:
        return None
    try:
        real = Path(path).resolve()
        status = real.stat()
        with real.open("rb") as file:
            if file.read(4) != b"\x7fELF":
                return None
        return folder() / "compilers" / digest([path, str(real), str(status.st_size), str(status.st_mtime_ns)])
    except (OSError, RuntimeError):
        return None


def compile_with(compiler: Compiler, arguments: Sequence[str], what: str) -> str:
    """Run the compiler; its log. The error names the first error that it reports."""
    result = subprocess.run([*compiler.command, *arguments], capture_output=True, text=True, errors="replace", check=False)
    if result.returncode == 0:
        return result.stderr
    lines = result.stderr.splitlines()
    first = next((line for line in lines if "error:" in line or "undefined reference" in line or "undefined symbol" in line), "")
    first = first or (lines[-1] if lines else f"exit status {result.returncode}")
    raise BuildError(f"{compiler.name} cannot compile {what}: {first.strip()}", result.stderr)
