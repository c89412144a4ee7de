"""Sources that libclang must not see: it is a recursive parser in our own process, and a stack overflow ends that.

Clang limits the depth of brackets, but not that of operators, casts, `else` chains or template parameter lists, nor how
much a macro expands to. The limits here are far above what people write and well below where libclang 18 crashed with
a stack of 8 MB (3,000 unary operators or casts, 10,000 nested statements, 1,000 nested macro calls).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify_py.directives import Directives
from hipify_py.lexer import TokenKind, TokenStream

MAX_EXPRESSION = 1_500     #: tokens without a comma, a semicolon or a brace between them
MAX_STATEMENT = 5_000      #: tokens between semicolons and braces, outside of tables
MAX_ELSES = 3_000
MAX_CONTROLS = 800         #: control statements with no brace between them
MAX_PARENTHESES = 300      #: clang gives up at 256 by itself
MAX_BRACES = 500           #: it gives up at 256 there too, but not in its recovery from braces that nobody closes
MAX_MACRO_CALLS = 12       #: calls inside calls of macros that use a parameter twice: each doubles the text
MAX_EXPANSION = 1_000_000  #: tokens that a macro without parameters stands for

_EXPRESSION_ENDS, _STATEMENT_ENDS, _BRACES = b",;{}#", b";{}#", b"{}"
_CONTROL = re.compile(rb"\b(?:if|for|while|do|switch|else|try)\b")
_CURLY = re.compile(rb"[{}]")
_BRACKETS = re.compile(rb"()[();{}]")
_CALLS = re.compile(rb"(?:\b([A-Za-z_]\w*)\s*)?\(|[);{}]")
_BEFORE_TABLE = frozenset((b"=", b",", b"{", b"]", b"(", b"return"))


def refusal(tokens: TokenStream, directives: Directives) -> str:
    """Why libclang is not asked about a source; empty if it may be."""
    data = tokens.data
    for start, end in _stretches(data, _EXPRESSION_ENDS, MAX_EXPRESSION):
        if _tokens_between(tokens, start, end) > MAX_EXPRESSION:
            return f"an expression of more than {MAX_EXPRESSION} tokens"
    for start, end in _stretches(data, _STATEMENT_ENDS, MAX_STATEMENT):
        if not _is_table(tokens, start) and _tokens_between(tokens, start, end) > MAX_STATEMENT:
            return f"a statement of more than {MAX_STATEMENT} tokens"
    if data.count(b"else") > MAX_ELSES and len(re.findall(rb"\belse\b", data)) > MAX_ELSES:
        return f"more than {MAX_ELSES} `else` branches"
    if any(len(_CONTROL.findall(data, start, end)) > MAX_CONTROLS
           for start, end in _stretches(data, _BRACES, 3 * MAX_CONTROLS)):
        return f"more than {MAX_CONTROLS} control statements in one"
    return (_deep_braces(tokens) or _deep_brackets(data, _doubling_macros(tokens, directives))
            or _expansion(tokens, directives))


def _stretches(data: bytes, ends: bytes, least: int) -> Iterator[tuple[int, int]]:
    """The stretches of at least so many bytes without any of these in them."""
    place = 0
    for piece in data.translate(bytes.maketrans(ends, b"\0" * len(ends))).split(b"\0"):
        if len(piece) >= least:
            yield place, place + len(piece)
        place += len(piece) + 1


def _tokens_between(tokens: TokenStream, start: int, end: int) -> int:
    """How many tokens stand there, strings (which may be concatenated by the thousand) and trivia not counted."""
    plain = (TokenKind.IDENTIFIER, TokenKind.NUMBER, TokenKind.PUNCTUATION, TokenKind.UNKNOWN)
    return sum(tokens.kind(index) in plain for index in range(tokens.index_at(start), tokens.index_at(end)))


def _is_table(tokens: TokenStream, start: int) -> bool:
    """Whether a stretch is the inside of ``= { ... }``."""
    brace = tokens.index_at(max(start - 1, 0))
    before = tokens.previous_code(brace)
    return tokens.text(brace) == b"{" and before >= 0 and tokens.text(before) in _BEFORE_TABLE


def _deep_braces(tokens: TokenStream) -> str:
    """Whether curly brackets nest too deeply; those in strings and comments do not count."""
    depth = 0
    if tokens.data.count(b"{") > MAX_BRACES:
        for match in _CURLY.finditer(tokens.data):
            if tokens.kind(tokens.index_at(match.start())) != TokenKind.PUNCTUATION:
                continue
            depth = depth + 1 if match[0] == b"{" else max(depth - 1, 0)
            if depth > MAX_BRACES:
                return f"braces nested more than {MAX_BRACES} deep"
    return ""


def _doubling_macros(tokens: TokenStream, directives: Directives) -> frozenset[bytes]:
    """The macros of the source that use a parameter more than once."""
    found = set()
    for directive in directives.of(b"define"):
        macro = directive.macro
        if macro is None or not macro.parameters:
            continue
        body = [tokens.text(index) for index in range(*macro.body)]
        if any(body.count(name) > 1 for name in macro.parameters):
            found.add(tokens.name(macro.name))
    return frozenset(found)


def _deep_brackets(data: bytes, macros: frozenset[bytes]) -> str:
    """Whether round brackets, or macro calls, nest too deeply."""
    stack: list[bool] = []
    doubled = 0
    for match in (_CALLS if macros else _BRACKETS).finditer(data):
        last = match[0][-1:]
        if last == b"(":
            stack.append(match[1] in macros)
            doubled += stack[-1]
            if doubled > MAX_MACRO_CALLS:
                return f"macro calls nested more than {MAX_MACRO_CALLS} deep"
            if len(stack) > MAX_PARENTHESES:
                return f"brackets nested more than {MAX_PARENTHESES} deep"
        elif last == b")":
            doubled -= stack.pop() if stack else False
        else:
            stack.clear()
            doubled = 0
    return ""


def _expansion(tokens: TokenStream, directives: Directives) -> str:
    """Whether a chain of macros grows beyond all measure (each line naming the next one twice)."""
    sizes: dict[bytes, int] = {}
    # From the last definition to the first: a body mostly names what is defined later or earlier, so go both ways.
    defined = [each.macro for each in directives.of(b"define") if each.macro is not None]
    for order in (defined, defined[::-1]):
        for macro in order:
            size = sum(sizes.get(tokens.name(index), 1) for index in range(*macro.body) if not tokens.is_trivia(index))
            if size > MAX_EXPANSION:
                return f"a macro that expands to more than {MAX_EXPANSION} tokens"
            sizes[tokens.name(macro.name)] = max(size, 1)
    return ""
