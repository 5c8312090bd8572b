"""The turn forward by given choices: with what probability it ends in each outcome.

The sums of :class:`rollwise.strategies.strategy.TurnPolicy`, in the same order.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.model.lattice import Lattice
from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import LatticeIndex
from rollwise.solving.kernels.legal_outcomes import Arrays, LegalOutcomes, list_outcomes, may_fill
from rollwise.solving.kernels.policy import LayerPolicy
from rollwise.solving.kernels.scalar_turn import LatticeArrays
from rollwise.solving.kernels.vector import WIDTH, Floats


class Chosen(NamedTuple):
    """How some cards of a layer are played.

    Attributes
    ----------
    class_G : int64 array of shape (G,)
    rows_G_2 : int64 array of shape (G, 2)
        The first row of the class that is played so, and one past the last one.
    keeps_G_J_R, categories_G_E : uint16 and uint8 arrays
        As :meth:`rollwise.strategies.Strategy.choices_at` returns them.
    forbidden_G : float64 array of shape (G,)
        Receives the probability of scoring where the rules forbid it.
    """

    class_G: NDArray[np.int64]
    rows_G_2: NDArray[np.int64]
    keeps_G_J_R: NDArray[np.uint16]
    categories_G_E: NDArray[np.uint8]
    forbidden_G: Floats


class RollProbabilities(NamedTuple):
    """How dice fall.

    Attributes
    ----------
    mass_R : float64 array of shape (R,)
        The probability of each roll.
    order_K : int64 array of shape (K,)
        The keeps, those before others that they lead to.
    dice : LatticeArrays
    """

    mass_R: Floats
    order_K: NDArray[np.int64]
    dice: LatticeArrays

    @classmethod
    def of(cls, lattice: Lattice) -> "RollProbabilities":
        """Return how the dice of a lattice fall."""
        order_K = np.concatenate([keeps for keeps, _ in reversed(lattice.throws)])
        return cls(lattice.weight_R / lattice.weight_R.sum(), order_K, LatticeArrays.of(lattice))


class ChoiceScratch(NamedTuple):
    """What the play of a turn needs room for.

    Attributes
    ----------
    legal : LegalOutcomes
    mass_P, ended_E, slot_O : float64 arrays
        The probability of each point, end of the turn, and slot.
    """

    legal: LegalOutcomes
    mass_P: Floats
    ended_E: Floats
    slot_O: Floats

    @classmethod
    def of(cls, arrays: Arrays, lattice_index: LatticeIndex) -> "ChoiceScratch":
        """Return the room for a game."""
        n_rolls, tables = len(lattice_index.ways_R), int(arrays.class_C.rerolls.max()) + 1
        return cls(
            LegalOutcomes.of(arrays, lattice_index),
            np.empty(len(lattice_index.targets) + 1),
            np.empty(n_rolls * tables),
            np.empty(len(arrays.outcome_O)),
        )


@inlined
def play_choices(
    keeps_J_R: NDArray[np.uint16],
    rerolls: int,
    stops: bool,
    forward_index: RollProbabilities,
    room: ChoiceScratch,
) -> None:
    """Write the probability of each end of a turn."""
    mass_P, ended_E, dice = room.mass_P, room.ended_E, forward_index.dice
    first_roll, n_rolls = dice.first_roll, len(forward_index.mass_R)
    for r in range(n_rolls):
        ended_E[r] = forward_index.mass_R[r]
    for left in range(rerolls, 0, -1):
        for p in range(first_roll + n_rolls):
            mass_P[p] = 0.0
        for r in range(n_rolls):
            mass_P[keeps_J_R[len(keeps_J_R) - left, r]] += ended_E[r]
        if stops:
            for r in range(n_rolls):
                ended_E[left * n_rolls + r] = mass_P[first_roll + r]
                mass_P[first_roll + r] = 0.0
        for i in range(len(forward_index.order_K)):
            p = forward_index.order_K[i]
            first, end = dice.thrown_K[p, 0], dice.thrown_K[p, 1]
            share = mass_P[p] / (end - first)
            for f in range(first, end):
                mass_P[dice.parent_P_F[p, f]] += share
        for r in range(n_rolls):
            ended_E[r] = mass_P[first_roll + r]


@inlined
def score_ends(
    arrays: Arrays,
    c: int,
    categories_E: NDArray[np.uint8],
    ends: int,
    n_rolls: int,
    room: ChoiceScratch,
) -> None:
    """Give the mass of each end of a turn to the slot in which it is scored."""
    here, legal = arrays.class_C[c], room.legal
    for end in range(ends):
        row, k = end % n_rolls, categories_E[end]
        for j in range(len(arrays.special_J)):
            if arrays.special_J[j] == row:
                row = arrays.special_row_C_J[c, j]
                break
        o = arrays.option_T_V_K[here.table + end // n_rolls, row, k]
        slot = legal.slot_of_outcome[o] if o != 0 and may_fill(arrays, c, k) else 0
        room.slot_O[slot] += room.ended_E[end]


@compiled
def choices_play(
    first: int,
    last: int,
    room: ChoiceScratch,
    arrays: Arrays,
    forward_index: RollProbabilities,
    stops: bool,
    chosen: Chosen,
    played: LayerPolicy,
) -> None:
    """Write how cards ``first .. last - 1`` of the chosen ones are played to ``played``."""
    n_rolls = len(forward_index.mass_R)
    for g in range(first, last):
        c = chosen.class_G[g]
        rerolls = arrays.class_C[c].rerolls
        slots = list_outcomes(arrays, c, room.legal).slots
        for slot in range(slots):
            room.slot_O[slot] = 0.0
        play_choices(chosen.keeps_G_J_R[g], rerolls, stops, forward_index, room)
        ends = (rerolls + 1) * n_rolls if stops else n_rolls
        score_ends(arrays, c, chosen.categories_G_E[g], ends, n_rolls, room)
        chosen.forbidden_G[g] = room.slot_O[0]
        at = played.starts_C[c - played.first]
        for r in range(chosen.rows_G_2[g, 0], chosen.rows_G_2[g, 1]):
            block = at + r // WIDTH * slots * WIDTH + r % WIDTH
            for slot in range(slots):
                played.probabilities[block + slot * WIDTH] = room.slot_O[slot]
