"""Edits by hand in outputs: seen, kept, merged, told, and mapped back to the source."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipify_py import translate, translate_tree
from hipify_py.cli import main
from hipify_py.tree.merge import MIDDLE, OURS, THEIRS, merge, unresolved
from hipify_py.tree.records import BASES, JOURNAL, MANIFEST, Records, line_map

CUDA = b"""#include <cuda_runtime.h>
void a(void *p) {
    cudaFree(p);
}

void b(void *p) {
    cudaDeviceSynchronize();
}

void c(void *p) {
    cudaMemset(p, 0, 8);
}
"""
HIP = CUDA.replace(b"cuda_runtime", b"hip/hip_runtime").replace(b"cuda", b"hip")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("src").mkdir()
    Path("src/a.cu").write_bytes(CUDA)
    return tmp_path


def replaced(path: str, old: bytes, new: bytes) -> None:
    data = Path(path).read_bytes()
    assert old in data
    Path(path).write_bytes(data.replace(old, new))


TREE = ("src", "--output-dir", "out")
SINGLE = ("src/a.cu", "-o", "out.hip")


class TestMerge:
    """Texts of lines."""

    BASE = b"1\n2\n3\n4\n5\n6\n7\n8\n9\n"

    @pytest.mark.parametrize(("mine", "new", "merged"), [
        (BASE, BASE, BASE),
        (BASE.replace(b"2", b"two"), BASE.replace(b"8", b"eight"), BASE.replace(b"2", b"two").replace(b"8", b"eight")),
        (BASE.replace(b"5\n", b""), BASE + b"10\n", BASE.replace(b"5\n", b"") + b"10\n"),
        (BASE.replace(b"5", b"x"), BASE.replace(b"5", b"x"), BASE.replace(b"5", b"x")),
        (b"0\n" + BASE, BASE.replace(b"9\n", b""), b"0\n" + BASE.replace(b"9\n", b"")),
        (BASE, b"", b""), (b"", BASE, b""), (BASE[:-1], BASE.replace(b"1", b"one"), BASE.replace(b"1", b"one")[:-1]),
        (BASE.replace(b"\n", b"\r\n"), BASE, BASE.replace(b"\n", b"\r\n"))])
    def test_clean(self, mine: bytes, new: bytes, merged: bytes) -> None:
        assert merge(self.BASE, mine, new) == type(merge(b"", b"", b""))(merged, 0)

    @pytest.mark.parametrize(("mine", "new", "text"), [
        (b"5x\n", b"5y\n", b"4\n" + OURS + b"\n5x\n" + MIDDLE + b"\n5y\n" + THEIRS + b"\n6\n"),
        (b"", b"5y\n", b"4\n" + OURS + b"\n" + MIDDLE + b"\n5y\n" + THEIRS + b"\n6\n"),
        (b"5\na\n", b"5\nb\n", b"4\n5\n" + OURS + b"\na\n" + MIDDLE + b"\nb\n" + THEIRS + b"\n6\n")])
    def test_conflicts(self, mine: bytes, new: bytes, text: bytes) -> None:
        result = merge(self.BASE, self.BASE.replace(b"5\n", mine), self.BASE.replace(b"5\n", new))
        assert text in result.text and result.conflicts == unresolved(result.text) == 1

    def test_line_ends_of_the_file_and_a_last_line_without_one(self) -> None:
        result = merge(b"a\r\nb", b"a\r\nc", b"a\r\nd")
        assert result.text == b"\r\n".join((b"a", OURS, b"c", MIDDLE, b"d", THEIRS, b"")) and unresolved(result.text) == 1

    def test_without_a_base_every_difference_is_one(self) -> None:
        result = merge(None, b"1\n2\nx\n3\n", b"1\ny\n2\n3\n")
        assert result.conflicts == 2 and b"x\n" in result.text and b"y\n" in result.text

    LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"}\n", b"\n"]), max_size=12).map(b"".join)

    @settings(max_examples=200)
    @given(LINES, LINES, LINES)
    def test_laws(self, base: bytes, mine: bytes, new: bytes) -> None:
        assert merge(base, mine, base).text == mine and merge(base, base, new).text == new
        assert merge(base, mine, mine).text == mine
        result = merge(base, mine, new)
        assert result.conflicts == unresolved(result.text)
        if not result.conflicts:
            # What one side deleted and the other left is gone; a line that nobody wrote never appears.
            assert set(result.text.splitlines()) <= set((mine + new).splitlines())
        assert merge(base, new, mine).conflicts == result.conflicts


@pytest.mark.parametrize("call", [TREE, SINGLE], ids=["tree", "single"])
class TestRuns:
    """Re-translation."""

    def output(self, call: tuple[str, ...]) -> str:
        return "out/a.hip" if call is TREE else "out.hip"

    def test_edits_stay_and_the_new_translation_comes_in(self, here: Path, call: tuple[str, ...],
                                                         capsys: pytest.CaptureFixture[str]) -> None:
        out = self.output(call)
        assert main([*call]) == 0 and Path(out).read_bytes() == HIP
        replaced(out, b"hipFree(p);", b"hipFree(p);  // checked")
        os.utime(out, (1, 1))
        edited = Path(out).read_bytes()
        assert main([*call]) == 0 and main([*call, "--check"]) == 0
        assert "the output was up to date, with edits by hand" in capsys.readouterr().err
        assert Path(out).read_bytes() == edited and Path(out).stat().st_mtime == 1
        replaced("src/a.cu", b"0, 8", b"1, 9")
        assert main([*call, "--check"]) == 1
        assert "the output is stale, and edited by hand" in capsys.readouterr().err
        assert main([*call]) == 0
        assert "merged with the edits by hand in the output" in capsys.readouterr().err
        assert Path(out).read_bytes() == edited.replace(b"0, 8", b"1, 9")
        assert main([*call, "--check"]) == 0
        # And once more: the base is the last translation, not the first.
        replaced("src/a.cu", b"1, 9", b"2, 9")
        assert main([*call, "-q"]) == 0 and Path(out).read_bytes() == edited.replace(b"0, 8", b"2, 9")

    def test_what_nobody_edited_is_replaced(self, here: Path, call: tuple[str, ...]) -> None:
        assert main([*call, "-q"]) == 0
        replaced("src/a.cu", b"cudaFree(p)", b"cudaFree(q)")
        assert main([*call, "-q", "--check"]) == 1 and main([*call, "-q"]) == 0
        assert Path(self.output(call)).read_bytes() == HIP.replace(b"hipFree(p)", b"hipFree(q)")

    def test_conflicts_are_marked_once(self, here: Path, call: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
        out = self.output(call)
        main([*call, "-q"])
        replaced(out, b"hipFree(p)", b"hipFree(mine)")
        replaced("src/a.cu", b"cudaFree(p)", b"cudaFree(theirs)")
        assert main([*call]) == 1
        assert "1 conflict with edits by hand in the output: resolve what stands between" in capsys.readouterr().err
        marked = Path(out).read_bytes()
        assert OURS + b"\n    hipFree(mine);\n" + MIDDLE + b"\n    hipFree(theirs);\n" + THEIRS in marked
        replaced("src/a.cu", b"0, 8", b"1, 9")
        assert main([*call]) == 1 and main([*call, "--check"]) == 1 and Path(out).read_bytes() == marked
        Path(out).write_bytes(HIP.replace(b"hipFree(p)", b"hipFree(both)"))
        assert main([*call, "-q"]) == 0
        assert Path(out).read_bytes() == HIP.replace(b"hipFree(p)", b"hipFree(both)").replace(b"0, 8", b"1, 9")

    def test_a_deleted_output_comes_back(self, here: Path, call: tuple[str, ...]) -> None:
        main([*call, "-q"])
        Path(self.output(call)).unlink()
        assert main([*call, "-q", "--check"]) == 1 and main([*call, "-q"]) == 0
        assert Path(self.output(call)).read_bytes() == HIP

    def test_edits_that_match_the_new_translation(self, here: Path, call: tuple[str, ...]) -> None:
        main([*call, "-q"])
        for path, name in ((self.output(call), b"hipFree"), ("src/a.cu", b"cudaFree")):
            replaced(path, name + b"(p)", name + b"(q)")
        assert main([*call, "-q", "--check"]) == 0 and main([*call, "-q"]) == 0
        replaced("src/a.cu", b"cudaFree(q)", b"cudaFree(r)")
        assert main([*call, "-q"]) == 0 and Path(self.output(call)).read_bytes() == HIP.replace(b"hipFree(p)", b"hipFree(r)")

    def test_other_settings(self, here: Path, call: tuple[str, ...]) -> None:
        Path("src/a.cu").write_bytes(CUDA + b"__global__ void k(int *p) {\n    p[threadIdx.x] = 1;\n}\n")
        main([*call, "-q"])
        replaced(self.output(call), b"hipFree(p)", b"hipFree(q)")
        assert main([*call, "-q", "--style", "native"]) == 0
        text = Path(self.output(call)).read_bytes()
        assert b"threadIdx.x" in text and b"hipThreadIdx" not in text and b"hipFree(q)" in text


class TestRecords:
    """The manifest and the texts beside it."""

    def test_the_manifest_is_the_same_each_time(self, here: Path) -> None:
        Path("src/deep").mkdir()
        Path("src/deep/h.cuh").write_bytes(CUDA)
        found = []
        for folder, more in (("one", []), ("two", ["-j", "1"])):
            assert main(["src", "--output-dir", folder, "-q", *more]) == 0
            found.append([Path(folder, name).read_bytes() for name in (MANIFEST, BASES)])
        assert found[0] == found[1]
        outputs = json.loads(found[0][0])["outputs"]
        assert {name: row["source"] for name, row in outputs.items()} == {
            "a.hip": "../src/a.cu", "deep/h.cuh": "../src/deep/h.cuh"}
        assert str(here).encode() not in found[0][0]
        os.utime("one/" + MANIFEST, (1, 1))
        assert main(["src", "--output-dir", "one", "-q"]) == 0 and Path("one", MANIFEST).stat().st_mtime == 1

    def test_a_tree_may_move_with_its_records(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert main(["src", "--output-dir", "out", "-q"]) == 0
        replaced("out/a.hip", b"hipFree(p)", b"hipFree(q)")
        Path("other").mkdir()
        for name in ("src", "out"):
            Path(name).rename(Path("other", name))
        monkeypatch.chdir("other")
        monkeypatch.setenv("HIPIFY_PY_CACHE", str(here / "none"))
        replaced("src/a.cu", b"0, 8", b"1, 9")
        assert main([*TREE, "-q"]) == 0
        assert b"hipFree(q)" in Path("out/a.hip").read_bytes() and b"1, 9" in Path("out/a.hip").read_bytes()

    def test_nothing_lies_beside_a_single_output(self, here: Path) -> None:
        assert main(["src/a.cu", "-q"]) == 0
        assert sorted(path.name for path in Path("src").iterdir()) == ["a.cu", "a.hip"]

    def test_a_single_output_in_a_tree_is_recorded_there(self, here: Path) -> None:
        assert main([*TREE, "-q"]) == 0
        replaced("src/a.cu", b"cudaFree(p)", b"cudaFree(second)")
        assert main(["src/a.cu", "-o", "out/a.hip", "-q"]) == 0
        replaced("src/a.cu", b"cudaFree(second)", b"cudaFree(third)")
        assert main([*TREE, "-q"]) == 0
        assert Path("out/a.hip").read_bytes() == HIP.replace(b"hipFree(p)", b"hipFree(third)")

    def test_records_beside_sources_on_request(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        Path(MANIFEST).write_bytes(b"")
        assert main(["src/a.cu", "-q"]) == 0
        assert list(json.loads(Path(MANIFEST).read_bytes())["outputs"]) == ["src/a.hip"]
        monkeypatch.setenv("HIPIFY_PY_CACHE", str(here / "another machine"))
        replaced("src/a.hip", b"hipFree(p)", b"hipFree(mine)")
        assert main(["src/a.cu", "-q", "--check"]) == 0
        replaced("src/a.cu", b"0, 8", b"1, 9")
        assert main(["src/a.cu", "-q"]) == 0 and b"hipFree(mine)" in Path("src/a.hip").read_bytes()

    def test_a_stream_is_not_recorded(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        import io
        import sys

        Path(MANIFEST).write_bytes(b"")
        monkeypatch.setattr(sys, "stdin", type("In", (), {"buffer": io.BytesIO(CUDA)})())
        assert main(["-", "-o", "x.hip", "-q"]) == 0 and Path(MANIFEST).read_bytes() == b""

    def test_old_texts_go_their_hashes_stay(self, here: Path) -> None:
        made = []
        for number in range(4):
            Path("src/a.cu").write_bytes(CUDA + b"// %d\n" % number)
            assert main([*TREE, "-q"]) == 0
            made.append(Path("out/a.hip").read_bytes())
        lines = Path("out", BASES).read_bytes().splitlines()
        assert len(lines) == 4 and [len(line) > 65 for line in lines] == [False] * 3 + [True]
        # A checkout brings an old output back: it is stale, not edited.
        Path("out/a.hip").write_bytes(made[1])
        assert main([*TREE, "-q", "--check"]) == 1 and main([*TREE, "-q"]) == 0 and Path("out/a.hip").read_bytes() == made[3]

    @pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"format": 99, "outputs": {}}',
                                        b'{"format": 1, "outputs": {"a.hip": 1}}',
                                        b'{"format": 1, "outputs": {"a.hip": {"source": 1}}}', b"\xff\x00"])
    def test_a_broken_manifest(self, here: Path, damage: bytes) -> None:
        assert main([*TREE, "-q"]) == 0
        Path("out", MANIFEST).write_bytes(damage)
        assert main([*TREE, "-q"]) == 0 and main([*TREE, "-q", "--check"]) == 0
        assert json.loads(Path("out", MANIFEST).read_bytes())["outputs"]["a.hip"]

    def test_without_the_base_nothing_is_lost(self, here: Path) -> None:
        assert main([*TREE, "-q"]) == 0
        Path("out", BASES).write_bytes(Path("out", BASES).read_bytes()[:80])
        replaced("out/a.hip", b"hipFree(p)", b"hipFree(mine)")
        replaced("src/a.cu", b"0, 8", b"1, 9")
        assert main([*TREE, "-q"]) == 1
        text = Path("out/a.hip").read_bytes()
        assert b"hipFree(mine)" in text and b"hipFree(p)" in text and b"0, 8" in text and b"1, 9" in text

    def test_a_run_that_was_killed_behind_an_output(self, here: Path) -> None:
        """The output is new, the manifest is old: that is no edit."""
        assert main([*TREE, "-q"]) == 0
        old = Path("out", MANIFEST).read_bytes()
        replaced("src/a.cu", b"cudaFree(p)", b"cudaFree(second)")
        records = Records(Path("out"))
        records.announce(translate(Path("src/a.cu").read_bytes(), filename="a.cu").text)
        Path("out/a.hip").write_bytes(translate(Path("src/a.cu").read_bytes(), filename="a.cu").text)
        with Path("out", JOURNAL).open("ab") as stream:
            stream.write(b"torn")
        assert main([*TREE, "-q", "--check"]) == 0 and Path("out", JOURNAL).exists(), "a check writes nothing"
        replaced("src/a.cu", b"cudaFree(second)", b"cudaFree(third)")
        assert main([*TREE, "-q"]) == 0
        assert Path("out/a.hip").read_bytes() == HIP.replace(b"hipFree(p)", b"hipFree(third)")
        assert Path("out", MANIFEST).read_bytes() != old and main([*TREE, "-q", "--check"]) == 0
        assert not Path("out", JOURNAL).exists()

    @pytest.mark.parametrize("step", ["manifest", "bases", "journal"])
    def test_a_run_that_was_killed_while_it_recorded(self, here: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
        """The next run leaves what an undisturbed one leaves."""
        from hipify_py.tree import records as module

        real, name = module.write_atomic, {"manifest": MANIFEST, "bases": BASES, "journal": JOURNAL}[step]
        assert main([*TREE, "-q"]) == 0
        replaced("src/a.cu", b"cudaFree(p)", b"cudaFree(q)")
        assert main(["src", "--output-dir", "calm", "-q"]) == 0

        class Killed(BaseException):
            pass

        def kill(path: Path, *data: object, **more: object) -> bool:
            if path.name == name:
                raise Killed
            return real(path, *data, **more)  # type: ignore[arg-type]

        with monkeypatch.context() as patch:
            patch.setattr(module, "write_atomic", kill)
            patch.setattr(Path, "unlink", kill)
            with pytest.raises(Killed):
                main([*TREE, "-q"])
        assert Path("out", JOURNAL).exists() and main([*TREE, "-q"]) == 0
        assert Path("out", MANIFEST).read_bytes() == Path("calm", MANIFEST).read_bytes()
        bases = [[line for line in Path(folder, BASES).read_bytes().splitlines() if len(line) > 65] for folder in ("out", "calm")]
        assert bases[0] == bases[1] and not Path("out", JOURNAL).exists()

    def test_two_runs_into_one_folder_keep_both_records(self, here: Path) -> None:
        Path("src/b.cu").write_bytes(CUDA)
        assert main(["src/a.cu", "--output-dir", "out", "-q"]) == main(["src/b.cu", "--output-dir", "out", "-q"]) == 0
        assert sorted(json.loads(Path("out", MANIFEST).read_bytes())["outputs"]) == ["a.hip", "b.hip"]
        Path("out/a.hip").unlink()
        Path("src/b.cu").write_bytes(CUDA + b"//\n")
        assert main(["src/b.cu", "--output-dir", "out", "-q"]) == 0
        assert sorted(json.loads(Path("out", MANIFEST).read_bytes())["outputs"]) == ["b.hip"]

    def test_outputs_whose_sources_are_gone(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        Path("src/b.cu").write_bytes(CUDA)
        assert main([*TREE, "-q"]) == 0 and main([*TREE, "--check"]) == 0
        assert "gone" not in capsys.readouterr().err
        Path("src/b.cu").unlink()
        assert main([*TREE]) == 0 and Path("out/b.hip").exists()
        assert "outputs whose sources are gone: 1, remove them if nobody needs them (out/b.hip)" in capsys.readouterr().err
        assert main([*TREE, "--check"]) == 1
        Path("out/b.hip").unlink()
        assert main([*TREE, "--check"]) == 0

    def test_in_place_leaves_no_records(self, here: Path) -> None:
        assert main(["src", "-i", "-q"]) == 0 and len(list(Path("src").iterdir())) == 1

    def test_the_api_merges_too(self, here: Path) -> None:
        translate_tree("src", "out")
        replaced("out/a.hip", b"hipFree(p)", b"hipFree(q)")
        replaced("src/a.cu", b"0, 8", b"1, 9")
        result = translate_tree("src", "out").files[0]
        assert (result.edited, result.conflicts, result.written) == (True, 0, True)
        assert b"hipFree(q)" in Path("out/a.hip").read_bytes()


class TestLines:
    """Which line comes from which."""

    def test_every_line_of_a_translation(self) -> None:
        source = (b"// licence\nint x;\n\nvoid f() {\n    cudaFree(0);\n    a<<<1,\n        2>>>(3,\n        4);\n"
                  b"    cudaFree(1);\n}\n")
        made = translate(source, filename="a.cu")
        pairs = line_map(source, made.edits)
        assert pairs[0] == (1, 1) and made.text.count(b"\n") != source.count(b"\n")
        lines, old = made.text.split(b"\n"), source.split(b"\n")
        for number, line in enumerate(lines, 1):
            first, other = max(pair for pair in pairs if pair[0] <= number)
            come_from = old[other + number - first - 1]
            if line.strip() and (line in old or b"Free" in line):
                assert come_from.replace(b"cuda", b"hip").strip() == line.strip()

    def test_real_sources(self, kernel: Path) -> None:
        source = kernel.read_bytes()
        made = translate(source, filename=str(kernel))
        pairs = line_map(source, made.edits)
        old = source.split(b"\n")
        same = 0
        for number, line in enumerate(made.text.split(b"\n"), 1):
            first, other = max(pair for pair in pairs if pair[0] <= number)
            assert 1 <= other + number - first <= len(old)
            same += old[other + number - first - 1] == line
        # A line that no edit touches, and only such a line, is found as it is: but for those that many lines are like.
        touched = {number for edit in made.edits for number in range(source.count(b"\n", 0, edit.start),
                                                                     source.count(b"\n", 0, edit.end) + 1)}
        assert same >= len(old) - len(touched)

    def test_the_command(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        Path("src/a.cu").write_bytes(CUDA.partition(b"\n")[2])  # the include is added
        main([*TREE, "-q"])
        capsys.readouterr()
        lines = Path("out/a.hip").read_bytes().split(b"\n")
        assert lines[3].strip() == b"hipFree(p);" and lines[6].startswith(b"void b")
        for call in (["revert", "out/a.hip:4"], ["--reverse-map", "out/a.hip:4"], ["revert", "out/a.hip:4:5: "]):
            assert main(call) == 0
            assert capsys.readouterr().out == "src/a.cu:2\n"
        replaced("out/a.hip", b"void b", b"// mine\nvoid b")
        assert main(["revert", "out/a.hip:4", "out/a.hip:8", "out/a.hip:7"]) == 0
        out, err = capsys.readouterr()
        assert out == "src/a.cu:2\nsrc/a.cu:5\nsrc/a.cu:4\n"
        assert err.count("edited by hand") == 1 and "out/a.hip:7: this line" in err
        replaced("src/a.cu", b"void a", b"\nvoid a")
        assert main(["revert", "out/a.hip:4"]) == 0
        assert "has changed since" in capsys.readouterr().err

    def test_a_single_output(self, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        main(["src/a.cu", "-q"])
        monkeypatch.chdir("src")
        assert main(["revert", "a.hip:3"]) == 0 and capsys.readouterr().out == "a.cu:3\n"

    @pytest.mark.parametrize(("place", "words"), [
        ("src/a.cu:1", "is in no manifest"), ("gone.hip:1", "cannot be read"), ("out/a.hip", "write `FILE:LINE`"),
        ("out/a.hip:0", "has no line 0"), ("out/a.hip:999", "has no line 999"), ("out:1", "cannot be read"), (":", "no place")])
    def test_faults(self, here: Path, capsys: pytest.CaptureFixture[str], place: str, words: str) -> None:
        main([*TREE, "-q"])
        capsys.readouterr()
        assert main(["revert", place]) == 2
        out, err = capsys.readouterr()
        assert out == "" and words in err and err.count("\n") == 1


class TestQuiet:
    """``-q`` keeps summaries back, and not what makes the exit status 1."""

    def test_check_names_what_is_stale(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        Path("src/b.cu").write_bytes(CUDA)
        assert main([*TREE, "-q"]) == 0
        replaced("src/a.cu", b"void a", b"void aa")
        capsys.readouterr()
        assert main([*TREE, "--check", "-q"]) == 1
        out, err = capsys.readouterr()
        assert err == "src/a.cu -> out/a.hip: needs 4 edits; the output is missing or stale\n" and not out

    def test_check_names_outputs_without_a_source(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        Path("src/b.cu").write_bytes(CUDA)
        assert main([*TREE, "-q"]) == 0
        Path("src/b.cu").unlink()
        capsys.readouterr()
        assert main([*TREE, "-q"]) == 0
        assert capsys.readouterr().err == ""
        assert main([*TREE, "--check", "-q"]) == 1
        assert capsys.readouterr().err == \
            "outputs whose sources are gone: 1, remove them if nobody needs them (out/b.hip)\n"

    def test_conflicts(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main([*TREE, "-q"]) == 0
        replaced("out/a.hip", b"hipFree(p)", b"hipFree(mine)")
        replaced("src/a.cu", b"cudaFree(p)", b"cudaFree(theirs)")
        capsys.readouterr()
        assert main([*TREE, "-q"]) == 1
        assert "1 conflict with edits by hand" in capsys.readouterr().err
