"""Settings: what a person may choose, frozen, the same for the command line, pyproject.toml and the API."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify_py.mapping import HeaderMapping, Mapping


class Syntax(Enum):
    """Whose spelling of launches or thread indices is written."""

    HIP = "hip"
    CUDA = "cuda"


@dataclass(frozen=True, slots=True)
class Version:
    """A HIP version, compared by major and minor number."""

    major: int
    minor: int

    @classmethod
    def parse(cls, text: str) -> Version:
        """Read ``X.Y`` (or ``X.Y.Z``).

        Raises:
            ValueError: The text is no version.
        """
        parts = text.split(".")
        if len(parts) < 2 or not all(part.isdigit() for part in parts):
            raise ValueError(f"`{text}` is not a version: write it as `6.4`")
        return cls(int(parts[0]), int(parts[1]))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


#: The HIP that every name is taken to exist in, unless its row says otherwise.
OLDEST = Version(5, 2)


def is_newer(since: str, wanted: Version) -> bool:
    """Whether a name came to HIP after the wanted version; 5.2, and nothing, stand for everything older too."""
    if not since:
        return False
    version = Version.parse(since)
    return version != OLDEST and (version.major, version.minor) > (wanted.major, wanted.minor)


@dataclass(frozen=True, slots=True)
class Settings:
    """How to translate.

    Args:
        launch_syntax: ``hip`` writes ``hipLaunchKernelGGL``, ``cuda`` keeps the chevrons, which hipcc accepts.
        thread_indices: ``hip`` writes ``hipThreadIdx_x``, ``cuda`` keeps ``threadIdx.x``, which hipcc accepts.
        unsafe_fixes: Also apply fixes that are likely, not provably, right.
        select: Only these codes (or prefixes, ``HPY3``) are reported; empty: all.
        ignore: These codes (or prefixes) are not reported.
        rocm: The oldest HIP that the result has to compile with; ``None``: any, from 5.2 on.
        offload_arch: Targets such as ``gfx90a``; empty: any.
        target_libraries: ``hip`` for the portable libraries (hipBLAS), ``roc`` for ROCm's own (rocBLAS).
        include_dirs: Folders for ``#include``, as ``-I``.
        defines: Macros, as ``-D`` (``NAME`` or ``NAME=VALUE``).
        standard: The language standard, as ``-std=``.
        clang_args: More arguments for libclang, as they are.
        skip_inactive: Leave branches that the preprocessor takes out as they are.
        semantics: Ask libclang what names mean; ``False`` works from tokens alone.
        renamed_sources: Real paths of the sources whose translation gets another name, and that name (or the last parts
            of its path, with ``/`` between them): includes follow.
        verify: Parse the result as HIP and report what newly fails.
        mappings: Rows of one's own tables, as :func:`hipify_py.read_mappings` gives them; they win over ours.
        annotate: Write the diagnostics as comments into the text.
        rules: More rules, as ``module:function``; they run in front of ours.
    """

    launch_syntax: Syntax = Syntax.HIP
    thread_indices: Syntax = Syntax.HIP
    unsafe_fixes: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rocm: Version | None = None
    offload_arch: tuple[str, ...] = ()
    target_libraries: str = "hip"
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    standard: str = "c++17"
    clang_args: tuple[str, ...] = ()
    skip_inactive: bool = False
    semantics: bool = True
    renamed_sources: tuple[tuple[str, str], ...] = ()
    verify: bool = True
    mappings: tuple[Mapping | HeaderMapping, ...] = ()
    rules: tuple[str, ...] = ()
    annotate: bool = False

    def reports(self, code: str) -> bool:
        """Whether diagnostics of this code are wanted."""
        if any(code.startswith(prefix) for prefix in self.ignore):
            return False
        return not self.select or any(code.startswith(prefix) for prefix in self.select)
