"""Kernels that the rules' author has not seen: half of them compute something else on a wave of 64 lanes, half do not.

The labels stand in ``tests/wave_corpus/corpus.toml`` and are proved on the CPU device. A *plain port* takes HIP's names
and drops the lane masks, no more: with 32 lanes it gives what an NVIDIA H200 gives with the CUDA source, with 64 lanes it
gives the same for the kernels that are right and something else (or a fault) for those that are wrong. What the translator
writes has to give CUDA's result with both, unless it says at warning level that it does not.
"""

from __future__ import annotations

from functools import cache

import pytest

from hipify_py.diagnostics import Severity
from hipify_py.engine import Translation, translate
from tests.cpu.support import build, device, devices, np
from tests.wave_programs import CORPUS, FOLDER, INCLUDE, MACRO, RIGHT, WRONG, arguments, plain

#: What says that a kernel depends on the size of a wave.
WAVE_CODES = frozenset(("HPY301", "HPY302", "HPY303", "HPY309"))
#: A launch that waits for lanes that never come is ended: that is a difference too.
SECONDS = 10.0


@cache
def translated(name: str) -> Translation:
    return translate(CORPUS[name].source, filename=f"{name}.cu")


def text_of(name: str, port: str) -> bytes:
    return plain(CORPUS[name].source) if port == "plain" else translated(name).text


@cache
def module(port: str, wave: int):
    """All kernels in one module, each in a namespace of its own: one build is shorter than seventy."""
    parts = [b"#include <hip/hip_runtime.h>\n#include <hip/hip_cooperative_groups.h>\n"]
    for name in CORPUS:
        body = INCLUDE.sub(b"\n", text_of(name, port))
        parts.append(b"namespace n_%s {\n%s}\n" % (name.encode(), body))
        parts.extend(b"#undef %s\n" % macro for macro in dict.fromkeys(MACRO.findall(body)))
    instances = tuple(f"n_{entry.name}::{entry.kernel}" for entry in CORPUS.values() if "<" in entry.kernel)
    return device().load(build.build_module(b"".join(parts), wave=wave, instances=instances, name=f"{port}.hip",
                                            optimize="-O1"))


@cache
def result(name: str, port: str, wave: int) -> tuple[np.ndarray, ...] | str:
    """All buffers as the kernel leaves them; the error's name if it fails."""
    entry, own = CORPUS[name], device()
    own.limit_launches(SECONDS)
    made, unordered = arguments(entry)
    buffers = [own.upload(each) if isinstance(each, np.ndarray) else each for each in made]
    try:
        own.launch(module(port, wave).function(f"n_{entry.name}::{entry.kernel}"), grid=entry.grid, block=entry.block,
                   shared=entry.shared, arguments=buffers)
        for array, buffer in zip(made, buffers, strict=True):
            if isinstance(array, np.ndarray):
                own.copy_from(array, buffer)
    except devices.DeviceError as error:
        return error.name
    finally:
        own.free_all()
    return tuple(np.sort(array) if free else array for array, free in zip(made, unordered, strict=True)
                 if isinstance(array, np.ndarray))


def same(one: tuple[np.ndarray, ...] | str, other: tuple[np.ndarray, ...] | str) -> bool:
    """Whether two runs computed the same: sums of floats may be rounded in another order."""
    if isinstance(one, str) or isinstance(other, str):
        return False
    return all(np.allclose(a, b, rtol=1e-4, atol=1e-6) if a.dtype.kind == "f" else np.array_equal(a, b)
               for a, b in zip(one, other, strict=True))


def cured(name: str, wave: int) -> bool:
    """Whether the translation computes with this many lanes what CUDA computes with 32."""
    return same(result(name, "plain", 32), result(name, "translated", wave))


def alarms(name: str, *, loud: bool = False) -> list[str]:
    """The diagnostics about waves: all, or those that are more than a note."""
    return [each.code for each in translated(name).diagnostics
            if each.code in WAVE_CODES and (not loud or each.severity is not Severity.NOTE)]


def test_the_corpus_is_whole() -> None:
    assert {path.stem for path in FOLDER.glob("*.cu")} == CORPUS.keys()
    assert len(CORPUS) >= 64
    assert len(WRONG) == len(RIGHT)


@pytest.mark.parametrize("name", CORPUS)
def test_the_label_is_true(name: str) -> None:
    truth = result(name, "plain", 32)
    assert not isinstance(truth, str), truth
    made, _ = arguments(CORPUS[name])
    before = [each for each in made if isinstance(each, np.ndarray)]
    assert not same(truth, tuple(before)), "the kernel does something"
    assert same(truth, result(name, "plain", 64)) is not CORPUS[name].wrong


def test_on_32_lanes_an_nvidia_gpu_computed_the_same() -> None:
    recorded = np.load(FOLDER / "recorded.npz")  # by tools/record_references.py, of the CUDA sources as they are
    assert {each.partition(".")[0] for each in recorded.files} == CORPUS.keys()
    for name, entry in CORPUS.items():
        made, _ = arguments(entry)
        arrays = [index for index, each in enumerate(made) if isinstance(each, np.ndarray)]
        truth = result(name, "plain", 32)
        theirs = tuple(recorded.get(f"{name}.{index}", made[index]) for index in arrays)
        assert same(truth, theirs), name


@pytest.mark.parametrize("wave", [32, 64])
@pytest.mark.parametrize("name", CORPUS)
def test_the_translation_computes_what_cuda_does(name: str, wave: int) -> None:
    assert cured(name, wave) or alarms(name, loud=True), "wrong, and nothing was said"


def test_fixes_are_for_32_lanes_too() -> None:
    assert [name for name in CORPUS if not cured(name, 32)] == []


def test_recall_and_false_alarms() -> None:
    missed = [name for name in WRONG if not alarms(name) and not (cured(name, 32) and cured(name, 64))]
    silent = {name for name in WRONG if not alarms(name, loud=True) and not (cured(name, 32) and cured(name, 64))}
    false = [name for name in RIGHT if alarms(name, loud=True)]
    recall, rate = 1 - len(missed) / len(WRONG), len(false) / len(RIGHT)
    print(f"recall {recall:.1%} of {len(WRONG)} ({1 - len(silent) / len(WRONG):.1%} cured or told at warning level), "
          f"false alarms {rate:.1%} of {len(RIGHT)}")
    assert recall >= 0.95, missed
    assert not silent
    assert rate <= 0.05, false
