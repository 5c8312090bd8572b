"""Games of several columns: three columns of Yamb, to the value of the empty card.

    python benchmarks/columns.py [FILE.toml]

An interrupted run goes on: its last two layers, 2.8 GiB, are in the cache. Progress goes to stderr.
"""

import resource
import sys
from pathlib import Path
from time import perf_counter, process_time

from rollwise.rules import load_rules
from rollwise.solving.column_solver import solve_large

GAME = Path(__file__).parent.parent / "examples" / "yamb_three_columns.toml"


def main(file: str) -> None:
    """Print the value of a game, how many cards it has, and what it took."""
    start = perf_counter()

    def tell(share: float) -> None:
        print(f"{share:7.2%} {perf_counter() - start:6.0f} s", file=sys.stderr)

    solved = solve_large(load_rules(file), cache=True, on_disk=False, progress=tell)
    if solved is None:
        sys.exit(f"{file}: expected a game of several columns, too large for one table")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"value {solved.value():.10f}, {solved.states:,} cards")
    print(f"{perf_counter() - start:.0f} s, {process_time():.0f} s of CPU, {peak:.1f} GiB")


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else str(GAME))
