"""Validations from case files to their reports, on the CPU device: what is right passes, what is wrong is found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("hip", reason="hip-python is not installed")

import hipify_py  # noqa: E402
from hipify_py.cli import main  # noqa: E402
from hipify_py.validate import recorded  # noqa: E402
from hipify_py.validate.results import Kind, Status  # noqa: E402
from tests.conftest import KERNELS, ROOT  # noqa: E402

BROKEN = ROOT / "tests" / "broken"


@pytest.fixture
def case(tmp_path: Path):
    """Writes a case: kernel, case.toml, reference.py, more files."""
    def written(kernel: str, toml: str, reference: str = "", *, name: str = "mine", **files: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "kernel.cu").write_text(kernel)
        (folder / "case.toml").write_text(toml)
        if reference:
            (folder / "reference.py").write_text(reference)
        for file, text in files.items():
            (folder / file.replace("_h", ".cuh")).write_text(text)
        return folder
    return written


def run(path, **options):
    return hipify_py.validate(path, **{"device": "cpu", "targets": (), **options})


def cases() -> list[Path]:
    return sorted(KERNELS.glob("*/case*.toml"))


@pytest.mark.parametrize("path", cases(), ids=[f"{path.parent.name}-{path.stem}" for path in cases()])
def test_kernels_match_their_references_at_both_wave_sizes(path):
    report = run(path)
    assert report.findings == () and report.passed
    runs = report.cases[0].runs
    assert {each.wave for each in runs} == {32, 64} and all(each.comparisons for each in runs)
    assert report.evidence == "source-level, CPU device"


# What is wrong is found, with its line.

TWINS = [
    ("missing_barrier", "thread", Kind.RACE, "s[t] = in", "data race between two threads: write of 4 bytes at"),
    ("off_by_one", None, Kind.OUT_OF_BOUNDS, "out[i] = factor", "out-of-bounds access at byte offset 400 of a 400-byte buffer"),
    ("off_by_one", "address", Kind.OUT_OF_BOUNDS, "out[i] = factor", "byte offset 400 of a 400-byte buffer (AddressSanitizer"),
    ("hard_coded_32", None, Kind.WAVE_SIZE, "offset = 16", "not the same with waves of 32 and of 64 lanes"),
    ("wrong_formula", None, Kind.MISMATCH, "c[i] = ", "`c`: 1000 of 1000 elements differ, the first `c[0]` is"),
    ("hang", None, Kind.HANG, "while (flag[0] == 0)", "did not end within 1 s"),
    ("shared_overflow", "address", Kind.OUT_OF_BOUNDS, "s[threadIdx.x + 1]", "write of 4 bytes: access outside of shared memory"),
    ("undefined", "undefined", Kind.UNDEFINED, "in[i] << i", "shift exponent 32 is too large"),
]
THREADS = {"off_by_one": (100, 0, 0), "hang": (0, 0, 0), "shared_overflow": (63, 0, 0), "undefined": (32, 0, 0)}


@pytest.mark.parametrize(("name", "sanitize", "kind", "line", "words"), TWINS, ids=[f"{t[0]}-{t[1] or 'plain'}" for t in TWINS])
def test_broken_twins_are_found_with_their_line(name, sanitize, kind, line, words):
    report = run(BROKEN / name, sanitize=sanitize)
    assert not report.passed
    found = [each for each in report.findings if each.kind is kind]
    assert found and words in found[0].message and found[0].kernel
    place = found[0].places[0]
    text = (BROKEN / name / "kernel.cu").read_text().splitlines()
    assert Path(place.file).name == "kernel.cu" and line in text[place.line - 1], place
    if kind is Kind.RACE:
        # Which of two warps comes first is not for us to say: but it is one thread, and both lines are named.
        assert found[0].thread is not None and "out[blockIdx" in text[found[0].places[1].line - 1]
    elif name in THREADS:
        assert found[0].block == (0, 0, 0) and found[0].thread == THREADS[name]


@pytest.mark.parametrize("name", sorted({twin[0] for twin in TWINS} - {"hang"}))
def test_the_twins_differ_from_right_kernels_in_what_is_told_alone(name, tmp_path):
    """The same kernels, mended, pass the same checks."""
    mended = {
        "missing_barrier": ("// __syncthreads() belongs here", "__syncthreads();"), "off_by_one": ("i <= n", "i < n"),
        "hard_coded_32": ("threadIdx.x % warpSize", "threadIdx.x % 32"), "wrong_formula": ("1.0f + t", "1.0f - t"),
        "shared_overflow": ("int s[64]", "int s[65]"), "undefined": ("in[i] << i", "(int)((unsigned)in[i] << (i % 32))"),
    }
    folder = tmp_path / name
    folder.mkdir()
    for file in (BROKEN / name).iterdir():
        if file.is_file():
            text = file.read_text()
            if file.name == "kernel.cu":
                assert mended[name][0] in text
                text = text.replace(*mended[name])
            (folder / file.name).write_text(text)
    if name == "undefined":
        (folder / "reference.py").write_text("""\
