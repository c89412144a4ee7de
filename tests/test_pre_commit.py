"""The pre-commit hooks, run by pre-commit itself in a scratch repository. Needs git, and PyPI to install from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.conftest import ROOT

pytest.importorskip("pre_commit")

PACKAGE = ["pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "hipify_py"]
CONFIG = """\
repos:
  - repo: {package}
    rev: {revision}
    hooks: [{{id: {hook}, args: {arguments}}}]
"""


class Scratch:
    """A git repository with one CUDA source, and one of the package for pre-commit to clone."""

    def __init__(self, tmp_path) -> None:
        self.package = tmp_path / "package"
        self.work = tmp_path / "work"
        # pre-commit sets GIT_* for its hooks; they would lead git astray where these tests run inside one
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self.environment |= {"PRE_COMMIT_HOME": str(tmp_path / "home"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        self.package.mkdir()
        self.work.mkdir()
        for name in PACKAGE:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, self.package / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.exists():
                shutil.copy(source, self.package)
        self.revision = self.commit_all(self.package)
        (self.work / "add.cu").write_bytes((ROOT / "kernels" / "add" / "kernel.cu").read_bytes())
        (self.work / "notes.txt").write_text("cudaMalloc is not code here\n")
        self.commit_all(self.work)

    def call(self, *command, cwd) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=cwd, env=self.environment, stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=600, check=False)

    def git(self, *arguments, cwd) -> str:
        done = self.call("git", "-c", "user.name=test", "-c", "user.email=test@example.org", "-c",
                         "commit.gpgsign=false", *arguments, cwd=cwd)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def commit_all(self, folder) -> str:
        self.git("init", "-q", cwd=folder)
        self.git("add", "--all", cwd=folder)
        self.git("commit", "-qm", "All", cwd=folder)
        return self.git("rev-parse", "HEAD", cwd=folder)

    def run_hook(self, hook, *arguments) -> subprocess.CompletedProcess[str]:
        config = CONFIG.format(package=self.package, revision=self.revision, hook=hook, arguments=[*arguments])
        (self.work / ".pre-commit-config.yaml").write_text(config)
        self.git("add", ".pre-commit-config.yaml", cwd=self.work)
        return self.call(sys.executable, "-m", "pre_commit", "run", "--all-files", cwd=self.work)


@pytest.mark.slow
def test_hooks_in_a_scratch_repository(tmp_path) -> None:
    scratch = Scratch(tmp_path)
    source, result = scratch.work / "add.cu", scratch.work / "add.hip"
    original = source.read_bytes()

    stale = scratch.run_hook("hipify-py-check")
    assert stale.returncode == 1, stale.stdout + stale.stderr
    assert "add.cu" in stale.stdout
    assert not result.exists()

    wrote = scratch.run_hook("hipify-py")
    assert wrote.returncode == 1, wrote.stdout + wrote.stderr
    assert b"hipLaunchKernelGGL(" in result.read_bytes()
    assert source.read_bytes() == original
    assert sorted(path.name for path in scratch.work.iterdir()) == [
        ".git", ".pre-commit-config.yaml", "add.cu", "add.hip", "notes.txt"]

    for hook in ("hipify-py", "hipify-py-check"):
        fresh = scratch.run_hook(hook)
        assert fresh.returncode == 0, fresh.stdout + fresh.stderr

    source.write_bytes(original.replace(b"256", b"128"))
    assert scratch.run_hook("hipify-py-check").returncode == 1
    source.write_bytes(original)

    # A header without CUDA is no trouble; one with CUDA needs a place for its translation.
    header = scratch.work / "src" / "util.cuh"
    header.parent.mkdir()
    header.write_text("#pragma once\nint plain();\n")
    scratch.git("add", "--all", cwd=scratch.work)
    for hook in ("hipify-py", "hipify-py-check"):
        plain = scratch.run_hook(hook)
        assert plain.returncode == 0, plain.stdout + plain.stderr
    header.write_text("#pragma once\n#include <cuda_runtime.h>\n")
    homeless = scratch.run_hook("hipify-py")
    assert homeless.returncode == 1
    assert "src/util.cuh` keeps its name" in homeless.stdout
    assert header.read_text().endswith("#include <cuda_runtime.h>\n")

    place = ("--output-dir", "hip", "--root", ".")
    assert scratch.run_hook("hipify-py-check", *place).returncode == 1
    assert not (scratch.work / "hip").exists()
    assert scratch.run_hook("hipify-py", *place).returncode == 1
    assert (scratch.work / "hip" / "src" / "util.cuh").read_text() == "#pragma once\n#include <hip/hip_runtime.h>\n"
    assert (scratch.work / "hip" / "add.hip").read_bytes() == result.read_bytes()
    for hook in ("hipify-py", "hipify-py-check"):
        fresh = scratch.run_hook(hook, *place)
        assert fresh.returncode == 0, fresh.stdout + fresh.stderr
