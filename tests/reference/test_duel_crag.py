"""Check two-player Crag endgames against a second solver, with one value per score difference."""

from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from numpy.typing import NDArray

from rollwise import DuelSolver
from rollwise.game.scorecard import Scorecard
from rollwise.rules import load_rules

Row = NDArray[np.float64]

ROLLS: list[tuple[int, ...]] = list(combinations_with_replacement(range(1, 7), 3))
THIRTEEN = {(1, 6, 6), (3, 5, 5), (4, 4, 5), (2, 5, 6), (3, 4, 6)}
POINTS = {
    "fives": {roll: 5 * roll.count(5) for roll in ROLLS},
    "sixes": {roll: 6 * roll.count(6) for roll in ROLLS},
    "low-straight": {roll: 20 * (roll == (1, 2, 3)) for roll in ROLLS},
    "three-of-a-kind": {roll: 25 * (len(set(roll)) == 1) for roll in ROLLS},
    "thirteen": {roll: 26 * (roll in THIRTEEN) for roll in ROLLS},
    "crag": {roll: 50 * (sum(roll) == 13 and len(set(roll)) < 3) for roll in ROLLS},
}
MOST = sum(max(points.values()) for points in POINTS.values()) + 1
DIFFERENCES = np.arange(-MOST, MOST + 1)


def distribution_from(kept: tuple[int, ...]) -> Row:
    """Return the distribution of rolls after keeping some dice and rolling the others."""
    distribution = np.zeros(len(ROLLS))
    for rolled in product(range(1, 7), repeat=3 - len(kept)):
        distribution[ROLLS.index(tuple(sorted(kept + rolled)))] += 6.0 ** (len(kept) - 3)
    return distribution


KEEPS = [kept for size in range(4) for kept in combinations_with_replacement(range(1, 7), size)]
DISTRIBUTION_P_R = np.array([distribution_from(kept) for kept in KEEPS])
WITHIN = [
    [p for p, kept in enumerate(KEEPS) if all(kept.count(die) <= roll.count(die) for die in kept)]
    for roll in ROLLS
]


def solve(categories: tuple[str, ...]) -> Row:
    """Return the value to the player to move, by score difference, if these categories are open."""

    @cache
    def value(mine: frozenset[str], theirs: frozenset[str]) -> Row:
        if not mine:
            return np.where(DIFFERENCES == 0, 0.5, np.where(DIFFERENCES > 0, 1.0, 0.0))
        best_R_D = np.full((len(ROLLS), len(DIFFERENCES)), -np.inf)
        for category in mine:
            after_D = 1 - value(theirs, mine - {category})[::-1]
            points_R = np.array(list(POINTS[category].values()))
            index_R_D = np.minimum(
                np.arange(len(DIFFERENCES)) + points_R[:, None], len(DIFFERENCES) - 1
            )
            best_R_D = np.maximum(best_R_D, after_D[index_R_D])
        kept_P_D = DISTRIBUTION_P_R @ best_R_D
        first_R_D = np.array([kept_P_D[keeps].max(axis=0) for keeps in WITHIN])
        return np.asarray(DISTRIBUTION_P_R[0] @ first_R_D)

    return value(frozenset(categories), frozenset(categories))


@pytest.mark.parametrize("number", [3, pytest.param(5, marks=pytest.mark.slow)])
def test_endgames_of_crag(number: int) -> None:
    crag = load_rules("crag")
    open_categories = tuple(POINTS)[-number:]
    value_D = solve(open_categories)
    keys = [category.key for category in crag.categories]
    filled = [key for key in keys if key not in open_categories]
    solver = DuelSolver(crag)
    for threes, fours in [(0, 0), (9, 0), (0, 12), (3, 12)]:
        cards = [
            Scorecard(crag, ",".join(f"{key}={points * (key == scored)}" for key in filled))
            for scored, points in (("threes", threes), ("fours", fours))
        ]
        assert abs(solver.solve(*cards).value() - value_D[MOST + threes - fours]) < 1e-12
