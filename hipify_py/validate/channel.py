"""How a validation and its worker talk: pickled objects over a pair of sockets, with a time limit for the answer."""

from __future__ import annotations

import select
import socket
import struct
import time
from typing import Any

_LENGTH = struct.Struct("<Q")


class ClosedError(Exception):
    """The other side has gone."""


class Channel:
    """One end of a pair of sockets."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._data = bytearray()

    def send(self, message: object) -> None:
        """Send a message.

        Raises:
            ClosedError: Nobody is there.
        """
        import pickle  # noqa: PLC0415 - the worker is to be started first

        body = pickle.dumps(message)
        try:
            self._end.sendall(_LENGTH.pack(len(body)) + body)
        except OSError as error:
            raise ClosedError(str(error)) from None

    def receive(self, seconds: float | None = None) -> Any:  # noqa: ANN401 - whatever was sent
        """The next message.

        Raises:
            ClosedError: Nobody is there.
            TimeoutError: It did not come in time.
        """
        size = _LENGTH.unpack(self._take(_LENGTH.size, seconds))[0]
        import pickle  # noqa: PLC0415 - as above

        return pickle.loads(self._take(size, seconds))

    def close(self) -> None:
        """Let the other side see the end."""
        self._end.close()

    def _take(self, count: int, seconds: float | None) -> bytes:
        end = None if seconds is None else time.monotonic() + seconds
        while len(self._data) < count:
            left = None if end is None else max(0.0, end - time.monotonic())
            if not select.select([self._end], [], [], left)[0]:
                raise TimeoutError
            try:
                part = self._end.recv(1 << 16)
            except OSError as error:
                raise ClosedError(str(error)) from None
            if not part:
                raise ClosedError
            self._data += part
        taken = bytes(self._data[:count])
        del self._data[:count]
        return taken
