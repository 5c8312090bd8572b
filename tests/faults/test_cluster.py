"""Check that killed workers do not change any result of a Dask cluster of two processes."""

import gc
import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import distributed
import pytest

from dask_processes import dask_processes
from games_with_layers import small_maxi
from lethal_strategies import check_simulation, lethal
from rollwise import Strategy, compare, sweep
from rollwise.errors import InputError, LostWorkersError
from rollwise.evaluation.batch import BLOCK
from rollwise.experiments.cluster import Cluster
from rollwise.experiments.simulation import simulate
from rollwise.solving.solver import Solver
from signature import table_signature

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


@contextmanager
def two_workers() -> Iterator[Cluster]:
    with dask_processes() as processes, Cluster(processes.address) as workers:
        yield workers


def test_a_killed_worker_changes_no_simulation(tmp_path: Path) -> None:
    with two_workers() as workers:
        check_simulation(workers, tmp_path / "killed")


def test_a_killed_worker_changes_no_sweep(tmp_path: Path) -> None:
    strategy = lethal(tmp_path / "killed")
    with two_workers() as workers:
        there = sweep(rolls="1-3", strategy=strategy, rules="crag", executor=workers)
    assert (tmp_path / "killed").exists()
    assert there.data() == sweep(rolls="1-3", strategy=strategy, rules="crag").data()


def test_a_killed_worker_changes_no_comparison(tmp_path: Path) -> None:
    strategies: list[Strategy | str] = [lethal(tmp_path / "killed"), "greedy", "random"]
    with two_workers() as workers:
        there = compare(strategies, rules="crag", executor=workers)
    assert (tmp_path / "killed").exists()
    assert there.data() == compare(strategies, rules="crag").data()


def test_layers_are_solved_despite_killed_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check the values after up to two workers and the scheduler are killed.

    The number of kills depends on the order in which the parts are done.
    """
    rules = small_maxi(5)
    here = Solver(rules, cache=False).solve_by_card()
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    with dask_processes() as processes:
        kills = [processes.kill_worker, processes.kill_worker, processes.kill_scheduler]
        moments = sorted(random.Random(4).sample(range(1, 25), 3))
        seen: list[Thread] = []

        def kill(done: float) -> None:
            """Kill the next process when the drawn number of the 31 parts is done."""
            while kills and 31 * done > moments[-len(kills)]:
                seen.append(Thread(target=kills.pop(0)))
                seen[-1].start()

        there = None
        while there is None:
            # The command would end with one sentence, and continue if it is repeated.
            with suppress(LostWorkersError, InputError), Cluster(processes.address) as workers:
                there = Solver(rules, progress=kill, executor=workers).solve_by_card()
        for killer in seen:
            killer.join()
    assert table_signature(there) == table_signature(here)
    assert seen


def test_a_stopped_scheduler_is_one_error() -> None:
    with dask_processes() as processes, Cluster(processes.address) as workers:
        end = lambda _: processes.end()  # noqa: E731
        with pytest.raises(LostWorkersError, match="of 16 jobs"):
            simulate("random", "crag", 16 * BLOCK, executor=workers, progress=end)


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    client = distributed.Client
    monkeypatch.setattr(
        distributed, "Client", lambda timeout, address: client(address, timeout=0.1)
    )
    with pytest.raises(InputError, match="no Dask scheduler responds"):
        Cluster("tcp://127.0.0.1:9")
