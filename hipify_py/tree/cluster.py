"""``--executor dask://HOST:PORT``: a tree is translated by the workers of a Dask cluster."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hipify_py.files import InputError
from hipify_py.tree.cache import translator
from hipify_py.tree.pool import Borrowed
from hipify_py.tree.work import exists

if TYPE_CHECKING:
    from distributed import Client

SCHEME = "dask://"
#: Seconds to wait for the scheduler, and for a worker where none is left.
_CONNECT, _WORKERLESS = 10, 30


@contextmanager
def cluster(address: str, witness: Path | None) -> Iterator[Borrowed]:
    """A cluster to run jobs on.

    Args:
        address: ``dask://HOST:PORT`` of the scheduler.
        witness: A file that the workers have to see: headers are read where they run.

    Raises:
        InputError: There is no such cluster, or its workers cannot do this work.
    """
    if not address.startswith(SCHEME) or not address[len(SCHEME) :].strip("/"):
        raise InputError(f"`{address}` is no executor: write `{SCHEME}HOST:PORT`")
    try:
        from distributed import Client  # noqa: PLC0415 - an extra
    except ImportError:
        raise InputError("`--executor dask://` needs the package distributed: `pip install 'hipify-py[dask]'`") from None
    try:
        client = Client(f"tcp://{address[len(SCHEME):].strip('/')}", timeout=_CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers at `{address}` ({_first_line(error)}): start one with `dask scheduler`, "
                         "or check host and port") from None
    try:
        _examine(client, address, witness)
        yield Borrowed(client.get_executor(pure=False), _Pulse(client))
    finally:
        client.close(timeout=_CONNECT)


def _examine(client: Client, address: str, witness: Path | None) -> None:
    """Find out at once what would go wrong for each file."""
    try:
        client.wait_for_workers(1, timeout=_CONNECT)
    except TimeoutError:
        raise InputError(f"the Dask cluster at `{address}` has no workers: start some with `dask worker`") from None
    try:
        states = client.run(translator)
        seen = client.run(exists, str(witness.absolute())) if witness is not None else {}
    except Exception as error:  # what a worker cannot import or do comes back as its own kind of error
        raise InputError(f"the workers of `{address}` cannot run hipify-py ({_first_line(error)}): install this version "
                         "there") from None
    strange = sorted(name for name, state in states.items() if state != translator())
    if strange:
        raise InputError(f"the worker `{strange[0]}` has another hipify-py or libclang than this machine: install the same "
                         "version there")
    blind = sorted(name for name, there in seen.items() if not there)
    if blind:
        raise InputError(f"the worker `{blind[0]}` does not see `{witness}`: sources and headers have to lie in a folder "
                         "that all machines share")


class _Pulse:
    """Whether a cluster has had a worker lately."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._seen = time.monotonic()

    def __call__(self) -> bool:
        now = time.monotonic()
        try:
            if self._client.nthreads():
                self._seen = now
        except Exception:  # the scheduler is gone
            return False
        return now - self._seen < _WORKERLESS


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
