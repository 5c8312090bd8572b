"""Scoring rules: the points of a single roll in a category.

The vectorized tables of :mod:`rollwise.model.arrays` implement the same rules independently. Tests
compare both implementations.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from rollwise.rules import (
    Among,
    AnyRoll,
    Category,
    Either,
    FaceDice,
    Faces,
    Groups,
    Pattern,
    Rules,
    Run,
    Total,
)


def natural_points(
    rules: Rules, category: int, dice: Sequence[int], roll: int | None = None
) -> int:
    """Return the points of a roll in a category, without the joker rule.

    Parameters
    ----------
    roll : int, optional
        The number of the roll in the turn, counted from 1 (default: the last roll).
    """
    category_rules, dice = rules.categories[category], rules.shown(dice)
    matches = _matching_dice(category_rules.pattern, Counter(dice))
    if category_rules.points == "matched":
        return max((_sum_of_dice(category_rules, matched) for matched in matches), default=0)
    if next(matches, None) is None:
        return 0
    fixed = category_rules.fixed_points(rules.rolls if roll is None else roll)
    return _sum_of_dice(category_rules, dice) if fixed is None else fixed


def forces_jokers(rules: Rules) -> bool:
    """Return whether the rules restrict the categories in which a joker can be scored."""
    return rules.joker is not None and rules.joker.policy != "free" and rules.order == "free"


def lower_only(rules: Rules) -> bool:
    """Return whether jokers score points only in the lower section."""
    return rules.joker is not None and rules.joker.policy == "lower"


def has_jokers(rules: Rules, filled: int) -> bool:
    """Return whether the rules have jokers and the category that enables them is filled."""
    return bool(rules.joker and filled >> rules.category_index(rules.joker.box) & 1)


def joker_points(rules: Rules, category: int, dice: Sequence[int], roll: int | None = None) -> int:
    """Return the points of a joker in a category; a joker fits every lower category."""
    category_rules = rules.categories[category]
    if category_rules.section == "upper":
        return 0 if lower_only(rules) else natural_points(rules, category, dice, roll)
    fixed = category_rules.fixed_points(rules.rolls if roll is None else roll)
    return _sum_of_dice(category_rules, rules.shown(dice)) if fixed is None else fixed


def _sum_of_dice(box: Category, dice: Sequence[int]) -> int:
    total = sum(box.worth[face - 1] if box.worth else face for face in dice)
    return total * box.times + box.plus


def _matching_dice(pattern: Pattern, count: Counter[int]) -> Iterator[list[int]]:
    """Yield each set of dice that makes up the pattern; ``count`` is the number of dice by face."""
    match pattern:
        case AnyRoll():
            yield list(count.elements())
        case FaceDice(face=face):
            if count[face]:
                yield [face] * count[face]
        case Groups(sizes=sizes, distinct=distinct):
            yield from _groups(sorted(sizes, reverse=True), distinct, list(count.items()))
        case Run(length=length):
            for low in count:
                run = list(range(low, low + length))
                if Counter(run) <= count:
                    yield run
        case Faces(faces=listed):
            if Counter(listed) <= count:
                yield list(listed)
        case Among(faces=listed):
            if set(count.elements()) <= set(listed):
                yield list(count.elements())
        case Total(at_least=least, at_most=most):
            total = sum(count.elements())
            if (least is None or total >= least) and (most is None or total <= most):
                yield list(count.elements())
        case Either(of=patterns):
            for alternative in patterns:
                yield from _matching_dice(alternative, count)


def _groups(
    sizes: list[int], distinct: bool, count: list[tuple[int, int]], first: int = 0
) -> Iterator[list[int]]:
    """Yield each set of dice that makes up groups of these sizes, which decrease.

    ``count`` contains each face with its number of dice. The first group uses one of the faces from
    index ``first`` on, so that groups of the same size are not exchanged.
    """
    if not sizes:
        yield []
        return
    size, *others = sizes
    for index, (face, number) in enumerate(count):
        if index >= first and number >= size:
            rest = [*count[:index], (face, 0 if distinct else number - size), *count[index + 1 :]]
            is_equal = others[:1] == [size]
            for dice in _groups(others, distinct, rest, index if is_equal else 0):
                yield [face] * size + dice
