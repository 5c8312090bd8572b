"""The numbered classes of a game: filled categories, bonus eligibility, and saved rolls.

Categories that must be filled one after another form a chain
(:attr:`rollwise.rules.Rules.chains`). In a chain of n categories, only n + 1 sets of filled
categories are possible. The code of a set has one digit for each chain: the number of categories
filled in the chain. Filling category k adds ``stride_K[k]`` to the code. If any category can be
filled at any time, the code is the bit mask itself. The highest digit is the number of saved rolls:
s saved rolls add s times the number of sets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from rollwise.errors import TooLargeError
from rollwise.rules import Rules

Numbers = NDArray[np.int64]

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


class LazyArray:
    """An array by class in a game with saved rolls, whose entries are computed when they are read.

    Such a game can have tens of millions of classes, but a query about one scorecard reads only a
    few. You can index the array by integers or by a slice. ``entries_of`` maps classes, int64 of
    shape (N,), to their entries, of shape (N,) or (N, …).
    """

    def __init__(self, length: int, entries_of: Callable[[Numbers], NDArray[Any]]) -> None:
        self._length, self._entries_of = length, entries_of

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            index = np.arange(*index.indices(self._length))
        classes = np.asarray(index)
        entries = self._entries_of(classes.ravel())
        return entries.reshape(classes.shape + entries.shape[1:])[()]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the whole array."""
        return np.asarray(self[:], dtype=dtype)


class Numbering:
    """The numbering of a game's classes: by layer, then eligibility, then set, then saved rolls.

    Axis ``U`` has the classes of the same game without saved rolls. ``bonus_bit`` is the bit of the
    category whose points make a scorecard eligible for the five-of-a-kind bonus; 0 if there is no
    bonus. :class:`Classes` explains the other attributes.
    """

    def __init__(self, rules: Rules, root: Root, bonus_bit: int) -> None:
        n, begun = len(rules.categories), root.filled.bit_count()
        self._carries_rolls = rules.carries_rolls
        self.mask_S = root.filled | _sets(_open_bits(rules, root))
        self.sets = len(self.mask_S)
        self._turns_S = np.tile(np.bitwise_count(self.mask_S), 2)
        missing_A_S = np.ones((2, self.sets), dtype=np.bool_)
        missing_A_S[int(root.eligible)] = False
        missing_A_S[1] &= self.mask_S & bonus_bit & ~root.filled == 0
        held_F = np.bincount(self._turns_S[~missing_A_S.ravel()], minlength=n + 1)
        self._starts_F = np.append(0, np.cumsum(held_F))
        self._turns_S[missing_A_S.ravel()] = n + 1
        self.code_U = np.argsort(self._turns_S, kind="stable")[: self._starts_F[-1]]
        self.u_S = np.full(2 * self.sets, NO_CLASS, dtype=np.int32)
        self.u_S[self.code_U] = np.arange(len(self.code_U))
        self.saved_F = [
            rules.saved_after(max(turns - begun, 0), root.saved) for turns in range(n + 1)
        ]
        spans = [(saved.start, len(saved)) for saved in self.saved_F]
        # Missing classes are in a last layer, which has no numbers of saved rolls.
        self._first_F, self._copies_F = np.array([*spans, (0, 0)]).T
        self.layer_starts = np.append(0, np.cumsum(held_F * self._copies_F[:-1]))

    def split(self, c: Numbers) -> tuple[Numbers, Numbers]:
        """Return the number of each class without its saved rolls (axis U), and its saved rolls."""
        if not self._carries_rolls:
            return c, np.zeros_like(c)
        turns = np.searchsorted(self.layer_starts, c, side="right") - 1
        place, more = np.divmod(c - self.layer_starts[turns], self._copies_F[turns])
        return self._starts_F[turns] + place, self._first_F[turns] + more

    def mask(self, u: Numbers) -> Numbers:
        """Return the filled categories of each class, as bit masks."""
        return np.asarray(self.mask_S[self.code_U[u] % self.sets])

    def number(self, code: ArrayLike, eligible: ArrayLike, saved: ArrayLike) -> Numbers:
        """Return the class with each code, eligibility, and number of saved rolls.

        The arguments broadcast. An entry is ``NO_CLASS`` if no game reaches the class.
        """
        code, saved = np.broadcast_arrays(code + np.asarray(eligible) * self.sets, saved)
        turns = self._turns_S[code]
        more, copies = saved - self._first_F[turns], self._copies_F[turns]
        place = self.u_S[code] - self._starts_F[turns]
        classes = self.layer_starts[turns] + place * copies + more
        return np.where((more >= 0) & (more < copies), classes, NO_CLASS)


