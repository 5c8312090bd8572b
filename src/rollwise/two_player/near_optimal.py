"""What two players can expect of each other in games too large to solve: near-optimal chances.

They are those of :mod:`rollwise.two_player.policy`: H before a turn, as if both went on for
points, and of an action the mean of H over what the best turn for it leads to.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.model.turn import options_of
from rollwise.rules import Rules
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.place import ActionWorths, CardPlace, Place
from rollwise.solving.solution import TIE
from rollwise.solving.solver import Solver
from rollwise.two_player.policy import CardArrays, WinPolicy, cards_at
from rollwise.two_player.solution import Chances, DuelOption

MAX_CARDS = 1 << 22
"""Of games with more of them nothing is told: to find what can be reached would take too long."""


DISTRIBUTIONS = 10
"""Open boxes of either player up to which whole laws are compared: more would take seconds."""


@dataclass(frozen=True)
class NearError:
    """How far near-optimal chances before a roll were from the exact ones, where both are known.

    Attributes
    ----------
    rules : str
        The game in which that was measured.
    boxes : int
        Open boxes of either player.
    positions : int
        So many, of games that best play for points leads to.
    by : str
        What was compared: whole laws of both final scores, or a normal difference.
    mean, worst : float
        Distances of chances.
    """

    rules: str
    boxes: int
    positions: int
    by: Literal["laws", "normal difference"]
    mean: float
    worst: float

    def __str__(self) -> str:
        return (
            f"As far as that is known: in {self.positions} positions of {self.rules} with "
            f"{self.boxes} open boxes each, chances before a roll by {IN_WORDS[self.by]} were off "
            f"by {100 * self.mean:.2f} percentage points on average, {100 * self.worst:.2f} at "
            "worst."
        )


IN_WORDS = {
    "laws": "the laws of both final scores",
    "normal difference": "a normal law of the difference of both final scores",
}

BY_DISTRIBUTIONS = (
    NearError("yahtzee", 3, 20, "laws", 0.00494, 0.01596),
    NearError("yahtzee", 4, 20, "laws", 0.00809, 0.02378),
    NearError("yahtzee", 5, 20, "laws", 0.00748, 0.02127),
    NearError("yahtzee", 6, 20, "laws", 0.00630, 0.02012),
    NearError("yahtzee", 7, 20, "laws", 0.00681, 0.02127),
)
BY_NORMAL_DIFFERENCE = (
    NearError("yahtzee", 3, 20, "normal difference", 0.03650, 0.20298),
    NearError("yahtzee", 4, 20, "normal difference", 0.02664, 0.06516),
    NearError("yahtzee", 5, 20, "normal difference", 0.03066, 0.09540),
    NearError("yahtzee", 6, 20, "normal difference", 0.03027, 0.09494),
    NearError("yahtzee", 7, 20, "normal difference", 0.02400, 0.04894),
)
"""What ``python benchmarks/duel.py --boxes 3 4 5 6 7`` prints, as shares."""

NEAR_OPTIMAL = (
    "Near-optimal, not exact: cards are compared as if both players went on for points from there."
)
"""What is told of such chances; what is known of their error follows."""


def can_be_told(rules: Rules) -> bool:
    """Return whether a game is small enough for anything to be told of two players of it.

    Of boxes that are announced nothing is.
    """
    return not rules.announced and rules.upper_numbers << len(rules.categories) <= MAX_CARDS


def near_optimal(card: Scorecard | Position, opponent: Scorecard) -> "NearOptimal":
    """Return the near-optimal chances of two players from their cards.

    Parameters
    ----------
    card : Scorecard or Position
        Of the player who is to move.
    opponent : Scorecard
        Of the other one.

    Raises
    ------
    TooLargeError
        When nothing can be told of such a game.
    """
    rules = card.rules
    if not can_be_told(rules):
        raise TooLargeError(f"{rules.name}: its cards are too many for chances of two players")
    return NearOptimal(duel_play_of(rules), card, opponent)


def duel_play_of(rules: Rules) -> WinPolicy:
    """Return what one thinks of a game who plays to win."""
    return WinPolicy(Solver(rules).solve(EXPECTED, moments=True))


class NearOptimal:
    """Near-optimal chances of two players from two cards.

    Parameters
    ----------
    play : WinPolicy
        What is thought of the game; laws that are worked out stay there.
    card, opponent : Scorecard or Position
        Of the player who is to move, and of the other one.

    Attributes
    ----------
    error : NearError
        What is known of their error: from as many open boxes, or the nearest number of them.
    """

    exact: ClassVar[Literal[False]] = False

    def __init__(
        self, play: WinPolicy, card: Scorecard | Position, opponent: Scorecard | Position
    ) -> None:
        self._play = play
        self._mine, self._other = (
            cards_at(CardPlace.of_card(play.model, one)) for one in (card, opponent)
        )
        boxes = max(int(play.open_C[cards[0][0]]) for cards in (self._mine, self._other))
        measured = BY_DISTRIBUTIONS if boxes <= DISTRIBUTIONS else BY_NORMAL_DIFFERENCE
        self.error = min(measured, key=lambda one: abs(one.boxes - boxes))

    def __str__(self) -> str:
        return f"{NEAR_OPTIMAL}\n{self.error}"

    def value(self) -> float:
        """Return the chance of the player who is to move before his roll, a tie counting half."""
        return float(self._before[0])

    def chances(self) -> Chances[float]:
        """Return his chances of win, tie and loss."""
        return _chances(*self._before)

    @cached_property
    def _before(self) -> NDArray[np.float64]:
        self._play.look_from(self._mine, self._other, DISTRIBUTIONS)
        cards = self._mine, self._other
        return _bounded(self._play.chance(*cards), self._play.tie(*cards))[:, 0]

    def options(self, position: Position) -> list[DuelOption]:
        """Return every legal action at a position of the player who is to move, best first."""
        model = self._play.model
        place = Place.of(model, position)
        worth_Q_E_K = self._after(cards_at(place))[:, options_of(model, place.c)]
        rerolls = int(model.rerolls_C[place.c])
        turn = ActionWorths(model.lattice, worth_Q_E_K, rerolls, "mean", TIE)
        actions, worth_Q_A = turn.at(place)
        best = float(worth_Q_A[0].max())
        options = [
            DuelOption(action, value, _chances(value, tie), best)
            for action, value, tie in zip(actions, *worth_Q_A.tolist(), strict=True)
        ]
        return sorted(options, key=lambda option: option.rank)

    def _after(self, mine: CardArrays) -> NDArray[np.float64]:
        """Return value and tie of each outcome of a turn, shape (2, O); -inf if it cannot be."""
        self._play.look_from(mine, self._other, DISTRIBUTIONS)
        value_O, tie_O = (
            worths(mine, self._other)[0] for worths in (self._play.worths, self._play.ties)
        )
        return np.where(value_O > -np.inf, _bounded(value_O, tie_O), -np.inf)


def _bounded(value: NDArray[Any], tie: NDArray[Any]) -> NDArray[np.float64]:
    """Return them as probabilities that go together: laws in single precision are a bit off."""
    value = np.clip(value, 0.0, 1.0)
    return np.stack([value, np.clip(tie, 0.0, 2 * np.minimum(value, 1 - value))])


def _chances(value: float, tie: float) -> Chances[float]:
    return Chances(float(value - tie / 2), float(tie), float(1 - value - tie / 2))
