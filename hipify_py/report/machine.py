"""What a machine has for translating, compiling and running HIP; each finding says what it is good for."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata, util
from pathlib import Path

from hipify_py.report import gpus

_SECONDS = 20
_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)?")
_HIPCC_PLACES = ("/opt/rocm/bin/hipcc",)
_COMPILE_SECONDS = 120
_TARGET = "gfx90a"
_KERNEL = """#include <hip/hip_runtime.h>
__global__ void twice(float *values) { values[hipThreadIdx_x] *= 2; }
"""
_KFD = "/dev/kfd"


def examine() -> tuple[str, bool]:
    """Look at the machine.

    Returns:
        Lines for a person, and whether translating works in full.
    """
    libclang, well = _libclang()
    hipcc = shutil.which("hipcc") or next((each for each in _HIPCC_PLACES if Path(each).exists()), None)
    found, version = gpus.present(), _hipcc(hipcc)
    lines = [
        ("python", f"{platform.python_version()} ({sys.executable})"),
        ("libclang", libclang),
        ("hipcc", version),
        ("clang++", _program("clang++")),
        ("g++", _program("g++")),
        ("zig", _package("ziglang", "a C++ compiler from PyPI")),
        ("hip-python", _package("hip-python", "runs kernels from Python")),
        ("numpy", _package("numpy", "reference results")),
        ("AMD GPU", ", ".join(map(gpus.described, found)) or (
            "the driver is loaded" if Path(_KFD).exists() else f"none ({_KFD} is missing)")),
    ]
    width = max(len(name) for name, _ in lines)
    text = "".join(f"{name:<{width}}  {found}\n" for name, found in lines)
    compiles = _compiles(hipcc)
    verdicts = ["translate: " + ("works" if well else "works from tokens alone; `pip install libclang` for the meaning "
                                 "of names"),
                f"compile: {compiles or 'works'}",
                f"run: {_runs(compiles)}",
                *_platform(hipcc),
                *gpus.advice(found, _hip_number(version))]
    return text + "\n" + "\n".join(verdicts) + "\n", well


def _runs(compiles: str) -> str:
    """Where `hipify-py validate` would run kernels."""
    if Path(_KFD).exists() and not compiles:
        return "not tried; a driver is loaded"
    lacks = [f"`pip install hipify-py[validate]` ({name})" for name in ("hip-python", "numpy") if not _version_of(name)]
    if not (os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++") or _version_of("ziglang")):
        lacks.append("a C++ compiler (g++, clang++ or `pip install hipify-py[zig]`)")
    if lacks:
        return f"not here; an AMD GPU needs its driver and hipcc, the CPU device {' and '.join(lacks)}"
    return "on the CPU device, by `hipify-py validate`; no AMD GPU"


def _libclang() -> tuple[str, bool]:
    """Load it, in a process of its own: a library of the wrong kind may end the process."""
    code = "import clang.cindex as c; c.Index.create(); print(c.conf.lib._name or c.conf.get_filename())"
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=_SECONDS,
                              check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"does not load: {error}", False
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return f"does not load: {last}", False
    version = _version_of("libclang")
    return f"{version + ' ' if version else ''}({done.stdout.strip()})", True


def _hipcc(path: str | None) -> str:
    if path is None:
        return "not found"
    environment = {**os.environ, "HIP_PLATFORM": os.environ.get("HIP_PLATFORM", "amd")}
    output = _output([path, "--version"], environment)
    hip = re.search(r"HIP version:\s*(\S+)", output)
    clang = re.search(r"clang version\s+(\S+)", output)
    found = ", ".join(part for part in (f"HIP {hip[1]}" if hip else "", f"clang {clang[1]}" if clang else "") if part)
    return f"{found or 'does not say its version'} ({path})"


def _hip_number(version: str) -> tuple[int, int] | None:
    match = re.search(r"HIP (\d+)\.(\d+)", version)
    return (int(match[1]), int(match[2])) if match else None


def _platform(hipcc: str | None) -> list[str]:
    """Where nvcc is, hipcc turns to NVIDIA by itself; the checks of hipify-py do not let it, builds by hand may."""
    if hipcc is None or shutil.which("nvcc") is None or os.environ.get("HIP_PLATFORM") == "amd":
        return []
    return ["nvcc is here too: builds of your own need `export HIP_PLATFORM=amd`, else hipcc may hand its work to nvcc"]


def _compiles(hipcc: str | None) -> str:
    """Compile a kernel; return why that does not work, or nothing."""
    if hipcc is None:
        return "not here; install hipcc (`apt install hipcc`, or ROCm)"
    with tempfile.TemporaryDirectory(prefix="hipify-py-") as folder:
        source = Path(folder, "kernel.hip")
        source.write_text(_KERNEL)
        command = [hipcc, f"--offload-arch={_TARGET}", "-c", str(source), "-o", str(source.with_suffix(".o"))]
        environment = {**os.environ, "HIP_PLATFORM": os.environ.get("HIP_PLATFORM", "amd")}
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_COMPILE_SECONDS,
                                  env=environment, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"hipcc does not run: {error}"
    if done.returncode == 0:
        return ""
    first = next((line for line in done.stderr.splitlines() if "error" in line), f"exit {done.returncode}")
    return f"hipcc does not compile a small kernel for {_TARGET}: {first}"


def _program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        return "not found"
    version = _VERSION.search(_output([path, "--version"], None))
    return f"{version[0] if version else 'does not say its version'} ({path})"


def _output(command: list[str], environment: dict[str, str] | None) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_SECONDS,
                              env=environment, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr


def _package(name: str, use: str) -> str:
    version = _version_of(name)
    return version if version else f"not installed ({use})"


def _version_of(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "" if util.find_spec(name.replace("-", "_")) is None else "installed"
