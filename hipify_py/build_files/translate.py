"""One build file: its kind decides which of the four translations runs. Pure, as the engine is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.build_files import BuildFile, build_file
from hipify_py.build_files.findings import Findings
from hipify_py.diagnostics import Severity

if TYPE_CHECKING:
    from hipify_py.engine import Translation
    from hipify_py.settings import Settings
    from hipify_py.source import SourceFile


def translate_build_file(source: SourceFile, settings: Settings) -> Translation:
    """Move one build file from CUDA to HIP; never raises for what stands in it."""
    from hipify_py.build_files import cmake, makefile, meson, setup_py  # noqa: PLC0415 - one of four

    kinds = {BuildFile.CMAKE: cmake.translate, BuildFile.MAKE: makefile.translate, BuildFile.MESON: meson.translate,
             BuildFile.SETUP_PY: setup_py.translate}
    findings = Findings(source, settings)
    kind = build_file(source.name)
    try:
        if kind is not None:
            kinds[kind](findings)
    except Exception as error:
        findings = Findings(source, settings)
        findings.report(0, 0, "HPY902", f"this build file stopped with an internal error ({type(error).__name__}: "
                        f"{' '.join(str(error).split())}) and stays as it is: please report it", Severity.ERROR)
    return findings.finish()
