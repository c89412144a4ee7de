"""The examples, each built for real with hipcc for gfx90a, from a copy of its folder. Nothing is run on a GPU."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hipify_py.build import cmake_dir
from hipify_py.compat.torch_hipify import hipify
from tests.conftest import HIPCC_ENVIRONMENT, OFFLOAD_ARCH, ROOT

EXAMPLES = ROOT / "examples"
SCRIPTS = sysconfig.get_path("scripts")
ARCH = f"--offload-arch={OFFLOAD_ARCH}"


@pytest.fixture
def example(hipcc: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """A function that makes a copy of an example the current folder; the tools of this Python's environment come first."""
    for name, value in HIPCC_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    folder = Path(hipcc).parent
    monkeypatch.setenv("PATH", os.pathsep.join((SCRIPTS, str(folder), os.environ["PATH"])))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    tool("c++")
    for name in ("CXX", "CC", "CXXFLAGS", "LDFLAGS", "MAKEFLAGS", "HIPFLAGS", "CMAKE_PREFIX_PATH"):
        monkeypatch.delenv(name, raising=False)

    def copy(name: str) -> Path:
        target = tmp_path / "a project" / name if name != "make" else tmp_path / name  # Make takes no blanks
        shutil.copytree(EXAMPLES / name, target, ignore=shutil.ignore_patterns("build", "hip", "*.o", "*.so"))
        monkeypatch.chdir(target)
        return target
    return copy