import numpy as np


def reference():
    return (np.uint32(1) << (np.arange(64, dtype=np.uint32) % 32)).view(np.int32)
""")
    for sanitize in {twin[1] for twin in TWINS if twin[0] == name}:
        assert run(folder, sanitize=sanitize).findings == ()


def test_a_crash_costs_one_run(case):
    dies = case("__global__ void k(int *x) { *x = 1; }\n", """\
signature = "void k(int *x)"
sizes = [{ n = 1 }, { n = 2 }]
[launch]
grid = 1
block = 1
[outputs]
x = { shape = 1 }
""", "import os\nimport numpy as np\n\n\ndef reference(n):\n    if n == 1:\n        os.abort()\n    return np.ones(1)\n")
    report = run([dies, KERNELS / "add" / "case.toml"])
    first, second = report.cases
    assert [(each.size, each.status) for each in first.runs] == [
        ("n=1", Status.ERROR), ("n=1", Status.ERROR), ("n=2", Status.PASSED), ("n=2", Status.PASSED)]
    assert first.runs[0].findings[0].kind is Kind.CRASH and "SIGABRT" in first.runs[0].findings[0].message
    assert second.passed


def test_a_process_that_does_not_answer_is_stopped(case, monkeypatch):
    monkeypatch.setattr("hipify_py.validate.run._GRACE", 0.5)
    hangs = case("__global__ void k(int *x) { *x = 1; }\n", """\
signature = "void k(int *x)"
timeout = 0.5
waves = [64]
[launch]
grid = 1
block = 1
[outputs]
x = { shape = 1 }
""", "import time\n\n\ndef reference():\n    time.sleep(60)\n")
    report = run([hangs, KERNELS / "add" / "case.toml"], waves=(64,))
    assert [each.kind for each in report.findings] == [Kind.HANG] and "0.5 s" in report.findings[0].message
    assert report.cases[1].passed


def test_no_memory_costs_one_run(case, monkeypatch):
    monkeypatch.setenv("HIPIFY_PY_CPU_MEMORY", "4")
    large = case("__global__ void k(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }\n", """\
signature = "void k(float *x, int n)"
sizes = [{ n = 2_000_000 }, { n = 10 }]
[launch]
grid = 1
block = 64
[outputs]
x = { shape = "n" }
""", "import numpy as np\n\n\ndef reference(n):\n    return np.ones(n)\n")
    runs = run(large, waves=(64,)).cases[0].runs
    found = runs[0].findings[0]
    assert found.kind is Kind.MEMORY
    assert "8000000 bytes" in found.message and "4194304 of 4194304 bytes free" in found.message
    assert runs[1].status is Status.PASSED


def test_writing_into_an_input_is_found(case):
    writes = case("__global__ void k(float *a, float *c) { c[threadIdx.x] = a[threadIdx.x];\n  a[threadIdx.x] = 0; }\n", """\
