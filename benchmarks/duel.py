"""How long it takes to solve games of two: the ends of official Yahtzee, and whole games.

Run ``python benchmarks/duel.py [--boxes 3 4 5 6 7] [--positions N] [--games generala …]
[--value-only] [--near GAME … --played N]``. Positions are those of games that best play for points
leads to, seeded, with so many open boxes on either card: all of them are measured, and as many
solved as told. Each figure is of one process, after compiled code is in place; nothing is on disk.
How far the near-optimal chance before the roll is from the exact one is told of those solved.
With ``--near`` the near-optimal player plays such games against one who plays for points.
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
from rollwise.solving.place import CardPlace
from rollwise.solving.solver import solve
from rollwise.two_player.near_optimal import NearOptimal
from rollwise.two_player.policy import WinPolicy, cards_at
from rollwise.two_player.simulation import long_against_points
from rollwise.two_player.solver import DuelSolver

RULES = load_rules("yahtzee")
POSITIONS = 20
"""With so many open boxes on either card."""

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


def print_ends(boxes: int, solved: int, ties: bool) -> None:
    """Print what all positions with so many open boxes take, and how long some of them."""
    solver, solution = DuelSolver(RULES, cache=False), solve(RULES)
    positions = [
        [card_with(boxes, seed + player, solution) for player in range(2)]
        for seed in random.Random(boxes).sample(range(10**6), POSITIONS)
    ]
    needs = [solver.size(*cards, ties=ties) for cards in positions]
    of_all = f"{boxes} boxes each, {POSITIONS} positions"
    print_middle(f"{of_all}, leads", [float(one.lanes) for one in needs])
    print_middle(f"{of_all}, GiB", [one.bytes / 2**30 for one in needs])
    rows, exact = [], []
    for card, opponent in positions[:solved]:
        wall, cpu, leads, value = timed(solver, card, opponent, ties)
        rows.append((wall, cpu))
        exact.append(value)
        told = f"{boxes} boxes each, {len(rows)} of {POSITIONS} positions"
        print(
            f"{told}: {value:.12f}, {leads:,} leads, {wall:.1f} s wall, {cpu:.1f} s CPU, {peak()}",
            flush=True,
        )
    for name, column in zip(("wall s", "CPU s"), zip(*rows, strict=True), strict=False):
        print_middle(f"{told}, {name}", column)
    for by, near in near_optimal_chances(positions[:solved]).items():
        off = [100 * abs(one - other) for one, other in zip(near, exact, strict=True)]
        mean, worst = statistics.mean(off), max(off)
        print(f"{told}, near-optimal by {by}, off by: mean {mean:.3f} %, worst {worst:.3f} %")


def near_optimal_chances(positions: Sequence[Sequence[Scorecard]]) -> dict[str, list[float]]:
    """Return near-optimal chances before the roll, by what is compared of both cards."""
    plain, play = (WinPolicy(solve(RULES, moments=True)) for _ in range(2))
    places = [[CardPlace.of_card(plain.model, card) for card in cards] for cards in positions]
    normal = [plain.chance(cards_at(mine), cards_at(other))[0] for mine, other in places]
    distributions = [NearOptimal(play, *cards).value() for cards in positions]
    return {"laws": distributions, "normal difference": normal}


def print_middle(what: str, numbers: Sequence[float]) -> None:
    """Print median and maximum."""
    print(f"{what}: median {statistics.median(numbers):.3g}, worst {max(numbers):.3g}", flush=True)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", nargs="*", type=int, default=[3, 4, 5, 6, 7])
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--games", nargs="*", default=["micro-yahtzee", "generala"])
    parser.add_argument("--value-only", action="store_true")
    parser.add_argument("--near", nargs="*", default=[])
    parser.add_argument("--played", type=int, default=20_000)
    arguments = parser.parse_args()
    ties = not arguments.value_only
    for boxes in arguments.boxes:
        print_ends(boxes, arguments.positions, ties)
    for name in arguments.games:
        wall, cpu, leads, value = timed(DuelSolver(name, cache=False), None, None, ties)
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
