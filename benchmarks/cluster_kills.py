"""Kill workers and the scheduler of a cluster at random moments, and check the values.

    python benchmarks/cluster_kills.py        # 50 kills of workers, 5 of the scheduler
    python benchmarks/cluster_kills.py 10

A small game with saved rolls is solved many times on two workers, each time into a new store. Each
solution is interrupted by a SIGKILL to one worker, or, once in ``EACH`` solutions, to the scheduler
and both workers. The exit code is 1 if any value differs from the values of a single process.
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
"""The number of kills per kill of the scheduler."""


def solved(address: str, store: Path) -> tuple[bytes, int]:
    """Solve the small game on a cluster, and return its values and the number of attempts."""
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
        with suppress(LostWorkersError, InputError):  # InputError: no scheduler runs yet
            return solver.solve().table_C_L.tobytes(), starts


def main(kills: int) -> int:
    """Run all kills, print their counts, and return the number of wrong solutions."""
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
            values, starts = solved(processes.address, Path(home) / str(number))
            wrong += values != here
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
