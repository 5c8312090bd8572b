"""SIGKILL at random moments to workers of a cluster, and to its scheduler: the same bits.

    python benchmarks/cluster_kills.py        # 50 kills of workers, 5 of the scheduler
    python benchmarks/cluster_kills.py 10

A small game that saves rolls is solved again and again on two workers, each time into a store of
its own; while it is, one of them is killed, or every tenth time the scheduler with both. Exit code
1 if any value differs from those that one process computes.
"""

import random
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from threading import Timer

sys.path.append(str(Path(__file__).parent.parent / "tests"))

EACH = 11
"""Of so many kills one is of the scheduler."""


def solved(address: str, store: Path) -> tuple[bytes, int]:
    """Return the values of the small game, computed on a cluster, and how often it was begun."""
    from games_with_layers import small_maxi
    from rollwise.errors import InputError, LostWorkersError
    from rollwise.experiments.cluster import Cluster
    from rollwise.solving.solver import Solver

    def workers() -> Cluster:
        return Cluster(scheduler=address)

    starts = 0
    while True:
        starts += 1
        solver = Solver(small_maxi(6), cache=False, store=store, executor=workers)
        with suppress(LostWorkersError, InputError):  # the latter: there was no scheduler yet
            return solver.solve().table_C_L.tobytes(), starts


def main(kills: int) -> int:
    """Kill, compare, and print what came of it; return how often anything was wrong."""
    from dask_processes import dask_processes
    from games_with_layers import small_maxi
    from rollwise.solving.solver import Solver

    rng, wrong, again, hit = random.Random(21), 0, 0, [0, 0]
    begun = time.perf_counter()
    here = Solver(small_maxi(6), cache=False).solve().table_C_L.tobytes()
    victims = [*[False] * (EACH - 1), True] * (kills // (EACH - 1))
    with dask_processes() as processes, tempfile.TemporaryDirectory() as home:
        solved(processes.address, Path(home) / "compiled")
        start = time.perf_counter()
        solved(processes.address, Path(home) / "timed")
        took = time.perf_counter() - start
        for number, is_scheduler in enumerate(victims):
            kill = processes.kill_scheduler if is_scheduler else processes.kill_worker
            timer = Timer(rng.uniform(0, took), kill)
            timer.start()
            found, starts = solved(processes.address, Path(home) / str(number))
            wrong += found != here
            again += starts - 1
            hit[is_scheduler] += timer.finished.is_set()
            timer.join()
    print(f"workers killed    {victims.count(False)}, {hit[0]} before the game was solved")
    print(f"scheduler killed  {victims.count(True)}, {hit[1]} before the game was solved")
    print(f"started again     {again}")
    print(f"other bits        {wrong}")
    print(f"seconds           {time.perf_counter() - begun:.0f}")
    return wrong


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50) > 0)
