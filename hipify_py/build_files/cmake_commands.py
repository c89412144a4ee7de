"""What each CMake command asks for; one function a command, or a family of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from hipify_py.build_files import cmake_values
from hipify_py.build_files.cmake_lexer import Argument, Command, shell_words
from hipify_py.build_files.cmake_project import Project
from hipify_py.build_files.findings import whole_lines, without_blank
from hipify_py.build_files.flags import translate_flags
from hipify_py.build_files.tables import cmake_names, libraries, library
from hipify_py.diagnostics import Severity

_SCOPES = {"PUBLIC", "PRIVATE", "INTERFACE", "BEFORE", "AFTER", "SYSTEM", "LINK_PUBLIC", "LINK_PRIVATE", "debug",
           "optimized", "general"}
#: A source inside a generator expression: `$<$<BOOL:${GPU}>:src/a.cu>`.
_IN_EXPRESSION = re.compile(r"(?<=[:;,])(?:[\w.+-]|\$\{\w+\}|/)+\.cu(?=[>;,])")
_NO_SOURCES = {"message", "if", "elseif", "string", "install", "configure_file", "add_custom_command", "file",
               "set_source_files_properties", "set_property", "execute_process", "include"}


def project(all_of: Project, command: Command) -> None:
    """``project(name LANGUAGES CXX CUDA)``, ``enable_language(CUDA)``, ``check_language(CUDA)``."""
    found = all_of.found
    words = command.words()
    for index, each in enumerate(command.arguments):
        if each.text != "CUDA" or (command.name == "project" and index == 0):
            continue
        if command.name == "project" and words[index - 1] in ("DESCRIPTION", "VERSION", "HOMEPAGE_URL"):
            continue
        if "HIP" in words:
            found.edit(*without_blank(found.text, each.start, each.end), "", "HPY501", "the language `CUDA` was removed: "
                       "`HIP` is there", place=(each.start, each.end))
        else:
            found.edit(each.start, each.end, "HIP", "HPY501", "the language `CUDA` became `HIP`")


def find_package(all_of: Project, command: Command) -> None:
    """``find_package(CUDA...)`` becomes ``find_package(hip)``, and others their counterparts."""
    found = all_of.found
    if not command.arguments:
        return
    first = command.arguments[0]
    row = cmake_names("package").get(first.text)
    if row is None:
        return
    words = command.words()
    kept = "".join(f" {word}" for word in ("QUIET", "REQUIRED") if word in words)
    text = f"{row.hip}{kept}"
    if row.action == "cuda" and (all_of.has_hip or command is not all_of.toolkit):
        _delete(all_of, command, "HPY501", f"`find_package({first.text})` was removed: `find_package(hip)` is there")
        return
    if row.action == "cuda" and first.text == "CUDA" and not all_of.enables_hip:
        if "REQUIRED" in words:
            found.edit(command.start, command.start, f"enable_language(HIP){found.newline}{_indent(found.text, command)}",
                       "HPY501", "`enable_language(HIP)` was added: HIP is a language, as CUDA was a package",
                       place=(command.start, command.name_end))
        else:
            all_of.behind.setdefault(command.end, []).extend(("if(hip_FOUND)", "  enable_language(HIP)", "endif()"))
    note = f": {row.note}" if row.note else ""
    dropped = ", its version and components do not apply to it" if len(words) > 1 + len(kept.split()) else ""
    found.edit(first.start, command.close, text, "HPY501", f"the package `{first.text}` became `{row.hip}`{dropped}{note}",
               severity=Severity.WARNING if note else Severity.NOTE, place=(first.start, first.end))


def link(all_of: Project, command: Command) -> None:
    """``target_link_libraries`` and ``link_libraries``."""
    arguments = [each for each in command.arguments if each.text not in _SCOPES]
    cmake_values.libraries(all_of, command, arguments[1:] if command.name.startswith("target_") else arguments)


def find_library(all_of: Project, command: Command) -> None:
    """``find_library(VAR cublas ...)``: the name that is looked for."""
    cmake_values.libraries(all_of, command, command.arguments[1:])


def options(all_of: Project, command: Command) -> None:
    """``target_compile_options``, ``add_compile_options``, ``target_link_options``...: flags."""
    head = 1 if command.name.startswith("target_") else 0
    values = [each for each in command.arguments[head:] if each.text not in _SCOPES]
    nvcc = any(word in each.text for each in values for word in ("LANGUAGE:CUDA", "LANG_AND_ID:CUDA"))
    if values and not cmake_values.flags(all_of, values, nvcc=nvcc):
        _delete(all_of, command, "", "")
    for each in values:
        if each.text.startswith("cuda_std_"):
            all_of.found.edit(each.start, each.end, f"hip_std_{each.text[9:]}", "HPY502", f"the feature `{each.text}` became "
                              f"`hip_std_{each.text[9:]}`")


def properties(all_of: Project, command: Command) -> None:
    """``set_target_properties``, ``set_source_files_properties``, ``set_property``."""
    words = command.words()
    keyword = "PROPERTY" if command.name == "set_property" else "PROPERTIES"
    if keyword not in words:
        return
    start = words.index(keyword) + 1
    pairs = command.arguments[start:]
    if command.name == "set_property":
        gone = bool(pairs) and _property(all_of, command, pairs[0], pairs[1:], words)
        if gone:
            _delete(all_of, command, "", "")
        return
    left = 0
    for index in range(0, len(pairs), 2):
        key, values = pairs[index], pairs[index + 1 : index + 2]
        if _property(all_of, command, key, values, words):
            end = values[0].outer[1] if values else key.end
            hole = whole_lines(all_of.found.text, key.start, end)
            if hole == (key.start, end):
                hole = without_blank(all_of.found.text, key.start, end)
            all_of.found.edit(*hole, "", "HPY502",
                              f"the property `{key.text}` was removed", place=(key.start, key.end))
        else:
            left += 1
    if not left and pairs:
        _delete(all_of, command, "", "")


def _property(all_of: Project, command: Command, key: Argument, values: Sequence[Argument], words: list[str]) -> bool:
    """One property with its values; return whether it goes."""
    found = all_of.found
    if key.text in ("LANGUAGE", "LINKER_LANGUAGE") and values and values[0].text == "CUDA":
        found.edit(values[0].start, values[0].end, "HIP", "HPY501", "the language `CUDA` became `HIP`")
        return False
    if key.text in ("COMPILE_FLAGS", "COMPILE_OPTIONS", "LINK_FLAGS", "LINK_OPTIONS"):
        cmake_values.flags(all_of, values, nvcc=any(word.endswith(".cu") for word in words))
        return False
    row = cmake_names("property").get(key.text)
    if row is None:
        return False
    if row.action == "language":
        found.edits([(key.start, key.end, row.hip), *((value.start, value.end, "HIP") for value in values)], "HPY501",
                    f"the property `{key.text}` became `{row.hip} HIP`")
        return False
    if row.action == "rename":
        found.edit(key.start, key.end, row.hip, "HPY502", f"the property `{key.text}` became `{row.hip}`")
        return False
    if row.action == "lost":
        found.report(key.start, key.end, "HPY504", f"the property `{key.text}` has no counterpart: {row.note}", Severity.ERROR)
        return False
    if row.action == "architectures":
        new = cmake_values.architectures(found, values)
        old = ";".join(each.text for each in values)
        if new is None:
            found.report(key.start, key.end, "HPY505", f"the NVIDIA architectures `{old}` were removed: CMake builds for the "
                         "machine's GPUs, or for CMAKE_HIP_ARCHITECTURES; name yours with --offload-arch gfx...")
            return True
        quoted = f'"{new}"' if ";" in new or (values and values[0].kind == "quoted") else new
        span = (values[0].outer[0], values[-1].outer[1]) if values else (key.end, key.end)
        found.edits([(key.start, key.end, row.hip), (*span, quoted)], "HPY505",
                    f"the NVIDIA architectures `{old}` became `{row.hip} {new}`")
        return False
    on = bool(values) and values[0].text.upper() in ("ON", "TRUE", "YES", "1")
    if row.action == "rdc" and on and command.name != "set_property":
        for target in words[: words.index("PROPERTIES")]:
            all_of.behind.setdefault(command.end, []).extend(_rdc(f"target_compile_options({target} PRIVATE ",
                                                                  f"target_link_options({target} PRIVATE "))
        found.report(key.start, key.end, "HPY503", f"`{key.text}` became the flag `-fgpu-rdc`: the targets that link it need it "
                     "too, at linking", Severity.WARNING)
        return True
    if row.action == "rdc" and on:
        found.report(key.start, key.end, "HPY504", f"`{key.text}` has no counterpart: compile and link with `-fgpu-rdc`",
                     Severity.WARNING)
    return True


def _rdc(compile_: str, link_: str) -> list[str]:
    return [f"{compile_}$<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>)", f"{link_}$<$<LINK_LANGUAGE:HIP>:-fgpu-rdc>)"]


def variables(all_of: Project, command: Command) -> None:
    """``set``, ``list``, ``string(APPEND ...)``: architectures, flags, libraries and sources in a variable."""
    head = 0 if command.name == "set" else 1
    arguments = command.arguments
    if len(arguments) <= head:
        return
    name, values = arguments[head], arguments[head + 1 :]
    if "CACHE" in [each.text for each in values]:
        values = values[: [each.text for each in values].index("CACHE")]
    row = cmake_names("variable").get(name.text)
    if row is not None and row.action == "unset" and command.name == "set":
        _delete(all_of, command, "HPY502", f"`{name.text}` was removed" + (f": {row.note}" if row.note else ": HIP has none"))
    elif row is not None and row.action == "rdc" and command.name == "set":
        on = bool(values) and values[0].text.upper() in ("ON", "TRUE", "YES", "1")
        if on:
            all_of.behind.setdefault(command.end, []).extend(_rdc("add_compile_options(", "add_link_options("))
        _delete(all_of, command, "HPY503", f"`{name.text}` " + ("became the flag `-fgpu-rdc`, which static libraries and "
                "what links them both need" if on else "was removed"), Severity.WARNING if on else Severity.NOTE)
    elif name.text == "CMAKE_CUDA_ARCHITECTURES" and command.name == "set" and values:
        _architectures(all_of, command, name, values)
    elif name.text.startswith("CUDA_NVCC_FLAGS") and row is not None:
        _nvcc_flags(all_of, command, name, values, row.hip)
    else:
        cmake_values.flags(all_of, values, nvcc="CUDA" in name.text.upper() or "NVCC" in name.text.upper())
        known = [each for each in values if each.text.startswith(("CUDA::", "${CUDA_")) or (each.text in libraries()
                 and each.text not in ("cuda", "toolkit"))]
        cmake_values.libraries(all_of, command, known)
        sources(all_of, command)


def _architectures(all_of: Project, command: Command, name: Argument, values: Sequence[Argument]) -> None:
    found = all_of.found
    new = cmake_values.architectures(found, values)
    old = ";".join(each.text for each in values)
    if new is None:
        _delete(all_of, command, "HPY505", f"the NVIDIA architectures `{old}` were removed: CMake builds for the machine's "
                "GPUs, or for CMAKE_HIP_ARCHITECTURES; name yours with --offload-arch gfx...", Severity.WARNING)
        return
    quoted = f'"{new}"' if ";" in new or values[0].kind == "quoted" else new
    found.edits([(values[0].outer[0], values[-1].outer[1], quoted)], "HPY505", f"the NVIDIA architectures `{old}` "
                f"became `{new}`", place=(name.start, name.end))


def _nvcc_flags(all_of: Project, command: Command, name: Argument, values: Sequence[Argument], new: str) -> None:
    """FindCUDA's flags are a list; CMAKE_HIP_FLAGS is one string."""
    found = all_of.found
    cmake_values.flags(all_of, values, nvcc=True)
    if not values or (len(values) == 1 and ";" not in values[0].text and command.name != "list"):
        return  # one string already: the name follows as every variable's does
    place = (name.start, name.end)
    message = f"the list `{name.text}` became the string `{new}`"
    edits: list[tuple[int, int, str]] = []
    if command.name == "list" and command.arguments[0].text == "APPEND":
        edits.append((command.start, command.name_end, "string"))
    elif command.name == "list":
        found.report(*place, "HPY504", f"`{name.text}` is a list, and its counterpart `{new}` a string: look at it by hand")
        return
    for each in values:
        if each.kind == "quoted":
            edits += [(each.outer[0], each.start, ""), (each.end, each.outer[1], "")]
        edits += [(place_, place_ + 1, " ") for place_ in range(each.start, each.end) if found.text[place_] == ";"]
    edits = [edit for edit in edits if not any(edit[0] < other.end and other.start < edit[1] for other in _fixes(all_of))]
    lead = " " if command.name == "list" else ""
    edits.append((values[0].outer[0], values[0].outer[0], f'"{lead}'))
    edits.append((values[-1].outer[1], values[-1].outer[1], '"'))
    found.edits([edit for edit in edits if edit[0] != edit[1] or edit[2]], "HPY502", message, place=place)


