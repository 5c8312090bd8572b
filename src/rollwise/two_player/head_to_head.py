"""Vectorized simulation of two-player games, in which the strategy ``duel`` responds.

Each player has a batch of games. A batch of ``duel`` refers to the opponents' batch, and reads the
opponents' scorecards before each turn. Its policy is in :mod:`rollwise.two_player.policy`.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.batch import Batch
from rollwise.model.arrays import Model
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.scalar_turn import LatticeArrays
from rollwise.solving.kernels.simulation import GroupChoices, TurnLog, play_turns
from rollwise.solving.moments import with_moments
from rollwise.solving.progress import Progress, within
from rollwise.solving.turn_policy import best_turns
from rollwise.strategies import Duel, Optimal, Strategy
from rollwise.two_player.policy import EXACT_CATEGORIES, WinPolicy
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

PART = 1024
"""The number of games whose turn policies are computed together, to limit memory."""

PREPARATION = 28_000
"""The number of two-player games whose simulation takes as long as preparing ``duel``."""

OPPONENTS = 1 << 64
"""The difference between the seeds of the two players' dice.

It is larger than any seed that a user can choose.
"""

Prepared = tuple[WinPolicy, DuelSolution]
"""A policy with its distributions, and the endgames that it plays exactly."""

_PREPARED: dict[CardSolution, Prepared] = {}
"""The most recent result of :func:`prepared`; its key is the solution."""


def prepared(points: CardSolution, progress: Progress | None = None) -> Prepared:
    """Return the policy of ``duel`` and its exact endgames, cached for the most recent solution.

    ``points`` maximizes the expected score. Raises TooLargeError if the game is too large.
    """
    if points not in _PREPARED:
        policy = WinPolicy(
            points if points.moments or not points.is_whole else with_moments(points)
        )
        policy.compute_distributions()
        solver = DuelSolver(points.rules)
        endgames = solver.solve_endgames(EXACT_CATEGORIES, progress=progress)
        _PREPARED.clear()
        _PREPARED[points] = policy, endgames
    return _PREPARED[points]


class DuelBatch(Batch):
    """Games of the near-optimal player ``duel``, each against a different opponent.

    Callers set ``others``, the games of the opponents, before the first turn.
    """

    others: Batch

    def __init__(self, points: CardSolution, seed: int, start: int, stop: int) -> None:
        self._policy, self._endgames = prepared(points)
        super().__init__(Duel(points), self._policy.model, seed, start, stop)

    def _play_turn(self, turn: TurnLog, drawn: NDArray[np.uint8], chance: Floats) -> None:
        model, class_N = self._model, self.cards.class_G
        dice = LatticeArrays.of(model.lattice)
        allowed_N = 1 + model.rerolls_C[class_N].astype(np.int64)
        group_N = np.zeros(len(allowed_N), dtype=np.int64)
        for games in self._parts():
            group_N[games] = np.arange(len(games))
            turns = best_turns(self.cards.at(games), self._values(games))
            play_turns(
                games,
                GroupChoices(group_N, 0, turns.keeps, turns.categories),
                drawn,
                allowed_N,
                dice,
                model.rules.stops,
                turn,
            )

    def _values(self, games: Integers) -> Floats:
        """Return the win probability after each outcome of a turn in G games, shape (G, O)."""
        mine, other = self.cards.at(games)[1:], self.others.cards.at(games)[1:]
        near_end = self._policy.at_most(EXACT_CATEGORIES, mine[0], other[0])
        return self._policy.outcome_values(mine, other, self._endgames if near_end else None)

    def _parts(self) -> Iterator[Integers]:
        """Yield groups of at most ``PART`` games whose turns have the same number of rerolls."""
        class_N = self.cards.class_G
        rerolls_N = self._model.rerolls_C[class_N]
        for rerolls in np.unique(rerolls_N):
            games = np.flatnonzero(rerolls_N == rerolls)
            games = games[np.argsort(class_N[games])]
            yield from np.array_split(games, -(-len(games) // PART))


class DuelBatchAgainstPoints(DuelBatch):
    """Games of ``duel`` against opponents who maximize points; ``duel`` moves first."""

    def __init__(self, points: CardSolution, seed: int, start: int, stop: int) -> None:
        super().__init__(points, seed, start, stop)
        self.others = Batch(Optimal(points), self._model, OPPONENTS + seed, start, stop)

    def turns(self) -> Iterator[TurnLog]:
        """Play all turns, and yield the log of each turn after the opponents' turn."""
        for turn, _ in zip(super().turns(), self.others.turns(), strict=True):
            yield turn


def prepare(strategy: Strategy, games: int, progress: Progress | None = None) -> Progress | None:
    """Prepare a strategy for its first turn, and return the progress callback for its games.

    Raises TooLargeError if the game is too large for ``duel``.
    """
    if not strategy.responds:
        return progress
    begun = PREPARATION / (PREPARATION + games)
    prepared(_points(strategy), within(progress, 0, begun))
    return within(progress, begun, 1)


def games_of(
    strategy: Strategy, model: Model, seed: int, start: int, stop: int, threads: int = 1
) -> Batch:
    """Return a batch of games of a strategy; the parameters are the same as for :class:`Batch`.

    In games of ``duel``, the opponents maximize points and move second.
    """
    if strategy.responds:
        return DuelBatchAgainstPoints(_points(strategy), seed, start, stop)
    return Batch(strategy, model, seed, start, stop, threads)


def simulate_head_to_head(
    first: Strategy, second: Strategy, model: Model, seed: int, games: int
) -> tuple[float, float, float]:
    """Return the fractions of simulated games that the first player wins, ties, and loses.

    The dice of both players are independent.
    """
    seeds = (seed, OPPONENTS + seed)
    batch, opponents = (
        DuelBatch(_points(strategy), dice_seed, 0, games)
        if strategy.responds
        else Batch(strategy, model, dice_seed, 0, games)
        for strategy, dice_seed in zip((first, second), seeds, strict=True)
    )
    for mine, other in ((batch, opponents), (opponents, batch)):
        if isinstance(mine, DuelBatch):
            mine.others = other
    for _ in zip(batch.turns(), opponents.turns(), strict=True):  # plays the turns alternately
        pass
    won_N = batch.cards.score_G + batch.bonus_N - opponents.cards.score_G - opponents.bonus_N
    return float((won_N > 0).mean()), float((won_N == 0).mean()), float((won_N < 0).mean())


def _points(duel: Strategy) -> CardSolution:
    assert isinstance(duel.solution, CardSolution)
    return duel.solution
