"""The pytest plug-in: case files become tests where that is asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("hip", reason="hip-python is not installed")

from tests.conftest import KERNELS, ROOT


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "hipify_py.pytest_plugin", "--rootdir", str(folder),
         "-v", str(folder), *arguments], capture_output=True, text=True, check=False, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    return done.returncode, done.stdout


def copy(name: Path, target: Path) -> Path:
    folder = target / name.name
    folder.mkdir()
    for file in name.iterdir():
        if file.is_file():
            (folder / file.name).write_bytes(file.read_bytes())
    return folder


def test_cases_are_tests_where_that_is_asked_for(tmp_path):
    copy(KERNELS / "add", tmp_path)
    status, out = run(tmp_path, "--hipify-py", "--hipify-py-device", "cpu")
    assert status == 0 and "add wave 32 PASSED" in out and "add wave 64 PASSED" in out, out
    status, out = run(tmp_path)
    assert status == 5 and "no tests ran" in out
    (tmp_path / "pytest.ini").write_text("[pytest]\nhipify_py = true\n")
    assert run(tmp_path, "--hipify-py-device", "cpu")[0] == 0


def test_findings_are_failures(tmp_path):
    copy(ROOT / "tests" / "broken" / "wrong_formula", tmp_path)
    status, out = run(tmp_path, "--hipify-py", "--hipify-py-device", "cpu", "--hipify-py-seed", "3")
    assert status == 1 and "kernel.cu:7: error: mismatch: `blend`" in out and "seed 3" in out and "Traceback" not in out


def test_a_wrong_case_is_an_error_of_collection(tmp_path):
    folder = copy(KERNELS / "add", tmp_path)
    (folder / "case.toml").write_text("signature = 'void add(int)'\n")
    status, out = run(tmp_path, "--hipify-py")
    assert status == 2 and "case.toml:1: `launch` is missing" in out
