"""A job queue that works with any executor, and counts each result once even if workers die.

:func:`run_jobs` runs jobs in this process, on several cores, or on other machines. :class:`Workers`
gives lost jobs to a new executor. :class:`JobResults` saves finished results as checkpoints until
all jobs are done, so that an interrupted run resumes from them.

Results are saved in a folder whose name contains a hash of the function, its arguments, and all
code of the package. The hash does not cover other packages, so the results of their functions are
not saved. Each result is a table with its numbers as JSON and its arrays. A result is not saved if
it contains anything else, or if its function has no return annotation.
"""

import hashlib
import io
import json
import logging
import pickle
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, as_completed
from contextlib import suppress
from dataclasses import fields, is_dataclass
from itertools import starmap
from pathlib import Path
from types import GenericAlias, TracebackType
from typing import Any, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, TypeAdapter

from rollwise.cache_folder import PACKAGE, code_hash, current_folder, evict, make_own
from rollwise.errors import InputError, LostWorkersError, counted
from rollwise.solving.progress import Progress
from rollwise.solving.storage.tables import read_table, write_table

log = logging.getLogger("rollwise")

Result = TypeVar("Result")

Numbered = TypeVar("Numbered")

KNOWN = {"rollwise", "numpy", *sys.stdlib_module_names}
"""The modules that saved jobs can use.

The hash covers the code of this package. The other modules do not change results.
"""

ARRAY = "<array>"
"""The key of a JSON object that replaces an array."""

TRIES = 5
"""The maximum number of executors that try to run a job."""


