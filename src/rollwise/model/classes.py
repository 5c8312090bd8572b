"""The cards that a game can have: sets of filled boxes, numbered.

Boxes that have to be filled one after another form a chain (:attr:`rollwise.rules.Rules.chains`);
of a chain of n boxes only n + 1 sets occur. A set is coded by the number of filled boxes in each
chain, as the digits of one number: to fill box k adds ``stride_K[k]`` to the code. Where every box
may be filled at any time the code is the bit mask itself. Rolls saved are one more digit: s of them
add s times the number of sets.

The number of a class follows from its code, and the other way round: nothing is listed where one
class is asked about.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.errors import TooLargeError
from rollwise.model.numbering import Codes, Computed, Ranks
from rollwise.rules import Rules

NO_CLASS = -1

MAX_SETS = 1 << 24
MAX_CLASSES = 1 << 26

MAX_JOINT = 1 << 26
"""Lanes of all classes, in a game of several columns."""

MAX_UPPER_NUMBERS = 1 << 22
"""In a game of several columns whose cards are not listed."""

Numbers = NDArray[np.int64]


class Root(NamedTuple):
    """The card that all cards come from: filled boxes as a bit mask, bonus armed, rolls saved."""

    filled: int
    eligible: bool
    saved: int

    @classmethod
    def of_game(cls, rules: Rules) -> "Root":
        """Return the empty card."""
        return cls(0, False, rules.extra_rolls)


class ClassKeys(NamedTuple):
    """Where classes are: the number of filled boxes, 1 if armed, the rank of the set, rolls saved.

    ``unsaved`` is the number that each would have if no rolls were saved.
    """

    turns: Numbers
    eligible: Numbers
    rank: Numbers
    saved: Numbers
    unsaved: Numbers


class Numbering:
    """How the classes of a game are numbered.

    Parameters
    ----------
    rules : Rules
    root : Root
    arming : int
        The bit of the box that arms the extra bonus.

    Attributes
    ----------
    codes : Codes
    saved_F : list of range
        How many rolls can be saved with each number of filled boxes.
    layer_starts, unsaved_starts : int64 arrays of shape (K + 2,)
        Of :class:`Classes`; the same if no rolls were saved.
    """

    def __init__(self, rules: Rules, root: Root, arming: int) -> None:
        n, begun = len(rules.categories), root.filled.bit_count()
        self.codes = Codes.of(_open_bits(rules, root.filled))
        every = Ranks(self.codes, 0, n - begun)
        self._ranks_A = {int(root.eligible): every}
        if arming & ~root.filled:
            self._ranks_A[1] = Ranks(self.codes, arming, n - begun)
        held_A_F = np.zeros((2, n + 1), dtype=np.int64)
        for eligible, ranks in self._ranks_A.items():
            held_A_F[eligible, begun:] = ranks.count_F
        self.saved_F = [
            rules.saved_after(max(turns - begun, 0), root.saved) for turns in range(n + 1)
        ]
        self._first_F, self._copies_F = np.array([(s.start, len(s)) for s in self.saved_F]).T
        self._begun, self._unarmed_F = begun, held_A_F[0]
        held_F = held_A_F.sum(axis=0)
        self.unsaved_starts = np.append(0, np.cumsum(held_F))
        self.layer_starts = np.append(0, np.cumsum(held_F * self._copies_F))

    def places(self, c: Numbers) -> ClassKeys:
        """Return where classes are in their layers."""
        turns = np.searchsorted(self.layer_starts, c, side="right") - 1
        place, more = np.divmod(c - self.layer_starts[turns], self._copies_F[turns])
        unarmed = self._unarmed_F[turns]
        eligible = (place >= unarmed).astype(np.int64)
        rank, saved = place - eligible * unarmed, self._first_F[turns] + more
        return ClassKeys(turns, eligible, rank, saved, self.unsaved_starts[turns] + place)

    def sets(self, places: ClassKeys) -> Numbers:
        """Return the codes of the sets of classes."""
        code = np.zeros_like(places.rank)
        for flag, ranks in self._ranks_A.items():
            here = places.eligible == flag
            code[here] = ranks.code(places.rank[here], places.turns[here] - self._begun)
        return code

    def number(self, code: ArrayLike, eligible: ArrayLike, saved: ArrayLike) -> Numbers:
        """Return the classes made of these, of the shape to which they broadcast.

        ``NO_CLASS`` where no game comes to them.
        """
        code, eligible, saved = np.broadcast_arrays(*map(np.asarray, (code, eligible, saved)))
        turns = self._begun + np.bitwise_count(self.codes.boxes(code)).astype(np.int64)
        more = saved - self._first_F[turns]
        exists = (more >= 0) & (more < self._copies_F[turns])
        found = np.full(code.shape, NO_CLASS, dtype=np.int64)
        for flag, ranks in self._ranks_A.items():
            here = exists & (eligible == flag) & ranks.has(code)
            filled = turns[here]
            place = ranks.rank(code[here], filled - self._begun) + flag * self._unarmed_F[filled]
            found[here] = self.layer_starts[filled] + place * self._copies_F[filled] + more[here]
        return found


@dataclass(frozen=True)
class Classes:
    """The classes of a game, by layer (number of filled boxes), then unarmed before armed.

    Attributes
    ----------
    root : Root
        The card that they come from.
    sets : int
        The number of sets of filled boxes.
    mask_C, code_C : int64, of shape (C,)
        The filled boxes as a bit mask; the code of what a turn starts from: that set and, of extra
        rolls, those that are left (saved rolls all become rolls of the turn).
    eligible_C : int8, of shape (C,)
        1 where the extra bonus is armed.
    saved_C : int16, of shape (C,)
        Rolls saved.
    unsaved_C : int32, of shape (C,)
        The number that each class would have if no rolls were saved.
    class_S : int32, of shape (2 S,)
        The class of each code, ``NO_CLASS`` where there is none; unarmed cards first.
    codes : int
        The number S of codes.
    saved_F : list of range
        How many rolls can be saved with each number of filled boxes.
    layer_starts : int64 array of shape (K + 2,)
        Classes with f filled boxes are ``layer_starts[f] .. layer_starts[f + 1] - 1``.
    stride_K : int64 array of shape (K,)
        What filling a box adds to the code.
    before_K, behind_K : int64 arrays of shape (K,)
        The bit of the box that has to be filled before, and that of the next one; 0 if none.
    """

    root: Root
    sets: int
    mask_C: Computed
    code_C: Computed
    eligible_C: Computed
    saved_C: Computed
    unsaved_C: Computed
    class_S: Computed
    codes: int
    saved_F: list[range]
    layer_starts: Numbers
    stride_K: Numbers
    before_K: Numbers
    behind_K: Numbers


def cards_by_layer(rules: Rules, arming: int) -> list[int]:
    """Return how many classes a game has with each number of filled boxes, before any is made."""
    unarmed, eligible = np.array([1]), np.array([int(arming != 0)])
    for chain in rules.chains:
        filled = np.ones(len(chain) + 1, dtype=np.int64)
        unarmed = np.convolve(unarmed, filled)
        for place, k in enumerate(chain):
            filled[: place + 1] *= arming >> k & 1 == 0
        eligible = np.convolve(eligible, filled)
    sets_F = (unarmed + (eligible if arming else 0)).tolist()
    return [sets * len(rules.saved_after(turns)) for turns, sets in enumerate(sets_F)]


def joint_size(rules: Rules) -> int:
    """Return how many lanes all classes of a game have."""
    return sum(cards_by_layer(rules, 0)) * rules.upper_numbers


def each_column(rules: Rules) -> list[Rules]:
    """Return each column of a game as a game of its own."""
    boxes = (tuple(rules.categories[k] for k in column) for column in rules.column_boxes)
    return [rules.model_copy(update={"columns": (), "categories": some}) for some in boxes]


def exceeds_table(rules: Rules) -> bool:
    """Return whether a game of several columns has too many cards for one table."""
    return bool(rules.columns) and joint_size(rules) > MAX_JOINT


def check_joint(rules: Rules) -> None:
    """Raise TooLargeError unless the cards of a game of several columns can be listed."""
    if exceeds_table(rules):
        raise TooLargeError(
            f"{rules.name}: {joint_size(rules):,} cards and upper totals of its columns are too "
            f"many for a table: expected at most {MAX_JOINT:,}"
        )


def number_cards(rules: Rules, arming: int, root: Root | None = None) -> Classes:
    """Return the numbered classes of a game.

    Parameters
    ----------
    rules : Rules
    arming : int
        The bit of the box that arms the extra bonus.
    root : Root, optional
        The card that they come from; the empty one unless told.

    Raises
    ------
    TooLargeError
        When there are more than ``MAX_SETS`` sets of filled boxes, or ``MAX_CLASSES`` classes; of
        several columns, when they have more than ``MAX_JOINT`` lanes.
    """
    if rules.columns and rules.upper_numbers > MAX_UPPER_NUMBERS:
        check_joint(rules)
    root = root or Root.of_game(rules)
    sets = prod(len(bits) + 1 for bits in _open_bits(rules, root.filled))
    if sets > MAX_SETS:
        raise TooLargeError(
            f"{rules.name}: {sets:,} sets of filled boxes are too many: expected at most "
            f"{MAX_SETS:,}"
        )
    numbering = Numbering(rules, root, arming)
    number = int(numbering.layer_starts[-1])
    if number > MAX_CLASSES:
        raise TooLargeError(
            f"{rules.name}: {number:,} sets of filled boxes with {rules.saved_words} are too many: "
            f"expected at most {MAX_CLASSES:,}"
        )
    stride_K, before_K, behind_K = np.zeros((3, len(rules.categories)), dtype=np.int64)
    stride = 1
    for chain in rules.chains:
        bits = [1 << k for k in chain]
        before_K[list(chain)] = [0, *bits[:-1]]
        behind_K[list(chain)] = [*bits[1:], 0]
        left = [k for k in chain if not root.filled >> k & 1]
        stride_K[left] = stride
        stride *= len(left) + 1

    def of_class(number_of: Callable[[ClassKeys], Numbers], dtype: type) -> Computed:
        return Computed(number, lambda c: number_of(numbering.places(c)).astype(dtype))

    extra = sets if rules.extra_rolls else 0
    codes = sets * numbering.saved_F[-1].stop

    def class_of_code(code: Numbers) -> NDArray[np.int32]:
        eligible, code = np.divmod(code, codes)
        saved, code = np.divmod(code, sets)
        return numbering.number(code, eligible, saved).astype(np.int32)

    return Classes(
        root=root,
        sets=sets,
        mask_C=of_class(lambda p: root.filled | numbering.codes.boxes(numbering.sets(p)), np.int64),
        code_C=of_class(lambda p: numbering.sets(p) + p.saved * extra, np.int64),
        eligible_C=of_class(lambda p: p.eligible, np.int8),
        saved_C=of_class(lambda p: p.saved, np.int16),
        unsaved_C=of_class(lambda p: p.unsaved, np.int32),
        class_S=Computed(2 * codes, class_of_code),
        codes=codes,
        saved_F=numbering.saved_F,
        layer_starts=numbering.layer_starts,
        stride_K=stride_K,
        before_K=before_K,
        behind_K=behind_K,
    )


def _open_bits(rules: Rules, filled: int) -> list[list[int]]:
    """Return the bits of the open boxes of each chain, in the order in which they are filled."""
    return [[1 << k for k in chain if not filled >> k & 1] for chain in rules.chains]
