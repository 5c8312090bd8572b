"""Parameter sweeps: the score of a strategy in every game of a grid of rule variants.

:func:`evaluate_grid` computes the statistics. :func:`as_parquet` writes them as a Parquet file with
one row per game (extra ``parquet``).
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
from rollwise.errors import InputError, missing_extra
from rollwise.evaluation.evaluate import QUANTILES, evaluate
from rollwise.experiments.rule_grid import Values, changes_only_lower_section, digest_of, vary
from rollwise.experiments.variant_solver import VariantSolver
from rollwise.rules import Rules
from rollwise.solving.jobs import run
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.progress import Progress
from rollwise.solving.solution import rule_for_ties
from rollwise.solving.solver import Solver
from rollwise.strategies import StrategyLike, parse_strategy

Wanted = Literal["distribution", "sd", "mean"]
"""The statistics of the final score to compute; see :func:`evaluate_grid`."""

MOST_TOGETHER = 256
"""The maximum number of games per job, which a killed worker costs."""


@dataclass(frozen=True)
class Cell:
    """The statistics of one game in a grid.

    Attributes
    ----------
    values : dict
        The varied clauses, in the form that :func:`rollwise.experiments.rule_grid.vary` takes.
    game : str
        A hash of the rules.
    rolls, bonus : int
        The number of rolls per turn, and the points of the upper bonus.
    jokers : bool
        Whether the rules have jokers.
    mean : float
        The mean of the final score.
    sd : float or None
        The SD of the final score; None if only means are computed.
    bonus_reached : float or None
        The probability of an upper bonus. None if the game has no upper bonus or only means are
        computed.
    ties : str or None
        The tie-breaking rule of the strategy, in words.
    seconds : float
        The processor time in seconds. All other fields are reproducible.
    distribution : dict
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
    distribution: dict[str, int | float] = field(default_factory=dict)

    @classmethod
    def of(cls, values: Values, rules: Rules, *results: Any, **more: Any) -> "Cell":
        """Return the cell of a game; ``results`` contains ``mean`` and the fields after it."""
        bonus = rules.upper_bonus.points if rules.upper_bonus else 0
        game = digest_of(rules), rules.rolls, bonus, rules.joker is not None
        return cls(values, *game, *results, **more)

    def as_dict(self) -> dict[str, Any]:
        """Return the cell as JSON-compatible data."""
        names = ("rolls", "bonus", "jokers", "mean", "sd", "ties", "bonus_reached")
        return {name: getattr(self, name) for name in names} | {"varied": dict(self.values)}

    def as_row(self) -> dict[str, Any]:
        """Return the cell as a row of a table."""
        names = ("mean", "sd", "bonus_reached", "game", "seconds")
        return {**self.values, **{name: getattr(self, name) for name in names}, **self.distribution}


