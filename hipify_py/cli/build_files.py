"""``hipify-py build-files FILE...``: move CMakeLists.txt, makefiles, setup.py and meson.build from CUDA to HIP."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hipify_py.cli import translate

_SAYS_WHERE = ("-i", "-o", "--inplace", "--output", "--output-dir", "--check", "--no-output", "--diff", "-inplace",
               "-h", "--help")


def main(argv: Sequence[str]) -> int:
    """Show what would change, or write it where ``-i`` or ``-o`` says so; return the exit status."""
    from hipify_py.build_files import build_file

    inputs = [word for word, previous in zip(argv, ("", *argv), strict=False)
              if not word.startswith("-") and previous not in ("-o", "--output", "--output-dir", "--offload-arch", "--rocm",
                                                               "--select", "--ignore", "--output-format")]
    wrong = next((word for word in inputs if build_file(word) is None), None)
    if wrong is not None:
        sys.stderr.write(f"hipify-py: error: `{wrong}` is no build file that is known: CMakeLists.txt, *.cmake, Makefile, "
                         "GNUmakefile, *.mk, setup.py and meson.build are\n")
        return 2
    writes = any(word in _SAYS_WHERE or word.startswith(("-o", "--output=", "--output-dir=")) for word in argv)
    return translate.main(argv if writes else ["--diff", *argv])
