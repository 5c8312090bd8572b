"""Win probabilities of two players: exact, near-exact on a grid, or near-optimal.

:attr:`WinQuery.method` decides which of them answers a query, within the limits of this module.
Exact and near-exact probabilities come from :mod:`rollwise.two_player.solver` or from the cache.
Near-optimal probabilities come from :mod:`rollwise.two_player.near_optimal`.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf
from threading import RLock
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np

from rollwise.distribution import Distribution
from rollwise.errors import InconsistentError, TooLargeError
from rollwise.evaluation.evaluate import final_distribution
from rollwise.game.actions import Action, Keep
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules
from rollwise.solving.position_index import CardIndex
from rollwise.solving.progress import Progress
from rollwise.solving.solver import solve
from rollwise.solving.turn_policy import Turns
from rollwise.strategies import Optimal, Strategy
from rollwise.two_player import policy
from rollwise.two_player.grid import Grid, grids_for
from rollwise.two_player.near_optimal import NearOptimal, can_estimate, near_optimal, win_policy
from rollwise.two_player.policy import CardArrays, WinPolicy, card_arrays
from rollwise.two_player.size import MAX_BYTES, MAX_BYTES_OF_ALL, DuelSize
from rollwise.two_player.solution import DuelOption, DuelSolution
from rollwise.two_player.solver import DuelSolver


class Limit(NamedTuple):
    """The size of the largest solution to compute: two-player states and peak memory.

    ``on_grid`` is the number of states of a near-exact solution. Games without a near-optimal
    method are always solved exactly, unless the limit is ``strict``.
    """

    states: float
    on_grid: float
    bytes: float = inf
    strict: bool = False

    def allows(self, size: DuelSize, is_grid: bool = False) -> bool:
        """Return whether a solution is within the limit and fits into memory."""
        states = self.on_grid if is_grid else self.states
        return size.fits and size.lanes <= states and size.bytes <= self.bytes


UNLIMITED = Limit(inf, 4e9)
"""The limit of ``rollwise duel``.

An exact solution needs only memory; the largest one on a grid takes half an hour on two cores.
"""

ADVICE = Limit(1e9, 1e9)
"""The limit of ``rollwise advise``; Yahtzee with 7 open categories needs half of it."""

SERVER = Limit(5e8, 5e8, strict=True)
"""The limit of a request to the web server; the largest solution takes minutes."""

EVERY_ROLL = Limit(1.5e7, 1e8, MAX_BYTES_OF_ALL)
"""The limit for win probabilities after every roll.

On two cores, the largest exact solution takes 3 seconds, and the largest one on a grid 20 seconds,
once in a game. Such a grid often suffices for 8 open categories in Yahtzee. The limit does not
depend on the machine, so reviews and games are reproducible.
"""

SHARED = EVERY_ROLL._replace(on_grid=0)
"""The limit if other games wait meanwhile: on a server, and in a match of thousands of games."""

FEWER_STATES, FEWER_BYTES = 200, 2000
"""The maximum factors by which a grid reduces the number of two-player states and the memory."""

ROUNDING = 1e-12
"""The maximum rounding error of a probability.

