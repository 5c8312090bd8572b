"""Test the job queue: results, failures, and cancellation of jobs in a worker process."""

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
from rollwise.errors import InputError
from rollwise.solving.progress import Progress
from rollwise.web.cpu_shares import CLIENT
from rollwise.web.job_queue import BusyError, JobQueue, JobStatus, WorkerError
from waiting import wait_until


@pytest.fixture(autouse=True)
def _import_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the worker process import the modules of the tests."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))


def with_queue(test: Callable[[JobQueue], Awaitable[None]], *, capacity: int = 1) -> None:
    async def run() -> None:
        queue = JobQueue(capacity, 600)
        try:
            await test(queue)
        finally:
            await queue.close()

    asyncio.run(run())


class Unreadable:
    """A job that the worker process cannot unpickle."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("no number",)

    def __call__(self, progress: Progress) -> Never:
        raise NotImplementedError


def is_alive(process: int) -> bool:
    with suppress(FileNotFoundError, ProcessLookupError):  # the process can end at any moment
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    return False


def test_results_refusals_and_faults() -> None:
    async def test(queue: JobQueue) -> None:
        status = JobStatus()
        assert await queue.run(jobs.double, 21, status=status) == 42
        assert status.words().startswith("Computing… 50%, about ")
        with pytest.raises(InputError, match="expected something else"):
            await queue.run(jobs.refuse)
        with pytest.raises(InputError, match="more memory than the server allows for one request"):
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


def test_a_full_queue_refuses_and_a_cancelled_job_makes_room(tmp_path: Path) -> None:
    started = tmp_path / "started"

    async def test(queue: JobQueue) -> None:
        first = asyncio.ensure_future(queue.run(jobs.sleep_for_ever, str(started)))
        status = JobStatus()
        second = asyncio.ensure_future(queue.run(jobs.double, 4, status=status))
        await asyncio.to_thread(wait_until, lambda: started.exists() and started.read_text() != "")
        assert status.words().startswith("Waiting for other computations, about ")
        with pytest.raises(BusyError) as busy:
            await queue.run(jobs.double, 1)
        assert busy.value.seconds > 0
        first.cancel()  # as after a disconnect of the client, which ends the process
        assert await second == 8
        process = int(started.read_text())
        await asyncio.to_thread(wait_until, lambda: not is_alive(process))

    with_queue(test)


def submit(queue: JobQueue, client: str, *job: Any) -> "asyncio.Task[Any]":
    """Start a job on behalf of a client."""

    async def run() -> Any:
        CLIENT.set(client)
        return await queue.run(*job)

    return asyncio.ensure_future(run())


def children() -> list[int]:
    """Return the worker processes of this process that have not ended."""
    process = os.getpid()
    ids = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(id) for id in ids if is_alive(int(id))]


async def settled() -> None:
    """Let all tasks run until they wait."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_a_job_canceled_while_its_process_starts_leaves_none() -> None:
    before = children()

    async def test(queue: JobQueue) -> None:
        for _ in range(3):
            job = submit(queue, "a", jobs.double, 1)
            await settled()
            job.cancel()
            await asyncio.wait([job])
            assert queue._process is None
            await asyncio.to_thread(wait_until, lambda: {*children()} <= {*before})

    with_queue(test)


def test_jobs_canceled_while_they_wait(tmp_path: Path) -> None:
    async def test(queue: JobQueue) -> None:
        running = submit(queue, "a", jobs.sleep_for_ever, str(tmp_path / "started"))
        await settled()
        gone, last = submit(queue, "b", jobs.double, 1), submit(queue, "c", jobs.double, 2)
        await settled()
        running.cancel()
        gone.cancel()  # at the same time
        assert await last == 4
        assert await submit(queue, "a", jobs.double, 3) == 6

    with_queue(test, capacity=8)


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
