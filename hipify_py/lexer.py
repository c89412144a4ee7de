"""A lossless lexer for CUDA C++: one compiled regex, any bytes, nothing dropped.

The tokens are kept as two flat arrays (five bytes a token), since a 50 MB table of numbers has 15 million of them;
:class:`Token` objects are made when somebody asks for one.
"""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple


class TokenKind(IntEnum):
    """What a token is; trivia are the three lowest."""

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


#: A repeat that never gives back (from Python 3.11 on): strings of megabytes without a saved state for each character.
_KEEP = rb"+" if sys.version_info >= (3, 11) else rb""
_SPLICE = rb"\\[ \t\f\v]*(?:\r\n?|\n)"
_IDENT = rb"[A-Za-z0-9_$\x80-\xff]"
_REST = _IDENT + rb"*(?:(?:" + _SPLICE + rb")+" + _KEEP + _IDENT + rb"+)*" + _KEEP
# As in clang: a suffix that no header may define ("x"MACRO) is a name of its own.
_SUFFIX = rb"(?:_" + _IDENT + rb"*|sv?(?!" + _IDENT + rb"))?"
_ESCAPE = _SPLICE + rb"|\\[^\r\n]"
_LEXER = re.compile(
    # The three groups that take most tokens come first.
    rb"([ \t\f\v]+(?![\\ \t\f\v]))"
    # In front of names: the prefixes of literals are letters too.
    rb"|([A-KM-QSTV-Za-tv-z_$\x80-\xff](?<!\A\xef(?=\xbb\xbf))" + _REST
    + rb"|(?!(?:u8|[uUL])?(?:R?\"|'))[LRUu]" + _REST + rb")"
    rb"|([](){}[;,?~])"
    rb"|(\A\xef\xbb\xbf|(?:[ \t\f\v]+|" + _SPLICE + rb")+" + _KEEP + rb")"
    rb"|(\r\n?|\n)"
    rb"|(//(?:[^\\\r\n]+|" + _SPLICE + rb"|\\)*" + _KEEP + rb"|/\*(?s:.*?)(?:\*/|\Z))"
    rb"|(\.?[0-9](?:[0-9A-DF-OQ-Za-df-oq-z_$.\x80-\xff]+|[eEpP][+-]?|'" + _IDENT
    + rb"|(?:" + _SPLICE + rb")+" + _KEEP + rb"(?=[0-9A-Za-z_.]))*" + _KEEP + rb")"
    rb"|((?:u8|[uUL])?\"(?:[^\\\"\r\n]+|" + _ESCAPE + rb")*" + _KEEP + rb"(?:\"" + _SUFFIX + rb")?)"
    rb"|((?:u8|[uUL])?R\"([^()\\\s]{0,16})\((?s:.*?)(?:\)\10\"" + _SUFFIX + rb"|\Z))"
    # Bounded, so that a line of a million quotes is read once; a longer one is an apostrophe of prose.
    rb"|((?:u8|[uUL])?'(?:[^\\'\r\n]|" + _ESCAPE + rb"){0,32}" + _KEEP + rb"'" + _SUFFIX + rb")"
    rb"|(<<<|>>>|<<=|>>=|<=>|\.\.\.|->\*|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|##|\.\*"
    rb"|[-<>:.!+*/%^&|=#])"
    rb"|((?s:.))")
#: Number of the regex's group -> kind (group 10 is the delimiter of a raw string, inside group 9).
_KINDS = bytes((0, 1, 4, 9, 1, 2, 3, 5, 6, 7, 0, 8, 9, 10))
_TRIVIA = frozenset((TokenKind.WHITESPACE, TokenKind.NEWLINE, TokenKind.COMMENT))
_ANY_SPLICE = re.compile(_SPLICE)
#: First byte of a token of punctuation -> what it does to brackets: 1 opens, 2 closes, 3 may start a directive.
_ROLES = bytes(1 if byte in b"([{" else 2 if byte in b")]}" else 3 if byte == 0x23 else 0 for byte in range(256))
_CLOSES = {0x29: 0x28, 0x5D: 0x5B, 0x7D: 0x7B}


class Token(NamedTuple):
    """One token: its kind and its place, ``start <= offset < end``."""

    kind: TokenKind
    start: int
    end: int


