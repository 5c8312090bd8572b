"""A job queue on any executor: each job is done once, even if workers die.

:func:`run_jobs` runs jobs in this process, on more cores, or on other machines. :class:`Workers`
gives the jobs that are lost with an executor to a new one. :class:`JobResults` saves finished
results as checkpoints until all jobs are done, so that an interrupted run resumes from them.

The results are in a folder that is named after a hash of the work: the function, its arguments, and
all code of the package. Work that depends on code from elsewhere has no such name and is not saved.
A file is a checksum of a result and its name, followed by the pickled result.
"""

import hashlib
import io
import logging
import pickle
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, as_completed
from contextlib import suppress
from itertools import starmap
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from pydantic import BaseModel

from rollwise.errors import InputError, LostWorkersError
from rollwise.files import cache_folder, write_atomically
from rollwise.fingerprint import PACKAGE, fingerprint
from rollwise.solving.cache_entries import JOBS, code_fingerprint, evict
from rollwise.solving.progress import Progress

log = logging.getLogger("rollwise")

Result = TypeVar("Result")

Numbered = TypeVar("Numbered")

KNOWN = {"rollwise", "numpy", *sys.stdlib_module_names}
"""Modules that work can come from: the package is part of the hash; others change no results."""

SUM = hashlib.sha256().digest_size

TRIES = 5
"""How often a job is given to an executor whose workers die."""


def run_jobs(
    work: Callable[..., Result],
    jobs: Sequence[tuple[Any, ...]],
    executor: Callable[[], Executor] | None = None,
    progress: Progress | None = None,
    results: "JobResults | None" = None,
) -> list[Result]:
    """Return ``work(*job)`` for every job, in order.

    A job depends only on its arguments, so a job that was lost with its worker is run again, and
    its result is counted once. Results of an executor are saved until all jobs are done: another
    call resumes from them.

    Parameters
    ----------
    executor : callable, optional
        Makes an executor; by default jobs run one after another in this process. If its workers
        die, a new executor gets the unfinished jobs.
    progress : callable, optional
        Called with the finished share of the jobs, from 0 to 1.
    results : JobResults, optional
        Where results are saved, even without an executor, until the caller drops them.

    Raises
    ------
    LostWorkersError
        When workers die again and again, or their scheduler is gone for good.
    """
    if executor is None and results is None:
        return [result for _, result in _counted(enumerate(starmap(work, jobs)), 0, jobs, progress)]
    saved = results or JobResults(work, list(jobs))
    done: dict[int, Result] = saved.read()
    left = {number: job for number, job in enumerate(jobs) if number not in done}
    with Workers(executor) as workers:
        for number, result in _counted(workers.each(work, left), len(done), jobs, progress):
            done[number] = result
            saved.write(number, result)
    if len(done) == len(jobs):
        if results is None:
            saved.drop()
        return [done[number] for number in range(len(jobs))]
    raise LostWorkersError(
        f"the workers are gone, after {len(done)} of {len(jobs)} jobs: expected workers, and a "
        f"scheduler, that stay; {saved.fate}"
    )


def _counted(
    results: Iterable[Numbered], before: int, jobs: Sequence[Any], progress: Progress | None
) -> Iterator[Numbered]:
    """Yield the results and report the finished share of the jobs."""
    for count, result in enumerate(results, start=before + 1):
        yield result
        if progress:
            progress(count / len(jobs))


