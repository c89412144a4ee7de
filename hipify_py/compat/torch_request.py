"""What one call of torch's ``hipify`` asks for, and what that means for the places of files."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from hipify_py.compat.torch_names import Generation
from hipify_py.compat.torch_paths import hip_path, in_scope, walk

if TYPE_CHECKING:
    from hipify_py.settings import Settings


class Cleaner(Protocol):
    """What a caller's context for generated files has, ours or torch's."""

    keep_intermediates: bool
    files_to_clean: set[str]

    def makedirs(self, dn: str, exist_ok: bool = False) -> None:
        """Create a folder."""


@dataclass(frozen=True, slots=True)
class Request:
    """What one call asks for; paths are absolute.

    Args:
        root: The project.
        output: Where outputs go; the project itself for outputs beside the sources.
        extension: Whether it is an extension of PyTorch.
        folders: The ``-I`` folders.
        includes: Patterns of the files to take.
        ignores: Patterns of the files to leave.
        extensions: Ends of the names of files.
        skips: Whether the project's own patterns leave a file out.
        settings_of: How to translate a file.
        generation: PyTorch's names.
        clean: Takes generated files away afterwards.
        cache: Where translations are kept for the next time; None: nowhere.
    """

    root: str
    output: str
    extension: bool
    folders: tuple[str, ...]
    includes: tuple[str, ...]
    ignores: tuple[str, ...]
    extensions: tuple[str, ...]
    skips: Callable[[str], bool]
    settings_of: Callable[[str], Settings]
    generation: Generation
    clean: Cleaner | None = None
    cache: Path | None = None

    @property
    def apart(self) -> bool:
        """Whether outputs go to a folder of their own."""
        return self.output != self.root

    def target(self, path: str) -> str:
        """Where the translation of a file goes by the rule for names."""
        base, out = self.root, self.root
        if self.apart and below(path, self.output):
            base, out = self.output, self.output
        elif below(path, self.root):
            out = self.output
        inner = os.path.relpath(path, base).replace(os.sep, "/")
        return os.path.normpath(f"{out}/{hip_path(inner, extension=self.extension)}")

    def moves(self, path: str) -> bool:
        """Whether a file goes elsewhere even if it needs no translation: its folder gets another name, with all in it."""
        return not self.extension or Path(self.target(path)).parent != Path(self.copy(path)).parent

    def copy(self, path: str) -> str:
        """Where a file goes that needs no translation."""
        if self.apart and below(path, self.root) and not below(path, self.output):
            return os.path.normpath(f"{self.output}/{os.path.relpath(path, self.root)}")
        return path

    def takes(self, path: str, extensions: tuple[str, ...]) -> bool:
        """Whether a file is to be translated."""
        root = self.output if self.apart and below(path, self.output) else self.root
        return path.endswith(extensions) and in_scope(path, root, self.includes, self.ignores) and not self.skips(path)

    def files(self) -> list[str]:
        """The files of the project that the patterns take, sorted."""
        return [path for path in walk(self.root, self.includes, self.ignores, self.extensions)
                if not self.skips(path) and not (self.apart and below(path, self.output))]


def below(path: str, folder: str) -> bool:
    """Whether a path is a folder, or lies in it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
