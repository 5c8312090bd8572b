"""Games of one who plays to win, many at once, each against an opponent of its own.

He plays as :mod:`rollwise.two_player.policy` says.

The ends of games of two at once, for many games that come to them.

Games of any strategy, many at once; one who answers another player has somebody opposite.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.batch import Batch
from rollwise.model.arrays import Model
from rollwise.model.turn import best_keep_values, keep_values, options_of_all
from rollwise.rules import RulesLike
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.scalar_turn import LatticeArrays
from rollwise.solving.kernels.simulation import GroupChoices, TurnLog, play_turns
from rollwise.solving.moments import with_moments
from rollwise.solving.place import START, CardPlace
from rollwise.solving.policy import Policy
from rollwise.solving.progress import Progress, within
from rollwise.solving.storage.chunks import Shape
from rollwise.solving.storage.retention import LastTwo, LayerRetention
from rollwise.strategies import Duel, Optimal, Strategy
from rollwise.two_player.cache import DuelKey
from rollwise.two_player.card_distributions import turn_distribution
from rollwise.two_player.layout import PairLayer, TurnCards, rows_at
from rollwise.two_player.policy import NEAR, CardArrays, WinPolicy
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

PART = 1024
"""Games whose choices are worked out at once, for their memory."""

Known = tuple[WinPolicy, DuelSolution]
"""What he thinks of a game, and the ends that he plays exactly."""

_KNOWN: dict[CardSolution, Known] = {}
"""Of the last solution asked for."""


def known_of(points: CardSolution, progress: Progress | None = None) -> Known:
    """Return what one who plays to win knows before the first turn; worked out once a solution.

    Raises
    ------
    TooLargeError
        When the game is too large for its cards to be played through.
    """
    if points not in _KNOWN:
        duel = WinPolicy(points if points.moments or not points.is_whole else with_moments(points))
        duel.know_distributions()
        _KNOWN.clear()
        _KNOWN[points] = duel, EndSolver(points.rules, NEAR).solve(ties=False, progress=progress)
    return _KNOWN[points]


class DuelBatch(Batch):
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

    def __init__(self, points: CardSolution, seed: int, start: int, stop: int) -> None:
        self._duel, self._ends = known_of(points)
        self.model = self._duel.model
        super().__init__(Duel(points), self.model, seed, start, stop)
        self.chance_N = np.full(stop - start, 0.5)
        self._thought_N = self.chance_N.copy()

    def look(self) -> None:
        """See what the opponents' turn has made of the games."""
        mine, other = _of(self), _of(self.others)
        self._thought_N = 1 - self._duel.chance(other, mine, self._known(other[0], mine[0]))

    def foresee(self, play: Policy) -> None:
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
        model, dice = self.model, LatticeArrays.of(self.model.lattice)
        mine, other = _of(self), _of(self.others)
        allowed_N = 1 + model.rerolls_C[mine[0]].astype(np.int64)
        group_N = np.zeros(len(allowed_N), dtype=np.int64)
        ends = self._ends if self._duel.are_within(NEAR, mine[0], other[0]) else None
        for games in self._parts():
            cards = _some(mine, games)
            worth_G_O = self._duel.worths(cards, _some(other, games), ends)
            self.chance_N[games] += _turn_values(model, cards[0], worth_G_O)
            group_N[games] = np.arange(len(games))
            choices = GroupChoices(group_N, 0, *self._duel.turns(cards, worth_G_O))
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


def _of(batch: Batch) -> CardArrays:
    return batch.cards.class_N, batch.cards.lane_N, batch.cards.points_N


def _some(cards: CardArrays, games: Integers) -> CardArrays:
    return cards[0][games], cards[1][games], cards[2][games]


def _next_turns(play: Policy, cards: CardArrays) -> Iterator[tuple[Integers, Integers, Floats]]:
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
        distribution_G_O, outcomes = turn_distribution(model, played, c, cards[1][games])
        g, o = np.nonzero(distribution_G_O)
        yield games[g], outcomes[o], distribution_G_O[g, o]


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


