r"""Mean-variance optimization of the final score, and the mean-variance frontier.

Var X is the minimum of E (X - c)² over all centers c. So the optimal strategy for ``mean - a *
variance`` maximizes the expected utility u_c(X) = X - a (X - c)², where c is its own mean. With
h = 1 / (2a) and b = c + h, it minimizes

.. math:: K(b) = G(b) - 2 h b + h^2, \quad G(b) = \min E (X - b)^2

over b; the minimum of G is over all strategies. One backward induction gives G at all integers.
G(b) - b² is a minimum of linear functions, hence concave, and lies above its chords. So a parabola
between neighboring b is a lower bound on K, and the solver evaluates G only where this bound allows
a lower K. Later in the game, another strategy might be better for the same objective.
"""

from dataclasses import dataclass
from math import ceil, floor, inf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.objectives import ScoreObjective, VarianceObjective, close_to, mean_variance
from rollwise.solving.position_index import Start
from rollwise.solving.progress import Progress, within

if TYPE_CHECKING:  # needs numba
    from rollwise.solving.by_score.solution import ScoreSolution
    from rollwise.solving.by_score.solver import ScoreSolver

ROUNDING = 1e-9

LEAST_AVERSION = 2.0**-24
"""The aversion of the last point of the frontier, which has the highest mean up to rounding."""


@dataclass(frozen=True)
class FrontierPoint:
    """The mean and the SD of the final score X for the strategy that minimizes E (X - center)²."""

    center: float
    mean: float
    sd: float


def closest_strategies(
    solver: "ScoreSolver",
    start: Start,
    centers: range,
    *,
    expected: bool = False,
    rounds: int = 1,
    progress: Progress | None = None,
) -> "ScoreSolution":
    """Return a solution that contains, for each center b, the strategy that minimizes E[(X - b)²].

    X is the final score. The problem for center b from s points is the problem for center 0 from
    s - b points. So one backward induction is enough, and the values at the start are in descending
    order of the centers. If ``expected`` is True, also compute the expected score.
    """
    shifted = Start(start.c, start.lane, start.low - centers[-1], start.low - centers[0] + 1)
    return solver.solve(
        close_to(0), shifted, expected=expected, start_only=True, rounds=rounds, progress=progress
    )


def least_squares(closest: "ScoreSolution") -> NDArray[np.float64]:
    """Return the minimum G(b) of E[(X - b)²] for each center b, in ascending order of b."""
    return -closest.values_at_start()[::-1]


def frontier(
    solver: "ScoreSolver", start: Start, progress: Progress | None = None
) -> list[FrontierPoint]:
    """Return the mean-variance frontier."""
    most = solver.expected_from(start)
    whole_scores = range(start.low, ceil(2 * most - start.low) + 2)
    closest = closest_strategies(
        solver, start, whole_scores, expected=True, progress=within(progress, 0, 0.9)
    )
    centers = np.array(whole_scores)
    means = closest.expected_at_start()[::-1] + centers
    variances = np.maximum(least_squares(closest) - (means - centers) ** 2, 0.0)
    least = int(variances.argmin())
    points = [
        FrontierPoint(float(centers[i]), float(means[i]), float(np.sqrt(variances[i])))
        for i in range(least, len(centers))
    ]
    # E (X - b)² of the last center has too many digits, but E u_c(X) has not.
    a, c = LEAST_AVERSION, float(ceil(most))
    highest = solver.solve(
        _centered(mean_variance(a), c),
        start,
        expected=True,
        start_only=True,
        rounds=0,
        progress=within(progress, 0.9, 1),
    )
    mean = float(highest.expected_at_start()[-1])
    variance = max(_square(highest.value(), mean, c, a) - (mean - c) ** 2, 0.0)
    return [*points, FrontierPoint(c + 1 / (2 * a), mean, float(np.sqrt(variance)))]


