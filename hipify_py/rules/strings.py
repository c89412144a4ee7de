"""HPY106 name-in-string, HPY107 runtime-compiled-source: strings that a program hands to CUDA.

What it does
------------
Kernel source in a string that reaches ``nvrtcCreateProgram`` is translated like the file itself (HPY107). Source that
reaches nothing that is seen here, PTX, compiler options, and strings that name a CUDA library, symbol, binary or
environment variable are reported. Words for people (messages, logs) stay, without a word about them.

Why is this bad
---------------
No compiler looks into a string: what is wrong there fails at run time, on the user's machine.

Example
-------
Bad::

    void* library = dlopen("libcudart.so", RTLD_NOW);

Good::

    void* library = dlopen("libamdhip64.so", RTLD_NOW);

Fix safety
----------
Kernel source is rewritten, byte by byte in the pieces it is written in, where the string is seen to reach the runtime
compiler; elsewhere only with ``--unsafe-fixes``. So are the names of libraries and symbols: the two belong together,
and the program may look for other files than the tables know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from hipify_py.diagnostics import Applicability, Diagnostic, Edit, Finding, Fix, Severity
from hipify_py.flow import Flow
from hipify_py.lexer import TokenKind
from hipify_py.literals import Literal, literals
from hipify_py.loaders import LIBRARIES, LOADERS, PRINTERS, RUNNERS, TOOLS, VARIABLES
from hipify_py.syntax import opening
from hipify_py.unit import TranslationUnit

NAME = "HPY106"
SOURCE = "HPY107"
_COMPILERS = (b"nvrtcCreateProgram", b"hiprtcCreateProgram")
_COMPILE = (b"nvrtcCompileProgram", b"hiprtcCompileProgram")
_PROSE = frozenset((b"include", b"include_next", b"import", b"error", b"warning", b"pragma", b"line", b"ident"))
_KERNEL = re.compile(rb"\b(?:__global__|__device__|__shared__|threadIdx|blockIdx|__launch_bounds__)\b")
_PTX = re.compile(rb"\.visible\s+\.(?:entry|func)|\.target\s+sm_\d+|^\s*\.version\s+\d+\.\d+", re.MULTILINE)
_NAMES = b"|".join(sorted(LIBRARIES, reverse=True))  # `cudart` before `cuda`
_LIBRARY = re.compile(
    rb"(?P<lead>(?:[\w./\\:-]*[/\\])?(?:lib)?)(?P<name>" + _NAMES
    + rb")(?:32|64)?(?P<version>[_.\-\w]*?)(?P<suffix>\.(?:so|dll|dylib))(?:\.[\d.]+)?")
_BINARY = re.compile(rb"[^\s<>|]*\.(?:ptx|cubin|fatbin)")
#: Where a CUDA toolkit lies, as a path or behind an option for one.
_TOOLKIT = re.compile(rb"(?:-[IL]|--include-path=)?(?:/usr/local/cuda(?:-[\d.]*)?|/opt/cuda)(?:/[^\s:]*)?$")
_OPTION = re.compile(
    rb"--?(?:gpu-architecture|gpu-code|arch|code|gencode|maxrregcount|fmad|ftz|prec-div|prec-sqrt|use_fast_math|"
    rb"extra-device-vectorization|relocatable-device-code|rdc|dlto|lineinfo|generate-line-info|device-debug|"
    rb"default-device|device-as-default-execution-space|ptxas-options|Xptxas|restrict|extensible-whole-program|ewp|"
    rb"split-compile|builtin-move-forward|builtin-initializer-list)(?:=\S*|\s+\S+)?=?|(?:sm|compute)_\d*[a-z%]*\d*")
_IDENTIFIER = re.compile(rb"[A-Za-z_]\w*")
#: Codes that make no sense inside a string: HIPRTC includes its runtime by itself.
_LEFT_OUT = frozenset(("HPY104", "HPY119"))


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield fixes and reports for the strings of a source."""
    yield from _Strings(unit).findings()


