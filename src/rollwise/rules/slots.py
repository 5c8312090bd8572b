"""Categories that are filled several times: written once in a rule file, one box each on the card.

``slots = 4`` stands for four boxes, each to be filled after the one before it. In which of them a
score stands makes no difference, so that this order loses nothing and counts each card once.
"""

from collections.abc import Iterator, Mapping
from typing import Any

MAX_SLOTS = 8


def slot_mistakes(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (place, what is wrong) for numbers of slots that are none."""
    for index, category in enumerate(_categories(data)):
        slots = category.get("slots", 1)
        if not isinstance(slots, int) or isinstance(slots, bool) or not 1 <= slots <= MAX_SLOTS:
            place = f"categories.{index}.slots"
            yield place, f"expected a whole number of 1 to {MAX_SLOTS}, got {slots!r:.40}"


def without_slots(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a rule file as if each category had one slot."""
    return _with_categories(data, lambda category: [_box(category)])


def expand_slots(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a rule file with one category a slot."""
    return _with_categories(data, lambda category: list(_boxes(category)))


def _categories(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    listed = data.get("categories")
    return [c for c in listed if isinstance(c, dict)] if isinstance(listed, list) else []


def _with_categories(data: Mapping[str, Any], change: Any) -> dict[str, Any]:
    listed = data.get("categories")
    if not isinstance(listed, list):
        return dict(data)
    changed = [change(raw) if isinstance(raw, dict) else [raw] for raw in listed]
    return {**data, "categories": [box for boxes in changed for box in boxes]}


def _box(category: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in category.items() if key != "slots"}


def _boxes(category: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    box = _box(category)
    yield box
    for slot in range(2, category.get("slots", 1) + 1):
        number = f"{slot}"
        own = {"key": f"{box['key']}-{number}", "title": f"{box['title']} {number}"}
        if box.get("code") is not None:
            own["code"] = f"{box['code']}{number}"
        before = f"{box['key']}-{slot - 1}" if slot > 2 else box["key"]
        yield {**box, **own, "after": before}
