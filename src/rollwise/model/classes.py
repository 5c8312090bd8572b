"""The numbered classes of a game: filled categories, bonus eligibility, and saved rolls.

Categories that must be filled one after another form a chain
(:attr:`rollwise.rules.Rules.chains`). In a chain of n categories, only n + 1 sets of filled
categories are possible. The code of a set has one digit for each chain: the number of categories
filled in the chain. Filling category k adds ``stride_K[k]`` to the code. If any category can be
filled at any time, the code is the bit mask itself. The highest digit is the number of saved rolls:
s saved rolls add s times the number of sets.

The number of a class is computed from its code, and the code from the number. Both are computed
only when they are read.
"""

from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.errors import TooLargeError
from rollwise.model.numbering import LazyArray, Numbers, SetRanks
from rollwise.rules import Rules

NO_CLASS = -1

MAX_SETS = 1 << 24
MAX_CLASSES = 1 << 26

MAX_JOINT = 1 << 26
"""The maximum number of (class, lane) pairs in a table of a game with several columns."""

MAX_UPPER_NUMBERS = 1 << 22
"""The maximum number of combinations of upper-section totals in a game with several columns.

The limit applies only if the states of the game do not fit in one table.
"""


class Root(NamedTuple):
    """The scorecard from which a model starts.

    ``filled`` is a bit mask of categories. ``eligible`` says whether the scorecard is eligible for
    the five-of-a-kind bonus. ``saved`` is the number of saved or extra rolls.
    """

    filled: int
    eligible: bool
    saved: int

    @classmethod
    def of_game(cls, rules: Rules) -> "Root":
        """Return the empty scorecard, the root of a whole game."""
        return cls(0, False, rules.extra_rolls)


