r"""The solver for objectives of the final score: dynamic programming with the points so far.

A state is a class c, an upper-section total u, and the points so far s. V is the value of a state,
and W_0(r) is the value of the final roll r. The other equations of a turn are the same as in
:mod:`rollwise.solving.backward_induction`:

.. math::
    V(c, u, s) &= U(s + b(u)) \text{ for a full scorecard} \\
    W_0(r) &= \max_k V(c', \min(u + d, \bar u), s + p), \quad (p, d, c')
        \text{ the outcome of } r \text{ in the open category } k

Here U is the utility of the final score, b(u) is the upper bonus, and :math:`\bar u` is the last
bonus threshold. The outcome has p points, adds d to the upper-section total, and leads to the class
c'.

One backward induction that starts from several scores solves several problems at once. The
probability of reaching T from 0 points, for example, is the probability of reaching 0 from -T
points.

The rounding errors are the same as in :mod:`rollwise.solving.backward_induction`. The error of a
probability is below 1e-13. Ties are broken in favor of the higher expected score. For this purpose,
one expected point has the weight ``TIE_BREAKER`` times the range of the utility. In each turn, the
EV loss is at most this weight times the difference in expected points between two options. For a
probability the EV loss is below 1e-8 in the worst case. The values themselves do not include the
weighted points.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError, check_memory
from rollwise.model.arrays import Model
from rollwise.model.classes import Root
from rollwise.model.size import MAX_TABLE_BYTES
from rollwise.rules import Rules
from rollwise.solving.by_score.solution import ConstantRanges, Layout, ScoreSolution, Tables
from rollwise.solving.by_score.windows import clipped, narrowed, reached
from rollwise.solving.card_solution import CardSolution, highest_score
from rollwise.solving.compiled_game import CompiledGame
from rollwise.solving.cost import announce, core_seconds_by_score
from rollwise.solving.kernels.score import ScoreLayer, SecondQuantity, backward_by_score
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.objectives import ScoreObjective
from rollwise.solving.position_index import EMPTY_CARD, Start
from rollwise.solving.progress import Progress, backward_induction
from rollwise.solving.rows import NONE, by_row

TIE_BREAKER = 2.0**-38
"""The weight of an expected point in breaking ties, as a fraction of the range of the utility."""

MAX_WINDOWS_BYTES = 3 << 30
"""The maximum size of the windows of scores of all states, 48 bytes each."""


def check_windows(model: Model) -> None:
    """Raise TooLargeError, before a long computation, if the windows do not fit in memory."""
    size = 48 * int(np.sum(model.rows_C))
    fix = "use the objective expected, or fewer categories"
    check_memory(f"{model.rules.name} needs windows of scores of", size, MAX_WINDOWS_BYTES, fix)


class ScoreSolver:
    """The solver of one game for objectives of the final score.

    The solutions for the expected score and for the highest possible score give the expected and
    the maximum possible points to come. ``highest`` is the maximum possible points from the root of
    the model, which is the empty scorecard or a later one.
    """

    def __init__(
        self, expected: CardSolution, best_case: CardSolution, threads: int | None = None
    ) -> None:
        model = expected.model
        self.rules, self.highest = model.rules, highest_score(best_case)
        self._expected = expected
        self._compiled = CompiledGame(model, threads=threads)
        bonus_L = model.bonus_L.astype(np.float64)
        bonus_C_L = np.broadcast_to(bonus_L, (model.n_classes, model.lanes))
        self._bonus_X = by_row(model, bonus_C_L)
        self._remaining_X = by_row(model, expected.table_C_L)
        self._most_X = by_row(model, best_case.table_C_L).astype(np.int64)

    def expected_from(self, start: Start) -> float:
        """Return the maximum expected final score, given the lowest score of ``start``."""
        return start.low + float(self._expected.remaining_C_L[start.c, start.lane])

    def solve(
        self,
        objective: ScoreObjective,
        start: Start = EMPTY_CARD,
        *,
        expected: bool = False,
        turns: bool = False,
        start_only: bool = False,
        layout: Layout | None = None,
        rounds: int = 1,
        saved: str = "",
        progress: Progress | None = None,
    ) -> ScoreSolution:
        """Return the solution for an objective: the value of every reachable state.

        ``expected`` adds the expected final score under the optimal strategy, and ``turns`` adds
        the expected number of turns until the player restarts, reaches the scores of the highest
        utility, or fills the scorecard; only one of them can be True. ``start_only`` saves only the
        layer of the start, but advice and evaluation need all layers. The expected turns are always
        saved for this layer only.

        The windows of ``layout`` have the scores to solve in each state; default: all scores from
        which the utility is not certain. Below each window, the value must be the constant utility
        of the lowest scores.

        The cost of this number of ``rounds`` is announced. ``saved`` says in a sentence what will
        be saved.

        An objective whose score no game reaches, or whose values are not finite, raises a
        MalformedError. Tables that do not fit in memory raise a TooLargeError.
        """
        of_game = self._compiled.model.root == Root.of_game(self.rules)
        if of_game and objective.possible > self.highest:
            raise MalformedError(
                f"{objective.name} is impossible, because the highest score of {self.rules.name} "
                f"is {self.highest}; use a lower score"
            )
        full, flat, span = _final_values(objective, start, self.highest)
        layout = layout or self._layout(flat, start)
        model, quantities = self._compiled.model, 2 if expected or turns else 1
        pairs = quantities * rounds * sum(layout.lanes)
        announce(
            self.rules,
            objective,
            core_seconds_by_score(self.rules, int(model.mask_C[start.c]), pairs),
            self._compiled.threads,
            quantities * _bytes_of_table(layout, start_only=start_only),
            saved=saved,
        )

        def tables(number: int, *, start_only: bool = start_only) -> Tables:
            return _empty_tables(self.rules, layout, number, start_only=start_only)

        solution = ScoreSolution(
            rules=self.rules,
            objective=objective,
            model=model,
            start=start,
            layout=layout,
            flat=flat,
            values=tables(quantities),
            remaining_X=self._remaining_X,
            tie_weight=TIE_BREAKER * (span or 1.0) * objective.score_weight,
            expected=tables(2) if expected else None,
            turns=tables(2, start_only=True) if turns else None,
        )
        _fill_full_cards(solution, self._compiled, full, self._bonus_X)
        _fill_layers(solution, self._compiled, progress)
        return solution

    def _layout(self, flat: ConstantRanges, start: Start) -> Layout:
        reach, bonus_X = reached(self._compiled, start), self._bonus_X.astype(np.int64)
        return clipped(self._compiled, reach, flat, self._most_X, bonus_X)

    def valued_above(self, solution: ScoreSolution, least: float) -> Layout:
        """Return the layout whose windows start at the first score with a value above ``least``."""
        return narrowed(self._compiled, solution.layout, solution.values, least)


Final = Callable[[NDArray[np.int64]], NDArray[np.float64]]


def _final_values(
    objective: ScoreObjective, start: Start, most: int
) -> tuple[Final, ConstantRanges, float]:
    """Return the utility function of final scores, its constant ranges, and its range of values.

    The range of values is the highest minus the lowest utility. ``most`` is the maximum possible
    points from the start.
    """
    scores = np.arange(start.low, start.high + most)
    values = np.asarray(objective.utility(scores), dtype=np.float64)
    if not np.isfinite(values).all():
        raise MalformedError(f"{objective.name} must have a finite value for every score")
    changes = np.flatnonzero(np.diff(values))
    to = scores[changes[0]] if len(changes) else scores[-1]
    since = scores[changes[-1] + 1] if len(changes) else scores[-1] + 1
    flat = ConstantRanges(int(to), int(since), float(values[0]), float(values[-1]))
    return (lambda s: values[s - start.low]), flat, float(values.max() - values.min())


def _empty_tables(rules: Rules, layout: Layout, tables: int, *, start_only: bool) -> Tables:
    """Return uninitialized tables for all layers.

    If ``start_only`` is True, every second layer uses the same memory. ``tables`` is the number of
    tables that must fit in memory together.
    """
    sizes = layout.sizes
    size = tables * _bytes_of_table(layout, start_only=start_only)
    fix = "start from a scorecard with more filled categories"
    check_memory(f"{rules.name} needs a table of", size, MAX_TABLE_BYTES, fix)
    if not start_only:
        return [np.empty(size) for size in sizes]
    shared = [np.empty(max(sizes[layer % 2 :: 2])) for layer in range(2)]
    return [shared[layer % 2][:size] for layer, size in enumerate(sizes)]


def _bytes_of_table(layout: Layout, *, start_only: bool) -> int:
    """Return the size of the values of all layers, or of the two that are in memory at a time."""
    sizes = layout.sizes
    return 8 * sum([max(sizes[::2]), max(sizes[1::2])] if start_only else sizes)


def _fill_full_cards(
    solution: ScoreSolution, compiled: CompiledGame, utility: Final, bonus_X: NDArray[np.float64]
) -> None:
    """Write the values of full scorecards, including their upper bonus."""
    rows, flat = solution.layout.rows, solution.flat
    first, last = compiled.layers[-1]
    for x in range(rows.first_row_C[first], rows.first_row_C[last]):
        if rows.low_X[x] == NONE:
            continue
        scores = np.arange(rows.low_X[x], rows.high_X[x])
        begin, end = rows.start_X[x] - WIDTH, rows.start_X[x] + len(scores) + WIDTH
        row = solution.values[-1][begin:end]
        row[:WIDTH] = flat.below
        row[WIDTH : WIDTH + len(scores)] = utility(scores + int(bonus_X[x]))
        row[WIDTH + len(scores) :] = flat.above
        if solution.expected is not None:
            solution.expected[-1][begin:end] = bonus_X[x]
        if solution.turns is not None:
            solution.turns[-1][begin:end] = 0.0


def _fill_layers(
    solution: ScoreSolution, compiled: CompiledGame, progress: Progress | None
) -> None:
    """Fill all layers by backward induction."""
    layout, second_quantities = solution.layout, _second_quantities(solution, compiled)
    for layer, part in backward_induction(layout.lanes[:-1], progress):
        classes = layout.classes[layer]
        compiled.run(
            backward_by_score,
            0,
            len(classes),
            layout.rows,
            solution.terms,
            ScoreLayer(classes, *solution.values[layer : layer + 2]),
            second_quantities[layer],
            done=part,
        )


def _second_quantities(
    solution: ScoreSolution, compiled: CompiledGame
) -> Sequence[SecondQuantity | None]:
    """Return the second quantity of each layer: the points to come, or the number of turns."""
    points_O, remaining_X = compiled.model.total_points_O.astype(np.float64), solution.remaining_X
    if solution.expected is not None:
        return [
            SecondQuantity(here, after, points_O, 0.0, remaining_X, remaining_X)
            for here, after in pairwise(solution.expected)
        ]
    if solution.turns is not None:
        none_X = np.zeros_like(remaining_X)
        # Below the window, a player who can restart does so, and others play all turns that remain.
        lost_X = none_X if solution.objective.floor == 0.0 else _open_categories(compiled)
        return [
            SecondQuantity(here, after, np.zeros_like(points_O), 1.0, lost_X, none_X)
            for here, after in pairwise(solution.turns)
        ]
    return [None] * len(solution.values)


def _open_categories(compiled: CompiledGame) -> NDArray[np.float64]:
    """Return the number of open categories of each row."""
    model = compiled.model
    open_C = len(model.rules.categories) - np.bitwise_count(model.mask_C).astype(np.float64)
    return by_row(model, np.broadcast_to(open_C[:, None], (model.n_classes, model.lanes)))
