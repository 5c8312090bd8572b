"""The rules of a game varied, and what it is then worth to a strategy."""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from typing import Any

from pydantic import ValidationError

from rollwise.errors import MalformedError, TooLargeError
from rollwise.evaluation.evaluate import evaluate
from rollwise.laboratory.jobs import run_jobs
from rollwise.law import Law
from rollwise.rules import Rules, UpperBonus
from rollwise.solving.objective_text import parse_objective
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.progress import Progress
from rollwise.solving.solver import Solver
from rollwise.strategies import parse_strategy

MAX_CELLS = 10_000


@dataclass(frozen=True)
class Cell:
    """One game of a grid.

    Attributes
    ----------
    rolls, bonus : int
        Rolls a turn; points of the upper bonus.
    jokers : bool
    mean, sd : float
        Of the final score.
    ties : str or None
        Which of equally good options the strategy takes, in words.
    """

    rolls: int
    bonus: int
    jokers: bool
    mean: float
    sd: float
    ties: str | None

    def as_dict(self) -> dict[str, Any]:
        """Return the cell as JSON can hold it."""
        return asdict(self)


def vary(rules: Rules, rolls: int, bonus: int, jokers: bool) -> Rules:
    """Return the rules with so many rolls, such an upper bonus, jokers or none.

    Higher steps of the bonus rise or fall by as much as the first one. Where points depend on the
    roll, those of a roll more are those of the last one.

    Raises
    ------
    MalformedError
        When a number is out of range, or a bonus or jokers are asked for that the rules do not
        have.
    """
    categories = tuple(
        category.model_copy(update={"points": _for_rolls(category.points, rolls)})
        if isinstance(category.points, tuple)
        else category
        for category in rules.categories
    )
    changes: dict[str, Any] = {"rolls": rolls, "categories": categories}
    if bonus != (rules.upper_bonus.points if rules.upper_bonus else 0):
        if rules.upper_bonus is None:
            raise MalformedError(f"{rules.name} has no upper bonus: expected --bonus 0")
        changes["upper_bonus"] = _with_points(rules.upper_bonus, bonus) if bonus else None
    if jokers and rules.joker is None:
        raise MalformedError(f"{rules.name} has no jokers: expected --jokers off")
    if not jokers:
        changes["joker"] = None
    changes["name"] = f"{rules.name[:20]}-{rolls}-{bonus}-{'jokers' if jokers else 'none'}"
    try:
        return Rules.model_validate_json(rules.model_copy(update=changes).model_dump_json())
    except ValidationError as error:
        raise MalformedError(
            f"no game of {rolls} rolls and a bonus of {bonus}: expected 1 to 20 rolls, a bonus up "
            "to 10,000"
        ) from error


def _for_rolls(points: tuple[int, ...], rolls: int) -> tuple[int, ...]:
    return points[:rolls] + points[-1:] * (rolls - len(points))


def _with_points(bonus: UpperBonus, points: int) -> UpperBonus:
    more = points - bonus.points
    higher = tuple(step.model_copy(update={"points": step.points + more}) for step in bonus.higher)
    return bonus.model_copy(update={"points": points, "higher": higher})


def parse_range(text: str, what: str) -> list[int]:
    """Return the whole numbers that a text lists: ``3``, ``0,35``, ``1-6``, ``0-100:25``.

    Raises
    ------
    MalformedError
        When it is no such list.
    """
    numbers: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,5})(?:-([0-9]{1,5})(?::([1-9][0-9]{0,4}))?)?\s*", part)
        if not match:
            raise MalformedError(
                f"no {what} {text[:40]!r}: expected numbers such as 3, 0,35, 1-6 or 0-100:25"
            )
        first, last, step = (int(group) if group else None for group in match.groups())
        assert first is not None
        numbers += range(first, (first if last is None else last) + 1, step or 1)
    if not numbers:
        raise MalformedError(f"no {what} in {text[:40]!r}: expected the lower number first")
    return numbers


def grid(
    rules: Rules, rolls: Sequence[int], bonuses: Sequence[int], jokers: Sequence[bool]
) -> list[tuple[int, int, bool, Rules]]:
    """Return every combination with its rules.

    Raises
    ------
    TooLargeError
        When there are more than ``MAX_CELLS``.
    """
    if len(rolls) * len(bonuses) * len(jokers) > MAX_CELLS:
        raise TooLargeError(f"a grid of more than {MAX_CELLS:,} games: expected fewer")
    return [(*cell, vary(rules, *cell)) for cell in product(rolls, bonuses, jokers)]


def sweep(
    cells: Sequence[tuple[int, int, bool, Rules]],
    strategy: str = "optimal",
    *,
    objective: str = EXPECTED.name,
    executor: Callable[[], Executor] | None = None,
    progress: Progress | None = None,
) -> list[Cell]:
    """Return mean and SD of a strategy in every game of a grid, in order.

    Parameters
    ----------
    strategy : str
        As :func:`rollwise.strategies.parse_strategy` reads it; an optimal one is optimal for each
        game.
    objective : str
        What ``optimal`` alone plays for, as
        :func:`rollwise.solving.objective_text.parse_objective` reads it.
    """
    jobs = [(*cell, strategy, objective) for cell in cells]
    return run_jobs(examine, jobs, executor, progress)


def examine(
    rolls: int, bonus: int, jokers: bool, rules: Rules, strategy: str, objective: str
) -> Cell:
    """Return how a strategy fares in one game."""
    solve = Solver(rules, cache=False).solve

    def law_of(name: str) -> Law:
        return evaluate(parse_strategy(name, solve=solve), rules).law

    objective_of = partial(parse_objective, law_of=law_of)
    wanted = objective_of(objective)
    player = parse_strategy(strategy, solve=solve, objective=wanted, objective_of=objective_of)
    law = evaluate(player, rules).law
    return Cell(rolls, bonus, jokers, law.mean, law.sd, player.ties)
