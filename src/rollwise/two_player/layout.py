"""Which pairs of cards and which leads a game of two can come to, and which of them are open.

A *lead* is the score of the player who has just moved less that of the one to move, upper bonuses
not counted before the end. From the cards where a game stands each player reaches some cards with
some scores, whatever the other does. A lead matters only while both can still win, or tie: between
what one card brings at most and the other one at least.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rollwise.model.arrays import Model
from rollwise.solving.by_score.windows import by_row, row_of
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.legal_outcomes import LegalOutcomes
from rollwise.solving.kernels.score import NONE, Rows, reach_scores
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Sweep
from rollwise.solving.place import CardPlace

Indices = NDArray[np.int64]

STRIPS = 32
"""Most strips of a layer: memory is handed back in so many steps."""

STRIP = 1 << 22
"""Numbers that a strip has at least: a small layer is one."""


@dataclass(frozen=True)
class TurnCards:
    """The cards that one player can have after some turns.

    Attributes
    ----------
    turns : int
        How many boxes are filled.
    row_A, class_A, lane_A : int64 arrays of shape (A,)
        Row among all of the game, class and lane.
    low_A, high_A : int64 arrays of shape (A,)
        Scores ``low .. high - 1`` can be had with each.
    least_A, most_A : int64 arrays of shape (A,)
        The least and the most points still to come, the upper bonus included.
    """

    turns: int
    row_A: Indices
    class_A: Indices
    lane_A: Indices
    low_A: Indices
    high_A: Indices
    least_A: Indices
    most_A: Indices

    def __len__(self) -> int:
        return len(self.row_A)

    def some(self, which: Indices) -> "TurnCards":
        """Return the cards with these numbers."""
        arrays = {name: value[which] for name, value in vars(self).items() if name != "turns"}
        return replace(self, **arrays)

    def number(self, row: Indices) -> Indices:
        """Return the number among these cards of rows of the game; -1 of any other row."""
        at = np.minimum(np.searchsorted(self.row_A, row), len(self) - 1)
        return np.where(self.row_A[at] == row, at, -1)

    def have(self, number: Indices, score: Indices) -> NDArray[np.bool_]:
        """Return whether some game has the cards of these numbers with these scores."""
        return (number >= 0) & (self.low_A[number] <= score) & (score < self.high_A[number])


class Reach:
    """What can be reached from a card, whoever plays.

    Parameters
    ----------
    sweep : Sweep
    best_case : CardSolution
        The most that every card can bring.
    """

    def __init__(self, sweep: Sweep, best_case: CardSolution) -> None:
        self._sweep = sweep
        model = sweep.model
        bonus_C_L = np.broadcast_to(
            model.bonus_L.astype(np.float64), (model.n_classes, model.lanes)
        )
        self._least_X = by_row(sweep, bonus_C_L).astype(np.int64)
        self._most_X = by_row(sweep, best_case.table_C_L).astype(np.int64)
        self._class_X = np.repeat(np.arange(model.n_classes), model.rows_C)

    def cards_from(self, start: CardPlace) -> list[TurnCards]:
        """Return the cards that a player has after each turn, the first entry being the start."""
        model = self._sweep.model
        rows = Rows.empty(np.asarray(model.rows_C))
        x = row_of(model, start.c, start.lane)
        rows.low_X[x], rows.high_X[x] = start.score, start.score + 1
        legal = LegalOutcomes.of(self._sweep.arrays, self._sweep.lattice_index)
        reach_scores(start.c, model.n_classes, legal, self._sweep.arrays, rows)
        row = np.flatnonzero(rows.low_X != NONE)
        turns = np.bitwise_count(model.mask_C[self._class_X[row]])
        last = len(model.layer_starts) - 2
        first = int(turns[0])
        return [self._cards(t, row[turns == t], rows) for t in range(first, last + 1)]

    def _cards(self, turns: int, row_A: Indices, rows: Rows) -> TurnCards:
        model = self._sweep.model
        class_A = self._class_X[row_A]
        lane_A = model.first_lane_C[class_A] + row_A - rows.first_row_C[class_A]
        low_A, high_A = rows.low_X[row_A], rows.high_X[row_A]
        least_A, most_A = self._least_X[row_A], self._most_X[row_A]
        return TurnCards(turns, row_A, class_A, lane_A, low_A, high_A, least_A, most_A)


def rows_at(model: Model, c: NDArray[np.int32], lane: NDArray[np.int32]) -> Indices:
    """Return the rows of classes and lanes, int64 of any shape."""
    first_row_C = np.append(0, np.cumsum(model.rows_C))
    return np.asarray(first_row_C[c] + np.maximum(lane - model.first_lane_C[c], 0))


@dataclass(frozen=True)
class PairLayer:
    """All pairs between two turns, and where their leads stand in an array.

    Attributes
    ----------
    moved, movers : TurnCards
        Of the player who has just moved, and of the one to move.
    low_P, high_P : int32 arrays of shape (moved * movers,)
        Leads ``low .. high - 1`` are open; above them the one who has just moved wins, below them
        he loses, whatever both do.
    start_P : int64 array of shape (moved * movers,)
        Where ``low`` stands: after ``WIDTH`` numbers for what is below, and before as many for what
        is above. Pairs without an open lead share a place.
    first_U, place_U : int64 arrays of shape (U + 1,)
        The first of the movers of each strip, and where its numbers begin. A layer is laid out in
        strips by the card of the player to move, because who fills the one before it reads all of
        one strip for all pairs with these cards, and then never again.
    """

    moved: TurnCards
    movers: TurnCards
    low_P: NDArray[np.int32]
    high_P: NDArray[np.int32]
    start_P: Indices
    first_U: Indices
    place_U: Indices

    @classmethod
    def of(cls, moved: TurnCards, movers: TurnCards) -> "PairLayer":
        """Return the layer of all pairs of these cards."""
        low, high = leads(moved, movers)
        room = room_for(high - low)
        first_U = _cuts(room.sum(axis=0))
        start, place_U = np.empty_like(room), np.full(len(first_U), 2 * WIDTH)
        for strip, (first, last) in enumerate(pairwise(first_U)):
            room_P = room[:, first:last].ravel()
            end_P = place_U[strip] + np.cumsum(room_P)
            start[:, first:last] = (end_P - room_P).reshape(len(moved), -1)
            place_U[strip + 1] = end_P[-1]
        start_P = np.where(room > 0, start, 0).ravel() + WIDTH
        low_P, high_P = (ends.astype(np.int32).ravel() for ends in (low, high))
        return cls(moved, movers, low_P, high_P, start_P, first_U, place_U)

    @property
    def size(self) -> int:
        """How many numbers it takes."""
        return int(self.place_U[-1])

    @property
    def lanes(self) -> int:
        """How many leads are open, over all pairs."""
        return int((self.high_P - self.low_P).sum(dtype=np.int64))


def leads(moved: TurnCards, movers: TurnCards) -> tuple[Indices, Indices]:
    """Return the open leads ``low .. high - 1`` of each pair, each of shape (moved, movers)."""
    least = moved.low_A[:, None] - movers.high_A + 1
    most = moved.high_A[:, None] - movers.low_A
    low = np.clip(movers.least_A - moved.most_A[:, None], least, most)
    high = np.clip(movers.most_A - moved.least_A[:, None] + 1, least, most)
    return np.minimum(low, high), high


def room_for(length_P: Indices) -> Indices:
    """Return how many numbers pairs take, by how many of their leads are open."""
    return np.where(length_P > 0, -(-length_P // WIDTH) + 2, 0) * WIDTH


def strips_for(size: float) -> int:
    """Return how many strips a layer of so many numbers is laid out in."""
    return int(min(size // STRIP + 1, STRIPS))


def _cuts(room_A: Indices) -> Indices:
    """Return where movers are cut into strips of about the same size."""
    strips = min(strips_for(float(room_A.sum())), len(room_A))
    ends_A = np.cumsum(room_A)
    cuts = np.searchsorted(ends_A, ends_A[-1] * np.arange(1, strips) // strips) + 1
    return np.unique(np.concatenate([[0], cuts, [len(room_A)]]))
