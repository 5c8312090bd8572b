"""The second moment of what is still to come, where the first one stands: one pass along best play.

With X' what is still to come after an outcome of p points, E(p + X')² = p² + 2 p E X' + E X'². The
turns are the chains of :mod:`rollwise.solving.kernels.backward`; the values choose, among equal
ones by the rule of :mod:`rollwise.solving.kernels.policy`, and the second moment follows.
"""

from typing import NamedTuple

from rollwise.solving.kernels.backward import Chains, Layer
from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.menu import (
    Arrays,
    Menu,
    complete_row,
    lay_options,
    list_outcomes,
    remaining,
)
from rollwise.solving.kernels.policy import Tie
from rollwise.solving.kernels.streams import Falls, Streams
from rollwise.solving.kernels.turn import keep_values, mean_first_roll
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    add,
    aligned,
    fill,
    follow,
    load,
    maximum,
    mul,
    put,
    store,
    store_at,
    sub,
    where_reaches,
)


class SecondScratch(NamedTuple):
    """What a sweep needs room for.

    Attributes
    ----------
    menu : Menu
    square : float64 array of shape (O * WIDTH,)
        The second moment of each slot.
    point, rest, own : float64 arrays of shape (P * WIDTH,)
        The value of each point of the lattice, its second moment, and its value with what the dice
        of the best keep that it contains count.
    """

    menu: Menu
    square: Floats
    point: Floats
    rest: Floats
    own: Floats

    @classmethod
    def of(cls, arrays: Arrays, streams: Streams) -> "SecondScratch":
        """Return the room for a game."""
        points, square = (len(streams.targets) + 1) * WIDTH, aligned(len(arrays.outcome_O) * WIDTH)
        square[:WIDTH] = 0.0
        return cls(
            Menu.of(arrays, streams), square, aligned(points), aligned(points), aligned(points)
        )


@inlined
def weigh_squares(
    arrays: Arrays,
    lane: int,
    saved: int,
    slots: int,
    values: Floats,
    squares: Floats,
    scratch: SecondScratch,
) -> None:
    """Set each slot to what it is worth, and to the second moment of that."""
    menu = scratch.menu
    for slot in range(1, slots):
        points = fill(arrays.outcome_O[menu.outcome_of_slot[slot]].points)
        mean = remaining(arrays, lane, saved, slot, values, menu)
        square = remaining(arrays, lane, saved, slot, squares, menu)
        store(menu.worth, slot * WIDTH, add(mean, points))
        gain = mul(points, add(points, add(mean, mean)))
        store(scratch.square, slot * WIDTH, add(gain, square))


@inlined
def choose_squares(
    boxes: int, table: int, slack: float, streams: Streams, scratch: SecondScratch
) -> None:
    """Set each roll to the best of its options, and to the second moment of the first as good."""
    menu, square = scratch.menu, scratch.square
    first, n_rolls = len(streams.keep_offsets), len(streams.ways_R)
    edge = table * n_rolls * boxes
    for p in range(first, first + n_rolls):
        best = follow(menu.worth, menu.options, edge)
        for i in range(1, boxes):
            best = maximum(best, follow(menu.worth, menu.options, edge + i))
        goal = sub(best, fill(slack))
        chosen = follow(square, menu.options, edge + boxes - 1)
        for i in range(2, boxes + 1):
            worth = follow(menu.worth, menu.options, edge + boxes - i)
            other = follow(square, menu.options, edge + boxes - i)
            chosen = where_reaches(worth, goal, other, chosen)
        store(scratch.point, p * WIDTH, best)
        store(scratch.rest, p * WIDTH, chosen)
        edge += boxes


@inlined
def keep_squares(die: float, streams: Streams, falls: Falls, scratch: SecondScratch) -> None:
    """Raise each point to the best keep that it contains, and to the second moment of the kept one.

    The whole, if it is as good as any; then what is kept without a die of the lowest face.
    """
    point, rest, own = scratch.point, scratch.rest, scratch.own
    slack = fill(abs(die) / 4)
    store(own, 0, load(point, 0))
    target, edge = 0, 0
    for s in range(len(streams.segments)):
        children = streams.segments[s, 1]
        for _ in range(streams.segments[s, 0]):
            best = follow(point, streams.targets, target)
            dice = falls.sizes[streams.targets[target] // WIDTH]
            mine = add(best, fill(dice * die))
            most = mine
            for i in range(children):
                best = maximum(best, follow(point, streams.child_offsets, edge + i))
                most = maximum(most, follow(own, streams.child_offsets, edge + i))
            goal = sub(most, slack)
            chosen = follow(rest, streams.child_offsets, edge + children - 1)
            for i in range(2, children + 1):
                worth = follow(own, streams.child_offsets, edge + children - i)
                other = follow(rest, streams.child_offsets, edge + children - i)
                chosen = where_reaches(worth, goal, other, chosen)
            chosen = where_reaches(mine, goal, follow(rest, streams.targets, target), chosen)
            put(point, streams.targets, target, best)
            put(own, streams.targets, target, most)
            put(rest, streams.targets, target, chosen)
            edge += children
            target += 1


@compiled
def backward_second(
    first: int,
    last: int,
    scratch: SecondScratch,
    arrays: Arrays,
    streams: Streams,
    chains: Chains,
    layer: Layer,
    values_after: Floats,
    falls: Falls,
    tie: Tie,
) -> None:
    """Fill the rows of ``layer.classes[first:last]`` with second moments.

    ``layer`` holds these, ``values_after`` the values of the next layer, laid out alike.
    """
    menu, point, rest = scratch.menu, scratch.point, scratch.rest
    tables = len(arrays.option_T_V_K)
    for i in range(first, last):
        c = layer.classes[i]
        size = list_outcomes(arrays, c, menu)
        lay_options(arrays, c, size.boxes, len(streams.ways_R), menu)
        row = layer.place_C[c] * layer.saves
        for slot in range(1, size.slots):
            menu.row_of_slot[slot] = layer.place_C[menu.row_of_slot[slot]] * layer.saves_after
        for lane in range(arrays.class_C[c].first_lane, arrays.class_C[c].last_lane + 1, WIDTH):
            for chain in range(len(chains.then_N_J)):
                before = -1
                for left in range(chains.then_N_J.shape[1]):
                    then, start = chains.then_N_J[chain, left], chains.start_N_J[chain, left]
                    if then < 0:
                        break
                    if left > 0:
                        keep_values(point, streams)
                        keep_values(rest, streams)
                    if then != before:
                        weigh_squares(
                            arrays, lane, then, size.slots, values_after, layer.after, scratch
                        )
                    if then != before or tables > 1:
                        table = min(left, tables - 1)
                        choose_squares(size.boxes, table, tie.slack, streams, scratch)
                    if left > 0:
                        keep_squares(tie.die, streams, falls, scratch)
                    if start >= 0:
                        store_at(layer.values, row + start, lane, mean_first_roll(rest, streams))
                    before = then
        for start in range(layer.saves):
            complete_row(arrays, c, row + start, layer.values)