signature = "void k(float *a, float *c)"
[launch]
grid = 1
block = 32
[inputs]
a = { shape = 32 }
[outputs]
c = { shape = 32, abs = 0 }
""", "def reference(a):\n    return a\n")
    found = run(writes).findings
    assert {each.kind for each in found} == {Kind.INPUT_CHANGED} and found[0].places[0].line == 2
    assert "`a`, which is no output" in found[0].message


def test_what_nobody_writes_is_told(case):
    lazy = case("__global__ void k(float *c, int n) { if (threadIdx.x < n / 2) c[threadIdx.x] = 0; }\n", """\
signature = "void k(float *c, int n)"
sizes = [{ n = 10 }]
[launch]
grid = 1
block = 32
[outputs]
c = { shape = "n", abs = 1e30 }
""", "import numpy as np\n\n\ndef reference(n):\n    return np.full(n, 1e36)\n")
    found = run(lazy, waves=(32,)).findings
    assert "10 of 10 elements differ" in found[0].message and "5 never written" in found[0].message


@pytest.mark.parametrize(("source", "kind", "words", "line"), [
    ("__global__ void k(int *x) { x[0] = nothing; }\n", Kind.BUILD, "nothing", 1),
    ("__global__ void other(int *x) { x[0] = 1; }\n", Kind.BUILD, "k", 0),
    ("#include <cassert>\n__global__ void k(int *x) {\n  assert(x == 0);\n}\n", Kind.FAULT, "assertion `x == 0' failed", 3),
    ("__global__ void k(int *x) {\n  x[0] = 7 / (x[0] ^ (int)0xA5A5A5A5);\n}\n", Kind.FAULT, "integer division by zero", 2),
    ("__global__ void k(int *x) {\n  int attribute = cudaDevAttrClusterLaunch;\n  x[0] = attribute;\n}\n", Kind.TRANSLATION,
     "[HPY401]", 2),
])
def test_other_faults(case, source, kind, words, line):
    folder = case(source, """\
signature = "void k(int *x)"
waves = [64]
[launch]
grid = 1
block = 1
[outputs]
x = { shape = 1 }
""", "import numpy as np\n\n\ndef reference():\n    return np.ones(1)\n")
    found = [each for each in run(folder).findings if each.kind is kind]
    assert found and words in found[0].message
    if line:
        assert found[0].places[0].line == line


@pytest.mark.parametrize(("toml", "reference", "words"), [
    ("", "def wrong():\n    pass\n", "has no function `reference`"),
    ("", "def reference():\n    raise KeyError('x')\n", "`reference` has stopped: KeyError"),
    ("", "def reference():\n    return {'y': 1}\n", "returns no `x`"),
    ("", "import numpy as np\n\n\ndef reference():\n    return np.ones(3)\n", "has the shape (3,), the output (1,)"),
    ("", "import nothing_like_that\n", "cannot be loaded: ModuleNotFoundError"),
    ("[arguments]\nn = '1 / 0'\n", "def reference():\n    return 1\n", "division"),
])
def test_what_is_wrong_with_a_reference(case, toml, reference, words):
    parameter = ", int n" if toml else ""
    folder = case(f"__global__ void k(int *x{parameter}) {{ x[0] = 1; }}\n", f"""\
signature = "void k(int *x{parameter})"
waves = [64]
{toml}
[launch]
grid = 1
block = 1
[outputs]
x = {{ shape = 1 }}
""", reference)
    found = run(folder).findings
    assert [each.kind for each in found] == [Kind.CASE] and words in found[0].message


def test_a_signature_that_is_not_the_kernels(case):
    folder = case("__global__ void k(int *x, long n) { x[0] = n; }\n", """\
signature = "void k(int *x, int n)"
waves = [64]
[launch]
grid = 1
block = 1
[arguments]
n = 1
[outputs]
x = { shape = 1 }
""", "def reference():\n    return 1\n")
    found = run(folder).findings
    assert found[0].kind is Kind.CASE and "takes parameters of (8, 8) bytes, the case's `signature` of (8, 4)" in found[0].message


# What cases can say.


def test_bf16_headers_constants_and_namespaces(case):
    folder = case("""\
