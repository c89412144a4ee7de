"""CMake: CUDA as a language or by FindCUDA becomes HIP as a language, with ROCm's packages, targets and flags."""

from __future__ import annotations

import re

from hipify_py.build_files import cmake_commands, cmake_values
from hipify_py.build_files.cmake_lexer import Command, commands
from hipify_py.build_files.cmake_project import Project
from hipify_py.build_files.findings import Findings
from hipify_py.diagnostics import Severity

_LANGUAGES = (
    re.compile(r"(?:COMPILE|LINK)_LANGUAGE:(?:[A-Z]+,)*?(CUDA)\b"),
    re.compile(r"(?:COMPILE|LINK)_LANG_AND_ID:(CUDA),"),
    re.compile(r"[<:](CUDA)_COMPILER_(?:ID|VERSION)\b"),
    re.compile(r"(?:LANG_AND_ID:CUDA,|CUDA_COMPILER_ID:)(?:\w+,)*?(NVIDIA)\b"),
)
_TOOLKIT = re.compile(r"\$ENV\{(?:CUDA_HOME|CUDA_PATH|CUDACXX|CUDA_ROOT)\}|/usr/local/cuda[\w.-]*|/opt/cuda\b")
_OWN = re.compile(r"\bCMAKE_CUDA_\w+|\bCUDAToolkit_\w+|\bCUDA::\w+")


def translate(found: Findings) -> None:
    """Collect what has to change in a CMakeLists.txt or a module."""
    parsed = list(commands(found.text))
    project = Project(found, parsed)
    for command in parsed:
        handler = cmake_commands.HANDLERS.get(command.name)
        if handler is not None:
            handler(project, command)
        else:
            cmake_commands.other(project, command)
        _everywhere(found, command)
    project.close()
    _left_over(found, parsed)


def _everywhere(found: Findings, command: Command) -> None:
    """What is the same in every command: generator expressions, references to variables, paths."""
    start, end = command.name_end, command.close
    text = found.text
    for match in [each for pattern in _LANGUAGES for each in pattern.finditer(text, start, end)]:
        group = 1
        new = "HIP" if match[group] == "CUDA" else "Clang"
        found.edit(match.start(group), match.end(group), new, "HPY501", f"`{match[group]}` in a generator expression became "
                   f"`{new}`")
    cmake_values.references(found, command)
    for match in _TOOLKIT.finditer(text, start, end):
        found.report(match.start(), match.end(), "HPY508", f"`{match[0]}` leads into a CUDA toolkit: hipcc and "
                     "`find_package(hip)` find ROCm by themselves, remove it or name ROCm's folder")


def _left_over(found: Findings, parsed: list[Command]) -> None:
    """CMake's own CUDA names that nothing above knew."""
    spoken = [(each.range.start, each.range.end) for each in found.diagnostics]
    spoken += [(edit.start, edit.end) for each in found.diagnostics if each.fix for edit in each.fix.edits]
    for command in parsed:
        for match in _OWN.finditer(found.text, command.name_end, command.close):
            if not any(first <= match.start() and match.end() <= last for first, last in spoken):
                found.report(match.start(), match.end(), "HPY510", f"`{match[0]}` is CMake's for CUDA, and no counterpart is "
                             "known: look at it by hand", Severity.WARNING)
