"""Sweeps over rule variants: :func:`sweep` lists the variants and evaluates a strategy in each."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Literal

from rollwise.errors import InputError, MalformedError, check_type, counted, quoted
from rollwise.experiments import rule_grid, sensitivity
from rollwise.experiments.rule_grid import WORDS, Values, parse_clause, parse_grid, parse_range
from rollwise.experiments.sensitivity import Cell, Wanted
from rollwise.files import write_atomically
from rollwise.notebook import data_frame, html_table
from rollwise.rules import Rules, RulesLike, as_rules
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.progress import Progress
from rollwise.solving.solution import Solution
from rollwise.strategies import Optimal, StrategyLike
from rollwise.toml_files import read_toml

Numbers = str | int | Iterable[int]
"""Whole numbers as text such as ``0,35`` or ``1-6``, as one number, or as a sequence."""


class Sweep(list[Cell]):
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

    def frame(self, library: str | None = None) -> Any:
        """Return a data frame with a row for each game: the varied rules, then the statistics.

        Parameters
        ----------
        library : {"polars", "pandas"}, optional
            Default: polars if it is installed, otherwise pandas.
        """
        return data_frame([cell.as_row() for cell in self], library)


def sweep(
    rules: RulesLike,
    rolls: Numbers | None = None,
    bonus: Numbers | None = None,
    jokers: str | bool | Iterable[bool] | None = None,
    *,
    vary: Mapping[str, Iterable[Any]] | Iterable[str] = (),
    grid: str | Path | None = None,
    find: Wanted | None = None,
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
    rolls : str, int, or sequence of int, optional
        Rolls per turn (default: 1 to 6, or the game's own with ``vary`` or ``grid``).
    bonus : str, int, or sequence of int, optional
        Points of the upper bonus.
    jokers : str, bool, or sequence of bool, optional
        With or without jokers: ``"on,off"`` or ``[True, False]``.
    vary : mapping of str to sequence, or sequence of str
        Values of any rule: ``{"full-house.points": [25, 30]}`` or ``["full-house.points=25,30"]``.
    grid : str or Path, optional
        The path of a TOML file with rules and lists of values.
    find : {"mean", "sd", "distribution"}, optional
        The statistics to compute (default: the SD with ``vary`` or ``grid``, otherwise the
        distribution). Only optimal play for the expected score needs less than the distribution.
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
    >>> sweep("micro-yahtzee", rolls="1-3", find="mean")
    <Sweep of micro-yahtzee: 3 games, means 25.94 to 36.66>
    """
    game = as_rules(rules)
    if isinstance(strategy, Solution | Optimal):
        raise InputError("optimal play differs between the games of a sweep; use 'optimal'")
    games = variants(game, rolls, bonus, jokers, vary, grid)
    if output is not None:
        sensitivity.check_installed()
    is_default = (strategy, objective) == ("optimal", EXPECTED.name) and not game.carries_rolls
    usual: Wanted = "sd" if vary or grid else "distribution"
    wanted: Wanted = (find or usual) if is_default else "distribution"
    if wanted not in _WANTED:
        raise InputError(f"find must be one of {', '.join(_WANTED)}, not {quoted(find)}")
    cells = sensitivity.evaluate_grid(
        game,
        games,
        strategy,
        objective=objective,
        wanted=wanted,
        executor=executor,
        progress=progress,
    )
    if output is not None:
        write_atomically(Path(output), sensitivity.as_parquet(cells))
    return Sweep(cells, game)


_WANTED: tuple[Literal["mean", "sd", "distribution"], ...] = ("mean", "sd", "distribution")


def variants(
    rules: Rules,
    rolls: Numbers | None,
    bonus: Numbers | None,
    jokers: str | bool | Iterable[bool] | None,
    vary: Mapping[str, Iterable[Any]] | Iterable[str],
    grid_file: str | Path | None,
) -> Sequence[Values]:
    """Return the values of each game of a sweep; for parameters, see :func:`sweep`."""
    listed = _of_file(grid_file) | _listed(rolls, bonus, jokers, vary)
    if not (vary or grid_file):
        listed = _usual(rules) | listed
    return rule_grid.grid(rules, listed)


def _usual(game: Rules) -> dict[str, list[Any]]:
    """Return the default grid: the values of rolls, the upper bonus, and jokers."""
    bonus = game.upper_bonus.points if game.upper_bonus else 0
    return {"rolls": list(range(1, 7)), "bonus": [bonus], "jokers": [game.joker is not None]}


def _listed(
    rolls: Numbers | None,
    bonus: Numbers | None,
    jokers: str | bool | Iterable[bool] | None,
    vary: Mapping[str, Iterable[Any]] | Iterable[str],
) -> dict[str, list[Any]]:
    """Return the values of each rule clause that the arguments list."""
    clauses: dict[str, list[Any]] = {}
    if rolls is not None:
        clauses["rolls"] = _numbers(rolls, "rolls")
    if bonus is not None:
        clauses["bonus"] = _numbers(bonus, "bonus")
    if isinstance(jokers, str):
        if not set(jokers.split(",")) <= {"on", "off"}:
            raise MalformedError(f"--jokers must be on, off, or on,off, not {quoted(jokers)}.")
        clauses["jokers"] = [WORDS[word] for word in jokers.split(",")]
    elif jokers is not None:
        clauses["jokers"] = [jokers] if isinstance(jokers, bool) else list(jokers)
    check_type(vary, Iterable, "rules to vary, such as {'full-house.points': [25, 30]}")
    pairs = vary.items() if isinstance(vary, Mapping) else map(parse_clause, vary)
    for clause, values in pairs:
        if clause in clauses:
            raise MalformedError(
                f"{clause} is varied twice. Write all values of the clause in one list."
            )
        check_type(values, Iterable, f"a list of values of {clause}")
        clauses[clause] = list(values)
    return clauses


def _numbers(numbers: Numbers, what: str) -> list[int]:
    if isinstance(numbers, str | int):
        return parse_range(str(numbers), what)
    check_type(numbers, Iterable, f"{what} as a number, a list, or text such as '0,35' or '1-6'")
    return list(numbers)


def _of_file(path: str | Path | None) -> dict[str, list[Any]]:
    """Return the values of each rule clause in a grid file; empty if there is no file."""
    if path is None:
        return {}
    try:
        text = read_toml(path)
    except OSError as error:
        raise MalformedError(
            f"{path}: cannot read the grid file ({error.strerror}). Check the path."
        ) from error
    except MalformedError as error:
        raise MalformedError(f"{path}: {error}") from error
    return parse_grid(text, str(path))
