"""The SARIF report against what SARIF 2.1.0 says of each object that is in it.

No package on PyPI brings the official schema, and it is no work of ours to copy; so the objects that we write are described
here, by the sections of the specification. (Reports were also seen to be valid by the schema itself.)
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from hipify_py.codes import CODES
from hipify_py.engine import translate
from hipify_py.files import FileResult
from hipify_py.report import sarif
from hipify_py.source import SourceFile, SourceRange
from hipify_py.tree import Failure
from tests.conftest import ROOT
from tests.test_report import ODD, found, result, translation

URI = re.compile(r"(?:[a-z]+:)?(?:[A-Za-z0-9._~/:@!$&'()*+,;=-]|%[0-9A-F]{2})*")
Check = Callable[[Any], bool]


def text(value: Any) -> bool:
    return isinstance(value, str) and value == value.encode("utf-8", "replace").decode()


def number(least: int) -> Check:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def one_of(*allowed: str) -> Check:
    return lambda value: value in allowed


LEVEL = one_of("none", "note", "warning", "error")


def uri(value: Any) -> bool:
    return text(value) and URI.fullmatch(value) is not None


#: Object -> property -> what it holds: a check, another object, or a list of one of these; `!` marks what has to be there.
OBJECTS: dict[str, dict[str, Any]] = {
    "sarifLog": {"version!": one_of("2.1.0"), "$schema": uri, "runs!": ["run"]},  # 3.13
    "run": {"tool!": "tool", "invocations": ["invocation"], "columnKind": one_of("utf16CodeUnits", "unicodeCodePoints"),
            "results": ["result"]},  # 3.14
    "tool": {"driver!": "toolComponent"},  # 3.18
    "toolComponent": {"name!": text, "version": text, "rules": ["reportingDescriptor"]},  # 3.19
    "reportingDescriptor": {"id!": text, "name": text, "shortDescription": "message"},  # 3.49
    "message": {"text!": text},  # 3.11
    "invocation": {"executionSuccessful!": one_of(True, False), "toolExecutionNotifications": ["notification"]},  # 3.20
    "notification": {"message!": "message", "level": LEVEL, "locations": ["location"]},  # 3.58
    "result": {"message!": "message", "ruleId": text, "ruleIndex": number(0), "level": LEVEL, "locations": ["location"],
               "fixes": ["fix"]},  # 3.27
    "location": {"physicalLocation": "physicalLocation"},  # 3.28
    "physicalLocation": {"artifactLocation!": "artifactLocation", "region": "region"},  # 3.29
    "artifactLocation": {"uri": uri},  # 3.4
    "region": {"startLine": number(1), "startColumn": number(1), "endLine": number(1), "endColumn": number(1),
               "byteOffset": number(0), "byteLength": number(0)},  # 3.30
    "fix": {"artifactChanges!": ["artifactChange"]},  # 3.55
    "artifactChange": {"artifactLocation!": "artifactLocation", "replacements!": ["replacement"]},  # 3.56
    "replacement": {"deletedRegion!": "region", "insertedContent": "artifactContent"},  # 3.57
    "artifactContent": {"text": text},  # 3.3
}


def wrong(value: Any, what: Any, place: str = "") -> list[str]:
    """Where a value is not what it has to be."""
    if isinstance(what, list):
        if not isinstance(value, list):
            return [f"{place} is no list"]
        return [each for index, item in enumerate(value) for each in wrong(item, what[0], f"{place}[{index}]")]
    if isinstance(what, str):
        fields = {name.rstrip("!"): field for name, field in OBJECTS[what].items()}
        if not isinstance(value, dict):
            return [f"{place} is no {what}"]
        missing = [f"{place}.{name[:-1]} is missing" for name in OBJECTS[what] if name.endswith("!") and name[:-1] not in value]
        return missing + [each for name, item in value.items() for each in (
            wrong(item, fields[name], f"{place}.{name}") if name in fields else [f"{place}.{name}: a {what} has no such thing"])]
    return [] if what(value) else [f"{place} is {value!r}"]


def rendered(*results: FileResult, failures: tuple[Failure, ...] = ()) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(sarif.render(results, failures))
    assert wrong(document, "sarifLog") == []
    return document


def kernels() -> list[FileResult]:
    more = b'__global__ void k(int *p) { asm("mov.b32 %0;"); *p = __shfl_sync(~0u, *p, 0) + __CUDA_ARCH__; }\n'
    texts = [(path, path.read_bytes()) for path in sorted(ROOT.glob("tests/golden/*/*.cu"))[::9]] + [(Path("more.cu"), more)]
    return [result(translate(data, filename=str(path)), "x.hip") for path, data in texts]


@pytest.mark.parametrize("make", [
    list, lambda: [result(ODD)], lambda: [result(translation(b"", found(0, 0), name="<stdin>"))], kernels],
    ids=["none", "odd", "empty", "kernels"])
def test_each_object_is_what_the_standard_says(make: Callable[[], list[FileResult]]) -> None:
    results = make()
    document = rendered(*results, failures=(Failure(Path("/b c.cu"), "no"), Failure(Path("odd \udcff\n.cu"), "`\udcff`: no")))
    (run,) = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == sorted(set(rules))
    assert {rule["name"] for rule in run["tool"]["driver"]["rules"]} <= {row.name for row in CODES.values()}
    assert all(rules[each["ruleIndex"]] == each["ruleId"] for each in run["results"])
    assert len(run["results"]) == sum(len(each.translation.diagnostics) for each in results)


def test_regions_lead_to_the_text() -> None:
    for each in kernels():
        source = each.translation.source
        lines = source.data.decode("utf-8", "replace").split("\n")
        (run,) = rendered(each)["runs"]
        for told in run["results"]:
            region = told["locations"][0]["physicalLocation"]["region"]
            start, end = region["byteOffset"], region["byteOffset"] + region["byteLength"]
            if region["startLine"] == region["endLine"]:
                text_there = lines[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1]
                assert text_there == source.data[start:end].decode("utf-8", "replace")
            assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])


@pytest.mark.parametrize("name", ["a b.cu", "ä.cu", "/abs/x y.cu", "odd \udcff.cu", "a#b?c%d.cu", "c:x.cu"])
def test_paths_as_uris(name: str) -> None:
    (run,) = rendered(result(translation(b"x", found(0, 1), name=name)))["runs"]
    there = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(there.removeprefix("file://"), errors="surrogateescape") == name
    assert there.startswith("file://") == name.startswith("/")
    assert not there.startswith("c:")


def test_the_check_sees_what_is_wrong() -> None:
    document = json.loads(sarif.render([result(ODD)], []))
    run = document["runs"][0]
    del run["tool"]["driver"]["name"]
    run["results"][0]["level"] = "bad"
    run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    run["surprise"] = 1
    assert len(wrong(document, "sarifLog")) == 4


def test_columns_count_characters_and_a_mark_of_byte_order_is_none() -> None:
    made = translation(b"\xef\xbb\xbfx \xc3\xa4 y", found(3, 4), found(8, 9))
    (run,) = rendered(result(made))["runs"]
    columns = [each["locations"][0]["physicalLocation"]["region"]["startColumn"] for each in run["results"]]
    assert columns == [1, 5]
    assert SourceFile("a", made.source.data).location(SourceRange(8, 9).start).column == 6
