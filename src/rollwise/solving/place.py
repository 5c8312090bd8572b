"""The door between the two statements of a game: where cards and positions stand in the arrays.

Whoever asks the arrays about something that a person reads comes through here, and so does whoever
asks what an action is worth.

The legal actions at many positions at once, and what they are worth.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from rollwise.game.actions import Action, Announce, Keep, Score
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard, legal_keeps
from rollwise.model.arrays import Model
from rollwise.model.lattice import ABSENT, Lattice
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
        c = model.class_of(state.filled, state.eligible, card.saved)
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
    announced : int or None
        The category that the turn has to end in, once one is announced.
    to_announce : bool
        Whether one has to be announced before anything else.
    """

    roll: int
    rerolls: int
    end: int
    announced: int | None = None
    to_announce: bool = False

    @property
    def card(self) -> CardPlace:
        """Where its card stands."""
        return CardPlace(self.c, self.lane, self.score)

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
        return cls(
            card.c,
            card.lane,
            card.score,
            roll,
            left,
            model.end_of_turn(roll, left),
            position.state.announced,
            position.awaits_announcement,
        )


@lru_cache(maxsize=1024)
def keeps_of(lattice: Lattice, roll: int) -> tuple[tuple[Keep, ...], NDArray[np.int64]]:
    """Return the legal keeps of a roll in their order, and their points."""
    keeps = tuple(Keep(dice) for dice in legal_keeps(lattice.rolls[roll]))
    return keeps, np.array([lattice.point(keep.dice) for keep in keeps])


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

    def at(self, place: Place) -> tuple[list[Action], Worths]:
        """Return the legal actions at a place, A of them, and their quantities, shape (Q, A).

        Scores come first, in card order, then the keeps, those of most dice first. Where a category
        has to be announced these are announcements, in card order, each worth what is best then.
        """
        if place.announced is not None:
            return self._in_boxes[place.announced].at(replace(place, announced=None))
        if place.to_announce:
            return self._announcements(place)
        legal = np.flatnonzero(self.worth_Q_E_K[0, place.end] > -np.inf)
        actions: list[Action] = [Score(k) for k in legal.tolist()]
        worth_Q_A = self.worth_Q_E_K[:, place.end, legal]
        if place.rerolls:
            keeps, points = keeps_of(self.lattice, place.roll)
            actions += keeps
            worth_Q_A = np.concatenate([worth_Q_A, self._kept_at(place)[:, points]], axis=1)
        return actions, worth_Q_A

    def _announcements(self, place: Place) -> tuple[list[Action], Worths]:
        legal = np.flatnonzero(self.worth_Q_E_K[0, place.end] > -np.inf).tolist()
        then = replace(place, to_announce=False)
        each = [self._in_boxes[k].at(then)[1] for k in legal]
        best = [worth_Q_A[:, worth_Q_A[0].argmax()] for worth_Q_A in each]
        return [Announce(k) for k in legal], np.stack(best, axis=1)

    @cached_property
    def _in_boxes(self) -> list["ActionWorths"]:
        """What actions are worth when the turn has to end in a category, of each."""
        boxes = range(self.worth_Q_E_K.shape[-1])
        each = [self.worth_Q_E_K.copy() for _ in boxes]
        for k, worth_Q_E_K in enumerate(each):
            worth_Q_E_K[0, :, np.arange(len(boxes)) != k] = -np.inf
        return [replace(self, worth_Q_E_K=worth_Q_E_K) for worth_Q_E_K in each]

    def of(self, place: Place, action: Action) -> Worths:
        """Return the quantities of a legal action at a place, float64 of shape (Q,)."""
        if place.to_announce or place.announced is not None:
            actions, worth_Q_A = self.at(place)
            return np.asarray(worth_Q_A[:, actions.index(action)])
        if isinstance(action, Keep):
            return np.asarray(self._kept_at(place)[:, self.lattice.point(action.dice)])
        return self.worth_Q_E_K[:, place.end, action.category]

    def _kept_at(self, place: Place) -> Worths:
        return self._kept_Q_P[min(place.rerolls, self.ahead or place.rerolls) - 1]

    @cached_property
    def _kept_Q_P(self) -> list[Worths]:
        return kept_worths(self.lattice, self.worth_Q_E_K, self.rerolls, self.chance, self.tie)


