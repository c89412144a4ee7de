"""HPY206 register-storage, HPY207 noinline-attribute, HPY216 grid-constant, HPY220 calling-convention: words that go.

What it does
------------
Takes out the storage class ``register`` and the parameter attribute ``__grid_constant__``, and writes ``noinline`` and
``forceinline``'s ``always_inline`` without underscores inside ``__attribute__((...))``. CUDA's macros for calling
conventions (``CUDART_CB``, ``CUDAAPI``) go as well.

Why is this bad
---------------
clang takes ``register`` for an error from C++17 on; nvcc warns. ``__noinline__`` is a macro for
``__attribute__((noinline))`` in HIP, so that ``__attribute__((__noinline__))`` expands into an attribute in an attribute.
HIP has no ``__grid_constant__``, and no macro for a calling convention. ``__assume`` is a function of nvcc's and MSVC's
that clang has elsewhere as ``__builtin_assume`` (HPY211).

Example
-------
Bad::

    register float x = 0;
    __attribute__((__noinline__)) int f();
    __global__ void k(const __grid_constant__ Parameters p);
    void CUDART_CB done(cudaStream_t s, cudaError_t e, void *data);

Good::

    float x = 0;
    __attribute__((noinline)) int f();
    __global__ void k(const Parameters p);
    void done(hipStream_t s, hipError_t e, void *data);

Fix safety
----------
``register`` has had no meaning to compilers for long and has none in C++17; it stays in C files, in ``asm`` declarations
(``register int x asm("r1")``) and as a macro's name. ``__grid_constant__`` promises that all threads of a launch see one
copy of a ``const`` parameter, which AMD GPUs have in memory that all threads read in any case; what a program can see of
it is the address, which it has to treat as any thread's own. The macros of calling conventions are empty but on Windows
with 32 bits, where HIP does not run; a test for such a name (``#ifdef CUDART_CB``) stays and is reported.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from hipify_py.diagnostics import Edit, Finding
from hipify_py.functions import Functions
from hipify_py.lexer import TokenKind
from hipify_py.unit import TranslationUnit

#: How the form of a word that is taken out begins in the table.
_NOTHING = "nothing:"
_ASSUME = re.compile(rb"\b__assume\b")
_ATTRIBUTE = re.compile(rb"\b__attribute__\b")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Yield an edit for each such word."""
    yield from _register(unit)
    yield from _noinline(unit)
    for word, code in _dropped():
        yield from _drop(unit, word, code)
    yield from _assume(unit)


def _assume(unit: TranslationUnit) -> Iterator[Finding]:
    """``__assume`` of device code is clang's ``__builtin_assume``; on the host it is MSVC's and stays."""
    functions: Functions | None = None
    for match in _ASSUME.finditer(unit.data):
        index = unit.tokens.index_at(match.start())
        if unit.tokens.text(index) != b"__assume" or unit.regions.is_frozen(match.start()):
            continue
        directive = unit.directives.containing(index)
        if directive is not None and (directive.macro is None or directive.macro.name == index):
            continue
        functions = functions or Functions(unit.tokens, unit.directives)
        around = functions.around(index)
        if around is not None and functions.all[around].device:
            yield Edit(match.start(), match.end(), b"__builtin_assume", "HPY211")


@cache
def _dropped() -> tuple[tuple[bytes, str], ...]:
    """The words that go without a trace, with the code of each."""
    text = resources.files("hipify_py").joinpath("mapping/rewritten.csv").read_text(encoding="utf-8")
    return tuple((row["name"].encode(), row["code"]) for row in csv.DictReader(text.splitlines())
                 if row["form"].startswith(_NOTHING))


def _drop(unit: TranslationUnit, word: bytes, code: str) -> Iterator[Finding]:
    """``const __grid_constant__ T p``: the word with the blank behind it goes."""
    tokens, places = unit.tokens, unit.occurrences.get(word, ())
    defined = {unit.directives.containing(index) for index in places} - {None}
    if any(each.macro is not None and tokens.name(each.macro.name) == word for each in defined if each is not None):
        return
    for index in places:
        directive = unit.directives.containing(index)
        if directive is not None and (directive.macro is None or directive.macro.name == index):
            continue
        if unit.regions.is_frozen(tokens.start(index)) or unit.is_user_name(index):
            continue
        end = tokens.end(index)
        while unit.data[end : end + 1] in (b" ", b"\t"):
            end += 1
        yield Edit(tokens.start(index), end, b"", code)


def _register(unit: TranslationUnit) -> Iterator[Finding]:
    if unit.source.is_c or unit.settings.standard < "c++17":
        return
    tokens = unit.tokens
    for match in re.finditer(rb"\bregister\b", unit.data):
        index = tokens.index_at(match.start())
        behind = tokens.next_code(index)
        if tokens.start(index) != match.start() or tokens.text(index) != b"register" or behind >= len(tokens):
            continue
        directive = unit.directives.containing(index)
        if directive is not None and (directive.macro is None or directive.macro.name == index):
            continue
        if tokens.kind(behind) != TokenKind.IDENTIFIER or unit.regions.is_frozen(match.start()):
            continue
        statement = unit.data[match.start() : unit.data.find(b";", match.start())]
        if b"asm" in statement:
            continue
        end = tokens.start(behind) if not unit.data[match.end() : tokens.start(behind)].strip(b" \t") else match.end()
        yield Edit(match.start(), end, b"", "HPY206")


def _noinline(unit: TranslationUnit) -> Iterator[Finding]:
    tokens = unit.tokens
    for match in _ATTRIBUTE.finditer(unit.data):
        index = tokens.index_at(match.start())
        if tokens.text(index) != b"__attribute__" or unit.regions.is_frozen(match.start()):
            continue
        place, limit = index, unit.limit(index)
        for _ in range(16):
            place = tokens.next_code(place, limit)
            if place >= limit or tokens.text(place) == b")":
                break
            if tokens.text(place) == b"__noinline__":
                yield Edit(tokens.start(place), tokens.end(place), b"noinline", "HPY207")
