"""Computations outside the event loop, so that clicks in games do not wait for them.

Computations of milliseconds run in threads at once. Those of seconds run in the same threads, a few
at a time: solving releases the interpreter lock. Those that can take minutes run one after another
in a process, which has limits. Equal computations of seconds or minutes share one run, and a
bounded number of results is kept. Everything is called on one event loop.
"""

import asyncio
import logging
import os
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Generator, Hashable
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context, ContextVar
from functools import partial
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from typing import Any, Generic, ParamSpec, TypeVar, TypeVarTuple

from rollwise.errors import InputError, TooLargeError
from rollwise.evaluation.breakdown import Breakdown
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.jobs import ProcessPool
from rollwise.solving.progress import Progress, format_duration

P = ParamSpec("P")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")

log = logging.getLogger("rollwise")

THREADS, SOLVING = 4, 2
"""The number of threads, and how many of them can take seconds at the same time."""

MOST_WAITING = 60
"""The maximum number of computations that run or wait; more are refused."""

RESULTS, RESULT_BYTES = 8, 512 << 20
"""The maximum number of kept results of each function, and the maximum size of all, in bytes. The
last result of each function is kept, whatever its size."""

CPU_SECONDS, MEMORY = 1_200, 4 << 30
"""The limits of a computation in the process: its CPU time, and the address space in bytes, of
which libraries take about 1.3 GB."""

NICENESS = 10
"""The niceness of the process; one with lower niceness runs first."""

STEP = 0.01
"""The smallest step of progress that the process reports."""

MIN_SHARE = 0.03
"""The fraction that must be done before the remaining time is estimated."""

AWAITED: ContextVar["Computation[Any] | None"] = ContextVar("awaited", default=None)
"""The computation that the current task awaits or has awaited last, whose progress can be shown."""


class BusyError(Exception):
    """Too many computations are waiting; try again after ``seconds``."""

    seconds = 5

    def __init__(self) -> None:
        super().__init__(f"the server is busy; try again in {self.seconds} s")


class FailedError(Exception):
    """A computation failed for a reason other than its input."""


async def patiently(work: Callable[[], Awaitable[T]]) -> T:
    """Return the result of ``work()``; begin again later if the server is busy."""
    while True:
        try:
            return await work()
        except BusyError as error:
            await asyncio.sleep(error.seconds)


class Computation(Generic[T]):
    """A computation that any number of tasks can await; it goes on if they leave.

    ``done`` returns the fraction that is done, from 0 to 1. ``is_told`` says whether someone has
    awaited the end of the computation; until then, its failure is not forgotten.
    """

    def __init__(self, work: Callable[["Computation[T]"], Awaitable[T]]) -> None:
        self._started: float | None = None
        self.done: Callable[[], float] = lambda: 0.0
        self.is_told = False
        # In a context of its own, because the context of the caller refers to other computations.
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(self._run(work), context=Context())
        self._task.add_done_callback(lambda task: task.cancelled() or task.exception())

    async def _run(self, work: Callable[["Computation[T]"], Awaitable[T]]) -> T:
        try:
            return await work(self)
        except (InputError, FailedError):
            raise
        except Exception as error:
            log.exception("a computation failed")
            raise FailedError("the calculation failed; try again later") from error

    def begin(self, done: Callable[[], float]) -> None:
        """Note that the turn of the computation has come."""
        self._started, self.done = monotonic(), done

    def __await__(self) -> Generator[Any, None, T]:
        AWAITED.set(self)
        yield from asyncio.wait([self._task]).__await__()
        self.is_told = True
        return self._task.result()

    async def wait(self, seconds: float) -> bool:
        """Wait for the end of the computation, but not longer; return whether it has ended."""
        await asyncio.wait([self._task], timeout=seconds)
        return self._task.done()

    @property
    def has_failed(self) -> bool:
        """Whether the computation failed or was canceled."""
        task = self._task
        return task.done() and (task.cancelled() or task.exception() is not None)

    @property
    def result(self) -> T | None:
        """The result; None while there is none."""
        return self._task.result() if self._task.done() and not self.has_failed else None

    @property
    def is_running(self) -> bool:
        """Whether the computation runs or waits for its turn."""
        return not self._task.done()

    def estimate(self) -> tuple[float, float] | None:
        """Return the completed share and the seconds left, once they can be estimated."""
        share = 0.0 if self._started is None else self.done()
        if self._started is None or share < MIN_SHARE:
            return None
        return share, (monotonic() - self._started) * (1 - share) / share

    def words(self) -> str:
        """Return the progress in words, with the time left once it can be estimated."""
        if self._started is None:
            return "Waiting for other computations…"
        estimate = self.estimate()
        if estimate is None:
            return "Computing…"
        share, left = estimate
        return f"Computing… {share:.0%}, about {format_duration(left)} left"


