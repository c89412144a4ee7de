"""Options: pyproject.toml, the command line, and what they mean together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipify_py.compile_commands import Flags, options_of
from hipify_py.config import Options, codes, forget, options_for, read_table
from hipify_py.files import InputError
from hipify_py.settings import Settings, Syntax, Version


@pytest.fixture(autouse=True)
def _fresh() -> None:
    forget()


def project(folder: Path, text: str) -> Path:
    path = folder / "pyproject.toml"
    path.write_text(text)
    return path


def test_nothing_chosen_is_the_default() -> None:
    assert Options().settings() == Settings()


def test_every_key_of_the_table(tmp_path: Path) -> None:
    path = project(tmp_path, """
[tool.hipify-py]
style = "native"
launch-syntax = "hip"
unsafe-fixes = true
select = ["HPY3", "no-counterpart"]
ignore = "HPY102"
rocm = "6.4"
offload-arch = ["gfx90a"]
target-libraries = "roc"
include-dir = ["include", "/usr/include"]
define = ["N=3"]
std = "c++20"
clang-args = ["-w"]
skip-inactive = true
verify = false
strict = true
exclude = ["third_party"]
""".replace("HPY3", "HPY4"))
    options = read_table(path)
    assert options.strict is True
    assert options.exclude == ("third_party",)
    assert options.settings() == Settings(
        launch_syntax=Syntax.HIP, thread_indices=Syntax.CUDA, unsafe_fixes=True, select=("HPY4", "HPY401"),
        ignore=("HPY102",), rocm=Version(6, 4), offload_arch=("gfx90a",), target_libraries="roc",
        include_dirs=(str(tmp_path / "include"), "/usr/include"), defines=("N=3",), standard="c++20",
        clang_args=("-w",), skip_inactive=True, verify=False)


def test_the_command_line_wins(tmp_path: Path) -> None:
    project(tmp_path, '[tool.hipify-py]\nstyle = "native"\nrocm = "6.0"\nselect = ["HPY1"]\ndefine = ["A"]\n')
    found = options_for(tmp_path / "a.cu", Options(rocm="6.4", select=("HPY4",), define=("B",)))
    assert (found.style, found.rocm, found.select, found.define) == ("native", "6.4", ("HPY4",), ("A", "B"))


def test_a_style_replaces_its_parts_below() -> None:
    below = Options(launch_syntax="cuda", thread_indices="cuda")
    assert Options(style="classic").over(below).settings() == Settings()
    assert Options(launch_syntax="hip").over(below).settings().thread_indices is Syntax.CUDA


def test_false_wins_over_true() -> None:
    assert Options(unsafe_fixes=False).over(Options(unsafe_fixes=True)).unsafe_fixes is False


def test_the_nearest_table_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    project(tmp_path, '[tool.hipify-py]\nrocm = "6.0"\n')
    project(tmp_path / "a", '[tool.black]\nline-length = 3\n')
    assert options_for(inner / "x.cu", Options()).rocm == "6.0"
    project(inner, '[tool.hipify-py]\nrocm = "5.7"\n')
    forget()
    assert options_for(inner / "x.cu", Options()).rocm == "5.7"


def test_other_projects_tables_need_no_parser(tmp_path: Path) -> None:
    project(tmp_path, "this is = = no toml")
    assert options_for(tmp_path / "x.cu", Options()) == Options()


@pytest.mark.parametrize(("text", "words"), [
    ('[tool.hipify-py]\nrokm = "6.4"\n', ":2: `rokm` is no option of [tool.hipify-py] (did you mean `rocm`?)"),
    ('\n\n[tool.hipify-py]\n\nstrict = "yes"\n', ":5: `strict` takes `true` or `false`"),
    ("[tool.hipify-py]\nrocm = 6.4\n", ':2: `rocm` takes a string: `rocm = "6.4"`'),
    ("[tool.hipify-py]\nselect = [1]\n", ":2: `select` takes a list of strings"),
    ('[tool.hipify-py]\nstyle = "clasic"\n', "`clasic` is no value of `style`: it is `classic` or `native`"),
    ('[tool.hipify-py]\nselect = ["HPY999"]\n', "`HPY999` in `select` is no code"),
    ('[tool.hipify-py]\nrocm = "new"\n', "`new` is not a version"),
    ('[tool.hipify-py]\nstyle = "native\n', ":2: no valid TOML"),
    ('[tool]\nhipify-py = 3\n', "`tool.hipify-py` is no table"),
], ids=range(9))
def test_faults_name_the_file_and_the_line(tmp_path: Path, text: str, words: str) -> None:
    path = project(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_table(path)
    assert str(caught.value).startswith(str(path)) and words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_that_cannot_be_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="cannot be looked for: file name too long"):
        options_for(tmp_path / ("x" * 300) / "a.cu", Options())
    real = Path.stat

    def stat(path: Path, **more: object) -> object:
        if "locked" in path.parts:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "stat", stat)
    forget()
    with pytest.raises(InputError, match="cannot be looked for: permission denied"):
        options_for(tmp_path / "locked" / "a.cu", Options())


def test_codes_may_be_names_and_prefixes() -> None:
    assert codes("select", ("hpy401", "no-counterpart", "HPY4", "HPY")) == ("HPY401", "HPY401", "HPY4", "HPY")
    for wrong in ("XYZ", "HPY7", "no-counterprt", " "):
        with pytest.raises(InputError, match="is no code"):
            codes("select", (wrong,))


def test_compile_commands(tmp_path: Path) -> None:
    build = tmp_path / "build"
    build.mkdir()
    (tmp_path / "a.cu").touch()
    (build / "compile_commands.json").write_text(json.dumps([
        {"directory": str(build), "file": "../a.cu",
         "command": "nvcc -I../include -isystem /sys -I=x --include-path p,q -DA -D B=1 --define-macro=C=2 "
                    "-std=c++14 --std c++17 -O2 -c '../a.cu'"},
        {"directory": str(build), "file": "b.cu", "arguments": ["nvcc", "-DX Y", "b.cu"]},
    ]))
    assert options_of(build, tmp_path / "a.cu") == Flags(
        (str(tmp_path / "include"), "/sys", str(build / "x"), str(build / "p"), str(build / "q")),
        ("A", "B=1", "C=2"), "c++17")
    assert options_of(build / "compile_commands.json", build / "b.cu").define == ("X Y",)
    # No compiler is called for a header: it is read with the folders that it may be read with.
    assert options_of(build, tmp_path / "header.h") == Flags(options_of(build, tmp_path / "a.cu").include_dir)
    merged = options_for(tmp_path / "a.cu", Options(include_dir=("mine",), define=("A=9",), std="c++20"), build)
    assert merged.include_dir[0] == "mine" and merged.define[-1] == "A=9" and merged.std == "c++20"


def test_compile_commands_of_cmake(tmp_path: Path) -> None:
    """CMake puts the folders of nvcc into a file; the host's compiler has options of its own."""
    (tmp_path / "inc.rsp").write_text('-I"/a b" -isystem=/sys @more.rsp')
    (tmp_path / "more.rsp").write_text("-DDEEP @more.rsp")
    (tmp_path / "compile_commands.json").write_text(json.dumps([
        {"directory": str(tmp_path), "file": "a.cu",
         "command": "nvcc -forward-unknown-to-host-compiler --options-file inc.rsp,gone.rsp -optf=gone.rsp @gone -DX -UY "
                    "-Xcompiler=-fPIC,-DHOST -Xcompiler '-I/host' --undefine-macro Z -iquote q -std=c++20 -x cu -c a.cu"}]))
    assert options_of(tmp_path, tmp_path / "a.cu") == Flags(
        ("/a b", "/sys", "/host", str(tmp_path / "q")), ("DEEP", "X", "HOST"), "c++20", ("Y", "Z"))
    assert options_for(tmp_path / "a.cu", Options(clang_args=("-w",)), tmp_path).clang_args == ("-UY", "-UZ", "-w")


@pytest.mark.parametrize(("text", "words"), [
    (None, "CMAKE_EXPORT_COMPILE_COMMANDS"), ("[", "is no JSON"), ("{}", "no compilation database"),
    ('[{"directory": "."}]', "entry without `file`"), ('[{"file": "a", "command": "\'"}]', "cannot be read"),
])
def test_faults_of_compile_commands(tmp_path: Path, text: str | None, words: str) -> None:
    if text is not None:
        (tmp_path / "compile_commands.json").write_text(text)
    with pytest.raises(InputError, match=words):
        options_of(tmp_path, tmp_path / "a.cu")
