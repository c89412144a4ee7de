"""Tables of one's own: they win over ours, in sources, headers and reports; a malformed one is one clear line."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py import InputError, Settings, read_mappings, translate, translate_tree
from hipify_py.mapping import HeaderMapping, Mapping, MappingTable, Support, own
from tests.rewrites import HIP, codes, hip, run

CSV = ("cuda,hip,advice\nmyCudaAlloc,myHipAlloc,\ncudaFree,poolFree,\ncudaMalloc,cudaMalloc,\ncudaGraphOdd,,use the other one\n"
       "MY_CHECK,HIP_CHECK,\npool/cuda_pool.h,pool/hip_pool.h,\nvector_types.h,,\"ours, not theirs\"\n")
ROWS = own.parse("own.csv", CSV.encode())

REWRITES = [
    ("myCudaAlloc(&p, 4);", "myHipAlloc(&p, 4);"),
    ("int myCudaAlloc(void **p, int n) { return 0; }", "int myHipAlloc(void **p, int n) { return 0; }"),
    ("#define MY_CHECK(x) check(x)\nvoid f() { MY_CHECK(myCudaAlloc(0, 1)); }",
     "#define HIP_CHECK(x) check(x)\nvoid f() { HIP_CHECK(myHipAlloc(0, 1)); }"),
    ("::myCudaAlloc(p);", "::myHipAlloc(p);"),
    ("void f() { cudaFree(p); }", "void f() { poolFree(p); }"),
    ("#include <pool/cuda_pool.h>\n", "#include <pool/hip_pool.h>\n"),
    ("#if 0\nmyCudaAlloc(p);\n#endif\n", "#if 0\nmyHipAlloc(p);\n#endif\n"),
]
KEPT = [
    "p->myCudaAlloc = 1;",
    "q.myCudaAlloc();",
    "mine::myCudaAlloc(p);",
    "\"myCudaAlloc\";",
    "// myCudaAlloc",
    "void f() { cudaMalloc(&p, 4); }",
    "#error myCudaAlloc",
    "myCudaAllocator(p);",
]
MALFORMED = [
    ("", "own.csv:1: the table is empty"),
    ("cuda\na\n", "own.csv:1: the columns `cuda` and `hip`"),
    ("cuda,hip,hop\n", "own.csv:1: `hop` is no column"),
    ("cuda,hip\n\na b,c\n", "own.csv:3: `a b` is no name"),
    ("cuda,hip\na,b-c\n", "own.csv:2: `b-c` is no name"),
    ("cuda,hip\n,b\n", "own.csv:2: the cell `cuda` is empty"),
    ("cuda,hip\na,b\nc,d\na,e\n", "own.csv:4: `a` stands in line 2 already"),
    ("cuda,hip\na,b,c\n", "own.csv:2: 3 cells for 2 columns"),
    ("cuda,hip\na,\"b\n", "own.csv:2: no valid CSV"),
    ("cuda,hip,kind\na,b,thing\n", "own.csv:2: `thing` is no kind"),
    ("cuda,hip,support\na,b,maybe\n", "own.csv:2: `maybe` is no support"),
    ("cuda,hip,support\na,,yes\n", "own.csv:2: `a` has support `yes`"),
    ("cuda,hip,support\na,b,no\n", "own.csv:2: `a` has support `no`"),
    ("cuda,hip,hip_since\na,b,new\n", "own.csv:2: `new` is no version"),
    ("cuda,hip\na.h,b c\n", "own.csv:2: `b c` is no header"),
]
MALFORMED_JSON = [
    ("", "own.json:1: no valid JSON"),
    ('{"a": "b",\n "c" "d"}', "own.json:2: no valid JSON"),
    ('["a"]', "own.json:1: a table in JSON is one object"),
    ('"a"', "own.json:1: a table in JSON is one object"),
    ('{"a": 1}', "own.json:1: a table in JSON is one object"),
    ('{"a": "b",\n "c": "d e"}', "own.json:2: `d e` is no name"),
    ('{"a": "b",\n\n "a": "c"}', "own.json:3: `a` stands in line 1 already"),
]


@pytest.mark.parametrize(("before", "after"), REWRITES)
@pytest.mark.parametrize("semantics", [True, False])
def test_rewrites(before: str, after: str, semantics: bool) -> None:
    result = run(before, mappings=ROWS, semantics=semantics)
    assert result.text.decode() == HIP + after
    assert codes(result) == []


@pytest.mark.parametrize("text", KEPT)
def test_kept(text: str) -> None:
    assert hip(text, mappings=ROWS) == text


def test_without_a_counterpart() -> None:
    result = run("void f() { cudaGraphOdd(); }\n#include <vector_types.h>\n", mappings=ROWS)
    assert [each.message for each in result.diagnostics] == [
        "`cudaGraphOdd` has no HIP counterpart (own table): use the other one",
        "the header `vector_types.h` has no counterpart in HIP; ours, not theirs"]


def test_the_persons_header_on_disk_may_be_renamed(tmp_path: Path) -> None:
    (tmp_path / "pool").mkdir()
    (tmp_path / "pool" / "cuda_pool.h").write_text("int myCudaAlloc(void **p, int n);\n")
    source = b'#include <cuda_runtime.h>\n#include "pool/cuda_pool.h"\nvoid f(void *p) { myCudaAlloc(&p, 4); cudaFree(p); }\n'
    result = translate(source, filename=str(tmp_path / "a.cu"), settings=Settings(mappings=ROWS))
    assert result.text == (b'#include <hip/hip_runtime.h>\n#include "pool/hip_pool.h"\n'
                           b"void f(void *p) { myHipAlloc(&p, 4); poolFree(p); }\n")
    assert result.diagnostics == ()


def test_rows() -> None:
    assert ROWS[0] == Mapping("myCudaAlloc", "myHipAlloc", "", "own", "", Support.YES, "", "")
    assert ROWS[-1] == HeaderMapping("vector_types.h", "", "own", Support.NO, False, "ours, not theirs")
    assert own.parse("t.JSON", b'\xef\xbb\xbf{"a": "b", "x.cuh": ""}') == (
        Mapping("a", "b", "", "own", "", Support.YES, "", ""), HeaderMapping("x.cuh", "", "own", Support.NO, False, ""))
    assert own.parse("own.csv", CSV.replace("\n", "\r\n").encode()) == ROWS
    table = MappingTable.load("hip", ROWS)
    assert table.lookup(b"cudaFree").kind == MappingTable.load().lookup(b"cudaFree").kind
    assert MappingTable.load().lookup(b"cudaFree").hip == "hipFree"
    assert pickle.loads(pickle.dumps(Settings(mappings=ROWS))) == Settings(mappings=ROWS)


def test_for_rocms_own_libraries() -> None:
    rows = own.parse("own.csv", b"cuda,hip,roc\nmyBlas,hipMyBlas,roc_my_blas\n")
    assert hip("myBlas();", mappings=rows, target_libraries="roc") == "roc_my_blas();"
    assert hip("myBlas();", mappings=rows) == "hipMyBlas();"


@pytest.mark.parametrize(("text", "message"), MALFORMED)
def test_malformed(text: str, message: str) -> None:
    with pytest.raises(own.TableError) as error:
        own.parse("own.csv", text.encode())
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("text", "message"), MALFORMED_JSON)
def test_malformed_json(text: str, message: str) -> None:
    with pytest.raises(own.TableError) as error:
        own.parse("own.json", text.encode())
    assert str(error.value).startswith(message)


def test_not_utf8() -> None:
    with pytest.raises(own.TableError, match=r"own\.csv:2: not UTF-8"):
        own.parse("own.csv", b"cuda,hip\n\xff,b\n")


def command(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "hipify_py", *arguments], cwd=cwd, capture_output=True, text=True, check=False)


def test_the_command_line_wins_over_the_project(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.hipify-py]\nmappings = ["tables/ours.csv"]\n')
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "ours.csv").write_text("cuda,hip\noldA,newA\noldB,newB\n")
    (tmp_path / "mine.json").write_text('{"oldB": "mineB"}')
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text("void f() { oldA(); oldB(); }\n")
    done = command("a.cu", "-o", "-", "--mapping", "../mine.json", cwd=tmp_path / "src")
    assert (done.returncode, done.stdout) == (0, "void f() { newA(); mineB(); }\n")
    (tmp_path / "src" / "b.cu").write_text("void f() { myCudaAlloc(); }\n")
    translate_tree(tmp_path / "src", tmp_path / "out", jobs=2, settings=Settings(mappings=ROWS))
    assert "myHipAlloc();" in (tmp_path / "out" / "b.hip").read_text()


def test_a_bad_table_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("void f() { cudaFree(0); }\n")
    (tmp_path / "bad.csv").write_text("cuda,hip\na b,c\n")
    for table, said in (("bad.csv", "bad.csv:2: `a b` is no name"), ("none.csv", "the table `none.csv` cannot be read")):
        done = command("a.cu", "--mapping", table, cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith(f"hipify-py: error: {said}")
        assert done.stderr.count("\n") == 1
    assert not (tmp_path / "a.hip").exists()
    with pytest.raises(InputError, match="cannot be read"):
        read_mappings(tmp_path / "none.csv")
