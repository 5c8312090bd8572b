"""Near-optimal win probabilities, for games that are too large to solve for two players.

The win probability before a turn is the estimate H of :mod:`rollwise.two_player.policy`, which
assumes that both players maximize points for the rest of the game. The win probability of an action
is the mean of H over the outcomes of the best turn that starts with this action.
"""

from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.model.turn import options_of
from rollwise.rules import Rules
from rollwise.solving.position_index import CardIndex, PositionIndex
from rollwise.solving.solution import TOLERANCE
from rollwise.solving.solver import Solver
from rollwise.two_player.policy import CardArrays, WinPolicy, card_arrays
from rollwise.two_player.solution import Chances, DuelOption, ranked_options

MAX_CARDS = 1 << 22
"""The maximum number of scorecards in a game.

In larger games, the search for reachable states is too slow.
"""

MAX_OPEN = 10
"""The maximum number of open categories of either player for which distributions are computed.

With more open categories, the distributions would take seconds.
"""

NEAR_OPTIMAL = (
    "Near-optimal, not exact: the estimate assumes that both players maximize points from there "
    "on.\nIn endgames of Yahtzee, it was off by up to 0.81 percentage points on average. With more "
    "than ten open categories, it uses a coarser method, which was off by up to 3.65."
)
"""The description of near-optimal probabilities; docs/two-player-theory.md has the errors."""


def can_estimate(rules: Rules) -> bool:
    """Return whether a game is so small that near-optimal win probabilities can be computed."""
    return rules.upper_numbers << len(rules.categories) <= MAX_CARDS


def near_optimal(card: Scorecard | Position, opponent: Scorecard) -> "NearOptimal":
    """Return the near-optimal win probabilities of the player to move, who has ``card``.

    Raises TooLargeError unless :func:`can_estimate` the game.
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
    return WinPolicy(Solver(rules).solve_by_card(moments=True))


class NearOptimal:
    """Near-optimal win probabilities of the player to move, who has ``card``.

    ``policy`` stores the distributions that are computed for the estimates.
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

    def __str__(self) -> str:
        return NEAR_OPTIMAL

    def value(self) -> float:
        """Return the win probability before the roll; a tie counts as half a win."""
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
        return ranked_options(model, place, value_Q_E_K, TOLERANCE, _chances)

    def _after(self, mine: CardArrays) -> NDArray[np.float64]:
        """Return the value and tie probability of each outcome, shape (2, O), or -inf."""
        self._policy.prepare(mine, self._other, MAX_OPEN)
        value_O, tie_O = (
            quantity(mine, self._other)[0]
            for quantity in (self._policy.outcome_values, self._policy.outcome_ties)
        )
        return np.where(value_O > -np.inf, _bounded(value_O, tie_O), -np.inf)


def _bounded(value: NDArray[Any], tie: NDArray[Any]) -> NDArray[np.float64]:
    """Return both, clipped to their ranges, which errors of single precision can exceed."""
    value = np.clip(value, 0.0, 1.0)
    return np.stack([value, np.clip(tie, 0.0, 2 * np.minimum(value, 1 - value))])


def _chances(value: float, tie: float) -> Chances[float]:
    return Chances(float(value - tie / 2), float(tie), float(1 - value - tie / 2))
