"""The disk side of one file: read it, translate it, write the result atomically. Errors are one clear line."""

from __future__ import annotations

import os
import stat
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify_py.engine import Translation
    from hipify_py.settings import Settings

#: What the translation of a source is called where nobody says; headers and host sources keep their names.
RENAMED_SUFFIXES = {".cu": ".hip"}
#: Added to the name of a file that is translated in place, for the copy of the original (as hipify-perl does).
BACKUP_SUFFIX = ".prehip"

_SAMPLE = 65536  #: bytes looked at to tell a binary file
_TEMPORARY = ".hipify-py-"


class InputError(Exception):
    """The input, the output or the call is wrong: one line that says what, where and what to do."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """What became of one file.

    Args:
        path: The input, as the caller named it.
        output: Where the HIP text is; None if nothing was to be written.
        translation: The text, the edits and the diagnostics.
        written: Whether the output was written; False if it held these very bytes already.
        stale: Whether the output lacked the result before.
        backup: Where the original was kept, if it was.
        edited: Whether a person has changed the output since it was generated; what they wrote stays.
        conflicts: Places in the output that both they and the translation changed, marked there and not yet resolved.
    """

    path: Path
    output: Path | None
    translation: Translation
    written: bool = False
    stale: bool = False
    backup: Path | None = None
    edited: bool = False
    conflicts: int = 0


def default_output(path: Path) -> Path:
    """Where the translation of a source goes by itself: ``kernel.cu`` to ``kernel.hip`` beside it.

    Raises:
        InputError: The file is not a ``.cu``: headers and host sources keep their names, so somebody has to say
            whether the original may be replaced.
    """
    suffix = RENAMED_SUFFIXES.get(path.suffix.lower())
    if suffix is None:
        raise InputError(f"`{path}` keeps its name, so that `#include` lines and build files still find it: say where "
                         "to write with `-i` (in place), `-o FILE` or `--output-dir DIR`")
    return path.with_suffix(suffix)


def translate_file(path: str | os.PathLike[str], output: str | os.PathLike[str] | None = None, *,
                   settings: Settings | None = None, backup: bool = False) -> FileResult:
    """Translate one file on disk; the output appears whole or not at all.

    Args:
        path: The CUDA source.
        output: Where to write; default: ``kernel.hip`` beside ``kernel.cu``. The same path as ``path`` translates in
            place. An output that already holds the result is left alone, with its time.
        settings: How to translate; default: :class:`~hipify_py.settings.Settings`.
        backup: Keep the original as ``NAME.prehip`` when ``path`` is changed in place.

    Returns:
        The translation and where it went.

    Raises:
        InputError: The input cannot be read or is no source, or the output cannot be written. Nothing is changed then.
    """
    from hipify_py.engine import translate  # noqa: PLC0415 - importing this module stays cheap

    source = Path(path)
    target = default_output(source) if output is None else Path(output)
    if output is None and same_file(source, target):
        raise InputError(f"`{target}` is the input itself: name another output, or the input to translate in place")
    data = read_source(source)
    translation = translate(data, filename=str(source), settings=settings)
    in_place = same_file(source, target)
    kept = keep_backup(source, data) if backup and in_place and translation.changed else None
    written = write_atomic(target, translation.text, like=source)
    return FileResult(source, target, translation, written, written, kept)


def read_source(path: Path) -> bytes:
    """The bytes of a source file.

    Raises:
        InputError: It does not exist, may not be read, is a folder, or is no text.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        if path.is_symlink():
            raise InputError(f"`{path}` is a symbolic link to `{_link_target(path)}`, which does not exist") from None
        raise InputError(f"`{path}` does not exist: check the name") from None
    except IsADirectoryError:
        raise InputError(f"`{path}` is a folder: name a source in it, or give `--output-dir DIR` or `-i`") from None
    except PermissionError:
        raise InputError(f"`{path}` may not be read: check its permissions (`ls -l`)") from None
    except (OSError, ValueError) as error:
        raise InputError(f"`{path}` cannot be read: {reason(error)}") from None
    check_text(path, data)
    return data


def check_text(path: Path, data: bytes) -> None:
    """Refuse what cannot be source text; a lone NUL is no reason.

    Raises:
        InputError: The bytes are a binary file, or UTF-16 or UTF-32.
    """
    sample = data[:_SAMPLE]
    if sample.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")):
        raise InputError(f"`{path}` is UTF-16 or UTF-32: convert it to UTF-8 first (`iconv -f UTF-16 -t UTF-8`)")
    if sample.startswith((b"\x7fELF", b"!<arch>\n", b"\x89PNG", b"\x1f\x8b", b"PK\x03\x04")) or (
            sample.count(0) > 8 and sample.count(0) * 50 > len(sample)):
        raise InputError(f"`{path}` is a binary file: only source text can be translated")