class EndSolver(DuelSolver):
    """Solves what follows pairs of cards with few open boxes, whatever was played before.

    Parameters
    ----------
    rules : Rules, str or Path
    boxes : int
        That the player to move has open; the other one has one less.
    mover, other : CardPlace, optional
        The only card of the player to move, and of the other one, with so many open boxes; any
        card of a game unless told. With one of them only what it is worth is kept.
    """

    def __init__(
        self,
        rules: RulesLike,
        boxes: int,
        *,
        mover: CardPlace | None = None,
        other: CardPlace | None = None,
    ) -> None:
        super().__init__(rules)
        self._keeps = False  # many cards are no question that anybody asks twice
        self._boxes, self._mover, self._other = boxes, mover, other

    @property
    def leads(self) -> float:
        """How many leads follow a card of the player to move, on average."""
        (_, movers), *_ = self._cards(START, START)
        return self.size(ties=False).lanes / len(movers)

    def _reached(
        self, place: CardPlace, against: CardPlace
    ) -> tuple[list[TurnCards], list[TurnCards]]:
        moved, movers = super()._reached(self._mover or START, self._other or START)
        return moved[-self._boxes :], movers[-self._boxes - 1 :]

    def _retention(self, layers: list[PairLayer], asked: DuelKey, on_disk: bool) -> LayerRetention:
        shapes: list[Shape] = [(asked.tables, layer.size) for layer in layers]
        return LastTwo(shapes) if self._mover or self._other else LayerRetention(shapes)


AS_LONG = 28_000
"""Games of two that take about as long as what ``duel`` knows before the first turn."""

OPPOSITE = 1 << 64
"""More than any seed that is asked for: added to it, the dice of who sits opposite."""


class DuelBatchAgainstPoints(DuelBatch):
    """Games of ``duel`` who moves first, against one who plays for points with dice of its own."""

    def __init__(self, points: CardSolution, seed: int, start: int, stop: int) -> None:
        super().__init__(points, seed, start, stop)
        self.others = Batch(Optimal(points), self.model, OPPOSITE + seed, start, stop)

    def turns(self) -> Iterator[TurnLog]:
        """Play turn after turn, each of them answered before the next."""
        answers = self.others.turns()
        for turn in super().turns():
            yield turn
            next(answers)


def prepare(strategy: Strategy, games: int, progress: Progress | None = None) -> Progress | None:
    """Work out what a strategy knows before the first turn; return the progress of its games.

    Raises
    ------
    TooLargeError
        When the game is too large for ``duel`` to play it through.
    """
    if not isinstance(strategy, Duel):
        return progress
    begun = AS_LONG / (AS_LONG + games)
    known_of(_points(strategy), within(progress, 0, begun))
    return within(progress, begun, 1)


def games_of(
    strategy: Strategy, model: Model, seed: int, start: int, stop: int, threads: int = 1
) -> Batch:
    """Return games of a strategy, as :class:`rollwise.evaluation.batch.Batch` has them.

    Those of ``duel`` have opponents who play for points, and move second.
    """
    if isinstance(strategy, Duel):
        return DuelBatchAgainstPoints(_points(strategy), seed, start, stop)
    return Batch(strategy, model, seed, start, stop, threads)


def meet(
    first: Strategy, second: Strategy, model: Model, seed: int, games: int
) -> tuple[float, float, float]:
    """Let two strategies meet, each with dice of its own; return how often the first wins.

    Returns
    -------
    tuple of float
        The shares of games that the one who moves first wins, ties and loses.
    """
    seeds = (seed, OPPOSITE + seed)
    one, two = (
        DuelBatch(_points(strategy), each, 0, games)
        if isinstance(strategy, Duel)
        else Batch(strategy, model, each, 0, games)
        for strategy, each in zip((first, second), seeds, strict=True)
    )
    for mine, other in ((one, two), (two, one)):
        if isinstance(mine, DuelBatch):
            mine.others = other
    for _ in zip(one.turns(), two.turns(), strict=True):  # turn about
        pass
    lead_N = one.cards.points_N + one.bonus_N - two.cards.points_N - two.bonus_N
    return float((lead_N > 0).mean()), float((lead_N == 0).mean()), float((lead_N < 0).mean())


def _points(duel: Duel) -> CardSolution:
    """Return what he reads his cards from."""
    assert isinstance(duel.solution, CardSolution)  # as that of the expected score always is
    return duel.solution
