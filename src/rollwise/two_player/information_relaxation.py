r"""Information relaxation: a bound on the value of the best response to a fixed strategy.

The fixed strategy depends only on the scorecard of the player who follows it. The responding player
knows a whole game of this opponent in advance, and pays a penalty for that information.

A game of the fixed strategy is a sequence of distributions of its final score S, before the first
turn and after each turn. Each distribution is the mean of the possible next distributions, and the
last one is a single score. Let K(a, l) approximate the win probability of the responding player
with scorecard a and l points more than a known final score. Let y be the score of the responding
player, and E the expected value over S. The penalty of turn t is

.. math::
    \Delta_t(a, y) = E\bigl(K(a, y - S) \mid \text{after turn } t\bigr)
        - E\bigl(K(a, y - S) \mid \text{before}\bigr)

The penalty has mean 0 under every policy without advance knowledge, so it does not change the value
of that policy. The best value with advance knowledge, minus all penalties, is therefore on
average at least the value of the best response. A more accurate K makes the bound tighter.

The relaxed game and K are both solved by backward induction over scorecards and score differences.
As in :mod:`rollwise.solving.by_score`, each scorecard has a window of differences around its
expected score. A difference above the window counts as a win. A difference below the window
counts as the lower edge of the window. Both approximations can only raise the value of the
response, so the bound still holds. Narrower windows of K only change the penalties.

References
----------
D. Brown, J. Smith, P. Sun, Information relaxations and duality in stochastic dynamic programs
(2010): the bound, for a single decision maker.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.solving.by_score.windows import Layout, by_row, first_rows, lay_out, reached
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.lattice_index import LatticeIndex
from rollwise.solving.kernels.legal_outcomes import Arrays
from rollwise.solving.kernels.penalty import (
    DifferenceValues,
    DistributionChange,
    subtract_penalty,
)
from rollwise.solving.kernels.score import (
    NONE,
    ScoreLayer,
    ScoreParameters,
    ScoreScratch,
    backward_by_score,
)
from rollwise.solving.kernels.vector import WIDTH, aligned
from rollwise.solving.layers import Sweep
from rollwise.solving.position_index import EMPTY_CARD
from rollwise.solving.progress import Progress

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

RARE = 1e-4
"""The probability of each tail of the scores.

Penalties replace each score in a tail with the inner edge of the tail.
"""

WON = ScoreParameters(below=0.0, above=1.0, price=0.0, floor=-np.inf)
"""The values outside a window.

A difference above the window is a win. The sweep overwrites the value below the window.
"""


class EndValues(NamedTuple):
    """The values of the layer from which backward induction starts.

    Attributes
    ----------
    filled : int
        The number of filled categories.
    value : callable
        A function from the classes, lanes, and score differences of N states to their values.
    """

    filled: int
    value: Callable[[Integers, Integers, Integers], Floats]


class DifferenceSweep:
    """Backward induction over the scorecards of one game and their score differences.

    Parameters
    ----------
    expected : CardSolution
        The solution that maximizes the expected score.
    threads : int, optional
        Default: all cores that the process can use.
    """

    def __init__(self, expected: CardSolution, threads: int | None = None) -> None:
        self._model = expected.model
        self._sweep = Sweep(expected.model, expected.objective, threads)
        self._reached = reached(self._sweep, EMPTY_CARD)
        self._mean_X = np.round(by_row(self._sweep, expected.table_C_L)).astype(np.int64)
        first_row_C = first_rows(self._sweep)
        self._c_X = np.repeat(np.arange(self._model.n_classes), self._model.rows_C)
        row_X = np.arange(len(self._c_X)) - first_row_C[self._c_X]
        self._lane_X = row_X + self._model.first_lane_C[self._c_X]
        self._layer_X = np.bitwise_count(self._model.mask_C[self._c_X])

    def windows(self, level: int, half: int, *, reachable: bool) -> Layout:
        """Return the window of score differences of each reachable scorecard.

        Parameters
        ----------
        level : int
            The center of the windows, as an expected final score difference.
        half : int
            Half the width of the windows.
        reachable : bool
            Whether to restrict windows to reachable scores of the scorecard.
        """
        occurs = self._reached.rows.low_X != NONE
        middle = (level - self._mean_X)[occurs]
        low, high = middle - half, middle + half
        if reachable:
            low, high = (
                np.clip(self._reached.rows.low_X[occurs], low, high - 1),
                np.clip(self._reached.rows.high_X[occurs], low + 1, high),
            )
        rows = self._reached.rows._replace(
            low_X=self._reached.rows.low_X.copy(), high_X=self._reached.rows.high_X.copy()
        )
        rows.low_X[occurs], rows.high_X[occurs] = low, np.maximum(low + 1, high)
        return lay_out(self._sweep, rows)

    def layers(
        self,
        windows: Layout,
        opponent_turn: Callable[[int, Floats], None] | None = None,
        end: EndValues | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Floats]:
        """Yield the values before the opponent's turn for each layer, last layer first.

        Parameters
        ----------
        windows : Layout
            The result of :meth:`windows`.
        opponent_turn : callable, optional
            A function of the number of filled categories and the values before the player's turn.
            It overwrites these values with the values before the opponent's turn. Default: no
            change.
        end : EndValues, optional
            The values of the last layer; default: the values of full scorecards.
        progress : callable, optional
            Called with the completed fraction of the work, from 0 to 1.
        """
        sweep, after = self._sweep, np.empty(0)
        end = end or self.end_of_game(0)
        for filled in range(end.filled, -1, -1):
            classes, values = windows.classes[filled], np.ones(windows.sizes[filled])
            if filled == end.filled:
                self._fill_end(values, windows, end)
            else:
                sweep.each_part(
                    0,
                    len(classes),
                    backward_by_score,
                    sweep.arrays,
                    sweep.lattice_index,
                    windows.rows,
                    WON,
                    ScoreLayer(classes, values, after),
                    scratch=ScoreScratch.of,
                )
            if opponent_turn:
                opponent_turn(filled, values)
            start = windows.rows.start_X[self._rows(filled)]
            values[start[:, None] - np.arange(1, WIDTH + 1)] = values[start, None]
            yield values
            after = values
            if progress:
                progress(1 - sweep.layers[filled][0] / self._model.n_classes)

    def end_of_game(self, score: int) -> EndValues:
        """Return the values of full scorecards against the opponent's final score ``score``."""

        def value(_: Integers, lane: Integers, difference: Integers) -> Floats:
            bonus = self._model.bonus_L[lane]  # not counted before the end
            return np.asarray((1 + np.sign(difference + bonus - score)) / 2)

        return EndValues(len(self._sweep.layers) - 1, value)

    def subtract_penalty(
        self,
        filled: int,
        windows: Layout,
        values: Floats,
        approximate: DifferenceValues,
        change: DistributionChange,
    ) -> None:
        """Subtract the penalty of a turn of the fixed strategy from the values of a layer.

        Parameters
        ----------
        filled : int
            The number of filled categories of the layer.
        windows : Layout
            The windows of ``values``.
        approximate : DifferenceValues
            The approximation K on this layer.
        change : DistributionChange
            The change in the distribution of the final score in this turn.
        """
        rows = self._rows(filled)
        longest = int((windows.rows.high_X[rows] - windows.rows.low_X[rows]).max())

        def scratch(_arrays: Arrays, _lattice_index: LatticeIndex) -> Floats:
            return aligned(longest + 2 * WIDTH + len(change.mass_S))

        self._sweep.each_part(
            int(rows[0]),
            int(rows[-1]) + 1,
            subtract_penalty,
            windows.rows,
            values,
            approximate,
            change,
            scratch=scratch,
        )

    def _rows(self, filled: int) -> Integers:
        """Return the reachable rows of the layer with this number of filled categories."""
        return np.flatnonzero((self._layer_X == filled) & (self._reached.rows.low_X != NONE))

    def _fill_end(self, values: Floats, windows: Layout, end: EndValues) -> None:
        """Write the values of the last layer."""
        rows = self._rows(end.filled)
        low, start = windows.rows.low_X[rows], windows.rows.start_X[rows]
        length = windows.rows.high_X[rows] - low
        offset = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
        x = np.repeat(rows, length)
        differences = np.repeat(low, length) + offset
        position = np.repeat(start, length) + offset
        values[position] = end.value(self._c_X[x], self._lane_X[x], differences)


