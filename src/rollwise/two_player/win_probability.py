"""Win probabilities of two players: exact for small games, otherwise near-optimal.

This module chooses between the two methods and defines the limits of the exact method. Exact win
probabilities come from :mod:`rollwise.two_player.solver` or from the cache. Near-optimal win
probabilities come from :mod:`rollwise.two_player.near_optimal`.
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
from rollwise.solving.position_index import CardIndex
from rollwise.solving.progress import Progress
from rollwise.strategies import TurnPolicy
from rollwise.two_player import policy
from rollwise.two_player.near_optimal import NearOptimal, can_estimate, near_optimal, win_policy
from rollwise.two_player.policy import CardArrays, WinPolicy, card_arrays
from rollwise.two_player.size import MAX_BYTES_OF_ALL, DuelSize
from rollwise.two_player.solution import DuelOption, DuelSolution
from rollwise.two_player.solver import DuelSolver


class Limit(NamedTuple):
    """The size of the largest exact solution to compute.

    Attributes
    ----------
    states : float
        The maximum number of two-player states.
    bytes : float
        The maximum peak memory in bytes.
    strict : bool
        Whether the limit also applies to games without a near-optimal method; otherwise these games
        are always solved exactly.
    """

    states: float
    bytes: float = inf
    strict: bool = False

    def allows(self, size: DuelSize) -> bool:
        """Return whether a solution is within the limit and fits into memory."""
        return size.fits and size.lanes <= self.states and size.bytes <= self.bytes


UNLIMITED = Limit(inf)
"""The limit of ``rollwise duel``, which depends only on the available memory."""

ADVICE = Limit(1e9)
"""The limit of ``rollwise advise``; Yahtzee with 7 open categories needs half of it."""

SERVER = Limit(5e8, strict=True)
"""The limit of a request to a server; the largest solution takes minutes."""

EVERY_ROLL = Limit(1.5e7, MAX_BYTES_OF_ALL)
"""The limit for win probabilities after every roll.

The largest solution takes 3 seconds on two cores. The limit does not depend on the machine, so
reviews and games are reproducible.
"""

ROUNDING = 1e-12
"""The maximum rounding error of a probability; a probability this close to 0 or 1 is certain."""


@dataclass(eq=False)
class WinQuery:
    """A request for the win probabilities from two scorecards.

    Attributes
    ----------
    solver : DuelSolver
    card : Scorecard or Position
        The scorecard of the player to move.
    opponent : Scorecard
        The scorecard of the opponent.
    limit : Limit
        The size of the largest exact solution to compute.
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
        """Whether memory suffices for the exact solution, or the game has a near-optimal method."""
        return self.size.fits or can_estimate(self.solver.rules)

    @cached_property
    def _cached(self) -> DuelSolution | None:
        if self.on_disk:
            return None
        return self.solver.cached(self.card, self.opponent, tie=self.tie, ties=self.ties)

    @cached_property
    def method(self) -> Literal["cached", "solve", "estimate"]:
        """The method: load an exact solution from the cache, solve exactly, or estimate.

        Raises
        ------
        TooLargeError
            If the game is too large for both methods.
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
        """Return the win probabilities, computed by :attr:`method`."""
        if self.method == "estimate":
            return near_optimal(self.card, self.opponent)
        return self.solve(progress)

    def solve(self, progress: Progress | None = None) -> DuelSolution:
        """Return the exact solution, whatever :attr:`method` is."""
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
class WinEstimate:
    """The win probability of the first of two players; a tie counts as half a win.

    Attributes
    ----------
    value : float
        The win probability.
    exact : bool
        Whether the probability is exact for two players who respond to each other; otherwise it is
        near-optimal.
    """

    value: float
    exact: bool

    def shares(self) -> tuple[str, str]:
        """Return the win probabilities of both players in percent, as strings.

        They begin with ``~`` if they are not exact. An undecided game is never 0% or 100%.
        """
        first = round(100 * self.value)
        if first in (0, 100) and ROUNDING < self.value < 1 - ROUNDING:
            return ("<1 %", ">99 %") if first == 0 else (">99 %", "<1 %")
        about = "" if self.exact else "~"
        return f"{about}{first} %", f"{about}{100 - first} %"


@dataclass(frozen=True)
class WinActionValues:
    """The options at a position against an opponent, and whether their values are exact.

    Attributes
    ----------
    options : list of DuelOption
        The options, best first.
    exact : bool
        Whether the values are exact; otherwise they are near-optimal.
    """

    options: list[DuelOption]
    exact: bool

    def of(self, action: Action) -> DuelOption:
        """Return the option with the given action."""
        return next(option for option in self.options if option.action == action)


class WinProbability:
    """The win probabilities after every roll of two-player games with the same rules.

    Solutions and distributions stay in memory from turn to turn. Methods are thread-safe and run
    one at a time.

    Parameters
    ----------
    rules : Rules
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._lock = RLock()
        self._solution: DuelSolution | None = None
        self._too_large: tuple[CardIndex, CardIndex] | None = None

    @cached_property
    def _policy(self) -> WinPolicy:
        return win_policy(self.rules)

    @cached_property
    def _estimates(self) -> WinPolicy:
        """A separate policy for estimates, which therefore do not change :attr:`_policy`."""
        return win_policy(self.rules)

    @cached_property
    def _solver(self) -> DuelSolver:
        return DuelSolver(self.rules)

    @cached_property
    def _is_small(self) -> bool:
        """Whether the whole game can be solved."""
        return EVERY_ROLL.allows(self._solver.size(ties=False, on_disk=True))

    def outlook(self, game: Game) -> WinEstimate | None:
        """Return the win probability of the first player in a two-player game.

        The exact probability after a roll assumes the best action. A near-optimal probability
        refers to the start of the turn. The result is None if the game is too large or does not
        have two players.
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
            return WinEstimate(float(1 - value if stage.player else value), exact)
        return None

    def answers(self, position: Position, opponent: Scorecard) -> WinActionValues | None:
        """Return the value of every action against an opponent, or None if the game is too large.

        ``position`` is the position of the player to move.
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
        """Return the policy of ``duel`` for a turn against an opponent.

        The result is None if the game is too large. ``position`` is the position of the player to
        move.
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
        """Return the exact win probability of the player to move, with the best next action."""
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
        """Return an exact solution for two scorecards, or None if it is too large."""
        places = self._place(mine), self._place(other)
        if self._solution is not None and self._solution.has(*places):
            return self._solution
        if places == self._too_large:
            return None
        # All layers are saved, because later turns use the same solution.
        request = WinQuery(self._solver, mine, other, EVERY_ROLL, ties=False, on_disk=True)
        if request.method == "estimate":
            self._too_large = places
            return None
        self._solution = request.solve()
        return self._solution

    def _place(self, card: Scorecard | Position) -> CardIndex:
        return CardIndex.of_card(self._policy.model, card)

    def _arrays(self, card: Scorecard | Position) -> CardArrays:
        return card_arrays(self._place(card))
