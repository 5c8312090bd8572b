"""The numbered outcomes of scoring a roll, and the option table of every roll.

This module implements the rules for bonuses and jokers a second time, independently of
:mod:`rollwise.game.scorecard`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.model.roll_points import category_points
from rollwise.rules import Category, ExtraBonus, Joker, Rules

FORBIDDEN = 0

BASE, INELIGIBLE, ELIGIBLE = 0, 1, 2
"""The joker states of a class.

``BASE``: a roll cannot be a joker. ``INELIGIBLE``: a roll can be a joker, but the scorecard is not
eligible for the five-of-a-kind bonus. ``ELIGIBLE``: the scorecard is eligible for the bonus.
"""

VARIANTS = 16
"""The number of rows of a special roll, one for each combination of four flags.

The first flag is set if the joker category is filled. The second flag is set if an upper category
of the roll's face is open. The third flag is set if a lower category is open. The fourth flag is
set if the scorecard is eligible for the five-of-a-kind bonus.
"""

Row = list[tuple[int, int, bool] | None]
"""The outcome of a special roll in each category, or None if the rules forbid the category.

An outcome consists of the points, the five-of-a-kind bonus, and whether the points need a joker.
"""

Scored = tuple[int, int, int, bool, bool]
"""An outcome: its points, its five-of-a-kind bonus, its shift of the lane, and two flags.

The flags say whether the outcome needs a joker and whether its roll is n of a kind.
"""


def _bit(rules: Rules, rule: ExtraBonus | Joker | None) -> int:
    """Return the bit of the category that a bonus or joker rule names, or 0 if the rule is None."""
    return 0 if rule is None else 1 << rules.category_index(rule.box)


@dataclass(frozen=True)
class SpecialCategories:
    """The bit masks of the categories that matter for n-of-a-kind rolls.

    ``extra`` and ``joker`` are the categories of the five-of-a-kind bonus and of the joker rule.
    ``upper_J`` are the upper categories of the face of each n-of-a-kind roll. ``lower`` is the
    lower section.
    """

    extra: int
    joker: int
    upper_J: tuple[int, ...]
    lower: int


def special_categories(rules: Rules) -> SpecialCategories:
    """Return the bit masks of the categories that matter for n-of-a-kind rolls."""
    return SpecialCategories(
        extra=_bit(rules, rules.extra_bonus),
        joker=_bit(rules, rules.joker),
        upper_J=tuple(
            sum(1 << k for k in rules.upper_categories(rules.shown(roll)[0]))
            for roll in rules.alike
        ),
        lower=sum(1 << k for k, c in enumerate(rules.categories) if c.section == "lower"),
    )


def _joker_points(rules: Rules, category: Category, face: int, natural: int, roll: int) -> int:
    if category.section == "upper":
        return 0 if rules.joker and rules.joker.policy == "lower" else natural
    fixed = category.fixed_points(roll)
    if fixed is not None:
        return fixed
    die_points = category.worth[face - 1] if category.worth else face
    return rules.dice * die_points * category.times + category.plus


def _special_row(
    rules: Rules, natural_K: NDArray[np.int64], face: int, roll: int, variant: int
) -> Row:
    """Return the row of an n-of-a-kind roll for one variant of the scorecard (``VARIANTS``).

    ``natural_K`` contains the points without the joker rule. ``face`` is the number on all dice,
    and ``roll`` is the number of the roll in the turn.
    """
    joker_filled, upper_open, lower_open, eligible = (bool(variant >> bit & 1) for bit in range(4))
    bonus = rules.extra_bonus if eligible else None
    policy = rules.joker.policy if rules.joker and joker_filled else None
    own_upper = rules.upper_categories(face)
    row: Row = []
    for k, category in enumerate(rules.categories):
        natural = int(natural_K[k])
        joker = policy == "lower" or (policy is not None and not upper_open)
        points = _joker_points(rules, category, face, natural, roll) if joker else natural
        # Forced: the player must fill the upper category of the face if it is open, otherwise an
        # open lower category if there is one, otherwise any category. Lower: the player must
        # fill an open lower category if there is one, otherwise any category. In a fixed order,
        # only one category is open.
        own_only = policy == "forced" and upper_open
        forbidden = (
            policy in ("forced", "lower")
            and rules.order == "free"
            and (k not in own_upper if own_only else lower_open and category.section == "upper")
        )
        paid = bonus is not None and (bonus.where == "anywhere" or k in own_upper)
        extra = bonus.points if bonus and paid else 0
        row.append(None if forbidden else (points, extra, points > natural))
    return row


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of a game, by category, and the outcome of each roll in each category."""

    # The category of each outcome, or -1 for the forbidden option.
    category_O: NDArray[np.int32]
    # The points in the category, and the points of the five-of-a-kind bonus.
    points_O: NDArray[np.int64]
    extra_O: NDArray[np.int64]
    # The shift of the lane.
    shift_O: NDArray[np.int32]
    # The change in the number of saved rolls.
    saves_O: NDArray[np.int64]
    # 1 if the outcome makes the scorecard eligible for the five-of-a-kind bonus, or else 0.
    makes_eligible_O: NDArray[np.int8]
    # Whether the outcome needs a joker, and whether its roll is n of a kind.
    joker_O: NDArray[np.bool_]
    n_of_a_kind_O: NDArray[np.bool_]
    # Outcomes of category k in joker state s are
    # ``outcome_starts_K[k, s] .. outcome_starts_K[k, s + 1] - 1``, shape (K, 4).
    outcome_starts_K: NDArray[np.int32]
    # For each option table, the outcome of scoring the roll of each row in each category.
    option_T_V_K: NDArray[np.uint16]
    # The indexes of the special rolls in lattice order.
    special_J: NDArray[np.int32]


