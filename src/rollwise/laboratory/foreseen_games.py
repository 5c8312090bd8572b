"""What a player is sure of against whoever replies: a mean over simulated games.

He plays for points, whatever the other one does, until few boxes are open; from there on he plays
best, and answers. Of each game up to there the best that can be made of it by one who is told it
beforehand, and pays for what it tells him (:mod:`rollwise.evaluation.foreseen_reply`), is exact;
what is simulated is one player's dice, and no game says much else than another.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from statistics import mean, stdev

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.foreseen_reply import ForeseenReply
from rollwise.evaluation.forward import follow
from rollwise.evaluation.lead_sweep import End, Worth
from rollwise.laboratory.batch import Batch
from rollwise.laboratory.duel_ends import EndSolver
from rollwise.laboratory.student import student_quantile
from rollwise.law import Law
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.duel.solution import DuelSolution
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.place import START, CardPlace
from rollwise.solving.play import BestPlay, Play
from rollwise.solving.progress import Progress, within
from rollwise.strategies import Optimal

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CONFIDENCE = 0.99
"""That both ends of an interval are where they should be."""

FAR = 3.5
"""Standard deviations of what is still to come to both up to which leads are looked at."""

LEAST = 0.5
"""The part of a game for which leads are looked at when less is still to come."""

SOLVED = 0.1
"""The part of the work that the ends take, and what is known of leads, at a guess."""


MOST_LEADS = 200_000_000
"""In the ends of a game, which are played best: they have as many open boxes as keep to it."""


@dataclass(frozen=True)
class SureChances:
    """What one who plays for points at first is sure of against the best reply.

    The value of the game to who moves first is at least his chance when he moves first, and at
    most one less that when he moves second, if both play best.

    Attributes
    ----------
    games : int
    boxes : int
        How many the player to move has open, and the other one one less, when he begins to answer.
    first, second : float
        His chance at least, a tie counting half: means over games.
    first_error, second_error : float
        Their standard errors.
    """

    games: int
    boxes: int
    first: float
    second: float
    first_error: float
    second_error: float

    @property
    def interval(self) -> tuple[float, float]:
        """Bounds of the value to who moves first, both of which hold with ``CONFIDENCE``."""
        t = student_quantile((1 + CONFIDENCE) / 2, self.games - 1)
        return self.first - t * self.first_error, 1 - self.second + t * self.second_error


def sure_chances(
    points: CardSolution,
    games: int,
    seed: int = 0,
    *,
    boxes: int | None = None,
    progress: Progress | None = None,
) -> SureChances:
    """Return what one who plays for points, and best when few boxes are open, is sure of.

    Parameters
    ----------
    points : CardSolution
        Of the game for the expected score.
    games : int
        At least 2.
    boxes : int, optional
        That are few: as many as keep to ``MOST_LEADS`` unless told.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1.

    Raises
    ------
    TooLargeError
        When the game is too large for its cards to be played through.
    """
    play, n_boxes = BestPlay(points), len(points.rules.categories)
    boxes = most_boxes(points.rules) if boxes is None else boxes
    ends = EndSolver(points.rules, boxes).solve(ties=False, progress=within(progress, 0, SOLVED))
    start = follow(play).score
    half_F = [half(start, filled / n_boxes) for filled in range(n_boxes + 1)]
    reply = ForeseenReply(points, half_F, progress=within(progress, SOLVED, 2 * SOLVED))
    best_S_N: list[list[float]] = [[], []]
    done, parts = 0, 2 * games
    for cards, laws in _games(points, play, games, seed):
        for best_N, second in zip(best_S_N, (True, False), strict=True):
            begin, stop = (
                2 * SOLVED + (1 - 2 * SOLVED) * part / parts for part in (done, done + 1)
            )
            told = n_boxes - boxes + second
            worth = worth_to_reply(ends, cards[told], round(laws[told].mean), second=second)
            best_N.append(
                reply.value(
                    laws[: told + 1],
                    second=second,
                    end=End(n_boxes - boxes + (not second), worth),
                    progress=within(progress, begin, stop),
                )
            )
            done += 1
    errors = (stdev(best_N) / sqrt(games) for best_N in best_S_N)
    return SureChances(games, boxes, *(1 - mean(best_N) for best_N in best_S_N), *errors)


def most_boxes(rules: Rules) -> int:
    """Return with how many open boxes the ends of a game keep to ``MOST_LEADS``, at least one."""
    boxes = 1
    while boxes < len(rules.categories):
        if EndSolver(rules, boxes + 1).size(ties=False).lanes > MOST_LEADS:
            break
        boxes += 1
    return boxes


def worth_to_reply(ends: DuelSolution, card: CardPlace, mean: int, *, second: bool) -> Worth:
    """Return what leads over a mean are worth to who replies, if from now on both play best.

    Parameters
    ----------
    card : CardPlace
        Of the other player.
    second : bool
        Whether it was he who has just moved.
    """
    other = np.array(card.c), np.array(card.lane), np.array(card.score)

    def worth(c: Integers, lane: Integers, lead: Integers) -> Floats:
        mine = c, lane, lead + mean
        value = 1 - ends.look_up(0, other, mine) if second else ends.look_up(0, mine, other)
        # Points that no game has are worth at most what more points are.
        value = np.fmin.accumulate(value[:, ::-1], axis=1)[:, ::-1]
        return np.where(np.isnan(value), 1.0, value)

    return worth


def half(start: Law, played: float) -> int:
    """Return how far from level leads are looked at when a share of a game was played.

    ``FAR`` standard deviations of what is still to come to both, a multiple of ``WIDTH``. The
    spread of the final score comes turn by turn, much the same of each; that of few turns is at
    times far above what is usual, and so no less than a part is looked at.
    """
    far = FAR * start.sd * sqrt(2 * max(1 - played, LEAST))
    return -(-int(far) // WIDTH) * WIDTH


def _games(
    points: CardSolution, play: Play, games: int, seed: int
) -> Iterator[tuple[list[CardPlace], list[Law]]]:
    """Yield card and law of the final score of each game, before the first turn and after each."""
    batch = Batch(Optimal(points), points.model, seed, 0, games)
    places = [[START] * games]
    for _ in batch.turns():
        arrays = batch.cards.class_N, batch.cards.lane_N, batch.cards.points_N
        places.append([CardPlace(*map(int, one)) for one in zip(*arrays, strict=True)])
    start = follow(play).score
    for cards in zip(*places, strict=True):
        _, *turns, end = cards
        total = end.score + int(points.model.bonus_L[end.lane])
        laws = [start, *(follow(play, place).score for place in turns), Law.certain(total)]
        yield list(cards), laws
