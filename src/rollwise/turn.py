"""One turn from one card in plain numpy: what advice, play and review need, without a compiler.

The same equations as :mod:`rollwise.kernels`, for one state at a time, about a millisecond each.
Axis letters as in :mod:`rollwise.model`; ``P`` are the points of the dice lattice.
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rollwise.dice import ABSENT, Lattice
from rollwise.model import FORBIDDEN, Model

Values = NDArray[np.float64]


def options_of(model: Model, c: int) -> NDArray[np.uint16]:
    """Return the outcome of each roll in each category for class ``c``, shape (R, K).

    Filled categories, and open ones that the rules forbid for the roll, are ``FORBIDDEN``.
    """
    rows = np.arange(len(model.lattice.rolls))
    rows[model.special_J] = model.special_row_C_J[c]
    option_R_K = model.option_V_K[rows]
    is_open = [model.may_fill(c, k) for k in range(option_R_K.shape[1])]
    return np.where(is_open, option_R_K, FORBIDDEN).astype(np.uint16)


def category_values(
    model: Model, remaining_C_L: Values, gain_O: Values, points_O: Values, c: int, lane: int
) -> Values:
    """Return what each final roll is worth in each category, -inf where forbidden, shape (R, K)."""
    option_R_K = options_of(model, c)
    k_R_K = np.broadcast_to(np.arange(option_R_K.shape[1]), option_R_K.shape)
    armed = model.armed_C[c] | model.arms_O[option_R_K]
    after = model.class_S[armed, model.mask_C[c] | (1 << k_R_K)]
    lanes = np.minimum(lane + model.shift_O[option_R_K], model.lanes - 1)
    worth = gain_O[option_R_K] * remaining_C_L[after, lanes] + points_O[option_R_K]
    return np.where(option_R_K == FORBIDDEN, -np.inf, worth)


def keep_values(
    lattice: Lattice, value_R: Values, chance: Literal["mean", "worst", "best"]
) -> Values:
    """Return the value of each point when all other dice are rolled once, shape (P,).

    A full roll is worth ``value_R``; a keep the mean, minimum or maximum of the keep with one more
    die.
    """
    combine: Any = {"mean": np.mean, "worst": np.min, "best": np.max}[chance]
    value_P = np.empty(len(lattice.points))
    value_P[lattice.first_roll :] = value_R
    for size in range(lattice.dice - 1, -1, -1):
        points = slice(*lattice.size_starts[size : size + 2])
        value_P[points] = combine(value_P[lattice.parent_K_F[points]], axis=1)
    return value_P


def best_keep_values(lattice: Lattice, value_P: Values) -> Values:
    """Return for each point the highest value of what it contains, itself included, shape (P,)."""
    best_P = value_P.copy()
    for size in range(1, lattice.dice + 1):
        points = slice(*lattice.size_starts[size : size + 2])
        child_P_F = lattice.child_P_F[points]
        contained = np.where(child_P_F == ABSENT, -np.inf, best_P[child_P_F])
        best_P[points] = np.maximum(best_P[points], contained.max(axis=1))
    return best_P


def roll_values(
    lattice: Lattice, value_R: Values, rerolls: int, chance: Literal["mean", "worst", "best"]
) -> list[Values]:
    """Return what each roll is worth to best play with 0, 1, … ``rerolls`` rerolls left.

    ``value_R`` is what each final roll is worth, float64 of shape (R,); so are all entries.
    """
    values = [value_R]
    for _ in range(rerolls):
        value_P = keep_values(lattice, values[-1], chance)
        values.append(best_keep_values(lattice, value_P)[lattice.first_roll :])
    return values


def choose_keeps(lattice: Lattice, value_P: Values, tie: float) -> NDArray[np.int64]:
    """Return the point that best play keeps of each roll, int64 of shape (R,).

    Of keeps whose values differ by less than ``tie`` the one with more dice is taken, then the one
    that gives up the lower faces: the rule of :mod:`rollwise.kernels.policy`, in the same steps.
    """
    sizes_P = lattice.counts_P_F.sum(axis=1)
    own_P = value_P + sizes_P * (tie / lattice.dice)
    best_P = best_keep_values(lattice, own_P)
    goal_P = best_P - tie / lattice.dice / 4
    choice_P = np.arange(len(own_P))
    for size in range(1, lattice.dice + 1):
        points = np.arange(*lattice.size_starts[size : size + 2])
        child_P_F = lattice.child_P_F[points]
        reaches = (child_P_F != ABSENT) & (best_P[child_P_F] >= goal_P[points, None])
        follow = child_P_F[np.arange(len(points)), reaches.argmax(axis=1)]
        stays = own_P[points] >= goal_P[points]
        choice_P[points] = np.where(stays, points, choice_P[follow])
    return choice_P[lattice.first_roll :]
