r"""Bounds on the value of a two-player game of any size.

*Exact bounds.* Suppose that a player looks only at their own scorecard, and that the opponent knows
the player's final score S in advance. No real opponent can do better. Let P*(T) be the highest
probability of at least T points. This opponent's win probability against S = s is at most
(P*(s) + P*(s + 1)) / 2, where a tie counts as half a win. Either player can therefore guarantee the
win probability

.. math:: \underline W = \max E \, \bigl(1 - \tfrac12 P^*(S) - \tfrac12 P^*(S + 1)\bigr),

where E is the expected value and the maximum is over all policies for one scorecard. The value to
the first player is between :math:`\underline W` and :math:`1 - \underline W`.

*Sampled bounds.* A player who maximizes points until few categories are open, and then plays
exactly, can guarantee a higher probability. Only this player's dice are simulated. The best
response to each simulated game is computed exactly, with advance knowledge of the game and with
penalties (:mod:`rollwise.two_player.information_relaxation`). Games with an unusually high or low
score are rare, but advance knowledge of them helps the opponent most. Stratified sampling therefore
orders many games by their expected score, and divides them into strata that are smaller at both
ends. It evaluates one game per stratum.

References
----------
J. von Neumann, Distribution of the ratio of the mean square successive difference to the variance
(1941): the standard error of a mean over strata with a trend, from differences between neighbors.

Student's t distribution: the confidence interval for a mean over few games.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import atan, cos, inf, nextafter, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.evaluation.batch import Batch
from rollwise.evaluation.forward_pass import follow
from rollwise.rules import Rules, RulesLike
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import ScoreObjective
from rollwise.solving.policy import OptimalPolicy
from rollwise.solving.position_index import CardIndex
from rollwise.solving.progress import Progress, within
from rollwise.solving.solver import Solver, solve
from rollwise.strategies import Optimal
from rollwise.two_player.information_relaxation import EndValues, RelaxedResponse
from rollwise.two_player.solver import DuelSolver

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CONFIDENCE = 0.99
"""The probability that both bounds of an interval are correct."""

HALF_WIDTH = 3
"""Half the width of a window of final scores, in standard deviations."""

SEATS = True, False
"""For each result, whether the responding player moves second."""

MIN_POOL = 1 << 16
"""The minimum number of games in the stratified pool, whose sampling error is ignored."""

EXACT_WORK = 0.1
"""The fraction of the work that the exact bounds take if games are simulated too."""

MAX_STATES = 2_000_000
"""The maximum number of two-player states per endgame, averaged over all endgames."""


def exact_bounds(solver: Solver) -> tuple[float, float]:
    """Return exact bounds on the first player's win probability; a tie counts as half a win.

    The bounds assume optimal play by both players. No games are simulated, and rounding errors are
    less than 1e-12.

    Raises
    ------
    TooLargeError
        If the game has too many states for objectives of the final score.
    """
    reach_T = np.concatenate([[1.0], solver.targets(), [0.0]])

    def utility(scores: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(1 - (reach_T[scores] + reach_T[scores + 1]) / 2)

    guaranteed = ScoreObjective(
        "guaranteed-win-probability",
        "win probability against an opponent who knows the score",
        "probability",
        utility=utility,
    )
    low = solver.solve(guaranteed).value()
    return low, 1 - low


@dataclass(frozen=True)
class SecurityLevels:
    """The win probabilities that a player can guarantee, estimated from simulated games.

    The player maximizes points until few categories are open, and then plays exactly. The value of
    the game to the first player is between ``first`` and ``1 - second``.

    Attributes
    ----------
    games : int
        The number of games in which the player moves first, and the number in which they move
        second.
    boxes : int
        The number of open categories of the player to move when exact play begins. The opponent has
        one fewer.
    first, second : float
        The win probability that the player can guarantee if they move first, and if they move
        second. A tie counts as half a win.
    first_error, second_error : float
        The standard errors of ``first`` and ``second``.
    """

    games: int
    boxes: int
    first: float
    second: float
    first_error: float
    second_error: float

    @property
    def interval(self) -> tuple[float, float]:
        """Bounds on the value to the first player; both hold with probability ``CONFIDENCE``."""
        # 3 squared differences of neighbors are as accurate for a variance as 2 squared deviations.
        t = student_quantile((1 + CONFIDENCE) / 2, round(2 * (self.games - 1) / 3))
        return self.first - t * self.first_error, 1 - self.second + t * self.second_error


def sampled_bounds(
    points: CardSolution,
    games: int,
    seed: int = 0,
    *,
    open_categories: int | None = None,
    progress: Progress | None = None,
) -> SecurityLevels:
    """Return estimates of the win probabilities that a player can guarantee.

    The estimates are means over simulated games.

    Parameters
    ----------
    points : CardSolution
        The solution that maximizes the expected score.
    games : int
        The number of games in which the player moves first, and the number in which they move
        second; at least 2.
    seed : int
        The seed of the dice.
    open_categories : int, optional
        The number of open categories of the player to move when exact play begins; default: as
        many as ``MAX_STATES`` allows.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.

    Raises
    ------
    TooLargeError
        If the game is too large for exact distributions of the final score.
    """
    exact_from = max_open_categories(points.rules) if open_categories is None else open_categories
    before = within(progress, 0, 1 / (1 + games))
    responses = SampledResponses(points, exact_from, seed, max(MIN_POOL, games), before)
    sampled, share = map(
        np.concatenate, zip(*map(responses.sample, [games] * 2, SEATS), strict=True)
    )
    after = within(progress, 1 / (1 + games), 1)

    def response(number: int, game: int) -> float:
        part = within(after, number / (2 * games), (number + 1) / (2 * games))
        return responses.value(game, second=number < games, progress=part)

    value_S_N = np.reshape([response(*item) for item in enumerate(sampled.tolist())], (2, games))
    share_S_N = np.reshape(share, (2, games))
    guaranteed = 1 - (share_S_N * value_S_N).sum(axis=1)
    errors = map(stratified_error, value_S_N, share_S_N)
    return SecurityLevels(games, exact_from, *guaranteed.tolist(), *errors)


@dataclass(frozen=True)
class GameBounds:
    """Bounds on the value of a whole game to the first player; a tie counts as half a win.

    Attributes
    ----------
    low, high : float
        The exact bounds.
    sampled : SecurityLevels or None
        The sampled bounds; None if no games were simulated.
    """

    low: float
    high: float
    sampled: SecurityLevels | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """The sampled bounds, limited to the exact bounds.

        Without simulated games, these are the exact bounds.
        """
        low, high = self.sampled.interval if self.sampled else (self.low, self.high)
        return min(max(low, self.low), self.high), min(max(high, self.low), self.high)


def value_bounds(
    rules: RulesLike, games: int = 0, seed: int = 0, progress: Progress | None = None
) -> GameBounds:
    """Return exact bounds on the value of a game, and narrower bounds if games are simulated.

    Parameters
    ----------
    rules : Rules, str, or Path
    games : int
        The number of games to simulate for each order of the players: 0 for only the exact bounds,
        otherwise at least 2.
    seed : int
        The seed of the dice.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.

    Raises
    ------
    TooLargeError
        If the game has too many states for objectives of the final score.
    """
    solver = Solver(rules, progress=within(progress, 0, EXACT_WORK if games else 1))
    exact = exact_bounds(solver)
    if not games:
        return GameBounds(*exact)
    rest = within(progress, EXACT_WORK, 1)
    return GameBounds(*exact, sampled_bounds(solve(solver.rules), games, seed, progress=rest))


def stratified_error(value_N: Floats, share_N: Floats) -> float:
    """Return the standard error of a mean over ordered strata with one game each.

    ``value_N`` contains the value of each game, and ``share_N`` contains the size of each stratum
    as a fraction of the pool. The variance within a stratum is estimated from the neighboring
    strata.
    """
    square = np.diff(value_N) ** 2 / 2
    before, after = np.append(square[:1], square), np.append(square, square[-1:])
    return sqrt(float((share_N**2 * (before + after) / 2).sum()))


def max_open_categories(rules: Rules) -> int:
    """Return the maximum number of open categories whose endgames are within ``MAX_STATES``.

    The result is at least 1.
    """
    solver, number = DuelSolver(rules), 1
    while number < len(rules.categories) and solver.states_per_endgame(number + 1) <= MAX_STATES:
        number += 1
    return number


class SampledResponses:
    """The best responses to simulated games of a player who maximizes points before the endgame.

    Parameters
    ----------
    points : CardSolution
        The solution that maximizes the expected score.
    open_categories : int
        The number of open categories of the player to move when exact play begins.
    seed : int
        The seed of the dice.
    pool : int
        The number of simulated games.
    progress : callable, optional
        Called with the completed fraction of the preparation, from 0 to 1.
    """

    def __init__(
        self,
        points: CardSolution,
        open_categories: int,
        seed: int,
        pool: int,
        progress: Progress | None = None,
    ) -> None:
        self._points, self._open, self._progress = points, open_categories, progress
        self._policy, turns = OptimalPolicy(points), len(points.rules.categories) - open_categories
        batch = Batch(Optimal(points), points.model, seed, 0, pool)
        places = [np.zeros((pool, 3), dtype=np.int64)]
        for _ in islice(batch.turns(), turns + 1):
            cards = batch.cards
            places.append(np.stack([cards.class_N, cards.lane_N, cards.points_N], axis=1))
        self._place_N_T = np.stack(places, axis=1)

    def sample(self, games: int, second: bool) -> tuple[Integers, Floats]:
        """Return one game per stratum, and the sizes of the strata as fractions of the pool.

        Strata are smaller where games deviate more from the expected score. These games
        are rare, and advance knowledge of them helps the opponent most.

        Parameters
        ----------
        games : int
            The number of strata.
        second : bool
            Whether the responding player moves second.
        """
        class_N, lane_N, points_N = self._place_N_T[:, -1 if second else -2].T
        deviation_N = self._points.table_C_L[class_N, lane_N] + points_N
        deviation_N = deviation_N - deviation_N.mean()
        order = np.argsort(deviation_N, kind="stable")
        weight = np.cumsum(1 + (deviation_N[order] / (deviation_N.std() or 1)) ** 2)
        number = np.arange(1, games)
        cuts = np.searchsorted(weight, weight[-1] * number / games) - number
        cuts = number + np.clip(np.maximum.accumulate(cuts), 0, len(order) - games)
        strata = np.split(order, cuts)
        return (
            np.array([stratum.min() for stratum in strata]),
            np.array([len(stratum) for stratum in strata]) / len(order),
        )

    @cached_property
    def _start(self) -> Distribution:
        return follow(self._policy).score

    @cached_property
    def _response(self) -> RelaxedResponse:
        half = round(HALF_WIDTH * self._start.sd)
        return RelaxedResponse(self._points, half, progress=self._progress)

    def value(self, game: int, *, second: bool, progress: Progress | None = None) -> float:
        """Return the value of a game to the responding player.

        ``game`` is the index of the game in the pool. ``second`` says whether the responding player
        moves second.
        """
        response, rules = self._response, self._points.rules
        places = self._place_N_T[game].tolist()
        cards = [CardIndex(*place) for place in (places if second else places[:-1])]
        distributions = [self._start, *(follow(self._policy, card).score for card in cards[1:])]
        until = within(progress, 0, 0.5)
        end = endgame_values(rules, self._open, cards[-1], second=second, progress=until)
        after = within(progress, 0.5, 1)
        return response.value(distributions, second=second, end=end, progress=after)


def endgame_values(
    rules: Rules,
    open_categories: int,
    card: CardIndex,
    *,
    second: bool,
    progress: Progress | None = None,
) -> EndValues:
    """Return the endgame values to the responding player if both players play exactly.

    Parameters
    ----------
    open_categories : int
        The number of open categories of the player to move. The other player has one fewer.
    card : CardIndex
        The scorecard of the player who maximized points.
    second : bool
        Whether the player who maximized points moved last.
    """
    mover, other = (None, card) if second else (card, None)
    solver = DuelSolver(rules)
    endgames = solver.solve_endgames(open_categories, mover=mover, other=other, progress=progress)
    theirs = np.array(card.c), np.array(card.lane), np.array(card.score)

    def value(c: Integers, lane: Integers, score: Integers) -> Floats:
        mine = c, lane, score
        pair = (theirs, mine) if second else (mine, theirs)
        value = endgames.look_up(0, *pair)
        value = 1 - value if second else value
        return np.where(np.isnan(value), 1.0, value)  # NaN: an unreachable score

    return EndValues(len(rules.categories) - open_categories + (not second), value)


def student_quantile(probability: float, freedom: int) -> float:
    """Return a quantile of Student's t distribution.

    Parameters
    ----------
    probability : float
        The probability of values below the quantile, from 0.5 to less than 1.
    freedom : int
        The number of degrees of freedom, at least 1.
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
    """Return the probability of a value from -t to t under Student's t distribution.

    The finite sums are formulas 26.7.3 and 26.7.4 of Abramowitz & Stegun.
    """
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term = total = 0.0 if freedom == 1 else cos(angle) ** odd
    for power in range(2 + odd, freedom, 2):
        term *= (power - 1) / power * cos(angle) ** 2
        total += term
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total
