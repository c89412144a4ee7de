"""The functions of a source, its macros and constants, and who calls whom: from tokens, cheap and never silent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from hipify_py.lanes import Constants, words
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.syntax import split
from hipify_py.unit import TranslationUnit

_CONTROL = frozenset((b"if", b"for", b"while", b"switch", b"catch", b"return", b"sizeof", b"constexpr", b"defined", b"alignof",
                      b"decltype", b"noexcept", b"__attribute__", b"__launch_bounds__", b"__align__", b"alignas"))
_BEHIND_PARAMETERS = frozenset((b"const", b"noexcept", b"override", b"final", b"volatile", b"&", b"&&", b"mutable"))
_DEVICE = frozenset((b"__global__", b"__device__"))
_CONSTANT = re.compile(rb"\bconst(?:expr)?\b[^;(){}=,]*?\b([A-Za-z_]\w*)\s*(?:=\s*([^;{},]{1,120})|\{([^;{},]{1,120})\})[;,]")
_MORE = re.compile(rb"\b(?:unsigned|int|size_t|uint32_t|bool)\s+([A-Za-z_]\w*)\s*=\s*([\w ()/*+-]{1,60}?)\s*(?=[,>])")
_TEMPLATE = re.compile(rb"\btemplate\s*<")
_ENUM = re.compile(rb"\benum\b[^;{}()]*\{([^{}]*)\}")
_COMMENT = re.compile(rb"//[^\r\n]*|/\*(?s:.*?)\*/")


@dataclass(slots=True, eq=False)
class Body:
    """A function's body, or a macro's: the tokens that are no trivia, by index and by text.

    Args:
        name: What it is called by.
        place: Token index of the name.
        first: Index of its first token (the brace, or the macro's body).
        end: Index one past its last token.
        parameters: Names of the parameters.
        device: Whether it runs on the device: it says so, or it uses what only the device has.
        kernel: Whether it is ``__global__``.
        macro: Whether it is a macro.
        code: Token indices.
        texts: Their texts.
        calls: Names of the other bodies that it mentions.
    """

    name: bytes
    place: int
    first: int
    end: int
    parameters: tuple[bytes, ...]
    device: bool
    kernel: bool
    macro: bool
    code: list[int] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    calls: set[bytes] = field(default_factory=set)


class Program:
    """All bodies of a source, with the constants."""

    def __init__(self, unit: TranslationUnit) -> None:
        self._unit = unit
        self._tokens = unit.tokens
        self.bodies: list[Body] = [*self._macros(), *self._functions()]
        self.by_name: dict[bytes, list[Body]] = {}
        for body in self.bodies:
            self.by_name.setdefault(body.name, []).append(body)
        for body in self.bodies:
            self._fill(body)

    def at(self, index: int) -> Body | None:
        """The body that holds a token."""
        return next((body for body in self.bodies if body.first <= index < body.end), None)

    @cached_property
    def constants(self) -> Constants:
        """What the source calls by a name."""
        found = Constants()
        for directive in self._unit.directives:
            macro = directive.macro
            if macro is not None and macro.parameters is None:
                first, end = macro.body
                found.add(self._tokens.name(macro.name), [self._tokens.text(index) for index in range(first, min(end, first + 48))
                                                          if not self._tokens.is_trivia(index)])
        data = self._unit.data
        for match in _CONSTANT.finditer(data):
            found.add(match.group(1), words(_COMMENT.sub(b"", match.group(2) or match.group(3) or b"")))
        for match in _TEMPLATE.finditer(data):
            for parameter in _MORE.finditer(data, match.end(), min(len(data), match.end() + 400)):
                if b"{" in data[match.end() : parameter.start()] or b";" in data[match.end() : parameter.start()]:
                    break
                found.add(parameter.group(1), words(parameter.group(2)))
        for match in _ENUM.finditer(data):
            for each in match.group(1).split(b","):
                name, equals, value = each.partition(b"=")
                if equals and name.strip():
                    found.add(name.split()[-1], words(_COMMENT.sub(b"", value)))
        return found

    def _macros(self) -> Iterator[Body]:
        for directive in self._unit.directives:
            macro = directive.macro
            if macro is not None and macro.body[0] < macro.body[1]:
                yield Body(self._tokens.name(macro.name), macro.name, *macro.body, macro.parameters or (),
                           device=True, kernel=False, macro=True)

    def _functions(self) -> Iterator[Body]:
        tokens = self._tokens
        done = -1
        for brace in tokens.punctuators(b"{"):
            if brace < done or self._unit.directives.containing(brace) is not None:
                continue
            end = tokens.partner(brace)
            if end <= brace:
                continue
            body = self._head(brace, end)
            if body is not None:
                done = end
                yield body

    def _head(self, brace: int, end: int) -> Body | None:
        """The function whose body opens at a brace; None for a namespace, a class, an initialiser."""
        tokens = self._tokens
        close = tokens.previous_code(brace)
        steps = 0
        while close >= 0 and tokens.text(close) in _BEHIND_PARAMETERS and steps < 6:
            close = tokens.previous_code(close)
            steps += 1
        if close < 0 or tokens.text(close) != b")":
            return None
        name, opened = -1, -1
        # The initialisers of a constructor stand between its parameters and its body.
        for _ in range(24):
            opened = tokens.partner(close)
            if opened < 0 or opened > close:
                return None
            name = tokens.previous_code(opened)
            if name < 0 or tokens.kind(name) != TokenKind.IDENTIFIER or tokens.text(name) in _CONTROL:
                return None
            before = tokens.previous_code(name)
            if before < 0 or tokens.text(before) not in (b",", b":") or tokens.text(tokens.previous_code(before)) != b")":
                break
            close = tokens.previous_code(before)
        device, kernel = self._qualifiers(name)
        parameters = tuple(_parameter(tokens, each.first, each.end) for each in split(tokens, opened, close).arguments)
        return Body(tokens.name(name), name, brace, end + 1, parameters, device, kernel, macro=False)

    def _qualifiers(self, name: int) -> tuple[bool, bool]:
        tokens = self._tokens
        device = kernel = False
        place = tokens.previous_code(name)
        for _ in range(60):
            if place < 0 or tokens.text(place) in (b";", b"}", b"{"):
                break
            text = tokens.text(place)
            device, kernel = device or text in _DEVICE, kernel or text == b"__global__"
            place = tokens.previous_code(place)
        return device, kernel

    def _fill(self, body: Body) -> None:
        tokens = self._tokens
        names = self.by_name
        for index in range(body.first, body.end):
            kind = tokens.kind(index)
            if kind <= TokenKind.COMMENT:
                continue
            text = tokens.text(index)
            body.code.append(index)
            body.texts.append(text)
            if kind == TokenKind.IDENTIFIER and text in names and text != body.name:
                body.calls.add(text)


def _parameter(tokens: TokenStream, first: int, end: int) -> bytes:
    """The name of a parameter: the last identifier in front of a default value or an array's brackets."""
    name = b""
    for index in range(first, end):
        if tokens.text(index) in (b"=", b"["):
            break
        if tokens.kind(index) == TokenKind.IDENTIFIER:
            name = tokens.text(index)
    return name
