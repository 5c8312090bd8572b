"""The Bellman equations of one turn, solved with NumPy so that advice needs no compiler.

:mod:`rollwise.solving.kernels` solves the same equations for many states. This module solves them
for one state in about a millisecond. The axis letters are explained in
:mod:`rollwise.model.arrays`, except for:

* ``P`` are the lattice points of the dice.
* ``Q`` are quantities. The first quantity is the value, which determines the policy. The others
  (mean, second moment) are averaged under this policy.
* ``E`` are the final rolls of a turn, in lattice order. If the number of rolls left matters, all
  rolls with no rolls left come first, then all rolls with one roll left, and so on.
* ``G`` are states whose turns are computed together. This axis precedes the last axis. In memory,
  the lattice points come first, so that values that are read together are contiguous.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rollwise.model.arrays import Model
from rollwise.model.dice_lattice import Lattice
from rollwise.model.outcomes import FORBIDDEN

Values = NDArray[np.float64]
Chance = Literal["mean", "worst", "best"]


def options_of(model: Model, c: int) -> NDArray[np.uint16]:
    """Return the outcome of each final roll in each category for class ``c``, shape (E, K).

    The outcome is ``FORBIDDEN`` in filled categories, and where the rules forbid the category.
    """
    return np.asarray(options_of_all(model, np.array([c]))[0])


def options_of_all(model: Model, classes_G: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Return the outcomes of :func:`options_of` for G classes, shape (G, E, K).

    The classes must have the same number of rerolls.
    """
    n_rolls, (n_tables, _, n_categories) = len(model.lattice.rolls), model.option_T_V_K.shape
    row_G_R = np.tile(np.arange(n_rolls), (len(classes_G), 1))
    row_G_R[:, model.special_J] = model.special_row_C_J[classes_G]
    first, rerolls = int(model.table_C[classes_G[0]]), int(model.rerolls_C[classes_G[0]])
    tables = np.arange(first, min(n_tables, first + rerolls + 1))
    option_G_T_R_K = model.option_T_V_K[tables[:, None], row_G_R[:, None]]
    option_G_E_K = option_G_T_R_K.reshape(len(classes_G), -1, n_categories)
    open_G_1_K = model.open_categories(classes_G)[:, None]
    return np.where(open_G_1_K, option_G_E_K, FORBIDDEN).astype(np.uint16)


def outcomes_after(
    model: Model, c: int, lane: int
) -> tuple[NDArray[np.uint16], NDArray[np.int32], NDArray[np.int32]]:
    """Return the outcome, the next class, and the next lane after a turn, each of shape (E, K).

    The turn starts from class ``c`` and ``lane``. The arrays have one entry for each final roll and
    category.
    """
    option_E_K = options_of(model, c)
    after_E_K = model.class_after(c, option_E_K)
    return option_E_K, after_E_K, model.lane_after(lane, option_E_K)


def score_rolls(values_Q_E_K: Values, tolerance: float) -> tuple[Values, NDArray[np.int64]]:
    """Return the values of each final roll and the category in which to score it.

    The arrays have the shapes (Q, E) and (E,). Among the categories whose value is within
    ``tolerance`` of the best, the function chooses the first in scorecard order.
    """
    value_E_K = values_Q_E_K[0]
    best_E = value_E_K.max(axis=-1)
    category_E = (value_E_K >= best_E[..., None] - tolerance).argmax(axis=-1)
    values_Q_E = np.take_along_axis(values_Q_E_K, category_E[None, ..., None], axis=-1)[..., 0]
    values_Q_E[0] = best_E
    return values_Q_E, category_E


def rerolls(
    lattice: Lattice, values_Q_E: Values, count: int, chance: Chance, die: float
) -> Iterator[tuple[Values, NDArray[np.int64]]]:
    """Yield the values of all lattice points and the point to keep from each roll.

    The two arrays have the shapes (Q, P) and (R,). There is one pair for each of the ``count``
    rerolls, starting with the last reroll of the turn. Keeping a whole roll ends the turn if the
    number of rolls left matters. Otherwise, the turn continues with the same roll. See
    :func:`roll_once` for ``chance`` and :func:`choose_keeps` for ``die``.
    """
    n_rolls = len(lattice.rolls)
    values_Q_R = values_Q_E[..., :n_rolls]
    for left in range(1, count + 1):
        values_Q_P = roll_once(lattice, values_Q_R, chance)
        if values_Q_E.shape[-1] > n_rolls:
            values_Q_P[..., lattice.first_roll :] = values_Q_E[..., left * n_rolls :][..., :n_rolls]
        values_Q_R, keep_R = keep_dice(lattice, values_Q_P, die)
        yield values_Q_P, keep_R


