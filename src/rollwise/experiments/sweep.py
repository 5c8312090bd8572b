"""Sweeps over rule variants: :func:`sweep` evaluates a strategy in every game of a grid."""

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from time import process_time
from typing import Any, Literal, get_args

import numpy as np

from rollwise.distribution import Distribution
from rollwise.errors import InputError, check_type, counted, missing_extra, quoted
from rollwise.evaluation.evaluate import QUANTILES, evaluate
from rollwise.experiments import rule_grid
from rollwise.experiments.rule_grid import Values, parse_clause, parse_values
from rollwise.files import write_atomically
from rollwise.notebook import Tabular, html_table
from rollwise.rules import Rules, RulesLike, as_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.jobs import run
from rollwise.solving.kernels.moments import fill_mean, fill_moments
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.policy import OptimalPolicy
from rollwise.solving.position_index import START
from rollwise.solving.progress import Progress
from rollwise.solving.solution import rule_for_ties
from rollwise.solving.solver import Solver
from rollwise.solving.values import sd_of
from rollwise.strategies import StrategyLike, parse_strategy

Find = Literal["mean", "sd", "distribution"]
"""The statistics of the final score to compute; see :func:`sweep`."""


@dataclass(frozen=True)
class Cell:
    """The statistics of one game of a sweep.

    Attributes
    ----------
    values : mapping
        The value of each varied clause.
    game : str
        A hash of the rules.
    rolls, bonus : int
        The number of rolls per turn, and the points of the upper bonus.
    jokers : bool
        Whether the rules have jokers.
    mean : float
        The mean of the final score.
    sd, bonus_reached : float or None
        The SD of the final score, and the probability of an upper bonus. None if only means are
        computed, and no probability if the game has no upper bonus.
    ties : str or None
        The tie-breaking rule of the strategy, in words.
    seconds : float
        The processor time in seconds. All other fields are reproducible.
    distribution : mapping
        The quantiles of the final score and the mean points of each category; empty if the
        distribution is not computed.
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
    distribution: Mapping[str, float] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the cell as JSON-compatible data."""
        names = ("rolls", "bonus", "jokers", "mean", "sd", "ties", "bonus_reached")
        return {name: getattr(self, name) for name in names} | {"varied": dict(self.values)}

    def as_row(self) -> dict[str, Any]:
        """Return the cell as a row of a table."""
        names = ("mean", "sd", "bonus_reached", "game", "seconds")
        return {**self.values, **{name: getattr(self, name) for name in names}, **self.distribution}


