"""Dice of other kinds, which have other numbers on their faces than ordinary dice.

Each face of a die has a *symbol*. Ordinary dice have the symbols 1, 2, …. Dice of other kinds have
different symbols, so keeping a 3 of one kind differs from keeping a 3 of another kind.
"""

from itertools import pairwise
from typing import Annotated, Self

from pydantic import Field, model_validator

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
