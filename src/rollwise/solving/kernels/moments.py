"""Policy evaluation: the mean, the second moment, and the minimum of the points to come.

Let X' be the points to come after an outcome of p points. Then E(p + X')² = p² + 2 p E X' + E X'².
All kernels use backward induction over the classes ``first .. last - 1``, and the rows of all
successors must be filled. The policy is stored as the probability of each outcome from each state.
``points_O`` has the points of each outcome, or only some of its points, such as its bonus. The
results go to arrays of shape (C, stride): the mean of these points to come to ``mean_C_L``, their
second moment to ``second_C_L``, and the lowest points to come with a positive probability to
``low_C_L``.
"""

import numpy as np

from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.legal_outcomes import (
    Game,
    complete_row,
    list_outcomes,
    remaining,
)
from rollwise.solving.kernels.policy import LayerPolicy
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    fill,
    load,
    minimum,
    mul,
    store_at,
    where_reaches,
)
from rollwise.solving.kernels.work import Work


@compiled
def fill_moments(
    first: int,
    last: int,
    work: Work,
    game: Game,
    played: LayerPolicy,
    points_O: Floats,
    mean_C_L: Floats,
    second_C_L: Floats | None,
) -> None:
    """Compute the mean of the points to come, and their second moment unless its array is None."""
    arrays, legal = game.arrays, work.legal
    for c in range(first, last):
        turn = list_outcomes(arrays, c, legal)
        at = played.starts_C[c - played.first]
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            mean = fill(0.0)
            second = fill(0.0)
            for slot in range(1, turn.slots):
                o, after = legal.outcome_of_slot[slot], legal.class_of_slot[slot]
                points = fill(points_O[o])
                rest = remaining(arrays, lane, o, after, mean_C_L)
                probability = load(played.probabilities, at + slot * WIDTH)
                mean = add(mean, mul(probability, add(points, rest)))
                if second_C_L is not None:
                    square = remaining(arrays, lane, o, after, second_C_L)
                    gain = mul(points, add(points, add(rest, rest)))
                    second = add(second, mul(probability, add(gain, square)))
            store_at(mean_C_L, c, lane, mean)
            if second_C_L is not None:
                store_at(second_C_L, c, lane, second)
            at += turn.slots * WIDTH
        complete_row(arrays, c, c, mean_C_L)
        if second_C_L is not None:
            complete_row(arrays, c, c, second_C_L)


LEAST = np.finfo(np.float64).tiny
"""A positive number that is smaller than the probability of any possible outcome of a turn."""


@compiled
def fill_lowest(
    first: int,
    last: int,
    work: Work,
    game: Game,
    played: LayerPolicy,
    points_O: Floats,
    low_C_L: Floats,
) -> None:
    """Compute the lowest points to come."""
    never, least = fill(np.inf), fill(LEAST)
    arrays, legal = game.arrays, work.legal
    for c in range(first, last):
        turn = list_outcomes(arrays, c, legal)
        at = played.starts_C[c - played.first]
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            lowest = never
            for slot in range(1, turn.slots):
                o, after = legal.outcome_of_slot[slot], legal.class_of_slot[slot]
                points = fill(points_O[o])
                total = add(remaining(arrays, lane, o, after, low_C_L), points)
                probability = load(played.probabilities, at + slot * WIDTH)
                lowest = minimum(where_reaches(probability, least, total, never), lowest)
            store_at(low_C_L, c, lane, lowest)
            at += turn.slots * WIDTH
        complete_row(arrays, c, c, low_C_L)
