"""Plug-ins are found by their entry points; a broken one is one clear line; without any, nothing is loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

RULE = '''
import re
from hipify_py.diagnostics import Diagnostic, Edit, Severity


def check(unit):
    for match in re.finditer(rb"\\bacme_(\\w+)", unit.data):
        yield Edit(match.start(), match.start() + 5, b"apex_", "ACME1")
    for match in re.finditer(rb"\\bcudaMalloc\\b", unit.data):
        yield Diagnostic("ACME2", Severity.WARNING, "use the pool", unit.range(unit.tokens.index_at(match.start())))


def breaks(unit):
    raise ValueError("no such luck")


def ours(unit):
    yield Edit(0, 1, b"x", "HPY101")


def nowhere(unit):
    yield Edit(5, 10**6, b"x", "ACME1")


def text(unit):
    yield Edit(0, 1, "x", "ACME1")


def nothing_at_all(unit):
    return None


def word(unit):
    yield "word"


def table():
    return [__file__.replace("acme_hip.py", "acme.csv"), pairs]


def bad_table():
    return __file__.replace("acme_hip.py", "none.csv")


pairs = {"acmeFree": "apexFree"}
later = {"acmeFree": "zenithFree", "acmeAlloc": "zenithAlloc"}
wrong_pairs = {"acme Free": "apexFree"}
no_strings = {"acmeFree": 3}


number = 7
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with one source."""
    (tmp_path / "a.cu").write_text("void f(void *p) { acme_go(); cudaMalloc(&p, 4); acmeAlloc(p); }\n")
    return tmp_path


def install(folder: Path, mappings: str = "", rules: str = "") -> None:
    """A distribution with these entry points, as pip leaves one behind."""
    site = folder / "site"
    (site / "acme_hip-1.0.dist-info").mkdir(parents=True)
    (site / "acme_hip.py").write_text(RULE)
    (site / "acme.csv").write_text("cuda,hip\nacmeAlloc,apexAlloc\n")
    (site / "acme_hip-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-hip\nVersion: 1.0\n")
    groups = {"hipify_py.mappings": mappings, "hipify_py.rules": rules}
    (site / "acme_hip-1.0.dist-info" / "entry_points.txt").write_text(
        "".join(f"[{group}]\n{line}\n" for group, line in groups.items() if line))


def command(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, (str(project / "site"), os.environ.get("PYTHONPATH", ""))))
    return subprocess.run([sys.executable, "-m", "hipify_py", "a.cu", "-o", "-", *arguments], cwd=project, capture_output=True,
                          text=True, check=False, env={**os.environ, "PYTHONPATH": path})


def test_tables_and_rules(project: Path) -> None:
    install(project, "acme = acme_hip:table", "acme = acme_hip:check")
    done = command(project)
    assert done.returncode == 0
    assert "apex_go(); cudaMalloc(&p, 4); apexAlloc(p);" in done.stdout  # reported by the plug-in, so not renamed by us
    assert "a.cu:1:30: warning: use the pool [ACME2]" in done.stderr
    assert command(project, "--strict").returncode == 1
    assert "ACME2" not in command(project, "--ignore", "ACME2").stderr


def test_the_order_of_tables(project: Path) -> None:
    (project / "a.cu").write_text("void f(void *p) { acmeAlloc(p); acmeFree(p); }\n")
    install(project, "a = acme_hip:table\nb = acme_hip:later")
    assert "zenithAlloc(p); zenithFree(p);" in command(project).stdout
    (project / "mine.json").write_text('{"acmeFree": "mineFree"}')
    assert "zenithAlloc(p); mineFree(p);" in command(project, "--mapping", "mine.json").stdout


