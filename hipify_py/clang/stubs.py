"""Stub headers: the language of CUDA or HIP, and a declaration for each API name that the source at hand uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from hipify_py.clang.flags import Dialect
from hipify_py.clang.shapes import Shape, device_declaration, macro_value, parameters, status_type, type_shape
from hipify_py.mapping import Mapping, MappingTable
from hipify_py.mapping.records import OWN

_WORD = re.compile(rb"[A-Za-z_]\w*")
_CALLED = re.compile(rb"(?<!#define )\b([A-Za-z_]\w*)\s*(?=[(<])")
_MEMBER = re.compile(rb"(?:\.|->)\s*([A-Za-z_]\w*)")
_SCOPED = re.compile(rb"\bthrust::([a-z]\w*)\s*\(")
_ENUM = re.compile(rb"\benum\s+([A-Za-z_]\w*)\b(?!\s*[:{])")
_NEEDED_WORD = re.compile(r"[A-Za-z_]\w*")
_VECTOR = re.compile(r"(make_)?(u?)(char|short|int|longlong|long|float|double)([1-4])")
_ELEMENTS = {"longlong": "long long"}
#: Which enumeration a constant belongs to, where that one is named with `enum`: its constants need its type then.
_ENUM_OF = ((re.compile(r"cudaMemcpy(?:HostTo|DeviceTo|Default)\w*"), "cudaMemcpyKind"),
            (re.compile(r"cudaSuccess|cudaError[A-Z]\w*"), "cudaError"),
            (re.compile(r"cuda(?:Read)Mode\w+"), "cudaTextureReadMode"),
            (re.compile(r"cudaAddressMode\w+"), "cudaTextureAddressMode"),
            (re.compile(r"cudaFilterMode\w+"), "cudaTextureFilterMode"),
            (re.compile(r"cudaChannelFormatKind\w+"), "cudaChannelFormatKind"),
            (re.compile(r"cudaFuncCachePrefer\w+"), "cudaFuncCache"),
            (re.compile(r"cudaMemAdvise\w+"), "cudaMemoryAdvise"),
            (re.compile(r"cudaLimit\w+"), "cudaLimit"),
            (re.compile(r"cudaDevAttr\w+"), "cudaDeviceAttr"))
_ALIASES = {"cudaError_t": "cudaError", "cufftResult_t": "cufftResult", "cufftReal": "float",
            "cufftDoubleReal": "double", "cufftComplex": "float2", "cufftDoubleComplex": "double2",
            "cuComplex": "float2", "cuFloatComplex": "float2", "cuDoubleComplex": "double2"}
#: Macros that clang itself, or the flags, define.
_PREDEFINED = re.compile(r"__(?:CUDA|NV|HIP)\w*|CUB_STATIC\w*|_\w+")


@dataclass(frozen=True, slots=True)
class Words:
    """What the stubs need to know about a source (and the headers beside it)."""

    all: frozenset[str]
    called: frozenset[str]
    members: frozenset[str]
    enums: frozenset[str]
    thrust: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[bytes]) -> Words:
        """Collect the words of these texts, comments and strings included: one declaration too many is no harm."""
        text = b"\n".join(texts)
        return cls(_decoded(_WORD.findall(text)), _decoded(_CALLED.findall(text)), _decoded(_MEMBER.findall(text)),
                   _decoded(_ENUM.findall(text)), _decoded(_SCOPED.findall(text)))


    def joined(self, other: Words) -> Words:
        """The words of both."""
        return Words(self.all | other.all, self.called | other.called, self.members | other.members,
                     self.enums | other.enums, self.thrust | other.thrust)


@dataclass(frozen=True, slots=True)
class Section:
    """A piece of a header: what calls for it, what it declares first, and its text."""

    words: frozenset[str]
    needs: tuple[str, ...]
    text: str


class _Writer:
    """Collects declarations of CUDA names under the spelling that the dialect wants."""

    def __init__(self, words: Words, spell: Callable[[str], str], c: bool) -> None:
        self.words = words
        self.spell = spell
        self.c = c
        self.parts: dict[str, list[str]] = {"macros": [], "types": [], "constants": [], "functions": []}
        self.constants: dict[str, list[str]] = {}
        self.done: set[str] = set(_already_declared())

    def take(self, name: str) -> str | None:
        """The spelling of a name that is not yet declared."""
        spelled = self.spell(name)
        if not spelled or "::" in spelled or spelled in self.done:
            return None
        self.done.add(spelled)
        return spelled

    def type(self, name: str) -> None:
        """Declare a type, and the type that it is another name of."""
        vector = _VECTOR.fullmatch(name)
        if vector:
            self.vector(vector)
            return
        alias = _ALIASES.get(name)
        if alias:
            if alias not in ("float", "double"):
                self.type(alias)
            spelled = self.take(name)
            if spelled and spelled != self.spell(alias):
                self.parts["types"].append(f"typedef {self.spell(alias)} {spelled};")
            return
        spelled = self.take(name)
        if spelled is None:
            return
        if spelled in self.words.enums:
            self.constants.setdefault(spelled, [])
        else:
            shape = type_shape(spelled if type_shape(spelled) is Shape.POINTER else name)
            self.parts["types"].append((_C_TYPES if self.c else _TYPES)[shape].format(spelled))

    def vector(self, match: re.Match[str]) -> None:
        """Declare a vector type and its maker."""
        _, unsigned, element, count = match.groups()
        name = f"{unsigned}{element}{count}"
        if name == "uint3" or self.take(name) is None:
            return
        scalar = ("unsigned " if unsigned else "signed " if element == "char" else "") + _ELEMENTS.get(element, element)
        fields = ", ".join("xyzw"[: int(count)])
        if self.c:
            self.parts["types"].append(f"typedef struct {name} {{ {scalar} {fields}; }} {name};")
        else:
            self.parts["types"].append(f"struct {name} {{ {scalar} {fields}; }};")

    def maker(self, match: re.Match[str]) -> None:
        """Declare ``make_float4``."""
        _, unsigned, element, count = match.groups()
        name = f"{unsigned}{element}{count}"
        self.vector(match)
        if self.take(f"make_{name}") is None:
            return
        scalar = ("unsigned " if unsigned else "signed " if element == "char" else "") + _ELEMENTS.get(element, element)
        arguments = ", ".join([scalar] * int(count))
        self.parts["functions"].append(f"{'' if self.c else '__hipify_hd '}{name} make_{name}({arguments});")

    def constant(self, name: str) -> None:
        """Declare an enumerator, in the enumeration that the source names if it does."""
        spelled = self.take(name)
        if spelled is None:
            return
        owner = next((enum for pattern, enum in _ENUM_OF if pattern.fullmatch(name)), "")
        owner = self.spell(owner) if owner else ""
        self.constants.setdefault(owner if owner in self.words.enums else "", []).append(spelled)

    def function(self, name: str) -> None:
        """Declare a function of a library."""
        result = status_type(name)
        if not result.startswith(("const ", "__hipify", "size_t", "int", "double")):
            self.type(result)
            result = self.spell(result)
        spelled = self.take(name)
        if spelled is None:
            return
        if self.c:
            self.parts["functions"].append(f"{'int' if result == '__hipify_any' else result} {spelled}();")
            return
        template, plain = parameters(name)
        head = f"template <{template}> " if template else ""
        self.parts["functions"].append(f"{head}__hipify_hd {result} {spelled}({plain});")

    def device_function(self, name: str) -> None:
        """Declare a function of device code."""
        maker = _VECTOR.fullmatch(name)
        if maker:
            self.maker(maker)
            return
        spelled = self.take(name)
        if spelled and not self.c:
            self.parts["functions"].append(device_declaration(name).format(spelled))

    def macro(self, name: str) -> None:
        """Define a macro, or declare a function in its place if the source calls it."""
        spelled = self.take(name)
        if spelled is None or _PREDEFINED.fullmatch(name):
            return
        if spelled in self.words.called and not self.c and not macro_value(name).isspace():
            self.parts["functions"].append(f"template <class... A> __hipify_hd __hipify_any {spelled}(A &&...);")
        else:
            self.parts["macros"].append(f"#ifndef {spelled}\n#define {spelled} {macro_value(name)}\n#endif")

    def section(self, section: Section) -> None:
        """Take a hand-written piece, each name in it under its spelling."""
        text = section.text
        # The names of other sections too: `hipMemcpy3DParms` has members of type `hipPos`.
        replaced = {word: self.spell(word) for word in dict.fromkeys(_NEEDED_WORD.findall(text))}
        declared = [replaced[word] for word in replaced if word in section.words]
        if any(spelled and spelled in self.done for spelled in declared):
            return
        if any(new and old != new for old, new in replaced.items()):
            text = _NEEDED_WORD.sub(lambda match: replaced.get(match[0]) or match[0], text)
        self.done.update(spelled for spelled in declared if spelled)
        self.parts["types"].append(text)

    def text(self) -> str:
        """All declarations, in an order that compiles."""
        if not self.c:
            members = " ".join(f"__hipify_any {name};" for name in sorted(self.words.members) if name not in _KEYWORDS)
            head = f"struct __hipify_members {{ {members} }};"
        else:
            head = ""
        for owner, names in sorted(self.constants.items()):
            listed = ", ".join(names or [f"__hipify_{owner}"])
            self.parts["constants"].append(f"enum {owner or '__hipify_constant'} {{ {listed} }};")
            if owner and self.c:
                self.parts["constants"].append(f"typedef enum {owner} {owner};")
        return "\n".join((*self.parts["macros"], head, *self.parts["constants"], *self.parts["types"],
                          *self.parts["functions"], ""))


_TYPES = {Shape.HANDLE: "typedef struct __hipify_{0} *{0};", Shape.NUMBER: "typedef unsigned long long {0};",
          Shape.POINTER: "typedef void *{0};",
          Shape.INTEGER: "typedef int {0};", Shape.VALUE: "__hipify_enum({0})", Shape.RECORD: "__hipify_record({0})",
          Shape.TAG: "struct {0};"}
_C_TYPES = {**_TYPES, Shape.VALUE: "typedef enum {0} {{ __hipify_{0} }} {0};",
            Shape.RECORD: "typedef struct {0} {{ int __hipify_value; }} {0};"}
_KEYWORDS = frozenset((
    "template", "operator", "this", "int", "float", "double", "char", "void", "const", "if", "else", "for", "while",
    "return", "new", "delete", "class", "struct", "enum", "union", "typename", "static", "using", "namespace", "auto",
    "bool", "long", "short", "signed", "unsigned", "sizeof", "default", "case", "switch", "do", "break", "continue",
    "NULL", "__hipify_any", "__device__", "__host__", "__global__", "assert", "errno", "stdin", "stdout", "stderr"))


def _decoded(words: Iterable[bytes]) -> frozenset[str]:
    return frozenset(word.decode() for word in set(words))


@cache
def resource(name: str) -> str:
    """A file of the ``include`` folder."""
    return (resources.files("hipify_py.clang") / "include" / name).read_text()


@cache
def _sections(name: str) -> tuple[Section, ...]:
    """The sections of a file: each begins with a line ``//: words <- needs``."""
    found = []
    for piece in re.split(r"^//: ", resource(name), flags=re.MULTILINE)[1:]:
        head, _, text = piece.partition("\n")
        words, _, needs = head.partition("<-")
        found.append(Section(frozenset(words.split()), tuple(needs.split()), text))
    return tuple(found)


