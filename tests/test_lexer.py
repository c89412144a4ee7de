"""The lexer: lossless on any bytes, clang's tokens on what compiles, linear on what is hostile."""

from __future__ import annotations

import time

import clang.cindex
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py.lexer import TokenKind, TokenStream, lex
from tests.conftest import KERNELS
from tests.fragments import c_like

K = TokenKind


def spelled(data: bytes) -> list[tuple[int, bytes]]:
    tokens = lex(data)
    return [(tokens.kind(i), tokens.text(i)) for i in range(len(tokens))]


def code(data: bytes) -> list[bytes]:
    tokens = lex(data)
    return [tokens.text(i) for i in range(len(tokens)) if not tokens.is_trivia(i)]


def check_lossless(data: bytes) -> None:
    tokens = lex(data)
    assert b"".join(tokens.text(i) for i in range(len(tokens))) == data
    assert all(tokens.start(i) < tokens.end(i) for i in range(len(tokens)))
    assert tokens.end(len(tokens) - 1) == len(data) if data else len(tokens) == 0


@given(st.binary())
def test_lossless_on_any_bytes(data) -> None:
    check_lossless(data)


@given(c_like())
def test_lossless_on_c_like_bytes(data) -> None:
    check_lossless(data)


@given(c_like())
def test_newlines_outside_literals_and_comments_are_tokens_of_their_own(data) -> None:
    tokens = lex(data)
    for token in tokens:
        text = data[token.start : token.end]
        if token.kind == K.NEWLINE:
            assert text in (b"\n", b"\r\n", b"\r")
        elif token.kind in (K.PUNCTUATION, K.UNKNOWN):
            assert b"\n" not in text


@given(c_like(), st.integers(0, 400))
def test_index_at_holds_the_offset(data, offset) -> None:
    tokens = lex(data)
    if offset < len(data):
        index = tokens.index_at(offset)
        assert tokens.start(index) <= offset < tokens.end(index)


@given(c_like())
def test_identifiers_and_of_kind_agree_with_a_walk(data) -> None:
    tokens = lex(data)
    for kind in K:
        assert list(tokens.of_kind(kind)) == [i for i in range(len(tokens)) if tokens.kind(i) == kind]
    assert list(tokens.identifiers()) == list(tokens.of_kind(K.IDENTIFIER))
    for spelling in (b"#", b"<<<", b"(", b"<"):
        assert list(tokens.punctuators(spelling)) == [
            i for i in tokens.of_kind(K.PUNCTUATION) if tokens.text(i) == spelling]


@given(c_like())
def test_partner_is_what_a_plain_walk_finds(data) -> None:
    # Without directives, which pair among themselves.
    tokens = lex(data.replace(b"#", b"+"))
    pairs = {b")": b"(", b"]": b"[", b"}": b"{"}
    for index in tokens.of_kind(K.PUNCTUATION):
        if tokens.text(index) in pairs.values():
            stack, expected = [], -1
            for place in range(index, len(tokens)):
                text = tokens.text(place) if tokens.kind(place) == K.PUNCTUATION else b""
                if text in pairs.values():
                    stack.append(text)
                elif text in pairs and stack.pop() != pairs[text]:
                    break
                if not stack:
                    expected = place
                    break
            assert tokens.partner(index) == expected
            if expected >= 0:
                assert tokens.partner(expected) == index


