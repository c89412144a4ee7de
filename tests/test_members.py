"""Members: what HIP's structs lack, by the version that was asked for; and that the table is right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hipify_py.rules.members import members
from hipify_py.settings import Version
from tests.rewrites import HIP, codes, lines, run

PROPERTIES = "cudaDeviceProp p, *q = &p, all[2];\n"

REPORTED = [
    ("p.deviceOverlap;", "warning"), ("q->asyncEngineCount;", "warning"), ("all[0].unifiedAddressing;", "warning"),
    ("p.hostNumaId;", "error"), ("p.uuid;", "warning"), ("get().computePreemptionSupported;", "warning"),
    ("p.sparseCudaArraySupported;", "warning"), ("p.sharedMemPerMultiprocessor;", "note"),
]
KEPT = ["p.name;", "p.multiProcessorCount;", "p.kernelExecTimeoutEnabled;", "p.warpSize;", "mine.uuid;", "int deviceOverlap;",
        "mine.type;", "// p.deviceOverlap", "deviceOverlap();"]


@pytest.mark.parametrize(("text", "severity"), REPORTED)
def test_reported(text: str, severity: str) -> None:
    result = run(f"void f() {{\n{PROPERTIES}{text}\n}}\n", semantics=False)
    assert lines(result, "HPY205") == [3]
    [found] = [each for each in result.diagnostics if each.code == "HPY205"]
    assert found.severity.value == severity
    assert "member" in found.message


@pytest.mark.parametrize("text", KEPT)
def test_kept(text: str) -> None:
    result = run(f"void f() {{\n{PROPERTIES}{text}\n}}\n", semantics=False)
    assert lines(result, "HPY205") == []
    assert text.encode() in result.text


def test_a_members_own_struct_is_its_own() -> None:
    source = "struct Mine { int deviceOverlap; };\nvoid f(Mine m) { m.deviceOverlap = 1; }\n"
    assert lines(run(source, semantics=False), "HPY205") == []


def test_the_version_that_was_asked_for() -> None:
    source = "void f() {\ncudaDeviceProp p; cudaPointerAttributes a;\np.deviceOverlap; a.type; a.memoryType;\n}\n"
    new = run(source, semantics=False, rocm=Version(6, 0))
    assert b"p.deviceOverlap; a.type; a.type;" in new.text
    assert lines(new, "HPY205") == []
    old = run(source, semantics=False, rocm=Version(5, 7))
    assert b"p.deviceOverlap; a.memoryType; a.memoryType;" in old.text
    assert lines(old, "HPY205") == [3]
    anything = run(source, semantics=False)
    assert b"p.deviceOverlap; a.type; a.memoryType;" in anything.text
    assert lines(anything, "HPY205") == [3, 3, 3]


def test_another_name_in_hip() -> None:
    assert b"p.sparseHipArraySupported" in run(
        "void f() { cudaDeviceProp p; p.sparseCudaArraySupported; }\n", semantics=False).text


def test_the_table_agrees_with_the_headers() -> None:
    header = Path("/usr/include/hip/hip_runtime_api.h")
    if not header.is_file():
        pytest.skip("HIP's headers are not installed")
    body = re.search(r"typedef struct hipDeviceProp_t \{(.*?)\n\}", header.read_text(errors="replace"), re.DOTALL)
    version = re.search(r"#define HIP_VERSION_MAJOR (\d+)", header.with_name("hip_version.h").read_text())
    assert body is not None
    assert version is not None
    there = set(re.findall(r"(\w+)\s*(?:\[[^\]]*\])*\s*;", body.group(1)))
    for rows in members().values():
        for row in rows:
            if row.struct == "cudaDeviceProp":
                expected = bool(row.since) and int(row.since.split(".")[0]) <= int(version.group(1))
                assert (row.hip in there) == expected, row.name
                assert not row.older or row.older in there, row.name


def test_the_table_is_sorted() -> None:
    text = (Path(__file__).parent.parent / "hipify_py" / "mapping" / "members.csv").read_text()
    rows = text.splitlines()[1:]
    assert rows == sorted(rows)


def test_nothing_is_said_about_a_source_of_hips() -> None:
    assert run("void f() { hipDeviceProp_t p; p.name; }\n", semantics=False).text.decode().startswith(HIP)


def test_members_that_every_hip_has_under_another_name() -> None:
    text = ("void f(CUDA_KERNEL_NODE_PARAMS &p) { CUDA_KERNEL_NODE_PARAMS q;\n"
            "q.gridDimX = 1; q.blockDimZ = p.blockDimZ; q.func = 0; }\n")
    result = run(text)
    assert "q.gridDim.x = 1; q.blockDim.z = p.blockDim.z; q.func = 0;" in result.text.decode()
    assert "HPY205" not in codes(result)


def test_members_of_other_structs_stay() -> None:
    text = "struct Mine { int gridDimX; int usage; }; int f(Mine m) { return m.gridDimX + m.usage; }\n"
    result = run(text)
    assert result.text.decode() == HIP + text
    assert codes(result) == []


def test_what_means_something_else_is_told_once() -> None:
    source = ("void f() { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);\nint v = p.major * 10 + p.minor;\n"
              "if (p.major > 7) v = mine.major; }\n")
    result = run(source)
    said = [each for each in result.diagnostics if "means something else" in each.message]
    assert [each.severity.name for each in said] == ["NOTE", "NOTE"]
    assert lines(result, "HPY205") == [2, 2]
    assert b"p.major * 10 + p.minor" in result.text


@pytest.mark.parametrize("source", ["struct V { int major; };\nint f(V p) { return p.major; }\n", "int major(int p);\n"])
def test_what_is_another_struct_s_is_not(source: str) -> None:
    assert codes(run(source)) == []
