"""The solver: a game and an objective in, the value of every state out."""

from typing import TYPE_CHECKING, overload

from rollwise.game.position import Position
from rollwise.model.arrays import build
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.cards import solve_cards
from rollwise.solving.objectives import (
    EXPECTED,
    CardObjective,
    Objective,
    ScoreObjective,
    VarianceObjective,
)
from rollwise.solving.progress import Progress
from rollwise.solving.solution import Solution

if TYPE_CHECKING:
    from rollwise.solving.by_score.solution import ScoreSolution


@overload
def solve(
    rules: Rules,
    objective: CardObjective = ...,
    *,
    position: Position | None = ...,
    moments: bool = ...,
    keep: bool = ...,
    cache: bool = ...,
    threads: int | None = ...,
    progress: Progress | None = ...,
) -> CardSolution: ...


@overload
def solve(
    rules: Rules,
    objective: ScoreObjective | VarianceObjective,
    *,
    position: Position | None = ...,
    moments: bool = ...,
    keep: bool = ...,
    cache: bool = ...,
    threads: int | None = ...,
    progress: Progress | None = ...,
) -> "ScoreSolution": ...


@overload
def solve(
    rules: Rules,
    objective: Objective,
    *,
    position: Position | None = ...,
    moments: bool = ...,
    keep: bool = ...,
    cache: bool = ...,
    threads: int | None = ...,
    progress: Progress | None = ...,
) -> Solution: ...


def solve(
    rules: Rules,
    objective: Objective = EXPECTED,
    *,
    position: Position | None = None,
    moments: bool = False,
    keep: bool = False,
    cache: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Return the value of every state of a game under best play.

    Parameters
    ----------
    rules : Rules
    objective : Objective
        What is maximised; the expected score unless told.
    position : Position, optional
        With an objective of the final score, and where rolls are saved: only what can still be
        reached from its card is solved. All of the game unless told.
    moments : bool
        Also the expected score of every option; and its spread, where values do not depend on the
        points so far.
    keep : bool
        Of a large game that saves rolls keep all cards, on disk: some 17 GB for Maxi Yatzy. Else
        only the first turns are at hand.
    cache : bool
        Read the table from disk if it is there, and write it there if not. Tables that depend on
        the points so far take hundreds of megabytes and are not kept.
    threads : int, optional
        As many as the process may use unless told. The result does not depend on it.
    progress : callable, optional
        Called with the solved share of the work, from 0 to 1, now and then.

    Raises
    ------
    TooLargeError
        When the table of the game would not fit.
    MalformedError
        When the objective does not fit the game.
    """
    if isinstance(objective, CardObjective):
        return solve_cards(
            rules, objective, position=position, moments=moments, keep=keep, cache=cache,
            threads=threads, progress=progress,
        )  # fmt: skip
    # The compiler takes a third of a second to import; a kept table does without.
    from rollwise.solving.by_score.solver import solve_by_score
    from rollwise.solving.by_score.windows import Start

    start = Start.of(build(rules), position) if position else None
    if isinstance(objective, VarianceObjective):
        from rollwise.solving.by_score.variance import solve_mean_variance

        return solve_mean_variance(
            rules, objective, start, cache=cache, threads=threads, progress=progress
        )
    assert isinstance(objective, ScoreObjective)
    return solve_by_score(
        rules, objective, start, expected=moments, cache=cache, threads=threads, progress=progress
    )
