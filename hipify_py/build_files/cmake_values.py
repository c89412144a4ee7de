"""Values in CMake commands: flags, libraries, variables and architectures, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hipify_py.build_files.cmake_lexer import Argument, Command, shell_words
from hipify_py.build_files.cmake_project import Project
from hipify_py.build_files.findings import Findings, whole_lines, without_blank
from hipify_py.build_files.flags import Target, translate_flags
from hipify_py.build_files.tables import Library, cmake_names, library_of_variable
from hipify_py.build_files.tables import flags as nvcc_flags
from hipify_py.diagnostics import Severity

_REFERENCE = re.compile(r"(?<!ENV)\{(\w+)\}")
_BARE = {"if", "elseif", "while", "set", "unset", "list", "string", "message", "mark_as_advanced", "option", "separate_arguments"}


def target_for(found: Findings, nvcc: bool) -> Target:
    """How flags in CMake files are written: CMake itself passes ``--offload-arch``."""
    return Target(found.settings.offload_arch, "", "CMake builds for the machine's GPUs, or for CMAKE_HIP_ARCHITECTURES",
                  nvcc, "CMAKE_HIP_ARCHITECTURES")


def flags(project: Project, arguments: Sequence[Argument], *, nvcc: bool) -> bool:
    """Translate the flags in these arguments; return whether some flag or word is left of them."""
    found = project.found
    table = nvcc_flags()
    words: list[tuple[str, int, int]] = []
    owners: list[Argument] = []
    for each in arguments:
        inner = list(shell_words(each.text, each.start))
        row = table.get(words[-1][0]) if words else None
        if each.kind == "quoted" and row is not None and row.value == "yes" and owners[-1].end == words[-1][2]:
            inner = [(each.text, each.start, each.end)]  # `-Xcompiler "-fPIC -Wall"`
        words += inner
        owners += [each] * len(inner)
    gone = 0
    changes = list(translate_flags([word for word, _, _ in words], target_for(found, nvcc)))
    emptied = {owner.start for owner in owners if owner.text.startswith(("$<", "SHELL:")) and _balanced(owner.text)}
    emptied -= {owners[index].start for index in range(len(words))
                if not any(change.text == "" and change.first <= index < change.end for change in changes)}
    project.drops_architectures |= any(change.code == "HPY505" for change in changes)
    for change in changes:
        covered = words[change.first : change.end]
        start, end = covered[0][1], covered[-1][2]
        first, last = owners[change.first], owners[change.end - 1]
        if first is not last and (first.kind == "quoted") != (last.kind == "quoted"):
            if (start, end) != (first.start, last.end):
                found.report(start, end, change.code, f"{change.message}; the quotes are in the way: do it by hand",
                             Severity.WARNING)
                continue
            start, end = first.outer[0], last.outer[1]
        if change.text is None:
            found.report(start, end, change.code, change.message, change.severity)
            continue
        if not change.text and owners[change.first].start in emptied:
            gone += len(covered)
            found.report(start, end, change.code, change.message, change.severity)
            owner = owners[change.first]
            if change.end == len(words) or owners[change.end] is not owner:
                found.edit(*_argument_hole(found.text, *owner.outer), "", change.code, f"nothing was left of "
                           f"`{owner.text}`: it was removed", place=(owner.start, owner.end))
            continue
        if not change.text:
            gone += len(covered)
            found.edit(*_hole(found.text, start, end), "", change.code, change.message, severity=change.severity,
                       place=(start, end))
            continue
        text = change.text
        semicolon = ";" in found.text[start:end] or (end < len(found.text) and found.text[end] == ";") \
            or found.text[start - 1 : start] == ";"
        if semicolon:
            text = text.replace(" ", ";")
        found.edit(start, end, text, change.code, change.message, severity=change.severity)
    return gone < len(words)


def _balanced(text: str) -> bool:
    """Whether a generator expression ends in the argument that it starts in."""
    return text.count("$<") == text.count(">")


def _argument_hole(text: str, start: int, end: int) -> tuple[int, int]:
    """An argument goes with its line where it is alone on it."""
    lines = whole_lines(text, start, end)
    return lines if lines != (start, end) else without_blank(text, start, end)


def _hole(text: str, start: int, end: int) -> tuple[int, int]:
    """A flag in a list goes with its semicolon, else with its blanks."""
    if text[end : end + 1] == ";":
        return start, end + 1
    if text[start - 1 : start] == ";":
        return start - 1, end
    if text[start - 1 : start] in ('"', ":"):
        last = end
        while text[last : last + 1] == " ":
            last += 1
        return start, last
    if text[start - 1 : start] in " \t\n" and text[end : end + 1] == ">":
        first, _ = without_blank(text, start, end)
        return (first, end) if first else (start, end)
    return without_blank(text, start, end)


def references(found: Findings, command: Command) -> None:
    """Rename CMake's own CUDA variables: ``${NAME}`` anywhere, ``NAME`` where a command takes names."""
    table = cmake_names("variable")
    for match in _REFERENCE.finditer(found.text, command.name_end, command.close):
        row = table.get(match[1])
        if row is not None and row.action == "rename":
            _rename(found, match.start(1), match.end(1), row.hip, row.note)
        elif row is not None and row.action == "report":
            found.report(match.start(1), match.end(1), "HPY508", f"`{match[1]}` is where CUDA lies: {row.note}")
    if command.name not in _BARE:
        return
    for index, each in enumerate(command.arguments):
        row = table.get(each.text)
        if each.kind == "word" and row is not None and row.action == "rename":
            _rename(found, each.start, each.end, row.hip, row.note)
        elif each.kind == "word" and row is not None and row.action == "report" and index == 0:
            found.report(each.start, each.end, "HPY508", f"`{each.text}` is where CUDA lies: {row.note}")
        elif each.text == "NVIDIA" and any(word.strip("${}").startswith("CMAKE_CUDA_COMPILER_ID")
                                           for word in command.words()):
            found.edit(each.start, each.end, "Clang", "HPY502", "`NVIDIA` became `Clang`: the compiler of HIP")


