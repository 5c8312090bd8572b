r"""Simulation of a player who plays to win against a player who maximizes points.

Variance reduction: a control variate removes most of the variance due to luck. Only the states
between turns are simulated.

*Exact player.* The value W of a two-player game is known before every turn. The mean of W over the
dice changes only because of EV losses, and the exact player has no EV loss. The win probability of
the exact player is W at the start plus the sum of the opponent's EV losses,

.. math:: P = W_0 + E \sum_t \bigl(W_t - \sum_o P(o) \, W_{t+1}(o)\bigr),

where E is the mean over games, and the sum is over the opponent's turns. W_t is the value before
turn t, and P(o) is the probability that the opponent ends turn t with outcome o.

*Near-optimal player.* The player's estimate H (:mod:`rollwise.two_player.policy`) is ½ at the
start, exact near the end, and 1, ½, or 0 at the end. For any H, the win probability is

.. math:: P = \tfrac12 + E \sum_i \bigl(E(H_{i+1} \mid \text{both scorecards}) - H_i\bigr)

over the turns i of both players, where H_i is the estimate before turn i. The inner means are
exact. The remaining variance is due to the errors of H and, near the end, to the opponent's EV
losses.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.evaluation.batch import Batch
from rollwise.model.turn import options_of
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.scalar_turn import LatticeArrays, StateScratch
from rollwise.solving.kernels.simulation import TurnLog, turn_losses
from rollwise.solving.policy import OptimalPolicy, Policy
from rollwise.solving.progress import Progress, within
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal
from rollwise.two_player.head_to_head import (
    PREPARATION,
    DuelBatch,
    ExactBatch,
    RespondingBatch,
    cards_of,
    exact_values,
    prepared,
    subset,
)
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.win_probability import WinQuery

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MISTAKE = 1e-9
"""The EV loss above which a decision is a mistake, in win probability.

