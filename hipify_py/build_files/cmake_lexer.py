"""CMake's language: commands with their arguments, comments and brackets, by offset. Nothing is lost, nothing evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<comment>\#\[(?P<c>=*)\[.*?\](?P=c)\]|\#[^\n]*)"
    r"|(?P<bracket>\[(?P<b>=*)\[.*?\](?P=b)\])"
    r'|(?P<quoted>"(?:[^"\\]|\\.)*")'
    r"|(?P<paren>[()])"
    r"|(?P<blank>\s+)"
    r'|(?P<word>(?:[^\s()#"\\]|\\.)(?:[^\s()#"\\]|\\.|"(?:[^"\\\n]|\\.)*")*)'
    r"|(?P<other>.)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*\Z")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument; ``start`` and ``end`` are those of what it says, without quotes or brackets."""

    text: str
    start: int
    end: int
    kind: str

    @property
    def outer(self) -> tuple[int, int]:
        """The argument with its quotes."""
        return (self.start - 1, self.end + 1) if self.kind == "quoted" else (self.start, self.end)


@dataclass(frozen=True, slots=True)
class Command:
    """``name(arguments...)``; ``name`` in lower case, ``close`` is the offset of its last parenthesis."""

    name: str
    start: int
    name_end: int
    close: int
    arguments: tuple[Argument, ...]

    @property
    def end(self) -> int:
        """Behind the closing parenthesis."""
        return self.close + 1

    def words(self) -> list[str]:
        """What the arguments say."""
        return [each.text for each in self.arguments]


def commands(text: str) -> Iterator[Command]:
    """The commands of a file in order; what is unfinished at the end is left out."""
    tokens = [(match.lastgroup_name(), match.start(), match.end()) for match in map(_Match, _TOKEN.finditer(text))]
    index = 0
    while index < len(tokens):
        kind, start, end = tokens[index]
        index += 1
        if kind != "word" or not _NAME.match(text[start:end]):
            continue
        follow = index
        while follow < len(tokens) and tokens[follow][0] == "blank":
            follow += 1
        if follow >= len(tokens) or text[tokens[follow][1]] != "(" or tokens[follow][0] != "paren":
            continue
        depth, arguments, follow = 1, [], follow + 1
        while follow < len(tokens) and depth:
            what, first, last = tokens[follow]
            if what == "paren":
                depth += 1 if text[first] == "(" else -1
            elif what == "quoted":
                arguments.append(Argument(text[first + 1 : last - 1], first + 1, last - 1, what))
            elif what == "bracket":
                inner = text.index("[", first + 1) + 1
                arguments.append(Argument(text[inner : last - (inner - first)], inner, last - (inner - first), what))
            elif what in ("word", "other"):
                arguments.append(Argument(text[first:last], first, last, what))
            follow += 1
        if depth:
            return
        index = follow
        yield Command(text[start:end].lower(), start, end, tokens[follow - 1][1], tuple(arguments))


class _Match:
    """A match that knows which kind of token it is; the named groups inside the kinds do not count."""

    __slots__ = ("end", "match", "start")
    KINDS = ("comment", "bracket", "quoted", "paren", "blank", "word", "other")

    def __init__(self, match: re.Match[str]) -> None:
        self.match = match
        self.start = match.start
        self.end = match.end

    def lastgroup_name(self) -> str:
        return next(kind for kind in self.KINDS if self.match[kind] is not None)


def shell_words(text: str, offset: int = 0) -> Iterator[tuple[str, int, int]]:
    """The words of flags inside one or several arguments: blanks, ``;`` and generator expressions part them.

    ``$<$<COMPILE_LANGUAGE:CUDA>:-a -b>`` has the words ``-a`` and ``-b``.
    """
    for match in _WORD.finditer(text):
        if match["word"]:
            yield match["word"], offset + match.start("word"), offset + match.end("word")


#: What a generator expression says before its value, references (`${...}` holds no blank), then words.
_WORD = re.compile(r"""(?:\$<(?:[A-Z_]+:)?)+(?:[\w.,+-]*>)?:?  # the head of an expression
                   |>:?                                        # the end of its condition, or of itself
                   |SHELL:
                   |(?P<word>(?:\$(?:ENV)?\{[^{}]*\}|\\["']|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|[^\s;>"'$\\]|\$(?!<))+)
                   |[\s\S]""", re.VERBOSE)
