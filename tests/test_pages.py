"""API-support pages: made from the tables, and the totals that are kept are today's."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.mapping import Mapping, MappingTable, Support
from hipify_py.mapping.libraries import LIBRARIES, Library
from hipify_py.mapping.pages import BEGIN, END, Totals, by_library, main, note, page, summary, with_totals

KEPT = Path(__file__).parent.parent / "docs" / "api-support.md"
ROWS = [
    Mapping("cublasA", "hipblasA", "rocblas_a", "blas", "function", Support.YES, "5.2", ""),
    Mapping("cublasB", "hipblasB", "", "blas", "function", Support.CHANGED, "6.4", ""),
    Mapping("cublasC", "", "rocblas_c", "blas", "function", Support.NO, "", "use | that"),
    Mapping("CUBLAS_OP_N", "HIPBLAS_OP_N", "", "blas", "enumerator", Support.YES, "5.2", ""),
    Mapping("cudaMemcpyToSymbol", "hipMemcpyToSymbol", "", "blas", "function", Support.YES, "5.2", ""),
]


def test_the_kept_totals_are_todays():
    text = KEPT.read_text(encoding="utf-8")
    assert with_totals(text, summary(MappingTable.load())) == text, "run make docs"


def test_totals():
    totals = Totals.of(ROWS)
    assert totals == Totals(names=5, mapped=2, changed=2, without=1, roc=1)
    assert totals.cells() == ("5", "2", "2", "1", "1", "80 %")
    assert Totals.of([]).cells()[-1] == "0 %"


def test_a_page():
    lines = page(Library("blas", "cuBLAS", "hipBLAS", "rocBLAS"), ROWS).splitlines()
    assert lines[0] == "# cuBLAS and hipBLAS"
    assert "| `cublasA` | `hipblasA` | `rocblas_a` | function | 5.2 or older |  |" in lines
    assert "| `cublasC` |  | `rocblas_c` | function |  | use \\| that |" in lines
    assert page(Library("cupti", "CUPTI", ""), []).startswith("# CUPTI\n")


def test_notes():
    assert note(ROWS[0]) == ""
    assert note(ROWS[1]) == "takes other arguments"
    assert note(ROWS[3]) == "value: `111` for `0`"
    assert note(ROWS[4]) == "takes other arguments"


def test_every_name_is_on_one_page():
    table = MappingTable.load()
    found = [row.cuda for _, rows in by_library(table) for row in rows]
    assert len(found) == len(set(found)) == len(table)


def test_the_command_writes_the_pages(tmp_path, capsys):
    kept = tmp_path / "kept.md"
    kept.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    assert main([str(tmp_path / "api"), "--summary", str(kept)]) == 0
    assert {path.stem for path in (tmp_path / "api").iterdir()} == {each.table for each in LIBRARIES} | {"index"}
    assert "[cuBLAS](./blas.md)" in (tmp_path / "api" / "index.md").read_text(encoding="utf-8")
    text = kept.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{BEGIN}\n") and text.endswith(f"{END}\nafter\n")
    assert "| cuBLAS |" in text and "old" not in text
    assert f"{len(LIBRARIES) + 1} pages" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["no marks", f"{END}\n{BEGIN}\n"])
def test_a_page_without_marks(tmp_path, capsys, text):
    kept = tmp_path / "kept.md"
    kept.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        main([str(tmp_path / "api"), "--summary", str(kept)])
    assert stopped.value.code == 2
    assert "needs a line" in capsys.readouterr().err
    assert not (tmp_path / "api").exists()
    assert kept.read_text(encoding="utf-8") == text