@cache
def _library_functions() -> tuple[tuple[str, bool, str], ...]:
    """Name, whether it is in std alone, and result of each function in functions.txt."""
    found: list[tuple[str, bool, str]] = []
    for line in resource("functions.txt").splitlines():
        if line and not line.startswith("#"):
            result, _, names = line.partition(": ")
            found.extend((name, result.startswith("std "), result.removeprefix("std ")) for name in names.split())
    return tuple(found)


#: Built into clang, with every type: no declaration can stand in for them.
_BUILTINS = tuple(f"__hip_atomic_{each}" for each in (
    "load", "store", "exchange", "compare_exchange_strong", "compare_exchange_weak", "fetch_add", "fetch_and", "fetch_or",
    "fetch_xor", "fetch_min", "fetch_max"))


@cache
def _already_declared() -> frozenset[str]:
    """Names that every stub has, or that the stand-ins for the C library have."""
    return frozenset(("dim3", "uint3", "warpSize", "size_t", "assert", "cudaConfigureCall", "__cudaPushCallConfiguration",
                      "hipConfigureCall", "__hipPushCallConfiguration", "int", "uint32_t", "uint64_t", *_BUILTINS)) | {
        name for name, only_std, _ in _library_functions() if not only_std}


_RESULTS = {"first": "template <class T, class... A> {1} T {0}(T, A &&...);",
            "double": "template <class T, class... A> {1} typename __hipify_real<T>::type {0}(T, A &&...);",
            "any": "template <class... A> {1} __hipify_any {0}(A &&...);"}
