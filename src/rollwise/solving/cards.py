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

from typing import Any, cast

import numpy as np

from rollwise.errors import MalformedError
from rollwise.game.position import Position
from rollwise.model.arrays import build
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import BEST_CASE, EXPECTED, LARGEST_EXPONENT, CardObjective
from rollwise.solving.progress import Progress


def solve_cards(
    rules: Rules,
    objective: CardObjective = EXPECTED,
    *,
    position: Position | None = None,
    moments: bool = False,
    keep: bool = False,
    cache: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> CardSolution:
    """Return :func:`rollwise.solving.solver.solve` for an objective that needs no score.

    ``keep`` matters where rolls are saved: see :func:`rollwise.solving.saving.solver.solve_saving`.
    """
    from rollwise.solving import cache as store

    _check_range(rules, objective, threads)
    cache = cache and objective.named
    solution = store.load(rules, objective) if cache else None
    complete = solution is not None
    if solution is None and rules.carries_rolls:
        from rollwise.solving.saving.solver import solve_saving

        layers = solve_saving(
            rules,
            objective,
            position=position,
            keep=keep,
            folder=store.layers_of(rules, objective) if cache else None,
            threads=threads,
            progress=progress,
        )
        if not layers.small:
            return CardSolution(rules, objective, layers.model, cast(Any, layers))
        solution = CardSolution(rules, objective, layers.model, layers.table())
    elif solution is None:
        solution = _solve_afresh(rules, objective, threads, progress)
    if moments and solution.moments is None:
        from rollwise.solving.moments import with_moments  # imports numba, as below

        if cache and not complete:
            store.save(solution)  # moments may be too many where values are not
        solution, complete = with_moments(solution, threads), False
    if cache and not complete:
        store.save(solution)
    return solution


def _check_range(rules: Rules, objective: CardObjective, threads: int | None) -> None:
    """Refuse an exponential utility that leaves the numbers of a computer."""
    if objective.risk == 0:
        return
    most = solve_cards(rules, BEST_CASE, cache=False, threads=threads).value()
    if abs(objective.risk) * most > LARGEST_EXPONENT:
        raise MalformedError(
            f"{objective.name}: expected a risk between {-LARGEST_EXPONENT / most:.4g} and "
            f"{LARGEST_EXPONENT / most:.4g} for scores of up to {most:g}"
        )


def _solve_afresh(
    rules: Rules, objective: CardObjective, threads: int | None, progress: Progress | None
) -> CardSolution:
    from rollwise.solving.kernels.backward import (
        backward,  # numba takes a quarter of a second to import
    )
    from rollwise.solving.layers import Sweep

    model = build(rules)
    sweep = Sweep(model, objective, threads)
    values = sweep.rows(objective.terminal(model.bonus_L.astype(np.float64)))
    for first, last in reversed(sweep.layers[:-1]):
        sweep.each_part(
            first,
            last,
            lambda start, stop: backward(
                values.reshape(-1), sweep.stride, start, stop, sweep.game, sweep.turn
            ),
        )
        if progress:
            progress(1 - first / model.n_classes)
    # Without the room beside the lanes, which for large games would be gigabytes.
    return CardSolution(rules, objective, model, np.ascontiguousarray(values[:, : model.lanes]))
