"""Where a game solved for the final score starts from."""

from dataclasses import dataclass

from rollwise.game.position import Position
from rollwise.model.arrays import Model
from rollwise.solving.place import CardPlace


@dataclass(frozen=True)
class Start:
    """A card to start from, with one score or several consecutive ones.

    Attributes
    ----------
    c, lane : int
        Class and lane.
    low, high : int
        Scores ``low .. high - 1``, an upper bonus already earned not counted.
    """

    c: int = 0
    lane: int = 0
    low: int = 0
    high: int = 1

    @classmethod
    def of(cls, model: Model, position: Position) -> "Start":
        """Return the card of a position."""
        place = CardPlace.of_card(model, position)
        return cls(place.c, place.lane, place.score, place.score + 1)


EMPTY_CARD = Start()
"""Before the first roll of a game."""
