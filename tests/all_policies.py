"""The means and variances of all policies of a small game, by brute force with exact fractions."""

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from reference_solver import Reference
from rollwise.game.scorecard import Dice, State, after, legal_keeps, legal_moves
from rollwise.rules import Rules

Point = tuple[Fraction, Fraction]
"""The mean and the second moment of the points to come, as exact fractions."""


def _cross(o: Point, a: Point, b: Point) -> Fraction:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def lower_hull(points: set[Point]) -> list[Point]:
    """Return the vertices of the lower convex hull, from the lowest mean to the highest."""
    lowest: dict[Fraction, Fraction] = {}
    for mean, second in points:
        lowest[mean] = min(second, lowest.get(mean, second))
    hull: list[Point] = []
    for point in sorted(lowest.items()):
        while len(hull) > 1 and _cross(hull[-2], hull[-1], point) <= 0:
            hull.pop()
        hull.append(point)
    return hull


def _mixed(parts: list[tuple[Fraction, list[Point]]]) -> list[Point]:
    """Return the lower hull of the weighted Minkowski sum of hulls, with edges sorted by slope."""
    mean = sum((weight * hull[0][0] for weight, hull in parts), Fraction(0))
    second = sum((weight * hull[0][1] for weight, hull in parts), Fraction(0))
    edges = [
        (weight * (b[0] - a[0]), weight * (b[1] - a[1]))
        for weight, hull in parts
        for a, b in pairwise(hull)
    ]
    corners = {(mean, second)}
    for across, up in sorted(edges, key=lambda edge: edge[1] / edge[0]):
        mean, second = mean + across, second + up
        corners.add((mean, second))
    return lower_hull(corners)


class AllPolicies:
    """The vertices of the lower hull of (mean, second moment) over all policies of a game.

    A policy with the lowest variance for its mean is a vertex, because the objective is linear in
    the second moment and convex in the mean.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.reference = Reference(rules)
        self.corners = lru_cache(maxsize=None)(self._turn)
        self._roll = lru_cache(maxsize=None)(self._choose)

    def _turn(self, state: State) -> list[Point]:
        if state.filled == (1 << len(self.rules.categories)) - 1:
            return [(Fraction(0), Fraction(0))]
        left, state = self.rules.rolls_with(state.saved) - 1, state.in_turn(self.rules)
        distribution = self.reference.distribution(())
        return _mixed([(p, self._roll(state, dice, left)) for dice, p in distribution.items()])

    def _choose(self, state: State, dice: Dice, rolls_left: int) -> list[Point]:
        points: set[Point] = set()
        for move in legal_moves(self.rules, state, dice, rolls_left):
            earned = self.reference.earned(state, move)
            for mean, second in self.corners(after(self.rules, state, move, rolls_left)):
                points.add((earned + mean, earned * earned + 2 * earned * mean + second))
        for keep in legal_keeps(dice) if rolls_left else []:
            distribution = self.reference.distribution(keep)
            points |= set(
                _mixed([(p, self._roll(state, d, rolls_left - 1)) for d, p in distribution.items()])
            )
        return lower_hull(points)