_PLAIN = "template <class... A> {1} {2} {0}(A &&...);"


def standard_header(words: Words, dialect: Dialect) -> bytes:
    """Stand-ins for what a source uses of the C and C++ libraries."""
    c = dialect is Dialect.C
    wanted = [entry for entry in _library_functions() if entry[0] in words.all]
    parts = ["#pragma clang system_header", resource("std_base.h")]
    if c:
        parts.extend(f"{result if result not in ('first', 'any') else 'int'} {name}();"
                     for name, only_std, result in wanted if not only_std)
        return "\n".join((*parts, "")).encode()
    sections = [section for section in _sections("std.h") if section.words & words.all] if "std" in words.all else []
    for name, only_std, result in wanted:
        if not only_std:
            parts.append(_RESULTS.get(result, _PLAIN).format(name, "__hipify_hd", result))
    if "std" in words.all:
        parts.extend(section.text for section in sections)
        parts.append("namespace std {")
        for name, only_std, result in wanted:
            parts.append(_RESULTS.get(result, _PLAIN).format(name, "__hipify_hd", result) if only_std
                         else f"using ::{name};")
        parts.append("using ::size_t; using ::ptrdiff_t; using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;"
                     " using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; }")
    return "\n".join((*parts, "")).encode()


_ADD: dict[str, Callable[[_Writer, str], None]] = {
    "function": _Writer.function, "device-function": _Writer.device_function, "type": _Writer.type,
    "enumerator": _Writer.constant, "macro": _Writer.macro}