def run_jobs(
    work: Callable[..., Result],
    jobs: Sequence[tuple[Any, ...]],
    executor: Callable[[], Executor] | None = None,
    progress: Progress | None = None,
    results: "JobResults | None" = None,
) -> list[Result]:
    """Return ``work(*job)`` for every job, in the order of the jobs.

    A job depends only on its arguments, so a lost job is run again and its result counts once. If
    there is an executor, results are saved until all jobs are done, so that another call can
    resume.

    Parameters
    ----------
    executor : callable, optional
        Creates an executor; by default, jobs run one after another in this process. If its workers
        die, a new executor gets the unfinished jobs.
    progress : callable, optional
        Called with the fraction of finished jobs, from 0 to 1.
    results : JobResults, optional
        Where to save results, even if there is no executor. The caller must delete them.

    Raises
    ------
    LostWorkersError
        If workers keep dying, or their scheduler does not come back.
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
        f"the workers or their scheduler stopped after {len(done)} of {counted(len(jobs), 'job')}; "
        f"{saved.how_to_continue}"
    )


def _counted(
    results: Iterable[Numbered], before: int, jobs: Sequence[Any], progress: Progress | None
) -> Iterator[Numbered]:
    """Yield the results, and report progress; ``before`` jobs were already finished."""
    for count, result in enumerate(results, start=before + 1):
        yield result
        if progress:
            progress(count / len(jobs))


def run(
    work: Callable[..., Result],
    jobs: Sequence[tuple[Any, ...]],
    executor: Executor,
    progress: Progress | None = None,
) -> list[Result]:
    """Return ``work(*job)`` for every job, in the order of the jobs; run lost jobs again.

    Raises
    ------
    LostWorkersError
        If processes keep dying.
    """
    results: dict[int, Result] = {}
    for _ in range(TRIES):
        left = {number: job for number, job in enumerate(jobs) if number not in results}
        for number, result in _finished(executor, work, left):
            results[number] = result
            if progress:
                progress(len(results) / len(jobs))
        if len(results) == len(jobs):
            return [results[number] for number in range(len(jobs))]
    raise LostWorkersError(
        f"the workers or their scheduler stopped after {len(results)} of "
        f"{counted(len(jobs), 'job')}; restart them, then repeat the command"
    )


class Workers:
    """A context manager that runs jobs, and replaces an executor whose workers die.

    Parameters
    ----------
    executor : callable, optional
        Creates an executor; by default, jobs run one after another in this process.
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
        """Yield the number of each job and its result ``work(*job)`` as the jobs finish.

        The iterator ends early if workers keep dying, or their scheduler does not come back.

        Raises
        ------
        InputError
            If no workers are available at the start.
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
        """Return the current executor or a new one, or None if no executor is available."""
        if self._pool is None:
            try:
                self._pool = make()
            except BrokenExecutor:
                return None
            except InputError:
                if not self._had_executor:
                    raise
                return None  # the scheduler was available before: try again
            self._had_executor = True
        return self._pool

    def _shut_down(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def _finished(
    pool: Executor, work: Callable[..., Result], jobs: Mapping[int, tuple[Any, ...]]
) -> Iterator[tuple[int, Result]]:
    """Yield the number and the result of each finished job; skip lost jobs."""
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
    """The results of jobs on disk, with one file for each job.

    Parameters
    ----------
    work : callable
        The function that computes a result.
    jobs : list of tuple
        The arguments of ``work`` for each job.

    Attributes
    ----------
    folder : Path or None
        The folder of the results; None if they cannot be saved.
    """

    def __init__(self, work: Callable[..., Any], jobs: list[tuple[Any, ...]]) -> None:
        self.folder: Path | None = None
        pickled = io.BytesIO()
        try:
            # A list, because pydantic accepts no configuration for a dataclass alone.
            kind: Any = GenericAlias(list, get_type_hints(work)["return"])
            _StablePickler(pickled).dump((work, jobs))
        except (
            pickle.PicklingError, KeyError, NameError, TypeError, AttributeError, RecursionError
        ):  # fmt: skip
            return
        self._list = TypeAdapter[Any](kind, config=ConfigDict(arbitrary_types_allowed=True))
        digest = hashlib.sha256(code_hash(PACKAGE).encode() + pickled.getvalue()).hexdigest()[:16]
        name = f"unfinished.{work.__name__.replace('_', '-')}.{digest}.jobs"
        self.folder = current_folder() / name

    @property
    def how_to_continue(self) -> str:
        """The last part of an error message: whether results are saved, and how to continue."""
        if self.folder is None or not self.folder.exists():
            return (
                "nothing is saved; restart the workers and the scheduler, then repeat the command"
            )
        return (
            "finished jobs are saved; restart the workers and the scheduler, then repeat the "
            "command to continue"
        )

    def read(self) -> dict[int, Any]:
        """Return all undamaged results in a dictionary from job numbers to results."""
        results = {}
        for path in sorted(self.folder.glob("[0-9]*")) if self.folder else []:
            try:
                results[int(path.name)] = self._read(path)
            except FileNotFoundError:  # another process finished and deleted the files
                continue
            except (OSError, LookupError, TypeError, ValueError):
                log.warning("%s is damaged; computing it again", path)
        return results

    def _read(self, path: Path) -> Any:
        header, arrays = read_table(path)
        if header["job"] != _job(path):
            raise ValueError
        plain = json.loads(
            header["result"],
            object_hook=lambda item: arrays[item[ARRAY]] if item.keys() == {ARRAY} else item,
        )
        (result,) = self._list.validate_python([plain])
        return result

    def write(self, number: int, result: Any) -> None:
        """Save a result; log a warning if this fails."""
        if self.folder is None:
            return
        path, arrays = self.folder / f"{number:06}", dict[str, NDArray[Any]]()
        try:
            header = {"job": _job(path), "result": json.dumps(result, default=_plain(arrays))}
        except TypeError:
            return
        try:
            make_own(self.folder.parent)
            self.folder.mkdir(exist_ok=True)
            write_table(path, header, arrays)
        except OSError as error:
            log.warning("cannot save a finished job: %s", error)
            return
        evict(spared=self.folder)

    def drop(self) -> None:
        """Delete all saved results."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def _job(path: Path) -> str:
    """Return the identity of the job whose result a file contains."""
    return f"{path.parent.name}/{path.name}"


def _plain(arrays: dict[str, NDArray[Any]]) -> Callable[[Any], dict[str, Any]]:
    """Return a function that turns dataclasses and arrays into JSON, and collects the arrays."""

    def plain(item: Any) -> dict[str, Any]:
        if is_dataclass(item):
            return {field.name: getattr(item, field.name) for field in fields(item)}
        if not isinstance(item, np.ndarray) or item.dtype.hasobject:
            raise TypeError
        name = str(len(arrays))
        arrays[name] = np.ascontiguousarray(item)
        return {ARRAY: name}

    return plain


class _StablePickler(pickle.Pickler):
    """A pickler that writes the same bytes in every process and rejects code of other packages."""

    def reducer_override(self, item: Any) -> Any:
        module = getattr(item, "__module__", None) or "builtins"
        if isinstance(item, type) or callable(item):
            if module.partition(".")[0] not in KNOWN:
                raise pickle.PicklingError(f"code of {module}")
        elif isinstance(item, BaseModel):  # its own pickle has sets, which have no fixed order
            return type(item), (item.model_dump_json(),)
        return NotImplemented
