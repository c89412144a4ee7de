"""Killed runs, dying workers, hostile sources, other people's executors."""

from __future__ import annotations

import os
import pty
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from hipify_py import translate, translate_tree
from hipify_py.cli import main

COMMAND = [sys.executable, "-m", "hipify_py"]
CUDA = b"#include <cuda_runtime.h>\n__global__ void k(int *p) { p[threadIdx.x] = 1; }\nvoid f(int *p) { k<<<1, 2>>>(p); }\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sources(count: int, root: str = "src") -> dict[str, bytes]:
    """Sources with a header that some of them include."""
    files = {"deep/h.cuh": b"#pragma once\n" + CUDA.replace(b"k(", b"h(")}
    for number in range(count):
        files[f"{'deep/' * (number % 2)}k{number:02}.cu"] = b'#include "h.cuh"\n' * (number % 3 == 1) + CUDA * (1 + number % 4)
    for name, data in files.items():
        path = Path(root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return files


def contents(root: str) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(Path(root).rglob("*")) if path.is_file()}


def killed(call: list[str], delay: float) -> bool:
    """Run a command, kill it and all that it started after a while; whether it was still running."""
    process = subprocess.Popen([*COMMAND, *call], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    time.sleep(delay)
    alive = process.poll() is None
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return alive


class TestKilled:
    """A run that is killed at any moment: no source is lost, and the next run ends as an undisturbed one."""

    TIMES = 20

    def test_into_another_tree(self, here: Path) -> None:
        files = sources(16)
        call = ["src", "--output-dir", "out", "-q", "-j", "2"]
        shutil.copytree("src", "calm/src")
        started = time.monotonic()
        assert subprocess.run([*COMMAND, *call], cwd="calm", check=False).returncode == 0
        whole = time.monotonic() - started
        shutil.rmtree(os.environ["HIPIFY_PY_CACHE"])
        draw = random.Random(6)
        disturbed = 0
        for number in range(self.TIMES):
            disturbed += killed(call, draw.uniform(0.05, whole))
            assert contents("src") == files
            for name, data in contents("out").items() if Path("out").exists() else ():
                # An output is there or not, never half of one; what was being written has another name.
                assert name.startswith(".") or ".hipify-py-" in name or data == Path("calm/out", name).read_bytes()
            if number % 4 == 3:  # from the start again
                shutil.rmtree("out", ignore_errors=True)
                shutil.rmtree(os.environ["HIPIFY_PY_CACHE"], ignore_errors=True)
        assert disturbed >= 4
        # A temporary file of a process that is gone, as one killed in the middle of a write leaves it.
        Path("out/deep").mkdir(parents=True, exist_ok=True)
        gone = subprocess.Popen([sys.executable, "-c", ""])
        gone.wait()
        from hipify_py.files import host_tag

        Path(f"out/deep/.hipify-py-{host_tag()}-{gone.pid}-0123456789ab").write_bytes(b"half")
        Path("out/deep/k01.hip").unlink(missing_ok=True)
        assert main(call) == 0 and contents("src") == files and contents("out") == contents("calm/out")

    def test_in_place(self, here: Path) -> None:
        files = sources(8)
        shutil.copytree("src", "calm")
        assert main(["calm", "-i", "-q", "--no-cache"]) == 0
        draw = random.Random(7)
        for _ in range(self.TIMES):
            shutil.rmtree("src")
            sources(8)
            killed(["src", "-i", "--backup", "-q", "-j", "1"], draw.uniform(0.1, 0.5))
            for name, data in files.items():
                kept = Path("src", name + ".prehip")
                assert data in (Path("src", name).read_bytes(), kept.read_bytes() if kept.exists() else b"")
        assert main(["src", "-i", "--backup", "-q"]) == 0
        assert {name: data for name, data in contents("src").items() if not name.endswith(".prehip")} == contents("calm")


def children(parent: int) -> list[int]:
    """The processes that a process started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


def running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_workers_end_with_their_parent(here: Path) -> None:
    sources(60)
    process = subprocess.Popen([*COMMAND, "src", "--output-dir", "out", "-q", "-j", "2"], stderr=subprocess.DEVNULL)
    workers: list[int] = []
    for _ in range(500):
        workers = children(process.pid)
        if len(workers) >= 2 or process.poll() is not None:
            break
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert len(workers) >= 2
    for _ in range(100):
        if not any(map(running, workers)):
            return
        time.sleep(0.1)
    pytest.fail(f"still there: {[worker for worker in workers if running(worker)]}")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_hostile_sources_do_not_end_the_run(here: Path, jobs: str) -> None:
    sources(6)
    hostile = {"a.cu": b"{" * 120_000, "b.cu": b"struct a {" * 50_000, "c.cu": b"[{(" * 40_000, "z.cu": b"requires{" * 50_000}
    for name, data in hostile.items():
        Path("src", name).write_bytes(b"void g() { cudaFree(0); }\n" + data + b"\nvoid h() { cudaFree(1); }\n")
    done = subprocess.run([*COMMAND, "src", "--output-dir", "out", "-j", jobs], capture_output=True, check=False, timeout=120)
    assert done.returncode == 0 and done.stderr.count(b"libclang was not asked about this source") == len(hostile)
    assert len(list(Path("out").rglob("*.hip"))) == 6 + len(hostile)
    for name in hostile:
        assert b"hipFree(1)" in Path("out", name).with_suffix(".hip").read_bytes()


def test_one_bad_file_of_many(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sources(9)
    Path("src/bad.cu").write_bytes(b"\x7fELF\0\0")
    Path("src/gone.cu").symlink_to("nowhere")
    Path("out").mkdir()
    Path("out/deep").write_bytes(b"a file where a folder belongs")
    assert main(["src", "--output-dir", "out", "-j", "2"]) == 2
    said = capsys.readouterr().err
    assert "src/bad.cu" in said and "; 6 files failed: src/bad.cu, " in said.splitlines()[-1]
    assert len(list(Path("out").glob("*.hip"))) == 5 and Path("out/deep").is_file()


def test_a_full_disk(here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    sources(6)
    assert main(["src", "--output-dir", "calm", "-q"]) == 0
    real, calls = os.fsync, iter(range(100))

    def full(handle: int) -> None:
        if next(calls) in (2, 3):
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", full)
    assert main(["src", "--output-dir", "out"]) == 2
    said = capsys.readouterr().err
    assert said.count("cannot be written: no space left on device") == 2 and "; 2 files failed: src/" in said.splitlines()[-1]
    found, expected = contents("out"), contents("calm")
    outputs = {name: data for name, data in found.items() if not name.startswith(".")}
    assert outputs.items() <= expected.items() and len(outputs) == 5
    assert main(["src", "--output-dir", "out", "-q"]) == 0 and contents("out") == expected


def test_records_that_cannot_be_written_are_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from hipify_py.tree.records import BASES, JOURNAL, MANIFEST

    sources(3)
    Path("out", MANIFEST).mkdir(parents=True)
    assert main(["src", "--output-dir", "out"]) == 2
    said = capsys.readouterr().err
    assert MANIFEST in said and said.splitlines()[-1].endswith("; 1 file failed: out")
    assert len(list(Path("out").rglob("*.hip"))) == 3
    Path("out", MANIFEST).rmdir()
    Path("out", BASES).mkdir()
    assert main(["src", "--output-dir", "out", "-q"]) == 2 and BASES in capsys.readouterr().err
    Path("out", BASES).rmdir()
    assert main(["src", "--output-dir", "out", "-q"]) == 0 and not Path("out", JOURNAL).exists()
    Path("out", JOURNAL).mkdir()
    Path("src/k00.cu").write_bytes(CUDA + b"//\n")
    before = Path("out/k00.hip").read_bytes()
    assert main(["src", "--output-dir", "out", "-q"]) == 2 and JOURNAL in capsys.readouterr().err
    assert Path("out/k00.hip").read_bytes() == before, "what cannot be noted is not written"


class TestExecutors:
    """Any executor; what it loses is done here."""

    def expected(self) -> dict[str, bytes]:
        sources(7)
        translate_tree("src", "calm")
        return contents("calm")

    @pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
    def test_those_of_the_library(self, here: Path, kind: Any) -> None:
        expected = self.expected()
        with kind(3) as executor:
            result = translate_tree("src", "out", executor=executor)
            assert executor.submit(int, "3").result() == 3, "it is left running"
        assert not result.failures and contents("out") == expected

    def test_one_that_is_shut_down(self, here: Path) -> None:
        expected = self.expected()
        executor = ThreadPoolExecutor(1)
        executor.shutdown()
        assert not translate_tree("src", "out", executor=executor).failures and contents("out") == expected

    def test_one_whose_workers_die(self, here: Path) -> None:
        expected = self.expected()
        with ProcessPoolExecutor(2) as executor:
            executor.submit(os._exit, 1)
            assert not translate_tree("src", "out", executor=executor).failures
        assert contents("out") == expected

    def test_one_that_never_answers(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from hipify_py.tree import Job, Task, pool, run_jobs

        class Silent(Executor):
            def submit(self, *_: Any, **__: Any) -> Future[Any]:
                return Future()

        monkeypatch.setattr(pool, "_PATIENCE", 0.05)
        sources(2)
        answers = iter([True, True, False, False])
        lost = pool.Borrowed(Silent(), lambda: next(answers))
        jobs = [Job(Path(f"src/{name}"), Path(f"{name}.hip".replace("/", "_"))) for name in ("k00.cu", "deep/k01.cu")]
        made = list(run_jobs(jobs, Task(), pool=lost))
        lost.close()
        assert [each.written for each in made] == [True, True] and lost.lost == 2  # type: ignore[union-attr]

    def test_one_of_somebody_else(self, here: Path) -> None:
        class Odd(Executor):
            """Loses every second piece, in its own way."""

            count = 0

            def submit(self, work: Any, /, *arguments: Any, **more: Any) -> Future[Any]:
                self.count += 1
                future: Future[Any] = Future()
                if self.count % 2:
                    future.set_exception(LookupError("lost"))
                else:
                    future.set_result(work(*arguments, **more))
                return future

        expected, odd = self.expected(), Odd()
        assert not translate_tree("src", "out", executor=odd).failures
        assert contents("out") == expected and odd.count == 8

    def test_relative_folders_reach_other_working_directories(self, here: Path) -> None:
        Path("inc").mkdir()
        Path("inc/own.h").write_bytes(b"#pragma once\nstruct dim3 { int a; };\n")
        Path("src").mkdir()
        Path("src/a.cu").write_bytes(b"#include <own.h>\ndim3 mine; void f() { cudaFree(0); dim3 d; d.a = 1; }\n")
        from hipify_py import Settings

        with ProcessPoolExecutor(1, initializer=os.chdir, initargs=("/",)) as executor:
            far = translate_tree("src", "far", settings=Settings(include_dirs=("inc",)), executor=executor)
        near = translate_tree("src", "near", settings=Settings(include_dirs=("inc",)))
        assert [each.translation for each in far.files] == [each.translation for each in near.files]
        assert str(here) not in "".join(each.message for each in far.files[0].translation.diagnostics)


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    """A real cluster: a scheduler and two worker processes."""
    distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster:
        yield cluster


def address(cluster: Any) -> str:
    return "dask://" + cluster.scheduler_address.removeprefix("tcp://")


class TestDask:
    """``--executor dask://HOST:PORT`` on a LocalCluster of processes."""

    def test_a_tree(self, here: Path, dask: Any, capsys: pytest.CaptureFixture[str]) -> None:
        sources(9)
        assert main(["src", "--output-dir", "calm", "-q"]) == 0
        Path("src/bad.cu").write_bytes(b"\x7fELF\0\0")
        assert main(["src", "--output-dir", "out", "--executor", address(dask), "--no-cache"]) == 2
        assert "lost" not in capsys.readouterr().err and contents("out") == contents("calm")

    def test_workers_that_die(self, here: Path, dask: Any) -> None:
        """Dask gives the work of a dead worker to another one, and starts a new process in its place."""
        sources(40)
        assert main(["src", "--output-dir", "calm", "-q"]) == 0
        victims = [worker.pid for worker in dask.workers.values()]
        process = subprocess.Popen([*COMMAND, "src", "--output-dir", "out", "-q", "--no-cache", "--executor", address(dask)],
                                   stderr=subprocess.PIPE)
        for _ in range(2000):
            if len(list(Path("out").rglob("*.hip"))) >= 3:
                break
            time.sleep(0.01)
        os.kill(victims[0], signal.SIGKILL)
        said = process.communicate(timeout=120)[1]
        assert process.returncode == 0, said
        assert contents("out") == contents("calm")

    def test_a_file_that_kills_each_worker(self, here: Path, dask: Any, capsys: pytest.CaptureFixture[str],
                                           monkeypatch: pytest.MonkeyPatch) -> None:
        """Dask gives up after some workers, on what waited for them as well; here, one by one, the others are translated."""
        from hipify_py.tree import pool

        monkeypatch.setattr(pool, "perform", _deadly)
        sources(5)
        Path("src/die.cu").write_bytes(CUDA + b"// DIE\n")
        assert main(["src", "--output-dir", "out", "--executor", address(dask)]) == 2
        said = capsys.readouterr().err
        assert "`src/die.cu` was not translated: its process died" in said and " of the files with its workers" in said
        assert len(list(Path("out").rglob("*.hip"))) == 5

    def test_a_cluster_that_loses_all_its_workers(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")
        from hipify_py.tree import Job, Task, cluster, pool, run_jobs

        monkeypatch.setattr(pool, "_PATIENCE", 0.1)
        monkeypatch.setattr(cluster, "_WORKERLESS", 1)
        sources(1)
        with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0") as own, \
                cluster.cluster(address(own), None) as workers:
            own.scale(0)
            while own.workers:
                time.sleep(0.05)
            made = list(run_jobs([Job(Path("src/k00.cu"), Path("k.hip"))], Task(), pool=workers))
            workers.close()
        assert Path("k.hip").exists() and workers.lost == 1 and len(made) == 1

    def test_no_scheduler(self, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("distributed", reason="the extra `dask` is not installed")
        from hipify_py.tree import cluster

        monkeypatch.setattr(cluster, "_CONNECT", 1)
        sources(2)
        assert main(["src", "--output-dir", "out", "--executor", "dask://127.0.0.1:9"]) == 2
        assert "no Dask scheduler answers at `dask://127.0.0.1:9`" in capsys.readouterr().err.splitlines()[-1]

    @pytest.mark.parametrize("name", ["threads", "dask://", "tcp://x:1", ""])
    def test_no_executor(self, here: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
        sources(2)
        assert main(["src", "--output-dir", "out", "--executor", name]) == 2
        assert "write `dask://HOST:PORT`" in capsys.readouterr().err

    def test_without_the_package(self, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "distributed", None)
        sources(2)
        assert main(["src", "--output-dir", "out", "--executor", "dask://127.0.0.1:9"]) == 2
        assert "pip install 'hipify-py[dask]'" in capsys.readouterr().err

    def test_workers_that_do_not_see_the_files(self, here: Path, dask: Any, capsys: pytest.CaptureFixture[str],
                                               monkeypatch: pytest.MonkeyPatch) -> None:
        from hipify_py.tree import cluster

        sources(2)
        monkeypatch.setattr(cluster, "exists", _never)
        assert main(["src", "--output-dir", "out", "--executor", address(dask)]) == 2
        assert "does not see `src/" in capsys.readouterr().err

    def test_workers_of_another_version(self, here: Path, dask: Any, capsys: pytest.CaptureFixture[str],
                                        monkeypatch: pytest.MonkeyPatch) -> None:
        from hipify_py.tree import cluster

        sources(2)
        monkeypatch.setattr(cluster, "translator", _other_version)
        _other_version.calls = 0  # type: ignore[attr-defined]
        assert main(["src", "--output-dir", "out", "--executor", address(dask)]) == 2
        assert "another hipify-py" in capsys.readouterr().err


def _deadly(work: Any) -> Any:
    """What a worker does, but for one source."""
    from hipify_py.tree.work import perform

    if b"DIE" in work.data:
        os.kill(os.getpid(), signal.SIGKILL)
    return perform(work)


def _never(_: str) -> bool:
    return False


def _other_version() -> str:
    """Another answer in each process."""
    return f"{os.getpid()}"


def on_a_terminal(call: list[str]) -> tuple[int, str]:
    """Run a command with a terminal as standard error."""
    ours, theirs = pty.openpty()
    said: list[bytes] = []

    def read() -> None:
        try:
            while data := os.read(ours, 4096):
                said.append(data)
        except OSError:
            return

    process = subprocess.Popen([*COMMAND, *call], stderr=theirs, stdout=subprocess.DEVNULL)
    os.close(theirs)
    reader = threading.Thread(target=read)
    reader.start()
    status = process.wait()
    reader.join()
    os.close(ours)
    return status, b"".join(said).decode()


class TestProgress:
    """A bar on a terminal with many files, and nowhere else."""

    def test_many(self, here: Path) -> None:
        sources(24)
        status, said = on_a_terminal(["src", "--output-dir", "out", "-q"])
        assert status == 0 and "[" in said and "/25" in said and said.rstrip(" \r").rfind("\r") < len(said) - 1
        assert said.endswith("\r"), "it is taken away at the end"

    def test_few(self, here: Path) -> None:
        sources(5)
        assert on_a_terminal(["src", "--output-dir", "out", "-q"]) == (0, "")

    def test_no_terminal(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        sources(24)
        assert main(["src", "--output-dir", "out", "-q"]) == 0 and capsys.readouterr().err == ""


def test_results_are_not_kept_in_memory(here: Path) -> None:
    """Twice as many files take no more memory: what is kept of each is a few numbers."""
    from hipify_py.report import Mode, Report

    report = Report(quiet=True)
    made = translate(CUDA, filename="a.cu")
    from hipify_py.files import FileResult

    for _ in range(3):
        report.result(FileResult(Path("a.cu"), Path("a.hip"), made), Mode.WRITE)
    assert report.results == [] and (report.files, report.edits) == (3, 3 * len(made.edits))
