"""What stands on a card: categories, bonuses, jokers."""

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from rollwise.rules.patterns import MAX_LISTED, FaceDice, Frozen, Pattern

MAX_CATEGORIES = 32

KEY, CODE = r"^[a-z][a-z0-9-]*$", r"^[a-z0-9]{1,4}$"
PRINTS = r"^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$"  # nothing that could steer a terminal

Key = Annotated[str, StringConstraints(pattern=KEY, max_length=40)]
Code = Annotated[str, StringConstraints(pattern=CODE)]
Text = Annotated[str, StringConstraints(pattern=PRINTS, max_length=2_000)]
Amount = Annotated[int, Field(ge=0, le=10_000)]
Positive = Annotated[int, Field(ge=1, le=10_000)]


class Category(Frozen):
    """One box of the card: the pattern it asks for and the points that a fitting roll earns.

    ``points`` is a fixed number, one such number for each roll of a turn (the dice may be left as
    they are until a roll that pays more), ``"matched"`` (the dice that make up the pattern, chosen
    for the most points) or ``"total"`` (all dice). A die is worth its face, or ``worth[face - 1]``;
    the sum counts ``times`` times, and ``plus`` is added. A roll that does not fit scores 0. The
    box ``after`` has to be filled first. In a game of several it stands in one ``column``.
    """

    key: Key
    code: Code | None = None
    title: Annotated[Text, StringConstraints(min_length=1, max_length=60)]
    section: Literal["upper", "lower"] = "lower"
    pattern: Pattern
    points: (
        Amount
        | Annotated[tuple[Amount, ...], Field(max_length=MAX_LISTED, strict=False)]
        | Literal["matched", "total"]
    )
    times: Annotated[int, Field(ge=1, le=100)] = 1
    plus: Amount = 0
    worth: Annotated[tuple[Amount, ...], Field(max_length=MAX_LISTED, strict=False)] | None = None
    after: Key | None = None
    column: Key | None = None

    def most_points(self, dice: int, highest: int) -> int:
        """Return a number of points that no roll of so many dice, of numbers so high, exceeds."""
        if isinstance(self.points, int):
            return self.points
        if isinstance(self.points, tuple):
            return max(self.points)
        if isinstance(self.pattern, FaceDice) and self.points == "matched":
            highest = self.pattern.face
        return dice * (max(self.worth) if self.worth else highest) * self.times + self.plus

    def fixed_points(self, roll: int) -> int | None:
        """Return the fixed points of a fitting roll, the ``roll``-th of its turn; None if none.

        Whoever keeps all dice comes to a later roll with them. That can wait until no die is to be
        thrown any more: to let a roll pass first and throw then brings nothing that to throw first
        and let a roll pass then does not. So a roll is worth the most of its number and later ones.
        """
        if isinstance(self.points, tuple):
            return max(self.points[roll - 1 :])
        return self.points if isinstance(self.points, int) else None


class Step(Frozen):
    """``points`` in all from ``threshold`` on."""

    threshold: Annotated[int, Field(ge=1, le=1_000)]
    points: Positive


class UpperBonus(Step):
    """``points`` once the upper section totals ``threshold`` or more; ``higher`` steps, if any."""

    higher: Annotated[tuple[Step, ...], Field(max_length=10, strict=False)] = ()

    @model_validator(mode="after")
    def _steps_rise(self) -> Self:
        for low, high in pairwise(self.steps):
            if high.threshold <= low.threshold or high.points <= low.points:
                raise ValueError("higher steps in rising order, each for more points")
        return self

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, the lowest first."""
        return (self, *self.higher)

    @property
    def cap(self) -> int:
        """The total beyond which nothing is gained."""
        return self.steps[-1].threshold

    def next_step(self, total: int) -> int:
        """Return the total that the next step needs, or the last one if all are reached."""
        return next((step.threshold for step in self.steps if total < step.threshold), self.cap)

    def at(self, total: int) -> int:
        """Return the bonus for this total of the upper section."""
        return max((s.points for s in self.steps if total >= s.threshold), default=0)


class ExtraBonus(Frozen):
    """``points`` for every further roll of all dice alike once ``box`` holds points.

    ``anywhere`` it is scored, or only in the ``own-box``: an upper box of its face.
    """

    box: Key
    points: Positive
    where: Literal["anywhere", "own-box"] = "anywhere"


class Joker(Frozen):
    """All dice alike fit any lower box, once ``box`` and the upper box of their face are filled.

    ``free``: the player scores it wherever he likes. ``forced``: while ``box`` is filled, such a
    roll goes to the matching upper box if that is open, else to an open lower box, else to any.
    ``lower``: while ``box`` is filled, it goes to an open lower box, also if the upper box of its
    face is open; else to any box, and scores nothing in the upper section.
    """

    box: Key
    policy: Literal["free", "forced", "lower"]
