"""Advice: every name without counterpart has a sentence, and every pattern of advice.csv has names."""

from __future__ import annotations

import csv
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import hipify_py.mapping
from hipify_py.mapping import Mapping, MappingTable, Support
from hipify_py.mapping.advice import EVERY, advice_for, families

FILE = Path(hipify_py.mapping.__file__).parent / "advice.csv"


@pytest.fixture(scope="module")
def without():
    table = MappingTable.load()
    return [row for row in map(table.lookup, table) if row is not None and row.support is Support.NO]


def test_every_name_without_counterpart_has_advice(without):
    assert len(without) > 5000
    assert [row.cuda for row in without if not advice_for(row)] == []


def test_advice_is_one_short_line_that_says_more_than_no(without):
    for advice in {advice_for(row) for row in without}:
        assert 5 <= len(advice) < 170, advice
        assert "\n" not in advice
        assert advice == advice.strip(" .")


def test_every_pattern_speaks_for_a_name(without):
    spoken = {}
    for row in without:
        if not row.advice:
            pattern = next(name for name, _ in families(row.library) if fnmatchcase(row.cuda, name))
            spoken.setdefault((row.library, pattern), row.cuda)
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    # A row for all of a library stays for what the next version of CUDA brings.
    dead = [row for row in rows if row["library"] != EVERY and row["name"] != "*" and (row["library"], row["name"]) not in spoken]
    assert dead == []


def test_every_library_ends_with_a_row_for_all(without):
    for library in {row.library for row in without}:
        assert families(library)[-1][0] == "*", library


@pytest.mark.parametrize(("library", "cuda", "words"), [
    ("driver", "cuTensorMapEncodeTiled", "tensor memory accelerator"),
    ("driver", "PFN_cuMemAlloc", "decltype"),
    ("runtime", "cudaOccMaxActiveBlocksPerMultiprocessor", "hipOccupancyMaxActiveBlocksPerMultiprocessor"),
    ("nvml", "nvmlDeviceGetPowerUsage", "amdsmi_get_power_info"),
    ("cupti", "cuptiActivityEnable", "rocprofiler"),
    ("blas", "cublasXtSgemm", "one device"),
    ("device", "cudaNothing", "HIP's device library"),
])
def test_the_first_pattern_counts(library, cuda, words):
    assert words in advice_for(Mapping(cuda, "", "", library, "function", Support.NO, "", ""))


def test_the_rows_own_advice_wins():
    row = Mapping("cuTensorMapEncodeTiled", "", "", "driver", "function", Support.NO, "", "do this")
    assert advice_for(row) == "do this"
    assert advice_for(row._replace(hip="hipX", support=Support.YES, advice="")) == ""
    assert advice_for(row._replace(library="mine", advice="")) == ""
