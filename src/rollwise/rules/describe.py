"""Descriptions of rules in English sentences."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from rollwise.errors import counted
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


def how_to_play(rules: Rules) -> str:
    """Return in one or two sentences what a player does in a game."""
    rolls = (
        "Roll once"
        if rules.rolls == 1
        else f"Roll up to {rules.rolls} times, keep the dice you like"
    )
    turns = counted(len(rules.categories), "turn")
    return f"{rolls}, then fill one category. After {turns}, the highest total wins."


def describe_size(rules: Rules) -> str:
    """Return one line of text with the numbers of dice, rolls, and categories of a game."""
    return f"{_turn(rules)}, {counted(len(rules.categories), 'category', 'categories')}"


def describe(rules: Rules) -> Iterator[str]:
    """Yield sentences that explain the rules, except for the categories and the sources."""
    if rules.about:
        yield " ".join(rules.about.split())
    yield f"{_turn(rules)}; {_orders(rules)}."
    if rules.saves_rolls:
        yield "Unused rolls are saved for later turns."
    if rules.extra_rolls:
        yield (
            f"Each player has {counted(rules.extra_rolls, 'extra roll')} for the "
            "whole game, and can use at most one per turn."
        )
    if rules.upper_bonus:
        first, *others = rules.upper_bonus.steps
        steps = [f"{first.points} points for a total of {first.threshold} or more"]
        steps += [f"{step.points} for {step.threshold} or more" for step in others]
        of_each = " of each column" * bool(rules.columns)
        yield f"Upper-section bonus{of_each}: {', '.join(steps)}."
    n_of_a_kind = f"{rules.dice} of a kind"
    if rules.extra_bonus:
        own = ", if it is scored in the upper category of its face" * (
            rules.extra_bonus.where == "own-box"
        )
        yield (
            f"Once {_title(rules, rules.extra_bonus.box)} has points, each further {n_of_a_kind} "
            f"earns a bonus of {rules.extra_bonus.points} points{own}."
        )
    if rules.joker:
        title = _title(rules, rules.joker.box)
        yield {
            "free": (
                f"Free-choice joker rule: once {title} and the upper category of the roll's face "
                f"are filled, {n_of_a_kind} can be scored as a joker in any open category."
            ),
            "forced": (
                f"Forced joker rule: once {title} is filled, {n_of_a_kind} must be scored in the "
                "upper category of its face if it is open, or else as a joker in an open lower "
                "category, or else in any open category."
            ),
            "lower": (
                f"Original (1956) joker rule: once {title} is filled, {n_of_a_kind} must be scored "
                "as a joker in an open lower category, or else with 0 points in any open category."
            ),
        }[rules.joker.policy]


def _title(rules: Rules, key: str) -> str:
    return rules.categories[rules.category_index(key)].title


def _turn(rules: Rules) -> str:
    return f"{_dice(rules)}, {counted(rules.rolls, 'roll')} per turn"


def _orders(rules: Rules) -> str:
    if not rules.columns:
        return f"categories are filled {ORDERS[rules.order]}"
    (first, order), *others = ((column.title, ORDERS[column.order]) for column in rules.columns)
    each = [f"the {first} column is filled {order}"]
    return _listed([*each, *(f"the {title} column {order}" for title, order in others)], "and")


def _dice(rules: Rules) -> str:
    usual = f"{counted(rules.kinds[0][0], 'die', 'dice')} with {rules.faces} faces"
    others = (
        f"{counted(other.dice, 'die', 'dice')} with the numbers {' '.join(map(str, other.numbers))}"
        for other in rules.other_dice
    )
    return " and ".join([usual, *others])


def _asks_for(pattern: Pattern) -> str:
    match pattern:
        case AnyRoll():
            return "any roll"
        case FaceDice():
            return f"dice that show {pattern.face}"
        case Groups():
            groups = " and ".join(
                f"{size} of a kind" if size > 1 else "1 die" for size in pattern.sizes
            )
            same = len(pattern.sizes) > 1 and not pattern.distinct
            return groups + (" (the faces can be equal)" if same else "")
        case Run():
            return f"{pattern.length} faces in sequence"
        case Faces():
            return "the faces " + " ".join(map(str, pattern.faces))
        case Among():
            return "only " + " and ".join(map(str, pattern.faces))
        case Total(at_least=least, at_most=most):
            if least == most:
                return f"a total of {least}"
            bounds = (("at least", least), ("at most", most))
            return "a total of " + " and ".join(
                f"{bound} {n}" for bound, n in bounds if n is not None
            )
        case Either():
            return " or ".join(_asks_for(part) for part in pattern.of)


def _listed(words: Iterable[object], joint: str) -> str:
    """Return words as a list in a sentence, such as ``66, 56, or 46``."""
    *others, last = map(str, words)
    comma = "," * (len(others) > 1)
    return f"{', '.join(others)}{comma} {joint} {last}" if others else last


def describe_category(category: Category) -> tuple[str, str]:
    """Describe the pattern and the points of a category, each as a string."""
    names = {"matched": "sum of these dice", "total": "sum of all dice"}
    values = (
        f" (the faces are worth {', '.join(map(str, category.worth))})" if category.worth else ""
    )
    if isinstance(category.points, tuple):
        rises = any(low < high for low, high in pairwise(category.points))
        rolls = range(1, len(category.points) + 1)
        points = f"{_listed(category.points, 'or')} after roll {_listed(rolls, 'or')}"
        points += ", or more if a later roll earns more" * rises
    else:
        points = names.get(str(category.points), str(category.points))
    if category.times > 1:
        points = f"{category.times} times the {points}"
    plus = f" + {category.plus}" if category.plus else ""
    return _asks_for(category.pattern), points + values + plus
