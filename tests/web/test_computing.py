"""Test the computations of a server: shared results, progress, failures, limits, and bounds."""

import asyncio
import gc
import os
import signal
import threading
import weakref
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rollwise import load_rules, solve
from rollwise.errors import InputError, TooLargeError
from rollwise.solving.progress import Progress
from rollwise.web import computing
from rollwise.web.computing import BusyError, Computing, FailedError, patiently
from waiting import PATIENCE, wait_until

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here() -> AsyncIterator[Computing]:
    here = Computing()
    yield here
    here.close()


def double(number: int, progress: Progress) -> int:
    progress(0.5)
    return 2 * number


def refuse(_: Progress) -> None:
    raise TooLargeError("expected something else")


def fail(_: Progress) -> None:
    raise ZeroDivisionError("a secret of the server")


def fill_memory(_: Progress) -> None:
    np.ones(1 << 40)


def die(_: Progress) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def compute_for_ever(_: Progress) -> None:
    while True:
        pass


def report_and_wait(file: Path, progress: Progress) -> None:
    progress(0.42)
    wait_until(file.exists)


@pytest.mark.parametrize("how", ["seconds", "minutes"])
async def test_results_and_failures(here: Computing, how: str) -> None:
    compute: Any = getattr(here, how)
    assert await compute(double, 21) == 42
    with pytest.raises(InputError, match="expected something else"):
        await compute(refuse)
    with pytest.raises(FailedError, match="the calculation failed; try again later"):
        await compute(fail)
    assert await compute(double, 1) == 2


@pytest.mark.parametrize("job", [fill_memory, die, compute_for_ever])
async def test_a_process_has_limits(
    here: Computing, job: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computing, "_limited", limited_to_a_second)
    with pytest.raises(TooLargeError, match=r"memory .*; choose a smaller game, or run"):
        await here.minutes(job)
    assert await here.minutes(double, 2) == 4  # in a new process


def limited_to_a_second(*args: Any) -> Any:
    computing.CPU_SECONDS = 1
    return LIMITED(*args)


LIMITED = computing._limited


async def test_equal_computations_share_one_run_whose_progress_can_be_read(
    here: Computing, tmp_path: Path
) -> None:
    first = here.minutes(report_and_wait, tmp_path / "go on")
    assert here.minutes(report_and_wait, tmp_path / "go on") is first
    waiting = here.minutes(double, 3)
    while "42%" not in first.words():
        assert not await first.wait(0.01)
    assert first.words().startswith("Computing… 42%, about ")
    assert waiting.words() == "Waiting for other computations…"
    assert not here.has(double, 3)
    assert await here.seconds(double, 1) == 2  # does not wait for minutes
    assert waiting.is_running
    (tmp_path / "go on").touch()
    await first
    assert await waiting == 6
    assert here.minutes(double, 3) is waiting
    assert here.has(double, 3)


async def test_a_computation_without_its_pages_goes_on_and_tells_its_failure_once(
    here: Computing,
) -> None:
    go_on, runs = threading.Event(), list[int]()

    def work(_: Progress) -> None:
        runs.append(1)
        go_on.wait()
        raise InputError("expected something else")

    for _ in range(2):  # pages that do not wait until the end
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(here.seconds(work), 0.01)
    go_on.set()
    await here.seconds(work).wait(PATIENCE)
    for number in (1, 2):
        with pytest.raises(InputError, match="expected something else"):
            await here.seconds(work)
        assert len(runs) == number


async def test_a_busy_server_refuses(here: Computing, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def work(_: int, progress: Progress) -> bool:
        return go_on.wait()

    monkeypatch.setattr(computing, "MOST_WAITING", 3)
    monkeypatch.setattr(BusyError, "seconds", 0)
    running = [here.seconds(work, number) for number in range(3)]
    with pytest.raises(BusyError, match="the server is busy; try again in 0 s"):
        here.seconds(work, 4)
    assert here.seconds(work, 1) is running[1]
    later = asyncio.ensure_future(patiently(lambda: asyncio.shield(here.seconds(work, 4))))
    go_on.set()
    assert await later


async def test_forgotten_results_are_freed(here: Computing) -> None:
    results = list[weakref.ref[np.ndarray]]()

    def work(number: int, _: Progress) -> np.ndarray:
        result = np.ones(1)
        results.append(weakref.ref(result))
        return result

    for number in range(2 * computing.RESULTS):
        await here.seconds(work, number)
        await here.seconds(double, number)  # a computation after another one
    gc.collect()
    assert sum(result() is not None for result in results) <= computing.RESULTS + 1


async def test_results_are_kept_within_bounds(
    here: Computing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def solution(_: int, progress: Progress) -> Any:
        return solve(micro, cache=False)

    def kept() -> list[bool]:
        return [here.has(solution, number) for number in range(3)]

    micro = load_rules("micro-yahtzee")
    size = computing.bytes_of(solve(micro, cache=False))
    assert size > 0
    monkeypatch.setattr(computing, "RESULT_BYTES", 2 * size)
    first = here.seconds(double, 0)
    for number in range(1, computing.RESULTS + 1):
        await here.seconds(double, number)
        assert here.seconds(double, 0) is first  # used again and again
    here.seconds(double, computing.RESULTS)
    assert not here.has(double, 1)
    for number in range(3):
        await here.seconds(solution, number)
    here.seconds(double, 0)
    assert kept() == [False, True, True]
    monkeypatch.setattr(computing, "RESULT_BYTES", size // 2)
    await here.seconds(double, 1)
    assert kept() == [False, False, True]


async def test_the_end_of_the_server_ends_computations(here: Computing) -> None:
    begun = threading.Event()

    def work(progress: Progress) -> None:
        while True:
            progress(0.1)
            begun.set()

    computation = here.seconds(work)
    await here.quick(begun.wait)
    here.close()
    with pytest.raises(FailedError):
        await computation
