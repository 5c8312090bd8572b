r"""Backward induction for objectives that do not depend on the points so far.

Problem: a finite Markov decision process
-----------------------------------------
A *state* between turns is a class c and a lane u. The class is the filled categories and the
eligibility for the five-of-a-kind bonus. The lane is the upper-section total, up to the bonus
threshold U. A turn rolls n dice with f faces up to R times. The *actions* are the dice to keep and
the category to score in. Let V(c, u) be the value of a state (the value function on the state
space). Let W_j(r) be the value of the roll r with j rerolls left, and E_j(q) the value of keeping
the dice q. Scoring r in an open category k gives the points p, adds s to the upper-section total,
and leads to class c'. Let r_d be the number of dice in r that show the face d. The Bellman
equations are

.. math::
    W_0(r) &= \max_k \; g(p) \, V(c', \min(u + s, U)) + h(p) \\
    E_j(q) &= \tfrac1f \sum_{d=1}^{f} E_j(q + d), \quad E_j(r) = W_{j-1}(r)
        \text{ for a full roll } r \\
    W_j(r) &= \max_{q \subseteq r} E_j(q) \\
    V(c, u) &= \sum_r \frac{n!}{\prod_d r_d!} f^{-n} \; W_{R-1}(r)

The terminal value of a full scorecard is its upper bonus, if u has reached U. The objective defines
the terminal value, g, and h. For the expected score, g(p) = 1 and h(p) = p. The objective can also
replace the means by minima or maxima. Backward induction over the number of filled categories
solves the equations.

In games with saved rolls, a turn that starts with m saved rolls has up to R + m rolls. The player
can stop before the last roll. With P(r) the probability of r and u' = min(u + s, U),

.. math::
    S_j(r) &= \max_k \; g(p) \, V(c', u', j) + h(p) \\
    W_0 &= S_0, \qquad W_j(r) = \max(S_j(r), \max_{q \subset r} E_j(q)) \\
    V(c, u, m) &= \sum_r P(r) \, W_{R-1+m}(r)

One chain of steps over j yields V for all m. After t turns of three rolls, the chain of a class has
2 t + 3 steps. A separate chain for each m would repeat most of these steps. If a turn can use at
most one extra roll, j counts up to R rerolls when m > 0. The last reroll uses a saved roll: m - 1
saved rolls are left after j = 0, and m saved rolls otherwise. Each m then needs a separate chain.

A small game fits in one table in memory. For a large game, two neighboring layers are in memory.
The last finished layers are saved to disk, so that an interrupted run resumes from them. The solver
can also save all layers, which advice, reviews, and simulations of later turns need.

Exactness
---------
Weights are integers and values are float64. Sums have a fixed order, so the result depends on
neither the threads nor the processor. Each turn adds at most a few dozen rounding errors of
relative size 1.1e-16. After 15 turns, the error of a value of a few hundred is below 1e-12. Tests
compare the values with the results of a second solver, to 1e-9. In small games, tests also compare
them with exact fractions, to 1e-12.

References
----------
T. Verhoeff, Optimal Solitaire Yahtzee Strategies (2003 or later): the recursion over states
between turns.
J. Glenn, An optimal strategy for Yahtzee (2006): kept dice as states within the turn.
"""

from concurrent.futures import Executor
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rollwise.cache_folder import code_hash
from rollwise.errors import InputError
from rollwise.model.arrays import Model, build, unsaved
from rollwise.rules import Rules
from rollwise.solving.columns import Columns, ColumnTable
from rollwise.solving.compiled_game import CompiledGame
from rollwise.solving.cost import Cost
from rollwise.solving.jobs import run
from rollwise.solving.kernels.backward import Chains, Layer, backward
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.objectives import CardObjective
from rollwise.solving.progress import Progress, within_layer
from rollwise.solving.storage.layers import (
    ALWAYS_READ,
    Shape,
    Values,
    bytes_of,
    check_layers,
    fill_layers,
    open_layer,
)
from rollwise.solving.values import Table, full_cards, is_large, layers_of

PART, LEAST_PARTS = 1 << 25, 16
"""The largest size in bytes of a part of a layer for a job, and the least number of parts.

If a process dies, the parts that it computes are lost.
"""


