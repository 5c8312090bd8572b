"""The forward pass that computes the outcome probabilities of turns with given decisions.

Sums are computed in the same order as in :meth:`rollwise.solving.turn_policy.Turns.ends`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.model.dice_lattice import Lattice
from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.legal_outcomes import Arrays, Game, list_outcomes, may_fill
from rollwise.solving.kernels.policy import LayerPolicy, start_of_row
from rollwise.solving.kernels.scalar_turn import LatticeArrays
from rollwise.solving.kernels.vector import WIDTH, Floats
from rollwise.solving.kernels.work import Work


class StateChoices(NamedTuple):
    """The decisions in the states of a layer, grouped by class and decisions.

    Attributes
    ----------
    class_G : int64 array of shape (G,)
        The class of each group.
    rows_G_2 : int64 array of shape (G, 2)
        The first row of each group in its class, and one past the last row.
    keeps_G_J_R, categories_G_E : uint16 and uint8 arrays
        The dice to keep and the categories, as in
        :class:`rollwise.solving.turn_policy.Turns`.
    forbidden_G : float64 array of shape (G,)
        Receives the probability of choosing a forbidden category.
    """

    class_G: NDArray[np.int64]
    rows_G_2: NDArray[np.int64]
    keeps_G_J_R: NDArray[np.uint16]
    categories_G_E: NDArray[np.uint8]
    forbidden_G: Floats


class RollProbabilities(NamedTuple):
    """The probabilities of first rolls, and the order of the forward pass over kept dice.

    Attributes
    ----------
    mass_R : float64 array of shape (R,)
        The probability of each roll.
    order_K : int64 array of shape (K,)
        The sets of kept dice; each precedes the larger sets that it leads to.
    """

    mass_R: Floats
    order_K: NDArray[np.int64]
    dice: LatticeArrays

    @classmethod
    def of(cls, lattice: Lattice) -> "RollProbabilities":
        """Return the probabilities for a lattice."""
        order_K = np.concatenate([keeps for keeps, _ in reversed(lattice.throws)])
        return cls(lattice.weight_R / lattice.weight_R.sum(), order_K, LatticeArrays.of(lattice))


@inlined
def forward_choices(
    keeps_J_R: NDArray[np.uint16],
    rerolls: int,
    stops: bool,
    rolls: RollProbabilities,
    work: Work,
) -> None:
    """Write the probability of each final roll to ``work.ended_E``.

    ``keeps_J_R`` has the lattice point to keep from each roll before each reroll. If ``stops`` is
    True, keeping the whole roll ends the turn.
    """
    mass_P, ended_E, dice = work.mass, work.ended_E, rolls.dice
    first_roll, n_rolls = dice.first_roll, len(rolls.mass_R)
    for r in range(n_rolls):
        ended_E[r] = rolls.mass_R[r]
    for left in range(rerolls, 0, -1):
        for p in range(first_roll + n_rolls):
            mass_P[p] = 0.0
        for r in range(n_rolls):
            mass_P[keeps_J_R[len(keeps_J_R) - left, r]] += ended_E[r]
        if stops:
            for r in range(n_rolls):
                ended_E[left * n_rolls + r] = mass_P[first_roll + r]
                mass_P[first_roll + r] = 0.0
        for i in range(len(rolls.order_K)):
            p = rolls.order_K[i]
            first, end = dice.thrown_K[p, 0], dice.thrown_K[p, 1]
            share = mass_P[p] / (end - first)
            for f in range(first, end):
                mass_P[dice.parent_P_F[p, f]] += share
        for r in range(n_rolls):
            ended_E[r] = mass_P[first_roll + r]


@inlined
def add_outcomes(
    arrays: Arrays,
    c: int,
    categories_E: NDArray[np.uint8],
    ends: int,
    n_rolls: int,
    work: Work,
) -> None:
    """Add the probability of each final roll to the slot of its outcome.

    ``ends`` is the number of final rolls, and ``categories_E`` has the category for each.
    """
    here, legal = arrays.class_C[c], work.legal
    for end in range(ends):
        row, k = end % n_rolls, categories_E[end]
        for j in range(len(arrays.special_J)):
            if arrays.special_J[j] == row:
                row = arrays.special_row_C_J[c, j]
                break
        o = arrays.option_T_V_K[here.table + end // n_rolls, row, k]
        slot = legal.slot_of_outcome[o] if o != 0 and may_fill(arrays, c, k) else 0
        work.slot_probability[slot] += work.ended_E[end]


@compiled
def policy_of_choices(
    first: int,
    last: int,
    work: Work,
    game: Game,
    rolls: RollProbabilities,
    stops: bool,
    chosen: StateChoices,
    played: LayerPolicy,
) -> None:
    """Write the policy of groups ``first .. last - 1`` of ``chosen`` to ``played``."""
    arrays, n_rolls = game.arrays, len(rolls.mass_R)
    for g in range(first, last):
        c = chosen.class_G[g]
        rerolls = arrays.class_C[c].rerolls
        slots = list_outcomes(arrays, c, work.legal).slots
        for slot in range(slots):
            work.slot_probability[slot] = 0.0
        forward_choices(chosen.keeps_G_J_R[g], rerolls, stops, rolls, work)
        ends = (rerolls + 1) * n_rolls if stops else n_rolls
        add_outcomes(arrays, c, chosen.categories_G_E[g], ends, n_rolls, work)
        chosen.forbidden_G[g] = work.slot_probability[0]
        for r in range(chosen.rows_G_2[g, 0], chosen.rows_G_2[g, 1]):
            at = start_of_row(played, c, r, slots)
            for slot in range(slots):
                played.probabilities[at + slot * WIDTH] = work.slot_probability[slot]
