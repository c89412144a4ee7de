"""Where work is done: in processes of our own, or by an executor of somebody else's. A worker that dies costs its own file."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, TimeoutError
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from hipify_py.tree.work import Fault, Work, begin, perform

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

_DIED = Fault("was not translated: its process died (out of memory, or a fault in libclang); please report it")
#: How often, in seconds, an executor that does not answer is asked whether it still can.
_PATIENCE = 5.0


def _processes(count: int, method: str | None = None) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - 15 ms, and most calls need none
    from multiprocessing import get_context  # noqa: PLC0415

    return ProcessPoolExecutor(count, get_context(method), begin)


@dataclass(slots=True, eq=False)
class Handle:
    """A piece of work that was given away; no future: it has to be done alone."""

    work: Work
    future: Future[bytes | Fault] | None


class Pool(Protocol):
    """What runs work."""

    def submit(self, work: Work) -> Handle:
        """Give work away."""

    def result(self, handle: Handle) -> bytes | Fault:
        """Wait for what came of it; never raises for what happens to a worker."""

    def close(self) -> None:
        """Let go of the workers; work that has not begun is dropped."""


class Alone:
    """One process for work that may kill it; another one each time it did.

    Args:
        method: How multiprocessing starts it; default: its own choice.
    """

    def __init__(self, method: str | None = None) -> None:
        self._method = method
        self._pool: ProcessPoolExecutor | None = None

    def run(self, work: Work) -> bytes | Fault:
        """Do one piece of work."""
        if self._pool is None:
            self._pool = _processes(1, self._method)
        try:
            return self._pool.submit(perform, work).result()
        except BrokenExecutor:
            self.close()
            return _DIED

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


class Processes:
    """Processes of our own."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool = _processes(count)
        self._open: dict[Handle, None] = {}
        self._alone = Alone()

    def submit(self, work: Work) -> Handle:
        """Give work away."""
        try:
            handle = Handle(work, self._pool.submit(perform, work))
        except BrokenExecutor:
            self._restart()
            handle = Handle(work, self._pool.submit(perform, work))
        self._open[handle] = None
        return handle

    def result(self, handle: Handle) -> bytes | Fault:
        """Wait for work; what was lost with a process is done again, alone."""
        self._open.pop(handle, None)
        if handle.future is not None:
            try:
                return handle.future.result()
            except BrokenExecutor:
                self._restart()
        return self._alone.run(handle.work)

    def _restart(self) -> None:
        """Begin anew; any of the lost pieces may have killed the process."""
        for handle in self._open:
            future = handle.future
            if future is not None and (not future.done() or future.exception() is not None):
                handle.future = None
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = _processes(self._count)

    def close(self) -> None:
        """End the processes."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._alone.close()


class Borrowed:
    """Somebody else's executor, which is left running; what it loses is done here.

    Args:
        executor: Any executor.
        alive: Whether it can still answer; asked when it is slow.
    """

    def __init__(self, executor: Executor, alive: Callable[[], bool] | None = None) -> None:
        self._executor = executor
        self._alive = alive
        # Executors have threads, and a process with threads is not to be forked.
        self._alone = Alone("spawn")
        #: How many pieces of work came back without a result.
        self.lost = 0

    def submit(self, work: Work) -> Handle:
        """Give work away."""
        work = work.anywhere()
        try:
            return Handle(work, self._executor.submit(perform, work))
        except (RuntimeError, OSError):  # broken, or shut down
            return Handle(work, None)

    def result(self, handle: Handle) -> bytes | Fault:
        """Wait for work; what an executor loses, for whatever reason, is done in a process of our own."""
        if handle.future is not None:
            try:
                return self._wait(handle.future)
            except Exception:  # its kinds of failure are its own
                handle.future.cancel()
        self.lost += 1
        return self._alone.run(handle.work)

    def _wait(self, future: Future[bytes | Fault]) -> bytes | Fault:
        while True:
            try:
                return future.result(_PATIENCE)
            except TimeoutError:
                if future.done() or (self._alive is not None and not self._alive()):
                    raise

    def close(self) -> None:
        """End our own process."""
        self._alone.close()
