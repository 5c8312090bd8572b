r"""The solver for objectives that need no points so far: one backward sweep over the cards.

Problem
-------
A *state* between turns is a class c (filled categories, bonus armed) and a lane u (upper total, up
to the bonus threshold U). A turn from it rolls n dice with f faces up to R times. With V(c, u) the
value of a state, W_j(r) that of the roll r with j rerolls left, E_j(q) that of keeping q of it:

.. math::
    W_0(r) &= \max_k \; g(p) \, V(c', \min(u + s, U)) + h(p), \quad (p, s, c')
        \text{ the outcome of } r \text{ in the open category } k \\
    E_j(q) &= \tfrac1f \sum_{d=1}^{f} E_j(q + d), \quad E_j(r) = W_{j-1}(r)
        \text{ for a full roll } r \\
    W_j(r) &= \max_{q \subseteq r} E_j(q) \\
    V(c, u) &= \sum_r \frac{n!}{\prod_d r_d!} f^{-n} \; W_{R-1}(r)

and the terminal value of a full card: its upper bonus, if u has reached U. The objective supplies
the terminal value, g and h (1 and p for the expected score), and may put a minimum or a maximum in
place of the means.

Where rolls are saved, s of them before a turn of up to R + s rolls, a turn may also stop at once,

.. math::
    S_j(r) &= \max_k \; g(p) \, V(c', u', j) + h(p) \\
    W_0 &= S_0, \qquad W_j(r) = \max(S_j(r), \max_{q \subset r} E_j(q)) \\
    V(c, u, s) &= \sum_r P(r) \, W_{R-1+s}(r)

One chain over j gives V for all s at once: a card costs 2 f + 3 steps after f turns of three rolls,
not 3 for each of 2 f + 1 starts. Of extra rolls a turn takes one at most, so that j counts R of
them, if s > 0, and the last one costs one: V has s - 1 after j = 0 and s after the others. Each s
has a chain of its own.

Memory: two neighbouring layers. A large game's finished layers go to disk: the last one, so that an
interrupted run goes on from there; all of them if asked, for play, review and simulation.

Exactness
---------
Weights are integers, values float64 with sums in a fixed order, so the result depends on neither
threads nor processor. A turn adds at most some tens of roundings of relative size 1.1e-16, a game
of 15 turns less than 1e-12 of a value of a few hundred; the tests hold it to 1e-9 against another
solver and to 1e-12 against Fractions on small games.

References
----------
T. Verhoeff, Optimal Solitaire Yahtzee Strategies (1999): the recursion over states between turns.
J. Glenn, An optimal strategy for Yahtzee (2006): keeps as states within the turn.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.game.position import Position
from rollwise.model.arrays import Model, build
from rollwise.rules import Rules
from rollwise.solving.kernels.backward import Chains, Layer, Scratch, backward
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import CardObjective
from rollwise.solving.progress import Progress, within
from rollwise.solving.storage.cuts import Shape, bytes_of
from rollwise.solving.storage.keeping import AllInFiles, Keeping, LastTwo, Resumable
from rollwise.solving.storage.layer_files import LayerFiles
from rollwise.solving.storage.stored_layer import stored_layers
from rollwise.solving.values import Layers

SMALL = 1 << 30
"""Bytes: a game that saves rolls and has less is solved in memory, as one table."""

MAX_BYTES = 10 << 30
"""Of two neighbouring layers."""


class _Plan:
    """Which classes are solved, and how large their layers are.

    Parameters
    ----------
    model : Model
        Of the game without saved rolls.
    filled : int
        The categories that all of these classes have filled.
    """

    def __init__(self, rules: Rules, model: Model, filled: int = 0) -> None:
        self.rules = rules
        self.stride = -(-(model.lanes + WIDTH) // WIDTH) * WIDTH
        self.first = filled.bit_count()
        self.place_C = np.full(model.n_classes, -1, dtype=np.int64)
        self.classes: list[NDArray[np.int64]] = []
        self.shapes: list[Shape] = []
        for turns in range(len(rules.categories) + 1):
            first, last = model.layer_starts[turns : turns + 2]
            held = np.arange(first, last)
            held = held[model.mask_C[held] & filled == filled]
            self.place_C[held] = np.arange(len(held))
            self.classes.append(held)
            self.shapes.append((len(held), rules.saved_after(turns).stop, self.stride))
        self.size = sum(map(bytes_of, self.shapes[self.first :]))

    @property
    def pair(self) -> int:
        """The most bytes of two neighbouring layers."""
        sizes = list(map(bytes_of, self.shapes[self.first :]))
        return max(map(sum, pairwise(sizes)))


def _chains(rules: Rules, turns: int) -> Chains:
    """Return the turns from a card after so many turns."""
    # Where rolls are saved, the turn with most of them has all others in it.
    starts = list(rules.saved_after(turns))[-1 if rules.saves_rolls else 0 :]
    then_N_J = np.full((len(starts), rules.most_rolls(turns)), -1)
    start_N_J = np.full(then_N_J.shape, -1)
    for then_J, start_J, saved in zip(then_N_J, start_N_J, starts, strict=True):
        rolls = rules.rolls_with(saved)
        then_J[:rolls] = [rules.saved_then(saved, left) for left in range(rolls)]
        start_J[rolls - 1] = saved
        if rules.saves_rolls:
            start_J[rules.rolls - 1 : rolls] = range(saved + 1)
    return Chains(then_N_J, start_N_J)


def solve_cards(
    model: Model,
    objective: CardObjective,
    *,
    position: Position | None = None,
    files: LayerFiles | None = None,
    on_disk: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Layers:
    """Return the value of every card, with every number of rolls saved.

    Parameters
    ----------
    position : Position, optional
        Of a large game solve what can be reached from its card; keep that card and those after it.
    files : LayerFiles, optional
        Where a large game's layers go; nowhere unless told.
    on_disk : bool
        Keep all layers of a large game there; else its first two.
    threads : int, optional
        As many as the process may use unless told. The result does not depend on it.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1, now and then.

    Raises
    ------
    TooLargeError
        When memory or disk would not do.
    """
    rules = model.rules
    unsaved = build(rules.unsaved) if rules.carries_rolls else model
    sweep, plan = Sweep(unsaved, objective, threads), _Plan(rules, unsaved)
    small = not rules.carries_rolls or plan.size <= SMALL
    filled = position.state.filled if position and not small else 0
    if filled:
        found = _found(model, plan, files, filled.bit_count()) if files else None
        if found:
            return found
        plan, files = _Plan(rules, unsaved, filled), None
    if plan.pair > MAX_BYTES:
        raise TooLargeError(
            f"{rules.name}: two layers of cards take {plan.pair / 2**30:.1f} GiB: expected at most "
            f"{MAX_BYTES >> 30}"
        )
    keeping = _keeping(plan, small or (filled > 0 and plan.size <= SMALL), files, on_disk)
    from_disk = _fill(keeping, plan, sweep, objective, progress)
    return Layers(model, plan.place_C, keeping.layers, small, from_disk)


def _fill(
    keeping: Keeping,
    plan: _Plan,
    sweep: Sweep,
    objective: CardObjective,
    progress: Progress | None,
) -> bool:
    """Compute the layers that are not at hand; return whether all were."""
    rules, bonus_L = plan.rules, sweep.model.bonus_L.astype(np.float64)
    full = np.pad(bonus_L, (0, plan.stride - len(bonus_L)), "edge")
    chains = [_chains(rules, turns) for turns in range(len(rules.categories))]
    steps = [int((chain.then_N_J >= 0).sum()) for chain in chains]
    work = [int(sweep.model.rows_C[c].sum()) * n for c, n in zip(plan.classes, steps, strict=False)]
    total = sum(work[plan.first :])

    def compute(turns: int) -> None:
        values, after = keeping.room(turns), keeping.whole(turns + 1)
        sweep.each_part(
            0,
            len(plan.classes[turns]),
            backward,
            sweep.arrays,
            sweep.streams,
            chains[turns],
            Layer(
                plan.classes[turns],
                plan.place_C,
                values.shape[1],
                after.shape[1],
                values.reshape(-1, plan.stride),
                after.reshape(-1, plan.stride),
            ),
            scratch=Scratch.of,
            done=within(progress, sum(work[turns + 1 :]) / total, sum(work[turns:]) / total),
        )
        keeping.put(turns, values)

    ends = np.broadcast_to(objective.terminal(full), plan.shapes[-1]).copy()
    return keeping.fill(ends, compute, plan.first)


def _keeping(plan: _Plan, fits: bool, files: LayerFiles | None, on_disk: bool) -> Keeping:
    """Return how the layers are to be kept."""
    if fits:
        return Keeping(plan.shapes)
    if files is None:
        return LastTwo(plan.shapes)
    return (AllInFiles if on_disk else Resumable)(plan.shapes, files)


def _found(model: Model, plan: _Plan, files: LayerFiles, turns: int) -> Layers | None:
    """Return the game after so many turns as far as it is in files, if that is enough."""
    layers = stored_layers(files, plan.shapes)
    if any(values is None for values in layers[turns : turns + 2]):
        return None
    return Layers(model, plan.place_C, [*layers], small=False, from_disk=True)
