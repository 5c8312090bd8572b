"""Contradictions between the parts of a game's rules, each of which is valid by itself."""

from collections.abc import Iterator, Sequence
from itertools import chain

from rollwise.errors import one_of, quoted
from rollwise.rules.card import Category
from rollwise.rules.fields import RuleFields
from rollwise.rules.patterns import Among, AnyRoll, Either, FaceDice, Faces, Groups, Pattern, needs

RESERVED_KEYS = frozenset({"extra-bonus", "saved", "upper-bonus"})
"""The words of the scorecard notation, which no category can use as its key or code."""

Place = tuple[int | str, ...]
"""The path to a value in the data of a rule file, such as ``("categories", 0, "points")``."""

Mistake = tuple[Place, str]
"""The place of a mistake, and a message that describes it."""


class MistakesError(ValueError):
    """An exception for the mistakes in rules."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = mistakes
        super().__init__("; ".join(map(in_words, mistakes)))


def in_words(mistake: Mistake) -> str:
    """Return the place and the message of a mistake as text."""
    place, sentence = mistake
    return f"{'.'.join(map(str, place))}: {sentence}"


def contradictions(rules: RuleFields) -> Iterator[Mistake]:
    """Yield the place and the message of each contradiction between the parts of the rules."""
    if sum(other.dice for other in rules.other_dice) >= rules.dice:
        yield ("other_dice",), f"expected fewer dice than the {rules.dice} dice of the game"
    before: dict[str, Category] = {}
    for index, category in enumerate(rules.categories):
        mistakes = chain(
            _taken_words(category, before),
            _misfits(category, rules),
            _broken_points(category, rules),
        )
        yield from ((("categories", index, part), mistake) for part, mistake in mistakes)
    if rules.saves_rolls and rules.extra_rolls:
        yield ("extra_rolls",), "has no effect with saves_rolls; remove extra_rolls or saves_rolls"
    yield from _broken_chains(rules)
    if rules.columns:
        yield from _broken_columns(rules)
    elif (
        rules.joker is not None
        and rules.joker.policy != "free"
        and any(category.after is not None for category in rules.categories)
    ):
        yield ("joker", "policy"), "expected 'free' if categories are filled after others"
    yield from _broken_bonuses(rules)


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


def _misfits(category: Category, rules: RuleFields) -> Iterator[tuple[str, str]]:
    """Yield a field and an error if the pattern or ``worth`` does not match the dice."""
    alternatives = (
        category.pattern.of if isinstance(category.pattern, Either) else (category.pattern,)
    )
    misfits = [list(_lacks(*needs(pattern), rules)) for pattern in alternatives]
    if all(misfits):
        yield from (("pattern", f"no roll fits, because {lack}") for lack in misfits[0])
    if _names_zero(category.pattern) and all(0 not in other.numbers for other in rules.other_dice):
        yield "pattern", "no die shows 0; use a face that the dice have"
    if category.worth is None:
        return
    if rules.other_dice:
        yield "worth", "has no effect if dice are of different kinds; remove worth"
    elif len(category.worth) != rules.faces:
        numbers = f"{rules.faces} numbers, one for each face"
        yield "worth", f"expected {numbers}, got {len(category.worth)}"


def _lacks(need_dice: int, need_faces: int, rules: RuleFields) -> Iterator[str]:
    """Yield an error if a game has too few dice for a pattern, and if it has too few faces."""
    faces = rules.faces
    if rules.other_dice:  # an upper bound, because numbers can start at 0
        faces = 1 + max(faces, *(other.numbers[-1] for other in rules.other_dice))
    if need_dice > rules.dice:
        yield f"the pattern needs {need_dice} dice and the game has {rules.dice}"
    if need_faces > faces:
        yield f"the pattern needs {need_faces} faces and a die has {faces}"


def _names_zero(pattern: Pattern) -> bool:
    match pattern:
        case FaceDice():
            return pattern.face == 0
        case Faces() | Among():
            return 0 in pattern.faces
        case Either():
            return any(map(_names_zero, pattern.of))
    return False


def _broken_points(category: Category, rules: RuleFields) -> Iterator[tuple[str, str]]:
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
    if isinstance(points, int):
        return
    if len(points) != rules.rolls:
        numbers = f"{rules.rolls} numbers, one for each roll of a turn"
        yield "points", f"expected {numbers}, got {len(points)}"
    if rules.saves_rolls or rules.extra_rolls:
        yield (
            "points",
            "cannot depend on the roll if turns differ in length: expected one number",
        )


def _broken_chains(rules: RuleFields) -> Iterator[Mistake]:
    by_key = {category.key: category for category in rules.categories}
    first: dict[str, Category] = {}
    for index, category in enumerate(rules.categories):
        if category.after is None:
            continue
        place = ("categories", index, "after")
        before = category
        seen = set[str]()
        while before.after in by_key and before.key not in seen:
            seen.add(before.key)
            before = by_key[before.after]
        if rules.order != "free":
            yield place, f"has no effect with order = {rules.order!r}; remove after"
        elif category.after not in by_key:
            yield place, _no_category(category.after)
        elif before.key in seen:
            waits = "each of these categories waits for another category"
            yield place, f"{waits}; remove one of the keys 'after'"
        elif first.setdefault(category.after, category) is not category:
            taken = first[category.after].key
            yield place, f"{taken!r} already comes after {category.after!r}; use another category"


def _no_category(key: str) -> str:
    return f"no category {quoted(key)} on the scorecard; use the key of a category"


def _broken_columns(rules: RuleFields) -> Iterator[Mistake]:
    others = {
        "order": rules.order != "free",
        "saves_rolls": rules.saves_rolls,
        "extra_rolls": rules.extra_rolls,
        "extra_bonus": rules.extra_bonus,
        "joker": rules.joker,
    }
    for part, there in others.items():
        if there:
            yield (part,), f"cannot be combined with columns; remove {part} or columns"
    for part in ("key", "code"):
        words = [getattr(column, part) for column in rules.columns]
        for number, word in enumerate(words):
            if word in words[:number]:
                taken = f"{word!r} is taken by a column before it"
                yield ("columns", number, part), f"{taken}; use another {part}"
    keys = [column.key for column in rules.columns]
    for index, category in enumerate(rules.categories):
        if category.column is not None and category.column not in keys:
            expected = one_of(keys, category.column, "a column")
            yield ("categories", index, "column"), f"no such column: expected {expected}"


def _broken_bonuses(rules: RuleFields) -> Iterator[Mistake]:
    if rules.upper_bonus and all(category.section == "lower" for category in rules.categories):
        yield (
            ("upper_bonus",),
            "no category is in the upper section; add section = 'upper' to a category, or remove "
            "upper_bonus",
        )
    by_key = {category.key: category for category in rules.categories}
    for place, key in boxes(rules):
        box = by_key.get(key)
        if box is None:
            yield place, _no_category(key)
        elif not (isinstance(box.pattern, Groups) and box.pattern.sizes == (rules.dice,)):
            yield place, f"{key!r} must ask for {rules.dice} of a kind"


def boxes(rules: RuleFields) -> Iterator[tuple[Place, str]]:
    """Yield the places of the categories for n of a kind, and the keys of these categories."""
    for place, part in (("extra_bonus", rules.extra_bonus), ("joker", rules.joker)):
        if part is not None:
            yield (place, "box"), part.box
