"""The functions and macros of a source, from its tokens: where each stands, whether it runs on the device, what it names."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from hipify_py.directives import Directives
from hipify_py.lexer import TokenKind, TokenStream
from hipify_py.syntax import opening, opening_angle

_NOT_NAMES = frozenset((b"if", b"for", b"while", b"switch", b"catch", b"__launch_bounds__", b"__attribute__", b"noexcept",
                        b"alignas", b"decltype", b"requires", b"__align__", b"sizeof", b"return", b"asm"))
_SCOPES = frozenset((b"namespace", b"extern", b"struct", b"class", b"union", b"enum"))
_DEVICE = re.compile(rb"__global__|__device__|DEVICE|KERNEL|\b__dev\w*\b")
_BUILTIN = re.compile(rb"\b(?:threadIdx|blockIdx|blockDim|gridDim|__shfl\w*|__ballot\w*|__any\w*|__all\w*|__activemask|"
                      rb"__syncthreads\w*|__syncwarp|warpSize)\b")
_WORD = re.compile(rb"[A-Za-z_]\w*")
#: How many tokens of a head are looked at.
_HEAD = 400


@dataclass(frozen=True, slots=True)
class Function:
    """A function with its body, or a macro with its own.

    Args:
        name: Its name; of an operator, ``operator``.
        head: The first token of its declaration.
        first: The first token of its body (the brace, for a function).
        end: One past the last token of its body.
        device: Whether it runs on the device, as far as tokens tell; macros do if the body looks so.
    """

    name: bytes
    head: int
    first: int
    end: int
    device: bool


class Functions:
    """All functions and macros of a source; lambdas belong to the function around them."""

    def __init__(self, tokens: TokenStream, directives: Directives) -> None:
        self.tokens = tokens
        found = [*_macros(tokens, directives), *_bodies(tokens, directives)]
        self.all: list[Function] = sorted(found, key=lambda each: each.head)
        self._heads = [each.head for each in self.all]
        self.by_name: dict[bytes, list[int]] = {}
        for number, each in enumerate(self.all):
            self.by_name.setdefault(each.name, []).append(number)

    def around(self, index: int) -> int | None:
        """The number of the function whose declaration or body holds a token; None outside of all."""
        place = bisect_right(self._heads, index) - 1
        # A macro may be defined inside a function: at most a few stand between.
        for number in range(place, max(-1, place - 16), -1):
            if self.all[number].head <= index < self.all[number].end:
                return number
        return None

    def words(self, number: int) -> set[bytes]:
        """The words in the declaration and body of a function, those of comments and strings too."""
        each, tokens = self.all[number], self.tokens
        return set(_WORD.findall(tokens.data, tokens.start(each.head), tokens.end(each.end - 1)))


def _macros(tokens: TokenStream, directives: Directives) -> list[Function]:
    found = []
    for directive in directives:
        macro = directive.macro
        if macro is not None and macro.body[0] < macro.body[1]:
            first, end = macro.body
            text = tokens.data[tokens.start(first) : tokens.end(end - 1)]
            found.append(Function(tokens.name(macro.name), macro.name, first, end, _BUILTIN.search(text) is not None))
    return found


def _bodies(tokens: TokenStream, directives: Directives) -> list[Function]:
    found: list[Function] = []
    done = 0
    for brace in tokens.punctuators(b"{"):
        if brace < done or directives.containing(brace) is not None:
            continue
        close = tokens.partner(brace)
        head = _head(tokens, brace) if close > brace else None
        if head is None:
            continue
        first, name = head
        declared = tokens.data[tokens.start(first) : tokens.start(brace)]
        body = tokens.data[tokens.start(brace) : tokens.end(close)]
        device = _DEVICE.search(declared) is not None or _BUILTIN.search(body) is not None
        found.append(Function(tokens.name(name), first, brace, close + 1, device))
        done = close
    return found


def _head(tokens: TokenStream, brace: int) -> tuple[int, int] | None:
    """The first token of the declaration in front of a brace, and its name; None if it is no function's."""
    first, name = brace, -1
    place = tokens.previous_code(brace)
    for _ in range(_HEAD):
        if place < 0:
            break
        text = tokens.text(place)
        if text in (b";", b"}", b"{", b"=") or ends_directive(tokens, place, first):
            break
        if text == b")":
            match = opening(tokens, place)
            if match is None:
                return None
            word = tokens.previous_code(match)
            if word >= 0 and tokens.kind(word) == TokenKind.IDENTIFIER and tokens.text(word) not in _NOT_NAMES:
                name = word  # the leftmost: what stands behind it is a list of initialisers
            first, place = match, word
            continue
        if text == b">" and (less := opening_angle(tokens, place)) is not None:
            first, place = less, tokens.previous_code(less)
            continue
        first, place = place, tokens.previous_code(place)
    if name < 0 or (tokens.text(first) in _SCOPES and tokens.text(name) in _SCOPES):
        return None
    return first, name


def ends_directive(tokens: TokenStream, place: int, first: int) -> bool:
    """Whether a preprocessor line ends between two tokens."""
    between = tokens.data[tokens.end(place) : tokens.start(first)]
    if b"\n" not in between:
        return False
    line = tokens.data.rfind(b"\n", 0, tokens.end(place)) + 1
    return tokens.data[line : tokens.end(place)].lstrip().startswith(b"#")
