"""The stub headers with every name of the tables: they declare them all, and the declarations agree with each other."""

from __future__ import annotations

import re

import pytest

from hipify_py.clang import library
from hipify_py.clang.flags import Dialect, Side, clang_flags
from hipify_py.clang.stub_files import main, stub_files
from hipify_py.clang.stubs import Words, standard_header
from hipify_py.mapping import MappingTable
from hipify_py.settings import Settings

ERROR = 3


@pytest.fixture(scope="module")
def files():
    return stub_files(MappingTable.load())


@pytest.mark.parametrize(("name", "dialect"), [("cuda_stub.h", Dialect.CUDA), ("hip_stub.h", Dialect.HIP)])
def test_all_names_together_parse(files, name, dialect):
    loaded = library.load()
    if isinstance(loaded, library.UnavailableError):
        pytest.skip(str(loaded))
    words = Words.of([files[name]])
    texts = {"stub.h": files[name], "std.h": standard_header(words, dialect), "guess.h": b""}
    flags = clang_flags(Settings(), dialect, Side.HOST, "/stubs")
    parsed = loaded.parse("empty.cu", b"\n", flags, [(f"/stubs/{file}", text) for file, text in texts.items()])
    assert [f"{each.location.line}: {each.spelling}" for each in parsed.diagnostics() if each.severity >= ERROR] == []


def test_they_declare_what_the_tables_have(files):
    words = {word.decode() for word in re.findall(rb"\w+", files["cuda_stub.h"])}
    table = MappingTable.load()
    kinds = ("function", "type", "enumerator")
    rows = [row for row in map(table.lookup, table) if row is not None and row.kind in kinds and "::" not in row.cuda]
    assert len(rows) > 10_000
    assert [row.cuda for row in rows if row.cuda not in words] == []


def test_the_command_writes_them(tmp_path, capsys, files):
    assert main([str(tmp_path / "new" / "stubs")]) == 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "new" / "stubs").iterdir()} == files
    assert re.fullmatch(r"(.*_stub\.h: \d+ lines\n){2}", capsys.readouterr().out)