def _centered(objective: VarianceObjective, center: float) -> ScoreObjective:
    """Return the objective of the utility u_c."""
    a = objective.aversion

    def utility(scores: NDArray[np.int64]) -> NDArray[np.float64]:
        square: NDArray[np.float64] = np.square(scores - center)
        return -square if a == inf else scores - a * square

    return ScoreObjective(
        objective.name,
        objective.meaning,
        objective.unit,
        utility=utility,
        score_weight=0.0,
    )


def solve_mean_variance(
    solver: "ScoreSolver",
    objective: VarianceObjective,
    start: Start,
    progress: Progress | None = None,
) -> "ScoreSolution":
    """Return the solution that maximizes the mean minus the aversion times the variance.

    If the aversion is infinite, the solution minimizes the variance, and its value is minus the
    variance. The ``objective`` of the solution is the equivalent utility u_c. No strategy with the
    same mean has a variance that is lower by more than the tolerance of the objective.
    """
    a = objective.aversion
    h = 0.0 if a == inf else 1 / (2 * a)
    most = solver.expected_from(start)
    whole_scores = range(floor(start.low + h), ceil(most + h) + 1)
    part = within(progress, 0, 0.3)
    squares = least_squares(
        closest_strategies(solver, start, whole_scores, rounds=3, progress=part)
    )
    square_at = {float(b): float(square) for b, square in zip(whole_scores, squares, strict=True)}

    def solved(center: float, *, start_only: bool) -> "ScoreSolution":
        closest = _centered(objective, center)
        rest = within(progress, 0.3, 1)
        return solver.solve(
            closest, start, expected=True, start_only=start_only, rounds=0, progress=rest
        )

    def measured(solution: "ScoreSolution", center: float) -> tuple[float, float]:
        """Return K and the mean of the optimal strategy for a center, and save G."""
        mean = float(solution.expected_at_start()[-1])
        square = _square(solution.value(), mean, center, a)  # E (X - c)²
        square_at[center + h] = (
            square - 2 * h * (mean - center) + h * h
        )  # E (X - b)², same strategy
        return square - (mean - center) ** 2 - 2 * h * mean, mean

    center = min(square_at, key=lambda b: _height(b, square_at[b], h)) - h
    best, mean = measured(solved(center, start_only=True), center)
    while True:
        b, bound = _lowest_bound(square_at, h)
        bound = max(bound, -2 * h * most)  # variances are at least 0, means at most ``most``
        if bound < best - objective.tolerance and b not in square_at:
            best, mean = min((best, mean), measured(solved(b - h, start_only=True), b - h))
            continue
        # Around its mean, this strategy is no worse than around the old center. For the mean as
        # the center, another strategy might be better.
        solution, center = solved(mean, start_only=False), mean
        best, mean = min((best, mean), measured(solution, center))
        if abs(mean - center) < ROUNDING * max(1.0, abs(mean)):
            return solution


def _square(value: float, mean: float, center: float, a: float) -> float:
    """Return E (X - c)² for the center c, given the mean of X and of the utility u_c."""
    return -value if a == inf else (mean - value) / a


def _height(b: float, square: float, h: float) -> float:
    return square - 2 * h * b + h * h


def _lowest_bound(square_at: dict[float, float], h: float) -> tuple[float, float]:
    """Return the b at which the lower bound on K has its minimum, and this minimum."""
    centers = np.array(sorted(square_at))
    squares = np.array([square_at[b] for b in centers])
    left, right = centers[:-1], centers[1:]
    concave = squares - centers**2
    slope = np.diff(concave) / np.diff(centers)
    # The bound chord + b² - 2hb + h² is lowest at b = h - slope / 2.
    b = np.clip(h - slope / 2, left, right)
    bound = concave[:-1] + slope * (b - left) + b * b - 2 * h * b + h * h
    bound[(b == left) | (b == right)] = np.inf  # K is known there
    at = int(bound.argmin()) if len(bound) else 0
    return (float(b[at]), float(bound[at])) if len(bound) else (float(centers[0]), inf)