class Numbering:
    """The numbering of a game's classes: by layer, then eligibility, then set, then saved rolls.

    ``bonus_bit`` is the bit of the category whose points make a scorecard eligible for the
    five-of-a-kind bonus; 0 if there is no bonus. ``unsaved_starts`` has the first class of each
    layer in a game without saved rolls. :class:`Classes` explains the other attributes.
    """

    def __init__(self, rules: Rules, root: Root, bonus_bit: int) -> None:
        n, begun, open_bits = (
            len(rules.categories),
            root.filled.bit_count(),
            _open_bits(rules, root),
        )
        self._ranks_A = {int(root.eligible): SetRanks(open_bits)}
        self._sets = self._ranks_A[int(root.eligible)]
        if bonus_bit & ~root.filled:
            self._ranks_A[1] = SetRanks(open_bits, bonus_bit)
        held_A_F = np.zeros((2, n + 1), dtype=np.int64)
        for eligible, ranks in self._ranks_A.items():
            held_A_F[eligible, begun:] = ranks.count_F
        self.saved_F = [
            rules.saved_after(max(turns - begun, 0), root.saved) for turns in range(n + 1)
        ]
        self._first_F, self._copies_F = np.array([(s.start, len(s)) for s in self.saved_F]).T
        self._begun, self._ineligible_F = begun, held_A_F[0]
        held_F = held_A_F.sum(axis=0)
        self.unsaved_starts = np.append(0, np.cumsum(held_F))
        self.layer_starts = np.append(0, np.cumsum(held_F * self._copies_F))

    def _split(self, c: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return the layer of each class in ``c``, its index in the layer, and its saved rolls.

        The index ignores saved rolls. The third array contains the saved rolls in excess of the
        lowest possible number in the layer.
        """
        turns = np.searchsorted(self.layer_starts, c, side="right") - 1
        place, more = np.divmod(c - self.layer_starts[turns], self._copies_F[turns])
        return turns, place, more

    def eligible(self, c: Numbers) -> NDArray[np.bool_]:
        """Return whether each class in ``c`` is eligible for the five-of-a-kind bonus."""
        turns, place, _ = self._split(c)
        return np.asarray(place >= self._ineligible_F[turns])

    def saved(self, c: Numbers) -> Numbers:
        """Return the number of saved rolls of each class in ``c``."""
        turns, _, more = self._split(c)
        return np.asarray(self._first_F[turns] + more)

    def unsaved(self, c: Numbers) -> Numbers:
        """Return the class number that each class in ``c`` would have without saved rolls."""
        turns, place, _ = self._split(c)
        return np.asarray(self.unsaved_starts[turns] + place)

    def code(self, c: Numbers) -> Numbers:
        """Return the code of the categories that each class in ``c`` has filled since the root."""
        turns, place, _ = self._split(c)
        eligible = place >= self._ineligible_F[turns]
        code = np.zeros_like(place)
        for flag, ranks in self._ranks_A.items():
            here = eligible == flag
            rank = place[here] - flag * self._ineligible_F[turns[here]]
            code[here] = ranks.code(rank, turns[here] - self._begun)
        return code

    def filled(self, c: Numbers) -> Numbers:
        """Return bit masks of the categories that each class in ``c`` has filled since the root."""
        return self._sets.filled(self.code(c))

    def number(self, code: ArrayLike, eligible: ArrayLike, saved: ArrayLike) -> Numbers:
        """Return the class with each code, eligibility, and number of saved rolls.

        The arguments broadcast. An entry is ``NO_CLASS`` if no game reaches the class.
        """
        code, eligible, saved = np.broadcast_arrays(*map(np.asarray, (code, eligible, saved)))
        turns = self._begun + np.bitwise_count(self._sets.filled(code)).astype(np.int64)
        more = saved - self._first_F[turns]
        exists = (more >= 0) & (more < self._copies_F[turns])
        classes = np.full(code.shape, NO_CLASS, dtype=np.int64)
        for flag, ranks in self._ranks_A.items():
            here = exists & (eligible == flag) & ranks.has(code)
            layer = turns[here]
            place = ranks.rank(code[here], layer - self._begun) + flag * self._ineligible_F[layer]
            classes[here] = self.layer_starts[layer] + place * self._copies_F[layer] + more[here]
        return classes


@dataclass(frozen=True)
class Classes:
    """The classes of a game, sorted by layer, then by eligibility, then by set."""

    # The scorecard from which all classes are reached.
    root: Root
    # The number of sets of filled categories.
    sets: int
    # The bit mask of the filled categories, int64.
    mask_C: LazyArray
    # The code at the start of a turn, int64. The code includes the extra rolls left. It does not
    # include saved rolls, because they all become rolls of the turn.
    code_C: LazyArray
    # 1 if the class is eligible for the five-of-a-kind bonus, or else 0; int8.
    eligible_C: LazyArray
    # The number of saved rolls, or of extra rolls left, int16.
    saved_C: LazyArray
    # The number that the class would have in a game without saved rolls, int32.
    unsaved_C: LazyArray
    # The class of each code, or ``NO_CLASS``, int32 of shape (2 S,): S entries for ineligible
    # classes, then S entries for eligible classes.
    class_S: LazyArray
    # The number S of codes.
    codes: int
    # The possible numbers of saved rolls for each number of filled categories.
    saved_F: list[range]
    # Classes with f filled categories are ``layer_starts[f] .. layer_starts[f + 1] - 1``,
    # shape (K + 2,).
    layer_starts: Numbers
    # The number that filling a category adds to the code.
    stride_K: Numbers
    # The bit of the category just before each category in its chain, or 0.
    before_K: Numbers
    # The bit of the category just after each category in its chain, or 0.
    following_K: Numbers


def classes_by_layer(rules: Rules, bonus_bit: int) -> list[int]:
    """Return the number of classes in each layer, without building the classes.

    ``bonus_bit`` is the bit of the category of the five-of-a-kind bonus, or 0 if there is none.
    """
    ineligible, eligible = np.array([1]), np.array([int(bonus_bit != 0)])
    for chain in rules.chains:
        filled = np.ones(len(chain) + 1, dtype=np.int64)
        ineligible = np.convolve(ineligible, filled)
        for place, k in enumerate(chain):
            filled[: place + 1] *= bonus_bit >> k & 1 == 0
        eligible = np.convolve(eligible, filled)
    sets_F = (ineligible + (eligible if bonus_bit else 0)).tolist()
    return [sets * len(rules.saved_after(turns)) for turns, sets in enumerate(sets_F)]


def joint_size(rules: Rules) -> int:
    """Return the number of (class, lane) pairs of a game."""
    return sum(classes_by_layer(rules, 0)) * rules.upper_numbers


def each_column(rules: Rules) -> list[Rules]:
    """Return the rules of each column as a separate game."""
    columns = (tuple(rules.categories[k] for k in column) for column in rules.column_categories)
    return [rules.model_copy(update={"columns": (), "categories": column}) for column in columns]


def exceeds_table(rules: Rules) -> bool:
    """Return whether a game with several columns has too many states for one table."""
    return bool(rules.columns) and joint_size(rules) > MAX_JOINT


def check_joint(rules: Rules) -> None:
    """Raise TooLargeError if a game with several columns has too many states for one table."""
    if exceeds_table(rules):
        raise TooLargeError(
            f"{rules.name} is too large for this calculation: its columns have "
            f"{joint_size(rules):,} states together, and at most {MAX_JOINT:,} fit in a table; use "
            "fewer columns or categories"
        )


def number_classes(rules: Rules, bonus_bit: int, root: Root | None = None) -> Classes:
    """Return the numbered classes of a game, from the root or from the empty scorecard.

    ``bonus_bit`` is the bit of the category whose points make a scorecard eligible for the
    five-of-a-kind bonus; 0 if there is no bonus. More than ``MAX_SETS`` sets of filled categories
    or ``MAX_CLASSES`` classes raise a TooLargeError. A game with several columns that has too many
    states for one table also raises it, above ``MAX_UPPER_NUMBERS`` combinations of upper-section
    totals.
    """
    if rules.columns and rules.upper_numbers > MAX_UPPER_NUMBERS:
        check_joint(rules)
    root = root or Root.of_game(rules)
    sets = prod(len(bits) + 1 for bits in _open_bits(rules, root))
    if sets > MAX_SETS:
        raise TooLargeError(
            f"{rules.name} is too large: it has {sets:,} sets of filled categories, and the limit "
            f"is {MAX_SETS:,}; use fewer categories"
        )
    numbering = Numbering(rules, root, bonus_bit)
    number = int(numbering.layer_starts[-1])
    if number > MAX_CLASSES:
        raise TooLargeError(
            f"{rules.name} is too large: it has {number:,} combinations of filled categories and "
            f"{rules.saved_name}, and the limit is {MAX_CLASSES:,}; use fewer categories"
        )
    stride_K, before_K, following_K = np.zeros((3, len(rules.categories)), dtype=np.int64)
    stride = 1
    for chain in rules.chains:
        bits = [1 << k for k in chain]
        before_K[list(chain)] = [0, *bits[:-1]]
        following_K[list(chain)] = [*bits[1:], 0]
        left = [k for k in chain if not root.filled >> k & 1]
        stride_K[left] = stride
        stride *= len(left) + 1

    codes = sets * numbering.saved_F[-1].stop

    def code_of_class(c: Numbers) -> Numbers:
        code = numbering.code(c)
        return code + numbering.saved(c) * sets if rules.extra_rolls else code

    def class_of_code(code: Numbers) -> NDArray[np.int32]:
        eligible, code = np.divmod(code, codes)
        saved, code = np.divmod(code, sets)
        return numbering.number(code, eligible, saved).astype(np.int32)

    return Classes(
        root=root,
        sets=sets,
        mask_C=LazyArray(number, lambda c: root.filled | numbering.filled(c)),
        code_C=LazyArray(number, code_of_class),
        eligible_C=LazyArray(number, lambda c: numbering.eligible(c).astype(np.int8)),
        saved_C=LazyArray(number, lambda c: numbering.saved(c).astype(np.int16)),
        unsaved_C=LazyArray(number, lambda c: numbering.unsaved(c).astype(np.int32)),
        class_S=LazyArray(2 * codes, class_of_code),
        codes=codes,
        saved_F=numbering.saved_F,
        layer_starts=numbering.layer_starts,
        stride_K=stride_K,
        before_K=before_K,
        following_K=following_K,
    )


def _open_bits(rules: Rules, root: Root) -> list[list[int]]:
    """Return the bits of the open categories of each chain at the root, in order."""
    return [[1 << k for k in chain if not root.filled >> k & 1] for chain in rules.chains]
