"""A fair job queue: long computations in a worker process, with limits on time and memory.

A job runs in a process instead of a thread. A thread would hold the interpreter lock and delay the
event loop, which handles all requests. A thread could not be canceled either.
"""

import asyncio
import signal
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil
from time import monotonic
from typing import Any, TypeVar, TypeVarTuple

from rollwise.errors import InputError, TooLargeError
from rollwise.solving.progress import Progress, format_duration
from rollwise.web.cpu_shares import CLIENT, CpuShares
from rollwise.web.worker import DONE, LENGTH, PROGRESS, REFUSED, decode_reply, encode

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

MEMORY = 4 << 30
"""The limit on the address space of a process, in bytes; libraries take about 1.3 GB of it."""

PATIENCE = 10
"""The limit on elapsed time as a multiple of the CPU limit, because processes share cores."""

OUT_OF_TIME = -signal.SIGXCPU if hasattr(signal, "SIGXCPU") else None
"""The exit status of a process that used up its CPU time; None on platforms without this limit."""

SMALL = 1 << 16
"""The size in bytes above which a thread decodes the reply."""

MIN_SHARE = 0.03
"""The fraction of a job that must be done before its remaining time is estimated."""


BUDGET = 60.0
"""The recent CPU seconds above which the jobs of a client are refused while other clients wait."""

SHARE = 4
"""A client can take at most one of ``SHARE`` places of a queue."""


class BusyError(Exception):
    """The queue is full.

    Attributes
    ----------
    seconds : int
        The time to wait before the next attempt.
    """

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(f"the server is busy; try again in {seconds} s")


class WorkerError(Exception):
    """A job failed for a reason other than its input."""


class JobStatus:
    """The progress of a job.

    Attributes
    ----------
    wait : float or None
        The estimated seconds from the arrival of the job to its start; None once it has started.
    share : float
        The fraction of the job that is done, from 0 to 1.
    started : float or None
        The start time of the job by :func:`time.monotonic`; None before.
    """

    def __init__(self) -> None:
        self.wait: float | None = None
        self.share = 0.0
        self.started: float | None = None

    def left(self) -> float | None:
        """Return the estimated remaining seconds; None until enough is done for an estimate."""
        if self.started is None or self.share < MIN_SHARE:
            return None
        return (monotonic() - self.started) * (1 - self.share) / self.share

    def words(self) -> str:
        """Return the progress in words, for a page."""
        if self.wait is not None:
            return f"Waiting for other computations, about {format_duration(self.wait)}…"
        left = self.left()
        rest = "" if left is None else f", about {format_duration(left)} left"
        return f"Computing… {self.share:.0%}{rest}" if self.share else "Computing…"


@dataclass(eq=False)
class _Waiter:
    """A job that waits for its turn: its client, and a future that ends when the turn comes."""

    client: str
    turn: asyncio.Future[None] = field(default_factory=asyncio.Future)


