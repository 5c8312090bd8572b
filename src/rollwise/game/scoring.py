"""What a roll is worth in a category: the meaning of patterns, slow and exact.

The vectorised tables of :mod:`rollwise.model.arrays` state the same rules independently; tests hold
the two together.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

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
    """Return the points of a roll in a category by its pattern alone.

    Parameters
    ----------
    roll : int, optional
        Which roll of its turn it is, from 1; the last one unless told.
    """
    box, dice = rules.categories[category], rules.shown(dice)
    makings = list(_makings(box.pattern, Counter(dice)))
    if not makings:
        return 0
    fixed = box.fixed_points(rules.rolls if roll is None else roll)
    if fixed is not None:
        return fixed
    if box.points == "total":
        return _worth(box, dice)
    return max(_worth(box, matched) for matched in makings)


def forces_jokers(rules: Rules) -> bool:
    """Return whether a joker must go to certain boxes."""
    return rules.joker is not None and rules.joker.policy != "free" and rules.order == "free"


def lower_only(rules: Rules) -> bool:
    """Return whether jokers score in the lower section alone."""
    return rules.joker is not None and rules.joker.policy == "lower"


def has_jokers(rules: Rules, filled: int) -> bool:
    """Return whether the box is filled from which on there can be jokers."""
    return bool(rules.joker and filled >> rules.category_index(rules.joker.box) & 1)


def joker_points(rules: Rules, category: int, dice: Sequence[int], roll: int | None = None) -> int:
    """Return the points of a joker: in the lower section it fits every pattern."""
    box = rules.categories[category]
    if box.section == "upper":
        return 0 if lower_only(rules) else natural_points(rules, category, dice, roll)
    fixed = box.fixed_points(rules.rolls if roll is None else roll)
    return _worth(box, rules.shown(dice)) if fixed is None else fixed


def _worth(box: Category, dice: Sequence[int]) -> int:
    summed = sum(box.worth[face - 1] if box.worth else face for face in dice)
    return summed * box.times + box.plus


def _makings(pattern: Pattern, count: Counter[int]) -> Iterator[list[int]]:
    """Yield each choice of dice that makes up the pattern; none if the roll does not fit."""
    match pattern:
        case AnyRoll():
            yield list(count.elements())
        case FaceDice(face=face):
            if count[face]:
                yield [face] * count[face]
        case Groups(sizes=sizes, distinct=distinct):
            for chosen in product(count, repeat=len(sizes)):
                if distinct and len(set(chosen)) < len(chosen):
                    continue
                dice = [face for face, size in zip(chosen, sizes, strict=True) for _ in range(size)]
                if Counter(dice) <= count:
                    yield dice
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
            for one in patterns:
                yield from _makings(one, count)
