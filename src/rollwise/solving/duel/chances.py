"""The chances of a player against another one."""

from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

Number = TypeVar("Number", float, Fraction)


class Chances(NamedTuple, Generic[Number]):
    """The chances of one player; they sum to one.

    Attributes
    ----------
    win, tie, loss : float or Fraction
    """

    win: Number
    tie: Number
    loss: Number

    @property
    def of_the_other(self) -> "Chances[Number]":
        """The same game as the other player sees it."""
        return Chances(self.loss, self.tie, self.win)
