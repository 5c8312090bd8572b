"""Check that killed workers do not change any result of a Dask cluster of two processes."""

import gc
import os
import random
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import distributed
import numpy as np
import pytest

from dask_processes import dask_processes
from games_with_layers import small_maxi
from rollwise.errors import InputError, LostWorkersError
from rollwise.experiments.cluster import Cluster
from rollwise.experiments.simulation import play_games, simulate
from rollwise.rules import load_rules
from rollwise.solving.jobs import run_jobs
from rollwise.solving.solver import Solver
from rollwise.solving.storage.layers import Values
from rollwise.strategies import CommonestFace
from rollwise.strategies.custom import CustomStrategy

RULES = load_rules("yams")

# Dask leaves sockets and loops to the garbage collector when a worker dies.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module", autouse=True)
def _collected() -> Iterator[None]:
    """Collect the garbage of Dask while these tests ignore its warnings."""
    yield
    gc.collect()


def test_the_same_games_on_two_workers() -> None:
    source = "class Mine:\n    def keep(self, card, dice, rolls_left):\n        return dice[1:]\n"
    for strategy in (CommonestFace(), CustomStrategy.of_source("mine.py", source, "Mine")):
        local = simulate(strategy, RULES, 20_000, 4)
        remote = simulate(strategy, RULES, 20_000, 4, executor=lambda: Cluster(2), workers=2)
        assert np.array_equal(local.points_N_K, remote.points_N_K)


def play_or_die(flag: str, *job: Any) -> Any:
    """Simulate games, and kill the first worker that receives game 4096 or later."""
    if job[3] >= 4096:
        try:
            os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return play_games(*job)


def test_a_killed_worker_changes_nothing(tmp_path: Path) -> None:
    flag = tmp_path / "killed"
    cuts = range(0, 5 * 4096, 4096)
    jobs = [(str(flag), CommonestFace(), RULES, 4, start, start + 4096, False, 1) for start in cuts]
    parts = run_jobs(play_or_die, jobs, lambda: Cluster(2))
    assert flag.exists()
    here = simulate(CommonestFace(), RULES, 5 * 4096, 4)
    assert np.array_equal(np.concatenate([p.points_N_K for p in parts]), here.points_N_K)


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    client = distributed.Client
    monkeypatch.setattr(
        distributed, "Client", lambda address, timeout: client(address, timeout=0.1)
    )
    with pytest.raises(InputError, match="no Dask scheduler responds"):
        Cluster(1, "tcp://127.0.0.1:9")


def test_layers_are_solved_despite_killed_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check the values after up to two workers and the scheduler are killed.

    The number of kills depends on the order in which the parts are done.
    """
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    rules = small_maxi(5)
    here = Solver(rules, cache=False).solve().table_C_L
    with dask_processes() as processes:
        kills = [processes.kill_worker, processes.kill_worker, processes.kill_scheduler]
        moments = sorted(random.Random(4).sample(range(1, 25), 3))
        seen: list[Thread] = []

        def kill(done: float) -> None:
            """Kill the next process when the drawn number of the 31 parts is done."""
            while kills and 31 * done > moments[-len(kills)]:
                seen.append(Thread(target=kills.pop(0)))
                seen[-1].start()

        results: list[Values] = []
        while not results:
            with (
                suppress(LostWorkersError, InputError),  # the scheduler was down for too long
                Cluster(scheduler=processes.address) as executor,
            ):
                solver = Solver(rules, progress=kill, executor=executor)
                results.append(solver.solve().table_C_L)
        for killer in seen:
            killer.join()
    assert np.array_equal(results[0], here, equal_nan=True)
    assert seen


def test_workers_with_too_little_memory() -> None:
    with pytest.raises(InputError, match=r"a task needs 1000000.0 GB of memory"):
        Cluster(1, memory=10**15)
