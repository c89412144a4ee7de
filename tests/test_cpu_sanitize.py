"""The sanitizers: overflows of shared memory, races between threads of the GPU, undefined behaviour."""

import pytest

from tests.cpu.support import ENGINE, build, script

SCRIPT = """
import ctypes
from pathlib import Path
from hipify_py.validate.device import Device, DeviceError
device = Device.open()
module = device.load(Path({path!r}))
buffers = [device.malloc(64 * 64 * 4) for _ in range({buffers})]
device.launch(module.function({name!r}), grid={grid}, block={block}, arguments=[*buffers, *(ctypes.c_int(n) for n in {numbers})])
print("finished")
"""


def run(sanitize, name, *, buffers=1, grid=(1, 1, 1), block=(64, 1, 1), numbers=(), wave=64):
    device_module = build.build_module(ENGINE, wave=wave, sanitize=sanitize)
    text = SCRIPT.format(path=str(device_module), name=name, buffers=buffers, grid=grid, block=block, numbers=numbers)
    try:
        environment = build.sanitizer_environment(sanitize)
    except build.BuildError as error:
        pytest.skip(str(error))
    return script(text, **environment)


def line_of(text, after="", nth=0):
    """The number of a line of the source."""
    lines = ENGINE.read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if after in line)
    return [number + 1 for number, line in enumerate(lines) if number >= start and text in line][nth]


pytestmark = pytest.mark.slow


def test_shared_overflow_is_found_with_its_line():
    status, _, err = run("address", "shared_overflow", block=(128, 1, 1))
    assert status != 0 and "AddressSanitizer: use-after-poison" in err
    assert f"engine.hip:{line_of('s[threadIdx.x] = 1', 'void shared_overflow')}" in err


def test_global_overflow_is_found_with_its_line():
    status, _, err = run("address", "off_by_one", block=(1024, 1, 1), grid=(5, 1, 1), numbers=(4096,))
    assert status != 0 and "engine.hip:" + str(line_of("void off_by_one")) in err


@pytest.mark.parametrize(
    "case",
    [
        ("with_barrier", {"block": (256, 1, 1)}),
        ("matmul", {"buffers": 3, "grid": (4, 4, 1), "block": (16, 16, 1), "numbers": (64,)}),
        ("wave_sum", {"buffers": 2, "grid": (16, 1, 1), "block": (256, 1, 1), "numbers": (4096,)}),
        ("tiles", {"block": (96, 1, 1)}),
    ],
)
@pytest.mark.parametrize("sanitize", ["address", "thread", "undefined"])
def test_right_kernels_are_left_alone(sanitize, case):
    name, arguments = case
    status, out, err = run(sanitize, name, **arguments)
    assert (status, out) == (0, "finished\n"), err[:2000]
    assert err.strip() == ""


def test_a_missing_barrier_is_found_with_its_line():
    status, _, err = run("thread", "no_barrier", block=(256, 1, 1))
    assert status != 0 and "ThreadSanitizer: data race" in err
    assert f"engine.hip:{line_of('s[t] = t', 'void no_barrier')}" in err
    assert f"engine.hip:{line_of('x[t] = s', 'void no_barrier')}" in err


def test_a_missing_second_barrier_is_found():
    status, _, err = run("thread", "no_second_barrier", buffers=3, grid=(2, 2, 1), block=(16, 16, 1), numbers=(32,))
    assert status != 0 and "ThreadSanitizer: data race" in err and "no_second_barrier" in err


def test_a_race_between_blocks_is_found():
    status, _, err = run("thread", "cross_block", grid=(4, 1, 1))
    assert status != 0 and f"engine.hip:{line_of('void cross_block')}" in err


def test_undefined_behaviour_is_found():
    status, _, err = run("undefined", "shift", numbers=(40,))
    assert status == 0 and f"engine.hip:{line_of('void shift')}" in err and "shift exponent 40" in err
