"""The solution of a game: the value of every option at a position."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rollwise.game.actions import Keep
from rollwise.game.position import Position, PositionLike, as_position
from rollwise.model.arrays import Model
from rollwise.notebook import html_table
from rollwise.rules import Rules
from rollwise.solving.objectives import EXPECTED, Objective
from rollwise.solving.option import Option, Options, format_value
from rollwise.solving.position_index import (
    ActionValues,
    CardIndex,
    Legal,
    PositionIndex,
    Values,
    legal_actions,
    values_of_keeps,
)

TIE = 1e-9
"""The tolerance for ties: options are tied if their values differ by at most this number."""

DIGITS = 9
"""The number of decimals to which values are rounded before options are ordered."""

MAX_ROUNDED = 1e6
"""The largest number that is rounded; larger float64 numbers have at most ``DIGITS`` decimals."""

BATCH_SIZE = 2_000
"""The number of positions in a batch. In a batch, the turn of each scorecard is computed once."""

CARDS = 100
"""The number of scorecards whose turns are computed together.

A larger number would take more memory and save no time.
"""


def rule_for_ties(*, fewer_dice: bool = False) -> str:
    """Return a sentence that says how optimal play breaks ties between dice to keep."""
    number = "fewer" if fewer_dice else "more"
    return f"Of equally good options, optimal play takes the one that keeps {number} dice"


@dataclass(frozen=True)
class DisplayedValues:
    """The values, expected scores, and SDs of A actions, as displayed in :class:`Option`."""

    value_A: Values
    expected_A: Values | None = None
    sd_A: Values | None = None


@dataclass(frozen=True, eq=False)
class Solution(ABC):
    """The value function of a game under optimal play for an objective.

    Attributes
    ----------
    rules : Rules
    objective : Objective
        The quantity that the player maximizes.
    model : Model
        The game as arrays.

    Examples
    --------
    >>> solution = solve("micro-yahtzee")
    >>> solution
    <Solution of micro-yahtzee for expected: 25.94444444 from the start>
    >>> solution.value("double=4")
    19.166666666666664
    """

    rules: Rules
    objective: Objective
    model: Model

    def __repr__(self) -> str:
        return (
            f"<Solution of {self.rules.name} for {self.objective.name}: {self.value():.10g} "
            f"from the start>"
        )

    def _repr_html_(self) -> str:
        value = format_value(self.value(), self.objective.unit)
        rows = [("objective", self.objective.name), (self.objective.meaning, value)]
        return html_table(self.rules.title, rows)

    @property
    @abstractmethod
    def states(self) -> int:
        """The number of solved states between turns."""

    @abstractmethod
    def value(self) -> float:
        """Return the value of the game from the start, such as the expected final score."""

    @abstractmethod
    def final_roll_values(self, c: int, lane: int, score: int = 0) -> Values:
        """Return the value of scoring each final roll in each category, shape (Q, E, K).

        The player maximizes the first of Q quantities, which is -inf where the rules forbid
        scoring. The other quantities are means under the optimal policy. :mod:`rollwise.model.turn`
        defines the axis E.

        Parameters
        ----------
        c, lane : int
            The class and the lane of the scorecard.
        score : int
            The points so far, excluding an upper bonus that is already earned.
        """

    def final_roll_values_each(self, cards: Sequence[CardIndex]) -> Values:
        """Return the result of :meth:`final_roll_values` for G scorecards, shape (Q, G, E, K).

        All turns must have the same number of rerolls.
        """
        each = [self.final_roll_values(card.c, card.lane, card.score) for card in cards]
        return np.stack(each, axis=1)

    @abstractmethod
    def read(self, score: ArrayLike, value_Q_A: Values) -> DisplayedValues:
        """Convert the quantities of A actions to values for display.

        Parameters
        ----------
        score : int or int array of shape (A,)
            The points so far.
        value_Q_A : float64 array of shape (Q, A)
            The quantities of each action; :meth:`final_roll_values` defines the axis Q.
        """

    @property
    def tie(self) -> float:
        """The tolerance for ties: a policy treats values that differ by less than this as tied."""
        return TIE

    def action_values(self, c: int, value_Q_E_K: Values) -> ActionValues:
        """Return the action values of a turn from class ``c``, given its final roll values."""
        model = self.model
        most = int(model.rerolls_C[c])
        return ActionValues(model.lattice, value_Q_E_K, most, self.objective.chance, self.tie)

    def action_values_on(self, card: CardIndex) -> ActionValues:
        """Return the action values of a turn that starts from the given scorecard."""
        return self.action_values(card.c, self.final_roll_values(card.c, card.lane, card.score))

    def options(self, position: PositionLike) -> Options:
        """Return every legal action at a position, best first.

        Tied options are ordered by the tie-breaking rule of the objective if it has one, then by
        the expected score if it is available. Among options that are still tied, categories come
        first, in scorecard order. The dice to keep follow, larger sets first.

        Parameters
        ----------
        position : Position, str, int, or sequence of int
            A position; text such as ``11366 | rolls-left 1 | card ones=3`` (see
            :class:`Position`); or the dice of a first roll on the empty scorecard, such as
            ``11366`` or ``(1, 1, 3, 6, 6)``.

        Raises
        ------
        InputError
            If this is not a position, or a position with different rules.
        InconsistentError
            If the solution does not contain the scorecard of the position.
        """
        position = as_position(self.rules, position)
        return self.rate(position, self.action_values_on(CardIndex.of_card(self.model, position)))

    def options_each(self, positions: Sequence[Position]) -> Iterator[list[Option]]:
        """Yield the options at each position.

        Positions with the same scorecard are computed together. For errors, see :meth:`options`.
        """
        for start in range(0, len(positions), BATCH_SIZE):
            batch = positions[start : start + BATCH_SIZE]
            yield from self._rate_all(
                [PositionIndex.of(self.model, position) for position in batch]
            )

    def rate(self, position: Position, values: ActionValues) -> Options:
        """Return the options at a position, given the action values of its turn."""
        place = PositionIndex.of(self.model, position)
        ranked = self._ranked(Legal.of_one(place, *values.at(place)))
        return Options(ranked.at(0), position, self.objective)

    def _rate_all(self, places: Sequence[PositionIndex]) -> Iterator[list[Option]]:
        """Yield the options at each position, and compute turns of the same length together."""
        model = self.model
        on_card: dict[CardIndex, list[int]] = {}
        for n, place in enumerate(places):
            on_card.setdefault(place.card, []).append(n)

        def length(card: CardIndex) -> tuple[int, int]:
            return int(model.rerolls_C[card.c]), int(model.table_C[card.c])

        ranked_of: dict[int, tuple[Ranked, int]] = {}
        for (most, _), group in groupby(sorted(on_card, key=length), length):
            for cards in _in_parts(list(group), CARDS):
                values = self.final_roll_values_each(cards)
                keep_values = values_of_keeps(
                    model.lattice, values, most, self.objective.chance, self.tie
                )
                here = [n for card in cards for n in on_card[card]]
                turn_N = np.repeat(np.arange(len(cards)), [len(on_card[card]) for card in cards])
                batch = [places[n] for n in here]
                ranked = self._ranked(
                    legal_actions(model.lattice, batch, turn_N, values, keep_values)
                )
                ranked_of |= {n: (ranked, i) for i, n in enumerate(here)}
        for n in range(len(places)):
            ranked, i = ranked_of[n]
            yield ranked.at(i)

    def _ranked(self, legal: Legal) -> "Ranked":
        """Return the options at each position, best first."""
        reading = self.read(legal.score_A, legal.value_Q_A)
        ends = [*legal.first_N.tolist(), len(legal.actions)]
        position_A = np.repeat(np.arange(len(legal.first_N)), np.diff(ends))
        best_N = np.maximum.reduceat(reading.value_A, legal.first_N)
        loss_A = best_N[position_A] - reading.value_A
        best_A = loss_A <= TIE
        keys = [position_A, np.where(best_A, 0.0, _rounded(loss_A))]
        if self.tie == 0:  # the first quantity breaks ties of the objective
            keys.append(np.where(best_A, -legal.value_Q_A[0], 0.0))
        if reading.expected_A is not None and self.objective.name != EXPECTED.name:
            keys.append(_rounded(-reading.expected_A))
        order = np.lexsort(keys[::-1])
        fields = (reading.value_A, loss_A, best_A, reading.expected_A, reading.sd_A)
        columns: list[list[Any]] = [
            [None] * len(order) if field is None else field[order].tolist() for field in fields
        ]
        in_order = [
            action if isinstance(action, Keep) else action.each(self.rules.keys)[action.category]
            for action in (legal.actions[a] for a in order.tolist())
        ]
        return Ranked([in_order, *columns], ends)


@dataclass(frozen=True)
class Ranked:
    """The options at several positions, sorted by position, then best first.

    Attributes
    ----------
    columns : list of lists
        One list for each field of :class:`Option`.
    ends : list of int
        The options of position n are ``ends[n] .. ends[n + 1] - 1``.
    """

    columns: list[list[Any]]
    ends: list[int]

    def at(self, n: int) -> list[Option]:
        """Return the options at position ``n``."""
        here = slice(self.ends[n], self.ends[n + 1])
        return list(map(Option, *(column[here] for column in self.columns)))


def _rounded(numbers: Values) -> Values:
    """Round numbers, so that their rounding errors do not change the order of tied options."""
    near = np.clip(numbers, -MAX_ROUNDED, MAX_ROUNDED)
    return np.where(near == numbers, np.round(near, DIGITS), numbers)


def _in_parts(cards: list[CardIndex], most: int) -> Iterator[list[CardIndex]]:
    for start in range(0, len(cards), most):
        yield cards[start : start + most]
