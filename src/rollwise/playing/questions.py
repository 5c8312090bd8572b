"""Positions for everybody: a proficiency test that is always the same, and a puzzle of the day.

Both come from games of best play, whose dice a seed decides. What tells players apart are positions
in which the best option is ahead of the next by little, and those in which it is ahead by much: the
first are hard and cost little, the second are easy and cost dearly. So each is chosen by that gap,
which is exact.
"""

import datetime
from collections.abc import Iterator

from rollwise.game.game import Game, fair_roll
from rollwise.game.position import Position
from rollwise.solving.solution import Solution

GAPS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Points by which the best option is to be ahead of the next, one position of each a game."""

NUMBER, SEEDS = 30, 60
"""Positions of the test, and of how many games at most: those of small games are soon all asked."""

PUZZLE_GAP = 1.0
"""Of the puzzle of the day."""


def positions_of_the_test(solution: Solution) -> list[Position]:
    """Return the positions of the proficiency test of a game.

    Of the games of best play with the dice of seed 1, 2, … each gives one position for every gap of
    ``GAPS``: that whose gap is nearest to it. They are asked in the order of the game, each once;
    a game with few positions has a shorter test.
    """
    found: dict[Position, None] = {}
    for seed in range(1, SEEDS + 1):
        if len(found) >= NUMBER:
            break
        decisions = list(_decisions(solution, seed))
        chosen = {_nearest(decisions, gap * solution.objective.point) for gap in GAPS}
        found.update(dict.fromkeys(p for p, _ in decisions if p in chosen))
    return list(found)[:NUMBER]


def puzzle_of(solution: Solution, date: datetime.date) -> Position:
    """Return the puzzle of a day: seed YYYYMMDD, the gap nearest to ``PUZZLE_GAP``."""
    decisions = list(_decisions(solution, int(f"{date:%Y%m%d}")))
    return _nearest(decisions, PUZZLE_GAP * solution.objective.point)


def _decisions(solution: Solution, seed: int) -> Iterator[tuple[Position, float]]:
    """Yield the positions of a game of best play, and how far the best is ahead of the next."""
    game = Game(solution.rules)
    while not game.is_over:
        if (position := game.position) is None:
            game.push(fair_roll(game, seed))
            continue
        options = solution.options(position)
        yield position, next((option.loss for option in options if not option.best), 0.0)
        game.push(options[0].action)


def _nearest(decisions: list[tuple[Position, float]], gap: float) -> Position:
    """Return the first position whose gap is nearest to one; the last place have those without."""
    return min(decisions, key=lambda one: (one[1] == 0, abs(one[1] - gap)))[0]
