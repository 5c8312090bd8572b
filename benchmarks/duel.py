"""How long it takes to solve games of two: the ends of official Yahtzee, and whole games.

Run ``python benchmarks/duel.py [--boxes 3 4 5 6 7] [--positions N] [--games generala …]
[--value-only] [--near GAME … --played N]``. Positions are those of games that best play for points
leads to, seeded, with so many open boxes on either card. Each figure is of one process, after
compiled code is in place.
With ``--near`` the near-optimal player plays such games against one who plays for points.
"""

import argparse
import random
import resource
import statistics
import time

from rollwise.game.game import Game, fair_roll
from rollwise.game.scorecard import Scorecard
from rollwise.laboratory.long_duels import long_against_points
from rollwise.rules import load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.duel.solver import DuelSolver
from rollwise.solving.solver import solve

RULES = load_rules("yahtzee")
SEED = 3
"""Of the games of the near-optimal player."""


def card_with(open_boxes: int, seed: int, solution: CardSolution) -> Scorecard:
    """Return the card of a game of best play for points, with so many boxes open."""
    game = Game(RULES, ["Ada"])
    while game.card.boxes.count(None) > open_boxes:
        if game.awaits_roll:
            game.push(fair_roll(game, seed))
        else:
            position = game.position
            assert position is not None
            game.push(solution.options(position)[0].action)
    return game.card


def timed(
    solver: DuelSolver, card: Scorecard | None, opponent: Scorecard | None, ties: bool
) -> tuple[float, float, int, float]:
    """Return wall and CPU seconds, leads and value."""
    wall, cpu = time.perf_counter(), time.process_time()
    solution = solver.solve(card, opponent, ties=ties)
    times = time.perf_counter() - wall, time.process_time() - cpu
    return *times, solution.lanes, solution.value()


def peak() -> str:
    """Return the most memory that this process had."""
    return f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", nargs="*", type=int, default=[3, 4, 5, 6, 7])
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--games", nargs="*", default=["micro-yahtzee", "generala"])
    parser.add_argument("--value-only", action="store_true")
    parser.add_argument("--near", nargs="*", default=[])
    parser.add_argument("--played", type=int, default=20_000)
    arguments = parser.parse_args()
    ties = not arguments.value_only
    solver, solution = DuelSolver(RULES), solve(RULES)
    for boxes in arguments.boxes:
        rows = []
        for seed in random.Random(boxes).sample(range(10**6), arguments.positions):
            card, opponent = (card_with(boxes, seed + player, solution) for player in range(2))
            wall, cpu, leads, value = timed(solver, card, opponent, ties)
            rows.append((wall, cpu, leads))
            told = f"{boxes} boxes each, {len(rows)} of {arguments.positions} positions"
            print(f"{told}: {value:.12f}, {leads:,} leads, {wall:.1f} s wall, {cpu:.1f} s CPU, "
                  f"{peak()}", flush=True)  # fmt: skip
        for name, column in zip(("wall s", "CPU s", "leads"), zip(*rows, strict=True), strict=True):
            print(f"{told}, {name}: median {statistics.median(column):.3g}, "
                  f"worst {max(column):.3g}", flush=True)  # fmt: skip
    for name in arguments.games:
        wall, cpu, leads, value = timed(DuelSolver(name), None, None, ties)
        print(
            f"{name}: {value:.12f}, {leads:,} leads, {wall:.1f} s wall, {cpu:.1f} s CPU, {peak()}"
        )
    for name in arguments.near:
        cpu = time.process_time()
        fares = long_against_points(solve(name, moments=True), arguments.played, SEED)
        print(
            f"{name}: near-optimal play moving first {fares.first:.5f} ± {fares.first_error:.5f}, "
            f"second {fares.second:.5f} ± {fares.second_error:.5f}, "
            f"{time.process_time() - cpu:.0f} s CPU, {peak()}"
        )


if __name__ == "__main__":
    main()
