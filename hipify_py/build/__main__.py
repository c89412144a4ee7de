"""``python -m hipify_py.build k.cu -o out/k.hip --depfile out/k.d``: one source and its headers, as a step of a build.

For ``HipifyPy.cmake``, ``hipify-py.mk`` and Meson; people call ``hipify-py``. An output that would not change
keeps its time. Exit 0, or 1 if something has no counterpart in HIP, or 2.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from hipify_py.build import Step, headers, run
from hipify_py.config import Options, options_for
from hipify_py.files import InputError, write_atomic


def main(argv: Sequence[str] | None = None) -> int:
    """Translate what the arguments name; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m hipify_py.build", description="Translate one source and its headers "
                                     "as a step of a build.")
    add = parser.add_argument
    add("source", metavar="SOURCE")
    add("-o", "--output", required=True, metavar="FILE")
    add("--root", metavar="DIR", help="the folder whose layout the headers keep; default: the source's own")
    add("--depfile", metavar="FILE")
    add("--touch", action="store_true", help="leave the output newer than its source and headers, as Make wants it; "
        "Ninja looks whether it changed")
    add("-I", "--include-dir", action="append", default=[], metavar="DIR")
    add("-D", "--define", action="append", default=[], metavar="NAME[=VALUE]")
    add("--std", metavar="STANDARD")
    add("--style", metavar="classic|native")
    add("--unsafe-fixes", action="store_true", default=None)
    add("--rocm", metavar="X.Y")
    add("--offload-arch", action="append", default=[], metavar="GFX")
    add("--target-libraries", metavar="hip|roc")
    add("--mapping", action="append", default=[], metavar="FILE")
    given = parser.parse_args(argv)
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    options = Options(include_dir=tuple(given.include_dir), define=tuple(given.define), std=given.std, style=given.style,
                      unsafe_fixes=given.unsafe_fixes, rocm=given.rocm, offload_arch=tuple(given.offload_arch),
                      target_libraries=given.target_libraries, mappings=tuple(given.mapping))
    try:
        return _translate(Path(given.source), Path(given.output), given.root, given.depfile, options, given.touch)
    except InputError as error:
        sys.stderr.write(f"hipify-py: error: {error}\n")
        return 2


def _translate(source: Path, output: Path, root: str | None, depfile: str | None, options: Options,
               touch: bool) -> int:
    settings = options_for(source, options).settings()
    base = source.parent if root is None else Path(root)
    inner = Path(os.path.realpath(source)).parent.relative_to(os.path.realpath(base))
    target = output.parent
    for _ in inner.parts:
        target = target.parent
    steps = [Step(source, output)]
    for header in headers(source, settings, base):
        place = target / Path(os.path.realpath(header)).relative_to(os.path.realpath(base))
        if os.path.realpath(place) != os.path.realpath(header):
            steps.append(Step(header, place))
    results = [run(step, settings) for step in steps]
    # A header that changed has to compile the source again in this very run: it is no output that the build knows.
    newest = max(step.source.stat().st_mtime for step in steps)
    if any(result.written for result in results) or (touch and output.stat().st_mtime < newest):
        os.utime(output)
    if depfile is not None:
        from hipify_py.report.depfile import depfile as rules  # noqa: PLC0415 - only when asked for

        write_atomic(Path(depfile), rules([(output, source, settings.include_dirs)]))
    return 1 if any(result.translation.errors for result in results) else 0


if __name__ == "__main__":
    raise SystemExit(main())