def roll_once(lattice: Lattice, values_Q_R: Values, chance: Chance) -> Values:
    """Return the values of keeping each lattice point and rolling the other dice once.

    The array has the shape (Q, P). The first quantity is the mean, minimum, or maximum of the
    values of the rolls, as ``chance`` selects. The other quantities are means.
    """
    values_Q_P = keep_values(lattice, values_Q_R, "mean")
    if chance != "mean":
        values_Q_P[0] = keep_values(lattice, values_Q_R[0], chance)
    return values_Q_P


def keep_dice(lattice: Lattice, values_Q_P: Values, die: float) -> tuple[Values, NDArray[np.int64]]:
    """Return the values of each roll before a reroll, and the dice to keep.

    The arrays have the shapes (Q, R) and (R,). The dice to keep are lattice points. To break ties,
    ``die`` is added to the value for each die to keep (:func:`choose_keeps`).
    """
    keep_R = choose_keeps(lattice, values_Q_P[0], die)
    values_Q_R = np.take_along_axis(values_Q_P, keep_R[None], axis=-1)
    values_Q_R[0] = best_keep_values(lattice, values_Q_P[0])[..., lattice.first_roll :]
    return values_Q_R, keep_R


def keep_values(lattice: Lattice, value_R: Values, chance: Chance) -> Values:
    """Return the value of each lattice point when all other dice are rolled once, shape (P,).

    A full roll has the value ``value_R``. A smaller lattice point has the mean, minimum, or
    maximum of the values of the lattice points with one more die.
    """
    combine = {"mean": np.add, "worst": np.minimum, "best": np.maximum}[chance]
    value_P = np.empty((len(lattice.points), *value_R.shape[:-1]))
    value_P[lattice.first_roll :] = np.moveaxis(value_R, -1, 0)
    for keeps, parents in lattice.throws:
        first, *others = parents.T
        value = value_P.take(first, axis=0)
        for parent in others:  # the order of the faces affects the last bit of the sum
            combine(value, value_P.take(parent, axis=0), out=value)
        value_P[keeps] = value / (1 + len(others)) if chance == "mean" else value
    return np.moveaxis(value_P, 0, -1)


def best_keep_values(lattice: Lattice, value_P: Values) -> Values:
    """Return the highest value of keeping a subset of each lattice point, shape (P,)."""
    best_P = np.full((len(lattice.points) + 1, *value_P.shape[:-1]), -np.inf)  # ABSENT is last
    best_P[:-1] = np.moveaxis(value_P, -1, 0)
    for size in range(1, lattice.dice + 1):
        points = slice(*lattice.size_starts[size : size + 2])
        for child in lattice.child_P_F[points].T:
            np.maximum(best_P[points], best_P.take(child, axis=0), out=best_P[points])
    return np.moveaxis(best_P[:-1], 0, -1)


def roll_values(lattice: Lattice, value_E: Values, count: int, chance: Chance) -> list[Values]:
    """Return the value of each roll under optimal play with 0, 1, …, ``count`` rerolls left.

    ``value_E`` is the value of each final roll, float64 of shape (E,). Each array in the result has
    shape (R,).
    """
    before = rerolls(lattice, value_E[None], count, chance, 0.0)
    best = [
        best_keep_values(lattice, value_Q_P[0])[lattice.first_roll :] for value_Q_P, _ in before
    ]
    return [value_E[: len(lattice.rolls)], *best]


def choose_keeps(lattice: Lattice, value_P: Values, die: float) -> NDArray[np.int64]:
    """Return the lattice point that optimal play keeps from each roll, int64 of shape (R,).

    Ties are broken in the same way as in :mod:`rollwise.solving.kernels.policy`. First, ``die`` is
    added to the value for each die to keep. If values are still tied, dice with lower faces
    are rolled again.
    """
    number_P = np.arange(len(lattice.points))
    own_P = np.moveaxis(value_P + lattice.counts_P_F.sum(axis=1) * die, -1, 0)
    best_P = np.full((len(number_P) + 1, *value_P.shape[:-1]), np.nan)  # ABSENT is never chosen
    best_P[:-1] = np.moveaxis(best_keep_values(lattice, np.moveaxis(own_P, 0, -1)), -1, 0)
    goal_P = best_P[:-1] - abs(die) / 4
    choice_P = np.empty(goal_P.shape, dtype=np.int64)
    choice_P.T[...] = number_P
    for size in range(1, lattice.dice + 1):
        points = slice(*lattice.size_starts[size : size + 2])
        # The last assignment wins: keep the whole lattice point, or else drop its lowest face.
        for child in lattice.child_P_F[points].T[::-1]:
            reaches = best_P.take(child, axis=0) >= goal_P[points]
            np.copyto(choice_P[points], choice_P.take(child, axis=0), where=reaches)
        stays = own_P[points] >= goal_P[points]
        np.copyto(choice_P.T[..., points], number_P[points], where=stays.T)
    return np.moveaxis(choice_P[lattice.first_roll :], 0, -1)