def _fixes(all_of: Project) -> list[_Span]:
    return [_Span(edit.start, edit.end) for each in all_of.found.diagnostics if each.fix for edit in each.fix.edits]


class _Span:
    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end


def sources(all_of: Project, command: Command) -> None:
    """CUDA sources among the arguments of a command that lists sources."""
    names = [each for each in command.arguments if each.text.endswith((".cu", ".CU")) and "*" not in each.text]
    names += [Argument(match[0], each.start + match.start(), each.start + match.end(), "unquoted")
              for each in command.arguments if "$<" in each.text and "*" not in each.text
              for match in _IN_EXPRESSION.finditer(each.text)]
    if names and command.name not in _NO_SOURCES:
        all_of.source(command, names)


def glob(all_of: Project, command: Command) -> None:
    """``file(GLOB SRCS *.cpp *.cu)``: what it finds gets its language, or is looked for as ``.hip``."""
    words = command.words()
    if len(words) < 3 or words[0] not in ("GLOB", "GLOB_RECURSE"):
        return
    found = all_of.found
    patterns = [each for each in command.arguments[2:] if each.text.endswith(".cu") and "*" in each.text]
    if not patterns:
        return
    others = [word for word in words[2:] if not word.endswith(".cu") and word not in ("CONFIGURE_DEPENDS", "FOLLOW_SYMLINKS")]
    variable = words[1]
    lines = []
    if others:
        variable = f"{words[1]}_HIP"
        lines.append(f"file({words[0]} {variable} {' '.join(found.text[a:b] for a, b in (each.outer for each in patterns))})")
    if f"${{{variable}}}" in all_of.hip_sources:
        return
    lines.append(f"set_source_files_properties(${{{variable}}} PROPERTIES LANGUAGE HIP)")
    all_of.behind.setdefault(command.end, []).extend(lines)
    found.report(patterns[0].start, patterns[0].end, "HPY509", f"what `{patterns[0].text}` finds gets the property `LANGUAGE "
                 "HIP`: translate the sources in place, or look for `.hip`, which needs none", Severity.NOTE)


