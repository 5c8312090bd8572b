"""Where the value of an option comes from: the expected points of every box and bonus.

Under best play after it. The parts of an option add up to its value, so the loss of a choice can be
told box by box.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.game.position import Position
from rollwise.game.scorecard import Action
from rollwise.model.arrays import Model
from rollwise.model.turn import outcomes_after
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.moments import fill_mean
from rollwise.solving.place import Place
from rollwise.solving.play import BestPlay
from rollwise.solving.solution import TIE, Solution

MAX_BYTES = 1 << 30
"""Of the table of all parts: a game with a larger one is reviewed without reasons."""

Gains = tuple[tuple[str, float], ...]
"""Expected points by box and bonus."""

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
        model, play = solution.model, BestPlay(solution, threads=threads)
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

    def gains(self, position: Position, best: Action, others: Sequence[Action]) -> list[Gains]:
        """Return what each part has more after the best option than after each of others.

        The largest difference first, those below ``TIE`` left out; they add up to the loss.
        """
        most, *rest = self.at(position, [best, *others])
        return [_differences(most, other) for other in rest]


def _differences(one: Mapping[str, float], other: Mapping[str, float]) -> Gains:
    gains = ((name, one[name] - other[name]) for name in one)
    lasting = [gain for gain in gains if abs(gain[1]) > TIE]
    return tuple(sorted(lasting, key=lambda gain: -abs(gain[1])))


def parts_of(solution: Solution) -> Parts | None:
    """Return the parts of a solved game.

    None where values are not points, or where it is too large.
    """
    if not isinstance(solution, CardSolution) or solution.objective.name != "expected":
        return None
    states = solution.model.n_classes * solution.model.lanes
    room = 8 * states * len(_part_names(solution.model)) <= MAX_BYTES
    return Parts.of(solution) if room else None


def _on_card(position: Position) -> dict[str, float]:
    card = position.card
    assert card is not None
    keys = card.rules.keys
    boxes = {key: float(points or 0) for key, points in zip(keys, card.boxes, strict=True)}
    return {**boxes, EXTRA_BONUS: float(card.extra_bonus)}
