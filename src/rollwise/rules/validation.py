"""Consistency checks between the parts of a game's rules."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from rollwise.errors import one_of, quoted
from rollwise.rules.card import Category
from rollwise.rules.columns import Column
from rollwise.rules.dice import OtherDice
from rollwise.rules.patterns import Among, AnyRoll, Either, FaceDice, Faces, Groups, Pattern

RESERVED_KEYS = frozenset({"extra-bonus", "saved", "upper-bonus"})
"""The words of the scorecard notation, which no category may use as its key."""


def contradictions(
    categories: Mapping[int, Category],
    *,
    dice: int | None,
    faces: int | None,
    other_dice: Sequence[OtherDice],
    rolls: int | None,
    order: object,
    saves_rolls: object,
    extra_rolls: object,
    announced: object,
    columns: Sequence[Column],
    forces_jokers: bool,
    upper_bonus: bool,
    boxes: Mapping[str, str],
    unread: Sequence[Mapping[str, Any]] = (),
) -> Iterator[tuple[str, str]]:
    """Yield (location, error) for each contradiction between parts of the rules.

    One pass reports all errors of a file, so the other rules may be invalid. To avoid false alarms,
    ``unread`` contains the invalid categories, and invalid numbers are None.

    Parameters
    ----------
    categories : mapping of int to Category
        The valid categories, by index.
    upper_bonus : bool
        Whether there is an upper bonus.
    other_dice, columns : sequences of OtherDice and Column
        The valid other dice and columns.
    boxes : mapping of str to str
        The category keys in the extra bonus and in the joker rule, by location.
    """
    if dice is not None and sum(other.dice for other in other_dice) >= dice:
        yield "other_dice", f"expected fewer than all {dice} dice of the game"
    if faces is not None and other_dice:  # an upper bound, because numbers can start at 0
        faces = 1 + max(faces, *(other.numbers[-1] for other in other_dice))
    turns_differ = saves_rolls is True or bool(extra_rolls)
    before: dict[str, Category] = {}
    for index, category in categories.items():
        mistakes = chain(
            _taken_words(category, before),
            _misfits(category, dice, faces, other_dice),
            _broken_points(category, rolls, turns_differ=turns_differ),
        )
        yield from ((f"categories.{index}.{part}", mistake) for part, mistake in mistakes)
    # The solver needs the legal categories and the length of a turn before the announcement.
    if announced is True:
        conflicts = {
            "saves_rolls": saves_rolls,
            "extra_rolls": extra_rolls,
            "joker": "joker" in boxes,
        }
        yield from (
            (part, "cannot stand beside announced") for part in conflicts if conflicts[part]
        )
    if saves_rolls is True and extra_rolls:
        yield "extra_rolls", "means nothing beside saves_rolls"
    by_key = {category.key: category for category in categories.values()}
    yield from _broken_chains(categories, by_key, order, unread)
    if columns:
        conflicts = {
            "order": order != "free",
            "saves_rolls": saves_rolls,
            "extra_rolls": extra_rolls,
            "announced": announced,
        }
        conflicts |= dict.fromkeys(boxes, True)
        yield from _broken_columns(categories, columns, conflicts)
    elif forces_jokers and any(category.after is not None for category in categories.values()):
        yield "joker.policy", "expected 'free' where boxes have to be filled after others"
    yield from _broken_bonuses(categories, by_key, dice, upper_bonus, boxes, unread)


def _taken_words(category: Category, before: dict[str, Category]) -> Iterator[tuple[str, str]]:
    """Yield (field, error) for reserved or repeated keys and codes; add new words to ``before``."""
    for part, word in (("key", category.key), ("code", category.code)):
        if word is None:
            continue
        if word in RESERVED_KEYS:
            yield part, f"{word!r} is a word of the card notation"
        if before.get(word, category) is not category:
            taken = f"{word!r} is taken by {before[word].key!r} before it"
            yield part, f"{taken}: keys and codes must be unique"
        before[word] = category


def _misfits(
    category: Category, dice: int | None, faces: int | None, other_dice: Sequence[OtherDice]
) -> Iterator[tuple[str, str]]:
    """Yield (field, error) if a category needs dice or faces that the game does not have."""
    need_dice, need_faces = category.pattern.needs()
    if dice is not None and need_dice > dice:
        yield "pattern", f"no roll fits: it needs {need_dice} dice, the game has {dice}"
    if faces is not None and need_faces > faces:
        yield "pattern", f"no roll fits: it needs {need_faces} faces, a die has {faces}"
    if _names_zero(category.pattern) and all(0 not in other.numbers for other in other_dice):
        yield "pattern", "no die shows 0"
    if category.worth is not None and other_dice:
        yield "worth", "means nothing where dice are of different kinds"
    elif category.worth is not None and faces is not None and len(category.worth) != faces:
        yield "worth", f"expected {faces} numbers, one a face, got {len(category.worth)}"


def _broken_points(
    category: Category, rolls: int | None, *, turns_differ: bool
) -> Iterator[tuple[str, str]]:
    """Yield (field, error) for invalid fixed points or points by roll number."""
    points = category.points
    if isinstance(points, str):
        return
    sums = {"worth": category.worth, "plus": category.plus, "times": category.times - 1}
    yield from ((part, "means nothing beside fixed points") for part in sums if sums[part])
    if isinstance(category.pattern, AnyRoll):
        yield "points", "expected 'total' or 'matched' for the pattern that every roll fits"
    if not isinstance(points, tuple):
        return
    if rolls is not None and len(points) != rolls:
        yield "points", f"expected {rolls} numbers, one a roll of the turn, got {len(points)}"
    if turns_differ:
        yield (
            "points",
            "cannot depend on the roll where turns differ in their rolls: expected one number",
        )


def _broken_bonuses(
    categories: Mapping[int, Category],
    by_key: Mapping[str, Category],
    dice: int | None,
    upper_bonus: bool,
    boxes: Mapping[str, str],
    unread: Sequence[Mapping[str, Any]],
) -> Iterator[tuple[str, str]]:
    upper = any(category.section == "upper" for category in categories.values())
    if upper_bonus and not upper and all(raw.get("section") in (None, "lower") for raw in unread):
        yield "upper_bonus", "no category stands in the upper section"
    for place, key in boxes.items():
        box = by_key.get(key)
        if box is None:
            if all(raw.get("key", key) != key for raw in unread):
                yield f"{place}.box", f"no category {quoted(key)} on the card"
        elif dice is not None and not (
            isinstance(box.pattern, Groups) and box.pattern.sizes == (dice,)
        ):
            yield f"{place}.box", f"{key!r} must ask for all {dice} dice alike"


def _broken_columns(
    categories: Mapping[int, Category], columns: Sequence[Column], beside: Mapping[str, object]
) -> Iterator[tuple[str, str]]:
    for part, there in beside.items():
        if there:
            yield part, "cannot stand beside columns"
    for part in ("key", "code"):
        words = [getattr(column, part) for column in columns]
        for number, word in enumerate(words):
            if word in words[:number]:
                yield f"columns.{number}.{part}", f"{word!r} is taken by a column before it"
    keys = [column.key for column in columns]
    for index, category in categories.items():
        if category.column is not None and category.column not in keys:
            expected = one_of(keys, category.column, "a column")
            yield f"categories.{index}.column", f"no such column: expected {expected}"


def _names_zero(pattern: Pattern) -> bool:
    match pattern:
        case FaceDice():
            return pattern.face == 0
        case Faces() | Among():
            return 0 in pattern.faces
        case Either():
            return any(map(_names_zero, pattern.of))
    return False


def _broken_chains(
    categories: Mapping[int, Category],
    by_key: Mapping[str, Category],
    order: object,
    unread: Sequence[Mapping[str, Any]],
) -> Iterator[tuple[str, str]]:
    first: dict[str, int] = {}
    for index, category in categories.items():
        if category.after is None:
            continue
        place = f"categories.{index}.after"
        before = category
        seen = set[str]()
        while before.after is not None and before.after in by_key and before.key not in seen:
            seen.add(before.key)
            before = by_key[before.after]
        if order in ("card", "upward"):
            yield place, f"means nothing beside order = {order!r}"
        elif category.after not in by_key:
            if all(raw.get("key", category.after) != category.after for raw in unread):
                yield place, f"no category {quoted(category.after)} on the card"
        elif before.key in seen:
            yield place, "no box can be the first to be filled: expected no circle"
        elif first.setdefault(category.after, index) != index:
            taken = categories[first[category.after]].key
            yield place, f"{category.after!r} is taken: {taken!r} comes after it"
