"""A lossless lexer for CUDA C++: one compiled regex, any bytes, nothing dropped.

The tokens are kept as two flat arrays (five bytes a token), since a 50 MB table of numbers has 15 million of them;
:class:`Token` objects are made when somebody asks for one.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple


class TokenKind(IntEnum):
    """What a token is; the numbers are those of the regex's groups."""

    WHITESPACE = 1    #: blanks, tabs, form feeds, line splices, a byte order mark
    NEWLINE = 2
    COMMENT = 3
    IDENTIFIER = 4
    NUMBER = 5        #: a preprocessing number, suffix and user-defined literal included
    STRING = 6        #: with prefix and user-defined suffix; an unterminated one ends with its line
    RAW_STRING = 7
    CHARACTER = 8
    PUNCTUATION = 9   #: operators by longest match; ``<<<`` and ``>>>`` are one token each
    UNKNOWN = 10      #: any other byte: NUL, ``\\`` alone, a lone quote


_SPLICE = rb"\\[ \t]*\r?\n"
_IDENT_START = rb"[A-Za-z_$\x80-\xff]"
_IDENT = rb"[A-Za-z0-9_$\x80-\xff]"
_SUFFIX = rb"(?:" + _IDENT_START + rb"(?:" + _IDENT + rb")*)?"
_BODY = rb"(?:[^\\%s\r\n]|\\\r?\n|\\[^\r\n]|\r(?!\n))*"
_LEXER = re.compile(
    rb"(\A\xef\xbb\xbf|(?:[ \t\f\v]|\r(?!\n)|" + _SPLICE + rb")+)"
    rb"|(\r?\n)"
    rb"|(//(?:[^\\\n]+|\\\r?\n|\\)*|/\*(?s:.*?)(?:\*/|\Z))"
    # In front of names: the prefixes of literals are letters too.
    rb"|(" + _IDENT_START + rb"(?<![uULR])" + _IDENT + rb"*(?:(?:" + _SPLICE + rb")+" + _IDENT + rb"+)*"
    rb"|(?!(?:u8|[uUL])?R?[\"'])" + _IDENT_START + _IDENT + rb"*(?:(?:" + _SPLICE + rb")+" + _IDENT + rb"+)*)"
    rb"|(\.?[0-9](?:[eEpP][+-]|'?" + _IDENT + rb"|\.|(?:" + _SPLICE + rb")+(?=[0-9A-Za-z_.]))*)"
    rb"|((?:u8|[uUL])?\"" + _BODY % rb'"' + rb"(?:\"" + _SUFFIX + rb")?)"
    rb"|((?:u8|[uUL])?R\"([^()\\\s\"]{0,16})\((?s:.*?)(?:\)\8\"" + _SUFFIX + rb"|\Z))"
    rb"|((?:u8|[uUL])?'" + _BODY % rb"'" + rb"'" + _SUFFIX + rb")"
    rb"|(<<<|>>>|<<=|>>=|<=>|\.\.\.|->\*|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|##|\.\*"
    rb"|[-{}\[\]()<>;:,.?~!+*/%^&|=#])"
    rb"|((?s:.))")
#: Number of the regex's group -> kind (group 8 is the delimiter of a raw string, inside group 7).
_KINDS = bytes((0, 1, 2, 3, 4, 5, 6, 7, 0, 8, 9, 10))
_TRIVIA = frozenset((TokenKind.WHITESPACE, TokenKind.NEWLINE, TokenKind.COMMENT))
_ANY_SPLICE = re.compile(_SPLICE)


class Token(NamedTuple):
    """One token: its kind and its place, ``start <= offset < end``."""

    kind: TokenKind
    start: int
    end: int


class TokenStream:
    """All tokens of one source, by index; ``b"".join(texts)`` is the source."""

    __slots__ = ("_kinds", "_starts", "data")

    def __init__(self, data: bytes, kinds: bytearray, starts: array[int]) -> None:
        self.data = data
        self._kinds = kinds
        self._starts = starts

    def __len__(self) -> int:
        return len(self._kinds)

    def __getitem__(self, index: int) -> Token:
        return Token(TokenKind(self._kinds[index]), self._starts[index], self._starts[index + 1])

    def __iter__(self) -> Iterator[Token]:
        return (self[index] for index in range(len(self)))

    def kind(self, index: int) -> int:
        """The kind of a token, as a plain int (compare with TokenKind)."""
        return self._kinds[index]

    def start(self, index: int) -> int:
        """The byte offset of a token."""
        return self._starts[index]

    def end(self, index: int) -> int:
        """The byte offset behind a token."""
        return self._starts[index + 1]

    def text(self, index: int) -> bytes:
        """The bytes of a token, as they stand."""
        return self.data[self._starts[index] : self._starts[index + 1]]

    def name(self, index: int) -> bytes:
        """The spelling of a token with its line splices taken out: the name that the compiler sees."""
        text = self.text(index)
        return _ANY_SPLICE.sub(b"", text) if b"\\" in text else text

    def is_trivia(self, index: int) -> bool:
        """Whether a token is white space, a line end or a comment."""
        return self._kinds[index] in _TRIVIA

    def index_at(self, offset: int) -> int:
        """The index of the token that holds this offset (the last token at the end of the source)."""
        return min(bisect_right(self._starts, offset) - 1, len(self) - 1)

    def next_code(self, index: int, limit: int | None = None) -> int:
        """The first token behind this one that is no trivia; ``limit`` (default: the length) if there is none."""
        stop = len(self._kinds) if limit is None else limit
        index += 1
        while index < stop and self._kinds[index] <= 3:
            index += 1
        return index

    def previous_code(self, index: int) -> int:
        """The last token in front of this one that is no trivia; -1 if there is none."""
        index -= 1
        while index >= 0 and self._kinds[index] <= 3:
            index -= 1
        return index

    def identifiers(self) -> Iterator[int]:
        """The indices of all identifiers (keywords are identifiers here)."""
        place = self._kinds.find(4)
        while place >= 0:
            yield place
            place = self._kinds.find(4, place + 1)

    def of_kind(self, kind: TokenKind) -> Iterator[int]:
        """The indices of all tokens of one kind."""
        place = self._kinds.find(kind)
        while place >= 0:
            yield place
            place = self._kinds.find(kind, place + 1)

    def punctuators(self, spelling: bytes) -> Iterator[int]:
        """The indices of all punctuation tokens spelled so; found by searching the bytes, fast when rare."""
        place = self.data.find(spelling)
        while place >= 0:
            index = self.index_at(place)
            if self._starts[index] == place and self.text(index) == spelling and self._kinds[index] == 9:
                yield index
            place = self.data.find(spelling, max(place + 1, self._starts[index + 1]))


def lex(data: bytes) -> TokenStream:
    """Split a source into tokens; every byte belongs to exactly one.

    Line splices are white space, or part of the name or number that they stand in. There are no trigraphs and no
    digraphs. An unterminated string ends in front of its line end, an unterminated comment or raw string at the end
    of the source. Preprocessor lines are lexed like code (see :mod:`hipify_py.directives`).
    """
    kinds = bytearray()
    starts = array("I" if len(data) < 0xFFFFFFFF else "Q")
    add_kind, add_start, table = kinds.append, starts.append, _KINDS
    for match in _LEXER.finditer(data):
        add_kind(table[match.lastindex or 0])
        add_start(match.start())
    starts.append(len(data))
    return TokenStream(data, kinds, starts)
