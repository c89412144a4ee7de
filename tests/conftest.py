"""What tests share: the compiler for AMD GPUs, the golden files and the kernels of the repository.

hipcc is looked for once. Where it is missing, the tests that ask for it are skipped; with
``HIPIFY_REQUIRE_HIPCC=1`` in the environment, as in ``.ci/run``, they fail instead. ``HIPCC`` names another hipcc;
``HIPCC_CURRENT`` a second one, of HIP 6.4 or later, for what the distributions' older ones cannot compile
(``tools/current-hipcc.sh`` makes one).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import count
from pathlib import Path

import hypothesis
import pytest

from hipify_py import caches
from hipify_py.settings import Settings, Syntax, Version

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"
KERNELS = ROOT / "kernels"

#: hipcc turns to NVIDIA by itself where it sees nvcc, and to the GPU of the machine where it sees one.
OFFLOAD_ARCH = "gfx90a"
HIPCC_ENVIRONMENT = {"HIP_PLATFORM": "amd"}
#: An empty value and "0" mean no.
REQUIRE_HIPCC = "HIPIFY_REQUIRE_HIPCC"
COMPILE_TIMEOUT = 300

_MARKER = re.compile(rb"^[ \t]*//[ \t]*golden:[ \t]*([^\r\n]*?)[ \t]*\r?$", re.MULTILINE)
_COMPILE_MARKERS = {"no-compile", "newer-hip"}
_SYNTAX_FIELDS = {"launch_syntax", "thread_indices"}


class CompileError(AssertionError):
    """hipcc refused a file; the text holds its first errors."""


@dataclass(frozen=True)
class Compiler:
    """A hipcc that compiles for gfx90a, host and device side, into a folder for what it makes."""

    hipcc: str
    folder: Path

    def __call__(self, source: Path | bytes, flags: Sequence[str] = (), *, cwd: Path | None = None) -> None:
        """Compile one source (a path, or its bytes) with more ``flags``, in ``cwd`` (default: beside the source).

        Raises:
            CompileError: hipcc refuses it; with its first errors.
        """
        if isinstance(source, bytes):
            path = self.folder / "source.hip"
            path.write_bytes(source)
        else:
            path = source.resolve()
        command = [self.hipcc, f"--offload-arch={OFFLOAD_ARCH}", "-std=c++17", "-w", *flags, "-c", str(path),
                   "-o", str(self.folder / "out.o")]
        result = subprocess.run(command, cwd=cwd or path.parent, env={**os.environ, **HIPCC_ENVIRONMENT},
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                                timeout=COMPILE_TIMEOUT, check=False)
        if result.returncode != 0:
            said = (result.stderr + result.stdout).splitlines()
            errors = [line for line in said if "error:" in line] or said
            raise CompileError(f"hipcc does not compile {path.name} for {OFFLOAD_ARCH} ({len(errors)} errors):\n"
                               + "\n".join(errors[:8]))


@dataclass(frozen=True)
class GoldenCase:
    """One ``tests/golden/<rule>/<case>.cu`` with its expected ``.hip`` and, where there are any, ``.diag``.

    Lines ``// golden: WORDS`` in the ``.cu`` say what is special about it:

    * ``no-compile``: no hipcc compiles the result (it is no whole program, or needs a hand);
    * ``newer-hip``: only a hipcc newer than 5.2 does;
    * ``NAME=VALUE``, several parted by blanks: settings, as ``launch_syntax=cuda unsafe_fixes=true rocm=6.2``.
    """

    source: Path

    @property
    def name(self) -> str:
        """``rule/case``, as test ids show it."""
        return self.source.relative_to(GOLDEN).with_suffix("").as_posix()

    @property
    def hip(self) -> Path:
        """Where the expected text lies."""
        return self.source.with_suffix(".hip")

    @property
    def diag(self) -> Path:
        """Where the expected diagnostics lie; a file that is not there means none."""
        return self.source.with_suffix(".diag")

    @cached_property
    def _markers(self) -> tuple[str, ...]:
        found = _MARKER.findall(self.source.read_bytes())
        return tuple(word for words in found for word in words.decode().split())

    @property
    def compiles(self) -> bool:
        """Whether a hipcc is expected to take the result."""
        return "no-compile" not in self._markers

    @property
    def newer_hip(self) -> bool:
        """Whether that takes a hipcc newer than 5.2."""
        return "newer-hip" in self._markers

    @property
    def settings(self) -> Settings:
        """The settings that the markers ask for."""
        known = {field.name: field.default for field in fields(Settings)}
        chosen: dict[str, object] = {}
        for marker in self._markers:
            if marker in _COMPILE_MARKERS:
                continue
            name, equals, value = marker.partition("=")
            if not equals or name not in known:
                raise ValueError(f"{self.source}: `// golden: {marker}` is neither a setting nor one of "
                                 f"{', '.join(sorted(_COMPILE_MARKERS))}")
            chosen[name] = _setting(name, value, known[name])
        return Settings(**chosen)  # type: ignore[arg-type]


def _setting(name: str, value: str, default: object) -> object:
    """The value of one setting, read from a marker."""
    if name in _SYNTAX_FIELDS:
        return Syntax(value)
    if name == "rocm":
        return Version.parse(value)
    if isinstance(default, bool):
        return {"true": True, "false": False}[value]
    if isinstance(default, tuple):
        return tuple(value.split(","))
    return value


def golden_cases() -> list[GoldenCase]:
    """Every golden pair, by name."""
    return [GoldenCase(path) for path in sorted(GOLDEN.glob("*/*.cu"))]


def kernel_sources() -> list[Path]:
    """Every ``kernels/<name>/kernel.cu``, by name."""
    return sorted(KERNELS.glob("*/kernel.cu"))


# Property tests share two slow cores with everything else: no deadline. CI draws the same examples every time.
hypothesis.settings.register_profile("project", deadline=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("project")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true",
                     help="write what the translator says now into tests/golden, instead of comparing")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "golden_case" in metafunc.fixturenames:
        cases = golden_cases()
        metafunc.parametrize("golden_case", cases, ids=[case.name for case in cases])
    if "kernel" in metafunc.fixturenames:
        sources = kernel_sources()
        metafunc.parametrize("kernel", sources, ids=[source.parent.name for source in sources])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs hipcc, so that ``-m 'not toolchain'`` leaves it out."""
    for item in items:
        if "hipcc" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.toolchain)