A game is decided if its win probability is this close to 0 or 1.
"""


@dataclass(eq=False)
class WinQuery:
    """A request for the win probabilities of the player to move, who has ``card``.

    ``tie``, ``ties``, ``on_disk``, and ``save`` are those of
    :meth:`rollwise.two_player.solver.DuelSolver.solve`. If an exact solution is not within the
    limit, the first of the ``grids`` is used whose solution is saved, or else is within the limit;
    to ``save`` a solution, it only needs memory. Otherwise, a saved solution of the whole game is
    used. With ``always_grid``, the first grid is used in any case.
    """

    solver: DuelSolver
    card: Scorecard | Position
    opponent: Scorecard
    limit: Limit
    tie: float = 0.5
    ties: bool = True
    on_disk: bool = False
    save: bool = False
    grids: Sequence[Grid] = ()
    always_grid: bool = False

    @cached_property
    def method(self) -> Literal["cached", "solve", "grid", "estimate"]:
        """Saved, exact if within the limit, otherwise on a grid if one is, otherwise estimated.

        A game that cannot be estimated is solved exactly; :meth:`check` states whether it can be.
        """
        if self.always_grid:
            return "grid"
        if self._saved:
            return "cached"
        if self.limit.allows(self.exact_size):
            return "solve"
        if self.grid is not None:
            return "grid"
        if self._whole:
            return "cached"
        return "estimate" if can_estimate(self.solver.rules) else "solve"

    @cached_property
    def grid(self) -> Grid | None:
        """The grid, if one is used."""
        if self.always_grid:
            return self.grids[0]
        exact, limit = self.exact_size, self.limit
        if self.save:
            limit = limit._replace(on_grid=inf)
        if exact.lanes > FEWER_STATES * limit.on_grid or exact.bytes > FEWER_BYTES * MAX_BYTES:
            return None  # without computing the sizes on grids, which takes seconds
        for grid in self.grids:
            if limit.allows(self._size(grid), is_grid=True):
                return grid
        return None

    def check(self) -> None:
        """Raise TooLargeError if the game is too large for :attr:`method`."""
        if self.method == "cached":
            return
        name, size = self.solver.rules.name, self.size
        if self.method != "estimate":
            size.check(name)
        elif self.tie != 0.5:
            raise TooLargeError(
                f"{name} from these scorecards is too large for an exact solution ({size}), and "
                "the estimate counts a tie as half a win; leave out --ties-lose, or fill more "
                "categories"
            )
        is_solved = self.method != "estimate"
        if is_solved and self.limit.strict and size.lanes > self.limit.states:
            raise TooLargeError(
                f"{name} from these scorecards has {size.lanes:.3g} two-player states, and the "
                f"limit is {self.limit.states:.3g}; fill more categories"
            )

    @property
    def size(self) -> DuelSize:
        """The time and memory that the solution takes, on the grid if that is the method."""
        return self._grid_size if self.method == "grid" else self.exact_size

    @cached_property
    def exact_size(self) -> DuelSize:
        """The time and memory that the exact solution takes."""
        return self._size(None)

    @cached_property
    def _grid_size(self) -> DuelSize:
        return self._size(self.grid)

    def _size(self, grid: Grid | None) -> DuelSize:
        all_layers = self.on_disk or self.save
        return self.solver.size(
            self.card, self.opponent, ties=self.ties, on_disk=all_layers, grid=grid
        )

    @cached_property
    def _saved(self) -> DuelSolution | None:
        if self.save or self.always_grid:
            return None
        if (whole := self._part_of_game(None)) is not None:
            return whole
        if self.on_disk:
            return None
        cards = self.card, self.opponent
        saved = self.solver.cached(*cards, tie=self.tie, ties=self.ties)
        if saved is not None or self.limit.allows(self.exact_size):
            return saved
        for grid in self.grids:
            saved = self.solver.cached(*cards, tie=self.tie, grid=grid)
            if saved is not None:
                return saved
        return None

    @cached_property
    def _whole(self) -> DuelSolution | None:
        """The part of the saved light solution of the whole game, if any."""
        light = grids_for(len(self.solver.rules.categories))["light"]
        return self._part_of_game(light) if self.grids else None

    def _part_of_game(self, grid: Grid | None) -> DuelSolution | None:
        """Return the part of a saved game that these scorecards reach, if any."""
        whole = self.solver.saved_game(grid) if self.tie == 0.5 else None
        model = self.solver.model
        mine, other = (CardIndex.of_card(model, card) for card in (self.card, self.opponent))
        if whole is None or not whole.has(mine, other):
            return None
        return replace(whole, card=mine, opponent=other)

    def answer(self, progress: Progress | None = None) -> DuelSolution | NearOptimal:
        """Return the win probabilities, computed with :attr:`method`."""
        self.check()
        if self.method == "estimate":
            return near_optimal(self.card, self.opponent)
        saved = self._saved or (self._whole if self.method == "cached" else None)
        return saved or self.solver.solve(
            self.card,
            self.opponent,
            tie=self.tie,
            ties=self.ties,
            on_disk=self.on_disk,
            save=self.save,
            grid=self.grid if self.method == "grid" else None,
            progress=progress,
        )


def grids_of(card: Scorecard | Position, opponent: Scorecard) -> dict[str, Grid]:
    """Return the fine and the light grid for two scorecards, by name."""
    filled = min(side.state.filled.bit_count() for side in (card, opponent))
    return grids_for(len(card.rules.categories) - filled)


Assumption = Literal["win", "points", "strategy"]
"""How the players go on: both play to win; both play for points; or people play for points, and
computer opponents have strategies that do not respond."""


@dataclass(frozen=True)
class WinEstimate:
    """The win probability of the first of two players; a tie counts as half a win.

    It is exact, or near-exact on a grid, if the players do what it ``assumes``; but near-optimal if
    both play for points.
    """

    value: float
    assumes: Assumption

    def shares(self) -> tuple[str, str]:
        """Return the win probabilities of both players in percent, as strings.

        Near-optimal probabilities begin with ``~``. An undecided game is never 0% or 100%.
        """
        first = round(100 * self.value)
        if first in (0, 100) and ROUNDING < self.value < 1 - ROUNDING:
            return ("<1%", ">99%") if first == 0 else (">99%", "<1%")
        about = "~" if self.assumes == "points" else ""
        return f"{about}{first}%", f"{about}{100 - first}%"


@dataclass(frozen=True)
class WinActionValues:
    """The options at a position against an opponent, best first.

    Their values are ``exact``, near-exact on a grid, or near-optimal.
    """

    options: list[DuelOption]
    exact: bool

    def of(self, action: Action) -> DuelOption:
        """Return the option with the given action."""
        return next(option for option in self.options if option.action == action)


@lru_cache(maxsize=64)
def _final_distribution(strategy: Strategy, card: Scorecard) -> Distribution:
    """Return the distribution of a final score; on disk, cache only those of whole games."""
    return final_distribution(strategy, card, cache=not card.filled)


class WinProbability:
    """The win probabilities after every roll of two-player games with the same rules.

    Solutions and distributions stay in memory from turn to turn. Methods are thread-safe and run
    one at a time. They return None if the game is too large. Positions belong to the player to
    move. Each ``progress`` is called with the completed fraction of a solution, if one is needed.
    """

    def __init__(self, rules: Rules, limit: Limit = EVERY_ROLL) -> None:
        self.rules, self._limit = rules, limit
        self._lock = RLock()
        self._latest: DuelSolution | None = None
        self._query: tuple[tuple[CardIndex, CardIndex], WinQuery] | None = None

    @cached_property
    def _policy(self) -> WinPolicy:
        return win_policy(self.rules)

    @cached_property
    def _estimates(self) -> WinPolicy:
        """A separate policy for estimates, so that estimates do not change :attr:`_policy`."""
        return win_policy(self.rules)

    @cached_property
    def _solver(self) -> DuelSolver:
        return DuelSolver(self.rules)

    @cached_property
    def _is_small(self) -> bool:
        """Whether the exact solution of the whole game is within the limit."""
        return self._limit.allows(self._solver.size(ties=False, on_disk=True))

    def outlook(
        self,
        game: Game,
        bots: Mapping[str, Strategy] = MappingProxyType({}),
        progress: Progress | None = None,
    ) -> WinEstimate | None:
        """Return the win probability of the first player, or None without two players.

        ``bots`` are the strategies of computer opponents by name. If they do not respond, the
        probability is exact, and people play for points. Otherwise, it is exact or near-exact if
        the rest of the game is within the limit or was saved; then it assumes that the player takes
        the best action after a roll. All other probabilities refer to the start of the turn.
        """
        if len(game.players) != 2 or not can_estimate(self.rules):
            return None
        stage = game.stage
        mine, other = stage.card, stage.cards[1 - stage.player]
        assumes: Assumption = "win"
        with self._lock, suppress(TooLargeError):
            if (fixed := self._without_response(game, bots)) is not None:
                return WinEstimate(fixed, "strategy")
            if game.is_over:
                value = (1 + np.sign(mine.points - other.points)) / 2
            elif solution := self._solution_at(mine, other, progress):
                value = self._value(solution, game)
            else:
                value, assumes = NearOptimal(self._estimates, mine, other).value(), "points"
            return WinEstimate(float(1 - value if stage.player else value), assumes)
        return None

    def _without_response(self, game: Game, bots: Mapping[str, Strategy]) -> float | None:
        """Return the win probability of the first player, or None if a strategy responds.

        It is also None if the exact distribution of a strategy is not available.
        """
        if not bots or any(strategy.responds for strategy in bots.values()):
            return None
        with suppress(InconsistentError):
            first, second = (
                _final_distribution(bots.get(name, self._points), card)
                for name, card in zip(game.players, game.stage.cards, strict=True)
            )
            win, tie, _ = first.against(second)
            return min(win + tie / 2, 1.0)
        return None

    @cached_property
    def _points(self) -> Strategy:
        return Optimal(solve(self.rules))

    def answers(
        self, position: Position, opponent: Scorecard, progress: Progress | None = None
    ) -> WinActionValues | None:
        """Return the value of every action against an opponent."""
        if not can_estimate(self.rules):
            return None
        with self._lock, suppress(TooLargeError):
            if solution := self._solution_at(position, opponent, progress):
                options = solution.options(position, self._place(opponent))
                return WinActionValues(options, solution.exact)
            estimate = NearOptimal(self._estimates, position, opponent)
            return WinActionValues(estimate.options(position), exact=False)
        return None

    def policy(
        self,
        position: Position,
        opponent: Scorecard,
        quick: bool = False,
        progress: Progress | None = None,
    ) -> Turns | None:
        """Return the policy of ``duel`` for a turn against an opponent.

        A ``quick`` policy is near-optimal unless the whole game is small or near its end.
        """
        if not can_estimate(self.rules):
            return None
        with self._lock, suppress(TooLargeError):
            mine, other = self._arrays(position), self._arrays(opponent)
            if quick:
                near_end = self._policy.at_most(policy.EXACT_CATEGORIES, mine[0], other[0])
                quick = not (near_end or self._is_small)
            solution = None if quick else self._solution_at(position, opponent, progress)
            if solution is None:
                self._policy.prepare(mine, other, policy.DISTRIBUTION_CATEGORIES)
            return self._policy.turns(mine, self._policy.outcome_values(mine, other, solution))
        return None

    def _value(self, solution: DuelSolution, game: Game) -> float:
        """Return the exact win probability of the player to move under optimal play."""
        stage = game.stage
        mine, other = stage.card, self._place(stage.cards[1 - stage.player])
        last = game.last_step
        if last is not None and isinstance(last.event, Keep):
            assert last.before.position is not None
            options = solution.options(last.before.position, other)
            return next(option.value for option in options if option.action == last.event)
        if game.position is not None:
            return solution.options(game.position, other)[0].value
        return solution.value(self._place(mine), other)

    def _solution_at(
        self, mine: Scorecard | Position, other: Scorecard, progress: Progress | None
    ) -> DuelSolution | None:
        """Return an exact or near-exact solution for two scorecards, or None if it is too large."""
        places, latest = (self._place(mine), self._place(other)), self._latest
        if latest is not None and latest.exact and latest.has(*places):
            return latest
        if self._query is None or self._query[0] != places:
            # All layers are saved, because later turns use the same solution.
            grids = [grids_of(mine, other)["light"]]
            query = WinQuery(
                self._solver, mine, other, self._limit, ties=False, on_disk=True, grids=grids
            )
            self._query = places, query
        query = self._query[1]
        is_small = self._limit.allows(query.exact_size)
        if latest is not None and not is_small and latest.has(*places):
            return latest
        if query.method == "estimate":
            return None
        solution = query.answer(progress)
        assert isinstance(solution, DuelSolution)
        if query.method != "cached":
            self._latest = solution
        return solution

    def _place(self, card: Scorecard | Position) -> CardIndex:
        return CardIndex.of_card(self._policy.model, card)

    def _arrays(self, card: Scorecard | Position) -> CardArrays:
        return card_arrays(self._place(card))
