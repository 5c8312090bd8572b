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

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rollwise.model.arrays import Model
from rollwise.solving.kernels.backward import Chains, Layer, Scratch, backward
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import CardObjective
from rollwise.solving.progress import Progress


def solve_cards(
    model: Model,
    objective: CardObjective,
    threads: int | None = None,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return the value of every card, float64 of shape (C, L).

    Parameters
    ----------
    threads : int, optional
        As many as the process may use unless told. The result does not depend on it.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1, after each layer.

    Raises
    ------
    TooLargeError
        When the table would not fit.
    """
    sweep = Sweep(model, objective, threads)
    values = sweep.rows(objective.terminal(model.bonus_L.astype(np.float64)))
    place_C = np.arange(model.n_classes)
    place_C -= np.repeat(model.layer_starts[:-1], np.diff(model.layer_starts))
    start_N_J = np.full((1, model.rules.rolls), -1)
    start_N_J[0, -1] = 0
    chains = Chains(np.zeros_like(start_N_J), start_N_J)
    for (first, last), (_, end) in reversed(list(pairwise(sweep.layers))):
        layer = Layer(np.arange(first, last), place_C, 1, 1, values[first:last], values[last:end])
        sweep.each_part(
            0,
            last - first,
            backward,
            sweep.arrays,
            sweep.streams,
            chains,
            layer,
            scratch=Scratch.of,
        )
        if progress:
            progress(1 - first / model.n_classes)
    # Without the room beside the lanes, which for large games would be gigabytes.
    return np.ascontiguousarray(values[:, : model.lanes])
