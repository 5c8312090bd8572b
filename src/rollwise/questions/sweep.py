"""The score of a strategy under varied rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from rollwise.errors import InputError, check_extra, check_type, counted
from rollwise.experiments.rule_grid import grid as games_of
from rollwise.experiments.rule_grid import parse_clause, parse_values, read_grid, text_of
from rollwise.experiments.sweep import Cell, Find, as_parquet, examine
from rollwise.files import check_folder, write_atomically
from rollwise.questions import checks_arguments
from rollwise.questions.answer import Answer, Block, Hidden, table, title
from rollwise.questions.parameters import STRATEGY, Game, Objective, Workers
from rollwise.questions.parameters import output as output_of
from rollwise.questions.progress import note_written, working
from rollwise.rules import Rules, game_of
from rollwise.solving.jobs import run
from rollwise.strategies import StrategyLike, parse_strategy


class Sweep(Answer):
    """The statistics of the final score in each game."""

    rules: str
    strategy: str
    objective: str
    cells: list[Cell]
    game: Hidden[Rules]
    """The game that was varied."""
    shows_all: Hidden[bool]

    def __repr__(self) -> str:
        means = [cell.mean for cell in self.cells]
        games = counted(len(means), "game")
        return f"<Sweep of {self.rules}: {games}, means {min(means):.2f} to {max(means):.2f}>"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each game: the varied rules, then the statistics."""
        return [cell.as_row() for cell in self.cells]

    def show(self) -> Iterator[Block]:
        """Yield a row for each game, or for the games with the lowest and highest means."""
        suffix = f", objective {self.objective}" if self.objective != "expected" else ""
        yield title(self.game.title, f" varied, strategy {self.strategy}{suffix}")
        shown = self.cells
        if not self.shows_all:
            shown = sorted(shown, key=lambda cell: cell.mean)[:: len(shown) - 1 or 1]
        columns = {
            "mean": [f"{cell.mean:.6f}" for cell in shown],
            "SD": ["" if cell.sd is None else f"{cell.sd:.4f}" for cell in shown],
            "P(bonus)": [
                "" if cell.bonus_reached is None else f"{cell.bonus_reached:.4f}" for cell in shown
            ],
        }
        nonempty = {name: column for name, column in columns.items() if any(column)}
        rows = table(*(f">{name}" for name in (*shown[0].varied, *nonempty)))
        for cell, *row in zip(shown, *nonempty.values(), strict=True):
            rows.add_row(*map(text_of, cell.varied.values()), *row)
        yield rows


@checks_arguments
def sweep(
    *,
    rolls: Annotated[
        str | None, Parameter(metavar="LIST", show_default="1-6 if no other rule is varied")
    ] = None,
    bonus: Annotated[str | None, Parameter(metavar="LIST")] = None,
    jokers: Annotated[str | None, Parameter(metavar="on|off|on,off")] = None,
    vary: Annotated[
        Mapping[str, str | Iterable[Any]] | Iterable[str] | None, Parameter(metavar="CLAUSE=LIST")
    ] = None,
    grid: Annotated[Path | None, Parameter(metavar="FILE.toml")] = None,
    find: Find = "sd",
    strategy: Annotated[StrategyLike, STRATEGY] = "optimal",
    rules: Game = None,
    objective: Objective = "expected",
    output: Annotated[Path | None, output_of("all games as Parquet")] = None,
    executor: Workers = None,
) -> Sweep:
    """Compute the expected score for many rule variants.

    The results are exact, for every combination of the values. The strategy optimal is the optimal
    strategy of each game.

    Parameters
    ----------
    rolls
        Rolls per turn, such as 3 or 1-6.
    bonus
        The points of the upper bonus: 35, or 0,35, or 0-100:25.
    jokers
        Whether to allow jokers; the Yahtzee bonus does not change.
    vary
        Values of any rule: full-house.points=25,30 or chance=on,off; repeatable.
    grid
        A TOML file with lists of values for rules.
    find
        The statistics to compute; the mean takes the least time.
    strategy
        A name, a strategy, or an object or a class with the methods of a strategy.
    rules
        A game, its name, or a rule file.
    objective
        The objective of optimal play.
    output
        A Parquet file for the results.
    executor
        Runs a job for each game, for example in other processes.

    Examples
    --------
    >>> sweep(rolls="1-3", find="mean", rules="micro-yahtzee")
    <Sweep of micro-yahtzee: 3 games, means 25.94 to 36.66>
    >>> cells = sweep(vary={"double.times": [1, 3]}, rules="micro-yahtzee").cells
    >>> [round(cell.mean, 2) for cell in cells]
    [25.94, 37.42]

    rollwise sweep --rules crag --rolls 1-6
    rollwise sweep --rolls 1-2 --bonus 0,35 --jokers on,off
    rollwise sweep --rules crag --rolls 1-6 --strategy greedy --cluster local:2 --json
    rollwise sweep --rules crag --vary thirteen.points=26,13 --vary odd-straight=on,off
    """
    check_folder(output)
    game = game_of(rules)
    if isinstance(strategy, str):
        name = strategy
    else:
        player = parse_strategy(strategy)
        name = player.name
        if player.rules is not None:
            raise InputError("optimal play differs between the games of a sweep; use 'optimal'")
    clauses = read_grid(grid) if grid is not None else {}
    clauses |= _clauses({"rolls": rolls, "bonus": bonus, "jokers": jokers}, vary or ())
    games = games_of(game, clauses or {"rolls": list(range(1, 7))})
    if output is not None:
        check_extra("parquet", "writing Parquet", "polars")
    if (strategy, objective) != ("optimal", "expected"):
        find = "distribution"
    jobs = [(game, varied, find, strategy, objective) for varied in games]
    with working(f"varying {game.name}") as advance:
        cells = run(examine, jobs, executor, advance)
    if output is not None:
        write_atomically(output, as_parquet(cells))
        note_written(output)
    return Sweep(
        rules=game.name,
        strategy=name,
        objective=objective,
        cells=cells,
        game=game,
        shows_all=output is None,
    )


def _clauses(
    named: Mapping[str, str | None], vary: Mapping[str, str | Iterable[Any]] | Iterable[str]
) -> dict[str, list[Any]]:
    """Return the list of values of each varied clause."""
    check_type(vary, Iterable, "rules to vary, such as {'full-house.points': [25, 30]}")
    texts = [f"{clause}={values}" for clause, values in named.items() if values is not None]
    others = vary.items() if isinstance(vary, Mapping) else map(parse_clause, vary)
    clauses: dict[str, list[Any]] = {}
    for clause, values in (*map(parse_clause, texts), *others):
        check_type(values, Iterable, f"a list of values of {clause}")
        if clause in clauses:
            raise InputError(
                f"{clause} is varied twice. Write all values of the clause in one list."
            )
        clauses[clause] = parse_values(clause, values) if isinstance(values, str) else list(values)
    return clauses
