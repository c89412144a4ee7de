"""Syntax from tokens: brackets, argument lists and template argument lists; giving up rather than guessing."""

from __future__ import annotations

import time

import pytest
from hypothesis import given

from hipify_py.lexer import TokenStream, lex
from hipify_py.syntax import Argument, arguments, call_open, closing, closing_angle, opening, opening_angle, split
from tests.fragments import c_like, glued


def at(tokens: TokenStream, text: bytes, nth: int = 0) -> int:
    return [index for index in range(len(tokens)) if tokens.text(index) == text][nth]


def spelled(tokens: TokenStream, argument: Argument) -> str:
    return tokens.data[tokens.start(argument.first) : tokens.start(argument.end)].decode()


@pytest.mark.parametrize(("code", "expected"), [
    ("f()", []),
    ("f( /* none */ )", []),
    ("f(a)", ["a"]),
    ("f(a, b)", ["a", "b"]),
    ("f( a /* first */ , // x\n b )", ["a", "b"]),
    ("f(a,)", ["a", ""]),
    ("f(,)", ["", ""]),
    ("f(g(a, b), c[d, e], {1, 2})", ["g(a, b)", "c[d, e]", "{1, 2}"]),
    ("f(x<a, b>(c), d)", ["x<a, b>(c)", "d"]),
    ("f(x<a, y<b, c>>(d), e)", ["x<a, y<b, c>>(d)", "e"]),
    ("f(a < b, c > d)", ["a < b", "c > d"]),
    ("f(a < b, c > 1)", ["a < b", "c > 1"]),
    ("f(a < b, c)", ["a < b", "c"]),
    ("f(a < b && c, d > (e))", ["a < b && c", "d > (e)"]),
    ("f(a < (b == c), d)", ["a < (b == c)", "d"]),
    ("f(enable_if_t<(A == B), int>(x), y)", ["enable_if_t<(A == B), int>(x)", "y"]),
    ("f(std::pair<int, float>{1, 2}, c)", ["std::pair<int, float>{1, 2}", "c"]),
    ("f(sizeof(T<a, b>), c)", ["sizeof(T<a, b>)", "c"]),
    ("f([&](int a, int b) { g(a, b); }, c)", ["[&](int a, int b) { g(a, b); }", "c"]),
    ("f(a >> 1, b)", ["a >> 1", "b"]),
    ("f(T<1, (8 >> 1)>(), b)", ["T<1, (8 >> 1)>()", "b"]),
    ('f("a, b", \',\', R"x(a, b)x")', ['"a, b"', "','", 'R"x(a, b)x"']),
    ("f(k<<<1, 2>>>(a), b)", ["k<<<1", "2>>>(a)", "b"]),
])
def test_arguments(code, expected) -> None:
    tokens = lex(code.encode())
    found = arguments(tokens, at(tokens, b"("))
    assert found is not None
    assert [spelled(tokens, each) for each in found.arguments] == expected
    assert [each.empty for each in found.arguments] == [not text for text in expected]
    assert tokens.text(found.close) == b")"
    assert len(found.commas) == max(0, len(expected) - 1)


@pytest.mark.parametrize("code", ["f(a", "f(a]", "f([)]", "f({)}", "f(\"a)", "f(/*)"])
def test_unbalanced_is_none(code) -> None:
    tokens = lex(code.encode())
    assert arguments(tokens, at(tokens, b"(")) is None


def test_limit_ends_the_search() -> None:
    tokens = lex(b"f(a)")
    assert closing(tokens, 1, 3) is None
    assert closing(tokens, 1, 4) == 3
    assert opening(tokens, 3, 2) is None
    assert opening(tokens, 3, 1) == 1


def test_what_is_no_bracket_has_no_partner() -> None:
    tokens = lex(b"f(a)")
    assert closing(tokens, 0) is None
    assert closing(tokens, 3) is None
    assert opening(tokens, 1) is None


def test_a_directive_pairs_its_own_brackets() -> None:
    tokens = lex(b"f(a,\n#define BEGIN { (x)\n b)\n#define END }\n")
    first = at(tokens, b"(")
    assert closing(tokens, first) == at(tokens, b")", 1)
    assert closing(tokens, at(tokens, b"(", 1)) == at(tokens, b")")
    assert closing(tokens, at(tokens, b"{")) is None
    assert opening(tokens, at(tokens, b"}")) is None


