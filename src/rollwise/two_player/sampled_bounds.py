"""What a player is sure of against whoever replies: a mean over simulated games.

He plays for points, whatever the other one does, until few boxes are open; from there on he plays
best, and answers. Of each game up to there the best that can be made of it by one who is told it
beforehand, and pays for what it tells him (:mod:`rollwise.two_player.bounds`), is exact;
what is simulated is one player's dice. A game that goes far better or worse than usual is worth
more to him who is told it, and is rare: so of many games, in order of what is expected of them when
they are left, one is replied to of every part, and counts as much as it; parts far out are small.

References
----------
J. von Neumann, Distribution of the ratio of the mean square successive difference to the variance
(1941): the error of a mean whose parts may have a trend, by the differences of neighbours.

Student's t distribution: how far a mean of few games may be off.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import atan, cos, inf, nextafter, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.evaluation.batch import Batch
from rollwise.evaluation.forward import follow
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.jobs import JobResults, run_jobs
from rollwise.solving.place import CardPlace
from rollwise.solving.policy import OptimalPolicy
from rollwise.solving.progress import Progress, within
from rollwise.strategies import Optimal
from rollwise.two_player.bounds import End, ForeseenReply
from rollwise.two_player.head_to_head import EndSolver

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CONFIDENCE = 0.99
"""That both ends of an interval are where they should be."""

FAR = 3
"""Standard deviations of a final score from its mean, up to which it is looked at."""

SEATS = True, False
"""Whether he who plays for points moves first, and he who replies second."""

AMONG = 1 << 16
"""Games that those are chosen among which are replied to; their own error does not count."""

MOST_LEADS = 2_000_000
"""In an end that is played best, on average: games have as many open boxes then as keep to it."""


@dataclass(frozen=True)
class SecurityLevels:
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
        # Squares of differences of neighbours say two thirds of what as many deviations do.
        t = student_quantile((1 + CONFIDENCE) / 2, round(2 * (self.games - 1) / 3))
        return self.first - t * self.first_error, 1 - self.second + t * self.second_error


def sure_chances(
    points: CardSolution,
    games: int,
    seed: int = 0,
    *,
    boxes: int | None = None,
    progress: Progress | None = None,
) -> SecurityLevels:
    """Return what one who plays for points, and best when few boxes are open, is sure of.

    Games that are over are kept on disk until all are: to call this again goes on from there.

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
    boxes = most_boxes(points.rules) if boxes is None else boxes
    before = within(progress, 0, 1 / (1 + games))
    replies = Replies(points, boxes, seed, max(AMONG, games), before)
    chosen, share = map(np.concatenate, zip(*map(replies.chosen, [games] * 2, SEATS), strict=True))
    jobs = [
        (points.rules, seed, boxes, number // games == 0, game)
        for number, game in enumerate(chosen.tolist())
    ]
    done = 0

    def best(_rules: Rules, _seed: int, _boxes: int, second: bool, game: int) -> float:
        nonlocal done
        done += 1
        shares = (1 / (1 + games) + games / (1 + games) * (done - n) / (2 * games) for n in (1, 0))
        return replies.to_game(game, second=second, progress=within(progress, *shares))

    results = JobResults(sure_chances, list(jobs))
    best_S_N = np.reshape(run_jobs(best, jobs, results=results), (2, games))
    results.drop()
    sure = 1 - (np.reshape(share, (2, games)) * best_S_N).sum(axis=1)
    errors = map(mean_error, best_S_N, np.reshape(share, (2, games)))
    return SecurityLevels(games, boxes, *sure.tolist(), *errors)


def mean_error(value_N: Floats, share_N: Floats) -> float:
    """Return the error of a mean over parts of all games in order, one game of each.

    How games of a part scatter is told by the parts beside it.
    """
    square = np.diff(value_N) ** 2 / 2
    before, after = np.append(square[:1], square), np.append(square, square[-1:])
    return sqrt(float((share_N**2 * (before + after) / 2).sum()))


def most_boxes(rules: Rules) -> int:
    """Return with how many open boxes the ends of a game keep to ``MOST_LEADS``, at least one."""
    boxes = 1
    while boxes < len(rules.categories) and EndSolver(rules, boxes + 1).leads <= MOST_LEADS:
        boxes += 1
    return boxes


class Replies:
    """The best replies to games of one who plays for points until few boxes are open.

    Parameters
    ----------
    points : CardSolution
        Of the game for the expected score.
    boxes : int
        That are few.
    seed : int
    most : int
        Games to choose among.
    progress : callable, optional
        Called with the done share of the work before the first game, from 0 to 1.
    """

    def __init__(
        self,
        points: CardSolution,
        boxes: int,
        seed: int,
        most: int,
        progress: Progress | None = None,
    ) -> None:
        self._points, self._boxes, self._progress = points, boxes, progress
        self._play, told = OptimalPolicy(points), len(points.rules.categories) - boxes + 1
        batch = Batch(Optimal(points), points.model, seed, 0, most)
        places = [np.zeros((most, 3), dtype=np.int64)]
        for _ in islice(batch.turns(), told):
            cards = batch.cards
            places.append(np.stack([cards.class_N, cards.lane_N, cards.points_N], axis=1))
        self._place_N_T = np.stack(places, axis=1)

    def chosen(self, games: int, second: bool) -> tuple[Integers, Floats]:
        """Return the numbers of so many games, and of what share of all each is the first one.

        Shares are the smaller the more news a game has of its final score: those are rare, and
        worth the more to who is told them.

        Parameters
        ----------
        second : bool
            Whether the one who is replied to moves first.
        """
        class_N, lane_N, points_N = self._place_N_T[:, -1 if second else -2].T
        news_N = self._points.table_C_L[class_N, lane_N] + points_N
        news_N = news_N - news_N.mean()
        order = np.argsort(news_N, kind="stable")
        heard = np.cumsum(1 + (news_N[order] / (news_N.std() or 1)) ** 2)
        number = np.arange(1, games)
        cuts = np.searchsorted(heard, heard[-1] * number / games) - number
        cuts = number + np.clip(np.maximum.accumulate(cuts), 0, len(order) - games)
        parts = np.split(order, cuts)
        return (
            np.array([part.min() for part in parts]),
            np.array([len(part) for part in parts]) / len(order),
        )

    @cached_property
    def _start(self) -> Distribution:
        return follow(self._play).score

    @cached_property
    def _reply(self) -> ForeseenReply:
        return ForeseenReply(self._points, round(FAR * self._start.sd), progress=self._progress)

    def to_game(self, game: int, *, second: bool, progress: Progress | None = None) -> float:
        """Return what a game is worth to who replies, moving second or first."""
        reply, rules = self._reply, self._points.rules
        told = self._place_N_T[game].tolist()
        cards = [CardPlace(*place) for place in (told if second else told[:-1])]
        distributions = [self._start, *(follow(self._play, card).score for card in cards[1:])]
        until = within(progress, 0, 0.5)
        end = end_of(rules, self._boxes, cards[-1], second=second, progress=until)
        return reply.value(distributions, second=second, end=end, progress=within(progress, 0.5, 1))


def end_of(
    rules: Rules,
    boxes: int,
    card: CardPlace,
    *,
    second: bool,
    progress: Progress | None = None,
) -> End:
    """Return what points are worth to who replies, if from now on both play best.

    Parameters
    ----------
    boxes : int
        That the player to move has open, and the other one one less.
    card : CardPlace
        Of the one who is replied to.
    second : bool
        Whether it was he who has just moved.
    """
    mover, its_other = (None, card) if second else (card, None)
    solver = EndSolver(rules, boxes, mover=mover, other=its_other)
    ends = solver.solve(ties=False, progress=progress)
    other = np.array(card.c), np.array(card.lane), np.array(card.score)

    def worth(c: Integers, lane: Integers, score: Integers) -> Floats:
        mine = c, lane, score
        value = 1 - ends.look_up(0, other, mine) if second else ends.look_up(0, mine, other)
        return np.where(np.isnan(value), 1.0, value)  # points that no game has

    return End(len(rules.categories) - boxes + (not second), worth)


def student_quantile(probability: float, freedom: int) -> float:
    """Return a quantile of Student's t distribution.

    Parameters
    ----------
    probability : float
        From 0.5 to less than 1.
    freedom : int
        Degrees of freedom, at least 1.
    """
    low, high = 0.0, 1.0
    while _within(high, freedom) < 2 * probability - 1:
        high *= 2
    while nextafter(low, inf) < high:
        middle = (low + high) / 2
        if _within(middle, freedom) < 2 * probability - 1:
            low = middle
        else:
            high = middle
    return high


def _within(t: float, freedom: int) -> float:
    """Return the probability of -t to t: finite sums, as of Abramowitz & Stegun (26.7.3-4)."""
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term = total = 0.0 if freedom == 1 else cos(angle) ** odd
    for power in range(2 + odd, freedom, 2):
        term *= (power - 1) / power * cos(angle) ** 2
        total += term
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total