def kept_worths(
    lattice: Lattice, worth_Q_E_K: Worths, most: int, chance: Chance, tie: float
) -> list[Worths]:
    """Return what each point of the lattice is worth that is kept with 1, 2, … rerolls left.

    Of the arguments of :class:`ActionWorths`; ``most`` are the rerolls that the turn can have.
    """
    worth_Q_E, _ = score_rolls(worth_Q_E_K, tie)
    turn = rerolls(lattice, worth_Q_E, most, chance, tie / lattice.dice)
    return [kept_Q_P for kept_Q_P, _ in turn]


Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Legal:
    """The legal actions at N positions, one after the other: A of them.

    Attributes
    ----------
    actions : list of Keep or Score
        Of each position in the order of :meth:`rollwise.solving.place.ActionWorths.at`.
    first_N : int64 array of shape (N,)
        The first of each position.
    score_A : int64 array of shape (A,)
        Points so far.
    worth_Q_A : float64 array of shape (Q, A)
        The quantities of each action.
    """

    actions: list[Action]
    first_N: Integers
    score_A: Integers
    worth_Q_A: Worths

    @classmethod
    def of_one(cls, place: Place, actions: list[Action], worth_Q_A: Worths) -> "Legal":
        """Return the legal actions at one position."""
        score_A = np.full(len(actions), place.score)
        return cls(actions, np.zeros(1, dtype=np.int64), score_A, worth_Q_A)


def legal_actions(
    lattice: Lattice,
    places: Sequence[Place],
    turn_N: Integers,
    worth_Q_G_E_K: Worths,
    kept: Sequence[Worths],
) -> Legal:
    """Return the legal actions at places on some cards.

    Parameters
    ----------
    turn_N : int64 array of shape (N,)
        The card of each place, 0 … G - 1.
    worth_Q_G_E_K : float64 array
        What each end of their turns is worth in each category; the first quantity decides.
    kept : sequence of float64 arrays of shape (Q, G, P)
        What each point of the lattice is worth that is kept with 1, 2, … rerolls left.
    """
    roll_N, left_N, end_N, score_N = np.array(
        [(place.roll, place.rerolls, place.end, place.score) for place in places]
    ).T
    scored_Q_N_K = worth_Q_G_E_K[:, turn_N, end_N]
    boxes = scored_Q_N_K.shape[-1]
    number_N_A, worth_Q_N_A = np.tile(np.arange(boxes), (len(places), 1)), scored_Q_N_K
    legal_N_A = scored_Q_N_K[0] > -np.inf
    if kept:
        point_N_A = _keeps_of_all(lattice, roll_N)
        at = (left_N - 1)[:, None], slice(None), turn_N[:, None], point_N_A
        kept_N_A_Q = np.stack(kept)[at]
        number_N_A = np.hstack([number_N_A, boxes + point_N_A])
        worth_Q_N_A = np.concatenate([scored_Q_N_K, np.moveaxis(kept_N_A_Q, -1, 0)], axis=-1)
        legal_N_A = np.hstack([legal_N_A, (point_N_A != ABSENT) & (left_N[:, None] > 0)])
    numbers, action_A = np.unique(number_N_A[legal_N_A], return_inverse=True)
    actions: list[Action] = [
        Score(number) if number < boxes else Keep(lattice.points[number - boxes])
        for number in numbers.tolist()
    ]
    size_N = legal_N_A.sum(axis=1)
    return Legal(
        actions=[actions[a] for a in action_A.tolist()],
        first_N=np.cumsum(size_N) - size_N,
        score_A=np.repeat(score_N, size_N),
        worth_Q_A=worth_Q_N_A[:, legal_N_A],
    )


def _keeps_of_all(lattice: Lattice, roll_N: Integers) -> Integers:
    """Return the points of the legal keeps of each roll, in their order, then ``ABSENT``."""
    rolls, place_N = np.unique(roll_N, return_inverse=True)
    points = [keeps_of(lattice, roll)[1] for roll in rolls.tolist()]
    point_R_A = np.full((len(rolls), max(map(len, points))), ABSENT)
    for row, some in zip(point_R_A, points, strict=True):
        row[: len(some)] = some
    return point_R_A[place_N]
