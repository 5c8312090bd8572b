"""Win probabilities of two players: exact where that is affordable, near-optimal otherwise.

This module alone decides which of the two methods answers a question, and has the limits for it.
An exact answer comes from :mod:`rollwise.two_player.solver`, or from the cache; a near-optimal one
from :mod:`rollwise.two_player.near_optimal`.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from threading import RLock
from typing import Literal, NamedTuple

import numpy as np

from rollwise.errors import TooLargeError
from rollwise.game.actions import Action, Keep
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules
from rollwise.solving.place import CardPlace
from rollwise.solving.progress import Progress
from rollwise.strategies import TurnPolicy
from rollwise.two_player import policy
from rollwise.two_player.near_optimal import NearOptimal, can_estimate, near_optimal, win_policy
from rollwise.two_player.policy import CardArrays, WinPolicy, card_arrays
from rollwise.two_player.size import MAX_BYTES_OF_ALL, DuelSize
from rollwise.two_player.solution import DuelOption, DuelSolution
from rollwise.two_player.solver import DuelSolver


class Limit(NamedTuple):
    """The largest exact solution that is computed for an answer.

    Attributes
    ----------
    states : float
        Two-player states.
    bytes : float
        Memory at once.
    strict : bool
        Whether a game above the limit is refused if it has no near-optimal answer either; otherwise
        it is solved exactly all the same.
    """

    states: float
    bytes: float = inf
    strict: bool = False

    def allows(self, size: DuelSize) -> bool:
        """Return whether a solution is within the limit and fits into memory."""
        return size.fits and size.lanes <= self.states and size.bytes <= self.bytes


UNLIMITED = Limit(inf)
"""For ``rollwise duel``: exact whenever memory suffices, however long it takes."""

ADVICE = Limit(1e9)
"""For ``rollwise advise``: endgames of official Yahtzee with 7 open categories take half of it."""

SERVER = Limit(5e8, strict=True)
"""For a request to a server: minutes."""

EVERY_ROLL = Limit(1.5e7, MAX_BYTES_OF_ALL)
"""For answers after every roll: about three seconds on two cores. It does not depend on the
machine, so that reviews and games are reproducible."""

ROUNDING = 1e-12
"""A sum of probabilities this close to 0 or 1 is 0 or 1."""


@dataclass(eq=False)
class WinQuestion:
    """The win probabilities from two scorecards, with the method that finds them.

    Attributes
    ----------
    solver : DuelSolver
    card : Scorecard or Position
        Of the player to move.
    opponent : Scorecard
        Of the opponent.
    limit : Limit
    tie, ties, on_disk
        As for :meth:`rollwise.two_player.solver.DuelSolver.solve`.
    """

    solver: DuelSolver
    card: Scorecard | Position
    opponent: Scorecard
    limit: Limit
    tie: float = 0.5
    ties: bool = True
    on_disk: bool = False
    _solution: DuelSolution | None = field(default=None, init=False)

    @cached_property
    def size(self) -> DuelSize:
        """The time and memory that the exact solution takes."""
        return self.solver.size(self.card, self.opponent, ties=self.ties, on_disk=self.on_disk)

    @property
    def has_answer(self) -> bool:
        """Whether memory suffices for the exact solution, or the game has a near-optimal one."""
        return self.size.fits or can_estimate(self.solver.rules)

    @cached_property
    def _cached(self) -> DuelSolution | None:
        if self.on_disk:
            return None
        return self.solver.cached(self.card, self.opponent, tie=self.tie, ties=self.ties)

    @cached_property
    def method(self) -> Literal["cached", "solve", "estimate"]:
        """How the question is answered: exactly from the cache, exactly, or near-optimally.

        Raises
        ------
        TooLargeError
            If neither method can answer it.
        """
        if self._cached is not None:
            return "cached"
        rules, size = self.solver.rules, self.size
        if can_estimate(rules) and not self.limit.allows(size):
            if self.tie != 0.5:
                raise TooLargeError(
                    f"{rules.name} for two from these cards takes {size}: expected room for it "
                    "where a tie is not half a win, as it is in near-optimal play"
                )
            return "estimate"
        size.check(rules.name)
        if self.limit.strict and size.lanes > self.limit.states:
            raise TooLargeError(
                f"{rules.name} for two from these cards takes {size}: expected at most "
                f"{self.limit.states:.3g} leads, as with fewer open categories"
            )
        return "solve"

    def answer(self, progress: Progress | None = None) -> DuelSolution | NearOptimal:
        """Return the win probabilities."""
        if self.method == "estimate":
            return near_optimal(self.card, self.opponent)
        return self.solve(progress)

    def solve(self, progress: Progress | None = None) -> DuelSolution:
        """Return the exact solution, whatever the method."""
        if self._solution is None:
            self._solution = self._cached or self.solver.solve(
                self.card,
                self.opponent,
                tie=self.tie,
                ties=self.ties,
                on_disk=self.on_disk,
                progress=progress,
            )
        return self._solution


@dataclass(frozen=True)
class Outlook:
    """The win probability of one player against the other; a tie counts half.

    Attributes
    ----------
    value : float
    exact : bool
        Whether it is exact, for two players who respond to each other; otherwise near-optimal.
    """

    value: float
    exact: bool

    def shares(self) -> tuple[str, str]:
        """Return the probabilities of both players in percent, with ``~`` if not exact.

        An undecided game is neither 0 % nor 100 %.
        """
        first = round(100 * self.value)
        if first in (0, 100) and ROUNDING < self.value < 1 - ROUNDING:
            return ("<1 %", ">99 %") if first == 0 else (">99 %", "<1 %")
        about = "" if self.exact else "~"
        return f"{about}{first} %", f"{about}{100 - first} %"


@dataclass(frozen=True)
class WinActionValues:
    """The values of all actions at a position against an opponent.

    Attributes
    ----------
    options : list of DuelOption
        Best first.
    exact : bool
        Whether they are exact; otherwise near-optimal.
    """

    options: list[DuelOption]
    exact: bool

    def of(self, action: Action) -> DuelOption:
        """Return the option of an action."""
        return next(option for option in self.options if option.action == action)


class WinProbability:
    """Win probabilities after every roll of two-player games by the same rules.

    Solutions and distributions are retained from turn to turn. Any thread may ask; one answer is
    computed at a time.

    Parameters
    ----------
    rules : Rules
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._lock = RLock()
        self._solution: DuelSolution | None = None
        self._too_large: tuple[CardPlace, CardPlace] | None = None

    @cached_property
    def _policy(self) -> WinPolicy:
        return win_policy(self.rules)

    @cached_property
    def _estimates(self) -> WinPolicy:
        """A second policy: the turns of the first do not depend on the questions asked."""
        return win_policy(self.rules)

    @cached_property
    def _solver(self) -> DuelSolver:
        return DuelSolver(self.rules)

    @cached_property
    def _is_small(self) -> bool:
        """Whether the whole game can be solved."""
        return EVERY_ROLL.allows(self._solver.size(ties=False, on_disk=True))

    def outlook(self, game: Game) -> Outlook | None:
        """Return the win probability of the first of two players.

        After a roll it assumes the best action; a near-optimal one is from before the turn. None if
        there are not two players, or if the game is too large.
        """
        if len(game.players) != 2 or not can_estimate(self.rules):
            return None
        stage = game.stage
        mine, other = stage.cards[stage.player], stage.cards[1 - stage.player]
        with self._lock, suppress(TooLargeError):
            if game.is_over:
                value, exact = (1 + np.sign(mine.points - other.points)) / 2, True
            elif solution := self._exact(mine, other):
                value, exact = self._value(solution, game), True
            else:
                value, exact = NearOptimal(self._estimates, mine, other).value(), False
            return Outlook(float(1 - value if stage.player else value), exact)
        return None

    def answers(self, position: Position, opponent: Scorecard) -> WinActionValues | None:
        """Return the value of every action against an opponent; None if the game is too large.

        Parameters
        ----------
        position : Position
            Of the player to move.
        opponent : Scorecard
            Of the opponent.
        """
        if not can_estimate(self.rules):
            return None
        with self._lock, suppress(TooLargeError):
            if solution := self._exact(position, opponent):
                return WinActionValues(
                    solution.options(position, self._place(opponent)), exact=True
                )
            estimate = NearOptimal(self._estimates, position, opponent)
            return WinActionValues(estimate.options(position), exact=False)
        return None

    def policy(self, position: Position, opponent: Scorecard) -> TurnPolicy | None:
        """Return how ``duel`` plays a turn against an opponent; None if the game is too large.

        The parameters are those of :meth:`answers`.
        """
        if not can_estimate(self.rules):
            return None
        with self._lock, suppress(TooLargeError):
            mine, other = self._arrays(position), self._arrays(opponent)
            near_end = self._policy.at_most(policy.EXACT_CATEGORIES, mine[0], other[0])
            endgames = self._exact(position, opponent) if self._is_small or near_end else None
            self._policy.prepare(mine, other, policy.DISTRIBUTION_CATEGORIES)
            values = self._policy.outcome_values(mine, other, endgames)
            keeps, categories = self._policy.turns(mine, values)
            return TurnPolicy(tuple(keeps[0]), categories[0])
        return None

    def _value(self, solution: DuelSolution, game: Game) -> float:
        """Return the exact win probability of the player to move."""
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

    def _exact(self, mine: Scorecard | Position, other: Scorecard) -> DuelSolution | None:
        """Return an exact solution for two scorecards; None if it is too large."""
        places = self._place(mine), self._place(other)
        if self._solution is not None and self._solution.has(*places):
            return self._solution
        if places == self._too_large:
            return None
        # All layers: the same solution answers the next turns.
        question = WinQuestion(self._solver, mine, other, EVERY_ROLL, ties=False, on_disk=True)
        if question.method == "estimate":
            self._too_large = places
            return None
        self._solution = question.solve()
        return self._solution

    def _place(self, card: Scorecard | Position) -> CardPlace:
        return CardPlace.of_card(self._policy.model, card)

    def _arrays(self, card: Scorecard | Position) -> CardArrays:
        return card_arrays(self._place(card))
