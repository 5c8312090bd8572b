"""An opponent seen from afar: his expected final score, a number that walks at random.

Of one who plays for points the points so far and what he expects make his expected final score. It
changes by luck alone, on average by nothing, and how it is spread depends little on his card: so to
one who plays against him his card and his score shrink to one number, and each of his turns to the
law of a step, that of all games.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.policy import LayerPlay
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.play import Play

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Steps:
    """Laws of whole numbers, one a row.

    A number between two whole ones counts as both, so that its mean is kept: what is read by such a
    law off a table is what is read between whole numbers on a straight line.

    Attributes
    ----------
    low : int
    mass_X_J : float64 array of shape (X, J)
        The probability of ``low + j`` in each row.
    """

    low: int
    mass_X_J: Floats

    @classmethod
    def of(cls, row: Indices, number: Floats, mass: Floats, rows: int) -> "Steps":
        """Return the laws of numbers, each of which occurs in a row with some mass."""
        whole = np.floor(number).astype(np.int64)
        low, share = int(whole.min()), number - whole
        width = int(whole.max()) - low + 2
        at, size = row * width + whole - low, rows * width
        below = np.bincount(at, mass * (1 - share), size).astype(np.float64)
        above = np.bincount(at + 1, mass * share, size)
        return cls(low, (below + above).reshape(rows, width))

    @property
    def variance_X(self) -> Floats:
        """The mean square of each row."""
        return np.asarray(self.mass_X_J @ (self.low + np.arange(self.mass_X_J.shape[1])) ** 2.0)

    @property
    def reach(self) -> int:
        """The farthest number."""
        return max(-self.low, self.low + int(self.mass_X_J.shape[1]))


def turn_law(play: Play, played: LayerPlay, c: int, lanes: Indices) -> tuple[Indices, Floats]:
    """Return the outcomes of a class, and how likely each is on some lanes, shape (lanes, O)."""
    model = play.sweep.model
    outcomes, blocks = model.outcomes_of(c), -(-int(model.rows_C[c]) // WIDTH)
    shape = blocks, len(outcomes), WIDTH
    start = int(played.starts_C[c - played.first])
    block = played.probabilities[start : start + int(np.prod(shape))].reshape(shape)
    row = np.maximum(lanes - int(model.first_lane_C[c]), 0)
    return outcomes[1:], block[row // WIDTH, 1:, row % WIDTH]


def totals_after(expected: CardSolution, c: int, lanes: Indices, outcomes: Indices) -> Floats:
    """Return the points of outcomes with what is expected after them, shape (lanes, outcomes)."""
    model = expected.model
    after = model.class_after(c, outcomes)
    lane = model.lane_after(lanes[:, None], outcomes)
    return np.asarray(model.step_O[outcomes] + expected.table_C_L[after, lane])


def walk(play: Play, expected: CardSolution) -> Iterator[Steps]:
    """Yield the law of the step of each turn, over all games of a play: one row each.

    Parameters
    ----------
    play : Play
        For points.
    expected : CardSolution
        What it expects.
    """
    model = expected.model
    games_C_L = np.zeros((model.n_classes, model.lanes))
    games_C_L[0, 0] = 1.0
    for layer, (first, last) in enumerate(play.sweep.layers[:-1]):
        played = play.of_layer(layer)
        steps, masses = [], []
        for c in (np.flatnonzero(games_C_L[first:last].any(axis=1)) + first).tolist():
            lanes = np.flatnonzero(games_C_L[c])
            outcomes, law = turn_law(play, played, c, lanes)
            mass = games_C_L[c, lanes, None] * law
            step = totals_after(expected, c, lanes, outcomes) - expected.table_C_L[c, lanes, None]
            occurs = mass > 0
            steps.append(step[occurs])
            masses.append(mass[occurs])
            after = np.broadcast_to(model.class_after(c, outcomes), mass.shape)
            lane = model.lane_after(lanes[:, None], outcomes)
            np.add.at(games_C_L, (after[occurs], lane[occurs]), mass[occurs])
        number, mass = np.concatenate(steps), np.concatenate(masses)
        yield Steps.of(np.zeros(len(number), dtype=np.int64), number, mass, 1)
