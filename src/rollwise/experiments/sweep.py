"""The games of a sweep over rule variants: the statistics of a strategy in each of them."""

from collections.abc import Mapping, Sequence
from functools import partial
from io import BytesIO
from time import process_time
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from rollwise.distribution import Distribution
from rollwise.evaluation.evaluate import QUANTILES, evaluate
from rollwise.experiments import rule_grid
from rollwise.experiments.rule_grid import Values
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.position_index import START
from rollwise.solving.progress import Progress
from rollwise.solving.solution import rule_for_ties
from rollwise.solving.solver import Solver
from rollwise.solving.values import sd_of
from rollwise.strategies import StrategyLike, parse_strategy

Find = Literal["mean", "sd", "distribution"]
"""The statistics of the final score to compute: ``sd`` includes the mean and the probability of an
upper bonus, and ``distribution`` also quantiles and the mean points of each category."""


class Cell(BaseModel):
    """The statistics of one game."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    rolls: int
    bonus: int
    """Points of the upper bonus."""
    jokers: bool
    mean: float
    sd: float | None
    ties: str | None
    """How the strategy breaks ties."""
    bonus_reached: float | None
    """The probability of an upper bonus."""
    varied: Mapping[str, Any]
    """The clauses that are varied, with the values of this game."""
    game: SkipJsonSchema[str] = Field(exclude=True)
    """A hash of the rules."""
    seconds: SkipJsonSchema[float] = Field(exclude=True)
    """The processor time in seconds. All other fields are reproducible."""
    distribution: SkipJsonSchema[dict[str, float]] = Field(default={}, exclude=True)
    """Quantiles, and the mean points of each category; empty if they are not computed."""

    def as_row(self) -> dict[str, Any]:
        """Return the cell as a row of a table."""
        names = ("mean", "sd", "bonus_reached", "game", "seconds")
        return {**self.varied, **{name: getattr(self, name) for name in names}, **self.distribution}


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
    cell = partial(
        Cell,
        rolls=game.rolls,
        bonus=game.upper_bonus.points if game.upper_bonus else 0,
        jokers=game.joker is not None,
        varied=values,
        game=rule_grid.digest_of(game),
    )
    solver = Solver(game, cache=False)
    if find != "distribution":
        solution = solver.solve_by_card()
        sd, reached = _spread(solution) if find == "sd" else (None, None)
        return cell(
            mean=solution.value(),
            sd=sd,
            ties=rule_for_ties() if find == "sd" else None,
            bonus_reached=reached,
            seconds=process_time() - began,
        )

    def distribution_of(name: str) -> Distribution:
        return evaluate(parse_strategy(name, solve=solver.solve), game).distribution

    objective_of = partial(parse_objective, distribution_of=distribution_of)
    parsed = objective_of(objective)
    player = parse_strategy(
        strategy, solve=solver.solve, objective=parsed, objective_of=objective_of
    )
    evaluation = evaluate(player, game, progress=progress)
    distribution, bonus = evaluation.distribution, evaluation.upper_bonus
    quantiles = {f"quantile_{level:g}": distribution.quantile(level) for level in QUANTILES}
    means = {f"points_{key}": category.mean for key, category in evaluation.categories.items()}
    return cell(
        mean=distribution.mean,
        sd=distribution.sd,
        ties=player.ties,
        bonus_reached=1 - bonus.probability(0) if bonus else None,
        seconds=process_time() - began,
        distribution=quantiles | means,
    )


def _spread(solution: CardSolution) -> tuple[float, float | None]:
    """Return the SD of the final score, and the probability of an upper bonus."""
    from rollwise.solving.kernels.moments import fill_moments  # numba
    from rollwise.solving.policy import OptimalPolicy

    model, policy = solution.model, OptimalPolicy(solution)
    points_O, bonus_L = model.total_points_O.astype(np.float64), model.bonus_L.astype(np.float64)
    mean, second, reached = map(policy.compiled.rows, (bonus_L, bonus_L**2, bonus_L > 0))
    policy.backward(
        (fill_moments, points_O, mean, second),
        (fill_moments, np.zeros(len(points_O)), reached, None),
    )
    at = START.c, START.lane
    bonus = float(reached[at]) if solution.rules.upper_bonus else None
    return float(sd_of(mean[at], second[at])), bonus


def as_parquet(cells: Sequence[Cell]) -> bytes:
    """Return a Parquet file with one row per game: the varied clauses, then the statistics.

    A clause whose values are all integers or all Booleans has a column of that type; other clauses
    have a column of strings.
    """
    import polars

    rows = [cell.as_row() for cell in cells]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    for clause in cells[0].varied:
        if {type(value) for value in columns[clause]} not in ({int}, {bool}):
            columns[clause] = list(map(rule_grid.text_of, columns[clause]))
    numbers = dict.fromkeys(("mean", "sd", "bonus_reached", "seconds"), polars.Float64)
    file = BytesIO()
    polars.DataFrame(columns, schema_overrides=numbers).write_parquet(file)
    return file.getvalue()
