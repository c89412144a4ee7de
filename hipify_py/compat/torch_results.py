"""What torch's hipify hands out: results, and the context that takes generated files away again."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from hipify_py.compat.torch_paths import BREADCRUMB
from hipify_py.diagnostics import Diagnostic
from hipify_py.source import BOM

_CRUMB = BREADCRUMB.encode().rstrip(b"\n")
OK = "[ok]"
NO_CHANGES = "[skipped, no changes]"
CURRENT = "[skipped, already hipified]"
IGNORED = "[ignored, not to be hipified]"
GENERATED = "[ignored, input is hipified output]"
KEPT = "[skipped, the output is not generated]"


class CurrentState(Enum):
    """How far a file has come."""

    INITIALIZED = 1
    DONE = 2


@dataclass  # no slots: as in torch, anything may be noted in it
class HipifyResult:
    """What became of one file.

    Args:
        current_state: Always ``DONE`` in what :func:`hipify` returns.
        hipified_path: The file to compile or include; the input itself if it needs no translation, None if it was not
            looked at or could not be translated.
        status: In words, in brackets, as torch has them; ``[failed: ...]`` says why there is no translation.
        diagnostics: What needs a look, by place in the input (not in torch's).
    """

    current_state: CurrentState
    hipified_path: str | None
    status: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()

    def __str__(self) -> str:
        return f"HipifyResult:: current_state: {self.current_state}, hipified_path : {self.hipified_path}, status: {self.status}"


class GeneratedFileCleaner:
    """Deletes at its end the files and folders that were made through it, unless they are to be kept."""

    def __init__(self, keep_intermediates: bool = False) -> None:
        self.keep_intermediates = keep_intermediates
        self.files_to_clean: set[str] = set()
        self.dirs_to_clean: list[str] = []

    def __enter__(self) -> GeneratedFileCleaner:
        return self

    def open(self, fn: str, *args: Any, **kwargs: Any) -> IO[Any]:  # noqa: ANN401 - as the built-in one
        """Open a file, and remember it if it is new."""
        if not Path(fn).exists():
            self.files_to_clean.add(str(Path(fn).absolute()))
        file: IO[Any] = open(fn, *args, **kwargs)  # noqa: PTH123, SIM115 - the caller closes it
        return file

    def makedirs(self, dn: str, exist_ok: bool = False) -> None:
        """Create a folder and those above it, and remember the new ones."""
        new = [str(each) for each in (Path(dn).absolute(), *Path(dn).absolute().parents) if not each.exists()]
        Path(dn).mkdir(parents=True, exist_ok=exist_ok)
        self.dirs_to_clean.extend(reversed(new))

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 traceback: TracebackType | None) -> None:
        if self.keep_intermediates:
            return
        for name in sorted(self.files_to_clean):
            with suppress(OSError):
                Path(name).unlink()
        for name in reversed(self.dirs_to_clean):
            with suppress(OSError):  # what somebody else put there stays
                Path(name).rmdir()


def openf(filename: str, mode: str) -> IO[Any]:
    """Open a text of any encoding: odd bytes survive reading and writing."""
    return open(filename, mode, encoding="utf-8", errors="surrogateescape", newline="")  # noqa: PTH123


def done(path: str | os.PathLike[str] | None, status: str, diagnostics: tuple[Diagnostic, ...] = ()) -> HipifyResult:
    """A finished result."""
    return HipifyResult(CurrentState.DONE, None if path is None else os.fspath(path), status, diagnostics)


def is_generated(data: bytes) -> bool:
    """Whether a text begins with the breadcrumb."""
    return data.removeprefix(BOM).startswith(_CRUMB)


def with_breadcrumb(text: bytes) -> bytes:
    """A text behind the breadcrumb, which ends as the first line does; a byte order mark stays in front."""
    mark = BOM if text.startswith(BOM) else b""
    rest = text[len(mark):]
    first = rest.partition(b"\n")
    end = b"\r\n" if first[1] and first[0].endswith(b"\r") else b"\n"
    return mark + _CRUMB + end + rest