def number_outcomes(
    rules: Rules, special: SpecialCategories, counts_R_F: NDArray[np.int8]
) -> Outcomes:
    """Return the numbered outcomes of a game; raise TooLargeError if there are more than 65,535.

    ``counts_R_F`` is the number of dice in each roll that show each symbol.
    """
    tables = range(rules.rolls if rules.counts_rolls else 1)
    natural_T_R_K = np.array(
        [
            [category_points(rules, category, counts_R_F, left) for category in rules.categories]
            for left in tables
        ]
    ).transpose(0, 2, 1)
    numbers_F = np.array(rules.numbers)
    numbers_N = np.unique(numbers_F)
    alike_R_N = counts_R_F @ (numbers_F[:, None] == numbers_N).astype(np.int8) == rules.dice
    alike_R = alike_R_N.any(axis=1)
    # Lattice order sorts the n-of-a-kind rolls by number.
    alike_J = np.flatnonzero(alike_R) if special.extra | special.joker else np.empty(0, np.int64)
    special_T_V = [
        [
            _special_row(rules, natural_T_R_K[left, roll], number, rules.rolls - left, variant)
            for number, roll in zip((alike_R_N @ numbers_N)[alike_J].tolist(), alike_J, strict=True)
            for variant in range(VARIANTS)
        ]
        for left in tables
    ]
    distinct, starts_K, option_T_V_K = _numbered(rules, natural_T_R_K, alike_R, special_T_V)
    points_O, extra_O, shift_O, joker_O, n_of_a_kind_O = (
        np.array(column) for column in zip(*distinct, strict=True)
    )
    category_O = np.repeat(np.arange(-1, len(starts_K)), [1, *(starts_K[:, 3] - starts_K[:, 0])])
    makes_eligible_O = ((1 << np.maximum(category_O, 0)) == special.extra) & (points_O > 0)
    numbered = Outcomes(
        category_O=category_O.astype(np.int32),
        points_O=points_O,
        extra_O=extra_O,
        shift_O=shift_O.astype(np.int32),
        saves_O=np.zeros(len(distinct), dtype=np.int64),
        makes_eligible_O=makes_eligible_O.astype(np.int8),
        joker_O=joker_O.astype(np.bool_),
        n_of_a_kind_O=n_of_a_kind_O.astype(np.bool_),
        outcome_starts_K=starts_K,
        option_T_V_K=option_T_V_K,
        special_J=alike_J.astype(np.int32),
    )
    return _with_saved_rolls(rules, numbered) if rules.carries_rolls else numbered