@pytest.mark.parametrize(("data", "expected"), [
    (b"\xef\xbb\xbfint", [(K.WHITESPACE, b"\xef\xbb\xbf"), (K.IDENTIFIER, b"int")]),
    (b"a\xef\xbb\xbf", [(K.IDENTIFIER, b"a\xef\xbb\xbf")]),
    (b"\xef\xbbx", [(K.IDENTIFIER, b"\xef\xbbx")]),
    (b"\xe9t\xe9", [(K.IDENTIFIER, b"\xe9t\xe9")]),
    (b"a\r\nb\rc\n", [(4, b"a"), (2, b"\r\n"), (4, b"b"), (2, b"\r"), (4, b"c"), (2, b"\n")]),
    (b"\x00x", [(K.UNKNOWN, b"\x00"), (K.IDENTIFIER, b"x")]),
    (b"// a\\\nb\nc", [(3, b"// a\\\nb"), (2, b"\n"), (4, b"c")]),
    (b"// a\\ \t\r\nb\rc", [(3, b"// a\\ \t\r\nb"), (2, b"\r"), (4, b"c")]),
    (b"// a\\b\nc", [(3, b"// a\\b"), (2, b"\n"), (4, b"c")]),
    (b"/* a", [(K.COMMENT, b"/* a")]),
    (b"/*/ a */b", [(K.COMMENT, b"/*/ a */"), (K.IDENTIFIER, b"b")]),
    (b'"a\nb', [(K.STRING, b'"a'), (K.NEWLINE, b"\n"), (K.IDENTIFIER, b"b")]),
    (b'"a\\\nb"c', [(K.STRING, b'"a\\\nb"'), (K.IDENTIFIER, b"c")]),
    (b'"a\\"b"', [(K.STRING, b'"a\\"b"')]),
    (b'"a\\\\"b', [(K.STRING, b'"a\\\\"'), (K.IDENTIFIER, b"b")]),
    (b'"a"_x "b"sv "c"PRId "d"x', [(6, b'"a"_x'), (1, b" "), (6, b'"b"sv'), (1, b" "), (6, b'"c"'), (4, b"PRId"),
    (1, b" "),
                                   (6, b'"d"'), (4, b"x")]),
    (b'u8"a"L"b"U"c"u"d"', [(6, b'u8"a"'), (6, b'L"b"'), (6, b'U"c"'), (6, b'u"d"')]),
    (b'R"(a)b"c)"d', [(K.RAW_STRING, b'R"(a)b"c)"'), (K.IDENTIFIER, b"d")]),
    (b'u8R"x(a)"\n)x"_s', [(K.RAW_STRING, b'u8R"x(a)"\n)x"_s')]),
    (b'R"x(a)y"', [(K.RAW_STRING, b'R"x(a)y"')]),
    (b'xR"(a)"', [(4, b"xR"), (6, b'"(a)"')]),
    (b"R'a'", [(4, b"R"), (8, b"'a'")]),
    (b"L'a'u8'b'", [(8, b"L'a'"), (8, b"u8'b'")]),
    (b"'\\''", [(8, b"'\\''")]),
    (b"don't", [(4, b"don"), (10, b"'"), (4, b"t")]),
    (b"1'000'000u 0xFF'FFp-3f", [(5, b"1'000'000u"), (1, b" "), (5, b"0xFF'FFp-3f")]),
    (b"1e+5+2 .5f 1.", [(5, b"1e+5"), (9, b"+"), (5, b"2"), (1, b" "), (5, b".5f"), (1, b" "), (5, b"1.")]),
    (b"cuda\\\nMalloc(", [(4, b"cuda\\\nMalloc"), (9, b"(")]),
    (b"a \\\n b", [(4, b"a"), (1, b" \\\n "), (4, b"b")]),
    (b"a\\\n(", [(4, b"a"), (1, b"\\\n"), (9, b"(")]),
    (b"1\\\n0", [(5, b"1\\\n0")]),
    (b"k<<<1>>>()", [(4, b"k"), (9, b"<<<"), (5, b"1"), (9, b">>>"), (9, b"("), (9, b")")]),
    (b"a<b<c>>(d)", [(4, b"a"), (9, b"<"), (4, b"b"), (9, b"<"), (4, b"c"), (9, b">>"), (9, b"("), (4, b"d"), (9,
    b")")]),
    (b"x>>=1;y<<=2", [(4, b"x"), (9, b">>="), (5, b"1"), (9, b";"), (4, b"y"), (9, b"<<="), (5, b"2")]),
    (b"a->*b.*c...", [(4, b"a"), (9, b"->*"), (4, b"b"), (9, b".*"), (4, b"c"), (9, b"...")]),
    (b"a##b#c", [(4, b"a"), (9, b"##"), (4, b"b"), (9, b"#"), (4, b"c")]),
])
def test_tokens(data, expected) -> None:
    assert spelled(data) == expected


