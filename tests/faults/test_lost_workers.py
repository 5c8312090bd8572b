"""Check that the jobs of lost workers run again, or that one error message reports the failure."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from lethal_strategies import check_simulation
from rollwise.errors import LostWorkersError
from rollwise.evaluation.batch import BLOCK
from rollwise.solving.jobs import ProcessPool, run
from waiting import PATIENCE, wait_until


class Flaky(Executor):
    """An executor that loses each job a given number of times, in different ways."""

    def __init__(self, losses: dict[int, int]) -> None:
        self.losses = losses

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        (number,) = args
        if not self.losses.get(number):
            future.set_result(fn(number))
            return future
        self.losses[number] -= 1
        if number == 1:  # like a pool that breaks while it gets its jobs
            raise BrokenExecutor
        if number == 2:
            future.set_exception(BrokenExecutor())
        else:  # like a cluster whose scheduler stops
            future.cancel()
            future.set_running_or_notify_cancel()
        return future


def double(number: int) -> int:
    return 2 * number


JOBS = [(number,) for number in range(5)]


def test_lost_jobs_run_again_and_count_once() -> None:
    done: list[float] = []
    assert run(double, JOBS, Flaky({1: 1, 2: 2, 3: 3}), done.append) == [0, 2, 4, 6, 8]
    assert done == [count / 5 for count in range(1, 6)]


def test_permanently_lost_workers_are_an_error() -> None:
    with pytest.raises(LostWorkersError, match="after 4 of 5 jobs"):
        run(double, JOBS, Flaky({3: 99}))


def test_the_error_of_a_job_is_not_a_loss() -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(ZeroDivisionError):
        run(divmod, [(1, 0)], pool)


@pytest.mark.slow
def test_a_killed_process_changes_nothing(tmp_path: Path) -> None:
    with ProcessPool(2) as pool:
        check_simulation(pool, tmp_path / "killed")


STUCK = """
import os, time
from pathlib import Path
class Stuck:
    def keep(self, card, dice, rolls_left):
        Path(f"{os.getpid()}.started").touch()
        time.sleep(3600)
"""


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_the_command(sign: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text(STUCK)
    command = f"simulate my.py:Stuck --rules crag --games {2 * BLOCK} --cluster local:2 -q"
    process = subprocess.Popen(
        [sys.executable, "-m", "rollwise", *command.split()],
        cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    wait_until(lambda: len(list(tmp_path.glob("*.started"))) == 2)
    if sign == signal.SIGINT:  # Ctrl+C in a terminal reaches all processes
        os.killpg(process.pid, sign)
    else:
        process.kill()
    # The pipe ends when the last worker has ended.
    assert b"Traceback" not in process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == (130 if sign == signal.SIGINT else -sign)