def _rename(found: Findings, start: int, end: int, new: str, note: str) -> None:
    old = found.text[start:end]
    found.edit(start, end, new, "HPY502", f"the variable `{old}` became `{new}`" + (f": {note}" if note else ""),
               severity=Severity.WARNING if note else Severity.NOTE)


def libraries(project: Project, command: Command, arguments: Sequence[Argument], *, plain: bool = True) -> None:
    """Rename libraries and targets in these arguments."""
    for each in arguments:
        text = each.text
        if text.startswith("${") and text.endswith("}"):
            variable = text[2:-1]
            row = project.library("CUDA::cudart") if variable == "CUDA_LIBRARIES" else library_of_variable(variable)
            if row is not None:
                library(project, command, each, row, target=True)
            continue
        if text.startswith("-"):
            flags(project, [each], nvcc=False)
            continue
        name = text.rpartition("/")[2] if text.endswith((".so", ".a")) else text
        is_target = "::" in text
        row = project.library(name) if is_target or plain else None
        if row is not None and (is_target or row.support != "target"):
            library(project, command, each, row, target=is_target)


def library(project: Project, command: Command, each: Argument, row: Library, *, target: bool) -> None:
    """Rename one library."""
    found = project.found
    start, end = each.start, each.end
    if row.support == "no":
        found.report(start, end, "HPY507", f"the library `{each.text}` has no counterpart: {row.note}", Severity.ERROR)
        return
    new = row.target if target or row.support in ("runtime", "target") else row.hip
    if not new:
        found.edit(*without_blank(found.text, *each.outer), "", "HPY506", f"the library `{each.text}` was removed: HIP has "
                   "one runtime library", place=(start, end))
        return
    if new in command.words() or (new, command.start) in _written(project):
        found.edit(*without_blank(found.text, *each.outer), "", "HPY506", f"the library `{each.text}` was removed: `{new}` "
                   "is linked already", place=(start, end))
        return
    _written(project).add((new, command.start))
    if "::" in new or target:
        project.want(row, command)
    differs = f": {row.note}" if row.support == "differs" else ""
    found.edit(start, end, new, "HPY506", f"the library `{each.text}` became `{new}`{differs}",
               severity=Severity.WARNING if differs else Severity.NOTE)


def _written(project: Project) -> set[tuple[str, int]]:
    """What was written into each command already."""
    known: set[tuple[str, int]] = project.__dict__.setdefault("written", set())
    return known


def architectures(found: Findings, values: Sequence[Argument]) -> str | None:
    """What AMD architectures stand for these: from the settings; the variables that are there; None: nothing to write."""
    if found.settings.offload_arch:
        return ";".join(found.settings.offload_arch)
    text = ";".join(each.text for each in values)
    if text.upper() in ("OFF", "FALSE", "NO") or "gfx" in text:
        return text
    variables = re.sub(r"\$\{[^{}]*\}", "", text).strip(";")
    return text if "$" in text and not variables else None
