"""A solved game: what every option at a position is worth."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

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

TOGETHER = 200
"""Positions whose turns are worked out together: more of them take memory, and no less time."""


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
    def read(self, score: int, worth_Q_A: Worths) -> Reading:
        """Return what a person reads of the quantities of :meth:`score_worths`, of some actions."""

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
        """Yield the options at each of some positions: the turns of cards are worked out together.

        Raises as :meth:`options` does.
        """
        known: dict[CardPlace, ActionWorths] = {}
        for start in range(0, len(positions), TOGETHER):
            some = positions[start : start + TOGETHER]
            places = [Place.of(self.model, position) for position in some]
            if len(known) > TOGETHER:
                known.clear()
            cards = dict.fromkeys(place.card for place in places)
            new = {card: self.worths_from(card) for card in cards if card not in known}
            ActionWorths.work_out(new.values())
            known |= new
            for place in places:
                yield self._ranked(place, known[place.card])

    def rate(self, position: Position, worths: ActionWorths) -> Options:
        """Return the options at a position, from what the actions of its turn are worth."""
        ranked = self._ranked(Place.of(self.model, position), worths)
        return Options(ranked, position, self.objective)

    def _ranked(self, place: Place, worths: ActionWorths) -> list[Option]:
        """Return the options at a place, best first."""
        actions, worth_Q_A = worths.at(place)
        reading = self.read(place.score, worth_Q_A)
        loss_A = reading.value_A.max() - reading.value_A
        known = (reading.value_A, loss_A, loss_A <= TIE, reading.expected_A, reading.sd_A)
        columns: list[list[Any]] = [
            [None] * len(actions) if one is None else one.tolist() for one in known
        ]
        _, losses, best, expected, _ = columns
        # Rounded, so that rounding does not order options that are equally good.
        keys = [[0.0 if b else round(loss, 9) for loss, b in zip(losses, best, strict=True)]]
        if self.tie == 0:  # among the best, what the objective leaves open the first quantity says
            first = worth_Q_A[0].tolist()
            keys.append([-worth if b else 0.0 for worth, b in zip(first, best, strict=True)])
        if reading.expected_A is not None and self.objective.name != EXPECTED.name:
            keys.append([round(-score, 9) for score in expected])
        ranks = list(zip(*keys, strict=True))
        options = list(map(Option, actions, *columns))
        return [options[a] for a in sorted(range(len(options)), key=ranks.__getitem__)]
