"""Vectorized simulation of two-player games, in which players respond to their opponents.

Each player has a batch of games. The batch of a player who responds refers to the opponents' batch
and reads the opponents' scorecards before each turn. A near-optimal player uses the policy of
:mod:`rollwise.two_player.policy`; an exact player uses a solution of the whole game.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.batch import Batch
from rollwise.model.arrays import Model
from rollwise.model.turn import best_keep_values, keep_values, options_of_all
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.scalar_turn import LatticeArrays
from rollwise.solving.kernels.simulation import GroupChoices, TurnLog, play_turns
from rollwise.solving.moments import with_moments
from rollwise.solving.policy import Policy
from rollwise.solving.progress import Progress, within
from rollwise.solving.turn_policy import best_turns
from rollwise.strategies import Duel, Optimal, Strategy
from rollwise.two_player.card_distributions import turn_distribution
from rollwise.two_player.layout import rows_at
from rollwise.two_player.policy import (
    EXACT_CATEGORIES,
    CardArrays,
    WinPolicy,
    cards_after,
    outcome_values,
)
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
    """Return the policy of ``duel`` and its exact endgames.

    ``points`` maximizes the expected score. The result for the most recent solution is cached.

    Raises
    ------
    TooLargeError
        If the game is too large for the policy.
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