class _Strings:
    """The strings of one source."""

    def __init__(self, unit: TranslationUnit) -> None:
        self.unit = unit
        self.tokens = unit.tokens

    def findings(self) -> Iterator[Finding]:
        """What is to be said about each literal."""
        prose = [directive for directive in self.unit.directives.all if directive.keyword in _PROSE]
        skipped = {index for directive in prose for index in range(directive.first, directive.end)}
        for literal in literals(self.tokens):
            if not literal.value or literal.first in skipped or self.unit.regions.is_frozen(
                    self.tokens.start(literal.first)):
                continue
            yield from self._literal(literal)

    def _literal(self, literal: Literal) -> Iterator[Finding]:
        value = literal.value
        if _PTX.search(value):
            yield self._report(literal, SOURCE, "this string is PTX, which only NVIDIA's driver compiles (not "
                               "supported): give "
                               "`hipModuleLoadData` a code object that `hipcc --genco` makes from the kernel's source")
        elif _KERNEL.search(value) and not self._is_asm(literal):
            yield from self._source(literal)
        elif len(value) < 300:
            yield from self._name(literal)

    # Kernel source ----------------------------------------------------------------------------------------------------

    @cached_property
    def _compiled(self) -> Flow:
        return Flow(self.tokens, [index for name in _COMPILERS for index in self._named(name)], 1)

    def _named(self, name: bytes) -> Sequence[int]:
        return self.unit.occurrences.get(name, [])

    def _reaches(self, literal: Literal) -> bool:
        """Whether a literal is seen to reach the runtime compiler."""
        return any(place in self._compiled.literals for place in range(literal.first, literal.end))

    def _source(self, literal: Literal) -> Iterator[Finding]:
        """Translate kernel source, or report it."""
        from hipify_py.engine import translate  # noqa: PLC0415 - the engine runs the rules, this one among them

        if b"{" not in literal.value and b";" not in literal.value:
            return
        settings = replace(self.unit.settings, verify=False, semantics=False, select=(), ignore=())
        inner = translate(literal.value, filename=self.unit.source.name, settings=settings)
        edits = []
        for edit in inner.edits:
            if edit.code in _LEFT_OUT:
                continue
            place = literal.source_range(edit.start, edit.end)
            text = literal.spell(edit.text, edit.start)
            if place is None or text is None:
                yield self._report(literal, SOURCE, "this string is CUDA source in pieces that a name is split over; "
                                   "it was left as it is: translate it by hand")
                return
            edits.append(Edit(*place, text, SOURCE))
        reaches = self._reaches(literal)
        if reaches:
            if edits:
                yield Fix(tuple(edits))
            for each in inner.diagnostics:
                if each.code not in _LEFT_OUT:
                    place = literal.source_range(each.range.start, max(each.range.start, each.range.end))
                    index = self.tokens.index_at(place[0]) if place else literal.first
                    yield replace(each, message=f"in a string of kernel source: {each.message}",
                                  range=self.unit.range(index), fix=None)
        elif edits:
            yield Diagnostic(SOURCE, Severity.WARNING, "this string looks like CUDA kernel source, and nothing here "
                             "shows that "
                             "it is compiled at run time; it was left as it is: translate it if HIPRTC compiles it "
                             "(`--unsafe-fixes` does)", self.unit.range(literal.first),
                             Fix(tuple(edits), Applicability.UNSAFE))

    def _is_asm(self, literal: Literal) -> bool:
        return self._called(literal.first) in (b"asm", b"__asm__", b"__asm", b"volatile", b"__volatile__")

    # Names ------------------------------------------------------------------------------------------------------------

    @cached_property
    def _loads(self) -> bool:
        """Whether the source loads anything at run time."""
        return any(loader in self.unit.data for loader in LOADERS)

    @cached_property
    def _compiles(self) -> bool:
        return any(self._named(name) for name in (*_COMPILE, *_COMPILERS))

    @cached_property
    def _runs(self) -> bool:
        """Whether the source runs commands."""
        return any(re.search(rb"\b" + runner + rb"\s*\(", self.unit.data) for runner in RUNNERS)

    def _name(self, literal: Literal) -> Iterator[Finding]:
        """Report a string that is a name, whole; not one that goes to a person."""
        finding = self._named_thing(literal)
        if finding is None or self._is_printed(literal):
            return
        called = self._called(literal.first)
        if called not in PRINTERS:
            yield finding

    def _command(self, literal: Literal) -> Diagnostic | None:
        """A command with one of NVIDIA's tools, where it is run, or begun in a source that runs commands."""
        tool = re.match(rb"(?:/[\w./-]*/bin/)?([\w-]+)(?=(\s)|$)", literal.value)
        if tool is None or tool[1] not in TOOLS:
            return None
        if self._called(literal.first) not in RUNNERS and not (tool[2] and self._runs):
            return None
        other = TOOLS[tool[1]]
        advice = f"`{_shown(other)}` is its like in ROCm, with other options" if other else "ROCm has no counterpart"
        return self._report(literal, NAME, f"the string runs a tool of the CUDA toolkit, `{_shown(tool[1])}`: {advice}")

    def _named_thing(self, literal: Literal) -> Diagnostic | None:
        value = literal.value
        match = _LIBRARY.fullmatch(value)
        if match is not None:
            library = LIBRARIES[match.group("name")]
            if not library:
                return self._report(literal, NAME, f"the string names a CUDA library, `{_shown(value)}`, that is loaded at run "
                                    "time: it has no HIP counterpart")
            new = match.group("lead") + library + match.group("suffix")
            return self._report(literal, NAME, f"the string names a CUDA library, `{_shown(value)}`, that is loaded at run "
                                f"time: load HIP's (`{_shown(new)}`)", new)
        if value in VARIABLES:
            other = VARIABLES[value]
            advice = f"ROCm reads `{other.decode()}`" if other else "ROCm does not read it"
            return self._report(literal, NAME, f"the string names an environment variable of CUDA's, `{_shown(value)}`: "
                                f"{advice}")
        command = self._command(literal)
        if command is not None:
            return command
        if _TOOLKIT.match(value):
            return self._report(literal, NAME, f"the string is a path into a CUDA toolkit, `{_shown(value)}`: ROCm lies in "
                                "`/opt/rocm` (`ROCM_PATH`)")
        if _BINARY.fullmatch(value):
            return self._report(literal, NAME, f"the string names a file of NVIDIA code, `{_shown(value)}`, that HIP "
                                "cannot load: make a code object with `hipcc --genco` and name it")
        if self._compiles and _OPTION.fullmatch(value):
            return self._report(literal, NAME, f"the string `{_shown(value)}` is an option of NVRTC's; HIPRTC takes clang's "
                                "(`--offload-arch=gfx90a`, or none for the GPU at hand): change it")
        if self._loads and _IDENTIFIER.fullmatch(value):
            mapping = self.unit.table.lookup(value)
            if mapping is not None and mapping.kind == "function" and mapping.hip.encode() != value:
                new = mapping.hip.encode()
                advice = f"load `{_shown(new)}`" if new else "it has no HIP counterpart"
                return self._report(literal, NAME, f"the string names a CUDA function, `{_shown(value)}`, that is loaded at "
                                    f"run time: {advice}", new or None)
        return None

    def _is_printed(self, literal: Literal) -> bool:
        """Whether a literal goes into a stream, or is compared."""
        before = self.tokens.previous_code(literal.first)
        behind = self.tokens.next_code(literal.end - 1)
        return (before >= 0 and self.tokens.text(before) in (b"<<", b"==", b"!=")) or (
            behind < len(self.tokens) and self.tokens.text(behind) in (b"<<", b"==", b"!="))

    def _called(self, index: int) -> bytes:
        """The name in front of the round bracket that a token stands in; empty if there is none."""
        tokens, place = self.tokens, index
        for _ in range(200):
            place = tokens.previous_code(place)
            if place < 0 or tokens.text(place) in (b";", b"{", b"}"):
                return b""
            if tokens.text(place) in (b")", b"]"):
                start = opening(tokens, place)
                if start is None:
                    return b""
                place = start
            elif tokens.text(place) == b"(":
                name = tokens.previous_code(place)
                if name >= 0 and tokens.kind(name) == TokenKind.IDENTIFIER:
                    return tokens.text(name)
        return b""

    def _report(self, literal: Literal, code: str, message: str, new: bytes | None = None) -> Diagnostic:
        span = self.unit.range(literal.first)
        fix = None
        if new is not None and literal.end == literal.first + 1:
            fix = Fix((Edit(literal.starts[0], literal.ends[-1], new, code),), Applicability.UNSAFE)
        return Diagnostic(code, Severity.WARNING, message, span, fix)


def _shown(text: bytes) -> str:
    return text.decode("utf-8", "replace")
