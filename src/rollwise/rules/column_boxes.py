"""Boxes of several columns: written once in a rule file, one box a column on the card.

A category that names no column stands in all of them: as ``down-ones`` and ``up-ones`` with the
codes ``d1`` and ``u1``. In a column with an order each box comes after the one above or below it.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from rollwise.rules.slots import Written, expand_slots, place_written


def column_mistakes(data: Written) -> Iterator[tuple[str, str]]:
    """Yield (place, what is wrong) for what categories of a file with columns cannot say."""
    for index, category in enumerate(_tables(data, "categories") if "columns" in data else []):
        for part in ("slots", "after"):
            if part in category:
                yield f"categories.{index}.{part}", "cannot stand beside columns"
    for index, dispute in enumerate(_tables(data, "disputed") if "columns" in data else []):
        if "categories" in dispute:
            yield f"disputed.{index}.categories", "cannot stand beside columns"


def expand_boxes(data: Written) -> dict[str, Any]:
    """Return the data of a rule file with one category a box: one a slot, one in each column."""
    expanded = expand_slots(data)
    columns = _tables(data, "columns")
    if not columns:
        return expanded
    listed = expanded.get("categories")
    boxes = [
        (column, category)
        for column in columns
        for category in (listed if isinstance(listed, list) else [])
        if _stands_in(category, column)
    ]
    return {**expanded, "categories": _in_order([_box(*pair) for pair in boxes], columns)}


def box_written(data: Written, place: str) -> str:
    """Return the place in the file of a place among the boxes of :func:`expand_boxes`."""
    list_, _, rest = place.partition(".")
    number, _, part = rest.partition(".")
    columns = _tables(data, "columns")
    if not columns or list_ != "categories" or not number:
        return place_written(data, place)
    written = [
        index
        for column in columns
        for index, category in enumerate(data["categories"])
        if _stands_in(category, column)
    ]
    return f"categories.{written[int(number)]}.{part}"


def _tables(data: Written, part: str) -> list[dict[str, Any]]:
    listed = data.get(part)
    return (
        [table for table in listed if isinstance(table, dict)] if isinstance(listed, list) else []
    )


def _stands_in(category: object, column: Written) -> bool:
    return isinstance(category, dict) and category.get("column", column.get("key")) == column.get(
        "key"
    )


def _box(column: Written, category: Written) -> dict[str, Any]:
    """Return the box of a category in a column."""
    own = {
        "key": f"{column.get('key')}-{category.get('key')}",
        "title": f"{category.get('title')} ({column.get('title')})",
        "column": column.get("key"),
    }
    if "code" in category:
        own["code"] = f"{column.get('code')}{category['code']}"
    return {**category, **own}


def _in_order(boxes: list[dict[str, Any]], columns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return boxes, each after the one that has to be filled before it."""
    before: dict[str, str] = {}
    for column in columns:
        keys = [box["key"] for box in boxes if box["column"] == column.get("key")]
        if column.get("order") == "card":
            before |= dict(pairwise(keys[::-1]))
        if column.get("order") == "upward":
            before |= dict(pairwise(keys))
    return [box | ({"after": before[box["key"]]} if box["key"] in before else {}) for box in boxes]
