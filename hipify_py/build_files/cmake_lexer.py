"""CMake's language: commands with their arguments, comments and brackets, by offset. Nothing is lost, nothing evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r'|(?P<quoted>"(?:[^"\\]|\\.)*")'
    r"|(?P<paren>[()])"
    r"|(?P<blank>\s+)"
    r'|(?P<word>(?:[^\s()#"\\]|\\.)(?:[^\s()#"\\]|\\.|"(?:[^"\\\n]|\\.)*")*)'
    r"|(?P<other>.)", re.DOTALL)
_BRACKET = re.compile(r"(\#?)\[(=*)\[")
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
    tokens = list(_tokens(text))
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


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of each token."""
    place = 0
    unclosed: set[str] = set()
    while place < len(text):
        opener = _BRACKET.match(text, place)
        if opener is not None and opener[2] not in unclosed:
            close = f"]{opener[2]}]"
            end = text.find(close, opener.end())
            if end >= 0:
                yield ("comment" if opener[1] else "bracket"), place, end + len(close)
                place = end + len(close)
                continue
            unclosed.add(opener[2])  # nor will it be closed further on: each level is looked for once
        match = _TOKEN.match(text, place)
        assert match is not None  # the last alternative takes anything
        yield match.lastgroup or "other", place, match.end()
        place = match.end()


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
