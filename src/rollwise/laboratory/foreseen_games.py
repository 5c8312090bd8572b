"""What play for points is sure of against whoever replies: a mean over simulated games.

Of each game the best that can be made of it by one who is told it beforehand, and pays for what it
tells him (:mod:`rollwise.evaluation.foreseen_reply`), is exact; what is simulated is one player's
dice, and no game says much else than another.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, mean, stdev

from rollwise.evaluation.foreseen_reply import ForeseenReply
from rollwise.evaluation.forward import follow
from rollwise.laboratory.batch import Batch
from rollwise.law import Law
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.place import START, CardPlace
from rollwise.solving.play import BestPlay, Play
from rollwise.solving.progress import Progress, within
from rollwise.strategies import Optimal

CONFIDENCE = 0.99
"""That both ends of an interval are where they should be."""

FAR = 3.5
"""Standard deviations of what is still to come to both up to which leads are looked at."""

LEAST = 0.5
"""The part of a game for which leads are looked at when less is still to come."""

SOLVED = 0.1
"""The part of the work that comes before the games, at a guess."""


@dataclass(frozen=True)
class SureOfPoints:
    """What one who plays for points is sure of against the best reply, moving first and second.

    The value of the game to who moves first is at least the former, and at most one less the
    latter, if both play best.

    Attributes
    ----------
    games : int
    first, second : float
        His chance at least, a tie counting half: means over games.
    first_error, second_error : float
        Their standard errors.
    """

    games: int
    first: float
    second: float
    first_error: float
    second_error: float

    @property
    def interval(self) -> tuple[float, float]:
        """Bounds of the value to who moves first, both of which hold with ``CONFIDENCE``."""
        z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
        return self.first - z * self.first_error, 1 - self.second + z * self.second_error


def sure_of_points(
    points: CardSolution, games: int, seed: int = 0, progress: Progress | None = None
) -> SureOfPoints:
    """Return what play for points is sure of.

    Parameters
    ----------
    points : CardSolution
        Of the game for the expected score.
    games : int
        At least 2.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1.

    Raises
    ------
    TooLargeError
        When the game is too large for its cards to be played through.
    """
    play = BestPlay(points)
    start, boxes = follow(play).score, len(points.rules.categories)
    half_F = [half(start, filled / boxes) for filled in range(boxes + 1)]
    reply = ForeseenReply(points, half_F, progress=within(progress, 0, SOLVED))
    best_S_N: list[list[float]] = [[], []]
    done, parts = 0, 2 * games
    for laws in _games(points, play, games, seed):
        for best_N, second in zip(best_S_N, (True, False), strict=True):
            begin, end = (SOLVED + (1 - SOLVED) * part / parts for part in (done, done + 1))
            told = within(progress, begin, end)
            best_N.append(reply.value(laws, second=second, progress=told))
            done += 1
    errors = (stdev(best_N) / sqrt(games) for best_N in best_S_N)
    return SureOfPoints(games, *(1 - mean(best_N) for best_N in best_S_N), *errors)


def half(start: Law, played: float) -> int:
    """Return how far from level leads are looked at when a share of a game was played.

    ``FAR`` standard deviations of what is still to come to both, a multiple of ``WIDTH``. The
    spread of the final score comes turn by turn, much the same of each; that of few turns is at
    times far above what is usual, and so no less than a part is looked at.
    """
    far = FAR * start.sd * sqrt(2 * max(1 - played, LEAST))
    return -(-int(far) // WIDTH) * WIDTH


def _games(points: CardSolution, play: Play, games: int, seed: int) -> Iterator[list[Law]]:
    """Yield the law of the final score of each game, before the first turn and after each."""
    batch = Batch(Optimal(points), points.model, seed, 0, games)
    places = [[START] * games]
    for _ in batch.turns():
        arrays = batch.cards.class_N, batch.cards.lane_N, batch.cards.points_N
        places.append([CardPlace(*map(int, one)) for one in zip(*arrays, strict=True)])
    start = follow(play).score
    for _, *turns, end in zip(*places, strict=True):
        total = end.score + int(points.model.bonus_L[end.lane])
        yield [start, *(follow(play, place).score for place in turns), Law.certain(total)]