_NUMBERS = count()


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees what another one, or the person at this machine, has translated; what the CPU device built is shared."""
    shared = caches.folder()
    own = tmp_path_factory.getbasetemp() / "caches" / f"{next(_NUMBERS)}"
    own.mkdir(parents=True)
    for name in ("runtime", "modules", "tmp"):
        (shared / name).mkdir(parents=True, exist_ok=True)
        (own / name).symlink_to(shared / name)
    monkeypatch.setenv(caches.FOLDER, str(own))
    return own


@pytest.fixture(scope="session")
def hipcc() -> str:
    """The path of hipcc. Without one the test is skipped, or fails where the environment requires one."""
    wanted = os.environ.get("HIPCC") or "hipcc"
    found = shutil.which(wanted)
    if found is None:
        if os.environ.get(REQUIRE_HIPCC, "") not in ("", "0"):
            pytest.fail(f"`{wanted}` was not found and {REQUIRE_HIPCC} is set", pytrace=False)
        pytest.skip(f"`{wanted}` was not found: nothing is compiled for {OFFLOAD_ARCH}")
    return found


@pytest.fixture
def compile_hip(hipcc: str, tmp_path: Path) -> Compiler:
    """Compiles one HIP source for gfx90a with hipcc."""
    return Compiler(hipcc, tmp_path)


@pytest.fixture
def compile_hip_current(tmp_path: Path) -> Compiler:
    """The same with the current hipcc that ``HIPCC_CURRENT`` names; without one the test is skipped."""
    wanted = os.environ.get("HIPCC_CURRENT")
    if not wanted:
        pytest.skip("HIPCC_CURRENT names no current hipcc: what needs one is not compiled")
    found = shutil.which(wanted)
    if found is None:
        pytest.fail(f"HIPCC_CURRENT names `{wanted}`, which is no command", pytrace=False)
    return Compiler(found, tmp_path)
