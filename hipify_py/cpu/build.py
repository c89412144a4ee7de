"""Building for the CPU device: the runtime library, and modules of kernels.

    runtime = build_runtime()            # the folder for ROCM_PATH
    module = build_module(Path("add.hip"), wave=64)   # a file for hipModuleLoad

Both are made once and then found in the cache.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from hipify_py.cpu import cache
from hipify_py.cpu.lower import lower
from hipify_py.cpu.toolchain import BuildError, Compiler, compile_with, find_compiler

__all__ = ["BuildError", "Sanitizer", "build_module", "build_runtime", "sanitizer_environment"]

Sanitizer = Literal["address", "thread", "undefined"]

INCLUDE = cache.HERE / "include"
SOURCES = cache.HERE / "src"
#: FMA contraction would make results depend on the compiler: off, as in the notes on tolerances.
_COMMON = ("-std=c++17", "-fPIC", "-ffp-contract=off", "-pthread")
#: The switch of stacks pushes in the middle of functions.
_OF_MACHINE: Mapping[str, tuple[str, ...]] = {"x86_64": ("-mno-red-zone",)}
_INCLUDE = re.compile(rb'^([ \t]*#[ \t]*include[ \t]*)"([^"\r\n]+)"', re.MULTILINE)
_HEADERS = (
    "hip/hip_fp16.h", "hip/hip_bf16.h", "hip/hip_bfloat16.h", "hip/hip_complex.h", "hip/hip_cooperative_groups.h",
    "hiprand/hiprand_kernel.h", "hip/hiprtc.h",
)
_DEVICE_WORDS = (b"__global__", b"__shared__", b"__device__", b"__constant__", b"<<<")


def _temporary_folder(name: str) -> Path:
    path = cache.folder() / "tmp" / f"{name}-{os.getpid()}"
    path.mkdir(parents=True, exist_ok=True)
    return path


def build_runtime() -> Path:
    """The folder with ``lib/libamdhip64.so`` and ``lib/libhiprtc.so``: what ``ROCM_PATH`` is to name.

    Raises:
        BuildError: there is no compiler, or it has found an error.
    """
    compiler = find_compiler()
    key = cache.digest(("runtime", cache.own_files_digest(), *compiler.command, compiler.version, sys.executable))
    root = cache.folder() / "runtime" / key
    library, rtc = root / "lib" / "libamdhip64.so", root / "lib" / "libhiprtc.so"
    if library.is_file() and rtc.is_file():
        return root
    scratch = _temporary_folder(f"runtime-{key}")
    try:
        sources = sorted(path for path in SOURCES.glob("*.cpp") if path.name != "hiprtc.cpp")
        flags = [*_common(compiler), "-O2", "-g1", "-fvisibility=hidden", "-shared", f"-I{INCLUDE}"]
        built = scratch / "libamdhip64.so"
        compile_with(compiler, [
            *flags, "-Wl,-soname,libamdhip64.so", "-Wl,-z,now", "-o", str(built), *map(str, sources), "-ldl",
        ], "the runtime library")
        built_rtc = scratch / "libhiprtc.so"
        package = cache.HERE.parent.parent
        compile_with(compiler, [
            *flags, "-Wl,-soname,libhiprtc.so", f'-DHIPCPU_PYTHON="{sys.executable}"', f'-DHIPCPU_PACKAGE="{package}"',
            "-o", str(built_rtc), str(SOURCES / "hiprtc.cpp"),
        ], "the library of hiprtc")
        cache.publish(built_rtc, rtc)
        cache.publish(built, library)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return root


def build_module(
    source: Path | bytes, *, wave: int, include_dirs: Sequence[Path] = (), defines: Mapping[str, str] | Sequence[str] = (),
    sanitize: Sanitizer | None = None, instances: Sequence[str] = (), optimize: str = "-O2", name: str = "",
) -> Path:
    """Compile HIP source to a module that ``hipModuleLoad`` of the CPU device takes.

    Args:
        source: a file, or the text itself.
        wave: the lanes of a wave, 32 or 64.
        include_dirs: where headers lie.
        defines: macros, as a mapping or as ``NAME=value``.
        sanitize: build with this sanitizer; see :func:`sanitizer_environment`.
        instances: templates to enter in the module's table, ``"dot<float, 256>"``.
        optimize: the compiler's switch for optimization.
        name: what messages call a source that is no file.

    Raises:
        BuildError: the compiler has found an error, or there is none.
    """
    if wave not in (32, 64):
        raise BuildError(f"a wave has 32 or 64 lanes, not {wave}")
    compiler = find_compiler()
    path = source if isinstance(source, Path) else None
    try:
        data = source.read_bytes() if isinstance(source, Path) else source
    except OSError as error:
        raise BuildError(f"cannot read `{source!s}`: {error.strerror}") from error
    macros = [f"{key}={value}" for key, value in defines.items()] if isinstance(defines, Mapping) else list(defines)
    shown = str(path.resolve()) if path else name or "program"
    key = cache.digest((
        "module", cache.own_files_digest(), *compiler.command, compiler.version, data, shown, str(wave), sanitize or "", optimize,
        "I", *map(str, include_dirs), "D", *macros, "T", *instances,
    ))
    final = cache.folder() / "modules" / f"{key}.so"
    manifest = final.with_suffix(".json")
    if final.is_file() and cache.read_inputs(manifest):
        return final
    runtime = build_runtime()
    scratch = _temporary_folder(f"module-{key}")
    try:
        built, inputs = _compile_module(compiler, scratch, data, shown, path, runtime, [
            *_module_flags(compiler, wave, sanitize, optimize), *(f"-I{directory}" for directory in include_dirs),
        ], include_dirs, instances, macros)
        final.parent.mkdir(parents=True, exist_ok=True)
        cache.write_inputs(manifest, inputs)
        return cache.publish(built, final)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _common(compiler: Compiler) -> list[str]:
    """What all is compiled with."""
    return [*_COMMON, *_OF_MACHINE.get(compiler.machine, ())]


def _module_flags(compiler: Compiler, wave: int, sanitize: Sanitizer | None, optimize: str) -> list[str]:
    flags = [
        # Line tables: a fault is told with its line.
        *_common(compiler), optimize, "-g1", "-w", "-shared", f"-DHIPCPU_WAVE={wave}", "-fno-semantic-interposition",
        "-Wl,-Bsymbolic", "-Wl,--wrap=__assert_fail", "-Wl,--wrap=abort", f"-I{INCLUDE}", "-include", "hip/hip_runtime.h",
    ]
    if compiler.gnu:
        # A unique symbol would be one for all modules of the process, and would keep a module from being unloaded.
        flags += ["-fno-gnu-unique"]
    if sanitize:
        flags += [f"-fsanitize={sanitize}", "-g", "-fno-omit-frame-pointer"]
        if sanitize == "undefined":
            flags += ["-fno-sanitize=vptr,function" if not compiler.gnu else "-fno-sanitize=vptr"]
    return flags


def _compile_module(
    compiler: Compiler, scratch: Path, data: bytes, shown: str, path: Path | None, runtime: Path, flags: list[str],
    include_dirs: Sequence[Path], instances: Sequence[str], macros: Sequence[str],
) -> tuple[Path, list[Path]]:
    """The built file, and the files beside the source that went into it."""
    headers = _Headers(scratch, include_dirs)
    text = headers.lower(data, path.resolve().parent if path else None)
    quoted = shown.replace("\\", "\\\\").replace('"', '\\"')
    tail = "".join(f'\nHIPCPU_KERNEL("{instance}", {instance})' for instance in instances)
    unit = scratch / "module.cpp"
    # The device's headers come first: a user's macro `N` or `T` must not reach into them.
    texts = [data, *(header.read_bytes() for header in headers.seen)]
    head = "".join(f"#include <{name}>\n" for name in _HEADERS if any(name.encode() in part for part in texts))
    for macro in macros:
        key, _, value = macro.partition("=")
        head += f"#define {key} {value if '=' in macro else '1'}\n"
    unit.write_bytes(head.encode() + f'#line 1 "{quoted}"\n'.encode() + text + tail.encode() + b"\n")
    built, dependencies = scratch / "module.so", scratch / "module.d"
    near = [f"-iquote{path.resolve().parent}"] if path else []
    compile_with(compiler, [
        *flags, *near, "-MMD", "-MF", str(dependencies), "-o", str(built), str(unit), f"-L{runtime / 'lib'}", "-lamdhip64",
    ], f"`{shown}`")
    return built, [*headers.seen, *_dependencies(dependencies, (scratch, INCLUDE))]


class _Headers:
    """The local headers of a source, lowered too where they hold device code."""

    def __init__(self, scratch: Path, include_dirs: Sequence[Path]) -> None:
        self._scratch = scratch
        self._dirs = [Path(directory) for directory in include_dirs]
        self._copies: dict[Path, Path | None] = {}
        self.seen: list[Path] = []

    def lower(self, data: bytes, near: Path | None) -> bytes:
        """Lower a text; its includes name the lowered copies."""

        def replace(match: re.Match[bytes]) -> bytes:
            copy = self._copy(os.fsdecode(match[2]), near)
            return match[0] if copy is None else match[1] + b'"' + os.fsencode(copy) + b'"'

        return _INCLUDE.sub(replace, lower(data))

    def _copy(self, name: str, near: Path | None) -> Path | None:
        for directory in ([near] if near else []) + self._dirs:
            path = directory / name
            if path.is_file():
                break
        else:
            return None
        path = path.resolve()
        if path in self._copies:
            return self._copies[path]
        data = path.read_bytes()
        self.seen.append(path)
        if not any(word in data for word in _DEVICE_WORDS) and not _INCLUDE.search(data):
            self._copies[path] = None
            return None
        copy = self._scratch / f"{len(self._copies)}-{path.name}"
        self._copies[path] = copy
        line = f'#line 1 "{path}"\n'.encode()
        once = b"#pragma once\n" if b"#pragma once" in data else b""
        copy.write_bytes(once + line + self.lower(data, path.parent))
        return copy


def _dependencies(file: Path, without: Iterable[Path]) -> list[Path]:
    """The files of a depfile that lie in none of these folders."""
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return []
    names = re.split(r"(?<!\\)\s+", text.replace("\\\n", " ").partition(":")[2].strip())
    paths = [Path(name.replace("\\ ", " ")) for name in names if name]
    return [path for path in paths if not any(folder in path.parents for folder in without)]


def sanitizer_environment(sanitize: Sanitizer) -> dict[str, str]:
    """The variables that a process needs which loads a module built with this sanitizer.

    Raises:
        BuildError: the compiler has no library of this sanitizer.
    """
    import subprocess  # noqa: PLC0415 - rarely needed

    compiler = find_compiler()
    name = {"address": "asan", "thread": "tsan", "undefined": "ubsan"}[sanitize]
    wanted = f"lib{name}.so" if compiler.gnu else \
        f"libclang_rt.{name}{'_standalone' if name == 'ubsan' else ''}-{compiler.machine}.so"
    answer = subprocess.run([*compiler.command, f"-print-file-name={wanted}"], capture_output=True, text=True, check=False)
    library = Path(answer.stdout.strip())
    if not library.is_absolute() or not library.is_file():
        if sanitize == "undefined":
            return {"UBSAN_OPTIONS": "print_stacktrace=1"}  # it comes with the module; only the thread stays unnamed
        raise BuildError(f"{compiler.name} has no library for `--sanitize {sanitize}`: install libasan and libtsan")
    options = {
        "address": ("ASAN_OPTIONS", "detect_leaks=0:handle_segv=0:detect_stack_use_after_return=0"),
        "undefined": ("UBSAN_OPTIONS", "print_stacktrace=1"),
        "thread": ("TSAN_OPTIONS", "report_signal_unsafe=0:history_size=4"),
    }[sanitize]
    return {"LD_PRELOAD": str(library.resolve()), options[0]: options[1]}
