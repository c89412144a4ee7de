"""What holds for translate() whatever the input: it never raises, it is idempotent, and it touches nothing else."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipify_py.engine import Translation, translate
from hipify_py.settings import Settings, Syntax
from tests.conftest import GOLDEN, KERNELS
from tests.fragments import HEADERS, STATEMENTS, c_like, cuda_like, glued

#: Without libclang a fragment takes a millisecond; with it, thirty.
TOKENS = Settings(semantics=False, verify=False)
NATIVE = Settings(semantics=False, verify=False, launch_syntax=Syntax.CUDA, thread_indices=Syntax.CUDA)
UNSAFE = Settings(semantics=False, verify=False, unsafe_fixes=True)
SUFFIXES = st.sampled_from(["a.cu", "a.cuh", "a.c", "a.h", "a.cpp"])
MANY = settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(source: bytes, filename: str, options: Settings) -> Translation:
    """Translate and check what must hold for every source."""
    first = translate(source, filename=filename, settings=options)
    failed = [each.message for each in first.diagnostics if each.code == "HPY902"]
    assert not failed, failed
    place = done = 0
    for edit in first.edits:
        kept = source[done : edit.start]
        assert first.text[place : place + len(kept) + len(edit.text)] == kept + edit.text
        place += len(kept) + len(edit.text)
        done = edit.end
    assert first.text[place:] == source[done:]
    for each in first.diagnostics:
        assert 0 <= each.range.start <= each.range.end <= len(source)
        assert "\n" not in each.message
    assert translate(source, filename=filename, settings=options) == first
    second = translate(first.text, filename=filename, settings=options)
    assert second.text == first.text
    return first


@MANY
@given(st.binary(), SUFFIXES)
def test_any_bytes(source, filename) -> None:
    check(source, filename, TOKENS)


@MANY
@given(c_like(), SUFFIXES)
def test_c_like(source, filename) -> None:
    check(source, filename, TOKENS)


@MANY
@given(cuda_like(), SUFFIXES)
def test_cuda_like(source, filename) -> None:
    check(source, filename, TOKENS)


@MANY
@given(glued(), SUFFIXES)
def test_glued(source, filename) -> None:
    check(source, filename, TOKENS)


@MANY
@given(cuda_like(), SUFFIXES)
def test_native_style(source, filename) -> None:
    check(source, filename, NATIVE)


@MANY
@given(cuda_like(), SUFFIXES)
def test_unsafe_fixes(source, filename) -> None:
    check(source, filename, UNSAFE)


@FEW
@given(st.lists(st.sampled_from(STATEMENTS), max_size=12), st.sampled_from(HEADERS), SUFFIXES)
def test_with_libclang(statements, header, filename) -> None:
    # In a function: at file scope, libclang takes a call for a declaration.
    check(header + b"void f() {\n" + b"\n".join(statements) + b"\n}\n", filename, Settings())


@FEW
@given(st.one_of(st.binary(), c_like()))
def test_no_cuda_no_change_beyond_the_include(source) -> None:
    # Plain C++: nothing is rewritten; a launch or a kernel that the pieces happened to form may need the runtime.
    result = translate(source, filename="a.cpp", settings=TOKENS)
    if b"<<<" not in source and b"__" not in source and b"cuda" not in source.lower():
        assert result.text == source


@pytest.mark.parametrize("path", [*sorted(KERNELS.glob("*/kernel.cu")), *sorted(GOLDEN.glob("**/*.cu"))],
                         ids=lambda path: f"{path.parent.name}/{path.stem}")
@pytest.mark.parametrize("options", [Settings(), Settings(launch_syntax=Syntax.CUDA, thread_indices=Syntax.CUDA),
                                     Settings(unsafe_fixes=True)], ids=["classic", "native", "unsafe"])
def test_real_sources(path, options) -> None:
    check(path.read_bytes(), str(path), options)


@pytest.mark.parametrize("path", sorted(KERNELS.glob("*/kernel.cu")), ids=lambda path: path.parent.name)
def test_line_ends_and_a_byte_order_mark_stay(path) -> None:
    unix = path.read_bytes()
    plain = check(unix, str(path), Settings()).text
    windows = check(unix.replace(b"\n", b"\r\n"), str(path), Settings()).text
    assert windows == plain.replace(b"\n", b"\r\n")
    assert check(b"\xef\xbb\xbf" + unix, str(path), Settings()).text == b"\xef\xbb\xbf" + plain


@pytest.mark.parametrize("size", [1, 7, 50, 200, 400, 800, 1500])
def test_a_source_cut_off_anywhere(size) -> None:
    for path in sorted(KERNELS.glob("*/kernel.cu")):
        check(path.read_bytes()[:size], str(path), TOKENS)


def test_a_source_too_large_for_libclang_is_translated_like_a_small_one(monkeypatch) -> None:
    # The way of large sources (default settings, libclang not asked) was broken once without any small test noticing.
    small = {path: translate(path.read_bytes(), filename=str(path), settings=TOKENS).text
             for path in sorted(KERNELS.glob("*/kernel.cu"))}
    monkeypatch.setattr("hipify_py.unit.SEMANTICS_LIMIT", 10)
    monkeypatch.setattr("hipify_py.engine.SEMANTICS_LIMIT", 10)
    for path, text in small.items():
        assert check(path.read_bytes(), str(path), Settings()).text == text
