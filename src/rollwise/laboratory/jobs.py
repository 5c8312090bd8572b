"""Jobs on any executor, each done exactly once: here, on more cores, on other machines."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, as_completed
from contextlib import nullcontext, suppress
from itertools import starmap
from typing import Any, TypeVar

from rollwise.errors import InputError, LostWorkersError
from rollwise.solving.job_results import JobResults
from rollwise.solving.progress import Progress

Result = TypeVar("Result")
Numbered = TypeVar("Numbered")

TRIES = 5
"""How often a job is given to an executor whose workers die."""


def run_jobs(
    work: Callable[..., Result],
    jobs: Sequence[tuple[Any, ...]],
    executor: Callable[[], Executor] | None = None,
    progress: Progress | None = None,
    results: JobResults | None = None,
) -> list[Result]:
    """Return ``work(*job)`` for every job, in order.

    A job depends on nothing but its arguments, so one that was lost with its worker is run again,
    and its result taken once. What an executor has done is kept on disk until all is done: to call
    this again goes on from there.

    Parameters
    ----------
    executor : callable, optional
        Makes an executor; jobs run one after another in this process unless told. If its workers
        die, what is not done goes to a new one.
    progress : callable, optional
        Called with the done share of the jobs, from 0 to 1.
    results : JobResults, optional
        Where what is done is kept, without an executor too, until the caller drops it.

    Raises
    ------
    LostWorkersError
        When workers die again and again, or their scheduler is gone and stays so.
    """
    if executor is None and results is None:
        return [result for _, result in _counted(enumerate(starmap(work, jobs)), 0, jobs, progress)]
    kept = results or JobResults(work, list(jobs))
    done: dict[int, Result] = kept.read()
    for attempt in range(TRIES):
        left = {number: job for number, job in enumerate(jobs) if number not in done}
        if not left:
            break
        try:
            pool = executor() if executor else None
        except BrokenExecutor:
            continue
        except InputError:
            if attempt == 0:
                raise
            continue  # a scheduler that was there
        with pool or nullcontext():
            found = _done_by(pool, work, left) if pool else _done_here(work, left)
            for number, result in _counted(found, len(done), jobs, progress):
                done[number] = result
                kept.write(number, result)
    if len(done) == len(jobs):
        if results is None:
            kept.drop()
        return [done[number] for number in range(len(jobs))]
    raise LostWorkersError(
        f"the workers are gone, after {len(done)} of {len(jobs)} jobs: expected workers, and a "
        f"scheduler, that stay; {kept.fate}"
    )


def _done_here(
    work: Callable[..., Result], jobs: Mapping[int, tuple[Any, ...]]
) -> Iterator[tuple[int, Result]]:
    """Yield numbers and results of jobs, one after another."""
    for number, job in jobs.items():
        yield number, work(*job)


def _done_by(
    pool: Executor, work: Callable[..., Result], jobs: Mapping[int, tuple[Any, ...]]
) -> Iterator[tuple[int, Result]]:
    """Yield numbers and results of jobs as they come; not those that are lost with a worker."""
    numbers: dict[Future[Result], int] = {}
    with suppress(BrokenExecutor):
        for number, job in jobs.items():
            numbers[pool.submit(work, *job)] = number
    for future in as_completed(numbers):
        with suppress(BrokenExecutor, CancelledError):
            yield numbers[future], future.result()


def _counted(
    found: Iterable[Numbered], before: int, jobs: Sequence[Any], progress: Progress | None
) -> Iterator[Numbered]:
    """Yield what is found, and tell the share of the jobs that is done then."""
    for count, one in enumerate(found, start=before + 1):
        yield one
        if progress:
            progress(count / len(jobs))
