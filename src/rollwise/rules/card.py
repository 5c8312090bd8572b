"""The parts of a scorecard in a rule file: categories, bonuses, and the joker rule."""

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from rollwise.rules.patterns import MAX_LISTED, FaceDice, Frozen, Pattern

MAX_CATEGORIES = 32

KEY, CODE = r"^[a-z][a-z0-9-]*$", r"^[a-z0-9]{1,4}$"
PRINTS = r"^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$"  # no control characters

Key = Annotated[str, StringConstraints(pattern=KEY, max_length=40)]
Code = Annotated[str, StringConstraints(pattern=CODE)]
Text = Annotated[str, StringConstraints(pattern=PRINTS, max_length=2_000)]
Amount = Annotated[int, Field(ge=0, le=10_000)]
Positive = Annotated[int, Field(ge=1, le=10_000)]


class Category(Frozen):
    """One category: the pattern that a roll must fit, and the points for a roll that fits.

    ``points`` is a fixed number, a tuple with one number for each roll of a turn (later rolls may
    pay more), ``"matched"`` (the dice that make up the pattern, chosen for the most points) or
    ``"total"`` (all dice). A die counts its face, or ``worth[face - 1]``; the sum is multiplied by
    ``times``, and ``plus`` is added. A roll that does not fit scores 0. The category ``after`` must
    be filled first. In a game with several columns, the category belongs to one ``column``.
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
        """Return an upper bound on the points of a roll of ``dice`` dice up to ``highest``."""
        if isinstance(self.points, int):
            return self.points
        if isinstance(self.points, tuple):
            return max(self.points)
        if isinstance(self.pattern, FaceDice) and self.points == "matched":
            highest = self.pattern.face
        return dice * (max(self.worth) if self.worth else highest) * self.times + self.plus

    def fixed_points(self, roll: int) -> int | None:
        """Return the fixed points of a fitting roll, or None if they depend on the dice.

        ``roll`` is the number of the roll in its turn. A player who keeps all dice reaches a later
        roll with the same dice, so a roll scores the maximum over its own number and all later
        ones. Passing before a reroll is never better than passing after the last reroll.
        """
        if isinstance(self.points, tuple):
            return max(self.points[roll - 1 :])
        return self.points if isinstance(self.points, int) else None


class Step(Frozen):
    """A bonus of ``points`` in total, once the upper section reaches ``threshold``."""

    threshold: Annotated[int, Field(ge=1, le=1_000)]
    points: Positive


class UpperBonus(Step):
    """The upper bonus: ``points`` from ``threshold`` on, and optional ``higher`` steps."""

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
        """The total of the last step; a higher total earns no more."""
        return self.steps[-1].threshold

    def next_step(self, total: int) -> int:
        """Return the threshold of the next step, or the last threshold if all are reached."""
        return next((step.threshold for step in self.steps if total < step.threshold), self.cap)

    def at(self, total: int) -> int:
        """Return the bonus for an upper-section total."""
        return max((s.points for s in self.steps if total >= s.threshold), default=0)


class ExtraBonus(Frozen):
    """The n-of-a-kind bonus: ``points`` for each n of a kind rolled after ``box`` holds points.

    It is earned in any category (``anywhere``), or only in the upper category of the roll's face
    (``own-box``).
    """

    box: Key
    points: Positive
    where: Literal["anywhere", "own-box"] = "anywhere"


class Joker(Frozen):
    """The joker rule: n of a kind fits every lower category once other categories are filled.

    ``free``: once ``box`` and the upper category of the roll's face are filled, the player scores a
    joker in any open category. ``forced``: while ``box`` is filled, the roll goes to the upper
    category of its face if that is open, else to an open lower category, else to any. ``lower``:
    while ``box`` is filled, the roll goes to an open lower category even if the upper category of
    its face is open; else to any, and scores nothing in the upper section.
    """

    box: Key
    policy: Literal["free", "forced", "lower"]
