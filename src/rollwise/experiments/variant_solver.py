"""A fast solver for many rule variants that differ in a few categories of the lower section.

The expected points to come from a state depend only on its open categories. If two games differ in
one category, half of their states have that category filled. These states have the same values in
both games, and in a game without the category. The solver therefore stores values by groups of
states. The key of a group consists of its open varied categories and their rules, and only groups
with a new key are computed. A row of values is bit-for-bit identical in every game, because a
kernel reads only the open categories of a state and the rows of its successors.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.experiments.rule_grid import DESCRIPTION
from rollwise.model.arrays import Model, build
from rollwise.rules import Category, Rules
from rollwise.solving.kernels.backward import BackwardScratch, Chains, Layer, backward
from rollwise.solving.kernels.legal_outcomes import Arrays, LegalOutcomes
from rollwise.solving.kernels.moments import fill_mean, fill_moments
from rollwise.solving.kernels.policy import (
    LayerPolicy,
    PolicyScratch,
    TieRule,
    WantedRows,
    optimal_policy,
)
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Memory, Sweep
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.solution import TIE
from rollwise.solving.values import sd_of

MAX_BYTES = 1 << 30
"""The maximum bytes of stored rows; the oldest groups are dropped, and recomputed if needed."""

MOST_VARIED = 10
"""The maximum number of varied categories that define groups: at most 1,024 groups per game."""

Group = tuple[Category, ...]
"""The key of a group of states: its open varied categories."""


@dataclass(frozen=True)
class VariantResult:
    """The statistics of the final score of a game with optimal play.

    Attributes
    ----------
    mean : float
        The mean of the final score.
    sd : float or None
        The SD of the final score; None if only means are computed.
    bonus_reached : float or None
        The probability of an upper bonus. None if the game has no upper bonus or only means are
        computed.
    """

    mean: float
    sd: float | None
    bonus_reached: float | None


class VariantSolver:
    """A solver for a set of rule variants that shares values between them.

    Parameters
    ----------
    games : iterable of Rules
        The variants, all with the same order of categories. Successive games share values if they
        differ in at most ``MOST_VARIED`` categories, all of them in the lower section.
    means_only : bool
        Whether to compute only means. The other statistics need the optimal policy and take four
        fifths of the time.
    threads : int, optional
        The number of threads (default: the number of cores that the process can use). Results do
        not depend on it.
    """

    def __init__(
        self, games: Iterable[Rules], *, means_only: bool = False, threads: int | None = None
    ) -> None:
        versions: dict[str, set[Category | None]] = {}
        games = list(games)
        for key in dict.fromkeys(key for rules in games for key in rules.keys):
            versions[key] = {_lower_category(rules, key) for rules in games}
        self._bits = {key: 1 << bit for bit, key in enumerate(versions)}
        varied = [key for key, categories in versions.items() if len(categories) > 1]
        self._varied = varied[:MOST_VARIED]
        self._means_only, self._threads = means_only, threads
        self._memory, self._policy_memory = Memory(), Memory()
        self._common_rules = ""
        self._rows: dict[Group, NDArray[np.float64]] = {}

    def solve(self, rules: Rules) -> VariantResult:
        """Return the statistics of one of the games, with optimal play for the expected score.

        They are bit-for-bit identical to the statistics from ``solve(rules, moments=True)``.

        Raises
        ------
        TooLargeError
            If the game has saved or extra rolls, or its value table is too large.
        """
        if rules.carries_rolls:
            raise TooLargeError(
                f"{rules.name} has saved or extra rolls, so a sweep cannot compute only its mean "
                "or SD; use --find distribution"
            )
        common_rules = self._without_varied(rules)
        if common_rules != self._common_rules:
            self._rows.clear()
            self._common_rules = common_rules
        start = self._group(rules, self._varied)
        if start not in self._rows:
            self._compute_groups(rules)
        # The empty scorecard is the first state of its group.
        value, *moments = self._rows[start][:, 0, 0].tolist()
        if self._means_only:
            return VariantResult(value, None, None)
        mean, second, reached = moments
        sd = float(sd_of(mean, second))
        return VariantResult(value, sd, reached if rules.upper_bonus else None)

    def _without_varied(self, rules: Rules) -> str:
        """Return the rules without the varied categories, as JSON."""
        others = tuple(
            category
            for category in rules.categories
            if category.section == "upper" or category.key not in self._varied
        )
        return rules.model_copy(update={"categories": others}).model_dump_json(exclude=DESCRIPTION)

    def _group(self, rules: Rules, open_keys: Collection[str]) -> Group:
        categories = (_lower_category(rules, key) for key in self._varied if key in open_keys)
        return tuple(category for category in categories if category)

    def _compute_groups(self, rules: Rules) -> None:
        """Compute and store the groups of states of a game that are not stored yet."""
        model = build(rules)
        filled_C_K = np.asarray(model.mask_C)[:, None] >> np.arange(len(rules.keys)) & 1
        code_C = filled_C_K @ np.array([self._bits[key] for key in rules.keys])
        code_C += np.asarray(model.eligible_C, dtype=np.int64) << len(self._bits)
        varied = [
            k
            for k, key in enumerate(rules.keys)
            if key in self._varied and _lower_category(rules, key)
        ]
        group_C = filled_C_K[:, varied] @ (1 << np.arange(len(varied)))
        groups = {
            number: self._group(
                rules, {rules.keys[k] for bit, k in enumerate(varied) if not number >> bit & 1}
            )
            for number in range(1 << len(varied))
        }
        new_G = np.array([group not in self._rows for group in groups.values()])
        # New groups come first in their layer, because kernels process a contiguous range.
        order = np.lexsort((code_C, group_C, ~new_G[group_C], filled_C_K.sum(axis=1)))
        sweep, group_C = Sweep(model, EXPECTED, self._threads), group_C[order]
        sweep.arrays = _reordered(sweep.arrays, order)
        rows_Q_C_L = self._empty_rows(sweep)
        states = {number: np.flatnonzero(group_C == number) for number in groups}
        for number in compress(groups, ~new_G):
            rows_Q_C_L[:, states[number]] = self._rows[groups[number]]
        self._fill(sweep, order, new_G[group_C], rows_Q_C_L)
        for number in compress(groups, new_G):
            self._rows[groups[number]] = rows_Q_C_L[:, states[number]]
        self._drop_oldest(spared=len(groups))

    def _empty_rows(self, sweep: Sweep) -> NDArray[np.float64]:
        """Return rows for all states of a game; only the rows of full scorecards have values.

        The quantities on axis Q are the value and, unless only means are computed, the mean and the
        second moment under the optimal policy, and the probability of an upper bonus.
        """
        model, (first, last) = sweep.model, sweep.layers[-1]
        bonus_L = np.pad(model.bonus_L, (0, sweep.stride - model.lanes), "edge").astype(np.float64)
        of_policy = () if self._means_only else (bonus_L, bonus_L**2, bonus_L > 0)
        full_card = EXPECTED.terminal(bonus_L), *of_policy
        shape = len(full_card), model.n_classes, sweep.stride
        rows_Q_C_L = self._memory.take(int(np.prod(shape))).reshape(shape)
        for row_C_L, values_L in zip(rows_Q_C_L, full_card, strict=True):
            row_C_L[first:last] = values_L
        return rows_Q_C_L

    def _fill(
        self,
        sweep: Sweep,
        order: NDArray[np.int64],
        new_C: NDArray[np.bool_],
        rows_Q_C_L: NDArray[np.float64],
    ) -> None:
        """Compute the rows of the new states, which come first in their layers.

        ``order`` contains the class of each state in the numbering of the model.
        """
        model, value = sweep.model, rows_Q_C_L[0]
        index_C, chains = np.arange(model.n_classes), _turn(model.rules)
        for first, last in sweep.layers[-2::-1]:
            end = first + int(new_C[first:last].sum())
            if end == first:
                continue
            layer = Layer(index_C[first:end], index_C, 1, 1, value, value)
            sweep.each_part(
                0,
                end - first,
                backward,
                sweep.arrays,
                sweep.lattice_index,
                chains,
                layer,
                scratch=BackwardScratch.of,
            )
            if not self._means_only:
                self._evaluate_policy(sweep, first, order[first:end], *rows_Q_C_L)

    def _evaluate_policy(
        self,
        sweep: Sweep,
        first: int,
        classes: NDArray[np.int64],
        value: NDArray[np.float64],
        mean: NDArray[np.float64],
        second: NDArray[np.float64],
        reached: NDArray[np.float64],
    ) -> None:
        """Compute the statistics of the optimal policy for the states ``classes``.

        The rows of these states start at ``first``.
        """
        model, end = sweep.model, first + len(classes)
        points_O, nothing_O = (
            model.total_points_O.astype(np.float64),
            np.zeros(len(model.total_points_O)),
        )
        policy = LayerPolicy(first, *self._policy_rows(model, classes))
        row_C = np.append(0, np.cumsum(model.rows_C[classes]))
        all_X = np.ones(int(row_C[-1]), dtype=np.bool_)
        wanted = WantedRows(value, TieRule(TIE, TIE / model.rules.dice), all_X, row_C)
        sweep.each_part(
            first,
            end,
            optimal_policy,
            sweep.arrays,
            sweep.lattice_index,
            sweep.forward_index,
            wanted,
            policy,
            scratch=PolicyScratch.of,
        )
        moments = fill_moments, sweep.arrays, policy, points_O, mean, second
        sweep.each_part(first, end, *moments, scratch=LegalOutcomes.of)
        bonus = fill_mean, sweep.arrays, policy, nothing_O, reached
        sweep.each_part(first, end, *bonus, scratch=LegalOutcomes.of)

    def _policy_rows(
        self, model: Model, classes: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the index at which each class's policy starts in memory, and the memory itself."""
        outcomes_K = model.outcome_starts_K[:, 3] - model.outcome_starts_K[:, 0]
        most_C = 1 + model.open_boxes(classes) @ outcomes_K
        ends = np.cumsum(most_C * -(-model.rows_C[classes] // WIDTH) * WIDTH)
        return np.append(0, ends[:-1]), self._policy_memory.take(int(ends[-1]))

    def _drop_oldest(self, spared: int) -> None:
        """Drop the oldest groups until the rest fit, but keep the newest ``spared`` groups."""
        size = sum(rows.nbytes for rows in self._rows.values())
        for group in list(self._rows)[: len(self._rows) - spared]:
            if size <= MAX_BYTES:
                break
            size -= self._rows.pop(group).nbytes


def _lower_category(rules: Rules, key: str) -> Category | None:
    """Return the lower-section category with this key, or None."""
    category = rules.categories[rules.keys.index(key)] if key in rules.keys else None
    return category if category and category.section == "lower" else None


def _reordered(arrays: Arrays, order: NDArray[np.int64]) -> Arrays:
    """Return the arrays with their classes in the order ``order``.

    ``order`` must not move classes between layers.
    """
    index_C = np.empty(len(order), dtype=arrays.class_S.dtype)
    index_C[order] = np.arange(len(order))
    return arrays._replace(
        class_C=arrays.class_C[order].view(np.recarray),
        special_row_C_J=arrays.special_row_C_J[order],
        class_S=np.where(arrays.class_S >= 0, index_C[arrays.class_S], arrays.class_S),
    )


def _turn(rules: Rules) -> Chains:
    """Return the chain of rolls of a turn in a game without saved rolls."""
    saved_before_N_J = np.full((1, rules.rolls), -1)
    saved_before_N_J[0, -1] = 0
    return Chains(np.zeros((1, rules.rolls), dtype=np.int64), saved_before_N_J)
