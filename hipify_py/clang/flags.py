"""The arguments libclang gets: from the settings, with what only nvcc understands taken out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from hipify_py.settings import Settings

#: The version that the CUDA side of a source is read as.
CUDA_VERSION = 12040


class Dialect(Enum):
    """Which language a source is parsed as."""

    CUDA = "cuda"
    HIP = "hip"
    C = "c"


class Side(Enum):
    """Which of the two compilations of a source."""

    HOST = "host"
    DEVICE = "device"


@dataclass(frozen=True, slots=True)
class _Option:
    """What becomes of an argument: whether it takes the next one as its value, and what clang gets for it.

    ``{}`` in ``clang`` is the value; an empty one drops the argument.
    """

    value: bool = False
    clang: tuple[str, ...] = ()


_DROP, _DROP_VALUE = _Option(), _Option(value=True)

#: Arguments that stand alone or with ``=value``, or that take the next argument as their value.
_OPTIONS: dict[str, _Option] = {
    **dict.fromkeys(("-gencode", "--generate-code", "-Xcompiler", "--compiler-options", "-Xlinker", "--linker-options",
                     "-Xptxas", "--ptxas-options", "-Xnvlink", "--nvlink-options", "-Xarchive", "-ccbin",
                     "--compiler-bindir", "-arch", "--gpu-architecture", "-code", "--gpu-code", "-maxrregcount",
                     "--maxrregcount", "-o", "--output-file", "-diag-suppress", "--diag-suppress", "-diag-error",
                     "-diag-warn", "-Werror", "-odir", "--output-directory", "-MF", "-MT", "-MQ", "-x", "-L", "-l",
                     "--threads", "-t", "-rdc", "--relocatable-device-code", "-cudart", "--cudart", "-dlto",
                     "--default-stream", "-default-stream", "-ftz", "-prec-div", "-prec-sqrt", "-fmad",
                     "-isysroot", "--offload-arch", "--cuda-gpu-arch", "--cuda-path"), _DROP_VALUE),
    **dict.fromkeys(("-c", "-dc", "-dw", "-dlink", "-cubin", "-ptx", "-fatbin", "-lib", "-link", "-run", "-g", "-G",
                     "-lineinfo", "--generate-line-info", "--device-debug", "--debug", "--expt-relaxed-constexpr",
                     "-expt-relaxed-constexpr", "--expt-extended-lambda", "-expt-extended-lambda",
                     "--extended-lambda", "-extended-lambda", "--use_fast_math", "-use_fast_math", "--keep", "-keep",
                     "-res-usage", "--resource-usage", "-M", "-MM", "-MD", "-MMD", "-MP", "-E", "-S", "-shared",
                     "-restrict", "--restrict", "-w", "-v", "--verbose", "-dryrun", "--dryrun", "-m64", "--cuda-host-only",
                     "--cuda-device-only", "-fgpu-rdc"), _DROP),
    "-I": _Option(value=True, clang=("-I{}",)),
    "--include-path": _Option(value=True, clang=("-I{}",)),
    "-isystem": _Option(value=True, clang=("-isystem", "{}")),
    "--system-include": _Option(value=True, clang=("-isystem", "{}")),
    "-D": _Option(value=True, clang=("-D{}",)),
    "--define-macro": _Option(value=True, clang=("-D{}",)),
    "-U": _Option(value=True, clang=("-U{}",)),
    "--undefine-macro": _Option(value=True, clang=("-U{}",)),
    "-include": _Option(value=True, clang=("-include", "{}")),
    "--pre-include": _Option(value=True, clang=("-include", "{}")),
    "-std": _Option(value=True, clang=("-std={}",)),
    "--std": _Option(value=True, clang=("-std={}",)),
}
#: Arguments that are written in one piece with their value: what stands here goes to clang as it is.
_KEPT_PREFIXES = ("-I", "-D", "-U", "-std=", "-f", "-m")
#: What is followed by a path.
_WITH_PATH = frozenset(("-isystem", "-include"))
#: Of these, what would stop the parse or change what is asked.
_REFUSED_PREFIXES = ("-fsyntax-only", "-fsanitize", "-fplugin", "-fmodules", "-fpass-plugin", "-fbracket-depth", "-mllvm",
                     "-ftemplate-depth", "-fconstexpr", "-foffload", "-fcuda", "-fgpu")


def filtered(arguments: Sequence[str]) -> Iterator[str]:
    """What clang can use of a command line written for nvcc, hipcc or clang; inputs and unknown options are left out."""
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        option = _OPTIONS.get(name)
        if option is not None:
            if option.value and not equals:
                value = next(rest, "")
            yield from (piece.format(value) if "{}" in piece else piece for piece in option.clang if value)
        elif argument.startswith(_KEPT_PREFIXES) and not argument.startswith(_REFUSED_PREFIXES):
            yield argument


def absolute(arguments: Sequence[str]) -> tuple[str, ...]:
    """The same for a process with another working directory, as far as clang gets them."""
    found: list[str] = []
    for argument in filtered(arguments):
        if found and found[-1] in _WITH_PATH:
            found.append(str(Path(argument).absolute()))
        else:
            found.append(f"-I{Path(argument[2:]).absolute()}" if argument.startswith("-I") else argument)
    return tuple(found)


def include_dirs(settings: Settings) -> list[str]:
    """The folders that ``#include`` looks in, in order."""
    found = list(settings.include_dirs)
    previous = ""
    for argument in filtered(settings.clang_args):
        if previous == "-isystem":
            found.append(argument)
        elif argument.startswith("-I"):
            found.append(argument[2:])
        previous = argument
    return found


