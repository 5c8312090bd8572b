"""A breakdown of the value of an option into the expected points of each category and bonus.

The parts of an option add up to its value under optimal play. The differences between the parts of
two options therefore add up to the EV loss and explain it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.game.actions import Action
from rollwise.game.position import Position
from rollwise.game.scorecard import EXTRA_BONUS, UPPER_BONUS
from rollwise.model.arrays import Model
from rollwise.model.turn import outcomes_after
from rollwise.solving.cache import load_or_compute_numbers
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.position_index import START, PositionIndex, actions_at
from rollwise.solving.rows import by_row, row_of
from rollwise.solving.solution import TOLERANCE, Solution

Gains = tuple[tuple[str, float], ...]
"""The names of parts and the differences in their expected points.

They are sorted by absolute difference, largest first. Differences below ``TOLERANCE`` are omitted.
"""

KEPT = "breakdown"
"""The name of a breakdown in the cache."""

MAX_BYTES = 1 << 30
"""The maximum size of a breakdown in bytes."""

MAX_STATES = 1 << 18
"""The maximum number of states if rolls are saved, because long turns take long to compute."""


@dataclass(frozen=True, eq=False)
class Breakdown:
    """The expected points of every part under optimal play, for all states of a game.

    The names of the parts are the keys of the categories, followed by the bonuses of the game.
    ``remaining_T_X`` are the expected points to come in each part, from each row
    (:mod:`rollwise.solving.rows`), as float64 of shape (parts, rows). They include an upper bonus
    that is already earned.
    """

    solution: CardSolution
    names: tuple[str, ...]
    remaining_T_X: NDArray[np.float64]

    def at(self, position: Position, actions: Sequence[Action]) -> list[dict[str, float]]:
        """Return the expected final points of every part after each action."""
        solution, model = self.solution, self.solution.model
        place = PositionIndex.of(model, position)
        option_E_K, after_E_K, lane_E_K = outcomes_after(model, place.c, place.lane)
        x_E_K = row_of(model, np.maximum(after_E_K, 0), lane_E_K)  # 0 where scoring is forbidden
        quantities = [solution.final_roll_values(place.c, place.lane)[0]]
        for name, remaining_X in zip(self.names, self.remaining_T_X, strict=True):
            quantities.append(_points_of_part(model, name)[option_E_K] + remaining_X[x_E_K])
        value_Q_E_K = np.stack(quantities)
        kept = solution.values_of_keeps(value_Q_E_K, place.rerolls)
        legal, value_Q_A = actions_at(model, place, value_Q_E_K, kept)
        so_far = _on_card(position)
        return [
            {
                name: so_far.get(name, 0.0) + part
                for name, part in zip(self.names, value_A[1:].tolist(), strict=True)
            }
            for value_A in (value_Q_A[:, legal.index(action)] for action in actions)
        ]

    def averages(self) -> dict[str, float]:
        """Return the expected final points of every part at the start of a game."""
        x = row_of(self.solution.model, START.c, START.lane)
        return dict(zip(self.names, self.remaining_T_X[:, x].tolist(), strict=True))

    def gains(self, position: Position, best: Action, others: Sequence[Action]) -> list[Gains]:
        """Return the gains of the best option over each other option, which add up to its loss."""
        of_best, *of_others = self.at(position, [best, *others])
        return [_differences(of_best, other) for other in of_others]


def breakdown_of(solution: Solution, *, cache: bool = True) -> Breakdown | None:
    """Return the breakdown of a solved game, from the cache or computed in one backward pass.

    The breakdown is None if values are not expected points, or if it would be too large.
    """
    if not isinstance(solution, CardSolution) or solution.objective.name != "expected":
        return None
    if not solution.is_whole:
        return None
    model = solution.model
    names, states = _part_names(model), model.n_classes * model.lanes
    takes_long = model.rules.carries_rolls and states > MAX_STATES
    if takes_long or 8 * states * len(names) > MAX_BYTES:
        return None

    def remaining() -> NDArray[np.float64]:
        return _remaining(solution, names)

    if cache:
        return Breakdown(solution, names, load_or_compute_numbers(model.rules, KEPT, remaining))
    return Breakdown(solution, names, remaining())


def _remaining(solution: CardSolution, names: tuple[str, ...]) -> NDArray[np.float64]:
    """Return the expected points to come in each part, from each row, shape (T, X)."""
    from rollwise.solving.kernels.moments import fill_moments  # numba
    from rollwise.solving.policy import OptimalPolicy

    model = solution.model
    policy, nothing = OptimalPolicy(solution), np.zeros(model.lanes)
    means = [policy.compiled.rows(model.bonus_L if n == UPPER_BONUS else nothing) for n in names]
    policy.backward(
        *(
            (fill_moments, _points_of_part(model, name), mean, None)
            for name, mean in zip(names, means, strict=True)
        )
    )
    return np.stack([by_row(model, mean) for mean in means])


def _differences(best: Mapping[str, float], other: Mapping[str, float]) -> Gains:
    gains = ((name, best[name] - other[name]) for name in best)
    significant = [gain for gain in gains if abs(gain[1]) > TOLERANCE]
    return tuple(sorted(significant, key=lambda gain: -abs(gain[1])))


def _part_names(model: Model) -> tuple[str, ...]:
    rules = model.rules
    bonuses = ((UPPER_BONUS, rules.upper_bonus), (EXTRA_BONUS, rules.extra_bonus))
    return (*rules.keys, *(name for name, bonus in bonuses if bonus))


def _points_of_part(model: Model, name: str) -> NDArray[np.float64]:
    """Return the points that each outcome adds to the part with the given name, shape (O,)."""
    if name == UPPER_BONUS:
        return np.zeros(len(model.points_O))
    if name == EXTRA_BONUS:
        return model.extra_O.astype(np.float64)
    in_category_O = model.category_O == model.rules.keys.index(name)
    return np.where(in_category_O, model.points_O, 0).astype(np.float64)


def _on_card(position: Position) -> dict[str, float]:
    """Return the points that a scorecard already has in each part."""
    card = position.card
    keys = card.rules.keys
    of_categories = {key: float(points or 0) for key, points in zip(keys, card.boxes, strict=True)}
    return {**of_categories, EXTRA_BONUS: float(card.extra_bonus)}
