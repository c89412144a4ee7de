"""One translation as a piece of work for another process, perhaps on another machine: bytes in, bytes out, no disk written."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

from hipify_py.engine import Translation, translate
from hipify_py.settings import Settings
from hipify_py.tree.codec import encode

#: How often a worker looks whether its parent is still there, in seconds.
_LOOK = 0.5


@dataclass(frozen=True, slots=True)
class Work:
    """What a worker needs; headers are read from disk by their absolute paths.

    Args:
        name: What the person called the source.
        data: Its bytes.
        settings: How to translate.
    """

    name: str
    data: bytes
    settings: Settings

    def anywhere(self) -> Work:
        """The same for a process with another working directory."""
        from hipify_py.clang.flags import absolute  # noqa: PLC0415 - start-up time

        settings = self.settings
        settings = replace(settings, include_dirs=tuple(map(os.path.abspath, settings.include_dirs)),
                           clang_args=absolute(settings.clang_args))
        return Work(os.path.abspath(self.name), self.data, settings)  # noqa: PTH100 - links stay


@dataclass(frozen=True, slots=True)
class Fault:
    """Why there is no translation, without the name of the file."""

    message: str


def perform(work: Work) -> bytes | Fault:
    """Translate; the result is encoded."""
    outcome = attempt(work)
    return outcome if isinstance(outcome, Fault) else encode(outcome)


def attempt(work: Work) -> Translation | Fault:
    """Translate; whatever goes wrong becomes a Fault."""
    try:
        return translate(work.data, filename=work.name, settings=work.settings)
    except MemoryError:
        return Fault("does not fit into memory: split it, or use a larger machine")
    except Exception as error:
        if os.environ.get("HIPIFY_PY_DEBUG"):
            raise
        return Fault(internal(error))


def internal(error: Exception) -> str:
    """What is said about a fault of ours."""
    return (f"was not translated: internal error, {type(error).__name__}: {' '.join(str(error).split())}; please report it "
            "(HIPIFY_PY_DEBUG=1 shows where)")


def begin() -> None:
    """Start a worker process: Ctrl-C is the main process's, and when that is gone, so is the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    """Wait for a killed parent. The queue does not tell: its other end is open in the sibling workers too."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)


def exists(path: str) -> bool:
    """Whether a worker sees a file (asked before a cluster is used)."""
    return Path(path).is_file()
