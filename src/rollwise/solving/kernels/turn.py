"""Backward induction over one turn on the dice lattice, for ``WIDTH`` lanes at a time.

One array holds the values of all lattice points; the values of point p start at ``p * WIDTH``:

* The value of keeping some dice is the mean over the faces of the next die. Dice are rolled kind by
  kind.
* If a reroll is left, the value of a roll is the value of its best dice to keep. These values are
  computed from smaller to larger points: the best value of a point is the maximum of its own value
  and the best values of the points with one die fewer.
* The value of the turn is the mean over first rolls, each weighted by its number of ordered
  outcomes.

:mod:`rollwise.solving.kernels.lattice_index` has the array offsets that each step reads.

A turn can also have a second quantity. For example, the first quantity is the probability of a win,
and the second is the probability of a tie. The player maximizes the first quantity, and the kernel
averages both quantities over rolls. If several options are tied in the first quantity, the second
quantity is its value for the first tied option. Dice to keep are ordered as follows: the whole roll
comes first, then the roll without its lowest face, and so on. Categories are in scorecard order.
The second quantity has one array of shape (O * WIDTH,) for the slots, ``second``, and one of shape
(P * WIDTH,) for the lattice points, ``rest``. ``point`` has the first quantity.
"""

from rollwise.solving.kernels.compiler import inlined, unrolled
from rollwise.solving.kernels.lattice_index import MEAN, WORST, LatticeIndex
from rollwise.solving.kernels.legal_outcomes import Game, LegalOutcomes, Turn
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    Vector,
    add,
    follow,
    load,
    maximum,
    minimum,
    mul,
    put,
    scale,
    store,
    sub,
    where_reaches,
    widen,
)
from rollwise.solving.kernels.work import Work


@unrolled
def best_options(
    legal: LegalOutcomes, point: Floats, first: int, last: int, edge: int, n_open: int
) -> None:
    """Set points ``first .. last - 1`` to the value of their best open category.

    ``edge`` is the index in ``legal.options`` of the first category of point ``first``.
    """
    for p in range(first, last):
        best = follow(legal.value, legal.options, edge)
        for i in range(1, n_open):
            best = maximum(best, follow(legal.value, legal.options, edge + i))
        store(point, p * WIDTH, best)
        edge += n_open


@inlined
def choose_categories(
    legal: LegalOutcomes, n_open: int, table: int, lattice_index: LatticeIndex, point: Floats
) -> None:
    """Set each roll to the value of its best open category in option table ``table``."""
    first, n_rolls = len(lattice_index.keep_offsets), len(lattice_index.ways_R)
    best_options(legal, point, first, first + n_rolls, table * n_rolls * n_open, n_open)


@unrolled
def max_over_children(
    point: Floats, lattice_index: LatticeIndex, first: int, edge: int, count: int, children: int
) -> None:
    """Set each of ``count`` targets to the maximum of its value and the values of its children.

    The targets begin at index ``first``, and their children at
    ``lattice_index.child_offsets[edge]``.
    """
    for target in range(first, first + count):
        best = follow(point, lattice_index.targets, target)
        for i in range(children):
            best = maximum(best, follow(point, lattice_index.child_offsets, edge + i))
        put(point, lattice_index.targets, target, best)
        edge += children


@inlined
def best_keeps(point: Floats, lattice_index: LatticeIndex) -> None:
    """Set each lattice point to the maximum value among the points that it contains."""
    target, edge = 0, 0
    for s in range(len(lattice_index.target_runs)):
        count, children = lattice_index.target_runs[s, 0], lattice_index.target_runs[s, 1]
        max_over_children(point, lattice_index, target, edge, count, children)
        target += count
        edge += count * children


@unrolled
def mean_over_faces(
    point: Floats, lattice_index: LatticeIndex, first: int, edge: int, count: int, faces: int
) -> None:
    """Set each of ``count`` kept sets to the mean value over the faces of the next die.

    The kept sets begin at index ``first``, and their parents at
    ``lattice_index.parent_offsets[edge]``.
    """
    share = 1.0 / faces
    for keep in range(first, first + count):
        value = follow(point, lattice_index.parent_offsets, edge)
        for f in range(1, faces):
            value = add(value, follow(point, lattice_index.parent_offsets, edge + f))
        put(point, lattice_index.keep_offsets, keep, scale(value, share))
        edge += faces


@inlined
def extreme_over_faces(
    point: Floats, lattice_index: LatticeIndex, first: int, edge: int, count: int, faces: int
) -> None:
    """Do the same as :func:`mean_over_faces` with the lowest (``WORST``) or the highest value."""
    for keep in range(first, first + count):
        value = follow(point, lattice_index.parent_offsets, edge)
        for f in range(1, faces):
            other = follow(point, lattice_index.parent_offsets, edge + f)
            value = (
                minimum(value, other) if lattice_index.chance == WORST else maximum(value, other)
            )
        put(point, lattice_index.keep_offsets, keep, value)
        edge += faces


@inlined
def keep_values(point: Floats, lattice_index: LatticeIndex) -> None:
    """Set each kept set to the mean, lowest, or highest value over the faces of the next die."""
    keep, edge = 0, 0
    for s in range(len(lattice_index.keep_runs)):
        count, faces = lattice_index.keep_runs[s, 0], lattice_index.keep_runs[s, 1]
        if lattice_index.chance == MEAN:
            mean_over_faces(point, lattice_index, keep, edge, count, faces)
        else:
            extreme_over_faces(point, lattice_index, keep, edge, count, faces)
        keep += count
        edge += count * faces


