"""The way to a real GPU, as far as it goes without one: it is looked for, its libraries are built, its calls are made."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("hip", reason="hip-python is not installed")

import hipify_py  # noqa: E402
from hipify_py.cli import main  # noqa: E402
from hipify_py.cpu import build  # noqa: E402
from hipify_py.settings import Settings  # noqa: E402
from hipify_py.validate import compile as compiling  # noqa: E402
from hipify_py.validate import prepare, targets  # noqa: E402
from hipify_py.validate.reader import load_case  # noqa: E402
from tests.conftest import KERNELS, ROOT  # noqa: E402

LOAD = """
import ctypes, sys
from pathlib import Path
from hipify_py.validate.device import Library
library = Library(None, ctypes.CDLL(sys.argv[1]))
print(bool(library.kernel(0)), library.parameter_sizes(0), bool(library._address("hipify_py_symbol", 0)))
"""


def test_the_library_of_a_gpu_gives_its_kernels_and_variables(hipcc, tmp_path):
    """hipcc links it, it loads, and host code finds the kernel, its parameters and the constant: all but the launch."""
    case = load_case(KERNELS / "conv2d" / "case.toml")
    found = prepare.translated(case, Settings())
    variant = case.variants()[0]
    library = compiling.build_library("gfx90a", prepare.harness(case, found, variant), prepare.include_dirs(case, found), ())
    assert b"gfx90a" in library.read_bytes()
    done = subprocess.run([sys.executable, "-c", LOAD, str(library)], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[0] == "True (8, 8, 4, 4, 4) True"


@pytest.fixture
def cpu_as_gpu(monkeypatch):
    """The CPU device in the place of a GPU: found by hip-python, with libraries that hipcc would have built."""
    monkeypatch.setattr(targets, "_DRIVERS", (os.devnull,))
    monkeypatch.setenv("ROCM_PATH", str(build.build_runtime()))
    built = []

    def library(target, source, folders, macros):
        built.append(target)
        instances = ("dot_kernel<float, 128>", "dot_kernel<float, 256>", "dot_kernel<float, 512>")
        names = tuple(each for each in instances if each in source.read_text())
        return build.build_module(source, wave=64, include_dirs=folders, defines=macros, instances=names)
    monkeypatch.setattr(compiling, "build_library", library)
    return built


def test_the_calls_of_a_gpu_are_made(cpu_as_gpu):
    report = hipify_py.validate([KERNELS / "conv2d", KERNELS / "scan"], device="gpu", targets=())
    assert report.passed and cpu_as_gpu and all(each.startswith("gfx") for each in cpu_as_gpu)
    assert report.evidence.startswith("run on ") and "source-level" not in report.evidence
    assert {run.wave for case in report.cases for run in case.runs} == {64} and report.notes == ()


def test_variants_are_timed_on_a_gpu_and_the_fastest_is_named(cpu_as_gpu, capsys):
    assert main(["validate", str(KERNELS / "dot" / "case.toml"), "--offload-arch", "none"]) == 0
    out = capsys.readouterr().out
    assert out.count("(fastest)") == 1
    report = hipify_py.validate(KERNELS / "dot" / "case.toml", device="gpu", targets=())
    case = report.cases[0]
    times = {}
    for run in case.runs:
        assert run.timed
        times[run.variant] = times.get(run.variant, 0) + run.milliseconds
    assert case.fastest == min(times, key=times.get)
    on_cpu = hipify_py.validate(KERNELS / "dot" / "case.toml", device="cpu", targets=(), waves=(64,))
    assert on_cpu.cases[0].fastest == ""


def test_a_driver_without_a_gpu_is_one_line(monkeypatch, capsys):
    """With a runtime of AMD's or without one: hip-python finds no device, and the CPU device is used."""
    monkeypatch.setattr(targets, "_DRIVERS", (os.devnull,))
    if any(Path(path).exists() for path in ("/dev/kfd", "/dev/dxg")):
        pytest.skip("there may be a GPU")
    assert main(["validate", str(KERNELS / "add"), "--offload-arch", "none", "-q", "--wave", "32"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("no AMD GPU: using the CPU device (") and len(lines) == 2
    assert main(["validate", str(KERNELS / "add"), "--device", "gpu"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("hipify-py: error: no AMD GPU: ") and err.count("\n") == 1


@pytest.mark.parametrize(("module", "packages"), [("numpy", ["numpy"]), ("hip", ["hip", "rocm"])], ids=["numpy", "hip"])
def test_what_is_not_installed_is_said(tmp_path, monkeypatch, capsys, module, packages):
    for package in packages:  # hip-python lies in two
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text(f"raise ModuleNotFoundError(\"No module named '{package}'\")\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert main(["validate", str(KERNELS / "add"), "--offload-arch", "none", "--device", "cpu"]) == 2
    err = capsys.readouterr().err
    assert module in err and "pip install" in err and "[validate]" in err and err.count("\n") == 1


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    """Outside of the cache: no file in the source tree, none in the folder for temporary files, no process."""
    cache, temporary, place = tmp_path / "cache", tmp_path / "tmp", tmp_path / "place"
    for folder in (cache, temporary, place, place / "add"):
        folder.mkdir()
    for name in ("kernel.cu", "case.toml", "reference.py"):
        (place / "add" / name).write_bytes((KERNELS / "add" / name).read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "hipify_py", "validate", "add", "--device", "cpu", "--offload-arch", "none"], cwd=place,
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HIPIFY_PY_CACHE": str(cache), "TMPDIR": str(temporary)})
    assert done.returncode == 0, done.stderr
    assert list(temporary.iterdir()) == []
    assert sorted(each.relative_to(place).as_posix() for each in place.rglob("*")) == [
        "add", "add/case.toml", "add/kernel.cu", "add/reference.py"]
    assert {each.name for each in cache.iterdir()} <= {"modules", "runtime", "validate", "tmp", "hipcc", "compilers"}
    assert list((cache / "tmp").iterdir()) == []
