"""The forward sweep: where a strategy's games are after each turn, and how they fared.

Two things are known of the games on each row of cards: the law of their points, and the laws of
some *counts* (jokers, say). An outcome moves the points on by its worth, each count by 0 or 1.

Rows stand for the lanes of a class's window (:mod:`rollwise.model.arrays`). The first one stands
for all lanes from which the bonus is out of reach: they are played alike, and end alike. The total
of points is upper + the rest, so the other rows leave their lane out of the points, and are short.

Every row is summed by one thread, over sources in a fixed order: the result does not depend on
threads.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.menu import Arrays, Menu, list_outcomes
from rollwise.solving.kernels.policy import LayerPlay
from rollwise.solving.kernels.rows import Rows
from rollwise.solving.kernels.streams import Streams
from rollwise.solving.kernels.vector import WIDTH, Floats, add, fill, load, mul, store


class Laws(NamedTuple):
    """What is known of the games on each row of a layer.

    Attributes
    ----------
    first : int
        The first class of the layer.
    rows : Rows
        With the points that can occur.
    points : float64 array
        The probability of each number of points, laid out so, then zeros up to a whole vector and
        one vector more.
    counts : float64 array
        The probability of n in count t at ``counts_X[x] + t * width + n``, and a vector more a row.
    counts_X : int64 array of shape (X,)
    width : int
        Whole vectors, at least one number longer than what can occur; 0 where there is no room
        yet, and only the windows of rows are asked for.
    """

    first: int
    rows: Rows
    points: NDArray[np.float64]
    counts: NDArray[np.float64]
    counts_X: NDArray[np.int64]
    width: int


class Flow(NamedTuple):
    """One turn of all games.

    Attributes
    ----------
    played : rollwise.solving.kernels.policy.LayerPlay
        How the layer is played that they come from.
    count_T_O : int64 array of shape (counts, O)
        What an outcome adds to each count, 0 or 1.
    sources, targets : Laws
        Of that layer, and of the next one.
    """

    played: LayerPlay
    count_T_O: NDArray[np.int64]
    sources: Laws
    targets: Laws


class PullScratch(NamedTuple):
    """What a sweep needs room for: a menu, and the probability of a move on ``WIDTH`` rows."""

    menu: Menu
    moved: Floats

    @classmethod
    def of(cls, arrays: Arrays, streams: Streams) -> "PullScratch":
        """Return the room for a game."""
        return cls(Menu.of(arrays, streams), np.empty(WIDTH))


@inlined
def same_move(arrays: Arrays, menu: Menu, slot: int, other: int, flow: Flow) -> bool:
    """Return whether two slots move all rows alike."""
    o, p = menu.outcome_of_slot[slot], menu.outcome_of_slot[other]
    one, two = arrays.outcome_O[o], arrays.outcome_O[p]
    for t in range(len(flow.count_T_O)):
        if flow.count_T_O[t, o] != flow.count_T_O[t, p]:
            return False
    return (
        one.category == two.category
        and one.shift == two.shift
        and one.step == two.step
        and menu.row_of_slot[slot] == menu.row_of_slot[other]
    )


@inlined
def clear(laws: Laws, c: int, n_counts: int) -> None:
    """Set the laws of class ``c`` to zero."""
    rows = laws.rows
    for x in range(rows.first_row_C[c - laws.first], rows.first_row_C[c - laws.first + 1]):
        if rows.low_X[x] < rows.high_X[x]:
            vectors = (rows.high_X[x] - rows.low_X[x] + WIDTH - 1) // WIDTH + 1
            for i in range(vectors):
                store(laws.points, rows.start_X[x] + i * WIDTH, fill(0.0))
            for i in range(n_counts * (laws.width // WIDTH) + 1):
                store(laws.counts, laws.counts_X[x] + i * WIDTH, fill(0.0))


@inlined
def move_points(flow: Flow, x: int, share: float, step: int, y: int) -> None:
    """Add ``share`` of the points of row x, moved on by ``step``, to those of row y."""
    part, rows, rows_after = fill(share), flow.sources.rows, flow.targets.rows
    read = rows.start_X[x]
    write = rows_after.start_X[y] + rows.low_X[x] + step - rows_after.low_X[y]
    for i in range(0, rows.high_X[x] - rows.low_X[x], WIDTH):
        moved = mul(part, load(flow.sources.points, read + i))
        there = add(load(flow.targets.points, write + i), moved)
        store(flow.targets.points, write + i, there)


@inlined
def move_counts(flow: Flow, x: int, share: float, o: int, y: int) -> None:
    """Add ``share`` of the counts of row x, moved on as outcome ``o`` does, to those of row y."""
    part, sources, targets = fill(share), flow.sources, flow.targets
    for t in range(len(flow.count_T_O)):
        read = sources.counts_X[x] + t * sources.width
        write = targets.counts_X[y] + t * targets.width + flow.count_T_O[t, o]
        for i in range(0, sources.width, WIDTH):
            moved = mul(part, load(sources.counts, read + i))
            store(targets.counts, write + i, add(load(targets.counts, write + i), moved))


@inlined
def move_row(
    arrays: Arrays, source: int, r: int, share: float, o: int, target: int, flow: Flow
) -> None:
    """Add ``share`` of row r of a class, moved on as outcome ``o`` does, to a class after it."""
    rows, rows_after = flow.sources.rows, flow.targets.rows
    x = rows.first_row_C[source - flow.sources.first] + r
    if share == 0.0 or rows.low_X[x] >= rows.high_X[x]:
        return
    outcome = arrays.outcome_O[o]
    lane = arrays.class_C[source].first_lane + r
    lane_after = min(lane + outcome.shift, arrays.lanes - 1)
    r_after = max(lane_after - arrays.class_C[target].first_lane, 0)
    step = outcome.step + (lane if r > 0 else 0) - (lane_after if r_after > 0 else 0)
    y = rows_after.first_row_C[target - flow.targets.first] + r_after
    if flow.targets.width == 0:
        rows_after.low_X[y] = min(rows_after.low_X[y], rows.low_X[x] + step)
        rows_after.high_X[y] = max(rows_after.high_X[y], rows.high_X[x] + step)
    else:
        move_points(flow, x, share, step, y)
        move_counts(flow, x, share, o, y)


@inlined
def pull_from(
    source: int, k: int, target: int, scratch: PullScratch, arrays: Arrays, flow: Flow
) -> None:
    """Move the games that fill category ``k`` from one class to another."""
    menu, played = scratch.menu, flow.played
    slots = list_outcomes(arrays, source, menu).slots
    slot = 1
    while slot < slots:
        o = menu.outcome_of_slot[slot]
        end = slot + 1
        if arrays.outcome_O[o].category != k or menu.row_of_slot[slot] != target:
            slot = end
            continue
        while end < slots and same_move(arrays, menu, slot, end, flow):
            end += 1
        for r in range(arrays.class_C[source].last_lane - arrays.class_C[source].first_lane + 1):
            if r % WIDTH == 0:
                at = played.starts_C[source - played.first] + r * slots
                total = load(played.probabilities, at + slot * WIDTH)
                for other in range(slot + 1, end):
                    total = add(total, load(played.probabilities, at + other * WIDTH))
                store(scratch.moved, 0, total)
            move_row(arrays, source, r, scratch.moved[r % WIDTH], o, target, flow)
        slot = end


@compiled
def pull(first: int, last: int, scratch: PullScratch, arrays: Arrays, flow: Flow) -> None:
    """Fill the rows of classes ``first .. last - 1`` of ``flow.targets``."""
    n_saved = arrays.class_S.shape[1] // arrays.sets  # how many rolls can be saved, and none
    for target in range(first, last):
        there = arrays.class_C[target]
        if flow.targets.width > 0:
            clear(flow.targets, target, len(flow.count_T_O))
        for k in range(len(arrays.category_K)):
            category = arrays.category_K[k]
            if there.mask >> k & 1 == 0 or there.mask & category.behind != 0:
                continue
            set_before = there.code % arrays.sets - category.stride
            for number in range(2 * n_saved):
                source = arrays.class_S[number % 2, set_before + number // 2 * arrays.sets]
                if source >= 0:
                    pull_from(source, k, target, scratch, arrays, flow)


@compiled
def visits(first: int, last: int, menu: Menu, arrays: Arrays, laws: Laws, out: Floats) -> None:
    """Write the probability of being on each row of each class to ``out``, (classes, L)."""
    rows = laws.rows
    for i in range(first - laws.first, last - laws.first):
        for x in range(rows.first_row_C[i], rows.first_row_C[i + 1]):
            if rows.low_X[x] < rows.high_X[x]:
                for n in range(laws.width):
                    out[i, x - rows.first_row_C[i]] += laws.counts[laws.counts_X[x] + n]


@compiled
def outcome_masses(
    first: int,
    last: int,
    menu: Menu,
    arrays: Arrays,
    played: LayerPlay,
    visits_C_L: Floats,
    out: Floats,
) -> None:
    """Write the probability that a game takes each outcome from each class to ``out``, (C, O)."""
    for c in range(first, last):
        i = c - played.first
        slots = list_outcomes(arrays, c, menu).slots
        for r in range(arrays.class_C[c].last_lane - arrays.class_C[c].first_lane + 1):
            if visits_C_L[i, r] == 0.0:
                continue
            block = played.starts_C[i] + r // WIDTH * slots * WIDTH + r % WIDTH
            for slot in range(1, slots):
                probability = played.probabilities[block + slot * WIDTH]
                out[i, menu.outcome_of_slot[slot]] += visits_C_L[i, r] * probability
