"""Slots: several equal categories that are defined by a single entry of a rule file.

``slots = 4`` defines four categories that are filled in a fixed order. A score has the same effect
in every slot, so the fixed order does not limit the player, and it avoids equivalent states. If
``after`` names a category with slots, the category is filled after the last slot.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rollwise.errors import quoted

MAX_SLOTS = 8

RuleTable = Mapping[str, Any]
"""A table of a rule file."""


def slot_errors(data: RuleTable) -> Iterator[tuple[str, str]]:
    """Yield the location and the text of each error in the numbers and names of slots."""
    categories = _categories(data)
    for index, category in categories.items():
        slots = category.get("slots", 1)
        if not _is_slots(slots):
            expected = f"a whole number of 1 to {MAX_SLOTS}, got {quoted(slots)}"
            yield f"categories.{index}.slots", f"expected {expected}"
        elif slots > 1 and data.get("order", "free") != "free":
            beside = f"order = {quoted(data['order'])}"
            yield f"categories.{index}.slots", f"expected one table for each slot with {beside}"
    slot_of = {
        slot[part]: _word(category, "key")
        for category in categories.values()
        for slot in _slots(category)[1:]
        for part in ("key", "code")
        if part in slot
    }
    for index, category in categories.items():
        for part in ("key", "code"):
            if (word := _word(category, part)) in slot_of:
                taken = f"{word!r} is taken by a slot of {slot_of[word]!r}"
                yield f"categories.{index}.{part}", f"{taken}: keys and codes must be unique"
    named = {f"categories.{index}.after": _word(c, "after") for index, c in categories.items()}
    for part in ("extra_bonus", "joker"):
        named[f"{part}.box"] = _word(data.get(part), "box")
    for place, word in named.items():
        if word in slot_of:
            yield (
                place,
                f"{word!r} is a single slot: expected {slot_of[word]!r}, which has all of them",
            )


def without_slots(data: RuleTable) -> dict[str, Any]:
    """Return a rule file's data with a single slot for each category."""
    return _with_categories(data, lambda category: [_first_slot(category)])


def expand_slots(data: RuleTable) -> dict[str, Any]:
    """Return a rule file's data with one category for each slot."""
    last = {
        _word(category, "key"): _slots(category)[-1].get("key")
        for category in _categories(data).values()
    }

    def expand(category: RuleTable) -> list[dict[str, Any]]:
        after = _word(category, "after")
        return _slots({**category, "after": last[after]} if after in last else category)

    return _with_categories(data, expand)


def place_written(data: RuleTable, place: str) -> str:
    """Convert a location in the result of :func:`expand_slots` to a location in the file."""
    list_, _, rest = place.partition(".")
    number, _, part = rest.partition(".")
    if list_ != "categories" or not number:
        return place
    written = [index for index, category in _categories(data).items() for _ in _slots(category)]
    return f"categories.{written[int(number)]}.{part}"


def _is_slots(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= MAX_SLOTS


def _word(table: object, part: str) -> str:
    """Return a string in a table, or an empty string if the key is missing or not a string."""
    word = table.get(part) if isinstance(table, dict) else None
    return word if isinstance(word, str) else ""


def _categories(data: RuleTable) -> dict[int, dict[str, Any]]:
    """Return the categories that are tables, by index; other entries are invalid."""
    listed = data.get("categories")
    places = enumerate(listed if isinstance(listed, list) else [])
    return {index: category for index, category in places if isinstance(category, dict)}


def _with_categories(
    data: RuleTable, change: Callable[[RuleTable], list[dict[str, Any]]]
) -> dict[str, Any]:
    listed = data.get("categories")
    if not isinstance(listed, list):
        return dict(data)
    changed = [change(raw) if isinstance(raw, dict) else [raw] for raw in listed]
    return {**data, "categories": [category for expanded in changed for category in expanded]}


def _first_slot(category: RuleTable) -> dict[str, Any]:
    return {key: value for key, value in category.items() if key != "slots"}


def _slots(category: RuleTable) -> list[dict[str, Any]]:
    """Return one category for each slot; the first slot keeps the key, the title, and the code."""
    categories = [_first_slot(category)]
    slots, key, code = category.get("slots", 1), _word(category, "key"), _word(category, "code")
    for slot in range(2, (slots if _is_slots(slots) else 1) + 1):
        own = {"key": f"{key}-{slot}", "title": f"{category.get('title')} {slot}"}
        if code:
            own["code"] = f"{code}{slot}"
        categories.append({**categories[0], **own, "after": categories[-1].get("key")})
    return categories
