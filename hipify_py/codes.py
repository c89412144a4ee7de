"""The table of codes: stable, one line each. Their pages are the docstrings of the rules (``hipify-py explain``).

HPY0xx input and parsing, 1xx names and headers, 2xx launches and device code, 3xx compiles but may compute something
else, 4xx no counterpart, 5xx build files, 9xx internal.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """One code: its kebab-case name, one line about it, and the module whose docstring is its page."""

    code: str
    name: str
    summary: str
    module: str


CODES: dict[str, Code] = {row[0]: Code(*row) for row in (
    ("HPY001", "no-semantics", "libclang was not asked, or could not be loaded", "hipify_py.clang.verify"),
    ("HPY002", "new-parse-error", "the translation does not parse as HIP where the CUDA source did", "hipify_py.clang.verify"),
    ("HPY101", "renamed", "a CUDA name became its HIP counterpart", "hipify_py.rules.renames"),
    ("HPY102", "unknown-name", "a name looks like CUDA and is in no table", "hipify_py.rules.renames"),
    ("HPY103", "header-replaced", "a CUDA header became its HIP counterpart", "hipify_py.rules.includes"),
    ("HPY104", "header-added", "`<hip/hip_runtime.h>` was added, which nvcc includes by itself", "hipify_py.rules.includes"),
    ("HPY105", "token-pasting", "a CUDA name is put together by a macro", "hipify_py.rules.macros"),
    ("HPY106", "name-in-string", "a string names a CUDA symbol, library or source", "hipify_py.rules.strings"),
    ("HPY107", "runtime-compiled-source", "a string is CUDA source for the runtime compiler", "hipify_py.rules.strings"),
    ("HPY111", "compiler-guard", "`__CUDACC__`, `__NVCC__`: which compiler is at work", "hipify_py.rules.guards"),
    ("HPY112", "arch-guard", "`__CUDA_ARCH__` has no value under HIP", "hipify_py.rules.guards"),
    ("HPY113", "version-guard", "a CUDA version number is compared", "hipify_py.rules.guards"),
    ("HPY114", "split-by-platform", "the author has already split this region by platform", "hipify_py.rules.guards"),
    ("HPY115", "one-type-for-two", "two CUDA types are one HIP type: overloads collide", "hipify_py.rules.collisions"),
    ("HPY116", "own-name", "a name from a table of one's own", "hipify_py.rules.own_names"),
    ("HPY117", "one-function-for-two", "definitions of two CUDA functions that are one in HIP",
     "hipify_py.rules.interposers"),
    ("HPY118", "header-in-tree", "a header under one of CUDA's names lies in the tree", "hipify_py.rules.includes"),
    ("HPY119", "young-name", "a name that an older HIP lacks was defined for it", "hipify_py.rules.young_names"),
    ("HPY120", "header-guard", "the include guard of a CUDA header, asked for in a condition", "hipify_py.rules.header_guards"),
    ("HPY201", "launch", "a kernel launch became `hipLaunchKernelGGL`", "hipify_py.rules.launches"),
    ("HPY202", "thread-index", "`threadIdx.x` became `hipThreadIdx_x`", "hipify_py.rules.builtins"),
    ("HPY203", "call-form", "a call takes other arguments in HIP", "hipify_py.rules.call_forms"),
    ("HPY204", "changed-signature", "the HIP function of this name takes other arguments", "hipify_py.rules.call_forms"),
    ("HPY205", "missing-member", "a struct has this member in CUDA and not in every HIP", "hipify_py.rules.members"),
    ("HPY206", "register-storage", "`register` is an error from C++17 on", "hipify_py.rules.language"),
    ("HPY207", "noinline-attribute", "`__noinline__` is a macro in HIP", "hipify_py.rules.language"),
    ("HPY208", "differs", "the HIP counterpart differs in something that compiles", "hipify_py.rules.renames"),
    ("HPY209", "device-pointer-arithmetic", "`CUdeviceptr` is an integer, `hipDeviceptr_t` a `void*`",
     "hipify_py.rules.device_pointers"),
    ("HPY210", "block-atomic", "an atomic of a block's scope became the device's", "hipify_py.rules.atomics"),
    ("HPY211", "intrinsic", "a device intrinsic became plain C++", "hipify_py.rules.intrinsics"),
    ("HPY212", "typed-assignment", "an assignment that only CUDA's types allow", "hipify_py.rules.assignments"),
    ("HPY213", "group-call", "a call that HIP's cooperative groups have late, or not at all", "hipify_py.rules.groups"),
    ("HPY214", "argument-type", "the HIP function takes or returns another type", "hipify_py.rules.argument_types"),
    ("HPY215", "missing-overload", "HIP has the function for fewer types", "hipify_py.rules.overloads"),
    ("HPY216", "grid-constant", "`__grid_constant__` was taken out", "hipify_py.rules.language"),
    ("HPY217", "surface-call", "HIP has one form of a surface's reads and writes", "hipify_py.rules.surfaces"),
    ("HPY218", "group-member", "a member that HIP's cooperative groups lack", "hipify_py.rules.group_members"),
    ("HPY219", "legacy-blas", "a call of cuBLAS's first interface, which had no handle", "hipify_py.rules.legacy_blas"),
    ("HPY220", "calling-convention", "a macro for a calling convention was taken out", "hipify_py.rules.language"),
    ("HPY301", "wave-size", "a number stands for the 32 lanes of a CUDA warp", "hipify_py.rules.warp_evidence"),
    ("HPY302", "warp-mask", "a warp collective with a 32-bit mask, or without a width", "hipify_py.rules.warp_sync"),
    ("HPY303", "narrow-vote", "a variable that holds a vote of 64 lanes was widened", "hipify_py.rules.warp_sync"),
    ("HPY304", "launch-bounds", "the second number of `__launch_bounds__` counts something else in HIP",
     "hipify_py.rules.launch_bounds"),
    ("HPY305", "ptx-differs", "inline PTX became C++ that differs in a unit or in subnormal numbers",
     "hipify_py.rules.inline_ptx"),
    ("HPY306", "texture-reference", "texture references are deprecated, surface references never were in HIP",
     "hipify_py.rules.textures"),
    ("HPY307", "already-in-hip", "a definition of the source clashes with one of HIP's", "hipify_py.rules.definitions"),
    ("HPY308", "shared-memory", "more shared memory than a block has on AMD GPUs", "hipify_py.rules.device_limits"),
    ("HPY309", "warp-match", "a match or reduction of a warp became a loop over its lanes", "hipify_py.rules.warp_match"),
    ("HPY310", "enumerator-value", "an enumerator with another number in HIP stands for an integer",
     "hipify_py.rules.enumerator_values"),
    ("HPY311", "grid-size", "a launch has more threads in one direction than HIP counts", "hipify_py.rules.grid_limits"),
    ("HPY312", "logical-warp", "a collective of CUB's for a warp, without its width", "hipify_py.rules.logical_warps"),
    ("HPY313", "lockstep", "steps in `volatile` memory without a barrier", "hipify_py.rules.lockstep"),
    ("HPY401", "no-counterpart", "a CUDA name has no HIP counterpart", "hipify_py.rules.renames"),
    ("HPY402", "header-without-counterpart", "a CUDA header has no HIP counterpart", "hipify_py.rules.includes"),
    ("HPY403", "inline-ptx", "PTX has no counterpart: the statement is to be written in C++", "hipify_py.rules.inline_ptx"),
    ("HPY404", "device-side", "a launch or a runtime call inside device code", "hipify_py.rules.device_limits"),
    ("HPY501", "build-language", "CUDA as a language or package of the build became HIP", "hipify_py.build_files"),
    ("HPY502", "build-name", "a command, variable or property of the build was renamed", "hipify_py.build_files"),
    ("HPY503", "build-flag", "a flag of nvcc became one of hipcc", "hipify_py.build_files"),
    ("HPY504", "build-flag-lost", "a flag or command of nvcc's builds has no counterpart", "hipify_py.build_files"),
    ("HPY505", "build-architecture", "NVIDIA architectures in a build file", "hipify_py.build_files"),
    ("HPY506", "build-library", "a CUDA library to link became its HIP counterpart", "hipify_py.build_files"),
    ("HPY507", "build-library-lost", "a CUDA library to link has no HIP counterpart", "hipify_py.build_files"),
    ("HPY508", "build-path", "a path leads into a CUDA toolkit", "hipify_py.build_files"),
    ("HPY509", "build-source", "a CUDA source in a build file is HIP now", "hipify_py.build_files"),
    ("HPY510", "build-leftover", "a CUDA tool or name in a build file needs a look", "hipify_py.build_files"),
    ("HPY901", "conflict", "two rules wanted the same text", "hipify_py.engine"),
    ("HPY902", "rule-failed", "a rule stopped with an internal error", "hipify_py.engine"),
)}
