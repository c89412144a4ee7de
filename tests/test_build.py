"""`hipify_py.build`: sources of a build into a folder of it, incrementally, headers included."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py import InputError, Settings
from hipify_py.build import MANIFEST, cmake_dir, make_fragment, translate_sources
from hipify_py.cli import main

KERNEL = '#include "../inc/check.cuh"\n#include "local.h"\nvoid f(void *p) { CHECK(cudaFree(p)); }\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("src", "inc", "bindings"):
        (tmp_path / name).mkdir()
    (tmp_path / "src/k.cu").write_text(KERNEL)
    (tmp_path / "src/local.h").write_text("// no CUDA\n")
    (tmp_path / "inc/check.cuh").write_text(
        "#include <cuda_runtime.h>\n#define CHECK(x) do { cudaError_t e = (x); (void)e; } while (0)\n")
    (tmp_path / "bindings/bind.cpp").write_text("int main() {}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def times(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in sorted(folder.rglob("*")) if path.is_file()}


def age(folder: Path) -> None:
    for path in folder.rglob("*"):
        os.utime(path, (1000, 1000))


def test_sources_and_headers(project: Path) -> None:
    assert translate_sources(["src/k.cu", "bindings/bind.cpp", "x.o"], out="build/hip") == [
        "build/hip/src/k.hip", "build/hip/bindings/bind.cpp", "x.o"]
    assert "hipFree(p)" in Path("build/hip/src/k.hip").read_text()
    assert "hipError_t" in Path("build/hip/inc/check.cuh").read_text()
    assert Path("build/hip/src/local.h").read_text() == "// no CUDA\n"
    assert Path("src/k.cu").read_text() == KERNEL


def test_nothing_is_written_twice(project: Path) -> None:
    translate_sources(["src/k.cu"], out="out")
    age(Path("out"))
    before = times(Path("out"))
    assert translate_sources(["src/k.cu"], out="out") == ["out/src/k.hip"]
    assert times(Path("out")) == before
    os.utime("src/k.cu")  # touched, not changed
    translate_sources(["src/k.cu"], out="out")
    assert times(Path("out")) == before


def test_changes_are_seen(project: Path) -> None:
    translate_sources(["src/k.cu"], out="out")
    age(Path("out"))
    before = times(Path("out"))
    Path("inc/check.cuh").write_text("#define CHECK(x) (void)(x)\n")
    translate_sources(["src/k.cu"], out="out")
    changed = {name for name, time in times(Path("out")).items() if before[name] != time}
    assert changed == {"inc/check.cuh", MANIFEST}
    Path("out/src/k.hip").write_text("// by hand\n")
    translate_sources(["src/k.cu"], out="out")
    assert "hipFree" in Path("out/src/k.hip").read_text()
    translate_sources(["src/k.cu"], out="out", settings=Settings(standard="c++14"))
    assert "hipFree" in Path("out/src/k.hip").read_text()


def test_a_broken_manifest_is_no_obstacle(project: Path) -> None:
    translate_sources(["src/k.cu"], out="out")
    for text in ("{", "[]", '{"src/k.hip": 3}'):
        Path("out", MANIFEST).write_text(text)
        assert translate_sources(["src/k.cu"], out="out") == ["out/src/k.hip"]


def test_problems_are_told(project: Path, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(InputError, match=r"`gone\.cu` does not exist"):
        translate_sources(["gone.cu"], out="out")
    with pytest.raises(InputError, match="lies outside"):
        translate_sources(["/etc/x.cu"], out="out")
    Path("lost.cu").write_text("void g() { cudaGetExportTable(0, 0); }\n")
    for _ in range(2):  # told each time, not only when it was written
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            translate_sources(["lost.cu"], out="out")
        assert "lost.cu:1:12: error: " in caplog.text


def test_includes_of_renamed_sources_follow(project: Path) -> None:
    Path("all.cu").write_text('#include "src/k.cu"\n')
    translate_sources(["all.cu", "src/k.cu"], out="out")
    assert '#include "src/k.hip"' in Path("out/all.hip").read_text()


def step(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "hipify_py.build", *arguments], capture_output=True, text=True, check=False)


def test_step_of_a_build(project: Path) -> None:
    done = step("src/k.cu", "-o", "out/src/k.hip", "--root", ".", "--depfile", "out/k.d")
    assert (done.returncode, done.stderr) == (0, "")
    assert "hipFree" in Path("out/src/k.hip").read_text()
    assert "hipError_t" in Path("out/inc/check.cuh").read_text()
    rules = Path("out/k.d").read_text()
    assert rules.startswith("out/src/k.hip: src/k.cu")
    assert "inc/check.cuh" in rules
    assert "local.h" in rules


def test_step_moves_times_as_builds_want(project: Path) -> None:
    arguments = ("src/k.cu", "-o", "out/src/k.hip", "--root", ".")
    step(*arguments)
    age(Path("out"))
    step(*arguments)
    assert Path("out/src/k.hip").stat().st_mtime == 1000  # Ninja sees that nothing changed
    step(*arguments, "--touch")
    assert Path("out/src/k.hip").stat().st_mtime > 1000  # Make wants a newer one
    age(Path("out"))
    Path("inc/check.cuh").write_text("#define CHECK(x) (void)(x)\n")
    step(*arguments)
    assert Path("out/src/k.hip").stat().st_mtime > 1000  # a header of it is another


def test_step_says_what_is_wrong(project: Path) -> None:
    Path("lost.cu").write_text("void g() { cudaGetExportTable(0, 0); }\n")
    done = step("lost.cu", "-o", "out/lost.hip")
    assert done.returncode == 1
    assert "lost.cu:1:12: error: " in done.stderr
    done = step("gone.cu", "-o", "out/gone.hip")
    assert (done.returncode, done.stderr) == (2, "hipify-py: error: `gone.cu` does not exist: check the name\n")


def test_places_of_the_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cmake-dir"]) == 0
    assert main(["--make-fragment"]) == 0
    assert capsys.readouterr().out == f"{cmake_dir()}\n{make_fragment()}\n"
    assert (cmake_dir() / "HipifyPyConfig.cmake").is_file()
    assert make_fragment().is_file()
