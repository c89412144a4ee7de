"""What the README shows is what happens: its console and its Python example."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_console_shows_what_is_printed(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "first-steps" / "warp.cu", tmp_path)
    command = [sys.executable, "-m", "hipify_py", "warp.cu"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    shown = README.partition("$ hipify-py warp.cu\n")[2].partition("```")[0]
    assert done.stderr == shown
    assert done.returncode == 1


def test_the_python_example_runs(tmp_path: Path) -> None:
    [example] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    shutil.copytree(ROOT / "kernels" / "add", tmp_path / "kernels" / "add")
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "hipError_t e = hipFree(p);" in done.stdout
    assert "hipLaunchKernelGGL" in (tmp_path / "add.hip").read_text()


def test_the_commands_are_there() -> None:
    named = set(re.findall(r"^    hipify-py ([a-z]+) ", README, re.MULTILINE)) & {
        "validate", "query", "explain", "doctor", "revert"}
    assert {"validate", "query", "explain", "doctor", "revert"} >= named
    for word in ("--mapping", "--output-dir", "--check", "--style", "--sanitize"):
        assert word in README


def test_the_pages_it_names_are_there() -> None:
    for page in re.findall(r"\]\((docs/[\w.-]+)\)", README):
        assert (ROOT / page).is_file(), page
