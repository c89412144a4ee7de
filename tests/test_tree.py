"""Which files of a tree are taken, and where they go."""

from __future__ import annotations

import os
from pathlib import Path
from typing import ClassVar

import pytest

from hipify_py import InputError, translate_tree
from hipify_py.cli import main
from hipify_py.tree import Destination, Others, Patterns, Search, plan
from hipify_py.tree.patterns import Walk
from hipify_py.tree.plan import without_cuda

CUDA = b"#include <cuda_runtime.h>\ncudaError_t f(void *p) { return cudaFree(p); }\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tree(files: dict[str, bytes | str], root: str = "src") -> Path:
    for name, text in files.items():
        path = Path(root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Path(root)


def outputs(folder: str = "out") -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in Path(folder).rglob("[!.]*") if not path.is_dir())


def walked(root: Path, *patterns: Patterns, gitignore: bool = True) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path, is_source in Walk(root, patterns, gitignore) if is_source)


class TestGitignore:
    """As Git reads them, in the folder that is named, above it and below."""

    def test_it_is_respected(self, here: Path) -> None:
        root = tree({"a.cu": CUDA, "gen.cu": CUDA, "build/b.cu": CUDA, "keep/build/c.cu": CUDA, "d/e.cu": CUDA,
                     ".gitignore": "/build/\ngen.*\n", "d/.gitignore": "*.cu\n!e.cu\n"})
        assert walked(root) == ["a.cu", "d/e.cu", "keep/build/c.cu"]
        assert len(walked(root, gitignore=False)) == 5

    def test_inner_rules_end_with_their_folder(self, here: Path) -> None:
        root = tree({"a/.gitignore": "x.cu\n", "a/x.cu": CUDA, "b/x.cu": CUDA, "a/b/x.cu": CUDA})
        assert walked(root) == ["b/x.cu"]

    def test_an_inner_rule_brings_back_what_an_outer_one_took(self, here: Path) -> None:
        root = tree({".gitignore": "*.cu\n", "a.cu": CUDA, "in/.gitignore": "!keep.cu\n", "in/keep.cu": CUDA, "in/b.cu": CUDA})
        assert walked(root) == ["in/keep.cu"]

    def test_rules_above_count_up_to_the_repository(self, here: Path) -> None:
        tree({"gen.cu": CUDA, "a.cu": CUDA, "secret.cu": CUDA}, "repo/src")
        Path("repo/.git/info").mkdir(parents=True)
        Path(".gitignore").write_text("a.cu\n")
        Path("repo/.gitignore").write_text("src/gen.cu\n")
        Path("repo/.git/info/exclude").write_text("secret.cu\n")
        assert walked(Path("repo/src")) == ["a.cu"]

    def test_an_ignored_folder_that_is_named_is_looked_at(self, here: Path) -> None:
        tree({"a.cu": CUDA}, "repo/build")
        Path("repo/.git").mkdir()
        Path("repo/.gitignore").write_text("build/\n")
        assert walked(Path("repo/build")) == ["a.cu"]
        assert walked(Path("repo")) == []

    @pytest.mark.parametrize("rules", ["", "# nothing\n", "!\n", "other.cu\n", "sub/\n", "/x/a.cu\n", "\xff\xfe\n", "[\n"])
    def test_no_rule_for_it(self, here: Path, rules: str) -> None:
        root = tree({"a.cu": CUDA, ".gitignore": rules.encode("latin-1")})
        assert walked(root) == ["a.cu"]

    def test_a_named_file_is_always_taken(self, here: Path) -> None:
        tree({"a.cu": CUDA, ".gitignore": "*\n"})
        assert main(["src/a.cu", "-q"]) == 0 and Path("src/a.hip").exists()

    def test_the_option(self, here: Path) -> None:
        tree({"a.cu": CUDA, "b.cu": CUDA, ".gitignore": "b.cu\n"})
        assert main(["src", "--output-dir", "out", "-q"]) == 0 and outputs() == ["a.hip"]
        assert main(["src", "--output-dir", "out", "-q", "--no-gitignore"]) == 0 and outputs() == ["a.hip", "b.hip"]