def call(*command: str, **environment: str) -> str:
    done = subprocess.run(command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


def tool(name: str) -> str:
    """A tool of the build; where it is missing the test is skipped, or fails as one for hipcc does."""
    found = shutil.which(name)
    if found is None:
        if os.environ.get("HIPIFY_REQUIRE_HIPCC", "") not in ("", "0"):
            pytest.fail(f"`{name}` was not found", pytrace=False)
        pytest.skip(f"`{name}` was not found")
    return found


def toolchain(hipcc: str) -> list[str]:
    """What CMake needs to find HIP: nothing where AMD's ROCm is, our file where a distribution's is."""
    if Path(hipcc).resolve().is_relative_to("/usr"):
        return [f"-DCMAKE_TOOLCHAIN_FILE={cmake_dir() / 'HipFromDistribution.cmake'}"]
    return []


def is_for_gpu(path: Path) -> bool:
    """Whether a file holds code for the GPU that it was compiled for."""
    return OFFLOAD_ARCH.encode() in path.read_bytes()


def test_cmake_with_hip_as_a_language(example: Callable[[str], Path], hipcc: str) -> None:
    folder = example("cmake")
    cmake, ninja = tool("cmake"), tool("ninja")
    call(cmake, "-S", ".", "-B", "b", "-G", "Ninja", f"-DCMAKE_HIP_ARCHITECTURES={OFFLOAD_ARCH}",
         f"-DHipifyPy_PYTHON={sys.executable}", *toolchain(hipcc))
    call(ninja, "-C", "b")
    assert is_for_gpu(folder / "b" / "demo")
    assert "no work to do" in call(ninja, "-C", "b")
    header = folder / "src" / "check.cuh"
    time.sleep(0.05)
    os.utime(header)
    assert "Building HIP" not in call(ninja, "-C", "b")  # translated again, and still the same
    header.write_text(header.read_text().replace("%s:%d: %s", "%s, %d: %s"))
    assert "Building HIP" in call(ninja, "-C", "b")
    assert "no work to do" in call(ninja, "-C", "b")


def test_cmake_with_hipcc_as_compiler(example: Callable[[str], Path], hipcc: str) -> None:
    folder = example("cmake")
    cmake = tool("cmake")
    call(cmake, "-S", ".", "-B", "b", "-G", "Unix Makefiles", f"-DCMAKE_CXX_COMPILER={hipcc}", "-DUSE_HIP_LANGUAGE=OFF",
         f"-DCMAKE_CXX_FLAGS={ARCH}", f"-DHipifyPy_PYTHON={sys.executable}")
    call(cmake, "--build", "b")
    assert is_for_gpu(folder / "b" / "demo")
    time.sleep(0.05)
    os.utime(folder / "src" / "check.cuh")
    assert "Translating" in call(cmake, "--build", "b")
    assert "Translating" not in call(cmake, "--build", "b")


def test_make(example: Callable[[str], Path], hipcc: str) -> None:
    folder = example("make")
    make = (tool("make"), f"PYTHON={sys.executable}", f"HIPCC={hipcc}", f"HIPFLAGS=-O1 {ARCH}")
    call(*make)
    assert is_for_gpu(folder / "demo")
    assert "Nothing to be done" in call(*make)
    time.sleep(0.05)
    os.utime(folder / "src" / "check.cuh")
    said = call(*make)
    assert "saxpy.hip" in said
    assert "main.cpp" not in said.replace("main.cpp.o", "")
    assert "Nothing to be done" in call(*make)
    call(*make, "clean")
    assert not (folder / "hip").exists()


def test_meson(example: Callable[[str], Path], hipcc: str) -> None:
    folder = example("meson")
    call(tool("meson"), "setup", "b", f"-Dhip_args={ARCH}", CXX=hipcc)
    call(tool("ninja"), "-C", "b")
    assert is_for_gpu(folder / "b" / "demo")
    header = folder / "src" / "check.cuh"
    time.sleep(0.05)
    header.write_text(header.read_text().replace("%s:%d: %s", "%s, %d: %s"))
    assert "Compiling C++ object demo.p/meson-generated_saxpy" in call(tool("ninja"), "-C", "b")
    assert "no work to do" in call(tool("ninja"), "-C", "b")


def test_python_script(example: Callable[[str], Path]) -> None:
    folder = example("build-script")
    assert call(sys.executable, "build.py", "-O1", ARCH) == "build/libscale.so\n"
    assert is_for_gpu(folder / "build" / "libscale.so")
    assert (folder / "build" / "hip" / "src" / "scale.hip").is_file()


def test_setuptools(example: Callable[[str], Path], hipcc: str) -> None:
    if importlib.util.find_spec("setuptools") is None:
        pytest.skip("setuptools is not installed")
    folder = example("build-script")
    call(sys.executable, "setup.py", "build_ext", "--inplace", HIPCC=hipcc, HIP_ARCHITECTURES=OFFLOAD_ARCH)
    built = [*folder.glob("scaling*.so")]
    assert len(built) == 1
    assert is_for_gpu(built[0])
    # It loads; there is no GPU to run it on.
    assert call(sys.executable, "-c", "import scaling; print(scaling.scale.__doc__)") == "a * x, on the GPU\n"


def needs_torch(what: str) -> None:
    if importlib.util.find_spec("torch") is None:
        pytest.skip(f"PyTorch is not installed (PyPI has none for the CPU alone on Linux x86-64): {what}")


@pytest.mark.slow
def test_torch_extension_on_the_cpu(example: Callable[[str], Path]) -> None:
    needs_torch("the host part of its extension is not built")
    example("torch-extension")
    call(sys.executable, "setup.py", "build_ext", "--inplace")
    code = "import torch, gpu_relu; print(gpu_relu.relu(torch.tensor([-1.0, 2.0])).tolist())"
    assert call(sys.executable, "-c", code) == "[0.0, 2.0]\n"


#: PyTorch takes itself for one of ROCm, and says what it would compile.
_AS_ON_ROCM = """
import runpy, setuptools, torch
import torch.utils.cpp_extension as extensions
torch.version.hip, extensions.IS_HIP_EXTENSION, extensions.ROCM_HOME = "6.4.0", True, "/opt/rocm"
setuptools.setup = lambda **chosen: print(*sorted(chosen["ext_modules"][0].sources))
runpy.run_path("setup.py", run_name="__main__")
"""


@pytest.mark.slow
def test_torch_extension_as_on_rocm(example: Callable[[str], Path]) -> None:
    needs_torch("what CUDAExtension would compile for ROCm is not seen")
    folder = example("torch-extension")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    said = call(sys.executable, "-c", _AS_ON_ROCM).splitlines()
    assert said[-1] == "build/hip/src/bind.cpp build/hip/src/relu.hip"
    text = (folder / "build/hip/src/relu.hip").read_text()
    assert '#include "relu_hip.cuh"' in text
    assert "hipLaunchKernelGGL(relu_kernel, dim3((n + 255) / 256), dim3(256), 0, stream, n, " in text
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and "build" not in path.parts}
    assert after == {path: data for path, data in before.items() if "build" not in path.parts}


def test_torch_extensions_kernel(example: Callable[[str], Path], hipcc: str) -> None:
    """The kernel of the extension as CUDAExtension would have it translated, for a GPU; it needs nothing of PyTorch's."""
    folder = example("torch-extension")
    results = hipify(str(folder), output_directory=str(folder / "build/hip"), extra_files=["src/relu.cu", "src/bind.cpp"],
                     is_pytorch_extension=True, hipify_extra_files_only=True)
    assert {each.status for each in results.values()} == {"[ok]", "[skipped, no changes]"}
    (folder / "all.hip").write_text('#include "build/hip/src/relu_hip.cuh"\n')
    call(hipcc, ARCH, "-c", "all.hip", "-o", "all.o")
    assert is_for_gpu(folder / "all.o")


