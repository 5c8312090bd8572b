"""The solution for objectives that ignore the points so far: one value per state."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.errors import InconsistentError, TooLargeError
from rollwise.game.position import CardLike, as_card
from rollwise.model.arrays import build
from rollwise.model.classes import NO_CLASS
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.size import reachable_by_layer
from rollwise.model.turn import options_of_all
from rollwise.rules import Rules
from rollwise.solving.objectives import CardObjective
from rollwise.solving.position_index import START, CardIndex
from rollwise.solving.solution import DisplayedValues, Solution
from rollwise.solving.storage.tables import Arrays, TableError
from rollwise.solving.values import Moments, Table, sd_of

ARRAYS = ({"remaining_C_L"}, {"remaining_C_L", "mean_C_L", "second_C_L"})
"""The names of the arrays in a table, without and with moments."""

STATE_MISSING = (
    "the saved solution contains only the states near its start; to save all of them, run "
    "`rollwise solve --save` with the rules of this game"
)


def highest_score(best_case: "CardSolution") -> int:
    """Return the highest score of a game from the root of its model."""
    return int(np.nanmax(best_case.table_C_L[0]))


@dataclass(frozen=True, eq=False, repr=False)
class CardSolution(Solution):
    """The value function of a game for an objective that ignores the points so far.

    ``remaining_C_L`` is the value to come of each state between turns
    (:mod:`rollwise.model.arrays`). It includes the upper bonus even if the bonus is already earned.
    It is NaN in lanes that no game reaches, and for layers of a large game that are not available.
    """

    objective: CardObjective
    remaining_C_L: Table
    moments: Moments | None = None

    def value(self, card: CardLike | None = None) -> float:
        """Return the value of the game before a turn; the default is the empty scorecard."""
        place = self._place(card)
        remaining = float(self.remaining_C_L[place.c, place.lane])
        if np.isnan(remaining):
            raise InconsistentError(STATE_MISSING)
        return float(self.objective.totals(place.score, np.array([remaining]))[0])

    def sd(self, card: CardLike | None = None) -> float | None:
        """Return the SD of the final score before a turn; None if the solution has no moments."""
        if self.moments is None:
            return None
        place = self._place(card)
        at = place.c, place.lane
        return float(sd_of(self.moments.mean_C_L[at], self.moments.second_C_L[at]))

    def _place(self, card: CardLike | None) -> CardIndex:
        if card is None:
            return START
        return CardIndex.of_card(self.model, as_card(self.rules, card))

    @property
    def is_whole(self) -> bool:
        """Whether the solution has all values in one table."""
        return self.remaining_C_L.array_C_L is not None

    @property
    def table_C_L(self) -> NDArray[np.float64]:
        """The value to come of each state in one table; TooLargeError if the game is too large."""
        if self.remaining_C_L.array_C_L is None:
            raise TooLargeError(
                f"{self.rules.name} has too many states for this calculation; use a game with "
                "fewer categories"
            )
        return self.remaining_C_L.array_C_L

    @property
    def states(self) -> int:
        """The number of reachable states."""
        return sum(reachable_by_layer(self.rules))

    def final_roll_values(self, c: int, lane: int, score: int = 0) -> NDArray[np.float64]:
        """Return the values of scoring each final roll in each category, shape (Q, E, K).

        ``score`` has no effect, because these values do not depend on the points so far.
        """
        return self.final_roll_values_each([CardIndex(c, lane, score)])[:, 0]

    def final_roll_values_each(self, cards: Sequence[CardIndex]) -> NDArray[np.float64]:
        """Return the values of scoring each final roll from G scorecards, shape (Q, G, E, K).

        The first quantity is the value of the turn and of the game after it; it is -inf where the
        rules forbid scoring. If the solution has moments, the second quantity is the mean of the
        points to come, including the points of the turn. The third is their second moment. If the
        solution does not contain all states after the turn, raise an InconsistentError.
        """
        model = self.model
        c_G, lane_G = np.array([(card.c, card.lane) for card in cards]).T
        option_G_E_K = options_of_all(model, c_G)
        occurs_O = np.zeros(len(model.total_points_O), dtype=np.bool_)
        occurs_O[option_G_E_K] = occurs_O[FORBIDDEN] = True
        outcomes = np.flatnonzero(occurs_O)
        open_G_O = model.open_categories(c_G)[:, model.category_O[outcomes]]
        class_after = np.where(open_G_O, model.class_after(c_G[:, None], outcomes), NO_CLASS)
        after = class_after, model.lane_after(lane_G[:, None], outcomes)
        points = model.total_points_O[outcomes].astype(np.float64)
        gain = self.objective.gain(points)
        values = [gain * self.remaining_C_L[after] + self.objective.points(points)]
        if self.moments:
            mean, second = self.moments.mean_C_L[after], self.moments.second_C_L[after]
            values += [points + mean, points * (points + 2 * mean) + second]
        value_Q_G_O = np.stack(values)
        value_Q_G_O[..., FORBIDDEN] = 0.0
        value_Q_G_O[0, :, FORBIDDEN] = -np.inf
        place_O = np.cumsum(occurs_O) - 1
        place_G_E_K = place_O[option_G_E_K] + np.arange(len(cards))[:, None, None] * len(outcomes)
        value_Q_G_E_K = value_Q_G_O.reshape(len(values), -1).take(place_G_E_K, axis=1)
        if np.isnan(value_Q_G_E_K[0]).any():
            raise InconsistentError(STATE_MISSING)
        return value_Q_G_E_K

    def read(self, score: ArrayLike, value_Q_A: NDArray[np.float64]) -> DisplayedValues:
        """Return the values, expected scores, and SDs of actions, including the points so far."""
        value_A, *moments = value_Q_A
        expected_A, sd_A = (score + moments[0], sd_of(*moments)) if moments else (None, None)
        return self.objective.totals(score, value_A), expected_A, sd_A

    def saved_arrays(self) -> Arrays:
        """Return the arrays to save: the table, and the moments if they were computed."""
        arrays = {"remaining_C_L": np.ascontiguousarray(self.table_C_L)}
        if self.moments:
            arrays["mean_C_L"] = np.ascontiguousarray(self.moments.mean_C_L)
            arrays["second_C_L"] = np.ascontiguousarray(self.moments.second_C_L)
        return arrays

    @classmethod
    def of_arrays(cls, rules: Rules, objective: CardObjective, arrays: Arrays) -> "CardSolution":
        """Return the solution with the arrays of a saved table; raise TableError if they differ."""
        model = build(rules)
        shape = (model.n_classes, model.lanes)
        if set(arrays) not in ARRAYS or any(
            array.dtype != np.float64 or array.shape != shape for array in arrays.values()
        ):
            raise TableError(
                f"the table does not contain the expected arrays of shape {shape}; solve the game "
                "again"
            )
        moments = Moments(arrays["mean_C_L"], arrays["second_C_L"]) if len(arrays) > 1 else None
        table = Table(model, [], arrays["remaining_C_L"])
        return cls(rules, objective, model, table, moments)
