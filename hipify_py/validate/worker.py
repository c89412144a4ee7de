"""The process that runs kernels: ``python -m hipify_py.validate.worker FD`` takes jobs and answers each.

It may die of any of them; whoever has started it notes that and starts another.
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path

from hipify_py.validate.channel import Channel, ClosedError


def main(arguments: list[str]) -> int:
    """Take jobs until the other side has gone."""
    channel = Channel(socket.socket(fileno=int(arguments[0])))
    # Now, while the other side still prepares: these two take most of the time that a start needs.
    from hipify_py.validate import execute  # noqa: PLC0415

    runner: execute.Runner | None = None
    try:
        while True:
            job = channel.receive()
            if isinstance(job, str):
                runner = execute.Runner(Path(job) if job else None)
                channel.send(runner.device_name())
                continue
            assert runner is not None
            channel.send(runner.run(job))
    except ClosedError:
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
