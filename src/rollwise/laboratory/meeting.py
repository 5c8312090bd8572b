"""Games of any strategy, many at once; one who answers another player has somebody opposite."""

from collections.abc import Iterator

from rollwise.laboratory.batch import Batch
from rollwise.laboratory.duellist import Duellist, known_of
from rollwise.model.arrays import Model
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.games import TurnLog
from rollwise.solving.progress import Progress, within
from rollwise.strategies import Duel, Optimal, Strategy

AS_LONG = 28_000
"""Games of two that take about as long as what ``duel`` knows before the first turn."""

OPPOSITE = 1 << 64
"""More than any seed that is asked for: added to it, the dice of who sits opposite."""


class Answered(Duellist):
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
    """Return games of a strategy, as :class:`rollwise.laboratory.batch.Batch` has them.

    Those of ``duel`` have opponents who play for points, and move second.
    """
    if isinstance(strategy, Duel):
        return Answered(_points(strategy), seed, start, stop)
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
        Duellist(_points(strategy), each, 0, games)
        if isinstance(strategy, Duel)
        else Batch(strategy, model, each, 0, games)
        for strategy, each in zip((first, second), seeds, strict=True)
    )
    for mine, other in ((one, two), (two, one)):
        if isinstance(mine, Duellist):
            mine.others = other
    for _ in zip(one.turns(), two.turns(), strict=True):  # turn about
        pass
    lead_N = one.cards.points_N + one.bonus_N - two.cards.points_N - two.bonus_N
    return float((lead_N > 0).mean()), float((lead_N == 0).mean()), float((lead_N < 0).mean())


def _points(duel: Duel) -> CardSolution:
    """Return what he reads his cards from."""
    assert isinstance(duel.solution, CardSolution)  # as that of the expected score always is
    return duel.solution
