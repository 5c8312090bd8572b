"""What the player plays for, as arguments of one solver.

An objective says how a finished game is valued and how chance is combined. Everything else (the
turn, the classes, the sweep) is the same for all of them. There are two kinds:

* what is still to come can be valued without the points so far: the points of a move are added, or
  multiply (the expected score, the worst and the best case, exponential utility);
* it cannot, and the value is a *utility* of the final score (a target, beating somebody, …).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError
from rollwise.law import Law

Values = NDArray[np.float64]
Utility = Callable[[NDArray[np.int64]], Values]

LARGEST_EXPONENT = 600.0
"""Of exponential utility: e^600 and e^-600 leave float64 room for products and full precision."""


def _unchanged(values: Values) -> Values:
    return values


def _no_gain(points: Values) -> Values:
    return np.ones_like(points)


@dataclass(frozen=True)
class Objective:
    """One way to value a game.

    Attributes
    ----------
    name : str
        What the command line calls it; part of the key of cached tables.
    meaning : str
        What a value is, in words.
    unit : {"points", "probability", "utility"}
        What it is measured in.
    chance : {"mean", "worst", "best"}
        A chance node is worth the mean, the minimum or the maximum of what may follow.
    terminal : callable
        Value of a full card from its upper bonus: float64 array to float64 array.
    gain, points : callables
        A move that earns p points to a card worth v is worth ``gain(p) * v + points(p)``.
    certain : callable
        From a value to what a person reads: the sure score that is as good, where that differs.
    utility : callable or None
        From final scores, int64, to their values, float64 of the same shape. Then ``terminal``,
        ``gain`` and ``points`` are not used.
    price, floor : float
        With a utility: what each turn costs, and what a game can be given up for between turns.
    plays_on : bool
        With a utility: of options that it values alike take the one with the higher expected score.
    risk : float
        Of an exponential utility.
    goal : int
        A score that must be possible for the objective to make sense.
    aversion : float or None
        Of mean minus ``aversion`` times variance (inf: the variance alone). The utility that stands
        for it depends on the game (:mod:`rollwise.solving.by_score.variance`).
    """

    name: str
    meaning: str = "value"
    unit: Literal["points", "probability", "utility"] = "utility"
    chance: Literal["mean", "worst", "best"] = "mean"
    terminal: Callable[[Values], Values] = _unchanged
    gain: Callable[[Values], Values] = _no_gain
    points: Callable[[Values], Values] = _unchanged
    certain: Callable[[Values], Values] = _unchanged
    utility: Utility | None = None
    price: float = 0.0
    floor: float = -np.inf
    plays_on: bool = True
    risk: float = 0.0
    goal: int = 0
    aversion: float | None = None

    def total(self, so_far: float, value: float) -> float:
        """Return what a person reads: the value of a game, its points so far included."""
        if self.utility is None:
            earned = np.array([so_far], dtype=np.float64)
            value = float((self.gain(earned) * value + self.points(earned))[0])
        return float(self.certain(np.array([value]))[0])


EXPECTED = Objective("expected", "expected final score", "points")
"""The expected score."""

WORST_CASE = Objective("worst-case", "score that is sure", "points", chance="worst")
"""The score that the player can be sure of: every roll is the worst one for him."""

BEST_CASE = Objective("best-case", "highest possible score", "points", chance="best")
"""The highest score there is: every roll is the best one for him."""


def target(score: int) -> Objective:
    """Return the objective of reaching a score: the probability that the final one is as high."""
    return Objective(
        f"target:{score}",
        f"probability of {score} or more",
        "probability",
        utility=lambda scores: (scores >= score).astype(np.float64),
        goal=score,
    )


def exponential(risk: float) -> Objective:
    """Return exponential utility: the greatest sure score that is as good as the game.

    A player who is averse to risk has ``risk < 0``, one who seeks it ``risk > 0``: he maximises
    ``log(E exp(risk * score)) / risk``, about the mean plus ``risk / 2`` times the variance.

    Raises
    ------
    MalformedError
        When ``risk`` is no number other than 0.

    References
    ----------
    R. A. Howard, J. E. Matheson, Risk-sensitive Markov decision processes (1972).
    """
    if not np.isfinite(risk) or risk == 0:
        raise MalformedError(f"expected a risk other than 0, got {risk:g}")
    sign = float(np.sign(risk))
    return Objective(
        f"exponential:{risk:g}",
        "sure score that is as good",
        "points",
        terminal=lambda bonus: sign * np.exp(risk * bonus),
        gain=lambda points: np.exp(risk * points),
        points=np.zeros_like,
        certain=lambda values: np.log(sign * values) / risk,
        risk=risk,
    )


def of_utility(function: Callable[[int], float], name: str = "utility") -> Objective:
    """Return the objective of the greatest expected utility.

    Parameters
    ----------
    function : callable
        From a final score to its value.
    """
    return Objective(name, "expected utility", utility=np.vectorize(function, otypes=[np.float64]))


def beating(opponents: Sequence[tuple[Law, int]], name: str = "beat") -> Objective:
    r"""Return the objective of having the highest score; equal highest scores share the win.

    With n opponents of independent scores, k of which are equal to x and none above, a score of x
    wins 1 / (k + 1). The expectation of that is an integral of a polynomial,

    .. math:: U(x) = \int_0^1 \prod_i (P(X_i < x) + t \, P(X_i = x)) \, dt,

    which Gauss and Legendre's rule with n / 2 + 1 points gives without error; with 200 points it
    does so up to rounding for any n.

    Parameters
    ----------
    opponents : sequence of (Law, int)
        Laws of final scores, and how many opponents have each.
    """
    count = sum(number for _, number in opponents)
    nodes, weights = np.polynomial.legendre.leggauss(min(count // 2 + 1, 200))

    def utility(scores: NDArray[np.int64]) -> Values:
        product = np.ones((*np.shape(scores), len(nodes)))
        for law, number in opponents:
            below = np.append(0, np.cumsum(law.probabilities))[np.searchsorted(law.scores, scores)]
            up_to = np.append(0, np.cumsum(law.probabilities))[
                np.searchsorted(law.scores, scores, side="right")
            ]
            equal = up_to - below
            product *= (below[..., None] + (nodes + 1) / 2 * equal[..., None]) ** number
        return np.asarray(product @ weights / 2)

    return Objective(name, "probability of winning", "probability", utility=utility)


def mean_variance(aversion: float) -> Objective:
    """Return the objective of the mean less ``aversion`` times the variance of the final score.

    Raises
    ------
    MalformedError
        When ``aversion`` is not positive.
    """
    if not 0 < aversion < np.inf:
        raise MalformedError(f"expected an aversion to variance above 0, got {aversion:g}")
    return Objective(
        f"mean-variance:{aversion:g}", f"mean less {aversion:g} times variance", aversion=aversion
    )


LEAST_VARIANCE = Objective("least-variance", "minus the variance", aversion=np.inf)
"""The most certain score, whatever it is: a small one, of many zeros."""


def close_to(score: float) -> Objective:
    """Return the objective of least squares: minus the mean square distance from ``score``."""
    return Objective(
        f"close-to:{score:.17g}",
        f"minus the mean square distance from {score:g}",
        utility=lambda scores: -np.square(scores - score),
        plays_on=False,
    )
