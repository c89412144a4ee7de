"""What was generated from what, and what it looked like: so that edits by hand are seen, kept and mapped back.

Two files stand together. The manifest (JSON, one line an output) says of each output which source it comes from, the hashes
of both, and which lines belong together. The bases hold the text of each output as it was generated, one line each: the base
of a three-way merge. A text that is no longer needed goes, its hash stays: an old output that a checkout brings back is no
edit. While a run goes on, there is a journal too: a text is added to it before its output is written, so that after a
crash it is not taken for an edit, and the next run cleans up.

For a tree (``--output-dir DIR``) they lie in DIR, and may be committed with it. For a single output in no such tree they lie in
the user's cache folder: nothing is left beside the source.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.caches import digest
from hipify_py.files import InputError, write_atomic

if TYPE_CHECKING:
    from hipify_py.edits import EditSet
    from hipify_py.engine import Translation

MANIFEST = ".hipify-py-manifest.json"
BASES = ".hipify-py-bases"
JOURNAL = ".hipify-py-journal"
#: How many hashes of old outputs are kept.
OLD = 2000
#: Changes when the meaning of a field does.
FORMAT = 1


_IS_BASE = re.compile(rb"[0-9a-f]{64} ").match


@dataclass(frozen=True, slots=True)
class Record:
    """One output.

    Args:
        source: Path of the source, relative to the folder of the record's names.
        source_hash: SHA-256 of what was translated.
        output_hash: SHA-256 of what came out.
        lines: Where lines of the output belong to lines of the source, from 1: from each pair to the next, both count on
            together.
    """

    source: str
    source_hash: str
    output_hash: str
    lines: tuple[tuple[int, int], ...]


def hash_of(data: bytes) -> str:
    """The hash that records hold."""
    return sha256(data).hexdigest()


class Records:
    """The records of one folder of outputs.

    Args:
        root: The folder that names are relative to.
        home: The folder of the two files; by default the same.
    """

    def __init__(self, root: Path, home: Path | None = None) -> None:
        self.root = root
        self._home = home or root
        self._entries: dict[str, Record] | None = None
        self._changed: dict[str, Record] = {}
        self._bases: dict[str, bytes] | None = None
        self._announced: dict[str, bytes] = {}

    def find(self, output: Path) -> Record | None:
        """What is known about an output."""
        name = self._name(output)
        if self._entries is None:
            self._entries = self._read()
        return self._changed.get(name) or self._entries.get(name)

    def generated(self, output_hash: str) -> bool:
        """Whether a text of this hash was ever generated here, be it in a run that was killed."""
        return output_hash in self._known()

    def base(self, output_hash: str) -> bytes | None:
        """A text that was generated before; None if it is lost."""
        line = self._known().get(output_hash)
        if not line:
            return None
        try:
            data = zlib.decompress(b64decode(line, validate=True))
        except (ValueError, zlib.error):
            return None
        return data if hash_of(data) == output_hash else None

    def announce(self, text: bytes) -> None:
        """Note a text that is about to be written.

        Raises:
            InputError: The note cannot be written.
        """
        key = hash_of(text)
        known = self._known()
        if known.get(key):
            return
        known[key] = self._announced[key] = b64encode(zlib.compress(text, 6))
        path = self._home / JOURNAL
        try:
            self._home.mkdir(parents=True, exist_ok=True)
            with self._lock(), path.open("ab+") as stream:
                # What a killed run wrote last may have no line end.
                size = stream.seek(0, os.SEEK_END)
                stream.seek(max(size - 1, 0))
                torn = size and stream.read(1) != b"\n"
                stream.write((b"\n" if torn else b"") + key.encode() + b" " + known[key] + b"\n")
        except OSError as error:
            raise InputError(f"`{path}` cannot be written: {error.strerror or error}") from None

    def record(self, output: Path, source: Path, translation: Translation) -> None:
        """Note what an output is made of."""
        known = self.find(output)
        place = Path(os.path.relpath(os.path.realpath(source), os.path.realpath(self.root))).as_posix()
        hashes = hash_of(translation.source.data), hash_of(translation.text)
        if known is None or (known.source, known.source_hash, known.output_hash) != (place, *hashes):
            self._changed[self._name(output)] = Record(place, *hashes, line_map(translation.source.data, translation.edits))

    def orphans(self) -> list[Path]:
        """The outputs that are still there though their sources are gone."""
        if self._entries is None:
            self._entries = self._read()
        real = Path(os.path.realpath(self.root))
        return [self.root / name for name, entry in sorted(self._entries.items())
                if os.path.lexists(self.root / name) and not os.path.lexists(os.path.normpath(real / entry.source))]

    def close(self) -> None:
        """Write the manifest and the bases, if there is something new or a run before was killed; end the journal.

        Raises:
            InputError: It cannot be written.
        """
        if not self._changed and not os.path.lexists(self._home / JOURNAL):
            return
        try:
            self._home.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"the folder `{self._home}` cannot be created: {error.strerror or error}") from None
        with self._lock():
            # Another run may have written since; its entries stay.
            entries = {**self._read(), **self._changed}
            entries = {name: entry for name, entry in entries.items() if os.path.lexists(self.root / name)}
            write_atomic(self._home / MANIFEST, _as_json(entries))
            self._bases = None
            known = {**self._known(), **self._announced}  # a run beside this one may have ended the journal
            wanted = {entry.output_hash for entry in entries.values()} & known.keys()
            old = [each for each in known if each not in wanted][-OLD:]
            write_atomic(self._home / BASES, b"".join([*(each.encode() + b" \n" for each in old),
                                                       *(each.encode() + b" " + known[each] + b"\n" for each in sorted(wanted))]))
            try:
                (self._home / JOURNAL).unlink(missing_ok=True)
            except OSError as error:
                raise InputError(f"`{self._home / JOURNAL}` cannot be deleted: {error.strerror or error}") from None
        self._entries, self._changed, self._announced, self._bases = entries, {}, {}, None

    def _name(self, output: Path) -> str:
        return os.path.relpath(output.absolute(), self.root.absolute()).replace(os.sep, "/")

    def _read(self) -> dict[str, Record]:
        """The manifest; nothing of it where it is broken or newer than we are: outputs count as never seen then."""
        try:
            document = json.loads((self._home / MANIFEST).read_bytes())
            if document["format"] != FORMAT:
                return {}
            return {name: Record(str(row["source"]), str(row["source-sha256"]), str(row["output-sha256"]),
                                 tuple((int(line), int(other)) for line, other in row["lines"]))
                    for name, row in document["outputs"].items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return {}

    def _known(self) -> dict[str, bytes]:
        if self._bases is None:
            self._bases = {}
            for name in (BASES, JOURNAL):
                with suppress(OSError):
                    lines = (self._home / name).read_bytes().split(b"\n")
                    self._bases.update((line[:64].decode(), line[65:]) for line in lines if _IS_BASE(line))
        return self._bases

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Keep other runs from the two files; where locks do not work, the last run wins."""
        try:
            import fcntl  # noqa: PLC0415 - not on Windows

            handle = os.open(self._home, os.O_RDONLY)
        except (ImportError, OSError):
            yield
            return
        try:
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def line_map(source: bytes, edits: EditSet) -> tuple[tuple[int, int], ...]:
    """Pairs of lines (of the translation, of the source) from which both count on together; the first is (1, 1)."""
    pairs = [(1, 1)]
    place, line, shift = 0, 1, 0
    for edit in edits:
        added, removed = edit.text.count(b"\n"), source.count(b"\n", edit.start, edit.end)
        if not added and not removed:
            continue
        line += source.count(b"\n", place, edit.start)
        if added > removed:
            # The added lines come from where the edit stands.
            pairs += [(line + shift + number, line) for number in range(1, added + 1)]
        line += removed
        shift += added - removed
        place = edit.end
        if added != removed:
            pairs.append((line + shift, line))
    kept: list[tuple[int, int]] = []
    for pair in dict(pairs).items():
        if not kept or pair[0] - kept[-1][0] != pair[1] - kept[-1][1]:
            kept.append(pair)
    return tuple(kept)


