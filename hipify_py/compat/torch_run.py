"""One call of torch's ``hipify``: which files there are, what each becomes, and in which order that is known.

A header that needs no translation keeps its name in an extension, and so do the includes of it. So a file can only be named
once its headers are: they come first, and where headers include each other in a circle, files are translated again until
nothing changes any more.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.compat.torch_names import header_rows, name_rows
from hipify_py.compat.torch_paths import EXTENSIONS
from hipify_py.compat.torch_request import Request, below
from hipify_py.compat.torch_results import (
    CURRENT,
    GENERATED,
    IGNORED,
    KEPT,
    NO_CHANGES,
    OK,
    HipifyResult,
    done,
    is_generated,
    with_breadcrumb,
)
from hipify_py.files import InputError, read_source, reason, write_atomic
from hipify_py.mapping import HeaderMapping, Support
from hipify_py.mapping.own import Row
from hipify_py.mapping.records import OWN
from hipify_py.own_headers import HEAD, is_nvidias
from hipify_py.report import log
from hipify_py.report.text import printable
from hipify_py.tree.cache import Cache, key_of, still
from hipify_py.tree.codec import decode, encode
from hipify_py.tree.disk import Disk, Mention
from hipify_py.tree.patterns import SOURCE_SUFFIXES
from hipify_py.tree.run import passes

if TYPE_CHECKING:
    from hipify_py.engine import Translation
    from hipify_py.settings import Settings

#: Sources by these names are translated when they are included, though torch does not know them.
_MORE_SUFFIXES = tuple(sorted(SOURCE_SUFFIXES.difference(EXTENSIONS)))


@dataclass(slots=True)
class _Source:
    """A file on its way."""

    path: str
    data: bytes
    includes: list[tuple[Mention, str]] = field(default_factory=list)
    target: str = ""  #: where its translation goes; empty as long as it needs none
    translation: Translation | None = None
    seen: tuple[tuple[str, str], ...] = ()  #: the targets of its headers when it was translated


class Run:
    """The files of one call, by their real paths."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._disk = Disk()
        self._cache = None if request.cache is None else Cache(request.cache)
        self._sources: dict[str, _Source] = {}
        self._taken: dict[str, str] = {}
        self._aliases: dict[str, str] = {}
        self.results: dict[str, HipifyResult] = {}

    def translate(self, files: Iterable[str], named: Iterable[str]) -> dict[str, HipifyResult]:
        """Translate files and the headers that they bring.

        Args:
            files: What was found in the project.
            named: What the caller names; taken whatever the patterns of the call say.

        Returns:
            The results by path, headers in front of the files that include them.
        """
        order: list[str] = []
        for path in (*named, *files):
            self._load(path, order)
        names = (each.name.decode("utf-8", "replace") for one in self._sources.values()
                 for each in self._disk.mentions(one.data))
        rows = (*name_rows(self._request.generation), *header_rows(names, self._request.generation))
        waiting = order
        while waiting:
            for real in waiting:
                self._translate(self._sources[real], rows)
            waiting = [real for real in order if self._renames(self._sources[real]) != self._sources[real].seen]
        for real in order:
            self._finish(self._sources[real])
        if self._cache is not None:
            self._cache.close()
        self.results |= {path: self.results[self._sources[real].path] for path, real in self._aliases.items()}
        return self.results

    def report(self, *, show_progress: bool, show_detailed: bool) -> None:
        """Log what needs a look, and what was done."""
        for one in self._sources.values():
            if one.translation is not None:
                log.diagnostics(one.translation)
        for path, each in self.results.items():
            if each.status.startswith("[failed"):
                log.LOG.error("%s", printable(f"{path}: not translated {each.status}"))
            elif each.status == KEPT:
                log.LOG.warning("%s", printable(f"{each.hipified_path}: used as it is, for it was not generated: remove it to "
                                                f"have {path} translated again"))
            elif show_progress:
                log.LOG.info("%s", printable(f"{path} -> {each.hipified_path} {each.status}"))
        if show_detailed:
            edits = sum(len(one.translation.edits) for one in self._sources.values() if one.translation is not None)
            log.LOG.info("files: %d, edits: %d", len(self.results), edits)

    def _load(self, path: str, order: list[str]) -> None:
        """Read a file and its headers; headers stand in front of it in the order."""
        todo: list[tuple[str, bool]] = [(path, False)]
        while todo:
            path, ready = todo.pop()
            real = os.path.realpath(path)
            if ready:
                order.append(real)
                continue
            if real in self._sources and path != self._sources[real].path:
                self._aliases[path] = real
            if real in self._sources or path in self.results:
                continue
            source = self._read(path)
            if source is None:
                continue
            self._sources[real] = source
            todo.append((path, True))
            todo.extend((each, False) for _, each in reversed(source.includes))

    def _read(self, path: str) -> _Source | None:
        request = self._request
        if request.skips(path):
            self.results[path] = done(None, IGNORED)
            return None
        try:
            data = read_source(Path(path))
        except InputError as error:
            self.results[path] = done(None, f"[failed: {error}]")
            return None
        if is_generated(data):
            self.results[path] = done(None, GENERATED)
            return None
        source = _Source(path, data)
        for mention in self._disk.mentions(data):
            if not mention.included:
                continue
            place = self._disk.find(mention, str(Path(path).parent), request.folders)
            found = None if place is None else os.path.normpath(place)
            if found is None:
                continue
            outside = not (below(found, request.root) or below(found, request.output))
            if request.takes(found, (*request.extensions, *_MORE_SUFFIXES)) and not (outside and _is_cudas(found)):
                source.includes.append((mention, found))
            elif not outside:
                self.results.setdefault(found, done(None, IGNORED))
        return source

    def _renames(self, one: _Source) -> tuple[tuple[str, str], ...]:
        """The headers of a file that get another name, and the end of that name that differs."""
        found = []
        for _, path in one.includes:
            real = os.path.realpath(path)
            header = self._sources.get(real)
            if header is not None and header.target and (end := self._end(path, header.target)):
                found.append((real, end))
        return tuple(dict.fromkeys(found))

    def _end(self, path: str, target: str) -> str:
        """The last parts of a target, from the first that is not the source's on."""
        old = Path(os.path.relpath(self._request.copy(path), self._request.output)).parts
        new = Path(os.path.relpath(target, self._request.output)).parts
        if old == new:
            return ""
        if len(old) != len(new):
            return new[-1] if new[-1] != old[-1] else ""
        first = next(index for index, part in enumerate(old) if part != new[index])
        return "/".join(new[first:])

    def _translate(self, one: _Source, rows: tuple[Row, ...]) -> None:
        one.seen = self._renames(one)
        try:
            settings = self._request.settings_of(one.path)
        except InputError as error:
            self.results[one.path] = done(None, f"[failed: {error}]")
            return
        settings = replace(
            settings, include_dirs=(*self._request.folders, *settings.include_dirs), renamed_sources=one.seen,
            mappings=(*rows, *self._left_folders(one), *settings.mappings))
        one.translation = self._translated(one, settings)
        if not one.target and (one.translation.changed or self._request.moves(one.path)):
            one.target = self._claim(one.path)

    def _translated(self, one: _Source, settings: Settings) -> Translation:
        """The translation of a file, from the cache or made."""
        from hipify_py.engine import translate  # noqa: PLC0415 - importing this module stays cheap

        key = None if self._cache is None else key_of(one.path, one.data, settings, self._disk)
        kept = None if self._cache is None or key is None else self._cache.get(key)
        if kept is not None:
            with suppress(ValueError):  # as good as none
                return decode(kept, one.path, one.data)
        made = translate(one.data, filename=one.path, settings=settings)
        if self._cache is not None and key is not None and not any(map(passes, made.diagnostics)) and still(
                one.path, one.data, settings, self._disk):
            self._cache.put(key, encode(made))
        return made

    def _left_folders(self, one: _Source) -> list[HeaderMapping]:
        """Rows for headers whose translation leaves the ``-I`` folder by which they were found."""
        rows = []
        for mention, path in one.includes:
            header = self._sources.get(os.path.realpath(path))
            name = mention.name.decode("utf-8", "replace")
            beside = os.path.normpath(f"{Path(one.path).parent}/{name}") == path and mention.quoted
            folder = next((each for each in self._request.folders if os.path.normpath(f"{each}/{name}") == path), None)
            if header is None or not header.target or beside or folder is None:
                continue
            place = os.path.relpath(header.target, self._request.copy(folder)).replace(os.sep, "/")
            if place.startswith("../"):
                rows.append(HeaderMapping(name, place, OWN, Support.YES, False, ""))
        return rows

    def _claim(self, path: str) -> str:
        """The target of a file, another one than torch's only where that is some other file's already."""
        target = self._request.target(path)
        if self._taken.get(target, path) != path:
            place = Path(self._request.copy(path))
            stem = place.stem + "_hip"
            suffix = Path(target).suffix
            while self._taken.get(target, path) != path:
                target, stem = str(Path(target).with_name(stem + suffix)), stem + "_hip"
        self._taken[target] = path
        return target

    def _finish(self, one: _Source) -> None:
        """Write what became of a file, and note its result."""
        if one.path in self.results or one.translation is None:
            return
        found = one.translation.diagnostics
        copy = self._request.copy(one.path)
        try:
            if not one.target:
                if copy != one.path:
                    self._write(copy, one.data, one.path)
                self.results[one.path] = done(copy, NO_CHANGES, found)
            elif one.target == one.path:
                written = self._write(one.path, one.translation.text, one.path)
                self.results[one.path] = done(one.path, OK if written else CURRENT, found)
            elif not self._request.apart and _is_somebodys(one.target):
                self.results[one.path] = done(one.target, KEPT, found)
            else:
                written = self._write(one.target, with_breadcrumb(one.translation.text), one.path)
                self.results[one.path] = done(one.target, OK if written else CURRENT, found)
        except InputError as error:
            self.results[one.path] = done(None, f"[failed: {error}]", found)

    def _write(self, path: str, data: bytes, source: str) -> bool:
        clean, folder = self._request.clean, Path(path).parent
        try:
            if clean is not None:
                clean.makedirs(str(folder), exist_ok=True)
            else:
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"the folder `{folder}` cannot be created: {reason(error)}") from None
        if clean is not None and not clean.keep_intermediates and path != source:
            clean.files_to_clean.add(path)
        return write_atomic(Path(path), data, like=Path(source))


def _is_cudas(path: str) -> bool:
    """Whether a header outside of the project is NVIDIA's: of an SDK, or of a library."""
    try:
        with Path(path).open("rb") as file:
            return is_nvidias(file.read(HEAD))
    except OSError:
        return False


def _is_somebodys(path: str) -> bool:
    """Whether an output is there that nobody generated."""
    try:
        return not is_generated(Path(path).read_bytes())
    except OSError:
        return False
