"""The kernels under kernels/, translated, on the CPU device: the same as numpy at both wave sizes."""

import ctypes
from functools import cache

import pytest

import hipify_py
from tests.cpu.support import REPOSITORY, build, c_int, device, np

f32 = np.float32
INSTANCES = {
    "dot": ("dot_kernel<float, 256>", "dot_kernel<double, 128>"),
    "layernorm": ("layernorm_forward_kernel<float>",),
    "stencil": ("stencil7<32, 8>",),
}


@pytest.fixture(params=[32, 64])
def wave(request):
    return request.param


@pytest.fixture
def rng():
    return np.random.default_rng(11)


@cache
def module(name, wave):
    source = (REPOSITORY / "kernels" / name / "kernel.cu").read_bytes()
    text = hipify_py.translate(source).text
    return device().load(build.build_module(text, wave=wave, instances=INSTANCES.get(name, ()), name=f"{name}.hip"))


def launch(kernel, wave, arguments, grid, block, shared=0, function=None):
    own = device()
    wide = lambda n: (*n, 1, 1)[:3] if isinstance(n, tuple) else (n, 1, 1)  # noqa: E731
    buffers = [own.upload(a) if isinstance(a, np.ndarray) else a for a in arguments]
    own.launch(
        module(kernel, wave).function(function or kernel), grid=wide(grid), block=wide(block), arguments=buffers, shared=shared
    )
    for array, buffer in zip(arguments, buffers, strict=True):
        if isinstance(array, np.ndarray):
            own.copy_from(array, buffer)
            own.free(buffer)


def test_all_kernels_build(wave):
    names = sorted(path.parent.name for path in (REPOSITORY / "kernels").glob("*/kernel.cu"))
    assert len(names) >= 12
    for name in names:
        assert module(name, wave)


