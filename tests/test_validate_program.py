"""`--emit-harness`: a case as a program of its own. hipcc takes it, and it runs on the CPU device."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("numpy")

from hipify_py.cli import main
from tests.conftest import KERNELS, ROOT

RUN = """
import ctypes, sys
from pathlib import Path
from hipify_py.cpu.build import build_module, build_runtime
from hipify_py.validate.device import use_runtime
use_runtime(build_runtime())
module = build_module(Path({path!r}), wave=64, instances={instances!r})
sys.exit(ctypes.CDLL(str(module)).main())
"""
PROGRAMS = [
    ("spmv", "spmv", ()),              # a struct with pointers
    ("conv2d", "conv2d", ()),          # constant memory, dynamic shared memory
    ("half_axpy", "half_axpy", ()),    # several launches, half precision
    ("group_sum", "group_sum", ()),    # a cooperative launch
    ("dot", "dot-BLOCK128", ("dot_kernel<float, 128>",)),  # a template
    ("matmul_tile", "matmul_tile-TILE8", ()),              # a macro
]


def emit(tmp_path, name):
    assert main(["validate", str(KERNELS / name / "case.toml"), "--emit-harness", str(tmp_path), "--seed", "4"]) == 0


def run(path, instances):
    pytest.importorskip("hip", reason="hip-python is not installed")
    code = RUN.format(path=str(path), instances=instances)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.mark.parametrize(("name", "program", "instances"), PROGRAMS, ids=[each[1] for each in PROGRAMS])
def test_programs_run(tmp_path, name, program, instances):
    emit(tmp_path, name)
    done = run(tmp_path / f"{program}.hip", instances)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "passed" and "differ" in done.stdout


def test_a_wrong_kernel_fails(tmp_path):
    emit(tmp_path, "spmv")
    path = tmp_path / "spmv.hip"
    text = path.read_text()
    assert "sum += m.value[k]" in text
    path.write_text(text.replace("sum += m.value[k]", "sum -= m.value[k]"))
    done = run(path, ())
    assert done.returncode == 1 and done.stdout.splitlines()[-1] == "FAILED"


@pytest.mark.parametrize("program", ["conv2d", "dot"])
def test_hipcc_compiles_programs(tmp_path, compile_hip, program):
    emit(tmp_path, program)
    for path in tmp_path.glob("*.hip"):
        compile_hip(path)


def test_the_same_seed_gives_the_same_program(tmp_path):
    emit(tmp_path, "spmv")
    first = (tmp_path / "spmv.hip").read_bytes()
    emit(tmp_path, "spmv")
    assert (tmp_path / "spmv.hip").read_bytes() == first
    assert str(ROOT).encode() not in first
