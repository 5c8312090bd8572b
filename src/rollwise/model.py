"""Rules as arrays: the only bridge from what a game is to what the kernels compute on.

A *class* is the discrete part of a card: the mask of filled categories and whether the extra bonus
is armed. A *lane* is the upper total, capped at the bonus threshold. Scoring a roll in a category
is an *outcome*: points, and a shift of the lane, the same for all lanes. Every roll scores by the
same *row* of the option table, except rolls of all dice alike on cards where they earn the extra
bonus or are jokers: these have rows of their own.

Axis letters, used as suffixes of array names:

====  =============================================================================
C     classes, by layer (number of filled categories), then unarmed before armed
S     sets of filled categories as bit masks, bit k for category k in card order
L     lanes
K     categories in card order
O     outcomes, by category; number 0 is the forbidden option
R     rolls in lattice order
J     special rolls: all dice alike, by face; none where no rule makes them special
V     rows of the option table: one a roll, then ``VARIANTS`` a special roll
====  =============================================================================
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.dice import Lattice, lattice
from rollwise.errors import TooLargeError
from rollwise.points import category_points
from rollwise.rules import Category, Rules

FORBIDDEN = 0
NO_CLASS = -1

BASE, UNARMED, ARMED = 0, 1, 2
"""Situations of a card for rolls of all dice alike: nothing special; a joker may be; bonus too."""

VARIANTS = 16
"""Rows of a special roll: joker box filled, its upper box open, a lower box open, armed."""


@dataclass(frozen=True)
class Model:
    """The arrays of one game.

    Attributes
    ----------
    lanes : int
        Number of lanes: the bonus threshold + 1, or 1 without an upper bonus.
    class_S : int32 array of shape (2, S)
        The class with this armed flag and mask, or ``NO_CLASS``.
    mask_C, armed_C, situation_C : arrays of shape (C,)
        The mask, the armed flag (0 or 1) and the situation of each class.
    first_lane_C, last_lane_C : int32 arrays of shape (C,)
        The lanes that have to be computed. From those up to the first one the bonus is out of
        reach, so that all have the first one's value; beyond the last one no game comes.
    layer_starts : int64 array of shape (K + 2,)
        Classes with f filled categories are ``layer_starts[f] .. layer_starts[f + 1] - 1``.
    category_O, points_O, extra_O, shift_O, arms_O, joker_O, alike_O : arrays of shape (O,)
        The category (-1 for the forbidden option), points of the box, extra bonus, lanes moved,
        whether the outcome arms the bonus, needs a joker, is a roll of all dice alike.
    outcome_starts_K : int32 array of shape (K, 4)
        Outcomes of category k in situation s are
        ``outcome_starts_K[k, s] .. outcome_starts_K[k, s + 1] - 1``.
    option_V_K : uint16 array of shape (V, K)
        The outcome of scoring by row v in category k.
    special_J : int32 array of shape (J,)
        The special rolls.
    special_row_C_J : int32 array of shape (C, J)
        The row of each special roll for each class.
    """

    rules: Rules
    lattice: Lattice
    lanes: int
    class_S: NDArray[np.int32]
    mask_C: NDArray[np.int64]
    armed_C: NDArray[np.int8]
    situation_C: NDArray[np.int8]
    first_lane_C: NDArray[np.int32]
    last_lane_C: NDArray[np.int32]
    layer_starts: NDArray[np.int64]
    category_O: NDArray[np.int32]
    points_O: NDArray[np.int64]
    extra_O: NDArray[np.int64]
    shift_O: NDArray[np.int32]
    arms_O: NDArray[np.int8]
    joker_O: NDArray[np.bool_]
    alike_O: NDArray[np.bool_]
    outcome_starts_K: NDArray[np.int32]
    option_V_K: NDArray[np.uint16]
    special_J: NDArray[np.int32]
    special_row_C_J: NDArray[np.int32]

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.mask_C)

    def may_fill(self, c: int, k: int) -> bool:
        """Return whether class ``c`` may fill category ``k`` next."""
        bit = 1 << k
        return bool(self.mask_C[c] & bit == 0 and self.class_S[0, self.mask_C[c] | bit] != NO_CLASS)

    @property
    def rows_C(self) -> NDArray[np.int64]:
        """The number of lanes of each class that have to be computed, int64 of shape (C,)."""
        return self.last_lane_C.astype(np.int64) - self.first_lane_C + 1

    @property
    def step_O(self) -> NDArray[np.int64]:
        """The points that each outcome earns, the extra bonus included, int64 of shape (O,)."""
        return self.points_O + self.extra_O

    @property
    def max_shift(self) -> int:
        """The farthest that one outcome moves the lane."""
        return int(self.shift_O.max())


def _joker_points(rules: Rules, category: Category, face: int, natural: int) -> int:
    if category.section == "upper":
        return 0 if rules.joker and rules.joker.policy == "lower" else natural
    if isinstance(category.points, int):
        return category.points
    return rules.dice * (category.worth[face - 1] if category.worth else face)


def _bit(rules: Rules, box: int | None) -> int:
    return 0 if box is None else 1 << box


@dataclass(frozen=True)
class _Boxes:
    """Bit masks of the boxes that rules about rolls of all dice alike speak of."""

    extra: int
    joker: int
    upper_F: tuple[int, ...]
    lower: int


def _boxes(rules: Rules) -> _Boxes:
    return _Boxes(
        extra=_bit(
            rules, rules.category_index(rules.extra_bonus.box) if rules.extra_bonus else None
        ),
        joker=_bit(rules, rules.category_index(rules.joker.box) if rules.joker else None),
        upper_F=tuple(_bit(rules, rules.upper_box(face)) for face in range(1, rules.faces + 1)),
        lower=sum(1 << k for k, c in enumerate(rules.categories) if c.section == "lower"),
    )


def _classes(
    rules: Rules, boxes: _Boxes
) -> tuple[NDArray[np.int64], NDArray[np.int8], NDArray[np.int64]]:
    """Return the masks and armed flags of all classes by layer, and where the layers start."""
    n = len(rules.categories)
    masks = np.arange(1 << n) if rules.order == "free" else (1 << np.arange(n + 1)) - 1
    armable = masks[(masks & boxes.extra) != 0]
    mask_C = np.concatenate([masks, armable])
    armed_C = np.repeat(np.array([0, 1], dtype=np.int8), [len(masks), len(armable)])
    layer_C = np.bitwise_count(mask_C)
    order = np.argsort(layer_C, kind="stable")
    return mask_C[order], armed_C[order], np.searchsorted(layer_C[order], np.arange(n + 2))


def _special_row(
    rules: Rules, natural_K: NDArray[np.int64], face: int, variant: int
) -> list[tuple[int, int, bool] | None]:
    """Return (points, extra, joker needed) by category for dice all alike, None if forbidden."""
    joker_filled, upper_open, lower_open, armed = (bool(variant >> bit & 1) for bit in range(4))
    extra = rules.extra_bonus.points if rules.extra_bonus and armed else 0
    policy = rules.joker.policy if rules.joker and joker_filled else None
    own_box = rules.upper_box(face)
    row: list[tuple[int, int, bool] | None] = []
    for k, category in enumerate(rules.categories):
        natural = int(natural_K[k])
        joker = policy == "lower" or (policy is not None and not upper_open)
        points = _joker_points(rules, category, face, natural) if joker else natural
        # Forced: the upper box of the face while it is open, then the lower boxes, then any; lower:
        # the same without its first step. In card order no joker can refuse the one open box.
        own_only = policy == "forced" and upper_open
        forbidden = (
            policy in ("forced", "lower")
            and rules.order == "free"
            and (k != own_box if own_only else lower_open and category.section == "upper")
        )
        row.append(None if forbidden else (points, extra, points > natural))
    return row


def build(rules: Rules) -> Model:
    """Return the arrays of a game.

    Raises
    ------
    TooLargeError
        When one of its tables would be too large to number.
    """
    points_of = lattice(rules.dice, rules.faces)
    counts_R_F = points_of.counts_P_F[points_of.first_roll :]
    natural_R_K = np.stack(
        [category_points(rules, category, counts_R_F) for category in rules.categories], axis=1
    )
    boxes = _boxes(rules)
    mask_C, armed_C, layer_starts = _classes(rules, boxes)
    n = len(rules.categories)
    class_S = np.full((2, 1 << n), NO_CLASS, dtype=np.int32)
    class_S[armed_C, mask_C] = np.arange(len(mask_C), dtype=np.int32)

    alike_R = (counts_R_F == rules.dice).any(axis=1)
    alike_J = np.flatnonzero(alike_R) if boxes.extra | boxes.joker else np.empty(0, int)
    # In lattice order the rolls of all dice alike come by face.
    situation_C = np.where(armed_C == 1, ARMED, np.where(mask_C & boxes.joker, UNARMED, BASE))

    # --- outcomes, by category then situation, and the option table --- #
    rows = len(natural_R_K) + VARIANTS * len(alike_J)
    option_V_K = np.zeros((rows, n), dtype=np.uint16)
    special_rows = [
        _special_row(rules, natural_R_K[roll], face, variant)
        for face, roll in enumerate(alike_J, start=1)
        for variant in range(VARIANTS)
    ]
    outcomes: list[tuple[int, int, int, bool, bool]] = [(0, 0, 0, False, False)]
    starts = np.zeros((n, 4), dtype=np.int32)
    cap = rules.upper_bonus.threshold if rules.upper_bonus else 0
    for k, category in enumerate(rules.categories):
        counts_up = category.section == "upper"
        # All dice alike have outcomes of their own, so that statistics can tell them.
        distinct, option = np.unique(2 * natural_R_K[:, k] + alike_R, return_inverse=True)
        starts[k, BASE] = len(outcomes)
        option_V_K[: len(option), k] = option + len(outcomes)
        numbers = {
            (p >> 1, 0, False): len(outcomes) + i for i, p in enumerate(distinct.tolist()) if p & 1
        }
        for p in distinct.tolist():
            outcomes.append((p >> 1, 0, min(p >> 1, cap) * counts_up, False, bool(p & 1)))
        for situation in (UNARMED, ARMED):
            starts[k, situation] = len(outcomes)
            numbers = {cell: o for cell, o in numbers.items() if o < starts[k, UNARMED]}
            for v, row in enumerate(special_rows):
                cell = row[k]
                if cell is None or (v >> 3 & 1) != (situation == ARMED):
                    continue
                if cell not in numbers:
                    numbers[cell] = len(outcomes)
                    points, extra, joker = cell
                    outcomes.append((points, extra, min(points, cap) * counts_up, joker, True))
                option_V_K[len(natural_R_K) + v, k] = numbers[cell]
        starts[k, 3] = len(outcomes)
    if len(outcomes) > np.iinfo(np.uint16).max:
        raise TooLargeError(
            f"{rules.name}: {len(outcomes)} different scores are too many to number"
        )
    points_O, extra_O, shift_O, joker_O, alike_O = (
        np.array(column) for column in zip(*outcomes, strict=True)
    )
    category_O = np.repeat(np.arange(-1, n), [1, *(starts[:, 3] - starts[:, 0])]).astype(np.int32)
    arms_O = ((1 << np.maximum(category_O, 0)) == boxes.extra) & (points_O > 0)

    # --- windows of lanes --- #
    filled_C_K = (mask_C[:, None] >> np.arange(n)) & 1
    highest_K = np.array([shift_O[starts[k, 0] : starts[k, 3]].max() for k in range(n)])
    reach_C = filled_C_K @ highest_K
    last_lane_C = np.minimum(cap, reach_C)
    first_lane_C = np.clip(cap - 1 - (highest_K.sum() - reach_C), 0, last_lane_C)

    # --- rows of the special rolls --- #
    special_row_C_J = np.empty((len(mask_C), len(alike_J)), dtype=np.int32)
    for j in range(len(alike_J)):
        upper = boxes.upper_F[j]
        variant_C = (
            ((mask_C & boxes.joker) != 0) * 1
            + ((~mask_C & upper) != 0) * 2
            + ((~mask_C & boxes.lower) != 0) * 4
            + armed_C * 8
        )
        special_row_C_J[:, j] = len(natural_R_K) + VARIANTS * j + variant_C

    return Model(
        rules=rules,
        lattice=points_of,
        lanes=cap + 1,
        class_S=class_S,
        mask_C=mask_C,
        armed_C=armed_C,
        situation_C=situation_C.astype(np.int8),
        first_lane_C=first_lane_C.astype(np.int32),
        last_lane_C=last_lane_C.astype(np.int32),
        layer_starts=layer_starts.astype(np.int64),
        category_O=category_O,
        points_O=points_O,
        extra_O=extra_O,
        shift_O=shift_O.astype(np.int32),
        arms_O=arms_O.astype(np.int8),
        joker_O=joker_O.astype(np.bool_),
        alike_O=alike_O.astype(np.bool_),
        outcome_starts_K=starts,
        option_V_K=option_V_K,
        special_J=alike_J.astype(np.int32),
        special_row_C_J=special_row_C_J,
    )
