"""The turn forward: with what probability the best play of a class ends in each of its outcomes.

Probability flows down the lattice that values went up. The mass of a roll stays where keeping is
best, else it moves to the first smaller point that contains a best keep; from the keeps it spreads
to the rolls of the next throw; the final rolls hand it to the best open category.

Ties: of keeps whose values differ by less than ``tie`` the one with more dice is taken (or with
fewer), then the one that gives up the lower faces; of categories the first in card order. For that
a die kept counts ``die`` in itself, a share of the tie, negative if fewer dice are preferred.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.backward import (
    choose_categories,
    empty_menu,
    lay_options,
    list_outcomes,
)
from rollwise.solving.kernels.backward import weigh_outcomes as weigh
from rollwise.solving.kernels.compiler import compiled
from rollwise.solving.kernels.turn import aligned, best_keeps, keep_values
from rollwise.solving.kernels.vector import (
    WIDTH,
    add,
    fill,
    follow,
    load,
    maximum,
    mul,
    put,
    store,
    sub,
    where_reaches,
)


class LayerPlay(NamedTuple):
    """How the cards of one layer are played.

    Attributes
    ----------
    first : int
        The first class of the layer.
    starts_C : int64 array
        Where the block of each class of the layer begins in ``probabilities``.
    probabilities : float64 array
        For each block of ``WIDTH`` lanes from the first lane of the class on, for each slot of the
        class, the probability on each lane that the turn ends in its outcome.
    """

    first: int
    starts_C: NDArray[np.int64]
    probabilities: NDArray[np.float64]


@compiled
def rate_keeps(point: Any, turn: Any, die: float, own: Any, best: Any) -> None:
    """Write what each point is worth as a keep, and the best that it contains, with the tie rule.

    ``point`` holds the values of all keeps and rolls.
    """
    for p in range(len(turn.sizes)):
        value = add(load(point, p * WIDTH), fill(turn.sizes[p] * die))
        store(own, p * WIDTH, value)
        store(best, p * WIDTH, value)
    best_keeps(best, turn)


@compiled
def let_go(mass: Any, turn: Any, die: float, own: Any, best: Any) -> None:
    """Move the mass of each roll to the keep that is played from it."""
    slack = fill(abs(die) / 4)  # rounding, far below the worth of a die
    zero = fill(0.0)
    for target in range(len(turn.targets) - 1, -1, -1):
        goal = sub(follow(best, turn.targets, target), slack)
        rest = follow(mass, turn.targets, target)
        stays = where_reaches(follow(own, turn.targets, target), goal, rest, zero)
        put(mass, turn.targets, target, stays)
        rest = sub(rest, stays)
        for edge in range(turn.child_starts[target], turn.child_starts[target + 1]):
            moves = where_reaches(follow(best, turn.child_offsets, edge), goal, rest, zero)
            put(mass, turn.child_offsets, edge, add(follow(mass, turn.child_offsets, edge), moves))
            rest = sub(rest, moves)


@compiled
def throw(mass: Any, turn: Any, keeps: int) -> None:
    """Spread the mass of each keep over the rolls that it can become; leave the keeps empty."""
    kinds = len(turn.share_of_kind)
    for target in range(len(turn.targets)):
        for kind in range(kinds):
            edge = turn.thrown_starts[target * kinds + kind]
            end = turn.thrown_ends[target * kinds + kind]
            if edge == end:
                continue
            passed = follow(mass, turn.child_offsets, edge)
            for other in range(edge + 1, end):
                passed = add(passed, follow(mass, turn.child_offsets, other))
            passed = mul(passed, fill(turn.share_of_kind[kind]))
            put(mass, turn.targets, target, add(follow(mass, turn.targets, target), passed))
    mass[: keeps * WIDTH] = 0.0


@compiled
def hand_over(
    mass: Any, menu: Any, n_open: int, tie: float, first: int, table: int, weight: Any
) -> None:
    """Give the mass of each final roll to its best category, the first in card order if equal."""
    slack = fill(tie)
    zero = fill(0.0)
    edge = table * (len(mass) // WIDTH - first) * n_open
    for p in range(first, len(mass) // WIDTH):
        best = follow(menu.outcome, menu.options, edge)
        for i in range(1, n_open):
            best = maximum(best, follow(menu.outcome, menu.options, edge + i))
        goal = sub(best, slack)
        rest = load(mass, p * WIDTH)
        for i in range(n_open):
            worth = follow(menu.outcome, menu.options, edge + i)
            taken = where_reaches(worth, goal, rest, zero)
            put(weight, menu.options, edge + i, add(follow(weight, menu.options, edge + i), taken))
            rest = sub(rest, taken)
        edge += n_open


@compiled
def play_turn(
    game: Any, c: int, turn: Any, menu: Any, n_open: int, n_slots: int, tie: float, die: float,
    point: Any, mass: Any, own: Any, best: Any, weight: Any,
) -> None:  # fmt: skip
    """Set ``weight`` to the probability of each slot under the best play for what slots are worth.

    Parameters
    ----------
    tie, die : float
        Options closer than ``tie`` are equally good; what a die kept counts among them.
    point, mass : float64 arrays of shape (P * WIDTH,)
        Scratch space, as ``own`` and ``best``: those for each reroll.
    """
    n_points, n_rolls = len(turn.sizes), len(turn.ways_R)
    keeps, stages, size = n_points - n_rolls, game.rerolls_C[c], n_points * WIDTH
    stops = len(game.option_T_V_K) > 1
    choose_categories(menu, n_open, keeps, n_points, 0, point)
    for stage in range(stages):
        keep_values(point, turn)
        if stops:
            choose_categories(menu, n_open, keeps, n_points, stage + 1, point)
        part = slice(stage * size, (stage + 1) * size)
        rate_keeps(point, turn, die, own[part], best[part])
        best_keeps(point, turn)
    for slot in range(n_slots):
        store(weight, slot * WIDTH, fill(0.0))
    mass[: keeps * WIDTH] = 0.0
    for r in range(n_rolls):
        store(mass, (keeps + r) * WIDTH, fill(turn.ways_R[r] / turn.ways))
    for stage in range(stages - 1, -1, -1):
        part = slice(stage * size, (stage + 1) * size)
        let_go(mass, turn, die, own[part], best[part])
        if stops:
            hand_over(mass, menu, n_open, tie, keeps, stage + 1, weight)
            mass[keeps * WIDTH :] = 0.0
        throw(mass, turn, keeps)
    hand_over(mass, menu, n_open, tie, keeps, 0, weight)


@compiled
def best_play(
    first_class: int,
    last_class: int,
    values: Any,
    stride: int,
    game: Any,
    turn: Any,
    tie: float,
    die: float,
    wanted_X: Any,
    first_row_C: Any,
    played: Any,
) -> None:
    """Write the probability of each outcome of classes ``first_class .. last_class - 1``.

    Parameters
    ----------
    values : float64 array of shape (C * stride,)
        As :func:`rollwise.solving.kernels.backward.backward` leaves it.
    tie, die : float
        Options closer than ``tie`` are equally good; what a die kept counts among them.
    wanted_X : bool array
        Whether each row of the layer is wanted; blocks with no such row are left as they are.
    first_row_C : int64 array
        The first row of each class of the layer, and one past the last one.
    played : LayerPlay
        What is written.
    """
    n_points = len(turn.sizes)
    n_rolls = len(turn.ways_R)
    stages = max(turn.rolls, len(game.option_T_V_K), 2) - 1
    size = n_points * WIDTH
    point, mass = aligned(size), aligned(size)
    own, best = aligned(stages * size), aligned(stages * size)
    menu = empty_menu(game, n_rolls)
    weight = aligned(len(game.points_O) * WIDTH)
    for c in range(first_class, last_class):
        n_open, n_slots = list_outcomes(game, c, menu)
        lay_options(game, c, n_open, n_rolls, menu)
        at = played.starts_C[c - played.first]
        row, end = first_row_C[c - played.first], first_row_C[c - played.first + 1]
        for lane in range(game.first_lane_C[c], game.last_lane_C[c] + 1, WIDTH):
            if not wanted_X[row : min(row + WIDTH, end)].any():
                row += WIDTH
                at += n_slots * WIDTH
                continue
            row += WIDTH
            weigh(game, c, lane, n_slots, values, stride, menu)
            play_turn(
                game, c, turn, menu, n_open, n_slots, tie, die, point, mass, own, best, weight
            )
            for slot in range(n_slots):  # numba takes a second to compile a copy of a slice
                store(played.probabilities, at + slot * WIDTH, load(weight, slot * WIDTH))
            at += n_slots * WIDTH


@compiled
def count_slots(game: Any, first_class: int, last_class: int) -> Any:
    """Return the number of slots of each class."""
    menu = empty_menu(game, 1)
    slots = np.empty(last_class - first_class, dtype=np.int64)
    for c in range(first_class, last_class):
        slots[c - first_class] = list_outcomes(game, c, menu)[1]
    return slots


@compiled
def list_slots(game: Any, c: int) -> Any:
    """Return the outcome of each slot of class ``c``."""
    menu = empty_menu(game, 1)
    return menu.outcome_of_slot[: list_outcomes(game, c, menu)[1]]
