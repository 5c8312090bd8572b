"""The array model of a game: the only interface between the rules and the kernels.

A *class* is the discrete part of a state: the mask of filled categories, whether the scorecard
is eligible for the five-of-a-kind bonus, and the saved rolls. A *lane* is the upper-section total,
capped at the last bonus threshold. In a game with several columns, a lane encodes the uncapped
totals of all columns as one number (:mod:`rollwise.rules.columns`).

An *outcome* is the result of scoring a roll in a category: points, a shift of the lane, and a
change in the saved rolls. The shift is the same for all lanes. A *row* of the option table contains
the outcomes of one roll. A roll with n of a kind has several rows, because its points can depend on
the scorecard: it might earn the five-of-a-kind bonus or be a joker.

Axis letters, used as suffixes of array names:

====  =============================================================================
C     classes, by layer (number of filled categories), then ineligible before eligible, then
      by saved rolls
S     codes of sets of filled categories and of saved rolls (:mod:`rollwise.model.classes`)
L     lanes
K     categories in scorecard order
O     outcomes, by category; outcome 0 is the forbidden option
R     rolls in lattice order
J     special rolls (n of a kind), by the number on their dice; empty if no rule makes them
      special
T     option tables: one for each number of rolls left if this number matters, or else a
      single table
V     rows of an option table: one for each roll, then ``VARIANTS`` for each special roll
====  =============================================================================
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.model.classes import (
    NO_CLASS,
    ByClass,
    Classes,
    Numbers,
    Root,
    listed,
    number_classes,
)
from rollwise.model.dice_lattice import Lattice, lattice
from rollwise.model.outcomes import (
    BASE,
    ELIGIBLE,
    FORBIDDEN,
    INELIGIBLE,
    VARIANTS,
    Outcomes,
    number_outcomes,
    special_categories,
    tables_of,
)
from rollwise.rules import Rules


@dataclass(frozen=True)
class Model(Classes, Outcomes):
    """The array model of a game: its classes, its outcomes, and the transitions between classes."""

    rules: Rules
    lattice: Lattice
    # The number of lanes: the highest bonus threshold + 1, or 1 if there is no upper bonus. In a
    # game with several columns, this is the number of combinations of the columns' totals.
    lanes: int
    # The sum of the upper-section totals of all columns on each lane.
    total_L: NDArray[np.int64]
    # The lane that each lane becomes if each column's total is capped at the last threshold.
    capped_L: NDArray[np.int64]
    # The upper bonus of a full scorecard on each lane.
    bonus_L: NDArray[np.int64]
    # The joker state of each class, int8: ``BASE``, ``INELIGIBLE``, or ``ELIGIBLE``.
    joker_state_C: ByClass
    # The number of rerolls in a turn that starts from each class, int16.
    rerolls_C: ByClass
    # The option table for a turn from each class that ends with no rolls left, int16. The next
    # tables are for turns that end with one roll left, two rolls left, and so on.
    table_C: ByClass
    # The first lane to compute, int32: the highest lane on which the bonus is out of reach, or 0.
    # All lower lanes have the same value.
    first_lane_C: ByClass
    # The last lane to compute, int32: the highest lane that a game can reach with this class.
    last_lane_C: ByClass
    # The number of lanes to compute, int64.
    rows_C: ByClass
    # The number that each outcome adds to the code of a class.
    code_O: NDArray[np.int64]
    # The first and the last option table that contain each outcome.
    first_table_O: NDArray[np.int64]
    last_table_O: NDArray[np.int64]
    # The option-table row of each special roll, for each class, int32.
    special_row_C_J: ByClass

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return int(self.layer_starts[-1])

    def class_of(self, filled: int, eligible: bool = False, saved: int = 0) -> int:
        """Return the class with the given filled categories (a mask), eligibility, and saved rolls.

        Return ``rollwise.model.classes.NO_CLASS`` if no game reaches the class.
        """
        if filled & self.root.filled != self.root.filled or saved not in self.saved_F[-1]:
            return NO_CLASS
        strides = self.stride_K.tolist()  # summing NumPy scalars takes ten times as long
        code = sum(stride for k, stride in enumerate(strides) if filled >> k & 1)
        return int(self.class_S[int(eligible) * self.codes + code + saved * self.sets])

    def class_after(self, c: Any, o: Any) -> NDArray[np.int32]:
        """Return the class that follows class ``c`` after outcome ``o``; the arguments broadcast.

        The result is arbitrary if class ``c`` cannot have the outcome.
        """
        code = self.code_C[c] + self.code_O[o]
        eligible = (self.eligible_C[c] | self.makes_eligible_O[o]).astype(np.int64)
        return np.asarray(self.class_S[eligible * self.codes + np.minimum(code, self.codes - 1)])

    def lane_after(self, lane: Any, o: Any) -> NDArray[Any]:
        """Return the lane that follows ``lane`` after outcome ``o``; the arguments broadcast."""
        return np.asarray(np.minimum(lane + self.shift_O[o], self.lanes - 1))

    def final_roll_index(self, roll: int, rolls_left: int) -> int:
        """Return the index of a final roll (axis ``E`` of :mod:`rollwise.model.turn`).

        If the number of rolls left matters, all rolls with no rolls left come first, then all rolls
        with one roll left, and so on. Otherwise, the index is ``roll``, the index in lattice order.
        """
        return roll + (rolls_left * len(self.lattice.rolls) if self.rules.stops else 0)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the rules and the root, from which all arrays can be built again."""
        return build, (self.rules, self.root)

    def may_fill(self, c: int, k: int) -> bool:
        """Return whether class ``c`` can fill category ``k`` next."""
        mask, before = int(self.mask_C[c]), int(self.before_K[k])
        return mask >> k & 1 == 0 and mask & before == before

    def open_categories(self, classes_G: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether each of G classes can fill each category next, bool of shape (G, K)."""
        mask_G_1, bit_K = self.mask_C[classes_G][:, None], 1 << np.arange(len(self.before_K))
        before = mask_G_1 & self.before_K == self.before_K
        return np.asarray((mask_G_1 & bit_K == 0) & before)

    def outcomes_of(self, c: int) -> NDArray[np.int64]:
        """Return the possible outcomes of class ``c``, starting with the forbidden option."""
        open_K = self.open_categories(np.array([c]))[0]
        has_O = self._occur_alike(c) & open_K[self.category_O]
        has_O[FORBIDDEN] = True
        return np.flatnonzero(has_O)

    def slots(self, first: int, last: int) -> NDArray[np.int64]:
        """Return the number of possible outcomes before each category, for a range of classes.

        The classes are ``first .. last - 1``, and the shape is (last - first, K + 1). The last
        column is the number of all possible outcomes. The forbidden option counts as an outcome.
        """
        if first == last:  # layers with fewer filled categories than the root
            return np.empty((0, len(self.before_K) + 1), dtype=np.int64)
        open_C_K = self.open_categories(np.arange(first, last))
        features = self.joker_state_C, self.table_C, self.rerolls_C
        feature_F_C = np.stack([feature[first:last] for feature in features])
        _, example, kind_C = np.unique(feature_F_C, axis=1, return_index=True, return_inverse=True)
        count_N_K = np.array(
            [
                np.bincount(
                    self.category_O[self._occur_alike(first + c)], minlength=len(open_C_K.T)
                )
                for c in example
            ]
        )
        return 1 + np.cumsum(np.pad(open_C_K * count_N_K[kind_C.ravel()], ((0, 0), (1, 0))), axis=1)

    def _occur_alike(self, c: int) -> NDArray[np.bool_]:
        """Return whether each outcome occurs in class ``c`` if its category is open."""
        starts_O = self.outcome_starts_K[self.category_O]
        joker_state_O = (np.arange(len(starts_O))[:, None] >= starts_O[:, 1:3]).sum(axis=1)
        occurs = (joker_state_O == BASE) | (joker_state_O == self.joker_state_C[c])
        occurs &= self.first_table_O <= self.table_C[c] + self.rerolls_C[c]
        occurs &= self.last_table_O >= self.table_C[c]
        occurs[FORBIDDEN] = False
        return np.asarray(occurs)

    @property
    def total_points_O(self) -> NDArray[np.int64]:
        """The points of each outcome, including the five-of-a-kind bonus, int64 of shape (O,)."""
        return self.points_O + self.extra_O


def unsaved(model: Model) -> Model:
    """Return the model of the same game without saved or extra rolls."""
    if not model.rules.carries_rolls:
        return model
    return build(model.rules.unsaved, model.root._replace(saved=0))


def build(rules: Rules, root: Root | None = None) -> Model:
    """Return the array model of a game, or of the subgame that starts from ``root``."""
    dice = lattice(rules.kinds)
    special = special_categories(rules)
    classes = number_classes(rules, special.extra, root)
    outcomes = number_outcomes(rules, special, dice.counts_P_F[dice.first_roll :])
    first_table_O, last_table_O = tables_of(outcomes.option_T_V_K, len(outcomes.points_O))
    lanes = UpperLanes(rules, classes, outcomes)
    n_rolls = len(dice.rolls)

    def by_class(entries_of: Callable[[Numbers], NDArray[Any]]) -> ByClass:
        return listed(rules, int(classes.layer_starts[-1]), entries_of)

    def joker_state(c: Numbers) -> NDArray[np.int8]:
        joker_state_C = np.where(classes.mask_C[c] & special.joker, INELIGIBLE, BASE)
        return np.where(classes.eligible_C[c] == 1, ELIGIBLE, joker_state_C).astype(np.int8)

    def more(c: Numbers) -> NDArray[np.int16]:
        return np.asarray(
            np.minimum(classes.saved_C[c], 1) if rules.extra_rolls else classes.saved_C[c]
        )

    def table(c: Numbers) -> NDArray[np.int16]:
        return np.asarray((more(c) == 0) & (rules.extra_rolls > 0), dtype=np.int16)

    def special_row(c: Numbers) -> NDArray[np.int32]:
        mask_C, eligible_C = classes.mask_C[c], classes.eligible_C[c]
        row_C_J = np.empty((len(c), len(outcomes.special_J)), dtype=np.int32)
        for j in range(len(outcomes.special_J)):
            variant_C = (
                ((mask_C & special.joker) != 0) * 1
                + ((~mask_C & special.upper_J[j]) != 0) * 2
                + ((~mask_C & special.lower) != 0) * 4
                + eligible_C * 8
            )
            row_C_J[:, j] = n_rolls + VARIANTS * j + variant_C
        return row_C_J

    return Model(
        **vars(classes),
        **vars(outcomes),
        rules=rules,
        lattice=dice,
        lanes=len(lanes),
        total_L=lanes.total_L,
        capped_L=lanes.capped_L,
        bonus_L=lanes.bonus_L,
        joker_state_C=by_class(joker_state),
        rerolls_C=by_class(lambda c: (rules.rolls - 1 + more(c)).astype(np.int16)),
        table_C=by_class(table),
        first_lane_C=by_class(lanes.first),
        last_lane_C=by_class(lanes.last),
        rows_C=by_class(lanes.number),
        code_O=classes.stride_K[np.maximum(outcomes.category_O, 0)]
        + outcomes.saves_O * classes.sets,
        first_table_O=first_table_O,
        last_table_O=last_table_O,
        special_row_C_J=by_class(special_row),
    )


class UpperLanes:
    """The lanes of a game (as in :class:`Model`), and the range that each class can reach."""

    def __init__(self, rules: Rules, classes: Classes, outcomes: Outcomes) -> None:
        bonus, cap = rules.upper_bonus, rules.upper_cap
        totals_L_N = np.array(list(rules.upper_totals(np.arange(rules.upper_numbers)))).T
        bonus_T = np.array([bonus.at(n) if bonus else 0 for n in range(totals_L_N.max() + 1)])
        self.total_L: NDArray[np.int64] = totals_L_N.sum(axis=1)
        self.capped_L = np.minimum(totals_L_N, cap) @ np.array(rules.upper_steps)
        self.bonus_L: NDArray[np.int64] = bonus_T[totals_L_N].sum(axis=1)
        self._classes, self._cap, self._columns = classes, cap, bool(rules.columns)
        starts_K = outcomes.outcome_starts_K.tolist()
        self._highest_K = np.array(
            [outcomes.shift_O[starts[0] : starts[3]].max() for starts in starts_K]
        )
        self._out_of_reach = (bonus.threshold if bonus else 0) - 1 - self._highest_K.sum()

    def __len__(self) -> int:
        return len(self.total_L)

    def first(self, c: Numbers) -> NDArray[np.int32]:
        """Return, for each class in ``c``, the highest lane on which it cannot reach the bonus.

        The lane is 0 if there is none, or if the game has several columns.
        """
        return self._ends(c)[0].astype(np.int32)

    def last(self, c: Numbers) -> NDArray[np.int32]:
        """Return the highest lane that a game can reach with each class in ``c``."""
        return self._ends(c)[1].astype(np.int32)

    def number(self, c: Numbers) -> Numbers:
        """Return the number of lanes of each class in ``c``, counting its first and last lane."""
        first, last = self._ends(c)
        return 1 + last - first

    def _ends(self, c: Numbers) -> tuple[Numbers, Numbers]:
        """Return the first and the last lane of each class in ``c``.

        With several columns, the range contains all lanes, because no single total orders them.
        """
        if self._columns:
            return np.zeros_like(c), np.full_like(c, len(self) - 1)
        reach = self._reach(c)
        last = np.minimum(self._cap, reach)
        return np.clip(self._out_of_reach + reach, 0, last), last

    def _reach(self, c: Numbers) -> Numbers:
        """Return the highest upper-section total of each class in ``c``, without a cap."""
        mask, highest = self._classes.mask_C[c], np.zeros_like(c)
        for k in np.flatnonzero(self._highest_K).tolist():
            highest += (mask >> k & 1) * self._highest_K[k]
        return highest
