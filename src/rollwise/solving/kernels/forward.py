"""The forward sweep: where a strategy's games are after each turn, and how they fared.

Two things are known of the games on each row of cards: the law of their points, and the laws of
some *counts* (jokers, say). An outcome moves the points on by its worth, each count by 0 or 1.

Rows stand for the lanes of a class's window (:mod:`rollwise.model.arrays`). The first one stands
for all lanes from which the bonus is out of reach: they are played alike, and end alike. The total
of points is upper + the rest, so the other rows leave their lane out of the points, and are short.

Every row is summed by one thread, over sources in a fixed order: the result does not depend on
threads.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.backward import class_after, empty_menu, list_outcomes
from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.vector import WIDTH, add, fill, load, mul, store


class Rows(NamedTuple):
    """The rows of the classes of one layer; row r of its class i is ``x = first_C[i] + r``.

    Attributes
    ----------
    first_C : int64 array of shape (classes of the layer,)
    low_X, high_X : int64 arrays of shape (X,)
        Of points ``low .. high - 1`` can occur; a row with none is on no game's way.
    law : float64 array
        The probability of n points at ``start_X[x] + n - low_X[x]``, then zeros up to a whole
        vector and one vector more.
    start_X : int64 array of shape (X,)
    counts : float64 array
        The probability of n in count t at ``counts_X[x] + t * width + n``, and a vector more a row.
    counts_X : int64 array of shape (X,)
    width : int
        Whole vectors, at least one number longer than what can occur.
    """

    first_C: NDArray[np.int64]
    low_X: NDArray[np.int64]
    high_X: NDArray[np.int64]
    law: NDArray[np.float64]
    start_X: NDArray[np.int64]
    counts_X: NDArray[np.int64]
    counts: NDArray[np.float64]
    width: int


@compiled
def same_move(game: Any, source: int, o: int, other: int, step_O: Any, count_T_O: Any) -> Any:
    """Return whether two outcomes move all rows alike."""
    if game.category_O[o] != game.category_O[other] or game.shift_O[o] != game.shift_O[other]:
        return False
    for t in range(len(count_T_O)):
        if count_T_O[t, o] != count_T_O[t, other]:
            return False
    return step_O[o] == step_O[other] and (
        class_after(game, source, o) == class_after(game, source, other)
    )


@compiled
def pull(
    first_class: int,
    last_class: int,
    layer_start: int,
    game: Any,
    played: Any,
    step_O: Any,
    count_T_O: Any,
    sources: Any,
    targets: Any,
    planning: bool,
) -> None:
    """Fill the rows of classes ``first_class .. last_class - 1`` from those of the layer before.

    Parameters
    ----------
    layer_start : int
        First class of this layer.
    played : rollwise.solving.kernels.policy.LayerPlay
        How the layer before is played.
    step_O : int64 array of shape (O,)
        The points of an outcome.
    count_T_O : int64 array of shape (counts, O)
        What an outcome adds to each count, 0 or 1.
    sources, targets : Rows
    planning : bool
        Only find which points can occur: write ``low_X`` and ``high_X``.
    """
    menu = empty_menu(game, 1)
    cap = game.lanes - 1
    digits = game.class_S.shape[1] // game.sets  # how many rolls can be saved, and none
    share_of = np.empty(WIDTH)
    for target in range(first_class, last_class):
        to = targets.first_C[target - layer_start]
        if not planning:
            n_rows = game.last_lane_C[target] - game.first_lane_C[target] + 1
            clear(targets, to, to + n_rows, len(count_T_O))
        for k in range(len(game.outcome_starts_K)):
            if game.mask_C[target] >> k & 1 == 0 or game.mask_C[target] & game.behind_K[k] != 0:
                continue
            set_before = game.code_C[target] % game.sets - game.stride_K[k]
            for number in range(2 * digits):
                source = game.class_S[number % 2, set_before + number // 2 * game.sets]
                if source < 0:
                    continue
                whence = source - played.first
                _, n_slots = list_outcomes(game, source, menu)
                slot = 1
                while slot < n_slots:
                    o = menu.outcome_of_slot[slot]
                    end = slot + 1
                    if game.category_O[o] != k or class_after(game, source, o) != target:
                        slot = end
                        continue
                    while end < n_slots and same_move(
                        game, source, o, menu.outcome_of_slot[end], step_O, count_T_O
                    ):
                        end += 1
                    rows = game.last_lane_C[source] - game.first_lane_C[source] + 1
                    for r in range(rows):
                        if r % WIDTH == 0:
                            at = played.starts_C[whence] + r * n_slots
                            total = load(played.probabilities, at + slot * WIDTH)
                            for s in range(slot + 1, end):
                                total = add(total, load(played.probabilities, at + s * WIDTH))
                            store(share_of, 0, total)
                        share = share_of[r % WIDTH]
                        x = sources.first_C[whence] + r
                        if share == 0.0 or sources.low_X[x] >= sources.high_X[x]:
                            continue
                        lane = game.first_lane_C[source] + r
                        lane_after = min(lane + game.shift_O[o], cap)
                        r_after = max(lane_after - game.first_lane_C[target], 0)
                        step = step_O[o]
                        step += (lane if r > 0 else 0) - (lane_after if r_after > 0 else 0)
                        y = to + r_after
                        if planning:
                            targets.low_X[y] = min(targets.low_X[y], sources.low_X[x] + step)
                            targets.high_X[y] = max(targets.high_X[y], sources.high_X[x] + step)
                        else:
                            move_points(sources, x, share, step, targets, y)
                            move_counts(sources, x, share, count_T_O, o, targets, y)
                    slot = end


@compiled
def clear(rows: Any, first: int, last: int, n_counts: int) -> None:
    """Set rows ``first .. last - 1`` to zero."""
    for x in range(first, last):
        if rows.low_X[x] < rows.high_X[x]:
            vectors = (rows.high_X[x] - rows.low_X[x] + WIDTH - 1) // WIDTH + 1
            rows.law[rows.start_X[x] : rows.start_X[x] + vectors * WIDTH] = 0.0
            rows.counts[rows.counts_X[x] : rows.counts_X[x] + n_counts * rows.width + WIDTH] = 0.0


@compiled
def move_points(sources: Any, x: int, share: float, step: int, targets: Any, y: int) -> None:
    """Add ``share`` of the points of row x, moved on by ``step``, to those of row y."""
    part = fill(share)
    read = sources.start_X[x]
    write = targets.start_X[y] + sources.low_X[x] + step - targets.low_X[y]
    for i in range(0, sources.high_X[x] - sources.low_X[x], WIDTH):
        moved = mul(part, load(sources.law, read + i))
        store(targets.law, write + i, add(load(targets.law, write + i), moved))


@compiled
def move_counts(
    sources: Any, x: int, share: float, count_T_O: Any, o: int, targets: Any, y: int
) -> None:
    """Add ``share`` of the counts of row x, moved on as outcome ``o`` does, to those of row y."""
    part = fill(share)
    for t in range(len(count_T_O)):
        read = sources.counts_X[x] + t * sources.width
        write = targets.counts_X[y] + t * targets.width + count_T_O[t, o]
        for i in range(0, sources.width, WIDTH):
            moved = mul(part, load(sources.counts, read + i))
            store(targets.counts, write + i, add(load(targets.counts, write + i), moved))


@compiled
def visits(
    first_class: int,
    last_class: int,
    layer_start: int,
    game: Any,
    rows: Any,
    out: Any,
) -> None:
    """Write the probability of being on each row of each class to ``out``, (classes, L)."""
    for c in range(first_class, last_class):
        i = c - layer_start
        for r in range(game.last_lane_C[c] - game.first_lane_C[c] + 1):
            x = rows.first_C[i] + r
            if rows.low_X[x] < rows.high_X[x]:
                for n in range(rows.width):
                    out[i, r] += rows.counts[rows.counts_X[x] + n]


@compiled
def outcome_masses(
    first_class: int,
    last_class: int,
    game: Any,
    played: Any,
    visits_C_L: Any,
    out: Any,
) -> None:
    """Write the probability that a game takes each outcome from each class to ``out``, (C, O)."""
    menu = empty_menu(game, 1)
    for c in range(first_class, last_class):
        i = c - played.first
        _, n_slots = list_outcomes(game, c, menu)
        for r in range(game.last_lane_C[c] - game.first_lane_C[c] + 1):
            if visits_C_L[i, r] == 0.0:
                continue
            block = played.starts_C[i] + r // WIDTH * n_slots * WIDTH + r % WIDTH
            for slot in range(1, n_slots):
                probability = played.probabilities[block + slot * WIDTH]
                out[i, menu.outcome_of_slot[slot]] += visits_C_L[i, r] * probability
