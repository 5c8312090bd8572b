"""How a bracket of the value of a game of two narrows the earlier a player begins to answer.

He plays for points until so many boxes are open, and then best: what he is sure of, moving first
and second, against whoever replies, and what the value lies between with 99 % confidence. All rows
of a game are of the same games.

    python benchmarks/duel_bracket.py --rules generala --games 40 --boxes 1,2,3,4,5
"""

import argparse
import time

from rollwise import solve
from rollwise.two_player.sampled_bounds import sure_chances


def main() -> None:
    """Print one line for each number of boxes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="generala")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--boxes", default="1,2,3,4,5")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    points = solve(asked.rules)
    print(f"{asked.rules}, {asked.games} games each way")
    print("boxes  sure moving first  sure moving second   with 99 % confidence   CPU s")
    for boxes in map(int, asked.boxes.split(",")):
        begun = time.process_time()
        sure = sure_chances(points, asked.games, asked.seed, boxes=boxes)
        low, high = (100 * end for end in sure.interval)
        print(
            f"{boxes:5}  {100 * sure.first:8.3f} ± {100 * sure.first_error:.3f} %"
            f"  {100 * sure.second:8.3f} ± {100 * sure.second_error:.3f} %"
            f"    {low:.3f} - {high:.3f} %  {time.process_time() - begun:6.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
