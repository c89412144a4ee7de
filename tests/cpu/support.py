"""What the tests of the CPU device share: the runtime, modules, arrays on the device."""

import ctypes
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("hip", reason="hip-python is not installed")

from hipify_py.cpu import build  # noqa: E402
from hipify_py.validate import device as devices  # noqa: E402

HERE = Path(__file__).parent
REPOSITORY = HERE.parent.parent
ENGINE = HERE / "engine.hip"


@cache
def device():
    try:
        runtime = build.build_runtime()
    except build.BuildError as error:
        pytest.skip(str(error))
    devices.use_runtime(runtime)
    own = devices.Device.open()
    assert own.is_cpu, own.name
    return own


def module(wave, source=ENGINE, instances=()):
    return _module(wave, source, instances)


@cache
def _module(wave, source, instances):
    own = device()
    return own.load(build.build_module(source, wave=wave, instances=instances))


def run(name, wave, arguments, *, grid=1, block=1, shared=0, source=ENGINE, cooperative=False, instances=()):
    """Launch with numpy arrays, which come back as the kernel leaves them, and values of ctypes."""
    own = device()
    spread = lambda n: (*n, 1, 1)[:3] if isinstance(n, tuple) else (n, 1, 1)  # noqa: E731
    buffers = [(array, own.upload(array)) if isinstance(array, np.ndarray) else (None, array) for array in arguments]
    try:
        own.launch(
            module(wave, source, instances).function(name),
            grid=spread(grid),
            block=spread(block),
            shared=shared,
            arguments=[value for _, value in buffers],
            cooperative=cooperative,
        )
        for array, value in buffers:
            if array is not None:
                own.copy_from(array, value)
    finally:
        for array, value in buffers:
            if array is not None:
                own.free(value)
    return [array for array, _ in buffers if array is not None]


def script(text, **environment):
    """Run a script in a process of its own: (status, stdout, stderr)."""
    result = subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True,
        text=True,
        check=False,
        cwd=REPOSITORY,
        timeout=120,
        env={**os.environ, "ROCM_PATH": str(build.build_runtime()), "PYTHONPATH": str(REPOSITORY), **environment},
    )
    return result.returncode, result.stdout, result.stderr


def error_name(call, *arguments, **keywords):
    """The name of the error that a call raises; empty when it raises none."""
    try:
        call(*arguments, **keywords)
    except devices.DeviceError as error:
        return error.name
    return ""


c_int, c_char, c_short, c_double = ctypes.c_int, ctypes.c_char, ctypes.c_short, ctypes.c_double
