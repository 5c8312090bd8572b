"""The policy of one turn: the dice to keep from every roll, and the category to score in.

:func:`best_turn` computes the optimal policy of one turn with NumPy, and
:func:`best_turns` the optimal policies of many turns with compiled code.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InputError
from rollwise.model.arrays import Model
from rollwise.model.dice_lattice import Lattice
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import Chance, options_of, options_of_all, rerolls, score_rolls
from rollwise.solving.solution import TIE

Choices = tuple[NDArray[np.uint16], NDArray[np.uint8]]
"""Deterministic turn policies of G scorecards.

The first array is uint16 of shape (G, rerolls, R): the lattice point to keep from each roll before
each reroll, first reroll first. The second array is uint8 of shape (G, E): the category for each
final roll.
"""


@dataclass(frozen=True)
class TurnPolicy:
    """The policy of one turn, for every roll that can occur.

    A policy is deterministic (one number per roll) or mixed (a row of probabilities per roll).
    """

    # The dice to keep from each roll before each reroll, first reroll first: ints of shape (R,)
    # with lattice points, or float64 of shape (R, P) with probabilities. A policy can keep all
    # dice, which ends the turn if points depend on the rolls left.
    keeps: tuple[NDArray[Any], ...]
    # The category for each final roll (:mod:`rollwise.model.turn`): ints of shape (E,), or float64
    # of shape (E, K) with probabilities.
    categories: NDArray[Any]
    # The probability of each final roll, if it is already computed.
    ended_E: NDArray[np.float64] | None = None

    def ends(self, lattice: Lattice) -> NDArray[np.float64]:
        """Return the probability of each final roll, float64 of shape (E,)."""
        if self.ended_E is not None:
            return self.ended_E
        n_rolls = len(lattice.rolls)
        ended_E = np.zeros(len(self.categories))
        mass_R = lattice.weight_R / lattice.weight_R.sum()
        for left, keep in zip(range(len(self.keeps), 0, -1), self.keeps, strict=True):
            kept_P = _choose(mass_R, keep, len(lattice.points))
            if len(ended_E) > n_rolls:
                ended_E[left * n_rolls :][:n_rolls] = kept_P[lattice.first_roll :]
                kept_P[lattice.first_roll :] = 0.0
            for points, parents in reversed(lattice.throws):
                faces = parents.shape[1]
                np.add.at(kept_P, parents.ravel(), np.repeat(kept_P[points] / faces, faces))
            mass_R = kept_P[lattice.first_roll :]
        ended_E[:n_rolls] = mass_R
        return ended_E

    def outcome_probabilities(self, model: Model, c: int) -> NDArray[np.float64]:
        """Return the probability of each outcome from scorecards of class ``c``, shape (O,).

        Raises
        ------
        InputError
            If the policy scores a roll where the rules forbid it.
        """
        option_E_K = options_of(model, c)
        mass_E = self.ends(model.lattice)
        n_categories = option_E_K.shape[1]
        if self.categories.ndim == 1:
            choice_E_K = np.eye(n_categories)[self.categories]
        else:
            choice_E_K = self.categories
        probability_O = np.bincount(
            option_E_K.ravel(),
            weights=(mass_E[:, None] * choice_E_K).ravel(),
            minlength=len(model.points_O),
        )
        if probability_O[FORBIDDEN] > 0:
            raise InputError(
                "the policy scores a roll in a category that the rules do not allow; correct "
                "the policy"
            )
        return np.asarray(probability_O, dtype=np.float64)


def _choose(mass: NDArray[np.float64], choice: NDArray[Any], size: int) -> NDArray[np.float64]:
    """Return the probability of each of ``size`` actions, given the probability of each roll."""
    if choice.ndim == 1:
        return np.asarray(np.bincount(choice, weights=mass, minlength=size), dtype=np.float64)
    return np.asarray(mass @ choice, dtype=np.float64)


def best_turn(
    model: Model,
    value_E_K: NDArray[np.float64],
    *,
    count: int | None = None,
    chance: Chance = "mean",
    tie: float = TIE,
    die: float | None = None,
    ahead: int | None = None,
) -> TurnPolicy:
    """Return the optimal policy of a turn, given the values of its final rolls.

    ``value_E_K`` is the value of scoring each final roll in each category; -inf where the rules
    forbid it. ``count`` is the number of rerolls; default: the number in a turn without saved
    rolls. ``ahead`` is the number of rerolls that the player looks ahead; default: all rerolls.
    Values that differ by less than ``tie`` are tied. To break ties, ``die`` is added to the value
    for each die to keep; default: ``tie`` divided by the number of dice.
    """
    count = model.rules.rolls - 1 if count is None else count
    horizon = count if ahead is None else min(ahead, count)
    value_Q_E, categories = score_rolls(value_E_K[None], tie)
    die = tie / model.rules.dice if die is None else die
    keeps = [keep_R for _, keep_R in rerolls(model.lattice, value_Q_E, horizon, chance, die)]
    short_sighted = keeps[-1:] * (count - len(keeps))
    return TurnPolicy((*short_sighted, *reversed(keeps)), categories)


def best_turns(
    model: Model,
    value_W_O: NDArray[np.float64],
    value_G: NDArray[np.int64],
    classes_G: NDArray[np.int64],
    *,
    tie: float = TIE,
    die: float | None = None,
    ahead: int | None = None,
) -> Choices:
    """Return the optimal policies of G turns with the same number of rerolls.

    Row ``value_G[g]`` of ``value_W_O`` has the value of each outcome from scorecard g, which is in
    class ``classes_G[g]``. The other parameters are the same as for :func:`best_turn`.
    """
    from rollwise.solving.kernels.scalar_turn import (  # imports numba
        LatticeArrays,
        StateScratch,
        best_choices,
    )

    class_X, table_G = np.unique(classes_G, return_inverse=True)
    option_X_E_K = options_of_all(model, class_X)
    count, dice = int(model.rerolls_C[class_X[0]]), LatticeArrays.of(model.lattice)
    horizon = count if ahead is None else min(ahead, count)
    keeps = np.empty((len(classes_G), horizon, len(model.lattice.rolls)), dtype=np.uint16)
    categories = np.empty((len(classes_G), option_X_E_K.shape[1]), dtype=np.uint8)
    best_choices(
        StateScratch.of(dice, horizon),
        value_W_O,
        option_X_E_K,
        np.stack([value_G, table_G], axis=1),
        dice,
        tie,
        tie / model.rules.dice if die is None else die,
        keeps,
        categories,
    )
    short_sighted = np.repeat(keeps[:, :1], count - horizon, axis=1)
    return np.concatenate([short_sighted, keeps], axis=1), categories
