"""Positions as indices into the arrays of a model, and the values of the actions at a position.

People read scorecards, positions, and actions. Arrays use the numbers of classes, lanes, rolls, and
lattice points. This module converts between the two forms. :class:`ActionValues` has the action
values of one turn, and :class:`Legal` has the action values at many positions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InputError
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard, legal_keeps
from rollwise.model.arrays import Model
from rollwise.model.dice_lattice import ABSENT, Lattice
from rollwise.model.turn import Chance, rerolls, score_rolls

Values = NDArray[np.float64]


@dataclass(frozen=True)
class CardIndex:
    """A scorecard as indices into the arrays.

    Attributes
    ----------
    c, lane : int
        The class and the lane, as defined in :mod:`rollwise.model.arrays`.
    score : int
        The points so far, excluding an upper bonus that is already earned.
    """

    c: int
    lane: int
    score: int

    @staticmethod
    def of_card(model: Model, card: Scorecard | Position) -> "CardIndex":
        """Return the indices of a scorecard, or of the scorecard of a position.

        Raises
        ------
        InputError
            If the rules of the scorecard are not the rules of the model.
        """
        if card.rules != model.rules:
            raise InputError(
                f"the scorecard is of {card.rules.name}, but the solution is of "
                f"{model.rules.name}; use "
                f"a scorecard of {model.rules.name}"
            )
        state = card.state
        c = model.class_of(state.filled, state.eligible, card.saved)
        return CardIndex(c, state.upper, card.points - int(model.bonus_L[state.upper]))


START = CardIndex(0, 0, 0)
"""The indices of the empty scorecard."""


@dataclass(frozen=True)
class PositionIndex(CardIndex):
    """A position as indices into the arrays: its scorecard and its roll.

    Attributes
    ----------
    roll : int
        The number of the roll in lattice order.
    rerolls : int
        The number of rerolls left.
    end : int
        The index of the final roll if the player scores now (axis ``E`` of
        :mod:`rollwise.model.turn`).
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


@dataclass(frozen=True, eq=False)
class ActionValues:
    """The value of every action in a turn from one scorecard, if optimal play follows.

    Attributes
    ----------
    value_Q_E_K : float64 array of shape (Q, E, K)
        The value of scoring each final roll in each category; :mod:`rollwise.model.turn` defines
        the axes. The player maximizes the first quantity, which is -inf where the rules forbid
        scoring.
    rerolls : int
        The maximum number of rerolls in the turn.
    tie : float
        Values that differ by less than this are tied.
    ahead : int or None
        The number of rerolls that the player looks ahead; None for all rerolls.
    """

    lattice: Lattice
    value_Q_E_K: Values
    rerolls: int
    chance: Chance
    tie: float
    ahead: int | None = None

    def at(self, place: PositionIndex) -> tuple[list[Action], Values]:
        """Return the A legal actions at a position, and their quantities, shape (Q, A).

        The categories come first, in scorecard order. The dice to keep follow, larger sets first.
        """
        legal = np.flatnonzero(self.value_Q_E_K[0, place.end] > -np.inf)
        actions: list[Action] = [Score(k) for k in legal.tolist()]
        value_Q_A = self.value_Q_E_K[:, place.end, legal]
        if place.rerolls:
            keeps, points = keeps_of(self.lattice, place.roll)
            actions += keeps
            value_Q_A = np.concatenate([value_Q_A, self._kept_at(place)[:, points]], axis=1)
        return actions, value_Q_A

    def of(self, place: PositionIndex, action: Action) -> Values:
        """Return the quantities of a legal action at a position, float64 of shape (Q,)."""
        if isinstance(action, Keep):
            return np.asarray(self._kept_at(place)[:, self.lattice.point(action.dice)])
        return self.value_Q_E_K[:, place.end, action.category]

    def _kept_at(self, place: PositionIndex) -> Values:
        return self._kept_Q_P[min(place.rerolls, self.ahead or place.rerolls) - 1]

    @cached_property
    def _kept_Q_P(self) -> list[Values]:
        return values_of_keeps(self.lattice, self.value_Q_E_K, self.rerolls, self.chance, self.tie)


