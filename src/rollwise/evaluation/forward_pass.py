"""The forward pass, which computes the distributions of a strategy's results from any scorecard.

The pass computes the probability that a game reaches each scorecard with each score, layer by
layer. Each scorecard adds its probabilities to the rows of its successors. Sums of float64 have a
fixed order, so results do not depend on the number of threads. The error of the total probability
is below 1e-12, and the error of the mean is below 1e-10.

The policy of most strategies does not depend on the score. For these strategies, the pass also
computes the distributions of five-of-a-kind bonuses, jokers, and final rolls in which all dice show
the same number. If the policy depends on the score, each count would need a distribution for each
score. For Yahtzee, this would take ten times the memory and twice the time.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.evaluation.policy_value import policy_of
from rollwise.model.arrays import Model
from rollwise.rules import Groups, Rules
from rollwise.solving.by_score.solution import ScoreSolution
from rollwise.solving.compiled_game import CompiledGame, Memory
from rollwise.solving.kernels.forward import (
    Flow,
    RowDistributions,
    forward_by_policy,
    forward_by_score,
    outcomes_by_policy,
)
from rollwise.solving.kernels.policy import LayerPolicy
from rollwise.solving.kernels.rows import reach_scores
from rollwise.solving.kernels.score import ScoreLayer
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.policy import Policy
from rollwise.solving.position_index import START, CardIndex
from rollwise.solving.progress import Progress
from rollwise.solving.rows import NONE, Rows, row_of
from rollwise.strategies import Strategy


@dataclass(frozen=True, eq=False)
class GameResults:
    """The distributions of the results of the games of a strategy.

    Attributes
    ----------
    score, upper_bonus : Distribution
        The distributions of the final score and of the points of the upper bonus.
    taken_T_O : float64 array of shape (turns, O)
        The probability of each outcome in each turn.
    counts : dict of str to Distribution
        The distributions of four counts. ``alike`` counts final rolls in which all dice show the
        same number, ``extra`` counts five-of-a-kind bonuses, and ``joker`` counts scored jokers.
        ``box`` counts columns with points in the category that requires all dice to show the same
        number. ``extra`` or ``joker`` is missing if the game has no five-of-a-kind bonus or no
        jokers. The dictionary is empty if the policy depends on the score.
    bonus_and_alike : float64 array of shape (2, 2) or None
        The joint probability of an upper bonus (second row) and of points in the category that
        requires all dice to show the same number (second column); None if the policy depends on the
        score.
    """

    score: Distribution
    upper_bonus: Distribution
    taken_T_O: NDArray[np.float64]
    counts: dict[str, Distribution] = field(default_factory=dict)
    bonus_and_alike: NDArray[np.float64] | None = None


def forward_pass(
    strategy: Strategy, rules: Rules | None = None, threads: int | None = None
) -> "ForwardPass":
    """Return the forward pass of a strategy; ``rules`` as for :func:`policy_of`."""
    if isinstance(strategy.solution, ScoreSolution):
        return ScoreForwardPass(strategy.solution, threads)
    return PolicyForwardPass(policy_of(strategy, rules, threads))


class ForwardPass(ABC):
    """A forward pass over all states that are reachable from a scorecard."""

    def __init__(self, compiled: CompiledGame, counted: dict[str, NDArray[np.bool_]]) -> None:
        self.compiled, self.model = compiled, compiled.model
        self._names = list(counted)
        count_T_O = np.array(list(counted.values()), dtype=np.int64)
        self._count_T_O = count_T_O.reshape(-1, len(self.model.points_O))
        # For points and counts; each twice, because a turn reads one layer and writes the next.
        self._memory = [(Memory(), Memory()), (Memory(), Memory())]

    def results(self, card: CardIndex = START, progress: Progress | None = None) -> GameResults:
        """Return the distributions of the results of the games that start from a scorecard.

        The score includes the points so far; all counts start at 0.
        """
        taken_T_O = np.zeros((len(self.compiled.layers), len(self.model.points_O)))
        for layer, rows, distributions, taken_O in self._layers(card, progress):
            taken_T_O[layer], final = taken_O, (rows, distributions)
        return self._results(*final, taken_T_O[1:])

    def states(self, card: CardIndex = START) -> Iterator[NDArray[np.float64]]:
        """Yield the probability of each row of a layer, before each turn and after the last one."""
        for _, _, distributions, _ in self._layers(card):
            yield distributions.counts[1:, 0].sum(axis=-1)

    def _layers(
        self, card: CardIndex, progress: Progress | None = None
    ) -> Iterator[tuple[int, Rows, RowDistributions, NDArray[np.float64]]]:
        """Yield each layer, its distributions, and the outcomes of the turn that leads to it."""
        model, layers = self.model, self.compiled.layers
        rows, x = Rows.empty(np.asarray(model.rows_C)), row_of(model, card.c, card.lane)
        rows.low_X[x], rows.high_X[x] = card.score, card.score + 1
        begin = int(model.mask_C[card.c]).bit_count()
        distributions = self._zeros(begin, rows)
        distributions.points[rows.start_X[x]] = 1.0
        distributions.counts[1 + x - distributions.first, :, 0] = 1.0
        yield begin, rows, distributions, np.zeros(len(model.points_O))
        for layer in range(begin, len(layers) - 1):
            flow = self._turn(layer, rows, distributions)
            distributions = flow.after
            yield layer + 1, rows, distributions, flow.taken_C_O.sum(axis=0)
            if progress:
                progress(layers[layer][1] / model.n_classes)

    @abstractmethod
    def _turn(self, layer: int, rows: Rows, here: RowDistributions) -> Flow:
        """Return the distributions before and after a turn that starts in a layer."""

    @abstractmethod
    def _results(
        self, rows: Rows, final: RowDistributions, taken_T_O: NDArray[np.float64]
    ) -> GameResults:
        """Return the results of games, given the distributions of full scorecards."""

    def _flow(
        self, layer: int, rows: Rows, here: RowDistributions, played: LayerPolicy | None = None
    ) -> Flow:
        """Find the windows of the next layer, and return zeros for its distributions."""
        first, last = self.compiled.layers[layer]
        reach_scores(first, last, self.compiled.work(), self.compiled.game, rows, played)
        taken_C_O = np.zeros((last - first, len(self.model.points_O)))
        return Flow(first, rows, self._count_T_O, here, self._zeros(layer + 1, rows), taken_C_O)

    def _zeros(self, layer: int, rows: Rows) -> RowDistributions:
        """Return zeros for the rows of a layer, and set the array indices of these rows."""
        first, last = rows.first_row_C[list(self.compiled.layers[layer])].tolist()
        length_X = rows.high_X[first:last] - rows.low_X[first:last]
        size_X = np.where(rows.low_X[first:last] != NONE, -(-length_X // WIDTH) + 1, 0) * WIDTH
        ends_X = np.cumsum(size_X)
        rows.start_X[first:last] = ends_X - size_X
        shape = 1 + last - first, len(self._names), ((layer + 1) // WIDTH + 1) * WIDTH
        sizes = int(ends_X[-1]), prod(shape)
        pairs = zip(self._memory[layer % 2], sizes, strict=True)
        points, counts = (memory.take(size) for memory, size in pairs)
        points[:], counts[:] = 0.0, 0.0
        return RowDistributions(first, points, counts.reshape(shape))

    def _final_rows(
        self, rows: Rows, final: RowDistributions
    ) -> Iterator[tuple[int, int, slice, NDArray[np.float64]]]:
        """Yield each row of full scorecards, its bonus, its scores, and their probabilities."""
        model, x = self.model, final.first
        for c in range(*self.compiled.layers[-1]):
            for lane in range(int(model.first_lane_C[c]), int(model.last_lane_C[c]) + 1):
                if rows.low_X[x] != NONE:
                    bonus, length = int(model.bonus_L[lane]), int(rows.high_X[x] - rows.low_X[x])
                    low = int(rows.low_X[x]) + bonus
                    points = final.points[rows.start_X[x] :][:length]
                    yield x, bonus, slice(low, low + length), points
                x += 1


class PolicyForwardPass(ForwardPass):
    """The forward pass of a policy, which does not depend on the score."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy.compiled, _counted(policy.compiled.model))
        self._policy = policy

    def _turn(self, layer: int, rows: Rows, here: RowDistributions) -> Flow:
        first, last = self.compiled.layers[layer]
        reached_X = rows.low_X[rows.first_row_C[first] : rows.first_row_C[last]] != NONE
        played = self._policy.of_layer(layer, reached_X)
        flow = self._flow(layer, rows, here, played)
        copies = len(self.model.saved_F[layer])
        for k in range(len(self.model.rules.categories)):
            groups = (last - first) // copies
            self.compiled.run(forward_by_policy, 0, groups, k, copies, played, flow)
        self.compiled.run(outcomes_by_policy, first, last, played, flow)
        return flow

    def _results(
        self, rows: Rows, final: RowDistributions, taken_T_O: NDArray[np.float64]
    ) -> GameResults:
        steps = np.unique(self.model.bonus_L)
        score_S = np.zeros(int(rows.high_X[final.first :].max() + steps[-1]))
        earned_B, joint = np.zeros(len(steps)), np.zeros((2, 2))
        count_T_N = np.zeros(final.counts.shape[1:])
        for x, bonus, scores, points in self._final_rows(rows, final):
            score_S[scores] += points
            row_T_N = final.counts[1 + x - final.first]
            count_T_N += row_T_N
            alike_N = row_T_N[self._names.index("box")]
            joint[int(bonus > 0)] += alike_N[0], alike_N[1:].sum()
            earned_B[np.searchsorted(steps, bonus)] += alike_N.sum()
        counts = map(Distribution.of_counts, count_T_N)
        return GameResults(
            Distribution.of_counts(score_S),
            Distribution(steps, earned_B),
            taken_T_O,
            dict(zip(self._names, counts, strict=True)),
            joint,
        )


