"""Golden files: what the translator makes of ``tests/golden/<rule>/<case>.cu``, byte for byte.

``pytest tests/test_golden.py --update-golden`` writes the files anew; read the difference before it is committed.
"""

from __future__ import annotations

import pytest

import hipify_py
from hipify_py.settings import Settings, Syntax, Version
from tests.conftest import GOLDEN, GoldenCase


def render(translation) -> str:
    """The diagnostics as the ``.diag`` files have them: ``line:col: severity: message [CODE]``, one a line."""
    lines = []
    for diagnostic in translation.diagnostics:
        at = translation.source.location(diagnostic.range.start)
        lines.append(f"{at.line}:{at.column}: {diagnostic.severity.value}: {diagnostic.message} [{diagnostic.code}]\n")
    return "".join(lines)


def test_golden(golden_case, request) -> None:
    translation = hipify_py.translate(golden_case.source.read_bytes(), filename=str(golden_case.source),
                                      settings=golden_case.settings)
    said = render(translation)
    if request.config.getoption("--update-golden"):
        golden_case.hip.write_bytes(translation.text)
        if said:
            golden_case.diag.write_text(said, encoding="utf-8", newline="\n")
        else:
            golden_case.diag.unlink(missing_ok=True)
        return
    assert golden_case.hip.is_file(), f"{golden_case.name}.hip is missing: run pytest with --update-golden"
    assert translation.text.decode(errors="surrogateescape") == golden_case.hip.read_bytes().decode(
        errors="surrogateescape")
    assert said == (golden_case.diag.read_text(encoding="utf-8") if golden_case.diag.exists() else "")


def test_a_second_run_changes_nothing(golden_case) -> None:
    first = hipify_py.translate(golden_case.source.read_bytes(), filename=str(golden_case.source),
                                settings=golden_case.settings)
    again = hipify_py.translate(first.text, filename=str(golden_case.hip), settings=golden_case.settings)
    assert again.text.decode(errors="surrogateescape") == first.text.decode(errors="surrogateescape")


def test_no_expectation_without_a_source() -> None:
    left = [path.relative_to(GOLDEN).as_posix() for path in sorted(GOLDEN.glob("*/*"))
            if path.suffix in (".hip", ".diag") and not path.with_suffix(".cu").exists()]
    assert left == []


@pytest.mark.parametrize(("marker", "text"), [("typo", "neither"), ("no_such_setting=1", "neither")])
def test_a_wrong_marker_is_named(tmp_path, marker, text) -> None:
    source = tmp_path / "case.cu"
    source.write_text(f"// golden: {marker}\n")
    with pytest.raises(ValueError, match=text):
        _ = GoldenCase(source).settings


def test_markers_become_settings(tmp_path) -> None:
    source = tmp_path / "case.cu"
    source.write_bytes(b"// golden: no-compile newer-hip\r\n// golden: launch_syntax=cuda unsafe_fixes=true rocm=6.2 "
                       b"offload_arch=gfx90a,gfx942 standard=c++20\r\nint x;\r\n")
    case = GoldenCase(source)
    assert not case.compiles
    assert case.newer_hip
    assert case.settings == Settings(launch_syntax=Syntax.CUDA, unsafe_fixes=True, rocm=Version(6, 2),
                                     offload_arch=("gfx90a", "gfx942"), standard="c++20")
