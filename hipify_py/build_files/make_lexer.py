"""Make's language: logical lines, what each is, and the words in it, by offset. Nothing is expanded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a logical line is."""

    OTHER = "other"  #: blank, comment
    DIRECTIVE = "directive"  #: ``ifeq`` and so on
    ASSIGNMENT = "assignment"
    RULE = "rule"
    RECIPE = "recipe"


@dataclass(frozen=True, slots=True)
class Word:
    """One word as the shell would part it, quotes included."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Line:
    """A logical line; ``start`` and ``end`` hold its value (assignments), commands (recipes) or all of it."""

    kind: Kind
    name: str
    start: int
    end: int
    words: tuple[Word, ...]
    references: frozenset[str]


_LOGICAL = re.compile(r"(?:[^\n\\]|\\\r?\n|\\.)*(?:\n|\\?\Z)", re.DOTALL)
_DIRECTIVE = re.compile(r"[ ]*(?:ifeq|ifneq|ifdef|ifndef|else|endif|-?include|sinclude|vpath|unexport|undefine)\b")
_DEFINE = re.compile(r"[ ]*(?:override\s+)?define\b\s*(\S*)")
_ENDEF = re.compile(r"[ ]*endef\b")
_ASSIGNMENT = re.compile(r"[ ]*(?:(?:export|override|private)\s+)*([^\s:#=?+!]+)\s*(?:\?|\+|!|:{1,3})?=")
_TARGET = re.compile(r"[^\n=#\t][^\n=#]*?::?\s*(?:(?:export|override|private)\s+)*([\w.-]+)\s*(?:\?|\+|!|:{1,3})?=")
_REFERENCE = re.compile(r"\$[({](\w+)")
_WORD = re.compile(r"""(?:\$\([^\s()$,]*\)|\$\{[^\s{}]*\}|\$[@<^?*+%$\w]|"(?:[^"\\\n]|\\[^\n]|\\\r?\n)*"|'[^'\n]*'
                       |\\[^\r\n]|[^\s;|&()"'\\$`])+""", re.VERBOSE)


def lines(text: str) -> Iterator[Line]:
    """The logical lines of a makefile in order."""
    place = 0
    in_define = ""
    in_rule = False
    while place < len(text):
        match = _LOGICAL.match(text, place)
        end = match.end() if match and match.end() > place else place + 1
        line = text[place:end]
        if in_define:
            if _ENDEF.match(line):
                in_define = ""
            else:
                yield _line(Kind.ASSIGNMENT, in_define, text, place, end)
        elif line.startswith("\t") and in_rule:
            first = place + len(line) - len(line.lstrip("\t @-+"))
            if not text.startswith("#", first):
                yield _line(Kind.RECIPE, "", text, place, end)
        elif line.strip() and not line.lstrip().startswith("#"):
            kind, name, start = _what(line)
            if name.startswith("define "):
                in_define = name[7:] or "?"
            elif kind is not Kind.OTHER:
                in_rule = kind is Kind.RULE or (in_rule and kind is Kind.DIRECTIVE)
                yield _line(kind, name, text, place + start, place + _comment(line))
        place = end


def _what(line: str) -> tuple[Kind, str, int]:
    define = _DEFINE.match(line)
    if define:
        return Kind.OTHER, f"define {define[1]}", 0
    if _DIRECTIVE.match(line):
        return Kind.DIRECTIVE, "", 0
    bare = line.lstrip("\t")
    lead = len(line) - len(bare)
    assignment = _ASSIGNMENT.match(bare)
    if assignment:
        return Kind.ASSIGNMENT, assignment[1], lead + assignment.end()
    target = _TARGET.match(bare)
    if target:
        return Kind.ASSIGNMENT, target[1], lead + target.end()
    if bare.startswith("$"):
        return Kind.ASSIGNMENT, "", 0  # `$(foreach ...,$(eval NAME += ...))`
    if ":" in line:
        return Kind.RULE, "", 0
    return Kind.DIRECTIVE, "", 0


def _comment(line: str) -> int:
    """Where the value of a line ends: at its comment."""
    for match in re.finditer(r"#", line):
        if line[match.start() - 1 : match.start()] != "\\":
            return match.start()
    return len(line)


def _line(kind: Kind, name: str, text: str, start: int, end: int) -> Line:
    words: list[Word] = []
    for match in _WORD.finditer(text, start, end):
        words.append(Word(match[0], match.start(), match.end()))
    return Line(kind, name, start, end, tuple(words), frozenset(_REFERENCE.findall(text, start, end)))
