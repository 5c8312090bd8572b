"""What the player plays for, as arguments of one solver.

An objective says how a finished game is valued and how chance is combined. Everything else (the
turn, the classes, the sweep) is the same for all of them. There are three kinds:

* what is still to come can be valued without the points so far: the points of a move are added, or
  multiply (:class:`CardObjective`: the expected score, the worst and the best case, exponential
  utility);
* it cannot, and the value is a *utility* of the final score (:class:`ScoreObjective`: a target,
  beating somebody, …);
* the utility is not known before the game is solved (:class:`VarianceObjective`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.distribution import Distribution
from rollwise.errors import MalformedError
from rollwise.model.turn import Chance

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
    unit : {"points", "probability", "utility", "squared points"}
        What it is measured in; in squared points it is minus what is minimised.
    chance : {"mean", "worst", "best"}
        A chance node is worth the mean, the minimum or the maximum of what may follow.
    needs_score : bool
        Whether the best play depends on the points so far, and not on the card alone.

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
        """What counts as one point: 1, or one per cent where values are probabilities."""
        return 0.01 if self.unit == "probability" else 1.0

    def totals(self, so_far: ArrayLike, values: Values) -> Values:
        """Return what a person reads: the values of games, their points so far included."""
        return values  # they are already


@dataclass(frozen=True, repr=False)
class CardObjective(Objective):
    """An objective that values what is still to come on a card without the points so far.

    Attributes
    ----------
    terminal : callable
        Value of a full card from its upper bonus: float64 array to float64 array.
    gain, points : callables
        A move that earns p points to a card worth v is worth ``gain(p) * v + points(p)``.
    certain : callable
        From a value to what a person reads: the sure score that is as good, where that differs.
    risk : float
        Of an exponential utility.
    named : bool
        Whether the name says all of this, so that solved tables are kept on disk under it.
    """

    chance: Chance = "mean"
    terminal: Callable[[Values], Values] = _unchanged
    gain: Callable[[Values], Values] = _no_gain
    points: Callable[[Values], Values] = _unchanged
    certain: Callable[[Values], Values] = _unchanged
    risk: float = 0.0
    named: bool = False
    needs_score: ClassVar[bool] = False

    def totals(self, so_far: ArrayLike, values: Values) -> Values:
        """Return what a person reads: the values of games, their points so far included."""
        earned = np.atleast_1d(np.asarray(so_far, dtype=np.float64))
        return self.certain(self.gain(earned) * values + self.points(earned))


@dataclass(frozen=True, kw_only=True, repr=False)
class ScoreObjective(Objective):
    """An objective that values the final score.

    Attributes
    ----------
    utility : callable
        From final scores, int64, to their values, float64 of the same shape.
    price, floor : float
        What each turn costs, and what a game can be given up for between turns.
    plays_on : bool
        Of options that the utility values alike take the one with the higher expected score.
    possible : int
        A score that some game has to reach for the objective to make sense.
    """

    utility: Utility
    price: float = 0.0
    floor: float = -np.inf
    plays_on: bool = True
    possible: int = 0


@dataclass(frozen=True, kw_only=True, repr=False)
class VarianceObjective(Objective):
    """The mean of the final score less ``aversion`` times its variance.

    Attributes
    ----------
    aversion : float
        Above 0; inf for the variance alone. The utility that stands for it depends on the game
        (:mod:`rollwise.solving.by_score.mean_variance`).
    tolerance : float
        Of the variance: what a better strategy might save that was not looked for.
    """

    aversion: float
    tolerance: float = 1e-2


EXPECTED = CardObjective("expected", "expected final score", "points", named=True)
"""The expected score."""

WORST_CASE = CardObjective("worst-case", "score that is sure", "points", "worst", named=True)
"""The score that the player can be sure of: every roll is the worst one for him."""

BEST_CASE = CardObjective("best-case", "highest possible score", "points", "best", named=True)
"""The highest score there is: every roll is the best one for him."""


def target(score: int) -> ScoreObjective:
    """Return the objective of reaching a score: the probability that the final one is as high."""
    return ScoreObjective(
        f"target:{score}",
        f"probability of {score} or more",
        "probability",
        utility=lambda scores: (scores >= score).astype(np.float64),
        possible=score,
    )


def exponential(risk: float) -> CardObjective:
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
    return CardObjective(
        f"exponential:{_all_digits(risk)}",
        "sure score that is as good",
        "points",
        terminal=lambda bonus: sign * np.exp(risk * bonus),
        gain=lambda points: np.exp(risk * points),
        points=np.zeros_like,
        certain=lambda values: np.log(sign * values) / risk,
        risk=risk,
        named=True,
    )


def _all_digits(number: float) -> str:
    """Return the shortest text that reads back as the number."""
    return repr(float(number)).removesuffix(".0")


def of_utility(function: Callable[[int], float], name: str = "utility") -> ScoreObjective:
    """Return the objective of the greatest expected utility.

    Parameters
    ----------
    function : callable
        From a final score to its value.
    """
    utility = np.vectorize(function, otypes=[np.float64])
    return ScoreObjective(name, "expected utility", utility=utility)


def beating(opponents: Sequence[tuple[Distribution, int]], name: str = "beat") -> ScoreObjective:
    r"""Return the objective of having the highest score; equal highest scores share the win.

    With n opponents of independent scores, k of which are equal to x and none above, a score of x
    wins 1 / (k + 1). The expectation of that is an integral of a polynomial,

    .. math:: U(x) = \int_0^1 \prod_i (P(X_i < x) + t \, P(X_i = x)) \, dt,

    which Gauss and Legendre's rule with n / 2 + 1 points gives without error; with 200 points it
    does so up to rounding for any n.

    Parameters
    ----------
    opponents : sequence of (Distribution, int)
        Laws of final scores, and how many opponents have each.
    """
    count = sum(number for _, number in opponents)
    nodes, weights = np.polynomial.legendre.leggauss(min(count // 2 + 1, 200))

    def utility(scores: NDArray[np.int64]) -> Values:
        product = np.ones((*np.shape(scores), len(nodes)))
        for distribution, number in opponents:
            below = distribution.below(scores)
            equal = distribution.up_to(scores) - below
            product *= (below[..., None] + (nodes + 1) / 2 * equal[..., None]) ** number
        return np.asarray(product @ weights / 2)

    return ScoreObjective(name, "probability of winning", "probability", utility=utility)


def mean_variance(aversion: float) -> VarianceObjective:
    """Return the objective of the mean less ``aversion`` times the variance of the final score.

    Raises
    ------
    MalformedError
        When ``aversion`` is not positive.
    """
    if not 0 < aversion < np.inf:
        raise MalformedError(f"expected an aversion to variance above 0, got {aversion:g}")
    return VarianceObjective(
        f"mean-variance:{_all_digits(aversion)}",
        f"mean less {aversion:g} times variance",
        aversion=aversion,
    )


LEAST_VARIANCE = VarianceObjective("least-variance", "variance", "squared points", aversion=np.inf)
"""The most certain score, whatever it is: a small one, of many zeros."""


def close_to(score: float) -> ScoreObjective:
    """Return the objective of least squares: minus the mean square distance from ``score``."""
    return ScoreObjective(
        f"close-to:{_all_digits(score)}",
        f"mean square distance from {score:g}",
        "squared points",
        utility=lambda scores: -np.square(scores - score),
        plays_on=False,
    )


def check_risk(objective: CardObjective, most: float) -> None:
    """Refuse an exponential utility that leaves the numbers of a computer for scores of up to most.

    Raises
    ------
    MalformedError
        When it does.
    """
    if abs(objective.risk) * most > LARGEST_EXPONENT:
        raise MalformedError(
            f"{objective.name}: expected a risk between {-LARGEST_EXPONENT / most:.4g} and "
            f"{LARGEST_EXPONENT / most:.4g} for scores of up to {most:g}"
        )
