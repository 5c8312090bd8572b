"""Compare near-exact two-player values on grids with exact values.

Run ``python benchmarks/grid_errors.py [--games generala …] [--boxes 5 6 7] [--positions N]
[--grids difference=8,upper=6 …]``. The script solves whole games, and endgames from seeded games of
optimal play for points, exactly and on each grid. It prints the error of the value before the roll
and of every option of one roll, and the largest loss of a decision by the grid, all in percentage
points.
"""

import argparse
import random
import time
from collections.abc import Sequence

from duel import RULES, card_with
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules, load_rules
from rollwise.solving.solver import solve
from rollwise.two_player.grid import Grid
from rollwise.two_player.solver import DuelSolver

POSITIONS = 20
"""The number of positions for each number of open categories."""

GAMES = ("yamb-down", "yatzy-forced-order", "yamb-up", "generala")
ROW = "{:28} {:>22} {:>10} {:>10} {:>10} {:>10} {:>9} {:>8}"
HEADINGS = ("game", "grid", "value", "options", "worst", "loss", "states", "CPU s")


def errors(
    solver: DuelSolver, card: Scorecard, opponent: Scorecard, grids: Sequence[Grid], title: str
) -> None:
    """Print the errors of all grids from two scorecards."""
    exact = solver.solve(card, opponent, ties=False)
    roll = random.Random(title).choices(range(1, card.rules.faces + 1), k=card.rules.dice)
    position = Position.of(card, tuple(sorted(roll)), card.rules.rolls - 1)
    values = {option.action: option.value for option in exact.options(position)}
    for grid in grids:
        begun = time.process_time()
        near = solver.solve(card, opponent, ties=False, grid=grid)
        seconds = time.process_time() - begun
        options = near.options(position)
        apart = [abs(option.value - values[option.action]) for option in options]
        loss = max(values.values()) - values[options[0].action]
        shares = (near.value() - exact.value(), sum(apart) / len(apart), max(apart), loss)
        percent = [f"{100 * share:+.5f}" for share in shares]
        row = (title, str(grid), *percent, f"{near.lanes:.3g}", f"{seconds:.1f}")
        print(ROW.format(*row), flush=True)


def whole_game(rules: Rules, grids: Sequence[Grid]) -> None:
    """Print the errors for a whole game."""
    empty = Scorecard.empty(rules)
    errors(DuelSolver(rules, cache=False), empty, empty, grids, rules.name)


def main() -> None:
    """Print the table of errors."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", nargs="*", default=GAMES, help="whole games")
    parser.add_argument("--boxes", nargs="*", type=int, default=[5, 6, 7], help="open categories")
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--grids", nargs="*", default=[str(Grid())])
    options = parser.parse_args()
    grids = [Grid.parse(text) for text in options.grids]
    print(ROW.format(*HEADINGS))
    for name in options.games:
        whole_game(load_rules(name), grids)
    solver, points = DuelSolver(RULES, cache=False), solve(RULES)
    for boxes in options.boxes:
        for seed in random.Random(boxes).sample(range(10**6), options.positions):
            mine, other = (card_with(boxes, seed + player, points) for player in range(2))
            errors(solver, mine, other, grids, f"yahtzee, {boxes} open, {seed}")


if __name__ == "__main__":
    main()
