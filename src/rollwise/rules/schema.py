"""The schema of game rules, and the presets that come with rollwise."""

import tomllib
from functools import cache, cached_property
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, StringConstraints, model_validator

from rollwise.errors import InputError, one_of, quoted
from rollwise.notebook import html_table
from rollwise.rules.card import MAX_CATEGORIES, Category, ExtraBonus, Joker, Key, Text, UpperBonus
from rollwise.rules.columns import ColumnRules, Columns, Order, expand_categories
from rollwise.rules.dice import MAX_DICE, MAX_FACES, OtherDice
from rollwise.rules.inheritance import merge
from rollwise.rules.patterns import FaceDice, Frozen
from rollwise.rules.validation import contradictions
from rollwise.rules.variants import Dispute

MAX_ROLLS = 20
MAX_EXTRA_ROLLS, MAX_DISPUTED, MAX_SOURCES = 20, 20, 20


class Rules(Frozen, ColumnRules):
    """The rules of a roll-and-keep dice game with one turn for each category.

    In a turn, the player rolls all dice, then keeps any of them and rerolls the rest, with up to
    ``rolls`` rolls in total. The player then scores the dice in an open category.

    Attributes
    ----------
    name : str
        The short name of the game: lower-case letters, digits, and hyphens.
    title, about : str
        The title of the game, and remarks about the game.
    sources : tuple of str
        The sources of the rules.
    dice : int
        The number of dice, including dice of other kinds.
    faces : int
        The number of faces of ordinary dice, which show 1, 2, ….
    other_dice : tuple of OtherDice
        The dice with other numbers on their faces.
    rolls : int
        The number of rolls in a turn, including the first.
    order : {"free", "card", "upward"}
        The filling order: any order, from top to bottom, or from bottom to top.
    saves_rolls : bool
        Whether the unused rolls of a turn are saved for later turns.
    extra_rolls : int
        The number of extra rolls in a game. Each turn can use at most one extra roll.
    columns : tuple of Column
        The columns, if any; ``categories`` then lists the categories column by column.
    upper_bonus : UpperBonus or None
        The upper bonus of each column.
    extra_bonus : ExtraBonus or None
        The n-of-a-kind bonus.
    joker : Joker or None
        The joker rule.
    categories : tuple of Category
        The categories in scorecard order.
    disputed : tuple of Dispute
        The rule variants.

    Raises
    ------
    pydantic.ValidationError
        If a field is invalid or the fields contradict each other.
        :func:`rollwise.rules.parse_rules` raises a :class:`rollwise.rules.RulesError` instead,
        which lists every error.

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
            f"{place}: {sentence}"
            for place, sentence in contradictions(
                dict(enumerate(self.categories)),
                dice=self.dice,
                faces=self.faces,
                other_dice=self.other_dice,
                rolls=self.rolls,
                order=self.order,
                saves_rolls=self.saves_rolls,
                extra_rolls=self.extra_rolls,
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
        fields = self.model_dump(exclude_defaults=True)
        return f"Rules({', '.join(f'{part}={value!r}' for part, value in fields.items())})"

    def __eq__(self, other: object) -> bool:
        return self is other or super().__eq__(
            other
        )  # usually the same object; comparing fields is slow

    def __hash__(self) -> int:
        # Hashing all fields takes longer than most lookups, and these fields identify most games.
        return hash(
            (self.name, self.title, self.dice, self.faces, self.rolls, len(self.categories))
        )

    def __str__(self) -> str:
        return self.title

    @property
    def named(self) -> "Rules | str":
        """The name of the preset with these rules, or the rules themselves if there is no preset.

        :func:`rollwise.rules.as_rules` is the inverse.
        """
        return self.name if self == preset(self.name) else self

    def __copy__(self) -> Self:
        # Drop the cached properties, because the fields of the copy can change.
        copied = super().__copy__()
        for cached in vars(copied).keys() - type(self).model_fields.keys():
            del vars(copied)[cached]
        return copied

    def _repr_html_(self) -> str:
        rows = [(c.title, c.key, c.code or "") for c in self.categories]
        return html_table(self.title, rows, ("category", "key", "code"))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The category keys in scorecard order."""
        return tuple(category.key for category in self.categories)

    @cached_property
    def chains(self) -> tuple[tuple[int, ...], ...]:
        """The chains of categories that must be filled in order; a chain can be one category."""
        all_categories = tuple(range(len(self.categories)))
        if self.order != "free":
            return (all_categories if self.order == "card" else all_categories[::-1],)
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
        """For each category, the category that must be filled directly before it, or None."""
        pairs = {k: before for chain in self.chains for before, k in pairwise(chain)}
        return tuple(pairs.get(k) for k in range(len(self.categories)))

    @cached_property
    def counts_rolls(self) -> bool:
        """Whether points depend on the number of the final roll in the turn."""
        return any(isinstance(category.points, tuple) for category in self.categories)

    @property
    def carries_rolls(self) -> bool:
        """Whether the number of rolls in a turn depends on earlier turns."""
        return self.saves_rolls or self.extra_rolls > 0

    @property
    def stops(self) -> bool:
        """Whether the number of rolls that a turn leaves unused affects the game."""
        return self.counts_rolls or self.carries_rolls

    @property
    def unsaved(self) -> Self:
        """The same game without saved or extra rolls."""
        return self.model_copy(update={"saves_rolls": False, "extra_rolls": 0})

    @property
    def saved_name(self) -> str:
        """The name of the saved or extra rolls in messages."""
        return "extra rolls left" if self.extra_rolls else "rolls saved"

    def saved_after(self, turns: int, begun: int | None = None) -> range:
        """Return the possible numbers of saved rolls, or extra rolls left, after ``turns`` turns.

        ``begun`` is the number before these turns (default: the number at the start of a game).
        """
        begun = self.extra_rolls if begun is None else begun
        if self.saves_rolls:
            return range(0 if turns else begun, begun + turns * (self.rolls - 1) + 1)
        return range(max(begun - turns, 0), begun + 1)

    def rolls_with(self, saved: int) -> int:
        """Return the maximum number of rolls in a turn, given the saved or extra rolls."""
        return self.rolls + (saved if self.saves_rolls else min(saved, 1))

    def most_rolls(self, turns: int) -> int:
        """Return the maximum number of rolls in the turn that follows ``turns`` turns."""
        return self.rolls_with(self.saved_after(turns)[-1])

    def saved_then(self, saved: int, rolls_left: int) -> int:
        """Return the number of saved rolls, or extra rolls left, after a turn.

        The turn starts with ``saved`` saved or extra rolls, and ends with ``rolls_left`` rolls
        left.
        """
        if self.saves_rolls:
            return rolls_left
        return saved - (1 if saved > 0 and rolls_left == 0 else 0)

    def category_index(self, word: str) -> int:
        """Return the index of the category with this key or code.

        Raises
        ------
        InputError
            If no category has this key or code.
        """
        index = self._index.get(word)
        if index is None:
            expected = one_of(self.keys, word, "a category")
            raise InputError(f"unknown category {quoted(word)} in {self.name}; expected {expected}")
        return index

    @cached_property
    def _index(self) -> dict[str, int]:
        """The index of each category, by key and by code."""
        by_code = {c.code: k for k, c in enumerate(self.categories) if c.code is not None}
        return by_code | {key: k for k, key in enumerate(self.keys)}

    def upper_categories(self, face: int) -> tuple[int, ...]:
        """Return the indexes of the upper categories for a face; there can be several or none."""
        return tuple(
            index
            for index, category in enumerate(self.categories)
            if category.section == "upper"
            and isinstance(category.pattern, FaceDice)
            and category.pattern.face == face
        )


def preset(name: str) -> Rules | None:
    """Return the rules of a preset, or None if there is no preset with this name."""
    return _read_preset(name) if name in preset_names() else None


@cache
def preset_names() -> tuple[str, ...]:
    """Return the sorted names of the presets.

    Examples
    --------
    >>> preset_names()[:3]
    ('balut', 'crag', 'generala')
    """
    presets = resources.files("rollwise.rules").joinpath("presets").iterdir()
    names = (Path(entry.name) for entry in presets)
    return tuple(sorted(name.stem for name in names if name.suffix == ".toml"))


@cache  # only called with existing names, so the cache stays small
def _read_preset(name: str) -> Rules:
    return Rules.model_validate(expand_categories(preset_data(name)))


def preset_data(name: str) -> dict[str, Any]:
    """Return the complete data of a preset's rule file, including the data of its base."""
    data = tomllib.loads(preset_text(name))
    return merge(preset_data(data["base"]), data, data["base"]).data if "base" in data else data


def preset_text(name: str) -> str:
    """Return the content of a preset's rule file."""
    file = resources.files("rollwise.rules").joinpath("presets", f"{name}.toml")
    return file.read_text(encoding="utf-8")