class Workers:
    """A sequence of executors; the last one ends with the context.

    Parameters
    ----------
    executor : callable, optional
        Makes an executor; by default jobs run one after another in this process.
    """

    def __init__(self, executor: Callable[[], Executor] | None) -> None:
        self._make = executor
        self._pool: Executor | None = None
        self._had_executor = False

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._shut_down()

    def each(
        self, work: Callable[..., Result], jobs: Mapping[int, tuple[Any, ...]]
    ) -> Iterator[tuple[int, Result]]:
        """Yield the numbers of jobs and the results of ``work(*job)`` as they finish.

        A job depends only on its arguments, so a job that was lost with its worker is run again,
        and its result is counted once. The iterator ends early when workers die again and again,
        or their scheduler is gone for good.

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
            if left and (pool := self._current_executor(self._make)):
                for number, result in _finished(pool, work, left.copy()):
                    del left[number]
                    yield number, result
                if left:
                    self._shut_down()

    def _current_executor(self, make: Callable[[], Executor]) -> Executor | None:
        """Return the current executor, or a new one; None if there is none now."""
        if self._pool is None:
            try:
                self._pool = make()
            except BrokenExecutor:
                return None
            except InputError:
                if not self._had_executor:
                    raise
                return None  # the scheduler existed before
            self._had_executor = True
        return self._pool

    def _shut_down(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def _finished(
    pool: Executor, work: Callable[..., Result], jobs: Mapping[int, tuple[Any, ...]]
) -> Iterator[tuple[int, Result]]:
    """Yield numbers and results of jobs as they finish; not of jobs lost with a worker."""
    numbers: dict[Future[Result], int] = {}
    try:
        with suppress(BrokenExecutor):
            for number, job in jobs.items():
                numbers[pool.submit(work, *job)] = number
        for future in as_completed(numbers):
            with suppress(BrokenExecutor, CancelledError):
                yield numbers[future], future.result()
    finally:
        for future in numbers:  # interrupted: do not start the remaining jobs
            future.cancel()


class JobResults:
    """Saved results of jobs, by the number of the job.

    Parameters
    ----------
    work : callable
    jobs : list of tuple
        The arguments for each call.

    Attributes
    ----------
    folder : Path or None
        None if the results cannot be saved.
    """

    def __init__(self, work: Callable[..., Any], jobs: list[tuple[Any, ...]]) -> None:
        self.folder: Path | None = None
        pickled = io.BytesIO()
        try:
            _StablePickler(pickled).dump((work, jobs))
        except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
            return
        digest = hashlib.sha256(fingerprint(PACKAGE).encode() + pickled.getvalue()).hexdigest()[:16]
        name = f"unfinished.{work.__name__.replace('_', '-')}.{code_fingerprint()}.{digest}{JOBS}"
        self.folder = cache_folder() / name

    @property
    def fate(self) -> str:
        """What happens to the results if some jobs are missing, in words."""
        if self.folder is None or not self.folder.exists():
            return "nothing is kept"
        return "what is done is kept, and the same again goes on from there"

    def read(self) -> dict[int, Any]:
        """Return all intact results, by the numbers of their jobs."""
        results = {}
        for path in sorted(self.folder.glob("[0-9]*")) if self.folder else []:
            try:
                content = path.read_bytes()
            except OSError:  # another process has all results and deleted the files
                continue
            if content[:SUM] == self._sum(path, content[SUM:]):
                results[int(path.name)] = pickle.loads(content[SUM:])
            else:
                log.warning("%s is not what was written, computing it again", path)
        return results

    def write(self, number: int, result: Any) -> None:
        """Save a result; if that fails, warn and go on."""
        if self.folder is None:
            return
        path, content = self.folder / f"{number:06}", pickle.dumps(result)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, self._sum(path, content), content)
        except OSError as error:
            log.warning("a finished job could not be kept: %s", error)
            return
        evict(spared=self.folder)

    def drop(self) -> None:
        """Delete all results, once none is missing."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _sum(self, path: Path, content: bytes) -> bytes:
        return hashlib.sha256(f"{path.parent.name}/{path.name}".encode() + content).digest()


class _StablePickler(pickle.Pickler):
    """Pickle work to the same bytes in every process; refuse work that the bytes do not define."""

    def reducer_override(self, item: Any) -> Any:
        module = getattr(item, "__module__", None) or "builtins"
        if isinstance(item, type) or callable(item):
            if module.partition(".")[0] not in KNOWN:
                raise pickle.PicklingError(f"code of {module}")
        elif isinstance(item, BaseModel):  # its own pickle has sets, which have no order
            return type(item), (item.model_dump_json(),)
        return NotImplemented
