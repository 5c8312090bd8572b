"""Measure the errors of two-player values on grids against exact values.

Run ``python benchmarks/grid_errors.py [--games yahtzee …] [--boxes 5 6 7]``. The positions come
from seeded games of optimal play for points, and ``HARD`` has a few more. For each game, each
number of open categories, and each grid, the script prints the mean and the largest error of the
value before the roll, and the mean and the largest error of the dice to keep from all 252 first
rolls. All errors are differences of win probabilities.

The table is a JSON list, which ``--output`` writes to a file. rollwise reads the errors that it
states from ``src/rollwise/two_player/grid_errors.json``. Measuring all of them takes half an hour.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from duel import card_with
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules, load_rules
from rollwise.solving.position_index import CardIndex
from rollwise.solving.solver import Solver
from rollwise.two_player.grid import GRIDS
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver

POSITIONS = {
    "yahtzee-plain": {5: 32, 6: 20, 7: 8, 8: 2},
    "yahtzee": {5: 32, 6: 20, 7: 8},
}
"""The number of positions of each game, for each number of open categories."""

UPPER_OPEN = (
    "ones=3,fours=12,three-of-a-kind=20,four-of-a-kind=0,full-house=25,small-straight=30,"
    "large-straight=40,yahtzee=0"
)
HARD = [
    (UPPER_OPEN, UPPER_OPEN),
    (
        "twos=6,three-of-a-kind=27,full-house=25,small-straight=30,large-straight=40,chance=23",
        "threes=9,fives=15,three-of-a-kind=27,full-house=25,small-straight=30,chance=24",
    ),
]
"""The scorecards of both players in positions with large errors, because most of the open
categories are upper ones."""


def option_values(solution: DuelSolution, card: Scorecard, opponent: Scorecard) -> list[float]:
    """Return the values of all dice to keep after the first roll."""
    place, values = CardIndex.of_card(solution.model, opponent), {}
    for roll in solution.model.lattice.rolls:
        position = Position.of(card, roll, card.rules.rolls - 1)
        for option in solution.options(position, place):
            values[str(option.action)] = option.value
    return list(values.values())


def errors(rules: Rules, boxes: int, positions: int) -> Iterator[dict[str, object]]:
    """Yield a row of the table for each grid."""
    solver, solution = DuelSolver(rules, cache=False), Solver(rules).solve_by_card()
    off: dict[str, list[tuple[float, float, float]]] = {name: [] for name in GRIDS}
    seeds = random.Random(boxes).sample(range(10**6), positions)
    pairs = [[card_with(boxes, seed + i, solution) for i in range(2)] for seed in seeds]
    hard = [[Scorecard(rules, card) for card in cards] for cards in HARD]
    pairs += [cards for cards in hard if cards[0].boxes.count(None) == boxes]
    for cards in pairs:
        begun = time.process_time()
        exact = solver.solve(*cards, ties=False)
        options = np.array(option_values(exact, *cards))
        print(
            f"{rules.name}, {boxes} open, {cards}: {exact.value():.10f}, {exact.lanes:,} "
            f"states, {time.process_time() - begun:.1f} s CPU",
            file=sys.stderr,
        )
        for name, grid in GRIDS.items():
            begun = time.process_time()
            near = solver.solve(*cards, ties=False, grid=grid)
            option = np.abs(np.array(option_values(near, *cards)) - options)
            value = near.value() - exact.value()
            off[name].append((abs(value), option.mean(), option.max()))
            print(
                f"    {name}: {value:+.1e}, options {option.mean():.1e} and {option.max():.1e}, "
                f"{near.lanes:,} states, {time.process_time() - begun:.1f} s CPU",
                file=sys.stderr,
                flush=True,
            )
    for name, rows in off.items():
        value, option, largest = np.array(rows).T
        yield {
            "game": rules.name,
            "open": boxes,
            "grid": name,
            "positions": len(pairs),
            "value_typical": float(f"{value.mean():.1e}"),
            "value_largest": float(f"{value.max():.1e}"),
            "option_typical": float(f"{option.mean():.1e}"),
            "option_largest": float(f"{largest.max():.1e}"),
        }


def main() -> None:
    """Print the table, or write it to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=list(POSITIONS))
    parser.add_argument("--boxes", nargs="*", type=int, default=[5, 6, 7, 8])
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    rows = [
        row
        for name in arguments.games
        for boxes, positions in POSITIONS[name].items()
        if boxes in arguments.boxes
        for row in errors(load_rules(name), boxes, positions)
    ]
    text = "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
