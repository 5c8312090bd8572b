"""What one option has more than another, box by box; the differences add up to the loss."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from rollwise.game.actions import Action
from rollwise.game.position import Position
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.place import Place
from rollwise.solving.solution import TIE

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
