"""Directives: headers, macros, and which branch an offset lies in."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py.directives import Directives
from hipify_py.lexer import TokenStream, lex
from tests.fragments import c_like, glued


def of(data: bytes) -> tuple[TokenStream, Directives]:
    tokens = lex(data)
    return tokens, Directives(tokens)


def body(tokens: TokenStream, bounds: tuple[int, int]) -> bytes:
    return tokens.data[tokens.start(bounds[0]) : tokens.start(bounds[1])]


@given(st.one_of(c_like(), glued()))
def test_directives_are_in_order_and_inside_the_source(data) -> None:
    tokens, directives = of(data)
    end = 0
    for each in directives:
        assert end <= each.first < each.end <= len(tokens)
        assert each.first < each.arguments <= each.end
        assert tokens.starts_line(each.first)
        assert each.range.start == tokens.start(each.first)
        assert each.range.end == tokens.start(each.end)
        end = each.end
        if each.header:
            assert each.range.start < each.header.range.start < each.header.range.end <= each.range.end
            assert data[each.header.range.start + 1 : each.header.range.end - 1] == each.header.name
        if each.macro:
            assert each.first < each.macro.name < each.end
            assert each.macro.name < each.macro.body[0] <= each.macro.body[1] <= each.end


@given(st.one_of(c_like(), glued()))
def test_containing_and_preceding_agree_with_a_walk(data) -> None:
    tokens, directives = of(data)
    for index in range(len(tokens)):
        holding = [each for each in directives if each.first <= index < each.end]
        assert directives.containing(index) is (holding[0] if holding else None)
        earlier = [each for each in directives if each.end <= index]
        assert directives.preceding(index) is (earlier[-1] if earlier else None)


@given(st.lists(st.sampled_from([b"#if A\n", b"#ifdef B\n", b"#elif C\n", b"#else\n", b"#endif\n", b"x\n", b"#define D\n"]),
                max_size=25).map(b"".join))
def test_branch_at_is_the_innermost_body_that_holds_the_offset(data) -> None:
    _, directives = of(data)
    branches = [branch for chain in directives.conditionals for branch in chain.branches]
    for offset in range(len(data)):
        holding = [branch for branch in branches if branch.body.start <= offset < branch.body.end]
        expected = min(holding, key=lambda branch: branch.body.end - branch.body.start, default=None)
        assert directives.branch_at(offset) is expected
        if expected is not None and len(holding) > 1:
            assert expected.chain.parent in holding


@pytest.mark.parametrize(("line", "name", "angled"), [
    (b"#include <cuda.h>", b"cuda.h", True),
    (b"  #  include /* c */ \"a b.cuh\" // d", b"a b.cuh", False),
    (b"#include <a//b.h>", b"a//b.h", True),
    (b"#include_next <a.h>", b"a.h", True),
    (b"#inc\\\nlude <a.h>", b"a.h", True),
    (b"/* c */ #include \\\n <a.h>", b"a.h", True),
    (b"\xef\xbb\xbf#include <a.h>", b"a.h", True),
    (b"#include <it's.h>", b"it's.h", True),
])
def test_header(line, name, angled) -> None:
    _, directives = of(line + b"\nint x;")
    header = directives.all[0].header
    assert header is not None
    assert (header.name, header.angled) == (name, angled)


@pytest.mark.parametrize("line", [b"#include HEADER", b"#include", b"#include <a", b"#define X <a.h>", b"x #include <a.h>"])
def test_no_header(line) -> None:
    _, directives = of(line + b"\n")
    assert all(each.header is None for each in directives)


@pytest.mark.parametrize(("line", "parameters", "text"), [
    (b"#define A", None, b""),
    (b"#define A  1 + 2  ", None, b"1 + 2"),
    (b"#define A (x)", None, b"(x)"),
    (b"#define A() x", (), b"x"),
    (b"#define A(x, y) x##y", (b"x", b"y"), b"x##y"),
    (b"#define A(x, ...) f(x, __VA_ARGS__)", (b"x", b"__VA_ARGS__"), b"f(x, __VA_ARGS__)"),
    (b"#define A(...)", (b"__VA_ARGS__",), b""),
    (b"#define A(args...) args", (b"args",), b"args"),
    (b"#define A\\\n(x) x", (b"x",), b"x"),
    (b"#define A \\\n  x; \\\n  y", None, b"x; \\\n  y"),
    (b"#define A /* c */ x // d", None, b"x"),
    (b"#define A(", (), b""),
    (b"#define A(x", (b"x",), b""),
    (b"#define A(x)", (b"x",), b""),
])
def test_macro(line, parameters, text) -> None:
    for data in (line, line + b"\nint x;"):
        tokens, directives = of(data)
        macro = directives.all[0].macro
        assert macro is not None
        assert tokens.name(macro.name) == b"A"
        assert macro.parameters == parameters
        assert body(tokens, macro.body) == text


@pytest.mark.parametrize("data", [b"#define", b"#define 1", b"#undef A", b"# \n", b"#"])
def test_no_macro(data) -> None:
    _, directives = of(data)
    assert directives.all[0].macro is None


def test_keywords_and_chains() -> None:
    _, directives = of(b"#if A\n#elif B\n#ifdef C\n#endif\n#else\n#endif\n#endif\n#else\n#if D\n")
    outer, inner, last = directives.conditionals
    assert [each.directive.keyword for each in outer.branches] == [b"if", b"elif", b"else"]
    assert inner.parent is outer.branches[1]
    assert outer.endif is not None
    assert last.endif is None
    assert last.branches[0].body.end == len(b"#if A\n#elif B\n#ifdef C\n#endif\n#else\n#endif\n#endif\n#else\n#if D\n")
    assert directives.branch_at(0) is None
    assert [each.keyword for each in directives.of(b"else", b"elif")] == [b"elif", b"else", b"else"]


@pytest.mark.parametrize("piece", [b"#\n", b"# ", b"#if\n", b"#if\n#else\n", b"#endif\n", b"/**/#", b"/**/", b"#define F("],
                         ids=repr)
def test_hostile_input_takes_linear_time(piece) -> None:
    def spent(size: int) -> float:
        times = []
        for _ in range(3):
            started = time.process_time()
            _, directives = of(piece * (size // len(piece)) + b"#")
            directives.branch_at(size // 2)
            times.append(time.process_time() - started)
        return min(times)

    assert spent(100_000) < 24 * max(spent(12_500), 0.001)