@inlined
def mean_first_roll(point: Floats, lattice_index: LatticeIndex) -> Vector:
    """Return the mean value of first rolls, each weighted by its number of ordered outcomes.

    The sum has many terms, so it is float64 in any case.
    """
    first = len(lattice_index.keep_offsets)
    value = mul(widen(load(point, first * WIDTH)), lattice_index.ways_R[0])
    for r in range(1, len(lattice_index.ways_R)):
        roll = widen(load(point, (first + r) * WIDTH))
        value = add(value, mul(roll, lattice_index.ways_R[r]))
    return mul(value, 1.0 / lattice_index.ways)


@inlined
def first_roll_value(point: Floats, lattice_index: LatticeIndex) -> Vector:
    """Return the weighted mean, the minimum, or the maximum value of first rolls."""
    if lattice_index.chance == MEAN:
        return mean_first_roll(point, lattice_index)
    first = len(lattice_index.keep_offsets)
    value = widen(load(point, first * WIDTH))
    for r in range(1, len(lattice_index.ways_R)):
        other = widen(load(point, (first + r) * WIDTH))
        value = minimum(value, other) if lattice_index.chance == WORST else maximum(value, other)
    return value


@inlined
def turn_value(turn: Turn, game: Game, work: Work) -> Vector:
    """Return the value of a turn before its first roll, given the values of the slots."""
    lattice_index, point, tables = game.lattice_index, work.point, len(game.arrays.option_T_V_K)
    choose_categories(work.legal, turn.n_open, 0, lattice_index, point)
    for left in range(1, turn.rerolls + 1):
        keep_values(point, lattice_index)
        if tables > 1:  # an outcome depends on the rolls left
            choose_categories(work.legal, turn.n_open, left, lattice_index, point)
        best_keeps(point, lattice_index)
    return first_roll_value(point, lattice_index)


@unrolled
def choose_both(work: Work, first: int, last: int, edge: int, slack: float, n_open: int) -> None:
    """Write both quantities of the best category of rolls ``first .. last - 1`` to ``work``.

    ``edge`` is the index in ``work.legal.options`` of the first category of roll ``first``.
    """
    legal, second = work.legal, work.second
    for p in range(first, last):
        best = follow(legal.value, legal.options, edge)
        for i in range(1, n_open):
            best = maximum(best, follow(legal.value, legal.options, edge + i))
        goal = sub(best, slack)
        chosen = follow(second, legal.options, edge + n_open - 1)
        for i in range(1, n_open):
            at = edge + n_open - 1 - i
            value, other = follow(legal.value, legal.options, at), follow(second, legal.options, at)
            chosen = where_reaches(value, goal, other, chosen)
        store(work.point, p * WIDTH, best)
        store(work.rest, p * WIDTH, chosen)
        edge += n_open


@unrolled
def raise_both(
    point: Floats,
    rest: Floats,
    lattice_index: LatticeIndex,
    slack: float,
    first: int,
    edge: int,
    count: int,
    children: int,
) -> None:
    """Set both quantities of targets to those of their best dice, as in :func:`best_keeps`."""
    for target in range(first, first + count):
        own = follow(point, lattice_index.targets, target)
        best = own
        for i in range(children):
            best = maximum(best, follow(point, lattice_index.child_offsets, edge + i))
        goal, own_rest = sub(best, slack), follow(rest, lattice_index.targets, target)
        chosen = follow(rest, lattice_index.child_offsets, edge + children - 1)
        for i in range(1, children):
            at = edge + children - 1 - i
            value = follow(point, lattice_index.child_offsets, at)
            other = follow(rest, lattice_index.child_offsets, at)
            chosen = where_reaches(value, goal, other, chosen)
        chosen = where_reaches(own, goal, own_rest, chosen)
        put(point, lattice_index.targets, target, best)
        put(rest, lattice_index.targets, target, chosen)
        edge += children


@inlined
def keep_both(point: Floats, rest: Floats, lattice_index: LatticeIndex, slack: float) -> None:
    """Set both quantities of each lattice point to the values of its best dice to keep."""
    target, edge = 0, 0
    for s in range(len(lattice_index.target_runs)):
        count, children = lattice_index.target_runs[s, 0], lattice_index.target_runs[s, 1]
        raise_both(point, rest, lattice_index, slack, target, edge, count, children)
        target += count
        edge += count * children


@inlined
def two_quantity_turn(turn: Turn, game: Game, work: Work, slack: float) -> None:
    """Set both quantities of each first roll; options within ``slack`` of the best are tied."""
    lattice_index, n_open, tables = game.lattice_index, turn.n_open, len(game.arrays.option_T_V_K)
    first, last = len(lattice_index.keep_offsets), len(lattice_index.targets) + 1
    choose_both(work, first, last, 0, slack, n_open)
    for left in range(1, turn.rerolls + 1):
        keep_values(work.point, lattice_index)
        keep_values(work.rest, lattice_index)
        if tables > 1:  # an outcome depends on the rolls left
            choose_both(work, first, last, left * (last - first) * n_open, slack, n_open)
        keep_both(work.point, work.rest, lattice_index, slack)
