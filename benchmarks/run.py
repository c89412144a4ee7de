"""``make bench``: how fast, how much memory, against references measured in the same run on the same machine.

Each row gives the measured figure, the target, and a ratio to a reference that any machine has: one pass of Python's
``re`` over the same bytes, libclang's bare parse of the same file, or Python's own start. The ratios travel; the
milliseconds are this machine's. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import sources, trees

PYTHON = sys.executable
#: A lexer as small as one can be: the reference for what reading every token costs in Python.
WORDS = re.compile(rb"\w+|\s+|.")
CHILD = """
import resource, sys, time
from pathlib import Path
from hipify_py.engine import translate
data = Path(sys.argv[1]).read_bytes()
started = time.perf_counter()
result = translate(data, filename="large.cu")
spent = time.perf_counter() - started
failed = [each.message for each in result.diagnostics if each.code == "HPY902"]
if failed:
    sys.exit("not measured, rules failed: " + "; ".join(failed))
print(spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, len(result.edits))
"""


@dataclass(frozen=True)
class Row:
    """One line of the table: ``value`` and ``target`` are in ``unit``; ``ratio`` is to ``reference``."""

    name: str
    value: float
    unit: str
    target: str
    ratio: float
    reference: str


def best(work: Callable[[], object], repeat: int) -> float:
    """The shortest of some runs, in seconds: what the work costs when nobody disturbs it."""
    times = []
    for _ in range(repeat):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def command(*arguments: str, cwd: str | None = None) -> None:
    """Run a command and forget what it says; a translation's status 1 is an answer too."""
    done = subprocess.run(arguments, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(arguments)}: status {done.returncode}\n{done.stderr.decode(errors='replace')}")


def token_pass(data: bytes) -> int:
    """The reference: one pass of ``re`` over the bytes."""
    return sum(1 for _ in WORDS.finditer(data))


def warm(repeat: int) -> list[Row]:
    """translate() of the 500-line file in one process, with and without libclang."""
    from hipify_py.engine import translate
    from hipify_py.settings import Settings

    data = sources.source()
    tokens_only = Settings(semantics=False, verify=False)
    bare = best(lambda: token_pass(data), repeat)
    parse = best(lambda: clang_parse(data), repeat)
    for each in (Settings(), tokens_only):
        failed = [found.message for found in translate(data, filename="sample.cu", settings=each).diagnostics
                  if found.code == "HPY902"]
        if failed:
            raise SystemExit(f"not measured, rules failed: {'; '.join(failed)}")
    full = best(lambda: translate(data, filename="sample.cu"), repeat)
    lexed = best(lambda: translate(data, filename="sample.cu", settings=tokens_only), repeat)
    different, uses = sources.names(data)
    label = f"{data.count(10)} lines, {different} names, {uses} uses"
    return [Row(f"translate(), warm: {label}", full * 1e3, "ms", "60", full / parse, "libclang's bare parse"),
            Row("  the same without libclang", lexed * 1e3, "ms", "", lexed / bare, "one re pass")]


def lookups(repeat: int) -> list[Row]:
    """Loading all tables, and looking up 10,000 names in them for the first time."""
    from hipify_py.mapping import MappingTable, table

    def load() -> MappingTable:
        table._load.cache_clear()
        return MappingTable.load()

    loaded = best(load, repeat)
    words = list(load())[:10_000]
    first = float("inf")
    for _ in range(repeat):
        unasked = load().lookup  # one set of tables at a time, as translating has it
        first = min(first, best(lambda ask=unasked: list(map(ask, words)), 1))
    known: dict[bytes, int] = dict.fromkeys(words, 0)
    plain = best(lambda: list(map(known.get, words)), repeat)
    return [Row(f"load the tables: {len(load()):,} names", loaded * 1e3, "ms", "20", loaded / plain, "10,000 dict.get"),
            Row("look up 10,000 names for the first time", first * 1e3, "ms", "10", first / plain, "10,000 dict.get")]


def clang_parse(data: bytes) -> None:
    """The reference: what libclang takes for the same bytes, no header found, nothing asked."""
    import clang.cindex

    clang.cindex.Index.create().parse(
        "sample.cu", args=["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-nostdinc", "-std=c++17"],
        unsaved_files=[("sample.cu", data.decode())], options=0x200)


