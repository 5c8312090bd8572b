r"""One who plays to win against one who plays for points: simulated, with hardly any luck left.

The value W of a game of two is known before every turn. On average over dice it changes by nothing
but what decisions give away; the exact player gives away nothing, so his chance against another one
is W at the start and what the other gives away turn by turn,

.. math:: P = W_0 + E \sum_t \bigl(W_t - \sum_o P(o) \, W_{t+1}(o)\bigr),

where P(o) is the probability that he ends turn t with outcome o. Only the way there is simulated.

One who plays to win against one who plays for points, in games of any size: simulated.

He plays as :mod:`rollwise.two_player.policy` says. What he thinks of his game after each turn,
H, is ½ at the start, the exact chance near the end and 1, ½ or 0 at the end, so that his chance is

.. math:: P = \tfrac12 + E \sum_i \bigl(E(H_{i+1} \mid \text{both cards}) - H_i\bigr)

over the turns of both, whatever H is. Given the cards each mean is exact: what is simulated is how
far from true he thinks, and near the end, where he is right, what the other one gives away.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.evaluation.batch import Batch, ScorecardBatch
from rollwise.model.turn import options_of
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.jobs import JobResults, run_jobs
from rollwise.solving.kernels.scalar_turn import LatticeArrays, StateScratch
from rollwise.solving.kernels.simulation import GroupChoices, TurnLog, play_turns, turn_losses
from rollwise.solving.policy import OptimalPolicy, Policy
from rollwise.solving.progress import Progress, within
from rollwise.solving.turn_policy import best_turns
from rollwise.strategies import Duel, Optimal
from rollwise.two_player.head_to_head import AS_LONG, DuelBatch, known_of
from rollwise.two_player.solution import DuelSolution

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

GIVEN_AWAY = 1e-9
"""A decision is no mistake if it gives away no more of the chance: rounding can do as much."""

PART = 4096
"""Games whose choices are worked out at once, for their memory."""


@dataclass(frozen=True)
class AgainstPoints:
    """How one who plays to win a game of two fares against one who plays for points.

    Two who play for points have equal chances, whoever moves first: what exceeds one half is won by
    playing to win.

    Attributes
    ----------
    games : int
    first, second : float
        His chance when he moves first, and when he moves second; a tie counts half.
    first_error, second_error : float
        Their standard errors.
    mistakes : float or None
        Decisions of a game in which the other one gives away some of his chance to win; None where
        they are not known.
    decisions : float or None
        All of his decisions in a game.
    """

    games: int
    first: float
    second: float
    first_error: float
    second_error: float
    mistakes: float | None
    decisions: float | None


def against_points(
    duel: DuelSolution,
    points: CardSolution,
    games: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> AgainstPoints:
    """Let the exact player play games against one who plays for points, moving first and second.

    Parameters
    ----------
    duel : DuelSolution
        Of the whole game, all of its layers at hand.
    points : CardSolution
        Of the same game for the expected score.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1.

    Raises
    ------
    TooLargeError
        When the solution has kept only some of its layers.
    """
    if any(values is None for values in duel.values):
        raise TooLargeError(
            f"{duel.rules.name} for two: expected all of its layers, in memory or on disk, for "
            "games against one who plays for points"
        )
    start, play, halves = duel.value(), OptimalPolicy(points), []
    for side in (0, 1):
        lost_N, mistakes, decisions = np.zeros(games), 0.0, 0.0
        for turn in _turns(duel, points, play, games, seed, first=side == 1):
            lost_N += turn.given_away_N
            mistakes, decisions = mistakes + turn.mistakes, decisions + turn.decisions
            if progress:
                progress((side + turn.done) / 2)
        value = start if side == 0 else 1 - start
        halves.append((value + lost_N.mean(), lost_N.std() / np.sqrt(games), mistakes, decisions))
    (first, first_error, *one), (second, second_error, *other) = halves
    counts = [float(a + b) / (2 * games) for a, b in zip(one, other, strict=True)]
    return AgainstPoints(
        games, float(first), float(second), float(first_error), float(second_error), *counts
    )


@dataclass(frozen=True)
class _Turn:
    """What one turn of the player for points gave away, and how many of his decisions did."""

    given_away_N: Floats
    mistakes: int
    decisions: int
    done: float


def _turns(
    duel: DuelSolution, points: CardSolution, play: Policy, games: int, seed: int, *, first: bool
) -> Iterator[_Turn]:
    """Play all games; yield the turns of the player for points, who moves first or second."""
    boxes = len(duel.rules.categories)
    other = Batch(Optimal(points), duel.model, 2 * seed + 1, 0, games)
    exact = _Exact(duel, points, 2 * seed, games, other, second=first)
    turns, answers = other.turns(), exact.turns()
    for number in range(boxes):
        if not first:
            next(answers)
        before, log = other.cards, next(turns)
        table = _Table(duel, 2 * number + (not first), before, exact.cards)
        yield _judged(table, play, log, (number + 1) / boxes)
        if first:
            next(answers)


@dataclass(frozen=True)
class _Table:
    """Many games of two, all before the same turn.

    Attributes
    ----------
    t : int
        How many turns were played.
    movers, others : ScorecardBatch
        Of those who are to move, and of the others.
    """

    duel: DuelSolution
    t: int
    movers: ScorecardBatch
    others: ScorecardBatch

    def parts(self) -> Iterator[tuple[int, Integers]]:
        """Yield games whose movers' cards are of one class, with the class."""
        class_N = self.movers.class_N
        for c in np.unique(class_N).tolist():
            mine = np.flatnonzero(class_N == c)
            for games in np.array_split(mine, -(-len(mine) // PART)):
                yield c, games

    def before(self, games: Integers) -> Floats:
        """Return the value to those who are to move in some games, before their turn."""
        movers, others = (_spots(cards, games) for cards in (self.movers, self.others))
        return 1 - self.duel.look_up(self.t, others, movers)

    def after(self, games: Integers) -> Floats:
        """Return what each outcome of the turn is worth to them, (G, O); NaN of impossible ones."""
        model = self.duel.model
        c, lane, score = (array[:, None] for array in _spots(self.movers, games))
        others = tuple(array[:, None] for array in _spots(self.others, games))
        every_O = np.arange(len(model.points_O))
        moved = model.class_after(c, every_O), model.lane_after(lane, every_O), score + model.step_O
        return self.duel.look_up(self.t + 1, moved, (others[0], others[1], others[2]))


def _spots(cards: ScorecardBatch, games: Integers) -> tuple[Integers, Integers, Integers]:
    return cards.class_N[games], cards.lane_N[games], cards.points_N[games]


def _judged(table: _Table, play: Policy, log: TurnLog, done: float) -> _Turn:
    """Judge a turn that was played for points."""
    model, cards = table.duel.model, table.movers
    dice, lost_N_J = LatticeArrays.of(model.lattice), np.zeros(log.rolled_N_J.shape)
    given_away_N = np.zeros(len(cards.class_N))
    played = play.of_layer(int(np.bitwise_count(model.mask_C[cards.class_N[0]])))
    for c, games in table.parts():
        worth_G_O, first_lane = table.after(games), int(model.first_lane_C[c])
        lanes, lane_G = np.unique(cards.lane_N[games], return_inverse=True)
        distribution_U_O = np.stack(
            [play.outcome_probabilities(played, c, max(u - first_lane, 0)) for u in lanes.tolist()]
        )
        goes_on_G_O = np.where(
            distribution_U_O[lane_G] > 0, distribution_U_O[lane_G] * worth_G_O, 0.0
        )
        given_away_N[games] = table.before(games) - goes_on_G_O.sum(axis=1)
        turn_losses(
            StateScratch.of(dice, int(model.rerolls_C[c])),
            games,
            np.arange(len(games) + 1),
            worth_G_O,
            options_of(model, c),
            dice,
            log,
            lost_N_J,
        )
    return _Turn(given_away_N, int((lost_N_J > GIVEN_AWAY).sum()), int(log.thrown_N.sum()), done)


class _Exact(Batch):
    """Games of the exact player, each against an opponent of its own."""

    def __init__(
        self,
        duel: DuelSolution,
        points: CardSolution,
        seed: int,
        games: int,
        others: Batch,
        *,
        second: bool,
    ) -> None:
        super().__init__(Duel(points), duel.model, seed, 0, games)
        self._duel, self._others, self._second = duel, others, second

    def _play_turn(self, turn: TurnLog, fallen: NDArray[np.uint8], chance: Floats | None) -> None:
        model = self._model
        t = 2 * int(np.bitwise_count(model.mask_C[self.cards.class_N[0]])) + self._second
        table = _Table(self._duel, t, self.cards, self._others.cards)
        allowed_N = 1 + model.rerolls_C[self.cards.class_N].astype(np.int64)
        group_N = np.zeros(len(allowed_N), dtype=np.int64)
        for c, games in table.parts():
            each = group_N[games] = np.arange(len(games))
            keeps, categories = best_turns(model, table.after(games), each, each * 0 + c)
            choices = GroupChoices(group_N, 0, keeps, categories)
            play_turns(
                games,
                choices,
                fallen,
                allowed_N,
                LatticeArrays.of(model.lattice),
                model.rules.stops,
                turn,
            )


BLOCKS = 8192
"""Games that go from turn to turn together, and are kept on disk once they are over."""


def long_against_points(
    points: CardSolution, games: int, seed: int = 0, progress: Progress | None = None
) -> AgainstPoints:
    """Let ``duel`` play games against one who plays for points, moving first and second.

    Nothing of a game depends on the others. Those that are over are kept on disk until all are: to
    call this again goes on from there.

    Parameters
    ----------
    points : CardSolution
        Of the game for the expected score, with moments.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1.

    Raises
    ------
    TooLargeError
        When the game is too large for its cards to be played through.
    """
    play, begun = OptimalPolicy(points), AS_LONG / (AS_LONG + games)
    known_of(points, within(progress, 0, begun))
    jobs = [
        (points.rules, seed, second, start, min(start + BLOCKS, games))
        for second in (False, True)
        for start in range(0, games, BLOCKS)
    ]

    def chances(_: Rules, seed: int, second: bool, start: int, stop: int) -> Floats:
        mine = DuelBatch(points, 2 * seed, start, stop)
        other = Batch(Optimal(points), mine.model, 2 * seed + 1, start, stop)
        begin, end = (begun + (1 - begun) * (second + n / games) / 2 for n in (start, stop))
        return _chances(mine, other, play, second=second, progress=within(progress, begin, end))

    results = JobResults(long_against_points, list(jobs))
    found = np.array_split(np.concatenate(run_jobs(chances, jobs, results=results)), 2)
    results.drop()
    (first, first_error), (later, later_error) = map(_mean, found)
    return AgainstPoints(games, first, later, first_error, later_error, None, None)


def _mean(chance_N: Floats) -> tuple[float, float]:
    """Return the mean and its standard error."""
    return float(chance_N.mean()), float(chance_N.std() / np.sqrt(len(chance_N)))


def _chances(
    mine: DuelBatch, other: Batch, play: Policy, *, second: bool, progress: Progress | None
) -> Floats:
    """Return what each game says of his chance, float64 of shape (games,)."""
    mine.others = other
    turns, answers = other.turns(), mine.turns()
    boxes = len(mine.model.rules.categories)
    for number in range(boxes):
        if not second:
            next(answers)
        mine.foresee(play)
        next(turns)
        mine.look()
        if second:
            next(answers)
        if progress:
            progress((number + 1) / boxes)
    return mine.chance_N
