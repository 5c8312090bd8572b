"""The solver: a game and an objective in, the value of every state out."""

from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from rollwise.game.notation import as_position
from rollwise.game.position import Position
from rollwise.rules import RulesLike, as_rules
from rollwise.solving.by_score.mean_variance import Spread, frontier, solve_mean_variance
from rollwise.solving.by_score.targets import Attempts, best_targets, fewest_turns, stopping_size
from rollwise.solving.by_score.windows import EMPTY_CARD, Start
from rollwise.solving.cache import kept_numbers
from rollwise.solving.cache_entries import path_named
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.card_solver import CardSolver
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.objectives import (
    EXPECTED,
    CardObjective,
    Objective,
    ScoreObjective,
    VarianceObjective,
)
from rollwise.solving.progress import Progress
from rollwise.solving.solution import Solution
from rollwise.solving.storage.stores import Store, open_store

if TYPE_CHECKING:  # they take numba
    from rollwise.solving.by_score.solution import ScoreSolution
    from rollwise.solving.by_score.solver import ScoreSolver


class SolveKeywords(TypedDict, total=False):
    """What :meth:`Solver.solve` may be told beside the objective."""

    position: Position | str | None
    moments: bool
    on_disk: bool


class SolverKeywords(SolveKeywords, total=False):
    """What :func:`solve` may be told: of the solver, too."""

    cache: bool
    threads: int | None
    progress: Progress | None


