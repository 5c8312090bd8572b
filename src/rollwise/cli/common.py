"""Options that several commands share, and how results are written."""

import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollwise.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from rollwise.evaluation import Evaluation
    from rollwise.objectives import Objective
    from rollwise.rules import Rules
    from rollwise.solution import Solution
    from rollwise.strategies import Strategy

RulesOption = Annotated[
    str, typer.Option("--rules", metavar="NAME|FILE.toml", help="The rules of the game.")
]
ObjectiveOption = Annotated[
    str, typer.Option("--objective", metavar="NAME", help="What to play for.")
]
StrategyOption = Annotated[
    str, typer.Option("--strategy", metavar="NAME", help="How the game is played.")
]
SeedOption = Annotated[
    int,
    typer.Option("--seed", metavar="N", min=0, help="Seed of the dice: one seed, the same games."),
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", min=1, help="Run on a Dask cluster of N processes."),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="tcp://…", help="Run on the cluster of this scheduler."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No messages and no progress.")]


def console() -> "Console":
    """Return the console for results: coloured on a terminal, plain and wide in a pipe."""
    from rich.console import Console

    # In a pipe a table is as wide as it needs to be: nothing is cut for a screen that is not there.
    width = None if sys.stdout.isatty() else 240
    return Console(highlight=False, width=width)


def write_json(value: Any) -> None:
    """Write one JSON document to standard output."""
    json.dump(value, sys.stdout, indent=2, ensure_ascii=False)
    print()


def solved(
    rules: "Rules",
    objective: "Objective",
    *,
    moments: bool = False,
    cache: bool = True,
    quiet: bool = False,
) -> "Solution":
    """Return the solution of a game, with progress on stderr while it takes long."""
    from rollwise.solver import solve

    with progress(f"solving {rules.name}", quiet) as advance:
        return solve(rules, objective, moments=moments, cache=cache, progress=advance)


def evaluated(strategy: str, rules: str, objective: str, *, quiet: bool = False) -> "Evaluation":
    """Return the exact law of a strategy, with progress on stderr while it takes long."""
    from rollwise.evaluation import evaluate
    from rollwise.goals import parse_objective
    from rollwise.rules import load_rules
    from rollwise.strategies import parse_strategy

    game, goal = load_rules(rules), parse_objective(objective)
    player = parse_strategy(strategy, lambda goal: solved(game, goal, quiet=quiet), goal)
    with progress(f"playing all games of {game.name}", quiet) as advance:
        return evaluate(player, game, progress=advance)


def player(name: str, rules: "Rules", *, quiet: bool = False) -> "Strategy":
    """Return the strategy with this name, ready to play a game."""
    from rollwise.strategies import parse_strategy

    return parse_strategy(name, lambda goal: solved(rules, goal, quiet=quiet))


def cluster(workers: int | None, scheduler: str | None) -> "Callable[[], Executor] | None":
    """Return what makes the executor that was asked for, None for this process alone.

    Raises
    ------
    MissingExtraError
        When Dask is not installed.
    InputError
        When both are given.
    """
    if workers is None and scheduler is None:
        return None
    if workers is not None and scheduler is not None:
        raise InputError("both --workers and --scheduler: expected one of them")
    from rollwise.cluster import Cluster, check_installed

    check_installed()
    return lambda: Cluster(workers or 1, scheduler)


@contextmanager
def progress(what: str, quiet: bool) -> Iterator[Any]:
    """Show a bar on stderr while the block runs; gives what takes the done share, 0 to 1."""
    if quiet or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=1.0)
        yield lambda done: bar.update(task, completed=done)
