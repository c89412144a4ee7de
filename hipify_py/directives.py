"""Preprocessor directives of one source: includes, macros, and the branches of ``#if``."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.source import SourceRange

_HEADER = re.compile(rb"<([^>\r\n]*)>|\"([^\"\r\n]*)\"")
_OPENING = frozenset((b"if", b"ifdef", b"ifndef"))
_MIDDLE = frozenset((b"elif", b"elifdef", b"elifndef", b"else"))
_INCLUDE = frozenset((b"include", b"include_next", b"import"))


@dataclass(frozen=True, slots=True)
class Header:
    """The header name of an ``#include``: ``range`` is the name with its delimiters."""

    name: bytes
    angled: bool
    range: SourceRange


@dataclass(frozen=True, slots=True)
class Macro:
    """What a ``#define`` defines.

    Args:
        name: Index of the name's token.
        parameters: Names of the parameters (``__VA_ARGS__`` for ``...``); None for an object-like macro.
        body: First and one-past-last index of the body's tokens, white space at its ends left out.
    """

    name: int
    parameters: tuple[bytes, ...] | None
    body: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive: ``#`` to the end of its logical line, the line end left out.

    Args:
        keyword: ``include``, ``define``, ``if`` ...; empty for a lone ``#``.
        range: Its bytes.
        first: Index of the ``#`` token.
        arguments: Index of the first token behind the keyword.
        end: Index one past its last token.
        header: For ``#include`` with a literal header name.
        macro: For ``#define``.
    """

    keyword: bytes
    range: SourceRange
    first: int
    arguments: int
    end: int
    header: Header | None = None
    macro: Macro | None = None


@dataclass(slots=True, eq=False)
class Branch:
    """One branch of a conditional: from behind its directive to the next one of the same chain."""

    directive: Directive
    chain: Conditional
    body: SourceRange


@dataclass(slots=True, eq=False)
class Conditional:
    """An ``#if`` ... ``#endif`` with all its branches; ``parent`` is the branch it stands in."""

    branches: list[Branch] = field(default_factory=list)
    endif: Directive | None = None
    parent: Branch | None = None


class Directives:
    """All directives of a source, in order."""

    def __init__(self, tokens: TokenStream) -> None:
        self.all: list[Directive] = [_parse(tokens, index) for index in tokens.punctuators(b"#")
                                     if tokens.starts_line(index)]
        self._firsts = [directive.first for directive in self.all]
        self.conditionals: list[Conditional] = []
        self._branch_starts: list[int] = []
        self._branch_at: list[Branch | None] = []
        self._nest(len(tokens.data))

    def __iter__(self) -> Iterator[Directive]:
        return iter(self.all)

    def of(self, *keywords: bytes) -> list[Directive]:
        """The directives with one of these keywords."""
        return [directive for directive in self.all if directive.keyword in keywords]

    def containing(self, index: int) -> Directive | None:
        """The directive that holds a token, if it is in one."""
        place = bisect_right(self._firsts, index) - 1
        return self.all[place] if place >= 0 and index < self.all[place].end else None

    def preceding(self, index: int) -> Directive | None:
        """The last directive that ends in front of a token."""
        place = bisect_right(self._firsts, index) - 1
        if place >= 0 and index < self.all[place].end:
            place -= 1
        return self.all[place] if place >= 0 else None

    def branch_at(self, offset: int) -> Branch | None:
        """The innermost branch whose body holds a byte offset."""
        place = bisect_right(self._branch_starts, offset) - 1
        return self._branch_at[place] if place >= 0 else None

    def _nest(self, size: int) -> None:
        """Join ``#if`` chains; a stray ``#else`` or ``#endif`` is passed over, an open chain ends with the file."""
        stack: list[Conditional] = []

        def enter(offset: int) -> None:
            self._branch_starts.append(offset)
            self._branch_at.append(stack[-1].branches[-1] if stack else None)

        for directive in self.all:
            word = directive.keyword
            if word in _OPENING:
                chain = Conditional(parent=stack[-1].branches[-1] if stack else None)
                self.conditionals.append(chain)
                stack.append(chain)
            elif word in _MIDDLE and stack:
                last = stack[-1].branches[-1]
                last.body = SourceRange(last.body.start, directive.range.start)
                outside = stack[-1].parent
                self._branch_starts.append(directive.range.start)
                self._branch_at.append(outside)
            elif word == b"endif" and stack:
                chain = stack.pop()
                chain.endif = directive
                last = chain.branches[-1]
                last.body = SourceRange(last.body.start, directive.range.start)
                enter(directive.range.start)
                continue
            else:
                continue
            stack[-1].branches.append(Branch(directive, stack[-1], SourceRange(directive.range.end, size)))
            enter(directive.range.end)


def _parse(tokens: TokenStream, first: int) -> Directive:
    """The directive whose ``#`` is this token."""
    end = first + 1
    count = len(tokens)
    while end < count and tokens.kind(end) != TokenKind.NEWLINE:
        end += 1
    word = tokens.next_code(first, end)
    keyword = tokens.name(word) if word < end and tokens.kind(word) == TokenKind.IDENTIFIER else b""
    arguments = tokens.next_code(word, end) if keyword else word
    span = SourceRange(tokens.start(first), tokens.start(end))
    header = _header(tokens, arguments, end, span) if keyword in _INCLUDE else None
    macro = _macro(tokens, arguments, end) if keyword == b"define" else None
    return Directive(keyword, span, first, arguments, end, header, macro)


def _header(tokens: TokenStream, arguments: int, end: int, span: SourceRange) -> Header | None:
    """The header name behind ``#include``, read from the bytes: ``<a//b.h>`` is no comment."""
    if arguments >= end:
        return None
    match = _HEADER.match(tokens.data, tokens.start(arguments), span.end)
    if match is None:
        return None
    angled = match.group(1) is not None
    return Header(match.group(1) if angled else match.group(2), angled, SourceRange(match.start(), match.end()))


def _macro(tokens: TokenStream, name: int, end: int) -> Macro | None:
    """What the ``#define`` with its name at this token defines."""
    if name >= end or tokens.kind(name) != TokenKind.IDENTIFIER:
        return None
    parameters: tuple[bytes, ...] | None = None
    behind = name + 1
    while behind < end and tokens.text(behind)[:1] == b"\\" and tokens.is_trivia(behind):
        behind += 1  # a line splice is nothing: the bracket stands right behind the name
    if behind < end and tokens.text(behind) == b"(":
        names = []
        while behind < end and tokens.text(behind) != b")":
            text = tokens.name(behind)
            if tokens.kind(behind) == TokenKind.IDENTIFIER:
                names.append(text)
            elif text == b"..." and tokens.text(tokens.previous_code(behind)) in (b"(", b","):
                names.append(b"__VA_ARGS__")
            behind += 1
        parameters = tuple(names)
        behind = min(behind + 1, end)
    start = tokens.next_code(behind - 1, end)
    stop = tokens.previous_code(end) + 1
    return Macro(name, parameters, (start, max(start, stop)))
