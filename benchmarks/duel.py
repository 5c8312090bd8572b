"""Measure the time to solve two-player games: endgames of Yahtzee, and whole games.

Run ``python benchmarks/duel.py [--boxes 3 4 5 6 7] [--positions N] [--games generala …]
[--value-only]``. Positions come from seeded games of optimal play for points, with the given number
of open categories on each scorecard. The script computes the sizes of all positions, exactly and on
the grids, and solves ``--positions`` of them exactly. All numbers come from one process with
compiled code; nothing is saved. For solved positions, the script compares the near-optimal win
probability before the roll with the exact probability.
"""

import argparse
import random
import resource
import statistics
import time
from collections.abc import Sequence

from rollwise.game.game import Game, fair_roll
from rollwise.game.scorecard import Scorecard
from rollwise.rules import load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.position_index import CardIndex
from rollwise.solving.solver import Solver
from rollwise.two_player.grid import GRIDS
from rollwise.two_player.near_optimal import NearOptimal
from rollwise.two_player.policy import WinPolicy, card_arrays
from rollwise.two_player.solver import DuelSolver

RULES = load_rules("yahtzee")
POSITIONS = 20
"""The number of positions for each number of open categories."""


def card_with(open_boxes: int, seed: int, solution: CardSolution) -> Scorecard:
    """Return a scorecard from a game of optimal play, with ``open_boxes`` open categories."""
    game = Game(solution.rules, ["Ada"])
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
    """Solve a two-player game; return its wall and CPU seconds, number of states, and value."""
    wall, cpu = time.perf_counter(), time.process_time()
    solution = solver.solve(card, opponent, ties=ties)
    times = time.perf_counter() - wall, time.process_time() - cpu
    return *times, solution.lanes, solution.value()


def peak() -> str:
    """Return the peak memory of this process."""
    return f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB"


def print_ends(boxes: int, solved: int, ties: bool) -> None:
    """Print the sizes of positions with ``boxes`` open categories, and the times to solve some."""
    solver, solution = DuelSolver(RULES, cache=False), Solver(RULES).solve_by_card()
    positions = [
        [card_with(boxes, seed + player, solution) for player in range(2)]
        for seed in random.Random(boxes).sample(range(10**6), POSITIONS)
    ]
    for grid in (None, *GRIDS.values()):
        needs = [solver.size(*cards, ties=ties, grid=grid) for cards in positions]
        of_all = f"{boxes} boxes each, {POSITIONS} positions, {grid.name if grid else 'exact'}"
        print_middle(f"{of_all}, states", [float(size.lanes) for size in needs])
        print_middle(f"{of_all}, GiB", [size.bytes / 2**30 for size in needs])
    rows, exact = [], []
    for card, opponent in positions[:solved]:
        wall, cpu, states, value = timed(solver, card, opponent, ties)
        rows.append((wall, cpu))
        exact.append(value)
        label = f"{boxes} boxes each, {len(rows)} of {POSITIONS} positions"
        print(
            f"{label}: {value:.12f}, {states:,} states, "
            f"{wall:.1f} s wall, {cpu:.1f} s CPU, {peak()}",
            flush=True,
        )
    if not rows:
        return
    for name, column in zip(("wall s", "CPU s"), zip(*rows, strict=True), strict=True):
        print_middle(f"{label}, {name}", column)
    for by, near in near_optimal_values(positions[:solved]).items():
        off = [100 * abs(estimate - value) for estimate, value in zip(near, exact, strict=True)]
        mean, worst = statistics.mean(off), max(off)
        print(f"{label}, near-optimal by {by}, off by: mean {mean:.3f} %, worst {worst:.3f} %")


def near_optimal_values(positions: Sequence[Sequence[Scorecard]]) -> dict[str, list[float]]:
    """Return the near-optimal win probabilities before the roll, by two methods."""
    plain, policy = (WinPolicy(Solver(RULES).solve_by_card(moments=True)) for _ in range(2))
    places = [[CardIndex.of_card(plain.model, card) for card in cards] for cards in positions]
    normal = [
        plain.win_probability(card_arrays(mine), card_arrays(other))[0] for mine, other in places
    ]
    distributions = [NearOptimal(policy, *cards).value() for cards in positions]
    return {"distributions": distributions, "normal difference": normal}


def print_middle(what: str, numbers: Sequence[float]) -> None:
    """Print the median and the maximum of some numbers."""
    print(f"{what}: median {statistics.median(numbers):.3g}, worst {max(numbers):.3g}", flush=True)


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", nargs="*", type=int, default=[3, 4, 5, 6, 7])
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--games", nargs="*", default=["micro-yahtzee", "generala"])
    parser.add_argument("--value-only", action="store_true")
    arguments = parser.parse_args()
    ties = not arguments.value_only
    for number in arguments.boxes:
        print_ends(number, arguments.positions, ties)
    for name in arguments.games:
        wall, cpu, states, value = timed(DuelSolver(name, cache=False), None, None, ties)
        print(
            f"{name}: {value:.12f}, {states:,} states, {wall:.1f} s wall, {cpu:.1f} s CPU, {peak()}"
        )


if __name__ == "__main__":
    main()
