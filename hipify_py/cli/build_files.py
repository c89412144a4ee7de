"""``hipify-py build-files FILE...``: move CMakeLists.txt, makefiles, setup.py and meson.build from CUDA to HIP."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from hipify_py.cli import translate

_SAYS_WHERE = ("-i", "-o", "--inplace", "--output", "--output-dir", "--check", "--no-output", "--diff", "-inplace")
_VALUED = ("-o", "--output", "--output-dir", "--root", "--offload-arch", "--rocm", "--select", "--ignore", "--output-format",
           "--baseline", "--stats-file", "--exclude")
_HELP = """\
usage: hipify-py build-files [OPTIONS] FILE_OR_FOLDER...

Show what build files become with HIP, as a diff, and what needs a look: CMakeLists.txt, *.cmake, Makefile, GNUmakefile,
*.mk, setup.py and meson.build. Of a folder, those that have CUDA in them.

options:
  -i, --inplace         write them
  --backup              with -i: keep NAME.prehip
  -o FILE, --output-dir DIR
                        write there
  --offload-arch GFX    the AMD targets, such as gfx90a; without it none is guessed
  --check               write nothing; exit 1 if a file would change
  -q, --quiet-warnings  no summaries; only errors
  --select, --ignore, --output-format, --baseline and others
                        as for sources: see `hipify-py --help`
"""


def main(argv: Sequence[str]) -> int:
    """Show what would change, or write it where ``-i`` or ``-o`` says so; return the exit status."""
    from hipify_py.files import InputError

    if "-h" in argv or "--help" in argv:
        print(_HELP, end="")  # noqa: T201 - the command's output
        return 0
    try:
        words = _named(argv)
    except InputError as error:
        sys.stderr.write(f"hipify-py: error: {error}\n")
        return 2
    writes = any(word in _SAYS_WHERE or word.startswith(("-o", "--output=", "--output-dir=")) for word in words)
    return translate.main(words if writes else ["--diff", *words])


def _named(argv: Sequence[str]) -> list[str]:
    """The arguments, with the build files of a folder in its place."""
    from hipify_py.build_files import build_file
    from hipify_py.files import InputError

    words: list[str] = []
    for word, previous in zip(argv, ("", *argv), strict=False):
        if word.startswith("-") or previous in _VALUED:
            words.append(word)
        elif Path(word).is_dir():
            from hipify_py.tree.builds import build_files_below

            found = build_files_below(Path(word))
            if not found:
                raise InputError(f"`{word}` holds no build file with CUDA in it: name the files")
            words += map(str, found)
        elif build_file(word) is None:
            raise InputError(f"`{word}` is no build file that is known: CMakeLists.txt, *.cmake, Makefile, GNUmakefile, *.mk, "
                             "setup.py and meson.build are")
        else:
            words.append(word)
    return words
