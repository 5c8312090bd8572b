"""Backward induction over the turn from one state at a time, without SIMD vectors.

The steps and the rule for ties are the same as in :mod:`rollwise.model.turn`. This compiled code is
about a hundred times as fast as the code of that module.

Axis letters: ``W`` rows of values of outcomes, ``X`` tables of options, ``G`` states, and ``J``
rerolls. The others are explained in :mod:`rollwise.model.turn`.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.model.dice_lattice import ABSENT, Lattice
from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.vector import Floats

Options = NDArray[np.uint16]


class LatticeArrays(NamedTuple):
    """The arrays of the dice lattice; :mod:`rollwise.model.dice_lattice` explains the axes."""

    # The point with one more die of the symbol; the point itself if this die is not rolled next.
    parent_P_F: NDArray[np.int32]
    # The point without one die of the symbol.
    child_P_F: NDArray[np.int32]
    # The first symbol (counted from 0) of the next die, and one past its last symbol: (K, 2).
    thrown_K: NDArray[np.int64]
    # The number of dice of each point.
    sizes_P: NDArray[np.float64]
    # The first point that has all dice.
    first_roll: int

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, lattice: Lattice) -> "LatticeArrays":
        """Return the arrays of a lattice."""
        parent_P_F = np.full(lattice.child_P_F.shape, ABSENT, dtype=np.int32)
        parent_P_F[: lattice.first_roll] = lattice.parent_K_F
        own_P = np.arange(len(lattice.points), dtype=np.int32)
        ends = np.cumsum([faces for _, faces in lattice.kinds])
        thrown = np.stack([np.append(0, ends[:-1]), ends], axis=1)
        return cls(
            np.where(parent_P_F == ABSENT, own_P[:, None], parent_P_F),
            lattice.child_P_F,
            thrown[lattice.kind_K],
            lattice.counts_P_F.sum(axis=1).astype(np.float64),
            lattice.first_roll,
        )


class StateScratch(NamedTuple):
    """Scratch arrays for the turn from a state."""

    # The values that :func:`turn_values` computes, shape (rerolls + 1, P).
    values_J_P: Floats
    # The value of the best dice to keep from each lattice point, and these dice.
    best_P: Floats
    choice_P: NDArray[np.uint16]

    @classmethod
    def of(cls, dice: LatticeArrays, rerolls: int) -> "StateScratch":
        """Return scratch arrays for turns with ``rerolls`` rerolls."""
        n_points = len(dice.sizes_P)
        return cls(
            np.empty((rerolls + 1, n_points)),
            np.empty(n_points),
            np.empty(n_points, dtype=np.uint16),
        )


@inlined
def score_values(
    value_O: Floats, option_E_K: Options, left: int, value_P: Floats, first_roll: int
) -> None:
    """Set the value of each roll to the value of its best category if ``left`` rolls are left."""
    first = left * (len(value_P) - first_roll)
    for r in range(len(value_P) - first_roll):
        best_value = -np.inf
        for k in range(option_E_K.shape[1]):
            o = option_E_K[first + r, k]
            if o != 0:
                best_value = max(best_value, value_O[o])
        value_P[first_roll + r] = best_value


@inlined
def best_keeps(value_P: Floats, dice: LatticeArrays, best_P: Floats) -> None:
    """Write the highest value among each lattice point and its subsets to ``best_P``."""
    for p in range(len(value_P)):
        best_value = value_P[p]
        for f in range(dice.child_P_F.shape[1]):
            child = dice.child_P_F[p, f]
            if child >= 0:
                best_value = max(best_value, best_P[child])
        best_P[p] = best_value


@inlined
def turn_values(
    value_O: Floats, option_E_K: Options, dice: LatticeArrays, scratch: StateScratch
) -> None:
    """Compute the value of keeping each lattice point before each reroll, and of each first roll.

    ``value_O`` includes the points to come. ``option_E_K`` is the outcome of each final roll in
    each category; 0 if it is forbidden. ``values_J_P[0]`` receives the values of final rolls,
    ``values_J_P[j]`` the values of keeping each point with j rerolls left, and ``best_P`` the
    values of first rolls.
    """
    values_J_P, best_P = scratch.values_J_P, scratch.best_P
    n_points, n_keeps = len(dice.sizes_P), dice.first_roll
    score_values(value_O, option_E_K, 0, values_J_P[0], n_keeps)
    for p in range(n_keeps, n_points):
        best_P[p] = values_J_P[0, p]
    for stage in range(1, len(values_J_P)):
        value_P = values_J_P[stage]
        for p in range(n_keeps, n_points):
            value_P[p] = best_P[p]
        for p in range(n_keeps - 1, -1, -1):
            total = 0.0
            first, end = dice.thrown_K[p, 0], dice.thrown_K[p, 1]
            for f in range(first, end):
                total += value_P[dice.parent_P_F[p, f]]
            value_P[p] = total / (end - first)
        if len(option_E_K) > n_points - n_keeps:  # outcomes depend on the rolls left
            score_values(value_O, option_E_K, stage, value_P, n_keeps)
        best_keeps(value_P, dice, best_P)


@inlined
def choose_keep(value_P: Floats, dice: LatticeArrays, die: float, scratch: StateScratch) -> None:
    """Write the best dice to keep from each lattice point to ``scratch.choice_P``.

    ``value_P`` has the value of keeping each point. To break ties, ``die`` is added to the value
    for each die to keep.
    """
    best_P, choice_P = scratch.best_P, scratch.choice_P
    slack = abs(die) / 4
    for p in range(len(value_P)):
        own = value_P[p] + dice.sizes_P[p] * die
        highest = own
        for f in range(dice.child_P_F.shape[1]):
            child = dice.child_P_F[p, f]
            if child >= 0:
                highest = max(highest, best_P[child])
        best_P[p] = highest
        choice_P[p] = p
        if own < highest - slack:
            for f in range(dice.child_P_F.shape[1]):
                child = dice.child_P_F[p, f]
                if child >= 0 and best_P[child] >= highest - slack:
                    choice_P[p] = choice_P[child]
                    break


@compiled
def best_choices(
    scratch: StateScratch,
    value_W_O: Floats,
    option_X_E_K: NDArray[np.uint16],
    state_G_2: NDArray[np.int64],
    dice: LatticeArrays,
    tolerance: float,
    die: float,
    keeps_G_J_R: NDArray[np.uint16],
    categories_G_E: NDArray[np.uint8],
) -> None:
    """Write the best dice to keep and the best category for each roll in several states.

    The turns must have the same number of rerolls. The columns of ``state_G_2`` are the row of
    ``value_W_O`` and the table of ``option_X_E_K`` of each state, as for :func:`turn_values`.
    Categories whose values differ by at most ``tolerance`` are tied. To break ties, ``die`` is
    added to the value for each die to keep. The last two arrays receive the results, in the format
    of :class:`rollwise.solving.kernels.simulation.GroupChoices`.
    """
    n_points, first_roll = len(dice.sizes_P), dice.first_roll
    n_rolls = n_points - first_roll
    rerolls = keeps_G_J_R.shape[1]
    for g in range(len(state_G_2)):
        value_O, option_E_K = value_W_O[state_G_2[g, 0]], option_X_E_K[state_G_2[g, 1]]
        turn_values(value_O, option_E_K, dice, scratch)
        for end in range(len(option_E_K)):
            goal = -np.inf
            for k in range(option_E_K.shape[1]):
                o = option_E_K[end, k]
                if o != 0:
                    goal = max(goal, value_O[o] - tolerance)
            for k in range(option_E_K.shape[1]):
                o = option_E_K[end, k]
                if o != 0 and value_O[o] >= goal:
                    categories_G_E[g, end] = k
                    break
        for j in range(1, rerolls + 1):
            choose_keep(scratch.values_J_P[j], dice, die, scratch)
            for r in range(n_rolls):
                keeps_G_J_R[g, rerolls - j, r] = scratch.choice_P[first_roll + r]
