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

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.model.arrays import Model, unsaved
from rollwise.rules import Rules
from rollwise.solving.kernels.backward import BackwardScratch, Chains, Layer, backward
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import CardObjective
from rollwise.solving.progress import Progress
from rollwise.solving.storage.layer_files import LayerFiles, Values
from rollwise.solving.storage.retention import (
    FileRetention,
    LayerRetention,
    Resumable,
    TableRetention,
    TwoLayers,
    check_memory,
)
from rollwise.solving.values import Layers, full_cards, is_large, shapes_of


class Layered:
    """The states of a game, layer by layer, from the empty scorecard to full scorecards.

    Attributes
    ----------
    shapes : list of tuple of int
        The shape of each layer. The axes are the classes (ignoring saved rolls), the number of
        saved rolls, and the lanes (padded to whole vectors).
    sweep : Sweep
        The arrays and threads for the game, ignoring saved rolls.
    chains : list of Chains
        The chains of turns of each layer (:class:`rollwise.solving.kernels.backward.Chains`).
    index_C : int64 array
        The index of each class in its layer, ignoring saved rolls.
    full_cards : float64 array
        The values of full scorecards, in the shape of the last layer.
    work : list of int
        The relative amount of work for each layer except the last one.
    """

    def __init__(self, model: Model, objective: CardObjective, threads: int | None = None) -> None:
        self.shapes = shapes_of(model)
        self.sweep = Sweep(unsaved(model), objective, threads)
        self.chains = [_chains(model.rules, saved) for saved in model.saved_F[:-1]]
        self.index_C = np.arange(self.sweep.model.n_classes)
        for first, last in self.sweep.layers:
            self.index_C[first:last] -= first
        bonus_L = self.sweep.model.bonus_L.astype(np.float64)
        self.full_cards = full_cards(objective.terminal(bonus_L), self.shapes[-1])
        self.work = [
            int(self.sweep.model.rows_C[first:last].sum()) * int((chain.saved_after_N_J >= 0).sum())
            for (first, last), chain in zip(self.sweep.layers[:-1], self.chains, strict=True)
        ]

    def layer(
        self, classes: NDArray[np.int64], index_C: NDArray[np.int64], values: Values, after: Values
    ) -> Layer:
        """Return the kernel argument for some classes of a layer.

        Parameters
        ----------
        classes : int64 array
            The classes to solve.
        index_C : int64 array of shape (C,)
            The index of each class on the first axis of ``values`` or ``after``, depending on its
            layer.
        values, after : float64 arrays
            The values of this layer and of the next layer.
        """
        stride = values.shape[-1]
        rows, rows_after = values.reshape(-1, stride), after.reshape(-1, stride)
        return Layer(classes, index_C, values.shape[1], after.shape[1], rows, rows_after)

    def fill(
        self,
        retention: LayerRetention,
        full_cards: Values,
        kernel_of: Callable[[int], tuple[Any, ...]],
        *,
        scratch: Callable[..., Any],
        progress: Progress | None,
    ) -> bool:
        """Compute the missing layers by backward induction; return True if none was missing.

        ``kernel_of`` maps the number of a layer to the kernel, followed by the arguments that
        precede the argument ``layer``.
        """
        sweep = self.sweep

        def step(turns: int, values: Values, after: Values, part: Progress | None) -> None:
            first, last = sweep.layers[turns]
            kernel, *turn = kernel_of(turns)
            sweep.each_part(
                0,
                last - first,
                kernel,
                sweep.arrays,
                sweep.lattice_index,
                *turn,
                self.layer(np.arange(first, last), self.index_C, values, after),
                scratch=scratch,
                done=part,
            )

        begun = sweep.model.root.filled.bit_count()
        return retention.backward_induction(full_cards, step, self.work, progress, begun)


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
    files: LayerFiles | None = None,
    on_disk: bool = False,
    in_store: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Layers:
    """Return the value of every state that is reachable from the root of a model.

    Parameters
    ----------
    files : LayerFiles, optional
        Where to save the layers of a large game; by default, they are not saved.
    on_disk : bool
        Save all layers of a large game; by default, only the two that were finished last.
    in_store : bool
        Save all layers, even if the game is small.
    threads : int, optional
        Default: all cores that the process can use. The result does not depend on this number.
    progress : callable, optional
        Called repeatedly with the completed fraction of the work, from 0 to 1.
    """
    check_memory(model.rules.name, shapes_of(model))
    layered = Layered(model, objective, threads)
    retention = retention_of(model, files, on_disk, in_store)
    from_disk = layered.fill(
        retention,
        layered.full_cards,
        lambda turns: (backward, layered.chains[turns]),
        scratch=BackwardScratch.of,
        progress=progress,
    )
    return Layers(model, retention.layers, small=not is_large(model), from_disk=from_disk)


def retention_of(
    model: Model, files: LayerFiles | None, on_disk: bool, in_store: bool
) -> LayerRetention:
    """Return the retention that suits a game: one table, two layers in memory, or files."""
    shapes = shapes_of(model)
    if files and in_store:
        return FileRetention(shapes, files)
    if not is_large(model):
        return TableRetention(shapes)
    if files is None:
        return TwoLayers(shapes)
    return (FileRetention if on_disk else Resumable)(shapes, files)
