"""The GPUs that doctor finds, and what it says to do about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.report.gpus import advice, described, present


def nodes(folder: Path, *versions: int) -> Path:
    for number, version in enumerate(versions):
        (folder / str(number)).mkdir()
        (folder / str(number) / "properties").write_text(f"cpu_cores_count 0\ngfx_target_version {version}\nvendor_id 4098\n")
    return folder


def test_the_driver_lists_them(tmp_path: Path) -> None:
    assert present(nodes(tmp_path, 0, 90010, 90402, 100301, 110000, 120001)) == [
        "gfx90a", "gfx942", "gfx1031", "gfx1100", "gfx1201"]
    assert present(tmp_path / "nowhere") == []
    assert described("gfx90a") == "gfx90a (Instinct MI200, waves of 64)"
    assert described("gfx777") == "gfx777"


@pytest.mark.parametrize(("found", "hip", "environment", "said"), [
    (["gfx90a"], (5, 2), {}, []),
    (["gfx90a"], None, {}, []),
    ([], (5, 2), {}, []),
    (["gfx942"], (5, 2), {}, ["gfx942: ROCm has libraries for it since 6.0: a newer ROCm is needed"]),
    (["gfx1031"], (6, 4), {}, ["gfx1031: ROCm's libraries are not built for it: set HSA_OVERRIDE_GFX_VERSION=10.3.0 and compile "
                               "for gfx1030"]),
    (["gfx1031"], (6, 4), {"HSA_OVERRIDE_GFX_VERSION": "10.3.0"},
     ["gfx1031: HSA_OVERRIDE_GFX_VERSION=10.3.0 is set, as it should be"]),
    (["gfx1101"], (5, 7), {}, ["gfx1101: ROCm has libraries for it since 6.4: set HSA_OVERRIDE_GFX_VERSION=11.0.0 and compile "
                               "for gfx1100"]),
    (["gfx1101"], (6, 4), {}, []),
    (["gfx777"], (6, 4), {}, ["gfx777: not in our list: see whether your ROCm has libraries for it"]),
    (["gfx90a", "gfx90a"], (6, 4), {}, ["2 GPUs: HIP_VISIBLE_DEVICES=0 lets programs see the first alone"]),
    (["gfx90a", "gfx90a"], (6, 4), {"HIP_VISIBLE_DEVICES": "1"}, []),
])
def test_advice(found: list[str], hip: tuple[int, int] | None, environment: dict[str, str], said: list[str]) -> None:
    assert list(advice(found, hip, environment)) == said
