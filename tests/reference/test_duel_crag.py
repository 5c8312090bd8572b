"""Crag for two, written once more: all leads between two players as one row of numbers."""

from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from numpy.typing import NDArray

from rollwise import DuelSolver
from rollwise.game.notation import parse_card
from rollwise.rules import load_rules

Row = NDArray[np.float64]

ROLLS: list[tuple[int, ...]] = list(combinations_with_replacement(range(1, 7), 3))
THIRTEEN = {(1, 6, 6), (3, 5, 5), (4, 4, 5), (2, 5, 6), (3, 4, 6)}
BOXES = {
    "fives": {roll: 5 * roll.count(5) for roll in ROLLS},
    "sixes": {roll: 6 * roll.count(6) for roll in ROLLS},
    "low-straight": {roll: 20 * (roll == (1, 2, 3)) for roll in ROLLS},
    "three-of-a-kind": {roll: 25 * (len(set(roll)) == 1) for roll in ROLLS},
    "thirteen": {roll: 26 * (roll in THIRTEEN) for roll in ROLLS},
    "crag": {roll: 50 * (sum(roll) == 13 and len(set(roll)) < 3) for roll in ROLLS},
}
MOST = sum(max(points.values()) for points in BOXES.values()) + 1
LEADS = np.arange(-MOST, MOST + 1)


def chances_from(kept: tuple[int, ...]) -> Row:
    """Return how likely each roll is once some dice are kept and the others thrown."""
    distribution = np.zeros(len(ROLLS))
    for thrown in product(range(1, 7), repeat=3 - len(kept)):
        distribution[ROLLS.index(tuple(sorted(kept + thrown)))] += 6.0 ** (len(kept) - 3)
    return distribution


KEEPS = [kept for size in range(4) for kept in combinations_with_replacement(range(1, 7), size)]
DISTRIBUTION_P_R = np.array([chances_from(kept) for kept in KEEPS])
WITHIN = [
    [p for p, kept in enumerate(KEEPS) if all(kept.count(die) <= roll.count(die) for die in kept)]
    for roll in ROLLS
]


def solve(boxes: tuple[str, ...]) -> Row:
    """Return the value to the player to move, for each lead of his, of two with these boxes."""

    @cache
    def value(mine: frozenset[str], theirs: frozenset[str]) -> Row:
        if not mine:
            return np.where(LEADS == 0, 0.5, np.where(LEADS > 0, 1.0, 0.0))
        best_R_D = np.full((len(ROLLS), len(LEADS)), -np.inf)
        for box in mine:
            goes_on_D = 1 - value(theirs, mine - {box})[::-1]
            points_R = np.array(list(BOXES[box].values()))
            places = np.minimum(np.arange(len(LEADS)) + points_R[:, None], len(LEADS) - 1)
            best_R_D = np.maximum(best_R_D, goes_on_D[places])
        kept_P_D = DISTRIBUTION_P_R @ best_R_D
        first_R_D = np.array([kept_P_D[keeps].max(axis=0) for keeps in WITHIN])
        return np.asarray(DISTRIBUTION_P_R[0] @ first_R_D)

    return value(frozenset(boxes), frozenset(boxes))


@pytest.mark.parametrize("open_boxes", [3, pytest.param(5, marks=pytest.mark.slow)])
def test_the_end_of_crag(open_boxes: int) -> None:
    crag = load_rules("crag")
    boxes = tuple(BOXES)[-open_boxes:]
    value_D = solve(boxes)
    filled = [box.key for box in crag.categories if box.key not in boxes]
    solver = DuelSolver(crag)
    for threes, fours in [(0, 0), (9, 0), (0, 12), (3, 12)]:
        cards = [
            parse_card(crag, ",".join(f"{key}={points * (key == box)}" for key in filled))
            for box, points in (("threes", threes), ("fours", fours))
        ]
        assert abs(solver.solve(*cards).value() - value_D[MOST + threes - fours]) < 1e-12