@pytest.mark.parametrize("n", [1, 255, 10_000])
def test_add(wave, rng, n):
    a, b, c = rng.random(n, f32), rng.random(n, f32), np.zeros(n, f32)
    launch("add", wave, [a, b, c, c_int(n)], (n + 255) // 256, 256)
    assert np.array_equal(c, a + b)


@pytest.mark.parametrize(("m", "n", "k"), [(16, 16, 16), (33, 50, 70), (1, 1, 100)])
def test_matmul(wave, rng, m, n, k):
    a, b, c = rng.random((m, k), f32), rng.random((k, n), f32), np.zeros((m, n), f32)
    launch("matmul", wave, [a, b, c, c_int(m), c_int(n), c_int(k)], ((n + 15) // 16, (m + 15) // 16), (16, 16))
    assert np.allclose(c, a @ b, rtol=1e-5)


@pytest.mark.parametrize("radius", [1, 3])
def test_conv2d(wave, rng, radius):
    h, w, size = 37, 50, 2 * radius + 1
    image, filter_, out = rng.random((h, w), f32), rng.random((size, size), f32), np.zeros((h, w), f32)
    own = device()
    address, _ = module("conv2d", wave).variable("d_filter")
    own.copy_to(address, filter_)
    span = 16 + 2 * radius
    launch(
        "conv2d",
        wave,
        [image, out, c_int(w), c_int(h), c_int(radius)],
        ((w + 15) // 16, (h + 15) // 16),
        (16, 16),
        span * span * 4,
    )
    padded = np.pad(image, radius)
    expected = sum(filter_[y, x] * padded[y : y + h, x : x + w] for y in range(size) for x in range(size))
    assert np.allclose(out, expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("kind", "block", "name"), [(f32, 256, "dot_kernel<float, 256>"), (np.float64, 128, "dot_kernel<double, 128>")]
)
def test_dot(wave, rng, kind, block, name):
    x, y, partial = rng.random(5000).astype(kind), rng.random(5000).astype(kind), np.zeros(8, kind)
    launch("dot", wave, [x, y, partial, c_int(x.size)], 8, block, function=name)
    assert np.isclose(partial.sum(), x @ y, rtol=1e-5 if kind is f32 else 1e-12)


def test_half_axpy(wave, rng):
    n = 1001
    x, y = rng.random(n).astype(np.float16), rng.random(n).astype(np.float16)
    a = np.float16(1.25)
    expected = (np.float64(a) * x + y).astype(np.float16)
    launch("half_axpy", wave, [c_int(n), ctypes.c_uint16(int(a.view(np.uint16))), x, y], 2, 256, function="haxpy")
    assert np.array_equal(y, expected)
    floats = rng.normal(size=n).astype(f32) * 1000
    halves, back = np.zeros(n, np.float16), np.zeros(n, f32)
    launch("half_axpy", wave, [c_int(n), floats, halves], 4, 256, function="to_half")
    assert np.array_equal(halves, floats.astype(np.float16))
    launch("half_axpy", wave, [c_int(n), halves, back], 4, 256, function="to_float")
    assert np.array_equal(back, halves.astype(f32))


def test_histogram(wave, rng):
    data, bins = rng.integers(0, 256, 50_000).astype(np.uint8), np.zeros(256, np.uint32)
    launch("histogram", wave, [data, bins, ctypes.c_ulonglong(data.size)], 8, 256, function="histogram256")
    assert np.array_equal(bins, np.bincount(data, minlength=256))


def test_layernorm(wave, rng):
    rows, cols = 5, 300
    x, gamma, beta = rng.normal(size=(rows, cols)).astype(f32), rng.random(cols, f32), rng.random(cols, f32)
    out, mean, rstd = np.zeros_like(x), np.zeros(rows, f32), np.zeros(rows, f32)
    launch(
        "layernorm",
        wave,
        [out, mean, rstd, x, gamma, beta, c_int(cols), ctypes.c_float(1e-5)],
        rows,
        128,
        function="layernorm_forward_kernel<float>",
    )
    m, v = x.mean(1, dtype=np.float64), x.var(1, dtype=np.float64)
    assert np.allclose(out, (x - m[:, None]) / np.sqrt(v[:, None] + 1e-5) * gamma + beta, atol=1e-5)
    assert np.allclose(mean, m, atol=1e-6) and np.allclose(rstd, 1 / np.sqrt(v + 1e-5), rtol=1e-5)


def test_nbody(wave, rng):
    n = 200
    bodies = rng.normal(size=(n, 8)).astype(f32)
    bodies[:, 3] = rng.random(n, f32)
    out = np.zeros_like(bodies)
    launch(
        "nbody",
        wave,
        [bodies, out, c_int(n), ctypes.c_float(0.01), ctypes.c_float(0.1)],
        2,
        128,
        128 * 16,
        function="nbody::integrate",
    )
    p = bodies[:, :3].astype(np.float64)
    d = p[None] - p[:, None]
    inv = 1 / np.sqrt((d**2).sum(2) + 0.1)
    v = bodies[:, 4:7] + 0.01 * (d * (bodies[None, :, 3] * inv**3)[:, :, None]).sum(1)
    assert np.allclose(out[:, 4:7], v, atol=1e-3) and np.allclose(out[:, :3], p + 0.01 * v, atol=1e-3)


def test_pipeline(wave, rng):
    v = rng.normal(size=(777, 4)).astype(f32)
    expected = v / np.sqrt((v.astype(np.float64) ** 2).sum(1, keepdims=True) + 1e-12)
    launch("pipeline", wave, [v, c_int(777)], 4, 256, function="normalise")
    assert np.allclose(v, expected, rtol=1e-5)


def test_reduction(wave, rng):
    x, out = rng.random(100_000, f32), np.zeros(16, f32)
    launch("reduction", wave, [x, out, ctypes.c_size_t(x.size)], 16, 256, function="reduce_sum")
    assert np.isclose(out.sum(dtype=np.float64), x.sum(dtype=np.float64), rtol=1e-5)


@pytest.mark.parametrize("n", [1, 1000, 1024])
def test_scan(wave, rng, n):
    x = rng.integers(-50, 50, n).astype(np.int32)
    expected, sums = np.concatenate([[0], np.cumsum(x)[:-1]]), np.zeros(1, np.int32)
    total = x.sum()
    launch("scan", wave, [x, sums, c_int(n)], 1, 512, function="scan_blocks")
    assert np.array_equal(x, expected) and sums[0] == total


@pytest.mark.parametrize("cols", [7, 300])
def test_softmax(wave, rng, cols):
    x, out = rng.normal(size=(6, cols)).astype(f32), np.zeros((6, cols), f32)
    launch("softmax", wave, [out, x, c_int(6), c_int(cols)], 6, 64, 256, function="softmax_kernel")
    e = np.exp(x - x.max(1, keepdims=True))
    assert np.allclose(out, e / e.sum(1, keepdims=True), rtol=1e-5)


def test_spmv(wave, rng):
    class Csr(ctypes.Structure):
        _fields_ = (
            ("rows", ctypes.c_int),
            ("row_start", ctypes.c_void_p),
            ("column", ctypes.c_void_p),
            ("value", ctypes.c_void_p),
        )

    dense = rng.random((40, 30)) * (rng.random((40, 30)) < 0.2)
    rows, columns = np.nonzero(dense)
    start = np.searchsorted(rows, np.arange(41)).astype(np.int32)
    own = device()
    buffers = [own.upload(a) for a in (start, columns.astype(np.int32), dense[rows, columns])]
    x, y = rng.random(30), np.zeros(40)
    launch("spmv", wave, [Csr(40, *(int(b) for b in buffers)), x, y], 1, 64, function="spmv_csr")
    for buffer in buffers:
        own.free(buffer)
    assert np.allclose(y, dense @ x)


def test_stencil(wave, rng):
    class Coefficients(ctypes.Structure):
        _fields_ = (("centre", ctypes.c_float), ("neighbour", ctypes.c_float))

    nz, ny, nx = 5, 19, 40
    a, out = rng.random((nz, ny, nx), f32), np.zeros((nz, ny, nx), f32)
    launch(
        "stencil",
        wave,
        [a, out, c_int(nx), c_int(ny), c_int(nz), Coefficients(0.4, 0.1)],
        (2, 3),
        (32, 8),
        function="stencil7<32, 8>",
    )
    p = np.pad(a, 1).astype(np.float64)
    near = (
        p[2:, 1:-1, 1:-1] + p[:-2, 1:-1, 1:-1] + p[1:-1, 2:, 1:-1] + p[1:-1, :-2, 1:-1] + p[1:-1, 1:-1, 2:] + p[1:-1, 1:-1, :-2]
    )
    assert np.allclose(out, 0.4 * a + 0.1 * near, rtol=1e-5)


def test_transpose(wave, rng):
    a, out = rng.random((45, 70), f32), np.zeros((70, 45), f32)
    launch("transpose", wave, [out, a, c_int(70), c_int(45)], (3, 2), (32, 8))
    assert np.array_equal(out, a.T)
