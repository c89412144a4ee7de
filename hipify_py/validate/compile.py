"""hipcc: does it take the translation for a target, and the library that a real GPU runs. Answers are cached."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hipify_py.cpu import cache as store
from hipify_py.cpu.toolchain import BuildError
from hipify_py.validate.results import Compiled

_PLACES = ("/opt/rocm/bin/hipcc",)
_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Hipcc:
    """A hipcc, and what tells it from another one."""

    path: str
    state: str


@cache
def compilers() -> tuple[Hipcc, ...]:
    """The hipccs to ask, in their order: ``$HIPCC`` or that of the PATH or of ROCm, then ``$HIPCC_CURRENT``."""
    found: list[Hipcc] = []
    wish = os.environ.get("HIPCC")
    first = shutil.which(wish) if wish else shutil.which("hipcc") or next((p for p in _PLACES if Path(p).exists()), None)
    for path in (first, shutil.which(os.environ.get("HIPCC_CURRENT") or "")):
        if path:
            real = Path(path).resolve()
            status = real.stat()
            found.append(Hipcc(path, f"{real} {status.st_size} {status.st_mtime_ns}"))
    return tuple(found)


def compile_for(target: str, source: Path, folders: Sequence[Path], macros: Sequence[str]) -> Compiled:
    """Let hipcc compile a source for a target, host and device side.

    Args:
        target: ``gfx90a``.
        source: The translation with its harness.
        folders: As ``-I``.
        macros: As ``-D``.
    """
    if not compilers():
        return Compiled(target, None, "hipcc was not found: install it, or name it with `HIPCC`")
    for hipcc in compilers():
        if _refusal(hipcc, target):
            continue
        answer = _answer(hipcc, target, source, folders, macros)
        return Compiled(target, not answer, answer)
    first = compilers()[0]
    return Compiled(target, None, f"`{first.path}` compiles nothing for {target} ({_refusal(first, target)}): name a newer hipcc "
                    "with `HIPCC_CURRENT`")


def build_library(target: str, source: Path, folders: Sequence[Path], macros: Sequence[str]) -> Path:
    """The shared library of a source for a GPU.

    Raises:
        BuildError: There is no hipcc that knows the target, or it refuses the source.
    """
    target = target.partition(":")[0]
    for hipcc in compilers():
        if not _refusal(hipcc, target):
            break
    else:
        raise BuildError(f"no hipcc that compiles for {target} was found: install ROCm's, or name it with `HIPCC`")
    final = store.folder() / "libraries" / f"{_key(hipcc, target, source, folders, macros)}.so"
    manifest = final.with_suffix(".json")
    if final.is_file() and store.read_inputs(manifest):
        return final
    final.parent.mkdir(parents=True, exist_ok=True)
    scratch = final.with_suffix(f".{os.getpid()}.so")
    try:
        done = _run(hipcc, target, ["-shared", "-fPIC", "-O3", *_flags(folders, macros), str(source), "-o", str(scratch)])
        if done.returncode != 0:
            raise BuildError(f"hipcc cannot build it for {target}: {_first_error(done)}", done.stderr)
        store.write_inputs(manifest, _local_files(source, folders))
        return store.publish(scratch, final)
    finally:
        scratch.unlink(missing_ok=True)


def _answer(hipcc: Hipcc, target: str, source: Path, folders: Sequence[Path], macros: Sequence[str]) -> str:
    """The first error, empty if there is none; out of the cache where nothing has changed."""
    record = store.folder() / "hipcc" / f"{_key(hipcc, target, source, folders, macros)}.json"
    inputs = record.with_suffix(".inputs")
    try:
        if store.read_inputs(inputs):
            return str(json.loads(record.read_bytes())["error"])
    except (OSError, ValueError, KeyError):
        pass
    scratch = store.folder() / "tmp" / f"hipcc-{os.getpid()}-{record.stem}"
    scratch.mkdir(parents=True, exist_ok=True)
    try:
        done = _run(hipcc, target, ["-c", "-w", *_flags(folders, macros), str(source), "-o", str(scratch / "out.o")])
        error = "" if done.returncode == 0 else _first_error(done)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    record.parent.mkdir(parents=True, exist_ok=True)
    store.write_inputs(inputs, _local_files(source, folders))
    temporary = record.with_suffix(f".{os.getpid()}.tmp")
    temporary.write_text(json.dumps({"error": error}), encoding="utf-8")
    temporary.replace(record)
    return error


@cache
def _refusal(hipcc: Hipcc, target: str) -> str:
    """Why a hipcc compiles nothing for a target: it does not know it, or has no device library for it. Empty if it does."""
    record = store.folder() / "hipcc" / f"target-{store.digest(['refusal', hipcc.state, target])}"
    if record.is_file():
        return record.read_text(encoding="utf-8")
    record.parent.mkdir(parents=True, exist_ok=True)
    own = f"{record.name}.{os.getpid()}-{os.urandom(4).hex()}"  # several threads may ask at once
    empty = record.with_name(f"{own}.hip")
    empty.write_text("__attribute__((device)) int nothing;\n", encoding="utf-8")
    output = empty.with_suffix(".o")
    try:
        done = _run(hipcc, target, ["-c", "-w", str(empty), "-o", str(output)])
    finally:
        empty.unlink(missing_ok=True)
        output.unlink(missing_ok=True)
    answer = "" if done.returncode == 0 else _first_error(done)
    temporary = record.with_name(f"{own}.tmp")
    temporary.write_text(answer, encoding="utf-8")
    temporary.replace(record)
    return answer


def _run(hipcc: Hipcc, target: str, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    command = [hipcc.path, f"--offload-arch={target}", "-std=c++17", *arguments]
    # hipcc turns to NVIDIA by itself where it sees nvcc.
    environment = {**os.environ, "HIP_PLATFORM": "amd"}
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, env=environment,
                              stdin=subprocess.DEVNULL, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"error: hipcc did not end within {_SECONDS} s")
    except OSError as error:
        return subprocess.CompletedProcess(command, 127, "", f"error: hipcc does not run: {error}")


def _flags(folders: Sequence[Path], macros: Sequence[str]) -> list[str]:
    return [*(f"-I{folder}" for folder in folders), *(f"-D{macro}" for macro in macros)]


def _key(hipcc: Hipcc, target: str, source: Path, folders: Sequence[Path], macros: Sequence[str]) -> str:
    return store.digest(["hipcc", hipcc.state, target, str(source), source.read_bytes(), "I", *map(str, folders), "D", *macros])


def _local_files(source: Path, folders: Sequence[Path]) -> list[Path]:
    from hipify_py.report.depfile import local_headers  # noqa: PLC0415 - only before a compilation

    return [source, *local_headers(source, [str(folder) for folder in folders])]


def _first_error(done: subprocess.CompletedProcess[str]) -> str:
    lines = (done.stderr + done.stdout).splitlines()
    first = next((line for line in lines if "error:" in line), lines[-1] if lines else f"exit {done.returncode}")
    return first.strip().removeprefix("clang: ")
