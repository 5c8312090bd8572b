"""Consistency checks of scorecards: scores, totals, filled categories, saved rolls, and bonuses."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from rollwise.errors import InconsistentError, counted
from rollwise.game.scoring import (
    forces_jokers,
    has_jokers,
    joker_points,
    lower_only,
    natural_points,
)
from rollwise.rules import Rules

Boxes = tuple[int | None, ...]
"""The points of each category in scorecard order; None for an open category."""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def memoized_by_rules(
    function: Callable[Concatenate[Rules, Arguments], Result],
) -> Callable[Concatenate[Rules, Arguments], Result]:
    """Wrap a function so that its results are cached for as long as the rules are in use.

    The cache itself does not keep the rules in memory, because a server receives many custom games.
    """
    results: WeakKeyDictionary[Rules, dict[object, Result]] = WeakKeyDictionary()

    @wraps(function)
    def memoized(
        rules: Rules, /, *arguments: Arguments.args, **keywords: Arguments.kwargs
    ) -> Result:
        key = (arguments, *keywords.items())
        try:
            return results[rules][key]
        except KeyError:
            result = function(rules, *arguments, **keywords)
            results.setdefault(rules, {})[key] = result
            return result

    return memoized


def _natural_scores(rules: Rules, category: int) -> frozenset[int]:
    return frozenset(
        natural_points(rules, category, dice, roll)
        for dice in rules.every_roll()
        for roll in _rolls(rules)
    )


@memoized_by_rules
def n_of_a_kind_scores(
    rules: Rules, category: int, rolls: tuple[tuple[int, ...], ...]
) -> frozenset[int]:
    """Return the possible scores of n-of-a-kind rolls in a category, including joker scores."""
    scorings = (natural_points, joker_points) if rules.joker else (natural_points,)
    return frozenset(
        scoring(rules, category, dice, roll)
        for scoring in scorings
        for dice in rolls
        for roll in _rolls(rules)
    )


def _rolls(rules: Rules) -> range:
    """Return the roll numbers to check, which is only 1 if points do not depend on the number."""
    return range(1, rules.rolls + 1) if rules.counts_rolls else range(1, 2)


@memoized_by_rules
def possible_scores(rules: Rules, category: int) -> frozenset[int]:
    """Return the possible scores of a category."""
    joker_category = rules.joker and rules.category_index(rules.joker.box)
    if rules.joker is None or category == joker_category:
        return _natural_scores(rules, category)
    return _natural_scores(rules, category) | n_of_a_kind_scores(rules, category, rules.alike)


def check_points(rules: Rules, category: int, points: int) -> None:
    """Raise InconsistentError if a category cannot have these points."""
    possible = possible_scores(rules, category)
    if points not in possible:
        raise InconsistentError(
            f"{rules.categories[category].key} cannot score {points}; use one of "
            f"{', '.join(map(str, sorted(possible)))}"
        )


def open_categories(rules: Rules, filled: int) -> list[int]:
    """Return the indexes of the categories that can be filled next, in scorecard order."""
    return [
        k
        for k, before in enumerate(rules.before)
        if not filled >> k & 1 and (before is None or filled >> before & 1)
    ]


def legal_categories(rules: Rules, filled: int, dice: Sequence[int]) -> list[int]:
    """Return the indexes of the categories in which a roll can be scored, in scorecard order."""
    candidates = open_categories(rules, filled)
    shown = rules.shown(dice)
    if len(set(shown)) > 1 or not forces_jokers(rules) or not has_jokers(rules, filled):
        return candidates
    own_categories = () if lower_only(rules) else rules.upper_categories(shown[0])
    own = [k for k in candidates if k in own_categories]
    lower = [k for k in candidates if rules.categories[k].section == "lower"]
    return own or lower or candidates


def check_filled(rules: Rules, filled: int) -> None:
    """Raise InconsistentError if the filled categories violate the filling order."""
    for chain in rules.chains:
        still_open: int | None = None
        for k in chain:
            if not filled >> k & 1:
                still_open = k if still_open is None else still_open
            elif still_open is not None:
                before, key = rules.keys[still_open], rules.keys[k]
                raise InconsistentError(
                    f"{key} cannot be filled before {before}; fill {before}, or leave {key} open"
                )


def check_saved(rules: Rules, filled: int, saved: int) -> None:
    """Raise InconsistentError if ``saved`` rolls are impossible with these categories filled."""
    turns = filled.bit_count()
    possible = rules.saved_after(turns)
    if not rules.carries_rolls and saved:
        raise InconsistentError(f"{rules.name} has no saved rolls; remove the entry 'saved'")
    if saved not in possible:
        numbers = f"from {possible[0]} to {possible[-1]}" if len(possible) > 1 else possible[0]
        raise InconsistentError(
            f"the number of {rules.saved_name} must be {numbers} after {counted(turns, 'turn')}, "
            f"not {saved}"
        )


def check_extra_bonus(rules: Rules, boxes: Boxes, earned: int) -> None:
    """Raise InconsistentError if a scorecard cannot have the five-of-a-kind bonus ``earned``."""
    bonus = rules.extra_bonus
    if earned == 0:
        return
    if bonus is None:
        raise InconsistentError(f"{rules.name} has no extra bonus; remove extra-bonus={earned}")
    bonus_category = rules.category_index(bonus.box)
    if not boxes[bonus_category]:
        raise InconsistentError(
            f"extra-bonus={earned} is impossible without points in {bonus.box}; remove "
            f"extra-bonus, or add the points of {bonus.box}"
        )
    later = sum(k != bonus_category and _may_hold_alike(rules, boxes, k) for k in range(len(boxes)))
    if earned < 0 or earned % bonus.points or earned // bonus.points > later:
        fix = f"use a multiple of {bonus.points} up to {later * bonus.points}"
        raise InconsistentError(
            f"extra-bonus={earned} is impossible on this scorecard; "
            f"{fix if later else 'remove extra-bonus'}"
        )


def _may_hold_alike(rules: Rules, boxes: Boxes, k: int) -> bool:
    """Return whether category ``k`` might hold a roll that earned the five-of-a-kind bonus."""
    joker, bonus, points = rules.joker, rules.extra_bonus, boxes[k]
    if bonus is None or points is None:
        return False
    own = {roll: rules.upper_categories(rules.shown(roll)[0]) for roll in rules.alike}
    rolls = tuple(roll for roll in own if bonus.where == "anywhere" or k in own[roll])
    if not (joker and joker.box == bonus.box and forces_jokers(rules)):
        return points in n_of_a_kind_scores(rules, k, rolls)
    # These rolls are jokers, so the joker rule restricts the categories that they can fill.
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
    """Return whether a lower-section category is open."""
    pairs = zip(boxes, rules.categories, strict=True)
    return any(points is None and category.section == "lower" for points, category in pairs)
