"""The rules of a game, and the presets that come with rollwise."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import accumulate, combinations_with_replacement, pairwise, product
from operator import mul
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError, model_validator

from rollwise.errors import InputError, counted, one_of, quoted
from rollwise.notebook import html_table
from rollwise.rules.diagnostics import mistakes
from rollwise.rules.fields import RuleFields
from rollwise.rules.inheritance import RuleTable, merge
from rollwise.rules.patterns import FaceDice
from rollwise.rules.sheet import RuleSheet
from rollwise.rules.validation import MistakesError, contradictions


class Rules(RuleFields, defer_build=False):
    """The rules of a roll-and-keep dice game with one turn for each category.

    In a turn, the player rolls all dice, then keeps any of them and rerolls the rest, with up to
    ``rolls`` rolls in total. The player then scores the dice in an open category.

    Attributes
    ----------
    name : str
        The short name of the game: lower-case letters, digits, and hyphens.
    title : str
        The title of the game.
    about : str
        Remarks about the game.
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
        :func:`rollwise.rules.parse_rules` raises a :class:`rollwise.rules.RulesError` instead.

    Examples
    --------
    >>> rules = load_rules("yahtzee")
    >>> rules.rolls, len(rules.categories), rules.upper_bonus.points
    (3, 13, 35)
    """

    @model_validator(mode="after")
    def _parts_agree(self) -> Self:
        if found := list(contradictions(self)):
            raise MistakesError(found)
        return self

    def __repr__(self) -> str:
        if self.named is not self:
            return f"load_rules({self.name!r})"
        fields = self.model_dump(exclude_defaults=True)
        return f"Rules({', '.join(f'{part}={value!r}' for part, value in fields.items())})"

    def __eq__(self, other: object) -> bool:
        # Usually, both are the same object, and comparing all fields is slow.
        return self is other or super().__eq__(other)

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
        firsts = accumulate((faces for _, faces in self.kinds), initial=1)
        return tuple(range(first, following) for first, following in pairwise(firsts))

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

    @cached_property
    def column_of(self) -> tuple[int, ...]:
        """The index of the column of each category, or 0 in a game without columns."""
        number = {column.key: n for n, column in enumerate(self.columns)}
        return tuple(number.get(str(c.column), 0) for c in self.categories)

    @cached_property
    def row_titles(self) -> tuple[str, ...]:
        """The title of each category, without the title of its column."""
        columns = self.columns or (None,)
        return tuple(
            category.title.removesuffix(f" ({column.title})" if column else "")
            for category, column in zip(
                self.categories, (columns[n] for n in self.column_of), strict=True
            )
        )

    @cached_property
    def column_categories(self) -> tuple[tuple[int, ...], ...]:
        """The indexes of each column's categories; a game without columns has a single column."""
        return tuple(
            tuple(k for k, column in enumerate(self.column_of) if column == n)
            for n in range(max(len(self.columns), 1))
        )

    @property
    def upper_cap(self) -> int:
        """The upper-section total above which a column's bonus does not grow, or 0."""
        return self.upper_bonus.cap if self.upper_bonus else 0

    @cached_property
    def upper_steps(self) -> tuple[int, ...]:
        """The weight of each column's upper-section total in the upper number."""
        sizes = [most + 1 for most in self._most_upper]
        return tuple(accumulate(sizes[:0:-1], mul, initial=1))[::-1]

    @cached_property
    def upper_numbers(self) -> int:
        """The number of possible upper numbers."""
        return self.upper_steps[0] * (self._most_upper[0] + 1)

    @property
    def _most_upper(self) -> tuple[int, ...]:
        """The highest upper-section total of each column, or ``upper_cap`` without columns."""
        if self.upper_bonus is None:
            return (0,) * max(len(self.columns), 1)
        if not self.columns:
            return (self.upper_bonus.cap,)
        pairs = list(zip(self.categories, self.column_of, strict=True))
        return tuple(
            sum(
                category.most_points(self.dice, max(self.numbers))
                for category, column in pairs
                if column == number and category.section == "upper"
            )
            for number in range(len(self.columns))
        )

    def upper_number(self, totals: Sequence[int]) -> int:
        """Return the upper number of the columns' totals, after capping each at ``upper_cap``."""
        cap = self.upper_cap
        return sum(min(n, cap) * step for n, step in zip(totals, self.upper_steps, strict=True))

    def upper_totals(self, number: Any) -> tuple[Any, ...]:
        """Return the upper-section total of each column from one or more upper numbers."""
        totals = []
        for step in self.upper_steps:
            total, number = divmod(number, step)
            totals.append(total)
        return tuple(totals)

    def bonus_at(self, number: int) -> int:
        """Return the sum of all columns' upper bonuses for an upper number."""
        bonus = self.upper_bonus
        return sum(map(bonus.at, self.upper_totals(number))) if bonus else 0

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


def rules_of(data: RuleTable) -> Rules:
    """Return the rules that the complete data of a rule file defines.

    Raises
    ------
    MistakesError
        If a field is invalid or the fields contradict each other.
    """
    try:
        sheet = RuleSheet.model_validate(data)
    except ValidationError as error:
        raise MistakesError(list(mistakes(error))) from error
    try:
        return Rules.model_validate(sheet.expanded())
    except ValidationError as error:
        raise MistakesError(sheet.in_file(mistakes(error))) from error


@dataclass(frozen=True)
class RuleFile:
    """The content of a rule file whose rules are valid.

    ``stated`` is the data in the file itself, and ``data`` includes the data of the base.
    """

    text: str
    stated: dict[str, Any]
    base: "RuleFile | None"
    data: dict[str, Any]
    rules: Rules


def preset(name: str) -> Rules | None:
    """Return the rules of a preset, or None if there is no preset with this name."""
    return preset_file(name).rules if name in preset_names() else None


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
def preset_file(name: str) -> RuleFile:
    """Return the rule file of a preset; all callers share it, so none of them may change it."""
    file = resources.files("rollwise.rules").joinpath("presets", f"{name}.toml")
    text = file.read_text(encoding="utf-8")
    data = stated = tomllib.loads(text)
    base = preset_file(stated["base"]) if "base" in stated else None
    if base is not None:
        data = merge(base.data, stated, base.rules.name).data
    return RuleFile(text, stated, base, data, rules_of(data))
