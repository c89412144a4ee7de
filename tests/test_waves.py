"""A corpus of kernels with a 32 in them: half compute something else on a wave of 64 lanes, half do not.

The labels (the folders of ``tests/waves``) are proved on the CPU device: a *plain port* takes the names and drops the lane
masks, no more. On 32 lanes it computes what an NVIDIA H200 did with the CUDA source; on 64 the kernels under ``wrong``
differ from that, those under ``right`` do not. What the translator writes has to compute CUDA's result on both.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from hipify_py.diagnostics import Severity
from hipify_py.engine import Translation, translate
from tests.cpu.support import build, c_int, device, np

WAVES = Path(__file__).parent / "waves"
KERNELS = {path.stem: path for label in ("right", "wrong") for path in sorted((WAVES / label).glob("*.cu"))}
WRONG = frozenset(path.stem for path in (WAVES / "wrong").glob("*.cu"))
#: Kernels that are templates, and the instance that runs.
INSTANCES = {"matvec_32_block": "matvec_32_block<32>"}
WAVE_CODES = ("HPY301", "HPY302", "HPY303", "HPY309")
_MASK = re.compile(rb"(__(?:shfl|shfl_up|shfl_down|shfl_xor|ballot|any|all))_sync\((?:[^,()]|\([^()]*\))*,\s*")
_INCLUDES = re.compile(rb"^#include.*\n", re.MULTILINE)
INPUTS = np.random.default_rng(3).integers(0, 10, 512).astype(np.int32)


@cache
def translated(name: str) -> Translation:
    return translate(KERNELS[name].read_bytes(), filename=f"{name}.cu")


def plain(name: str) -> bytes:
    """The kernel with HIP's names and without lane masks: what a search and replace gives."""
    text = _MASK.sub(rb"\1(", KERNELS[name].read_bytes()).replace(b"__activemask()", b"__ballot(1)")
    return re.sub(rb"__syncwarp\(\)", b"__builtin_amdgcn_wave_barrier()", text)


@cache
def module(kind: str, wave: int):
    """All kernels in one module, each in a namespace of its own: a build takes longer than all runs."""
    parts = [b"#include <hip/hip_runtime.h>\n#include <hip/hip_cooperative_groups.h>\n"]
    for name in KERNELS:
        text = plain(name) if kind == "plain" else translated(name).text
        body = _INCLUDES.sub(b"", text)
        macros = re.findall(rb"^#define (\w+)", body, re.MULTILINE)
        parts.append(b"namespace " + f"n_{name}".encode() + b" {\n" + body + b"}\n"
                     + b"".join(b"#undef " + macro + b"\n" for macro in macros))
    instances = tuple(f"n_{name}::{INSTANCES[name]}" for name in INSTANCES)
    return device().load(build.build_module(b"".join(parts), wave=wave, instances=instances, name=f"{kind}.hip"))


@cache
def result(name: str, kind: str, wave: int) -> bytes:
    own = device()
    source, target = own.upload(INPUTS), own.upload(np.zeros(1024, np.int32))
    try:
        function = module(kind, wave).function(f"n_{name}::{INSTANCES.get(name, name)}")
        own.launch(function, grid=(2, 1, 1), block=(256, 1, 1), arguments=[source, target, c_int(512)])
        out = np.zeros(1024, np.int32)
        own.copy_from(out, target)
        return out.tobytes()
    finally:
        own.free(source)
        own.free(target)


def test_the_corpus_is_large_and_even() -> None:
    assert len(KERNELS) >= 60
    assert abs(2 * len(WRONG) - len(KERNELS)) <= 4


@pytest.mark.parametrize("name", KERNELS)
def test_the_label_is_true(name: str) -> None:
    same = result(name, "plain", 32) == result(name, "plain", 64)
    assert same is (name not in WRONG)
    assert any(result(name, "plain", 32))


def test_on_32_lanes_an_nvidia_gpu_computed_the_same() -> None:
    recorded = np.load(WAVES / "recorded.npz")  # by tools/record_references.py, of the CUDA sources as they are
    assert set(recorded.files) == set(KERNELS)
    assert [name for name in KERNELS if result(name, "plain", 32) != recorded[name].tobytes()] == []


@pytest.mark.parametrize("wave", [32, 64])
@pytest.mark.parametrize("name", KERNELS)
def test_the_translation_computes_what_cuda_does(name: str, wave: int) -> None:
    assert result(name, "translated", wave) == result(name, "plain", 32)


def test_recall_and_false_alarms() -> None:
    found = {name for name in WRONG if any(each.code in WAVE_CODES for each in translated(name).diagnostics)}
    alarms = {name for name in KERNELS.keys() - WRONG
              if any(each.code in WAVE_CODES and each.severity is not Severity.NOTE for each in translated(name).diagnostics)}
    recall, false = len(found) / len(WRONG), len(alarms) / (len(KERNELS) - len(WRONG))
    print(f"recall {recall:.1%} of {len(WRONG)}, false alarms {false:.1%} of {len(KERNELS) - len(WRONG)}")
    assert recall >= 0.95, sorted(WRONG - found)
    assert false <= 0.05, sorted(alarms)