#include <cuda_bf16.h>
#include "scale.cuh"
namespace deep { namespace er {
template <typename T, int N>
__global__ void k(const T *a, __nv_bfloat16 *b, Pair p, int n) {
    const int i = blockIdx.x * N + threadIdx.x;
    if (i < n) b[i] = __float2bfloat16(scaled((float)a[i]) + p.add[1] + (p.x ? p.x[i] : 0));
    if (i == 0) counter = p.n;
}
} }
""", """\
kernel = "deep::er::k<float, {N}>"
declarations = "struct Pair { char n; const float *x; float add[2]; };"
signature = "void k(const float *a, __nv_bfloat16 *b, Pair p, int n)"
sizes = [{ n = 70 }]
[sweep]
N = [32, 64]
[launch]
grid = "ceil_div(n, N)"
block = "N"
[arguments]
p = { n = 7, x = "x", add = 0.5 }
[inputs]
a = { shape = "n" }
x = { shape = "n", file = "x.npy" }
factor = { shape = 1, dtype = "fp32", symbol = true, distribution = "constant", value = 3 }
[outputs]
b = { shape = "n", ulp = 1 }
counter = { shape = 1, dtype = "int32", symbol = true }
""", "import numpy as np\n\n\ndef reference(a, x, factor):\n    return {'b': a * factor + 0.5 + x, 'counter': np.array([7])}\n",
                  scale_h="""\
#pragma once
struct Pair { char n; const float *x; float add[2]; };
__constant__ float factor;
__device__ int counter;
__device__ inline float scaled(float x) { return x * factor; }
""")
    np.save(folder / "x.npy", np.arange(70, dtype=np.float32))
    report = run(folder)
    assert report.findings == () and report.passed
    assert {each.variant for each in report.cases[0].runs} == {"N=32", "N=64"}
    assert sorted(each.name for each in folder.iterdir()) == ["case.toml", "kernel.cu", "reference.py", "scale.cuh", "x.npy"]


def test_recorded_references(case):
    folder = case("""\
__global__ void k(const float *a, float *c, int n) {
    if (threadIdx.x < n) c[threadIdx.x] = 2 * a[threadIdx.x];
}
""", """\
signature = "void k(const float *a, float *c, int n)"
sizes = [{ n = 5 }]
[launch]
grid = 1
block = 64
[inputs]
a = { shape = "n" }
[outputs]
c = { shape = "n", abs = 0 }
""")
    a = np.arange(20, dtype=np.float32)
    recorded.write(folder / "reference.npz", [recorded.Record((("n", 20),), {"a": a}, {"c": 2 * a}),
                                              recorded.Record((("n", 3),), {"a": a[:3]}, {"c": 3 * a[:3]})], "some GPU")
    report = run(folder, waves=(64,))
    assert [(each.size, each.reference, each.status) for each in report.cases[0].runs] == [
        ("n=20 (recorded)", "some GPU", Status.PASSED), ("n=3 (recorded)", "some GPU", Status.FAILED)]


def test_the_same_seed_gives_the_same_run():
    first, again, other = (run(BROKEN / "wrong_formula", seed=seed, waves=(32,)).findings[0].message for seed in (1, 1, 2))
    assert first == again != other


# The command.


def test_the_command(tmp_path, capsys):
    target, junit = tmp_path / "report.json", tmp_path / "report.xml"
    arguments = [str(KERNELS / "add"), str(BROKEN / "wrong_formula"), "--device", "cpu", "--offload-arch", "none", "--seed", "9",
                 "--json", str(target), "--junit", str(junit)]
    assert main(["validate", *arguments]) == 1
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert [line.split()[0] for line in lines] == ["case", "add", "add", "wrong_formula", "wrong_formula"]
    assert [line.split()[-1] for line in lines[1:]] == ["passed", "passed", "FAILED", "FAILED"]
    assert "kernel.cu:7: error: mismatch: `blend`" in err and "1 of 2 cases passed" in err and "seed 9" in err
    assert "evidence: source-level, CPU device" in err
    data = json.loads(target.read_text())
    assert data["passed"] is False and data["seed"] == 9 and data["evidence"] == "source-level, CPU device"
    assert [each["passed"] for each in data["cases"]] == [True, False]
    finding = data["cases"][1]["runs"][0]["findings"][0]
    assert finding["kind"] == "mismatch" and finding["places"][0]["line"] == 7
    suites = ElementTree.parse(junit).getroot()
    assert [each.attrib["failures"] for each in suites] == ["0", "2"] and suites.attrib["failures"] == "2"
    names = {each.attrib["name"]: each.attrib["value"] for each in suites[0].find("testcase/properties")}
    assert names["evidence"] == "source-level, CPU device" and names["wave"] == "32"


def test_what_kernels_print_is_shown_on_request(case, capsys):
    folder = case("#include <cstdio>\n__global__ void k(int *x, int n) { x[0] = n; printf(\"n is %d\\n\", n); }\n", """\