def test_query_hears_them_too(project: Path) -> None:
    install(project, "acme = acme_hip:pairs")
    path = os.pathsep.join(filter(None, (str(project / "site"), os.environ.get("PYTHONPATH", ""))))
    for switch, status in ([], 0), (["--no-plugins"], 2):
        done = subprocess.run([sys.executable, "-m", "hipify_py", "query", "acmeFree", *switch], cwd=project, check=False,
                              capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
        assert done.returncode == status
        assert done.stdout.startswith("acmeFree -> apexFree\n") if status == 0 else "in no table" in done.stderr


def test_switched_off(project: Path) -> None:
    install(project, "acme = acme_hip:table", "acme = acme_hip:check")
    done = command(project, "--no-plugins")
    assert "acme_go(); hipMalloc(&p, 4); acmeAlloc(p);" in done.stdout
    (project / "pyproject.toml").write_text("[tool.hipify-py]\nplugins = false\n")
    assert command(project).stdout == done.stdout


@pytest.mark.parametrize(("mappings", "rules", "said"), [
    ("acme = acme_hip:nothing", "", "cannot be loaded: AttributeError"),
    ("acme = no_such_module:table", "", "cannot be loaded: ModuleNotFoundError"),
    ("acme = acme_hip:number", "", "gives no table"),
    ("acme = acme_hip:bad_table", "", "none.csv` cannot be read"),
    ("acme = acme_hip:wrong_pairs", "", "the dict: `acme Free` is no name"),
    ("acme = acme_hip:no_strings", "", "the dict: `3` is no string"),
    ("acme = acme_hip:breaks", "", "failed: TypeError"),
    ("", "acme = acme_hip:number", "is no function"),
])
def test_a_broken_plug_in_is_one_line(project: Path, mappings: str, rules: str, said: str) -> None:
    install(project, mappings, rules)
    done = command(project)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert said in done.stderr
    assert "`acme-hip`" in done.stderr


@pytest.mark.parametrize(("rule", "said"), [
    ("breaks", "no such luck"), ("ours", "the code `HPY101` is not one of a plug-in's own"),
    ("nowhere", "is no bytes for a place"),
    ("text", "is no bytes for a place"), ("nothing_at_all", "NoneType"), ("word", "not `str`"),
])
def test_a_rule_that_fails_costs_its_own_findings(project: Path, rule: str, said: str) -> None:
    install(project, "", f"acme = acme_hip:{rule}")
    done = command(project)
    assert "void f(void *p) { acme_go(); hipMalloc(&p, 4); acmeAlloc(p); }" in done.stdout
    assert f"error: the rule `acme_hip:{rule}` stopped" in done.stderr
    assert "HPY902" in done.stderr
    assert said in done.stderr


def test_a_module_is_a_rule_by_its_check(project: Path) -> None:
    install(project, "", "acme = acme_hip [fast]")
    assert "apex_go(); cudaMalloc(&p, 4);" in command(project).stdout


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_reports_have_their_codes(project: Path, form: str) -> None:
    install(project, "", "acme = acme_hip:check")
    done = command(project, "-o", "out.hip", "--output-format", form, "--stats")
    assert done.returncode == 0
    assert "ACME2" in done.stdout


def test_rules_of_ours_leave_what_a_plug_in_took(project: Path) -> None:
    (project / "a.cu").write_text("__global__ void k(int *p) { p[threadIdx.x] = 1; }\n")
    install(project, "", "acme = acme_hip:check")
    (project / "site" / "acme_hip.py").write_text(RULE.replace("cudaMalloc", "threadIdx"))
    done = command(project)
    assert "p[threadIdx.x] = 1;" in done.stdout
    assert "HPY901" not in done.stderr


def test_trees_take_them_to_their_processes(project: Path) -> None:
    install(project, "", "acme = acme_hip:check")
    (project / "b.cu").write_text("void g() { acme_b(); }\n")
    path = os.pathsep.join(filter(None, (str(project / "site"), os.environ.get("PYTHONPATH", ""))))
    subprocess.run([sys.executable, "-m", "hipify_py", "a.cu", "b.cu", "--output-dir", "out", "-j", "2"], cwd=project, check=True,
                   capture_output=True, env={**os.environ, "PYTHONPATH": path})
    assert "apex_go" in (project / "out" / "a.hip").read_text()
    assert "apex_b" in (project / "out" / "b.hip").read_text()
