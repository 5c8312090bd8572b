"""Consistency checks of scorecards: scores, totals, filled categories, saved rolls, and bonuses."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import TypeVar, TypeVarTuple
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

Scoring = Callable[[Rules, int, Sequence[int], int], int]
"""A function of the rules, a category, a roll, and its number in the turn that returns points."""

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


def memoized_by_rules(
    function: Callable[[Rules, *Arguments], Result],
) -> Callable[[Rules, *Arguments], Result]:
    """Wrap a function so that its results are cached for as long as the rules are in use.

    The cache itself does not keep the rules in memory, because a server receives many custom games.
    """
    results: WeakKeyDictionary[Rules, dict[object, Result]] = WeakKeyDictionary()

    @wraps(function)
    def memoized(rules: Rules, *arguments: *Arguments) -> Result:
        try:
            return results[rules][arguments]
        except KeyError:
            result = results.setdefault(rules, {})[arguments] = function(rules, *arguments)
            return result

    return memoized


def _scores(
    rules: Rules, category: int, rolls: Iterable[tuple[int, ...]], scoring: Scoring
) -> frozenset[int]:
    # Only the first roll of a turn is checked unless points depend on the number of the roll.
    numbers = range(1, rules.rolls + 1) if rules.counts_rolls else (1,)
    return frozenset(scoring(rules, category, dice, n) for dice in rolls for n in numbers)


@memoized_by_rules
def _n_of_a_kind_scores(
    rules: Rules, category: int, rolls: tuple[tuple[int, ...], ...]
) -> frozenset[int]:
    """Return the possible scores of n-of-a-kind rolls in a category, including joker scores."""
    scores = _scores(rules, category, rolls, natural_points)
    return scores | _scores(rules, category, rolls, joker_points) if rules.joker else scores


@memoized_by_rules
def possible_scores(rules: Rules, category: int) -> frozenset[int]:
    """Return the possible scores of a category."""
    scores = _scores(rules, category, rules.every_roll(), natural_points)
    if rules.joker is None or category == rules.category_index(rules.joker.box):
        return scores
    return scores | _scores(rules, category, rules.alike, joker_points)


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
        return points in _n_of_a_kind_scores(rules, k, rolls)
    # These rolls are jokers, so the joker rule restricts the categories that they can fill.
    if joker.policy == "forced":
        rolls = tuple(
            roll
            for roll in rolls
            if k in own[roll] or all(boxes[box] is not None for box in own[roll])
        )
    elif rules.categories[k].section == "upper" and any(
        open_points is None and category.section == "lower"
        for open_points, category in zip(boxes, rules.categories, strict=True)
    ):
        return False
    return points in _scores(rules, k, rolls, joker_points)
