"""The rules of a game as one frozen record.

Games in which a box is announced after the first roll of a turn, which has to end in it.
"""

import tomllib
from functools import cache, cached_property
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from rollwise.errors import InputError, one_of, quoted
from rollwise.rules.card import MAX_CATEGORIES, Category, ExtraBonus, Joker, Key, Text, UpperBonus
from rollwise.rules.columns import Columned, Columns, Order, expand_boxes
from rollwise.rules.dice import MAX_DICE, MAX_FACES, OtherDice
from rollwise.rules.patterns import FaceDice, Frozen
from rollwise.rules.validation import contradictions
from rollwise.rules.variants import Dispute


class Announced:
    """Whether boxes are announced, which not everything knows how to do."""

    if TYPE_CHECKING:  # the fields of the rules
        name: str
        announced: bool

    def check_unannounced(self, what: str) -> None:
        """Refuse something that does not know how a box is announced.

        Raises
        ------
        InputError
            When boxes are announced.
        """
        if self.announced:
            raise InputError(
                f"{self.name}: its boxes are announced: expected a game without announcements "
                f"for {what}"
            )


MAX_ROLLS = 20
MAX_EXTRA_ROLLS, MAX_DISPUTED, MAX_SOURCES = 20, 20, 20


class Rules(Frozen, Columned, Announced):
    """A roll-and-keep dice game, of one turn per category.

    A turn: roll all dice, keep any and reroll the rest, up to ``rolls`` rolls in all, then score
    one open category.

    Attributes
    ----------
    name : str
        Lower-case letters, digits and hyphens.
    title, about : str
        What people call the game, and what is to be said of it.
    sources : tuple of str
    dice : int
        All dice, those of other kinds among them.
    faces : int
        Of the usual dice, from 1 on.
    other_dice : tuple of OtherDice
        Those of the dice that have other numbers.
    rolls : int
        Of a turn, the first among them.
    order : {"free", "card", "upward"}
        Categories are filled in any order, from top to bottom, or from bottom to top.
    saves_rolls : bool
        Whether rolls that a turn did not use may be used in any later one.
    extra_rolls : int
        So many rolls more has a game, of which a turn may take one.
    announced : bool
        Whether a turn has to end in the box that is announced after its first roll.
    columns : tuple of Column
        Where there are several: ``categories`` has the boxes of the first, then of the next.
    upper_bonus : UpperBonus or None
        Of every column.
    extra_bonus : ExtraBonus or None
    joker : Joker or None
    categories : tuple of Category
        The boxes, in card order.
    disputed : tuple of Dispute
        Where others tell the rules differently.

    Raises
    ------
    pydantic.ValidationError
        When a field or the parts together make no game; :func:`rollwise.rules.parse_rules` turns
        it into a :class:`rollwise.rules.RulesError` that lists every mistake.

    Examples
    --------
    >>> rules = load_rules("yahtzee")
    >>> rules.rolls, len(rules.categories), rules.upper_bonus.points
    (3, 13, 35)
    """

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
    announced: bool = False
    columns: Columns = ()
    upper_bonus: UpperBonus | None = None
    extra_bonus: ExtraBonus | None = None
    joker: Joker | None = None
    categories: Annotated[
        tuple[Category, ...], Field(min_length=1, max_length=MAX_CATEGORIES, strict=False)
    ]
    disputed: Annotated[tuple[Dispute, ...], Field(max_length=MAX_DISPUTED, strict=False)] = ()

    @model_validator(mode="after")
    def _parts_agree(self) -> Self:
        mistakes = [
            f"{place}: {what}"
            for place, what in contradictions(
                dict(enumerate(self.categories)),
                dice=self.dice,
                faces=self.faces,
                other_dice=self.other_dice,
                rolls=self.rolls,
                order=self.order,
                saves_rolls=self.saves_rolls,
                extra_rolls=self.extra_rolls,
                announced=self.announced,
                columns=self.columns,
                forces_jokers=self.joker is not None and self.joker.policy != "free",
                upper_bonus=self.upper_bonus is not None,
                boxes={
                    place: part.box
                    for place, part in (("extra_bonus", self.extra_bonus), ("joker", self.joker))
                    if part is not None
                },
            )
        ]
        if mistakes:
            raise ValueError("; ".join(mistakes))
        return self

    def __repr__(self) -> str:
        if self.named is not self:
            return f"load_rules({self.name!r})"
        told = self.model_dump(exclude_defaults=True)
        return f"Rules({', '.join(f'{part}={value!r}' for part, value in told.items())})"

    def __eq__(self, other: object) -> bool:
        return self is other or super().__eq__(other)  # most often they are the same, and long

    def __hash__(self) -> int:
        # Of what most games differ in: all parts take longer to hash than what is looked up by it.
        parts = self.name, self.title, self.dice, self.faces, self.rolls, len(self.categories)
        return hash(parts)

    def __str__(self) -> str:
        return self.title

    @property
    def named(self) -> "Rules | str":
        """Their name if they come with the package, which is enough to tell them; else themselves.

        The other way round: :func:`rollwise.rules.as_rules`.
        """
        return self.name if self == preset(self.name) else self

    def __copy__(self) -> Self:
        # What was worked out of the parts stays behind: the copy may get others.
        copied = super().__copy__()
        for worked_out in vars(copied).keys() - type(self).model_fields.keys():
            del vars(copied)[worked_out]
        return copied

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The category keys in card order."""
        return tuple(category.key for category in self.categories)

    @cached_property
    def chains(self) -> tuple[tuple[int, ...], ...]:
        """The categories in groups of which each has to be filled in order; most are alone."""
        everything = tuple(range(len(self.categories)))
        if self.order != "free":
            return (everything if self.order == "card" else everything[::-1],)
        follower = {c.after: k for k, c in enumerate(self.categories) if c.after is not None}
        chains = []
        for k, category in enumerate(self.categories):
            if category.after is None:
                chain = [k]
                while (last := self.categories[chain[-1]].key) in follower:
                    chain.append(follower[last])
                chains.append(tuple(chain))
        return tuple(chains)

    @cached_property
    def before(self) -> tuple[int | None, ...]:
        """The category to be filled before each one; None where there is none."""
        pairs = {k: before for chain in self.chains for before, k in pairwise(chain)}
        return tuple(pairs.get(k) for k in range(len(self.categories)))

    @cached_property
    def counts_rolls(self) -> bool:
        """Whether points depend on the number of the roll on which a turn ends."""
        return any(isinstance(category.points, tuple) for category in self.categories)

    @property
    def carries_rolls(self) -> bool:
        """Whether how many rolls a turn has depends on the turns before it."""
        return self.saves_rolls or self.extra_rolls > 0

    @property
    def stops(self) -> bool:
        """Whether it matters with how many rolls left a turn ends."""
        return self.counts_rolls or self.carries_rolls

    @property
    def unsaved(self) -> Self:
        """The same game without saved or extra rolls."""
        return self.model_copy(update={"saves_rolls": False, "extra_rolls": 0})

    @property
    def saved_words(self) -> str:
        """What to call the rolls that are at hand beside those of a turn."""
        return "extra rolls left" if self.extra_rolls else "rolls saved"

    def saved_after(self, turns: int, begun: int | None = None) -> range:
        """Return how many rolls can be saved, or extra rolls be left, after so many turns.

        ``begun`` is how many there were before them: those of an empty card unless told.
        """
        begun = self.extra_rolls if begun is None else begun
        if self.saves_rolls:
            return range(0 if turns else begun, begun + turns * (self.rolls - 1) + 1)
        return range(max(begun - turns, 0), begun + 1)

    def rolls_with(self, saved: int) -> int:
        """Return how many rolls a turn may take that begins with so many saved."""
        return self.rolls + (saved if self.saves_rolls else min(saved, 1))

    def most_rolls(self, turns: int) -> int:
        """Return how many rolls a turn may have after so many turns."""
        return self.rolls_with(self.saved_after(turns)[-1])

    def saved_then(self, saved: int, rolls_left: int) -> int:
        """Return how many are saved after a turn that began with ``saved`` and left some rolls."""
        if self.saves_rolls:
            return rolls_left
        return saved - (1 if saved > 0 and rolls_left == 0 else 0)

    def category_index(self, word: str) -> int:
        """Return the index of the category with this key or code.

        Raises
        ------
        ValueError
            When no category is called that.
        """
        index = self._index.get(word)
        if index is None:
            expected = one_of(self.keys, word, "a category")
            raise ValueError(f"no category {quoted(word)} in {self.name}: expected {expected}")
        return index

    @cached_property
    def _index(self) -> dict[str, int]:
        """The index of each category, by key and by code."""
        by_code = {c.code: k for k, c in enumerate(self.categories) if c.code is not None}
        return by_code | {key: k for k, key in enumerate(self.keys)}

    def upper_boxes(self, face: int) -> tuple[int, ...]:
        """Return the upper categories that ask for a number: one, or several, or none."""
        return tuple(
            index
            for index, category in enumerate(self.categories)
            if category.section == "upper"
            and isinstance(category.pattern, FaceDice)
            and category.pattern.face == face
        )


def preset(name: str) -> Rules | None:
    """Return the rules of this name that come with the package, None if there are none."""
    return _read_preset(name) if name in preset_names() else None


@cache
def preset_names() -> tuple[str, ...]:
    """Return the names of the rules that come with the package, sorted.

    Examples
    --------
    >>> preset_names()[:3]
    ('balut', 'crag', 'generala')
    """
    presets = resources.files("rollwise.rules").joinpath("presets").iterdir()
    names = (Path(entry.name) for entry in presets)
    return tuple(sorted(name.stem for name in names if name.suffix == ".toml"))


@cache  # of names that there are: others could be any number
def _read_preset(name: str) -> Rules:
    return Rules.model_validate(expand_boxes(tomllib.loads(preset_text(name))))


def preset_text(name: str) -> str:
    """Return the rule file of rules that come with the package, as it is written."""
    file = resources.files("rollwise.rules").joinpath("presets", f"{name}.toml")
    return file.read_text(encoding="utf-8")