_LANGUAGE: dict[tuple[Dialect, Side], tuple[str, ...]] = {
    (Dialect.CUDA, Side.HOST): ("-x", "cuda", "--cuda-host-only"),
    (Dialect.CUDA, Side.DEVICE): ("-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80"),
    (Dialect.HIP, Side.HOST): ("-x", "hip", "--cuda-host-only"),
    (Dialect.HIP, Side.DEVICE): ("-x", "hip", "--cuda-device-only", "--offload-arch=gfx90a"),
    (Dialect.C, Side.HOST): ("-x", "c"),
    (Dialect.C, Side.DEVICE): ("-x", "c"),
}
_NO_SDK: dict[Dialect, tuple[str, ...]] = {
    Dialect.CUDA: ("-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-D__NVCC__=1", "-D__CUDACC__=1",
                   "-D__CUDACC_VER_MAJOR__=12",
                   "-D__CUDACC_VER_MINOR__=4", "-D__CUDACC_VER_BUILD__=0", "-D__CUDACC_RELAXED_CONSTEXPR__=1",
                   "-D__CUDACC_EXTENDED_LAMBDA__=1",
                   "-U__PTX__", "-U__NVPTX__"),  # clang's own macros, which neither nvcc nor HIP has
    Dialect.HIP: ("-nogpuinc", "-nogpulib", "-D__HIPCC__=1", "-D__HIP_PLATFORM_AMD__=1"),
    Dialect.C: (),
}
#: Deep nesting is what crashes a recursive parser: clang's own limits stay as they are.
_ALWAYS = ("-nostdinc", "-ferror-limit=0", "-w", "-Wno-everything", "-fno-spell-checking", "-fno-caret-diagnostics")


def clang_flags(settings: Settings, dialect: Dialect, side: Side, stubs: str) -> list[str]:
    """The arguments of one parse; ``stubs`` is the folder of our headers, ``stub.h`` and the others."""
    flags = [*_LANGUAGE[dialect, side], *_NO_SDK[dialect], *_ALWAYS]
    flags.append("-std=gnu17" if dialect is Dialect.C else f"-std={settings.standard}")
    flags.extend(f"-D{define}" for define in settings.defines)
    flags.extend(f"-I{folder}" for folder in settings.include_dirs)
    extra = list(filtered(settings.clang_args))
    if dialect is Dialect.C:
        extra = [flag for flag in extra if not flag.startswith("-std=")]
    flags.extend(extra)
    flags.extend(("-isystem", stubs))
    for header in ("stub.h", "std.h", "guess.h"):
        flags.extend(("-include", f"{stubs}/{header}"))
    return flags