def cold(repeat: int, folder: Path) -> list[Row]:
    """The whole command, from a cold start."""
    path = folder / "sample.cu"
    path.write_bytes(sources.source())
    # As pip installs it: with compiled modules.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    call = (PYTHON, "-m", "hipify_py", str(path), "-o", "-")
    command(*call)
    start = best(lambda: command(PYTHON, "-c", "pass"), repeat)
    run = best(lambda: command(*call, "--no-cache"), repeat)
    again = best(lambda: command(*call), repeat)
    version = best(lambda: command(PYTHON, "-m", "hipify_py", "--version"), repeat)
    imports, spent = importtime()
    return [Row("hipify-py sample.cu -o -, cold", run * 1e3, "ms", "250", run / start, "python -c pass"),
            Row("  the same from the cache", again * 1e3, "ms", "", again / start, "python -c pass"),
            Row("hipify-py --version, cold", version * 1e3, "ms", "", version / start, "python -c pass"),
            Row(f"import hipify_py.cli: {imports} modules", spent * 1e3, "ms", "", spent / start, "python -c pass")]


def validation(repeat: int, folder: Path) -> list[Row]:
    """A case again, unchanged: everything that stands before its runs, and the whole command."""
    report = folder / "report.json"
    kernel = Path(__file__).resolve().parent.parent / "kernels" / "add"
    call = (PYTHON, "-m", "hipify_py", "validate", str(kernel), "--device", "cpu", "--offload-arch", "none", "-q", "--json",
            str(report))
    command(*call)
    bare = float("inf")  # a process that imports these two is the least that a run through hip-python takes
    whole, before = [], []
    for _ in range(repeat):
        bare = min(bare, best(lambda: command(PYTHON, "-c", "import numpy; from hip import hip"), 1))
        whole.append(best(lambda: command(*call), 1))
        runs = json.loads(report.read_text(encoding="utf-8"))["cases"][0]["runs"]
        before.append(whole[-1] - sum(run["seconds"] for run in runs))
    return [Row("hipify-py validate kernels/add, again, without its runs", min(before) * 1e3, "ms", "300", min(before) / bare,
                "import numpy, hip"),
            Row(f"  with its {len(runs)} runs", min(whole) * 1e3, "ms", "", min(whole) / bare, "import numpy, hip")]


def importtime() -> tuple[int, float]:
    """How many modules ``import hipify_py.cli`` loads beyond Python's own, and what it takes (seconds)."""
    done = subprocess.run([PYTHON, "-X", "importtime", "-c", "import hipify_py.cli"], capture_output=True, check=True)
    lines = [line.split(b"|") for line in done.stderr.splitlines() if line.count(b"|") == 2]
    names = [(name, int(total)) for _, total, name in lines[1:]]
    # The row of a package comes after those of what it imports; `site` is the last of the start-up.
    begin = max((place for place, (name, _) in enumerate(names) if name.strip() == b"site"), default=-1) + 1
    total = sum(spent for name, spent in names[begin:] if not name.startswith(b"  "))
    return len(names) - begin, total / 1e6


def tree(count: int, repeat: int, folder: Path) -> list[Row]:
    """A folder of files in one process on one core, the kernels in turn."""
    kernels = sorted(sources.KERNELS.glob("*/kernel.cu"))
    place = folder / "tree"
    place.mkdir()
    for number in range(count):
        kernel = kernels[number % len(kernels)]
        (place / f"{kernel.parent.name}_{number}.cu").write_bytes(kernel.read_bytes())
    start = best(lambda: command(PYTHON, "-c", "pass"), 3)
    run = best(lambda: command(PYTHON, "-m", "hipify_py", str(place), "--output-dir", str(folder / "out"), "-j", "1",
                               "--no-cache"), repeat)
    data = b"".join(path.read_bytes() for path in sorted(place.iterdir()))
    return [Row(f"a tree of {count} files ({data.count(10)} lines), -j 1, per file", run / count * 1e3, "ms", "20",
                run / count / start, "python -c pass")]


