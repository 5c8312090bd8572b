"""The legal outcomes of a class, and their values.

The legal outcomes of a class get consecutive numbers, called *slots*, so that their values are
adjacent in memory. Slot 0 is the forbidden option.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import inlined
from rollwise.solving.kernels.lattice_index import ForwardIndex, LatticeIndex
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    Vector,
    add,
    aligned,
    fill,
    load_at,
    mul,
    store,
)

Records = np.recarray[Any, np.dtype[np.record]]

CLASS = ("mask", "code", "eligible", "joker_state", "rerolls", "table", "first_lane", "last_lane")
CATEGORY = ("before",)
OUTCOME = (
    "category",
    "total_points",
    "shift",
    "code",
    "makes_eligible",
    "first_table",
    "last_table",
)
"""The names of the model's arrays that become fields of classes, categories, and outcomes."""


def records(arrays: Any, names: tuple[str, ...], axis: str, **more: NDArray[Any]) -> Records:
    """Return arrays of a model, and the arrays ``more``, as records with adjacent fields.

    ``names`` are the names of the model's arrays without the suffix ``axis``.
    """
    columns = {name: np.asarray(getattr(arrays, f"{name}_{axis}")) for name in names} | more
    fields = [(name, column.dtype) for name, column in columns.items()]
    table = np.recarray(len(columns[names[0]]), dtype=np.dtype(fields, align=True))
    for name, column in columns.items():
        table[name] = column
    return table


class Arrays(NamedTuple):
    """The arrays of a :class:`rollwise.model.arrays.Model`, and the values of outcomes.

    ``CLASS``, ``CATEGORY``, and ``OUTCOME`` list the fields of the records. An outcome also has the
    float64 fields ``gain`` and ``points``: its value is ``gain * V' + points``, where V' is the
    value of the next state.
    """

    lanes: int
    sets: int
    class_S: NDArray[np.int32]
    class_C: Records
    category_K: Records
    outcome_O: Records
    outcome_starts_K: NDArray[np.int32]
    option_T_V_K: NDArray[np.uint16]
    special_J: NDArray[np.int32]
    special_row_C_J: NDArray[np.int32]

    @classmethod
    def of(cls, model: Any, gain: NDArray[Any], points: NDArray[Any]) -> "Arrays":
        """Return the arrays of a model with ``gain`` and ``points`` of its outcomes, shape (O,)."""
        return cls(
            lanes=model.lanes,
            sets=model.sets,
            class_S=np.asarray(model.class_S).reshape(2, -1),  # not eligible, eligible
            class_C=records(model, CLASS, "C"),
            category_K=records(model, CATEGORY, "K"),
            outcome_O=records(model, OUTCOME, "O", gain=gain, points=points),
            outcome_starts_K=model.outcome_starts_K,
            option_T_V_K=model.option_T_V_K,
            special_J=model.special_J,
            special_row_C_J=np.asarray(model.special_row_C_J),
        )


class Game(NamedTuple):
    """A game as arrays that the kernels read."""

    arrays: Arrays
    lattice_index: LatticeIndex
    forward_index: ForwardIndex


class LegalOutcomes(NamedTuple):
    """Scratch arrays for the legal outcomes of a class; arrays by slot have the shape (O,)."""

    # The value of each slot in each lane, shape (O * WIDTH,).
    value: Floats
    outcome_of_slot: NDArray[np.int64]
    slot_of_outcome: NDArray[np.int64]
    # The class that each slot leads to.
    class_of_slot: NDArray[np.int64]
    # The open categories, shape (K,).
    categories: NDArray[np.int64]
    # The offset in ``value`` of the slot of each table, roll, and open category,
    # shape (T * R * K,).
    options: NDArray[np.uint32]

    @classmethod
    def of(
        cls, categories: int, outcomes: int, ends: int, kind: type[np.floating[Any]]
    ) -> "LegalOutcomes":
        """Return scratch arrays for the given numbers of categories, outcomes, and final rolls."""
        value = aligned(outcomes * WIDTH, kind)
        value[:WIDTH] = -np.inf
        slots = np.zeros((3, outcomes), dtype=np.int64)
        open_categories = np.empty(categories, dtype=np.int64)
        options = np.empty(ends * categories, dtype=np.uint32)
        return cls(value, slots[0], slots[1], slots[2], open_categories, options)


class Turn(NamedTuple):
    """The size of a turn from a class."""

    rerolls: np.int64
    # The number of open categories.
    n_open: int
    # The number of slots, including slot 0.
    slots: int


@inlined
def may_fill(arrays: Arrays, c: int, k: int) -> bool:
    """Return whether category ``k`` can be filled next from class ``c``."""
    mask, before = arrays.class_C[c].mask, arrays.category_K[k].before
    return mask >> k & 1 == 0 and mask & before == before