signature = "void k(int *x, int n)"
sizes = [{ n = 3 }, { n = 4 }]
waves = [32]
[launch]
grid = 1
block = 1
[outputs]
x = { shape = 1 }
""", "import numpy as np\n\n\ndef reference(n):\n    return np.full(1, n)\n")
    arguments = ["validate", str(folder), "--offload-arch", "none", "--device", "cpu"]
    assert main([*arguments, "-v"]) == 0
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()[1:]] == [
        ["mine", "n=3"], ["|", "n"], ["mine", "n=4"], ["|", "n"]]
    assert main(arguments) == 0
    assert "n is" not in capsys.readouterr().out


def test_without_a_gpu_it_says_so_in_one_line(capsys):
    if Path("/dev/kfd").exists():
        pytest.skip("there is a driver of AMD GPUs")
    assert main(["validate", str(KERNELS / "add"), "--offload-arch", "none", "--wave", "64", "-q"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("no AMD GPU: using the CPU device") and len(lines) == 2
    assert main(["validate", str(KERNELS / "add"), "--device", "gpu"]) == 2
    assert capsys.readouterr().err.startswith("hipify-py: error: no AMD GPU: ")


@pytest.mark.parametrize(("arguments", "words"), [
    (["--device", "tpu"], "`tpu` is no device"), (["--timeout", "-1"], "`timeout` takes seconds above 0"),
    (["--device", "gpu", "--sanitize", "thread"], "`--sanitize` works on the CPU device"), (["--wave", "16"], "invalid choice"),
])
def test_wrong_calls(capsys, arguments, words):
    assert main(["validate", str(KERNELS / "add"), *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_cache_that_cannot_be_written_is_one_line(monkeypatch, capsys):
    monkeypatch.setenv("HIPIFY_PY_CACHE", "/dev/null/cache")
    assert main(["validate", str(KERNELS / "add"), "--offload-arch", "none", "--device", "cpu"]) == 2
    err = capsys.readouterr().err
    assert "/dev/null/cache" in err and "HIPIFY_PY_CACHE" in err and err.count("\n") == 1


def test_a_case_for_one_size_of_a_wave(case):
    folder = case("__global__ void k(int *x) { x[0] = warpSize; }\n", """\
