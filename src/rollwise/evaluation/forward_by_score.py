"""The forward sweep of a strategy that depends on the points so far.

The play of a card is computed score by score and not kept, so each card hands its games on as it is
played. (In :mod:`rollwise.evaluation.forward`, where it is kept, each card fetches the games that
come to it: no two threads write to one row, and no groups of classes are needed.)

Laws of counts are not followed. The play depends on the score, so each count would have to be known
beside each score: for Yahtzee ten times the memory and twice the work.

The law of the final score of a game that stands at any card: what others see of a player.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.evaluation.forward import Finals, follow
from rollwise.evaluation.policy_value import play_of
from rollwise.game.notation import format_card
from rollwise.game.scorecard import Scorecard
from rollwise.model.arrays import Model, build
from rollwise.solving.by_score.solution import ScoreSolution
from rollwise.solving.by_score.windows import Layout, reached, row_of
from rollwise.solving.kernels.score import NONE
from rollwise.solving.kernels.second_quantity import (
    Guide,
    ScoreFlow,
    ScoreFlowScratch,
    forward_by_score,
)
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.place import START, CardPlace, Start
from rollwise.solving.progress import Progress
from rollwise.strategies import Optimal, Strategy, as_strategy, check_plays_alone


def apart(model: Model, classes: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield the classes of one layer in groups of which no two lead to the same class.

    Two masks that one category more makes equal differ by a swap of two categories; that changes
    the sum of their numbers, modulo how many there are. (Classes of one mask differ in being armed,
    and stay so, or in the rolls saved: of each number of these there are groups of their own.)

    References
    ----------
    R. L. Graham, N. J. A. Sloane, Lower bounds for constant weight codes (1980), theorem 1.
    """
    n = len(model.rules.categories)
    number_C = ((model.mask_C[classes][:, None] >> np.arange(n) & 1) @ np.arange(n)) % n
    for saved in np.unique(model.saved_C[classes]):
        for number in range(n):
            yield classes[(number_C == number) & (model.saved_C[classes] == saved)]


def follow_by_score(
    solution: ScoreSolution,
    card: CardPlace = START,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Finals:
    """Return how games that stand at a card end under the best play for the objective.

    The solution has to know that card: it starts from it, or from one before.
    """
    sweep = Sweep(solution.model, EXPECTED, threads)
    model, values = sweep.model, solution.values
    spots = reached(sweep, Start(card.c, card.lane, card.score, card.score + 1))
    begin, turns = int(model.mask_C[card.c]).bit_count(), len(sweep.layers) - 1
    taken_T_O = np.zeros((turns, len(model.points_O)))
    here = np.zeros(spots.sizes[begin])
    here[spots.rows.start_X[row_of(model, card.c, card.lane)]] = 1.0
    total = max(sum(spots.lanes), 1)
    for layer in range(begin, turns):
        after = np.zeros(spots.sizes[layer + 1])
        first, last = sweep.layers[layer]
        taken_C_O = np.zeros((last - first, len(model.points_O)))
        guide = Guide(
            solution.layout.rows,
            values[layer],
            values[layer + 1],
            solution.hint,
            solution.remaining_X,
        )
        for classes in apart(model, spots.classes[layer]):
            if len(classes):
                flow = ScoreFlow(first, classes, spots.rows, here, after, taken_C_O)
                sweep.each_part(
                    0,
                    len(classes),
                    forward_by_score,
                    sweep.arrays,
                    sweep.lattice_index,
                    sweep.forward_index,
                    guide,
                    flow,
                    scratch=ScoreFlowScratch.of,
                )
        taken_T_O[layer] = taken_C_O.sum(axis=0)
        here = after
        if progress:
            progress(sum(spots.lanes[: layer + 1]) / total)
    distribution_B_S = _final_distribution(sweep, spots, here)
    upper_bonus = Distribution(np.unique(model.bonus_L), distribution_B_S.sum(axis=1))
    return Finals(Distribution.of_counts(distribution_B_S.sum(axis=0)), upper_bonus, taken_T_O)


def _final_distribution(
    sweep: Sweep, spots: Layout, masses: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the probability of each final score with each upper bonus, shape (B, S)."""
    model, rows = sweep.model, spots.rows
    first, last = sweep.layers[-1]
    full = range(rows.first_row_C[first], rows.first_row_C[last])
    known = [x for x in full if rows.low_X[x] != NONE]
    steps = np.unique(model.bonus_L)
    distribution_B_S = np.zeros(
        (len(steps), max(int(rows.high_X[x]) for x in known) + int(steps[-1]))
    )
    lane_X = np.concatenate(
        [np.arange(model.first_lane_C[c], model.last_lane_C[c] + 1) for c in range(first, last)]
    )
    for x in known:
        bonus = int(model.bonus_L[lane_X[x - full.start]])
        low, high, start = int(rows.low_X[x]), int(rows.high_X[x]), int(rows.start_X[x])
        distribution_S = distribution_B_S[np.searchsorted(steps, bonus)]
        distribution_S[low + bonus : high + bonus] += masses[start : start + high - low]
    return distribution_B_S


@dataclass(frozen=True)
class Opponent:
    """Somebody else at the table: his card, how he plays on, and the law of his final score."""

    card: Scorecard
    plays: str
    distribution: Distribution

    def as_dict(self) -> dict[str, Any]:
        """Return the opponent as JSON can hold it."""
        distribution = self.distribution
        return {
            "card": format_card(self.card),
            "plays": self.plays,
            "mean": distribution.mean,
            "sd": distribution.sd,
        }

    def __str__(self) -> str:
        told = self.as_dict()
        return "against {card}: {plays} play ends with {mean:.2f} ± {sd:.2f}".format(**told)


def final_distribution(
    strategy: Strategy | str,
    card: Scorecard,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Distribution:
    """Return the exact law of the final score of a strategy that plays on from a card.

    Parameters
    ----------
    strategy : Strategy or str
        Or its name, as :func:`rollwise.strategies.parse_strategy` reads it.
    card : Scorecard
        Before a turn, or full; its points are included.
    threads, progress
        As :func:`rollwise.evaluation.evaluate.evaluate` takes them.

    Raises
    ------
    MalformedError
        When there is no strategy of that name.
    InconsistentError
        When the strategy is a solution that starts from another card.
    TooLargeError
        When the game is too large for its cards to be played through.
    """
    if card.is_full:
        return Distribution.certain(card.points)
    strategy = as_strategy(strategy, card.rules)
    check_plays_alone(strategy)
    place = CardPlace.of_card(build(card.rules), card)
    if isinstance(strategy, Optimal) and isinstance(strategy.solution, ScoreSolution):
        return follow_by_score(strategy.solution, place, threads, progress).score
    return follow(play_of(strategy, card.rules, threads), place, progress).score
