"""Objectives: the quantities that a player can maximize.

An objective defines the value of a finished game and how chance nodes combine values. Everything
else (the turn, the states, backward induction) is the same for all objectives. There are three
kinds:

* :class:`CardObjective`: the value to come does not depend on the points so far. The points of a
  turn are added to it, or it is multiplied by a factor that depends on them. Examples are the
  expected score, the guaranteed score, the highest possible score, and exponential utility.
* :class:`ScoreObjective`: the value is a *utility* of the final score. Examples are reaching a
  target and beating opponents.
* :class:`VarianceObjective`: the value is the mean of the final score minus a multiple of its
  variance. The equivalent utility is known only after the game is solved.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.distribution import Distribution
from rollwise.errors import MalformedError
from rollwise.model.turn import Chance

Values = NDArray[np.float64]
Utility = Callable[[NDArray[np.int64]], Values]

__all__ = [
    "BEST_CASE",
    "EXPECTED",
    "LEAST_VARIANCE",
    "WORST_CASE",
    "CardObjective",
    "Objective",
    "ScoreObjective",
    "VarianceObjective",
    "beating",
    "close_to",
    "exponential",
    "mean_variance",
    "of_utility",
    "target",
]
__dir__ = __all__.copy  # the names that completion offers

LARGEST_EXPONENT = 600.0
"""The largest exponent in a utility: e^600 and e^-600 are well within the range of float64."""

SMALL_RISK = 1e-6
"""The risk below which e^(risk * score) is too close to 1 to hold the digits of a score."""

FADED = 40.0
"""The exponent at which a quadrature ends: e^-40 is below the rounding error of 1."""

NODES = 80
"""The maximum number of nodes of a quadrature; 40^160 / 160! is below 1e-28."""

AVERSIONS = 1e-15, 1e15
"""The smallest and the largest aversion to variance: the mean and the variance both count."""


def _unchanged(values: Values) -> Values:
    return values


def _ones(points: Values) -> Values:
    return np.ones_like(points)


@dataclass(frozen=True)
class Objective:
    """A quantity that a player maximizes.

    Attributes
    ----------
    name : str
        The name on the command line, which is also part of the key of cached tables.
    meaning : str
        The meaning of a value, in words.
    unit : {"points", "probability", "utility", "squared points"}
        The unit of values. Squared points are minimized, so their values are negative.
    chance : {"mean", "worst", "best"}
        The value of a chance node: the mean, the minimum, or the maximum of its successors.
    needs_score : bool
        Whether optimal play depends on the points so far, and not only on the state.

    Examples
    --------
    >>> parse_objective("target:300").meaning
    'probability of 300 or more'
    """

    name: str
    meaning: str = "value"
    unit: Literal["points", "probability", "utility", "squared points"] = "utility"
    chance: Chance = field(default="mean", init=False)
    needs_score: ClassVar[bool] = True

    def __repr__(self) -> str:
        return f"<Objective {self.name}: {self.meaning}>"

    @property
    def point(self) -> float:
        """The EV loss that is graded like one point: 0.01 for probabilities, otherwise 1."""
        return 0.01 if self.unit == "probability" else 1.0

    def totals(self, so_far: ArrayLike, values: Values) -> Values:
        """Return the values to display, which include the points so far."""
        return values  # these already include the points


@dataclass(frozen=True, repr=False)
class CardObjective(Objective):
    """An objective whose value to come does not depend on the points so far.

    Attributes
    ----------
    terminal : callable
        Maps the upper bonuses of full scorecards to the values of these scorecards, both float64
        arrays; default: the bonuses.
    gain, points : callables
        The value of scoring p points is ``gain(p) * v + points(p)``, where v is the value to come
        after the turn. Two turns must have the same effect as one turn with the sum of their
        points, because :meth:`totals` adds all points so far at once.
    certain : callable
        Maps values to the values to display. For exponential utility, these are certainty
        equivalents.
    risk : float
        The risk parameter of an exponential utility.
    named : bool
        Whether the name determines the objective, so that tables can be cached under it.
    """

    chance: Chance = "mean"
    terminal: Callable[[Values], Values] = _unchanged
    gain: Callable[[Values], Values] = _ones
    points: Callable[[Values], Values] = _unchanged
    certain: Callable[[Values], Values] = _unchanged
    risk: float = 0.0
    named: bool = False
    needs_score: ClassVar[bool] = False

    def totals(self, so_far: ArrayLike, values: Values) -> Values:
        """Return the values to display, which include the points so far."""
        earned = np.atleast_1d(np.asarray(so_far, dtype=np.float64))
        return self.certain(self.gain(earned) * values + self.points(earned))


@dataclass(frozen=True, kw_only=True, repr=False)
class ScoreObjective(Objective):
    """An objective that is a utility of the final score.

    Attributes
    ----------
    utility : callable
        Maps final scores (int64) to their values (float64 of the same shape).
    price, floor : float
        The cost of each turn, and the value of restarting between turns.
    score_weight : float
        The weight of the expected score in breaking ties, relative to the usual weight; 0 if it
        does not count. It is low if all values that matter are far below the highest utility.
    possible : int
        A score that must be reachable for the objective to make sense.
    """

    utility: Utility
    price: float = 0.0
    floor: float = -np.inf
    score_weight: float = 1.0
    possible: int = 0

    def cached_name(self, highest: int) -> str:
        """Return the name with a hash of the utilities of the scores up to ``highest``.

        In contrast to :attr:`name`, it changes with a utility file and with the opponents.
        """
        digest = hashlib.sha256(np.asarray(self.utility(np.arange(highest + 1)), "<f8").tobytes())
        digest.update(f"{self.price} {self.floor} {self.score_weight}".encode())
        return f"{self.name} {digest.hexdigest()}"


@dataclass(frozen=True, kw_only=True, repr=False)
class VarianceObjective(Objective):
    """The mean of the final score minus ``aversion`` times its variance.

    Attributes
    ----------
    aversion : float
        The weight of the variance. It is positive; if it is infinite, only the variance counts. The
        equivalent utility depends on the game (:mod:`rollwise.solving.by_score.mean_variance`).
    tolerance : float
        The maximum error of the variance. No strategy with the same mean has a variance that is
        lower by more than this.
    """

    aversion: float
    tolerance: float = 1e-2


EXPECTED = CardObjective("expected", "expected final score", "points", named=True)
"""The objective of maximizing the expected score."""

WORST_CASE = CardObjective("worst-case", "guaranteed score", "points", "worst", named=True)
"""The objective of maximizing the guaranteed score.

