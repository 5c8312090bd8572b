"""Jobs on any executor, each done exactly once: here, on more cores, on other machines."""

from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, as_completed
from typing import Any, TypeVar

from rollwise.errors import InputError, LostWorkersError
from rollwise.solving.progress import Progress

Result = TypeVar("Result")

TRIES = 5
"""How often a job is given to an executor whose workers die."""


def run_jobs(
    work: Callable[..., Result],
    jobs: Sequence[tuple[Any, ...]],
    executor: Callable[[], Executor] | None = None,
    progress: Progress | None = None,
) -> list[Result]:
    """Return ``work(*job)`` for every job, in order.

    A job depends on nothing but its arguments, so one that was lost with its worker is run again,
    and its result taken once.

    Parameters
    ----------
    executor : callable, optional
        Makes an executor; jobs run one after another in this process unless told. If its workers
        die, what is not done goes to a new one.
    progress : callable, optional
        Called with the done share of the jobs, from 0 to 1.

    Raises
    ------
    LostWorkersError
        When workers die again and again, or their scheduler is gone and stays so.
    """
    done: dict[int, Result] = {}

    def keep(number: int, result: Result) -> None:
        done[number] = result
        if progress:
            progress(len(done) / len(jobs))

    if executor is None:
        for number, job in enumerate(jobs):
            keep(number, work(*job))
        return list(done.values())
    broken: BaseException | None = None
    for _ in range(TRIES):
        try:
            pool = executor()
        except InputError as error:
            if broken is None:
                raise
            broken = error
            continue
        except BrokenExecutor as error:
            broken = error
            continue
        broken = None
        with pool:
            left = [number for number in range(len(jobs)) if number not in done]
            numbers: dict[Future[Result], int] = {}
            try:
                for number in left:
                    numbers[pool.submit(work, *jobs[number])] = number
            except BrokenExecutor as error:
                broken = error
            for future in as_completed(numbers):
                try:
                    result = future.result()
                except (BrokenExecutor, CancelledError) as error:
                    broken = error  # what other workers have done is kept all the same
                else:
                    keep(numbers[future], result)
        if broken is None:
            return [done[number] for number in range(len(jobs))]
    raise LostWorkersError(
        f"the workers are gone, after {len(done)} of {len(jobs)} jobs: expected workers, and a "
        "scheduler, that stay; nothing is kept"
    ) from broken
