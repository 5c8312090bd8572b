"""One turn of a game of two in plain numpy: what every option is worth, and how often it ties.

The same equations as :mod:`rollwise.solving.kernels.duel`, for one card. Axis letters as in
:mod:`rollwise.model.turn`.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rollwise.model.lattice import ABSENT, Lattice
from rollwise.model.turn import Values, keep_values

EQUAL = 2.0**-40
"""Values of a probability that differ by no more are equal: all that rounding can do is less."""


def fewest(values: Values, ties: Values) -> tuple[Values, Values]:
    """Return the best value along the last axis, and the fewest ties of what is as good."""
    best = values.max(axis=-1)
    close = values >= best[..., None] - EQUAL
    return best, np.where(close, ties, np.inf).min(axis=-1)


def best_keeps(lattice: Lattice, value_P: Values, tie_P: Values) -> tuple[Values, Values]:
    """Return value and ties of the best keep that each point contains, itself included."""
    best_P, few_P = value_P.copy(), tie_P.copy()
    for size in range(1, lattice.dice + 1):
        points = np.arange(*lattice.size_starts[size : size + 2])
        child_P_F = lattice.child_P_F[points]
        absent = child_P_F == ABSENT
        values = np.where(absent, -np.inf, best_P[child_P_F])
        ties = few_P[child_P_F]
        best_P[points], few_P[points] = fewest(
            np.column_stack([best_P[points], values]), np.column_stack([few_P[points], ties])
        )
    return best_P, few_P


def kept(
    lattice: Lattice, value_E: Values, tie_E: Values, rerolls: int
) -> Iterator[NDArray[np.float64]]:
    """Yield value and ties of each point that is kept, (2, P), with 1, 2, … rerolls left."""
    n_rolls, first = len(lattice.rolls), lattice.first_roll
    roll_Q_R = np.stack([value_E[:n_rolls], tie_E[:n_rolls]])
    for left in range(1, rerolls + 1):
        kept_Q_P = np.stack([keep_values(lattice, worth_R, "mean") for worth_R in roll_Q_R])
        if len(value_E) > n_rolls:
            here = slice(left * n_rolls, (left + 1) * n_rolls)
            kept_Q_P[:, first:] = value_E[here], tie_E[here]
        yield kept_Q_P
        best_P, few_P = best_keeps(lattice, *kept_Q_P)
        roll_Q_R = np.stack([best_P[first:], few_P[first:]])