@inlined
def class_after(arrays: Arrays, c: int, o: int) -> int:
    """Return the class that outcome ``o`` leads to from class ``c``."""
    here, outcome = arrays.class_C[c], arrays.outcome_O[o]
    return arrays.class_S[here.eligible | outcome.makes_eligible, here.code + outcome.code]


@inlined
def list_category(arrays: Arrays, c: int, k: int, slot: int, legal: LegalOutcomes) -> int:
    """List the outcomes of a class in category ``k`` from ``slot``, and return the next slot."""
    here = arrays.class_C[c]
    last_table = here.table + here.rerolls
    for part in range(2 if here.joker_state > 0 else 1):
        s = here.joker_state if part == 1 else 0
        for o in range(arrays.outcome_starts_K[k, s], arrays.outcome_starts_K[k, s + 1]):
            outcome = arrays.outcome_O[o]
            if outcome.first_table <= last_table and outcome.last_table >= here.table:
                legal.outcome_of_slot[slot] = o
                legal.slot_of_outcome[o] = slot
                legal.class_of_slot[slot] = class_after(arrays, c, o)
                slot += 1
    return slot


@inlined
def list_outcomes(arrays: Arrays, c: int, legal: LegalOutcomes) -> Turn:
    """List the open categories and the outcomes of class ``c``."""
    n_open, slot = 0, 1
    for k in range(len(arrays.category_K)):
        if not may_fill(arrays, c, k):
            continue
        legal.categories[n_open] = k
        n_open += 1
        slot = list_category(arrays, c, k, slot, legal)
    return Turn(np.int64(arrays.class_C[c].rerolls), n_open, slot)


@inlined
def write_options(arrays: Arrays, c: int, n_open: int, n_rolls: int, legal: LegalOutcomes) -> None:
    """Write the slot of each open category, for each number of rolls left and each roll."""
    here = arrays.class_C[c]
    for t in range(min(len(arrays.option_T_V_K), here.rerolls + 1)):
        start = t * n_rolls * n_open
        at = here.table + t
        for r in range(n_rolls):
            for i in range(n_open):
                o = arrays.option_T_V_K[at, r, legal.categories[i]]
                legal.options[start + r * n_open + i] = legal.slot_of_outcome[o] * WIDTH
        if here.joker_state > 0:
            for j in range(len(arrays.special_J)):
                row = arrays.special_row_C_J[c, j]
                for i in range(n_open):
                    o = arrays.option_T_V_K[at, row, legal.categories[i]]
                    slot = legal.slot_of_outcome[o] if o > 0 else 0
                    legal.options[start + arrays.special_J[j] * n_open + i] = slot * WIDTH


@inlined
def list_options(game: Game, c: int, legal: LegalOutcomes) -> Turn:
    """List the open categories and the outcomes of class ``c``, and write its options."""
    turn = list_outcomes(game.arrays, c, legal)
    write_options(game.arrays, c, turn.n_open, len(game.lattice_index.ways_R), legal)
    return turn


@inlined
def remaining(arrays: Arrays, lane: int, o: int, row: int, values_X_L: Floats) -> Vector:
    """Return the value-to-go in a row after outcome ``o``, for ``WIDTH`` lanes from ``lane``."""
    lane_after = min(lane + arrays.outcome_O[o].shift, arrays.lanes - 1)
    return load_at(values_X_L, row, lane_after)


@inlined
def value_outcomes(
    arrays: Arrays,
    lane: int,
    slots: int,
    row_of_slot: NDArray[np.int64],
    saved: int,
    values_X_L: Floats,
    legal: LegalOutcomes,
) -> None:
    """Set each slot to its value, given its points and the value-to-go (Bellman equation).

    ``row_of_slot`` is the row that each slot leads to if the turn saves no rolls, and ``saved`` is
    the number of rolls that it saves.
    """
    for slot in range(1, slots):
        o, row = legal.outcome_of_slot[slot], row_of_slot[slot] + saved
        outcome = arrays.outcome_O[o]
        gained = mul(fill(outcome.gain), remaining(arrays, lane, o, row, values_X_L))
        store(legal.value, slot * WIDTH, add(gained, fill(outcome.points)))


@inlined
def complete_row(arrays: Arrays, c: int, row: int, values_C_L: Floats) -> None:
    """Fill the lanes of a row that are outside the window of class ``c``.

    Lanes before the window repeat its first value. Lanes after the window repeat its last value, or
    are NaN if no game reaches them.
    """
    first, last = arrays.class_C[c].first_lane, arrays.class_C[c].last_lane
    for out_of_reach in range(first):
        values_C_L[row, out_of_reach] = values_C_L[row, first]
    beyond = values_C_L[row, last] if last == arrays.lanes - 1 else np.nan
    for unreachable in range(last + 1, values_C_L.shape[1]):
        values_C_L[row, unreachable] = beyond
