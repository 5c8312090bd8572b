"""The legal actions at many positions at once, and what they are worth."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.game.actions import Action, Keep, Score
from rollwise.model.lattice import ABSENT, Lattice
from rollwise.solving.place import Place, Worths, keeps_of

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
