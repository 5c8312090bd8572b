"""What two players can expect of each other, as far as it can be told within a turn.

Near the end the exact answer: each answers the other (:mod:`rollwise.two_player`). Before that
the near-optimal one (:mod:`rollwise.two_player.near_optimal`).
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from threading import RLock

import numpy as np

from rollwise.errors import TooLargeError
from rollwise.game.actions import Action, Keep
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules
from rollwise.solving.place import CardPlace
from rollwise.strategies import TurnPolicy
from rollwise.two_player import policy
from rollwise.two_player.near_optimal import NearOptimal, can_be_told, duel_play_of
from rollwise.two_player.policy import CardArrays, WinPolicy, cards_at
from rollwise.two_player.solution import DuelOption, DuelSolution
from rollwise.two_player.solver import KEPT, DuelSolver

LEADS = 15_000_000
"""Of a game of two that is solved: some three seconds on two cores; on any machine the same."""

ROUNDED = 1e-12
"""What sums of probabilities may be away from none or all."""


@dataclass(frozen=True)
class Outlook:
    """The chance that one player has against the other, a tie counting half.

    Attributes
    ----------
    value : float
    exact : bool
        Whether each answers the other; else it is about right.
    """

    value: float
    exact: bool

    def shares(self) -> tuple[str, str]:
        """Return the chances of both in percent, as people read them; ``~`` where not exact.

        What is still open is neither 0 % nor 100 %.
        """
        first = round(100 * self.value)
        if first in (0, 100) and ROUNDED < self.value < 1 - ROUNDED:
            return ("<1 %", ">99 %") if first == 0 else (">99 %", "<1 %")
        about = "" if self.exact else "~"
        return f"{about}{first} %", f"{about}{100 - first} %"


@dataclass(frozen=True)
class ActionValues:
    """What every action is worth against an opponent.

    Attributes
    ----------
    options : list of DuelOption
        Best first.
    exact : bool
        Whether they are; else they are about right.
    """

    options: list[DuelOption]
    exact: bool

    def of(self, action: Action) -> DuelOption:
        """Return the option of an action."""
        return next(option for option in self.options if option.action == action)


class WinProbability:
    """What two players of one game can expect; what was found for a turn is there for the next.

    Any thread may ask; one answer is worked out at a time.

    Parameters
    ----------
    rules : Rules
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._lock = RLock()
        self._duel: DuelSolution | None = None
        self._too_far: tuple[CardPlace, CardPlace] | None = None

    @cached_property
    def _play(self) -> WinPolicy:
        return duel_play_of(self.rules)

    @cached_property
    def _near(self) -> WinPolicy:
        """Of its own: how ``duel`` plays does not depend on what was asked for."""
        return duel_play_of(self.rules)

    @cached_property
    def _duels(self) -> DuelSolver:
        return DuelSolver(self.rules)

    @cached_property
    def _is_small(self) -> bool:
        """Whether the whole game is soon solved."""
        size = self._duels.size(ties=False, on_disk=True)
        return size.lanes <= LEADS and size.bytes <= KEPT

    def outlook(self, game: Game) -> Outlook | None:
        """Return what the first of two players has to expect.

        While the dice lie the best that they allow is expected; without an exact answer what was to
        be expected before the turn. None unless there are two, or of too large a game.
        """
        if len(game.players) != 2 or not can_be_told(self.rules):
            return None
        stage = game.stage
        mine, other = stage.cards[stage.player], stage.cards[1 - stage.player]
        with self._lock, suppress(TooLargeError):
            if game.is_over:
                chance, exact = (1 + np.sign(mine.points - other.points)) / 2, True
            elif solution := self._solved(mine, other):
                chance, exact = self._exactly(solution, game), True
            else:
                chance, exact = NearOptimal(self._near, mine, other).value(), False
            return Outlook(float(1 - chance if stage.player else chance), exact)
        return None

    def answers(self, position: Position, opponent: Scorecard) -> ActionValues | None:
        """Return what every action is worth against an opponent; None where that is out of reach.

        Parameters
        ----------
        position : Position
            Of the player who is to move.
        opponent : Scorecard
            Of the other one.
        """
        if not can_be_told(self.rules):
            return None
        with self._lock, suppress(TooLargeError):
            if solution := self._solved(position, opponent):
                return ActionValues(solution.options(position, self._place(opponent)), exact=True)
            near = NearOptimal(self._near, position, opponent)
            return ActionValues(near.options(position), exact=False)
        return None

    def policy(self, position: Position, opponent: Scorecard) -> TurnPolicy | None:
        """Return how ``duel`` plays a turn against an opponent; None where that is out of reach.

        Parameters are as for :meth:`answers`.
        """
        if not can_be_told(self.rules):
            return None
        with self._lock, suppress(TooLargeError):
            mine, other = self._cards(position), self._cards(opponent)
            exactly = self._is_small or self._play.are_within(policy.NEAR, mine[0], other[0])
            ends = self._solved(position, opponent) if exactly else None
            self._play.look_from(mine, other, policy.FEW)
            keeps, categories = self._play.turns(mine, self._play.worths(mine, other, ends))
            return TurnPolicy(tuple(keeps[0]), categories[0])
        return None

    def _exactly(self, solution: DuelSolution, game: Game) -> float:
        """Return the chance of the player who is to move."""
        stage = game.stage
        mine, other = stage.cards[stage.player], self._place(stage.cards[1 - stage.player])
        last = game.events[-1] if game.events else None
        if isinstance(last, Keep):
            before = Game(game.rules, game.players, game.events[:-1]).position
            assert before is not None
            options = solution.options(before, other)
            return next(option.value for option in options if option.action == last)
        if game.position is not None:
            return solution.options(game.position, other)[0].value
        return solution.value(self._place(mine), other)

    def _solved(self, mine: Scorecard | Position, other: Scorecard) -> DuelSolution | None:
        """Return the game of two from these cards, solved; None where that takes too long."""
        places = self._place(mine), self._place(other)
        if self._duel is not None and self._duel.has(*places):
            return self._duel
        if places == self._too_far:
            return None
        size = self._duels.size(mine, other, ties=False, on_disk=True)
        if size.lanes > LEADS or size.bytes > KEPT:
            self._too_far = places
            return None
        # All layers: the next turns are answered by the same solution.
        self._duel = self._duels.solve(mine, other, ties=False, on_disk=True)
        return self._duel

    def _place(self, card: Scorecard | Position) -> CardPlace:
        return CardPlace.of_card(self._play.model, card)

    def _cards(self, card: Scorecard | Position) -> CardArrays:
        return cards_at(self._place(card))