@pytest.mark.parametrize(("code", "open_nth", "close"), [
    ("a<b>(c)", 0, (">", 0)),
    ("a<b<c>>(d)", 0, (">>", 0)),
    ("a<b<c<d>>>(e)", 0, (">>>", 0)),
    ("a<b<c<d>>>(e)", 2, (">>>", 0)),
    ("a<(b > c)>(d)", 0, (">", 1)),
    ("a<b[c > d], {e > f}>(g)", 0, (">", 2)),
    ("a < b; c > d", 0, None),
    ("a < b && c > d", 0, None),
    ("f(a < b) > c", 0, None),
    ("a < b", 0, None),
    ("a < (b", 0, None),
    ("a < b<<<c>>>", 0, None),
])
def test_closing_angle(code, open_nth, close) -> None:
    tokens = lex(code.encode())
    expected = None if close is None else at(tokens, close[0].encode(), close[1])
    start = at(tokens, b"<", open_nth)
    assert closing_angle(tokens, start) == expected
    assert closing_angle(tokens, start) == expected  # remembered


@pytest.mark.parametrize(("code", "close", "nth"), [
    ("k<a>", ">", 0), ("k<a<b>>", ">>", 0), ("k<a, (8 >> 1)>", ">", 0), ("k<f(a, b), c>", ">", 0), ("x; k<a>", ">", 0),
])
def test_opening_angle(code, close, nth) -> None:
    tokens = lex(code.encode())
    assert opening_angle(tokens, at(tokens, close.encode())) == at(tokens, b"<", nth)


@pytest.mark.parametrize("code", ["a > b", "(a > b)", "a < b; c > d", "a<b>>", "f(a < b) c > d"])
def test_no_opening_angle(code) -> None:
    tokens = lex(code.encode())
    last = max(index for index in range(len(tokens)) if tokens.text(index) in (b">", b">>"))
    assert opening_angle(tokens, last) is None


@pytest.mark.parametrize(("code", "found"), [
    ("f(a)", True), ("f (a)", True), ("f<int>(a)", True), ("f<g<int>, 2>(a)", True), ("f /* c */ (a)", True),
    ("f", False), ("f;", False), ("f < a", False), ("f<g<int>>(a)", False), ("f[a](b)", False),
])
def test_call_open(code, found) -> None:
    tokens = lex(code.encode())
    open_index = call_open(tokens, 0)
    assert (open_index is not None) is found
    if open_index is not None:
        assert tokens.text(open_index) == b"("


@given(c_like() | glued())
def test_nothing_raises_and_answers_agree(data) -> None:
    tokens = lex(data)
    for index in range(len(tokens)):
        text = tokens.text(index)
        close = closing(tokens, index)
        if close is not None:
            assert opening(tokens, close) == index
            found = split(tokens, index, close)
            places = [place for each in found.arguments for place in (each.first, each.end)]
            assert places == sorted(places)
            assert all(index < place <= close for place in places)
        if text == b"<":
            place = closing_angle(tokens, index)
            assert place is None or tokens.text(place) in (b">", b">>", b">>>")
        if text in (b">", b">>"):
            opened = opening_angle(tokens, index)
            assert opened is None or tokens.text(opened) in (b"<", b"<<", b"<<<")
        call_open(tokens, index)


HOSTILE = [b"f(", b"f(a<", b"a<b,", b"a<(", b"f(a<b,a<b),", b"a>", b"{", b"f(g(h(1,2),3)),", b"a<a<a=", b"a<b>c<", b"(a<b>"]


@pytest.mark.parametrize("piece", HOSTILE, ids=repr)
def test_hostile_input_takes_linear_time(piece) -> None:
    def spent(size: int) -> float:
        tokens = lex(piece * (size // len(piece)))
        started = time.process_time()
        for index in tokens.identifiers():
            call_open(tokens, index)
        for index in tokens.punctuators(b"<"):
            closing_angle(tokens, index)
        for index in tokens.punctuators(b"("):
            arguments(tokens, index)
        return time.process_time() - started

    # 16 times the bytes: 16 if linear, 256 if quadratic.
    assert min(spent(160_000) for _ in range(2)) < 64 * max(min(spent(10_000) for _ in range(2)), 0.002)
