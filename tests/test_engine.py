"""The engine: order, priority, what is applied and what is told, and rules that fail."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hipify_py import rules
from hipify_py.diagnostics import Applicability, Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.engine import translate
from hipify_py.settings import Settings
from hipify_py.source import SourceRange
from hipify_py.unit import TranslationUnit


def _with(monkeypatch: pytest.MonkeyPatch, *functions: rules.Rule) -> None:
    monkeypatch.setattr(rules, "load", lambda: functions)


def _first(text: bytes, start: int, end: int) -> rules.Rule:
    def check(unit: TranslationUnit) -> Iterator[Finding]:
        yield Edit(start, end, text, "HPY101")
    return check


def test_a_rule_that_fails_is_reported_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(unit: TranslationUnit) -> Iterator[Finding]:
        yield Edit(0, 1, b"A", "HPY101")
        raise RuntimeError("two\nlines")

    _with(monkeypatch, broken, _first(b"B", 1, 2))
    result = translate(b"abc")
    assert result.text == b"ABc"
    assert [each.code for each in result.diagnostics] == ["HPY902"]
    assert "RuntimeError: two lines" in result.diagnostics[0].message


def test_the_earlier_rule_wins_and_the_other_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    _with(monkeypatch, _first(b"X", 0, 2), _first(b"Y", 1, 3))
    result = translate(b"abc")
    assert result.text == b"Xc"
    assert [each.code for each in result.diagnostics] == ["HPY901"]


@pytest.mark.parametrize(("applicability", "asked", "text"), [
    (Applicability.SAFE, False, b"X"), (Applicability.UNSAFE, False, b"a"), (Applicability.UNSAFE, True, b"X"),
    (Applicability.DISPLAY_ONLY, True, b"a"),
])
def test_which_fixes_are_applied(monkeypatch: pytest.MonkeyPatch, applicability: Applicability, asked: bool,
                                 text: bytes) -> None:
    def check(unit: TranslationUnit) -> Iterator[Finding]:
        yield Diagnostic("HPY203", Severity.NOTE, "m", SourceRange(0, 1), Fix((Edit(0, 1, b"X", "HPY203"),), applicability))

    _with(monkeypatch, check)
    assert translate(b"a", settings=Settings(unsafe_fixes=asked)).text == text


def test_diagnostics_are_in_order_of_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(unit: TranslationUnit) -> Iterator[Finding]:
        for start in (2, 0, 1):
            yield Diagnostic("HPY203", Severity.NOTE, "m", SourceRange(start, start + 1))

    _with(monkeypatch, check)
    assert [each.range.start for each in translate(b"abc").diagnostics] == [0, 1, 2]


def test_nothing_to_do_returns_the_same_bytes() -> None:
    data = b"int main() { return 0; }\n"
    result = translate(data)
    assert result.text is data
    assert not result.changed
    assert result.diagnostics == ()


@pytest.mark.parametrize("data", [b"", b"\n", b"\xef\xbb\xbf", b"\0", b"\xff\xfe"])
def test_odd_inputs_come_back(data: bytes) -> None:
    assert translate(data, filename="x.cu").text == data


def test_a_str_is_refused_in_words() -> None:
    with pytest.raises(TypeError, match=r"takes the bytes of a source, not a str: `text.encode\(\)`"):
        translate("cudaFree(p);")  # type: ignore[arg-type]


def test_a_translation_is_short_when_it_is_printed() -> None:
    assert len(repr(translate(b"cudaFree(p);\n" * 1000, filename="a.cu"))) < 500
