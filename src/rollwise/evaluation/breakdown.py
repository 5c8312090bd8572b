"""A breakdown of the value of an option into the expected points of each category and bonus.

The parts of an option add up to its value under optimal play. The differences between the parts of
two options therefore add up to the EV loss and explain it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rollwise.game.actions import Action
from rollwise.game.position import Position
from rollwise.model.arrays import Model, build
from rollwise.model.classes import NO_CLASS, Root, exceeds_table
from rollwise.model.turn import outcomes_after
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.card_solver import CardSolver
from rollwise.solving.kernels.moments import fill_mean
from rollwise.solving.policy import OptimalPolicy
from rollwise.solving.position_index import CardIndex, PositionIndex
from rollwise.solving.solution import TIE, Solution

Gains = tuple[tuple[str, float], ...]
"""The names of parts and the differences in their expected points.

They are sorted by absolute difference, largest first. A part is a category, a bonus, or a turn that
ends in a category. Differences below ``TIE`` are omitted.
"""

TURN_IN = "turn-in-"
"""The start of the name of a part that is a turn; the key of its category completes the name."""

UPPER_BONUS, EXTRA_BONUS = "upper-bonus", "extra-bonus"

MAX_BYTES = 1 << 30
"""The maximum size of a table of all parts in bytes.

Games with a larger table use :class:`LargeBreakdown`.
"""

MAX_LEFT = 1 << 18
"""The maximum number of states of a remaining game whose parts are computed on demand.

The computation takes seconds.
"""

KNOWN = 4
"""The number of remaining games whose parts stay in memory, one for each of four players.

