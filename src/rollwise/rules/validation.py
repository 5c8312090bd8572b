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
"""The words of the scorecard notation, which no category can use as its key or code."""


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
    columns: Sequence[Column],
    forces_jokers: bool,
    upper_bonus: bool,
    boxes: Mapping[str, str],
    unread: Sequence[Mapping[str, Any]] = (),
) -> Iterator[tuple[str, str]]:
    """Yield the location and the text of each contradiction between parts of the rules.

    All errors of a file are reported together, so this function also checks rules with invalid
    parts. Invalid numbers are None, and ``unread`` contains the invalid categories, so that they do
    not cause misleading errors.

    Parameters
    ----------
    categories : mapping of int to Category
        The valid categories, by index.
    upper_bonus : bool
        Whether there is an upper bonus.
    other_dice, columns : sequences of OtherDice and Column
        The valid entries of ``other_dice`` and ``columns``.
    boxes : mapping of str to str
        The category keys in the extra bonus and in the joker rule, by location.
    unread : sequence of mappings
        The data of the invalid categories.
    """
    if dice is not None and sum(other.dice for other in other_dice) >= dice:
        yield "other_dice", f"expected fewer dice than the {dice} dice of the game"
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
    if saves_rolls is True and extra_rolls:
        yield "extra_rolls", "has no effect with saves_rolls; remove extra_rolls or saves_rolls"
    by_key = {category.key: category for category in categories.values()}
    yield from _broken_chains(categories, by_key, order, unread)
    if columns:
        conflicts = {
            "order": order != "free",
            "saves_rolls": saves_rolls,
            "extra_rolls": extra_rolls,
        }
        conflicts |= dict.fromkeys(boxes, True)
        yield from _broken_columns(categories, columns, conflicts)
    elif forces_jokers and any(category.after is not None for category in categories.values()):
        yield "joker.policy", "expected 'free' if categories are filled after others"
    yield from _broken_bonuses(categories, by_key, dice, upper_bonus, boxes, unread)


def _taken_words(category: Category, before: dict[str, Category]) -> Iterator[tuple[str, str]]:
    """Yield the field and the error of each reserved or repeated word; add both to ``before``."""
    for part, word in (("key", category.key), ("code", category.code)):
        if word is None:
            continue
        if word in RESERVED_KEYS:
            yield part, f"{word!r} has a meaning in the scorecard notation: choose another word"
        if before.get(word, category) is not category:
            taken = f"{word!r} is taken by {before[word].key!r} before it"
            yield part, f"{taken}: keys and codes must be unique"
        before[word] = category


def _misfits(
    category: Category, dice: int | None, faces: int | None, other_dice: Sequence[OtherDice]
) -> Iterator[tuple[str, str]]:
    """Yield a field and an error if the pattern or ``worth`` does not match the dice."""
    alternatives = (
        category.pattern.of if isinstance(category.pattern, Either) else (category.pattern,)
    )
    misfits = [list(_lacks(*pattern.needs(), dice, faces)) for pattern in alternatives]
    if all(misfits):
        yield from (("pattern", f"no roll fits, because {lack}") for lack in misfits[0])
    if _names_zero(category.pattern) and all(0 not in other.numbers for other in other_dice):
        yield "pattern", "no die shows 0; use a face that the dice have"
    if category.worth is not None and other_dice:
        yield "worth", "has no effect if dice are of different kinds; remove worth"
    elif category.worth is not None and faces is not None and len(category.worth) != faces:
        yield "worth", f"expected {faces} numbers, one for each face, got {len(category.worth)}"


def _lacks(need_dice: int, need_faces: int, dice: int | None, faces: int | None) -> Iterator[str]:
    """Yield an error if a game has too few dice for a pattern, and if it has too few faces."""
    if dice is not None and need_dice > dice:
        yield f"the pattern needs {need_dice} dice and the game has {dice}"
    if faces is not None and need_faces > faces:
        yield f"the pattern needs {need_faces} faces and a die has {faces}"


def _broken_points(
    category: Category, rolls: int | None, *, turns_differ: bool
) -> Iterator[tuple[str, str]]:
    """Yield the field and the error of each invalid number of points."""
    points = category.points
    if isinstance(points, str):
        return
    sums = {"worth": category.worth, "plus": category.plus, "times": category.times - 1}
    yield from (
        (part, f"has no effect with fixed points; remove {part}") for part in sums if sums[part]
    )
    if isinstance(category.pattern, AnyRoll):
        yield "points", "expected 'total' or 'matched' for a pattern that every roll fits"
    if not isinstance(points, tuple):
        return
    if rolls is not None and len(points) != rolls:
        yield "points", f"expected {rolls} numbers, one for each roll of a turn, got {len(points)}"
    if turns_differ:
        yield (
            "points",
            "cannot depend on the roll if turns differ in length: expected one number",
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
        yield (
            "upper_bonus",
            "no category is in the upper section; add section = 'upper' to a category, or remove "
            "upper_bonus",
        )
    for place, key in boxes.items():
        box = by_key.get(key)
        if box is None:
            if all(raw.get("key", key) != key for raw in unread):
                yield (
                    f"{place}.box",
                    f"no category {quoted(key)} on the scorecard; use the key of a category",
                )
        elif dice is not None and not (
            isinstance(box.pattern, Groups) and box.pattern.sizes == (dice,)
        ):
            yield f"{place}.box", f"{key!r} must ask for {dice} of a kind"


def _broken_columns(
    categories: Mapping[int, Category], columns: Sequence[Column], beside: Mapping[str, object]
) -> Iterator[tuple[str, str]]:
    for part, there in beside.items():
        if there:
            yield part, f"cannot be combined with columns; remove {part} or columns"
    for part in ("key", "code"):
        words = [getattr(column, part) for column in columns]
        for number, word in enumerate(words):
            if word in words[:number]:
                yield (
                    f"columns.{number}.{part}",
                    f"{word!r} is taken by a column before it; use another {part}",
                )
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
            yield place, f"has no effect with order = {order!r}; remove after"
        elif category.after not in by_key:
            if all(raw.get("key", category.after) != category.after for raw in unread):
                yield (
                    place,
                    (
                        f"no category {quoted(category.after)} on the scorecard; use the key of a "
                        "category"
                    ),
                )
        elif before.key in seen:
            yield (
                place,
                (
                    "each of these categories waits for another category; remove one of the keys "
                    "'after'"
                ),
            )
        elif first.setdefault(category.after, index) != index:
            taken = categories[first[category.after]].key
            yield place, f"{taken!r} already comes after {category.after!r}; use another category"
