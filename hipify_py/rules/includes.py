"""HPY103, HPY104, HPY118, HPY402: headers.

What it does
------------
*Replaced* (HPY103): each CUDA header becomes HIP's by the table of headers, in ``#include``, in
``__has_include(...)`` and in a macro that holds a header's name. Delimiters, spacing and comments stay. An include
that would only repeat an earlier one is dropped, with its line if nothing else stands on it; one in another branch
of ``#if`` stays, for that branch needs its own.

*Added* (HPY104): nvcc includes the CUDA runtime by itself and hipcc includes nothing. A source that uses the
runtime or the device language, and includes neither, gets ``#include <hip/hip_runtime.h>`` (in C:
``<hip/hip_runtime_api.h>``), behind the licence, ``#pragma once`` or include guard and in front of the first other
include, never inside an ``#if``. It goes in front of cooperative groups too, whose header needs it up to HIP 5.

*No counterpart* (HPY402): a header that HIP has nothing for is reported and stays, one of the CUDA samples if it is missing.

Why is this bad
---------------
CUDA's headers are not there when HIP compiles.

Example
-------
Bad::

    #include <cuda.h>
    #include <cuda_runtime.h>  // the runtime
    #include "cub/cub.cuh"

Good::

    #include <hip/hip_runtime.h>
    // the runtime
    #include "hipcub/hipcub.hpp"

Fix safety
----------
Safe. The whole name between the delimiters has to be CUDA's: ``"common/cuda_runtime.h"`` and ``"my.cuda.h"`` are
the person's own. So is a header of a CUDA name that lies beside the source, or in a folder given with ``-I``; that
is the one question that this package asks the disk while it translates (:mod:`hipify_py.own_headers`). A file with NVIDIA's
copyright is none of the person's: an SDK's header, or a copy in the tree (``third_party/cub/cub.cuh``), is replaced as if
it were not there, and of a copy a note says so (HPY118).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from hipify_py import own_headers
from hipify_py.conditions import SOME, Value, evaluate, truth
from hipify_py.diagnostics import Diagnostic, Edit, Finding, Severity
from hipify_py.directives import Branch, Directive
from hipify_py.lexer import TokenKind
from hipify_py.mapping import HeaderMapping
from hipify_py.mapping.families import What, family
from hipify_py.mapping.records import OWN
from hipify_py.own_headers import is_own_header, own_header
from hipify_py.regions import COMPILER_MACROS, Regions
from hipify_py.rules.include_order import place_in_front
from hipify_py.rules.uses import HOST_SUFFIXES, Uses
from hipify_py.source import BOM, SourceRange, renamed
from hipify_py.unit import TranslationUnit

_RUNTIME = b"hip/hip_runtime.h"
_API = b"hip/hip_runtime_api.h"
_ANY_HEADER = re.compile(rb"<([^>\r\n]*)>|\"([^\"\r\n]*)\"")
#: Where an SDK lies: a header named by such a path is CUDA's, whatever the path.
_SDK_PATH = re.compile(rb"(?i)(?:[A-Z]:)?[\\/].*\bcuda[-\w.]*[\\/](?:[\w.-]+[\\/])*include[\\/](.+)")
#: Headers that only CUDA is likely to have, should no table know them.
_LOOKS = re.compile(rb"cuda_\w+\.h(?:pp)?|cu(?:blas|fft|rand|sparse|solver|dnn|tensor|pti)\w*\.h(?:pp)?|"
                    rb"nv(?:rtc|ml|jpeg)\w*\.h")
_LICENCE = re.compile(rb"(?i)copyright|licen[cs]e|spdx|\(c\)|[@\\]file|all rights reserved")


def check(unit: TranslationUnit) -> Iterator[Finding]:
    """Replace, drop and report the includes; add the runtime's."""
    yield from _Includes(unit).findings()


