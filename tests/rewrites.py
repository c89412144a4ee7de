"""What the tests of single rules share: translate a fragment, and see what became of it."""

from __future__ import annotations

from hipify_py.diagnostics import Diagnostic
from hipify_py.engine import Translation, translate
from hipify_py.settings import Settings

HIP = "#include <hip/hip_runtime.h>\n"


def run(text: str, name: str = "input.cu", **settings: object) -> Translation:
    """The translation of a fragment, as if it already had its include."""
    return translate((HIP + text).encode(), filename=name, settings=Settings(**settings))  # type: ignore[arg-type]


def hip(text: str, name: str = "input.cu", **settings: object) -> str:
    """The HIP text of a fragment."""
    result = run(text, name, **settings).text.decode()
    assert result.startswith(HIP)
    return result[len(HIP):]


def codes(translation: Translation) -> list[str]:
    """The codes of the diagnostics, in order of place."""
    return [each.code for each in translation.diagnostics]


def lines(translation: Translation, code: str) -> list[int]:
    """The lines (of the fragment) that a code was reported on."""
    found: list[Diagnostic] = [each for each in translation.diagnostics if each.code == code]
    return [translation.source.location(each.range.start).line - 1 for each in found]
