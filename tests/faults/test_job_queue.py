"""The job queue: limits, order, failures, and cancellation of jobs in a worker process."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Never

import numpy as np
import pytest

import faulty_jobs as jobs
from rollwise.errors import InputError, TooLargeError
from rollwise.solving.progress import Progress
from rollwise.web import job_queue
from rollwise.web.job_queue import BusyError, JobQueue, JobStatus, WorkerError
from waiting import wait_until


@pytest.fixture(autouse=True)
def _import_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the worker process import the modules of the tests."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))


def with_queue(
    test: Callable[[JobQueue], Awaitable[None]], *, capacity: int = 1, seconds: float = 600
) -> None:
    async def run() -> None:
        queue = JobQueue(capacity, seconds)
        try:
            await test(queue)
        finally:
            await queue.close()

    asyncio.run(run())


class Unreadable:
    """A job that its process cannot unpickle."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("no number",)

    def __call__(self, progress: Progress) -> Never:
        raise NotImplementedError


def is_alive(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    return False


def test_results_refusals_and_faults() -> None:
    async def test(queue: JobQueue) -> None:
        status = JobStatus()
        assert await queue.run(jobs.double, 21, status=status) == 42
        assert status.words().startswith("Computing… 50%, about ")
        with pytest.raises(InputError, match="expected something else"):
            await queue.run(jobs.refuse)
        with pytest.raises(InputError, match="more memory than the server gives"):
            await queue.run(jobs.fill_memory)
        with pytest.raises(WorkerError, match="ZeroDivisionError: by nothing"):
            await queue.run(jobs.fail)
        with pytest.raises(WorkerError, match="is gone"):
            await queue.run(jobs.die)
        with pytest.raises(WorkerError, match="ValueError: invalid literal"):
            await queue.run(Unreadable())
        assert await queue.run(jobs.print_a_line) == "well"

    with_queue(test)


def test_large_arrays_outlive_their_process() -> None:
    async def test(queue: JobQueue) -> None:
        grid, ones, row = await queue.run(jobs.large_arrays)
        assert all(array.flags.writeable and array.flags.aligned for array in (grid, ones, row))
        grid[0, 0] = 7.0
        again, *_ = await queue.run(jobs.large_arrays)
        await queue.close()
        assert list(grid[0, :3]) == [7, 1, 2]  # still readable, and changed only in this process
        assert (again == np.arange(6e5).reshape(3, -1)[:, :100_000]).all()
        assert ones.sum() == 2_000_001
        assert (row == np.arange(4e5)).all()

    with_queue(test)


def test_a_job_that_computes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(queue: JobQueue) -> None:
        assert await queue.run(jobs.double, 1) == 2
        with pytest.raises(TooLargeError, match=r"at most 0\.1 s of computing"):
            await queue.run(jobs.compute_for_ever)
        assert await queue.run(jobs.double, 2) == 4

    monkeypatch.setattr(job_queue, "PATIENCE", 1e6)  # so that elapsed time ends no job
    with_queue(test, seconds=0.1)


def test_a_job_that_sleeps_too_long_is_ended(tmp_path: Path) -> None:
    async def test(queue: JobQueue) -> None:
        with pytest.raises(TooLargeError, match=r"at most 0\.05 s of computing"):
            await queue.run(jobs.sleep_for_ever, str(tmp_path / "started"))

    with_queue(test, seconds=0.05)


def test_a_full_queue_refuses_and_a_cancelled_job_makes_room(tmp_path: Path) -> None:
    started = tmp_path / "started"

    async def test(queue: JobQueue) -> None:
        first = asyncio.ensure_future(queue.run(jobs.sleep_for_ever, str(started)))
        status = JobStatus()
        second = asyncio.ensure_future(queue.run(jobs.double, 4, status=status))
        await asyncio.to_thread(wait_until, lambda: started.exists() and started.read_text() != "")
        assert status.words().startswith("In line, about ")
        with pytest.raises(BusyError) as busy:
            await queue.run(jobs.double, 1)
        assert busy.value.seconds > 0
        first.cancel()  # as after a disconnect of the client, which ends the process
        assert await second == 8
        process = int(started.read_text())
        await asyncio.to_thread(wait_until, lambda: not is_alive(process))

    with_queue(test)


def test_a_killed_process_is_replaced(tmp_path: Path) -> None:
    started = tmp_path / "started"

    async def test(queue: JobQueue) -> None:
        job = asyncio.ensure_future(queue.run(jobs.sleep_for_ever, str(started)))
        await asyncio.to_thread(wait_until, lambda: started.exists() and started.read_text() != "")
        os.kill(int(started.read_text()), 9)
        with pytest.raises(WorkerError, match="is gone"):
            await job
        assert await queue.run(jobs.double, 1) == 2

    with_queue(test)
