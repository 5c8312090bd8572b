"""Work on any executor, also when its workers die: what is lost is given to a new one.

Jobs on any executor, each done exactly once: here, on more cores, on other machines.

Results of jobs on disk until all of them are there: whoever lost its workers goes on from them.

They stand in a folder that is named after a hash of the work: of what is called with what, and of
all code of the package. Work that hangs on code from elsewhere has no such name and is not kept. A
file is a checksum of a result with its place, and the result as Python pickles it.
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
from rollwise.solving.cache_entries import JOBS, code, make_room
from rollwise.solving.progress import Progress

Result = TypeVar("Result")

log = logging.getLogger("rollwise")

KNOWN = {"rollwise", "numpy", *sys.stdlib_module_names}
"""Where code may come from: the package is part of the name, the others do not change results."""

SUM = hashlib.sha256().digest_size


class JobResults:
    """Results of jobs, by number.

    Parameters
    ----------
    work : callable
    jobs : list of tuple
        What it is called with.

    Attributes
    ----------
    folder : Path or None
        None where they cannot be kept.
    """

    def __init__(self, work: Callable[..., Any], jobs: list[tuple[Any, ...]]) -> None:
        self.folder: Path | None = None
        told = io.BytesIO()
        try:
            _Telling(told).dump((work, jobs))
        except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
            return
        digest = hashlib.sha256(fingerprint(PACKAGE).encode() + told.getvalue()).hexdigest()[:16]
        name = f"unfinished.{work.__name__.replace('_', '-')}.{code()}.{digest}{JOBS}"
        self.folder = cache_folder() / name

    @property
    def fate(self) -> str:
        """What becomes of them if not all are there, in words."""
        if self.folder is None or not self.folder.exists():
            return "nothing is kept"
        return "what is done is kept, and the same again goes on from there"

    def read(self) -> dict[int, Any]:
        """Return all that are kept and whole, by the numbers of their jobs."""
        found = {}
        for path in sorted(self.folder.glob("[0-9]*")) if self.folder else []:
            try:
                content = path.read_bytes()
            except OSError:  # another process has them all, and needs none of them any more
                continue
            if content[:SUM] == self._sum(path, content[SUM:]):
                found[int(path.name)] = pickle.loads(content[SUM:])
            else:
                log.warning("%s is not what was written, computing it again", path)
        return found

    def write(self, number: int, result: Any) -> None:
        """Keep a result; where that cannot be done it is said and done without."""
        if self.folder is None:
            return
        path, content = self.folder / f"{number:06}", pickle.dumps(result)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, self._sum(path, content), content)
        except OSError as error:
            log.warning("a finished job could not be kept: %s", error)
            return
        make_room(spared=self.folder)

    def drop(self) -> None:
        """Delete all, when nothing is missing any more."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _sum(self, path: Path, content: bytes) -> bytes:
        return hashlib.sha256(f"{path.parent.name}/{path.name}".encode() + content).digest()


class _Telling(pickle.Pickler):
    """Tells work in the same bytes in every process, and refuses what the bytes do not tell."""

    def reducer_override(self, told: Any) -> Any:
        module = getattr(told, "__module__", None) or "builtins"
        if isinstance(told, type) or callable(told):
            if module.partition(".")[0] not in KNOWN:
                raise pickle.PicklingError(f"code of {module}")
        elif isinstance(told, BaseModel):  # its own pickle has sets, which have no order
            return type(told), (told.model_dump_json(),)
        return NotImplemented


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
