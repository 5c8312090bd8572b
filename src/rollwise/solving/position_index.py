"""Positions as indices into the arrays of a model, and the values of the actions at a position.

People read scorecards, positions, and actions. Arrays use the numbers of classes, lanes, rolls, and
lattice points. This module converts between the two forms.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InputError
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard, legal_keeps
from rollwise.model.arrays import Model
from rollwise.model.dice_lattice import Lattice
from rollwise.model.turn import Chance, rerolls, score_rolls

Values = NDArray[np.float64]


@dataclass(frozen=True)
class CardIndex:
    """A scorecard as indices into the arrays: its class, its lane, and its points so far.

    The points exclude an upper bonus that is already earned.
    """

    c: int
    lane: int
    score: int

    @staticmethod
    def of_card(model: Model, card: Scorecard | Position) -> "CardIndex":
        """Return the indices of a scorecard, or of the scorecard of a position.

        Rules that are not the rules of the model raise an InputError.
        """
        if card.rules != model.rules:
            raise InputError(
                f"the scorecard is of {card.rules.name}, but the solution is of "
                f"{model.rules.name}; use a scorecard of {model.rules.name}"
            )
        state = card.state
        c = model.class_of(state.filled, state.eligible, card.saved)
        return CardIndex(c, state.upper, card.points - int(model.bonus_L[state.upper]))


START = CardIndex(0, 0, 0)
"""The indices of the empty scorecard."""


@dataclass(frozen=True)
class PositionIndex(CardIndex):
    """A position as indices into the arrays: its scorecard, its roll, and its rerolls left.

    ``roll`` is a number in lattice order, and ``end`` the index of the final roll if the player
    scores now (axis ``E`` of :mod:`rollwise.model.turn`).
    """

    roll: int
    rerolls: int
    end: int

    @property
    def card(self) -> CardIndex:
        """The indices of the scorecard."""
        return CardIndex(self.c, self.lane, self.score)

    @classmethod
    def of(cls, model: Model, position: Position) -> "PositionIndex":
        """Return the indices of a position."""
        card = CardIndex.of_card(model, position)
        roll = model.lattice.point(position.dice) - model.lattice.first_roll
        left = position.rolls_left
        end = model.final_roll_index(roll, left)
        return cls(card.c, card.lane, card.score, roll, left, end)


@lru_cache(maxsize=1024)
def keeps_of(lattice: Lattice, roll: int) -> tuple[tuple[Keep, ...], NDArray[np.int64]]:
    """Return the sets of dice that the player can keep from a roll, and their lattice points."""
    keeps = tuple(Keep(dice) for dice in legal_keeps(lattice.rolls[roll]))
    return keeps, np.array([lattice.point(keep.dice) for keep in keeps])


def values_of_keeps(
    lattice: Lattice, value_Q_E_K: Values, most: int, chance: Chance, tolerance: float
) -> list[Values]:
    """Return the value of keeping each lattice point with 1, 2, … ``most`` rerolls left.

    ``value_Q_E_K`` is the value of scoring each final roll in each category. The player maximizes
    the first quantity, which is -inf where the rules forbid scoring. Categories whose values differ
    by less than ``tolerance`` are tied.
    """
    value_Q_E, _ = score_rolls(value_Q_E_K, tolerance)
    turn = rerolls(lattice, value_Q_E, most, chance, tolerance / lattice.dice)
    return [kept_Q_P for kept_Q_P, _ in turn]


def actions_at(
    model: Model, place: PositionIndex, value_Q_E_K: Values, keep_values: Sequence[Values]
) -> tuple[list[Action], Values]:
    """Return the A legal actions at a position, and their quantities, shape (Q, A).

    The categories come first, in scorecard order. The dice to keep follow, larger sets first. The
    last two parameters are the values from which :func:`values_of_keeps` starts, and its result.
    """
    keys = model.rules.keys
    legal = np.flatnonzero(value_Q_E_K[0, place.end] > -np.inf)
    actions: list[Action] = [Score(keys[k]) for k in legal.tolist()]
    value_Q_A = value_Q_E_K[:, place.end, legal]
    if place.rerolls:
        keeps, points = keeps_of(model.lattice, place.roll)
        actions += keeps
        kept_Q_A = keep_values[place.rerolls - 1][:, points]
        value_Q_A = np.concatenate([value_Q_A, kept_Q_A], axis=1)
    return actions, value_Q_A


@dataclass(frozen=True)
class Start:
    """A class and a lane with a range of scores, ``low .. high - 1``, as in :class:`CardIndex`."""

    c: int = 0
    lane: int = 0
    low: int = 0
    high: int = 1

    @classmethod
    def of(cls, model: Model, position: Position) -> "Start":
        """Return the state and the score of the scorecard of a position."""
        place = CardIndex.of_card(model, position)
        return cls(place.c, place.lane, place.score, place.score + 1)


EMPTY_CARD = Start()
"""The empty scorecard, before the first roll of a game."""