class Computing:
    """The threads and the process of a server, and the results that it keeps."""

    def __init__(self) -> None:
        self._threads, self._process = ThreadPoolExecutor(THREADS), ProcessPool(1)
        self._solving, self._longest = asyncio.Semaphore(SOLVING), asyncio.Semaphore(1)
        self._kept = OrderedDict[tuple[Hashable, ...], Computation[Any]]()
        self._is_closed = False

    async def quick(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return ``work(…)``, which takes milliseconds."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(work, *args, **kwargs))

    def seconds(
        self, work: Callable[[*Ts, Progress], T], *args: *Ts, key: Hashable = None
    ) -> Computation[T]:
        """Start or join ``work(…)``, which takes seconds.

        ``key`` replaces the arguments as what equal computations have in common.
        """

        async def run(computation: Computation[T]) -> T:
            async with self._solving:
                share = 0.0

                def progress(done: float) -> None:
                    nonlocal share
                    share = done
                    if self._is_closed:
                        raise FailedError("the server is stopping")

                computation.begin(lambda: share)
                return await self.quick(work, *args, progress)

        return self._shared((work, *(args if key is None else (key,))), run)

    def minutes(self, work: Callable[[*Ts, Progress], T], *args: *Ts) -> Computation[T]:
        """Start or join ``work(…)``, a function of a module that can take minutes.

        If the computation takes too much time or memory, it raises a TooLargeError.
        """

        async def run(computation: Computation[T]) -> T:
            async with self._longest:
                with TemporaryDirectory(prefix="rollwise-") as folder:
                    return await self._in_process(Path(folder) / "done", computation, work, *args)

        return self._shared((work, *args), run)

    async def _in_process(
        self, file: Path, computation: Computation[T], work: Callable[..., T], *args: Any
    ) -> T:
        """Return ``work(…)``, computed in the process, which writes its progress to a file."""
        file.write_text("0")
        computation.begin(lambda: float(file.read_text() or "0"))
        try:
            return await asyncio.wrap_future(self._process.submit(_limited, file, work, *args))
        except BrokenExecutor:
            raise TooLargeError(
                "the calculation was stopped, because it takes more time or memory than this "
                "server allows; choose a smaller game, or run rollwise on your own computer"
            ) from None
        finally:
            computation.done = lambda: 1.0

    def has(self, work: Callable[..., Any], *args: Hashable) -> bool:
        """Return whether the result of a computation is kept."""
        computation = self._kept.get((work, *args))
        return computation is not None and computation.result is not None

    def _shared(
        self, key: tuple[Hashable, ...], work: Callable[[Computation[T]], Awaitable[T]]
    ) -> Computation[T]:
        computation = self._kept.get(key)
        if computation is None or (computation.has_failed and computation.is_told):
            if sum(other.is_running for other in self._kept.values()) >= MOST_WAITING:
                raise BusyError
            computation = self._kept[key] = Computation(work)
        self._kept.move_to_end(key)
        self._forget_oldest()
        return computation

    def _forget_oldest(self) -> None:
        """Forget the results that were used least recently, until the others are within bounds."""
        number, size = Counter[Hashable](), 0  # the number of results of each function
        for key, computation in reversed(list(self._kept.items())):
            if computation.is_running:
                continue
            number[key[0]] += 1
            size += bytes_of(computation.result)
            if number[key[0]] > RESULTS or (size > RESULT_BYTES and number[key[0]] > 1):
                del self._kept[key]

    def close(self) -> None:
        """End the process and the threads."""
        self._is_closed = True
        self._process.shutdown()
        self._threads.shutdown(wait=False, cancel_futures=True)


def bytes_of(result: object) -> int:
    """Return the memory of a result in bytes: 0 for small ones, and for a solution on disk."""
    if isinstance(result, Breakdown):
        return result.remaining_T_X.nbytes + bytes_of(result.solution)
    if isinstance(result, CardSolution) and result.is_whole:
        return 3 * result.table_C_L.nbytes  # with its moments
    return 0


def _limited(file: Path, work: Callable[..., T], *args: Any) -> T:
    """Compute in the process, within its limits, and write the progress to a file."""
    _set_limits()
    reported = 0.0

    def progress(share: float) -> None:
        nonlocal reported
        if abs(share - reported) >= STEP:
            reported = share
            with suppress(OSError):  # the server ends
                file.write_text(f"{share:.2f}")

    try:
        return work(*args, progress)
    except InputError as error:
        raise InputError(str(error)) from None  # every other class might not be picklable
    except MemoryError:
        os._exit(1)  # the next computation gets a new process, with all memory


def _set_limits() -> None:
    """Let the system end this process if the computation takes too long."""
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(OSError):  # the server itself is nicer
        os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
    with suppress(ValueError, OSError):  # macOS refuses a limit of the address space
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(process_time() + CPU_SECONDS), most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no core dumps
