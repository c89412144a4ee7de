"""What one CMake file says as a whole: its packages, its CUDA sources, and what has to be added where."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from hipify_py.build_files.cmake_lexer import Argument, Command
from hipify_py.build_files.findings import Findings
from hipify_py.build_files.tables import Library, library
from hipify_py.diagnostics import Severity

#: The first CMake that has HIP as a language.
MINIMUM = (3, 21)


class Project:
    """The commands of a file, and the lines that are put in behind or in front of them at the end."""

    def __init__(self, found: Findings, parsed: Sequence[Command]) -> None:
        self.found = found
        self.commands = parsed
        self.behind: dict[int, list[str]] = {}
        self.before: dict[int, list[str]] = {}
        #: Commands that go as a whole.
        self.removed: set[int] = set()
        self.packages = {each.arguments[0].text.lower() for each in parsed
                         if each.name == "find_package" and each.arguments}
        #: The find_package(CUDA...) that becomes find_package(hip), its options, and the packages that follow it.
        self.toolkit = next((each for each in parsed if each.name == "find_package" and each.arguments
                             and each.arguments[0].text in ("CUDA", "CUDAToolkit")), None)
        self.has_hip = "hip" in self.packages
        if self.toolkit is not None:
            self.packages.add("hip")
        #: Targets of this file, which may be called as libraries of CUDA are.
        self.targets = {each.arguments[0].text for each in parsed if each.arguments and each.name in (
            "add_library", "add_executable", "cuda_add_library", "cuda_add_executable", "add_custom_target")}
        self.wanted: list[tuple[str, Command]] = []
        self.hip_sources: set[str] = set()
        for each in parsed:
            words = each.words()
            if each.name == "set_source_files_properties" and "LANGUAGE" in words \
                    and words[words.index("LANGUAGE") + 1 : words.index("LANGUAGE") + 2] in (["HIP"], ["CUDA"]):
                self.hip_sources.update(words[: words.index("PROPERTIES")] if "PROPERTIES" in words else ())
        self.enables_hip = any(
            (each.name in ("project", "enable_language")) and {"CUDA", "HIP"} & set(each.words()[:1] if each.name ==
                                                                                  "enable_language" else each.words()[1:])
            for each in parsed)
        self.is_old = any((each.arguments and each.name == "find_package" and each.arguments[0].text == "CUDA")
                          or each.name.startswith("cuda_add_") for each in parsed)
        #: Architectures stood in flags, and CMAKE_HIP_ARCHITECTURES takes their place.
        self.drops_architectures = False
        self.minimum = next((each for each in parsed if each.name == "cmake_minimum_required"), None)

    @property
    def options(self) -> str:
        """``REQUIRED`` and ``QUIET`` as the search for CUDA has them."""
        words = self.toolkit.words() if self.toolkit is not None else ["REQUIRED"]
        return "".join(f" {word}" for word in ("QUIET", "REQUIRED") if word in words)

    def want(self, row: Library, command: Command) -> None:
        """A target of a package is used: the package has to be found before."""
        if row.package and row.package not in self.packages:
            self.packages.add(row.package)
            self.wanted.append((row.package, command))

    def library(self, argument_text: str) -> Library | None:
        """A library that a command links, by target or plain name."""
        return None if argument_text in self.targets else library(argument_text)

    def source(self, command: Command, names: Sequence[Argument]) -> None:
        """CUDA sources are listed: HIP is their language, or their translations are listed instead."""
        found = self.found
        lines: list[str] = []
        first: Argument | None = None
        for each in names:
            new = found.renamed(each.text)
            if new is not None:
                found.edit(each.start, each.end, new, "HPY509", f"the source `{each.text}` became `{new}`, its translation")
            elif each.text not in self.hip_sources:
                self.hip_sources.add(each.text)
                lines.append(each.text)
                first = first or each
        if first is not None:
            more = f" and {len(lines) - 1} more get" if len(lines) > 1 else " gets"
            found.report(first.start, first.end, "HPY509", f"`{first.text}`{more} the property `LANGUAGE HIP`: translate in "
                         "place, or list the `.hip` here, which needs none", Severity.NOTE)
            quoted = [f'"{name}"' if " " in name else name for name in lines]
            self.behind.setdefault(command.end, []).append(
                f"set_source_files_properties({' '.join(quoted)} PROPERTIES LANGUAGE HIP)")

    def remove(self, command: Command) -> None:
        """Nothing is left of a command."""
        self.removed.add(command.start)

    def close(self) -> None:
        """Write the lines that were asked for."""
        found = self.found
        self._packages()
        self._architectures()
        for command in self.commands:
            before, behind = self.before.get(command.start, []), self.behind.get(command.end, [])
            if before:
                place = found.text.rfind("\n", 0, command.start) + 1
                indent = found.text[place : command.start]
                if not indent.strip():
                    text = "".join(f"{indent}{line}{found.newline}" for line in before)
                    found.edit(place, place, text, "HPY502", f"`{before[0]}` was added: a target of it is used below",
                               place=(command.start, command.name_end))
            if behind:
                indent = found.text[found.text.rfind("\n", 0, command.start) + 1 : command.start]
                indent = indent if not indent.strip() else ""
                text = "".join(f"{found.newline}{indent}{line}" for line in behind)
                more = f" and {len(behind) - 1} more" if len(behind) > 1 else ""
                found.edit(command.end, command.end, text, "HPY502", f"`{behind[0]}`{more} was added behind it",
                           place=(command.start, command.name_end))
        self._minimum()

    def _packages(self) -> None:
        for package, command in self.wanted:
            if self.toolkit is not None:
                self.behind.setdefault(self.toolkit.end, []).append(f"find_package({package}{self.options})")
            else:
                self.before.setdefault(command.start, []).append(f"find_package({package} REQUIRED)")

    def _architectures(self) -> None:
        """What stood in flags stands in CMAKE_HIP_ARCHITECTURES, unless that is set here."""
        chosen = ";".join(self.found.settings.offload_arch)
        is_set = any(each.name == "set" and each.words()[:1] in (["CMAKE_CUDA_ARCHITECTURES"], ["CMAKE_HIP_ARCHITECTURES"])
                     for each in self.commands)
        place = self.toolkit or next((each for each in self.commands if each.name in ("enable_language", "project")), None)
        if chosen and self.drops_architectures and not is_set and place is not None:
            self.behind.setdefault(place.end, []).append(f'set(CMAKE_HIP_ARCHITECTURES "{chosen}")')

    def _minimum(self) -> None:
        """HIP is a language from CMake 3.21 on."""
        uses_hip = self.enables_hip or self.is_old
        if self.minimum is None or not uses_hip or len(self.minimum.arguments) < 2:
            return
        version = self.minimum.arguments[1]
        low, _, _ = version.text.partition("...")
        try:
            numbers = tuple(int(part) for part in low.split(".")[:2])
        except ValueError:
            return
        if numbers >= MINIMUM:
            return
        high = version.text.partition("...")[2]
        text = "3.21"
        with contextlib.suppress(ValueError):
            text += f"...{high}" if high and tuple(int(part) for part in high.split(".")[:2]) > MINIMUM else ""
        self.found.edit(version.start, version.end, text, "HPY501", f"CMake `{version.text}` became `{text}`: HIP is a "
                        "language from 3.21 on")