class _Includes:
    """The includes of one source."""

    def __init__(self, unit: TranslationUnit) -> None:
        self.unit = unit
        self.tokens = unit.tokens
        self.regions: Regions = unit.regions
        self.renamed = dict(unit.settings.renamed_sources)
        self.includes = [each for each in unit.directives
                         if each.header is not None and not self.regions.is_frozen(each.range.start)]
        self.uses = Uses(unit)
        self.targets = {each.first: self._target(each) for each in self.includes}
        self._upgrade()

    def findings(self) -> Iterator[Finding]:
        """All that there is to say about headers."""
        yield from self._replaced()
        yield from self._in_macros()
        yield from self._in_conditions()
        yield from self._added()

    def _mapping(self, name: bytes, *, angled: bool) -> HeaderMapping | None:
        """CUDA's row for a header, unless it is the person's own."""
        unit = self.unit
        mapping = unit.table.header(name)
        if mapping is None and (sdk := _SDK_PATH.fullmatch(name)) is not None:
            return unit.table.header(sdk[1].replace(b"\\", b"/"))
        if mapping is None:
            path = own_header(unit, name, angled=angled) if b"/" in name else None
            is_copy = path is not None and own_headers.is_copy(unit.table, name, path)
            return own_headers.original(unit.table, name) if is_copy else None
        if own_headers.is_somebodys(mapping, name):
            return None
        return None if mapping.library != OWN and is_own_header(unit, name, angled=angled) else mapping

    def _target(self, include: Directive) -> bytes:
        """What an include leads to after the translation: CUDA's names mapped, all others as they are."""
        assert include.header is not None
        name = include.header.name
        mapping = self._mapping(name, angled=include.header.angled)
        if mapping is None or not mapping.hip:
            return self._moved(name, angled=include.header.angled)
        return self._hip(mapping)

    def _moved(self, name: bytes, *, angled: bool) -> bytes:
        """The name of a person's own file behind the translation: ``"kernels.cu"`` may be ``"kernels.hip"`` by then."""
        if not self.renamed:
            return name
        path = own_header(self.unit, name, angled=angled)
        real = "" if path is None else os.path.realpath(path)
        new = self.renamed.get(real)
        return name if new is None else renamed(name, os.fsencode(real), os.fsencode(new))

    def _hip(self, mapping: HeaderMapping) -> bytes:
        """HIP's header for a row; in C, the runtime's header is the one of its API."""
        target = mapping.hip.encode()
        return _API if target == _RUNTIME and self.unit.source.is_c else target

    def _upgrade(self) -> None:
        """Let ``cuda_runtime_api.h`` bring the device language too, where nothing else does and it is used."""
        if not self.uses.device or self.unit.source.is_c or any(
                self.targets[each.first] == _RUNTIME and self._scope(each) is None for each in self.includes):
            return
        for each in self.includes:
            header = each.header
            if header is not None and self.targets[each.first] == _API != header.name and self._scope(each) is None:
                self.targets[each.first] = _RUNTIME
                return

    def _replaced(self) -> Iterator[Finding]:
        """Replace or drop each include of a CUDA header."""
        early = place_in_front(self.unit, self.includes, self.targets, _RUNTIME, self._scope)
        seen: dict[bytes, set[Branch | None]] = {} if early is None else {_RUNTIME: {None}}
        if early is not None:
            yield Edit(early, early, b"#include <" + _RUNTIME + b">" + self.unit.source.newline, "HPY104")
        for include in self.includes:
            header = include.header
            assert header is not None
            target = self.targets[include.first]
            branch = self.unit.directives.branch_at(include.range.start)
            earlier = seen.setdefault(target, set())
            if target == header.name:
                yield from self._reported(header.name, header.range, angled=header.angled)
                yield from self._copied(include, target)
            elif self._mapping(header.name, angled=header.angled) is not None and not earlier.isdisjoint(
                    _ancestors(branch)):
                yield self._dropped(include)
                continue
            else:
                inside = SourceRange(header.range.start + 1, header.range.end - 1)
                yield Edit(inside.start, inside.end, target, "HPY103")
                yield from self._copied(include, target)
            earlier.add(branch)

    def _copied(self, include: Directive, target: bytes) -> Iterator[Finding]:
        """Tell that a copy of CUDA's header, which is no SDK's, is used no more."""
        header = include.header
        assert header is not None
        mapping = self._mapping(header.name, angled=header.angled)
        known = family(header.name, What.SAME) if mapping is None else mapping.hip
        path = own_header(self.unit, header.name, angled=header.angled) if known else None
        if path is not None and own_headers.is_copy(self.unit.table, header.name, path) and not (
                own_headers.is_of_sdk(header.name, path)):
            shown = header.name.decode("utf-8", "replace")
            what = "HIP's has the same name" if target == header.name else f"`{target.decode()}` took its place"
            yield Diagnostic("HPY118", Severity.NOTE, f"`{shown}` is found as a copy of CUDA's header; {what}: take the copy "
                             "out of the build", header.range)

    def _reported(self, name: bytes, span: SourceRange, *, angled: bool) -> Iterator[Finding]:
        """Report a header of CUDA's that stays because there is none to put in its place."""
        mapping = self._mapping(name, angled=angled)
        shown, said, severity = name.decode("utf-8", "replace"), "", Severity.ERROR
        if mapping is not None and not mapping.hip:
            said = f"the header `{shown}` has no counterpart in HIP; {mapping.advice or 'take out what needs it'}"
        elif mapping is None and _SDK_PATH.fullmatch(name) is not None:
            said = f"the path `{shown}` leads into a CUDA SDK; HIP has no such header"
        elif mapping is not None or is_own_header(self.unit, name, angled=angled):
            return
        elif (known := family(name, What.HEADER)) is not None:
            said = f"the header `{shown}` has no counterpart in HIP (it is {known.library}'s); {known.advice}"
        elif (known := family(name.rpartition(b"/")[2], What.SAMPLES)) is not None:
            said, severity = (f"the header `{shown}` comes with CUDA's samples and is missing here; HIP has none of the name: "
                              f"{known.advice}"), Severity.WARNING
        elif angled and _LOOKS.fullmatch(name) and not is_own_header(self.unit, name, angled=False):
            said, severity = f"the header `{shown}` looks like CUDA's and is in no table; it stays as it is", Severity.WARNING
        if said:
            yield Diagnostic("HPY402", severity, said, span)

    def _dropped(self, include: Directive) -> Edit:
        """Take out an include that repeats an earlier one: its line, or all of the line but a comment."""
        data, header = self.unit.data, include.header
        assert header is not None
        start, end = include.range.start, header.range.end
        line = self.unit.source.line_range(start)
        while end < len(data) and data[end : end + 1] in (b" ", b"\t"):
            end += 1
        rest_of_line = data[end : end + 2]
        if data[line.start : start].strip(b" \t") == b"" and (not rest_of_line or rest_of_line[:1] in b"\r\n"):
            start = line.start
            end += 2 if rest_of_line == b"\r\n" else min(1, len(rest_of_line))
        return Edit(start, end, b"", "HPY103")

    def _in_macros(self) -> Iterator[Finding]:
        """Replace the header in ``#define HEADER <cuda_fp16.h>``, for an ``#include HEADER``."""
        wanted = {self.tokens.name(each.arguments) for each in self.unit.directives.of(b"include")
                  if each.header is None and each.arguments < each.end}
        for directive in self.unit.directives.of(b"define"):
            macro = directive.macro
            if macro is None or macro.parameters is not None or self.regions.is_frozen(directive.range.start):
                continue
            (first, end), span = macro.body, SourceRange(self.tokens.start(macro.body[0]), self.tokens.start(macro.body[1]))
            match = _ANY_HEADER.fullmatch(self.unit.data, span.start, span.end) if first < end else None
            if match is not None and (match.group(1) is not None or self.tokens.name(macro.name) in wanted):
                yield from self._at(match)

    def _in_conditions(self) -> Iterator[Finding]:
        """Replace the header in ``__has_include(<cuda.h>)``."""
        tests = (each for each in self.unit.directives.of(b"if", b"elif") if not self.regions.is_frozen(each.range.start))
        for directive in tests:
            for index in range(directive.arguments, directive.end):
                if self.tokens.kind(index) == TokenKind.IDENTIFIER and self.tokens.name(index).startswith(b"__has_include"):
                    match = _ANY_HEADER.search(self.unit.data, self.tokens.end(index), directive.range.end)
                    if match is not None:
                        yield from self._at(match)

    def _at(self, match: re.Match[bytes]) -> Iterator[Finding]:
        """Replace or report a header named elsewhere than in an ``#include``."""
        group = 1 if match.group(1) is not None else 2
        name = match.group(group)
        mapping = self._mapping(name, angled=group == 1)
        if mapping is not None and mapping.hip:
            if self._hip(mapping) != name:
                yield Edit(match.start(group), match.end(group), self._hip(mapping), "HPY103")
        else:
            yield from self._reported(name, SourceRange(match.start(), match.end()), angled=group == 1)

    def _scope(self, include: Directive) -> Branch | None:
        return self._reduced(self.unit.directives.branch_at(include.range.start))

    def _reduced(self, branch: Branch | None) -> Branch | None:
        """The innermost branch around a place that HIP might not compile; None if there is none.

        Include guards, branches of HIP's own and branches for a GPU compiler are all compiled.
        """
        while branch is not None:
            chain = branch.chain
            if chain not in self.regions.include_guards and not self.regions.is_frozen_branch(branch):
                node = self.regions.condition(branch)
                if branch is not chain.branches[0] or node is None or not truth(evaluate(node, self._hip_world)):
                    return branch
            branch = chain.parent
        return None

    def _hip_world(self, name: bytes) -> tuple[bool | None, Value]:
        always = name in COMPILER_MACROS or (name == b"__cplusplus" and not self.unit.source.is_c)
        return (True, SOME) if always else (None, None)

    def _added(self) -> Iterator[Finding]:
        """Add the runtime's header where nothing brings it."""
        unit, uses = self.unit, self.uses
        header = _API if unit.source.is_c else _RUNTIME
        enough = {_RUNTIME} if uses.device else {_RUNTIME, _API}
        if not uses.places or (uses.already_hip and not uses.renamed):
            return
        # All includes, frozen ones too: HIP's own branch brings its header.
        provided = {self._reduced(unit.directives.branch_at(each.range.start)) for each in unit.directives
                    if each.header is not None and self.targets.get(each.first, each.header.name) in enough
                    | ({header} if unit.source.is_c else set())}
        if None in provided:
            return
        tests = {self._test(branch) for branch in provided if branch is not None}
        host = unit.source.name.endswith(HOST_SUFFIXES)
        for index in uses.places:
            around = unit.directives.branch_at(self.tokens.start(index))
            branch = self._reduced(around)
            if (host and self._for_gpu_compiler(around)) or (branch is not None and (host or not tests.isdisjoint(
                    self._test(each) for each in _ancestors(branch) if each is not None))):
                continue
            place, newline = _place(unit), unit.source.newline
            text = b"#include <" + header + b">" + newline + (newline if place.blank else b"")
            if place.offset == len(unit.data) and not unit.data.endswith(b"\n"):
                text = newline + text
            yield Edit(place.offset, place.offset, text, "HPY104")
            return

    def _for_gpu_compiler(self, branch: Branch | None) -> bool:
        """Whether a place is compiled only by a compiler for the GPU: hipcc knows the device's words by itself."""
        return any(each is not None and (node := self.regions.condition(each)) is not None
                   and not COMPILER_MACROS.isdisjoint(node.names()) for each in _ancestors(branch))

    def _test(self, branch: Branch) -> bytes:
        """The condition of a branch, as written."""
        tokens, directive = self.tokens, branch.directive
        return b" ".join(tokens.name(index) for index in range(directive.first, directive.end)
                         if not tokens.is_trivia(index))


