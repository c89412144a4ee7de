"""Findings that are accepted, by comments and by a baseline; diagnostics as comments in the text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipify_py.cli import main
from hipify_py.engine import translate
from hipify_py.settings import Settings
from tests.rewrites import codes, run

BAD = "cudaDevAttrClusterLaunch;"


@pytest.mark.parametrize("text", [
    f"int i = {BAD} // hipify-py: ignore[HPY401]", f"int i = {BAD} // hipify-py: ignore",
    f"int i = {BAD} /* hipify-py:ignore[HPY4] */",
    f"// hipify-py: ignore[HPY401]\nint i = {BAD}", f"    // hipify-py: ignore[hpy401, HPY302]\nint i = {BAD}",
    f"// hipify-py: ignore[HPY302]\nint i = {BAD} // hipify-py: ignore[HPY401]",
])
def test_a_comment_accepts_a_finding(text: str) -> None:
    result = run(text + "\n")
    assert codes(result) == []
    assert text in result.text.decode()


@pytest.mark.parametrize("text", [
    f"int i = {BAD} // hipify-py: ignore[HPY302]", f"int j; // hipify-py: ignore\nint i = {BAD}",
    f"int i = {BAD} // ignore[HPY401]",
    f"int i = {BAD}\n// hipify-py: ignore[HPY401]", f"// hipify-py: ignore[HPY401]\n\nint i = {BAD}",
    f"const char *s = \"hipify-py: ignore\"; int i = {BAD}",
])
def test_other_comments_accept_nothing(text: str) -> None:
    assert codes(run(text + "\n")) == ["HPY401"]


def test_what_is_accepted_is_still_rewritten() -> None:
    source = b"#include <cuda_runtime.h>\n__global__ void k(int v) { v = __shfl_sync(~0u, v, 0); } // hipify-py: ignore\n"
    result = translate(source, filename="a.cu")
    assert b"__shfl(v, 0, 32)" in result.text
    assert result.diagnostics == ()


ANNOTATED = [
    (f"int i = {BAD}\n", "// hipify-py: error HPY401: {}\nint i = " + BAD + "\n"),
    (f"  int i = {BAD}\n", "  // hipify-py: error HPY401: {}\n  int i = " + BAD + "\n"),
    (f"#define A \\\n  {BAD}\nint j;\n", "// hipify-py: error HPY401: {}\n#define A \\\n  " + BAD + "\nint j;\n"),
    (f"/* a\n b */ int i = {BAD}\n", "// hipify-py: error HPY401: {}\n/* a\n b */ int i = " + BAD + "\n"),
    (f"int \\\ni = {BAD}\n", "// hipify-py: error HPY401: {}\nint \\\ni = " + BAD + "\n"),
    ("int i;\n", "int i;\n"),
]


@pytest.mark.parametrize(("before", "after"), ANNOTATED)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_annotations(before: str, after: str, newline: str) -> None:
    before, after = before.replace("\n", newline), after.replace("\n", newline)
    head = "#include <hip/hip_runtime.h>" + newline
    result = translate((head + before).encode(), filename="a.cu", settings=Settings(annotate=True))
    message = result.diagnostics[0].message if result.diagnostics else ""
    assert result.text.decode() == head + after.replace("{}", message)
    again = translate(result.text, filename="a.cu", settings=Settings(annotate=True))
    assert again.text == result.text


def test_annotations_in_c() -> None:
    source = f"#include <hip/hip_runtime_api.h>\nint i = {BAD}\n".encode()
    result = translate(source, filename="a.c", settings=Settings(annotate=True))
    assert b"\n/* hipify-py: error HPY401: " in result.text


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.cu").write_text(f"int i = {BAD}\nint j = {BAD}\n")
    return tmp_path


def test_a_baseline(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["a.cu", "-o", "-", "--baseline", "accepted.json"]
    assert main([*call, "--update-baseline"]) == 0
    first = Path("accepted.json").read_bytes()
    rows = json.loads(first)["findings"]
    assert [(row["file"], row["code"], row["line"], row["count"]) for row in rows] == [
        ("a.cu", "HPY401", f"int i = {BAD}", 1), ("a.cu", "HPY401", f"int j = {BAD}", 1)]
    capsys.readouterr()
    assert main(call) == 0
    assert "HPY401" not in capsys.readouterr().err
    Path("a.cu").write_text(f"int n;\nint i = {BAD}\nint i = {BAD}\nint j = {BAD}\n")
    assert main(call) == 1  # lines that moved are known, a second one of a kind is not
    assert capsys.readouterr().err.count("[HPY401]") == 1
    assert Path("accepted.json").read_bytes() == first


@pytest.mark.parametrize(("text", "said"), [
    (None, "cannot be read: no such file"), ("{", "is no JSON"), ("[]", "is none of version 1"),
    ('{"version": 2}', "is none of version 1"),
    ('{"version": 1, "findings": [{}]}', "is none of version 1"),
])
def test_a_bad_baseline_is_one_line(project: Path, capsys: pytest.CaptureFixture[str], text: str | None, said: str) -> None:
    if text is not None:
        Path("accepted.json").write_text(text)
    assert main(["a.cu", "--baseline", "accepted.json"]) == 2
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1
    assert not Path("a.hip").exists()
    assert main(["a.cu", "--update-baseline"]) == 2


def test_a_comment_takes_names_as_the_command_line_does() -> None:
    text = "int i = cudaDevAttrClusterLaunch; // hipify-py: ignore[{}]\n"
    assert codes(run(text.format("no-counterpart"))) == []
    assert codes(run(text.format("wave-size, no-counterpart"))) == []
    assert codes(run(text.format("wave-size"))) == ["HPY401"]