def old_style(all_of: Project, command: Command) -> None:
    """FindCUDA's commands."""
    found = all_of.found
    row = cmake_names("command")[command.name]
    old = found.text[command.start : command.name_end]
    note = f": {row.note}" if row.note else ""
    if row.action == "lost":
        found.report(command.start, command.name_end, "HPY504", f"`{old}` has no counterpart{note}", Severity.ERROR)
    elif row.action == "remove":
        all_of.drops_architectures |= "arch" in command.name
        _delete(all_of, command, "HPY502", f"`{old}` was removed{note or ': HIP needs none'}")
    elif row.action == "link":
        known = library(row.hip)
        if known is not None and command.arguments:
            all_of.want(known, command)
            found.edit(command.start, command.end, f"target_link_libraries({command.words()[0]} {known.target})", "HPY506",
                       f"`{old}` became `target_link_libraries` with `{known.target}`")
    elif row.action == "rename":
        found.edit(command.start, command.name_end, row.hip, "HPY502", f"`{old}` became `{row.hip}`")
    else:
        _old_target(all_of, command, old, row.hip)


def _old_target(all_of: Project, command: Command, old: str, new: str) -> None:
    """``cuda_add_library(t a.cu OPTIONS flags)``: the options are a command of their own."""
    found = all_of.found
    words = command.words()
    found.edit(command.start, command.name_end, new, "HPY502", f"`{old}` became `{new}`: HIP is a language")
    if "OPTIONS" in words and len(words) > words.index("OPTIONS"):
        place = words.index("OPTIONS")
        values = command.arguments[place + 1 :]
        flat = [word for each in values for word, _, _ in shell_words(each.text)]
        rest: list[str] = []
        done = 0
        for change in translate_flags(flat, cmake_values.target_for(found, True)):
            all_of.drops_architectures |= change.code == "HPY505"
            rest += flat[done : change.first] + ([change.text] if change.text else
                                                 flat[change.first : change.end] if change.text is None else [])
            done = change.end
            severity = change.severity
            found.report(values[0].start, values[-1].end, change.code, change.message, severity)
        rest += flat[done:]
        start, _ = without_blank(found.text, command.arguments[place].start, command.arguments[place].end)
        found.edit(start, command.close, "", "HPY503", "the flags behind `OPTIONS` became `target_compile_options`",
                   place=(command.arguments[place].start, command.arguments[place].end))
        if rest and new != "set":
            listed = ";".join(" ".join(rest).split())
            options_ = f"$<$<COMPILE_LANGUAGE:HIP>:{listed}>"
            options_ = f'"{options_}"' if ";" in listed else options_
            all_of.behind.setdefault(command.end, []).append(f"target_compile_options({words[0]} PRIVATE {options_})")
    sources(all_of, command)