def _ancestors(branch: Branch | None) -> list[Branch | None]:
    """A branch, those it stands in, and None for the whole source."""
    found: list[Branch | None] = []
    while branch is not None:
        found.append(branch)
        branch = branch.chain.parent
    return [*found, None]


class _Place(NamedTuple):
    """Where to insert the include, and whether a blank line goes behind it."""

    offset: int
    blank: bool


def _place(unit: TranslationUnit) -> _Place:
    """Behind licence, ``#pragma once`` and include guard; in front of the first include, or of everything else."""
    tokens, directives = unit.tokens, unit.directives
    starts = {each.first: each for each in directives}
    first = tokens.next_code(-1)
    while first in starts:
        directive = starts[first]
        words = [tokens.name(index) for index in range(directive.first, directive.end) if not tokens.is_trivia(index)]
        if words == [b"#", b"pragma", b"once"]:
            first = tokens.next_code(directive.end - 1)
        elif _guards_all(unit, directive):
            second = starts.get(tokens.next_code(directive.end - 1), directive)  # its #define may come later
            first = tokens.next_code(second.end - 1)
        else:
            break
    if first >= len(tokens):
        return _Place(len(unit.data), blank=False)
    # The first include, if only directives stand in front of it; the outermost #if around it.
    anchor, found, place = first, False, first
    opened: list[int] = []
    while place in starts:
        directive = starts[place]
        if directive.keyword in (b"include", b"include_next", b"import"):
            anchor, found = (opened[0] if opened else place), True
            break
        if directive.keyword in (b"if", b"ifdef", b"ifndef"):
            opened.append(place)
        elif directive.keyword == b"endif" and opened:
            opened.pop()
        place = tokens.next_code(directive.end - 1)
    return _in_front_of(unit, anchor, include=found)