def test_names_lose_their_splices() -> None:
    tokens = lex(b"cuda\\\n\\\r\nMal\\ \nloc")
    assert len(tokens) == 1
    assert tokens.name(0) == b"cudaMalloc"


def test_code_inside_if_0_and_macros_is_lexed() -> None:
    data = b"#if 0\ncudaFree(p); // don't\n#endif\n#define M \\\n  cudaFree(p)\n"
    assert code(data).count(b"cudaFree") == 2


def test_next_and_previous_code_stop_at_the_ends() -> None:
    tokens = lex(b" a /* */ b ")
    assert tokens.next_code(-1) == 1
    assert tokens.next_code(5) == len(tokens)
    assert tokens.next_code(1, 3) == 3
    assert tokens.previous_code(5) == 1
    assert tokens.previous_code(1) == -1


def clang_tokens(source: bytes) -> list[bytes]:
    index = clang.cindex.Index.create()
    unit = index.parse("a.cu", args=["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-std=c++17",
    "-nostdinc"],
                       unsaved_files=[("a.cu", source.decode())], options=0x200)
    return [token.spelling.encode() for token in unit.get_tokens(extent=unit.cursor.extent)
            if token.kind != clang.cindex.TokenKind.COMMENT]


CLANG_SAMPLE = rb'''
#define JOIN(a, b) a##b
#define STR(x) #x
auto raw = u8R"x(a)" b)x"; auto n = 1'000 + 0x1.8p-3f + .5 + 1e+5 + 0b1'0; auto s = "a" "b"_x "c"sv;
int a = 5 >> 1,
    b = a<<2; bool c = a <b >= 2 && a<= b || !a != b; a >>= 1; a <<= b; a->*b; a.*b; f(a...); x::y<z<1>>();
char q = '\'', r = L'a', t = '\x41'; // done \
still
auto l = [=](auto&& v) -> int { return v % 2 ^ ~a | b & c; }; a += b -= c *= a /= b %= c &= a |= b ^= c; a++ --b;
#if 0
cudaFree(p);
#endif
'''


@pytest.mark.parametrize("path", sorted(KERNELS.glob("*/kernel.cu")), ids=lambda path: path.parent.name)
def test_same_tokens_as_clang(path) -> None:
    source = path.read_bytes()
    assert code(source) == clang_tokens(source)


def test_same_tokens_as_clang_on_a_sample_of_everything() -> None:
    assert code(CLANG_SAMPLE) == clang_tokens(CLANG_SAMPLE)


HOSTILE = {
    "round": b"(", "less": b"<", "quote": b'"', "apostrophe": b"'", "comment": b"/*", "hash": b"#",
    "backslash": b"\\",
    "raw": b'R"(', "raw-open": b'R"', "escaped-apostrophe": b"\\'", "prefix": b"u8", "digits": b"1'",
    "splices": b"\\\n",
    "name-splices": b"x\\\n", "spaced-backslash": b"\\ ", "string-escapes": b'\\"', "nul": b"\x00", "returns": b"\r",
}


def best_time(data: bytes, repeat: int = 3) -> float:
    times = []
    for _ in range(repeat):
        started = time.process_time()
        tokens = lex(data)
        tokens.partner(0)
        times.append(time.process_time() - started)
        assert isinstance(tokens, TokenStream)
    return min(times)


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_hostile_input_takes_linear_time(piece) -> None:
    # Eight times the bytes: 8 if linear, 64 if quadratic; the margin is for a busy machine and small fixed costs.
    prefix = b"'" if piece == b"\\'" else b'"' if piece == b'\\"' else b""
    small, large = (best_time(prefix + piece * (size // len(piece))) for size in (25_000, 200_000))
    assert large < 24 * max(small, 0.001), (small, large)


@given(c_like())
def test_enclosing_is_the_innermost_pair_around_a_token(data) -> None:
    tokens = lex(data)
    pairs = [(index, tokens.partner(index)) for index in range(len(tokens)) if tokens.partner(index) > index]
    for index in range(len(tokens)):
        assert tokens.enclosing(index) == max((first for first, last in pairs if first < index <= last), default=-1)
