"""Descriptions of rules in English sentences."""

from collections.abc import Iterator
from itertools import pairwise

from rollwise.rules.card import Category
from rollwise.rules.patterns import (
    Among,
    AnyRoll,
    Either,
    FaceDice,
    Faces,
    Groups,
    Pattern,
    Run,
    Total,
)
from rollwise.rules.schema import Rules

ORDERS = {
    "free": "in any order",
    "card": "from top to bottom",
    "upward": "from bottom to top",
}


def describe_size(rules: Rules) -> str:
    """Return the numbers of dice, rolls, and categories of a game as one line of text."""
    return (
        f"{_dice(rules)}, "
        f"{_number(rules.rolls, 'roll', 'rolls')} a turn, "
        f"{_number(len(rules.categories), 'box', 'boxes')}"
    )


def describe(rules: Rules) -> Iterator[str]:
    """Yield sentences that explain the rules, without categories and sources."""
    if rules.about:
        yield " ".join(rules.about.split())
    yield (
        f"{_dice(rules)}, "
        f"{_number(rules.rolls, 'roll', 'rolls')} a turn; boxes are filled {_orders(rules)}."
    )
    if rules.announced:
        yield "After the first roll of a turn its box is announced; the turn ends in that box."
    if rules.saves_rolls:
        yield "Rolls that a turn does not use are saved for any later turn."
    if rules.extra_rolls:
        yield (
            f"{_number(rules.extra_rolls, 'extra roll', 'extra rolls')} in the whole game, at most "
            "one a turn."
        )
    if rules.upper_bonus:
        bonus = rules.upper_bonus
        steps = (f"{step.points} for {step.threshold}" for step in bonus.steps)
        of_each = " of each column" * bool(rules.columns)
        yield f"Bonus {', '.join(steps)} or more in the upper section{of_each}."
    if rules.extra_bonus:
        own = ", if it is scored in the upper box of its face" * (
            rules.extra_bonus.where == "own-box"
        )
        yield (
            f"Bonus {rules.extra_bonus.points} for every roll of all dice alike after points in "
            f"{rules.extra_bonus.box}{own}."
        )
    if rules.joker:
        yield {
            "free": f"Jokers once {rules.joker.box} and the matching upper box are filled.",
            "forced": f"Forced jokers once {rules.joker.box} is filled.",
            "lower": f"Jokers, in the lower section only, once {rules.joker.box} is filled.",
        }[rules.joker.policy]


def _orders(rules: Rules) -> str:
    if not rules.columns:
        return ORDERS[rules.order]
    each = [f"in the column {column.title} {ORDERS[column.order]}" for column in rules.columns]
    return f"{', '.join(each[:-1])} and {each[-1]}"


def _dice(rules: Rules) -> str:
    usual = f"{_number(rules.kinds[0][0], 'die', 'dice')} of {rules.faces} faces"
    others = (
        f"{_number(other.dice, 'die', 'dice')} with {' '.join(map(str, other.numbers))}"
        for other in rules.other_dice
    )
    return " and ".join([usual, *others])


def _number(count: int, singular: str, plural: str) -> str:
    return f"{count} {singular if count == 1 else plural}"


def _asks_for(pattern: Pattern) -> str:
    match pattern:
        case AnyRoll():
            return "any roll"
        case FaceDice():
            return f"dice that show {pattern.face}"
        case Groups():
            groups = " and ".join(
                f"{size} alike" if size > 1 else "1 die" for size in pattern.sizes
            )
            same = len(pattern.sizes) > 1 and not pattern.distinct
            return groups + (" (also of one face)" if same else "")
        case Run():
            return f"{pattern.length} in sequence"
        case Faces():
            return "the faces " + " ".join(map(str, pattern.faces))
        case Among():
            return "only " + " and ".join(map(str, pattern.faces))
        case Total(at_least=least, at_most=most):
            bounds = (("at least", least), ("at most", most))
            return " and ".join(f"{bound} {n} in all" for bound, n in bounds if n is not None)
        case Either():
            return " or ".join(_asks_for(part) for part in pattern.of)


def describe_category(category: Category) -> tuple[str, str]:
    """Return the pattern of a category and its points, both in words."""
    names = {"matched": "sum of these dice", "total": "sum of all dice"}
    values = f" (a die is worth {', '.join(map(str, category.worth))})" if category.worth else ""
    if isinstance(category.points, tuple):
        rises = any(low < high for low, high in pairwise(category.points))
        points = ", ".join(map(str, category.points)) + " by the roll of the turn"
        points += ", or a later one" * rises
    else:
        points = names.get(str(category.points), str(category.points))
    if category.times > 1:
        points = f"{category.times} times the {points}"
    plus = f" + {category.plus}" if category.plus else ""
    return _asks_for(category.pattern), points + values + plus
