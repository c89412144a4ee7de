"""setup.py: flags, libraries and the compiler in a Python build; names of extensions and of the program stay."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hipify_py.build_files.findings import Findings
from hipify_py.build_files.flags import Target, translate_flags
from hipify_py.build_files.tables import library
from hipify_py.diagnostics import Severity

_TOOLKIT = re.compile(r"^/usr/local/cuda|^/opt/cuda\b|^/opt/nvidia\b")
#: What is None or empty under PyTorch for ROCm, and where to look instead.
_TORCH = {"CUDA_HOME": "ROCM_HOME (both from torch.utils.cpp_extension)", "CUDNN_HOME": "ROCM_HOME"}
_ENVIRONMENT = {"CUDA_HOME": "ROCM_HOME or ROCM_PATH", "CUDA_PATH": "ROCM_PATH", "CUDA_ROOT": "ROCM_PATH",
                "TORCH_CUDA_ARCH_LIST": "PYTORCH_ROCM_ARCH", "CUDACXX": "HIPCXX", "NVCC": "HIPCC",
                "CUDA_NVCC_EXECUTABLE": "HIPCC"}
#: The value of `-gencode`, by itself.
_CODE = re.compile(r"(?:arch=)?compute_\w+,code=\[?(?:(?:sm|compute|lto)_\w+,?)+\]?")
_STRING = re.compile(r"[rRbBuU]{0,2}('''|\"\"\"|'|\")")


@dataclass(frozen=True, slots=True)
class _Text:
    """A plain string in the source: what it says, and where it stands, with and without its quotes."""

    text: str
    start: int
    end: int
    inner: int
    inner_end: int


def translate(found: Findings) -> None:
    """Collect what has to change in a setup.py."""
    try:
        tree = ast.parse(found.source.data)
    except (SyntaxError, ValueError, RecursionError) as error:
        found.report(0, 0, "HPY510", f"this is no Python that can be parsed ({error}): it stays as it is", Severity.WARNING)
        return
    _Reader(found).read(tree)


class _Reader:
    def __init__(self, found: Findings) -> None:
        self.found = found
        data = found.source.data
        self.starts = [0]
        for line in data.splitlines(keepends=True) if b"\f" not in data else re.findall(rb"[^\n]*\n|[^\n]+\Z", data):
            self.starts.append(self.starts[-1] + len(line))
        self.done: set[int] = set()
        self.keys: set[int] = set()
        self.tails: set[int] = set()
        self.is_torch = b"torch" in data

    def read(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Dict):
                self.keys.update(id(key) for key in node.keys if key is not None)
            elif isinstance(node, ast.Subscript):
                self.keys.add(id(node.slice))
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
                self.tails.add(id(node.right))
            elif isinstance(node, ast.Compare):
                self.keys.update(id(each) for each in (node.left, *node.comparators))
        for words, context in _sequences(tree):
            self._sequence(words, context)
        for node in ast.walk(tree):
            self._single(node)

    def _sequence(self, nodes: Sequence[ast.expr], context: str) -> None:
        """The elements of one list: flags, or libraries."""
        texts = [self._text(node) for node in nodes]
        if re.search(r"librar|(?:\b|_)libs?\b", context, re.IGNORECASE) and "dirs" not in context:
            for node, text in zip(nodes, texts, strict=True):
                if text is not None and id(node) not in self.done:
                    self._library(nodes, node, text)
        words = [text.text if text is not None else "" for text in texts]
        split = [word.split() if len(word.split()) > 1 and word.startswith("-") else [word] for word in words]
        flat = [word for group in split for word in group]
        owner = [index for index, group in enumerate(split) for _ in group]
        nvcc = bool(re.search(r"nvcc|cuda", context, re.IGNORECASE))
        runtime = "" if self.is_torch else "-lamdhip64"  # PyTorch links it by itself
        chooser = "PyTorch builds for PYTORCH_ROCM_ARCH, or for the machine's GPUs" if self.is_torch else \
            "hipcc builds for the machine's GPU"
        target = Target(self.found.settings.offload_arch, "", chooser, nvcc, runtime=runtime)
        for change in translate_flags(flat, target):
            first, last = owner[change.first], owner[change.end - 1]
            if any(texts[index] is None for index in range(first, last + 1)):
                continue
            whole = change.first == owner.index(first) and (change.end == len(flat) or owner[change.end] != last)
            self.done.update(id(nodes[index]) for index in range(first, last + 1))
            one, other = texts[first], texts[last]
            assert one is not None
            assert other is not None
            one_only = context.startswith("call:") and len((change.text or "").split()) > 1  # `append` takes one
            if change.text is None or (not whole and first != last) or one_only:
                self.found.report(one.start, other.end, change.code, change.message, change.severity)
            elif not whole:
                self._inside(one, " ".join(flat[change.first : change.end]), change.text, change.code, change.message,
                             change.severity)
            elif change.text:
                quote = self.found.text[one.inner_end : one.end]
                parts = f"{quote}, {quote}".join(change.text.split())
                # The last one's quotes may be of another kind.
                self.found.edit(one.inner, other.end, parts + quote, change.code, change.message,
                                severity=change.severity, place=(one.start, other.end))
            elif context.startswith("call:"):
                self.found.report(one.start, other.end, change.code, change.message.replace("was removed", "has to go"),
                                  Severity.WARNING)
            else:
                self.found.edit(*self._hole(one.start, other.end), "", change.code, change.message,
                                severity=change.severity, place=(one.start, other.end))

    def _inside(self, text: _Text, old: str, new: str, code: str, message: str, severity: Severity) -> None:
        """A flag among others in one string."""
        match = re.search(r"(?<!\S)" + r"\s+".join(map(re.escape, old.split())) + r"(?!\S)",
                          self.found.text[text.inner : text.inner_end])
        if match is None:
            self.found.report(text.start, text.end, code, message, severity)
            return
        start, end = text.inner + match.start(), text.inner + match.end()
        if not new:
            while start > text.inner and self.found.text[start - 1] == " ":
                start -= 1
            while start == text.inner and end < text.inner_end and self.found.text[end] == " ":
                end += 1
        self.found.edit(start, end, new, code, message, severity=severity, place=(text.start, text.end))

    def _library(self, nodes: Sequence[ast.expr], node: ast.expr, text: _Text) -> None:
        row = library(text.text)
        if row is None or row.support == "target" or "::" in text.text:
            return
        self.done.add(id(node))
        place = (text.start, text.end)
        if row.support == "no":
            self.found.report(*place, "HPY507", f"the library `{text.text}` has no counterpart: {row.note}", Severity.ERROR)
        elif row.support == "runtime":
            if self.is_torch:
                self.found.edit(*self._hole(*place), "", "HPY506", f"the library `{text.text}` was removed: PyTorch links "
                                "HIP's runtime by itself", place=place)
            else:
                self.found.edit(text.inner, text.inner_end, "amdhip64", "HPY506", f"the library `{text.text}` became "
                                "`amdhip64`", place=place)
        else:
            differs = row.support == "differs"
            self.found.edit(text.inner, text.inner_end, row.hip, "HPY506", f"the library `{text.text}` became `{row.hip}`"
                            + (f": {row.note}" if differs else ""), place=place,
                            severity=Severity.WARNING if differs else Severity.NOTE)

    def _single(self, node: ast.AST) -> None:
        """What stands by itself: the compiler, paths, PyTorch's names."""
        found = self.found
        if isinstance(node, ast.Name) and node.id in _TORCH and isinstance(node.ctx, ast.Load):
            start, end = self._span(node)
            found.report(start, end, "HPY508", f"`{node.id}` is None where PyTorch is built for ROCm: use {_TORCH[node.id]}"
                         if self.is_torch else f"`{node.id}` is where CUDA lies: hipcc finds ROCm by itself")
        elif isinstance(node, ast.Attribute) and node.attr == "cuda" and isinstance(node.value, ast.Attribute) \
                and node.value.attr == "version":
            start, end = self._span(node)
            found.report(start, end, "HPY510", "`torch.version.cuda` is None under ROCm: `torch.version.hip` is its version")
        elif isinstance(node, ast.JoinedStr):
            start, end = self._span(node)
            match = re.search(r"-(?:arch|gencode|-generate-code|-gpu-architecture)\b|(?:sm|compute)_\{", found.text[start:end])
            compiler = re.search(r"/nvcc(?=['\" ])", found.text[start:end])
            if compiler is not None:
                found.edit(start + compiler.start() + 1, start + compiler.end(), "hipcc", "HPY502",
                           "the compiler `nvcc` became `hipcc`", place=(start, end))
            elif match:
                found.report(start, end, "HPY505", f"this string is put together to an NVIDIA architecture flag "
                             f"(`{match[0]}`): hipcc takes `--offload-arch=gfx...`")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in self.done:
            text = self._text(node)
            if text is not None:
                self._constant(node, text)

    def _constant(self, node: ast.Constant, text: _Text) -> None:
        found = self.found
        word, place = text.text, (text.start, text.end)
        if word == "nvcc" or word.endswith("/nvcc"):
            if id(node) not in self.keys:
                # Behind a folder, `home + "/bin/nvcc"`, the folder stays.
                first = text.inner_end - len("nvcc") if id(node) in self.tails else text.inner
                found.edit(first, text.inner_end, "hipcc", "HPY502", f"the compiler `{word}` became `hipcc`", place=place)
        elif _CODE.fullmatch(word):
            found.report(*place, "HPY505", f"`{word}` names NVIDIA architectures: hipcc takes `--offload-arch=gfx...`, remove it "
                         "with its flag")
        elif _TOOLKIT.match(word):
            found.report(*place, "HPY508", f"`{word}` leads into a CUDA toolkit: name ROCm's folder, or leave it out")
        elif word in _ENVIRONMENT and word.isupper():
            found.report(*place, "HPY508", f"the environment variable `{word}` is CUDA's: {_ENVIRONMENT[word]} is its "
                         "counterpart")
        elif word.startswith("-DCMAKE_CUDA_"):
            found.report(*place, "HPY510", f"`{word}` is CMake's for CUDA: `-DCMAKE_HIP_...` is its counterpart")
        elif word.endswith(".cu"):
            new = found.renamed(word)
            if new is not None:
                found.edit(text.inner, text.inner_end, new, "HPY509", f"the source `{word}` became `{new}`", place=place)

    def _span(self, node: ast.AST) -> tuple[int, int]:
        lead = 3 if self.found.source.bom else 0
        first = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        last = self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return (first + (lead if node.lineno == 1 else 0), last + (lead if node.end_lineno == 1 else 0))  # type: ignore[attr-defined]

    def _text(self, node: ast.expr) -> _Text | None:
        """A string that is one literal without escapes."""
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            return None
        start, end = self._span(node)
        match = _STRING.match(self.found.text, start)
        if match is None or not self.found.text.endswith(match[1], start, end):
            return None
        inner, inner_end = match.end(), end - len(match[1])
        if self.found.text[inner:inner_end] != node.value:
            return None  # parts, escapes
        return _Text(node.value, start, end, inner, inner_end)

    def _hole(self, start: int, end: int) -> tuple[int, int]:
        """An element of a list goes with its comma; alone on its line, with the line."""
        text = self.found.text
        stop = end
        while stop < len(text) and text[stop] in " \t\r\n":
            stop += 1
        if text[stop : stop + 1] == ",":
            stop += 1
            line = text.rfind("\n", 0, start) + 1
            rest = text.find("\n", stop)
            if rest >= 0 and not text[line:start].strip() and not text[stop:rest].strip():
                return line, rest + 1
            while stop < len(text) and text[stop] in " \t":
                stop += 1
            return start, stop
        first = start
        while first > 0 and text[first - 1] in " \t\r\n":
            first -= 1
        return (first - 1, end) if text[first - 1 : first] == "," else (start, end)


def _sequences(tree: ast.Module) -> Iterator[tuple[Sequence[ast.expr], str]]:
    """Lists of strings with what they are for: a variable's name, a keyword, a key, ``call:`` and a method."""
    seen: set[int] = set()

    def lists(node: ast.AST, context: str) -> Iterator[tuple[Sequence[ast.expr], str]]:
        if id(node) in seen:
            return
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            seen.add(id(node))
            yield node.elts, context
            for each in node.elts:
                yield from lists(each, context)
        elif isinstance(node, ast.Dict):
            seen.add(id(node))
            for key, value in zip(node.keys, node.values, strict=True):
                name = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
                yield from lists(value, name or context)
        elif isinstance(node, (ast.BinOp, ast.IfExp, ast.BoolOp)):
            for child in ast.iter_child_nodes(node):
                yield from lists(child, context)

    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            yield from lists(node.value, ast.unparse(target))
        elif isinstance(node, ast.keyword):
            yield from lists(node.value, node.arg or "")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = ast.unparse(node.func.value)
            if node.func.attr == "append" and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
                yield node.args, f"call:{owner}"
            for each in node.args:
                yield from lists(each, owner)
    for node in ast.walk(tree):
        yield from lists(node, "")
