r"""The solver: one backward sweep over the cards of a game, for any objective.

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

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from rollwise.model import Model, build
from rollwise.objectives import EXPECTED, Objective
from rollwise.rules import Rules
from rollwise.solution import Solution

if TYPE_CHECKING:
    from rollwise.kernels.backward import Game

CHUNKS_PER_THREAD = 4
"""Parts that a layer is cut into for each thread, so that unequal ones are shared."""

MAX_TABLE_BYTES = 8 << 30


def solve(
    rules: Rules,
    objective: Objective = EXPECTED,
    *,
    cache: bool = True,
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Return the value of every state of a game under best play.

    Parameters
    ----------
    rules : Rules
    objective : Objective
        What is maximised; the expected score unless told.
    cache : bool
        Read the table from disk if it is there, and write it there if not.
    threads : int, optional
        As many as the process may use unless told. The result does not depend on it.
    progress : callable, optional
        Called with the solved share of the work, from 0 to 1, after each layer.

    Raises
    ------
    ValueError
        When the table of the game would not fit.
    """
    from rollwise import cache as store

    if cache and (solution := store.load(rules, objective)) is not None:
        return solution
    solution = _solve_afresh(rules, objective, threads or _usable_cores(), progress)
    if cache:
        store.save(solution)
    return solution


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # not on every platform
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _solve_afresh(
    rules: Rules, objective: Objective, threads: int, progress: Callable[[float], None] | None
) -> Solution:
    from rollwise.kernels.backward import backward  # numba takes a quarter of a second to import
    from rollwise.kernels.turn import BEST, MEAN, WORST, lay_out
    from rollwise.kernels.vector import WIDTH

    model = build(rules)
    # A row has room for a whole vector read from its last lane, moved by the farthest outcome.
    stride = -(-(model.lanes + model.max_shift + WIDTH) // WIDTH) * WIDTH
    if 8 * stride * model.classes > MAX_TABLE_BYTES:
        raise ValueError(
            f"{rules.name}: a table of {model.classes} cards × {model.lanes} upper totals is too "
            f"large: expected at most {MAX_TABLE_BYTES >> 30} GiB"
        )
    values = np.empty((model.classes, stride))
    bonus = np.zeros(stride)
    if rules.upper_bonus:
        bonus[rules.upper_bonus.threshold :] = rules.upper_bonus.points
    layers = list(pairwise(model.layer_starts))
    full_first, full_last = layers.pop()
    values[full_first:full_last] = objective.terminal(bonus)

    game = _game(model, objective)
    turn = lay_out(
        model.lattice, rules.rolls, {"mean": MEAN, "worst": WORST, "best": BEST}[objective.chance]
    )
    flat = values.reshape(-1)
    with ThreadPoolExecutor(threads) as pool:
        for first, last in reversed(layers):
            parts = min(last - first, threads * CHUNKS_PER_THREAD if threads > 1 else 1)
            cuts = [int(first + (last - first) * part // parts) for part in range(parts + 1)]
            jobs = [
                pool.submit(backward, flat, stride, start, stop, game, turn)
                for start, stop in pairwise(cuts)
            ]
            for job in jobs:
                job.result()
            if progress:
                progress(1 - int(first) / model.classes)
    return Solution(rules, objective, model, values[:, : model.lanes])


def _game(model: Model, objective: Objective) -> "Game":
    from rollwise.kernels.backward import Game

    points = (model.points_O + model.extra_O).astype(np.float64)
    return Game(
        lanes=model.lanes,
        class_S=model.class_S,
        mask_C=model.mask_C,
        armed_C=model.armed_C,
        situation_C=model.situation_C,
        first_lane_C=model.first_lane_C,
        last_lane_C=model.last_lane_C,
        gain_O=objective.gain(points),
        points_O=objective.points(points),
        shift_O=model.shift_O,
        arms_O=model.arms_O,
        outcome_starts_K=model.outcome_starts_K,
        option_V_K=model.option_V_K,
        special_J=model.special_J,
        special_row_C_J=model.special_row_C_J,
    )
