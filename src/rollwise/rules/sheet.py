"""The content of a rule file, in which one entry can define several categories.

Slots: ``slots = 4`` defines four equal categories that are filled in a fixed order. A score has the
same effect in every slot, so the fixed order does not limit the player, and it avoids equivalent
states. If ``after`` names a category with slots, the category is filled after the last slot.

Columns: a category that names no column belongs to every column. The columns ``down`` and ``up``
turn ``ones`` into ``down-ones`` and ``up-ones`` with the codes ``d1`` and ``u1``. In a column with
a fixed order, ``after`` links each category to its neighbor.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from rollwise.rules.card import MAX_CATEGORIES, Category
from rollwise.rules.fields import RuleFields
from rollwise.rules.validation import Mistake, MistakesError, Place, boxes, contradictions

MAX_SLOTS = 8

Fields = dict[str, Any]
"""The fields of a category or of the rules of a game."""


def _check_slots(number: object) -> object:
    if type(number) is not int or not 1 <= number <= MAX_SLOTS:
        raise ValueError(f"a whole number of 1 to {MAX_SLOTS}")
    return number


class Entry(Category, defer_build=True):  # only rule sheets are validated
    """An entry of a rule file, which defines one category for each slot or for each column."""

    slots: Annotated[int, BeforeValidator(_check_slots)] = 1

    def fields(self) -> Fields:
        """Return the fields of a category."""
        return {name: getattr(self, name) for name in Category.model_fields}

    def later_slots(self) -> Iterator[Fields]:
        """Yield the fields in which each slot after the first differs from the first slot."""
        for slot in range(2, self.slots + 1):
            code = {"code": f"{self.code}{slot}"} if self.code else {}
            yield {"key": f"{self.key}-{slot}", "title": f"{self.title} {slot}"} | code


class RuleSheet(RuleFields, defer_build=False):
    """The rules of a game as a file and its base state them, with entries instead of categories.

    Validation reports all invalid fields or, if all fields are valid, all contradictions.
    """

    categories: Annotated[
        tuple[Entry, ...], Field(min_length=1, max_length=MAX_CATEGORIES, strict=False)
    ]

    @model_validator(mode="after")
    def _parts_agree(self) -> Self:
        of_sheet = dict([*_slot_mistakes(self), *_column_mistakes(self)])
        between = (mistake for mistake in contradictions(self) if mistake[0] not in of_sheet)
        if found := [*of_sheet.items(), *between]:
            raise MistakesError(found)
        return self

    def expanded(self) -> Fields:
        """Return the fields of the rules, with the fields of each category."""
        fields = {name: getattr(self, name) for name in RuleFields.model_fields}
        return fields | {"categories": [category for _, category in self._expanded()]}

    def in_file(self, mistakes: Iterable[Mistake]) -> list[Mistake]:
        """Return mistakes in the expanded rules with their places in the file."""
        entry = [index for index, _ in self._expanded()]
        found = dict[Mistake, None]()
        for place, sentence in mistakes:
            match place:
                case ("categories", int(index), *rest):
                    place = ("categories", entry[index], *rest)
            found[place, sentence] = None
        return list(found)

    def _expanded(self) -> Iterator[tuple[int, Fields]]:
        """Yield the index of the entry and the fields of each category."""
        return self._in_columns() if self.columns else self._in_slots()

    def _in_slots(self) -> Iterator[tuple[int, Fields]]:
        last: dict[str | None, str] = {
            entry.key: f"{entry.key}-{entry.slots}" for entry in self.categories if entry.slots > 1
        }
        for index, entry in enumerate(self.categories):
            fields = entry.fields() | {"after": last.get(entry.after, entry.after)}
            yield index, fields
            for own in entry.later_slots():
                fields = fields | own | {"after": fields["key"]}
                yield index, fields

    def _in_columns(self) -> Iterator[tuple[int, Fields]]:
        for column in self.columns:
            entries = [
                (f"{column.key}-{entry.key}", index, entry)
                for index, entry in enumerate(self.categories)
                if entry.column in (None, column.key)
            ]
            keys = [key for key, _, _ in entries]
            if column.order == "card":
                keys.reverse()
            before = {} if column.order == "free" else dict(pairwise(keys))
            for key, index, entry in entries:
                own = {
                    "key": key,
                    "title": f"{entry.title} ({column.title})",
                    "code": entry.code and f"{column.code}{entry.code}",
                    "column": column.key,
                    "after": before.get(key),
                }
                yield index, entry.fields() | own


def _slot_mistakes(sheet: RuleSheet) -> Iterator[Mistake]:
    slot_of: dict[str | None, str] = {
        own[part]: entry.key
        for entry in sheet.categories
        for own in entry.later_slots()
        for part in ("key", "code")
        if part in own
    }
    named: list[tuple[Place, str | None]] = [*boxes(sheet)]
    for index, entry in enumerate(sheet.categories):
        place: Place = ("categories", index)
        if entry.slots > 1 and sheet.order != "free":
            beside = f"order = {sheet.order!r}"
            yield (*place, "slots"), f"expected one table for each slot with {beside}"
        for part, word in (("key", entry.key), ("code", entry.code)):
            if word in slot_of:
                taken = f"{word!r} is taken by a slot of {slot_of[word]!r}"
                yield (*place, part), f"{taken}: keys and codes must be unique"
        named.append(((*place, "after"), entry.after))
    for place, word in named:
        if word in slot_of:
            expected = f"expected {slot_of[word]!r}, which has all of them"
            yield place, f"{word!r} is a single slot: {expected}"


def _column_mistakes(sheet: RuleSheet) -> Iterator[Mistake]:
    for index, entry in enumerate(sheet.categories if sheet.columns else ()):
        for part in ("slots", "after"):
            if part in entry.model_fields_set:
                yield ("categories", index, part), "cannot be combined with columns"
    for index, dispute in enumerate(sheet.disputed if sheet.columns else ()):
        if "categories" in dispute.model_fields_set:
            yield ("disputed", index, "categories"), "cannot be combined with columns"
