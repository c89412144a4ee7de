"""The arguments of a translation: our options, and the spellings of hipify-clang and hipify-perl."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

#: Options of hipify-clang and hipify-perl that have no meaning here, and how many values each takes.
IGNORED = {
    "allow-unsupported": 0, "clang-resource-directory": 1, "csv": 0, "cuda-path": 1, "cudnn": 0, "doc-format": 1,
    "doc-roc": 1, "experimental": 0, "extra-arg-before": 1, "gcc-toolchain": 1, "local-headers": 0,
    "local-headers-recursive": 0, "md": 0, "no-translate-builtin": 0, "no-translate-textures": 0,
    "no-undocumented-features": 0, "no-warnings-undocumented-features": 0, "nocudainc": 0, "nocudalib": 0,
    "o-hipify-perl-dir": 1, "o-python-map-dir": 1, "perl": 0, "python": 0, "save-temps": 0, "temp-dir": 1,
    "use-hip-data-types": 0, "use-default-preprocessor": 0, "versions": 0, "whitelist": 1, "cuda-gpu-arch": 1,
    "v": 0, "verbose": 0, "cuda-device-only": 0, "cuda-host-only": 0, "no-cuda-version-check": 0,
}

#: Their spelling -> ours.
FAMILIAR = {
    "amap": "--no-skip-inactive",
    "cuda-kernel-execution-syntax": "--launch-syntax=cuda",
    "default-preprocessor": "--skip-inactive",
    "hip-kernel-execution-syntax": "--launch-syntax=hip",
    "examine": "--examine",
    "miopen": "--target-libraries=roc",
    "no-backup": "--no-backup",
    "no-output": "--no-output",
    "print-stats": "--stats",
    "print-stats-csv": "--stats-csv",
    "roc": "--target-libraries=roc",
    "skip-excluded-preprocessor-conditional-blocks": "--skip-inactive",
}
#: The same with a value.
FAMILIAR_VALUED = {"exclude-dirs": "--exclude", "exclude-files": "--exclude", "extra-arg": "--clang-arg",
                   "o-dir": "--output-dir", "o-stats": "--stats-file"}

_EPILOG = """\
commands: validate CASES, build-files FILE..., explain CODE, query NAME, revert FILE:LINE, doctor (each with --help)

exit status: 0 all translated; 1 an error-level finding (a warning under --strict), or --check would change a file;
2 the input or the call is wrong. Results go to standard output, messages to standard error.

The options of hipify-clang and hipify-perl are taken too, with one dash or two (-inplace, -print-stats, -roc,
-examine, -o-dir, -exclude-dirs ...); those without a meaning here do nothing. `-inplace` with one dash keeps
NAME.prehip as they do, unless -no-backup is given. Defaults may stand in [tool.hipify-py] of pyproject.toml.
"""


class _Parser(argparse.ArgumentParser):
    """Errors as one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"hipify-py: error: {message} (see `hipify-py --help`)\n")


