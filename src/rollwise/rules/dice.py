"""Dice of one or several kinds: their symbols and their possible rolls.

Each face of a die has a *symbol*. Ordinary dice have the symbols 1, 2, …. Dice of other kinds have
different symbols, so keeping a 3 of one kind differs from keeping a 3 of another kind.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, pairwise, product
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import Field, model_validator

from rollwise.errors import counted
from rollwise.rules.patterns import Frozen

MAX_DICE, MAX_FACES, MAX_NUMBER = 12, 20, 99

Number = Annotated[int, Field(ge=0, le=MAX_NUMBER)]


class OtherDice(Frozen):
    """Dice of another kind, with ``numbers`` on their faces, in increasing order."""

    dice: Annotated[int, Field(ge=1, le=MAX_DICE)]
    numbers: Annotated[tuple[Number, ...], Field(min_length=2, max_length=MAX_FACES, strict=False)]

    @model_validator(mode="after")
    def _numbers_rise(self) -> Self:
        if any(high <= low for low, high in pairwise(self.numbers)):
            raise ValueError("different numbers in increasing order")
        return self


class DiceRules:
    """The part of the rules that defines the dice."""

    if TYPE_CHECKING:  # the fields of the rules
        dice: int
        faces: int
        other_dice: tuple[OtherDice, ...]

    @cached_property
    def kinds(self) -> tuple[tuple[int, int], ...]:
        """The number of dice and the number of faces of each kind, with ordinary dice first."""
        others = [(other.dice, len(other.numbers)) for other in self.other_dice]
        return ((self.dice - sum(dice for dice, _ in others), self.faces), *others)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The number that each symbol shows, starting with symbol 1."""
        others = (number for other in self.other_dice for number in other.numbers)
        return (*range(1, self.faces + 1), *others)

    @cached_property
    def symbols(self) -> tuple[range, ...]:
        """The symbols of each kind of dice."""
        first = 1
        ranges = []
        for _, faces in self.kinds:
            ranges.append(range(first, first + faces))
            first += faces
        return tuple(ranges)

    @cached_property
    def symbol_of_number(self) -> tuple[dict[str, int], ...]:
        """A mapping from numbers (as strings) to symbols, for each kind of dice."""
        return tuple({str(self.numbers[s - 1]): s for s in symbols} for symbols in self.symbols)

    @cached_property
    def dice_in_words(self) -> str:
        """A description of the dice and their faces, for error messages."""
        number = self.kinds[0][0]
        plain = f"{counted(number, 'die', 'dice')} with faces 1 to {self.faces}"
        others = (
            f" and {other.dice} with {', '.join(map(str, other.numbers))}"
            for other in self.other_dice
        )
        return plain + "".join(others)

    def shown(self, dice: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers on the dice, given their symbols."""
        if not self.other_dice:
            return tuple(dice)
        numbers = self.numbers
        return tuple(numbers[die - 1] for die in dice)

    def of_kind(self, dice: Sequence[int], kind: int) -> tuple[int, ...]:
        """Return the given dice that belong to the kind with the index ``kind``."""
        return tuple(die for die in dice if die in self.symbols[kind])

    def missing(self, dice: Sequence[int]) -> tuple[int, ...]:
        """Return how many dice of each kind are missing, as a negative number for surplus dice."""
        return tuple(
            number - len(self.of_kind(dice, kind)) for kind, (number, _) in enumerate(self.kinds)
        )

    def is_roll(self, dice: Sequence[int]) -> bool:
        """Return whether the dice are a full roll."""
        if len(dice) != self.dice:
            return False
        if not self.other_dice:
            return min(dice) >= 1 and max(dice) <= self.faces
        return not any(self.missing(dice))

    def every_roll(self) -> Iterator[tuple[int, ...]]:
        """Yield every roll as a sorted tuple of symbols."""
        of_kind = (
            combinations_with_replacement(shown, number)
            for (number, _), shown in zip(self.kinds, self.symbols, strict=True)
        )
        return (tuple(die for part in parts for die in part) for parts in product(*of_kind))

    @cached_property
    def alike(self) -> tuple[tuple[int, ...], ...]:
        """The rolls in which all dice show the same number, sorted by number."""
        numbers, symbols, kinds, rolls = self.numbers, self.symbols, self.kinds, []
        for number in sorted(set(numbers)):
            of_kind = [[s for s in kind if numbers[s - 1] == number] for kind in symbols]
            if all(of_kind):
                dice = ((s,) * n for (s,), (n, _) in zip(of_kind, kinds, strict=True))
                rolls.append(tuple(die for part in dice for die in part))
        return tuple(rolls)