ByClass = NDArray[Any] | LazyArray


@dataclass(frozen=True)
class Classes:
    """The classes of a game, sorted by layer, then by eligibility, then by set."""

    # The scorecard from which all classes are reached.
    root: Root
    # The number of sets of filled categories.
    sets: int
    # The bit mask of the filled categories, int64.
    mask_C: ByClass
    # The code at the start of a turn, int64. The code includes the extra rolls left. It does not
    # include saved rolls, because they all become rolls of the turn.
    code_C: ByClass
    # 1 if the class is eligible for the five-of-a-kind bonus, or else 0; int8.
    eligible_C: ByClass
    # The number of saved rolls, or of extra rolls left, int64.
    saved_C: ByClass
    # The class of each code, or ``NO_CLASS``, int32 of shape (2 S,): S entries for ineligible
    # classes, then S entries for eligible classes.
    class_S: ByClass
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


def listed(rules: Rules, length: int, entries_of: Callable[[Numbers], NDArray[Any]]) -> ByClass:
    """Return the array with these entries, computed at once unless the game saves rolls."""
    array = LazyArray(length, entries_of)
    return array if rules.carries_rolls else np.asarray(array)


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
    number = sum(classes_by_layer(rules, bonus_bit))
    if number > MAX_CLASSES:
        raise TooLargeError(
            f"{rules.name} is too large: it has {number:,} combinations of filled categories and "
            f"{rules.saved_name}, and the limit is {MAX_CLASSES:,}; use fewer categories"
        )
    numbering = Numbering(rules, root, bonus_bit)
    stride_K, before_K = np.zeros((2, len(rules.categories)), dtype=np.int64)
    stride = 1
    for chain in rules.chains:
        bits = [1 << k for k in chain]
        before_K[list(chain)] = [0, *bits[:-1]]
        left = [k for k in chain if not root.filled >> k & 1]
        stride_K[left] = stride
        stride *= len(left) + 1

    codes = sets * numbering.saved_F[-1].stop

    def by_class(entries_of: Callable[[Numbers, Numbers], NDArray[Any]]) -> ByClass:
        number = int(numbering.layer_starts[-1])
        return listed(rules, number, lambda c: entries_of(*numbering.split(c)))

    def class_of_code(code: Numbers) -> NDArray[np.int32]:
        eligible, code = np.divmod(code, codes)
        saved, code = np.divmod(code, sets)
        return numbering.number(code, eligible, saved).astype(np.int32)

    return Classes(
        root=root,
        sets=sets,
        mask_C=by_class(lambda u, saved: numbering.mask(u)),
        code_C=by_class(
            lambda u, saved: numbering.code_U[u] % sets + (saved * sets if rules.extra_rolls else 0)
        ),
        eligible_C=by_class(lambda u, saved: (numbering.code_U[u] >= sets).astype(np.int8)),
        saved_C=by_class(lambda u, saved: saved),
        class_S=LazyArray(2 * codes, class_of_code) if rules.carries_rolls else numbering.u_S,
        codes=codes,
        saved_F=numbering.saved_F,
        layer_starts=numbering.layer_starts,
        stride_K=stride_K,
        before_K=before_K,
    )


def _sets(chains: list[list[int]]) -> Numbers:
    """Return the bit mask of each code, given the bits of the categories of each chain.

    The first chain is the lowest digit of a code.
    """
    mask_S = np.zeros(1, dtype=np.int64)
    for bits in chains:
        mask_S = (np.cumsum([0, *bits])[:, None] | mask_S).ravel()
    return mask_S


def _open_bits(rules: Rules, root: Root) -> list[list[int]]:
    """Return the bits of the open categories of each chain at the root, in order."""
    return [[1 << k for k in chain if not root.filled >> k & 1] for chain in rules.chains]