class TestPatterns:
    """``--include``, ``--exclude`` and those of pyproject.toml."""

    FILES: ClassVar = {"a.cu": CUDA, "gen/b.cu": CUDA, "deep/gen/c.cu": CUDA, "deep/d.cu": CUDA, "e.cuinc": CUDA, "f.cuh": CUDA}

    @pytest.mark.parametrize(("include", "exclude", "left"), [
        ((), ("gen",), ["a.cu", "deep/d.cu", "f.cuh"]),
        ((), ("/gen/",), ["a.cu", "deep/d.cu", "deep/gen/c.cu", "f.cuh"]),
        ((), ("*.cu", "!a.cu"), ["a.cu", "f.cuh"]),
        (("*.cuinc",), (), ["e.cuinc"]),
        (("deep/**",), ("d.cu",), ["deep/gen/c.cu"]),
        (("*.cu", "*.cuh"), (), ["a.cu", "deep/d.cu", "deep/gen/c.cu", "f.cuh", "gen/b.cu"]),
        ((), ("other", "x/**"), ["a.cu", "deep/d.cu", "deep/gen/c.cu", "f.cuh", "gen/b.cu"])])
    def test_what_is_left(self, here: Path, include: tuple[str, ...], exclude: tuple[str, ...], left: list[str]) -> None:
        root = tree(self.FILES)
        assert walked(root, Patterns(root.resolve(), include, exclude)) == left

    def test_pyproject_counts_from_its_own_folder(self, here: Path) -> None:
        tree(self.FILES)
        Path("pyproject.toml").write_text('[tool.hipify-py]\nexclude = ["src/gen", "/deep"]\ninclude = ["*.cu"]\n')
        assert main(["src", "--output-dir", "out", "-q"]) == 0
        assert outputs() == ["a.hip", "deep/d.hip", "deep/gen/c.hip"]
        assert main(["src", "--output-dir", "less", "-q", "--exclude", "/deep"]) == 0 and outputs("less") == ["a.hip"]

    def test_a_wrong_pattern_is_one_line(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        tree({"a.cu": CUDA})
        assert main(["src", "--output-dir", "out", "--exclude", "!"]) == 2
        assert capsys.readouterr().err.count("\n") == 1

    def test_without_patterns_pathspec_is_not_imported(self, here: Path) -> None:
        import subprocess
        import sys

        tree({"a.cu": CUDA})
        code = ("import sys; from hipify_py.cli import main; main(['src', '--output-dir', 'out', '-q', *sys.argv[1:]]); "
                "print('pathspec' in sys.modules)")
        for more, wanted in ([], b"False\n"), (["--exclude", "x"], b"True\n"):
            assert subprocess.run([sys.executable, "-c", code, *more], capture_output=True, check=True).stdout == wanted


class TestGraph:
    """Which files CUDA concerns."""

    FILES: ClassVar = {
        "k.cu": '#include "deep/own.h"\n#include "plain.h"\n__global__ void k(float4 v);\n',
        "deep/own.h": '#include "vec.h"\nstruct A { float4 v; };\n',
        "deep/vec.h": "inline float4 half(float4 v) { return v; }\n",
        "plain.h": "#pragma once\n#define N 3\n",
        "user.cpp": '#include "api.h"\nint main() { run(0); }\n',
        "api.h": "#include <cuda_runtime.h>\nvoid run(cudaStream_t s);\n",
        "host.cpp": '#include "host.h"\nfloat4 mine; float min(float a, float b);\n',
        "host.h": "struct float4 { float x; };\nint __restrict__ x;\n",
        "wave.hpp": "#define LANE (threadIdx.x)\n"}

    def test_those_are_taken(self, here: Path) -> None:
        tree(self.FILES)
        assert main(["src", "--output-dir", "out", "-q"]) == 0
        assert outputs() == ["api.h", "deep/own.h", "deep/vec.h", "k.hip", "plain.h", "user.cpp", "wave.hpp"]
        assert Path("out/plain.h").read_bytes() == self.FILES["plain.h"].encode()

    def test_a_host_type_of_the_same_name_stays(self, here: Path) -> None:
        tree({"a.h": "struct dim3 { int x; };\n", "b.cpp": '#include "a.h"\n#include "missing.h"\ndim3 d;\n'})
        assert main(["src", "-i"]) == 0
        assert Path("src/b.cpp").read_text() == '#include "a.h"\n#include "missing.h"\ndim3 d;\n'

    def test_none(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        tree({"a.h": "int x;\n"})
        assert main(["src", "--output-dir", "out"]) == 0
        assert capsys.readouterr().err == "src: none of its sources has CUDA in it, nothing to do\n"
        assert main(["src", "--output-dir", "out", "--exclude", "*"]) == 2

    def test_headers_of_include_folders_count(self, here: Path) -> None:
        tree({"gpu.h": CUDA}, "lib")
        tree({"a.cpp": "#include <gpu.h>\nint x;\n"})
        assert main(["src", "--output-dir", "out"]) == 0 and outputs() == []
        assert main(["src", "--output-dir", "out", "-I", "lib", "-q"]) == 0 and outputs() == ["a.cpp"]

    def test_own_names_count(self, here: Path) -> None:
        tree({"a.cpp": "void f() { acmeAlloc(3); }\n", "b.cpp": '#include "acme/pool.h"\n', "c.cpp": "int x;\n"})
        Path("own.csv").write_text("cuda,hip\nacmeAlloc,acmeHipAlloc\nacme/pool.h,acme/hip_pool.h\n")
        assert main(["src", "--output-dir", "out", "-q", "--mapping", "own.csv"]) == 0 and outputs() == ["a.cpp", "b.cpp"]
        assert b"acmeHipAlloc" in Path("out/a.cpp").read_bytes()

    def test_cycles_end(self, here: Path) -> None:
        tree({"a.h": '#include "b.h"\n', "b.h": '#include "a.h"\n', "c.cu": '#include "a.h"\n#include "c.cu"\n'})
        assert main(["src", "--output-dir", "out", "-q"]) == 0 and outputs() == ["a.h", "b.h", "c.hip"]


class TestRename:
    """``--rename-paths``."""

    @pytest.mark.parametrize(("name", "new"), [
        ("cuda_utils.h", "hip_utils.h"), ("MyCUDAThing", "MyHIPThing"), ("CudaKernel.cu", "HipKernel.cu"), ("cUdA", "hip"),
        ("kernel.cu", "kernel.cu"), ("barracuda.h", "barrahip.h"), ("cud_a.h", "cud_a.h"), ("cub", "cub"), ("x", "x")])
    def test_names(self, name: str, new: str) -> None:
        assert without_cuda(name) == new

    def test_includes_follow(self, here: Path) -> None:
        tree({"cuda/cuda_kernels.cu": CUDA + b'#include "../cuda/detail/cuda_x.cuh"\n#include "detail/cuda_x.cuh"\n',
              "cuda/detail/cuda_x.cuh": b'#include "../../plain/y.h"\n' + CUDA,
              "plain/y.h": b"int y;\n", "plain/cuda_config.h": b"int z;\n", "main.cpp": b'#include "plain/cuda_config.h"\n',
              "all.cu": b'#include <cuda/detail/cuda_x.cuh>\n#include "cuda/cuda_kernels.cu"\n// "cuda/cuda_kernels.cu"\n'})
        assert main(["src", "--output-dir", "out", "--rename-paths", "-q", "-I", "src"]) == 0
        assert outputs() == ["all.hip", "hip/detail/hip_x.cuh", "hip/hip_kernels.hip", "main.cpp", "plain/hip_config.h",
                             "plain/y.h"]
        assert Path("out/all.hip").read_text() == (
            '#include <hip/detail/hip_x.cuh>\n#include "hip/hip_kernels.hip"\n// "cuda/cuda_kernels.cu"\n')
        assert b'#include "../hip/detail/hip_x.cuh"\n#include "detail/hip_x.cuh"\n' in Path(
            "out/hip/hip_kernels.hip").read_bytes()
        assert Path("out/main.cpp").read_text() == '#include "plain/hip_config.h"\n'
        assert main(["src", "--output-dir", "out", "--rename-paths", "-q", "-I", "src", "--check"]) == 0

    @pytest.mark.parametrize("where", [("src",), (".", "src"), ("../src", "src")])
    def test_the_second_parse_finds_what_is_renamed(self, here: Path, capsys: pytest.CaptureFixture[str],
                                                    monkeypatch: pytest.MonkeyPatch, where: tuple[str, ...]) -> None:
        """Nothing is written under the new names yet, and their folders do not exist."""
        tree({"cuda/detail/cuda_x.cuh": "struct A { int x; };\ntemplate <class T> __global__ void k(T *p) { p->x = 1; }\n",
              "cuda/k.cu": '#include "detail/cuda_x.cuh"\nvoid f(A *p) { k<A><<<1, 2>>>(p); A b; b.x = 2; cudaFree(p); }\n',
              "all.cu": '#include "cuda/k.cu"\nvoid g(A *p) { f(p); cudaFree(p); }\n'})
        if len(where) > 1:
            monkeypatch.chdir(where[1])
        for more in ([], ["--rename-paths"]):
            assert main([where[0], "--output-dir", str(here / f"out{len(more)}"), "--strict", *more]) == 0
            assert "HPY002" not in capsys.readouterr().err
        assert main([where[0], "--output-dir", str(here / "native"), "--rename-paths", "--style", "native", "--strict"]) == 0

    def test_only_on_request(self, here: Path) -> None:
        tree({"cuda/cuda_k.cu": CUDA})
        assert main(["src", "--output-dir", "out", "-q"]) == 0 and outputs() == ["cuda/cuda_k.hip"]

    def test_two_that_would_be_one(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        tree({"cuda_x.cuh": CUDA, "hip_x.cuh": CUDA, "b.cu": CUDA})
        assert main(["src", "--output-dir", "out", "--rename-paths"]) == 2
        assert "would be the output of" in capsys.readouterr().err and outputs() == ["b.hip"]

    @pytest.mark.parametrize("option", ["--rename-paths", "--copy-others", "--link-others"])
    def test_needs_another_tree(self, here: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
        tree({"a.cu": CUDA})
        assert main(["src", "-i", option]) == 2
        assert "--output-dir" in capsys.readouterr().err and Path("src/a.cu").read_bytes() == CUDA

    def test_links_in_includes_stay(self, here: Path) -> None:
        tree({"real/k.cu": CUDA, "a.cu": b'#include "link/k.cu"\n' + CUDA})
        Path("src/link").symlink_to("real")
        assert main(["src", "--output-dir", "out", "-q"]) == 0
        assert Path("out/a.hip").read_bytes().startswith(b'#include "link/k.hip"\n')


class TestOthers:
    """``--copy-others`` and ``--link-others``."""

    FILES: ClassVar = {"a.cu": CUDA, "CMakeLists.txt": b"x\r\n", "data/t.bin": bytes(range(256)), "host.cpp": b"int x;\n",
                       "skip/y.txt": b"y"}

    def test_copies(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        tree(self.FILES)
        Path("src/data/t.bin").chmod(0o750)
        call = ["src", "--output-dir", "out", "--copy-others", "--exclude", "skip"]
        assert main([*call, "--check"]) == 1 and not Path("out").exists()
        assert main(call) == 0
        assert outputs() == ["CMakeLists.txt", "a.hip", "data/t.bin", "host.cpp"]
        assert "other files: 3, 3 of them brought along" in capsys.readouterr().err
        assert Path("out/data/t.bin").read_bytes() == bytes(range(256)) and Path("out/data/t.bin").stat().st_mode & 0o777 == 0o750
        os.utime("out/host.cpp", (1, 1))
        assert main(call) == main([*call, "--check"]) == 0 and Path("out/host.cpp").stat().st_mtime == 1
        Path("src/host.cpp").write_bytes(b"int y;\n")
        assert main([*call, "--check"]) == 1
        assert main(call) == 0 and Path("out/host.cpp").read_bytes() == b"int y;\n"

    def test_links(self, here: Path) -> None:
        tree(self.FILES)
        call = ["src", "--output-dir", "deep/out", "-q", "--link-others"]
        assert main(call) == main(call) == 0
        link = Path("deep/out/data/t.bin")
        assert link.is_symlink() and not Path(link.readlink()).is_absolute() and link.read_bytes() == bytes(range(256))
        assert not Path("deep/out/a.hip").is_symlink()
        assert main(["src", "--output-dir", "deep/out", "-q", "--copy-others"]) == 0
        assert not link.is_symlink() and link.read_bytes() == bytes(range(256)) == Path("src/data/t.bin").read_bytes()
        assert main(call) == 2, "a file is not replaced by a link"

    def test_not_both(self, here: Path) -> None:
        tree(self.FILES)
        assert main(["src", "--output-dir", "out", "--copy-others", "--link-others"]) == 2


class TestBadTrees:
    """One line and status 2; the rest is done."""

    def test_an_unreadable_folder_is_told(self, here: Path, capsys: pytest.CaptureFixture[str],
                                          monkeypatch: pytest.MonkeyPatch) -> None:
        real = os.scandir

        def scandir(path: object = ".") -> object:
            if str(path).endswith("locked"):
                raise PermissionError(13, "Permission denied", str(path))
            return real(path)  # type: ignore[call-overload]

        monkeypatch.setattr(os, "scandir", scandir)  # not by permissions: root may read anything
        tree({"a.cu": CUDA, "locked/b.cu": CUDA})
        assert main(["src", "--output-dir", "out"]) == 2
        said = capsys.readouterr().err
        assert "the folder `src/locked` cannot be read (permission denied)" in said and outputs() == ["a.hip"]

    @pytest.mark.parametrize("name", ["x" * 5000, "x" * 300 + "/a.cu", "a\0.cu"])
    def test_impossible_names(self, here: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
        tree({"a.cu": CUDA})
        assert main([name, "-q"]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and "Traceback" not in said
        if "\0" not in name:
            assert main([name, "src/a.cu", "-q"]) == 2 and Path("src/a.hip").exists()

    def test_a_name_that_may_not_be_looked_at(self, here: Path, capsys: pytest.CaptureFixture[str],
                                              monkeypatch: pytest.MonkeyPatch) -> None:
        real = Path.stat

        def stat(path: Path, **more: object) -> object:
            if "locked" in path.parts:
                raise PermissionError(13, "Permission denied", str(path))
            return real(path, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(Path, "stat", stat)
        tree({"a.cu": CUDA})
        assert main(["locked/b.cu", "src/a.cu"]) == 2
        said = capsys.readouterr().err
        assert "locked" in said and "permission denied" in said and "Traceback" not in said

    def test_loops_of_links(self, here: Path) -> None:
        tree({"a.cu": CUDA, "deep/b.cu": CUDA})
        Path("src/deep/up").symlink_to("..")
        Path("src/self.cu").symlink_to("self.cu")
        assert main(["src", "--output-dir", "out", "-q"]) == 0 and outputs() == ["a.hip", "deep/b.hip"]

    def test_the_output_inside_the_input(self, here: Path) -> None:
        tree({"a.cu": CUDA})
        for _ in range(3):
            assert main(["src", "--output-dir", "src/hip", "-q"]) == 0
        assert outputs("src/hip") == ["a.hip"]

    def test_the_output_is_the_input(self, here: Path) -> None:
        tree({"a.cuh": CUDA, "b.cu": CUDA})
        assert main(["src", "--output-dir", "src", "-q"]) == 2
        assert Path("src/a.cuh").read_bytes() == CUDA and Path("src/b.hip").exists()

    def test_stdin_reports_over_the_output(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        import io
        import sys

        for option in ("--depfile", "--stats-file"):
            monkeypatch.setattr(sys, "stdin", type("In", (), {"buffer": io.BytesIO(CUDA)})())
            assert main(["-", "-o", "x.hip", option, "./x.hip", "-q"]) == 2
            assert not Path("x.hip").exists()
            monkeypatch.setattr(sys, "stdin", type("In", (), {"buffer": io.BytesIO(CUDA)})())
            assert main(["-", "-o", "x.hip", option, "x.other", "-q"]) == 0 and Path("x.other").exists()
            Path("x.hip").unlink()


def test_in_place_all_see_the_headers_as_they_were(here: Path) -> None:
    files = {f"k{number}.cu": b'#include "a.cuh"\n__global__ void k(real v) { v; }\n' for number in range(4)}
    tree({**files, "a.cuh": b"#include <cuda_runtime.h>\ntypedef float4 real;\nstruct cudaMine { cudaStream_t s; };\n"})
    assert main(["src", "-i", "-q", "-j", "1"]) == 0
    assert {Path(f"src/{name}").read_bytes() for name in files} and b"hipStream_t" in Path("src/a.cuh").read_bytes()
    for path in Path("src").iterdir():
        assert b"cudaStream" not in path.read_bytes()


def test_the_api_finds_the_same(here: Path) -> None:
    root = tree({"cuda/a.cu": CUDA, "b.cpp": b"int x;\n", "no.cu": CUDA, ".gitignore": b"no.cu\n"})
    result = translate_tree(root, "out", rename_paths=True)
    assert [each.output for each in result.files] == [Path("out/hip/a.hip")] and not result.failures
    with pytest.raises(InputError, match="output-dir"):
        translate_tree(root, rename_paths=True)
    made = plan([root], Destination(output_dir=Path("o")), Search(others=Others.COPY))
    assert [other.output for other in made.others] == [Path("o/b.cpp")]


class TestNoSources:
    """What a wrong name on the command line would spoil."""

    @pytest.mark.parametrize("name", ["setup.html", "a.py", "README.MD", "notes.txt", "data.json"])
    @pytest.mark.parametrize("how", [["-i"], ["-o", "out"], ["--output-dir", "out"], ["--check"], []])
    def test_other_languages_are_refused(self, here: Path, capsys: pytest.CaptureFixture[str], name: str, how: list[str]) -> None:
        tree({name: CUDA, "k.cu": CUDA}, ".")
        words = [name, *(["k.cu"] if how != ["-o", "out"] else []), *how]
        assert main(words) == 2
        assert f"`{name}` is no C++ or CUDA source by its name" in capsys.readouterr().err
        assert Path(name).read_bytes() == CUDA
        assert not Path("out", name).exists() and not Path("out").is_file()

    @pytest.mark.parametrize("name", ["k.cu.in", "k", "k.inl", "k.glsl", "k.cl"])
    def test_other_names_are_taken(self, here: Path, name: str) -> None:
        tree({name: CUDA}, ".")
        assert main(["-i", "-q", name]) == 0
        assert b"hipFree" in Path(name).read_bytes()

    def test_build_files_are_none_of_them(self, here: Path) -> None:
        tree({"CMakeLists.txt": "project(x LANGUAGES CXX CUDA)\n", "setup.py": "from setuptools import setup\nsetup()\n"}, ".")
        assert main(["-i", "-q", "CMakeLists.txt", "setup.py"]) == 0
        assert "HIP" in Path("CMakeLists.txt").read_text()

    def test_an_output_that_is_an_input_too(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        tree({"a.cu": CUDA, "a.hip": "int x;\n"}, ".")
        assert main(["a.hip", "a.cu"]) == 2
        err = capsys.readouterr().err
        assert "`a.hip` is an input, and the output of `a.cu` too" in err and "None" not in err
        assert Path("a.hip").read_text() == "int x;\n"


class TestRoot:
    """Files keep their places below ``--root``, however they are named."""

    @pytest.mark.parametrize("named", [
        ["src/a/x.cu", "src/b/x.cu", "src/u.cuh"], ["src"], ["src/a", "src/b/x.cu", "src/u.cuh"], ["src/../src/a", "src"]])
    def test_layout(self, here: Path, named: list[str]) -> None:
        tree({"a/x.cu": CUDA + b'#include "../b/x.cu"\n', "b/x.cu": CUDA, "u.cuh": CUDA})
        assert main([*named, "--output-dir", "out", "--root", ".", "-q"]) == 0
        assert outputs() == ["src/a/x.hip", "src/b/x.hip", "src/u.cuh"]
        assert main([*named, "--output-dir", "out", "--root", ".", "-q", "--check"]) == 0
        if "src" in named or "src/b/x.cu" in named:
            assert b'#include "../b/x.hip"' in Path("out/src/a/x.hip").read_bytes()

    def test_absolute_and_renamed(self, here: Path) -> None:
        tree({"cuda/x.cu": CUDA})
        assert main([str(here / "src/cuda/x.cu"), "--output-dir", "out", "--root", str(here), "--rename-paths", "-q"]) == 0
        assert outputs() == ["src/hip/x.hip"]

    def test_others_come_along(self, here: Path) -> None:
        tree({"a/x.cu": CUDA, "a/data.txt": "x"})
        assert main(["src/a", "--output-dir", "out", "--root", "src", "--copy-others", "-q"]) == 0
        assert outputs() == ["a/data.txt", "a/x.hip"]

    @pytest.mark.parametrize(("words", "said"), [
        (["src", "-i", "--root", "."], "`--root` says below which folder"),
        (["src/a.cu", "--output-dir", "out", "--root", "elsewhere"], "`src/a.cu` lies outside of `elsewhere`")])
    def test_bad_calls(self, here: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
        tree({"a.cu": CUDA})
        assert main(words) == 2
        assert said in capsys.readouterr().err and outputs(".") == ["src/a.cu"]
