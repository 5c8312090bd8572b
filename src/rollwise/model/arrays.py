"""Rules as arrays: the only bridge from what a game is to what the kernels compute on.

A *class* is the discrete part of a card: the mask of filled categories and whether the extra bonus
is armed, and the rolls saved. A *lane* is the upper total, capped at the bonus threshold; of
several columns it is their upper number, of totals that are not capped, so that it stays a sum.
Scoring a roll in a category is an *outcome*: points, and a shift of the lane, the same for all
lanes; where rolls are saved, also the number of them. Every roll scores by the same *row* of the
option table, except rolls of all dice alike on cards where they earn the extra bonus or are jokers:
these have rows of their own.

Axis letters, used as suffixes of array names:

====  =============================================================================
C     classes, by layer (number of filled categories), then unarmed before armed, then by the
      rolls saved
S     codes of sets of filled categories (:mod:`rollwise.model.classes`): the mask, with a bit a
      category in card order, unless some have to be filled after others; and of saved rolls
L     lanes
K     categories in card order
O     outcomes, by category; number 0 is the forbidden option
R     rolls in lattice order
J     special rolls: all dice alike, by number; none where no rule makes them special
T     option tables: by the rolls left, if points depend on them or they are saved; else one
V     rows of an option table: one a roll, then ``VARIANTS`` a special roll
====  =============================================================================

Upper totals as lanes: what each earns, and which of them a card can come to.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.model.classes import NO_CLASS, Classes, Numbers, Root, number_cards
from rollwise.model.lattice import Lattice, lattice
from rollwise.model.numbering import Computed
from rollwise.model.outcomes import (
    BASE,
    ELIGIBLE,
    FORBIDDEN,
    UNARMED,
    VARIANTS,
    Outcomes,
    boxes_of,
    number_outcomes,
    tables_of,
)
from rollwise.rules import Rules


@dataclass(frozen=True)
class Model(Classes, Outcomes):
    """The arrays of one game: its classes, its outcomes, and what joins them.

    Attributes
    ----------
    lanes : int
        Number of lanes: the highest bonus threshold + 1, or 1 without an upper bonus. With several
        columns that of their upper numbers.
    total_L : int64 array of shape (L,)
        The total of the upper sections of all columns on each lane.
    told_L : int64 array of shape (L,)
        The lane as which it counts: with no column's total beyond where its bonus grows.
    bonus_L : int64 array of shape (L,)
        The upper bonus of a full card on each lane.
    joker_state_C : int8, of shape (C,)
        The situation of each class.
    rerolls_C, table_C : int16, of shape (C,)
        How many rerolls a turn from each class has, and the option table of its last roll; with
        more rolls left the tables after it.
    first_lane_C, last_lane_C : int32, of shape (C,)
        The lanes that have to be computed. From those up to the first one the bonus is out of
        reach, so that all have the first one's value; beyond the last one no game comes.
    rows_C : int64, of shape (C,)
        The number of these lanes.
    code_O, first_table_O, last_table_O : int64 arrays of shape (O,)
        What the outcome adds to the code; the first and the last option table in which it occurs.
    special_row_C_J : int32, of shape (C, J)
        The row of each special roll for each class.
    """

    rules: Rules
    lattice: Lattice
    lanes: int
    total_L: NDArray[np.int64]
    told_L: NDArray[np.int64]
    bonus_L: NDArray[np.int64]
    joker_state_C: Computed
    rerolls_C: Computed
    table_C: Computed
    first_lane_C: Computed
    last_lane_C: Computed
    rows_C: Computed
    code_O: NDArray[np.int64]
    first_table_O: NDArray[np.int64]
    last_table_O: NDArray[np.int64]
    special_row_C_J: Computed

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return int(self.layer_starts[-1])

    def class_of(self, filled: int, eligible: bool = False, saved: int = 0) -> int:
        """Return the class with these categories filled, as a bit mask, and rolls saved.

        ``rollwise.model.classes.NO_CLASS`` where no game comes to such a card.
        """
        if filled & self.root.filled != self.root.filled or saved not in self.saved_F[-1]:
            return NO_CLASS
        strides = self.stride_K.tolist()  # numbers of numpy add up one by one ten times as slowly
        code = sum(stride for k, stride in enumerate(strides) if filled >> k & 1)
        return int(self.class_S[int(eligible) * self.codes + code + saved * self.sets])

    def class_after(self, c: Any, o: Any) -> NDArray[np.int32]:
        """Return the classes after outcomes, of any shape; any class where ``c`` cannot have it."""
        code = self.code_C[c] + self.code_O[o]
        eligible = (self.eligible_C[c] | self.arms_O[o]).astype(np.int64)
        return np.asarray(self.class_S[eligible * self.codes + np.minimum(code, self.codes - 1)])

    def lane_after(self, lane: Any, o: Any) -> NDArray[Any]:
        """Return the lanes after outcomes, of any shapes."""
        return np.asarray(np.minimum(lane + self.shift_O[o], self.lanes - 1))

    def end_of_turn(self, roll: int, rolls_left: int) -> int:
        """Return the number of an end of a turn, by the number of its roll and the rolls left.

        All rolls with none left come first, then all with one left, and so on, where it matters;
        else they are the rolls.
        """
        return roll + (rolls_left * len(self.lattice.rolls) if self.rules.stops else 0)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process as what all of it follows from."""
        return build, (self.rules, self.root)

    def may_fill(self, c: int, k: int) -> bool:
        """Return whether class ``c`` may fill category ``k`` next."""
        mask, before = int(self.mask_C[c]), int(self.before_K[k])
        return mask >> k & 1 == 0 and mask & before == before

    def open_boxes(self, classes_G: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether each of some classes may fill each category next, shape (G, K)."""
        mask_G_1, bit_K = self.mask_C[classes_G][:, None], 1 << np.arange(len(self.before_K))
        before = mask_G_1 & self.before_K == self.before_K
        return np.asarray((mask_G_1 & bit_K == 0) & before)

    def outcomes_of(self, c: int) -> NDArray[np.int64]:
        """Return the outcomes that class ``c`` can have, the forbidden option before them."""
        open_K = self.open_boxes(np.array([c]))[0]
        has_O = self._occur_alike(c) & open_K[self.category_O]
        has_O[FORBIDDEN] = True
        return np.flatnonzero(has_O)

    def slots(self, first: int, last: int) -> NDArray[np.int64]:
        """Return how many outcomes classes ``first .. last - 1`` can have before each category.

        Counted as above, shape (last - first, K + 1): at last how many they can have.
        """
        if first == last:  # of fewer boxes than the root has
            return np.empty((0, len(self.before_K) + 1), dtype=np.int64)
        open_C_K = self.open_boxes(np.arange(first, last))
        kinds = self.joker_state_C, self.table_C, self.rerolls_C
        alike = np.stack([kind[first:last] for kind in kinds])
        _, example, kind_C = np.unique(alike, axis=1, return_index=True, return_inverse=True)
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
        """Return whether each outcome occurs on cards like class ``c``, with its box open."""
        starts_O = self.outcome_starts_K[self.category_O]
        joker_state_O = (np.arange(len(starts_O))[:, None] >= starts_O[:, 1:3]).sum(axis=1)
        here = (joker_state_O == BASE) | (joker_state_O == self.joker_state_C[c])
        here &= self.first_table_O <= self.table_C[c] + self.rerolls_C[c]
        here &= self.last_table_O >= self.table_C[c]
        here[FORBIDDEN] = False
        return np.asarray(here)

    @property
    def step_O(self) -> NDArray[np.int64]:
        """The points that each outcome earns, the extra bonus included, int64 of shape (O,)."""
        return self.points_O + self.extra_O

    @property
    def max_shift(self) -> int:
        """The farthest that one outcome moves the lane."""
        return int(self.shift_O.max())


def unsaved(model: Model) -> Model:
    """Return the arrays of the same game without saved rolls; itself if it has none."""
    if not model.rules.carries_rolls:
        return model
    return build(model.rules.unsaved, model.root._replace(saved=0))


def build(rules: Rules, root: Root | None = None) -> Model:
    """Return the arrays of a game, or of what a card can become: that which is its root.

    Raises
    ------
    TooLargeError
        When one of its tables would be too large to number.
    """
    dice = lattice(rules.kinds)
    boxes = boxes_of(rules)
    cards = number_cards(rules, boxes.extra, root)
    scored = number_outcomes(rules, boxes, dice.counts_P_F[dice.first_roll :])
    first_table_O, last_table_O = tables_of(scored.option_T_V_K, len(scored.points_O))
    lanes = UpperLanes(rules, cards, scored)
    classes, n_rolls = int(cards.layer_starts[-1]), len(dice.rolls)

    def joker_state(c: Numbers) -> NDArray[np.int8]:
        maybe = np.where(cards.mask_C[c] & boxes.joker, UNARMED, BASE)
        return np.where(cards.eligible_C[c] == 1, ELIGIBLE, maybe).astype(np.int8)

    def more(c: Numbers) -> NDArray[np.int16]:
        return np.asarray(
            np.minimum(cards.saved_C[c], 1) if rules.extra_rolls else cards.saved_C[c]
        )

    def table(c: Numbers) -> NDArray[np.int16]:
        return np.asarray((more(c) == 0) & (rules.extra_rolls > 0), dtype=np.int16)

    def special_row(c: Numbers) -> NDArray[np.int32]:
        mask_C, eligible_C = cards.mask_C[c], cards.eligible_C[c]
        row_C_J = np.empty((len(c), len(scored.special_J)), dtype=np.int32)
        for j in range(len(scored.special_J)):
            variant_C = (
                ((mask_C & boxes.joker) != 0) * 1
                + ((~mask_C & boxes.upper_J[j]) != 0) * 2
                + ((~mask_C & boxes.lower) != 0) * 4
                + eligible_C * 8
            )
            row_C_J[:, j] = n_rolls + VARIANTS * j + variant_C
        return row_C_J

    return Model(
        **vars(cards),
        **vars(scored),
        rules=rules,
        lattice=dice,
        lanes=len(lanes),
        total_L=lanes.total_L,
        told_L=lanes.told_L,
        bonus_L=lanes.bonus_L,
        joker_state_C=Computed(classes, joker_state),
        rerolls_C=Computed(classes, lambda c: (rules.rolls - 1 + more(c)).astype(np.int16)),
        table_C=Computed(classes, table),
        first_lane_C=Computed(classes, lanes.first),
        last_lane_C=Computed(classes, lanes.last),
        rows_C=Computed(classes, lanes.number),
        code_O=cards.stride_K[np.maximum(scored.category_O, 0)] + scored.saves_O * cards.sets,
        first_table_O=first_table_O,
        last_table_O=last_table_O,
        special_row_C_J=Computed(classes, special_row),
    )


class UpperLanes:
    """The lanes of a game; axes as in :mod:`rollwise.model.arrays`.

    Attributes
    ----------
    total_L, told_L, bonus_L : int64 arrays of shape (L,)
        Of :class:`rollwise.model.arrays.Model`.
    """

    def __init__(self, rules: Rules, cards: Classes, scored: Outcomes) -> None:
        bonus, cap = rules.upper_bonus, rules.upper_cap
        totals_L_N = np.array(list(rules.upper_totals(np.arange(rules.upper_numbers)))).T
        bonus_T = np.array([bonus.at(n) if bonus else 0 for n in range(totals_L_N.max() + 1)])
        self.total_L: NDArray[np.int64] = totals_L_N.sum(axis=1)
        self.told_L = np.minimum(totals_L_N, cap) @ np.array(rules.upper_steps)
        self.bonus_L: NDArray[np.int64] = bonus_T[totals_L_N].sum(axis=1)
        self._cards, self._cap, self._columns = cards, cap, bool(rules.columns)
        starts_K = scored.outcome_starts_K.tolist()
        self._highest_K = np.array([scored.shift_O[each[0] : each[3]].max() for each in starts_K])
        self._out_of_reach = (bonus.threshold if bonus else 0) - 1 - self._highest_K.sum()

    def __len__(self) -> int:
        return len(self.total_L)

    def first(self, c: Numbers) -> NDArray[np.int32]:
        """Return the last lane below which the bonus is out of reach, or the first lane."""
        return self._ends(c)[0].astype(np.int32)

    def last(self, c: Numbers) -> NDArray[np.int32]:
        """Return the last lane to which a game can come."""
        return self._ends(c)[1].astype(np.int32)

    def number(self, c: Numbers) -> Numbers:
        """Return how many lanes there are from the first to the last."""
        first, last = self._ends(c)
        return 1 + last - first

    def _ends(self, c: Numbers) -> tuple[Numbers, Numbers]:
        """Return the first and the last lane.

        Lanes of several columns are in no order in which those come first, or others come last.
        """
        if self._columns:
            return np.zeros_like(c), np.full_like(c, len(self) - 1)
        reach = self._reach(c)
        last = np.minimum(self._cap, reach)
        return np.clip(self._out_of_reach + reach, 0, last), last

    def _reach(self, c: Numbers) -> Numbers:
        """Return the highest upper total of cards, not capped."""
        mask, highest = self._cards.mask_C[c], np.zeros_like(c)
        for k in np.flatnonzero(self._highest_K).tolist():
            highest += (mask >> k & 1) * self._highest_K[k]
        return highest
