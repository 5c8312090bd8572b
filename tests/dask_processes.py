"""A Dask scheduler and its workers as processes that tests can kill and restart."""

import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from waiting import wait_until

DASK = Path(sys.executable).with_name("dask")


class DaskProcesses:
    """A scheduler with single-threaded workers.

    Parameters
    ----------
    folder : Path
        A folder for files of the processes.

    Attributes
    ----------
    address : str
        The address of the scheduler, which does not change after a restart.
    """

    def __init__(self, workers: int, folder: Path) -> None:
        self._rng = random.Random(workers)
        self._folder = folder
        self._lock = Lock()  # one kill at a time, so that each process has one successor
        self._workers: list[subprocess.Popen[bytes]] = []
        self.address = "tcp://127.0.0.1:0"  # Dask chooses a port
        self.address = self._start_scheduler()
        self._workers = [self._worker() for _ in range(workers)]

    def kill_worker(self) -> None:
        """Kill a worker and start a new one."""
        with self._lock:
            number = self._rng.randrange(len(self._workers))
            _kill(self._workers[number])
            self._workers[number] = self._worker()

    def kill_scheduler(self) -> None:
        """Kill the scheduler and its workers, and start all of them again."""
        with self._lock:
            self._end()
            self._start_scheduler()
            self._workers = [self._worker() for _ in self._workers]

    def end(self) -> None:
        """Kill all processes."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        for process in (self._scheduler, *self._workers):
            _kill(process)

    def _start_scheduler(self) -> str:
        """Start a scheduler; return the address that it reports once it listens."""
        report = self._folder / "scheduler.json"
        report.unlink(missing_ok=True)
        port = self.address.rpartition(":")[2]
        options = ("--port", port, "--dashboard-address", "127.0.0.1:0")
        self._scheduler = self._started(
            "scheduler", "--host", "127.0.0.1", *options, "--scheduler-file", str(report)
        )

        def reports() -> bool:
            assert self._scheduler.poll() is None, self._log()
            # The file is complete when it ends with the bracket of its first line.
            return report.exists() and report.read_text().rstrip().endswith("\n}")

        wait_until(reports, self._log)
        return str(json.loads(report.read_text())["address"])

    def _worker(self) -> subprocess.Popen[bytes]:
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        return self._started("worker", self.address, *options)

    def _started(self, *command: str) -> subprocess.Popen[bytes]:
        with (self._folder / "dask.log").open("ab") as log:
            return subprocess.Popen(
                [DASK, *command], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def _log(self) -> str:
        return (self._folder / "dask.log").read_text()


@contextmanager
def dask_processes(workers: int = 2) -> Iterator[DaskProcesses]:
    """Yield a scheduler and its workers, and end them at the end of the block."""
    with TemporaryDirectory() as folder:
        processes = DaskProcesses(workers, Path(folder))
        try:
            yield processes
        finally:
            processes.end()


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()
