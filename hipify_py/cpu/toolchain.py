"""The C++ compiler of the host: found, asked for its version, run."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path


class BuildError(Exception):
    """A compiler is missing or has found an error; the text is one line, `log` is all that the compiler said."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message)
        self.log = log


@dataclass(frozen=True, slots=True)
class Compiler:
    """A command that compiles C++, and whether it is GNU's."""

    command: tuple[str, ...]
    version: str
    gnu: bool

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
    try:
        answer = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BuildError(f"the C++ compiler `{' '.join(command)}` does not run ({error})") from error
    version = answer.stdout.splitlines()[0] if answer.stdout else ""
    return Compiler(command, version, "clang" not in answer.stdout.lower())


def compile_with(compiler: Compiler, arguments: Sequence[str], what: str) -> str:
    """Run the compiler; its log. The error names the first error that it reports."""
    result = subprocess.run([*compiler.command, *arguments], capture_output=True, text=True, errors="replace", check=False)
    if result.returncode == 0:
        return result.stderr
    lines = result.stderr.splitlines()
    first = next((line for line in lines if "error:" in line or "undefined reference" in line or "undefined symbol" in line), "")
    first = first or (lines[-1] if lines else f"exit status {result.returncode}")
    raise BuildError(f"{compiler.name} cannot compile {what}: {first.strip()}", result.stderr)
