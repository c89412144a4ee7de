"""The CPU device for aarch64: cross-compiled, and run by qemu. Needs g++-aarch64-linux-gnu and qemu-user."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("numpy")

from hipify_py.cli import main
from hipify_py.cpu import toolchain
from hipify_py.cpu.build import build_module, build_runtime
from tests.conftest import KERNELS

CROSS, QEMU = "aarch64-linux-gnu-g++", shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which(CROSS) or QEMU is None,
                       reason="needs g++-aarch64-linux-gnu and qemu-user: apt-get install them"),
]


@pytest.fixture
def cross(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The runtime, built for aarch64."""
    monkeypatch.setenv("CXX", CROSS)
    toolchain.find_compiler.cache_clear()
    yield build_runtime()
    toolchain.find_compiler.cache_clear()


def run(source: Path, runtime: Path, folder: Path, wave: int) -> subprocess.CompletedProcess[str]:
    """Build a program of its own as a module, link it and let qemu run it."""
    module = build_module(source, wave=wave)
    program = folder / "program"
    link = [f"-L{runtime / 'lib'}", "-lamdhip64", f"-Wl,-rpath,{module.parent}"]
    subprocess.run([CROSS, "-o", program, module, *link], check=True)
    return subprocess.run([QEMU, "-L", "/usr/aarch64-linux-gnu", "-E", f"LD_LIBRARY_PATH={runtime / 'lib'}", program],
                          capture_output=True, text=True, check=False, timeout=300)


def test_the_compiler_says_what_it_compiles_for(cross: Path) -> None:
    assert toolchain.find_compiler().machine == "aarch64"
    data = (cross / "lib" / "libamdhip64.so").read_bytes()
    assert int.from_bytes(data[18:20], "little") == 183  # EM_AARCH64


# A struct with pointers and waves that meet; barriers and dynamic shared memory; all blocks at once.
@pytest.mark.parametrize(("name", "wave"), [("spmv", 32), ("conv2d", 64), ("group_sum", 64)])
def test_kernels_run(tmp_path: Path, cross: Path, name: str, wave: int) -> None:
    assert main(["validate", str(KERNELS / name), "--emit-harness", str(tmp_path), "--seed", "4"]) == 0
    done = run(tmp_path / f"{name}.hip", cross, tmp_path, wave)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "passed"


def test_a_wrong_kernel_fails(tmp_path: Path, cross: Path) -> None:
    assert main(["validate", str(KERNELS / "spmv"), "--emit-harness", str(tmp_path), "--seed", "4"]) == 0
    path = tmp_path / "spmv.hip"
    path.write_text(path.read_text().replace("sum += m.value[k]", "sum -= m.value[k]"))
    done = run(path, cross, tmp_path, 32)
    assert done.returncode == 1 and done.stdout.splitlines()[-1] == "FAILED"


def test_an_access_out_of_bounds_is_an_error(tmp_path: Path, cross: Path) -> None:
    """The guard behind a buffer, whose size is that of the largest pages, and what is said of the signal."""
    source = tmp_path / "beyond.hip"
    source.write_text(
        "#include <hip/hip_runtime.h>\n#include <cstdio>\n"
        "__global__ void beyond(int* a, int n) { a[threadIdx.x + n] = 1; }\n"
        "int main() { int* a; if (hipMalloc(&a, 1024)) return 3;\n"
        "  beyond<<<1, 64>>>(a, 192); if (hipGetLastError()) return 4;\n"
        '  beyond<<<1, 64>>>(a, 193); printf("%s\\n", hipGetErrorName(hipGetLastError())); }\n')
    done = run(source, cross, tmp_path, 64)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split() == ["hipErrorIllegalAddress"]
    assert "byte offset 1024 of a 1024-byte buffer, block (0,0,0) thread (63,0,0)" in done.stderr
