"""A game solved for an objective that depends on the points so far."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.errors import InconsistentError
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import outcomes_after
from rollwise.solving.by_score.windows import Flat, Layout, Start, row_of
from rollwise.solving.kernels.score import NONE
from rollwise.solving.objectives import ScoreObjective
from rollwise.solving.solution import Reading, Solution

Tables = list[NDArray[np.float64]]


@dataclass(frozen=True, eq=False, repr=False)
class ScoreSolution(Solution):
    """The value of every card with every score so far, under best play.

    Attributes
    ----------
    start : Start
        The card that it starts from.
    layout : Layout
        Which scores were looked at on each card, and where their values stand.
    flat : Flat
        What cards outside are worth.
    values : list of float64 arrays, one a layer
    remaining_X : float64 array of shape (X,)
        Points to expect from each row when playing for points.
    hint : float
        What a point of that is worth where the objective does not care.
    expected : list of float64 arrays, one a layer, or None
        Points to expect from the play that is best for the objective, laid out like ``values``.
    turns : list of float64 arrays, one a layer, or None
        Turns to expect until the game is given up or its utility is settled.
    """

    objective: ScoreObjective
    counted: ClassVar[str] = "cards and scores where the play matters"
    start: Start
    layout: Layout
    flat: Flat
    values: Tables
    remaining_X: NDArray[np.float64]
    hint: float
    expected: Tables | None = None
    turns: Tables | None = None

    @property
    def tie(self) -> float:
        """Every difference counts: what the objective leaves open the hint decides."""
        return 0.0

    @property
    def states(self) -> int:
        """How many cards with a score were solved: those where the play matters."""
        return sum(self.layout.lanes)

    def value(self) -> float:
        """Return the value of the card that the solution starts from, at its highest score."""
        return float(self.values_at_start()[-1])

    def values_at_start(self) -> NDArray[np.float64]:
        """Return the value of each score that the solution starts from, in their order."""
        return self._at_start(self.values, self.flat.below, self.flat.above)

    def expected_at_start(self) -> NDArray[np.float64]:
        """Return the expected final score of each score that the solution starts from.

        Raises
        ------
        ValueError
            When the solution has no expected scores.
        """
        if self.expected is None:
            raise ValueError("expected a solution with expected scores")
        start = self.start
        x = row_of(self.model, start.c, start.lane)
        rest = float(self.remaining_X[x])
        return np.arange(start.low, start.high) + self._at_start(self.expected, rest, rest)

    def turns_at_start(self) -> NDArray[np.float64]:
        """Return the turns to expect from each score that the solution starts from.

        Raises
        ------
        ValueError
            When the solution does not count turns.
        """
        if self.turns is None:
            raise ValueError("expected a solution that counts turns")
        return self._at_start(self.turns, 0.0, 0.0)

    def _at_start(self, tables: Tables, below: float, above: float) -> NDArray[np.float64]:
        start = self.start
        scores = np.arange(start.low, start.high)
        c = np.full(len(scores), start.c, dtype=np.int32)
        return self.at(tables, c, np.full_like(c, start.lane), scores, below, above)

    def read(self, score: ArrayLike, worth_Q_A: NDArray[np.float64]) -> Reading:
        """Return values and expected scores, points so far included."""
        _, value_A, *expected = worth_Q_A
        return Reading(self.objective.totals(score, value_A), *expected)

    def at(
        self,
        tables: Tables,
        c: NDArray[np.int32],
        lane: NDArray[np.int32],
        score: NDArray[np.int64],
        below: NDArray[np.float64] | float,
        above: NDArray[np.float64] | float,
    ) -> NDArray[np.float64]:
        """Return the numbers of cards of one layer, with what they are outside the windows.

        Raises
        ------
        InconsistentError
            When no game from the start of this solution has such a card.
        """
        rows = self.layout.rows
        x = rows.first_row_C[c] + np.maximum(lane - self.model.first_lane_C[c], 0)
        low, high = rows.low_X[x], rows.high_X[x]
        if (low == NONE).any():
            raise InconsistentError("this solution has no such card: it starts from another one")
        inside = (low <= score) & (score < high)
        layer = int(np.bitwise_count(self.model.mask_C[c]).flat[0])
        place = np.where(inside, rows.start_X[x] + score - low, 0)
        outside = np.where(score < low, below, above)
        return np.where(inside, tables[layer][place], outside)

    def score_worths(self, c: int, lane: int, score: int = 0) -> NDArray[np.float64]:
        """Return what each end of a turn is worth in each category on one card, shape (Q, E, K).

        The first quantity decides: the value, and a hint where options are equally good. Then come
        the value itself and, if the solution has it, the expected score.
        """
        model = self.model
        option_E_K, after_E_K, lane_E_K = outcomes_after(model, c, lane)
        allowed = option_E_K != FORBIDDEN
        after, lane_after = after_E_K[allowed], lane_E_K[allowed]
        total = score + model.step_O[option_E_K[allowed]]
        rows = self.layout.rows
        x = rows.first_row_C[after] + np.maximum(lane_after - model.first_lane_C[after], 0)
        going_on = self.remaining_X[x]
        value = self.at(self.values, after, lane_after, total, self.flat.below, self.flat.above)
        worths = [value + self.hint * (total - score + going_on), value]
        if self.expected is not None:
            rest = self.at(self.expected, after, lane_after, total, going_on, going_on)
            worths.append(total + rest)
        worth_Q_E_K = np.full((len(worths), *option_E_K.shape), -np.inf)
        worth_Q_E_K[:, allowed] = worths
        return worth_Q_E_K
