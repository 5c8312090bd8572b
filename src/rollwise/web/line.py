"""Work that takes long, in processes of its own: within limits, and with a queue that ends."""

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from time import monotonic
from typing import Any

from rollwise.errors import InputError, TooLargeError
from rollwise.solving.progress import Progress
from rollwise.web.messages import LENGTH, message, parts_of
from rollwise.web.worker import DONE, REFUSED, SHARE

MEMORY = 4 << 30
"""Bytes of address space that a process may have; some 1.3 GB of it are libraries."""

PATIENCE = 10
"""So many times as long as it may compute a job may take by the clock: others compute, too."""

OUT_OF_TIME = -signal.SIGXCPU if hasattr(signal, "SIGXCPU") else None
"""How a process ends that has computed too long; not on every platform."""

SMALL = 1 << 16
"""Bytes of an answer that is read at once."""

LITTLE = 0.03
"""Share of a job before which nobody says how long the rest takes."""


class BusyError(Exception):
    """Too many are in line: who asks is told when to come again.

    Attributes
    ----------
    seconds : int
    """

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(f"too many are in line: expected to be asked again in {seconds} s")


class WorkerError(Exception):
    """A job that failed by no fault of whoever asked."""


class JobStatus:
    """What somebody who waits for a job may know.

    Attributes
    ----------
    seconds : float or None
        So long it may take until the job begins; None once it has.
    share : float
        Of the job that is done, from 0 to 1.
    begun : float or None
        When the job began, by :func:`time.monotonic`; None before.
    """

    def __init__(self) -> None:
        self.seconds: float | None = None
        self.share = 0.0
        self.begun: float | None = None

    def left(self) -> float | None:
        """Return about how many seconds are left; None as long as too little is done to say."""
        if self.begun is None or self.share < LITTLE:
            return None
        return (monotonic() - self.begun) * (1 - self.share) / self.share

    def words(self) -> str:
        """Return what a page says."""
        if self.seconds is not None:
            return f"In line, about {in_words(self.seconds)}…"
        left = self.left()
        rest = "" if left is None else f", about {in_words(left)} left"
        return f"Computing… {self.share:.0%}{rest}" if self.share else "Computing…"


def in_words(seconds: float) -> str:
    """Return a time as people say it: seconds up to a minute and a half, then minutes."""
    return f"{ceil(seconds)} s" if seconds < 90 else f"{round(seconds / 60)} min"


class JobQueue:
    """Jobs, in the order of their coming, on some processes.

    All methods are called on one event loop. A job whose task is cancelled is given up, and its
    process with it.

    Parameters
    ----------
    processes : int
        So many jobs are done at a time; processes start with the first job for them.
    places : int
        So many may wait.
    seconds : float
        So long a job may compute, on all cores together, its process being there; by the clock it
        may take ``PATIENCE`` times that, for what computes nothing and does not end.
    niceness : int
        Of its processes: whoever plays comes before whoever computes.
    """

    def __init__(self, processes: int, places: int, seconds: float, niceness: int = 10) -> None:
        self.processes, self.places, self.seconds = processes, places, seconds
        self.niceness = niceness
        self._slots = asyncio.Semaphore(processes)
        self._idle: list[asyncio.subprocess.Process] = []
        self._waiting = 0
        self._usual = 5.0  # seconds of a job, of late

    @property
    def wait(self) -> float:
        """About how many seconds whoever comes now would wait for a process."""
        return self._usual * (self._waiting + 1) / self.processes

    async def do(
        self, work: Callable[..., Any], *given: Any, notice: JobStatus | None = None
    ) -> Any:
        """Return ``work(*given, progress)``, done in a process.

        Parameters
        ----------
        work : callable
            A function of a module: processes find it by its name.
        notice : JobStatus, optional
            Of whoever waits.

        Raises
        ------
        BusyError
            When no place in line is left.
        InputError
            What ``work`` raised as such, or when it takes too much time or memory.
        WorkerError
            When it failed, or its process died.
        """
        notice = notice or JobStatus()
        if self._slots.locked():
            if self._waiting >= self.places:
                raise BusyError(ceil(self.wait))
            notice.seconds = self.wait
        self._waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting -= 1
            notice.seconds, notice.begun = None, monotonic()
        try:
            return await self._done(work, given, lambda share: setattr(notice, "share", share))
        finally:
            self._slots.release()

    async def close(self) -> None:
        """End the processes that wait for jobs."""
        while self._idle:
            await _end(self._idle.pop())

    async def _done(self, work: Callable[..., Any], given: tuple[Any, ...], tell: Progress) -> Any:
        while self._idle and self._idle[-1].returncode is not None:
            self._idle.pop()  # somebody killed it
        process = self._idle.pop() if self._idle else await _start(self.niceness)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            async with asyncio.timeout(PATIENCE * self.seconds):
                kind, made = await _ask(process, message(work, given, self.seconds), tell)
        except (TimeoutError, EOFError, ConnectionError) as error:
            await _end(process)
            if isinstance(error, TimeoutError) or process.returncode == OUT_OF_TIME:
                raise TooLargeError(
                    f"this takes too long here: expected at most {self.seconds:g} s of computing"
                ) from None
            raise WorkerError("the process that computed it is gone") from None
        except BaseException:
            await _end(process)
            raise
        self._usual += (loop.time() - begun - self._usual) / 4
        if kind in (DONE, REFUSED):
            self._idle.append(process)
        else:
            await _end(process)
        if kind == DONE:
            return made
        raise InputError(made) if kind == REFUSED else WorkerError(made)


async def _start(niceness: int) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    command = sys.executable, "-m", "rollwise.web.worker", str(MEMORY), str(niceness)
    return await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=1 << 20)


async def _ask(process: asyncio.subprocess.Process, job: bytes, tell: Progress) -> tuple[str, Any]:
    """Send a job, and return what is said at its end."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(job)
    await process.stdin.drain()
    while True:
        (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
        body = await process.stdout.readexactly(length)
        if length < SMALL:
            kind, said = parts_of(body)
        else:
            kind, said = await asyncio.to_thread(parts_of, body)  # meanwhile others are answered
        if kind != SHARE:
            return kind, said
        tell(said)


async def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):  # it is gone already
        process.kill()
    await process.wait()
