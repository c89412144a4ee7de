"""The worker as its owner sees it: started, given jobs with a time limit, killed, started anew; and what it has printed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from hipify_py.validate.channel import Channel, ClosedError

_PACKAGE_ROOT = Path(__file__).parent.parent.parent


class DiedError(Exception):
    """The worker has died of a job; the text says how."""


class HungError(Exception):
    """The worker did not answer in time, and was killed."""


class Worker:
    """A process that runs kernels.

    Args:
        environment: Variables on top of ours, for a sanitizer.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        ours, theirs = socket.socketpair()
        self._log = _nameless_file()
        self._read = 0
        variables = {**os.environ, **(environment or {})}
        # numpy's import starts OpenBLAS's threads otherwise: 40 ms of a start, for products that few references make.
        variables.setdefault("OPENBLAS_NUM_THREADS", "1")
        variables["PYTHONPATH"] = os.pathsep.join(filter(None, (str(_PACKAGE_ROOT), os.environ.get("PYTHONPATH"))))
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "hipify_py.validate.worker", str(theirs.fileno())], pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log, env=variables, start_new_session=True)
        self._channel = Channel(ours)

    def ask(self, message: object, seconds: float) -> Any:  # noqa: ANN401 - the answer to the message
        """Send a job and wait for its answer.

        Raises:
            DiedError: The process has ended instead.
            HungError: There was no answer in time; the process is killed.
        """
        try:
            self._channel.send(message)
            return self._channel.receive(seconds)
        except TimeoutError:
            self.stop()
            raise HungError from None
        except ClosedError:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(10)
            status = self._process.poll()
            self.stop()
            raise DiedError(_ending(status)) from None

    def printed(self) -> str:
        """What the process has printed since the last call."""
        self._log.seek(self._read)
        data = self._log.read()
        self._read += len(data)
        return data.decode("utf-8", "replace")

    def stop(self) -> None:
        """End the process and what it has started."""
        self._channel.close()
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def _nameless_file() -> IO[bytes]:
    """A file that lives as long as the process; in memory where the system knows such files, which also spares an import."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("hipify-py"), "w+b")
    from tempfile import TemporaryFile  # noqa: PLC0415 - start-up time

    return TemporaryFile()


def _ending(status: int | None) -> str:
    if status is None:
        return "it does not answer"
    if status < 0:
        try:
            return f"it was ended by {signal.Signals(-status).name}"
        except ValueError:
            return f"it was ended by signal {-status}"
    return f"it ended with status {status}"