@pytest.fixture
def moved(example: Callable[[str], Path]) -> Path:
    """The CUDA builds of examples/build-files, sources and build files moved to HIP in place."""
    folder = example("build-files")
    hipify = (sys.executable, "-m", "hipify_py")
    call(*hipify, "-q", "-i", "src")
    files = ("CMakeLists.txt", "findcuda/CMakeLists.txt", "Makefile", "meson.build")
    call(*hipify, "build-files", "-q", "-i", "--offload-arch", OFFLOAD_ARCH, *files)
    before = [(folder / name).read_bytes() for name in files]
    call(*hipify, "build-files", "-q", "-i", "--offload-arch", OFFLOAD_ARCH, *files)
    assert [(folder / name).read_bytes() for name in files] == before
    return folder


@pytest.mark.parametrize("name", [".", "findcuda"])
def test_moved_cmake(moved: Path, hipcc: str, name: str) -> None:
    call(tool("cmake"), "-S", name, "-B", "b", "-G", "Ninja", *toolchain(hipcc))
    said = call(tool("ninja"), "-C", "b", "-v")
    assert "-ffast-math" in said
    assert said.count(ARCH) >= 1
    assert is_for_gpu(moved / "b" / "demo")


def test_moved_makefile(moved: Path) -> None:
    call(tool("make"))
    assert is_for_gpu(moved / "demo")


def test_moved_meson(moved: Path, hipcc: str) -> None:
    # The distribution's hip-config.cmake is too old for CMake 4 without this.
    environment = {"CXX": hipcc, "CMAKE_POLICY_VERSION_MINIMUM": "3.5"}
    call(tool("meson"), "setup", "b", **environment)
    call(tool("ninja"), "-C", "b", **environment)
    assert is_for_gpu(moved / "b" / "demo")


def test_dockerfile_is_linted() -> None:
    """No Docker runs here: its linter reads the file, and what it copies exists."""
    hadolint = shutil.which("hadolint", path=os.pathsep.join((SCRIPTS, os.environ["PATH"])))
    if hadolint is None:
        pytest.skip("hadolint is not installed")
    dockerfile = EXAMPLES / "docker" / "Dockerfile"
    call(hadolint, str(dockerfile))
    for line in dockerfile.read_text().splitlines():
        if line.startswith("COPY "):
            assert all((ROOT / name).exists() for name in line.split()[1:-1]), line


def test_pre_commit_example_names_our_hooks() -> None:
    yaml = pytest.importorskip("yaml")
    config = yaml.safe_load((EXAMPLES / "pre-commit" / ".pre-commit-config.yaml").read_text())
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert all(re.search(hook["files"], f"src/{name}") for hook in hooks for name in ("kernel.cu", "kernel.cuh"))
    assert not any(re.search(hook["files"], name) for hook in hooks for name in ("a.hip", "a.cu.txt", "acu", "a.cpp"))
    used = {hook["id"] for repo in config["repos"] for hook in repo["hooks"]}
    assert used
    assert used <= {hook["id"] for hook in hooks}


def test_the_commands_of_the_workflow(tmp_path: Path) -> None:
    """Each step that calls us, as it stands, first with stale translations and then with current ones."""
    yaml = pytest.importorskip("yaml")
    steps = yaml.safe_load((EXAMPLES / "github-actions" / "hipify.yml").read_text())["jobs"]["translate"]["steps"]
    ours = [step["run"] for step in steps if "hipify-py src" in step.get("run", "")]
    used = [step["with"][key] for step in steps for key in ("sarif_file", "path") if key in step.get("with", {})]
    shutil.copytree(ROOT / "kernels" / "add", tmp_path / "src")
    command = tmp_path / "bin" / "hipify-py"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hipify_py "$@"\n')
    command.chmod(0o755)
    environment = {**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
                   "HIPIFY_PY_CACHE": str(tmp_path / "cache")}

    def codes() -> list[int]:
        return [subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True,
                               check=False).returncode for script in ours]

    assert codes() == [0, 1]
    assert all((tmp_path / name).stat().st_size for name in used) and len(used) == 2
    assert not (tmp_path / "hip").exists()
    subprocess.run([command, "-q", "src", "--output-dir", "hip"], cwd=tmp_path, env=environment, check=True)
    assert codes() == [0, 0]


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir()))
def test_every_example_says_what_it_is(name: str) -> None:
    assert (EXAMPLES / name / "README.md").is_file()
