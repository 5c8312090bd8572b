"""Measure how much an earlier start of exact play narrows the sampled two-player bounds.

A player maximizes points until only a given number of categories are open, and then follows the
exact two-player policy. Each row has the win probability that this player guarantees, moving first
and moving second, and an interval that contains the value with 99% confidence. All rows use the
same simulated games.

    python benchmarks/duel_bracket.py --rules generala --games 40 --boxes 1,2,3,4,5
"""

import argparse
import time

from rollwise import solve
from rollwise.two_player.bounds import sampled_bounds


def main() -> None:
    """Print one line per number of open categories."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="generala")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--boxes", default="1,2,3,4,5")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    points = solve(arguments.rules)
    print(f"{arguments.rules}, {arguments.games} games each way")
    print("boxes  sure moving first  sure moving second   with 99 % confidence   CPU s")
    for number in map(int, arguments.boxes.split(",")):
        begun = time.process_time()
        levels = sampled_bounds(points, arguments.games, arguments.seed, open_categories=number)
        low, high = (100 * end for end in levels.interval)
        print(
            f"{number:5}  {100 * levels.first:8.3f} ± {100 * levels.first_error:.3f} %"
            f"  {100 * levels.second:8.3f} ± {100 * levels.second_error:.3f} %"
            f"    {low:.3f} - {high:.3f} %  {time.process_time() - begun:6.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
