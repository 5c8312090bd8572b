"""The rules of a game varied, and what it is then worth to a strategy.

The games of a grid as a Parquet file, a row each (the extra ``parquet``).
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from itertools import chain
from time import process_time
from typing import Any, Literal

from rollwise.distribution import Distribution
from rollwise.errors import MissingExtraError
from rollwise.evaluation.evaluate import QUANTILES, evaluate
from rollwise.experiments.rule_grid import Values, digest_of, of_lower_boxes, vary
from rollwise.experiments.rule_variants import Neighbours
from rollwise.rules import Rules
from rollwise.solving.jobs import JobResults, run_jobs
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.progress import Progress
from rollwise.solving.solution import rule_for_ties
from rollwise.solving.solver import Solver
from rollwise.strategies import parse_strategy

Wanted = Literal["laws", "spread", "means"]
"""What is found of each game: the law of the final score; its mean and SD; its mean."""

MOST_TOGETHER = 256
"""Games that one job solves together: what is lost when it is killed."""


@dataclass(frozen=True)
class Cell:
    """One game of a grid.

    Attributes
    ----------
    values : dict
        The clauses that are varied, as :func:`rollwise.experiments.rule_grid.vary` reads them.
    game : str
        A hash of the rules.
    rolls, bonus : int
        Rolls a turn; points of the upper bonus.
    jokers : bool
    mean : float
        Of the final score.
    sd : float or None
        Of the final score; None where only means are asked for.
    bonus_reached : float or None
        The probability of an upper bonus; None where the game has none, or only means are asked
        for.
    ties : str or None
        Which of equally good options the strategy takes, in words.
    seconds : float
        Of processors. All but that is the same whoever computed it.
    distribution : dict
        More of the final score, where its law is known: quantiles, the mean points of boxes.
    """

    values: Values
    game: str
    rolls: int
    bonus: int
    jokers: bool
    mean: float
    sd: float | None
    bonus_reached: float | None
    ties: str | None
    seconds: float = field(compare=False)
    distribution: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, values: Values, rules: Rules, *found: Any, **more: Any) -> "Cell":
        """Return the cell of a game, from the mean on as it was found."""
        bonus = rules.upper_bonus.points if rules.upper_bonus else 0
        about = digest_of(rules), rules.rolls, bonus, rules.joker is not None
        return cls(values, *about, *found, **more)

    def as_dict(self) -> dict[str, Any]:
        """Return the cell as JSON can hold it."""
        names = ("rolls", "bonus", "jokers", "mean", "sd", "ties", "bonus_reached")
        return {name: getattr(self, name) for name in names} | {"varied": dict(self.values)}

    def as_row(self) -> dict[str, Any]:
        """Return the cell as one row of a table."""
        names = ("mean", "sd", "bonus_reached", "game", "seconds")
        return {**self.values, **{name: getattr(self, name) for name in names}, **self.distribution}


def sweep(
    rules: Rules,
    games: Sequence[Values],
    strategy: str = "optimal",
    *,
    objective: str = EXPECTED.name,
    wanted: Wanted = "laws",
    executor: Callable[[], Executor] | None = None,
    progress: Progress | None = None,
    write: Callable[[list[Cell]], None] | None = None,
) -> list[Cell]:
    """Return what a strategy makes of every game of a grid, in order.

    Parameters
    ----------
    games : sequence of mappings
        What each varies, as :func:`rollwise.experiments.rule_grid.grid` returns them.
    strategy : str
        As :func:`rollwise.strategies.parse_strategy` reads it; an optimal one is optimal for each
        game.
    objective : str
        What ``optimal`` alone plays for, as
        :func:`rollwise.solving.objective_parser.parse_objective` reads it.
    wanted : {"laws", "spread", "means"}
        The law of the final score; or only what best play for points makes of each game: its mean,
        SD and P(upper bonus), or its mean alone. Without laws games that differ in some boxes are
        solved together.
    write : callable, optional
        Called with all cells at the end. What is done before is kept on disk until it returns: the
        same call again goes on from there.

    Raises
    ------
    ValueError
        When of another play than the best one for points no laws are wanted.
    """
    work: Callable[..., list[Cell]]
    how: tuple[str, ...]
    if wanted == "laws":
        places, how, work = [[place] for place in range(len(games))], (strategy, objective), examine
    elif (strategy, objective) == ("optimal", EXPECTED.name):
        places, how, work = _together(rules, games), (wanted,), examine_together
    else:
        raise ValueError(f"expected optimal play for points without laws, got {strategy!r}")
    jobs = [(rules, [games[place] for place in group], *how) for group in places]
    results = JobResults(work, jobs) if write else None
    found = run_jobs(work, jobs, executor, progress, results)
    cells = dict(zip(chain(*places), chain(*found), strict=True))
    in_order = [cells[place] for place in range(len(games))]
    if write and results:
        write(in_order)
        results.drop()
    return in_order


def _together(rules: Rules, games: Sequence[Values]) -> list[list[int]]:
    """Return the places of games that differ in boxes of the lower section alone, in groups."""
    groups: dict[str, list[int]] = {}
    for place, values in enumerate(games):
        others = [values[clause] for clause in values if not of_lower_boxes(rules, clause)]
        groups.setdefault(json.dumps(others), []).append(place)
    return [
        group[start : start + MOST_TOGETHER]
        for group in groups.values()
        for start in range(0, len(group), MOST_TOGETHER)
    ]


def examine(rules: Rules, games: Sequence[Values], strategy: str, objective: str) -> list[Cell]:
    """Return how a strategy fares in some games."""
    return [_examined(rules, values, strategy, objective) for values in games]


def _examined(rules: Rules, values: Values, strategy: str, objective: str) -> Cell:
    began, game = process_time(), vary(rules, values)
    solve = Solver(game, cache=False).solve

    def distribution_of(name: str) -> Distribution:
        return evaluate(parse_strategy(name, solve=solve), game).distribution

    objective_of = partial(parse_objective, distribution_of=distribution_of)
    wanted = objective_of(objective)
    player = parse_strategy(strategy, solve=solve, objective=wanted, objective_of=objective_of)
    found = evaluate(player, game)
    distribution, bonus = found.distribution, found.upper_bonus
    return Cell.of(
        values,
        game,
        distribution.mean,
        distribution.sd,
        1 - bonus.probability(0) if bonus else None,
        player.ties,
        process_time() - began,
        distribution={f"quantile_{share:g}": distribution.quantile(share) for share in QUANTILES}
        | {f"points_{key}": box.mean for key, box in found.categories.items()},
    )


def examine_together(rules: Rules, games: Sequence[Values], wanted: Wanted) -> list[Cell]:
    """Return what best play for points makes of some games."""
    varied = [vary(rules, values) for values in games]
    means_only = wanted == "means"
    together, cells = Neighbours(varied, means_only=means_only), []
    ties = None if means_only else rule_for_ties()
    for values, game in zip(games, varied, strict=True):
        began = process_time()
        worth = together.worth(game)
        told = worth.mean, worth.sd, worth.bonus_reached
        cells.append(Cell.of(values, game, *told, ties, process_time() - began))
    return cells


def check_installed() -> None:
    """Check that Parquet can be written.

    Raises
    ------
    MissingExtraError
        When Polars is not installed.
    """
    if find_spec("polars") is None:
        raise MissingExtraError(
            'Parquet needs Polars: expected pip install "rollwise[parquet]" before'
        )


def as_parquet(cells: Sequence[Cell]) -> bytes:
    """Return a file with one row a game: the clauses that are varied, then what was found.

    A clause is a column of numbers or of true and false where all its values are; else of text.
    """
    import polars

    rows = [cell.as_row() for cell in cells]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    for clause in cells[0].values:
        if {type(value) for value in columns[clause]} not in ({int}, {bool}):
            columns[clause] = list(map(_as_text, columns[clause]))
    numbers = dict.fromkeys(("mean", "sd", "bonus_reached", "seconds"), polars.Float64)
    file = BytesIO()
    polars.DataFrame(columns, schema_overrides=numbers).write_parquet(file)
    return file.getvalue()


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return value if isinstance(value, str) else json.dumps(value)
