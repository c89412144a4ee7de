"""The command: `main([...])` in this process, and real ones where streams, signals and start-up time matter."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import hipify_py
from hipify_py.cli import main
from hipify_py.cli.arguments import FAMILIAR, FAMILIAR_VALUED, IGNORED, familiar, parser
from hipify_py.tree.records import BASES, MANIFEST

COMMAND = [sys.executable, "-m", "hipify_py"]
CUDA = b"#include <cuda_runtime.h>\ncudaError_t f(void *p) { return cudaFree(p); }\n"
HIP = b"#include <hip/hip_runtime.h>\nhipError_t f(void *p) { return hipFree(p); }\n"
#: An error-level finding: no counterpart in HIP.
LOST = CUDA + b"void g() { cudaGetExportTable(0, 0); }\n"
#: A note only.
NOTED = CUDA + b"void g() { cudaFooBar(); }\n#include \"mine.h\"\n"  # which may declare it


@pytest.fixture
def nobody(tmp_path: Path) -> Iterator[Path]:
    """A folder of a user who is not root, and the rest of the test as that user: root may read and write anything."""
    folder = Path(tempfile.mkdtemp(prefix="hipify-py-test-"))
    root = os.geteuid() == 0
    if root:
        (tmp_path / "warm.cu").write_bytes(NOTED)
        main([str(tmp_path / "warm.cu"), "-q"])  # loads all modules, which that user may not be able to
        main([str(tmp_path / "warm.cu"), "-q", "--output-dir", str(tmp_path / "warm")])
        os.chown(folder, 65534, 65534)
        os.setresuid(65534, 65534, 0)
    try:
        yield folder
    finally:
        if root:
            os.setresuid(0, 0, 0)
        shutil.rmtree(folder)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    Path("kernel.cu").write_bytes(CUDA)
    return tmp_path


def run(*arguments: str, data: bytes | None = None, **more: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *arguments], input=data, capture_output=True, check=False, timeout=60,
                          **more)  # type: ignore[call-overload,no-any-return]


def names(folder: str = ".") -> list[str]:
    """What a person sees in a folder; records are hidden files."""
    return sorted(path.name for path in Path(folder).iterdir() if path.name not in (MANIFEST, BASES))


def error(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of a call that fails with 2 and says nothing else."""
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("hipify-py: error: ")
    return err


# Where output goes


def test_the_plain_call(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernel.cu"]) == 0
    assert capsys.readouterr() == ("", "kernel.cu -> kernel.hip: made 3 edits\n")
    assert Path("kernel.hip").read_bytes() == HIP and Path("kernel.cu").read_bytes() == CUDA


def test_a_second_run_changes_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["kernel.cu"])
    os.utime("kernel.hip", (1, 1))
    assert main(["kernel.cu"]) == 0
    assert "the output was up to date" in capsys.readouterr().err
    assert Path("kernel.hip").stat().st_mtime == 1
    assert main(["kernel.hip"]) == 0
    assert capsys.readouterr().err == "kernel.hip: already HIP, nothing to do\n"


def test_output_file_and_standard_output(here: Path) -> None:
    assert main(["kernel.cu", "-o", "x.cpp", "-q"]) == 0
    assert Path("x.cpp").read_bytes() == HIP
    done = run("kernel.cu", "-o", "-")
    assert (done.returncode, done.stdout, done.stderr) == (0, HIP, b"kernel.cu: made 3 edits\n")


def test_standard_input(here: Path) -> None:
    done = run("-", "--stdin-filename", "sub/x.cu", data=NOTED.replace(b"\n", b"\r\n"))
    assert done.stdout.startswith(HIP.replace(b"\n", b"\r\n")) and done.returncode == 0
    assert b"sub/x.cu:3:" in done.stderr and b"sub/x.cu: made 3 edits, 1 note" in done.stderr
    assert run("-", "-o", "x.hip", data=CUDA).stdout == b"" and Path("x.hip").read_bytes() == HIP
    assert run("-", data=b"").stdout == b""
    assert run("-", data=b"\x7fELF" + bytes(99)).returncode == 2