def project(count: int, folder: Path) -> list[Row]:
    """A tree as projects have them, on all cores: cold, unchanged, one file changed; and its memory."""
    source, out = folder / "project", folder / "translated"
    trees.make(source, count)
    call = ("-m", "hipify_py", str(source), "--output-dir", str(out), "-q")
    start = best(lambda: command(PYTHON, "-c", "pass"), 3)
    data = [path.read_bytes() for path in sorted(source.rglob("*")) if path.is_file()]
    lines = sum(text.count(b"\n") for text in data)
    changed = next(path for path in sorted(source.rglob("*.cu")))
    rows = []

    def measured(name: str, target: str, *, spoil: bool = False) -> None:
        times, memory = [], 0
        for _ in range(1 if name == "cold" else 3):
            if spoil:
                changed.write_bytes(changed.read_bytes() + b"//\n")
            spent, memory = timed(*call)
            times.append(spent)
        rows.append(Row(f"a project of {count} files ({lines} lines): {name}", min(times) * 1e3, "ms", target,
                        min(times) / start, "python -c pass"))
        if name == "cold":
            rows.append(Row(f"  its peak memory, the largest process of {os.cpu_count()} workers", memory / 1e6, "MB", "flat",
                            memory / sum(map(len, data)), "bytes of the files"))

    measured("cold", "12000")
    measured("unchanged", "1000")
    measured("one file changed", "1000", spoil=True)
    return rows


def fresh(folder: Path, size: int) -> Path:
    """A folder of its own, with a cache of its own."""
    own = folder / f"project-{size}"
    own.mkdir()
    os.environ["HIPIFY_PY_CACHE"] = str(own / "cache")
    return own


def timed(*arguments: str) -> tuple[float, int]:
    """Seconds and peak bytes of a command; of several processes, the largest."""
    started = time.perf_counter()
    process = subprocess.Popen([PYTHON, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    spent = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(arguments)}: status {process.returncode}")
    return spent, usage.ru_maxrss * 1024


def scaling(sizes: list[float], folder: Path) -> list[Row]:
    """Time for each megabyte and the largest memory, each size in a process of its own."""
    rows = []
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}
    for size in sizes:
        path = folder / "large.cu"
        path.write_bytes(sources.large(size))
        data = path.read_bytes()
        reference = best(lambda data=data: token_pass(data), 1)
        bytes_read = len(data)
        del data
        done = subprocess.run([PYTHON, "-c", CHILD, str(path)], capture_output=True, check=False, env=environment)
        if done.returncode:
            raise SystemExit(f"{size:g} MB: {done.stderr.decode(errors='replace').strip()}")
        spent, memory, edits = done.stdout.split()
        rows.append(Row(f"{size:g} MB, {int(edits)} edits, per MB", float(spent) / bytes_read * 1e9, "ms", "the same",
                        float(spent) / reference, "one re pass"))
        rows.append(Row(f"{size:g} MB, peak memory", float(memory) / 1e6, "MB", "300" if size >= 50 else "",
                        float(memory) / bytes_read, "bytes of the file"))
    return rows


def show(row: Row) -> None:
    """Print one line of the table."""
    print(f"{row.name:58} {row.value:9.1f} {row.unit:3} {row.target:>8}   {row.ratio:6.1f} x {row.reference}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer repeats, 40 files, up to 5 MB")
    parser.add_argument("--json", metavar="FILE", help="write the rows there too")
    parser.add_argument("--only", choices=("warm", "lookups", "cold", "tree", "project", "scaling", "validate"),
                        help="one part alone")
    options = parser.parse_args()
    repeat = 3 if options.quick else 10
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print(f"{'what':58} {'measured':>13} {'target':>8}   ratio to the reference")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["HIPIFY_PY_CACHE"] = str(folder / "cache")
        parts: dict[str, Callable[[], list[Row]]] = {
            "warm": lambda: warm(repeat),
            "lookups": lambda: lookups(repeat),
            "cold": lambda: cold(repeat, folder),
            "tree": lambda: tree(40 if options.quick else 200, 1 if options.quick else 3, folder),
            "project": lambda: [row for size in ((50,) if options.quick else (125, 500))
                                for row in project(size, fresh(folder, size))],
            "scaling": lambda: scaling([1, 5] if options.quick else [1, 5, 10, 25, 50], folder),
            "validate": lambda: validation(repeat, folder)}
        for part, work in parts.items():
            if options.only in (None, part):
                for row in work():
                    rows.append(row)
                    show(row)
    if options.json:
        Path(options.json).write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
