"""What a card can hold: points, boxes filled and those that may be next, rolls saved, bonuses.

What was worked out of some rules, as long as somebody holds the rules themselves.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from rollwise.errors import InconsistentError
from rollwise.game.scoring import (
    forces_jokers,
    has_jokers,
    joker_points,
    lower_only,
    natural_points,
)
from rollwise.rules import Rules

Given = ParamSpec("Given")
Result = TypeVar("Result")


def remembered(
    function: Callable[Concatenate[Rules, Given], Result],
) -> Callable[Concatenate[Rules, Given], Result]:
    """Remember the results of a function of rules, and keep no rules for that.

    Who asks a server about rules of his own leaves nothing behind.
    """
    known: WeakKeyDictionary[Rules, dict[object, Result]] = WeakKeyDictionary()

    @wraps(function)
    def asked(rules: Rules, /, *given: Given.args, **named: Given.kwargs) -> Result:
        key = (given, *named.items())
        try:
            return known[rules][key]
        except KeyError:
            result = function(rules, *given, **named)
            known.setdefault(rules, {})[key] = result
            return result

    return asked


Boxes = tuple[int | None, ...]
"""Points of each category in card order, None while it is open."""


def _natural_scores(rules: Rules, category: int) -> frozenset[int]:
    return frozenset(
        natural_points(rules, category, dice, roll)
        for dice in rules.every_roll()
        for roll in _rolls(rules)
    )


@remembered
def scores_alike(rules: Rules, category: int, rolls: tuple[tuple[int, ...], ...]) -> frozenset[int]:
    """Return what some rolls of all dice alike can score in a category, as jokers or not."""
    kinds = (natural_points, joker_points) if rules.joker else (natural_points,)
    return frozenset(
        points(rules, category, dice, roll)
        for points in kinds
        for dice in rolls
        for roll in _rolls(rules)
    )


def _rolls(rules: Rules) -> range:
    """Return the numbers of the rolls that points may differ between."""
    return range(1, rules.rolls + 1) if rules.counts_rolls else range(1, 2)


@remembered
def possible_scores(rules: Rules, category: int) -> frozenset[int]:
    """Return every number of points that a category can hold."""
    joker_box = rules.joker and rules.category_index(rules.joker.box)
    if rules.joker is None or category == joker_box:
        return _natural_scores(rules, category)
    return _natural_scores(rules, category) | scores_alike(rules, category, rules.alike)


def check_points(rules: Rules, category: int, points: int) -> None:
    """Check that a category can hold so many points.

    Raises
    ------
    InconsistentError
        When it cannot.
    """
    possible = possible_scores(rules, category)
    if points not in possible:
        raise InconsistentError(
            f"{rules.categories[category].key} cannot hold {points}: expected one of "
            f"{', '.join(map(str, sorted(possible)))}"
        )


def upper_totals(rules: Rules, filled: int, column: int = 0) -> frozenset[int]:
    """Return the totals that a column's upper section can have with these categories filled."""
    boxes = [
        k
        for k, c in enumerate(rules.categories)
        if filled >> k & 1 and c.section == "upper" and rules.column_of[k] == column
    ]
    return _totals(tuple(possible_scores(rules, k) for k in boxes))


@lru_cache(maxsize=1024)
def _totals(scores: tuple[frozenset[int], ...]) -> frozenset[int]:
    """Return the totals of one score of each set."""
    totals = {0}
    for possible in scores:
        totals = {total + points for total in totals for points in possible}
    return frozenset(totals)


def check_upper_total(rules: Rules, filled: int, total: int, column: int = 0) -> None:
    """Check that some game has this upper total in a column with these categories filled.

    Raises
    ------
    InconsistentError
        When none has.
    """
    totals = upper_totals(rules, filled, column)
    if total not in totals:
        listed = ", ".join(map(str, sorted(totals)))
        raise InconsistentError(
            f"no game has an upper total of {total} with these categories filled: expected "
            f"{f'one of {listed}' if len(totals) <= 20 else f'at most {max(totals)}'}"
        )


