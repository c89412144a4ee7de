"""The engine of the CPU device: barriers, collectives, shared memory, faults, at both wave sizes."""

import ctypes

import pytest

from tests.cpu.support import ENGINE, build, c_int, device, error_name, module, np, run, script

WAVES = (32, 64)
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(params=WAVES, autouse=True)
def wave(request):
    return request.param


def test_add_over_many_blocks(wave, rng):
    a, b = rng.random(100_003, dtype=np.float32), rng.random(100_003, dtype=np.float32)
    c = np.zeros_like(a)
    run("add", wave, [a, b, c, c_int(a.size)], grid=(a.size + 255) // 256, block=256)
    assert np.array_equal(c, a + b)


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def test_tiled_matmul(wave, rng):
    a, b = rng.random((64, 64), dtype=np.float32), rng.random((64, 64), dtype=np.float32)
    c = np.zeros_like(a)
    run("matmul", wave, [a, b, c, c_int(64)], grid=(4, 4), block=(16, 16))
    assert np.allclose(c, a @ b, rtol=1e-5)


def test_sum_by_shuffles(wave, rng):
    x, out = rng.random(5000, dtype=np.float32), np.zeros(1, np.float32)
    run("wave_sum", wave, [x, out, c_int(x.size)], grid=20, block=256)
    assert np.isclose(out[0], x.sum(dtype=np.float64), rtol=1e-5)


def test_a_hard_coded_32_shows_at_64(wave):
    x, out = np.arange(64, dtype=np.int32), np.zeros(1, np.int32)
    run("hard_coded_32", wave, [x, out], block=64)
    assert (out[0] == x.sum()) == (wave == 32)


def test_dynamic_shared_memory(wave, rng):
    x = rng.random(512, dtype=np.float32)
    y = np.zeros_like(x)
    run("reverse", wave, [x, y], grid=2, block=256, shared=1024)
    assert np.array_equal(y.reshape(2, 256), x.reshape(2, 256)[:, ::-1])


def test_divergent_collectives_go_in_the_order_of_the_source(wave):
    (out,) = run("diverge", wave, [np.zeros(128, np.int32)], block=128)
    assert list(out) == [
        (wave // 2 * 1000 if t & 1 else 0) + sum((t // wave * wave + k) % 3 == 0 for k in range(wave)) for t in range(128)
    ]
    (out,) = run("loop_diverge", wave, [np.zeros(64, np.int32)], block=64)
    assert list(out) == [sum(wave * (4 - i) // 4 for i in range(t % 4 + 1)) for t in range(64)]


def test_shuffles(wave):
    n = 128
    (out,) = run("shuffles", wave, [np.zeros(8 * n, np.int32)], block=n)
    rows = out.reshape(8, n)
    t = np.arange(n)
    lane, base = t % wave, t // wave * wave
    assert np.array_equal(rows[0], base + 3)
    assert np.array_equal(rows[1], np.where(lane < 2, t, t - 2))
    assert np.array_equal(rows[2], np.where(lane + 2 >= wave, t, t + 2))
    assert np.array_equal(rows[3], t ^ 1)
    assert np.array_equal(rows[4], t // 8 * 8 + 1)
    assert np.array_equal(rows[5], base + 5)
    assert np.array_equal(rows[6], np.where(t % 16 + 4 >= 16, t, t + 4))
    assert np.array_equal(rows[7], base + 7)


def test_votes(wave):
    n = 128
    (out,) = run("votes", wave, [np.zeros(8 * n, np.uint64)], block=n)
    rows = out.reshape(8, n)
    lanes = range(wave)
    assert set(rows[0].tolist()) == {sum(1 << k for k in lanes if k % 2)}
    for t in range(n):
        first = t // wave * wave
        assert rows[1][t] == (first <= 40 < first + wave)
        assert rows[2][t] == (first + wave <= 40)
        assert rows[3][t] == 2**wave - 1
        assert rows[4][t] == sum(1 << k for k in lanes if k % 4 == t % 4)
        assert rows[5][t] == 1
        assert rows[6][t] == sum(range(first, first + wave))
        assert rows[7][t] == t % wave * 101


def test_barriers_that_count(wave):
    (out,) = run("counted_barriers", wave, [np.zeros(300, np.int32)], block=100)
    assert set(out[:100]) == {34}
    assert set(out[100:200]) == {1}
    assert set(out[200:]) == {1}
    (out,) = run("counted_barriers", wave, [np.zeros(384, np.int32)], block=128)
    assert set(out[128:256]) == {0}


def test_atomics_over_blocks(wave):
    ints = np.array([0, 0, 0, 0, 0, -1, 0, 0], np.int32)
    f, u, d = np.zeros(1, np.float32), np.zeros(1, np.uint32), np.zeros(1, np.float64)
    run("atomics", wave, [ints, f, u, d], grid=50, block=128)
    n = 50 * 128
    assert list(ints) == [n, -2 * n, n - 1, -127, 2**30 - 1, -16, 0, 3 * n]
    assert (f[0], u[0], d[0]) == (n / 2, n % 10, n / 4)


def test_variables_of_a_module(wave):
    own, loaded = device(), module(wave)
    address, size = loaded.variable("table")
    assert size == 16
    own.copy_to(address, np.array([5, 6, 7, 8], np.int32))
    (out,) = run("globals", wave, [np.zeros(8, np.int32)], block=8)
    assert list(out) == [50, 60, 70, 80] * 2
    address, size = loaded.variable("grid_of_floats")
    values = np.zeros((2, 3), np.float32)
    own.copy_from(values, address)
    assert size == 24 and values.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_grid_synchronisation(wave):
    n = 16 * 64
    (out,) = run("grid_reverse", wave, [np.zeros(n, np.int32), c_int(n)], grid=16, block=64, cooperative=True)
    assert np.array_equal(out, (np.arange(n) ** 2)[::-1])


def test_grid_synchronisation_needs_a_cooperative_launch(wave, capfd):
    assert (
        error_name(run, "grid_reverse", wave, [np.zeros(64, np.int32), c_int(64)], block=64)
        == "hipErrorCooperativeLaunchTooLarge"
    )
    assert "not cooperative" in capfd.readouterr().err


def test_too_many_blocks_for_a_cooperative_launch(wave):
    out = np.zeros(64, np.int32)
    assert (
        error_name(run, "grid_reverse", wave, [out, c_int(64)], grid=100000, block=1024, cooperative=True)
        == "hipErrorCooperativeLaunchTooLarge"
    )


def test_tiles(wave):
    (out,) = run("tiles", wave, [np.zeros(96, np.int32)], block=96)
    assert list(out) == [sum(range(t // 8 * 8, t // 8 * 8 + 8)) + 8000 + 100000 * (t % 8 + 1) for t in range(96)]


def test_coalesced_threads(wave):
    (out,) = run("coalesced", wave, [np.zeros(64, np.int32)], block=64)
    for first in range(0, 64, wave):
        there = [t for t in range(first, first + wave) if t % 3 == 0]
        assert [out[t] for t in there] == [len(there) * 100 + rank for rank in range(len(there))]


def test_printf(wave, capfd):
    run("print", wave, [c_int(2)], grid=2, block=4)
    assert sorted(capfd.readouterr().out.splitlines()) == [f"thread {t} of block {b}" for t in (0, 1) for b in (0, 1)]


def test_assertion(wave, capfd):
    run("check", wave, [c_int(64)], block=64)
    assert error_name(run, "check", wave, [c_int(40)], block=64) == "hipErrorAssert"
    message = capfd.readouterr().err
    assert "device-side assertion `threadIdx.x < limit' failed" in message
    assert "block (0,0,0) thread (40,0,0)" in message and "engine.hip" in message
    run("check", wave, [c_int(64)], block=64)


@pytest.mark.parametrize(
    ("name", "argument", "message"),
    [
        (
            "off_by_one",
            c_int(100),
            "kernel off_by_one: out-of-bounds access at byte offset 400 of a 400-byte buffer, block (0,0,0) thread (100,0,0)",
        ),
        ("before", None, "kernel before: out-of-bounds access at byte offset -20000 of a 400-byte buffer"),
    ],
)
def test_out_of_bounds(wave, capfd, name, argument, message):
    buffer = np.zeros(100, np.float32)
    arguments = [buffer] if argument is None else [buffer, argument]
    assert error_name(run, name, wave, arguments, block=128) == "hipErrorIllegalAddress"
    assert message in capfd.readouterr().err
    test_add_over_many_blocks(wave, np.random.default_rng(1))  # the device goes on


def test_a_fault_is_told_once_more_by_the_next_synchronization(wave, capfd):
    arguments = [np.zeros(100, np.float32), c_int(100)]
    for call in (["hipDeviceSynchronize"], ["hipStreamSynchronize", None]):
        assert error_name(run, "off_by_one", wave, arguments, block=128) == "hipErrorIllegalAddress"
        assert error_name(device().call, *call) == "hipErrorIllegalAddress"
        device().call(*call)
    assert error_name(run, "off_by_one", wave, arguments, block=128) == "hipErrorIllegalAddress"
    test_add_over_many_blocks(wave, np.random.default_rng(1))
    device().call("hipDeviceSynchronize")  # a GPU would go on telling; here the next launch is a fresh start
    capfd.readouterr()


def test_out_of_bounds_in_a_far_block_on_another_thread(wave, capfd):
    n = 1 << 16
    assert (
        error_name(run, "off_by_one", wave, [np.zeros(n, np.float32), c_int(n)], grid=n // 64 + 1, block=64)
        == "hipErrorIllegalAddress"
    )
    assert f"byte offset {4 * n} of a {4 * n}-byte buffer, block ({n // 64},0,0) thread (0,0,0)" in capfd.readouterr().err


def test_freed_and_null_pointers(wave, capfd):
    own = device()
    pointer = own.malloc(4096)
    own.free(pointer)
    function = module(wave).function("null_pointer")
    assert (
        error_name(own.launch, function, grid=(1, 1, 1), block=(8, 1, 1), arguments=[ctypes.c_void_p(int(pointer))])
        == "hipErrorIllegalAddress"
    )
    assert "byte offset 0 of a 4096-byte buffer that has been freed" in capfd.readouterr().err
    assert (
        error_name(own.launch, function, grid=(1, 1, 1), block=(8, 1, 1), arguments=[ctypes.c_void_p(0)])
        == "hipErrorIllegalAddress"
    )
    assert "illegal address" in capfd.readouterr().err


def test_faults_that_are_no_access(wave, capfd):
    assert error_name(run, "divide", wave, [np.zeros(8, np.int32), c_int(0)], block=8) == "hipErrorLaunchFailure"
    assert "integer division by zero" in capfd.readouterr().err
    assert error_name(run, "trap", wave, [], block=8) == "hipErrorLaunchFailure"
    assert "trap, block (0,0,0) thread (3,0,0)" in capfd.readouterr().err


def test_stack_overflow(wave, capfd):
    assert error_name(run, "recurse", wave, [np.zeros(4, np.int32)], block=2) == "hipErrorIllegalAddress"
    assert "stack overflow" in capfd.readouterr().err


def test_dynamic_shared_memory_ends_where_it_ends(wave, capfd):
    assert (
        error_name(run, "dynamic_overflow", wave, [np.zeros(512, np.float32)], block=257, shared=1024) == "hipErrorIllegalAddress"
    )
    assert "byte offset 1024 of 1024 bytes of dynamic shared memory, block (0,0,0) thread (256,0,0)" in capfd.readouterr().err


def test_divergent_barrier(wave, capfd):
    assert error_name(run, "divergent_barrier", wave, [np.zeros(64, np.float32)], block=64) == "hipErrorLaunchFailure"
    assert "threads wait at different barriers (lines" in capfd.readouterr().err


def test_threads_that_end_before_a_barrier_are_named(wave, capfd):
    (out,) = run("early_exit", wave, [np.zeros(64, np.int32)], block=64)
    assert out.sum() == 48
    assert "16 of 64 threads had ended" in capfd.readouterr().err


def test_lanes_that_a_mask_names_must_come(wave, capfd):
    assert error_name(run, "missing_lanes", wave, [np.zeros(32, np.int32)], block=32) == "hipErrorLaunchFailure"
    assert "lanes 0xffff0000" in capfd.readouterr().err


def test_fresh_memory_is_poison(wave):
    own = device()
    pointer = own.malloc(100)
    values = np.zeros(100, np.uint8)
    own.copy_from(values, pointer)
    own.free(pointer)
    assert set(values) == {0xA5}
    (out,) = run("stale_shared", wave, [np.zeros(64, np.uint32)], grid=4, block=64)
    assert set(out) == {0xA5A5A5A5}


def test_clock(wave):
    (out,) = run("clocks", wave, [np.zeros(2, np.int64)])
    assert out[0] > 0 and 0 <= out[1] < 10**9


def test_packed_arguments(wave):
    class Pair(ctypes.Structure):
        _fields_ = (("a", ctypes.c_char), ("b", ctypes.c_double))

    (out,) = run("packed", wave, [ctypes.c_char(3), ctypes.c_double(2.5), Pair(4, 1.25), ctypes.c_short(-7), np.zeros(5)])
    assert list(out) == [3, 2.5, 4, 1.25, -7]


def test_names_of_functions(wave):
    loaded = module(wave)
    for name in ("scaled<float, 3>", "inner::scaled<float,3>", "_ZN5inner6scaledIfLi3EEEvPT_"):
        out = np.zeros(4, np.float32)
        own = device()
        pointer = own.upload(out)
        own.launch(loaded.function(name), grid=(1, 1, 1), block=(4, 1, 1), arguments=[pointer])
        own.copy_from(out, pointer)
        own.free(pointer)
        assert list(out) == [0, 3, 6, 9]
    assert error_name(loaded.function, "nothing") == "hipErrorNotFound"


def test_three_dimensions(wave):
    (out,) = run("three_dimensions", wave, [np.zeros(8 * 24, np.int32)], grid=(2, 2, 2), block=(4, 3, 2))
    assert list(out) == [x + 10 * y + 100 * z + 1000 * b for b in range(8) for z in range(2) for y in range(3) for x in range(4)]


def test_launches_from_host_code(wave):
    own = device()
    library = ctypes.CDLL(str(build.build_module(ENGINE, wave=wave)))
    x = np.concatenate([np.arange(8, dtype=np.float32), np.zeros(8, np.float32)])
    pointer = own.upload(x)
    library.host_launch.argtypes = [ctypes.c_void_p, ctypes.c_int]
    assert library.host_launch(int(pointer), 8) == 0
    own.copy_from(x, pointer)
    own.free(pointer)
    assert list(x[:8]) == [4 * t for t in range(8)]
    assert list(x[8:].view(np.int32)) == [t + 8 for t in range(8)]
    values = (ctypes.c_int * 4)()
    assert library.host_symbol(values) == 0 and list(values) == [9, 8, 7, 6]


@pytest.mark.parametrize(("grid", "block", "shared"), [(0, 64, 0), (1, 0, 0), (1, 1025, 0), (1, (1024, 2), 0), (1, 64, 1 << 20)])
def test_launches_that_no_device_takes(wave, grid, block, shared):
    assert error_name(run, "print", wave, [c_int(0)], grid=grid, block=block, shared=shared) == "hipErrorInvalidConfiguration"


def test_one_thread_and_many_agree(wave):
    text = f"""
import ctypes, numpy as np
from tests.cpu.support import run, c_int
out = np.zeros(1, np.float32); x = np.arange(4096, dtype=np.float32) % 7
run("wave_sum", {wave}, [x, out, c_int(4096)], grid=16, block=256)
print(out[0])
"""
    answers = {script(text, HIPIFY_PY_CPU_THREADS=str(n))[1] for n in (1, 2, 5)}
    assert answers == {str(float((np.arange(4096) % 7).sum())) + "\n"}
