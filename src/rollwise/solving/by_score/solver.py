r"""The solver for objectives of the final score: dynamic programming over points so far, too.

A state is a class c, a lane u, and the points so far s. With the utility U of the final score, the
upper bonus b of a full scorecard, and the turn as in :mod:`rollwise.solving.backward_induction`:

.. math::
    V(c, u, s) &= U(s + b(u)) \text{ for a full scorecard} \\
    W_0(r) &= \max_k V(c', \min(u + d, U), s + p), \quad (p, d, c')
        \text{ the outcome of } r \text{ in the open category } k

One backward induction from several scores at the start answers several questions: reaching T from
0 is reaching 0 from -T, and being close to b from 0 is being close to 0 from -b.

Exactness: as in :mod:`rollwise.solving.backward_induction`, for probabilities below 1e-13. Ties
are broken in
favor of the higher expected score of playing on for points: a point of it counts ``HINT`` of the
range of the utility. So the strategy loses at most ``HINT`` times the points at stake per turn,
below 1e-8 of a probability in the worst case; the values are not changed.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError, TooLargeError
from rollwise.model.arrays import Model
from rollwise.model.classes import Root
from rollwise.model.size import MAX_TABLE_BYTES
from rollwise.rules import Rules
from rollwise.solving.by_score.solution import ScoreSolution, Tables
from rollwise.solving.by_score.windows import Flat, Layout, by_row, clipped, narrowed, reached
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.score import (
    NONE,
    ScoreLayer,
    ScoreParameters,
    ScoreScratch,
    backward_by_score,
)
from rollwise.solving.kernels.second_quantity import (
    DecisionValues,
    SecondQuantity,
    SecondQuantityScratch,
    second_quantity_by_score,
)
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import EXPECTED, ScoreObjective
from rollwise.solving.place import EMPTY_CARD, Start
from rollwise.solving.progress import Progress, backward_induction, within

HINT = 2.0**-38

MAX_ROWS = 1 << 26
"""The largest number of states, whose windows of scores take 48 bytes each."""


def check_rows(model: Model) -> None:
    """Check that the windows fit in memory, before the game is solved for points for minutes.

    Raises
    ------
    TooLargeError
        When they do not.
    """
    rows = int(np.sum(model.rows_C))
    if rows > MAX_ROWS:
        raise TooLargeError(
            f"{model.rules.name} has {rows:,} cards to compute: expected at most {MAX_ROWS:,} for "
            "an objective of the final score"
        )


class ScoreSolver:
    """Solve one game for objectives of the final score.

    Parameters
    ----------
    expected, best_case : CardSolution
        The game solved for the expected score and for the best case: the expected and the highest
        points to come.
    threads : int, optional
        Default: all cores that the process can use.

    Attributes
    ----------
    rules : Rules
    highest : int
        The highest score, counted from the root of the model if this is a later scorecard.
    """

    def __init__(
        self, expected: CardSolution, best_case: CardSolution, threads: int | None = None
    ) -> None:
        model = expected.model
        self.rules, self.highest = model.rules, int(np.nanmax(best_case.table_C_L[0]))
        self._expected = expected
        self._sweep = Sweep(model, EXPECTED, threads)
        bonus_L = model.bonus_L.astype(np.float64)
        bonus_C_L = np.broadcast_to(bonus_L, (model.n_classes, model.lanes))
        self._bonus_X = by_row(self._sweep, bonus_C_L)
        self._remaining_X = by_row(self._sweep, expected.table_C_L)
        self._most_X = by_row(self._sweep, best_case.table_C_L).astype(np.int64)

    def expected_from(self, start: Start) -> float:
        """Return the highest expected final score, from the lowest score of a start."""
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
        progress: Progress | None = None,
    ) -> ScoreSolution:
        """Return the value of every reachable state.

        Parameters
        ----------
        start : Start
            The state that the game starts from; by default an empty scorecard with no points.
        expected, turns : bool
            Also compute the expected score, or the expected number of turns until the player
            restarts or the utility is settled, under the optimal strategy; one of them.
        start_only : bool
            Keep only the layer of the start, not all layers for advice and evaluation. Of turns,
            only this layer is ever kept.
        layout : Layout, optional
            The states to solve, if states below a window are known to have its lower value; by
            default all states whose utility is not settled.
        progress : callable, optional
            Called with the finished share of the work, from 0 to 1.

        Raises
        ------
        TooLargeError
            When the tables do not fit.
        MalformedError
            When no game reaches the score of the objective, or a score has no value.
        """
        of_game = self._sweep.model.root == Root.of_game(self.rules)
        if of_game and objective.possible > self.highest:
            raise MalformedError(
                f"{objective.name}: expected at most {self.highest}, the highest score of "
                f"{self.rules.name}"
            )
        full, flat, span = _final_values(objective, start, self.highest)
        layout = layout or self._layout(flat, start)

        def tables(number: int, *, start_only: bool = start_only) -> Tables:
            return _empty_tables(self.rules, layout, number, start_only=start_only)

        solution = ScoreSolution(
            rules=self.rules,
            objective=objective,
            model=self._sweep.model,
            start=start,
            layout=layout,
            flat=flat,
            values=tables(2 if expected or turns else 1),
            remaining_X=self._remaining_X,
            hint=HINT * (span or 1.0) if objective.plays_on else 0.0,
            expected=tables(2) if expected else None,
            turns=tables(2, start_only=True) if turns else None,
        )
        _fill_full_cards(solution, self._sweep, full, self._bonus_X)
        _fill_layers(solution, self._sweep, progress)
        return solution

    def _layout(self, flat: Flat, start: Start) -> Layout:
        reach, bonus_X = reached(self._sweep, start), self._bonus_X.astype(np.int64)
        return clipped(self._sweep, reach, flat, self._most_X, bonus_X)

    def valued_above(self, solution: ScoreSolution, least: float) -> Layout:
        """Return the states of a solution whose value is above ``least``, as windows."""
        return narrowed(self._sweep, solution.layout, solution.values, least)

    def size_of(self, objective: ScoreObjective, start: Start = EMPTY_CARD) -> int:
        """Return the number of states and scores to solve: those where decisions matter."""
        _, flat, _ = _final_values(objective, start, self.highest)
        return sum(self._layout(flat, start).lanes)


Final = Callable[[NDArray[np.int64]], NDArray[np.float64]]


def _final_values(objective: ScoreObjective, start: Start, most: int) -> tuple[Final, Flat, float]:
    """Return the utility, where it is constant, and its range, over all possible scores."""
    scores = np.arange(start.low, start.high + most)
    values = np.asarray(objective.utility(scores), dtype=np.float64)
    if not np.isfinite(values).all():
        raise MalformedError(f"{objective.name}: expected a finite value for every score")
    changes = np.flatnonzero(np.diff(values))
    to = scores[changes[0]] if len(changes) else scores[-1]
    since = scores[changes[-1] + 1] if len(changes) else scores[-1] + 1
    flat = Flat(int(to), int(since), float(values[0]), float(values[-1]))
    return (lambda s: values[s - start.low]), flat, float(values.max() - values.min())


def _empty_tables(rules: Rules, layout: Layout, tables: int, *, start_only: bool) -> Tables:
    """Return empty tables for all layers; for ``start_only`` every second layer shares one."""
    sizes = layout.sizes
    pairs = [max(sizes[layer % 2 :: 2]) for layer in range(2)]
    if 8 * tables * sum(pairs if start_only else sizes) > MAX_TABLE_BYTES:
        raise TooLargeError(
            f"{rules.name}: a table of {sum(layout.lanes)} cards and scores is too large: expected "
            f"at most {MAX_TABLE_BYTES >> 30} GiB"
        )
    if not start_only:
        return [np.empty(size) for size in sizes]
    room = [np.empty(size) for size in pairs]
    return [room[layer % 2][:size] for layer, size in enumerate(sizes)]


def _fill_full_cards(
    solution: ScoreSolution, sweep: Sweep, utility: Final, bonus_X: NDArray[np.float64]
) -> None:
    """Write the values of full scorecards, with the upper bonus that is counted at the end."""
    rows, flat = solution.layout.rows, solution.flat
    first, last = sweep.layers[-1]
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


def _fill_layers(solution: ScoreSolution, sweep: Sweep, progress: Progress | None) -> None:
    """Fill all layers by backward induction."""
    layout, objective, flat = solution.layout, solution.objective, solution.flat
    # The companion quantity: points, counted with each outcome, or turns, counted one by one.
    points_O = sweep.model.step_O.astype(np.float64)
    companion = solution.expected
    second = SecondQuantity(points_O, 0.0, solution.remaining_X, objective.floor)
    if solution.turns is not None:
        companion = solution.turns
        nowhere_X = np.zeros_like(solution.remaining_X)
        second = SecondQuantity(np.zeros_like(points_O), 1.0, nowhere_X, objective.floor)
    terms = ScoreParameters(flat.below, flat.above, objective.price, objective.floor)
    for layer, part in backward_induction(layout.lanes[:-1], progress):
        classes = layout.classes[layer]
        if len(classes) == 0:
            continue
        here, after = solution.values[layer : layer + 2]
        # Without a hint, the kernel of the companion quantity computes the values, too.
        alone = companion is None or solution.hint > 0.0
        middle = 1.0 if companion is None else 0.5 if alone else 0.0
        if alone:
            sweep.each_part(
                0,
                len(classes),
                backward_by_score,
                sweep.arrays,
                sweep.lattice_index,
                layout.rows,
                terms,
                ScoreLayer(classes, here, after),
                scratch=ScoreScratch.of,
                done=within(part, 0, middle),
            )
        if companion is not None:
            sweep.each_part(
                0,
                len(classes),
                second_quantity_by_score,
                sweep.arrays,
                sweep.lattice_index,
                DecisionValues(layout.rows, here, after, solution.hint, solution.remaining_X),
                second,
                terms,
                ScoreLayer(classes, companion[layer], companion[layer + 1]),
                scratch=SecondQuantityScratch.of,
                done=within(part, middle, 1),
            )