Rounding errors are smaller.
"""

PART = 4096
"""The number of games whose turns are evaluated together, to limit memory."""

BLOCK = 8192
"""The number of games that are simulated and saved together."""


@dataclass(frozen=True)
class AgainstPoints:
    """The results of a player who plays to win against a player who maximizes points.

    Two players who maximize points win equally often, because the order of turns has no effect. The
    excess over one half is therefore the gain from playing to win.

    Attributes
    ----------
    games : int
        The number of games in which the player moves first, and the number in which they move
        second.
    first, second : float
        The win probability if the player moves first, and if they move second. A tie counts as half
        a win.
    first_error, second_error : float
        The standard errors of ``first`` and ``second``.
    mistakes : float or None
        The mean number of the opponent's mistakes per game; None if it is unknown.
    decisions : float or None
        The mean number of the opponent's decisions per game; None if it is unknown.
    """

    games: int
    first: float
    second: float
    first_error: float
    second_error: float
    mistakes: float | None
    decisions: float | None


def solve_for_points(query: WinQuery) -> CardSolution:
    """Return the solution for the expected score that :func:`play_against_points` needs."""
    return solve(query.solver.rules, moments=not query.size.fits)


def play_against_points(
    query: WinQuery,
    points: CardSolution,
    games: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> AgainstPoints:
    """Simulate a player who plays to win against a player who maximizes points.

    The player who plays to win is exact if memory suffices, and near-optimal otherwise.

    Parameters
    ----------
    query : WinQuery
        The query for two empty scorecards, created with ``on_disk=True``.
    points : CardSolution
        The result of :func:`solve_for_points`.
    games : int
        The number of games in which the player who plays to win moves first, and the number in
        which they move second.
    seed : int
        The seed of the dice.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.

    Raises
    ------
    TooLargeError
        If the game is also too large for the near-optimal policy.
    """
    if query.size.fits:
        return against_points(query.solve(), points, games, seed, progress)
    return long_against_points(points, games, seed, progress)


def against_points(
    duel: DuelSolution,
    points: CardSolution,
    games: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> AgainstPoints:
    """Simulate the exact player against a player who maximizes points.

    Parameters
    ----------
    duel : DuelSolution
        The two-player solution of the whole game, with all of its layers.
    points : CardSolution
        The solution of the same game that maximizes the expected score.
    games : int
        The number of games in which the exact player moves first, and the number in which this
        player moves second.
    seed : int
        The seed of the dice.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.

    Raises
    ------
    TooLargeError
        If the solution has only some of its layers.
    """
    if any(values is None for values in duel.values):
        raise TooLargeError(
            f"the two-player solution of {duel.rules.name} is incomplete, and simulated games need "
            "all of it; solve with on_disk=True"
        )
    start, policy, seats, results = duel.value(), OptimalPolicy(points), [], []
    for second in (False, True):
        mine = ExactBatch(duel, points, 2 * seed, games, second=second)
        other = mine.others = Batch(Optimal(points), duel.model, 2 * seed + 1, 0, games)
        losses = _Losses(duel, policy, mine, other, second=second)
        done = within(progress, second / 2, (second + 1) / 2)
        _play(mine, other, losses.add_turn, second=second, progress=done)
        loss, error = _mean(losses.loss_N)
        results.append(((1 - start if second else start) + loss, error))
        seats.append(losses)
    (first, first_error), (later, later_error) = results
    mistakes = sum(losses.mistakes for losses in seats) / (2 * games)
    decisions = sum(losses.decisions for losses in seats) / (2 * games)
    return AgainstPoints(games, first, later, first_error, later_error, mistakes, decisions)


def long_against_points(
    points: CardSolution, games: int, seed: int = 0, progress: Progress | None = None
) -> AgainstPoints:
    """Simulate the near-optimal player against a player who maximizes points.

    Parameters
    ----------
    points : CardSolution
        The solution that maximizes the expected score, with moments.
    games : int
        The number of games in which the near-optimal player moves first, and the number in which
        this player moves second.
    seed : int
        The seed of the dice.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.

    Raises
    ------
    TooLargeError
        If the game is too large for the near-optimal policy.
    """
    policy, begun = OptimalPolicy(points), PREPARATION / (PREPARATION + games)
    prepared(points, within(progress, 0, begun))

    def values(second: bool, start: int, stop: int) -> Floats:
        mine = DuelBatch(points, 2 * seed, start, stop)
        other = mine.others = Batch(Optimal(points), mine.model, 2 * seed + 1, start, stop)

        def opponent_turn(turns: Iterator[TurnLog]) -> None:
            mine.expect(policy)
            next(turns)
            mine.look()

        begin, end = (begun + (1 - begun) * (second + n / games) / 2 for n in (start, stop))
        _play(mine, other, opponent_turn, second=second, progress=within(progress, begin, end))
        return mine.value_N

    value_N = np.concatenate(
        [
            values(second, start, min(start + BLOCK, games))
            for second in (False, True)
            for start in range(0, games, BLOCK)
        ]
    )
    (first, first_error), (later, later_error) = map(_mean, np.array_split(value_N, 2))
    return AgainstPoints(games, first, later, first_error, later_error, None, None)


def _mean(value_N: Floats) -> tuple[float, float]:
    """Return the mean and the standard error of the mean."""
    return float(value_N.mean()), float(value_N.std() / np.sqrt(len(value_N)))


def _play(
    mine: RespondingBatch,
    other: Batch,
    opponent_turn: Callable[[Iterator[TurnLog]], None],
    *,
    second: bool,
    progress: Progress | None,
) -> None:
    """Play all turns of both players.

    ``opponent_turn`` plays the next turn of an iterator over the opponent's turns. ``second`` says
    whether the player who responds moves second.
    """
    own_turns, turns = mine.turns(), other.turns()
    categories = len(mine.model.rules.categories)
    for number in range(categories):
        if not second:
            next(own_turns)
        opponent_turn(turns)
        if second:
            next(own_turns)
        if progress:
            progress((number + 1) / categories)


class _Losses:
    """The EV losses of a player who maximizes points against the exact player.

    Attributes
    ----------
    loss_N : float64 array of shape (N,)
        The sum of the EV losses in each game, in win probability. The EV loss of a turn is a mean
        over its outcomes.
    mistakes : int
        The number of decisions with an EV loss above ``MISTAKE``, over all games.
    decisions : int
        The number of decisions over all games.
    """

    def __init__(
        self, solution: DuelSolution, policy: Policy, mine: Batch, other: Batch, *, second: bool
    ) -> None:
        self._solution, self._policy, self._seat = solution, policy, int(not second)
        self._mine, self._other = mine, other
        self.loss_N, self.mistakes, self.decisions = np.zeros(len(mine.cards.class_N)), 0, 0

    def add_turn(self, turns: Iterator[TurnLog]) -> None:
        """Play the next turn of the player who maximizes points, and evaluate it."""
        model, policy, solution = self._solution.model, self._policy, self._solution
        movers, others = cards_of(self._other), cards_of(self._mine)
        log = next(turns)
        dice, loss_N_J = LatticeArrays.of(model.lattice), np.zeros(log.rolled_N_J.shape)
        layer = int(np.bitwise_count(model.mask_C[movers[0][0]]))
        t, layer_policy = 2 * layer + self._seat, policy.of_layer(layer)
        for c, games in _by_class(movers[0]):
            mover, moved = subset(movers, games), subset(others, games)
            value_G_O = exact_values(solution, t, mover, moved)
            lanes, lane_G = np.unique(mover[1], return_inverse=True)
            row_U = np.maximum(lanes - model.first_lane_C[c], 0).tolist()
            probability_G_O = np.stack(
                [policy.outcome_probabilities(layer_policy, c, row) for row in row_U]
            )[lane_G]
            product_G_O = np.zeros(value_G_O.shape)
            np.multiply(probability_G_O, value_G_O, out=product_G_O, where=probability_G_O > 0)
            before_G = 1 - solution.look_up(t, moved, mover)
            self.loss_N[games] += before_G - product_G_O.sum(axis=1)
            turn_losses(
                StateScratch.of(dice, int(model.rerolls_C[c])),
                games,
                np.arange(len(games) + 1),
                value_G_O,
                options_of(model, c),
                dice,
                log,
                loss_N_J,
            )
        self.mistakes += int((loss_N_J > MISTAKE).sum())
        self.decisions += int(log.thrown_N.sum())


def _by_class(class_N: Integers) -> Iterator[tuple[int, Integers]]:
    """Yield each class and its games, divided into parts of at most ``PART`` games."""
    for c in np.unique(class_N).tolist():
        of_class = np.flatnonzero(class_N == c)
        for games in np.array_split(of_class, -(-len(of_class) // PART)):
            yield c, games
