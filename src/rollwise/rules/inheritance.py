"""Inheritance between rule files: a file names a base and states only the differences from it.

The tables in ``TABLES`` and the categories with the same key are merged key by key. Every other
value of the file replaces the value of the base.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rollwise.errors import one_of, quoted
from rollwise.rules.validation import Mistake, Place

RuleTable = Mapping[str, Any]
"""A table of a rule file."""

DESCRIPTION = frozenset({"name", "title", "about", "sources", "disputed"})
"""The keys that describe a single game. A file does not inherit them from its base."""

TABLES = frozenset({"upper_bonus", "extra_bonus", "joker"})
"""The tables that are merged key by key."""

REQUIRED = frozenset({"dice", "faces", "rolls", "categories"})
"""The keys that no file can remove from its base."""

OF_CATEGORY = frozenset({"key", "title", "pattern", "points"})
"""The keys that every category needs."""


@dataclass(frozen=True)
class Merged:
    """The data of a rule file, completed with the data of its base.

    ``own`` maps the index in ``data`` of each category that the file states to its index in the
    file. ``mistakes`` are in the keys that refer to the base; their places refer to ``data``.
    """

    data: dict[str, Any]
    own: dict[int, int]
    mistakes: list[Mistake]

    def in_file(self, place: Place) -> Place:
        """Return the place in the file, or an empty place if the category is not in the file."""
        match place:
            case ("categories", int(index), *rest):
                own = self.own.get(index)
                return () if own is None else ("categories", own, *rest)
        return place


@dataclass
class _Entry:
    """A category of the merged data, and its index in the file (None if inherited)."""

    category: Any
    own: int | None = None

    @property
    def key(self) -> object:
        return self.category.get("key") if isinstance(self.category, dict) else None


def merge(base: RuleTable, own: RuleTable, name: str) -> Merged:
    """Complete the data of a rule file with the data of its base, whose rules must be valid.

    ``name`` is the name of the base in messages.
    """
    removed, mistakes = _removed(base, own, name)
    mistakes += [
        ((key,), f"missing: a game with a base needs its own {key}")
        for key in ("name", "title")
        if key not in own
    ]
    kept = TABLES & removed & own.keys()
    mistakes += [
        ((key,), f"is in remove: delete the table [{key}], or take {quoted(key)} out of remove")
        for key in kept
    ]
    removed -= kept
    inherited = {
        key: value for key, value in base.items() if key not in DESCRIPTION and key not in removed
    }
    stated = {key: value for key, value in own.items() if key not in ("base", "remove")}
    data = inherited | stated
    for key in TABLES & inherited.keys() & stated.keys():
        if isinstance(stated[key], dict):
            data[key] = inherited[key] | stated[key]
    if not isinstance(data["categories"], list):
        return Merged(data, {}, mistakes)
    entries = _entries(base["categories"], own.get("categories", []), removed)
    mistakes += _move(entries)
    known = [category["key"] for category in base["categories"]]
    mistakes += _incomplete(entries, known, removed, name)
    data["categories"] = [entry.category for entry in entries]
    stated_at = {index: e.own for index, e in enumerate(entries) if e.own is not None}
    return Merged(data, stated_at, mistakes)


def _removed(base: RuleTable, own: RuleTable, name: str) -> tuple[set[str], list[Mistake]]:
    """Return the names in ``remove`` that exist in the base, and a mistake for each other name."""
    listed = own.get("remove", [])
    if not isinstance(listed, list):
        return set(), [(("remove",), f"expected a list of names, got {quoted(listed)}")]
    parts = [key for key in base if key not in DESCRIPTION | REQUIRED]
    known = [*(category["key"] for category in base["categories"]), *parts]
    mistakes: list[Mistake] = [
        (("remove", index), f"no {quoted(word)} in {name}: expected {expected}")
        for index, word in enumerate(listed)
        if word not in known
        for expected in [_one_of(known, word, "a category or a table")]
    ]
    return {word for word in listed if word in known}, mistakes


def _one_of(known: Collection[str], word: object, what: str) -> str:
    return one_of(known, word if isinstance(word, str) else "", what)


def _entries(base: list[Any], own: list[Any], removed: Collection[str]) -> list[_Entry]:
    """Return the base's categories with the file's changes, then the file's new categories."""
    entries = [_Entry(category) for category in base if category["key"] not in removed]
    inherited = {entry.key: entry for entry in entries}
    for index, raw in enumerate(own):
        entry = _Entry(raw, index)
        changed = inherited.pop(entry.key, None) if isinstance(entry.key, str) else None
        if changed is None:
            entries.append(entry)
        else:
            changed.category, changed.own = changed.category | raw, index
    return entries


def _move(entries: list[_Entry]) -> list[Mistake]:
    """Move each category that has the key ``before``, and return the mistakes."""
    mistakes = []
    for entry in [e for e in entries if isinstance(e.category, dict) and "before" in e.category]:
        entry.category = dict(entry.category)
        word = entry.category.pop("before")
        others = [other for other in entries if other is not entry]
        keys = [other.key for other in others]
        if word in keys:
            entries[:] = others
            entries.insert(keys.index(word), entry)
        else:
            known = [key for key in keys if isinstance(key, str)]
            expected = _one_of(known, word, "another category")
            mistakes.append(
                (entry, f"no category {quoted(word)} on the scorecard: expected {expected}")
            )
    return [(("categories", entries.index(entry), "before"), said) for entry, said in mistakes]


def _incomplete(
    entries: list[_Entry], known: list[str], removed: Collection[str], name: str
) -> Iterator[Mistake]:
    """Yield a mistake for each category that lacks required keys and inherits none."""
    keys = [entry.key for entry in entries]
    for index, (entry, key) in enumerate(zip(entries, keys, strict=True)):
        if entry.own is None or not isinstance(key, str) or entry.category.keys() >= OF_CATEGORY:
            continue
        place = ("categories", index, "key")
        needs = "a title, a pattern, and points"
        if key in keys[:index]:
            yield place, f"{quoted(key)} has two tables: expected one table for each category"
        elif key in removed:
            yield place, f"{quoted(key)} is in remove: delete this table, or add {needs}"
        elif key not in known:
            expected = one_of(known, key, "a category")
            new = f"a new category needs {needs}"
            yield place, f"no category {quoted(key)} in {name}: expected {expected}; {new}"
