"""`hipify-py validate`, from case files to the report, on the CPU device."""

import pytest

pytest.importorskip("numpy")
pytest.importorskip("hip", reason="hip-python is not installed")

import hipify_py
from tests.conftest import KERNELS


def test_a_kernel_that_is_right():
    report = hipify_py.validate(KERNELS / "add", device="cpu", targets=(), seed=3)
    assert report.passed and report.findings == () and report.seed == 3
    assert report.evidence == "source-level, CPU device"
    runs = report.cases[0].runs
    assert {run.wave for run in runs} == {32, 64} and {run.size for run in runs} == {"n=1", "n=255", "n=256", "n=10000"}
    assert all(run.max_abs == 0 and run.comparisons[0].elements for run in runs)
