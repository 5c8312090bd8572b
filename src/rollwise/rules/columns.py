"""Games with several columns, each with a separate filling order and upper bonus.

The upper-section totals of all columns are encoded as one number, the *upper number*. Each total is
a digit of this number (in a mixed radix), and the last column is the lowest digit. In a game with
one column, the upper number is the upper-section total.

A rule file states each category once. A category that names no column belongs to every column:
the columns ``down`` and ``up`` turn ``ones`` into ``down-ones`` and ``up-ones`` with the codes
``d1`` and ``u1``. In a column with a fixed order, ``after`` links each category to its neighbor.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from operator import mul
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, StringConstraints

from rollwise.rules.card import Category, Key, Text, UpperBonus
from rollwise.rules.dice import DiceRules
from rollwise.rules.patterns import Frozen
from rollwise.rules.slots import RuleTable, expand_slots, place_written

MAX_COLUMNS = 6

COLUMN_CODE = r"^[a-z]$"

Order = Literal["free", "card", "upward"]
"""The filling order: any order, from top to bottom, or from bottom to top."""


class Column(Frozen):
    """A column of a game; ``code`` is the prefix of its category codes."""

    key: Key
    code: Annotated[str, StringConstraints(pattern=COLUMN_CODE)]
    title: Annotated[Text, StringConstraints(min_length=1, max_length=30)]
    order: Order = "free"


Columns = Annotated[tuple[Column, ...], Field(max_length=MAX_COLUMNS, strict=False)]


class ColumnRules(DiceRules):
    """The part of the rules that defines columns and their upper sections."""

    if TYPE_CHECKING:  # the fields of the rules
        categories: tuple[Category, ...]
        columns: tuple[Column, ...]
        upper_bonus: UpperBonus | None

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


def column_errors(data: RuleTable) -> Iterator[tuple[str, str]]:
    """Yield the location and the error of each key that cannot be combined with columns."""
    for index, category in enumerate(_tables(data, "categories") if data.get("columns") else []):
        for part in ("slots", "after"):
            if part in category:
                yield f"categories.{index}.{part}", "cannot be combined with columns"
    for index, dispute in enumerate(_tables(data, "disputed") if data.get("columns") else []):
        if "categories" in dispute:
            yield f"disputed.{index}.categories", "cannot be combined with columns"


def expand_categories(data: RuleTable) -> dict[str, Any]:
    """Return a rule file's data with one category for each slot and each column."""
    expanded = expand_slots(data)
    columns = _tables(data, "columns")
    if not columns:
        return expanded
    listed = expanded.get("categories")
    pairs = [
        (column, category)
        for column in columns
        for category in (listed if isinstance(listed, list) else [])
        if _belongs_to(category, column)
    ]
    return {**expanded, "categories": _in_order([_in_column(*pair) for pair in pairs], columns)}


def written_place(data: RuleTable, place: str) -> str:
    """Convert a location in the result of :func:`expand_categories` to a location in the file."""
    list_, _, rest = place.partition(".")
    number, _, part = rest.partition(".")
    columns = _tables(data, "columns")
    if not columns or list_ != "categories" or not number:
        return place_written(data, place)
    written = [
        index
        for column in columns
        for index, category in enumerate(data["categories"])
        if _belongs_to(category, column)
    ]
    return f"categories.{written[int(number)]}.{part}"


def _tables(data: RuleTable, part: str) -> list[dict[str, Any]]:
    listed = data.get(part)
    return (
        [table for table in listed if isinstance(table, dict)] if isinstance(listed, list) else []
    )


def _belongs_to(category: object, column: RuleTable) -> bool:
    return isinstance(category, dict) and category.get("column", column.get("key")) == column.get(
        "key"
    )


def _in_column(column: RuleTable, category: RuleTable) -> dict[str, Any]:
    """Return a category with the key, title, and code that it has in a column."""
    own = {
        "key": f"{column.get('key')}-{category.get('key')}",
        "title": f"{category.get('title')} ({column.get('title')})",
        "column": column.get("key"),
    }
    if "code" in category:
        own["code"] = f"{column.get('code')}{category['code']}"
    return {**category, **own}


def _in_order(entries: list[dict[str, Any]], columns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the categories with ``after`` set according to the order of each column."""
    before: dict[str, str] = {}
    for column in columns:
        keys = [entry["key"] for entry in entries if entry["column"] == column.get("key")]
        if column.get("order") == "card":
            before |= dict(pairwise(keys[::-1]))
        if column.get("order") == "upward":
            before |= dict(pairwise(keys))
    return [
        entry | ({"after": before[entry["key"]]} if entry["key"] in before else {})
        for entry in entries
    ]