The parts of one remaining game take about 50 MB.
"""


class Breakdown(Protocol):
    """An explanation of why one option is better than another."""

    def is_prepared(self, position: Position) -> bool:
        """Return whether :meth:`gains` is fast for a position without calling :meth:`prepare`."""
        ...

    def prepare(self, position: Position) -> None:
        """Precompute the parts for a position, so that :meth:`gains` is fast."""
        ...

    def gains(self, position: Position, best: Action, others: Sequence[Action]) -> list[Gains]:
        """Return the gains of the best option over each other option.

        The gains over an option add up to its EV loss.
        """
        ...


def breakdown_of(solution: Solution) -> Breakdown | None:
    """Return the breakdown of a solved game, or None if it cannot be computed.

    The solution must maximize the expected score, and the states of the game must fit in one table.
    """
    if not isinstance(solution, CardSolution) or solution.objective.name != "expected":
        return None
    if exceeds_table(solution.rules):
        return None
    model, rules = solution.model, solution.rules
    has_room = 8 * model.n_classes * model.lanes * len(_part_names(model)) <= MAX_BYTES
    # Saved rolls make turns long, so that time is a tighter limit than memory.
    fits = _is_small(model) if rules.carries_rolls else has_room
    return Parts.of(solution) if fits and solution.is_whole else LargeBreakdown(solution)


@dataclass(frozen=True, eq=False)
class Parts:
    """The expected points of every part under optimal play, for all states of a game.

    Attributes
    ----------
    solution : CardSolution
        A solution for the expected score.
    names : tuple of str
        The keys of the categories, followed by the bonuses of the game.
    remaining_T_C_L : float64 array of shape (parts, classes, lanes)
        The expected points to come in each part, from each class and lane. They include an upper
        bonus that is already earned.
    """

    solution: CardSolution
    names: tuple[str, ...]
    remaining_T_C_L: NDArray[np.float64]

    def __post_init__(self) -> None:
        model = self.solution.model
        shape = (len(_part_names(model)), model.n_classes, model.lanes)
        if self.remaining_T_C_L.shape != shape:
            raise ValueError(f"the parts must have shape {shape}, not {self.remaining_T_C_L.shape}")

    @classmethod
    def of(cls, solution: CardSolution, threads: int | None = None) -> "Parts":
        """Return the parts of a solved game, computed in one backward pass."""
        model, policy = solution.model, OptimalPolicy(solution, threads=threads)
        names = _part_names(model)
        nothing = np.zeros(model.lanes)
        means = [policy.sweep.rows(model.bonus_L if n == UPPER_BONUS else nothing) for n in names]
        policy.backward(
            *(
                (fill_mean, _points_of_part(model, name), mean)
                for name, mean in zip(names, means, strict=True)
            )
        )
        return cls(solution, names, np.stack([mean[:, : model.lanes] for mean in means]))

    def at(self, position: Position, actions: Sequence[Action]) -> list[dict[str, float]]:
        """Return the expected final points of every part after each action."""
        solution, model = self.solution, self.solution.model
        place = PositionIndex.of(model, position)
        option_E_K, after_E_K, lane_E_K = outcomes_after(model, place.c, place.lane)
        quantities = [solution.final_roll_values(place.c, place.lane)[0]]
        for name, remaining_C_L in zip(self.names, self.remaining_T_C_L, strict=True):
            points_O = _points_of_part(model, name)
            quantities.append(points_O[option_E_K] + remaining_C_L[after_E_K, lane_E_K])
        values = solution.action_values(place.c, np.stack(quantities))
        so_far = _on_card(position)
        return [
            {
                name: so_far.get(name, 0.0) + float(part)
                for name, part in zip(self.names, values.of(place, action)[1:], strict=True)
            }
            for action in actions
        ]

    def is_prepared(self, position: Position) -> bool:
        """Return True, because the table contains all parts."""
        return True

    def prepare(self, position: Position) -> None:
        """Do nothing, because the table contains all parts."""

    def gains(self, position: Position, best: Action, others: Sequence[Action]) -> list[Gains]:
        """Return the gains of the best option over each other option."""
        of_best, *of_others = self.at(position, [best, *others])
        return [_differences(of_best, other) for other in of_others]


class LargeBreakdown:
    """The breakdown for a game whose table of all parts would be too large.

    Late in a game, the parts of the remaining game are computed once for a scorecard and all its
    successors. Earlier in the game, :class:`TurnGains` computes the gains of the turn.

    Parameters
    ----------
    solution : CardSolution
        A solution for the expected score; some of its values can be on disk.
    """

    def __init__(self, solution: CardSolution) -> None:
        self.solution, self._turn_gains = solution, TurnGains(solution)
        self._known: tuple[Parts, ...] = ()

    def is_prepared(self, position: Position) -> bool:
        """Return whether :meth:`gains` is fast for a position without calling :meth:`prepare`."""
        return self._parts_of(position) is not None or not _is_small(_remaining(position))

    def prepare(self, position: Position) -> None:
        """Compute the parts of the remaining game if it is small."""
        if not self.is_prepared(position):
            solver = CardSolver(position.rules, None, cache=False, root=_root_of(position))
            self._known = (*self._known, Parts.of(solver.expected))[-KNOWN:]

    def gains(self, position: Position, best: Action, others: Sequence[Action]) -> list[Gains]:
        """Return the gains of the best option over each other option."""
        self.prepare(position)
        source: Parts | TurnGains = self._parts_of(position) or self._turn_gains
        return source.gains(position, best, others)

    def _parts_of(self, position: Position) -> Parts | None:
        """Return the parts in memory that contain a position, or None if no parts contain it."""

        def contain(parts: Parts) -> bool:
            return CardIndex.of_card(parts.solution.model, position).c != NO_CLASS

        return next(filter(contain, self._known), None)


class TurnGains:
    r"""The gains by the category in which the turn ends, for games too large for :class:`Parts`.

    Let V be the value of the scorecard before the turn, and W the value after it. Let A_k be 1 if
    the turn ends in category k, and 0 otherwise. Let E denote the expected value after an option.
    The value of the option is

    .. math:: V + \sum_k \mathrm{E}[(W - V) A_k],

    and its parts are the terms of the sum. The computation reads the values of only this scorecard
    and the scorecards after this turn.

    Parameters
    ----------
    solution : CardSolution
        A solution for the expected score.
    """

    def __init__(self, solution: CardSolution) -> None:
        self.solution = solution

    def at(self, position: Position, actions: Sequence[Action]) -> list[dict[str, float]]:
        """Return the parts of the value of each action, by the category in which the turn ends."""
        solution, keys = self.solution, self.solution.rules.keys
        place = PositionIndex.of(solution.model, position)
        value_E_K = solution.final_roll_values(place.c, place.lane)[0]
        gain_E_K = value_E_K - float(solution.remaining_C_L[place.c, place.lane])
        categories = np.flatnonzero((value_E_K > -np.inf).any(axis=0)).tolist()
        quantities = np.zeros((1 + len(categories), *value_E_K.shape))
        quantities[0] = value_E_K
        for quantity_E_K, k in zip(quantities[1:], categories, strict=True):
            quantity_E_K[:, k] = np.where(value_E_K[:, k] > -np.inf, gain_E_K[:, k], 0.0)
        values = solution.action_values(place.c, quantities)
        names = [TURN_IN + keys[k] for k in categories]
        return [
            dict(zip(names, values.of(place, action)[1:].tolist(), strict=True))
            for action in actions
        ]

    def gains(self, position: Position, best: Action, others: Sequence[Action]) -> list[Gains]:
        """Return the gains of the best option over each other option."""
        of_best, *of_others = self.at(position, [best, *others])
        return [_differences(of_best, other) for other in of_others]


def _differences(best: Mapping[str, float], other: Mapping[str, float]) -> Gains:
    gains = ((name, best[name] - other[name]) for name in best)
    significant = [gain for gain in gains if abs(gain[1]) > TIE]
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


def _root_of(position: Position) -> Root:
    state = position.state
    return Root(state.filled, state.eligible, position.saved)


def _remaining(position: Position) -> Model:
    """Return the model of the game that remains after a position."""
    return build(position.rules, _root_of(position))


def _is_small(model: Model) -> bool:
    return model.n_classes * model.lanes <= MAX_LEFT


def _on_card(position: Position) -> dict[str, float]:
    """Return the points that a scorecard already has in each part."""
    card = position.card
    assert card is not None
    keys = card.rules.keys
    of_categories = {key: float(points or 0) for key, points in zip(keys, card.boxes, strict=True)}
    return {**of_categories, EXTRA_BONUS: float(card.extra_bonus)}
