"""The forward sweep: where a strategy's games are after each turn, and how they fared.

A *tally* counts something along a game: points, extra bonuses, jokers. Its law is kept for each
class and lane as a row of probabilities, one a count; an outcome moves a row on by its step.

Rows stand for the lanes of a class's window (:mod:`rollwise.model`). The first one stands for all
lanes from which the bonus is out of reach: they are played alike, and end alike. The total of
points is upper + the rest, so the other rows count the points less their lane, and are short.

Every row is summed by one thread, over sources in a fixed order: the result does not depend on
threads.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.kernels.backward import class_after, complete_row, empty_menu, list_outcomes
from rollwise.kernels.turn import compiled
from rollwise.kernels.vector import WIDTH, add, fill, load, mul, store

INLINES = {
    "backward.py": "327af9116ea0",
    "turn.py": "764afe082e29",
    "vector.py": "fc3152ae68ab",
}  # see turn.py


class Rows(NamedTuple):
    """The rows of some tallies for the classes of one layer.

    Attributes
    ----------
    law : float64 array
        Of class ``i`` of the layer, row r, tally t, count n:
        ``starts[i] + (r * tallies + t) * widths[i] + n``.
    starts, widths : int64 arrays of shape (classes of the layer,)
        Widths are whole vectors.
    """

    law: NDArray[np.float64]
    starts: NDArray[np.int64]
    widths: NDArray[np.int64]


@compiled
def same_move(game: Any, source: int, o: int, other: int, step_T_O: Any) -> Any:
    """Return whether two outcomes move all rows alike."""
    if game.category_O[o] != game.category_O[other] or game.shift_O[o] != game.shift_O[other]:
        return False
    for t in range(len(step_T_O)):
        if step_T_O[t, o] != step_T_O[t, other]:
            return False
    return class_after(game, source, o) == class_after(game, source, other)


@compiled
def pull(
    first_class: int,
    last_class: int,
    layer_start: int,
    source_start: int,
    game: Any,
    weight_starts: Any,
    weights: Any,
    step_T_O: Any,
    with_lane: bool,
    sources: Any,
    targets: Any,
) -> None:
    """Fill the rows of classes ``first_class .. last_class - 1`` from those of the layer before.

    Parameters
    ----------
    layer_start, source_start : int
        First class of this layer and of the layer before.
    weight_starts, weights : arrays
        As :func:`rollwise.kernels.policy.best_play` writes them, for the layer before.
    step_T_O : int64 array of shape (tallies, O)
        What an outcome adds to each count.
    with_lane : bool
        Whether the lane is part of the count.
    sources, targets : Rows
    """
    menu = empty_menu(game, 1)
    cap = game.lanes - 1
    tallies = len(step_T_O)
    for target in range(first_class, last_class):
        to = target - layer_start
        n_rows = game.last_lane_C[target] - game.first_lane_C[target] + 1
        size = n_rows * tallies * targets.widths[to] + WIDTH
        targets.law[targets.starts[to] : targets.starts[to] + size] = 0.0
        for k in range(len(game.outcome_starts_K)):
            bit = 1 << k
            if game.mask_C[target] & bit == 0:
                continue
            for armed in range(2):
                source = game.class_S[armed, game.mask_C[target] ^ bit]
                if source < 0:
                    continue
                whence = source - source_start
                _, n_slots = list_outcomes(game, source, menu)
                slot = 1
                while slot < n_slots:
                    o = menu.outcome_of_slot[slot]
                    end = slot + 1
                    if game.category_O[o] != k or class_after(game, source, o) != target:
                        slot = end
                        continue
                    while end < n_slots and same_move(
                        game, source, o, menu.outcome_of_slot[end], step_T_O
                    ):
                        end += 1
                    for r in range(game.last_lane_C[source] - game.first_lane_C[source] + 1):
                        block = weight_starts[whence] + r // WIDTH * n_slots * WIDTH + r % WIDTH
                        share = 0.0
                        for s in range(slot, end):
                            share += weights[block + s * WIDTH]
                        if share == 0.0:
                            continue
                        lane = game.first_lane_C[source] + r
                        lane_after = min(lane + game.shift_O[o], cap)
                        r_after = max(lane_after - game.first_lane_C[target], 0)
                        base = 0
                        if with_lane:
                            base = (lane if r > 0 else 0) - (lane_after if r_after > 0 else 0)
                        part = fill(share)
                        width, width_after = sources.widths[whence], targets.widths[to]
                        for t in range(tallies):
                            row = sources.starts[whence] + (r * tallies + t) * width
                            row_after = targets.starts[to] + (r_after * tallies + t) * width_after
                            row_after += step_T_O[t, o] + base
                            for i in range(0, width, WIDTH):
                                moved = mul(part, load(sources.law, row + i))
                                sum_ = add(load(targets.law, row_after + i), moved)
                                store(targets.law, row_after + i, sum_)
                    slot = end


@compiled
def visits(
    first_class: int,
    last_class: int,
    layer_start: int,
    game: Any,
    rows: Any,
    tallies: int,
    out: Any,
) -> None:
    """Write the probability of being on each row of each class to ``out``, (classes, L)."""
    for c in range(first_class, last_class):
        i = c - layer_start
        for r in range(game.last_lane_C[c] - game.first_lane_C[c] + 1):
            start = rows.starts[i] + r * tallies * rows.widths[i]
            out[i, r] = rows.law[start : start + rows.widths[i]].sum()


@compiled
def outcome_masses(
    first_class: int,
    last_class: int,
    layer_start: int,
    game: Any,
    weight_starts: Any,
    weights: Any,
    visits_C_L: Any,
    out: Any,
) -> None:
    """Write the probability that a game takes each outcome from each class to ``out``, (C, O)."""
    menu = empty_menu(game, 1)
    for c in range(first_class, last_class):
        i = c - layer_start
        _, n_slots = list_outcomes(game, c, menu)
        for r in range(game.last_lane_C[c] - game.first_lane_C[c] + 1):
            block = weight_starts[i] + r // WIDTH * n_slots * WIDTH + r % WIDTH
            for slot in range(1, n_slots):
                share = weights[block + slot * WIDTH]
                out[i, menu.outcome_of_slot[slot]] += visits_C_L[i, r] * share


@compiled
def moments(
    first_class: int,
    last_class: int,
    layer_start: int,
    game: Any,
    weight_starts: Any,
    weights: Any,
    stride: int,
    mean: Any,
    second: Any,
) -> None:
    """Write mean and second moment of what is still to come, under the play of ``weights``.

    ``mean`` and ``second`` are laid out as ``values`` of the backward sweep; the rows of all
    successors must stand. With X' the rest after an outcome of p points,
    E(p + X')² = p² + 2 p E X' + E X'².
    """
    menu = empty_menu(game, 1)
    for c in range(first_class, last_class):
        _, n_slots = list_outcomes(game, c, menu)
        at = weight_starts[c - layer_start]
        row = c * stride
        lane = game.first_lane_C[c]
        while lane <= game.last_lane_C[c]:
            first_moment, second_moment = fill(0.0), fill(0.0)
            for slot in range(1, n_slots):
                o = menu.outcome_of_slot[slot]
                share = load(weights, at + slot * WIDTH)
                points = fill(game.points_O[o])
                after = class_after(game, c, o) * stride + lane + game.shift_O[o]
                rest = load(mean, after)
                gain = mul(points, add(points, add(rest, rest)))
                first_moment = add(first_moment, mul(share, add(points, rest)))
                second_moment = add(second_moment, mul(share, add(gain, load(second, after))))
            store(mean, row + lane, first_moment)
            store(second, row + lane, second_moment)
            at += n_slots * WIDTH
            lane += WIDTH
        complete_row(game, c, row, stride, mean)
        complete_row(game, c, row, stride, second)
