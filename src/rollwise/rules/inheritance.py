"""Inheritance between rule files: a file names a base and states only the differences from it.

The tables in ``TABLES`` and the categories with the same key are merged key by key. Every other
value of the file replaces the value of the base.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rollwise.errors import one_of, quoted
from rollwise.rules.slots import RuleTable

DESCRIPTION = frozenset({"name", "title", "about", "sources", "disputed"})
"""The keys that describe a single game. A file does not inherit them from its base."""

TABLES = frozenset({"upper_bonus", "extra_bonus", "joker"})
"""The tables that are merged key by key."""

REQUIRED = frozenset({"dice", "faces", "rolls", "categories"})
"""The keys that no file can remove from its base."""

OF_CATEGORY = frozenset({"key", "title", "pattern", "points"})
"""The keys that every category needs."""

Mistake = tuple[str, str]
"""A location in the merged data, and a message that describes the error there."""


@dataclass(frozen=True)
class Merged:
    """The data of a rule file, completed with the data of its base.

    Attributes
    ----------
    data : dict
        The complete data, as if the file had no base.
    own : dict of int to int
        A mapping for the categories that the file states, from the index in ``data`` to the index
        in the file.
    mistakes : list of (str, str)
        The errors that cannot be found in ``data``, such as an invalid list ``remove``.
    incomplete : frozenset of int
        The indexes in ``data`` of new categories that lack required keys. ``mistakes`` already
        reports them.
    """

    data: dict[str, Any]
    own: dict[int, int] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    incomplete: frozenset[int] = frozenset()


@dataclass
class _Entry:
    """A category of the merged data, and its index in the file (None if inherited)."""

    category: Any
    own: int | None = None

    @property
    def key(self) -> object:
        return self.category.get("key") if isinstance(self.category, dict) else None


def merge(base: RuleTable, own: RuleTable, name: str) -> Merged:
    """Complete the data of a rule file with the data of its base.

    Parameters
    ----------
    base : mapping
        The complete data of the base. Its rules must be valid.
    own : mapping
        The data of the file.
    name : str
        The name of the base in messages.
    """
    removed, mistakes = _removed(base, own, name)
    mistakes += [
        (key, f"missing: a game with a base needs its own {key}")
        for key in ("name", "title")
        if key not in own
    ]
    inherited = {
        key: value for key, value in base.items() if key not in DESCRIPTION and key not in removed
    }
    stated = {key: value for key, value in own.items() if key not in ("base", "remove")}
    data = inherited | stated
    for key in TABLES & inherited.keys() & stated.keys():
        if isinstance(stated[key], dict):
            data[key] = inherited[key] | stated[key]
    if not isinstance(data["categories"], list):
        return Merged(data, mistakes=mistakes)
    entries = _entries(base["categories"], own.get("categories", []), removed)
    mistakes += _move(entries)
    data["categories"] = [_without_before(entry.category) for entry in entries]
    incomplete = dict(_incomplete(entries, base, name))
    mistakes += [(f"categories.{index}.key", said) for index, said in incomplete.items()]
    stated_at = {index: e.own for index, e in enumerate(entries) if e.own is not None}
    return Merged(data, stated_at, mistakes, frozenset(incomplete))


def _removed(base: RuleTable, own: RuleTable, name: str) -> tuple[set[str], list[Mistake]]:
    """Return the names in ``remove`` that exist in the base, and an error for each other name."""
    listed = own.get("remove", [])
    if not isinstance(listed, list):
        return set(), [("remove", f"expected a list of names, got {quoted(listed)}")]
    parts = [key for key in base if key not in DESCRIPTION | REQUIRED]
    known = [*(category["key"] for category in base["categories"]), *parts]
    mistakes = [
        (f"remove.{index}", f"no {quoted(word)} in {name}: expected {_expected(known, word)}")
        for index, word in enumerate(listed)
        if word not in known
    ]
    return {word for word in listed if word in known}, mistakes


def _expected(known: Collection[str], word: object) -> str:
    return one_of(known, word if isinstance(word, str) else "", "a category or a table")


def _entries(base: list[Any], own: object, removed: Collection[str]) -> list[_Entry]:
    """Return the base's categories with the file's changes, then the file's new categories."""
    entries = [_Entry(category) for category in base if category["key"] not in removed]
    inherited = {entry.key: entry for entry in entries}
    for index, raw in enumerate(own if isinstance(own, list) else []):
        key = raw.get("key") if isinstance(raw, dict) else None
        changed = inherited.pop(key, None) if isinstance(key, str) else None
        if changed is None:
            entries.append(_Entry(raw, index))
        else:
            changed.category, changed.own = changed.category | raw, index
    return entries


def _move(entries: list[_Entry]) -> list[Mistake]:
    """Move each category that has the key ``before``, and return the errors."""
    mistakes = []
    for entry in [e for e in entries if isinstance(e.category, dict) and "before" in e.category]:
        word = entry.category["before"]
        others = [other for other in entries if other is not entry]
        keys = [other.key for other in others]
        if word in keys:
            entries[:] = others
            entries.insert(keys.index(word), entry)
        else:
            known = [key for key in keys if isinstance(key, str)]
            expected = one_of(known, word if isinstance(word, str) else "", "another category")
            mistakes.append(
                (entry, f"no category {quoted(word)} on the scorecard: expected {expected}")
            )
    return [(f"categories.{entries.index(entry)}.before", said) for entry, said in mistakes]


def _without_before(category: Any) -> Any:
    if not isinstance(category, dict):
        return category
    return {key: value for key, value in category.items() if key != "before"}


def _incomplete(
    entries: list[_Entry], base: Mapping[str, Any], name: str
) -> Iterator[tuple[int, str]]:
    """Yield the index and the error of each new or repeated category that lacks required keys."""
    known = [category["key"] for category in base["categories"]]
    before = set[object]()
    for index, entry in enumerate(entries):
        key, repeated = entry.key, entry.key in before
        before.add(key if isinstance(key, str) else None)
        if entry.own is None or not isinstance(key, str) or entry.category.keys() >= OF_CATEGORY:
            continue
        if repeated:
            yield index, f"{quoted(key)} has two tables: expected one table for each category"
        elif key not in known:
            expected = one_of(known, key, "a category")
            yield (
                index,
                f"no category {quoted(key)} in {name}: expected {expected}; a new category needs "
                "a title, a pattern, and points",
            )
