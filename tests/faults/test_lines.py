"""Jobs in processes of their own: within limits, given up with whoever asked, one by one."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Never

import numpy as np
import pytest

import jobs_for_lines as jobs
from rollwise.errors import InputError, TooLargeError
from rollwise.solving.progress import Progress
from rollwise.web import line
from rollwise.web.line import BusyError, JobQueue, JobStatus, WorkerError
from waiting import wait_until


@pytest.fixture(autouse=True)
def _jobs_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the processes import what the tests import."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))


def on_a_line(
    test: Callable[[JobQueue], Awaitable[None]], *, places: int = 1, seconds: float = 600
) -> None:
    async def run() -> None:
        processes = JobQueue(1, places, seconds)
        try:
            await test(processes)
        finally:
            await processes.close()

    asyncio.run(run())


class Unknown:
    """A job that its process cannot read."""

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
    async def test(line: JobQueue) -> None:
        notice = JobStatus()
        assert await line.do(jobs.double, 21, notice=notice) == 42
        assert notice.words().startswith("Computing… 50%, about ")
        with pytest.raises(InputError, match="expected something else"):
            await line.do(jobs.refuse)
        with pytest.raises(InputError, match="more memory than the server gives"):
            await line.do(jobs.fill_memory)
        with pytest.raises(WorkerError, match="ZeroDivisionError: by nothing"):
            await line.do(jobs.fail)
        with pytest.raises(WorkerError, match="is gone"):
            await line.do(jobs.die)
        with pytest.raises(WorkerError, match="ValueError: invalid literal"):
            await line.do(Unknown())
        assert await line.do(jobs.write_to_the_output) == "well"

    on_a_line(test)


def test_large_arrays_outlive_the_answer_that_they_came_with() -> None:
    async def test(line: JobQueue) -> None:
        grid, ones, row = await line.do(jobs.large_arrays)
        assert all(one.flags.writeable and one.flags.aligned for one in (grid, ones, row))
        grid[0, 0] = 7.0
        again, *_ = await line.do(jobs.large_arrays)
        await line.close()
        assert list(grid[0, :3]) == [7, 1, 2]  # one's own, and still there
        assert (again == np.arange(6e5).reshape(3, -1)[:, :100_000]).all()
        assert ones.sum() == 2_000_001
        assert (row == np.arange(4e5)).all()

    on_a_line(test)


def test_what_computes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(line: JobQueue) -> None:
        assert await line.do(jobs.double, 1) == 2
        with pytest.raises(TooLargeError, match=r"at most 0\.1 s of computing"):
            await line.do(jobs.compute_for_ever)
        assert await line.do(jobs.double, 2) == 4

    monkeypatch.setattr(line, "PATIENCE", 1e6)  # the clock ends nothing
    on_a_line(test, seconds=0.1)


def test_what_does_not_end_is_ended_by_the_clock(tmp_path: Path) -> None:
    async def test(line: JobQueue) -> None:
        with pytest.raises(TooLargeError, match=r"at most 0\.05 s of computing"):
            await line.do(jobs.sleep_for_ever, str(tmp_path / "begun"))

    on_a_line(test, seconds=0.05)


def test_the_line_is_of_stated_length_and_goes_on(tmp_path: Path) -> None:
    begun = tmp_path / "begun"

    async def test(line: JobQueue) -> None:
        first = asyncio.ensure_future(line.do(jobs.sleep_for_ever, str(begun)))
        notice = JobStatus()
        second = asyncio.ensure_future(line.do(jobs.double, 4, notice=notice))
        await asyncio.to_thread(wait_until, lambda: begun.exists() and begun.read_text() != "")
        assert notice.words().startswith("In line, about ")
        with pytest.raises(BusyError) as busy:
            await line.do(jobs.double, 1)
        assert busy.value.seconds > 0
        first.cancel()  # as when its client has gone: its process goes, too
        assert await second == 8
        process = int(begun.read_text())
        await asyncio.to_thread(wait_until, lambda: not is_alive(process))

    on_a_line(test)


def test_a_process_that_was_killed_is_replaced(tmp_path: Path) -> None:
    begun = tmp_path / "begun"

    async def test(line: JobQueue) -> None:
        asked = asyncio.ensure_future(line.do(jobs.sleep_for_ever, str(begun)))
        await asyncio.to_thread(wait_until, lambda: begun.exists() and begun.read_text() != "")
        os.kill(int(begun.read_text()), 9)
        with pytest.raises(WorkerError, match="is gone"):
            await asked
        assert await line.do(jobs.double, 1) == 2

    on_a_line(test)
