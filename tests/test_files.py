"""The disk side of one file: what is read, what is refused, and how results are written."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import hipify_py
from hipify_py.files import InputError, check_text, default_output, keep_backup, read_source, same_file, write_atomic

CUDA = b"#include <cuda_runtime.h>\ncudaError_t f(void *p) { return cudaFree(p); }\n"
HIP = b"#include <hip/hip_runtime.h>\nhipError_t f(void *p) { return hipFree(p); }\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.cu"
    path.write_bytes(CUDA)
    return path


def leftovers(folder: Path) -> list[str]:
    return [name for name in names(folder) if name.startswith(".hipify")]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_cu_becomes_a_hip_beside_it(source: Path) -> None:
    result = hipify_py.translate_file(source)
    assert result.output == source.with_suffix(".hip")
    assert result.written and result.stale
    assert source.with_suffix(".hip").read_bytes() == HIP
    assert source.read_bytes() == CUDA
    assert not leftovers(source.parent)


def test_other_files_need_an_output(tmp_path: Path) -> None:
    for name in ("a.cuh", "a.h", "a.cpp", "a"):
        with pytest.raises(InputError, match="say where to write"):
            default_output(tmp_path / name)
    assert default_output(Path("x/A.CU")) == Path("x/A.hip")
    assert default_output(Path("a.b.cu")) == Path("a.b.hip")


def test_in_place_keeps_the_mode_and_the_original_on_request(source: Path) -> None:
    source.chmod(0o755)
    result = hipify_py.translate_file(source, source, backup=True)
    assert source.read_bytes() == HIP
    assert stat.S_IMODE(source.stat().st_mode) == 0o755
    assert result.backup == source.with_name("kernel.cu.prehip")
    assert result.backup.read_bytes() == CUDA


def test_the_first_backup_stays(source: Path) -> None:
    first = keep_backup(source, b"first")
    second = keep_backup(source, b"second")
    assert (first.read_bytes(), second.read_bytes()) == (b"first", b"second")
    assert keep_backup(source, b"first") == first


def test_no_backup_of_what_does_not_change(source: Path) -> None:
    source.write_bytes(HIP)
    assert hipify_py.translate_file(source, source, backup=True).backup is None
    assert names(source.parent) == ["kernel.cu"]


def test_an_unchanged_output_keeps_its_time(source: Path) -> None:
    hipify_py.translate_file(source)
    output = source.with_suffix(".hip")
    os.utime(output, (1, 1))
    result = hipify_py.translate_file(source)
    assert not result.written
    assert output.stat().st_mtime == 1


def test_a_read_only_source_gives_a_writable_output(source: Path) -> None:
    source.chmod(0o444)
    hipify_py.translate_file(source)
    assert source.with_suffix(".hip").stat().st_mode & stat.S_IWUSR
    assert stat.S_IMODE(source.stat().st_mode) == 0o444


def test_write_protected_outputs_are_refused(source: Path) -> None:
    source.chmod(0o444)
    with pytest.raises(InputError, match="write-protected"):
        hipify_py.translate_file(source, source)
    assert source.read_bytes() == CUDA


def test_a_symbolic_link_survives(source: Path) -> None:
    link = source.with_name("link.cu")
    link.symlink_to("kernel.cu")
    hipify_py.translate_file(link, link)
    assert link.is_symlink() and source.read_bytes() == HIP
    assert not leftovers(source.parent)


def test_a_link_into_another_folder_is_written_there(source: Path, tmp_path: Path) -> None:
    far = tmp_path / "far"
    far.mkdir()
    (far / "x.cu").write_bytes(CUDA)
    link = tmp_path / "near.cu"
    link.symlink_to("far/x.cu")
    hipify_py.translate_file(link, link)
    assert link.is_symlink() and (far / "x.cu").read_bytes() == HIP
    assert not leftovers(far) and not leftovers(tmp_path)


def test_nothing_to_translate_is_copied_byte_for_byte(source: Path) -> None:
    data = b"// caf\xe9 \x0c\r\nint x;\0\n\tno newline"
    source.write_bytes(data)
    output = source.with_name("out.cpp")
    hipify_py.translate_file(source, output)
    assert output.read_bytes() == data


def test_devices_are_written_as_they_are(source: Path) -> None:
    hipify_py.translate_file(source, "/dev/null")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_failed_write_leaves_the_old_file(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = source.with_suffix(".hip")
    output.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="no space left on device"):
        write_atomic(output, b"new")
    assert output.read_bytes() == b"old"
    assert not leftovers(source.parent)


def test_an_interrupted_write_leaves_the_old_file(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        hipify_py.translate_file(source, source)
    assert source.read_bytes() == CUDA
    assert not leftovers(source.parent)


def test_a_long_name_has_room(tmp_path: Path) -> None:
    name = "k" * 250 + ".cu"
    (tmp_path / name).write_bytes(CUDA)
    hipify_py.translate_file(tmp_path / name, tmp_path / name)
    assert (tmp_path / name).read_bytes() == HIP


@pytest.mark.parametrize(("make", "words"), [
    (lambda path: None, "does not exist"),
    (lambda path: path.mkdir(), "is a folder"),
    (lambda path: path.symlink_to("gone"), "symbolic link to `gone`, which does not exist"),
    (lambda path: path.symlink_to(path.name), "cannot be read"),
    (lambda path: path.write_bytes(b"\x7fELF\2\1\1" + bytes(100)), "binary"),
    (lambda path: path.write_bytes(b"abc\0" * 500), "binary"),
    (lambda path: path.write_bytes("int x;".encode("utf-16")), "UTF-16"),
], ids=["missing", "folder", "dangling", "loop", "elf", "nuls", "utf-16"])
def test_what_cannot_be_read_is_said_in_one_line(tmp_path: Path, make: object, words: str) -> None:
    path = tmp_path / "a.cu"
    make(path)  # type: ignore[operator]
    with pytest.raises(InputError) as caught:
        read_source(path)
    assert words in str(caught.value) and str(path) in str(caught.value) and "\n" not in str(caught.value)


def test_a_lone_nul_is_text() -> None:
    check_text(Path("a.cu"), b"int x;\0\n")
    check_text(Path("a.cu"), b"")
    check_text(Path("a.cu"), b"\xef\xbb\xbfint x;")


@pytest.mark.parametrize(("name", "words"), [
    ("gone/a.hip", "no folder"), (".", "is a folder"), ("kernel.cu/a.hip", "cannot be written"),
    ("n" * 300, "cannot be written"),
])
def test_what_cannot_be_written_is_said_in_one_line(source: Path, name: str, words: str) -> None:
    before = names(source.parent)
    with pytest.raises(InputError) as caught:
        hipify_py.translate_file(source, source.parent / name)
    assert words in str(caught.value) and "\n" not in str(caught.value)
    assert names(source.parent) == before and source.read_bytes() == CUDA


def test_same_file_looks_through_links(source: Path) -> None:
    link = source.with_name("b.cu")
    link.symlink_to(source)
    assert same_file(link, source)
    assert not same_file(source, source.with_name("c.cu"))
    assert same_file(source.with_name("c.cu"), source.parent / "." / "c.cu")


def test_killed_while_writing(tmp_path: Path) -> None:
    """SIGKILL at any moment leaves the old bytes or the new ones, never a part."""
    path = tmp_path / "a.cu"
    old, new = b"o" * 3_000_000, b"n" * 3_000_000
    code = ("import sys; from pathlib import Path; from hipify_py.files import write_atomic\n"
            "path = Path(sys.argv[1]); print(flush=True)\n"
            "while True:\n    write_atomic(path, b'n' * 3000000)\n    write_atomic(path, b'o' * 3000000)")
    for delay in (0.0, 0.003, 0.011, 0.02):
        path.write_bytes(old)
        with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            try:
                process.wait(delay)
            except subprocess.TimeoutExpired:
                process.kill()
        assert path.read_bytes() in (old, new)


def test_includes_follow_a_source_that_is_renamed(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.cu").write_text(
        '#include "kernels.cu"\n#include "kernels.cu"\n#include "other.cu"\nint n;\n')
    (tmp_path / "src" / "kernels.cu").write_text("__global__ void k() {}\n")
    hipify_py.translate_tree(tmp_path / "src", tmp_path / "out")
    text = (tmp_path / "out" / "main.hip").read_text()
    assert text.startswith('#include "kernels.hip"\n#include "kernels.hip"\n#include "other.cu"\n')
    assert (tmp_path / "out" / "kernels.hip").is_file()


def test_includes_stay_when_the_source_is_translated_in_place(tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text('#include "kernels.cu"\n')
    (tmp_path / "kernels.cu").write_text("__global__ void k() {}\n")
    hipify_py.translate_tree(tmp_path)
    assert '#include "kernels.cu"' in (tmp_path / "main.cu").read_text()


def test_the_source_is_not_replaced_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"cudaError_t e;\n")
    (tmp_path / "a.hip").symlink_to("a.cu")
    with pytest.raises(InputError, match="is the input itself"):
        hipify_py.translate_file(tmp_path / "a.cu")
    assert (tmp_path / "a.cu").read_bytes() == b"cudaError_t e;\n"


def test_a_backup_of_other_text_is_not_taken_for_this_one(tmp_path: Path) -> None:
    (tmp_path / "a.cuh").write_bytes(b"cudaError_t e;\n")
    (tmp_path / "a.cuh.prehip").write_bytes(b"keep me\n")
    result = hipify_py.translate_file(tmp_path / "a.cuh", tmp_path / "a.cuh", backup=True)
    assert result.backup == tmp_path / "a.cuh.prehip.1"
    assert result.backup.read_bytes() == b"cudaError_t e;\n"
    assert (tmp_path / "a.cuh.prehip").read_bytes() == b"keep me\n"