class Layered:
    """The states of a game, layer by layer, from the empty scorecard to full scorecards.

    :mod:`rollwise.solving.values` and :mod:`rollwise.solving.columns` explain the shapes of the
    layers. ``compiled`` and ``row_C``, which :class:`rollwise.solving.kernels.backward.Layer`
    explains, ignore saved rolls. ``work`` is the relative amount of work for each layer except the
    last one.
    """

    def __init__(
        self,
        model: Model,
        objective: CardObjective,
        threads: int | None = None,
        columns: Columns | None = None,
    ) -> None:
        game = columns.model if columns else unsaved(model)
        self.compiled = CompiledGame(game, objective, threads)
        self.chains = [_chains(model.rules, saved) for saved in model.saved_F[:-1]]
        self.others = columns.others if columns else None
        self.shapes = (columns.layers if columns else layers_of(model)).shapes
        if columns:
            self.row_C = columns.row_C
            self.full_cards = columns.full_cards
            lanes_C = game.rows_C * (columns.others.end_C - columns.others.first_C)
        else:
            self.row_C = np.arange(game.n_classes)
            for first, last in self.compiled.layers:
                self.row_C[first:last] -= first
            bonus_L = game.bonus_L.astype(np.float64)
            self.full_cards = full_cards(objective.terminal(bonus_L), self.shapes[-1])
            lanes_C = np.asarray(game.rows_C)
        self.work = [
            int(lanes_C[first:last].sum()) * int((chain.saved_after_N_J >= 0).sum())
            for (first, last), chain in zip(self.compiled.layers[:-1], self.chains, strict=True)
        ]

    def solve_layer(
        self, turns: int, values: Values, after: Values, progress: Progress | None
    ) -> None:
        """Compute layer ``turns`` from the values ``after`` of the next layer, in threads."""
        classes = np.arange(*self.compiled.layers[turns])
        if self.others:  # so that all parts have similar work
            classes = np.random.default_rng(turns).permutation(classes)
        layer = _layer(classes, self.row_C, values, after)
        arguments = self.chains[turns], self.others, layer
        self.compiled.run(backward, 0, len(classes), *arguments, done=progress)

    def solve_rows(self, turns: int, rows: range, after: Values) -> Values:
        """Return some rows of layer ``turns`` of a game with one column."""
        values = np.empty((len(rows), *self.shapes[turns][1:]))
        classes, row_C = self.compiled.layers[turns][0] + np.array(rows), self.row_C.copy()
        row_C[classes] = np.arange(len(rows))
        layer = _layer(classes, row_C, values, after)
        arguments = self.chains[turns], self.others, layer
        backward(0, len(rows), self.compiled.work(), self.compiled.game, *arguments)
        return values


def _layer(
    classes: NDArray[np.int64], row_C: NDArray[np.int64], values: Values, after: Values
) -> Layer:
    """Return the kernel argument for some classes of a layer with these values."""
    stride = values.shape[-1]
    rows, rows_after = values.reshape(-1, stride), after.reshape(-1, stride)
    return Layer(classes, row_C, values.shape[1], after.shape[1], rows, rows_after)


def _chains(rules: Rules, saved: range) -> Chains:
    """Return the chains of turns that start with each number of saved rolls in ``saved``."""
    # If rolls can be saved, the longest turn contains all shorter turns.
    starts = list(saved)[-1 if rules.saves_rolls else 0 :]
    saved_after_N_J = np.full((len(starts), rules.rolls_with(saved[-1])), -1)
    saved_before_N_J = np.full(saved_after_N_J.shape, -1)
    for then_J, start_J, most in zip(saved_after_N_J, saved_before_N_J, starts, strict=True):
        rolls = rules.rolls_with(most)
        then_J[:rolls] = [rules.saved_then(most, left) for left in range(rolls)]
        start_J[rolls - 1] = most
        if rules.saves_rolls:
            start_J[rules.rolls - 1 : rolls] = range(most + 1)
    return Chains(saved_after_N_J, saved_before_N_J)