class Solver:
    """All questions to one game: whatever several of them need is solved or read once.

    Parameters
    ----------
    rules : Rules, str or Path
        Of the game, or the name of a preset.
    threads : int, optional
        As many as the process may use unless told. No result depends on it.
    cache : bool
        Read tables from disk if they are there, and write them there if not; but for those of
        objectives of one's own, and those by points so far, which take hundreds of megabytes.
    progress : callable, optional
        Called with the solved share of a question, from 0 to 1, now and then.
    executor : callable, optional
        Makes an executor, whose workers solve for objectives that need no points so far, part by
        part; if they die, what is not done goes to a new one. Threads of this process unless told.
    store : str, Path or Store, optional
        A folder, or the address of one in an object store, such as ``s3://bucket/games``: all cards
        of games that are solved are kept there and read from there, instead of in the cache. All
        workers have to reach it.

    Attributes
    ----------
    rules : Rules

    Examples
    --------
    >>> solver = Solver("micro-yahtzee")
    >>> solver.solve()
    <Solution of micro-yahtzee for expected: 25.94444444 from the start>
    >>> solver.solve("target:30")
    <Solution of micro-yahtzee for target:30: 0.4444444444 from the start>
    """

    def __init__(
        self,
        rules: RulesLike,
        threads: int | None = None,
        cache: bool = True,
        progress: Progress | None = None,
        *,
        executor: Callable[[], Executor] | None = None,
        store: str | Path | Store | None = None,
    ) -> None:
        self.rules = as_rules(rules)
        self.progress = progress
        place = open_store(store) if isinstance(store, str | Path) else store
        self._by_card = CardSolver(self.rules, threads, cache, store=place, executor=executor)

    def __repr__(self) -> str:
        return f"Solver({self.rules.named!r})"

    def _scores_from(self, position: Position | None) -> "tuple[ScoreSolver, Start]":
        """Return what solves for the score from a position, and where that stands there."""
        if position is None:
            return self._by_card.by_score, EMPTY_CARD
        cards = self._by_card.after(position)
        self._by_card.from_cache = False
        return cards.by_score, Start.of(cards.model, position)

    @property
    def from_cache(self) -> bool:
        """Whether all answers so far were read from disk, and nothing was solved."""
        return self._by_card.from_cache

    @overload
    def solve(
        self, objective: CardObjective = ..., **asked: Unpack[SolveKeywords]
    ) -> CardSolution: ...

    @overload
    def solve(
        self, objective: ScoreObjective | VarianceObjective, **asked: Unpack[SolveKeywords]
    ) -> "ScoreSolution": ...

    @overload
    def solve(self, objective: Objective | str, **asked: Unpack[SolveKeywords]) -> Solution: ...

    def solve(
        self,
        objective: Objective | str = EXPECTED,
        *,
        position: Position | str | None = None,
        moments: bool = False,
        on_disk: bool = False,
    ) -> Solution:
        """Return the value of every state under best play.

        Parameters
        ----------
        objective : Objective or str
            What is maximised, such as ``"target:300"``; the expected score unless told.
        position : Position or str, optional
            With an objective of the final score, and where rolls are saved: only what can still be
            reached from its card is solved. All of the game unless told.
        moments : bool
            Also the expected score of every option; and its spread, where values do not depend on
            the points so far.
        on_disk : bool
            Of a large game that saves rolls keep all cards, on disk: some 17 GB for Maxi Yatzy.
            Else only the first turns are at hand.

        Returns
        -------
        CardSolution or ScoreSolution
            The latter where values depend on the points so far.

        Raises
        ------
        TooLargeError
            When the table of the game would not fit.
        MalformedError
            When the text is no objective, or the objective does not fit the game.
        TypeError
            When it is of none of the three kinds.
        """
        if isinstance(objective, str):
            objective = parse_objective(objective)
        given = None if position is None else as_position(self.rules, position)
        if isinstance(objective, CardObjective):
            return self._by_card.solve(
                objective, given, moments=moments, on_disk=on_disk, progress=self.progress
            )
        self._by_card.check_alone(objective)
        solver, start = self._scores_from(given)
        if isinstance(objective, ScoreObjective):
            return solver.solve(objective, start, expected=moments, progress=self.progress)
        if isinstance(objective, VarianceObjective):
            return solve_mean_variance(solver, objective, start, self.progress)
        raise TypeError(f"expected an objective of cards, scores or variance, got {objective!r}")

    def targets(self) -> NDArray[np.float64]:
        """Return the best probability of a final score of at least T, for T = 1, 2, … the highest.

        No strategy has them all: each entry belongs to another one.

        Returns
        -------
        float64 array of shape (highest score,)
            Never increasing; its sum is an upper bound of the expected score of any strategy.

        Raises
        ------
        TooLargeError
            When a table would not fit.
        """
        return self._kept("targets", lambda: best_targets(self._by_card.by_score, self.progress))

    def frontier(
        self, position: Position | str | None = None, *, highest: int | None = None
    ) -> list[Spread]:
        """Return the trade between mean and standard deviation, one point for each whole centre.

        Up to the centre ``highest``, by default twice the expected score; the limit is play for it.

        Parameters
        ----------
        position : Position or str, optional
            From whose card on games are played; from an empty one unless told.

        Raises
        ------
        TooLargeError
            When a table would not fit.
        """
        given = None if position is None else as_position(self.rules, position)
        return frontier(*self._scores_from(given), highest, self.progress)

    def fewest_turns(self, score: int) -> Attempts:
        """Return how soon a score can be reached when games may be given up between turns.

        Raises
        ------
        MalformedError
            When no game reaches the score.
        TooLargeError
            When a table would not fit.
        """

        def make() -> NDArray[np.float64]:
            return fewest_turns(self._by_card.by_score, score, self.progress).numbers

        return Attempts(score, *self._kept(f"stopping-{score}", make).tolist())

    def stopping_size(self, score: int) -> int:
        """Return how many cards with a score a round of :meth:`fewest_turns` has; 0 if kept."""
        kept = self._by_card.cache and path_named(self.rules, f"stopping-{score}").exists()
        return 0 if kept else stopping_size(self._by_card.by_score, score)

    def _kept(self, name: str, make: Callable[[], NDArray[np.float64]]) -> NDArray[np.float64]:
        return kept_numbers(self.rules, name, make) if self._by_card.cache else make()


@overload
def solve(
    rules: RulesLike, objective: CardObjective = ..., **asked: Unpack[SolverKeywords]
) -> CardSolution: ...


@overload
def solve(
    rules: RulesLike,
    objective: ScoreObjective | VarianceObjective,
    **asked: Unpack[SolverKeywords],
) -> "ScoreSolution": ...


@overload
def solve(
    rules: RulesLike, objective: Objective | str, **asked: Unpack[SolverKeywords]
) -> Solution: ...


def solve(
    rules: RulesLike,
    objective: Objective | str = EXPECTED,
    *,
    position: Position | str | None = None,
    moments: bool = False,
    on_disk: bool = False,
    cache: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Return the value of every state of a game under best play: one question to a solver.

    Parameters
    ----------
    rules, cache, threads, progress
        As :class:`Solver` takes them.
    objective, position, moments, on_disk
        As :meth:`Solver.solve` takes them, and raises what it does.

    Returns
    -------
    CardSolution or ScoreSolution
        The latter where values depend on the points so far.

    Examples
    --------
    >>> solve("micro-yahtzee")
    <Solution of micro-yahtzee for expected: 25.94444444 from the start>
    """
    solver = Solver(rules, threads, cache, progress)
    return solver.solve(objective, position=position, moments=moments, on_disk=on_disk)