class TokenStream:
    """All tokens of one source, by index; ``b"".join(texts)`` is the source."""

    __slots__ = ("_around", "_kinds", "_pairs", "_starts", "_words", "angles", "data")

    def __init__(self, data: bytes, kinds: bytearray, starts: array[int]) -> None:
        self.data = data
        self._words: dict[bytes, bool] = {}
        self._kinds = kinds
        self._starts = starts
        self._pairs: tuple[array[int], array[int]] | None = None
        self._around: array[int] | None = None
        #: What :mod:`hipify_py.syntax` has found out about template argument lists: limit -> ``<`` -> answer.
        self.angles: dict[int, dict[int, tuple[int, bool]]] = {}

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

    def contains(self, word: bytes) -> bool:
        """Whether the source has these bytes anywhere; looked for once."""
        known = self._words.get(word)
        if known is None:
            known = self._words[word] = word in self.data
        return known

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

    def starts_line(self, index: int) -> bool:
        """Whether only white space and comments stand in front of a token on its line."""
        index -= 1
        while index >= 0:
            kind = self._kinds[index]
            if kind == TokenKind.NEWLINE:
                return True
            if kind > TokenKind.COMMENT:
                return False
            index -= 1
        return True

    def partner(self, index: int) -> int:
        """The bracket that belongs to the one at this index; -1 if what lies between them is not balanced.

        All brackets are matched at the first question, in one pass, so that a file of a million open ones takes
        linear time. A directive's brackets pair among themselves: ``#define BEGIN {`` opens nothing around it.
        """
        if self._pairs is None:
            self._pairs = self._match()
        places, partners = self._pairs
        slot = bisect_left(places, index)
        if slot == len(places) or places[slot] != index or partners[slot] == index:
            return -1
        return partners[slot]

    def enclosing(self, index: int) -> int:
        """The innermost bracket that opens in front of this token and closes behind it; -1 if there is none."""
        if self._pairs is None:
            self._pairs = self._match()
        places, partners = self._pairs
        if self._around is None:
            stack: list[int] = []
            around = self._around = array(places.typecode)
            for place, partner in zip(places, partners, strict=True):
                if partner > place:
                    stack.append(place)
                elif partner < place:
                    stack.pop()
                # One more, for there is no -1.
                around.append(stack[-1] + 1 if stack else 0)
        slot = bisect_left(places, index) - 1
        return self._around[slot] - 1 if slot >= 0 else -1

    def _match(self) -> tuple[array[int], array[int]]:
        """The places of all brackets, and the partner of each (itself: none)."""
        data, kinds, starts, roles = self.data, self._kinds, self._starts, _ROLES
        places, partners = array(starts.typecode), array(starts.typecode)
        stack: list[int] = []
        outside = stack
        directive_end = len(kinds)
        place = kinds.find(9)
        while place >= 0:
            byte = data[starts[place]]
            role = roles[byte]
            if role:
                if place >= directive_end:
                    stack, directive_end = outside, len(kinds)
                if role == 1:
                    stack.append(len(places))
                    places.append(place)
                    partners.append(place)
                elif role == 3:
                    if stack is outside and starts[place + 1] - starts[place] == 1 and self.starts_line(place):
                        line_end = kinds.find(2, place)
                        directive_end = len(kinds) if line_end < 0 else line_end
                        stack = []
                elif stack and data[starts[places[stack[-1]]]] == _CLOSES[byte]:
                    slot = stack.pop()
                    partners[slot] = place
                    places.append(place)
                    partners.append(places[slot])
                else:
                    stack.clear()
            place = kinds.find(9, place + 1)
        return places, partners

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
    digraphs; a lone carriage return ends a line, as it does for clang. An unterminated string ends in front of its
    line end, an unterminated comment or raw string at the end of the source. Preprocessor lines are lexed like code
    (see :mod:`hipify_py.directives`).
    """
    kinds = bytearray()
    starts = array("I" if len(data) < 0xFFFFFFFF else "Q")
    add_kind, add_start, table = kinds.append, starts.append, _KINDS
    for match in _LEXER.finditer(data):
        add_kind(table[match.lastindex or 0])
        add_start(match.start())
    starts.append(len(data))
    return TokenStream(data, kinds, starts)
