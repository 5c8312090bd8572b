"""The least second moment of the final score among all plays that are best for the first.

Where options are equally good, the mean of what is still to come is the same after each of them,
and so the second moment of a mixture is a mean of second moments: backward, each decision takes the
least of those that are tied. The greatest one is the least of the negative.
"""

from typing import NamedTuple

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.menu import (
    Arrays,
    complete_row,
    lay_options,
    list_outcomes,
    remaining,
    weigh_outcomes,
)
from rollwise.solving.kernels.streams import Streams
from rollwise.solving.kernels.tied import TiedScratch, tied_turn
from rollwise.solving.kernels.turn import mean_first_roll
from rollwise.solving.kernels.vector import WIDTH, Floats, add, fill, mul, store, store_at


class Tied(NamedTuple):
    """What is tied, and what is asked of it.

    Attributes
    ----------
    values_C_L : float64 array of shape (C, stride)
        The best mean of the points still to come.
    slack : float
        Options whose means differ by less are tied.
    sign : float
        1 for the least second moment, -1 for the greatest.
    """

    values_C_L: Floats
    slack: float
    sign: float


@inlined
def weigh_seconds(
    arrays: Arrays,
    lane: int,
    slots: int,
    tied: Tied,
    second_C_L: Floats,
    scratch: TiedScratch,
) -> None:
    """Set each slot to its mean, and to its second moment with its sign."""
    menu = scratch.menu
    weigh_outcomes(arrays, lane, 0, slots, tied.values_C_L, menu)
    for slot in range(1, slots):
        points = fill(float(arrays.outcome_O[menu.outcome_of_slot[slot]].step))
        rest = remaining(arrays, lane, 0, slot, tied.values_C_L, menu)
        gain = mul(mul(fill(tied.sign), points), add(points, add(rest, rest)))
        later = remaining(arrays, lane, 0, slot, second_C_L, menu)
        store(scratch.second, slot * WIDTH, add(gain, later))


@compiled
def fill_tied_second(
    first: int,
    last: int,
    scratch: TiedScratch,
    arrays: Arrays,
    streams: Streams,
    tied: Tied,
    second_C_L: Floats,
) -> None:
    """Fill the rows of classes ``first .. last - 1`` of ``second_C_L``, with the sign."""
    menu = scratch.menu
    tables = len(arrays.option_T_V_K)
    for c in range(first, last):
        here = arrays.class_C[c]
        size = list_outcomes(arrays, c, menu)
        lay_options(arrays, c, size.boxes, len(streams.ways_R), menu)
        for lane in range(here.first_lane, here.last_lane + 1, WIDTH):
            weigh_seconds(arrays, lane, size.slots, tied, second_C_L, scratch)
            tied_turn(here.rerolls, tables, size.boxes, streams, scratch, tied.slack)
            store_at(second_C_L, c, lane, mean_first_roll(scratch.rest, streams))
        complete_row(arrays, c, c, second_C_L)
