"""What most questions need first: a game, a position, a solution, or a strategy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.errors import TooLargeError, check_count, check_type
from rollwise.files import check_folder
from rollwise.game.dice_notation import parse_scores
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.questions.progress import working
from rollwise.rules import Rules
from rollwise.solving.cache import load_or_compute_numbers
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.objectives import EXPECTED, Objective
from rollwise.solving.solution import Solution
from rollwise.solving.solver import Solver, solve

if TYPE_CHECKING:
    from rollwise.evaluation.breakdown import Breakdown
    from rollwise.evaluation.evaluate import Evaluation
    from rollwise.strategies import Strategy, StrategyLike

_keep: ContextVar[bool] = ContextVar("keep", default=True)


@contextmanager
def keeping(keep: bool) -> Iterator[None]:
    """Cache solved games on disk in the body of ``with``, or not."""
    token = _keep.set(keep)
    try:
        yield
    finally:
        _keep.reset(token)


def objective_of(text: str, rules: Rules) -> Objective:
    """Parse an objective, which can name strategies as opponents."""
    return parse_objective(text, lambda name: evaluated(name, rules).distribution)


def solver_of(rules: Rules) -> Solver:
    """Return the solver of a game."""
    return Solver(rules, cache=_keep.get())


def cached_numbers(
    rules: Rules, name: str, compute: Callable[[], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Return the array that is cached for a game under the given name, or compute it."""
    return load_or_compute_numbers(rules, name, compute) if _keep.get() else compute()


def scores_of(at: str | Iterable[int] | None) -> list[int] | None:
    """Return scores such as ``150,200`` as a list; None stays None."""
    if at is None or isinstance(at, str):
        return None if at is None else parse_scores(at)
    check_type(at, Iterable, "scores such as [150, 200] or '150,200'")
    scores = list(at)
    for score in scores:
        check_count(score, "a score", least=0)
    return scores


def solved(
    rules: Rules,
    objective: Objective = EXPECTED,
    *,
    position: Position | None = None,
    moments: bool = False,
    first_turns: bool = False,
) -> Solution:
    """Solve a game, and report progress."""
    with working(f"solving {rules.name}") as advance:
        return solve(
            rules,
            objective,
            position=position,
            moments=moments,
            first_turns=first_turns,
            cache=_keep.get(),
            progress=advance,
        )


def solved_with_moments(
    rules: Rules, objective: Objective, position: Position | None = None
) -> Solution:
    """Solve a game, or only the turn from a position; include moments if they fit in memory."""
    turn = position is not None
    try:
        return solved(rules, objective, position=position, moments=True, first_turns=turn)
    except TooLargeError:  # then without moments
        return solved(rules, objective, position=position, first_turns=turn)


def breakdown(solution: Solution) -> Breakdown | None:
    """Return the breakdown of a solution, and report progress."""
    from rollwise.evaluation.breakdown import breakdown_of  # slow to import

    with working("comparing the options"):
        return breakdown_of(solution, cache=_keep.get())


def evaluated(
    strategy: StrategyLike, rules: Rules, objective: str = "expected", *, fewer_dice: bool = False
) -> Evaluation:
    """Evaluate a strategy, and report progress."""
    from rollwise.evaluation.evaluate import evaluate  # slow to import

    with working(f"evaluating {rules.name}") as advance:
        return evaluate(
            strategy, rules, objective, fewer_dice=fewer_dice, cache=_keep.get(), progress=advance
        )


def distribution_after(card: Scorecard, strategy: Strategy) -> Distribution:
    """Return the distribution of an opponent's final score, and report progress."""
    from rollwise.evaluation.evaluate import final_distribution  # slow to import

    with working(f"evaluating an opponent in {card.rules.name}") as advance:
        return final_distribution(strategy, card, cache=_keep.get(), progress=advance)


def player(
    name: StrategyLike,
    rules: Rules,
    objective: Objective = EXPECTED,
    *,
    position: Position | None = None,
    fewer_dice: bool = False,
) -> Strategy:
    """Return the strategy of a name or an object, and solve any game that it needs."""
    from rollwise.strategies import as_strategy, parse_strategy  # slow, and most advice needs none

    if not isinstance(name, str):
        return as_strategy(name, rules)
    return parse_strategy(
        name,
        solve=lambda objective: solved(rules, objective, position=position),
        objective=objective,
        objective_of=lambda text: objective_of(text, rules),
        fewer_dice=fewer_dice,
    )


def prepare_plot(path: Path | None, *, folder: bool = False) -> None:
    """Check before a long computation that plots can be saved, and create a folder for them.

    Raise MissingExtraError if matplotlib is not installed. Raise MalformedError if the file type is
    unknown, or if the folder cannot be created.
    """
    if path is None:
        return
    from rollwise.experiments import plots  # slow to import

    if folder:
        plots.prepare_folder(path)
    else:
        plots.check_picture(path)
        check_folder(path)
