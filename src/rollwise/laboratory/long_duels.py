r"""One who plays to win against one who plays for points, in games of any size: simulated.

He plays as :mod:`rollwise.evaluation.duel_play` says. What he thinks of his game after each turn,
H, is ½ at the start, the exact chance near the end and 1, ½ or 0 at the end, so that his chance is

.. math:: P = \tfrac12 + E \sum_i \bigl(E(H_{i+1} \mid \text{both cards}) - H_i\bigr)

over the turns of both, whatever H is. Given the cards each mean is exact: what is simulated is how
far from true he thinks, and near the end, where he is right, what the other one gives away.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.card_laws import turn_law
from rollwise.evaluation.duel_play import NEAR, Cards, DuelPlay
from rollwise.laboratory.batch import Batch
from rollwise.laboratory.duel_ends import EndSolver
from rollwise.laboratory.duel_games import AgainstPoints
from rollwise.laboratory.jobs import run_jobs
from rollwise.model.arrays import Model
from rollwise.model.turn import best_keep_values, keep_values, options_of_all
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.duel.layout import rows_at
from rollwise.solving.duel.solution import DuelSolution
from rollwise.solving.job_results import JobResults
from rollwise.solving.kernels.games import Choices, TurnLog, play_turns
from rollwise.solving.kernels.states import Dice
from rollwise.solving.play import BestPlay, Play
from rollwise.solving.progress import Progress, within
from rollwise.strategies import Duel, Optimal

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

BLOCKS = 8192
"""Games that go from turn to turn together, and are kept on disk once they are over."""

PART = 1024
"""Games whose choices are worked out at once, for their memory."""

AS_LONG = 28_000
"""Games, moving first and second, that take about as long as the laws and the ends of all games."""


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
    duel, play, begun = DuelPlay(points), BestPlay(points), AS_LONG / (AS_LONG + games)
    duel.know_laws()
    ends = EndSolver(points.rules, NEAR).solve(ties=False, progress=within(progress, 0, begun))
    jobs = [
        (points.rules, seed, second, start, min(start + BLOCKS, games))
        for second in (False, True)
        for start in range(0, games, BLOCKS)
    ]

    def chances(_: Rules, seed: int, second: bool, start: int, stop: int) -> Floats:
        mine = _Duellist(duel, ends, points, 2 * seed, start, stop)
        other = Batch(Optimal(points), duel.model, 2 * seed + 1, start, stop)
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
    mine: "_Duellist", other: Batch, play: Play, *, second: bool, progress: Progress | None
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


class _Duellist(Batch):
    """Games of ``duel``, each against an opponent of its own.

    Attributes
    ----------
    model : Model
    others : Batch
        The opponents.
    chance_N : float64 array of shape (N,)
        What he thought of his chance at first, and how far each turn has put that right on average.
    """

    others: Batch

    def __init__(
        self,
        duel: DuelPlay,
        ends: DuelSolution,
        points: CardSolution,
        seed: int,
        start: int,
        stop: int,
    ) -> None:
        super().__init__(Duel(points), duel.model, seed, start, stop)
        self.model, self._duel, self._ends = duel.model, duel, ends
        self.chance_N = np.full(stop - start, 0.5)
        self._thought_N = self.chance_N.copy()

    def look(self) -> None:
        """See what the opponents' turn has made of the games."""
        mine, other = _of(self), _of(self.others)
        self._thought_N = 1 - self._duel.chance(other, mine, self._known(other[0], mine[0]))

    def foresee(self, play: Play) -> None:
        """Put right what he thinks by what the opponents' next turn will make of it on average."""
        mine, other = _of(self), _of(self.others)
        n, o, share = map(np.concatenate, zip(*_next_turns(play, other), strict=True))
        after = self._duel.after(_some(other, n), o)
        chance = self._duel.chance(after, _some(mine, n), self._known(after[0], mine[0]))
        mean_N = np.bincount(n, share * (1 - chance), len(mine[0]))
        self.chance_N += mean_N - self._thought_N

    def _known(self, moved: Integers, mover: Integers) -> DuelSolution | None:
        """Return the ends if cards of these classes are among them."""
        last, left = (int(self._duel.open_C[c[0]]) for c in (moved, mover))
        return self._ends if last < NEAR and left <= NEAR else None

    def _play_turn(self, turn: TurnLog, fallen: NDArray[np.uint8], chance: Floats | None) -> None:
        model, dice = self.model, Dice.of(self.model.lattice)
        mine, other = _of(self), _of(self.others)
        allowed_N = 1 + model.rerolls_C[mine[0]].astype(np.int64)
        group_N = np.zeros(len(allowed_N), dtype=np.int64)
        ends = self._ends if self._duel.are_within(NEAR, mine[0], other[0]) else None
        for games in self._parts():
            cards = _some(mine, games)
            worth_G_O = self._duel.worths(cards, _some(other, games), ends)
            self.chance_N[games] += _turn_values(model, cards[0], worth_G_O)
            group_N[games] = np.arange(len(games))
            choices = Choices(group_N, 0, *self._duel.turns(cards, worth_G_O))
            play_turns(games, choices, fallen, allowed_N, dice, model.rules.stops, turn)
        self.chance_N -= self._thought_N

    def _score(self, turn: TurnLog) -> None:
        super()._score(turn)
        mine, other = _of(self), _of(self.others)
        self._thought_N = self._duel.chance(mine, other, self._known(mine[0], other[0]))

    def _parts(self) -> Iterator[Integers]:
        """Yield games whose turns are of one length."""
        class_N = self.cards.class_N
        rerolls_N = self.model.rerolls_C[class_N]
        for rerolls in np.unique(rerolls_N):
            mine = np.flatnonzero(rerolls_N == rerolls)
            mine = mine[np.argsort(class_N[mine])]
            yield from np.array_split(mine, -(-len(mine) // PART))


def _of(batch: Batch) -> Cards:
    return batch.cards.class_N, batch.cards.lane_N, batch.cards.points_N


def _some(cards: Cards, games: Integers) -> Cards:
    return cards[0][games], cards[1][games], cards[2][games]


def _next_turns(play: Play, cards: Cards) -> Iterator[tuple[Integers, Integers, Floats]]:
    """Yield games, outcomes of their next turn and how likely these are, class by class."""
    model = play.sweep.model
    layer = int(np.bitwise_count(model.mask_C[cards[0][0]]))
    first, last = play.sweep.layers[layer]
    begin, end = np.append(0, np.cumsum(model.rows_C))[[first, last]]
    wanted_X = np.zeros(end - begin, dtype=np.bool_)
    class_N, lane_N = (part.astype(np.int32) for part in cards[:2])
    wanted_X[rows_at(model, class_N, lane_N) - begin] = True
    played = play.of_layer(layer, wanted_X)
    for c in np.unique(cards[0]).tolist():
        games = np.flatnonzero(cards[0] == c)
        law_G_O, outcomes = turn_law(model, played, c, cards[1][games])
        g, o = np.nonzero(law_G_O)
        yield games[g], outcomes[o], law_G_O[g, o]


def _turn_values(model: Model, class_G: Integers, worth_G_O: Floats) -> Floats:
    """Return what turns of one length are worth, by what their outcomes are."""
    classes, class_of_G = np.unique(class_G, return_inverse=True)
    option_G_E_K = options_of_all(model, classes)[class_of_G]
    each_G = np.arange(len(class_G))[:, None, None]
    value_G_E = worth_G_O[each_G, option_G_E_K].max(axis=-1)
    lattice, rerolls = model.lattice, int(model.rerolls_C[class_G[0]])
    n_rolls, first_roll = len(lattice.rolls), lattice.first_roll
    value_G_R = value_G_E[:, :n_rolls]
    for left in range(1, rerolls + 1):
        value_G_P = keep_values(lattice, value_G_R, "mean")
        if value_G_E.shape[1] > n_rolls:
            value_G_P[:, first_roll:] = value_G_E[:, left * n_rolls :][:, :n_rolls]
        value_G_R = best_keep_values(lattice, value_G_P)[:, first_roll:]
    return np.asarray(value_G_R @ (lattice.weight_R / lattice.weight_R.sum()))
