"""Build files: CMake, Make, setup.py and Meson, moved from nvcc and the CUDA toolkit to hipcc and ROCm.

What it does
------------
``hipify-py build-files CMakeLists.txt Makefile setup.py`` shows what would change and reports it line by line; ``-i`` or
``-o`` writes it. A build file among the inputs of ``hipify-py`` is treated the same way: its name decides. The files are
lexed, edits are token-exact, every other byte stays, and a second run changes nothing.

HPY501 is about CUDA as a language or package of the build, HPY502 about commands, variables and properties, HPY503 about
flags that became hipcc's, HPY504 about flags that have no counterpart, HPY505 about architectures, HPY506 about
libraries, HPY507 about libraries that HIP does not have, HPY508 about paths into a CUDA toolkit, HPY509 about sources,
HPY510 about what is left to look at.

Why is this bad
---------------
nvcc's flags either stop hipcc or, worse, mean something else to it: ``-lineinfo`` is a library called ``ineinfo``. CMake
ignores a ``.cu`` file without a word where CUDA is no language.

Example
-------
``-gencode arch=compute_80,code=sm_80 -Xcompiler -fPIC -use_fast_math -lcublas`` becomes
``--offload-arch=gfx90a -fPIC -ffast-math -lhipblas`` with ``--offload-arch gfx90a``.

Fix safety
----------
Architectures are never guessed: name yours with ``--offload-arch``. Without it a Makefile gets ``--offload-arch=native``,
the GPU of the machine that builds (ROCm 5.5 or later), and CMake and PyTorch choose by themselves.
"""

from __future__ import annotations

from enum import Enum


class BuildFile(Enum):
    """The kinds of build files that are known."""

    CMAKE = "cmake"
    MAKE = "make"
    SETUP_PY = "setup.py"
    MESON = "meson"


_NAMES = {"cmakelists.txt": BuildFile.CMAKE, "makefile": BuildFile.MAKE, "gnumakefile": BuildFile.MAKE,
          "setup.py": BuildFile.SETUP_PY, "meson.build": BuildFile.MESON}
_SUFFIXES = {".cmake": BuildFile.CMAKE, ".mk": BuildFile.MAKE, ".mak": BuildFile.MAKE}


def build_file(name: str) -> BuildFile | None:
    """Which kind of build file this is, by its name; None for everything else."""
    base = name.replace("\\", "/").rpartition("/")[2].lower()
    known = _NAMES.get(base)
    if known is None and base.startswith(("makefile.", "gnumakefile.")) and not base.endswith((".in", ".am")):
        return BuildFile.MAKE
    return known or _SUFFIXES.get(base[base.rfind(".") :] if "." in base else "")