def guesses(unknown: dict[str, bool], words: Words) -> bytes:
    """Declarations of what a first parse did not find: names from headers that are not there, or from ``-D``."""
    parts = ["#pragma clang system_header"]
    for name, is_type in sorted(unknown.items()):
        if is_type:
            parts.append(f"__hipify_record({name})")
        elif name in words.called:
            parts.append(f"template <class... A> __hipify_hd __hipify_any {name}(A &&...);")
        elif name.isupper():
            parts.append(f"enum {{ {name} = 16 }};")
        else:
            parts.append(f"extern __hipify_any {name};")
    return "\n".join((*parts, "")).encode()


def _declare(writer: _Writer, mappings: Iterable[Mapping]) -> None:
    for mapping in mappings:
        add = _ADD.get(mapping.kind)
        if add is not None:
            add(writer, mapping.cuda)


def _known(words: Iterable[str], table: MappingTable) -> Iterator[Mapping]:
    """The rows of the words that are CUDA's, in order."""
    for word in sorted(words):
        mapping = table.lookup(word.encode())
        if mapping is not None:
            yield mapping


def _theirs(words: Iterable[str], table: MappingTable) -> Iterator[Mapping]:
    """The rows of the words that CUDA's headers declare: what only a table of the person's own knows, they declare."""
    return (each for each in _known(words, table) if each.library != OWN)


def cuda_header(words: Words, table: MappingTable, dialect: Dialect) -> bytes:
    """The stub for a CUDA source: what its words need, and no more."""
    c = dialect is Dialect.C
    writer = _Writer(words, lambda name: name, c)
    _take_sections(writer, words.all)
    _declare(writer, _theirs(words.all, table))
    return (resource("base.h") + writer.text()).encode()


def _take_sections(writer: _Writer, words: frozenset[str]) -> None:
    for section in () if writer.c else _sections("sections.h"):
        if section.words & words:
            for need in section.needs:
                writer.type(need)
            writer.section(section)
    if words >= {"thrust"} and not writer.c:
        declared = frozenset(_NEEDED_WORD.findall(next(each.text for each in _sections("sections.h")
                                                       if each.words == {"thrust"})))
        functions = "".join(f"template <class... A> __hipify_any {name}(A &&...); "
                            for name in sorted(writer.words.thrust - declared))
        writer.parts["functions"].append(f"namespace thrust {{ {functions}}}")


def hip_header(words: Words, before: Words, table: MappingTable, dialect: Dialect) -> bytes:
    """The stub for a translation: HIP's names under HIP's spelling, and what is left of CUDA's under its own.

    Args:
        words: The words of the source and of its translation.
        before: The words of the source alone.
        table: The names.
        dialect: HIP, or C.
    """
    def spell(name: str) -> str:
        mapping = table.lookup(name.encode())
        return (mapping.hip if mapping is not None else "") or name

    writer = _Writer(words, spell, dialect is Dialect.C)
    known = list(_known(words.all, table))
    _take_sections(writer, words.all)
    _declare(writer, _theirs(words.all, table))
    # Headers on disk are CUDA still: their names mean the translated ones.
    renamed = [(each.cuda, spell(each.cuda)) for each in known if each.kind != "macro" and "::" not in spell(each.cuda)]
    writer.parts["functions"].extend(f"#define {old} {new}" for old, new in renamed if new != old)
    writer.spell = lambda name: name
    _declare(writer, (each for each in _theirs(words.all, table) if each.kind == "macro"))
    return (resource("base.h") + resource("hip.h") + writer.text() + _unknown(writer, words, before)).encode()


_HIP_LOOKS = re.compile(r"(?:hip|roc|miopen|rccl|__hip|HIP|ROC|MIOPEN)\w+")


def _unknown(writer: _Writer, words: Words, before: Words) -> str:
    """Declarations of names that no row led to and that are new in the translation: rules write them by themselves."""
    found = []
    predefined = frozenset(_NEEDED_WORD.findall(resource("base.h") + resource("hip.h")))
    for name in () if writer.c else sorted(words.all - before.all - writer.done - predefined - _KEYWORDS):
        if name in words.called:
            found.append(f"template <class... A> __hipify_hd __hipify_any {name}(A &&...);")
        elif _HIP_LOOKS.fullmatch(name):
            found.append(f"__hipify_record({name})" if name.endswith("_t") else f"enum {{ {name} }};")
    return "\n".join((*found, ""))