signature = "void k(int *x)"
waves = [32]
[launch]
grid = 1
block = 1
[outputs]
x = { shape = 1 }
""", "import numpy as np\n\n\ndef reference():\n    return np.full(1, 32)\n")
    report = run(folder)
    assert report.passed and [each.wave for each in report.cases[0].runs] == [32]
    report = run(folder, waves=(64,))
    assert not report.passed and "for waves of 32 lanes only" in report.findings[0].message


def test_the_package_is_the_function_too():
    code = ("import hipify_py.validate.results, hipify_py\n"
            f"assert hipify_py.validate({str(KERNELS / 'add')!r}, device='cpu', targets=()).passed\n"
            "from hipify_py import validate\nassert callable(validate)\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr


def test_hipcc_takes_the_harness(hipcc, capsys):
    report = hipify_py.validate([KERNELS / "dot", KERNELS / "conv2d", KERNELS / "spmv"], device="cpu", waves=(64,))
    assert all(each.ok for case in report.cases for each in case.compiled), report.findings
    assert report.passed


def test_a_missing_hipcc_is_said_and_is_no_pass(monkeypatch, capsys):
    from hipify_py.validate import compile as compiling

    monkeypatch.setenv("HIPCC", "no-such-hipcc")
    monkeypatch.delenv("HIPCC_CURRENT", raising=False)
    compiling.compilers.cache_clear()
    try:
        report = hipify_py.validate(KERNELS / "add", device="cpu", waves=(64,))
    finally:
        compiling.compilers.cache_clear()
    assert [(each.target, each.ok) for each in report.cases[0].compiled] == [("gfx90a", None)]
    assert any("hipcc was not found" in note for note in report.notes) and report.passed


def test_what_hipcc_refuses_is_a_finding(case, hipcc):
    folder = case("__global__ void k(int *x) { x[0] = 1; }\n#ifdef __AMDGCN__\n#error no device\n#endif\n", """\
signature = "void k(int *x)"
waves = [64]
[launch]
grid = 1
block = 1
[outputs]
x = { shape = 1 }
""", "import numpy as np\n\n\ndef reference():\n    return np.ones(1)\n")
    report = hipify_py.validate(folder, device="cpu")
    assert [each.kind for each in report.findings] == [Kind.COMPILE] and "no device" in report.findings[0].message


# A kernel in a project of the usual layout: headers in a folder of their own, and more in the source than kernels.

LAYOUT = {
    "include/lib/base.h": "#pragma once\n#include <cuda_runtime.h>\n#include <memory>\n"
                          "inline cudaError_t settle(cudaStream_t s) { return cudaStreamSynchronize(s); }\n"
                          "void show(cudaTextureObject_t texture, cudaSurfaceObject_t surface);\n",
    "include/lib/twice.cuh": "#include \"lib/base.h\"\n__device__ __noinline__ float twice(float x) { return 2 * x; }\n",
    "src/kernel.cu": """#include "lib/twice.cuh"
__global__ void doubled(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = twice(a[i]);
}
__global__ void sampled(cudaTextureObject_t a, float *b, int n) {
    if (threadIdx.x < n) b[threadIdx.x] = tex2D<float>(a, threadIdx.x, 0.f);
}
cudaError_t bind(cudaTextureObject_t *texture, cudaArray_t *array, int width) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
    cudaMallocArray(array, &format, width);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = *array;
    cudaTextureDesc how = {};
    how.addressMode[0] = cudaAddressModeClamp;
    return cudaCreateTextureObject(texture, &resource, &how, nullptr);
}
""",
    "checks/doubled/case.toml": """source = "../../src/kernel.cu"
include_dirs = ["../../include"]
signature = "void doubled(const float *a, float *b, int n)"
sizes = [{ n = 100 }]
[launch]
grid = 1
block = 128
[inputs]
a = { shape = "n" }
[outputs]
b = { shape = "n" }
""",
    "checks/doubled/reference.py": "def reference(a):\n    return 2 * a\n",
    "checks/sampled/case.toml": """source = "../../src/kernel.cu"
include_dirs = ["../../include"]
signature = "void sampled(void *a, float *b, int n)"
sizes = [{ n = 4 }]
[launch]
grid = 1
block = 32
[arguments]
a = "nullptr"
[outputs]
b = { shape = "n" }
""",
    "checks/sampled/reference.py": "def reference(n):\n    return [0.0] * n\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in LAYOUT.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_headers_of_an_include_folder_are_translated_too(project: Path) -> None:
    report = run("checks/doubled")
    assert report.findings == () and report.passed
    assert {each.wave for each in report.cases[0].runs} == {32, 64}


def test_a_texture_costs_the_kernel_that_reads_it_alone(project: Path) -> None:
    report = run("checks/sampled")
    first = report.findings[0]
    assert first.kind is Kind.FAULT and "tex2D: the CPU device has no textures" in first.message
    assert [str(place) for place in first.places][:1] == ["src/kernel.cu:6"]  # without `checks/sampled/../..`
