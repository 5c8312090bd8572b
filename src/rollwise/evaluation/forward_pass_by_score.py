"""The forward pass for strategies that depend on the points so far.

The policy is computed for each scorecard and score, and is not stored. Each scorecard therefore
adds its probabilities directly to the rows of its successors. Two threads must not write to the
same row, so the classes of a layer are divided into groups without common successors. In
:mod:`rollwise.evaluation.forward_pass`, the policy is stored, and each row collects the
probabilities of its predecessors.

The distributions of counts are not computed. The policy depends on the score, so each count would
need a distribution for each score. For Yahtzee, this would take ten times the memory and twice the
time.

:func:`final_distribution` returns the distribution of the final score of any strategy from any
scorecard.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.evaluation.forward_pass import GameResults, follow
from rollwise.evaluation.policy_value import policy_of
from rollwise.game.scorecard import Scorecard
from rollwise.model.arrays import Model, build
from rollwise.solving.by_score.solution import ScoreSolution
from rollwise.solving.by_score.windows import Layout, reached, row_of
from rollwise.solving.kernels.score import NONE
from rollwise.solving.kernels.second_quantity import (
    DecisionValues,
    ScoreFlow,
    ScoreFlowScratch,
    forward_by_score,
)
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.position_index import START, CardIndex, Start
from rollwise.solving.progress import Progress
from rollwise.strategies import StrategyLike, as_strategy, check_needs_no_opponent


def final_distribution(
    strategy: StrategyLike,
    card: Scorecard,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Distribution:
    """Return the exact distribution of the final score if a strategy continues a scorecard.

    The scorecard is before a turn, or full. The distribution includes its points.

    Raises
    ------
    MalformedError
        If no strategy has the given name, or if the strategy needs an opponent.
    InconsistentError
        If the solution of an optimal strategy does not include the scorecard, or if another
        strategy depends on the points so far.
    TooLargeError
        If the game has too many states.
    """
    if card.is_full:
        return Distribution.certain(card.points)
    strategy = as_strategy(strategy, card.rules)
    check_needs_no_opponent(strategy)
    place = CardIndex.of_card(build(card.rules), card)
    if isinstance(strategy.solution, ScoreSolution):
        return follow_by_score(strategy.solution, place, threads, progress).score
    return follow(policy_of(strategy, card.rules, threads), place, progress).score


def follow_by_score(
    solution: ScoreSolution,
    card: CardIndex = START,
    threads: int | None = None,
    progress: Progress | None = None,
) -> GameResults:
    """Return the distributions of the results of optimal play from a scorecard of the solution."""
    model, sweep = solution.model, Sweep(solution.model, EXPECTED, threads)
    layout = reached(sweep, Start(card.c, card.lane, card.score, card.score + 1))
    begin, turns = int(model.mask_C[card.c]).bit_count(), len(sweep.layers) - 1
    taken_T_O = np.zeros((turns, len(model.points_O)))
    masses = np.zeros(layout.sizes[begin])
    masses[layout.rows.start_X[row_of(model, card.c, card.lane)]] = 1.0
    total = max(sum(layout.lanes), 1)
    for layer in range(begin, turns):
        after = np.zeros(layout.sizes[layer + 1])
        first, last = sweep.layers[layer]
        taken_C_O = np.zeros((last - first, len(model.points_O)))
        decision_values = DecisionValues(
            solution.layout.rows,
            solution.values[layer],
            solution.values[layer + 1],
            solution.hint,
            solution.remaining_X,
        )
        for classes in apart(model, layout.classes[layer]):
            sweep.each_part(
                0,
                len(classes),
                forward_by_score,
                sweep.arrays,
                sweep.lattice_index,
                sweep.forward_index,
                decision_values,
                ScoreFlow(first, classes, layout.rows, masses, after, taken_C_O),
                scratch=ScoreFlowScratch.of,
            )
        taken_T_O[layer] = taken_C_O.sum(axis=0)
        masses = after
        if progress:
            progress(sum(layout.lanes[: layer + 1]) / total)
    distribution_B_S = _final_distribution(sweep, layout, masses)
    upper_bonus = Distribution(np.unique(model.bonus_L), distribution_B_S.sum(axis=1))
    return GameResults(Distribution.of_counts(distribution_B_S.sum(axis=0)), upper_bonus, taken_T_O)


def _final_distribution(
    sweep: Sweep, layout: Layout, masses: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the joint probability of each upper bonus and each final score, shape (B, S)."""
    model, rows = sweep.model, layout.rows
    first, last = sweep.layers[-1]
    full = range(rows.first_row_C[first], rows.first_row_C[last])
    reachable = [x for x in full if rows.low_X[x] != NONE]
    steps = np.unique(model.bonus_L)
    distribution_B_S = np.zeros(
        (len(steps), max(int(rows.high_X[x]) for x in reachable) + int(steps[-1]))
    )
    lane_X = np.concatenate(
        [np.arange(model.first_lane_C[c], model.last_lane_C[c] + 1) for c in range(first, last)]
    )
    for x in reachable:
        bonus = int(model.bonus_L[lane_X[x - full.start]])
        low, high, start = int(rows.low_X[x]), int(rows.high_X[x]), int(rows.start_X[x])
        distribution_S = distribution_B_S[np.searchsorted(steps, bonus)]
        distribution_S[low + bonus : high + bonus] += masses[start : start + high - low]
    return distribution_B_S


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