def records_of(output: Path, tree: Path | None, cache: Path | None) -> Records | None:
    """The records that an output belongs to; None: to none.

    Those of the tree that is written, else of the nearest folder at or above that has a manifest, else of the output's folder
    in the user's cache folder.
    """
    if tree is not None:
        return Records(tree)
    folder = output.parent
    absolute = folder.absolute()
    for place in (absolute, *absolute.parents):
        with suppress(OSError):
            if (place / MANIFEST).is_file():
                return Records(place)
    if cache is None:
        return None
    return Records(folder, cache / "outputs" / digest([os.path.realpath(folder)]))


def search(output: Path, cache: Path | None) -> tuple[Records, Record] | None:
    """Look for an output's record, in the folders above it and in the cache folder."""
    folder = output.absolute().parent
    places = [Records(place) for place in (folder, *folder.parents)]
    single = records_of(output, None, cache)
    for records in [*places, *([single] if single is not None else [])]:
        found = records.find(output)
        if found is not None:
            return records, found
    return None


def _as_json(entries: dict[str, Record]) -> bytes:
    """One line an output, so that a diff of two manifests is short."""
    rows = [f"  {json.dumps(name)}: " + json.dumps({
        "source": entry.source, "source-sha256": entry.source_hash, "output-sha256": entry.output_hash,
        "lines": entry.lines}) for name, entry in sorted(entries.items())]
    return (f'{{\n "format": {FORMAT},\n "outputs": {{\n' + ",\n".join(rows) + "\n }\n}\n").encode()
