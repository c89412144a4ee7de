"""The cache of translations: the same results, from disk; broken entries, other runs and full disks do no harm."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hipify_py import Settings, Version, translate
from hipify_py.cli import main
from hipify_py.tree import cache as module
from hipify_py.tree import run, work
from hipify_py.tree.cache import Cache, key_of, still
from hipify_py.tree.codec import decode, encode
from hipify_py.tree.disk import Disk

CUDA = b"#include <cuda_runtime.h>\ncudaError_t f(void *p) { return cudaFree(p); }\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def translated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were really translated."""
    names: list[str] = []
    real = work.translate

    def noting(source: bytes, *, filename: str, settings: Settings) -> object:
        names.append(filename)
        return real(source, filename=filename, settings=settings)

    monkeypatch.setattr(work, "translate", noting)
    return names


def entries(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "translations").glob("??/*"))


def key(path: str, settings: Settings | None = None) -> str | None:
    return key_of(path, Path(path).read_bytes(), settings or Settings(), Disk())


class TestCodec:
    """What is read is what was written."""

    def test_real_sources(self, kernel: Path) -> None:
        data = kernel.read_bytes()
        made = translate(data, filename=str(kernel))
        again = decode(encode(made), str(kernel), data)
        assert again == made and again.text == made.text

    def test_odd_bytes_and_fixes(self) -> None:
        data = ("__global__ void k() { __shfl_down_sync(0xffffffff, 1, 2); asm(\"foo %0;\" :: \"r\"(1)); } // \xe4\n"
                "void f() { cudaGetExportTable(0, 0); cudaFooBar(); }").encode("latin-1") + bytes(range(256))
        made = translate(data, filename="x.cu")
        assert decode(encode(made), "x.cu", data) == made
        assert {each.fix is None for each in made.diagnostics} == {True, False}

    @pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"[[],[],[]]", b"[[[1]],[]]", b"[[[0,1,\"\",5]],[[]]]",
                                      b"[[[-1,1,\"\",\"\"]],[]]", b"[[], [[\"HPY101\",\"mild\",\"\",0,0,null]]]", b"\xff"])
    def test_nonsense(self, data: bytes) -> None:
        with pytest.raises(ValueError, match=r"\w"):
            decode(data, "x.cu", b"int x;")


