"""Tables of one's own: they win over ours, in sources, headers and reports; a malformed one is one clear line."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py import InputError, Settings, Version, read_mappings, translate, translate_tree
from hipify_py.mapping import HeaderMapping, Mapping, MappingTable, Support, own
from tests.conftest import GoldenCase
from tests.rewrites import HIP, codes, hip, run

CSV = ("cuda,hip,advice\nmyCudaAlloc,myHipAlloc,\ncudaFree,poolFree,\ncudaMalloc,cudaMalloc,\ncudaGraphOdd,,use the other one\n"
       "MY_CHECK,HIP_CHECK,\npool/cuda_pool.h,pool/hip_pool.h,\npool/cuda,pool/hip,\n"
       "vector_types.h,,\"ours, not theirs\"\n")
ROWS = own.parse("own.csv", CSV.encode())

REWRITES = [
    ("myCudaAlloc(&p, 4);", "myHipAlloc(&p, 4);"),
    ("int myCudaAlloc(void **p, int n) { return 0; }", "int myHipAlloc(void **p, int n) { return 0; }"),
    ("#define MY_CHECK(x) check(x)\nvoid f() { MY_CHECK(myCudaAlloc(0, 1)); }",
     "#define HIP_CHECK(x) check(x)\nvoid f() { HIP_CHECK(myHipAlloc(0, 1)); }"),
    ("::myCudaAlloc(p);", "::myHipAlloc(p);"),
    ("void f() { cudaFree(p); }", "void f() { poolFree(p); }"),
    ("#include <pool/cuda_pool.h>\n", "#include <pool/hip_pool.h>\n"),
    ("#include <pool/cuda>\n", "#include <pool/hip>\n"),
    ("#if __has_include(<pool/cuda>) && defined(MY_CHECK)\n#endif\n",
     "#if __has_include(<pool/hip>) && defined(HIP_CHECK)\n#endif\n"),
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
SCOPED = own.parse("own.csv", b"""cuda,hip,kind
pool::cudaTake,pool::hipTake,
pool::detail::cudaLow,pool::detail::hipLow,
cuda_area,hip_area,namespace
cuda_area::special,hip_area::specialised,
old::cudaGo,fresh::hipGo,
cub::BlockReduce,ours::BlockReduce,
cub::BlockScan,cub::BlockScan,
""")
SCOPED_REWRITES = [
    ("pool::cudaTake(3);", "pool::hipTake(3);"),
    ("::pool::cudaTake(3);", "::pool::hipTake(3);"),
    ("pool :: /* here */ cudaTake(3);", "pool :: /* here */ hipTake(3);"),
    ("namespace pool { int cudaTake(int); }", "namespace pool { int hipTake(int); }"),
    ("namespace pool { inline namespace v1 { int cudaTake(int); } }",
     "namespace pool { inline namespace v1 { int hipTake(int); } }"),
    ("namespace pool { int f() { return cudaTake(3); } }", "namespace pool { int f() { return hipTake(3); } }"),
    ("namespace pool { int f() { return detail::cudaLow(3); } }", "namespace pool { int f() { return detail::hipLow(3); } }"),
    ("namespace pool::detail { int cudaLow(int n) { return n; } }", "namespace pool::detail { int hipLow(int n) { return n; } }"),
    ("using pool::cudaTake; int g() { return cudaTake(3); }", "using pool::hipTake; int g() { return hipTake(3); }"),
    ("using namespace pool; int g() { return cudaTake(3); }", "using namespace pool; int g() { return hipTake(3); }"),
    ("namespace cuda_area { void special(); void plain(); }", "namespace hip_area { void specialised(); void plain(); }"),
    ("cuda_area::special(); cuda_area::plain();", "hip_area::specialised(); hip_area::plain();"),
    ("using namespace cuda_area;", "using namespace hip_area;"),
    ("namespace old { int cudaGo(); int f() { return cudaGo(); } } int n = old::cudaGo();",
     "namespace old { int cudaGo(); int f() { return fresh::hipGo(); } } int n = fresh::hipGo();"),
    ("cub::BlockReduce<int, 4> r; cub::BlockScan<int, 4> s; cub::WarpScan<int, 32> t;",
     "ours::BlockReduce<int, 4> r; cub::BlockScan<int, 4> s; hipcub::WarpScan<int, 32> t;"),
]
#: Things of other kinds that are called as something in the tables.
SCOPED_KEPT = [
    "cudaTake(3);",
    "namespace other { int cudaTake(int); int f() { return cudaTake(3); } }",
    "other::pool::cudaTake(3);",
    "struct A { int cudaTake(int); }; int A::cudaTake(int n) { return n; }",
    "struct cuda_areas { int special; };",
    "void special();",
]
INNER_KEPT = [
    "struct A { void myCudaAlloc(); int n, cudaFree; }; void A::myCudaAlloc() { this->cudaFree = 1; }",
    "struct A { int myCudaAlloc; }; A a{.myCudaAlloc = 1}; int n = a.myCudaAlloc;",
    "template <class T> struct A { T myCudaAlloc; T f() { return this->myCudaAlloc; } };",
    "int f(int myCudaAlloc) { return myCudaAlloc + 1; }",
    "int f() { int myCudaAlloc = 1; return myCudaAlloc; }",
    "namespace mine { int myCudaAlloc(int); int f() { return myCudaAlloc(3); } } using mine::myCudaAlloc;",
    "namespace mine { int myCudaAlloc(int); } using mine::myCudaAlloc; int f() { return myCudaAlloc(3); }",
    "#define F(myCudaAlloc) g(myCudaAlloc)",
    "enum class E { myCudaAlloc }; E e = E::myCudaAlloc;",
    "void f() { goto myCudaAlloc; myCudaAlloc: ; }",
]
OUTER_RENAMED = [
    ("extern \"C\" { int myCudaAlloc(int); }", "extern \"C\" { int myHipAlloc(int); }"),
    ("enum E { myCudaAlloc }; E e = myCudaAlloc;", "enum E { myHipAlloc }; E e = myHipAlloc;"),
    ("namespace { int myCudaAlloc(int); } int f() { return myCudaAlloc(3); }",
     "namespace { int myHipAlloc(int); } int f() { return myHipAlloc(3); }"),
    ("int f() { int myCudaAlloc(int); return myCudaAlloc(3); }", "int f() { int myHipAlloc(int); return myHipAlloc(3); }"),
    ("struct myCudaAlloc *f() { return 0; }", "struct myHipAlloc *f() { return 0; }"),
    ("struct A { int n = myCudaAlloc(3); }; namespace b { int m = myCudaAlloc(4); }",
     "struct A { int n = myHipAlloc(3); }; namespace b { int m = myHipAlloc(4); }"),
    ("#define M(x) do { int r = myCudaAlloc(x); } while (0)", "#define M(x) do { int r = myHipAlloc(x); } while (0)"),
    ("__global__ void k(); void f() { k<<<myCudaAlloc(1), 2>>>(); }",
     "__global__ void k(); void f() { hipLaunchKernelGGL(k, dim3(myHipAlloc(1)), dim3(2), 0, 0); }"),
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
    ("cuda,hip\npool/*,hip_pool.h\n", "own.csv:2: `pool/*` is no name"),
    ("cuda,hip\npool/,hip_pool.h\n", "own.csv:2: `pool/` is no name"),
    ("cuda,hip,roc\na,b,c d\n", "own.csv:2: `c d` is no name"),
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


@pytest.mark.parametrize(("before", "after"), SCOPED_REWRITES)
@pytest.mark.parametrize("semantics", [True, False])
def test_names_in_namespaces(before: str, after: str, semantics: bool) -> None:
    result = run(before, mappings=SCOPED, semantics=semantics)
    assert result.text.decode() == HIP + after
    assert codes(result) == []


@pytest.mark.parametrize("text", SCOPED_KEPT)
@pytest.mark.parametrize("semantics", [True, False])
def test_what_is_called_the_same_elsewhere(text: str, semantics: bool) -> None:
    assert hip(text, mappings=SCOPED, semantics=semantics) == text


@pytest.mark.parametrize("text", INNER_KEPT)
@pytest.mark.parametrize("semantics", [True, False])
def test_members_and_variables(text: str, semantics: bool) -> None:
    assert hip(text, mappings=ROWS, semantics=semantics) == text


@pytest.mark.parametrize("text", [
    "struct A { void myCudaAlloc(); int cudaFree; }; void A::myCudaAlloc() { cudaFree = 1; }",
    "template <class T> struct A { T myCudaAlloc; T f() { return myCudaAlloc; } };",
    "struct A { int cudaFree; }; struct B : A { int f() { return cudaFree; } };",
])
def test_members_that_only_libclang_sees(text: str) -> None:
    assert hip(text, mappings=ROWS) == text


@pytest.mark.parametrize(("before", "after"), OUTER_RENAMED)
@pytest.mark.parametrize("semantics", [True, False])
def test_declarations_at_file_scope(before: str, after: str, semantics: bool) -> None:
    assert hip(before, mappings=ROWS, semantics=semantics) == after


def test_all_that_a_row_says_is_heard() -> None:
    rows = own.parse("own.csv", b"cuda,hip,support,hip_since,advice\nlate,lateHip,,7.0,\n"
                     b"odd,oddHip,changed-signature,,swap them\nnoted,notedHip,,,rounds down\npool::late,pool::lateHip,,7.0,\n")
    text = "late(); odd(1, 2); noted(); noted(); pool::late();"
    result = run(text, mappings=rows, rocm=Version(6, 4))
    assert result.text.decode() == HIP + "late(); oddHip(1, 2); notedHip(); notedHip(); pool::late();"
    assert codes(result) == ["HPY401", "HPY204", "HPY208", "HPY401"]
    assert "since HIP 7.0: raise `--rocm`" in result.diagnostics[0].message
    assert result.diagnostics[1].message.endswith("swap them")
    assert hip(text, mappings=rows, rocm=Version(7, 0)).startswith("lateHip();")


def test_no_rule_of_ours_rewrites_what_a_table_says(golden_case: GoldenCase) -> None:
    data, tables = golden_case.source.read_bytes(), MappingTable.load()
    rows = [row for word in sorted(set(re.findall(rb"[A-Za-z_]\w*", data))) if (row := tables.lookup(word)) is not None
            and row.kind not in ("attribute", "namespace")]
    table = own.parse("own.csv", "\n".join(("cuda,hip", *(f"{row.cuda},own_{row.cuda}" for row in rows))).encode())
    result = translate(data, filename=str(golden_case.source), settings=Settings(mappings=table))
    assert {"HPY901", "HPY902"} & set(codes(result)) == set()


def test_counterparts_that_only_the_person_knows_parse() -> None:
    rows = own.parse("own.csv", b"cuda,hip\nthreadIdx,myIdx\ncudaStream_t,ours::Stream\ncudaMemcpyKind,OurKind\n")
    result = run("__global__ void k(int *p, int n) { p[threadIdx.x] = n; }\nvoid f(cudaStream_t s) { cudaMemcpyKind k; }",
                 mappings=rows)
    assert result.text.decode() == HIP + (
        "__global__ void k(int *p, int n) { p[myIdx.x] = n; }\nvoid f(ours::Stream s) { OurKind k; }")
    assert codes(result) == []


def test_without_a_counterpart() -> None:
    result = run("void f() { cudaGraphOdd(); }\n#include <vector_types.h>\n", mappings=ROWS)
    assert [each.message for each in result.diagnostics] == [
        "`cudaGraphOdd` has no HIP counterpart (own table): use the other one",
        "the header `vector_types.h` has no counterpart in HIP; ours, not theirs"]


def test_the_persons_header_on_disk_may_be_renamed(tmp_path: Path) -> None:
    (tmp_path / "pool").mkdir()
    (tmp_path / "pool" / "cuda_pool.h").write_text(
        "int myCudaAlloc(void **p, int n);\nnamespace pool { struct Arena { int myCudaAlloc(int); int cudaFree; }; }\n")
    source = (b'#include <cuda_runtime.h>\n#include "pool/cuda_pool.h"\nvoid f(void *p, pool::Arena *a) {\n'
              b"  myCudaAlloc(&p, 4); cudaFree(p); a->myCudaAlloc(3); pool::Arena b; b.cudaFree = 1;\n}\n")
    result = translate(source, filename=str(tmp_path / "a.cu"), settings=Settings(mappings=ROWS))
    assert result.text == (
        b'#include <hip/hip_runtime.h>\n#include "pool/hip_pool.h"\nvoid f(void *p, pool::Arena *a) {\n'
        b"  myHipAlloc(&p, 4); poolFree(p); a->myCudaAlloc(3); pool::Arena b; b.cudaFree = 1;\n}\n")
    assert result.diagnostics == ()  # the second parse finds the header under its new name, though nobody has written it


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
