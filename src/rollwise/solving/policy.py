r"""A policy over all states of a game: the probability of each outcome in each state.

:mod:`rollwise.solving.backward_induction` maximizes over actions, but a policy fixes the actions.
Its value, such as the expected score, follows by backward induction without a maximum (policy
evaluation). Let M(c, u) be the expected points to come from class c and upper-section total u,
capped at U. Outcome o has the probability P(o | c, u). It gives the points p, adds s to the
upper-section total, and leads to class c':

.. math:: M(c, u) = \sum_o P(o \mid c, u) \, \bigl(p + M(c', \min(u + s, U))\bigr)

For the lowest possible score, a minimum over the possible outcomes replaces the sum.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import check_memory
from rollwise.model.arrays import build
from rollwise.model.size import check_table
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.compiled_game import CompiledGame
from rollwise.solving.kernels.policy import (
    LayerPolicy,
    TieRule,
    WantedRows,
    optimal_policy,
)
from rollwise.solving.kernels.vector import WIDTH, aligned
from rollwise.solving.progress import Progress, backward_induction
from rollwise.solving.solution import TOLERANCE

MAX_LAYER_BYTES = 4 << 30


def _layouts(compiled: CompiledGame) -> list[tuple[NDArray[np.int64], int]]:
    """For each layer, return the array index at which each class begins, and the array size."""
    layouts = []
    for first, last in compiled.layers[:-1]:
        blocks_C = -(-compiled.model.rows_C[first:last] // WIDTH)
        sizes_C = compiled.model.slots(first, last)[:, -1] * blocks_C * WIDTH
        starts = np.append(0, np.cumsum(sizes_C))
        layouts.append((starts[:-1], int(starts[-1])))
    need, size = (
        f"the policy of {compiled.model.rules.name} needs",
        max(size for _, size in layouts),
    )
    check_memory(need, 8 * size, MAX_LAYER_BYTES, "use a game with fewer categories")
    return layouts


def check_policy_memory(rules: Rules) -> None:
    """Raise TooLargeError, before a long computation, if a policy over all states is too large."""
    check_table(rules)
    _layouts(CompiledGame(build(rules)))


class Policy(ABC):
    """A policy over all states of a game, layer by layer.

    All layers are computed in the same memory, because the first access to new memory is slow.
    """

    def __init__(self, compiled: CompiledGame) -> None:
        self.compiled = compiled
        self._layouts = _layouts(compiled)
        self._memory = aligned(max(size for _, size in self._layouts))

    def of_layer(self, layer: int, wanted_X: NDArray[np.bool_] | None = None) -> LayerPolicy:
        """Return the policy in one layer; this overwrites the previously returned layer.

        ``wanted_X`` selects rows of the layer; default: all rows.
        """
        starts_C, size = self._layouts[layer]
        layer_policy = LayerPolicy(self.compiled.layers[layer][0], starts_C, self._memory[:size])
        if wanted_X is None:
            first, last = self.compiled.layers[layer]
            wanted_X = np.ones(int(self.compiled.model.rows_C[first:last].sum()), dtype=np.bool_)
        self._play(layer, wanted_X, layer_policy)
        return layer_policy

    @abstractmethod
    def _play(self, layer: int, wanted_X: NDArray[np.bool_], layer_policy: LayerPolicy) -> None:
        """Write the outcome probabilities of a layer, at least for the rows in ``wanted_X``."""

    def backward(self, *steps: tuple[Any, ...], progress: Progress | None = None) -> None:
        """Run kernels on all layers in one pass, from the last layer to the first.

        Each step is a kernel and its arguments. The kernel is called for parts of the classes of
        each layer, as ``kernel(first, last, work, game, layer_policy, *arguments)``. Rows of
        values have the layout of :meth:`rollwise.solving.compiled_game.CompiledGame.rows`.
        """
        compiled = self.compiled
        work = [last - first for first, last in compiled.layers[:-1]]
        for layer, _ in backward_induction(work, progress):
            first, last = compiled.layers[layer]
            layer_policy = self.of_layer(layer)
            for kernel, *arguments in steps:
                compiled.run(kernel, first, last, layer_policy, *arguments)


class OptimalPolicy(Policy):
    """The optimal policy of a solution with one value per state.

    Ties are broken as in :class:`rollwise.strategies.Optimal`: ``die`` is added to the value for
    each die to keep; default: ``TOLERANCE`` divided by the number of dice.
    """

    def __init__(
        self, solution: CardSolution, *, die: float | None = None, threads: int | None = None
    ) -> None:
        super().__init__(CompiledGame(solution.model, solution.objective, threads))
        self._tie = TieRule(TOLERANCE, TOLERANCE / solution.rules.dice if die is None else die)
        self._values_C_L = self.compiled.padded(solution.table_C_L)

    def _play(self, layer: int, wanted_X: NDArray[np.bool_], layer_policy: LayerPolicy) -> None:
        compiled, (first, last) = self.compiled, self.compiled.layers[layer]
        first_row_C = np.append(0, np.cumsum(compiled.model.rows_C[first:last]))
        wanted = WantedRows(self._values_C_L, self._tie, wanted_X, first_row_C)
        compiled.run(optimal_policy, first, last, wanted, layer_policy)
