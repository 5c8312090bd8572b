"""Work on any executor, also when its workers die: what is lost is given to a new one."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, as_completed
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar

from rollwise.errors import InputError

Result = TypeVar("Result")

TRIES = 5
"""How often a job is given to an executor whose workers die."""


class Workers:
    """Executors, one after another; the last one ends with the context.

    Parameters
    ----------
    executor : callable, optional
        Makes an executor; jobs run one after another in this process unless told.
    """

    def __init__(self, executor: Callable[[], Executor] | None) -> None:
        self._make = executor
        self._pool: Executor | None = None
        self._begun = False

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._leave()

    def each(
        self, work: Callable[..., Result], jobs: Mapping[int, tuple[Any, ...]]
    ) -> Iterator[tuple[int, Result]]:
        """Yield numbers of jobs and results of ``work(*job)`` as they come.

        A job depends on nothing but its arguments, so one that was lost with its worker is run
        again, and its result taken once. It ends before all are done when workers die again and
        again, or their scheduler is gone and stays so.

        Raises
        ------
        InputError
            When there are no workers from the start.
        """
        if self._make is None:
            for number, job in jobs.items():
                yield number, work(*job)
            return
        left = dict(jobs)
        for _ in range(TRIES):
            if left and (pool := self._at_work(self._make)):
                for number, result in _done_by(pool, work, left.copy()):
                    del left[number]
                    yield number, result
                if left:
                    self._leave()

    def _at_work(self, make: Callable[[], Executor]) -> Executor | None:
        """Return the executor that is there, or a new one; None where there is none now."""
        if self._pool is None:
            try:
                self._pool = make()
            except BrokenExecutor:
                return None
            except InputError:
                if not self._begun:
                    raise
                return None  # a scheduler that was there
            self._begun = True
        return self._pool

    def _leave(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def _done_by(
    pool: Executor, work: Callable[..., Result], jobs: Mapping[int, tuple[Any, ...]]
) -> Iterator[tuple[int, Result]]:
    """Yield numbers and results of jobs as they come; not those that are lost with a worker."""
    numbers: dict[Future[Result], int] = {}
    try:
        with suppress(BrokenExecutor):
            for number, job in jobs.items():
                numbers[pool.submit(work, *job)] = number
        for future in as_completed(numbers):
            with suppress(BrokenExecutor, CancelledError):
                yield numbers[future], future.result()
    finally:
        for future in numbers:  # interrupted: what was not begun is not begun
            future.cancel()