class ScoreForwardPass(ForwardPass):
    """The forward pass of optimal play for an objective of the final score."""

    def __init__(self, solution: ScoreSolution, threads: int | None = None) -> None:
        super().__init__(CompiledGame(solution.model, threads=threads), {})
        self._solution = solution

    def results(self, card: CardIndex = START, progress: Progress | None = None) -> GameResults:
        """Return the distributions of the results; the solution must contain the scorecard."""
        self._solution.check_reached(card)
        return super().results(card, progress)

    def _turn(self, layer: int, rows: Rows, here: RowDistributions) -> Flow:
        compiled, solution, flow = self.compiled, self._solution, self._flow(layer, rows, here)
        values = solution.values[layer : layer + 2]
        for classes in apart(self.model, np.arange(*compiled.layers[layer])):
            arguments = solution.layout.rows, solution.terms, ScoreLayer(classes, *values), flow
            compiled.run(forward_by_score, 0, len(classes), *arguments)
        return flow

    def _results(
        self, rows: Rows, final: RowDistributions, taken_T_O: NDArray[np.float64]
    ) -> GameResults:
        steps = np.unique(self.model.bonus_L)
        score_B_S = np.zeros((len(steps), int(rows.high_X[final.first :].max() + steps[-1])))
        for _, bonus, scores, points in self._final_rows(rows, final):
            score_B_S[np.searchsorted(steps, bonus), scores] += points
        upper_bonus = Distribution(steps, score_B_S.sum(axis=1))
        return GameResults(Distribution.of_counts(score_B_S.sum(axis=0)), upper_bonus, taken_T_O)


