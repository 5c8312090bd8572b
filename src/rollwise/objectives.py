"""What the player plays for, as arguments of one solver.

An objective says how a finished game is valued and how chance is combined. Everything else (the
turn, the classes, the sweep) is the same for all of them. There are two kinds:

* what is still to come can be valued without the points so far: the points of a move are added, or
  multiply (the expected score, the worst and the best case, exponential utility);
* it cannot, and the value is a *utility* of the final score (a target, beating somebody, …).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError

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
    """

    name: str
    chance: Literal["mean", "worst", "best"] = "mean"
    terminal: Callable[[Values], Values] = _unchanged
    gain: Callable[[Values], Values] = _no_gain
    points: Callable[[Values], Values] = _unchanged
    certain: Callable[[Values], Values] = _unchanged
    utility: Utility | None = None
    price: float = 0.0
    floor: float = -np.inf
    plays_on: bool = True

    def total(self, so_far: float, value: float) -> float:
        """Return what a person reads: the value of a game, its points so far included."""
        if self.utility is None:
            earned = np.array([so_far], dtype=np.float64)
            value = float((self.gain(earned) * value + self.points(earned))[0])
        return float(self.certain(np.array([value]))[0])


EXPECTED = Objective("expected")
"""The expected score."""

WORST_CASE = Objective("worst-case", chance="worst")
"""The score that the player can be sure of: every roll is the worst one for him."""

BEST_CASE = Objective("best-case", chance="best")
"""The highest score there is: every roll is the best one for him."""


def target(score: int) -> Objective:
    """Return the objective of reaching a score: the probability that the final one is as high."""
    return Objective(f"target:{score}", utility=lambda scores: (scores >= score).astype(np.float64))


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
        terminal=lambda bonus: sign * np.exp(risk * bonus),
        gain=lambda points: np.exp(risk * points),
        points=np.zeros_like,
        certain=lambda values: np.log(sign * values) / risk,
    )


def close_to(score: float) -> Objective:
    """Return the objective of least squares: minus the mean square distance from ``score``."""
    return Objective(
        f"close-to:{score:.17g}",
        utility=lambda scores: -np.square(scores - score),
        plays_on=False,
    )


_BY_NAME = {objective.name: objective for objective in (EXPECTED, WORST_CASE, BEST_CASE)}


def parse_objective(text: str) -> Objective:
    """Return the objective with this name.

    Raises
    ------
    MalformedError
        When there is none.
    """
    try:
        return _BY_NAME[text]
    except KeyError:
        raise MalformedError(
            f"no objective {text!r}: expected one of {', '.join(_BY_NAME)}"
        ) from None
