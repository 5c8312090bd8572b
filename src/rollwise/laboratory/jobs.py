"""Jobs on any executor, each done exactly once: here, on more cores, on other machines."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from itertools import starmap
from typing import Any, TypeVar

from rollwise.errors import LostWorkersError
from rollwise.solving.job_results import JobResults
from rollwise.solving.progress import Progress
from rollwise.solving.workers import Workers

Result = TypeVar("Result")
Numbered = TypeVar("Numbered")


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
    left = {number: job for number, job in enumerate(jobs) if number not in done}
    with Workers(executor) as workers:
        for number, result in _counted(workers.each(work, left), len(done), jobs, progress):
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


def _counted(
    found: Iterable[Numbered], before: int, jobs: Sequence[Any], progress: Progress | None
) -> Iterator[Numbered]:
    """Yield what is found, and tell the share of the jobs that is done then."""
    for count, one in enumerate(found, start=before + 1):
        yield one
        if progress:
            progress(count / len(jobs))
