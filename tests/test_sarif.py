"""SARIF: the parts of version 2.1.0 that we write, by a schema; with HIPIFY_SARIF_SCHEMA, by OASIS's own as well.

The schema here says the same as the standard (sections 3.13 to 3.57) about what we use, and forbids everything else. The
standard's own file, ``sarif-schema-2.1.0.json``, can be named by ``HIPIFY_SARIF_SCHEMA``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from hipify_py.diagnostics import Severity
from hipify_py.engine import Translation, translate
from hipify_py.files import FileResult
from hipify_py.report import sarif
from hipify_py.source import SourceFile, SourceRange
from hipify_py.tree import Failure
from tests.conftest import golden_cases
from tests.test_report import found, translation

jsonschema = pytest.importorskip("jsonschema")

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}, "additionalProperties": False}


def thing(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


def many(items: dict[str, Any], least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least}


def count(least: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least}


REGION = thing(["startLine"], startLine=count(1), startColumn=count(1), endLine=count(1), endColumn=count(1),
               byteOffset=count(0), byteLength=count(0))
ARTIFACT = thing(["uri"], uri={"type": "string", "format": "uri-reference"})
LOCATION = thing(["physicalLocation"], physicalLocation=thing(["artifactLocation"], artifactLocation=ARTIFACT, region=REGION))
LEVEL = {"enum": ["none", "note", "warning", "error"]}
FIX = thing(["artifactChanges"], artifactChanges=many(thing(
    ["artifactLocation", "replacements"], artifactLocation=ARTIFACT,
    replacements=many(thing(["deletedRegion"], deletedRegion=REGION, insertedContent=TEXT), 1)), 1))
RESULT = thing(["message"], ruleId={"type": "string"}, ruleIndex=count(0), level=LEVEL, message=TEXT, locations=many(LOCATION),
               fixes=many(FIX))
RULE = thing(["id"], id={"type": "string"}, name={"type": "string"}, shortDescription=TEXT)
INVOCATION = thing(["executionSuccessful"], executionSuccessful={"type": "boolean"}, toolExecutionNotifications=many(
    thing(["message"], level=LEVEL, message=TEXT, locations=many(LOCATION))))
RUN = thing(["tool"], tool=thing(["driver"], driver=thing(
    ["name"], name={"type": "string"}, version={"type": "string"}, rules=many(RULE))), invocations=many(INVOCATION),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]}, results=many(RESULT))
SCHEMA = {"$schema": "http://json-schema.org/draft-07/schema#", **thing(
    ["version", "runs"], **{"$schema": {"type": "string", "format": "uri"}, "version": {"const": "2.1.0"}, "runs": many(RUN)})}


@pytest.fixture(scope="module")
def document() -> Any:
    """What is said about all golden sources, and about a file that could not be read."""
    everything = [FileResult(case.source, None, translate(case.source.read_bytes(), filename=f"{case.name}.cu",
                                                       settings=case.settings)) for case in golden_cases()]
    assert {each.severity for one in everything for each in one.translation.diagnostics} == set(Severity)
    return json.loads(sarif.render(everything, [Failure(Path("/b ä.cu"), "cannot be read")]))


def test_it_is_valid(document: Any) -> None:
    validator = jsonschema.Draft7Validator(SCHEMA)
    assert [f"{each.json_path}: {each.message}" for each in validator.iter_errors(document)] == []
    assert len(document["runs"][0]["results"]) > 50


@pytest.mark.parametrize(("change", "said"), [
    (lambda run: run["results"][0].update(level="fatal"), "'fatal' is not one of"),
    (lambda run: run["results"][0].pop("message"), "'message' is a required property"),
    (lambda run: run["results"][0]["locations"][0]["physicalLocation"]["region"].update(startLine=0), "less than the minimum"),
    (lambda run: run.update(extra=1), "Additional properties are not allowed"),
])
def test_what_is_wrong_is_refused(document: Any, change: Any, said: str) -> None:
    spoilt = json.loads(json.dumps(document))
    change(spoilt["runs"][0])
    errors = list(jsonschema.Draft7Validator(SCHEMA).iter_errors(spoilt))
    assert errors and said in errors[0].message


def test_it_is_valid_by_the_standards_own_schema(document: Any) -> None:
    path = os.environ.get("HIPIFY_SARIF_SCHEMA")
    if not path:
        pytest.skip("HIPIFY_SARIF_SCHEMA names no schema of the standard")
    schema = json.loads(Path(path).read_text(encoding="utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    assert [f"{each.json_path}: {each.message}" for each in validator.iter_errors(document)] == []


def results(made: Translation) -> list[Any]:
    """What is said about one file."""
    (run,) = json.loads(sarif.render([FileResult(Path(made.source.name), None, made)], []))["runs"]
    said: list[Any] = run["results"]
    return said


def test_regions_lead_to_the_text() -> None:
    for case in golden_cases():
        source = SourceFile(case.name, case.source.read_bytes())
        lines = source.data.decode("utf-8", "replace").split("\n")
        made = translate(source.data, filename=case.name, settings=case.settings)
        for told in results(made):
            region = told["locations"][0]["physicalLocation"]["region"]
            start, end = region["byteOffset"], region["byteOffset"] + region["byteLength"]
            if region["startLine"] == region["endLine"]:
                text_there = lines[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1]
                assert text_there == source.data[start:end].decode("utf-8", "replace")
            assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])


@pytest.mark.parametrize("name", ["a b.cu", "ä.cu", "/abs/x y.cu", "odd \udcff.cu", "a#b?c%d.cu", "c:x.cu"])
def test_paths_as_uris(name: str) -> None:
    there = results(translation(b"x", found(0, 1), name=name))[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(there.removeprefix("file://"), errors="surrogateescape") == name
    assert there.startswith("file://") == name.startswith("/")
    assert not there.startswith("c:")


def test_columns_count_characters_and_a_mark_of_byte_order_is_none() -> None:
    made = translation(b"\xef\xbb\xbfx \xc3\xa4 y", found(3, 4), found(8, 9))
    columns = [each["locations"][0]["physicalLocation"]["region"]["startColumn"] for each in results(made)]
    assert columns == [1, 5]
    assert SourceFile("a", made.source.data).location(SourceRange(8, 9).start).column == 6
