"""``python -m hipify_py.compat [OPTIONS] setup.py ...``: run a script with our hipify in the place of torch's."""

from __future__ import annotations

import argparse
import logging
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path


def main(argv: Sequence[str]) -> int:
    """Install, then run the script as ``__main__``, with its own arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m hipify_py.compat", allow_abbrev=False,
        description="Run a setup.py, or any other script, with this translator in the place of torch.utils.hipify.")
    parser.add_argument("--output-dir", metavar="DIR", help="where translations go; default: beside the sources, as torch does")
    parser.add_argument("--exclude", action="append", default=[], metavar="PATTERN", help="leave out (patterns as in .gitignore)")
    parser.add_argument("-q", "--quiet", action="store_true", help="only warnings and errors")
    parser.add_argument("script", help="the script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    given = parser.parse_args(argv)
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
    logging.getLogger("hipify_py").setLevel(logging.WARNING if given.quiet else logging.INFO)
    from hipify_py.compat.torch_hipify import install  # noqa: PLC0415 - after logging is set up, and --help is quick

    if not Path(given.script).is_file():
        sys.stderr.write(f"hipify-py: error: `{given.script}` is no file: name the script to run\n")
        return 2
    chosen = {"exclude": tuple(given.exclude)} if given.exclude else {}
    try:
        install(output_directory=given.output_dir, **chosen)
    except ImportError as error:
        sys.stderr.write(f"hipify-py: error: PyTorch cannot be imported ({error}): install it in this environment\n")
        return 2
    sys.argv = [given.script, *given.arguments]
    sys.path[0] = str(Path(given.script).parent.absolute())
    runpy.run_path(given.script, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
