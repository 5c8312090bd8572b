"""Near-optimal win probabilities, for games that are too large to solve for two players.

The win probability before a turn is the estimate H of :mod:`rollwise.two_player.policy`, which
assumes that both players maximize points for the rest of the game. The win probability of an action
is the mean of H over the outcomes of the best turn that starts with this action. The error was
measured only in endgames of Yahtzee.
"""

from dataclasses import asdict, dataclass
from functools import cache, cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.model.turn import options_of
from rollwise.rules import Rules, load_rules
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.position_index import ActionValues, CardIndex, PositionIndex
from rollwise.solving.solution import TIE
from rollwise.solving.solver import Solver
from rollwise.two_player.policy import CardArrays, WinPolicy, card_arrays
from rollwise.two_player.solution import Chances, DuelOption

MAX_CARDS = 1 << 22
"""The maximum number of scorecards in a game.

In larger games, the search for reachable states is too slow.
"""

MAX_OPEN = 10
"""The maximum number of open categories of either player for which distributions are computed.

With more open categories, the distributions would take seconds.
"""


@dataclass(frozen=True)
class NearError:
    """The measured error of near-optimal win probabilities before a roll.

    Attributes
    ----------
    rules : str
        The name of the game in which the error was measured.
    boxes : int
        The number of open categories of each player.
    positions : int
        The number of positions, sampled from games between two players who maximize points.
    by : str
        The method of the estimates: the exact distributions of both final scores, or a normal
        approximation of the score difference.
    mean, worst : float
        The mean and the maximum absolute difference from the exact probability.
    """

    rules: str
    boxes: int
    positions: int
    by: Literal["distributions", "normal difference"]
    mean: float
    worst: float

    def __str__(self) -> str:
        return (
            f"Measured error: in {self.positions} positions of {self.rules} with {self.boxes} open "
            f"categories per player, estimates from {IN_WORDS[self.by]} were off by "
            f"{100 * self.mean:.2f} percentage points on average and by "
            f"{100 * self.worst:.2f} at most."
        )


IN_WORDS = {
    "distributions": "the distributions of both final scores",
    "normal difference": "a normal distribution of the score difference",
}

MEASURED_GAME = "yahtzee"
BY_DISTRIBUTIONS = (
    NearError(MEASURED_GAME, 3, 20, "distributions", 0.00494, 0.01596),
    NearError(MEASURED_GAME, 4, 20, "distributions", 0.00809, 0.02378),
    NearError(MEASURED_GAME, 5, 20, "distributions", 0.00748, 0.02127),
    NearError(MEASURED_GAME, 6, 20, "distributions", 0.00630, 0.02012),
    NearError(MEASURED_GAME, 7, 20, "distributions", 0.00681, 0.02127),
)
BY_NORMAL_DIFFERENCE = (
    NearError(MEASURED_GAME, 3, 20, "normal difference", 0.03650, 0.20298),
    NearError(MEASURED_GAME, 4, 20, "normal difference", 0.02664, 0.06516),
    NearError(MEASURED_GAME, 5, 20, "normal difference", 0.03066, 0.09540),
    NearError(MEASURED_GAME, 6, 20, "normal difference", 0.03027, 0.09494),
    NearError(MEASURED_GAME, 7, 20, "normal difference", 0.02400, 0.04894),
)
"""The errors that ``python benchmarks/duel.py --boxes 3 4 5 6 7`` measured, from 0 to 1."""

NEAR_OPTIMAL = (
    "Near-optimal, not exact: the estimate assumes that both players maximize points from there on."
)
"""The description of near-optimal probabilities; a sentence about their error follows it."""

NOT_MEASURED = "The error of the estimate was not measured for this game."


def can_estimate(rules: Rules) -> bool:
    """Return whether a game is so small that near-optimal win probabilities can be computed."""
    return rules.upper_numbers << len(rules.categories) <= MAX_CARDS


def near_optimal(card: Scorecard | Position, opponent: Scorecard) -> "NearOptimal":
    """Return the near-optimal win probabilities from two scorecards.

    Parameters
    ----------
    card : Scorecard or Position
        The scorecard of the player to move.
    opponent : Scorecard
        The scorecard of the opponent.

    Raises
    ------
    TooLargeError
        If :func:`can_estimate` is false for the game.
    """
    rules = card.rules
    if not can_estimate(rules):
        raise TooLargeError(
            f"{rules.name} is too large to estimate win probabilities; use a game with fewer "
            "categories"
        )
    return NearOptimal(win_policy(rules), card, opponent)


