"""Run jobs in parallel processes, on this machine or on others.

A job depends only on its arguments. If its process dies, the job runs again, and its result counts
once.
"""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    as_completed,
)
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any, TypeVar

from rollwise.errors import LostWorkersError, counted
from rollwise.solving.progress import Progress, within

Result = TypeVar("Result")

TRIES = 5
"""The number of times that an executor gets the jobs whose processes died."""


def usable_cores() -> int:
    """Return the number of cores that this process can use: the default of all ``threads``."""
    if hasattr(os, "sched_getaffinity"):  # not on every platform
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(
    work: Callable[..., Result],
    jobs: Sequence[tuple[Any, ...]],
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[Result]:
    """Return ``work(*job)`` for every job, in the order of the jobs.

    Without an executor, the jobs run one after another in this process, and each job also gets the
    argument ``progress``. If processes keep dying, raise a LostWorkersError.
    """
    if executor is None:
        return list(_run_here(work, jobs, progress))
    results: dict[int, Result] = {}
    for _ in range(TRIES):
        futures: dict[Future[Result], int] = {}
        try:
            with suppress(BrokenExecutor):
                for number in range(len(jobs)):
                    if number not in results:
                        futures[executor.submit(work, *jobs[number])] = number
            for future in as_completed(futures):
                try:
                    results[futures[future]] = future.result()
                except (BrokenExecutor, CancelledError):
                    continue
                if progress:
                    progress(len(results) / len(jobs))
        finally:  # if interrupted: do not start the remaining jobs
            for future in futures:
                future.cancel()
        if len(results) == len(jobs):
            return [results[number] for number in range(len(jobs))]
    raise LostWorkersError(
        f"the workers or their scheduler stopped after {len(results)} of "
        f"{counted(len(jobs), 'job')}, perhaps without enough memory; restart them, then repeat "
        "the command"
    )


def _run_here(
    work: Callable[..., Result], jobs: Sequence[tuple[Any, ...]], progress: Progress | None
) -> Iterator[Result]:
    for number, job in enumerate(jobs):
        part = within(progress, number / len(jobs), (number + 1) / len(jobs))
        yield work(*job, progress=part)
        if part:
            part(1.0)


class ProcessPool(Executor):
    """Processes on this machine, which end with this process; if one dies, new ones replace all."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._start()

    def _start(self) -> None:
        context = get_context("spawn")
        closed, self._open = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(self._workers, context, _start_worker, (closed,))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Submit a job; if a process died, start new processes first."""
        with _interrupts_blocked():
            try:
                return self._pool.submit(fn, *args, **kwargs)
            except BrokenExecutor:
                self.shutdown()
                self._start()
                return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes at once, even if they run jobs."""
        self._open.close()
        self._pool.shutdown(wait, cancel_futures=True)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl+C in the body, and in the processes that it starts, which end with this one."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker(closed: "Connection[Any, Any]") -> None:
    """Prepare a new process, which ends when its parent closes the other end of a pipe, or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for Windows
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

    def wait() -> None:
        with suppress(EOFError, OSError):
            closed.recv()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
