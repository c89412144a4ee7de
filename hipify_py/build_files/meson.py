"""Meson: it has CUDA as a language and not HIP; hipcc as the C++ compiler takes its place.

The language goes, ``.cu`` sources go through a generator that calls hipify-py (a source that is HIP already stays as it
is), libraries and flags follow. ``CXX=hipcc meson setup build`` configures the result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hipify_py.build_files.findings import Findings
from hipify_py.build_files.flags import Target, translate_flags
from hipify_py.build_files.tables import library
from hipify_py.diagnostics import Severity

_TOKEN = re.compile(r"(?P<comment>#[^\n]*)|(?P<string>'''.*?'''|f?'(?:[^'\\\n]|\\.)*')|(?P<name>[A-Za-z_]\w*)"
                    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<blank>\s+)|(?P<other>\d+|[-+=!<>]=|.)", re.DOTALL)
GENERATOR = "hipify_py"


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Call:
    """A function call: its name, and the tokens between its parentheses as ``first <= i < last``."""

    name: str
    start: int
    first: int
    last: int
    end: int


def translate(found: Findings) -> None:
    """Collect what has to change in a meson.build."""
    _Reader(found).read()


class _Reader:
    def __init__(self, found: Findings) -> None:
        self.found = found
        self.tokens = [_Token(match.lastgroup or "", match[0], match.start(), match.end())
                       for match in _TOKEN.finditer(found.text) if match.lastgroup not in ("blank", "comment")]
        self.calls = list(self._find_calls())

    def read(self) -> None:
        for call in self.calls:
            if call.name in ("project", "add_languages"):
                self._language(call)
            elif call.name == "dependency":
                self._dependency(call)
            elif call.name == "get_compiler":
                self._strings(call, {"cuda": "cpp"}, "HPY501", "the language")
            elif call.name in ("find_program", "find_library"):
                self._found(call)
            elif call.name == "import":
                self._import(call)
        self._arguments()
        self._sources()

    def _find_calls(self) -> list[_Call]:
        calls, stack = [], []
        for index, token in enumerate(self.tokens):
            if token.kind == "open":
                before = self.tokens[index - 1] if index else None
                stack.append((before.text if before and before.kind == "name" and token.text == "(" else "", index))
            elif token.kind == "close" and stack:
                name, first = stack.pop()
                if name:
                    calls.append(_Call(name, self.tokens[first - 1].start, first + 1, index, token.end))
        return sorted(calls, key=lambda call: call.start)

    def _inner(self, call: _Call) -> list[_Token]:
        return self.tokens[call.first : call.last]

    def _keyword(self, call: _Call, name: str) -> int | None:
        """The token behind ``name:`` in a call."""
        for index in range(call.first, call.last - 1):
            if self.tokens[index].text == name and self.tokens[index + 1].text == ":":
                return index + 2
        return None

    def _language(self, call: _Call) -> None:
        found = self.found
        inner = [token for token in self._inner(call) if token.kind == "string"]
        inner = inner[1:] if call.name == "project" else inner  # its name may be `cuda`
        languages = [token for token in inner if token.text[1:-1] in ("c", "cpp", "cuda", "objc", "fortran")]
        cuda = next((token for token in languages if token.text == "'cuda'"), None)
        for token in inner:
            if token.text.startswith("'cuda_std=") and any(other.text.startswith("'cpp_std=") for other in inner):
                found.edit(*self._hole(token.start, token.end), "", "HPY502", f"`{token.text}` was removed: C++ has its own",
                           place=(token.start, token.end))
            elif token.text.startswith("'cuda_std="):
                found.edit(token.start + 1, token.end - 1, "cpp_std=" + token.text[10:-1], "HPY502", f"`{token.text}` became "
                           "an option of C++")
            elif token.text.startswith("'cuda_"):
                found.report(token.start, token.end, "HPY504", f"the option `{token.text}` is of Meson's CUDA: remove it")
        if cuda is None:
            return
        place = (cuda.start, cuda.end)
        message = "the language `cuda` became `cpp` with hipcc: configure with `CXX=hipcc meson setup`"
        if any(token.text == "'cpp'" for token in languages):
            index = self.tokens.index(cuda)
            start, end = cuda.start, cuda.end
            if self.tokens[index - 1].text == ",":
                start = self.tokens[index - 1].start
            elif self.tokens[index + 1].text == ",":
                end = self.tokens[index + 2].start
            found.edit(start, end, "", "HPY501", message, place=place, severity=Severity.WARNING)
        else:
            found.edit(*place, "'cpp'", "HPY501", message, severity=Severity.WARNING)

    def _dependency(self, call: _Call) -> None:
        found = self.found
        inner = self._inner(call)
        if not inner or inner[0].text not in ("'cuda'", "'CUDA'", "'CUDAToolkit'"):
            row = library(inner[0].text[1:-1]) if inner and inner[0].kind == "string" else None
            if row is not None and row.package and row.support in ("yes", "differs"):
                found.edit(inner[0].start, call.end - 1, f"'{row.package}', method: 'cmake', modules: ['{row.target}']",
                           "HPY506", f"the dependency `{inner[0].text}` became `{row.package}`",
                           place=(inner[0].start, inner[0].end))
            return
        required = self._keyword(call, "required")
        keep = f", required: {self.tokens[required].text}" if required is not None else ""
        modules = self._keyword(call, "modules")
        rows = []
        index = modules
        while index is not None and index < call.last:
            token = self.tokens[index]
            if token.kind == "string":
                row = library(token.text[1:-1])
                if row is None or row.support == "no":
                    found.report(token.start, token.end, "HPY507", f"the module {token.text.replace(chr(39), '`')} has no "
                                 "counterpart" + (f": {row.note}" if row else ""), Severity.ERROR)
                elif row.support == "yes":
                    rows.append(row)
            elif token.text not in ("[", ","):
                break
            index += 1
        first = f"dependency('hip', method: 'cmake', modules: ['hip::host']{keep})"
        text = first
        if rows:
            others = [f"dependency('{row.package}', method: 'cmake', modules: ['{row.target}']{keep})" for row in rows]
            text = f"declare_dependency(dependencies: [{', '.join([first, *others])}])"
        found.edit(call.start, call.end, text, "HPY501", "the dependency `cuda` became `hip`"
                   + (f" and {', '.join(f'`{row.package}`' for row in rows)}" if rows else ""),
                   place=(call.start, inner[0].end))

    def _found(self, call: _Call) -> None:
        if call.name == "find_program":
            self._strings(call, {"nvcc": "hipcc"}, "HPY502", "the compiler")
            return
        inner = self._inner(call)
        row = library(inner[0].text[1:-1]) if inner and inner[0].kind == "string" else None
        if row is None or row.support == "target":
            return
        start, end = inner[0].start, inner[0].end
        if row.support == "no":
            self.found.report(start, end, "HPY507", f"the library {inner[0].text.replace(chr(39), '`')} has no counterpart: "
                              f"{row.note}", Severity.ERROR)
        else:
            new = row.hip or "amdhip64"
            self.found.edit(start + 1, end - 1, new, "HPY506", f"the library `{inner[0].text[1:-1]}` became `{new}`",
                            place=(start, end))

    def _import(self, call: _Call) -> None:
        inner = self._inner(call)
        if inner and inner[0].text in ("'cuda'", "'unstable-cuda'"):
            self.found.report(call.start, call.end, "HPY504", "Meson's module `cuda` has no counterpart: name architectures "
                              "with `--offload-arch=gfx...` in `cpp_args`", Severity.ERROR)

    def _strings(self, call: _Call, names: dict[str, str], code: str, what: str) -> None:
        for token in self._inner(call):
            new = names.get(token.text[1:-1]) if token.kind == "string" else None
            if new is not None:
                self.found.edit(token.start + 1, token.end - 1, new, code, f"{what} `{token.text[1:-1]}` became `{new}`",
                                place=(token.start, token.end))

    def _arguments(self) -> None:
        """``cuda_args: [...]``, ``language: 'cuda'``, and flags in lists."""
        found, tokens = self.found, self.tokens
        for index, token in enumerate(tokens):
            follow = tokens[index + 1].text if index + 1 < len(tokens) else ""
            if token.text in ("cuda_args", "cuda_link_args", "link_language") and follow == ":":
                call = next((each for each in reversed(self.calls) if each.first <= index < each.last), None)
                if call is not None and self._keyword(call, token.text.replace("cuda", "cpp")) is not None:
                    found.report(token.start, token.end, "HPY504", f"`{token.text}` and those of C++ are one under hipcc: join "
                                 "them by hand")
                elif token.text == "cuda_args":
                    found.edit(token.start, token.end, "cpp_args", "HPY502", "`cuda_args` became `cpp_args`: hipcc compiles "
                               "all C++ here")
            elif token.text == "language" and follow == ":":
                for other in tokens[index + 2 : index + 8]:
                    if other.kind != "string" and other.text not in ("[", ","):
                        break
                    if other.text == "'cuda'":
                        found.edit(other.start + 1, other.end - 1, "cpp", "HPY501", "the language `cuda` became `cpp`")
        run: list[_Token] = []
        for token in (*tokens, _Token("end", "", 0, 0)):
            if token.kind == "string" and token.text.startswith("'") and not token.text.startswith("'''"):
                run.append(token)
            elif token.text != ",":
                self._flags(run)
                run = []

    def _flags(self, run: list[_Token]) -> None:
        found = self.found
        words = [token.text[1:-1] for token in run]
        target = Target(found.settings.offload_arch, "", "hipcc builds for the GPU of the machine")
        for change in translate_flags(words, target):
            first, last = run[change.first], run[change.end - 1]
            if change.text is None:
                found.report(first.start, last.end, change.code, change.message, change.severity)
            elif change.text:
                text = "', '".join(change.text.split())
                found.edit(first.start + 1, last.end - 1, text, change.code, change.message, severity=change.severity,
                           place=(first.start, last.end))
            else:
                found.edit(*self._hole(first.start, last.end), "", change.code, change.message, severity=change.severity,
                           place=(first.start, last.end))

    def _hole(self, start: int, end: int) -> tuple[int, int]:
        """A string goes with a comma."""
        text = self.found.text
        after = re.compile(r"\s*,[ \t]*").match(text, end)
        if after:
            return start, after.end()
        first = len(text[:start].rstrip())
        return (first - 1, end) if text[first - 1 : first] == "," else (start, end)

    def _sources(self) -> None:
        """``'kernel.cu'`` goes through the generator; one that is translated under another name is named so."""
        found = self.found
        inside = [(call.first, call.last) for call in self.calls if call.name in ("process", "files", "custom_target",
                                                                                   "configure_file", "message", "generator")]
        used = False
        for index, token in enumerate(self.tokens):
            if token.kind != "string" or not token.text.endswith(".cu'"):
                continue
            if any(first <= index < last for first, last in inside):
                if not any(first <= index < last for call in self.calls if call.name in ("process", "generator")
                           for first, last in [(call.first, call.last)]):
                    found.report(token.start, token.end, "HPY509", f"Meson's C++ does not know `{token.text[1:-1]}`: give it to "
                                 f"`{GENERATOR}.process(...)`")
                continue
            used = True
            found.edit(token.start, token.end, f"{GENERATOR}.process({token.text})", "HPY509", f"the source `{token.text[1:-1]}` "
                       "goes through hipify-py: Meson has no HIP language, and hipcc reads it as C++")
        defined = any(token.text == GENERATOR for token in self.tokens)
        project = next((call for call in self.calls if call.name == "project"), None)
        if used and not defined and project is not None:
            newline = found.newline
            text = newline + newline.join((
                f"{GENERATOR} = generator(", "  find_program('python3'),", "  output: '@BASENAME@.hip.cpp',",
                "  depfile: '@BASENAME@.hip.cpp.d',",
                "  arguments: ['-m', 'hipify_py.build', '@INPUT@', '-o', '@OUTPUT@', '--depfile', '@DEPFILE@'],", ")"))
            found.edit(project.end, project.end, text, "HPY509", f"the generator `{GENERATOR}` was added",
                       place=(project.start, project.start + 7))


