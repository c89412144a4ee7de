"""Which files of a tree CUDA concerns: those that hold it, that include such a file, or that one of these includes.

A word of CUDA's own (``cudaMalloc``, ``__global__``, ``threadIdx``, a CUDA header) is enough by itself. Words that others
use too (``float4``, ``half``, ``min``) count where a CUDA source includes the header they stand in, so that a host's own
``float4`` stays untouched.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from hipify_py.mapping import Kind, MappingTable
from hipify_py.names import COMMON_ATTRIBUTES, is_distinctive, looks_like_cuda
from hipify_py.tree.disk import Disk, Mention, mentions

#: Sources that are CUDA by their name.
CUDA_SUFFIXES = frozenset((".cu", ".cuh"))
_WORD = re.compile(rb"[A-Za-z_]\w*")
#: Tables with words that host code uses as well, unless they start with two underscores.
_SHARED_LIBRARIES = frozenset(("device", "low_precision", "rand"))
_UNMISTAKABLE = frozenset((Kind.ATTRIBUTE.value, Kind.BUILTIN.value))


class Graph:
    """The include graph of some files, and of the headers elsewhere that they lead to."""

    def __init__(self, disk: Disk, folders_of: Callable[[Path], Sequence[str]], table: MappingTable) -> None:
        self._disk = disk
        self._folders_of = folders_of
        self._table = table
        self._includes: dict[str, list[str]] = {}
        self._cuda: set[str] = set()
        self._verdicts: dict[bytes, bool] = {}

    def concerned(self, files: Iterable[Path], renamed: Callable[[Path], bool]) -> set[Path]:
        """The files that a translation concerns.

        Args:
            files: The sources and headers of a tree.
            renamed: Whether a file gets another name, so that those that include it have to follow.
        """
        own = {os.path.realpath(path): path for path in files}
        for real, path in own.items():
            self._visit(real, self._folders_of(path))
        includers: dict[str, list[str]] = {}
        for includer, named in self._includes.items():
            for each in named:
                includers.setdefault(each, []).append(includer)
        moved = [real for real, path in own.items() if renamed(path)]
        upwards = _reach([*self._cuda, *(each for real in moved for each in includers.get(real, ()))], includers)
        return {own[each] for each in _reach(upwards, self._includes) if each in own}

    def _visit(self, start: str, folders: Sequence[str]) -> None:
        """Look at a file and at the headers that it leads to."""
        todo = [start]
        while todo:
            path = todo.pop()
            if path in self._includes:
                continue
            try:
                data = Path(path).read_bytes()
            except OSError:
                data = b""
            named, found = mentions(data), []
            for each in named:
                place = self._disk.find(each, os.path.dirname(path), folders) if each.included else None  # noqa: PTH120
                if place is not None:
                    found.append(os.path.realpath(place))
            self._includes[path] = found
            if os.path.splitext(path)[1].lower() in CUDA_SUFFIXES or self.holds_cuda(data, named):  # noqa: PTH122
                self._cuda.add(path)
            todo += found

    def holds_cuda(self, data: bytes, named: Sequence[Mention]) -> bool:
        """Whether a text has something in it that only CUDA has."""
        if b"<<<" in data or any(each.included and self._table.header(each.name) for each in named):
            return True
        verdicts = self._verdicts
        for word in set(_WORD.findall(data)):
            verdict = verdicts.get(word)
            if verdict is None:
                verdict = verdicts[word] = self._is_cuda(word)
            if verdict:
                return True
        return False

    def _is_cuda(self, word: bytes) -> bool:
        if word in self._table.own or (looks_like_cuda(word) and is_distinctive(word)):
            return True
        row = self._table.lookup(word)
        if row is None or word in COMMON_ATTRIBUTES or row.kind == Kind.NAMESPACE.value:
            return False
        return row.library not in _SHARED_LIBRARIES or row.kind in _UNMISTAKABLE or word.startswith(b"__")


def _reach(start: Iterable[str], edges: dict[str, list[str]]) -> set[str]:
    """All that edges lead to, the start included."""
    found: set[str] = set()
    todo = list(start)
    while todo:
        each = todo.pop()
        if each not in found:
            found.add(each)
            todo += edges.get(each, ())
    return found
