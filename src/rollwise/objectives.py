"""What the player plays for, as arguments of one solver.

An objective says how a finished card is valued, how the points of a move enter, and how chance is
combined. Everything else (the turn, the classes, the sweep) is the same for all of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError

Values = NDArray[np.float64]


def _unchanged(points: Values) -> Values:
    return points


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
    """

    name: str
    chance: Literal["mean", "worst", "best"] = "mean"
    terminal: Callable[[Values], Values] = _unchanged
    gain: Callable[[Values], Values] = _no_gain
    points: Callable[[Values], Values] = _unchanged


EXPECTED = Objective("expected")
"""The expected score."""

WORST_CASE = Objective("worst-case", chance="worst")
"""The score that the player can be sure of: every roll is the worst one for him."""

BEST_CASE = Objective("best-case", chance="best")
"""The highest score there is: every roll is the best one for him."""

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