def include(all_of: Project, command: Command) -> None:
    """``include(FindCUDA)`` and what comes with it."""
    words = command.words()
    if words and words[0].startswith(("FindCUDA", "CUDA/")):
        _delete(all_of, command, "HPY501", f"`include({words[0]})` was removed: HIP is a language of CMake")


def other(all_of: Project, command: Command) -> None:
    """Any other command: sources, targets and sure names of libraries; nvcc's flags where it is called."""
    if any("nvcc" in word.lower() or "CMAKE_CUDA_COMPILER" in word for word in command.words()):
        for each in command.arguments:
            if each.text == "nvcc" or each.text.endswith("/nvcc"):
                all_of.found.edit(each.start, each.end, "hipcc", "HPY502", f"the compiler `{each.text}` became `hipcc`")
        if command.name in ("add_custom_command", "add_custom_target", "execute_process"):
            cmake_values.flags(all_of, command.arguments, nvcc=True)
    cmake_values.libraries(all_of, command, [each for each in command.arguments if each.text.startswith("CUDA::") or (
        each.text in libraries() and each.text not in ("cuda", "toolkit", "nvml", "nccl"))])
    if command.name not in _NO_SOURCES:
        sources(all_of, command)


def _delete(all_of: Project, command: Command, code: str, message: str, severity: Severity = Severity.NOTE) -> None:
    """Remove a command; what stands behind it by now takes its place."""
    found = all_of.found
    behind = all_of.behind.pop(command.end, [])
    inner = [each for each in found.diagnostics
             if each.fix and each.fix.edits[0].start >= command.start and each.fix.edits[-1].end <= command.end]
    for each in inner:  # the reports stay, their edits are this one's
        found.diagnostics.remove(each)
        found.report(each.range.start, each.range.end, each.code, each.message, each.severity)
    place = (command.start, command.name_end)
    if behind:
        text = f"{found.newline}{_indent(found.text, command)}".join(behind)
        found.edit(command.start, command.end, text, code or "HPY502", message or "nothing is left of this command",
                   severity=severity, place=place)
        return
    start, end = whole_lines(found.text, command.start, command.end)
    found.edit(start, end, "", code or "HPY502", message or "nothing was left of this command: it was removed",
               severity=severity, place=place)


def _indent(text: str, command: Command) -> str:
    indent = text[text.rfind("\n", 0, command.start) + 1 : command.start]
    return indent if not indent.strip() else ""


def _targets(all_of: Project, command: Command) -> None:
    sources(all_of, command)


HANDLERS: dict[str, Callable[[Project, Command], None]] = {
    "project": project, "enable_language": project, "check_language": project,
    "find_package": find_package, "include": include, "find_library": find_library, "file": glob,
    **dict.fromkeys(("target_link_libraries", "link_libraries"), link),
    **dict.fromkeys(("target_compile_options", "add_compile_options", "target_link_options", "add_link_options",
                     "target_compile_features", "add_definitions"), options),
    **dict.fromkeys(("set_target_properties", "set_source_files_properties", "set_property",
                     "set_directory_properties"), properties),
    **dict.fromkeys(("set", "list", "string"), variables),
    **dict.fromkeys(("add_library", "add_executable", "target_sources"), _targets),
    **dict.fromkeys(cmake_names("command"), old_style),
}
