"""What a run says, in each form."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from hipify_py.codes import CODES
from hipify_py.diagnostics import Applicability, Diagnostic, Edit, Fix, Severity
from hipify_py.edits import EditSet
from hipify_py.engine import Translation, translate
from hipify_py.files import FileResult
from hipify_py.report import Mode, github, pages, sarif, stats
from hipify_py.report import json as json_report
from hipify_py.report.depfile import depfile, local_headers
from hipify_py.report.diff import unified
from hipify_py.report.text import WIDTH, describe, excerpt, grouped, printable, show, summary, total
from hipify_py.source import SourceFile, SourceRange
from hipify_py.tree import Failure


def translation(data: bytes, *diagnostics: Diagnostic, edits: tuple[Edit, ...] = (), name: str = "a.cu") -> Translation:
    made = EditSet(edits)
    return Translation(SourceFile(name, data), made.apply(data), made, diagnostics)


def found(start: int, end: int, fix: Fix | None = None, severity: Severity = Severity.WARNING,
          message: str = "`x` is odd: look at it") -> Diagnostic:
    return Diagnostic("HPY401", severity, message, SourceRange(start, end), fix)


def result(made: Translation, output: str = "a.hip", **more: object) -> FileResult:
    return FileResult(Path(made.source.name), Path(output), made, **more)  # type: ignore[arg-type]


def shown(data: bytes, start: int, end: int, fix: Fix | None = None) -> list[str]:
    return show(translation(data), found(start, end, fix)).split("\n")


def test_a_diagnostic_is_one_line_then_the_source() -> None:
    fix = Fix((Edit(4, 7, b"bar", "HPY101"),), Applicability.UNSAFE)
    assert shown(b"int\nfoo(1);\n", 4, 7, fix) == [
        "a.cu:2:1: warning: `x` is odd: look at it [HPY401]",
        "    2 | foo(1);",
        "      | ^~~",
        "      = fix, with --unsafe-fixes: `foo` -> `bar`",
    ]


def test_tabs_line_ends_and_odd_bytes() -> None:
    assert shown(b"\tx\ty;\r\n", 3, 4)[1:] == ["    1 |     x   y;", "      |         ^"]
    assert shown(b"// \xe9\x1b[31m\0 x", 11, 12)[1:] == ["    1 | // \\xe9\\x1b[31m\\x00 x",
                                                          "      | " + " " * 20 + "^"]
    assert shown("ä = x;".encode(), 5, 6)[1:] == ["    1 | ä = x;", "      |     ^"]


def test_a_place_over_several_lines_marks_its_first() -> None:
    assert shown(b"foo(1,\n  2);\n", 0, 12)[1:] == ["    1 | foo(1,", "      | ^~~~~~"]


@pytest.mark.parametrize(("data", "offset"), [(b"", 0), (b"x", 1), (b"x\n", 2), (b"\r\n", 0), (b"\n\n", 1)])
def test_places_at_the_ends(data: bytes, offset: int) -> None:
    assert "[HPY401]" in shown(data, offset, offset)[0]


@pytest.mark.parametrize("offset", [0, 5, 119, 120, 5000, 99_990, 99_999])
def test_a_long_line_is_clipped_around_the_caret(offset: int) -> None:
    data = bytearray(b"." * 100_000)
    data[offset] = ord("X")
    text, column, length = excerpt(SourceFile("a.cu", bytes(data)), SourceRange(offset, offset + 1))
    assert text[column] == "X" and length == 1
    assert len(text) <= WIDTH + 3


def test_a_long_mark_is_clipped_too() -> None:
    text, column, length = excerpt(SourceFile("a.cu", b"y" * 10_000), SourceRange(0, 10_000))
    assert column == 0 and length <= WIDTH and len(text) <= WIDTH + 3


def test_fixes_in_one_line() -> None:
    source = SourceFile("a.cu", b"foo(\n  a,\tb)")
    assert describe(Fix((Edit(0, 0, b"x\n", "H"),)), source) == "add `x`"
    assert describe(Fix((Edit(0, 3, b"", "H"),)), source) == "remove `foo`"
    assert describe(Fix((Edit(0, 12, b"z" * 100, "H"),)), source) == f"`foo( a, b)` -> `{'z' * 57}...`"
    many = Fix(tuple(Edit(i, i + 1, b"z", "H") for i in range(5)))
    assert describe(many, source).endswith("; and 2 more")


def test_names_with_control_characters_stay_in_one_line() -> None:
    assert printable("a\nb\x1b\udcffä") == "a\\nb\\x1b\\xffä"
    assert show(translation(b"x", name="a\n.cu"), found(0, 1)).startswith("a\\n.cu:1:1: ")


EDITED = translation(b"foo", found(0, 1), edits=(Edit(0, 3, b"bar", "HPY101"),))


@pytest.mark.parametrize(("made", "more", "mode", "text"), [
    (EDITED, {"written": True, "stale": True}, Mode.WRITE, "a.cu -> a.hip: made 1 edit, 1 warning"),
    (EDITED, {}, Mode.WRITE, "a.cu -> a.hip: has 1 edit, 1 warning; the output was up to date"),
    (EDITED, {}, Mode.SHOW, "a.cu: made 1 edit, 1 warning"),
    (EDITED, {"stale": True}, Mode.CHECK, "a.cu -> a.hip: needs 1 edit, 1 warning; the output is missing or stale"),
    (EDITED, {}, Mode.CHECK, "a.cu -> a.hip: has 1 edit, 1 warning; the output is up to date"),
    (EDITED, {"edited": True}, Mode.CHECK,
     "a.cu -> a.hip: has 1 edit, 1 warning; the output is up to date, with edits by hand"),
    (EDITED, {"edited": True, "stale": True}, Mode.CHECK,
     "a.cu -> a.hip: needs 1 edit, 1 warning; the output is stale, and edited by hand"),
    (EDITED, {"edited": True, "written": True, "stale": True}, Mode.WRITE,
     "a.cu -> a.hip: made 1 edit, 1 warning; merged with the edits by hand in the output"),
    (EDITED, {"edited": True, "written": True, "stale": True, "conflicts": 2}, Mode.WRITE,
     "a.cu -> a.hip: made 1 edit, 1 warning; 2 conflicts with edits by hand in the output: resolve what stands between "
     "`<<<<<<<` and `>>>>>>>`"),
    (EDITED, {"written": True, "stale": True, "backup": Path("a.cu.prehip"), "output": "a.cu"}, Mode.WRITE,
     "a.cu: made 1 edit, 1 warning; the original is kept as a.cu.prehip"),
    (translation(b"#include <hip/hip_runtime.h>\n"), {"output": "a.cu"}, Mode.WRITE,
     "a.cu: already HIP, nothing to do"),
    (translation(b"#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#else\n# include <cuda.h>\n#endif\n"), {"output": "a.cu"},
     Mode.WRITE, "a.cu: CUDA and HIP side by side in it, nothing to do"),
    (translation(b"int x;"), {"written": True, "stale": True}, Mode.WRITE,
     "a.cu -> a.hip: no CUDA in it, nothing to do; copied as it is"),
])
def test_summaries(made: Translation, more: dict[str, object], mode: Mode, text: str) -> None:
    assert summary(result(made, **more), mode) == text  # type: ignore[arg-type]


def test_the_total() -> None:
    assert total(2, 2, Counter({Severity.WARNING: 2}), [Failure(Path("x"), "y")]) == \
        "2 files translated: 2 edits, 2 warnings; 1 file failed: x"
    many = [Failure(Path(f"{number}.cu"), "y") for number in range(7)]
    assert total(0, 0, Counter(), many).endswith("; 7 files failed: 0.cu, 1.cu, 2.cu, 3.cu, 4.cu and 2 more")


@pytest.mark.parametrize(("mode", "stale", "text"), [
    (Mode.WRITE, 0, "2 files translated: 3 edits"),
    (Mode.CHECK, 0, "2 files checked, nothing written: all outputs are up to date, 3 edits"),
    (Mode.CHECK, 1, "2 files checked, nothing written: 1 output missing or stale, 3 edits"),
    (Mode.LOOK, 0, "2 files looked at, nothing written: 3 edits")])
def test_the_total_says_whether_anything_was_written(mode: Mode, stale: int, text: str) -> None:
    assert total(2, 3, Counter(), [], mode, stale) == text


def test_what_is_the_same_is_told_once() -> None:
    data = b"x\n" * 20
    many = [found(2 * each, 2 * each + 1) for each in range(12)]
    other, worse = found(1, 2, message="else"), found(4, 5, severity=Severity.ERROR)
    groups = grouped([many[0], other, *many[1:3], worse, many[3]])
    assert groups == [many[:4], [other], [worse]]
    def last(others: list[Diagnostic]) -> str:
        return show(translation(data), many[0], others, colour=True).split("\n")[-1]

    assert last(many[1:2]) == "      = the same in line 2"
    assert last([*many[1:3], many[2]]) == "      = the same in lines 2 and 3"
    assert last(many[1:]) == "      = the same in lines 2, 3, 4, 5, 6, 7, 8, 9 and 3 more"


def test_a_program_reads_each_place_in_a_line_of_its_own() -> None:
    data = b"x\n" * 20
    many = [found(2 * each, 2 * each + 1) for each in range(12)]
    first, *others = show(translation(data), many[0], [*many[1:3], many[2]]).split("\n")
    assert others[-2:] == [first.replace(":1:1:", ":2:1:"), first.replace(":1:1:", ":3:1:")]
    text = show(translation(data), many[0], many[1:]).split("\n")
    assert text[-2:] == [first.replace(":1:1:", ":9:1:"), "      = the same in lines 10, 11 and 12"]


FIX = Fix((Edit(8, 9, b"\xe9", "HPY101"),))
ODD = translation("// ä\xa0\nx = 1;".encode("latin-1") + b"\xff", found(7, 8, FIX), edits=FIX.edits,
                  name="odd \udcff,.cu")


def test_json() -> None:
    document = json.loads(json_report.render([result(ODD, written=True)], [Failure(Path("b.cu"), "no")]))
    assert document["schema"] == 1
    assert document["summary"] == {"files": 1, "failures": 1, "edits": 1, "notes": 0, "warnings": 1, "errors": 0}
    assert document["failures"] == [{"path": "b.cu", "message": "no"}]
    (file,) = document["files"]
    assert file["path"] == "odd \\xff,.cu" and file["written"] is True and file["edits_by_code"] == {"HPY101": 1}
    (diagnostic,) = file["diagnostics"]
    assert diagnostic["code"] == "HPY401" and diagnostic["severity"] == "warning"
    assert diagnostic["location"] == {"line": 2, "column": 2, "end_line": 2, "end_column": 3, "offset": 7, "length": 1}
    assert diagnostic["fix"]["applicability"] == "safe" and diagnostic["fix"]["edits"][0]["text"] == "\\xe9"


def test_json_is_documented() -> None:
    text = (Path(__file__).parent.parent / "docs" / "json.md").read_text()
    document = json.loads(json_report.render([result(ODD)], [Failure(Path("b.cu"), "no")]))

    def keys(value: object) -> set[str]:
        if isinstance(value, dict):
            return set(value).union(*map(keys, value.values())) if value else set()
        return set().union(*map(keys, value)) if isinstance(value, list) else set()

    assert not {key for key in keys(document) if f"`{key}`" not in text and key not in CODES}


def test_sarif() -> None:
    document = json.loads(sarif.render([result(ODD)], [Failure(Path("/b c.cu"), "no")]))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    assert run["tool"]["driver"]["rules"][0]["id"] == "HPY401"
    (each,) = run["results"]
    place = each["locations"][0]["physicalLocation"]
    assert each["ruleIndex"] == 0 and each["level"] == "warning"
    assert place["artifactLocation"]["uri"] == "odd%20%FF%2C.cu"
    assert place["region"]["startLine"] == 2 and place["region"]["byteOffset"] == 7
    assert each["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]
    assert run["invocations"][0]["executionSuccessful"] is False
    uri = run["invocations"][0]["toolExecutionNotifications"][0]["locations"][0]["physicalLocation"]
    assert uri["artifactLocation"]["uri"] == "file:///b%20c.cu"


def test_sarif_counts_columns_in_characters() -> None:
    made = translation("/* ä */ x".encode(), found(9, 10))
    (run,) = json.loads(sarif.render([result(made)], []))["runs"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"] == 9


def test_github() -> None:
    made = translation(b"x", found(0, 1, severity=Severity.NOTE, message="50%\nof it"), name="a,b.cu")
    assert github.render([result(made)], [Failure(Path("c.cu"), "no: such")]) == (
        "::notice file=a%2Cb.cu,line=1,col=1,endLine=1,endColumn=2,title=HPY401::a,b.cu:1:1: 50%25%0Aof it [HPY401]\n"
        "::error file=c.cu,title=hipify-py::no: such\n")


def test_stats() -> None:
    assert stats.as_csv([result(EDITED)]).splitlines() == [
        "file,code,name,edits,diagnostics", "a.cu,HPY101,renamed,1,0", "a.cu,HPY401,no-counterpart,0,1"]
    assert stats.as_text([result(EDITED)]).splitlines()[-1].endswith("files: 1, changed: 1")


KERNEL = b"".join(b"int a%d;\n" % i if i % 11 else b"cudaError_t e%d;\n" % i for i in range(100))


@pytest.mark.parametrize("data", [
    KERNEL, KERNEL.rstrip(b"\n"), KERNEL.replace(b"\n", b"\r\n"), b"cudaError_t e;", b"\n\n\ncudaError_t e;\n",
    b"#include <cuda.h>\n#include <cuda_runtime.h>\nint x; // \xe9\ncudaError_t f() { return cudaFree(0); }\n",
    b"__global__ void k() {}\nvoid f() {\n  k<<<1,\n     2>>>(\n  );\n}\n",
    b"int a;\rvoid f() { cudaFree(0); }\nint b;\nvoid g() { cudaFree(0); }\n",
], ids=range(8))
def test_the_diff_can_be_applied(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.cu").write_bytes(data)
    made = translate(data, filename="a.cu")
    diff = unified(result(made, "a.cu"))
    assert diff.startswith(b"--- a.cu\n+++ a.cu\n@@ ")
    done = subprocess.run(["patch", "--binary", "-s", "a.cu"], input=diff, cwd=tmp_path, capture_output=True,
                          check=False)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "a.cu").read_bytes() == made.text


@pytest.mark.parametrize("edits", [
    [(0, 3, b"")], [(3, 4, b"")], [(3, 4, b"x\ny\n")], [(3, 3, b"q")], [(0, 0, b"new\n")], [(12, 12, b"end")],
    [(2, 10, b"-")], [(1, 2, b"\n"), (4, 5, b"\n\n")], [(0, 12, b"")], [(0, 4, b""), (4, 8, b"k")],
    [(3, 4, b""), (5, 6, b"z")],
], ids=range(11))
def test_diffs_of_edits_at_line_ends(tmp_path: Path, edits: list[tuple[int, int, bytes]]) -> None:
    data = b"abc\ndef\nghi\n"
    (tmp_path / "a.cu").write_bytes(data)
    made = translation(data, edits=tuple(Edit(*edit, "HPY101") for edit in edits))
    subprocess.run(["patch", "--binary", "-s", "a.cu"], input=unified(result(made, "a.cu")), cwd=tmp_path, check=True)
    assert (not made.text and not (tmp_path / "a.cu").exists()) or (tmp_path / "a.cu").read_bytes() == made.text


def test_colours_of_a_diff() -> None:
    text = unified(result(EDITED), colour=True)
    assert b"\x1b[31m-foo\x1b[0m\n\\ No newline at end of file\n\x1b[32m+bar\x1b[0m" in text


def test_depfile(tmp_path: Path) -> None:
    (tmp_path / "sub dir").mkdir()
    (tmp_path / "inc").mkdir()
    (tmp_path / "a.cu").write_text('#include "sub dir/b.cuh"\n  # include <c.h>\n#include <vector>\n'
                                   '#include "gone.h"\n')
    (tmp_path / "sub dir" / "b.cuh").write_text('#include "d.cuh"\n#include "../a.cu"\n')
    (tmp_path / "sub dir" / "d.cuh").write_text('#include "b.cuh"\n')
    (tmp_path / "inc" / "c.h").write_text("")
    headers = [tmp_path / "sub dir" / "b.cuh", tmp_path / "inc" / "c.h", tmp_path / "sub dir" / "d.cuh"]
    assert sorted(local_headers(tmp_path / "a.cu", [str(tmp_path / "inc")])) == sorted(headers)
    text = depfile([(tmp_path / "a.hip", tmp_path / "a.cu", [str(tmp_path / "inc")])]).decode()
    assert text.startswith(f"{tmp_path}/a.hip: {tmp_path}/a.cu \\\n")
    makefile = f"include a.d\n{tmp_path}/a.hip:\n\t@echo made $(words $^)\n"
    (tmp_path / "a.d").write_text(text)
    (tmp_path / "Makefile").write_text(makefile)
    done = subprocess.run(["make", "-s", f"{tmp_path}/a.hip"], cwd=tmp_path, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0 and done.stdout.startswith("made"), done.stderr


def test_every_code_has_a_page() -> None:
    for code in CODES:
        assert (pages.page(code) or "").startswith(f"{code} (")
    assert pages.page("no-counterpart") == pages.page("hpy401")
    assert pages.page("HPY000") is None
    assert len(pages.table().splitlines()) == len(CODES)
