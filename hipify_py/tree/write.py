"""Write outputs: never half of one, never over what a person wrote, and never again what is there already."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from hipify_py.engine import Translation
from hipify_py.files import (
    FileResult,
    InputError,
    check_output,
    default_output,
    host_tag,
    keep_backup,
    reason,
    same_file,
    write_atomic,
)
from hipify_py.tree.plan import Job
from hipify_py.tree.records import Records, hash_of, records_of

_LEFT = re.compile(r"\.hipify-py-([0-9a-f]{8})-(\d+)-[0-9a-f]{12}")


class Writer:
    """Takes the translations of one run to their places.

    Args:
        write: Whether to write at all.
        backup: Keep ``NAME.prehip`` of files that are changed in place.
        make_folders: Create the folders of outputs.
        tree: The folder of all outputs.
        state: The folder for the records of single outputs.
        record: Whether to record outputs, and to look for edits by hand.
    """

    def __init__(self, write: bool, backup: bool, make_folders: bool, tree: Path | None, state: Path | None,
                 record: bool = True) -> None:
        self._write = write
        self._backup = backup
        self._make_folders = make_folders
        self._tree = tree
        self._state = state
        self._record = record
        self._records: dict[Path, Records | None] = {}
        self._tidied: set[Path] = set()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> str:
        """Write the records; return what went wrong with those of a tree, in one line, or nothing.

        Outputs stand then, but without their records, edits by hand are not told apart the next time. For single outputs
        nothing is said: the user's cache folder may well be read-only.
        """
        fault = ""
        for records in self._records.values():
            try:
                if records is not None and self._write:
                    records.close()
            except InputError as error:
                fault = f"what was generated cannot be recorded, remove what is in the way: {error}"
        self._records.clear()
        return fault if self._tree is not None else ""

    def finish(self, job: Job, translation: Translation) -> FileResult:
        """Write the result of a job, or find out whether its output is stale.

        Raises:
            InputError: It cannot be written; what was there is as it was.
        """
        if job.output is None:
            if translation.changed:
                default_output(job.source)  # says what to do
            return FileResult(job.source, job.source, translation)
        text, in_place = translation.text, same_file(job.source, job.output)
        old = _read(job.output)
        edited, base = False, None
        records = None if in_place or not self._record else self._records_of(job.output)
        if records is not None and old is not None and old != text:
            record = records.find(job.output)
            made = hash_of(old)
            if record is not None and made != record.output_hash and not records.generated(made):
                edited, base = True, record.output_hash
        result = FileResult(job.source, job.output, translation, edited=edited, conflicts=_unresolved(old) if edited else 0)
        if edited and (base == hash_of(text) or result.conflicts):
            return result  # nothing new to bring in, or the last time's conflicts come first
        if not self._write:
            return replace(result, stale=old != text)
        self._tidy(job.output.parent)
        kept = keep_backup(job.source, translation.source.data) if self._backup and translation.changed and in_place else None
        if self._make_folders:
            make_folder(job.output.parent)
        if edited and records is not None and old is not None and base is not None:
            from hipify_py.tree.merge import merge  # noqa: PLC0415 - difflib, and few outputs are edited

            merged = merge(records.base(base), old, text)
            result, text = replace(result, conflicts=merged.conflicts), merged.text
        check_output(job.output)
        if records is not None and old != translation.text:
            self._announce(records, translation.text)
        written = write_atomic(job.output, text, like=job.source)
        if records is not None:
            records.record(job.output, job.source, translation)
        return replace(result, written=written, stale=written, backup=kept)

    def _announce(self, records: Records, text: bytes) -> None:
        try:
            records.announce(text)
        except InputError:
            if self._tree is not None:
                raise
            self._state = None  # the cache folder cannot be written: single outputs do without records
            self._records = dict.fromkeys(self._records)

    def _records_of(self, output: Path) -> Records | None:
        folder = self._tree or output.parent
        if folder not in self._records:
            self._records[folder] = records_of(output, self._tree, self._state)
        return self._records[folder]

    def _tidy(self, folder: Path) -> None:
        """Delete what killed runs left half-written in a folder."""
        if folder in self._tidied:
            return
        self._tidied.add(folder)
        try:
            names = [entry.name for entry in os.scandir(folder)]
        except OSError:
            return
        for name in names:
            match = _LEFT.fullmatch(name)
            if match is not None and match[1] == host_tag() and not _runs(int(match[2])):
                with suppress(OSError):
                    (folder / name).unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Create the folder of an output.

    Raises:
        InputError: That does not work.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"`{folder}` is a file: the output needs a folder there") from None
    except OSError as error:
        raise InputError(f"the folder `{folder}` cannot be created: {reason(error)}") from None


def _read(path: Path) -> bytes | None:
    """What an output holds now; None if it is no file that can be read."""
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None


def _unresolved(text: bytes | None) -> int:
    from hipify_py.tree.merge import unresolved  # noqa: PLC0415 - difflib, and few outputs are edited

    return unresolved(text or b"")


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