def test_in_place(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-i", "kernel.cu", "--backup"]) == 0
    assert Path("kernel.cu").read_bytes() == HIP and Path("kernel.cu.prehip").read_bytes() == CUDA
    assert "the original is kept as kernel.cu.prehip" in capsys.readouterr().err
    assert main(["-i", "kernel.cu"]) == 0


def test_output_dir_mirrors_a_folder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("src/a.cu", "src/deep/b.cuh", "src/deep/c.cpp", "src/skip/d.cu", "src/.git/e.cu", "src/readme.txt"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(CUDA)
    assert main(["src", "--output-dir", "out", "--exclude", "skip"]) == 0
    assert sorted(path.as_posix() for path in Path("out").rglob("[!.]*") if path.is_file()) == [
        "out/a.hip", "out/deep/b.cuh", "out/deep/c.cpp"]
    assert capsys.readouterr().err.splitlines()[-1] == "3 files translated: 9 edits"
    assert main(["src", "-o-dir", "src/out", "-exclude-dirs", "skip", "-q"]) == 0
    assert main(["src", "-o-dir", "src/out", "-exclude-dirs", "skip", "-q"]) == 0
    assert not Path("src/out/out").exists()


def test_folders_in_place(here: Path) -> None:
    Path("src").mkdir()
    Path("src/a.cuh").write_bytes(CUDA)
    Path("src/b.cu").write_bytes(CUDA)
    assert main(["src", "-i", "-q"]) == 0
    assert {path.read_bytes() for path in Path("src").iterdir()} == {HIP} and len(names("src")) == 2


def test_processes_give_the_same(here: Path) -> None:
    for number in range(7):
        Path(f"k{number}.cu").write_bytes(CUDA + b"cudaFooBar%d x;\n" % number)
    Path("k3.cu").write_bytes(b"\x7fELF")
    files = sorted(path.name for path in here.glob("k?.cu"))
    one = run(*files, "--output-dir", "one")
    two = run(*files, "--output-dir", "two", "-j", "3")
    assert one.returncode == two.returncode == 2
    assert two.stderr.replace(b"two/", b"one/") == one.stderr
    assert names("one") == names("two") == [f"k{n}.hip" for n in range(7) if n != 3]


def test_a_process_that_dies_takes_only_its_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hipify_py.tree import run as module
    from hipify_py.tree import work

    real = work.translate

    def dies(source: bytes, **more: object) -> object:
        if b"DIE" in source:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(source, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(work, "translate", dies)
    if sys.version_info >= (3, 14):
        pytest.skip("needs workers that inherit the fault")
    for number in range(5):
        Path(f"k{number}.cu").write_bytes(CUDA)
    Path("k2.cu").write_bytes(b"DIE")
    found = list(module.run_jobs([module.Job(Path(f"k{n}.cu"), Path(f"k{n}.hip")) for n in range(5)], module.Task(), 2))
    assert [isinstance(each, module.Failure) for each in found] == [False, False, True, False, False]
    assert "its process died" in found[2].message  # type: ignore[union-attr]


def test_diff_writes_nothing(here: Path) -> None:
    done = run("--diff", "kernel.cu", "-q")
    assert done.returncode == 0 and done.stderr == b"" and not Path("kernel.hip").exists()
    assert done.stdout.startswith(b"--- kernel.cu\n+++ kernel.hip\n@@ -1,2 +1,2 @@\n-#include <cuda_runtime.h>\n")
    assert main(["-q", "--diff", "kernel.cu", "-i"]) == 0 and Path("kernel.cu").read_bytes() == CUDA


def test_check(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check", "kernel.cu"]) == 1
    assert "missing or stale" in capsys.readouterr().err and not Path("kernel.hip").exists()
    main(["kernel.cu"])
    assert main(["--check", "kernel.cu"]) == 0
    assert "the output is up to date\n" in capsys.readouterr().err
    Path("kernel.hip").write_bytes(HIP + b"// by hand\n")
    assert main(["--check", "kernel.cu"]) == 0
    assert "the output is up to date, with edits by hand" in capsys.readouterr().err
    Path("kernel.cu").write_bytes(CUDA.replace(b"f(", b"g("))
    assert main(["--check", "kernel.cu"]) == 1
    assert "the output is stale, and edited by hand" in capsys.readouterr().err
    Path("a.cuh").write_bytes(CUDA)
    assert main(["--check", "a.cuh"]) == 1 and Path("a.cuh").read_bytes() == CUDA
    assert main(["--check", "kernel.cu", "-o", "kernel.hip"]) == 1


def test_headers_say_what_to_do_only_if_there_is_something(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("plain.h").write_bytes(b"#pragma once\nint x;\n")
    assert main(["plain.h"]) == 0
    assert "nothing to do" in capsys.readouterr().err
    Path("a.cuh").write_bytes(CUDA)
    assert "say where to write with `-i`" in error(capsys, "a.cuh")
    assert Path("a.cuh").read_bytes() == CUDA


def test_no_output_and_examine(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-no-output", "kernel.cu"]) == 0
    assert main(["--examine", "kernel.cu"]) == 0
    assert names() == ["kernel.cu"]
    assert "HPY101" in capsys.readouterr().err


def test_exit_non_zero_on_fix(here: Path) -> None:
    assert main(["kernel.cu", "--exit-non-zero-on-fix", "-q"]) == 1
    assert main(["kernel.cu", "--exit-non-zero-on-fix", "-q"]) == 0


# Exit status


@pytest.mark.parametrize(("data", "arguments", "status"), [
    (CUDA, [], 0), (NOTED, [], 0), (NOTED, ["--strict"], 0), (LOST, [], 1), (LOST, ["--ignore", "HPY401"], 0),
    (LOST, ["--ignore=no-counterpart"], 0), (LOST, ["--select", "HPY1,HPY2"], 0), (LOST, ["--quiet-warnings"], 1),
], ids=range(8))
def test_status(here: Path, data: bytes, arguments: list[str], status: int) -> None:
    Path("kernel.cu").write_bytes(data)
    assert main(["kernel.cu", *arguments]) == status
    assert Path("kernel.hip").exists()


def test_warnings_count_under_strict() -> None:
    from hipify_py.diagnostics import Severity
    from hipify_py.report import Report

    for strict, status in ((False, 0), (True, 1)):
        report = Report(quiet=True)
        report.severities[Severity.WARNING] = 1
        assert report.finish(strict=strict) == status


# Bad input


@pytest.mark.parametrize(("arguments", "words"), [
    ([], "no input"),
    (["gone.cu"], "`gone.cu` does not exist"),
    (["empty", "-i"], "holds no C++ or CUDA source"),
    (["empty"], "say where its translation goes"),
    (["empty", "-o", "x"], "`-o` is for one file"),
    (["binary.cu"], "is a binary file"),
    (["dangling.cu"], "symbolic link to `nowhere`"),
    (["kernel.cu", "-o", "kernel.cu"], "is the input itself"),
    (["kernel.cu", "-o", "./empty/../kernel.cu"], "is the input itself"),
    (["kernel.cu", "-o", "alias.cu"], "is the input itself"),
    (["kernel.cu", "-o", "empty"], "is a folder"),
    (["kernel.cu", "-o", "no/x.hip"], "there is no folder `no`"),
    (["kernel.cu", "-o", "locked.hip"], "write-protected"),
    (["kernel.cu", "--output-dir", "binary.cu"], "is a file: the output needs a folder"),
    (["kernel.cu", "-o", "x", "-i"], "give one of them"),
    (["kernel.cu", "alias.cu", "-o", "x"], "one output and there are 2 inputs"),
    (["kernel.cu", "--rocm", "six"], "`six` is not a version"),
    (["kernel.cu", "--select", "HPY9999"], "`HPY9999` in `select` is no code"),
    (["kernel.cu", "--style", "clasic"], "`classic` or `native`"),
    (["kernel.cu", "--nope"], "--nope"),
    (["kernel.cu", "-j", "x"], "invalid int value"),
    (["kernel.cu", "-j", "-3"], "`-j -3`"),
    (["kernel.cu", "-", "-o", "-"], "stands alone"),
    (["-", "-i"], "no place on disk"),
    (["kernel.cu", "-p", "empty"], "CMAKE_EXPORT_COMPILE_COMMANDS"),
    (["kernel.cu", "--output-format", "json", "-o", "-"], "both go to standard output"),
    (["kernel.cu", "--output-format", "sarif", "--diff"], "both go to standard output"),
    (["kernel.cu", "--depfile", "no/x.d"], "there is no folder `no`"),
    (["a\0b.cu"], "NUL byte"),
    (["validate"], "arguments are required: CASE"),
    (["validate", "gone"], "`gone` does not exist"),
    (["validate", "kernel.cu"], "`kernel.cu` is no case"),
    (["validate", "empty"], "`empty` holds no case"),
], ids=lambda value: " ".join(value).replace("\0", "NUL") if isinstance(value, list) else None)
def test_bad_input(here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    Path("empty").mkdir()
    Path("binary.cu").write_bytes(b"\x7fELF" + bytes(200))
    Path("dangling.cu").symlink_to("nowhere")
    Path("alias.cu").symlink_to("kernel.cu")
    Path("locked.hip").write_bytes(b"old")
    Path("locked.hip").chmod(0o444)
    before = names()
    assert words in error(capsys, *arguments)
    assert names() == before
    assert Path("kernel.cu").read_bytes() == CUDA and Path("locked.hip").read_bytes() == b"old"


def test_one_broken_file_never_stops_the_others(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("z.cu").write_bytes(CUDA)
    assert main(["gone.cu", "kernel.cu", "z.cu"]) == 2
    err = capsys.readouterr().err
    assert "`gone.cu` does not exist" in err and "2 files translated: 6 edits; 1 file failed" in err
    assert Path("kernel.hip").exists() and Path("z.hip").exists()


def test_two_inputs_to_one_output(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "k.cu").write_bytes(CUDA)
    assert main(["a/k.cu", "b/k.cu", "kernel.cu", "--output-dir", "out"]) == 2
    err = capsys.readouterr().err
    assert err.count("`out/k.hip` would be the output of `a/k.cu`, `b/k.cu`") == 2
    assert names("out") == ["kernel.hip"]
    assert main(["kernel.cu", "./kernel.cu", "--output-dir", "out"]) == 0


def test_an_internal_error_is_one_line(here: Path, capsys: pytest.CaptureFixture[str],
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    from hipify_py.tree import work as module

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("not\nyet")

    monkeypatch.delenv("HIPIFY_PY_DEBUG", raising=False)
    monkeypatch.setattr(module, "translate", broken)
    assert "internal error, RuntimeError: not yet; please report it" in error(capsys, "kernel.cu")


def test_a_broken_pyproject_is_said_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("b.cu").write_bytes(CUDA)
    Path("pyproject.toml").write_text("[tool.hipify-py]\nstile = 'native'\n")
    assert "pyproject.toml:2: `stile` is no option" in error(capsys, "kernel.cu", "b.cu")
    assert not Path("kernel.hip").exists()


def test_file_names_of_any_bytes(here: Path) -> None:
    name = b"a b\n\xff.cu"
    Path(os.fsdecode(name)).write_bytes(NOTED)
    done = subprocess.run([*map(os.fsencode, COMMAND), name], capture_output=True, check=False)
    assert done.returncode == 0 and Path(os.fsdecode(name[:-3] + b".hip")).exists()
    assert b"\na b\\n\\xff.cu:3:12: note: " in b"\n" + done.stderr
    assert done.stderr.splitlines()[-1].startswith(b"a b\\n\\xff.cu -> a b\\n\\xff.hip: made 3 edits")


def test_unreadable_and_unwritable(here: Path, capsys: pytest.CaptureFixture[str], nobody: Path,
                                   monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(nobody)
    capsys.readouterr()
    Path("kernel.cu").write_bytes(CUDA)
    Path("kernel.cu").chmod(0)
    assert "may not be read" in error(capsys, "kernel.cu")
    Path("kernel.cu").chmod(0o644)
    nobody.chmod(0o555)
    assert "is write-protected" in error(capsys, "kernel.cu")
    assert "is write-protected" in error(capsys, "kernel.cu", "-i")
    assert "cannot be created" in error(capsys, "kernel.cu", "--output-dir", "out")
    nobody.chmod(0o755)
    assert Path("kernel.cu").read_bytes() == CUDA and names() == ["kernel.cu"]


# Settings


def test_styles(here: Path) -> None:
    Path("kernel.cu").write_bytes(b"__global__ void k(int *a) { *a = threadIdx.x; }\n"
                                  b"void f(int *a) { k<<<1, 2>>>(a); }\n")
    for arguments, launch, index in (
        ([], b"hipLaunchKernelGGL(", b"hipThreadIdx_x"), (["--style", "native"], b"<<<", b"threadIdx.x"),
        (["--launch-syntax", "cuda"], b"<<<", b"hipThreadIdx_x"),
        (["-cuda-kernel-execution-syntax"], b"<<<", b"hipThreadIdx_x"),
        (["--style=native", "--hip-kernel-execution-syntax"], b"hipLaunchKernelGGL(", b"threadIdx.x"),
        (["--thread-indices", "cuda"], b"hipLaunchKernelGGL(", b"threadIdx.x"),
    ):
        main(["kernel.cu", "-o", "out.hip", "-q", *arguments])
        text = Path("out.hip").read_bytes()
        assert launch in text and index in text, arguments


def test_pyproject_and_the_command_line(here: Path) -> None:
    Path("pyproject.toml").write_text("[tool.hipify-py]\nignore = ['no-counterpart']\n")
    Path("kernel.cu").write_bytes(LOST)
    assert main(["kernel.cu", "-q"]) == 0
    assert main(["kernel.cu", "-q", "--ignore", "HPY102"]) == 1


def settings_of(*arguments: str) -> hipify_py.Settings:
    from hipify_py.cli.translate import _options

    words, clang = familiar(arguments, parser())
    return _options(parser().parse_args(words), clang).settings()


def test_options_become_settings() -> None:
    assert settings_of("a.cu") == hipify_py.Settings()
    assert settings_of("a.cu", "-Iinc", "-I", "x", "-DA=1", "-D", "B", "-std=c++14", "--", "-w", "--", "-x") == \
        hipify_py.Settings(include_dirs=("inc", "x"), defines=("A=1", "B"), standard="c++14",
                           clang_args=("-w", "--", "-x"))
    assert settings_of("--rocm=6.4", "--offload-arch=gfx90a,gfx1100", "--unsafe-fixes", "--no-verify") == \
        hipify_py.Settings(rocm=hipify_py.Version(6, 4), offload_arch=("gfx90a", "gfx1100"), unsafe_fixes=True,
                           verify=False)


@pytest.mark.parametrize("dashes", ["-", "--"])
def test_familiar_spellings(dashes: str) -> None:
    assert settings_of(dashes + "roc").target_libraries == "roc"
    assert settings_of(dashes + "miopen").target_libraries == "roc"
    assert settings_of(dashes + "default-preprocessor").skip_inactive
    assert settings_of(dashes + "skip-excluded-preprocessor-conditional-blocks").skip_inactive
    assert not settings_of(dashes + "skip-inactive", dashes + "amap").skip_inactive
    assert settings_of(dashes + "extra-arg=-w", dashes + "extra-arg", "-x").clang_args == ("-w", "-x")
    for name, values in IGNORED.items():
        given = [dashes + name, *["value"] * values]
        assert familiar([*given, "a.cu"], parser())[0] == ["a.cu"], name
        if values:
            assert familiar([f"{dashes}{name}=value", "a.cu"], parser())[0] == ["a.cu"], name
    for name in FAMILIAR:
        parser().parse_args(familiar([dashes + name, "a.cu"], parser())[0])
    for name in FAMILIAR_VALUED:
        parser().parse_args(familiar([dashes + name, "x", "a.cu"], parser())[0])


def test_inplace_of_the_others_keeps_a_backup(here: Path) -> None:
    assert main(["-inplace", "-print-stats", "kernel.cu", "--cuda-path=/x", "-cuda-gpu-arch", "sm_70", "-q"]) == 0
    assert Path("kernel.cu.prehip").read_bytes() == CUDA
    Path("kernel.cu.prehip").unlink()
    Path("kernel.cu").write_bytes(CUDA)
    assert main(["-inplace", "-no-backup", "kernel.cu", "-q"]) == 0
    assert names() == ["kernel.cu"]


# Reports


def test_diagnostics_stand_on_standard_error(here: Path) -> None:
    Path("kernel.cu").write_bytes(LOST)
    done = run("kernel.cu")
    assert done.stdout == b"" and done.returncode == 1
    first, line, mark, *_ = done.stderr.decode().splitlines()
    assert first.startswith("kernel.cu:3:12: error: `cudaGetExportTable` ") and first.endswith("[HPY401]")
    assert line == "    3 | void g() { cudaGetExportTable(0, 0); }" and mark == "      |            ^" + "~" * 17


def test_colours(here: Path) -> None:
    Path("kernel.cu").write_bytes(LOST)
    for environment, coloured in (({}, False), ({"FORCE_COLOR": "1"}, True),
                                  ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)):
        done = run("kernel.cu", env={**os.environ, **environment})
        assert (b"\x1b[" in done.stderr) is coloured


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_machine_forms(here: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    Path("kernel.cu").write_bytes(LOST)
    assert main(["kernel.cu", "gone.cu", "--output-format", form]) == 2
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert document["files"][0]["diagnostics"] if form == "json" else document["runs"][0]["results"]
    assert "HPY401" not in err and "made" in err


def test_github_form(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("kernel.cu").write_bytes(LOST)
    assert main(["kernel.cu", "-output-format=github", "-q"]) == 1
    assert capsys.readouterr().out.startswith("::error file=kernel.cu,line=3,col=12")


def test_stats(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernel.cu", "--stats", "-q"]) == 0
    assert "renamed" in capsys.readouterr().err
    assert main(["kernel.cu", "-print-stats-csv", "-o-stats", "s.csv", "-q"]) == 0
    assert capsys.readouterr().out == Path("s.csv").read_text()


def test_depfile(here: Path) -> None:
    Path("h.cuh").write_bytes(b"int x;\n")
    Path("kernel.cu").write_bytes(b'#include "h.cuh"\n' + CUDA)
    assert main(["kernel.cu", "--depfile", "k.d", "-q"]) == 0
    assert Path("k.d").read_text() == "kernel.hip: kernel.cu \\\n  h.cuh\nh.cuh:\n"


# Subcommands


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "HPY401"]) == 0
    assert capsys.readouterr().out.startswith("HPY401 (no-counterpart)")
    assert main(["explain"]) == 0
    assert main(["explain", "HPY000"]) == 2


def test_query(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", "cudaMalloc"]) == 0
    assert "hipMalloc" in capsys.readouterr().out
    assert main(["query", "cudaMalloc", "cudaMallc"]) == 2
    assert capsys.readouterr().out == ""
    assert main(["query"]) == 2


def test_doctor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr("hipify_py.report.machine._HIPCC_PLACES", ())
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "translate: works" in out and "compile: not here" in out
    assert "run: not here; " in out and "a C++ compiler" in out


def test_doctor_does_not_believe_a_broken_hipcc(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hipcc").write_text("#!/bin/sh\necho 'x.hip:1: error: no device library' >&2; exit 1\n")
    (tmp_path / "hipcc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    main(["doctor"])
    out = capsys.readouterr().out
    assert "compile: hipcc does not compile a small kernel for gfx90a: x.hip:1: error: no device" in out


def test_doctor_warns_of_nvcc_beside_hipcc(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                           monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("hipcc", "nvcc"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    monkeypatch.delenv("HIP_PLATFORM", raising=False)
    main(["doctor"])
    assert "need `export HIP_PLATFORM=amd`" in capsys.readouterr().out
    monkeypatch.setenv("HIP_PLATFORM", "amd")
    main(["doctor"])
    assert "HIP_PLATFORM" not in capsys.readouterr().out


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"hipify-py {hipify_py.__version__}\n"
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert "validate CASES" in out and "--output-dir" in out
    for command in ("explain", "query", "doctor", "validate", "build-files", "revert"):
        assert main([command, "--help"]) == 0


# Processes


def test_the_reader_goes_away(here: Path) -> None:
    Path("big.cu").write_bytes(CUDA + b"// a line of text\n" * 500_000)
    with subprocess.Popen([*COMMAND, "big.cu", "-o", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
        assert process.wait(60) in (0, 141)


def test_standard_output_is_full(here: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMMAND, "kernel.cu", "-o", "-"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2 and b"standard output cannot be written" in done.stderr
    assert b"Traceback" not in done.stderr and b"Exception" not in done.stderr


def test_closed_streams(here: Path) -> None:
    done = subprocess.run(["/bin/sh", "-c", f"'{sys.executable}' -m hipify_py kernel.cu >&- 2>&-"], check=False)
    assert done.returncode == 0 and Path("kernel.hip").read_bytes() == HIP


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c(here: Path, jobs: str) -> None:
    for number in range(60):
        Path(f"k{number}.cu").write_bytes(CUDA * 100)
    files = [f"k{number}.cu" for number in range(60)]
    with subprocess.Popen([*COMMAND, *files, "--output-dir", "out", "-j", jobs], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait(60) == 130
    assert b"interrupted" in said and b"Traceback" not in said
    assert not [name for name in names("out") if not name.endswith(".hip")]


def test_an_ascii_terminal(here: Path) -> None:
    Path("kernel.cu").write_bytes(LOST.replace(b"void g", "/* ä */ void g".encode()))
    done = run("kernel.cu", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1 and b"\\xe4" in done.stderr


def test_start_up_time() -> None:
    """Nothing of the translator is loaded for --version."""
    code = "import sys, hipify_py.cli as c; c.main(['--version']); print([m for m in sys.modules if 'hipify_py' in m])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "engine" not in loaded and "mapping" not in loaded and "report" not in loaded
    started = time.monotonic()
    run("--version")
    assert time.monotonic() - started < 2


def test_importing_the_package_is_cheap() -> None:
    code = "import sys, hipify_py; print(*sorted(m for m in sys.modules if 'hipify_py' in m and 'editable' not in m))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.split() == ["hipify_py"]


def test_every_public_name_exists() -> None:
    for name in hipify_py.__all__:
        assert getattr(hipify_py, name) is not None
    with pytest.raises(AttributeError, match="no attribute `nope`"):
        _ = hipify_py.nope  # type: ignore[attr-defined]
    assert set(hipify_py.__all__) <= set(dir(hipify_py))


def test_translate_tree(here: Path) -> None:
    Path("src").mkdir()
    Path("src/a.cu").write_bytes(CUDA)
    Path("src/b.cu").write_bytes(b"\x7fELF")
    result = hipify_py.translate_tree("src", "out")
    assert [each.output for each in result.files] == [Path("out/a.hip")]
    assert [each.path for each in result.failures] == [Path("src/b.cu")]
    assert hipify_py.translate_tree(["src/a.cu"]).files[0].output == Path("src/a.cu")