class RelaxedResponse:
    """The value of the best response to games that are known in advance, minus penalties.

    Parameters
    ----------
    expected : CardSolution
        The solution that maximizes the expected score.
    half : int
        Half the width of the windows around the expected final score and around a final score
        difference of 0.
    threads : int, optional
        Default: all cores that the process can use.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.
    """

    def __init__(
        self,
        expected: CardSolution,
        half: int,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._sweep = DifferenceSweep(expected, threads)
        self._points = self._sweep.windows(round(expected.value()), half, reachable=True)
        differences = self._sweep.windows(0, half, reachable=False)
        layers = self._sweep.layers(differences, progress=progress)
        self._approximate_F = [
            DifferenceValues(differences.rows, values.astype(np.float32)) for values in layers
        ][::-1]

    def value(
        self,
        distributions: Sequence[Distribution],
        *,
        second: bool,
        end: EndValues | None = None,
        progress: Progress | None = None,
    ) -> float:
        """Return the value to the responding player of a game that is known in advance.

        The mean over games is at least the value of the best response.

        Parameters
        ----------
        distributions : sequence of Distribution
            The distributions of the opponent's final score, before their first turn and after each
            known turn.
        second : bool
            Whether the responding player moves second.
        end : EndValues, optional
            The values of the responding player's scores after the known turns. By default, the
            whole game is known, and the last distribution is a single score.
        progress : callable, optional
            Called with the completed fraction of the work, from 0 to 1.
        """

        def opponent_turn(filled: int, values: Floats) -> None:
            turn = filled if second else filled - 1
            if 0 <= turn < len(distributions) - 1:
                change = _change(distributions[0], *distributions[turn : turn + 2])
                approximate = self._approximate_F[filled]
                self._sweep.subtract_penalty(filled, self._points, values, approximate, change)

        end = end or self._sweep.end_of_game(round(distributions[-1].mean))
        *_, values = self._sweep.layers(self._points, opponent_turn, end, progress)
        return float(values[self._points.rows.start_X[0]])


def _change(start: Distribution, before: Distribution, after: Distribution) -> DistributionChange:
    """Return the change in the distribution of the final score from ``before`` to ``after``.

    Scores in the tails of the distribution ``start`` are replaced by the inner edges of the tails.
    """
    ends = start.quantile(RARE), start.quantile(1 - RARE)
    scores = [np.clip(distribution.scores, *ends) for distribution in (before, after)]
    low, last = (int(edge(list(map(edge, scores)))) for edge in (np.min, np.max))
    mass_S = sum(
        sign * np.bincount(last - score, distribution.probabilities, last - low + 1)
        for sign, score, distribution in zip((-1.0, 1.0), scores, (before, after), strict=True)
    )
    return DistributionChange(last, np.asarray(mass_S))