def same_file(first: Path, second: Path) -> bool:
    """Whether two paths are one file, through links too; a path that does not exist is only itself."""
    try:
        return first.samefile(second)
    except (OSError, ValueError):
        return os.path.realpath(first) == os.path.realpath(second)


def check_output(path: Path) -> None:
    """Find out that an output cannot be written before the work is done.

    Raises:
        InputError: Its folder is missing, or it is a folder, or it is write-protected.
    """
    real = Path(os.path.realpath(path))
    try:
        status = real.stat()
    except FileNotFoundError:
        if not real.parent.is_dir():
            folder = real.parent if path.is_symlink() else path.parent
            raise InputError(f"`{path}` cannot be written: there is no folder `{folder}`; create it first "
                             "(`--output-dir` creates its own)") from None
        if not os.access(real.parent, os.W_OK | os.X_OK):
            raise InputError(f"`{path}` cannot be written: the folder `{path.parent}` is write-protected") from None
        return
    except (OSError, ValueError) as error:
        raise InputError(f"`{path}` cannot be written: {reason(error)}") from None
    if stat.S_ISDIR(status.st_mode):
        raise InputError(f"`{path}` is a folder: give a file to `-o`, or the folder to `--output-dir`")
    if not status.st_mode & 0o222 or not os.access(real, os.W_OK):
        raise InputError(f"`{path}` is write-protected: allow it with `chmod u+w`, or choose another output")
    if stat.S_ISREG(status.st_mode) and not os.access(real.parent, os.W_OK | os.X_OK):
        raise InputError(f"`{path}` cannot be replaced: its folder is write-protected")


def write_atomic(path: Path, data: bytes, *, like: Path | None = None) -> bool:
    """Write a file so that a reader, or a crash, sees all of the old bytes or all of the new.

    The bytes go to a temporary file in the same folder, which then takes the name. A symbolic link stays one: what it
    points to is written. A file that exists keeps its mode; a new one takes the mode of ``like``, made writable.
    Devices and pipes (``/dev/null``) are written as they are.

    Args:
        path: Where to write.
        data: All of its bytes.
        like: The file whose mode a new one takes.

    Returns:
        False if the file held exactly these bytes and was left alone, its time included.

    Raises:
        InputError: It cannot be written; the file is as it was.
    """
    check_output(path)
    real = Path(os.path.realpath(path))
    try:
        status: os.stat_result | None = real.stat()
    except OSError:
        status = None
    try:
        if status is not None and not stat.S_ISREG(status.st_mode):
            real.write_bytes(data)
            return True
        if status is not None and status.st_size == len(data) and real.read_bytes() == data:
            return False
        _replace(real, data, status, _new_mode(like))
    except OSError as error:
        raise InputError(f"`{path}` cannot be written: {reason(error)}") from None
    return True


def keep_backup(path: Path, data: bytes) -> Path:
    """Keep the original of a file as ``NAME.prehip``; other text of that name stays, and a number is added.

    Raises:
        InputError: It cannot be written.
    """
    backup = path.with_name(path.name + BACKUP_SUFFIX)
    number = 0
    while os.path.lexists(backup):
        if not same_file(backup, path) and backup.is_file() and backup.read_bytes() == data:
            return backup
        number += 1
        backup = path.with_name(f"{path.name}{BACKUP_SUFFIX}.{number}")
    write_atomic(backup, data, like=path)
    return backup


def reason(error: Exception) -> str:
    """An operating system's error in lower case, without its number."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return text[:1].lower() + text[1:]


def host_tag() -> str:
    """This machine, in the names of temporary files: folders may be shared between machines."""
    return f"{zlib.crc32(os.uname().nodename.encode('utf-8', 'surrogateescape')):08x}"


def _replace(real: Path, data: bytes, old: os.stat_result | None, mode: int) -> None:
    """Write beside, then rename over."""
    # tempfile takes 5 ms to import; host and process tell later whether anybody still writes it.
    temporary = real.with_name(f"{_TEMPORARY}{host_tag()}-{os.getpid()}-{os.urandom(6).hex()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if old is not None:
            mode = stat.S_IMODE(old.st_mode)
            _give_to_owner(temporary, old)
        temporary.chmod(mode)
        temporary.replace(real)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _give_to_owner(path: Path, old: os.stat_result) -> None:
    """Keep the owner of a file that root rewrites; others cannot give files away, and need not."""
    if sys.platform != "win32" and os.geteuid() == 0:
        try:
            os.chown(path, old.st_uid, old.st_gid)
        except OSError:
            return


def _new_mode(like: Path | None) -> int:
    """The permissions of a new file: those of its source and the owner's right to write."""
    if like is not None:
        try:
            return stat.S_IMODE(like.stat().st_mode) & 0o777 | stat.S_IWUSR
        except OSError:
            pass
    mask = os.umask(0o022)
    os.umask(mask)
    return 0o666 & ~mask


def _link_target(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return "?"

