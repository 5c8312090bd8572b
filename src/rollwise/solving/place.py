"""The door between the two statements of a game: where cards and positions stand in the arrays.

Whoever asks the arrays about something that a person reads comes through here, and so does whoever
asks what an action is worth.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rollwise.game.position import Position
from rollwise.game.scorecard import Action, Keep, Score, Scorecard, legal_keeps
from rollwise.model.arrays import Model
from rollwise.model.lattice import Lattice
from rollwise.model.turn import Chance, rerolls, score_rolls

Worths = NDArray[np.float64]


@dataclass(frozen=True)
class CardPlace:
    """Where a card stands in the arrays.

    Attributes
    ----------
    c, lane : int
        Class and lane, as in :mod:`rollwise.model.arrays`.
    score : int
        Points so far, without an upper bonus already earned.
    """

    c: int
    lane: int
    score: int

    @staticmethod
    def of_card(model: Model, card: Scorecard | Position) -> "CardPlace":
        """Return the place of a card before a turn, or of that under a position.

        Raises
        ------
        ValueError
            When it belongs to other rules.
        """
        if card.rules != model.rules:
            raise ValueError(f"expected a card of {model.rules.name}, got one of {card.rules.name}")
        state = card.state
        c = model.class_of(state.filled, state.armed, card.saved)
        return CardPlace(c, state.upper, card.points - int(model.bonus_L[state.upper]))


START = CardPlace(0, 0, 0)
"""The card at the start of a game."""


@dataclass(frozen=True)
class Place(CardPlace):
    """Where a position stands in the arrays: its card, and the roll on it.

    Attributes
    ----------
    roll : int
        The number of the roll in lattice order.
    rerolls : int
        Rerolls left.
    end : int
        The end of the turn that it is if it is scored, as in :mod:`rollwise.model.turn`.
    """

    roll: int
    rerolls: int
    end: int

    @classmethod
    def of(cls, model: Model, position: Position) -> "Place":
        """Return the place of a position.

        Raises
        ------
        ValueError
            When it belongs to other rules.
        """
        card = CardPlace.of_card(model, position)
        roll = model.lattice.point(position.dice) - model.lattice.first_roll
        left = position.rolls_left
        return cls(card.c, card.lane, card.score, roll, left, model.end_of_turn(roll, left))


@dataclass(frozen=True, eq=False)
class ActionWorths:
    """What every action of a turn from one card is worth, to one who plays the turn best for it.

    Attributes
    ----------
    worth_Q_E_K : float64 array of shape (Q, E, K)
        What each end of the turn is worth in each category, as in :mod:`rollwise.model.turn`; the
        first quantity decides, -inf where the rules forbid it.
    rerolls : int
        The most that the turn can have.
    tie : float
        Of what decides, differences below this do not count.
    ahead : int or None
        How many rerolls the player looks ahead; all of them unless told.
    """

    lattice: Lattice
    worth_Q_E_K: Worths
    rerolls: int
    chance: Chance
    tie: float
    ahead: int | None = None

    def at(self, place: Place) -> Iterator[tuple[Action, Worths]]:
        """Yield every legal action at a place and its quantities: scores in card order, then keeps.

        Of the keeps those of most dice come first.
        """
        legal_K = self.worth_Q_E_K[0, place.end] > -np.inf
        actions: list[Action] = [Score(int(k)) for k in np.flatnonzero(legal_K)]
        if place.rerolls:
            actions += map(Keep, legal_keeps(self.lattice.rolls[place.roll]))
        return ((action, self.of(place, action)) for action in actions)

    def of(self, place: Place, action: Action) -> Worths:
        """Return the quantities of a legal action at a place, float64 of shape (Q,)."""
        if isinstance(action, Keep):
            kept_Q_P = self._kept_Q_P[min(place.rerolls, self.ahead or place.rerolls) - 1]
            return np.asarray(kept_Q_P[:, self.lattice.point(action.dice)])
        return self.worth_Q_E_K[:, place.end, action.category]

    @cached_property
    def _kept_Q_P(self) -> list[Worths]:
        """What each point of the lattice is worth that is kept with 1, 2, … rerolls left."""
        worth_Q_E, _ = score_rolls(self.worth_Q_E_K, self.tie)
        die = self.tie / self.lattice.dice
        turn = rerolls(self.lattice, worth_Q_E, self.rerolls, self.chance, die)
        return [kept_Q_P for kept_Q_P, _ in turn]