def _counted(model: Model) -> dict[str, NDArray[Any]]:
    """Return the outcomes that add 1 to each count, as bool arrays of shape (O,) by name."""
    rules = model.rules
    added = {"alike": model.n_of_a_kind_O}
    if rules.extra_bonus:
        added["extra"] = model.extra_O > 0
    if rules.joker:
        added["joker"] = model.joker_O
    added["box"] = np.isin(model.category_O, _alike_categories(rules)) & (model.points_O > 0)
    return added


def _alike_categories(rules: Rules) -> list[int]:
    """Return, for each column, the category that requires all dice to show the same number.

    Columns that do not have this category are left out.
    """
    categories = dict[int, int]()
    for k, category in enumerate(rules.categories):
        if isinstance(category.pattern, Groups) and category.pattern.sizes == (rules.dice,):
            categories.setdefault(rules.column_of[k], k)
    return list(categories.values())


def apart(model: Model, classes: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield groups of classes of one layer; classes in a group have no common successor.

    Two masks with a common successor differ only by an exchange of two categories. The exchange
    changes the sum of the category indices modulo the number of categories. A group therefore
    contains the masks with one value of this sum. The classes of one mask differ in the number of
    saved rolls, or in eligibility for the five-of-a-kind bonus, which is never lost. Each number of
    saved rolls has separate groups.

    References
    ----------
    R. L. Graham, N. J. A. Sloane, Lower bounds for constant weight codes (1980), theorem 1.
    """
    n = len(model.rules.categories)
    number_C = ((model.mask_C[classes][:, None] >> np.arange(n) & 1) @ np.arange(n)) % n
    for saved in np.unique(model.saved_C[classes]):
        for number in range(n):
            yield classes[(number_C == number) & (model.saved_C[classes] == saved)]