def evaluate_grid(
    rules: Rules,
    games: Sequence[Values],
    strategy: StrategyLike = "optimal",
    *,
    objective: str = EXPECTED.name,
    wanted: Wanted = "distribution",
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[Cell]:
    """Return the statistics of a strategy in every game of a grid, in the order of ``games``.

    Parameters
    ----------
    rules : Rules
        The game that is varied.
    games : sequence of mappings
        The values of each game, as :func:`rollwise.experiments.rule_grid.grid` returns them.
    strategy : StrategyLike
        As for :func:`rollwise.parse_strategy`. An optimal strategy is computed for each game.
    objective : str
        The objective of the strategy ``optimal``, as for
        :func:`rollwise.solving.objective_parser.parse_objective`.
    wanted : {"distribution", "sd", "mean"}
        With ``distribution``, compute the distribution of the final score. With ``sd``, compute
        only its mean, its SD, and the probability of an upper bonus. With ``mean``, compute only
        its mean. For ``sd`` and ``mean``, the strategy must be optimal for the expected score.
        Games that differ only in lower-section categories are then solved together.
    executor : Executor, optional
        As for :func:`rollwise.simulate`.
    progress : callable, optional
        Called with the completed fraction of the work, from 0 to 1.

    Raises
    ------
    InputError
        If ``wanted`` excludes distributions and the strategy is not optimal for the expected score.
    """
    work: Callable[..., list[Cell]]
    how: tuple[Any, ...]
    if wanted == "distribution":
        groups, how, work = [[index] for index in range(len(games))], (strategy, objective), examine
    elif (strategy, objective) == ("optimal", EXPECTED.name):
        groups, how, work = _together(rules, games), (wanted,), examine_together
    else:
        raise InputError(
            f"wanted={wanted!r} needs the optimal strategy for the expected score, not "
            f"{strategy!r} for {objective!r}; use wanted='distribution'"
        )
    jobs = [(rules, [games[index] for index in group], *how) for group in groups]
    by_job = run(work, jobs, executor, progress)
    cells = dict(zip(chain(*groups), chain(*by_job), strict=True))
    return [cells[index] for index in range(len(games))]


def _together(rules: Rules, games: Sequence[Values]) -> list[list[int]]:
    """Return groups of games that differ only in the lower section, as lists of indices."""
    groups: dict[str, list[int]] = {}
    for index, values in enumerate(games):
        others = [
            values[clause] for clause in values if not changes_only_lower_section(rules, clause)
        ]
        groups.setdefault(json.dumps(others), []).append(index)
    return [
        group[start : start + MOST_TOGETHER]
        for group in groups.values()
        for start in range(0, len(group), MOST_TOGETHER)
    ]


def examine(
    rules: Rules,
    games: Sequence[Values],
    strategy: StrategyLike,
    objective: str,
    progress: Progress | None = None,
) -> list[Cell]:
    """Compute the cell of one game, including the distribution of the final score."""
    (values,) = games
    began, game = process_time(), vary(rules, values)
    solve = Solver(game, cache=False).solve

    def distribution_of(name: str) -> Distribution:
        return evaluate(parse_strategy(name, solve=solve), game).distribution

    objective_of = partial(parse_objective, distribution_of=distribution_of)
    parsed = objective_of(objective)
    player = parse_strategy(strategy, solve=solve, objective=parsed, objective_of=objective_of)
    evaluation = evaluate(player, game, progress=progress)
    distribution, bonus = evaluation.distribution, evaluation.upper_bonus
    quantiles = {f"quantile_{level:g}": distribution.quantile(level) for level in QUANTILES}
    means = {f"points_{key}": category.mean for key, category in evaluation.categories.items()}
    cell = Cell.of(
        values,
        game,
        distribution.mean,
        distribution.sd,
        1 - bonus.probability(0) if bonus else None,
        player.ties,
        process_time() - began,
        distribution=quantiles | means,
    )
    return [cell]


def examine_together(
    rules: Rules, games: Sequence[Values], wanted: Wanted, progress: Progress | None = None
) -> list[Cell]:
    """Solve some games together, and compute their cells for optimal play."""
    varied = [vary(rules, values) for values in games]
    means_only = wanted == "mean"
    solver, cells = VariantSolver(varied, means_only=means_only), []
    ties = None if means_only else rule_for_ties()
    for values, game in zip(games, varied, strict=True):
        began = process_time()
        result = solver.solve(game)
        statistics = result.mean, result.sd, result.bonus_reached
        cells.append(Cell.of(values, game, *statistics, ties, process_time() - began))
        if progress:
            progress(len(cells) / len(games))
    return cells


def check_installed() -> None:
    """Raise MissingExtraError if Polars is not installed."""
    if find_spec("polars") is None:
        raise missing_extra("writing Parquet", "Polars", "parquet")


def as_parquet(cells: Sequence[Cell]) -> bytes:
    """Return a Parquet file with one row per game: the varied clauses, then the statistics.

    A clause whose values are all integers or all Booleans has a column of that type; other clauses
    have a column of strings.
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