def _guards_all(unit: TranslationUnit, opening: Directive) -> bool:
    """Whether a directive opens an include guard that reaches to the end of the source."""
    for chain in unit.regions.include_guards:
        if chain.branches[0].directive is opening:
            return chain.endif is None or unit.tokens.next_code(chain.endif.end - 1) >= len(unit.tokens)
    return False


def _in_front_of(unit: TranslationUnit, anchor: int, *, include: bool) -> _Place:
    """The start of a token's line, or of the comment that belongs to it."""
    tokens, data = unit.tokens, unit.data
    line = unit.source.line_range(tokens.start(anchor)).start
    first_line = len(BOM) if unit.source.bom else 0
    line = max(line, first_line)
    if data[line : tokens.start(anchor)].strip(b" \t\f\v"):
        return _Place(tokens.start(anchor), blank=not include)
    block = line  # the start of the comment lines right above
    index = tokens.index_at(line) - 1 if line > first_line else -1
    while index > 0 and tokens.kind(index) == TokenKind.NEWLINE:
        index -= 1
        if tokens.kind(index) == TokenKind.WHITESPACE:
            index -= 1
        if index < 0 or tokens.kind(index) != TokenKind.COMMENT:
            break
        start = max(unit.source.line_range(tokens.start(index)).start, first_line)
        if data[start : tokens.start(index)].strip(b" \t"):
            break
        block = start
        index = tokens.index_at(start) - 1
    is_head = tokens.previous_code(anchor) < 0 and not data[first_line:block].strip()
    if block < line and is_head and (include or _LICENCE.search(data, block, line)):
        return _Place(line, blank=not include)
    return _Place(block, blank=not include)
