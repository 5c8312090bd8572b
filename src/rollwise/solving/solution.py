"""The solution of a game: the value of every option at a position."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, repeat
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rollwise.game.actions import Action
from rollwise.game.position import CardLike, Position, PositionLike, as_position
from rollwise.model.arrays import Model
from rollwise.notebook import html_table
from rollwise.rules import Rules
from rollwise.solving.objectives import EXPECTED, Objective
from rollwise.solving.option import Option, Options, format_value
from rollwise.solving.position_index import (
    CardIndex,
    PositionIndex,
    Values,
    actions_at,
    values_of_keeps,
)

TOLERANCE = 1e-9
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


DisplayedValues = tuple[Values, Values | None, Values | None]
"""The values, expected scores, and SDs of A actions, as displayed in :class:`Option`."""


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
    def value(self, card: CardLike | None = None) -> float:
        """Return the value of the game before a turn, such as the expected final score.

        A scorecard can also be text such as ``ones=3,full-house=25``, or ``{"ones": 3}``; default:
        the scorecard from which the game was solved. The value includes its points. A scorecard
        with different rules raises an InputError, and a state that the solution does not contain
        raises an InconsistentError.
        """

    def sd(self, card: CardLike | None = None) -> float | None:
        """Return the SD of the final score before a turn; None if the solution has no moments."""
        return None

    @abstractmethod
    def final_roll_values(self, c: int, lane: int, score: int = 0) -> Values:
        """Return the value of scoring each final roll in each category, shape (Q, E, K).

        The player maximizes the first of Q quantities, which is -inf where the rules forbid
        scoring. The other quantities are means under the optimal policy.
        :mod:`rollwise.model.turn` defines the axis E, and :class:`CardIndex` the parameters.
        """

    def final_roll_values_each(self, cards: Sequence[CardIndex]) -> Values:
        """Return the result of :meth:`final_roll_values` for G scorecards, shape (Q, G, E, K).

        All turns must have the same number of rerolls.
        """
        each = [self.final_roll_values(card.c, card.lane, card.score) for card in cards]
        return np.stack(each, axis=1)

    @abstractmethod
    def read(self, score: ArrayLike, value_Q_A: Values) -> DisplayedValues:
        """Convert the quantities of A actions, shape (Q, A), to values for display.

        ``score`` are the points so far; :meth:`final_roll_values` defines the axis Q.
        """

    @property
    def tolerance(self) -> float:
        """The tolerance for ties: a policy treats values that differ by less than this as tied."""
        return TOLERANCE

    def options(
        self,
        position: PositionLike,
        *,
        rolls_left: int | None = None,
        card: CardLike | None = None,
    ) -> Options:
        """Return every legal action at a position, best first.

        Tied options are ordered by the tie-breaking rule of the objective if it has one, then by
        the expected score if it is available. Among options that are still tied, categories come
        first, in scorecard order. The dice to keep follow, larger sets first.

        Parameters
        ----------
        position : Position, str, int, or sequence of int
            A position; text such as ``11366 | rolls-left 1 | card ones=3``; or dice, such as
            ``11366`` or ``(1, 1, 3, 6, 6)``.
        rolls_left, card
            As for :class:`Position`.

        Raises
        ------
        InputError
            If this is not a position, or a position with different rules.
        InconsistentError
            If the solution does not contain the scorecard of the position.
        """
        position = as_position(self.rules, position, rolls_left, card)
        (options,) = self.options_each([position])
        return Options(options, position, self.objective)

    def options_each(self, positions: Sequence[Position]) -> Iterator[list[Option]]:
        """Yield the options at each position.

        Positions with the same scorecard are computed together. For errors, see :meth:`options`.
        """
        for start in range(0, len(positions), BATCH_SIZE):
            batch = positions[start : start + BATCH_SIZE]
            yield from self._rate([PositionIndex.of(self.model, position) for position in batch])

    def _rate(self, places: Sequence[PositionIndex]) -> list[list[Option]]:
        """Return the options at each position, and compute turns of the same length together."""
        model = self.model
        on_card: dict[CardIndex, list[int]] = {}
        for n, place in enumerate(places):
            on_card.setdefault(place.card, []).append(n)

        def length(card: CardIndex) -> tuple[int, int]:
            return int(model.rerolls_C[card.c]), int(model.table_C[card.c])

        rated: dict[int, list[Option]] = {}
        for (most, _), group in groupby(sorted(on_card, key=length), length):
            group_cards = list(group)
            for start in range(0, len(group_cards), CARDS):
                cards = group_cards[start : start + CARDS]
                values = self.final_roll_values_each(cards)
                kept = self.values_of_keeps(values, most)
                legal = {
                    n: actions_at(
                        model, places[n], values[:, g], [kept_Q_P[:, g] for kept_Q_P in kept]
                    )
                    for g, card in enumerate(cards)
                    for n in on_card[card]
                }
                scores = [places[n].score for n in legal]
                rated |= zip(legal, self._ranked(scores, legal.values()), strict=True)
        return [rated[n] for n in range(len(places))]

    def values_of_keeps(self, value_Q_E_K: Values, most: int) -> list[Values]:
        """Return the value of keeping each lattice point with 1, 2, … ``most`` rerolls left."""
        return values_of_keeps(
            self.model.lattice, value_Q_E_K, most, self.objective.chance, self.tolerance
        )

    def _ranked(
        self, scores: Sequence[int], legal: Collection[tuple[list[Action], Values]]
    ) -> Iterator[list[Option]]:
        """Yield the options at each position, best first, given its points so far and actions."""
        sizes = [len(actions) for actions, _ in legal]
        starts = np.cumsum([0, *sizes])
        value_Q_A = np.concatenate([value_Q_A for _, value_Q_A in legal], axis=1)
        value_A, expected_A, sd_A = self.read(np.repeat(scores, sizes), value_Q_A)
        position_A = np.repeat(np.arange(len(sizes)), sizes)
        loss_A = np.maximum.reduceat(value_A, starts[:-1])[position_A] - value_A
        best_A = loss_A <= TOLERANCE
        keys = [position_A, np.where(best_A, 0.0, _rounded(loss_A))]
        if self.tolerance == 0:  # the first quantity breaks ties of the objective
            keys.append(np.where(best_A, -value_Q_A[0], 0.0))
        if expected_A is not None and self.objective.name != EXPECTED.name:
            keys.append(_rounded(-expected_A))
        order = np.lexsort(keys[::-1])
        actions = [action for actions, _ in legal for action in actions]
        columns: list[Iterable[Any]] = [
            repeat(None) if field_A is None else field_A[order].tolist()
            for field_A in (value_A, loss_A, best_A, expected_A, sd_A)
        ]
        options = map(Option, map(actions.__getitem__, order.tolist()), *columns)
        for size in sizes:
            yield list(islice(options, size))


def _rounded(numbers: Values) -> Values:
    """Round numbers, so that their rounding errors do not change the order of tied options."""
    near = np.clip(numbers, -MAX_ROUNDED, MAX_ROUNDED)
    return np.where(near == numbers, np.round(near, DIGITS), numbers)