class RespondingBatch(Batch):
    """Games of a player who responds, each against a different opponent.

    Attributes
    ----------
    model : Model
        The game as arrays.
    others : Batch
        The games of the opponents. Callers must set this attribute before the first turn.
    """

    model: Model
    others: Batch

    def _values(self, games: Integers) -> Floats:
        """Return the win probability after each outcome of a turn in G games, shape (G, O)."""
        raise NotImplementedError

    def _play_turn(self, turn: TurnLog, fallen: NDArray[np.uint8], chance: Floats | None) -> None:
        model, class_N = self.model, self.cards.class_N
        dice = LatticeArrays.of(model.lattice)
        allowed_N = 1 + model.rerolls_C[class_N].astype(np.int64)
        group_N = np.zeros(len(allowed_N), dtype=np.int64)
        for games in self._parts():
            value_G_O, number_G = self._values(games), np.arange(len(games))
            group_N[games] = number_G
            choices = best_turns(model, value_G_O, number_G, class_N[games])
            play_turns(
                games,
                GroupChoices(group_N, 0, *choices),
                fallen,
                allowed_N,
                dice,
                model.rules.stops,
                turn,
            )

    def _parts(self) -> Iterator[Integers]:
        """Yield groups of at most ``PART`` games whose turns have the same number of rerolls."""
        class_N = self.cards.class_N
        rerolls_N = self.model.rerolls_C[class_N]
        for rerolls in np.unique(rerolls_N):
            games = np.flatnonzero(rerolls_N == rerolls)
            games = games[np.argsort(class_N[games])]
            yield from np.array_split(games, -(-len(games) // PART))


class ExactBatch(RespondingBatch):
    """Games of the exact player, who can move first or second."""

    def __init__(
        self, solution: DuelSolution, points: CardSolution, seed: int, games: int, *, second: bool
    ) -> None:
        self.model, self._solution, self._second = solution.model, solution, second
        super().__init__(Duel(points), solution.model, seed, 0, games)

    def _values(self, games: Integers) -> Floats:
        mine, other = (subset(cards_of(batch), games) for batch in (self, self.others))
        filled = int(np.bitwise_count(self.model.mask_C[mine[0][0]]))
        return exact_values(self._solution, 2 * filled + self._second, mine, other)


class DuelBatch(RespondingBatch):
    """Games of the near-optimal player ``duel``.

    Attributes
    ----------
    value_N : float64 array of shape (N,)
        An unbiased estimate of the win probability in each game. It is the player's estimate before
        the first turn (½) plus the expected change in this estimate in each turn.
    """

    def __init__(self, points: CardSolution, seed: int, start: int, stop: int) -> None:
        self._policy, self._endgames = prepared(points)
        self.model = self._policy.model
        super().__init__(Duel(points), self.model, seed, start, stop)
        self.value_N = np.full(stop - start, 0.5)
        self._estimate_N = self.value_N.copy()

    def expect(self, policy: Policy) -> None:
        """Add the expected change in the estimate if the opponents' next turn uses ``policy``."""
        mine, other = cards_of(self), cards_of(self.others)
        n, o, probability = map(np.concatenate, zip(*_next_turns(policy, other), strict=True))
        after, mine_after = cards_after(self.model, subset(other, n), o), subset(mine, n)
        endgames = self._endgames_from(after[0], mine[0])
        value = self._policy.win_probability(after, mine_after, endgames)
        mean_N = np.bincount(n, probability * (1 - value), len(mine[0]))
        self.value_N += mean_N - self._estimate_N

    def look(self) -> None:
        """Update the estimates after the opponents' turn."""
        mine, other = cards_of(self), cards_of(self.others)
        endgames = self._endgames_from(other[0], mine[0])
        self._estimate_N = 1 - self._policy.win_probability(other, mine, endgames)

    def _endgames_from(self, moved: Integers, mover: Integers) -> DuelSolution | None:
        """Return the exact endgames, or None if they do not contain scorecards of these classes."""
        after, before = (int(self._policy.open_C[c[0]]) for c in (moved, mover))
        return self._endgames if after < EXACT_CATEGORIES and before <= EXACT_CATEGORIES else None

    def _values(self, games: Integers) -> Floats:
        mine, other = cards_of(self), cards_of(self.others)
        near_end = self._policy.at_most(EXACT_CATEGORIES, mine[0], other[0])
        mine, other = subset(mine, games), subset(other, games)
        value_G_O = self._policy.outcome_values(mine, other, self._endgames if near_end else None)
        self.value_N[games] += _turn_values(self.model, mine[0], value_G_O)
        return value_G_O

    def _play_turn(self, turn: TurnLog, fallen: NDArray[np.uint8], chance: Floats | None) -> None:
        super()._play_turn(turn, fallen, chance)
        self.value_N -= self._estimate_N

    def _score(self, turn: TurnLog) -> None:
        super()._score(turn)
        mine, other = cards_of(self), cards_of(self.others)
        endgames = self._endgames_from(mine[0], other[0])
        self._estimate_N = self._policy.win_probability(mine, other, endgames)


class DuelBatchAgainstPoints(DuelBatch):
    """Games of ``duel`` against opponents who maximize points; ``duel`` moves first."""

    def __init__(self, points: CardSolution, seed: int, start: int, stop: int) -> None:
        super().__init__(points, seed, start, stop)
        self.others = Batch(Optimal(points), self.model, OPPONENTS + seed, start, stop)

    def turns(self) -> Iterator[TurnLog]:
        """Play all turns, and yield the log of each turn after the opponents' turn."""
        for turn, _ in zip(super().turns(), self.others.turns(), strict=True):
            yield turn


def prepare(strategy: Strategy, games: int, progress: Progress | None = None) -> Progress | None:
    """Prepare a strategy for its first turn, and return the progress callback for its games.

    Raises
    ------
    TooLargeError
        If the game is too large for ``duel``.
    """
    if not isinstance(strategy, Duel):
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
    if isinstance(strategy, Duel):
        return DuelBatchAgainstPoints(_points(strategy), seed, start, stop)
    return Batch(strategy, model, seed, start, stop, threads)


def simulate_head_to_head(
    first: Strategy, second: Strategy, model: Model, seed: int, games: int
) -> tuple[float, float, float]:
    """Simulate games between two strategies whose dice are independent.

    Returns
    -------
    tuple of float
        The fractions of games that the first player wins, ties, and loses.
    """
    seeds = (seed, OPPONENTS + seed)
    batch, opponents = (
        DuelBatch(_points(strategy), dice_seed, 0, games)
        if isinstance(strategy, Duel)
        else Batch(strategy, model, dice_seed, 0, games)
        for strategy, dice_seed in zip((first, second), seeds, strict=True)
    )
    for mine, other in ((batch, opponents), (opponents, batch)):
        if isinstance(mine, DuelBatch):
            mine.others = other
    for _ in zip(batch.turns(), opponents.turns(), strict=True):  # plays the turns alternately
        pass
    won_N = batch.cards.points_N + batch.bonus_N - opponents.cards.points_N - opponents.bonus_N
    return float((won_N > 0).mean()), float((won_N == 0).mean()), float((won_N < 0).mean())


def cards_of(batch: Batch) -> CardArrays:
    """Return the scorecards of a batch."""
    return batch.cards.class_N, batch.cards.lane_N, batch.cards.points_N


def subset(cards: CardArrays, games: Integers) -> CardArrays:
    """Return the scorecards of some games."""
    return cards[0][games], cards[1][games], cards[2][games]


def exact_values(solution: DuelSolution, t: int, mine: CardArrays, other: CardArrays) -> Floats:
    """Return the exact value to the mover of each outcome of turn ``t``, shape (G, O).

    ``mine`` contains the G scorecards of the movers, and ``other`` contains the scorecards of their
    opponents. Impossible outcomes have the value -inf.
    """
    return outcome_values(
        solution.model, mine, other, lambda moved, mover: solution.look_up(t + 1, moved, mover)
    )


def _next_turns(policy: Policy, cards: CardArrays) -> Iterator[tuple[Integers, Integers, Floats]]:
    """Yield the games, outcomes, and probabilities of all possible next turns, class by class."""
    model = policy.sweep.model
    layer = int(np.bitwise_count(model.mask_C[cards[0][0]]))
    first, last = policy.sweep.layers[layer]
    begin, end = np.append(0, np.cumsum(model.rows_C))[[first, last]]
    wanted_X = np.zeros(end - begin, dtype=np.bool_)
    class_N, lane_N = (part.astype(np.int32) for part in cards[:2])
    wanted_X[rows_at(model, class_N, lane_N) - begin] = True
    layer_policy = policy.of_layer(layer, wanted_X)
    for c in np.unique(cards[0]).tolist():
        games = np.flatnonzero(cards[0] == c)
        probability_G_O, outcomes = turn_distribution(model, layer_policy, c, cards[1][games])
        g, o = np.nonzero(probability_G_O)
        yield games[g], outcomes[o], probability_G_O[g, o]


def _turn_values(model: Model, class_G: Integers, value_G_O: Floats) -> Floats:
    """Return the values of turns before the first roll, given the values of their outcomes.

    All turns have the same number of rerolls.
    """
    classes, class_of_G = np.unique(class_G, return_inverse=True)
    option_G_E_K = options_of_all(model, classes)[class_of_G]
    each_G = np.arange(len(class_G))[:, None, None]
    value_G_E = value_G_O[each_G, option_G_E_K].max(axis=-1)
    lattice, rerolls = model.lattice, int(model.rerolls_C[class_G[0]])
    n_rolls, first_roll = len(lattice.rolls), lattice.first_roll
    value_G_R = value_G_E[:, :n_rolls]
    for left in range(1, rerolls + 1):
        value_G_P = keep_values(lattice, value_G_R, "mean")
        if value_G_E.shape[1] > n_rolls:
            value_G_P[:, first_roll:] = value_G_E[:, left * n_rolls :][:, :n_rolls]
        value_G_R = best_keep_values(lattice, value_G_P)[:, first_roll:]
    return np.asarray(value_G_R @ (lattice.weight_R / lattice.weight_R.sum()))


def _points(duel: Duel) -> CardSolution:
    """Return the strategy's solution for the expected score."""
    assert isinstance(duel.solution, CardSolution)
    return duel.solution
