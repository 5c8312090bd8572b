"""The solution of a game for an objective of the final score."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.errors import InconsistentError, InputError
from rollwise.game.position import CardLike, as_card
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import outcomes_after
from rollwise.solving.objectives import ScoreObjective
from rollwise.solving.position_index import CardIndex, Start
from rollwise.solving.rows import NONE, Rows, row_of
from rollwise.solving.solution import DisplayedValues, Solution

if TYPE_CHECKING:  # needs numba
    from rollwise.solving.kernels.score import ScoreParameters

Tables = list[NDArray[np.float64]]

STATE_MISSING = (
    "the solution does not contain this scorecard, because it starts from another scorecard; "
    "solve again from this scorecard"
)


@dataclass(frozen=True)
class ConstantRanges:
    """The ranges of final scores in which a utility U is constant, and its value in each range.

    U is ``below`` for the score ``to`` and all lower scores, and ``above`` for the score ``since``
    and all higher scores. ``to`` or ``since`` is None if there is no such range.
    """

    to: int | None = None
    since: int | None = None
    below: float = 0.0
    above: float = 0.0


@dataclass(frozen=True)
class Layout:
    """The windows of all rows, layer by layer."""

    rows: Rows
    # The reachable classes of each layer.
    classes: list[NDArray[np.int64]]
    # The length of the array of each layer.
    sizes: list[int]
    # All scores that games reach in each row, also those outside the windows.
    reach: Rows

    @property
    def lanes(self) -> list[int]:
        """The number of values to compute in each layer."""
        first, low, high, _ = self.rows
        length_X = np.where(low == NONE, 0, high - low)
        total = np.append(0, np.cumsum(length_X))
        return [int((total[first[c + 1]] - total[first[c]]).sum()) for c in self.classes]


@dataclass(frozen=True, eq=False, repr=False)
class ScoreSolution(Solution):
    """The value function over states and points so far, under optimal play."""

    objective: ScoreObjective
    # The state that the solution starts from.
    start: Start
    layout: Layout
    # The values outside the windows of the layout.
    flat: ConstantRanges
    # The values in the windows, one array per layer.
    values: Tables
    # The expected points to come from each row of the layout, under the optimal strategy for the
    # expected score.
    remaining_X: NDArray[np.float64]
    # The weight of one expected point in breaking ties of the objective.
    tie_weight: float
    # The expected points to come under the optimal strategy, in the order of ``values``.
    expected: Tables | None = None
    # The expected number of turns until the player restarts, reaches the scores of the highest
    # utility, or fills the scorecard, in the order of ``values``.
    turns: Tables | None = None

    @property
    def tolerance(self) -> float:
        """Always zero, because ``tie_weight`` breaks the ties of the objective."""
        return 0.0

    @property
    def terms(self) -> "ScoreParameters":
        """The parameters of the Bellman equation."""
        from rollwise.solving.kernels.score import ScoreParameters  # numba

        flat, objective = self.flat, self.objective
        return ScoreParameters(
            flat.below,
            flat.above,
            objective.price,
            objective.floor,
            self.tie_weight,
            self.remaining_X,
        )

    @property
    def states(self) -> int:
        """The number of (state, score) pairs in the solution."""
        return sum(self.layout.lanes)

    @property
    def highest(self) -> int:
        """An upper bound on the final score of a game from the start."""
        return int(self.layout.reach.high_X.max()) - 1 + int(self.model.bonus_L.max())

    def value(self, card: CardLike | None = None) -> float:
        """Return the value of the game before a turn.

        The default is the start state with its highest score.
        """
        if card is None:
            return float(self.values_at_start()[-1])
        place = CardIndex.of_card(self.model, as_card(self.rules, card))
        self.check_reached(place)
        c, lane, score = np.array([[place.c], [place.lane], [place.score]])
        return float(self.at(self.values, c, lane, score, self.flat.below, self.flat.above)[0])

    def values_at_start(self) -> NDArray[np.float64]:
        """Return the value of the start state for each of its scores, in ascending order."""
        return self._at_start(self.values, self.flat.below, self.flat.above)

    def expected_at_start(self) -> NDArray[np.float64]:
        """Return the expected final score from each start score; InputError if not computed."""
        if self.expected is None:
            raise InputError("the solution has no expected scores; solve with expected=True")
        start = self.start
        x = row_of(self.model, start.c, start.lane)
        rest = float(self.remaining_X[x])
        return np.arange(start.low, start.high) + self._at_start(self.expected, rest, rest)

    def turns_at_start(self) -> NDArray[np.float64]:
        """Return the expected number of turns from each start score; InputError if not counted."""
        if self.turns is None:
            raise InputError("the solution has no expected turns; solve with turns=True")
        return self._at_start(self.turns, 0.0, 0.0)

    def _at_start(self, tables: Tables, below: float, above: float) -> NDArray[np.float64]:
        start = self.start
        scores = np.arange(start.low, start.high)
        c = np.full(len(scores), start.c, dtype=np.int32)
        return self.at(tables, c, np.full_like(c, start.lane), scores, below, above)

    def read(self, score: ArrayLike, value_Q_A: NDArray[np.float64]) -> DisplayedValues:
        """Convert the action quantities of :meth:`final_roll_values` to displayed values."""
        _, value_A, *expected = value_Q_A
        return self.objective.totals(score, value_A), expected[0] if expected else None, None

    def reaches(self, card: CardIndex) -> bool:
        """Return whether the solution contains a scorecard."""
        reach, x = self.layout.reach, int(row_of(self.model, card.c, card.lane))
        return bool(reach.low_X[x] <= card.score < reach.high_X[x])

    def check_reached(self, card: CardIndex) -> None:
        """Raise InconsistentError if the solution does not contain a scorecard."""
        if not self.reaches(card):
            raise InconsistentError(STATE_MISSING)

    def rows_of(self, c: NDArray[np.int32], lane: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the row of each state; InconsistentError if the solution does not contain it."""
        rows = self.layout.rows
        x = rows.first_row_C[c] + np.maximum(lane - self.model.first_lane_C[c], 0)
        if (rows.low_X[x] == NONE).any():
            raise InconsistentError(STATE_MISSING)
        return np.asarray(x)

    def at(
        self,
        tables: Tables,
        c: NDArray[np.int32],
        lane: NDArray[np.int32],
        score: NDArray[np.int64],
        below: NDArray[np.float64] | float,
        above: NDArray[np.float64] | float,
    ) -> NDArray[np.float64]:
        """Return the entries of tables for given states, which must be in the same layer.

        The arrays of classes, lanes, and points so far have the same shape. ``below`` and ``above``
        are the results for scores below and above the window of a state. A state that games from
        the start of this solution cannot reach raises an InconsistentError.
        """
        rows, x = self.layout.rows, self.rows_of(c, lane)
        low, high = rows.low_X[x], rows.high_X[x]
        inside = (low <= score) & (score < high)
        layer = int(np.bitwise_count(self.model.mask_C[c]).flat[0])
        index = np.where(inside, rows.start_X[x] + score - low, 0)
        outside = np.where(score < low, below, above)
        return np.where(inside, tables[layer][index], outside)

    def final_roll_values(self, c: int, lane: int, score: int = 0) -> NDArray[np.float64]:
        """Return the value of scoring each final roll in each category, shape (Q, E, K).

        Axis Q has two or three quantities. The first quantity is the value plus a small term that
        breaks ties; it determines the policy. The second quantity is the value. The third is the
        expected score, if the solution has expected scores.
        """
        model = self.model
        self.check_reached(CardIndex(c, lane, score))
        option_E_K, after_E_K, lane_E_K = outcomes_after(model, c, lane)
        allowed = option_E_K != FORBIDDEN
        after, lane_after = after_E_K[allowed], lane_E_K[allowed]
        total = score + model.total_points_O[option_E_K[allowed]]
        points_to_come = self.remaining_X[self.rows_of(after, lane_after)]
        value = self.at(self.values, after, lane_after, total, self.flat.below, self.flat.above)
        values = [value + self.tie_weight * (total - score + points_to_come), value]
        if self.expected is not None:
            rest = self.at(self.expected, after, lane_after, total, points_to_come, points_to_come)
            values.append(total + rest)
        value_Q_E_K = np.full((len(values), *option_E_K.shape), -np.inf)
        value_Q_E_K[:, allowed] = values
        return value_Q_E_K
