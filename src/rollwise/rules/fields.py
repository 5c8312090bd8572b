"""The fields that the rules of a game and the content of a rule file have in common."""

from typing import Annotated

from pydantic import Field, StringConstraints

from rollwise.rules.card import MAX_CATEGORIES, Category, ExtraBonus, Joker, Key, Text, UpperBonus
from rollwise.rules.columns import Columns, Order
from rollwise.rules.dice import MAX_DICE, MAX_FACES, OtherDice
from rollwise.rules.patterns import Frozen
from rollwise.rules.variants import Dispute

MAX_ROLLS = 20
MAX_EXTRA_ROLLS, MAX_DISPUTED, MAX_SOURCES = 20, 20, 20


class RuleFields(Frozen, defer_build=True):  # only subclasses need a validator
    """The fields of :class:`rollwise.rules.Rules`, which describes them."""

    name: Key
    title: Annotated[Text, StringConstraints(min_length=1, max_length=120)]
    about: Text = ""
    sources: Annotated[tuple[Text, ...], Field(max_length=MAX_SOURCES, strict=False)] = ()
    dice: Annotated[int, Field(ge=1, le=MAX_DICE)]
    faces: Annotated[int, Field(ge=2, le=MAX_FACES)]
    other_dice: Annotated[tuple[OtherDice, ...], Field(max_length=3, strict=False)] = ()
    rolls: Annotated[int, Field(ge=1, le=MAX_ROLLS)]
    order: Order = "free"
    saves_rolls: bool = False
    extra_rolls: Annotated[int, Field(ge=0, le=MAX_EXTRA_ROLLS)] = 0
    columns: Columns = ()
    upper_bonus: UpperBonus | None = None
    extra_bonus: ExtraBonus | None = None
    joker: Joker | None = None
    categories: Annotated[
        tuple[Category, ...], Field(min_length=1, max_length=MAX_CATEGORIES, strict=False)
    ]
    disputed: Annotated[tuple[Dispute, ...], Field(max_length=MAX_DISPUTED, strict=False)] = ()
