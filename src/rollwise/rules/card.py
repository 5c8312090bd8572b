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
    """A category: the pattern that a roll must fit, and the points for a roll that fits.

    ``points`` has one of these values:

    * a fixed number;
    * a tuple of fixed numbers, one for each roll of a turn;
    * ``"matched"``: the sum of the dice that make up the pattern (the highest possible sum);
    * ``"total"``: the sum of all dice.

    In a sum, a die counts as its face, or as ``worth[face - 1]`` if ``worth`` is given. The sum is
    multiplied by ``times``, and ``plus`` is added. A roll that does not fit scores 0. The category
    ``after`` must be filled first. In a game with several columns, the category belongs to one
    ``column``.
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
        """Return an upper bound on the points of ``dice`` dice with numbers up to ``highest``."""
        if isinstance(self.points, int):
            return self.points
        if isinstance(self.points, tuple):
            return max(self.points)
        if isinstance(self.pattern, FaceDice) and self.points == "matched":
            highest = self.pattern.face
        return dice * (max(self.worth) if self.worth else highest) * self.times + self.plus

    def fixed_points(self, roll: int) -> int | None:
        """Return the fixed points of a roll that fits, or None if the points depend on the dice.

        ``roll`` is the number of the roll in the turn. A player who keeps all dice has the same
        dice at a later roll, so the points are the maximum over this and all later rolls. Keeping
        all dice before a reroll is never better than keeping all dice after the last reroll.
        """
        if isinstance(self.points, tuple):
            return max(self.points[roll - 1 :])
        return self.points if isinstance(self.points, int) else None


class Step(Frozen):
    """A bonus step: if the upper-section total reaches ``threshold``, the bonus is ``points``.

    The points of lower steps are not added.
    """

    threshold: Annotated[int, Field(ge=1, le=1_000)]
    points: Positive


class UpperBonus(Step):
    """The upper bonus, which consists of its first step and any ``higher`` steps."""

    higher: Annotated[tuple[Step, ...], Field(max_length=10, strict=False)] = ()

    @model_validator(mode="after")
    def _steps_rise(self) -> Self:
        for low, high in pairwise(self.steps):
            if high.threshold <= low.threshold or high.points <= low.points:
                raise ValueError("higher steps in increasing order, each with more points")
        return self

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, starting with the lowest."""
        return (self, *self.higher)

    @property
    def cap(self) -> int:
        """The threshold of the last step, above which the bonus does not grow."""
        return self.steps[-1].threshold

    def next_step(self, total: int) -> int:
        """Return the lowest threshold above ``total``, or the last threshold if there is none."""
        return next((step.threshold for step in self.steps if total < step.threshold), self.cap)

    def at(self, total: int) -> int:
        """Return the bonus for an upper-section total."""
        return max((s.points for s in self.steps if total >= s.threshold), default=0)


class ExtraBonus(Frozen):
    """The n-of-a-kind bonus, where n is the number of dice.

    Once the category ``box`` has more than 0 points, each further n of a kind earns ``points``. If
    ``where`` is ``anywhere``, the roll earns the bonus in any category. If it is ``own-box``, the
    roll must be scored in the upper category of its face.
    """

    box: Key
    points: Positive
    where: Literal["anywhere", "own-box"] = "anywhere"


class Joker(Frozen):
    """The joker rule: n of a kind fits every lower category once certain categories are filled.

    n is the number of dice. ``policy`` is one of these rules:

    * ``free``: If ``box`` and the upper category of the roll's face are filled, the player can
      score a joker in any open category.
    * ``forced``: If ``box`` is filled, the player must score the roll in the upper category of its
      face if that is open, or else in an open lower category, or else in any open category.
    * ``lower``: If ``box`` is filled, the player must score the roll in an open lower category,
      even if the upper category of its face is open. If no lower category is open, the roll scores
      0 in any open category.
    """

    box: Key
    policy: Literal["free", "forced", "lower"]