def values_of_keeps(
    lattice: Lattice, value_Q_E_K: Values, most: int, chance: Chance, tie: float
) -> list[Values]:
    """Return the value of keeping each lattice point with 1, 2, … rerolls left.

    The parameters are documented at :class:`ActionValues`; ``most`` is the number of rerolls in the
    turn.
    """
    value_Q_E, _ = score_rolls(value_Q_E_K, tie)
    turn = rerolls(lattice, value_Q_E, most, chance, tie / lattice.dice)
    return [kept_Q_P for kept_Q_P, _ in turn]


Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Legal:
    """The A legal actions at N positions, sorted by position.

    Attributes
    ----------
    actions : list of Action
        The actions, for each position in the order of :meth:`ActionValues.at`.
    first_N : int64 array of shape (N,)
        The index of the first action of each position.
    score_A : int64 array of shape (A,)
        The points so far at the position of each action.
    value_Q_A : float64 array of shape (Q, A)
        The quantities of each action.
    """

    actions: list[Action]
    first_N: Integers
    score_A: Integers
    value_Q_A: Values

    @classmethod
    def of_one(cls, place: PositionIndex, actions: list[Action], value_Q_A: Values) -> "Legal":
        """Return the legal actions at one position."""
        score_A = np.full(len(actions), place.score)
        return cls(actions, np.zeros(1, dtype=np.int64), score_A, value_Q_A)


def legal_actions(
    lattice: Lattice,
    places: Sequence[PositionIndex],
    turn_N: Integers,
    value_Q_G_E_K: Values,
    keep_values: Sequence[Values],
) -> Legal:
    """Return the legal actions at N positions, which belong to G scorecards.

    Parameters
    ----------
    turn_N : int64 array of shape (N,)
        The index of the scorecard of each position, from 0 to G - 1.
    value_Q_G_E_K : float64 array
        The value of scoring each final roll in each category, for each scorecard. The player
        maximizes the first quantity.
    keep_values : sequence of float64 arrays of shape (Q, G, P)
        The value of keeping each lattice point with 1, 2, … rerolls left.
    """
    roll_N, left_N, end_N, score_N = np.array(
        [(place.roll, place.rerolls, place.end, place.score) for place in places]
    ).T
    scored_Q_N_K = value_Q_G_E_K[:, turn_N, end_N]
    categories = scored_Q_N_K.shape[-1]
    number_N_A, value_Q_N_A = np.tile(np.arange(categories), (len(places), 1)), scored_Q_N_K
    legal_N_A = scored_Q_N_K[0] > -np.inf
    if keep_values:
        point_N_A = _keeps_of_all(lattice, roll_N)
        at = (left_N - 1)[:, None], slice(None), turn_N[:, None], point_N_A
        kept_N_A_Q = np.stack(keep_values)[at]
        number_N_A = np.hstack([number_N_A, categories + point_N_A])
        value_Q_N_A = np.concatenate([scored_Q_N_K, np.moveaxis(kept_N_A_Q, -1, 0)], axis=-1)
        legal_N_A = np.hstack([legal_N_A, (point_N_A != ABSENT) & (left_N[:, None] > 0)])
    numbers, action_A = np.unique(number_N_A[legal_N_A], return_inverse=True)
    actions: list[Action] = [
        Score(number) if number < categories else Keep(lattice.points[number - categories])
        for number in numbers.tolist()
    ]
    size_N = legal_N_A.sum(axis=1)
    return Legal(
        actions=[actions[a] for a in action_A.tolist()],
        first_N=np.cumsum(size_N) - size_N,
        score_A=np.repeat(score_N, size_N),
        value_Q_A=value_Q_N_A[:, legal_N_A],
    )


def _keeps_of_all(lattice: Lattice, roll_N: Integers) -> Integers:
    """Return the lattice points that can be kept from each roll, padded with ``ABSENT``."""
    rolls, place_N = np.unique(roll_N, return_inverse=True)
    points = [keeps_of(lattice, roll)[1] for roll in rolls.tolist()]
    point_R_A = np.full((len(rolls), max(map(len, points))), ABSENT)
    for row, keeps in zip(point_R_A, points, strict=True):
        row[: len(keeps)] = keeps
    return point_R_A[place_N]


@dataclass(frozen=True)
class Start:
    """A start state with a range of scores.

    Attributes
    ----------
    c, lane : int
        The class and the lane.
    low, high : int
        The scores are ``low .. high - 1``, excluding an upper bonus that is already earned.
    """

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
