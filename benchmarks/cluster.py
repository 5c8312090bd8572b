"""Solve games with threads and on a local cluster, and compare the values and the times.

    python benchmarks/cluster.py                                # maxi-yatzy-no-saving
    python benchmarks/cluster.py crag yahtzee --workers 4

The seconds of the cluster include the start of its processes. The exit code is 1 if any bit of the
values differs.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable


def main(games: list[str], workers: int) -> int:
    """Print one line per game; return the number of games whose values differ."""
    from rollwise.experiments.cluster import Cluster
    from rollwise.solving.card_solution import CardSolution, signature
    from rollwise.solving.solver import Solver

    def timed(solve: Callable[[], CardSolution]) -> tuple[str, float]:
        start = time.perf_counter()
        solution = solve()
        return signature(solution), time.perf_counter() - start

    wrong = 0
    print(f"game                  here      store   {workers} workers  bits")
    for name in games:
        Solver(name, cache=False).solve()  # compiles the kernels
        with tempfile.TemporaryDirectory() as home:
            solvers = [
                Solver(name, cache=False),
                Solver(name, cache=False, store=f"{home}/here"),
                Solver(name, cache=False, store=f"{home}/there", executor=lambda: Cluster(workers)),
            ]
            results = [timed(solver.solve) for solver in solvers]
        same = len({bits for bits, _ in results}) == 1
        wrong += not same
        times = "  ".join(f"{seconds:7.2f} s" for _, seconds in results)
        print(f"{name:20}  {times}  {'the same' if same else 'OTHERS'}", flush=True)
    return wrong


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=["maxi-yatzy-no-saving"])
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    sys.exit(main(given.games, given.workers) > 0)
