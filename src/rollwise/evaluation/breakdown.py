"""Where the value of an option comes from: the expected points of every box and bonus.

Under best play after it. The parts of an option add up to its value, so the loss of a choice can be
told box by box.

What one option has more than another, box by box; the differences add up to the loss.
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
from rollwise.solving.place import CardPlace, Place
from rollwise.solving.policy import OptimalPolicy
from rollwise.solving.solution import TIE, Solution

Gains = tuple[tuple[str, float], ...]
"""Expected points by what they come from: a box, a bonus, a turn that ends in a box."""

TURN_IN = "turn-in-"
"""What stands before the key of a box where the gain is that of turns that end in it."""


class Breakdown(Protocol):
    """What tells why one option is better than another one."""

    def is_prepared(self, position: Position) -> bool:
        """Return whether :meth:`gains` answers at once."""
        ...

    def prepare(self, position: Position) -> None:
        """Work out what :meth:`gains` takes long for."""
        ...

    def gains(self, position: Position, best: Action, others: Sequence[Action]) -> list[Gains]:
        """Return what the best option has more of each part than each of others.

        The largest difference first, those below ``TIE`` left out; they add up to the loss.
        """
        ...


def differences(one: Mapping[str, float], other: Mapping[str, float]) -> Gains:
    """Return what one has more than the other of every part, the largest difference first."""
    gains = ((name, one[name] - other[name]) for name in one)
    lasting = [gain for gain in gains if abs(gain[1]) > TIE]
    return tuple(sorted(lasting, key=lambda gain: -abs(gain[1])))


class TurnGains:
    r"""Gains by the box in which the turn ends: of a game too large to follow to its end.

    With V the value of the card before the turn and W that of the game after it, an option is worth

    .. math:: V + \sum_k \mathrm{E}[W - V; \text{the turn ends in } k],

    and these summands are its parts. Values are read of the cards that the turn can lead to alone.

    Parameters
    ----------
    solution : CardSolution
        For the expected score.
    """

    def __init__(self, solution: CardSolution) -> None:
        self.solution = solution

    def at(self, position: Position, actions: Sequence[Action]) -> list[dict[str, float]]:
        """Return what turns that end in each box bring above the value of the card, by action."""
        solution, keys = self.solution, self.solution.rules.keys
        place = Place.of(solution.model, position)
        worth_E_K = solution.score_worths(place.c, place.lane)[0]
        gain_E_K = worth_E_K - float(solution.remaining_C_L[place.c, place.lane])
        boxes = np.flatnonzero((worth_E_K > -np.inf).any(axis=0)).tolist()
        quantities = np.zeros((1 + len(boxes), *worth_E_K.shape))
        quantities[0] = worth_E_K
        for quantity_E_K, k in zip(quantities[1:], boxes, strict=True):
            quantity_E_K[:, k] = np.where(worth_E_K[:, k] > -np.inf, gain_E_K[:, k], 0.0)
        worths = solution.worths_of(place.c, quantities)
        names = [TURN_IN + keys[k] for k in boxes]
        return [
            dict(zip(names, worths.of(place, action)[1:].tolist(), strict=True))
            for action in actions
        ]

    def gains(self, position: Position, best: Action, others: Sequence[Action]) -> list[Gains]:
        """Return what turns in each box bring more after the best option than after others."""
        most, *rest = self.at(position, [best, *others])
        return [differences(most, other) for other in rest]


MAX_BYTES = 1 << 30
"""Of the table of all parts; those of a larger game are :class:`LargeParts`."""

MAX_LEFT = 1 << 18
"""States that are left, of which the parts are found in some seconds, rolls carried over or not."""

KNOWN = 4
"""Cards of which what is left is known at once: as many as sit at most tables, some 50 MB each."""

UPPER_BONUS, EXTRA_BONUS = "upper-bonus", "extra-bonus"


def _part_names(model: Model) -> tuple[str, ...]:
    rules = model.rules
    bonuses = ((UPPER_BONUS, rules.upper_bonus), (EXTRA_BONUS, rules.extra_bonus))
    return (*rules.keys, *(name for name, bonus in bonuses if bonus))


def _points_of_part(model: Model, name: str) -> NDArray[np.float64]:
    """Return what each outcome adds to a part, float64 of shape (O,)."""
    if name == UPPER_BONUS:
        return np.zeros(len(model.points_O))
    if name == EXTRA_BONUS:
        return model.extra_O.astype(np.float64)
    mine = model.category_O == model.rules.keys.index(name)
    return np.where(mine, model.points_O, 0).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Parts:
    """The expected points of every part of the card under best play.

    Attributes
    ----------
    names : tuple of str
        The keys of the boxes, then those bonuses that the game has.
    remaining_T_C_L : float64 array of shape (parts, classes, lanes)
        What is still to come in each part, the upper bonus included however early it was earned.
    """

    solution: CardSolution
    names: tuple[str, ...]
    remaining_T_C_L: NDArray[np.float64]

    def __post_init__(self) -> None:
        model = self.solution.model
        shape = (len(_part_names(model)), model.n_classes, model.lanes)
        if self.remaining_T_C_L.shape != shape:
            raise ValueError(f"expected parts of shape {shape}, got {self.remaining_T_C_L.shape}")

    @classmethod
    def of(cls, solution: CardSolution, threads: int | None = None) -> "Parts":
        """Return the parts of a solved game: one backward sweep with as many quantities."""
        model, play = solution.model, OptimalPolicy(solution, threads=threads)
        names = _part_names(model)
        nothing = np.zeros(model.lanes)
        means = [play.sweep.rows(model.bonus_L if n == UPPER_BONUS else nothing) for n in names]
        play.backward(
            *(
                (fill_mean, _points_of_part(model, name), mean)
                for name, mean in zip(names, means, strict=True)
            )
        )
        return cls(solution, names, np.stack([mean[:, : model.lanes] for mean in means]))

    def at(self, position: Position, actions: Sequence[Action]) -> list[dict[str, float]]:
        """Return the expected final points of every part after each of some legal actions."""
        solution, model = self.solution, self.solution.model
        place = Place.of(model, position)
        option_E_K, after_E_K, lane_E_K = outcomes_after(model, place.c, place.lane)
        quantities = [solution.score_worths(place.c, place.lane)[0]]
        for name, remaining_C_L in zip(self.names, self.remaining_T_C_L, strict=True):
            points_O = _points_of_part(model, name)
            quantities.append(points_O[option_E_K] + remaining_C_L[after_E_K, lane_E_K])
        worths = solution.worths_of(place.c, np.stack(quantities))
        so_far = _on_card(position)
        return [
            {
                name: so_far.get(name, 0.0) + float(part)
                for name, part in zip(self.names, worths.of(place, action)[1:], strict=True)
            }
            for action in actions
        ]

    def is_prepared(self, position: Position) -> bool:
        """Return whether all is known: it is, of any position."""
        return True

    def prepare(self, position: Position) -> None:
        """Do nothing: all is known."""

    def gains(self, position: Position, best: Action, others: Sequence[Action]) -> list[Gains]:
        """Return what each part has more after the best option than after each of others.

        The largest difference first, those below ``TIE`` left out; they add up to the loss.
        """
        most, *rest = self.at(position, [best, *others])
        return [differences(most, other) for other in rest]


class LargeParts:
    """The parts of a game whose table of them would not fit.

    Late in the game those of what is left of it, solved once for a card and all that it becomes;
    before that the gains of the turn alone, from the cards that it can lead to.

    Parameters
    ----------
    solution : CardSolution
        For the expected score; as far as its cards are kept.
    """

    def __init__(self, solution: CardSolution) -> None:
        self.solution, self._of_turn = solution, TurnGains(solution)
        self._left: tuple[Parts, ...] = ()

    def is_prepared(self, position: Position) -> bool:
        """Return whether :meth:`gains` answers at once."""
        return self._known(position) is not None or not _is_small(_left_of(position))

    def prepare(self, position: Position) -> None:
        """Find the parts of what is left of the game, if that is small."""
        if not self.is_prepared(position):
            rest = CardSolver(position.rules, None, cache=False, root=_root_of(position))
            self._left = (*self._left, Parts.of(rest.expected))[-KNOWN:]

    def gains(self, position: Position, best: Action, others: Sequence[Action]) -> list[Gains]:
        """Return what the best option has more than each of others, as :class:`Breakdown` does."""
        self.prepare(position)
        known: Parts | TurnGains = self._known(position) or self._of_turn
        return known.gains(position, best, others)

    def _known(self, position: Position) -> Parts | None:
        """Return parts that are known and hold a position."""

        def holds(parts: Parts) -> bool:
            return CardPlace.of_card(parts.solution.model, position).c != NO_CLASS

        return next(filter(holds, self._left), None)


def _root_of(position: Position) -> Root:
    state = position.state
    return Root(state.filled, state.eligible, position.saved)


def _left_of(position: Position) -> Model:
    """Return the arrays of what is left of a game."""
    return build(position.rules, _root_of(position))


def _is_small(left: Model) -> bool:
    return left.n_classes * left.lanes <= MAX_LEFT


def parts_of(solution: Solution) -> Breakdown | None:
    """Return the parts of a solved game; None where values are not points, or no card is listed."""
    if not isinstance(solution, CardSolution) or solution.objective.name != "expected":
        return None
    if exceeds_table(solution.rules):
        return None
    model, rules = solution.model, solution.rules
    room = 8 * model.n_classes * model.lanes * len(_part_names(model)) <= MAX_BYTES
    # With rolls carried over turns are long: there time is short before memory is.
    fits = _is_small(model) if rules.carries_rolls else room
    return Parts.of(solution) if fits and solution.is_whole else LargeParts(solution)


def _on_card(position: Position) -> dict[str, float]:
    card = position.card
    assert card is not None
    keys = card.rules.keys
    boxes = {key: float(points or 0) for key, points in zip(keys, card.boxes, strict=True)}
    return {**boxes, EXTRA_BONUS: float(card.extra_bonus)}
