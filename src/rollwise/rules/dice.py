"""Dice of different kinds: what they show, and which rolls there are.

A die is told by a *symbol*: 1, 2, … for the faces of the usual dice; dice of another kind have
symbols of their own, so that to keep a 3 of one kind and a 3 of another are two things.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, pairwise, product
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import Field, model_validator

from rollwise.rules.patterns import Frozen

MAX_DICE, MAX_FACES, MAX_NUMBER = 12, 20, 99

Number = Annotated[int, Field(ge=0, le=MAX_NUMBER)]


class OtherDice(Frozen):
    """Some of the dice of a game, with ``numbers`` on their faces, in rising order."""

    dice: Annotated[int, Field(ge=1, le=MAX_DICE)]
    numbers: Annotated[tuple[Number, ...], Field(min_length=2, max_length=MAX_FACES, strict=False)]

    @model_validator(mode="after")
    def _numbers_rise(self) -> Self:
        if any(high <= low for low, high in pairwise(self.numbers)):
            raise ValueError("numbers in rising order, each once")
        return self


class Throwing:
    """What the dice of a game can show."""

    if TYPE_CHECKING:  # the fields of the rules
        dice: int
        faces: int
        other_dice: tuple[OtherDice, ...]

    @cached_property
    def kinds(self) -> tuple[tuple[int, int], ...]:
        """Dice and faces of each kind, the usual dice first."""
        others = [(other.dice, len(other.numbers)) for other in self.other_dice]
        return ((self.dice - sum(dice for dice, _ in others), self.faces), *others)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The number that each symbol shows, symbol 1 first."""
        others = (number for other in self.other_dice for number in other.numbers)
        return (*range(1, self.faces + 1), *others)

    @cached_property
    def symbols(self) -> tuple[range, ...]:
        """The symbols of each kind."""
        first = 1
        ranges = []
        for _, faces in self.kinds:
            ranges.append(range(first, first + faces))
            first += faces
        return tuple(ranges)

    @cached_property
    def symbol_of_number(self) -> tuple[dict[str, int], ...]:
        """The symbol of each number as digits, for each kind."""
        return tuple({str(self.numbers[s - 1]): s for s in symbols} for symbols in self.symbols)

    @cached_property
    def dice_in_words(self) -> str:
        """The dice and what they show, for messages."""
        plain = f"{self.kinds[0][0]} dice with faces 1 to {self.faces}"
        others = (
            f" and {other.dice} with {', '.join(map(str, other.numbers))}"
            for other in self.other_dice
        )
        return plain + "".join(others)

    def shown(self, dice: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers that dice show, from their symbols."""
        if not self.other_dice:
            return tuple(dice)
        numbers = self.numbers
        return tuple(numbers[die - 1] for die in dice)

    def of_kind(self, dice: Sequence[int], kind: int) -> tuple[int, ...]:
        """Return those of some dice that are of a kind."""
        return tuple(die for die in dice if die in self.symbols[kind])

    def missing(self, dice: Sequence[int]) -> tuple[int, ...]:
        """Return how many dice of each kind are missing from a roll; below 0 where too many are."""
        return tuple(
            number - len(self.of_kind(dice, kind)) for kind, (number, _) in enumerate(self.kinds)
        )

    def is_roll(self, dice: Sequence[int]) -> bool:
        """Return whether these are the dice of a roll."""
        if len(dice) != self.dice:
            return False
        if not self.other_dice:
            return min(dice) >= 1 and max(dice) <= self.faces
        return not any(self.missing(dice))

    def every_roll(self) -> Iterator[tuple[int, ...]]:
        """Yield every roll, sorted."""
        of_kind = (
            combinations_with_replacement(shown, number)
            for (number, _), shown in zip(self.kinds, self.symbols, strict=True)
        )
        return (tuple(die for part in parts for die in part) for parts in product(*of_kind))

    @cached_property
    def alike(self) -> tuple[tuple[int, ...], ...]:
        """The rolls whose dice all show the same number, by that number."""
        numbers, symbols, kinds, rolls = self.numbers, self.symbols, self.kinds, []
        for number in sorted(set(numbers)):
            of_kind = [[s for s in one if numbers[s - 1] == number] for one in symbols]
            if all(of_kind):
                dice = ((s,) * n for (s,), (n, _) in zip(of_kind, kinds, strict=True))
                rolls.append(tuple(die for part in dice for die in part))
        return tuple(rolls)