def parser() -> argparse.ArgumentParser:
    """The parser of a translation's arguments, behind :func:`familiar`."""
    top = _Parser(prog="hipify-py", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
                  usage="hipify-py [OPTIONS] FILE... [-- CLANG ARGS]",
                  description="Translate CUDA C++ to HIP; `kernel.cu` becomes `kernel.hip` beside it.", epilog=_EPILOG)
    add = top.add_argument
    add("inputs", nargs="*", metavar="FILE", help="sources, folders, or `-` for standard input")
    add("--cmake-dir", action="store_true", help="print the folder of HipifyPy.cmake (--make-fragment: of hipify-py.mk)")
    add("--version", action="store_true", help="print the version")

    out = top.add_argument_group("output")
    add = out.add_argument
    add("-o", "--output", metavar="FILE", help="write there; `-` is standard output")
    add("--output-dir", metavar="DIR", help="write there, in the layout of the input; `.cu` becomes `.hip`")
    add("--root", metavar="DIR", help="with --output-dir: files keep their places below DIR, however they are named")
    add("-i", "--inplace", action="store_true", help="replace the input")
    add("--backup", action=argparse.BooleanOptionalAction, default=False, help="with -i: keep NAME.prehip")
    add("--diff", action="store_true", help="print what would change, write nothing")
    add("--check", action="store_true", help="write nothing; exit 1 if an output is missing or stale")
    add("--no-output", action="store_true", help="write nothing, only report")
    add("--examine", action="store_true", help=argparse.SUPPRESS)
    add("--exit-non-zero-on-fix", action="store_true", help="exit 1 if a file was written (for commit hooks)")
    add("--output-format", choices=("text", "json", "sarif", "github", "html"), default="text", help="form of the report")
    add("--baseline", metavar="FILE", help="findings that are accepted: neither told nor counted")
    add("--update-baseline", action="store_true", help="accept all that is found: write it into the baseline")
    add("--annotate", action=argparse.BooleanOptionalAction, help="write the diagnostics as comments into the translation")
    add("--stats", action="store_true", help="count the edits and diagnostics by code")
    add("--stats-csv", action="store_true", help=argparse.SUPPRESS)
    add("--stats-file", metavar="FILE", help="write the counts there as CSV")
    add("--depfile", metavar="FILE", help="write the headers that each output depends on, in Make's syntax")
    add("-q", "--quiet", action="store_true", help="only diagnostics and errors")
    add("--quiet-warnings", action="store_true", help="no notes and warnings")
    add("--strict", action="store_true", default=None, help="warnings make the exit status 1")
    add("--reverse-map", metavar="FILE:LINE", help="print which line of the source a line of an output comes from")

    many = top.add_argument_group("folders")
    add = many.add_argument
    add("-j", "--jobs", type=int, default=0, metavar="N", help="processes (default: one a core)")
    add("--executor", metavar="dask://HOST:PORT", help="translate on a Dask cluster that shares the files")
    add("--exclude", action="append", default=[], metavar="PATTERN", help="leave out (patterns as in .gitignore)")
    add("--include", action="append", default=[], metavar="PATTERN", help="only these files are sources")
    add("--gitignore", action=argparse.BooleanOptionalAction, default=True, help="leave out what .gitignore names (default)")
    add("--rename-paths", action="store_true", help="with --output-dir: `cuda` in file and folder names becomes `hip`")
    add("--copy-others", action="store_true", help="with --output-dir: copy the files that have nothing to do with CUDA")
    add("--link-others", action="store_true", help="the same with links")
    add("--build-files", action="store_true", help="translate CMakeLists.txt, Makefile, setup.py and meson.build too")
    add("--cache", action=argparse.BooleanOptionalAction, default=True, help="keep translations for the next time (default)")
    add("--cache-dir", metavar="DIR", help="where; default: $HIPIFY_PY_CACHE, else hipify-py in the user's cache folder")

    how = top.add_argument_group("translation")
    add = how.add_argument
    add("--style", metavar="classic|native", help="`classic` (default) writes hipLaunchKernelGGL and hipThreadIdx_x; "
        "`native` keeps <<<>>> and threadIdx.x, which hipcc accepts")
    add("--launch-syntax", metavar="hip|cuda", help="the style of launches alone")
    add("--thread-indices", metavar="hip|cuda", help="the style of thread indices alone")
    add("--unsafe-fixes", action=argparse.BooleanOptionalAction, help="also apply fixes that are likely right")
    add("--select", action="append", default=[], metavar="CODES", help="report only these (HPY301, HPY3, names)")
    add("--ignore", action="append", default=[], metavar="CODES", help="do not report these")
    add("--rocm", metavar="X.Y", help="the oldest ROCm that has to compile the result")
    add("--offload-arch", action="append", default=[], metavar="GFX", help="targets such as gfx90a")
    add("--target-libraries", metavar="hip|roc", help="hipBLAS and so on (default), or rocBLAS and so on")
    add("--mapping", action="append", default=[], metavar="FILE", help="a table of your own names (CSV or JSON)")
    add("--plugins", action=argparse.BooleanOptionalAction, help="let installed plug-ins take part (default)")
    add("--skip-inactive", action=argparse.BooleanOptionalAction, help="leave inactive #if branches as they are")
    add("--verify", action=argparse.BooleanOptionalAction, help="parse the result as HIP (default)")

    parse = top.add_argument_group("parsing")
    add = parse.add_argument
    add("-p", dest="build", metavar="BUILD", help="folder of compile_commands.json: take each file's -I, -D, -std")
    add("-I", "--include-dir", action="append", default=[], metavar="DIR", help="a folder of headers")
    add("-D", "--define", action="append", default=[], metavar="NAME[=VALUE]", help="a macro")
    add("--std", metavar="STANDARD", help="language standard (`-std=c++17`)")
    add("--clang-arg", action="append", default=[], metavar="ARG", help=argparse.SUPPRESS)
    add("--stdin-filename", metavar="NAME", help="the name of standard input, for messages and headers beside it")
    return top


def familiar(arguments: Sequence[str], ours: argparse.ArgumentParser) -> tuple[list[str], list[str]]:
    """Bring arguments into our spelling.

    Args:
        arguments: As they were given.
        ours: What :func:`parser` made.

    Returns:
        The arguments for it, and those behind ``--`` for clang.
    """
    given = list(arguments)
    clang: list[str] = []
    if "--" in given:
        place = given.index("--")
        given, clang = given[:place], given[place + 1 :]
    known = {name[2:] for action in ours._actions for name in action.option_strings if name.startswith("--")}
    result: list[str] = []
    rest = iter(given)
    for word in rest:
        name, equals, value = word.lstrip("-").partition("=")
        if not word.startswith("-") or word == "-":
            result.append(word)
        elif name in FAMILIAR and not equals:
            result.append(FAMILIAR[name])
        elif name in FAMILIAR_VALUED:
            result.append(f"{FAMILIAR_VALUED[name]}={value if equals else next(rest, '')}")
        elif name in IGNORED:
            if not equals:
                for _ in range(IGNORED[name]):
                    next(rest, None)
        elif word == "-inplace":
            result += ["--inplace", "--backup"]
        elif not word.startswith("--") and len(name) > 1 and name in known:
            result.append("-" + word)
        else:
            result.append(word)
    if "--no-backup" in result:
        result = [word for word in result if word not in ("--backup", "--no-backup")]
    return result, clang