class JobQueue:
    """A queue of jobs for one worker process, shared fairly between clients.

    The next job is the first job of the client with the least recent CPU time. If the queue is
    full, a job of the client with the most jobs gives way. Call all methods on one event loop. If
    the task of a running job is canceled, the process is killed, and the next job starts a new
    process.

    Parameters
    ----------
    capacity : int
        The maximum number of waiting jobs.
    seconds : float
        The CPU time limit of a job, summed over all cores. The limit on elapsed time is
        ``PATIENCE`` times as long; it ends jobs that hang without computing.
    niceness : int
        The niceness of the process; a process with lower niceness runs first.
    shares : CpuShares, optional
        The CPU time of each client, which several queues can share.
    """

    def __init__(
        self,
        capacity: int,
        seconds: float,
        niceness: int = 10,
        shares: CpuShares | None = None,
    ) -> None:
        self.capacity, self.seconds, self.niceness = capacity, seconds, niceness
        self._shares = shares or CpuShares()
        self._running: str | None = None  # the client of the running job
        self._job: asyncio.Task[Any] | None = None  # the task of the running job
        self._waiting: list[_Waiter] = []
        self._process: asyncio.subprocess.Process | None = None
        self._usual = 5.0  # the moving average of the seconds per job

    @property
    def wait(self) -> float:
        """The estimated seconds that a new job would wait."""
        return self._usual * (len(self._waiting) + 1)

    async def run(
        self,
        work: Callable[[*Ts, Progress], T],
        *args: *Ts,
        status: JobStatus | None = None,
    ) -> T:
        """Return ``work(*args, progress)``, computed in the worker process.

        Parameters
        ----------
        work : callable
            A module-level function, which the process imports by name.
        status : JobStatus, optional
            The status to keep up to date.

        Raises
        ------
        BusyError
            If the queue is full, or if the client has used too much CPU time or has too many jobs
            while others wait.
        InputError
            If ``work`` raises it, or takes too much time or memory.
        WorkerError
            If ``work`` fails, or its process dies.
        """
        status, client = status or JobStatus(), CLIENT.get()
        await self._turn(client, status)
        status.started, self._job = monotonic(), asyncio.current_task()
        try:
            result: T = await self._run(encode(work, args, self.seconds), status, client)
            return result
        finally:
            self._job = None
            self._start_next()

    async def _turn(self, client: str, status: JobStatus) -> None:
        """Wait for the turn of a job."""
        if self._running is None:
            self._running = client
            return
        self._make_room(client)
        status.wait = self.wait
        waiter = _Waiter(client)
        self._waiting.append(waiter)
        try:
            await waiter.turn
        except asyncio.CancelledError:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
            elif waiter.turn.done() and not waiter.turn.cancelled() and not waiter.turn.exception():
                self._start_next()  # canceled just when its turn came
            raise
        finally:
            status.wait = None

    def _make_room(self, client: str) -> None:
        """Raise BusyError unless a job of a client can wait."""
        jobs = Counter(waiter.client for waiter in self._waiting)
        others = {self._running, *jobs} - {client}
        if others and (seconds := self._shares.until(client, BUDGET)):
            raise BusyError(ceil(seconds))
        if jobs[client] >= ceil(self.capacity / SHARE):
            raise BusyError(ceil(self.wait))
        if len(self._waiting) >= self.capacity:
            greediest = max(jobs, key=lambda other: (jobs[other], self._shares.used(other)))
            if jobs[greediest] <= jobs[client] + 1:
                raise BusyError(ceil(self.wait))
            last = next(w for w in reversed(self._waiting) if w.client == greediest)
            self._waiting.remove(last)
            last.turn.set_exception(BusyError(ceil(self.wait)))

    def _start_next(self) -> None:
        """End the turn of the running job, and start the turn of the next job."""
        self._running = None
        ready = [waiter for waiter in self._waiting if not waiter.turn.done()]
        if ready:
            waiter = min(ready, key=lambda waiter: self._shares.used(waiter.client))
            self._waiting.remove(waiter)
            self._running = waiter.client
            waiter.turn.set_result(None)

    async def close(self) -> None:
        """Cancel all jobs, and end the process."""
        for waiter in self._waiting:
            waiter.turn.cancel()
        if self._job is not None:
            self._job.cancel()
            await asyncio.wait([self._job])
        await self._end()

    async def _run(self, job: bytes, status: JobStatus, client: str) -> Any:
        """Send a job to the process, and return its result."""
        loop = asyncio.get_running_loop()
        start = loop.time()
        cpu: float | None = None
        try:
            process = await self._started()
            async with asyncio.timeout(PATIENCE * self.seconds):
                kind, (result, cpu) = await _reply(process, job, status)
        except (TimeoutError, EOFError, ConnectionError) as error:
            await self._end()
            if isinstance(error, TimeoutError) or process.returncode == OUT_OF_TIME:
                raise TooLargeError(
                    "the calculation takes too long: the server allows at most "
                    f"{self.seconds:g} s of computing; choose a smaller game, or run rollwise on "
                    "your own computer"
                ) from None
            raise WorkerError("the worker process is gone") from None
        except BaseException:
            await self._end()
            raise
        finally:
            # An interrupted job reports no CPU time, and its process must start again.
            self._shares.charge(client, loop.time() - start if cpu is None else cpu)
        self._usual += (loop.time() - start - self._usual) / 4
        if kind == DONE:
            return result
        if kind == REFUSED:
            raise InputError(result)
        await self._end()
        raise WorkerError(result)

    async def _started(self) -> asyncio.subprocess.Process:
        """Return the process; start a new process if the old one has ended."""
        if self._process is None or self._process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            command = "-m", "rollwise.web.worker", str(MEMORY), str(self.niceness)
            start = asyncio.create_subprocess_exec(
                sys.executable, *command, stdin=pipe, stdout=pipe, limit=1 << 20
            )
            starting = asyncio.ensure_future(start)
            try:
                self._process = await asyncio.shield(starting)
            except asyncio.CancelledError:
                self._process = await starting  # so that the process can be ended
                raise
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):  # the process has ended already
                process.kill()
            await process.communicate()  # also closes the pipes


async def _reply(
    process: asyncio.subprocess.Process, job: bytes, status: JobStatus
) -> tuple[str, Any]:
    """Send a job, update its status, and return the kind and content of its last reply."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(job)
    await process.stdin.drain()
    while True:
        (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
        body = await process.stdout.readexactly(length)
        if length < SMALL:
            kind, content = decode_reply(body)
        else:  # a thread keeps the loop free for other requests
            kind, content = await asyncio.to_thread(decode_reply, body)
        if kind != PROGRESS:
            return kind, content
        status.share = content
