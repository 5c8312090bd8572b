"""What a strategy is: from a card to a turn policy."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InputError
from rollwise.game.scorecard import Dice
from rollwise.model.arrays import Model
from rollwise.model.lattice import Lattice
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import Chance, options_of, rerolls, score_rolls
from rollwise.rules import Rules
from rollwise.solving.solution import TIE


@dataclass(frozen=True)
class TurnPolicy:
    """How one turn is played, for every roll that may come.

    A choice is either certain, one number a roll, or mixed, a row of probabilities a roll.

    Attributes
    ----------
    keeps : tuple of arrays, one a reroll
        What is kept of each roll before each reroll, the first one first: int array of shape (R,)
        with points of the lattice, or float64 array of shape (R, P). A roll itself is a keep of
        all dice; where points depend on the rolls left, the turn ends with it.
    categories : array
        Where each end of a turn (:mod:`rollwise.model.turn`) is scored: int array of shape (E,), or
        float64 array of shape (E, K).
    ended_E : float64 array of shape (E,), optional
        The probability of each end of the turn, where it is known.
    """

    keeps: tuple[NDArray[Any], ...]
    categories: NDArray[Any]
    ended_E: NDArray[np.float64] | None = None

    def ends(self, lattice: Lattice) -> NDArray[np.float64]:
        """Return the probability of each end of the turn, float64 of shape (E,)."""
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
        """Return the probability of each outcome on cards of class ``c``, float64 of shape (O,).

        Raises
        ------
        ValueError
            When the policy scores a roll where the rules forbid it.
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
            raise ValueError("the policy scores a roll in a category where that is not allowed")
        return np.asarray(probability_O, dtype=np.float64)


def _choose(mass: NDArray[np.float64], choice: NDArray[Any], size: int) -> NDArray[np.float64]:
    if choice.ndim == 1:
        return np.asarray(np.bincount(choice, weights=mass, minlength=size), dtype=np.float64)
    return np.asarray(mass @ choice, dtype=np.float64)


def best_turn(
    model: Model,
    worth_E_K: NDArray[np.float64],
    *,
    count: int | None = None,
    chance: Chance = "mean",
    tie: float = TIE,
    die: float | None = None,
    ahead: int | None = None,
) -> TurnPolicy:
    """Return the turn that is best for what ends of a turn are worth in each category.

    Parameters
    ----------
    worth_E_K : float64 array of shape (E, K)
        -inf where the rules forbid it.
    count : int, optional
        Rerolls that the turn has; those of a turn without saved rolls unless told.
    tie : float
        Differences below this do not count.
    die : float, optional
        What a die kept counts in itself, to break ties: a share of ``tie`` unless told.
    ahead : int, optional
        How many rerolls the player looks ahead; all of them unless told.
    """
    count = model.rules.rolls - 1 if count is None else count
    looked = count if ahead is None else min(ahead, count)
    worth_Q_E, categories = score_rolls(worth_E_K[None], tie)
    die = tie / model.rules.dice if die is None else die
    keeps = [keep_R for _, keep_R in rerolls(model.lattice, worth_Q_E, looked, chance, die)]
    short_sighted = keeps[-1:] * (count - len(keeps))
    return TurnPolicy((*short_sighted, *reversed(keeps)), categories)


Choices = tuple[NDArray[np.uint16], NDArray[np.uint8]]
"""Certain choices on several cards, as :meth:`Strategy.choices_at` returns them."""


class Strategy(ABC):
    """A way to play: a name, and a turn policy for every card.

    Attributes
    ----------
    sees_lane, sees_score : bool
        Whether the policy depends on the upper total, and on the points so far; if not, it is asked
        once for all of them.
    mixed : bool
        Whether choices are drawn, with the probabilities of the policy.
    ties : str or None
        Which of options it takes that are equally good for what it maximises, in words.

    Examples
    --------
    >>> isinstance(parse_strategy("greedy"), Strategy)
    True
    """

    name: str
    sees_lane: bool = True
    sees_score: bool = False
    mixed: bool = False
    ties: str | None = None

    def __repr__(self) -> str:
        return f"<Strategy {self.name}>"

    @abstractmethod
    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Return how a turn is played on a card.

        Parameters
        ----------
        c, lane : int
            Class and lane of the card.
        score : int
            Points so far, without an upper bonus already earned.
        """

    def aim(self, rules: Rules, filled: int, roll: Dice, left: int) -> str | None:
        """Return the key of the box that a roll goes for, None if the strategy names none."""
        return None

    def choices_at(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices:
        """Return certain choices on several cards.

        Parameters
        ----------
        classes_G, lanes_G, scores_G : int64 arrays of shape (G,)

        Returns
        -------
        uint16 array of shape (G, rerolls, R) and uint8 array of shape (G, E)
            The point kept of each roll before each reroll, the last reroll last; the category of
            each end of the turn. Both as long as the longest turn asks for, else zero.
        """
        model.rules.check_unannounced("a turn policy")
        rerolls_G, n_rolls = model.rerolls_C[classes_G], len(model.lattice.rolls)
        most = int(rerolls_G.max())
        keeps_G_J_R = np.zeros((len(classes_G), most, n_rolls), dtype=np.uint16)
        ends = n_rolls * (most + 1 if model.rules.stops else 1)
        categories_G_E = np.zeros((len(classes_G), ends), dtype=np.uint8)
        for count in np.unique(rerolls_G):
            here = rerolls_G == count
            keeps, categories = self._choices(model, classes_G[here], lanes_G[here], scores_G[here])
            keeps_G_J_R[here, most - count :] = keeps
            categories_G_E[here, : categories.shape[1]] = categories
        return keeps_G_J_R, categories_G_E

    def _choices(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices:
        """Return certain choices on several cards with turns of one length."""
        cards = zip(classes_G.tolist(), lanes_G.tolist(), scores_G.tolist(), strict=True)
        policies = [self.turn_policy(model, *card) for card in cards]
        shape = (len(policies), int(model.rerolls_C[classes_G[0]]), len(model.lattice.rolls))
        keeps = np.array([policy.keeps for policy in policies], dtype=np.uint16).reshape(shape)
        return keeps, np.array([policy.categories for policy in policies], dtype=np.uint8)

    def announced_at(
        self, model: Model, classes_G: NDArray[np.int64], lanes_G: NDArray[np.int64]
    ) -> NDArray[np.uint8]:
        """Return the box announced after each first roll, uint8 of shape (G, R).

        Raises
        ------
        InputError
            When the strategy announces none.
        """
        raise no_announcements(self.name, model.rules)

    def choices_in(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        boxes_G: NDArray[np.int64],
    ) -> Choices:
        """Return certain choices for turns that have to end in announced boxes.

        Raises
        ------
        InputError
            When the strategy announces none.
        """
        raise no_announcements(self.name, model.rules)


def no_announcements(strategy: str, rules: Rules) -> InputError:
    """Return what to say of a strategy that does not know how to announce a box."""
    return InputError(
        f"{strategy} announces no box, as {rules.name} asks: expected the strategy optimal"
    )


class ByCards(Strategy):
    """A strategy that answers for many cards at once: for one it is asked in the same way."""

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Return how a turn is played on a card: the only one that is asked about."""
        at = (np.array([number]) for number in (c, lane, score))
        keeps_G_J_R, categories_G_E = self.choices_at(model, *at)
        return TurnPolicy(tuple(keeps_G_J_R[0]), categories_G_E[0])

    @abstractmethod
    def _choices(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices: ...