The dice are adversarial: every roll is the worst one for the player.
"""

BEST_CASE = CardObjective("best-case", "highest possible score", "points", "best", named=True)
"""The objective of maximizing the highest possible score.

Every roll is the best one for the player.
"""


def target(score: int) -> ScoreObjective:
    """Return the objective of maximizing the probability of scoring at least ``score``."""
    return ScoreObjective(
        f"target:{score}",
        f"probability of {score} or more",
        "probability",
        utility=lambda scores: (scores >= score).astype(np.float64),
        possible=score,
    )


def exponential(risk: float) -> CardObjective:
    """Return the objective of maximizing exponential utility, shown as a certainty equivalent.

    The player is risk-averse if ``risk`` is negative, and risk-seeking if it is positive. The
    player maximizes ``log(E exp(risk * score)) / risk``, where E is the expected value. This is
    approximately the mean plus ``risk / 2`` times the variance. The utility of a score is
    ``sign(risk) * exp(risk * score)``, or ``(exp(risk * score) - 1) / risk`` if the risk is closer
    to 0 than ``SMALL_RISK``.

    Raises
    ------
    MalformedError
        If ``risk`` is 0, below the normal numbers of float64, or not finite.

    References
    ----------
    R. A. Howard, J. E. Matheson, Risk-sensitive Markov decision processes (1972).
    """
    if not np.finfo(np.float64).tiny <= abs(risk) < np.inf:
        raise MalformedError(
            f"the risk must be a finite number other than 0, not {risk:g}; to ignore risk, use the "
            "objective expected"
        )
    sign = float(np.sign(risk))
    objective = CardObjective(
        f"exponential:{_all_digits(risk)}",
        "certainty equivalent",
        "points",
        terminal=lambda bonus: sign * np.exp(risk * bonus),
        gain=lambda points: np.exp(risk * points),
        points=np.zeros_like,
        certain=lambda values: np.log(sign * values) / risk,
        risk=risk,
        named=True,
    )
    if abs(risk) >= SMALL_RISK:
        return objective

    def utility(points: Values) -> Values:
        return np.asarray(np.expm1(risk * points) / risk)

    return replace(
        objective,
        terminal=utility,
        points=utility,
        certain=lambda values: np.log1p(risk * values) / risk,
    )


def _all_digits(number: float) -> str:
    """Return the shortest string that parses back to the number."""
    return repr(float(number)).removesuffix(".0")


def of_utility(function: Callable[[int], float], name: str = "utility") -> ScoreObjective:
    """Return the objective of maximizing expected utility.

    Parameters
    ----------
    function : callable
        Maps a final score to its value.
    """
    utility = np.vectorize(function, otypes=[np.float64])
    return ScoreObjective(name, "expected utility", utility=utility)


def beating(opponents: Sequence[tuple[Distribution, int]], name: str = "beat") -> ScoreObjective:
    r"""Return the objective of having the highest score; tied players share the win.

    Consider a player with the score x. If k opponents have the same score and no opponent has more,
    the player's share of the win is 1 / (k + 1). Let X_i be the final score of opponent i. The
    scores of the n opponents are independent, so the expected share is an integral of a polynomial,

    .. math:: U(x) = \int_0^1 \prod_i (1 - P(X_i > x) - t \, P(X_i = x)) \, dt,

    which Gauss-Legendre quadrature with n / 2 + 1 nodes computes exactly. For large n, ``NODES``
    nodes are exact up to rounding. The product falls at least as fast as exp(-c t), where c is the
    sum of P(X_i = x) / P(X_i ≤ x), so t stops at ``FADED`` / c. About the middle of this interval,
    the k-th Taylor coefficient is at most that of an exponential function, ``FADED`` ** k / k!.

    Parameters
    ----------
    opponents : sequence of (Distribution, int)
        A distribution of the final score, and the number of opponents with this distribution.
    """
    number_I = np.array([number for _, number in opponents], dtype=np.float64)
    count = int(number_I.sum())
    nodes, weights = np.polynomial.legendre.leggauss(min(count // 2 + 1, NODES))

    def utility(scores: NDArray[np.int64]) -> Values:
        above = np.array([distribution.above(scores) for distribution, _ in opponents])
        equal = np.array([distribution.above(scores - 1) for distribution, _ in opponents]) - above
        falls = np.einsum("i,i...", number_I, equal / np.maximum(1 - above, np.finfo(float).eps))
        end = FADED / np.maximum(falls, FADED)
        t = end[..., None] * (nodes + 1) / 2
        with np.errstate(divide="ignore"):  # the logarithm of 0
            logs = np.log1p(-np.minimum(above[..., None] + t * equal[..., None], 1))
        return np.asarray(end * (np.exp(np.einsum("i,i...", number_I, logs)) @ weights) / 2)

    return ScoreObjective(
        name, "probability of winning", "probability", utility=utility, score_weight=1 / count
    )


def mean_variance(aversion: float) -> VarianceObjective:
    """Return the objective of maximizing the mean score minus ``aversion`` times the variance.

    Raises
    ------
    MalformedError
        If ``aversion`` is outside ``AVERSIONS``.
    """
    least, most = AVERSIONS
    if not least <= aversion <= most:
        raise MalformedError(
            f"the aversion to variance must be from {least:g} to {most:g}, not {aversion:g}; if "
            "only the mean or only the variance counts, use expected or least-variance"
        )
    return VarianceObjective(
        f"mean-variance:{_all_digits(aversion)}",
        f"mean minus {aversion:g} times the variance",
        aversion=aversion,
    )


LEAST_VARIANCE = VarianceObjective("least-variance", "variance", "squared points", aversion=np.inf)
"""The objective of minimizing the variance of the final score, regardless of the mean.

The optimal strategy has a low score with many zeros.
"""


def close_to(score: float) -> ScoreObjective:
    """Return the objective of minimizing the mean squared distance from ``score``."""
    return ScoreObjective(
        f"close-to:{_all_digits(score)}",
        f"mean squared distance from {score:g}",
        "squared points",
        utility=lambda scores: -np.square(scores - score),
        score_weight=0.0,
    )


def check_risk(objective: CardObjective, most: float) -> None:
    """Check that the exponential utility of every score up to ``most`` fits in float64.

    Raises
    ------
    MalformedError
        If the risk is too far from 0.
    """
    if abs(objective.risk) * most > LARGEST_EXPONENT:
        raise MalformedError(
            f"the risk of {objective.name} is too far from 0; use a risk between "
            f"{-LARGEST_EXPONENT / most:.4g} and {LARGEST_EXPONENT / most:.4g}"
        )