class TestKey:
    """All that goes into a translation, and nothing else."""

    def test_what_counts(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("inc").mkdir()
        Path("a.cu").write_bytes(b'#include "own.h"\n#include <far.h>\n#include <cuda.h>\n#define H "odd.h"\n' + CUDA)
        Path("own.h").write_bytes(b'#include "deep.h"\n')
        settings = Settings(include_dirs=("inc",))
        seen = {key("a.cu", settings)}

        def differs(now: str | None) -> bool:
            known = now in seen
            seen.add(now)
            return now is not None and not known

        assert not differs(key("a.cu", settings))
        Path("deep.h").write_bytes(b"int x;\n")
        assert differs(key("a.cu", settings)), "a header that was missing"
        Path("deep.h").write_bytes(b"int y;\n")
        assert differs(key("a.cu", settings)), "a header of a header"
        for name in ("inc/far.h", "inc/cuda.h", "odd.h"):
            Path(name).write_bytes(b"")
            assert differs(key("a.cu", settings)), name
        for other in (replace(settings, rocm=Version(6, 4)), replace(settings, unsafe_fixes=True),
                      replace(settings, defines=("A",)),
                      replace(settings, renamed_sources=((os.path.realpath("own.h"), "new.h"),))):
            assert differs(key("a.cu", other))
        Path("a.cu").write_bytes(Path("a.cu").read_bytes() + b"\n")
        assert differs(key("a.cu", settings)), "the source"
        monkeypatch.setattr(module, "translator", lambda: "another version")
        assert differs(key("a.cu", settings)), "the translator"

    def test_what_does_not(self, here: Path) -> None:
        for folder in ("one", "two"):
            Path(folder).mkdir()
            Path(folder, "a.cu").write_bytes(b'#include "own.h"\n' + CUDA)
            Path(folder, "own.h").write_bytes(b"int x;\n")
        os.utime("two/own.h", (1, 1))
        Path("two/other.h").write_bytes(b"")
        assert key("one/a.cu") == key("two/a.cu") is not None

    @pytest.mark.parametrize("text", [b"#include NAME\n", b"#include /* x */ <a.h>\n", b"#\\\ninclude <a.h>\n",
                                      b"#include \\\n<a.h>\n", b'const char *s = "#include <a.h>\\n#include <b.h>\\n";\n',
                                      b'const char *s = "int x;\\n # include <b.h>\\n";\n'])
    def test_what_is_not_understood_is_not_kept(self, here: Path, text: bytes) -> None:
        Path("a.cu").write_bytes(text)
        assert key("a.cu") is None
        Path("b.cu").write_bytes(b'#include "a.cu"\n')
        assert key("b.cu") is None

    def test_what_settings_name_is_not_known(self, here: Path) -> None:
        Path("a.cu").write_bytes(CUDA)
        assert key("a.cu", Settings(clang_args=("--pre-include", "x.h"))) is None
        assert key("a.cu", Settings(clang_args=("-w",))) not in (None, key("a.cu"))
        assert key("a.cu", Settings(rules=("acme:check",))) is None and key("a.cu", Settings()) is not None

    def test_build_files_ask_the_disk(self, here: Path) -> None:
        Path("CMakeLists.txt").write_bytes(b"project(x CUDA)\n")
        assert key("CMakeLists.txt") is None

    def test_a_header_that_changes_meanwhile(self, here: Path) -> None:
        Path("own.h").write_bytes(b"int x;\n")
        disk, data = Disk(), b'#include "own.h"\n'
        assert key_of("a.cu", data, Settings(), disk) and still("a.cu", data, Settings(), disk)
        Path("own.h").write_bytes(b"int xy;\n")
        assert not still("a.cu", data, Settings(), disk)


class TestRuns:
    """Whole runs."""

    def test_the_second_run_translates_nothing(self, here: Path, translated: list[str], own_cache: Path,
                                               capsys: pytest.CaptureFixture[str]) -> None:
        Path("a.cu").write_bytes(CUDA + b"void g() { cudaFooBar(); cudaGetExportTable(0, 0); }\n")
        assert main(["a.cu", "-o", "one.hip"]) == 1
        first = capsys.readouterr().err
        assert main(["a.cu", "-o", "two.hip"]) == 1
        assert translated == ["a.cu"] and len(entries(own_cache)) == 1
        assert capsys.readouterr().err == first.replace("one.hip", "two.hip")
        assert Path("one.hip").read_bytes() == Path("two.hip").read_bytes()

    def test_a_changed_header_translates_what_includes_it(self, here: Path, translated: list[str]) -> None:
        Path("src").mkdir()
        Path("src/h.cuh").write_bytes(CUDA)
        Path("src/a.cu").write_bytes(b'#include "h.cuh"\n' + CUDA)
        Path("src/b.cu").write_bytes(b"//\n" + CUDA)
        call = ["src", "--output-dir", "out", "-q", "-j", "1"]
        assert main(call) == 0 and len(translated) == 3
        assert main(call) == 0 and len(translated) == 3
        os.utime("out/b.hip", (1, 1))
        Path("src/h.cuh").write_bytes(b"//\n" + CUDA)
        assert main(call) == 0 and sorted(translated[3:]) == ["src/a.cu", "src/h.cuh"]
        assert Path("out/b.hip").stat().st_mtime == 1

    def test_options(self, here: Path, translated: list[str], own_cache: Path) -> None:
        Path("a.cu").write_bytes(CUDA)
        assert main(["a.cu", "-q", "--no-cache"]) == 0 and not entries(own_cache)
        for _ in range(2):
            assert main(["a.cu", "-q", "--cache-dir", "kept"]) == 0 and len(entries(Path("kept"))) == 1
        assert len(translated) == 2 and not entries(own_cache)

    def test_where_it_lies(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("a.cu").write_bytes(CUDA)
        monkeypatch.delenv("HIPIFY_PY_CACHE")
        monkeypatch.setenv("XDG_CACHE_HOME", str(here / "xdg"))
        assert main(["a.cu", "-q"]) == 0 and len(entries(here / "xdg" / "hipify-py")) == 1
        monkeypatch.delenv("XDG_CACHE_HOME")
        monkeypatch.setenv("HOME", str(here / "home"))
        assert main(["a.cu", "-q"]) == 0 and (here / "home").exists()

    @pytest.mark.parametrize("damage", [b"", b"x", None])
    def test_broken_entries(self, here: Path, translated: list[str], own_cache: Path, damage: bytes | None) -> None:
        Path("a.cu").write_bytes(CUDA)
        assert main(["a.cu", "-q"]) == 0
        entry = entries(own_cache)[0]
        good = entry.read_bytes()
        places = [0] if damage is not None else [0, 30, len(good) // 2, len(good) - 1]
        for place in places:
            entry.write_bytes(damage if damage is not None else good[:place] + bytes((good[place] ^ 1,)) + good[place + 1 :])
            Path("a.hip").unlink()
            assert main(["a.cu", "-q"]) == 0 and Path("a.hip").read_bytes() == translate(CUDA).text
            assert entry.read_bytes() == good
        assert len(translated) == 1 + len(places)

    def test_a_cache_that_cannot_be_written(self, here: Path) -> None:
        Path("a.cu").write_bytes(CUDA)
        Path("file").write_bytes(b"")
        for _ in range(2):
            assert main(["a.cu", "-q", "--cache-dir", "file"]) == 0 and Path("a.hip").read_bytes() == translate(CUDA).text
            Path("a.hip").unlink()

    def test_a_full_disk(self, here: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("a.cu").write_bytes(CUDA)
        real = Path.write_bytes

        def full(path: Path, data: bytes) -> int:
            if "translations" in path.parts:
                real(path, data[:10])
                raise OSError(28, "No space left on device")
            return real(path, data)

        monkeypatch.setattr(Path, "write_bytes", full)
        assert main(["a.cu", "-q"]) == 0 and Path("a.hip").exists() and not entries(own_cache)

    def test_internal_errors_are_not_kept(self, here: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from hipify_py import rules

        def broken(_: object) -> object:
            raise RuntimeError("no")

        Path("a.cu").write_bytes(CUDA)
        real = rules.load()
        monkeypatch.setattr(rules, "load", lambda: (broken, *real))
        assert main(["a.cu", "-q"]) == 1 and not entries(own_cache)

    def test_sources_that_libclang_does_not_see_are_kept(self, here: Path, translated: list[str]) -> None:
        Path("a.cu").write_bytes(CUDA + b"{" * 1000)
        for _ in range(2):
            assert main(["a.cu", "-q"]) == 0
        assert translated == ["a.cu"]

    def test_a_missing_libclang_is_not(self, here: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch,
                                       capsys: pytest.CaptureFixture[str]) -> None:
        from hipify_py.clang import library

        monkeypatch.setattr(library, "load", lambda: library.UnavailableError("libclang cannot be loaded (today)"))
        Path("a.cu").write_bytes(CUDA)
        assert main(["a.cu", "-q"]) == 0 and "HPY001" in capsys.readouterr().err and not entries(own_cache)

    def test_runs_beside_each_other(self, here: Path, own_cache: Path) -> None:
        Path("src").mkdir()
        for number in range(12):
            Path(f"src/k{number}.cu").write_bytes(CUDA + b"// %d\n" % number)
        calls = [[sys.executable, "-m", "hipify_py", "src", "--output-dir", "out", "-q", "-j", "1"] for _ in range(3)]
        running = [subprocess.Popen(call, stderr=subprocess.PIPE) for call in calls]
        assert [process.communicate(timeout=60)[1] for process in running] == [b""] * 3
        assert [process.returncode for process in running] == [0] * 3
        assert len(entries(own_cache)) == 12 and len(list(Path("out").glob("*.hip"))) == 12
        assert main(["src", "--output-dir", "out", "-q", "--check"]) == 0


class TestSize:
    """It does not grow without bounds."""

    def test_the_oldest_go(self, tmp_path: Path) -> None:
        cache = Cache(tmp_path, limit=10_000)
        keys = [f"{number:032x}" for number in range(40)]
        noise = [os.urandom(500) for _ in keys]
        for number, name in enumerate(keys):
            cache.put(name, noise[number])
            os.utime(cache._path(name), (number, number))
        cache.close()
        left = [name for name in keys if cache.get(name) is not None]
        assert left == keys[-len(left):] and 10 <= len(left) < 20
        assert all(cache.get(name) == noise[int(name, 16)] for name in left)

    def test_few_stay(self, tmp_path: Path) -> None:
        for number in range(5):
            cache = Cache(tmp_path, limit=1_000_000)
            cache.put(f"{number:032x}", b"x" * 1000)
            cache.close()
        assert len(entries(tmp_path)) == 5

    def test_a_wrong_note_of_the_size_is_put_right(self, tmp_path: Path) -> None:
        for note in (b"many", b"999999999999"):
            cache = Cache(tmp_path, limit=100_000)
            cache.put(f"{len(note):032x}", os.urandom(1000))
            (tmp_path / "translations" / "size").write_bytes(note)
            cache.close()
            assert 1000 <= int((tmp_path / "translations" / "size").read_text()) < 5000
        assert len(entries(tmp_path)) == 2


def test_window_and_processes_change_no_byte(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("src").mkdir()
    for number in range(23):
        Path(f"src/k{number:02}.cu").write_bytes(b'#include "k00.cu"\n' * bool(number) + CUDA + b"// %d\n" % number)

    def result(*more: str) -> dict[str, bytes]:
        out = Path(f"out{len(list(Path().iterdir()))}")
        assert main(["src", "--output-dir", str(out), "-q", *more]) == 0
        return {path.name: path.read_bytes() for path in out.iterdir()}

    first = result("-j", "1", "--no-cache")
    assert len(first) == 25
    assert result("-j", "3", "--no-cache") == first == result("-j", "2") == result("-j", "2")
    monkeypatch.setattr(run, "WINDOW", 5)
    assert result("-j", "2", "--no-cache") == first
