"""The HTML report: what it shows, that nothing gets out of its place, and that it needs nothing but itself."""

from __future__ import annotations

import builtins
import re
import subprocess
import sys
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hipify_py.diagnostics import Diagnostic, Edit, Fix, Severity
from hipify_py.edits import EditSet
from hipify_py.engine import Translation, translate
from hipify_py.files import FileResult
from hipify_py.report import html
from hipify_py.report.highlight import Mark, lines_of
from hipify_py.report.layout import Row, hunks
from hipify_py.source import SourceFile, SourceRange
from hipify_py.tree import Failure
from tests.conftest import ROOT

VOID = {"meta", "input", "br", "col"}


class Page(HTMLParser):
    """The page as its reader sees it: cells of the side-by-side lines, messages, links, and whether all tags are closed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, str]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            kind = f"{tag} {dict(attrs).get('class') or ''}".strip()
            self.open.append((tag, kind))
            self.text.setdefault(kind, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for _, kind in self.open:
            self.text[kind][-1] += data

    @property
    def lines(self) -> list[tuple[str, str]]:
        cells = self.text.get("td t", [])
        return list(zip(cells[::2], cells[1::2], strict=True))


def translation(data: bytes, *diagnostics: Diagnostic, edits: Sequence[Edit] = (), name: str = "a.cu") -> Translation:
    made = EditSet(edits)
    return Translation(SourceFile(name, data), made.apply(data), made, diagnostics)


def result(made: Translation, output: str = "a.hip") -> FileResult:
    return FileResult(Path(made.source.name), Path(output), made)


def found(start: int, end: int, message: str = "`x` is odd: look at it", severity: Severity = Severity.WARNING,
          fix: Fix | None = None) -> Diagnostic:
    return Diagnostic("HPY401", severity, message, SourceRange(start, end), fix)


def page(*results: FileResult, failures: Sequence[Failure] = ()) -> Page:
    return Page(html.render(results, failures))


def test_changed_lines_stand_beside_each_other() -> None:
    data = b"".join(b"int x%d;\n" % each for each in range(20)) + b"cudaFree(0);\n"
    start = data.index(b"cudaFree")
    made = translation(data, edits=[Edit(0, 0, b"#include <h>\n", "HPY104"), Edit(start, start + 8, b"hipFree", "HPY101")])
    shown = page(result(made))
    assert shown.lines == [
        ("", "#include <h>"), ("int x0;", "int x0;"), ("int x1;", "int x1;"), ("int x2;", "int x2;"),
        ("int x17;", "int x17;"), ("int x18;", "int x18;"), ("int x19;", "int x19;"), ("cudaFree(0);", "hipFree(0);")]
    assert "".join(shown.text["mark"]) == "#include <h>cudaFreehipFree"
    assert shown.text["td n"][:4] == ["", "1", "1", "2"]
    assert shown.text["td n"][-2:] == ["21", "22"]


def test_diagnostics_stand_below_their_lines() -> None:
    data = b"int a;\nfoo();\n"
    fix = Fix((Edit(7, 10, b"bar", "HPY101"),))
    text = html.render([result(translation(data, found(7, 10, fix=fix), found(14, 14, "at the end", Severity.NOTE)))], [])
    assert Page(text).lines == [("int a;", "int a;"), ("foo();", "foo();"), ("", "")]
    assert text.index("foo();") < text.index("2:1: `x` is odd: look at it") < text.index("3:1: at the end")
    assert "fix: `foo` -&gt; `bar`" in text
    assert "HPY401 no-counterpart" in text


def test_texts_stay_texts() -> None:
    nasty = b"// </td></table><script>alert(1)</script> \x1b[31m \xe9 &amp; \"'\n"
    made = translation(nasty + b"cudaFree(0);\n", found(0, 2, "<b>`x`</b> & \"y\": look"),
                       edits=[Edit(len(nasty), len(nasty) + 8, b"<hip>", "HPY101")], name="<i>&\".cu")
    shown = page(result(made, "</title>.hip"), failures=[Failure(Path("<u>.cu"), "`<u>.cu` is <bad>")])
    assert sum(tag == "script" for tag, _ in shown.tags) == 1
    assert not {"b", "u"} & {tag for tag, _ in shown.tags}
    assert shown.lines[0][0] == "// </td></table><script>alert(1)</script> \\x1b[31m \\xe9 &amp; \"'"
    assert shown.lines[1] == ("cudaFree(0);", "<hip>(0);")
    assert "<b>`x`</b> & \"y\": look" in shown.text["p warning"][0]
    assert "<i>&\".cu" in shown.text["summary"][0]
    assert "`<u>.cu` is <bad>" in shown.text["td"]


def test_it_needs_nothing_but_itself() -> None:
    made = translate((ROOT / "kernels/reduction/kernel.cu").read_bytes(), filename="kernel.cu")
    text = html.render([result(made)], [])
    shown = Page(text)
    assert not any({"src", "data", "action"} & attributes.keys() for _, attributes in shown.tags)
    assert all((attributes.get("href") or "#").startswith("#") for _, attributes in shown.tags)
    assert "link" not in {tag for tag, _ in shown.tags}
    assert not re.search(r"https?:|@import|url\(", text)
    targets = {attributes["id"] for _, attributes in shown.tags if attributes.get("id")}
    assert {(attributes.get("href") or "")[1:] for tag, attributes in shown.tags if tag == "a"} <= targets


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    texts = []
    for folder in (tmp_path / "one", tmp_path / "another"):
        made = translate(b"void f() { cudaFree(0); cudaFrobnicate(); }\n", filename=str(folder / "src/a.cu"))
        texts.append(html.render([result(made, str(folder / "out/a.hip"))],
                                 [Failure(folder / "src/b.cu", f"`{folder / 'src/b.cu'}` does not exist")]))
    assert texts[0] == texts[1]
    assert str(tmp_path) not in texts[0]
    assert "src/a.cu" in texts[0]
    assert not re.search(r"\b20\d\d-\d\d", texts[0])


def test_files_without_anything_to_show_are_only_listed() -> None:
    shown = page(result(translation(b"int x;\n", name="plain.cu"), "plain.hip"))
    assert shown.lines == []
    assert "details" not in {tag for tag, _ in shown.tags}
    assert "plain.cu" in shown.text["td"]
    assert page().text["title"] == ["hipify-py: 0 files"]


@pytest.mark.parametrize("data", [b"", b"\n", b"x", b"x\r\ny", b"\xef\xbb\xbfx\n", b"a\rb\nc"])
def test_odd_ends(data: bytes) -> None:
    lines = page(result(translation(data, found(0, 0), found(len(data), len(data))))).lines
    assert len(lines) in (data.count(b"\n"), data.count(b"\n") + 1)


def test_lines_in_pieces() -> None:
    lines = lines_of("/* ä\n */ int\tx = 1; // \n".encode(), [Mark(10, 13, "HPY101")])
    assert ["".join(piece.text for piece in line.pieces) for line in lines] == ["/* ä", " */ int\tx = 1; // "]
    assert [(piece.text, piece.kind) for piece in lines[1].pieces if piece.code] == [("int", "k")]
    assert {piece.kind for line in lines for piece in line.pieces} >= {"c", "k", "m"}


def test_without_pygments_there_are_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *more: object) -> object:
        if name.startswith("pygments"):
            raise ImportError(name)
        return real(name, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    lines = lines_of(b"int cudaFree;\n", [Mark(4, 12, "HPY101")])
    assert [(piece.text, piece.kind, piece.code) for piece in lines[0].pieces] == [
        ("int ", "", ""), ("cudaFree", "", "HPY101"), (";", "", "")]


def test_rows_of_runs_of_other_lengths() -> None:
    made = translation(b"a\nb\nc\nd\n", edits=[Edit(2, 6, b"x\n", "HPY101")])
    inserted = translation(b"a\nb\n", edits=[Edit(2, 2, b"x\ny\n", "HPY101")])
    assert hunks(result(inserted), ()) == [[Row(0, 0, False), Row(None, 1, True), Row(None, 2, True), Row(1, 3, False)]]
    assert hunks(result(made), ()) == [[
        Row(0, 0, False), Row(1, 1, True), Row(2, None, True), Row(3, 2, False)]]
    assert hunks(result(translation(b"a\n" * 30)), (0, 20)) == [
        [Row(each, each, False) for each in range(4)], [Row(each, each, False) for each in range(17, 24)]]


def test_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\nvoid f() { cudaFree(0); }\n")
    done = subprocess.run([sys.executable, "-m", "hipify_py", "-q", "--output-format", "html", "a.cu", "none.cu"], cwd=tmp_path,
                          env={"PYTHONPATH": str(ROOT), "PATH": ""}, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    shown = Page(done.stdout)
    assert ("void f() { cudaFree(0); }", "void f() { hipFree(0); }") in shown.lines
    assert (tmp_path / "a.hip").is_file()
