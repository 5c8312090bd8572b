"""The best turn of one state after another: plain numbers, where no lanes are computed together.

The steps and the tie rule are those of :mod:`rollwise.model.turn`; a state costs about a hundredth
of what it costs there.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.model.lattice import ABSENT, Lattice
from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.vector import Floats

Options = NDArray[np.uint16]


class LatticeArrays(NamedTuple):
    """The dice lattice; where a die is not to be thrown, a point is its own parent.

    Attributes
    ----------
    parent_P_F, child_P_F : int32 arrays of shape (P, F)
    thrown_K : int64 array of shape (K, 2)
        The first symbol, counted from 0, and one past the last of the die that is thrown next.
    sizes_P : float64 array of shape (P,)
    first_roll : int
        The first point that is a roll of all dice.
    """

    parent_P_F: NDArray[np.int32]
    child_P_F: NDArray[np.int32]
    thrown_K: NDArray[np.int64]
    sizes_P: NDArray[np.float64]
    first_roll: int

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, lattice: Lattice) -> "LatticeArrays":
        """Return the dice of a lattice."""
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
    """What the turns of some states need room for.

    Attributes
    ----------
    values_J_P : float64 array of shape (rerolls + 1, P)
        As :func:`turn_values` fills it.
    best_P : float64 array of shape (P,)
    choice_P : uint16 array of shape (P,)
    """

    values_J_P: Floats
    best_P: Floats
    choice_P: NDArray[np.uint16]

    @classmethod
    def of(cls, dice: LatticeArrays, rerolls: int) -> "StateScratch":
        """Return the room for turns of so many rerolls."""
        n_points = len(dice.sizes_P)
        return cls(
            np.empty((rerolls + 1, n_points)),
            np.empty(n_points),
            np.empty(n_points, dtype=np.uint16),
        )


@inlined
def score_values(
    worth_O: Floats, option_E_K: Options, left: int, value_P: Floats, first_roll: int
) -> None:
    """Write what it is worth to end a turn with some rolls left to the rolls of ``value_P``."""
    first = left * (len(value_P) - first_roll)
    for r in range(len(value_P) - first_roll):
        top = -np.inf
        for k in range(option_E_K.shape[1]):
            o = option_E_K[first + r, k]
            if o != 0:
                top = max(top, worth_O[o])
        value_P[first_roll + r] = top


@inlined
def best_contained(value_P: Floats, dice: LatticeArrays, best_P: Floats) -> None:
    """Write the best value of each point and all that it contains."""
    for p in range(len(value_P)):
        most = value_P[p]
        for f in range(dice.child_P_F.shape[1]):
            child = dice.child_P_F[p, f]
            if child >= 0:
                most = max(most, best_P[child])
        best_P[p] = most


@inlined
def turn_values(
    worth_O: Floats, option_E_K: Options, dice: LatticeArrays, scratch: StateScratch
) -> None:
    """Write what keeping each point is worth, and each roll to the best play.

    Parameters
    ----------
    worth_O : float64 array of shape (O,)
        What scoring an outcome is worth, all that follows included.
    option_E_K : uint16 array of shape (E, K)
        0 where forbidden; ends of a turn as in :mod:`rollwise.model.turn`.
    scratch : StateScratch
        With j rerolls left: first what each final roll is worth (its keeps hold nothing), then
        what each point is worth that is kept before the last reroll, before the one before it, ….
    """
    values_J_P, best_P = scratch.values_J_P, scratch.best_P
    n_points, n_keeps = len(dice.sizes_P), dice.first_roll
    score_values(worth_O, option_E_K, 0, values_J_P[0], n_keeps)
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
        if len(option_E_K) > n_points - n_keeps:  # to stop here is worth something else
            score_values(worth_O, option_E_K, stage, value_P, n_keeps)
        best_contained(value_P, dice, best_P)


@inlined
def choose_keep(value_P: Floats, dice: LatticeArrays, die: float, scratch: StateScratch) -> None:
    """Write the point that is kept of each point, for the values of one reroll."""
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
    worth_W_O: Floats,
    option_X_E_K: NDArray[np.uint16],
    state_G_2: NDArray[np.int64],
    dice: LatticeArrays,
    tie: float,
    die: float,
    keeps_G_J_R: NDArray[np.uint16],
    categories_G_E: NDArray[np.uint8],
) -> None:
    """Write the best turn of each of some states with turns of one length.

    Parameters
    ----------
    worth_W_O : float64 array of shape (W, O)
        Each as ``worth_O`` of :func:`turn_values`.
    option_X_E_K : uint16 array of shape (X, E, K)
        Each as ``option_E_K`` there.
    state_G_2 : int64 array of shape (G, 2)
        The numbers of the worths and of the options of each state.
    keeps_G_J_R, categories_G_E : arrays
        As in :class:`rollwise.solving.kernels.simulation.GroupChoices`; the turn looks J rerolls
        ahead.
    """
    n_points, first_roll = len(dice.sizes_P), dice.first_roll
    n_rolls = n_points - first_roll
    rerolls = keeps_G_J_R.shape[1]
    for g in range(len(state_G_2)):
        worth_O, option_E_K = worth_W_O[state_G_2[g, 0]], option_X_E_K[state_G_2[g, 1]]
        turn_values(worth_O, option_E_K, dice, scratch)
        for end in range(len(option_E_K)):
            goal = -np.inf
            for k in range(option_E_K.shape[1]):
                o = option_E_K[end, k]
                if o != 0:
                    goal = max(goal, worth_O[o] - tie)
            for k in range(option_E_K.shape[1]):
                o = option_E_K[end, k]
                if o != 0 and worth_O[o] >= goal:
                    categories_G_E[g, end] = k
                    break
        for j in range(1, rerolls + 1):
            choose_keep(scratch.values_J_P[j], dice, die, scratch)
            for r in range(n_rolls):
                keeps_G_J_R[g, rerolls - j, r] = scratch.choice_P[first_roll + r]


@compiled
def best_announcements(
    scratch: StateScratch,
    worth_G_O: Floats,
    option_X_K_E_1: NDArray[np.uint16],
    options_G: NDArray[np.int64],
    dice: LatticeArrays,
    tie: float,
    value_K_R: Floats,
    box_G_R: NDArray[np.uint8],
) -> None:
    """Write the box that is announced after each first roll, the first in card order if equal.

    Parameters
    ----------
    option_X_K_E_1 : uint16 array of shape (X, K, E, 1)
        Of each card and each box the options of a turn that has to end in that box.
    options_G : int64 array of shape (G,)
        The numbers of the options of each state.
    value_K_R : float64 array of shape (K, R)
        Room for the values of announcements.
    """
    for g in range(len(options_G)):
        option_K_E_1 = option_X_K_E_1[options_G[g]]
        for k in range(len(option_K_E_1)):
            if option_K_E_1[k, 0, 0] != 0:
                turn_values(worth_G_O[g], option_K_E_1[k], dice, scratch)
            for r in range(value_K_R.shape[1]):
                value = scratch.best_P[dice.first_roll + r]
                value_K_R[k, r] = value if option_K_E_1[k, 0, 0] != 0 else -np.inf
        for r in range(value_K_R.shape[1]):
            goal = -np.inf
            for k in range(len(value_K_R)):
                goal = max(goal, value_K_R[k, r] - tie)
            for k in range(len(value_K_R)):
                if value_K_R[k, r] >= goal:
                    box_G_R[g, r] = k
                    break