def win_policy(rules: Rules) -> WinPolicy:
    """Solve a game for the expected score, and return the policy that plays to win."""
    return WinPolicy(Solver(rules).solve(EXPECTED, moments=True))


class NearOptimal:
    """Near-optimal win probabilities from two scorecards.

    Parameters
    ----------
    policy : WinPolicy
        The policy for this game. It stores the distributions that are computed for the estimates.
    card, opponent : Scorecard or Position
        The scorecards of the player to move and of the opponent.

    Attributes
    ----------
    error : NearError or None
        The measured error for the closest number of open categories; None if no error was measured
        for this game.
    """

    exact: ClassVar[Literal[False]] = False
    grid: ClassVar[None] = None

    def __init__(
        self, policy: WinPolicy, card: Scorecard | Position, opponent: Scorecard | Position
    ) -> None:
        self._policy = policy
        self._mine, self._other = (
            card_arrays(CardIndex.of_card(policy.model, side)) for side in (card, opponent)
        )
        self.error: NearError | None = None
        if card.rules == _measured_rules():
            open_categories = max(int(policy.open_C[c[0]]) for c, *_ in (self._mine, self._other))
            by_distributions = open_categories <= MAX_OPEN
            measured = BY_DISTRIBUTIONS if by_distributions else BY_NORMAL_DIFFERENCE
            self.error = min(measured, key=lambda error: abs(error.boxes - open_categories))

    def __str__(self) -> str:
        return f"{NEAR_OPTIMAL}\n{self.error or NOT_MEASURED}"

    def error_as_dict(self) -> dict[str, Any] | None:
        """Return the measured error as JSON-compatible data, or None if there is none."""
        return asdict(self.error) if self.error else None

    def value(self) -> float:
        """Return the win probability before the roll of the player to move.

        A tie counts as half a win.
        """
        return float(self._before[0])

    def chances(self) -> Chances[float]:
        """Return the probabilities that the player to move wins, ties, or loses."""
        return _chances(*self._before)

    @cached_property
    def _before(self) -> NDArray[np.float64]:
        policy, cards = self._policy, (self._mine, self._other)
        policy.prepare(*cards, MAX_OPEN)
        return _bounded(policy.win_probability(*cards), policy.tie_probability(*cards))[:, 0]

    def options(self, position: Position) -> list[DuelOption]:
        """Return the options at a position of the player to move, best first."""
        model = self._policy.model
        place = PositionIndex.of(model, position)
        value_Q_E_K = self._after(card_arrays(place))[:, options_of(model, place.c)]
        rerolls = int(model.rerolls_C[place.c])
        turn = ActionValues(model.lattice, value_Q_E_K, rerolls, "mean", TIE)
        actions, value_Q_A = turn.at(place)
        highest = float(value_Q_A[0].max())
        options = [
            DuelOption(action, value, _chances(value, tie), highest)
            for action, value, tie in zip(actions, *value_Q_A.tolist(), strict=True)
        ]
        return sorted(options, key=lambda option: option.rank)

    def _after(self, mine: CardArrays) -> NDArray[np.float64]:
        """Return the value and tie probability of each outcome, shape (2, O); -inf if impossible.

        ``mine`` is the scorecard of the player to move.
        """
        self._policy.prepare(mine, self._other, MAX_OPEN)
        value_O, tie_O = (
            quantity(mine, self._other)[0]
            for quantity in (self._policy.outcome_values, self._policy.outcome_ties)
        )
        return np.where(value_O > -np.inf, _bounded(value_O, tie_O), -np.inf)


@cache
def _measured_rules() -> Rules:
    return load_rules(MEASURED_GAME)


def _bounded(value: NDArray[Any], tie: NDArray[Any]) -> NDArray[np.float64]:
    """Return the value and the tie probability, clipped to their possible ranges.

    Rounding errors of single precision can exceed these ranges.
    """
    value = np.clip(value, 0.0, 1.0)
    return np.stack([value, np.clip(tie, 0.0, 2 * np.minimum(value, 1 - value))])


def _chances(value: float, tie: float) -> Chances[float]:
    return Chances(float(value - tie / 2), float(tie), float(1 - value - tie / 2))
