"""Inline PTX on the CPU device: each row of the table gives what the instruction gives, with 32 lanes and with 64."""

from __future__ import annotations

import math
import random
from functools import cache

import pytest

from hipify_py.settings import Version
from tests.cpu.support import build, device, devices, np
from tests.ptx_device import APPROXIMATE, NO_RESULT, half, inputs, is_approximate, is_here, number, outputs, run
from tests.ptx_programs import Row, function, rows
from tests.test_inline_ptx import translated_rows

THREADS, WORDS = 128, 8
ROWS = [row for row in rows() if is_here(row)]
FLOATS = (0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, -0.5, 3.0, 100.25, -7.75, 1e10, math.inf, -math.inf, math.nan)


@cache
def module(wave: int):
    text = translated_rows([function(row, index) for index, row in enumerate(ROWS)], rocm=Version(6, 4))
    kernels = "".join(
        f"__global__ void k{index}(unsigned long long *in, unsigned long long *out) {{\n"
        f"    f{index}(in + threadIdx.x * {WORDS}, out + threadIdx.x * {WORDS});\n}}\n" for index in range(len(ROWS)))
    return device().load(build.build_module((text + kernels).encode(), wave=wave, name="ptx.hip", optimize="-O0"))


def drawn(row: Row, draw: random.Random) -> list[int]:
    """The words of one lane."""
    words = [draw.getrandbits(64) for _ in range(WORDS)]
    for index, kind in enumerate(inputs(row)):
        words[index] = _word(row, kind, draw)
    return words


def _word(row: Row, kind: str, draw: random.Random) -> int:
    if kind in ("f32", "f64") and is_approximate(row):
        value = draw.uniform(0.01, 60.0) if "tanh" not in row.opcode else draw.uniform(-4.0, 4.0)
    elif kind in ("f32", "f64"):
        value = draw.choice(FLOATS) if draw.random() < 0.5 else draw.gauss(0, 50)
    elif kind == "pred":
        return int(draw.random() < 0.7)
    elif row.opcode.startswith("shfl") and kind == "s32":
        return draw.randrange(32)
    elif "f16" in row.opcode and kind in ("u16", "u32"):
        halves = [int(np.float16(draw.uniform(-4.0, 4.0)).view(np.uint16)) for _ in range(2)]
        return halves[0] | halves[1] << 16
    else:
        return draw.choice((0, 1, 5, 2**31, 2**32 - 1, 2**63, 2**64 - 1)) if draw.random() < 0.3 else draw.getrandbits(64)
    return int(np.float32(value).view(np.uint32) if kind == "f32" else np.float64(value).view(np.uint64))


def memory(row: Row, seed: int) -> list[list[int]]:
    draw = random.Random(seed)
    found = [drawn(row, draw) for _ in range(THREADS)]
    if row.opcode.startswith("vote") and len(inputs(row)) > 1:  # a mask of lanes is the same in all of them, itself included
        for words in found:
            words[1] = 2**32 - 1
    if row.opcode.startswith(("shfl",)) and any(word in row.opcode for word in ("bfly", "down", "up")):
        for index, words in enumerate(found):
            words[1] = found[index // 32 * 32][1]
    if row.opcode.startswith("atom") and ".cas" in row.opcode:
        for words in found[::2]:  # every other one is exchanged
            words[1] = words[0]
    return found


def launched(index: int, words: list[list[int]], wave: int) -> tuple[np.ndarray, np.ndarray]:
    own = device()
    arrays = np.array(words, np.uint64), np.zeros((THREADS, WORDS), np.uint64)
    buffers = [own.upload(array) for array in arrays]
    try:
        own.launch(module(wave).function(f"k{index}"), grid=(1, 1, 1), block=(THREADS, 1, 1), arguments=buffers)
        for array, buffer in zip(arrays, buffers, strict=True):
            own.copy_from(array, buffer)
    finally:
        own.free_all()
    return arrays


GEOMETRY = {
    "%laneid": [lane % 32 for lane in range(THREADS)],
    "%lanemask_eq": [1 << lane % 32 for lane in range(THREADS)],
    "%lanemask_lt": [(1 << lane % 32) - 1 for lane in range(THREADS)],
    "%lanemask_le": [(2 << lane % 32) - 1 for lane in range(THREADS)],
    "%lanemask_gt": [2**32 - (2 << lane % 32) for lane in range(THREADS)],
    "%lanemask_ge": [2**32 - (1 << lane % 32) for lane in range(THREADS)],
    **{f"%{name}.{axis}": [*range(THREADS)] if (name, axis) == ("tid", "x") else [size if axis == "x" else least] * THREADS
       for name, size, least in (("tid", 0, 0), ("ntid", THREADS, 1), ("ctaid", 0, 0), ("nctaid", 1, 1)) for axis in "xyz"},
}


def close(row: Row, got: int, wanted: int, kind: str) -> bool:
    """The same to the last bit; NaN is NaN, and 0 is 0; an approximation within its bounds."""
    if kind not in ("f32", "f64"):
        if is_approximate(row) and "f16" in row.opcode:
            halves = [(half(got >> shift), half(wanted >> shift)) for shift in (0, 16)]
            return all(math.isclose(a, b, rel_tol=APPROXIMATE, abs_tol=APPROXIMATE) for a, b in halves)
        return got == wanted
    a, b = number(got, kind), number(wanted, kind)
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return math.isclose(a, b, rel_tol=APPROXIMATE, abs_tol=APPROXIMATE) if is_approximate(row) else a == b


@pytest.mark.parametrize("wave", [32, 64])
def test_rows_do_what_ptx_does(wave: int) -> None:
    assert len(ROWS) > 1000
    wrong = []
    for index, row in enumerate(ROWS):
        words = memory(row, index)
        after, out = launched(index, words, wave)
        if len(row.specs) > 1 and row.specs[1] in NO_RESULT:
            continue
        wanted_out, wanted_after = run(row, words, GEOMETRY)
        for lane in range(THREADS):
            got = [int(word) for word in out[lane]]
            same = all(close(row, a, b, kind) for a, b, kind in zip(got, wanted_out[lane], outputs(row), strict=False))
            if not same or _changed(row, after[lane], wanted_after[lane]):
                wrong.append(f"{row.opcode} {' '.join(row.specs)}, lane {lane}: {[hex(each) for each in words[lane][:4]]} -> "
                             f"{[hex(each) for each in got[:2]]}, PTX: {[hex(each) for each in wanted_out[lane]]}")
                break
    assert wrong == [], f"{len(wrong)} rows"


def _changed(row: Row, got: np.ndarray, wanted: list[int]) -> bool:
    """Whether memory is not as it should be: a NaN's payload is free."""
    if row.opcode.endswith("add.f32"):
        return not close(row, int(got[0]), wanted[0], "f32") or int(got[0]) >> 32 != wanted[0] >> 32
    if row.opcode.endswith("add.f64"):
        return not close(row, int(got[0]), wanted[0], "f64")
    return [int(word) for word in got] != wanted


def test_trap_ends_the_launch() -> None:
    text = translated_rows(['__global__ void stop() { asm volatile("trap;"); }\n'])
    own = device()
    stop = own.load(build.build_module(text.encode(), wave=32, name="trap.hip")).function("stop")
    with pytest.raises(devices.DeviceError):
        own.launch(stop, grid=(1, 1, 1), block=(1, 1, 1), arguments=[])
