"""The opponents of many games, who play for points: what they expect, and after their next turn."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.walk import Steps, totals_after, turn_law
from rollwise.evaluation.walk_reply import WalkLayer
from rollwise.laboratory.card_groups import Cards
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.duel.layout import rows_at
from rollwise.solving.play import Play

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

AT_ONCE = 4096
"""Cards that are held against the law of a next turn at once, for their memory."""


class Opponents:
    """The opponents of some games, between their turns.

    Parameters
    ----------
    play : Play
        For points.
    expected : CardSolution
        What it expects.
    cards : Cards

    Attributes
    ----------
    total_N : float64 array
        Their expected final scores.
    """

    def __init__(self, play: Play, expected: CardSolution, cards: Cards) -> None:
        model = expected.model
        spot_N = cards.class_N * model.lanes + cards.lane_N
        spot_X, self._spot_N = np.unique(spot_N, return_inverse=True)
        self._class_X, self._lane_X = np.divmod(spot_X, model.lanes)
        self._points_N = cards.points_N
        self.total_N = cards.points_N + expected.table_C_L[cards.class_N, cards.lane_N]
        self._play, self._expected = play, expected

    @cached_property
    def _next(self) -> Steps:
        """What they expect after their next turn, less their points so far: a row each card."""
        model = self._expected.model
        layer = int(np.bitwise_count(model.mask_C[self._class_X[0]]))
        first, last = self._play.sweep.layers[layer]
        begin, end = np.append(0, np.cumsum(model.rows_C))[[first, last]]
        wanted_X = np.zeros(end - begin, dtype=np.bool_)
        wanted_X[rows_at(model, self._class_X, self._lane_X) - begin] = True
        played = self._play.of_layer(layer, wanted_X)
        parts = []
        for c in np.unique(self._class_X).tolist():
            here = np.flatnonzero(self._class_X == c)
            outcomes, law = turn_law(self._play, played, c, self._lane_X[here])
            total = totals_after(self._expected, c, self._lane_X[here], outcomes)
            occurs = law > 0
            row = np.broadcast_to(here[:, None], law.shape)
            parts.append((row[occurs], total[occurs], law[occurs]))
        row, total, mass = (np.concatenate(part) for part in zip(*parts, strict=True))
        return Steps.of(row, total, mass, len(self._class_X))

    def after_turn(
        self, layer: WalkLayer, row: Integers, points: Integers, games: Integers
    ) -> Floats:
        """Return what cards are worth to who plays against them, before their next turn.

        Parameters
        ----------
        layer : WalkLayer
            Of his cards.
        row, points : int64 arrays of shape (G,)
            His cards, and his points so far.
        games : int64 array of shape (G,)
            In which of the games he has them.

        Returns
        -------
        float64 array of shape (G,)
        """
        parts = range(0, len(games), AT_ONCE)
        slices = [slice(first, first + AT_ONCE) for first in parts]
        worths = [self._after_turn(layer, row[g], points[g], games[g]) for g in slices]
        return np.concatenate(worths)

    def _after_turn(
        self, layer: WalkLayer, row: Integers, points: Integers, games: Integers
    ) -> Floats:
        mass_G_J = self._next.mass_X_J[self._spot_N[games]]
        lead = points - self._points_N[games] - self._next.low
        lead_G_J = lead[:, None] - np.arange(mass_G_J.shape[1])
        return np.asarray((mass_G_J * layer.at(layer.before, row[:, None], lead_G_J)).sum(axis=1))
