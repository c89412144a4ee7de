"""Makefiles: nvcc becomes hipcc, its flags and libraries those of hipcc, in assignments and recipes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from hipify_py.build_files.findings import Findings, without_blank
from hipify_py.build_files.flags import Target, is_plain_architecture, translate_flags
from hipify_py.build_files.make_lexer import Kind, Line, Word, lines
from hipify_py.build_files.tables import flags
from hipify_py.diagnostics import Severity

_HOST = re.compile(r"^(?:\$[({](?:CXX|CC|LD|HOSTCXX|HOST_COMPILER|MPICXX|MPICC|GXX|CPP_COMPILER|LINKER)[)}]|"
                   r"(?:.*/)?(?:g\+\+|gcc|clang\+\+|clang|c\+\+|cc|mpicxx|mpic\+\+|mpicc|icpx?|icpc)(?:-[\d.]+)?)$")
_TOOLKIT = re.compile(r"\$[({](?:CUDA_?(?:HOME|PATH|DIR|ROOT|INSTALL_PATH|INC_PATH|LIB_PATH|TOOLKIT_ROOT_DIR|TOOLKIT))[)}]"
                      r"|/usr/local/cuda[\w.-]*|/opt/cuda\b|/opt/nvidia/[\w./-]*")
#: CUDA's samples: each of the host compiler's flags with `-Xcompiler` in front of it.
_ADDPREFIX = re.compile(r"\$\(addprefix\s+(?:-Xcompiler|--compiler-options)[ =]\s*,\s*(\$\([^\s()]*\)|\$\{[^\s{}]*\})\s*\)")
#: `$(patsubst %,-Xcompiler %,$(FLAGS))`, `$(foreach f,$(FLAGS),-Xcompiler $f)`.
_EACH = re.compile(r"(?<=,)[ ]*(?:-Xcompiler|--compiler-options)[ =](?=[%$])")
_ARCH_FLAG = re.compile(r"^-(?:arch|-gpu-architecture)=?\$[({](\w+)[)}]$")
#: Tools of the toolkit, and what ROCm has in their place.
_TOOLS = {"nvprof": "rocprof", "nsys": "rocprofv3", "ncu": "rocprof-compute", "nvvp": "", "cuda-gdb": "rocgdb",
          "cuda-memcheck": "", "compute-sanitizer": "", "nvidia-smi": "rocm-smi", "cuobjdump": "roc-obj-ls",
          "nvdisasm": "llvm-objdump", "ptxas": "", "fatbinary": "", "nvlink": "", "bin2c": "", "nvprune": ""}
_DIRECTORIES = {"CUDA_HOME", "CUDA_PATH", "CUDA_DIR", "CUDADIR", "CUDA_ROOT", "CUDA_INSTALL_PATH", "CUDA_TOOLKIT_ROOT_DIR"}


def translate(found: Findings) -> None:
    """Collect what has to change in a makefile."""
    all_lines = list(lines(found.text))
    uses = _Uses(all_lines)
    for line in all_lines:
        words = list(_opened(line.words))
        _names(found, line, words)
        for match in _ADDPREFIX.finditer(found.text, line.start, line.end):
            found.edit(match.start(), match.end(), match[1], "HPY503", f"`{match[0]}` became `{match[1]}`: hipcc takes the host "
                       "compiler's options as they are")
        for match in _EACH.finditer(found.text, line.start, line.end):
            found.edit(match.start(), match.end(), "", "HPY503", f"`{match[0].strip()}` was removed: hipcc takes the host "
                       "compiler's options as they are")
        _architecture_variable(found, line, words, uses)
        _flags(found, line, words, uses)


class _Uses:
    """Which variables hold the compiler, nvcc's flags or a host linker's, and which an architecture."""

    def __init__(self, all_lines: Sequence[Line]) -> None:
        assignments: dict[str, list[Line]] = {}
        for line in all_lines:
            if line.kind is Kind.ASSIGNMENT:
                assignments.setdefault(line.name, []).append(line)
        self.compilers = {name for name, found in assignments.items()
                          if any(is_nvcc(word.text) for line in found for word in line.words)}
        for name, found in assignments.items():
            if any(line.words and line.words[0].text in _references(self.compilers) for line in found):
                self.compilers.add(name)
        recipes = [line for line in all_lines if line.kind in (Kind.RECIPE, Kind.RULE)]
        self.nvcc_lines = {line.start for line in recipes if self._is_nvcc(line)}
        self.host_lines = {line.start for line in recipes if line.start not in self.nvcc_lines and line.words
                           and any(_HOST.match(word.text.lstrip("@-+")) for word in line.words[:3])}
        self.nvcc = self._reached((line for line in recipes if line.start in self.nvcc_lines), assignments)
        self.nvcc |= self.compilers
        self.host = self._reached((line for line in recipes if line.start in self.host_lines), assignments)
        self.architectures = set()
        for line in all_lines:
            texts = [word.text for word in line.words]
            for text in (*texts, *(f"{first}={second}" for first, second in pairwise(texts))):
                match = _ARCH_FLAG.match(text)
                if match:
                    self.architectures.add(match[1])

    def _is_nvcc(self, line: Line) -> bool:
        return bool(line.references & self.compilers) or any(is_nvcc(word.text.lstrip("@-+")) for word in line.words)

    @staticmethod
    def _reached(start: Iterable[Line], assignments: dict[str, list[Line]]) -> set[str]:
        todo = [name for line in start for name in line.references]
        seen: set[str] = set()
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo += [other for line in assignments.get(name, ()) for other in line.references]
        return seen


def is_nvcc(word: str) -> bool:
    """Whether a word is nvcc, by itself or with a path."""
    bare = word.strip("\"'")
    return bare in ("nvcc", "nvcc.exe") or bare.endswith(("/nvcc", "/nvcc.exe"))


def _references(names: Iterable[str]) -> set[str]:
    return {form for name in names for form in (f"$({name})", f"${{{name}}}")}


def _opened(words: Sequence[Word]) -> Iterable[Word]:
    """Words; what stands in quotes by itself is parted too, unless it is the value of a flag."""
    table = flags()
    previous = ""
    for word in words:
        row = table.get(previous)
        if word.text[:1] in "\"'" and " " in word.text and "-" in word.text and not (row and row.value == "yes"):
            for match in re.finditer(r"[^\s\"']+", word.text):
                yield Word(match[0], word.start + match.start(), word.start + match.end())
        else:
            yield word
        previous = word.text


def _names(found: Findings, line: Line, words: Sequence[Word]) -> None:
    """The compiler, the tools beside it, and paths into the toolkit."""
    if line.kind is Kind.DIRECTIVE:
        for match in re.finditer(r"(?<![\w./-])nvcc(?![\w./-])", found.text[line.start : line.end]):
            start = line.start + match.start()
            found.edit(start, start + 4, "hipcc", "HPY502", "`nvcc` became `hipcc`")
        return
    for word in words:
        bare = word.text.lstrip("@-+") if line.kind is Kind.RECIPE and word is words[0] else word.text
        start = word.end - len(bare)
        if is_nvcc(bare):
            inner = bare.strip("\"'")
            quoted = 1 if bare != inner else 0
            path = inner != "nvcc"
            found.edit(start + quoted, start + quoted + len(inner), "hipcc", "HPY502",
                       f"the compiler `{inner}` became `hipcc`" + (", which is looked for in PATH" if path else ""))
        elif bare in _TOOLS and line.kind in (Kind.RECIPE, Kind.ASSIGNMENT):
            other = f": `{_TOOLS[bare]}` is its counterpart in ROCm" if _TOOLS[bare] else " and has no counterpart in ROCm"
            found.report(start, word.end, "HPY510", f"`{bare}` is a tool of the CUDA toolkit{other}")
        elif (path_to := _TOOLKIT.search(bare)) and line.kind is not Kind.RULE:
            found.report(start, word.end, "HPY508", f"`{bare}` leads into a CUDA toolkit: hipcc finds ROCm's headers and "
                         "libraries by itself, remove it; where another compiler is used, name ROCm's folder and define "
                         f"`__HIP_PLATFORM_AMD__`" if bare.startswith("-") else f"`{path_to[0]}` is where CUDA lies: hipcc "
                         "finds ROCm by itself")
        elif word.text.endswith(".cu"):
            new = found.renamed(word.text)
            if new is not None:
                found.edit(word.start, word.end, new, "HPY509", f"the source `{word.text}` became `{new}`, its translation")


def _architecture_variable(found: Findings, line: Line, words: Sequence[Word], uses: _Uses) -> None:
    """``ARCH = sm_80`` where ``-arch=$(ARCH)`` stands."""
    if line.kind is not Kind.ASSIGNMENT or len(words) != 1 or not is_plain_architecture(words[0].text):
        return
    word = words[0]
    if line.name not in uses.architectures:
        found.report(word.start, word.end, "HPY505", f"`{line.name}` holds the NVIDIA architecture `{word.text}`: what uses it "
                     "needs one of AMD's (gfx...)")
        return
    chosen = ",".join(found.settings.offload_arch)
    message = f"the NVIDIA architecture `{word.text}` in `{line.name}` became `{chosen or 'native'}`"
    if chosen:
        found.edit(word.start, word.end, chosen, "HPY505", message)
    else:
        found.edit(word.start, word.end, "native", "HPY505", f"{message}, the GPU of the machine that builds (ROCm 5.5 or "
                   "later): name yours with --offload-arch gfx...", severity=Severity.WARNING)


def _flags(found: Findings, line: Line, words: Sequence[Word], uses: _Uses) -> None:
    if line.kind is Kind.DIRECTIVE or not words:
        return
    is_host = line.start in uses.host_lines or (line.kind is Kind.ASSIGNMENT and line.name in uses.host)
    said = line.name or found.text[line.start : line.end]
    is_nvcc_line = line.start in uses.nvcc_lines or (line.kind is Kind.ASSIGNMENT and (
        line.name in uses.nvcc or bool(re.search("nvcc|cuda|gencode", said, re.IGNORECASE))))
    rocm = found.settings.rocm
    fallback = "" if rocm is not None and (rocm.major, rocm.minor) < (5, 5) else "native"
    target = Target(found.settings.offload_arch, fallback, "hipcc builds for the GPU of the machine", is_nvcc_line,
                    runtime="-lamdhip64" if is_host else "")
    for change in translate_flags([word.text for word in words], target):
        first, last = words[change.first], words[change.end - 1]
        if change.text is None:
            found.report(first.start, last.end, change.code, change.message, change.severity)
        elif change.text:
            found.edit(first.start, last.end, change.text, change.code, change.message, severity=change.severity)
        else:
            found.edit(*_hole(found.text, first.start, last.end), "", change.code, change.message, severity=change.severity,
                       place=(first.start, last.end))


def _hole(text: str, start: int, end: int) -> tuple[int, int]:
    """A word goes with the blanks in front of it; one that is alone on a continued line goes with the line."""
    first = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    if stop >= 0 and first and not text[first:start].strip() and text[end:stop].strip() == "\\" \
            and text[:first].rstrip("\r\n").endswith("\\"):
        return first, stop + 1
    return without_blank(text, start, end)
