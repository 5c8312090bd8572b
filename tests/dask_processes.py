"""A Dask scheduler and its workers as processes that tests can kill and restart."""

import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from databases import free_port
from waiting import wait_until

DASK = Path(sys.executable).with_name("dask")


class DaskProcesses:
    """A scheduler with single-threaded workers.

    Attributes
    ----------
    address : str
        The address of the scheduler, which does not change after a restart.
    """

    def __init__(self, workers: int) -> None:
        self._rng = random.Random(workers)
        self.address = f"tcp://127.0.0.1:{free_port()}"
        self._workers: list[subprocess.Popen[bytes]] = []
        self._start_scheduler()
        self._workers = [self._worker() for _ in range(workers)]

    def kill_worker(self) -> None:
        """Kill a worker and start a new one."""
        number = self._rng.randrange(len(self._workers))
        _kill(self._workers[number])
        self._workers[number] = self._worker()

    def kill_scheduler(self) -> None:
        """Kill the scheduler and its workers, and start all of them again."""
        self.end()
        self._start_scheduler()
        self._workers = [self._worker() for _ in self._workers]

    def end(self) -> None:
        """Kill all processes."""
        for process in (self._scheduler, *self._workers):
            _kill(process)

    def _start_scheduler(self) -> None:
        port = self.address.rpartition(":")[2]
        options = ("--host", "127.0.0.1", "--port", port, "--dashboard-address", "127.0.0.1:0")
        self._scheduler = _started("scheduler", *options)
        wait_until(lambda: _listens(int(port)))

    def _worker(self) -> subprocess.Popen[bytes]:
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        return _started("worker", self.address, *options)


@contextmanager
def dask_processes(workers: int = 2) -> Iterator[DaskProcesses]:
    """Yield a scheduler and its workers, and end them at the end of the block."""
    processes = DaskProcesses(workers)
    try:
        yield processes
    finally:
        processes.end()


def _started(*command: str) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen([DASK, *command], stdin=quiet, stdout=quiet, stderr=quiet)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()
