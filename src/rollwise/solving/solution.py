"""A solved game: what every option at a position is worth."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rollwise.game.notation import as_position
from rollwise.game.position import Position
from rollwise.model.arrays import Model
from rollwise.notebook import html_table
from rollwise.rules import Rules
from rollwise.solving.objectives import EXPECTED, Objective
from rollwise.solving.option import Option, Options, format_value
from rollwise.solving.place import ActionWorths, CardPlace, Place, Worths

TIE = 1e-9
"""Options closer than this, in points, are equally good."""


def rule_for_ties(*, fewer_dice: bool = False) -> str:
    """Return in words which of keeps that are equally good best play takes."""
    return f"of keeps with equal values that with {'fewer' if fewer_dice else 'more'} dice is taken"


@dataclass(frozen=True)
class Reading:
    """What a person reads of what an option is worth: as in :class:`Option`."""

    value: float
    expected: float | None = None
    sd: float | None = None


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

    @abstractmethod
    def read(self, score: int, worth_Q: Worths) -> Reading:
        """Return what a person reads of the quantities of :meth:`score_worths`."""

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

    def options_each(self, positions: Sequence[Position]) -> list[Options]:
        """Return the options at each of some positions: the turn of each card is worked out once.

        Raises as :meth:`options` does.
        """
        at_card: dict[CardPlace, list[int]] = {}
        for number, position in enumerate(positions):
            at_card.setdefault(CardPlace.of_card(self.model, position), []).append(number)
        found: dict[int, Options] = {}
        for card, numbers in at_card.items():
            worths = self.worths_from(card)
            found |= {number: self.rate(positions[number], worths) for number in numbers}
        return [found[number] for number in range(len(positions))]

    def rate(self, position: Position, worths: ActionWorths) -> Options:
        """Return the options at a position, from what the actions of its turn are worth."""
        place = Place.of(self.model, position)
        readings = [
            (action, worth, self.read(place.score, worth)) for action, worth in worths.at(place)
        ]
        best = max(reading.value for _, _, reading in readings)
        decided = self.objective.name == EXPECTED.name  # by the expected score itself
        rated = []
        for action, worth, reading in readings:
            loss = best - reading.value
            is_best = loss <= TIE
            option = Option(action, reading.value, loss, is_best, reading.expected, reading.sd)
            # Among the best, what the objective leaves open is decided by the first quantity.
            open_still = -float(worth[0]) if is_best and self.tie == 0 else 0.0
            # Rounded, so that rounding does not order options that are equally good.
            rank = 0.0 if is_best else round(loss, 9)
            score = 0.0 if decided or reading.expected is None else round(-reading.expected, 9)
            rated.append((rank, open_still, score, option))
        options = (option for *_, option in sorted(rated, key=lambda entry: entry[:3]))
        return Options(options, position, self.objective)
