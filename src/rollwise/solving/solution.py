"""A solved game: what every option at a position is worth."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from rollwise.game.notation import as_position
from rollwise.game.position import Position
from rollwise.model.arrays import Model
from rollwise.notebook import html_table
from rollwise.rules import Rules
from rollwise.solving.objectives import EXPECTED, Objective
from rollwise.solving.option import Option, Options, format_value
from rollwise.solving.place import (
    ActionWorths,
    CardPlace,
    Legal,
    Place,
    Worths,
    kept_worths,
    legal_actions,
)

TIE = 1e-9
"""Options closer than this, in points, are equally good."""

DIGITS = 9
"""Digits behind the point by which options are ordered."""

NO_MORE_DIGITS = 1e6
"""Numbers beyond this have hardly more digits than that."""

TOGETHER = 2_000
"""Positions that are answered together: of each card among them the turn is worked out once."""

CARDS = 100
"""Cards whose turns are worked out together: more of them take memory, and no less time."""


def rule_for_ties(*, fewer_dice: bool = False) -> str:
    """Return in words which of keeps that are equally good best play takes."""
    return f"of keeps with equal values that with {'fewer' if fewer_dice else 'more'} dice is taken"


@dataclass(frozen=True)
class Reading:
    """What a person reads of what some options are worth: as in :class:`Option`, an entry each."""

    value_A: Worths
    expected_A: Worths | None = None
    sd_A: Worths | None = None


@dataclass(frozen=True, eq=False)
class Solution(ABC):
    """The value of every card under best play for an objective.

    Attributes
    ----------
    rules : Rules
    objective : Objective
        What is maximised.
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
    counted: ClassVar[str] = "states"
    """What :attr:`states` counts."""

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
        """How many states between turns were solved."""

    @abstractmethod
    def value(self) -> float:
        """Return the value of the game from the start: the expected final score, or the like."""

    @abstractmethod
    def score_worths(self, c: int, lane: int, score: int = 0) -> Worths:
        """Return what each end of a turn is worth in each category on one card, shape (Q, E, K).

        The first of the quantities decides, -inf where the rules forbid it; the others follow. Ends
        of a turn as in :mod:`rollwise.model.turn`.

        Parameters
        ----------
        c, lane : int
            Class and lane of the card.
        score : int
            Points so far, without an upper bonus already earned.
        """

    def score_worths_each(self, cards: Sequence[CardPlace]) -> Worths:
        """Return what :meth:`score_worths` does, of several cards, shape (Q, G, E, K).

        Their turns are of one length.
        """
        each = [self.score_worths(card.c, card.lane, card.score) for card in cards]
        return np.stack(each, axis=1)

    @abstractmethod
    def read(self, score: ArrayLike, worth_Q_A: Worths) -> Reading:
        """Return what a person reads of the quantities of :meth:`score_worths`, of some actions.

        ``score`` are the points so far, of all of them or of each.
        """

    @property
    def tie(self) -> float:
        """Of what decides, differences below this do not count."""
        return TIE

    def worths_of(self, c: int, worth_Q_E_K: Worths) -> ActionWorths:
        """Return what the actions of a turn from a class are worth, from what each end of it is."""
        model = self.model
        most = int(model.rerolls_C[c])
        return ActionWorths(model.lattice, worth_Q_E_K, most, self.objective.chance, self.tie)

    def worths_from(self, card: CardPlace) -> ActionWorths:
        """Return what the actions of a turn from a card are worth."""
        return self.worths_of(card.c, self.score_worths(card.c, card.lane, card.score))

    def options(self, position: Position | str) -> Options:
        """Return every legal action at a position, best first.

        Ties are ordered by what decides between them, then by the expected score, where that is
        known, then as in the rules: categories in card order, then keeps, more dice first.

        Parameters
        ----------
        position : Position or str
            As text ``11366 | rolls-left 1 | card ones=3``, as :class:`Position` reads it.

        Raises
        ------
        MalformedError
            When a text is no position.
        ValueError
            When the position belongs to other rules.
        InconsistentError
            When the solution starts from another card.
        """
        position = as_position(self.rules, position)
        return self.rate(position, self.worths_from(CardPlace.of_card(self.model, position)))

    def options_each(self, positions: Sequence[Position]) -> Iterator[list[Option]]:
        """Yield the options at each of some positions: the turn of a card is worked out once.

        Raises as :meth:`options` does.
        """
        if self.rules.announced:  # the turn of a card is another one for every box
            yield from map(self.options, positions)
            return
        for start in range(0, len(positions), TOGETHER):
            some = positions[start : start + TOGETHER]
            yield from self._rate_all([Place.of(self.model, position) for position in some])

    def rate(self, position: Position, worths: ActionWorths) -> Options:
        """Return the options at a position, from what the actions of its turn are worth."""
        place = Place.of(self.model, position)
        ranked = self._ranked(Legal.of_one(place, *worths.at(place)))
        return Options(ranked.at(0), position, self.objective)

    def _rate_all(self, places: Sequence[Place]) -> Iterator[list[Option]]:
        """Yield the options at each of some places: those on one card are worked out together."""
        model = self.model
        on_card: dict[CardPlace, list[int]] = {}
        for n, place in enumerate(places):
            on_card.setdefault(place.card, []).append(n)

        def length(card: CardPlace) -> tuple[int, int]:
            return int(model.rerolls_C[card.c]), int(model.table_C[card.c])

        found: dict[int, tuple[Ranked, int]] = {}
        for (most, _), alike in groupby(sorted(on_card, key=length), length):
            for cards in _in_parts(list(alike), CARDS):
                worths = self.score_worths_each(cards)
                kept = kept_worths(model.lattice, worths, most, self.objective.chance, self.tie)
                here = [n for card in cards for n in on_card[card]]
                turn_N = np.repeat(np.arange(len(cards)), [len(on_card[card]) for card in cards])
                some = [places[n] for n in here]
                ranked = self._ranked(legal_actions(model.lattice, some, turn_N, worths, kept))
                found |= {n: (ranked, i) for i, n in enumerate(here)}
        for n in range(len(places)):
            ranked, i = found[n]
            yield ranked.at(i)

    def _ranked(self, legal: Legal) -> "Ranked":
        """Return the options at each position, best first."""
        reading = self.read(legal.score_A, legal.worth_Q_A)
        ends = [*legal.first_N.tolist(), len(legal.actions)]
        position_A = np.repeat(np.arange(len(legal.first_N)), np.diff(ends))
        best_N = np.maximum.reduceat(reading.value_A, legal.first_N)
        loss_A = best_N[position_A] - reading.value_A
        best_A = loss_A <= TIE
        keys = [position_A, np.where(best_A, 0.0, _rounded(loss_A))]
        if self.tie == 0:  # among the best, what the objective leaves open the first quantity says
            keys.append(np.where(best_A, -legal.worth_Q_A[0], 0.0))
        if reading.expected_A is not None and self.objective.name != EXPECTED.name:
            keys.append(_rounded(-reading.expected_A))
        order = np.lexsort(keys[::-1])
        known = (reading.value_A, loss_A, best_A, reading.expected_A, reading.sd_A)
        columns: list[list[Any]] = [
            [None] * len(order) if one is None else one[order].tolist() for one in known
        ]
        return Ranked([[legal.actions[a] for a in order.tolist()], *columns], ends)


@dataclass(frozen=True)
class Ranked:
    """The options at some positions, one after the other, best first.

    Attributes
    ----------
    columns : list of lists
        The parts of :class:`Option`.
    ends : list of int
        Those of position n are ``ends[n] .. ends[n + 1] - 1``.
    """

    columns: list[list[Any]]
    ends: list[int]

    def at(self, n: int) -> list[Option]:
        """Return the options at one of the positions."""
        here = slice(self.ends[n], self.ends[n + 1])
        return list(map(Option, *(column[here] for column in self.columns)))


def _rounded(numbers: Worths) -> Worths:
    """Return numbers with so few digits that rounding does not order what is equally good."""
    near = np.clip(numbers, -NO_MORE_DIGITS, NO_MORE_DIGITS)
    return np.where(near == numbers, np.round(near, DIGITS), numbers)


def _in_parts(cards: list[CardPlace], most: int) -> Iterator[list[CardPlace]]:
    for start in range(0, len(cards), most):
        yield cards[start : start + most]