def open_categories(rules: Rules, filled: int) -> list[int]:
    """Return the categories that may be filled next, in card order."""
    return [
        k
        for k, before in enumerate(rules.before)
        if not filled >> k & 1 and (before is None or filled >> before & 1)
    ]


def legal_categories(rules: Rules, filled: int, dice: Sequence[int]) -> list[int]:
    """Return the categories that a roll may be scored in, in card order."""
    choices = open_categories(rules, filled)
    shown = rules.shown(dice)
    if len(set(shown)) > 1 or not forces_jokers(rules) or not has_jokers(rules, filled):
        return choices
    own_boxes = () if lower_only(rules) else rules.upper_boxes(shown[0])
    own = [k for k in choices if k in own_boxes]
    lower = [k for k in choices if rules.categories[k].section == "lower"]
    return own or lower or choices


def check_filled(rules: Rules, filled: int) -> None:
    """Check that these categories can be the filled ones.

    Raises
    ------
    InconsistentError
        When one is filled that has to come after one that is open.
    """
    for chain in rules.chains:
        still_open: int | None = None
        for k in chain:
            if not filled >> k & 1:
                still_open = k if still_open is None else still_open
            elif still_open is not None:
                before, key = rules.keys[still_open], rules.keys[k]
                raise InconsistentError(f"{key} cannot be filled: expected {before} before it")


def check_saved(rules: Rules, filled: int, saved: int) -> None:
    """Check that so many rolls can be saved with these categories filled.

    Raises
    ------
    InconsistentError
        When they cannot.
    """
    turns = filled.bit_count()
    possible = rules.saved_after(turns)
    if not rules.carries_rolls and saved:
        raise InconsistentError(f"{rules.name} saves no rolls: expected none saved, got {saved}")
    if saved not in possible:
        raise InconsistentError(
            f"expected {possible[0]} to {possible[-1]} {rules.saved_words} after {turns} turns, "
            f"got {saved}"
        )


def check_extra_bonus(rules: Rules, boxes: Boxes, earned: int) -> None:
    """Check that a card with these points in its boxes can have earned this extra bonus.

    Raises
    ------
    InconsistentError
        When it cannot.
    """
    bonus = rules.extra_bonus
    if earned == 0:
        return
    if bonus is None:
        raise InconsistentError(f"{rules.name} has no extra bonus, got {earned}")
    box = rules.category_index(bonus.box)
    later = sum(k != box and _may_hold_alike(rules, boxes, k) for k in range(len(boxes)))
    if not boxes[box] or earned < 0 or earned % bonus.points or earned // bonus.points > later:
        raise InconsistentError(
            f"an extra bonus of {earned} cannot be: expected {bonus.points} for each roll of "
            f"all dice alike after points in {bonus.box}, at most {later * bonus.points} here"
        )


def _may_hold_alike(rules: Rules, boxes: Boxes, k: int) -> bool:
    """Return whether box k can have been filled with a roll that earned the extra bonus."""
    joker, bonus, points = rules.joker, rules.extra_bonus, boxes[k]
    if bonus is None or points is None:
        return False
    own = {roll: rules.upper_boxes(rules.shown(roll)[0]) for roll in rules.alike}
    rolls = tuple(roll for roll in own if bonus.where == "anywhere" or k in own[roll])
    if not (joker and joker.box == bonus.box and forces_jokers(rules)):
        return points in scores_alike(rules, k, rolls)
    # All of them are jokers: the boxes that must go first are this one, or were filled before.
    if joker.policy == "forced":
        rolls = tuple(
            roll
            for roll in rolls
            if k in own[roll] or all(boxes[box] is not None for box in own[roll])
        )
    elif rules.categories[k].section == "upper" and _lower_open(rules, boxes):
        return False
    return any(
        points == joker_points(rules, k, dice, number)
        for dice in rolls
        for number in range(1, rules.rolls + 1)
    )


def _lower_open(rules: Rules, boxes: Boxes) -> bool:
    """Return whether a box of the lower section is open."""
    both = zip(boxes, rules.categories, strict=True)
    return any(points is None and box.section == "lower" for points, box in both)