class Sweep(Tabular, list[Cell]):
    """The results of all games of a sweep, which are displayed as a table.

    Attributes
    ----------
    rules : Rules
        The game that was varied.
    """

    def __init__(self, cells: Iterable[Cell], rules: Rules) -> None:
        super().__init__(cells)
        self.rules = rules

    def __repr__(self) -> str:
        means = [cell.mean for cell in self]
        games = counted(len(self), "game")
        return f"<Sweep of {self.rules.name}: {games}, means {min(means):.2f} to {max(means):.2f}>"

    def _repr_html_(self) -> str:
        rows = [(*cell.values.values(), f"{cell.mean:.4f}") for cell in self]
        return html_table(f"{self.rules.title} varied", rows, (*self[0].values, "mean"))

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each game: the varied rules, then the statistics."""
        return [cell.as_row() for cell in self]


def sweep(
    rules: RulesLike,
    vary: Mapping[str, str | Iterable[Any]] | Iterable[str] = (),
    *,
    grid: str | Path | None = None,
    find: Find = "sd",
    strategy: StrategyLike = "optimal",
    objective: str = EXPECTED.name,
    output: str | Path | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """Compute the exact score of a strategy for every combination of rule variants.

    Parameters
    ----------
    rules : Rules, str, or Path
        The game that is varied.
    vary : mapping of str to sequence or str, or sequence of str
        The values of each varied rule: ``{"full-house.points": [25, 30]}``,
        ``{"rolls": "1-6", "jokers": "on,off"}``, or ``["bonus=0,35"]``. They replace the values of
        the same rule in the grid. Default without a grid: 1 to 6 rolls.
    grid : str or Path, optional
        The path of a TOML file with rules and lists of values.
    find : {"sd", "mean", "distribution"}
        The statistics to compute: ``mean`` takes the least time, ``sd`` also computes the SD and
        the probability of an upper bonus, and ``distribution`` also quantiles and the points of
        each category. For another strategy or objective than optimal play for the expected score,
        the distribution is always computed.
    strategy : StrategyLike
        As for :func:`rollwise.parse_strategy`. Optimal play is optimal in each game.
    objective : str
        The objective of the strategy named ``optimal``.
    output : str or Path, optional
        A Parquet file for the results.
    executor : Executor, optional
        As for :func:`rollwise.simulate`.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.

    Raises
    ------
    InputError
        If a rule, a value, or the strategy cannot be used.

    Examples
    --------
    >>> sweep("micro-yahtzee", {"rolls": "1-3"}, find="mean")
    <Sweep of micro-yahtzee: 3 games, means 25.94 to 36.66>
    """
    game = as_rules(rules)
    if not isinstance(strategy, str) and parse_strategy(strategy).rules is not None:
        raise InputError("optimal play differs between the games of a sweep; use 'optimal'")
    if find not in get_args(Find):
        raise InputError(f"find must be one of {', '.join(get_args(Find))}, not {quoted(find)}")
    clauses = (rule_grid.read_grid(grid) if grid is not None else {}) | _clauses(vary)
    games = rule_grid.grid(game, clauses or {"rolls": list(range(1, 7))})
    if output is not None and find_spec("polars") is None:
        raise missing_extra("writing Parquet", "Polars", "parquet")
    is_default = (strategy, objective) == ("optimal", EXPECTED.name)
    jobs = [
        (game, values, find if is_default else "distribution", strategy, objective)
        for values in games
    ]
    cells = Sweep(run(examine, jobs, executor, progress), game)
    if output is not None:
        write_atomically(Path(output), _as_parquet(cells))
    return cells


def _clauses(
    vary: Mapping[str, str | Iterable[Any]] | Iterable[str],
) -> dict[str, list[Any]]:
    """Return the list of values of each varied clause."""
    check_type(vary, Iterable, "rules to vary, such as {'full-house.points': [25, 30]}")
    clauses: dict[str, list[Any]] = {}
    for clause, values in vary.items() if isinstance(vary, Mapping) else map(parse_clause, vary):
        check_type(values, Iterable, f"a list of values of {clause}")
        if clause in clauses:
            raise InputError(
                f"{clause} is varied twice. Write all values of the clause in one list."
            )
        clauses[clause] = parse_values(clause, values) if isinstance(values, str) else list(values)
    return clauses


def examine(
    rules: Rules,
    values: Values,
    find: Find,
    strategy: StrategyLike,
    objective: str,
    progress: Progress | None = None,
) -> Cell:
    """Compute the cell of one game."""
    began, game = process_time(), rule_grid.vary(rules, values)
    points = game.upper_bonus.points if game.upper_bonus else 0
    cell = partial(
        Cell, values, rule_grid.digest_of(game), game.rolls, points, game.joker is not None
    )
    solve = Solver(game, cache=False).solve
    if find != "distribution":
        solution = solve()
        sd, reached = _spread(solution) if find == "sd" else (None, None)
        ties = rule_for_ties() if find == "sd" else None
        return cell(solution.value(), sd, reached, ties, process_time() - began)

    def distribution_of(name: str) -> Distribution:
        return evaluate(parse_strategy(name, solve=solve), game).distribution

    objective_of = partial(parse_objective, distribution_of=distribution_of)
    parsed = objective_of(objective)
    player = parse_strategy(strategy, solve=solve, objective=parsed, objective_of=objective_of)
    evaluation = evaluate(player, game, progress=progress)
    distribution, bonus = evaluation.distribution, evaluation.upper_bonus
    quantiles = {f"quantile_{level:g}": distribution.quantile(level) for level in QUANTILES}
    means = {f"points_{key}": category.mean for key, category in evaluation.categories.items()}
    return cell(
        distribution.mean,
        distribution.sd,
        1 - bonus.probability(0) if bonus else None,
        player.ties,
        process_time() - began,
        quantiles | means,
    )


def _spread(solution: CardSolution) -> tuple[float, float | None]:
    """Return the SD of the final score, and the probability of an upper bonus."""
    model, policy = solution.model, OptimalPolicy(solution)
    points_O, bonus_L = model.total_points_O.astype(np.float64), model.bonus_L.astype(np.float64)
    mean, second, reached = map(policy.sweep.rows, (bonus_L, bonus_L**2, bonus_L > 0))
    policy.backward(
        (fill_moments, points_O, mean, second), (fill_mean, np.zeros(len(points_O)), reached)
    )
    at = START.c, START.lane
    bonus = float(reached[at]) if solution.rules.upper_bonus else None
    return float(sd_of(mean[at], second[at])), bonus


def _as_parquet(cells: Sweep) -> bytes:
    """Return a Parquet file with one row per game: the varied clauses, then the statistics.

    A clause whose values are all integers or all Booleans has a column of that type; other clauses
    have a column of strings.
    """
    import polars

    rows = cells.rows()
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    for clause in cells[0].values:
        if {type(value) for value in columns[clause]} not in ({int}, {bool}):
            columns[clause] = list(map(rule_grid.text_of, columns[clause]))
    numbers = dict.fromkeys(("mean", "sd", "bonus_reached", "seconds"), polars.Float64)
    file = BytesIO()
    polars.DataFrame(columns, schema_overrides=numbers).write_parquet(file)
    return file.getvalue()
