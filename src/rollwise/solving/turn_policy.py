"""The policies of turns: the dice to keep from every roll, and the category to score in.

:func:`best_turns` computes optimal policies: of one turn with NumPy, so that advice needs no
compiler, and of many turns with compiled code. The axes are G (scorecards), J (rerolls, first
reroll first), R (rolls), P (lattice points), E (final rolls), K (categories), and O (outcomes).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.errors import InputError
from rollwise.model.arrays import Model
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import Chance, options_of, options_of_all, rerolls, score_rolls
from rollwise.solving.solution import TOLERANCE

Integers = NDArray[np.int64]
Choices = tuple[NDArray[np.uint16], NDArray[np.uint8]]
"""The deterministic policy of one turn: its dice to keep, (J, R), and its categories, (E,)."""


class Cards(NamedTuple):
    """Scorecards at the start of a turn: int64 arrays of shape (G,).

    ``score_G`` are the points so far, without an upper bonus that is already earned.
    """

    model: Model
    class_G: Integers
    lane_G: Integers
    score_G: Integers

    @classmethod
    def one(cls, model: Model, c: int, lane: int, score: int = 0) -> "Cards":
        """Return a single scorecard."""
        return cls(model, np.array([c]), np.array([lane]), np.array([score]))

    @property
    def rerolls(self) -> int:
        """The number of rerolls in a turn; it must be the same for all scorecards."""
        return int(self.model.rerolls_C[self.class_G[0]])

    def at(self, index: Any) -> "Cards":
        """Return some of the scorecards."""
        return Cards(self.model, *(array_G[index] for array_G in self[1:]))

    def parts(self, most: int) -> Iterator[Integers]:
        """Yield the numbers of at most ``most`` scorecards with the same number of rerolls."""
        rerolls_G = self.model.rerolls_C[self.class_G]
        for count in np.unique(rerolls_G):
            same = np.flatnonzero(rerolls_G == count)
            yield from np.array_split(same, -(-len(same) // most))


@dataclass(frozen=True)
class Turns:
    """The policies of the turns on some scorecards, deterministic or mixed.

    A mixed policy has probabilities instead of decisions, and an axis more. A policy can keep all
    dice, which ends the turn if points depend on the rolls left.
    """

    cards: Cards
    # The lattice point to keep from each roll before each reroll, uint16 of shape (G, J, R), or the
    # probability of each lattice point, float64 of shape (G, J, R, P).
    keeps: NDArray[Any]
    # The category for each final roll, uint8 of shape (G, E), or the probability of each category,
    # float64 of shape (G, E, K).
    categories: NDArray[Any]

    @classmethod
    def stack(cls, cards: Cards, policies: Iterable[Choices]) -> "Turns":
        """Join the policies of single turns, one for each scorecard."""
        keeps, categories = zip(*policies, strict=True)
        return cls(cards, np.stack(keeps), np.stack(categories))

    @property
    def is_mixed(self) -> bool:
        """Whether decisions are drawn at random."""
        return self.keeps.ndim > 3 or self.categories.ndim > 2

    def keep(self, g: Any, left: int, roll: Any, chance: Callable[[], ArrayLike]) -> Integers:
        """Return the lattice points to keep from rolls with ``left`` rerolls left.

        ``chance`` returns random numbers from 0 to 1, one for each roll; only a mixed policy calls
        it.
        """
        return _drawn(self.keeps[g, -left, roll], chance)

    def category(self, g: Any, end: Any, chance: Callable[[], ArrayLike]) -> Integers:
        """Return the categories in which to score final rolls; ``chance`` as for :meth:`keep`."""
        return _drawn(self.categories[g, end], chance)

    def ends(self, g: int = 0) -> NDArray[np.float64]:
        """Return the probability of each final roll of a turn, float64 of shape (E,)."""
        dice, ends, keeps_J = self.cards.model.lattice, self.categories.shape[1], self.keeps[g]
        n_rolls, ended_E = len(dice.rolls), np.zeros(ends)
        mass_R = dice.weight_R / dice.weight_R.sum()
        for left, keep in zip(range(len(keeps_J), 0, -1), keeps_J, strict=True):
            if keep.ndim == 1:
                kept_P = np.bincount(keep, weights=mass_R, minlength=len(dice.points))
            else:
                kept_P = mass_R @ keep
            if ends > n_rolls:
                ended_E[left * n_rolls :][:n_rolls] = kept_P[dice.first_roll :]
                kept_P[dice.first_roll :] = 0.0
            for points, parents in reversed(dice.throws):
                faces = parents.shape[1]
                np.add.at(kept_P, parents.ravel(), np.repeat(kept_P[points] / faces, faces))
            mass_R = kept_P[dice.first_roll :]
        ended_E[:n_rolls] = mass_R
        return ended_E

    def outcome_probabilities(self) -> NDArray[np.float64]:
        """Return the probability of each outcome, float64 of shape (G, O).

        Raises
        ------
        InputError
            If a policy scores a roll where the rules forbid it.
        """
        model = self.cards.model
        option_G_E_K = options_of_all(model, self.cards.class_G)
        every_K = np.eye(option_G_E_K.shape[2])
        is_shared = self.keeps.strides[0] == 0  # a broadcast array: all turns keep the same dice
        probability_G_O = np.zeros((len(option_G_E_K), len(model.points_O)))
        for g, option_E_K in enumerate(option_G_E_K):
            if g == 0 or not is_shared:
                ended_E = self.ends(g)
            category = self.categories[g]
            choice_E_K = every_K[category] if category.ndim == 1 else category
            probability_G_O[g] = np.bincount(
                option_E_K.ravel(),
                weights=(ended_E[:, None] * choice_E_K).ravel(),
                minlength=len(model.points_O),
            )
        if probability_G_O[:, FORBIDDEN].any():
            raise InputError(
                "the policy scores a roll in a category that the rules do not allow; correct "
                "the policy"
            )
        return probability_G_O


def _drawn(choices: NDArray[Any], chance: Callable[[], ArrayLike]) -> Integers:
    """Return decisions, drawn at random if ``choices`` are their probabilities (last axis)."""
    if choices.dtype.kind != "f":
        return np.asarray(choices, dtype=np.int64)
    cumulative = np.cumsum(choices, axis=-1)
    # Rounding can make the total differ from 1. Scaling avoids choices with probability 0.
    level = np.asarray(chance())[..., None] * cumulative[..., -1:]
    return np.asarray((cumulative <= level).sum(axis=-1))


def best_turn(
    model: Model,
    value_E_K: NDArray[np.float64],
    count: int,
    *,
    chance: Chance = "mean",
    tolerance: float = TOLERANCE,
    die: float | None = None,
    ahead: int | None = None,
) -> Choices:
    """Return the optimal policy of a turn with ``count`` rerolls, from the values of final rolls.

    ``value_E_K`` is the value of scoring each final roll in each category; -inf where the rules
    forbid it. ``ahead`` is the number of rerolls that the player looks ahead; default: all rerolls.
    Values that differ by less than ``tolerance`` are tied. To break ties, ``die`` is added to the
    value for each die to keep; default: ``tolerance`` divided by the number of dice.
    """
    horizon = count if ahead is None else min(ahead, count)
    value_Q_E, categories = score_rolls(value_E_K[None], tolerance)
    die = tolerance / model.rules.dice if die is None else die
    turn = rerolls(model.lattice, value_Q_E, horizon, chance, die)
    keeps = np.empty((count, len(model.lattice.rolls)), dtype=np.uint16)
    for left, (_, keep_R) in enumerate(turn, start=1):
        keeps[: count - left + 1] = keep_R  # also for earlier rerolls, in case nobody looks so far
    return keeps, categories.astype(np.uint8)


def best_turns(
    cards: Cards,
    value_G_O: NDArray[np.float64],
    *,
    tolerance: float = TOLERANCE,
    die: float | None = None,
    ahead: int | None = None,
) -> Turns:
    """Return the optimal policies of turns, from the values of their outcomes.

    ``value_G_O`` can have a single row for all scorecards. The other parameters are the same as for
    :func:`best_turn`.
    """
    model, number = cards.model, len(cards.class_G)
    if number == 1:
        option_E_K = options_of(model, int(cards.class_G[0]))
        value_E_K = np.where(option_E_K == FORBIDDEN, -np.inf, value_G_O[0, option_E_K])
        best = best_turn(model, value_E_K, cards.rerolls, tolerance=tolerance, die=die, ahead=ahead)
        return Turns.stack(cards, [best])
    from rollwise.solving.kernels.scalar_turn import (  # imports numba
        LatticeArrays,
        StateScratch,
        best_choices,
    )

    class_X, table_G = np.unique(cards.class_G, return_inverse=True)
    option_X_E_K = options_of_all(model, class_X)
    value_G = np.arange(number) % len(value_G_O)
    count, dice = cards.rerolls, LatticeArrays.of(model.lattice)
    horizon = count if ahead is None else min(ahead, count)
    keeps = np.empty((number, horizon, len(model.lattice.rolls)), dtype=np.uint16)
    categories = np.empty((number, option_X_E_K.shape[1]), dtype=np.uint8)
    best_choices(
        StateScratch.of(dice, horizon),
        value_G_O,
        option_X_E_K,
        np.stack([value_G, table_G], axis=1),
        dice,
        tolerance,
        tolerance / model.rules.dice if die is None else die,
        keeps,
        categories,
    )
    short_sighted = np.repeat(keeps[:, :1], count - horizon, axis=1)
    return Turns(cards, np.concatenate([short_sighted, keeps], axis=1), categories)