def solve_cards(
    model: Model,
    objective: CardObjective,
    *,
    columns: Columns | None = None,
    folder: Path | None = None,
    on_disk: bool = False,
    executor: Executor | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """Return the value of every state that is reachable from the root of a model.

    ``columns`` has the states of a game with several columns that is too large for one table; its
    objective must be the expected score. ``folder`` is where the layers of a large game are saved;
    by default, they are not saved. With ``on_disk``, all its layers are saved; by default, only the
    first two and the last finished one. An executor computes the parts of each layer instead of
    threads; its processes must be able to read the folder, which is required.
    """
    sizes = columns.layers if columns else layers_of(model)
    check_layers(model.rules.name, sizes.shapes)
    cost, cached = Cost(model.rules, sizes, model.root.filled), folder is not None
    layered = Layered(model, objective, threads, columns)
    shapes, full = layered.shapes, layered.full_cards
    large = columns is not None or is_large(model)
    rooms: list[Values] = []
    if not large and executor is None:
        folder, rooms = None, _rows_of_one_array(shapes)
        rooms[-1][:] = full
        full = rooms[-1]

    def step(turns: int, values: Values, after: Values) -> None:
        part = within_layer(progress, layered.work, turns)
        if executor is None:
            layered.solve_layer(turns, values, after, part)
            return
        cuts = _cuts(shapes[turns])
        game = folder and folder.absolute(), model.rules, objective.name, code_hash(), turns
        results = run(solve_part, [(*game, rows) for rows in cuts], executor, part)
        for rows, result in zip(cuts, results, strict=True):
            values[rows.start : rows.stop] = result

    def announce(layers: set[int]) -> None:
        if executor is None:  # the speed of other machines is not known
            threads = layered.compiled.threads
            cost.announce(objective, layers, threads, cached=cached, whole=on_disk)

    begun = model.root.filled.bit_count()
    layers = fill_layers(
        shapes,
        full,
        step,
        first=begun,
        staying=begun + ALWAYS_READ if large and not on_disk else len(shapes),
        room=rooms.__getitem__ if rooms else None,
        folder=folder,
        must_save=on_disk or executor is not None,
        announce=announce,
    )
    if columns:
        return ColumnTable(model, layers, columns=columns)
    table = Table(model, layers)
    return table if large else table.joined()


def _rows_of_one_array(shapes: list[Shape]) -> list[Values]:
    """Return arrays for all layers, which are consecutive rows of one array."""
    starts = np.cumsum([0, *(bytes_of(shape[:-1]) // 8 for shape in shapes)])
    rows = np.empty((starts[-1], shapes[-1][-1]))
    spans = pairwise(starts.tolist())
    return [rows[slice(*span)].reshape(shape) for span, shape in zip(spans, shapes, strict=True)]


def _cuts(shape: Shape) -> list[range]:
    """Return the rows of each part of a layer."""
    parts = min(max(-(-bytes_of(shape) // PART), LEAST_PARTS), shape[0])
    return [range(*span) for span in pairwise(shape[0] * n // parts for n in range(parts + 1))]


def solve_part(
    folder: Path, rules: Rules, objective: str, code: str, turns: int, rows: range
) -> Values:
    """Return some rows of a layer, given the folder of the next layer; this is a job.

    A process with another version of the code, or without the next layer, raises an InputError.
    """
    if code != code_hash():
        raise InputError(
            "a worker runs another version of rollwise; install the same version on all machines"
        )
    layered = _layered(rules, objective)
    if turns + 2 == len(layered.shapes):
        return layered.solve_rows(turns, rows, layered.full_cards)
    return layered.solve_rows(turns, rows, _opened(folder, turns + 1, layered.shapes[turns + 1]))


@lru_cache(maxsize=1)
def _layered(rules: Rules, objective: str) -> Layered:
    parsed = parse_objective(objective)
    assert isinstance(parsed, CardObjective)
    return Layered(build(rules), parsed, threads=1)


@lru_cache(maxsize=1)
def _opened(folder: Path, layer: int, shape: Shape) -> Values:
    values = open_layer(folder, layer, shape)
    if values is None:
        raise InputError(
            f"a worker cannot read {folder}; set ROLLWISE_CACHE to a folder that all machines share"
        )
    return np.asarray(values)