def _numbered(
    rules: Rules,
    natural_T_R_K: NDArray[np.int64],
    alike_R: NDArray[np.bool_],
    special_T_V: Sequence[Sequence[Row]],
) -> tuple[list[Scored], NDArray[np.int32], NDArray[np.uint16]]:
    """Return the outcomes, the first outcome by category and joker state, and the option tables."""
    n_tables, n_rolls, n = natural_T_R_K.shape
    option_T_V_K = np.zeros((n_tables, n_rolls + len(special_T_V[0]), n), dtype=np.uint16)
    distinct: list[Scored] = [(0, 0, 0, False, False)]
    starts_K = np.zeros((n, 4), dtype=np.int32)
    for k in range(n):
        # Separate outcomes for n of a kind allow statistics to count them.
        values, option = np.unique(2 * natural_T_R_K[:, :, k] + alike_R, return_inverse=True)
        starts_K[k, BASE] = len(distinct)
        option_T_V_K[:, :n_rolls, k] = option.reshape(n_tables, n_rolls) + len(distinct)
        numbers = {
            (p >> 1, 0, False): len(distinct) + i for i, p in enumerate(values.tolist()) if p & 1
        }
        for p in values.tolist():
            distinct.append((p >> 1, 0, _shift(rules, k, p >> 1), False, bool(p & 1)))
        for joker_state in (INELIGIBLE, ELIGIBLE):
            starts_K[k, joker_state] = len(distinct)
            numbers = {cell: o for cell, o in numbers.items() if o < starts_K[k, INELIGIBLE]}
            for t, rows in enumerate(special_T_V):
                for v, row in enumerate(rows):
                    cell = row[k]
                    if cell is None or (v >> 3 & 1) != (joker_state == ELIGIBLE):
                        continue
                    if cell not in numbers:
                        numbers[cell] = len(distinct)
                        points, extra, joker = cell
                        distinct.append((points, extra, _shift(rules, k, points), joker, True))
                    option_T_V_K[t, n_rolls + v, k] = numbers[cell]
        starts_K[k, 3] = len(distinct)
    if len(distinct) > np.iinfo(np.uint16).max:
        raise TooLargeError(
            f"{rules.name} is too large: it has {len(distinct):,} different scores, and the limit "
            f"is {np.iinfo(np.uint16).max:,}; use fewer categories or simpler points"
        )
    return distinct, starts_K, option_T_V_K


def tables_of(option_T_V_K: NDArray[np.uint16], outcomes: int) -> NDArray[np.int64]:
    """Return the first and the last option table that contain each outcome, shape (2, O)."""
    tables_O = np.zeros((2, outcomes), dtype=np.int64)
    for t in range(len(option_T_V_K)):
        tables_O[0, np.unique(option_T_V_K[-1 - t])] = len(option_T_V_K) - 1 - t
        tables_O[1, np.unique(option_T_V_K[t])] = t
    return tables_O


def _shift(rules: Rules, k: int, points: int) -> int:
    """Return the shift of the lane when points are scored in a category."""
    if rules.upper_bonus is None or rules.categories[k].section != "upper":
        return 0
    if rules.columns:
        return points * rules.upper_steps[rules.column_of[k]]
    return min(points, rules.upper_bonus.cap)


def _changes(rules: Rules) -> list[int]:
    """Return the change in the number of saved rolls after a turn, for each option table.

    In a game that saves rolls, the rolls left are added. In a game with extra rolls, a turn uses
    one extra roll if no rolls are left after its final roll. If no extra rolls are left before a
    turn, its tables start at the second table.
    """
    if rules.saves_rolls:
        return list(rules.saved_after(len(rules.categories)))
    return [-1] + [0] * rules.rolls


def _with_saved_rolls(rules: Rules, outcomes: Outcomes) -> Outcomes:
    """Return the outcomes, each copied once for every change in the saved or extra rolls."""
    changes, change_T = np.unique(_changes(rules), return_inverse=True)
    starts_K, copies = outcomes.outcome_starts_K.astype(np.int64), len(changes)
    # Within each category and joker state, all outcomes with the first change come first.
    bounds = np.unique(starts_K)
    blocks = [(0, 1), *((int(a), int(b)) for a, b in pairwise(bounds))]
    number = 1 + (len(outcomes.points_O) - 1) * copies
    if number > np.iinfo(np.uint16).max:
        raise TooLargeError(
            f"{rules.name} is too large: it has {number:,} combinations of a score and saved "
            f"rolls, and the limit is {np.iinfo(np.uint16).max:,}; use fewer categories or rolls"
        )
    old_O = np.concatenate([np.tile(np.arange(a, b), copies if a else 1) for a, b in blocks])
    copy_O = np.concatenate([np.repeat(np.arange(copies if a else 1), b - a) for a, b in blocks])
    new_D_O = np.zeros((copies, len(outcomes.points_O)), dtype=np.uint16)
    new_D_O[copy_O, old_O] = np.arange(number)
    new_D_O[:, FORBIDDEN] = FORBIDDEN
    saves_O = changes[copy_O]
    saves_O[FORBIDDEN] = 0
    return replace(
        outcomes,
        category_O=outcomes.category_O[old_O],
        points_O=outcomes.points_O[old_O],
        extra_O=outcomes.extra_O[old_O],
        shift_O=outcomes.shift_O[old_O],
        saves_O=saves_O,
        makes_eligible_O=outcomes.makes_eligible_O[old_O],
        joker_O=outcomes.joker_O[old_O],
        n_of_a_kind_O=outcomes.n_of_a_kind_O[old_O],
        outcome_starts_K=(1 + (starts_K - 1) * copies).astype(np.int32),
        option_T_V_K=new_D_O[change_T][:, outcomes.option_T_V_K[0]],
    )
