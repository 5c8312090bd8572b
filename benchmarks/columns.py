"""Solve a game with several columns, by default Yamb with three columns, and simulate games.

    python benchmarks/columns.py [NAME or FILE.toml] [GAMES]

The cache stores the values of all states (9 GiB), so an interrupted run can continue. The script
then simulates optimal play, by default in 20,000 games. The mean score should differ from the value
by at most a few standard errors. Progress goes to stderr.
"""

import resource
import sys
from time import perf_counter, process_time

from rollwise.experiments.simulation import simulate
from rollwise.solving.solver import Solver
from rollwise.strategies import Optimal

GAME = "yamb-down-up-free"


def main(name: str, games: int) -> None:
    """Print the value, the mean score of simulated games, the time, and the memory."""
    start = perf_counter()

    def tell(share: float) -> None:
        print(f"{share:7.2%} {perf_counter() - start:6.0f} s", file=sys.stderr)

    def took() -> str:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        return f"{perf_counter() - start:.0f} s, {process_time():.0f} s of CPU, {peak:.1f} GiB"

    solver = Solver(name, progress=tell)
    solution = solver.solve(on_disk=True)
    print(f"value {solution.value():.10f}, {solution.states:,} cards\n{took()}", flush=True)
    distribution = simulate(
        Optimal(solution), solver.rules, games, seed=1, progress=tell
    ).distribution
    print(
        f"{games:,} games: {distribution.mean:.3f} ± {distribution.sd / games**0.5:.3f}, "
        f"SD {distribution.sd:.2f}\n{took()}"
    )


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else GAME, int(sys.argv[2]) if sys.argv[2:] else 20_000)
