"""The base class of all strategies, which map scorecards to the policies of turns."""

from abc import ABC, abstractmethod

from rollwise.game.actions import Action
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice
from rollwise.rules import Rules
from rollwise.solving.solution import Solution
from rollwise.solving.turn_policy import Cards, Turns


class Strategy(ABC):
    """A strategy for whole games: a name, and a policy for every turn.

    Attributes
    ----------
    sees : tuple of str
        What the policy depends on, besides the filled categories: ``"lane"`` for the upper-section
        total, ``"score"`` for the points so far. A policy is computed once for all other values.
    batch : int
        The maximum number of scorecards in a call of :meth:`turns`, to limit memory.
    ties : str or None
        The tie-breaking rule, in words.
    rules : Rules or None
        The game, if the strategy is for one game.
    solution : Solution or None
        The solution that an optimal strategy follows.
    die_bonus : float
        The value that an optimal strategy adds for each die to keep, to break ties.
    responds : bool
        Whether the strategy responds to the opponent, so that it has no score of its own.

    Examples
    --------
    >>> isinstance(parse_strategy("greedy"), Strategy)
    True
    """

    name: str
    sees: tuple[str, ...] = ("lane",)
    batch: int = 2048
    ties: str | None = None
    rules: Rules | None = None
    solution: Solution | None = None
    die_bonus: float = 0.0
    responds: bool = False

    def __repr__(self) -> str:
        return f"<Strategy {self.name}>"

    @abstractmethod
    def turns(self, cards: Cards) -> Turns:
        """Return the policies of turns on scorecards with the same number of rerolls."""

    def options(self, position: Position) -> list[tuple[Action, float]]:
        """Return the options of a roll with the expected points of the turn, best first.

        The list is empty if the strategy does not compare options in this way.
        """
        return []

    def aim(self, rules: Rules, filled: int, roll: Dice, left: int) -> str | None:
        """Return the key of the category that the strategy chooses for a roll, or None.

        ``filled`` is the bit mask of the filled categories, and ``left`` is the number of rerolls
        left.
        """
        return None
